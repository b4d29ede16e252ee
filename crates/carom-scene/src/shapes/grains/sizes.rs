//! Radii of grains: their keys, and how they are drawn, one after the other from a stream of random numbers.

use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::number::{NonNegative, Positive};
use crate::random::Random;
use crate::report::Problem;

/// Number of successive draws outside of the range after which it is refused.
const MOST_DRAWS: u32 = 100_000;

/// Radii of grains, drawn at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Radii {
    /// Uniformly distributed between two radii.
    Uniform(RadiusRange),
    /// Normally distributed, those outside a range left out.
    Normal(NormalRadii),
    /// Lognormally distributed, radii outside of a range left out.
    Lognormal(LognormalRadii),
    /// A few sizes.
    List(RadiusList),
}

/// Any radius between two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RadiusRange {
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// Normally distributed radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NormalRadii {
    /// Mean, in m.
    pub mean: Positive,
    /// Standard deviation, in m.
    pub deviation: Positive,
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// Radii whose logarithm is normally distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LognormalRadii {
    /// Half of them are larger, in m.
    pub median: Positive,
    /// Standard deviation of the natural logarithm.
    pub deviation: Positive,
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// A few radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RadiusList {
    /// The radii, in m.
    pub values: At<Vec<Positive>>,
    /// Relative frequency of each radius; equal without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<At<Vec<NonNegative>>>,
}

/// Radii that cannot be drawn.
pub fn check(radii: &At<Radii>, problems: &mut Vec<Problem>) {
    let (from, to) = match &**radii {
        Radii::Uniform(r) => (&r.from, &r.to),
        Radii::Normal(r) => (&r.from, &r.to),
        Radii::Lognormal(r) => (&r.from, &r.to),
        Radii::List(list) => {
            if list.values.is_empty() {
                problems.push(Problem::new(&list.values.span(), "there are no radii").help("add some"));
            }
            if let Some(shares) = &list.shares {
                let fits = shares.len() == list.values.len() && shares.iter().any(|share| share.get() > 0.0);
                if !fits {
                    let problem = Problem::new(
                        &shares.span(),
                        "each radius has a share, and one of them must be above 0",
                    );
                    problems.push(problem.and(&list.values.span(), "the radii"));
                }
            }
            return;
        }
    };
    if from.get() > to.get() {
        let problem = Problem::new(&to.span(), "the largest radius is below the smallest");
        problems.push(problem.and(&from.span(), "the smallest").help("exchange them"));
    }
}

/// Draws `count` radii, in m.
pub fn draw(radii: &At<Radii>, count: usize, random: &mut Random) -> Result<Vec<f64>, Problem> {
    (0..count).map(|_| one(radii, random)).collect()
}

fn one(radii: &At<Radii>, random: &mut Random) -> Result<f64, Problem> {
    match &**radii {
        Radii::Uniform(range) => {
            let (from, to) = (range.from.get(), range.to.get());
            Ok((from + (to - from) * random.part()).clamp(from, to))
        }
        Radii::Normal(n) => {
            within(radii, [n.from.get(), n.to.get()], || n.mean.get() + n.deviation.get() * random.gaussian())
        }
        Radii::Lognormal(n) => within(radii, [n.from.get(), n.to.get()], || {
            n.median.get() * libm::exp(n.deviation.get() * random.gaussian())
        }),
        Radii::List(list) => {
            let share = |i: usize| list.shares.as_ref().map_or(1.0, |shares| shares[i].get());
            let total: f64 = (0..list.values.len()).map(share).sum();
            let mut left = random.part() * total;
            let chosen = (0..list.values.len()).find(|&i| {
                left -= share(i);
                left <= 0.0
            });
            // What rounding leaves over goes to the last that is likely at all.
            let likely = || (0..list.values.len()).rfind(|&i| share(i) > 0.0).expect("shares were checked");
            Ok(list.values[chosen.unwrap_or_else(likely)].get())
        }
    }
}

/// The first draw between two radii.
fn within(radii: &At<Radii>, [from, to]: [f64; 2], mut draw: impl FnMut() -> f64) -> Result<f64, Problem> {
    let first = (0..MOST_DRAWS).map(|_| draw()).find(|radius| (from..=to).contains(radius));
    first.ok_or_else(|| {
        let message = format!("of {MOST_DRAWS} radii none was between {from} and {to}");
        Problem::new(&radii.span(), message).help("move the range to where radii are likely")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 100_000;

    fn drawn(radii: Radii) -> Vec<f64> {
        draw(&At::nowhere(radii), COUNT, &mut Random::new(7)).unwrap()
    }

    fn mean(values: &[f64]) -> f64 {
        values.iter().sum::<f64>() / values.len() as f64
    }

    fn size(value: f64) -> Positive {
        Positive::nowhere(value)
    }

    #[test]
    fn uniform_radii_fill_their_range_evenly() {
        let radii = drawn(Radii::Uniform(RadiusRange { from: size(1.0), to: size(3.0) }));
        assert!(radii.iter().all(|r| (1.0..=3.0).contains(r)));
        let below = radii.iter().filter(|r| **r < 1.5).count() as f64 / COUNT as f64;
        assert!((mean(&radii) - 2.0).abs() < 0.01 && (below - 0.25).abs() < 0.01, "{below}");
    }

    #[test]
    fn normal_radii_have_their_mean_and_deviation_and_stay_in_their_range() {
        let (mean_wanted, deviation) = (2.0, 0.1);
        let normal = NormalRadii {
            mean: size(mean_wanted),
            deviation: size(deviation),
            from: size(1.0),
            to: size(2.2),
        };
        let radii = drawn(Radii::Normal(normal));
        assert!(radii.iter().all(|r| (1.0..=2.2).contains(r)));
        // Cut at two deviations above: the mean of what is left is φ(2)/Φ(2) of a deviation lower.
        let expected = mean_wanted - deviation * 0.053_991 / 0.977_250;
        assert!((mean(&radii) - expected).abs() < 1e-3, "{}", mean(&radii));
    }

    #[test]
    fn half_of_lognormal_radii_are_above_the_median() {
        let lognormal =
            LognormalRadii { median: size(2.0), deviation: size(0.5), from: size(1e-3), to: size(1e3) };
        let radii = drawn(Radii::Lognormal(lognormal));
        let above = radii.iter().filter(|r| **r > 2.0).count() as f64 / COUNT as f64;
        // exp(σ²/2) times the median is the mean.
        assert!((above - 0.5).abs() < 0.01 && (mean(&radii) / 2.0 - 1.133).abs() < 0.01, "{above}");
    }

    #[test]
    fn a_list_gives_each_radius_its_share() {
        let shares = [3.0, 0.0, 1.0].map(NonNegative::nowhere).to_vec();
        let values = [1.0, 2.0, 4.0].map(Positive::nowhere).to_vec();
        let list = RadiusList { values: At::nowhere(values), shares: Some(At::nowhere(shares)) };
        let radii = drawn(Radii::List(list));
        let part = |wanted: f64| radii.iter().filter(|r| **r == wanted).count() as f64 / COUNT as f64;
        assert!((part(1.0) - 0.75).abs() < 0.01 && part(2.0) == 0.0 && (part(4.0) - 0.25).abs() < 0.01);
    }

    #[test]
    fn a_range_without_likely_radii_is_a_problem() {
        let normal = NormalRadii { mean: size(2.0), deviation: size(1e-3), from: size(5.0), to: size(6.0) };
        let radii = At::nowhere(Radii::Normal(normal));
        assert!(draw(&radii, 1, &mut Random::new(0)).is_err());
    }
}
