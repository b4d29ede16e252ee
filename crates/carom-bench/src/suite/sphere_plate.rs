//! The sphere against the plate at several sizes, and as the naive path would run it.

use std::time::Duration;

use carom_engine::MethodKind;
use carom_geometry::shapes;
use carom_model::ClockOptions;
use carom_scene::{Scene, build};

use crate::naive::{Build, Naive};

use super::Effort;
use super::engine::Going;
use super::measure::{each_in_turn, thread_time};
use super::program::Run;
use super::shells::{Bending, Both, Membrane, Recipe, of};

const SHELL: Recipe = Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) };

/// Resolution of the meshes, and the step that goes with it.
#[derive(Clone, Copy)]
pub struct Size {
    pub name: &'static str,
    frequency: usize,
    edge: f64,
    step: f64,
}

/// About 6,500, 16,000 and 40,000 triangles; the first is the scene as it is.
pub const SIZES: [Size; 3] = [
    Size { name: "sphere-plate 6k", frequency: 11, edge: 0.0133, step: 1e-7 },
    Size { name: "sphere-plate 16k", frequency: 17, edge: 0.0085, step: 6.25e-8 },
    Size { name: "sphere-plate 40k", frequency: 27, edge: 0.0054, step: 4e-8 },
];

impl Size {
    /// The scene at this size, up to `end_s`.
    pub fn run(self, end_s: f64, threads: usize) -> Run {
        let set = vec![
            ("body.sphere.shape.icosphere.frequency", self.frequency.to_string()),
            ("body.plate.shape.disc.edge", self.edge.to_string()),
            ("clocks.step", self.step.to_string()),
            // Reading is not part of the measurement.
            ("output.frames", "2".to_owned()),
            ("output.rows", "100".to_owned()),
        ];
        let (name, scene) = (format!("{} {threads}", self.name), "sphere-plate".to_owned());
        Run { name, scene, end_s: Some(end_s), set, threads, audit: false }
    }
}

/// The standard run beside the naive path.
pub struct Beside {
    /// CPU seconds of the whole run.
    pub ours_s: f64,
    /// CPU seconds of the naive path for as many steps.
    pub naive_s: f64,
    /// Share of contact in ours.
    pub contact_share: f64,
    /// Simulated time, in s.
    pub end_s: f64,
}

/// The scene as it is, in stretches, and after each stretch a tenth of as many steps of the naive path.
///
/// # Panics
/// If the scene is not sound: it comes with the program.
pub fn beside_naive(effort: Effort) -> Beside {
    let loaded = Scene::load("sphere-plate", &[]).expect("a scene of the gallery");
    let built = build(&loaded.scene, &*loaded.files).expect("a sound scene");
    let end = if effort == Effort::Quick { built.schedule.end.0 / 10 } else { built.schedule.end.0 };
    let system = std::sync::Arc::new(built.system);
    let mut going = Going::start(MethodKind::Carom, &system, &built.state);
    let step_s = SIZES[0].step;
    let mut parts = [
        shapes::icosphere(0.125, SIZES[0].frequency).expect("a sphere"),
        shapes::disc(0.35, SIZES[0].edge).expect("a plate"),
    ]
    .map(|mesh| {
        let clocks = ClockOptions { step_s: Some(step_s), ..ClockOptions::default() };
        let Both { naive, .. } = of(&mesh, SHELL, |_| 1.0, &clocks);
        naive
    });
    let quantum = system.line.quantum.seconds();
    let (stretches, tenth) = (20, 10);
    let quanta = end / stretches;
    let steps = (quanta as f64 * quantum / step_s) as u64 / tenth;
    let naive_build = faster(&mut parts[1], step_s);
    let mut ours = Duration::ZERO;
    let naive_s: f64 = each_in_turn(stretches as usize, 1, |_| {
        ours += going.advance(quanta).cpu;
        let ((), took) = thread_time(|| parts.iter_mut().for_each(|p| p.run(naive_build, step_s, steps)));
        took.as_secs_f64() * tenth as f64
    })[0]
        .sum();
    let times = going.simulation().summary().times;
    let in_contact = times.pairs + times.certificates + times.searches;
    Beside {
        ours_s: ours.as_secs_f64(),
        naive_s,
        contact_share: in_contact.as_secs_f64() / going.wall().as_secs_f64(),
        end_s: (quanta * stretches) as f64 * quantum,
    }
}

/// The compilation of the naive path that is faster here.
fn faster(naive: &mut Naive, step_s: f64) -> Build {
    let builds = [Build::Baseline, Build::Native];
    let times = each_in_turn(3, 2, |i| thread_time(|| naive.run(builds[i], step_s, 20)).1.as_secs_f64());
    if times[0].least() < times[1].least() { Build::Baseline } else { Build::Native }
}
