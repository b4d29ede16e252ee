//! Scenes become systems: masses, potentials, motion, and refusals that name the line.

use carom_math::Vec3;
use carom_model::{Owner, Part};
use carom_scene::{Built, InMemory, Scene, SceneError, build};

fn built_with(text: &str, files: &[(&str, &str)]) -> Result<Built, SceneError> {
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    build(&Scene::parse("scene.toml", text)?, &InMemory(files))
}

fn built(text: &str) -> Built {
    built_with(text, &[]).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn refused(text: &str) -> String {
    match built_with(text, &[]) {
        Ok(_) => panic!("this was built:\n{text}"),
        Err(error) => error.to_string(),
    }
}

const HEAD: &str = "format = 1\ntime.end = 1.0\n";

fn body(shape: &str, material: &str) -> String {
    format!("{HEAD}[[body]]\nname = \"b\"\n{shape}\n{material}\n")
}

const GRID: &str = "shape.grid = { size = [2.0, 1.0], edge = 0.25 }";
const SHELL: &str = "material.shell = { thickness = 0.01, young = 1e6, poisson = 0.3, density = 1000 }";
const ROD: &str = "material.rod = { radius = 0.01, young = 1e6, density = 1000 }";
const SOLID: &str = "material.solid = { young = 1e6, poisson = 0.3, density = 1000 }";

fn kinds(built: &Built) -> Vec<(&'static str, usize)> {
    built.system.families.iter().map(|f| (f.kind(), f.len())).collect()
}

fn mass(built: &Built) -> f64 {
    built.system.masses.iter().sum()
}

fn momentum(built: &Built) -> Vec3 {
    built.state.velocities.iter().zip(&built.system.masses).map(|(v, m)| *v * *m).sum()
}

#[test]
fn a_shell_weighs_density_times_thickness_times_area() {
    let shell = built(&body(GRID, SHELL));
    assert!((mass(&shell) / (1000.0 * 0.01 * 2.0) - 1.0).abs() < 1e-12);
    let triangles = shell.topology.triangles.len();
    assert_eq!(kinds(&shell), [("bending-midedge", triangles), ("membrane-neo-hookean", triangles)]);
}

#[test]
fn other_laws_of_a_shell_are_other_potentials() {
    let shell = built(&body(GRID, &SHELL.replace(" }", ", membrane = \"stvk\", bending = \"hinge\" }")));
    let names: Vec<_> = kinds(&shell).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(names, ["bending-hinge", "membrane-stvk"]);
    let bare = built(&body(GRID, &SHELL.replace(" }", ", bending = \"none\" }")));
    assert_eq!(kinds(&bare).len(), 1);
}

const QUADRATIC: &str = "material.shell = { thickness = 0.01, young = 1e6, poisson = 0.3, density = 1000, bending = \"quadratic\" }";

#[test]
fn quadratic_bending_is_one_potential_an_inner_edge_and_starts_at_rest_where_hinges_do() {
    let tilted = "rotation = { axis = [1, 0.3, 0], degrees = 40 }\n";
    for pattern in ["equilateral", "alternating"] {
        let grid =
            format!("shape.grid = {{ size = [2.0, 1.0], edge = 0.25, pattern = \"{pattern}\" }}\n{tilted}");
        let ours = built(&body(&grid, QUADRATIC));
        let hinges = built(&body(&grid, &QUADRATIC.replace("quadratic", "hinge")));
        assert_eq!(kinds(&ours)[0], ("bending-quadratic", kinds(&hinges)[0].1));
        let (family, other) = (&ours.system.families[0], &hinges.system.families[0]);
        for edge in 0..family.len() {
            assert_eq!((family.stencil(edge), family.owner(edge)), (other.stencil(edge), other.owner(edge)));
            let x: Vec<Vec3> =
                family.stencil(edge).iter().map(|&v| ours.state.positions[v as usize]).collect();
            assert!(family.energy(edge, &x) < 1e-25);
        }
    }
}

#[test]
fn quadratic_bending_of_a_shape_that_is_bent_at_rest_is_refused_by_the_worst_of_its_edges() {
    let sharp = "shape.mesh = { file = \"sheet.obj\" }";
    // Three strips of a sheet: folded a little at one edge, much at the other.
    let sheet = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0.1\nv 2 0 1\nf 1 3 2\nf 3 4 2\nf 3 5 4\n";
    let error =
        built_with(&body(sharp, QUADRATIC), &[("sheet.obj", sheet)]).map(|_| ()).unwrap_err().to_string();
    assert!(error.starts_with("scene.toml:6:"), "{error}");
    assert!(error.contains("edge between vertices 2 and 3 this one is bent by 39.175°"), "{error}");
    assert!(error.ends_with("take bending = \"hinge\" or \"mid-edge\""), "{error}");
    // What single precision does to a flat sheet is no fold.
    let rounded = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 3e-5\nv 2 0 0\nf 1 3 2\nf 3 4 2\nf 3 5 4\n";
    built_with(&body(sharp, QUADRATIC), &[("sheet.obj", rounded)]).unwrap();
    assert!(
        refused(&body("shape.icosphere = { radius = 1, edge = 0.3 }", QUADRATIC)).contains("flat at rest")
    );
    built(&body("shape.icosphere = { radius = 1, edge = 0.3 }\nobstacle = true", QUADRATIC));
}

#[test]
fn quadratic_bending_with_damping_is_refused_of_a_body_and_of_its_parts() {
    let damped = refused(&body(GRID, &QUADRATIC.replace(" }", ", damping = 1e-3 }")));
    assert!(damped.starts_with("scene.toml:6:") && damped.contains("cannot be damped"), "{damped}");
    assert!(damped.contains("take bending = \"hinge\""), "{damped}");
    let part = body(GRID, QUADRATIC) + "[[part]]\nbody = \"b\"\nselect.all = true\ndamping = 1e-3\n";
    let of_part = refused(&part);
    assert!(of_part.starts_with("scene.toml:10:11:") && of_part.contains("cannot be damped"), "{of_part}");
    built(&part.replace("quadratic", "hinge"));
}

#[test]
fn a_rod_weighs_density_times_section_times_length() {
    let rod = built(&body("shape.rod = { from = [0, 0, 0], to = [0, 3, 0], segments = 10 }", ROD));
    assert!((mass(&rod) / (1000.0 * core::f64::consts::PI * 1e-4 * 3.0) - 1.0).abs() < 1e-12);
    assert_eq!(kinds(&rod), [("rod-bend", 9), ("spring", 10)]);
    let ring = built(&body("shape.ring = { radius = 1, segments = 12 }", ROD));
    assert_eq!(kinds(&ring), [("rod-bend", 12), ("spring", 12)]);
    let string = body(
        "shape.rod = { from = [0, 0, 0], to = [0, 3, 0], segments = 10 }",
        &ROD.replace(" }", ", bend = false }"),
    );
    assert_eq!(kinds(&built(&string)), [("spring", 10)]);
}

#[test]
fn a_solid_weighs_density_times_volume() {
    let solid = built(&body("shape.box = { size = [1, 2, 3], edge = 0.5 }", SOLID));
    assert!((mass(&solid) / 6000.0 - 1.0).abs() < 1e-12);
    assert_eq!(kinds(&solid), [("tet-neo-hookean", solid.topology.tets.len())]);
}

#[test]
fn every_shape_is_built_with_its_material() {
    for (shape, material) in [
        ("shape.grid = { size = [1, 1], cells = [4, 4], pattern = \"right\" }", SHELL),
        ("shape.grid = { size = [1, 1], edge = 0.3, pattern = \"alternating\" }", SHELL),
        ("shape.disc = { radius = 1, edge = 0.3 }", SHELL),
        ("shape.icosphere = { radius = 1, edge = 0.3 }", SHELL),
        ("shape.icosphere = { radius = 1, frequency = 3 }", SHELL),
        ("shape.cylinder = { radius = 1, height = 2, edge = 0.4 }", SHELL),
        ("shape.tube = { radius = 1, height = 2, edge = 0.4 }", SHELL),
        ("shape.drum = { radius = 1 }", SHELL),
        ("shape.ball = { radius = 1, edge = 0.4 }", SOLID),
        ("shape.box = { size = [1, 1, 1], cells = [2, 2, 2], split = \"six\" }", SOLID),
        ("shape.points = { positions = [[0, 0, 0], [1, 1, 1]] }", "material.points.mass = 2"),
    ] {
        let built = built(&body(shape, material));
        assert!(built.system.vertices() > 1, "{shape}");
        assert!(built.topology.cells() > 0, "{shape}");
    }
}

#[test]
fn a_turned_moved_thrown_and_spinning_body_is_where_it_should_be() {
    let text = body(GRID, SHELL)
        + "position = [1, 2, 3]\nrotation = { axis = [0, 0, 2], degrees = 90 }\nvelocity = [0, 0, 4]\nspin = [0, 0, 5]\n";
    let turned = built(&text);
    let [low, high] = [f64::min as fn(f64, f64) -> f64, f64::max].map(|pick| {
        turned
            .state
            .positions
            .iter()
            .copied()
            .reduce(|a, b| Vec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z)))
    });
    assert!((low.unwrap() - Vec3::new(0.5, 1.0, 3.0)).length() < 1e-12);
    assert!((high.unwrap() - Vec3::new(1.5, 3.0, 3.0)).length() < 1e-12);
    assert!((momentum(&turned) - Vec3::Z * 80.0).length() < 1e-10);
    let centre = Vec3::new(1.0, 2.0, 3.0);
    for (x, v) in turned.state.positions.iter().zip(&turned.state.velocities) {
        assert!((*v - (Vec3::Z * 4.0 + (Vec3::Z * 5.0).cross(*x - centre))).length() < 1e-10);
    }
}

#[test]
fn a_balanced_velocity_field_carries_no_momentum() {
    let field = "velocity_field = { bump = { amplitude = [1, 2, 3], centre = [0.5, 0.2, 0], radius = 0.8 }, balanced = true }\n";
    let balanced = built(&(body(GRID, SHELL) + field + "position = [3, 0, 0]\n"));
    let scale: f64 =
        balanced.state.velocities.iter().zip(&balanced.system.masses).map(|(v, m)| v.length() * m).sum();
    assert!(scale > 1.0);
    assert!(momentum(&balanced).length() < 1e-13 * scale);
    let terms = balanced.state.positions.iter().zip(&balanced.state.velocities).zip(&balanced.system.masses);
    let angular: Vec3 = terms.map(|((x, v), m)| x.cross(*v) * *m).sum();
    assert!(angular.length() < 1e-12 * scale);
}

#[test]
fn noise_gives_every_vertex_the_same_mean_energy_and_the_seed_decides() {
    let text = body("shape.grid = { size = [1, 1], edge = 0.04 }", SHELL)
        + "velocity_field.noise = { energy = 0.5, seed = 7 }\n";
    let noisy = built(&text);
    let energies =
        noisy.state.velocities.iter().zip(&noisy.system.masses).map(|(v, m)| 0.5 * m * v.length_sq());
    let mean = energies.sum::<f64>() / noisy.system.vertices() as f64;
    assert!((mean / 0.5 - 1.0).abs() < 0.1, "{mean}");
    assert_eq!(built(&text).state.fingerprint(), noisy.state.fingerprint());
    assert_ne!(built(&text.replace("seed = 7", "seed = 8")).state.fingerprint(), noisy.state.fingerprint());
}

#[test]
fn a_start_shape_changes_where_vertices_are_and_not_what_they_weigh() {
    let rod = "shape.rod = { from = [0, 0, 0], to = [1, 0, 0], segments = 2 }";
    let stretched = built(&(body(rod, ROD) + "start.scale = [1.5, 1, 1]\n"));
    assert_eq!(stretched.state.positions[2], Vec3::X * 1.5);
    assert_eq!(stretched.system.masses, built(&body(rod, ROD)).system.masses);
    let text = body(rod, ROD)
        + "start.displace.sine = { amplitude = [0, 0, 1], from = [0, 0, 0], to = [1, 0, 0] }\n";
    assert!((built(&text).state.positions[1] - Vec3::new(0.5, 0.0, 1.0)).length() < 1e-15);

    let text = body(rod, ROD) + "start.table.file = \"t.csv\"\n";
    let tabled =
        built_with(&text, &[("t.csv", "x,y,z,vx,vy,vz\n0,0,0,1,2,3\n.5,0,.1,0,0,0\n1,0,0,0,0,0\n")]).unwrap();
    assert_eq!(tabled.state.positions[1], Vec3::new(0.5, 0.0, 0.1));
    assert_eq!(tabled.state.velocities[0], Vec3::new(1.0, 2.0, 3.0));
    let error = built_with(&text, &[("t.csv", "0 0 0\n")]).err().unwrap().to_string();
    assert!(error.contains("t.csv has 1 vertices, the rest shape 3"), "{error}");
    let error = built_with(&text, &[("t.csv", "0 0 0\n1 x 2\n")]).err().unwrap().to_string();
    assert!(error.contains("t.csv: line 2:"), "{error}");
}

#[test]
fn selections_combine_and_find_vertices_of_the_rest_shape() {
    let pin = |select: &str| {
        let text = body(GRID, SHELL)
            + &format!("position = [9, 9, 9]\n[[pin]]\nbody = \"b\"\nselect = {{ {select} }}\n");
        built(&text).pins[0].vertices.len()
    };
    let all = pin("all = true");
    let rim = pin("boundary = true");
    assert!(rim < all);
    assert_eq!(pin("group = \"left\""), pin("box = { min = [-1, -9, -9], max = [-1, 9, 9] }"));
    assert_eq!(pin("nearest = [-1, -0.5, 0]"), 1);
    assert_eq!(pin("indices = [1, 3, 3]"), 2);
    assert!(pin("boundary = true, box = { min = [0, -9, -9], max = [9, 9, 9] }") < rim);
}

#[test]
fn a_selection_that_finds_nothing_says_where_the_body_is() {
    let pin =
        |select: &str| refused(&(body(GRID, SHELL) + &format!("[[pin]]\nbody = \"b\"\nselect.{select}\n")));
    let line = pin("box = { min = [5, 5, 5], max = [6, 6, 6] }");
    assert!(
        line.contains("no vertex of \"b\" meets `select`") && line.contains("[-1, -0.5, 0] and [1, 0.5, 0]"),
        "{line}"
    );
    assert!(pin("index = 4000").contains("there is no vertex 4000"));
    let line = pin("group = \"lefft\"");
    assert!(line.contains("no group \"lefft\"; did you mean \"left\"?"), "{line}");
}

#[test]
fn forces_act_where_they_are_told() {
    let text = body(GRID, SHELL)
        + "[gravity]\nacceleration = [0, 0, -10]\n[[load]]\nbody = \"b\"\nselect.group = \"right\"\nforce = [3, 0, 0]\nshare = \"by-mass\"\n\
           [[pin]]\nname = \"p\"\nbody = \"b\"\nselect.group = \"left\"\naxes = \"zx\"\n";
    let built = built(&text);
    for (kind, total) in [("gravity", Vec3::Z * -200.0), ("load", Vec3::X * 3.0)] {
        let family = built.system.families.iter().find(|f| f.kind() == kind).unwrap();
        let mut force = Vec3::ZERO;
        for e in 0..family.len() {
            let mut g = [Vec3::ZERO];
            family.gradient(e, &[Vec3::ZERO], &mut g);
            force -= g[0];
        }
        assert!((force - total).length() < 1e-10, "{kind}: {force:?}");
    }
    for v in &built.pins[0].vertices {
        let w = built.system.inverse_masses[*v as usize];
        assert!(w.x == 0.0 && w.z == 0.0 && w.y > 0.0);
    }
}

#[test]
fn springs_join_vertices_selections_and_edges() {
    let net = body(GRID, "material.points.mass = 0.1") + "[[spring]]\nedges = \"b\"\nstiffness = 10\n";
    let net = built(&net);
    let springs = net.system.families[0].len();
    assert_eq!(kinds(&net), [("spring", springs)]);
    let energy: f64 = (0..springs)
        .map(|e| {
            let x: Vec<Vec3> =
                net.system.families[0].stencil(e).iter().map(|v| net.state.positions[*v as usize]).collect();
            net.system.families[0].energy(e, &x)
        })
        .sum();
    assert!(energy < 1e-20, "springs start at rest");
    assert_eq!(net.topology.edges.len(), springs);

    let two = body("shape.points = { positions = [[0, 0, 0], [0, 1, 0]] }", "material.points.mass = 1")
        + "[[body]]\nname = \"c\"\nshape.points = { positions = [[1, 0, 0]] }\nmaterial.points.mass = 1\n\
           [[spring]]\nfrom = { body = \"b\", select.all = true }\nto = { body = \"c\", select.all = true }\nstiffness = 1\n";
    assert_eq!(kinds(&built(&two)), [("spring", 2)]);
}

#[test]
fn pairs_meet_once() {
    let gas = "shape.points = { positions = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]] }";
    let text =
        body(gas, "material.points.mass = 1") + "[[pair]]\nlennard-jones = { depth = 1, diameter = 1 }\n";
    assert_eq!(kinds(&built(&text)), [("pair-lennard-jones", 6)]);
    let text = body(gas, "material.points.mass = 1")
        + "[[pair]]\nbodies = [\"b\"]\ninverse-distance.gravitation = 1\n";
    assert_eq!(kinds(&built(&text)), [("pair-inverse-distance", 6)]);
}

#[test]
fn probes_are_resolved_to_vertices() {
    let text = body(GRID, SHELL)
        + "[[pin]]\nname = \"p\"\nbody = \"b\"\nselect.group = \"left\"\n\
           [[probe]]\nname = \"v\"\nvertex = \"b:3\"\n[[probe]]\nname = \"s\"\nbody = \"b\"\nselect.group = \"top\"\n\
           [[probe]]\nname = \"b\"\nbody = \"b\"\n[[probe]]\nname = \"r\"\npin = \"p\"\n";
    let built = built(&text);
    let kinds: Vec<_> = built.probes.iter().map(|probe| probe.kind.name).collect();
    assert_eq!(kinds, ["motion", "motion", "body", "reaction"]);
    assert_eq!(format!("{:?}", built.probes[0].target), "Motion([3])");
    assert_eq!(format!("{:?}", built.probes[3].target), format!("Reaction({:?})", built.pins[0]));
    assert!(
        refused(&(body(GRID, SHELL) + "[[probe]]\nname = \"v\"\nvertex = \"b:900\"\n"))
            .contains("there is no vertex 900")
    );
}

#[test]
fn potentials_know_their_cells() {
    let text = body(GRID, SHELL)
        + "[[body]]\nname = \"c\"\nshape.box = { size = [1, 1, 1], cells = [1, 1, 1] }\n"
        + SOLID
        + "\n[[body]]\nname = \"d\"\nshape.rod = { from = [0, 0, 5], to = [1, 0, 5], segments = 3 }\n"
        + ROD;
    let built = built(&text);
    let cell = |body, part| built.cell_of(Owner { body, part });
    let triangles = built.topology.triangles.len();
    assert_eq!(cell(2, Part::Edge(1)), None);
    assert_eq!(cell(0, Part::Face(4)), Some(3 + 4));
    assert_eq!(cell(1, Part::Cell(2)), Some(3 + triangles + 2));
    assert_eq!(built.topology.vertex_body.len(), built.system.vertices());
}

#[test]
fn what_cannot_be_built_is_refused_at_its_line() {
    let line = refused(&body(GRID, SOLID));
    assert!(line.starts_with("scene.toml:6:1: a solid cannot be made of this shape"), "{line}");
    let line = refused(&body("shape.grid = { size = [1, 1], edge = 1e-9 }", SHELL));
    assert!(
        line.starts_with("scene.toml:5:38: edge is 1e-9; it must be such that there are at most"),
        "{line}"
    );
    let line = refused(&body("shape.rod = { from = [0, 0, 0], to = [0, 0, 0], segments = 4 }", ROD));
    assert!(line.starts_with("scene.toml:5:38: the distance between its ends is 0"), "{line}");
    let line = refused(&body("shape.mesh.file = \"lost.obj\"", SHELL));
    assert!(line.starts_with("scene.toml:5:19: cannot read \"lost.obj\""), "{line}");
    let line = refused(&body(GRID, &SHELL.replace("1000", "1e-320")));
    assert!(line.starts_with("scene.toml:6:1:") && line.contains("mass"), "{line}");
    let line = refused(&body(
        "shape.points = { positions = [[0, 0, 0], [0, 0, 0]] }",
        "material.points.mass = 1\n[[pair]]\nlennard-jones = { depth = 1, diameter = 1 }",
    ));
    assert!(line.contains("cannot start: the pair-lennard-jones between two vertices"), "{line}");
    let line = refused(
        &(body("shape.box = { size = [1, 1, 1], edge = 0.5 }", SOLID) + "start.scale = [-1, 1, 1]\n"),
    );
    assert!(
        line.starts_with("scene.toml:7:1: \"b\" cannot start: the tet-neo-hookean of tetrahedron 0"),
        "{line}"
    );
    let line = refused(&body(GRID, SHELL).replace("time.end = 1.0", "time.end = 1e-30"));
    assert!(line.contains("the run ends before its first tick"), "{line}");
    let line = refused(&body(GRID, SHELL).replace("time.end = 1.0", "time.end = 1e30"));
    assert!(line.starts_with("scene.toml:2:12:") && line.contains("past the last tick"), "{line}");
}

#[test]
fn given_steps_are_taken_and_can_be_refused_with_the_bound() {
    let given = built(&(body(GRID, SHELL) + "step = 1e-5\n"));
    let quantum = given.system.line.quantum;
    assert!(given.system.spans().iter().all(|s| quantum.step(*s) == 1e-5));
    assert!(!given.given_steps.is_empty() && !given.given_steps.forced);
    let line = given.given_steps.refuse(2.0).to_string();
    assert!(
        line.starts_with(
            "scene.toml:7:8: a step of 1e-5 s is unstable here: the longest stable one is 5.000e-6 s"
        ),
        "{line}"
    );
    assert!(built(&body(GRID, SHELL)).given_steps.is_empty());
}

#[test]
fn questionable_scenes_are_built_with_a_warning() {
    let alternating = "shape.grid = { size = [1, 1], edge = 0.3, pattern = \"alternating\" }";
    let warnings: Vec<String> = built(&body(alternating, SHELL)).warnings.lines().collect();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("mid-edge bending is wrong where diagonals alternate"), "{warnings:?}");
    let hasty = body(GRID, SHELL).replace("time.end = 1.0", "time.end = 1e-6");
    assert!(built(&hasty).warnings.lines().next().unwrap().contains("before the slowest clock"));
    assert!(built(&body(GRID, SHELL)).warnings.is_empty());
}

#[test]
fn hinges_and_joints_that_share_no_clock_with_any_element_say_so() {
    let per_element =
        |text: String| text.replace("time.end = 1.0", "time.end = 1.0\nclocks.per = \"element\"");
    let hinges = body(GRID, &SHELL.replace(" }", ", bending = \"hinge\" }"));
    let quadratic = hinges.replace("\"hinge\"", "\"quadratic\"");
    let joints = body("shape.rod = { from = [0, 0, 0], to = [1, 0, 0], segments = 4 }", ROD);
    let shell = "hinges of a shell";
    for (text, words) in [(&hinges, shell), (&quadratic, shell), (&joints, "joints of a rod")] {
        let warnings: Vec<String> = built(&per_element(text.clone())).warnings.lines().collect();
        assert!(warnings.len() == 1 && warnings[0].contains(words), "{warnings:?}");
        assert!(built(text).warnings.is_empty());
    }
    assert!(built(&per_element(body(GRID, SHELL))).warnings.is_empty());
}

#[test]
fn a_step_for_dcr_is_any_whole_number_of_quanta_and_fits_into_the_run() {
    let text = body(GRID, SHELL) + "[clocks]\nstep = 1e-4\n[dcr]\nstep = 3e-4\n";
    let scene = built(&text);
    let steps = scene.system.schedules[0].rungs[0].span;
    assert_eq!(scene.dcr_step.map(carom_time::Span::quanta), Some(3 * steps.quanta()));
    assert_eq!(built(&body(GRID, SHELL)).dcr_step, None);
    let long = refused(&text.replace("3e-4", "2.0"));
    assert!(long.starts_with("scene.toml:10:8:") && long.contains("ends before its first step"), "{long}");
    let short = refused(&text.replace("3e-4", "1e-40"));
    assert!(short.starts_with("scene.toml:10:8:") && short.contains("quantum"), "{short}");
}

#[test]
fn a_selection_by_name_is_used_by_pins_loads_and_probes_and_may_be_narrowed() {
    let text = format!(
        "{}[[selection]]\nname = \"rim\"\nbody = \"b\"\nselect.boundary = true\n\
         [[pin]]\nbody = \"b\"\nselect.named = \"rim\"\n\
         [[pin]]\nbody = \"b\"\nselect = {{ named = \"rim\", nearest = [9, 9, 0] }}\n\
         [[probe]]\nname = \"corner\"\nbody = \"b\"\nselect = {{ named = \"rim\", nearest = [9, 9, 0] }}\n",
        body(GRID, SHELL)
    );
    let scene = built(&text);
    let rim = carom_geometry::Topology::new(&scene.topology.triangles).unwrap().boundary_vertices;
    assert_eq!(scene.pins[0].vertices, rim);
    let corner = &scene.pins[1].vertices;
    assert_eq!(format!("{:?}", scene.probes[0].target), format!("Motion({corner:?})"));
    let x = scene.state.positions[corner[0] as usize];
    assert!(corner.len() == 1 && (x - Vec3::new(1.0, 0.5, 0.0)).length() < 1e-12, "{x:?}");

    let other = text.replace("select.named = \"rim\"", "select.named = \"rin\"");
    assert!(
        refused(&other).contains("no selection called \"rin\"; did you mean \"rim\"?"),
        "{}",
        refused(&other)
    );
    let nested = text.replace("select.boundary = true", "select.named = \"rim\"");
    assert!(refused(&nested).contains("does not name another"), "{}", refused(&nested));
}

/// The sum of all forces from outside at a time, and at how many vertices something pulls.
fn pulled(scene: &Built, time_s: f64) -> (Vec3, usize) {
    let mut at = vec![Vec3::ZERO; scene.state.len()];
    for family in scene.system.families.iter().filter(|f| !f.properties().is_internal) {
        for e in 0..family.len() {
            let stencil = family.stencil(e);
            let x: Vec<Vec3> = stencil.iter().map(|v| scene.state.positions[*v as usize]).collect();
            let mut g = vec![Vec3::ZERO; x.len()];
            family.gradient_at(e, time_s, &x, &mut g);
            stencil.iter().zip(&g).for_each(|(v, g)| at[*v as usize] -= *g);
        }
    }
    (at.iter().copied().sum(), at.iter().filter(|f| !f.is_zero()).count())
}

#[test]
fn loads_put_in_what_they_say() {
    let load = |keys: &str| {
        built(&format!("{}[[load]]\nbody = \"b\"\nselect.all = true\n{keys}\n", body(GRID, SHELL)))
    };
    // 2 m² of a shell of 10 kg/m², its normals along z.
    let total = |keys: &str, time_s| pulled(&load(keys), time_s).0;
    let near = |a: Vec3, b: Vec3| assert!((a - b).length() < 1e-9, "{a:?} {b:?}");
    near(total("force = [0, 0, 6]\nshare = \"by-area\"", 0.0), Vec3::Z * 6.0);
    near(total("acceleration = [0.5, 0, 0]", 0.0), Vec3::X * 10.0);
    near(total("pressure = 3", 0.0), Vec3::Z * 6.0);
    near(total("normal_force = -7", 0.0), Vec3::Z * -7.0);
    let ramp = "force = [0, 8, 0]\nprofile = [[0, 0], [2, 1]]";
    near(total(ramp, 0.5), Vec3::Y * 2.0);
    let vertices = built(&body(GRID, SHELL)).state.len();
    assert!(kinds(&load(ramp)).contains(&("driven", vertices)));
    assert!(kinds(&load("acceleration = [0, 0, 1]")).iter().all(|(kind, _)| *kind != "driven"));
}

#[test]
fn a_load_that_is_none_or_two_or_has_no_faces_or_runs_backward_is_refused() {
    let with = |keys: &str| refused(&format!("{}[[load]]\nbody = \"b\"\n{keys}\n", body(GRID, SHELL)));
    let all = "select.all = true\n";
    assert!(with(all).contains("a load needs exactly one of `force`"), "{}", with(all));
    let two = format!("{all}force = [0, 0, 1]\npressure = 1");
    assert!(with(&two).contains("it has force and pressure"), "{}", with(&two));
    let bare = "select.index = 0\npressure = 1";
    assert!(with(bare).contains("no face of \"b\" has all its corners"), "{}", with(bare));
    let back = format!("{all}force = [0, 0, 1]\nprofile = [[1, 0], [0, 1]]");
    assert!(with(&back).contains("times that rise"), "{}", with(&back));
}
