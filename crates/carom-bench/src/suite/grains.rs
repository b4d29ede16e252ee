//! A gas of 97,336 hard grains beside LAMMPS, from the same start.
//!
//! Both push by the linear spring of LAMMPS's `hooke`, of the same stiffness: here as the first layer of `acm`, whose thickness is
//! so large that nothing reaches the second. So both have the same overlaps, and what differs is how the time is spent.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use carom_engine::{MethodKind, Reading};
use carom_model::{PairKind, System};
use carom_scene::{Scene, build};

use super::Effort;
use super::engine::Going;
use super::page::{Bar, Page, Table, figures};
use super::peers::{Peers, number};
use super::program::RUNS;

/// A spring, and what ours needs beside.
struct Spring {
    /// Stiffness, in N/m.
    stiffness: f64,
    /// Thickness of the layer, in m: the second begins 0.16 of it deeper.
    thickness: f64,
    /// Step of ours, in s: the energy error must not be larger than that of LAMMPS with a fiftieth of the contact time.
    step_s: f64,
    /// Simulated time, in units of the gas.
    end: f64,
}

const SPRINGS: [Spring; 2] = [
    Spring { stiffness: 1e4, thickness: 0.4, step_s: 4e-4, end: 0.4 },
    Spring { stiffness: 1e6, thickness: 0.05, step_s: 6e-5, end: 0.2 },
];

/// Number of frames at which overlaps are measured, as in the script of LAMMPS.
const FRAMES: u64 = 50;

/// Radius of the spheres as LAMMPS has them, in m.
const RADIUS: f64 = 0.5;

/// Results of a run.
struct Measured {
    /// CPU seconds for a unit of time.
    cost: f64,
    /// Total energy at the end against the start.
    energy: f64,
    /// Largest overlap, in fractions of a diameter.
    overlap: f64,
}

pub fn page(effort: Effort) -> Page {
    let count = if effort == Effort::Quick { 1000 } else { 97_336 };
    let mut page = Page {
        title: "Grains beside LAMMPS",
        about: format!(
            "{count} elastic spheres in a box, 0.3 of its volume, from the same positions and velocities; CPU seconds of the integration on one core, in turn. LAMMPS `granular` with a \
             linear spring and dt = contact time / 50. Ours is the same spring. The largest overlap of two spheres is that of 51 frames, and the energy error that of the end."
        ),
        ..Page::default()
    };
    let peers = match Peers::here() {
        Ok(peers) => peers,
        Err(why) => {
            page.skipped.push(why);
            return page;
        }
    };
    let mut table = Table::new(
        "",
        &[
            "spring N/m:",
            "program",
            "units of time for a CPU s:",
            "energy error:",
            "largest overlap, % of a diameter:",
        ],
    );
    for spring in &SPRINGS {
        match beside(spring, count, &peers) {
            Ok([ours, lammps]) => {
                for (name, m) in [("**Carom**", &ours), ("LAMMPS", &lammps)] {
                    let cells = [figures(1.0 / m.cost), figures(m.energy), figures(100.0 * m.overlap)];
                    let [a, b, c] = cells;
                    table.row([format!("{:e}", spring.stiffness), name.into(), a, b, c]);
                }
                let k = format!("{:e} N/m", spring.stiffness);
                page.bars.push(Bar::at_least(
                    format!("{k}: simulated time per CPU second over that of LAMMPS"),
                    lammps.cost / ours.cost,
                    1.0,
                ));
                page.bars.push(Bar::at_most(
                    format!("{k}: energy error over that of LAMMPS"),
                    (ours.energy / lammps.energy).abs(),
                    1.0,
                ));
                page.bars.push(Bar::at_most(
                    format!("{k}: largest overlap over that of LAMMPS"),
                    ours.overlap / lammps.overlap,
                    1.0,
                ));
            }
            Err(why) => page.skipped.push(why),
        }
    }
    page.tables.push(table);
    page
}

/// Ours and LAMMPS, one after the other.
fn beside(spring: &Spring, count: usize, peers: &Peers) -> Result<[Measured; 2], String> {
    let scene = write_scene(spring, count, peers)?;
    let ours = ours(&scene, spring)?;
    let [n, end, k] = [count as f64, spring.end, spring.stiffness].map(|x| x.to_string());
    let said = peers.run("lammps_grains.py", &[&n, &end, &k, "50"])?;
    let lammps = Measured {
        cost: number(&said, "cpu_s") / number(&said, "T"),
        energy: number(&said, "E_tot_drift_pct") / 100.0,
        overlap: number(&said, "max_overlap_pct_diam").max(number(&said, "max_wall_overlap_pct_diam"))
            / 100.0,
    };
    Ok([ours, lammps])
}

fn ours(scene: &Path, spring: &Spring) -> Result<Measured, String> {
    let loaded = Scene::load(&scene.to_string_lossy(), &[]).map_err(|e| e.to_string())?;
    let built = build(&loaded.scene, &*loaded.files).map_err(|e| e.to_string())?;
    let system = Arc::new(built.system);
    let mut going = Going::start(MethodKind::Carom, &system, &built.state);
    let measure = |going: &Going| {
        let reading = going.simulation().reading();
        (largest_overlap(&system, &reading), reading.total_j())
    };
    let (mut overlap, before) = measure(&going);
    let (mut energy, mut cpu) = (before, Duration::ZERO);
    for _ in 0..FRAMES {
        cpu += going.try_advance(built.schedule.end.0 / FRAMES).map_err(|fault| fault.to_string())?.cpu;
        let (deepest, total) = measure(&going);
        overlap = overlap.max(deepest);
        energy = total;
    }
    Ok(Measured { cost: cpu.as_secs_f64() / spring.end, energy: energy / before - 1.0, overlap })
}

/// By how much the two deepest grains overlap, in parts of a diameter.
fn largest_overlap(system: &System, reading: &Reading) -> f64 {
    let Some(contact) = &system.contact else { return 0.0 };
    let place = |primitive: u32| reading.positions[contact.vertices[primitive as usize].vertex as usize];
    let grains =
        reading.contacts.iter().map(|contact| contact.id).filter(|pair| pair.kind == PairKind::VertexVertex);
    let overlaps = grains.map(|pair| 1.0 - (place(pair.a) - place(pair.b)).length() / (2.0 * RADIUS));
    overlaps.fold(0.0, f64::max)
}

/// The scene of a spring, with the start state that the script of LAMMPS makes.
///
/// Two grains push from a distance of 1 m between centres on, and the walls stand so much farther out that a grain feels them where
/// LAMMPS's does.
fn write_scene(spring: &Spring, count: usize, peers: &Peers) -> Result<PathBuf, String> {
    let said = peers.python(&format!(
        "from common import grains\nX,V,L,r=grains({count})\nprint(repr(float(L)))\nfor x,v in zip(X,V): print(*(repr(float(q)) for q in (*x,*v)))"
    ))?;
    let mut lines = said.lines();
    let side: f64 = lines.next().and_then(|l| l.parse().ok()).ok_or("the start state has no box")?;
    let Spring { stiffness, thickness, step_s, end } = spring;
    let core = RADIUS - 0.5 * thickness;
    let mut table = String::new();
    for line in lines {
        let (x, v) = line
            .match_indices(' ')
            .nth(2)
            .map(|(at, _)| line.split_at(at))
            .ok_or("a grain needs six numbers")?;
        let _ = writeln!(table, "{x} {core}{v}");
    }
    let density = 1.0 / (4.0 / 3.0 * core::f64::consts::PI * core * core * core);
    let room = side + thickness;
    let text = format!(
        "format = 1\ntitle = \"Grains\"\n[time]\nend = {end}\n[clocks]\nkind = \"exact\"\n[contact]\nthickness = {thickness}\nlayers = \"acm\"\nstiffness = {stiffness}\n\
         step = {step_s}\nmax_layers = 2\n[[body]]\nname = \"grains\"\nshape.grains = {{ table = {{ file = \"grains.txt\" }} }}\nmaterial.grains = {{ density = {density} }}\n\
         [[body]]\nname = \"box\"\nobstacle = true\nshape.room = {{ size = [{room}, {room}, {room}] }}\n"
    );
    let folder = Path::new(RUNS).join(format!("grains-{stiffness:e}"));
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(&folder).map_err(say)?;
    std::fs::write(folder.join("grains.txt"), table).map_err(say)?;
    let scene = folder.join("grains.toml");
    std::fs::write(&scene, text).map_err(say)?;
    Ok(scene)
}
