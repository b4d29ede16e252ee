//! Where steps are shortened on the way, old and new ones are joined: nothing that is read jumps.
//!
//! | | |
//! | --- | --- |
//! | Steps | at a random tick of the run each element and field gets half its step or keeps it, by chance; so do the first layers of contact, if no layer is lost by it. All get half if chance takes none |
//! | Residual | the largest jump, across the joint, of kinetic energy, potential energy of a kind, work and what was dissipated, relative to the sum of their sizes; and of momentum and angular momentum less the external ledger, relative to `Σ m│v│` and `Σ m│x││v│`, not counting the rounding of the gross impulse of the slowest step |
//!
//! The joint is one kick ([`Checkpoint::joined`]): a run whose energy is held to a tolerance takes it where it goes on with shorter steps. What
//! comes after it is an ordinary run, which the other checks are about.

use std::sync::Arc;

use carom_contact::layer_count;
use carom_engine::{Checkpoint, Reader, Reading};
use carom_model::{LayerSpec, State, System};
use carom_time::Tick;

use crate::clocks::{end_of_periods, slowest};
use crate::random::Random;
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{gross_impulse, relative};
use crate::{NEVER, Options};

/// The largest residual that passes: 45 units in the last place. The joint is one kick, and no error has time to grow.
const BOUND: f64 = 1e-14;

pub(crate) fn claim() -> Property {
    Property {
        name: "joint of steps",
        what: "No reading of energy or momentum jumps where steps are shortened on the way.",
        bound: BOUND,
    }
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    measure(system, state, options, Checkpoint::joined)
}

/// The jump across a joint that `join` makes.
fn measure(
    system: &Arc<System>,
    state: &State,
    options: &Options,
    join: impl Fn(&Checkpoint, &Arc<System>, &Arc<System>) -> Checkpoint,
) -> Result<Measurement, NoMeasurement> {
    let slowest = slowest(system)?;
    let mut random = Random::new(options.seed);
    let (mut finer, mut shortened) = with_halved_steps(system, || random.next() < 0.0);
    if shortened == [0, 0] {
        (finer, shortened) = with_halved_steps(system, || true);
    }
    if shortened == [0, 0] {
        return Err(NoMeasurement::Skipped("no step can be halved".into()));
    }
    let end = end_of_periods(system, slowest, options.periods);
    let tick = Tick((0.5 * (1.0 + random.next()) * end.0 as f64) as u64 + 1);
    let mut method = options.launch(system, state);
    method.advance_to(tick, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;

    let pairs = method.pairs();
    let joined = join(&method.save(), system, &finer);
    let before = Reader::new(system).read(&method.state(), &method.external(), &pairs, tick);
    let after = Reader::new(&finer).read(&joined.state, &joined.external, &pairs, tick);
    let gross = gross_impulse(system, &before.positions, system.line.quantum.step(slowest));
    let jumps = [energy_jump(&before, &after), momentum_jump(&before, &after, gross.into())];
    let [elements, layers] = shortened;
    let details = vec![
        format!(
            "{elements} potentials and {layers} first layers got half their steps, at {:.3e} s",
            system.line.quantum.time(tick)
        ),
        format!("energies {:.1e}, momenta {:.1e}", jumps[0], jumps[1]),
    ];
    Ok(Measurement { residual: jumps.into_iter().collect::<Worst>().0, details })
}

/// The system with half the steps of those potentials and first layers that are chosen, and how many of each.
fn with_halved_steps(system: &System, mut is_chosen: impl FnMut() -> bool) -> (Arc<System>, [usize; 2]) {
    let (mut elements, mut layers) = (0, 0);
    let mut finer = system.with_spans(|_, _, span| match span.half().filter(|_| is_chosen()) {
        Some(half) => {
            elements += 1;
            half
        }
        None => span,
    });
    finer.contact = system.contact.as_ref().map(|contact| {
        let mut contact = (**contact).clone();
        let most = contact.max_layers;
        for spec in &mut contact.layers {
            let shorter = spec.span.half().map(|span| LayerSpec { span, ..*spec });
            let keeps_all = |shorter: &LayerSpec| layer_count(shorter, most) == layer_count(spec, most);
            if let Some(shorter) = shorter.filter(keeps_all).filter(|_| is_chosen()) {
                layers += 1;
                *spec = shorter;
            }
        }
        Arc::new(contact)
    });
    (Arc::new(finer), [elements, layers])
}

fn energy_jump(before: &Reading, after: &Reading) -> f64 {
    let parts = |r: &Reading| {
        let mut parts = r.potential_j.clone();
        parts.extend([r.kinetic_j, r.work_j, r.dissipated_j()]);
        parts
    };
    let (before, after) = (parts(before), parts(after));
    let size: f64 = before.iter().map(|part| part.abs()).sum();
    let jump = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).collect::<Worst>().0;
    if jump == 0.0 { 0.0 } else { jump / size }
}

fn momentum_jump(before: &Reading, after: &Reading, gross: [f64; 2]) -> f64 {
    let kept =
        |r: &Reading| [r.momentum - r.from_outside.linear, r.angular_momentum - r.from_outside.angular];
    let scales = [before.momentum_scale, before.angular_momentum_scale];
    let jumps = kept(before).into_iter().zip(kept(after)).map(|(a, b)| (a - b).length());
    let of = |((jump, scale), gross)| if jump == 0.0 { 0.0 } else { relative(jump, scale, gross, BOUND) };
    jumps.zip(scales).zip(gross).map(of).collect::<Worst>().0
}

#[cfg(test)]
mod tests {
    use carom_time::Clocks;

    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets};
    use crate::testing::{ladder, lighter, pinned_ladder};

    fn seeded(seed: u64) -> Options {
        Options { seed, ..Options::default() }
    }

    #[test]
    fn nothing_jumps_at_any_of_many_joints() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                for seed in 0..20 {
                    let found = check(&system, &state, &seeded(seed)).unwrap();
                    assert!(found.residual <= BOUND, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_jumps_where_layers_that_push_get_shorter_steps() {
        let mut pushing = 0;
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            for seed in 0..8 {
                let found = check(&system, &state, &seeded(seed)).unwrap();
                assert!(found.residual <= BOUND, "{kind:?} {found:?}");
                pushing += usize::from(!found.details[0].contains(" 0 first layers"));
            }
        }
        assert!(pushing > 4, "{pushing}");
    }

    #[test]
    fn without_a_joint_or_with_one_off_by_a_thousandth_something_jumps() {
        let none = |checkpoint: &Checkpoint, _: &Arc<System>, _: &Arc<System>| checkpoint.clone();
        let wrong = |checkpoint: &Checkpoint, from: &Arc<System>, to: &Arc<System>| {
            checkpoint.joined(&Arc::new(lighter(from)), to)
        };
        for (system, state) in [ladder(Clocks::Exact), sheets(KINDS[0], 0.8 * THICKNESS)] {
            let residual = |found: Result<Measurement, NoMeasurement>| found.unwrap().residual;
            let of_none = residual(measure(&system, &state, &seeded(3), none));
            let of_wrong = residual(measure(&system, &state, &seeded(3), wrong));
            assert!(of_none > 1e-4 && of_wrong > 1e-7, "{of_none:e} {of_wrong:e}");
        }
    }

    #[test]
    fn where_no_step_can_be_halved_nothing_is_checked() {
        let (system, state) = ladder(Clocks::Dyadic);
        let shortest = Arc::new(system.with_spans(|_, _, _| carom_time::Span::ONE));
        let found = check(&shortest, &state, &Options::default());
        assert_eq!(found, Err(NoMeasurement::Skipped("no step can be halved".into())));
    }
}
