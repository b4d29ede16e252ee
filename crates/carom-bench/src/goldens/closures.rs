//! A run that no scene can describe: potentials that a user wrote as functions.

use std::sync::Arc;

use carom_elastic::{Closure, Closures, Formula, Spring};
use carom_engine::MethodKind;
use carom_math::{Real, Vec3};
use carom_model::{ClockOptions, Owner, Part, SystemBuilder};

use super::runs::Run;

/// A bond whose energy grows with the fourth power of its stretch.
struct Bond;

impl Formula for Bond {
    fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S {
        let stretch = (x[1] - x[0]).length_sq() - S::constant(1.0);
        stretch * stretch * S::constant(20.0)
    }
}

/// A trough along x.
struct Trough;

impl Formula for Trough {
    fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S {
        let Vec3 { y, z, .. } = x[0];
        y * y * S::constant(3.0) + z * z * z * z
    }
}

/// A chain of points with bonds of a user in a field of a user.
pub fn run() -> Run {
    const POINTS: u32 = 12;
    let mut builder = SystemBuilder::new();
    builder.body("chain");
    for i in 0..POINTS {
        let along = f64::from(i);
        builder.vertex(
            Vec3::new(1.05 * along, 0.1 * (along % 3.0), 0.2),
            Vec3::new(0.0, 0.3, 0.1 * along),
            1.0,
        );
    }
    let (mut bonds, mut field) = (Closures::internal(), Closures::field());
    for i in 0..POINTS {
        let owner = Owner { body: 0, part: Part::Other(i) };
        field.push(Closure::from_formula(Trough, vec![i], owner, 0.02));
        if i + 1 < POINTS {
            bonds.push(Closure::from_formula(Bond, vec![i, i + 1], owner, 0.01));
        }
        if i + 2 < POINTS {
            builder.add(Spring { stiffness: 5.0, rest_length: 2.0 }, [i, i + 2], owner, 1.0);
        }
    }
    builder.family(Arc::new(bonds));
    builder.family(Arc::new(field));
    let (system, state) = builder.build(&ClockOptions::default()).expect("a sound system");
    let end = system.line.tick_at(5.0).expect("an end on the time line");
    Run {
        name: "closures".to_owned(),
        scene: None,
        built: None,
        method: MethodKind::Carom,
        system: Arc::new(system),
        state,
        probes: Vec::new(),
        end,
        rows: 30,
        zoom: None,
        by_reference: false,
    }
}
