//! Systems to check, and ways to break them.

use std::sync::Arc;

use carom_elastic::Spring;
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, Start, State, System, SystemBuilder};
use carom_time::Clocks;

use crate::random::Random;

/// A ladder of springs of very different stiffness, stretched and in motion, one vertex held whole and one along an axis.
pub(crate) fn ladder(clocks: Clocks, start: Start, pinned: bool) -> (Arc<System>, State) {
    let mut random = Random::new(7);
    let mut builder = SystemBuilder::new();
    for i in 0..8 {
        let (rung, side) = (f64::from(i / 2), f64::from(i % 2));
        let x = Vec3::new(rung, side, 0.0) + random.vector() * 0.1;
        builder.vertex(x, random.vector() * 0.3, 0.5 + 0.4 * random.next());
    }
    if pinned {
        builder.pin(0, Axes::ALL);
        builder.pin(5, Axes { x: false, y: true, z: false });
    }
    let edges: [(u32, u32); 13] = [
        (0, 1),
        (2, 3),
        (4, 5),
        (6, 7),
        (0, 2),
        (2, 4),
        (4, 6),
        (1, 3),
        (3, 5),
        (5, 7),
        (0, 3),
        (2, 5),
        (4, 7),
    ];
    for (i, (a, b)) in edges.into_iter().enumerate() {
        let stiffness = [40.0, 3.0, 0.5][i % 3];
        let rest_length = 0.9 * (builder.positions()[a as usize] - builder.positions()[b as usize]).length();
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        builder.add(Spring { stiffness, rest_length }, [a, b], owner, 1.0);
    }
    let options = ClockOptions { clocks, start, ..ClockOptions::default() };
    let (system, state) = builder.build(&options).expect("the ladder is sound");
    (Arc::new(system), state)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn show() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for pinned in [false, true] {
                let (system, state) = ladder(clocks, Start::HalfKick, pinned);
                println!(
                    "{clocks:?} {pinned} {:?}",
                    system.spans().iter().map(|s| s.quanta()).collect::<Vec<_>>()
                );
                let t = std::time::Instant::now();
                let _ = crate::verify_and_show(&system, &state, &crate::Options::default(), |c| {
                    println!(
                        "{:?} {} {:.2e} / {:.1e} {:?} {:?}",
                        t.elapsed(),
                        c.name,
                        c.residual,
                        c.bound,
                        c.verdict,
                        c.details
                    )
                });
            }
        }
    }
}
