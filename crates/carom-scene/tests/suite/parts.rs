//! Parts of bodies that are made of something else.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_model::Family;
use carom_scene::{Built, InMemory, Scene, SceneError, build};

fn built(text: &str) -> Result<Built, SceneError> {
    build(&Scene::parse("scene.toml", text)?, &InMemory(BTreeMap::default()))
}

fn good(text: &str) -> Built {
    built(text).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn refused(text: &str) -> String {
    built(text).err().unwrap_or_else(|| panic!("this was built:\n{text}")).to_string()
}

fn body(rest: &str) -> String {
    format!("format = 1\ntime.end = 1e-3\n[[body]]\nname = \"it\"\n{rest}\n")
}

/// The energies of all elements of a kind at the start, in J.
fn energies_j(built: &Built, kind: &str) -> Vec<f64> {
    let of = |f: &Arc<dyn Family>| -> Vec<f64> {
        let at =
            |e: usize| f.stencil(e).iter().map(|v| built.state.positions[*v as usize]).collect::<Vec<_>>();
        (0..f.len()).map(|e| f.energy(e, &at(e))).collect()
    };
    built.system.families.iter().filter(|f| f.kind() == kind).flat_map(of).collect()
}

/// Masses, steps, damping and energies: all that a material makes of a body.
fn everything(built: &Built) -> (Vec<u64>, Vec<u64>) {
    let kinds = built.system.families.iter().map(|f| f.kind());
    let energies = kinds.flat_map(|kind| energies_j(built, kind)).map(f64::to_bits);
    let spans = built.system.schedules.iter().flat_map(|s| s.spans.iter().map(|span| span.quanta()));
    let masses = built.system.masses.iter().map(|m| m.to_bits());
    (masses.chain(energies).collect(), spans.collect())
}

const SHEET: &str = "shape.grid = { size = [0.3, 0.2], edge = 0.05 }
start.displace.bump = { amplitude = [0.01, 0.0, 0.03], radius = 0.2 }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000.0, damping = 1e-4 }";

const BAR: &str = "shape.box = { size = [0.4, 0.1, 0.1], edge = 0.1 }
start.scale = [1.1, 0.9, 1.0]
material.solid = { young = 1e7, poisson = 0.3, density = 1000.0 }";

const ROD: &str = "shape.rod = { from = [0.0, 0.0, 0.0], to = [1.0, 0.0, 0.0], segments = 8 }
start.displace.sine = { amplitude = [0.0, 0.1, 0.0], from = [0.0, 0.0, 0.0], to = [1.0, 0.0, 0.0] }
material.rod = { radius = 0.01, young = 1e7, density = 1000.0 }";

#[test]
fn a_part_that_is_all_of_a_body_is_the_same_as_a_body_of_that_material() {
    let hinges = SHEET.replace("young", "bending = \"hinge\", young");
    let twisted = ROD.replace("young", "twist = true, poisson = 0.2, young");
    for text in [SHEET, &hinges, BAR, ROD, &twisted] {
        let other =
            text.replace("young = 1e7", "young = 3e8").replace("density = 1000.0", "density = 3000.0");
        let part = "[[part]]\nbody = \"it\"\nselect.all = true\nyoung = 3e8\ndensity = 3000.0\n";
        let (patched, made) = (good(&format!("{}{part}", body(text))), good(&body(&other)));
        assert_eq!(everything(&patched), everything(&made), "{text}");
        assert_ne!(everything(&patched), everything(&good(&body(text))), "{text}");
    }
}

#[test]
fn only_elements_with_all_their_vertices_in_a_part_are_of_its_material() {
    let part = "[[part]]\nbody = \"it\"\nselect.box = { min = [-9.0, -9.0, -9.0], max = [0.0, 9.0, 9.0] }\nyoung = 4e7\n";
    let (plain, patched) = (good(&body(BAR)), good(&format!("{}{part}", body(BAR))));
    let ratios: Vec<f64> = energies_j(&patched, "tet-neo-hookean")
        .iter()
        .zip(energies_j(&plain, "tet-neo-hookean"))
        .map(|(patched, plain)| patched / plain)
        .collect();
    let stiff = ratios.iter().filter(|r| (**r - 4.0).abs() < 1e-12).count();
    let soft = ratios.iter().filter(|r| (**r - 1.0).abs() < 1e-12).count();
    assert_eq!((stiff, soft), (ratios.len() / 2, ratios.len() / 2));
    assert_eq!(plain.system.masses, patched.system.masses);
}

#[test]
fn a_joint_between_two_parts_of_a_rod_is_as_stiff_as_both_in_series() {
    let part = "[[part]]\nbody = \"it\"\nselect.box = { min = [0.5, -1.0, -1.0], max = [1.0, 1.0, 1.0] }\nyoung = 4e7\n";
    for (text, kind) in [
        (ROD.to_owned(), "rod-bend"),
        (ROD.replace("young", "twist = true, poisson = 0.2, young"), "rod-joint"),
    ] {
        let (plain, patched) = (good(&body(&text)), good(&format!("{}{part}", body(&text))));
        let ratios: Vec<f64> =
            energies_j(&patched, kind).iter().zip(energies_j(&plain, kind)).map(|(a, b)| a / b).collect();
        // Two halves under one moment: 2/(1 + 1/4).
        for (ratio, expected) in ratios.iter().zip([1.0, 1.0, 1.0, 1.6, 4.0, 4.0, 4.0]) {
            assert!((ratio - expected).abs() < 1e-9, "{kind}: {ratios:?}");
        }
        assert_eq!(ratios.len(), 7);
    }
}

#[test]
fn a_hinge_between_two_parts_of_a_sheet_is_as_stiff_as_both_in_series() {
    let text = "shape.grid = { size = [0.4, 0.1], cells = [4, 1], pattern = \"right\" }
start.displace.sine = { amplitude = [0.0, 0.0, 0.05], from = [-0.2, 0.0, 0.0], to = [0.2, 0.0, 0.0] }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000.0, bending = \"hinge\" }";
    let part = "[[part]]\nbody = \"it\"\nselect.box = { min = [0.0, -1.0, -1.0], max = [1.0, 1.0, 1.0] }\nthickness = 2e-3\n";
    let (plain, patched) = (good(&body(text)), good(&format!("{}{part}", body(text))));
    let mut ratios: Vec<f64> = energies_j(&patched, "bending-hinge")
        .iter()
        .zip(energies_j(&plain, "bending-hinge"))
        .filter(|(_, plain)| *plain > 1e-12)
        .map(|(patched, plain)| patched / plain)
        .collect();
    ratios.sort_by(f64::total_cmp);
    // Twice as thick is eight times as stiff: 2/(1 + 1/8) between.
    let expected = 2.0 / (1.0 + 1.0 / 8.0);
    assert!((ratios[0] - 1.0).abs() < 1e-12 && (ratios[ratios.len() - 1] - 8.0).abs() < 1e-9, "{ratios:?}");
    assert_eq!(ratios.iter().filter(|r| (**r - expected).abs() < 1e-9).count(), 1, "{ratios:?}");
}

#[test]
fn a_later_part_counts_where_two_overlap_and_keeps_what_it_does_not_give() {
    let parts = "[[part]]\nbody = \"it\"\nselect.all = true\nyoung = 5e7\ndensity = 2000.0\n[[part]]\nbody = \"it\"\nselect.all = true\nyoung = 2e7\n";
    let other = BAR.replace("young = 1e7", "young = 2e7").replace("density = 1000.0", "density = 2000.0");
    assert_eq!(everything(&good(&format!("{}{parts}", body(BAR)))), everything(&good(&body(&other))));
}

#[test]
fn a_resolved_scene_keeps_its_parts() {
    let text = format!("{}[[part]]\nbody = \"it\"\nselect.all = true\nyoung = 5e7\n", body(BAR));
    let scene = Scene::parse("scene.toml", &text).unwrap();
    let resolved = scene.resolved_toml(&good(&text));
    assert_eq!(everything(&good(&resolved)), everything(&good(&text)));
}

#[test]
fn what_cannot_be_a_part_is_refused_with_a_remedy() {
    let part = |keys: &str| format!("{}[[part]]\nbody = \"it\"\n{keys}\n", body(BAR));
    let error = refused(&part("select.index = 0\nyoung = 1e8"));
    assert!(error.contains("no element of \"it\" has all its vertices among the 1 selected"), "{error}");
    let error = refused(&part("select.all = true\nthickness = 1e-3"));
    assert!(error.contains("\"it\" is a solid, which has no `thickness`; it has `young`"), "{error}");
    let error = refused(&part("select.all = true"));
    assert!(error.contains("says nothing"), "{error}");
    let error = refused(&part("select.all = true\nyoung = 1e8").replace("body = \"it\"", "body = \"if\""));
    assert!(error.contains("there is no body called \"if\""), "{error}");
    let rod = format!("{}[[part]]\nbody = \"it\"\nselect.all = true\npoisson = 0.2\n", body(ROD));
    let error = refused(&rod);
    assert!(error.contains("a rod that does not twist, which has no `poisson`"), "{error}");
    let points = body("shape.points = { positions = [[0, 0, 0]] }\nmaterial.points = { mass = 1.0 }");
    let error = refused(&format!("{points}[[part]]\nbody = \"it\"\nselect.all = true\ndensity = 1.0\n"));
    assert!(error.contains("points, which have no elements"), "{error}");
}

#[test]
fn a_thicker_part_of_a_rod_in_contact_is_warned_about() {
    let text = format!(
        "{}[contact]\nthickness = 1e-3\n[[part]]\nbody = \"it\"\nselect.all = true\nradius = 0.02\n",
        body(ROD)
    );
    let warnings: Vec<String> = good(&text).warnings.lines().collect();
    assert!(warnings.iter().any(|line| line.contains("keeps one radius")), "{warnings:?}");
}
