//! What goes on the external ledger.
//!
//! | total | terms |
//! | --- | --- |
//! | fields | each impulse of a potential, or of damping, whose impulses do not cancel, with its moment about the origin; for two points across the border of a periodic box, the moment `L × J` of their normal impulse, L the whole periods between them |
//! | pins | the impulse that keeps a vertex on its way along the axes that are held, with its moment; of a spin, a moment alone |
//! | work | of that impulse, `J·u`: u the mean of the velocities before the instant and after the stage for a vertex that nothing moves, else the velocity after it; and of driven loads, `J·(v⁻ + v⁺)/2` over the whole instant |
//! | twists | what potentials and damping pass from angles to places |
//! | couples | moments of friction and restitution that turn nothing |
//! | losses | `−J·(v⁻ + v⁺)/2` over the whole instant, with the velocities of the motion: lag is added to them |

use carom_math::Vec3;
use carom_model::{ContactImpulse, DofKind, ExternalLedger, Family, System};
use carom_time::Tick;

use super::lag::Lag;
use super::laws::{DampedElement, LossyPair};

/// Books the impulses of a potential on its vertices at `x`.
pub(super) fn element(
    external: &mut ExternalLedger,
    family: &dyn Family,
    element: usize,
    (x, impulses): (&[Vec3], &[Vec3]),
) {
    if !family.properties().is_internal {
        for (x, j) in x.iter().zip(impulses) {
            field(external, *x, *j);
        }
    }
    if family.properties().has_angular_dofs {
        external.twists.add(family.reaction_torque(element, x, impulses));
    }
}

/// Books an impulse from outside on a vertex at `x`.
fn field(external: &mut ExternalLedger, x: Vec3, j: Vec3) {
    external.fields.linear.add(j);
    external.fields.angular.add(x.cross(j));
}

/// Books the normal impulse on the first of two points whose difference has these whole periods in it.
pub(super) fn across_the_border(external: &mut ExternalLedger, periods: Vec3, on_first: Vec3) {
    external.fields.angular.add(periods.cross(on_first));
}

/// Books what keeps vertex `v` at `x` on its way as it is kicked by `sum`, moving at `u`.
pub(super) fn pin(external: &mut ExternalLedger, system: &System, v: usize, (x, u): (Vec3, Vec3), sum: Vec3) {
    let j = hold(external, system, v, x, sum);
    external.work.add(j.dot(u));
}

/// Books the impulse that keeps vertex `v` at `x` on its way as it is kicked by `sum`, and returns it.
pub(super) fn hold(external: &mut ExternalLedger, system: &System, v: usize, x: Vec3, sum: Vec3) -> Vec3 {
    let w = system.inverse_masses[v];
    let held = |w: f64, j: f64| if w == 0.0 { -j } else { 0.0 };
    let j = Vec3::new(held(w.x, sum.x), held(w.y, sum.y), held(w.z, sum.z));
    match system.dof_kind(v) {
        DofKind::Position => {
            external.pins.linear.add(j);
            external.pins.angular.add(x.cross(j));
        }
        DofKind::Spin => external.pins.angular.add(j),
        DofKind::Twist | DofKind::Memory => {}
    }
    j
}

/// Books the part of the work of driven loads that a stage adds to `J·(v⁻ + v⁺)/2`: the first gives both velocities, later ones change `v⁺`.
pub(super) fn driven(
    external: &mut ExternalLedger,
    j: Vec3,
    [before, after]: [Vec3; 2],
    is_first_stage: bool,
) {
    let twice_mean = if is_first_stage { before + after } else { after - before };
    external.work.add(0.5 * j.dot(twice_mean));
}

/// Books what resistance took at `tick`: the velocities `before` and `after` the instant, vertices at `x`.
pub(super) fn losses(
    external: &mut ExternalLedger,
    (damped, answered): (&[DampedElement], &[(LossyPair, ContactImpulse)]),
    (before, after): (&[Vec3], &[Vec3]),
    x: &[Vec3],
    lag: impl Fn(usize) -> Vec3,
) {
    let motion = |v: usize| (before[v] + after[v]) * 0.5 + lag(v);
    for element in damped {
        external.twists.add(element.reaction_torque);
        let mut taken_j = 0.0;
        for (&v, &j) in element.vertices.iter().zip(&element.impulses) {
            let v = v as usize;
            taken_j -= j.dot(motion(v));
            if !element.is_internal {
                field(external, x[v], j);
            }
        }
        external.losses.damping.add(taken_j);
    }
    for (pair, answer) in answered {
        let u = pair.relative(motion);
        external.losses.restitution.add(-answer.restitution.dot(u));
        external.losses.friction.add(-answer.friction.dot(u));
        external.couples.add(pair.couple(answer));
    }
}

/// The velocity by which vertex `v` lags at `tick`, in m/s.
pub(super) fn lag_of(system: &System, lag: &Lag, v: usize, tick: Tick) -> Vec3 {
    lag.pending_impulse(v, tick).scaled_by(system.inverse_masses[v])
}
