//! Between soft grains the law of Hertz says how stiff contact is; its step follows.

use carom_model::{Law, LayerFamily, LayerSpec, SurfaceVertex, System};
use carom_time::StepError;

use super::{ContactOptions, STEP_TIMES_FREQUENCY};
use crate::pairs::surface::{Grains, Primitives};
use crate::pairs::weight::hertz_weight;

/// The layers between soft grains, for every two bodies: added to `layers`.
///
/// As fast as the expected speed presses two of them into each other, δ = (15 m v²/(16 E* √R))^(2/5), so stiff are they, k = 2 E* √(R δ);
/// the step is what gives `h₁ω₁` = 0.1 for the two lightest [Johnson1985, §11.4].
pub(super) fn soft_layers(
    system: &System,
    grains: &[Grains],
    primitives: &Primitives,
    options: &ContactOptions,
    layers: &mut Vec<LayerSpec>,
    bodies: usize,
) -> Result<Vec<Option<u32>>, StepError> {
    let mut between = vec![None; bodies * bodies];
    let quantum = system.line.quantum;
    for (i, one) in grains.iter().enumerate() {
        for other in &grains[i..] {
            let (Some(a), Some(b)) = (one.soft, other.soft) else { continue };
            let depth = |g: &Grains, radii: &[f64]| {
                radii.iter().zip(g.radii).map(|(soft, hard)| soft - hard).fold(0.0, f64::max)
            };
            let thickness = depth(one, a.radii) + depth(other, b.radii);
            let modulus = 1.0 / (1.0 / a.modulus + 1.0 / b.modulus);
            let lightest = |body: u32| {
                let free = |v: &&SurfaceVertex| v.body == body && !system.is_held(v.vertex as usize);
                let mass = |v: &SurfaceVertex| system.masses[v.vertex as usize];
                let own = primitives.vertices.iter().filter(free);
                own.min_by(|v, w| mass(v).total_cmp(&mass(w))).map(|v| (*v, mass(v)))
            };
            let Some((v, m)) = lightest(one.body).or_else(|| lightest(other.body)) else { continue };
            let (w, n) = lightest(other.body).unwrap_or((v, f64::INFINITY));
            let (weight, mass) = (hertz_weight(&v, &w), 1.0 / (1.0 / m + 1.0 / n));
            // At rest nobody knows how hard they will press: as hard as their cores let them.
            let at_speed =
                fifth_root((1.25 * mass * options.speed * options.speed / (modulus * weight)).powi(2));
            let pressed = if options.speed > 0.0 { at_speed.min(thickness) } else { thickness };
            let stiffness = 1.5 * modulus * weight * pressed.sqrt();
            let step_s = STEP_TIMES_FREQUENCY * (mass / stiffness).sqrt();
            let span = system.line.span(options.step_s.unwrap_or(step_s).max(quantum.seconds()))?;
            let spec = LayerSpec {
                family: LayerFamily::Hertz,
                thickness,
                stiffness: modulus,
                span,
                one_clock: false,
                law: Law::IDEAL,
                friction_window: system.spans().last().map_or(span, |slowest| span.max(*slowest)),
            };
            let number = Some(layers.len() as u32);
            layers.push(spec);
            between[one.body as usize * bodies + other.body as usize] = number;
            between[other.body as usize * bodies + one.body as usize] = number;
        }
    }
    Ok(between)
}

/// The fifth root of a number that is not negative, the same on every machine: Newton's method from a power of two above it.
fn fifth_root(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // From above every step falls, until rounding ends it.
    let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let mut root = 2f64.powi(exponent.div_euclid(5) + 1);
    loop {
        let next = 0.2 * (4.0 * root + x / (root * root * root * root));
        if next >= root {
            return root;
        }
        root = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_root_is_right_over_the_whole_range_of_numbers() {
        for exponent in -300..300 {
            let x = 1.7 * 10f64.powi(exponent);
            let root = fifth_root(x);
            assert!((root.powi(5) / x - 1.0).abs() < 4e-15, "{x:e}: {root:e}");
        }
        assert_eq!((fifth_root(0.0), fifth_root(32.0), fifth_root(1.0)), (0.0, 2.0, 1.0));
        assert_eq!(fifth_root(f64::INFINITY), f64::INFINITY);
    }
}
