//! What a few stiff or small elements cost the rest: clocks of their own beside one clock for all.

use std::sync::Arc;

use carom_engine::MethodKind;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, System};
use carom_output::plot::{Panel, Plot, Scale, Series, colour};

use super::Effort;
use super::engine::{Going, Stretch};
use super::measure::each_in_turn;
use super::page::{Bar, Page, Table, figures};
use super::shells::{Bending, Both, Membrane, Recipe, of};

const SHELL: Recipe = Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) };

/// Cells of the sheet along a side, two triangles each, and of the patch in its middle: 392 of 40,328 triangles.
const CELLS: usize = 142;
const PATCH: usize = 14;

const STIFFER: [f64; 6] = [1.0, 4.0, 16.0, 64.0, 256.0, 1024.0];

/// A sheet with a patch that is so many times as stiff.
fn sheet(stiffer: f64) -> Both {
    let mesh = shapes::grid_right(1.0, 1.0, [CELLS, CELLS]).expect("a sheet");
    let half = 0.5 * PATCH as f64 / CELLS as f64;
    let in_patch = patch(&mesh, half);
    of(&mesh, SHELL, |t| if in_patch[t] { stiffer } else { 1.0 }, &ClockOptions::default())
}

/// Which triangles have their middle less than `half` from the middle of the mesh along both sides.
fn patch(mesh: &Mesh, half: f64) -> Vec<bool> {
    let middle = |t: &[u32; 3]| mesh.corners(t).into_iter().sum::<Vec3>() * (1.0 / 3.0);
    let whole: Vec3 = mesh.positions.iter().copied().sum::<Vec3>() * (1.0 / mesh.positions.len() as f64);
    let inside = |p: Vec3| p.x.abs() < half && p.y.abs() < half;
    mesh.triangles.iter().map(|t| inside(middle(t) - whole)).collect()
}

/// A run and how far it goes in a round.
struct Runner {
    going: Going,
    quanta: u64,
    seconds: f64,
}

impl Runner {
    /// Goes about `share` of `seconds` in a round.
    fn new(kind: MethodKind, both: &Both, seconds: f64) -> Self {
        let system: Arc<System> = kind.system(&both.system);
        let longest = system.spans().last().map_or(1, |span| span.quanta());
        let quantum = system.line.quantum.seconds();
        let quanta = ((seconds / (quantum * longest as f64)).round().max(1.0) as u64) * longest;
        let going = Going::start(kind, &both.system, &both.state);
        Self { going, quanta, seconds: quanta as f64 * quantum }
    }

    /// CPU seconds for a simulated second, and evaluations.
    fn go(&mut self) -> [f64; 2] {
        let Stretch { evaluations, cpu } = self.going.advance(self.quanta);
        [cpu.as_secs_f64() / self.seconds, evaluations as f64 / self.seconds]
    }
}

pub fn page(effort: Effort) -> Page {
    let base = sheet(1.0);
    let step = base.system.line.quantum.step(*base.system.spans().last().expect("there are clocks"));
    // Two sides for each stiffness: clocks of their own, and one clock for all over a shorter time.
    let mut runners: Vec<Runner> = Vec::new();
    for stiffer in STIFFER {
        let both = sheet(stiffer);
        runners.push(Runner::new(MethodKind::Carom, &both, 96.0 * step));
        runners.push(Runner::new(MethodKind::Synchronous(None), &both, 96.0 * step / stiffer.sqrt()));
    }
    let drum = shapes::graded_drum(1.0).expect("a drum").mesh;
    let drum = of(&drum, SHELL, |_| 1.0, &ClockOptions::default());
    let drum_step = drum.system.line.quantum.step(*drum.system.spans().last().expect("there are clocks"));
    runners.push(Runner::new(MethodKind::Carom, &drum, 256.0 * drum_step));
    runners.push(Runner::new(MethodKind::Synchronous(None), &drum, 32.0 * drum_step));
    let mut forces = vec![0.0; runners.len()];
    for runner in &mut runners {
        runner.go();
    }
    let cost = each_in_turn(effort.rounds(), runners.len(), |i| {
        let [cost, evaluations] = runners[i].go();
        forces[i] = evaluations;
        cost
    });

    let mut table = Table::new(
        "CPU time for the same simulated time, over that without a patch; and the forces that it takes, over those without.",
        &[
            "stiffer:",
            "shorter step:",
            "ideal:",
            "time:",
            "forces:",
            "one clock, time:",
            "one clock, forces:",
        ],
    );
    let over = |i: usize, base: usize| cost[i].over(&cost[base]).median();
    let (mut ours, mut one_clock, mut ideals) = (Vec::new(), Vec::new(), Vec::new());
    for (k, stiffer) in STIFFER.into_iter().enumerate() {
        let (i, shorter) = (2 * k, stiffer.sqrt());
        let share = (2 * PATCH * PATCH) as f64 / (2 * CELLS * CELLS) as f64;
        let ideal = 1.0 + share * (shorter - 1.0);
        ours.push((shorter, over(i, 0)));
        one_clock.push((shorter, over(i + 1, 0)));
        ideals.push((shorter, ideal));
        table.row([
            figures(stiffer),
            figures(shorter),
            figures(ideal),
            figures(over(i, 0)),
            figures(forces[i] / forces[0]),
            figures(over(i + 1, 0)),
            figures(forces[i + 1] / forces[0]),
        ]);
    }
    let drum = cost.len() - 2;
    let mut graded = Table::new(
        "A graded drum: 2,166 triangles with edges 1 : 4 : 16, CPU seconds for a simulated second.",
        &["clocks of their own:", "one clock:", "ratio:"],
    );
    graded.row([
        figures(cost[drum].median()),
        figures(cost[drum + 1].median()),
        figures(cost[drum + 1].over(&cost[drum]).median()),
    ]);
    let plot = Plot {
        title: "Cost of a stiff patch of 1 % of the elements".into(),
        panels: vec![Panel {
            title: String::new(),
            x_label: "how much shorter its step is".into(),
            y_label: "time, over that without".into(),
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            series: vec![
                Series { dots: true, ..Series::new("clocks of their own", colour(0), ours.clone()) },
                Series { dots: true, ..Series::new("one clock", colour(1), one_clock) },
                Series { width: 1.0, ..Series::new("ideal", "#b8bcc6", ideals) },
            ],
            ..Panel::default()
        }],
        panel_height: 300.0,
        ..Plot::default()
    };
    Page {
        title: "A stiff patch",
        about: format!(
            "A flat sheet of {} equal triangles, neo-Hookean membranes with mid-edge bending, one core; the {} in the middle are stiffer and \
             have shorter steps of their own. Without a patch, with it, and with one clock for all are measured alternately.",
            2 * CELLS * CELLS,
            2 * PATCH * PATCH
        ),
        bars: vec![Bar::at_most(
            "1 % of the elements 1,024 times stiffer: cost over that without (ideal 1.31)",
            ours.last().map_or(f64::NAN, |p| p.1),
            1.6,
        )],
        tables: vec![table, graded],
        plots: vec![("ratio", plot)],
        ..Page::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_patch_is_one_hundredth_of_the_sheet_and_its_step_is_as_much_shorter_as_it_is_stiffer() {
        let mesh = shapes::grid_right(1.0, 1.0, [CELLS, CELLS]).unwrap();
        let inside = patch(&mesh, 0.5 * PATCH as f64 / CELLS as f64).into_iter().filter(|p| *p).count();
        assert_eq!(inside, 2 * PATCH * PATCH);
        let (plain, stiff) = (sheet(1.0), sheet(1024.0));
        let shortest = |both: &Both| both.system.line.quantum.step(both.system.spans()[0]);
        let ratio = shortest(&plain) / shortest(&stiff);
        assert!((16.0..=64.0).contains(&ratio), "{ratio}");
    }
}
