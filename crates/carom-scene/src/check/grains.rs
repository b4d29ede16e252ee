//! Grains and periodic boxes: keys that need each other, and bodies that cannot be in one.

use crate::at::At;
use crate::format::{Body, Method, SceneFile};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    for body in &file.bodies {
        check_material(body, problems);
    }
    check_periodic(file, problems);
    check_method(file, problems);
}

/// Grains are spheres in shape and in material, or stand as obstacles.
fn check_material(body: &At<Body>, problems: &mut Vec<Problem>) {
    let is_grains = body.shape.kind().is_grains();
    let Some(material) = &body.material else { return };
    match (material.kind().is_grains(), is_grains) {
        (true, false) => {
            let problem = Problem::new(&material.span(), "grains need radii, and this shape has none");
            problems.push(problem.and(&body.shape.span(), "this shape").help("take `shape.grains`"));
        }
        (false, true) => {
            let problem = Problem::new(&material.span(), "grains are made of `material.grains`");
            problems.push(
                problem
                    .and(&body.shape.span(), "these grains")
                    .help("give a density: `material.grains = { density = 2500.0 }`"),
            );
        }
        _ => {}
    }
}

/// Only grains are implemented with periodic images; other bodies are refused.
fn check_periodic(file: &SceneFile, problems: &mut Vec<Problem>) {
    let Some(period) = file.contact.as_ref().and_then(|contact| contact.period.as_ref()) else { return };
    if period.iter().all(|length| length.get() == 0.0) {
        let problem = Problem::new(&period.span(), "a periodic box without any length");
        problems.push(problem.help("give a length along at least one axis, or leave `period` out"));
    }
    for body in file.bodies.iter().filter(|body| !body.shape.kind().is_grains()) {
        let message =
            format!("\"{}\" cannot be in a periodic box: only grains know of their images there", body.name);
        problems.push(
            Problem::new(&body.shape.span(), message)
                .and(&period.span(), "the box")
                .help("leave out `contact.period`, and put walls around: `shape.room`"),
        );
    }
    for pair in &file.pairs {
        let problem =
            Problem::new(&pair.span(), "a potential between all pairs does not know of a periodic box");
        problems.push(problem.and(&period.span(), "the box").help("leave out one of the two"));
    }
}

/// The method for comparison knows neither images nor soft grains.
fn check_method(file: &SceneFile, problems: &mut Vec<Problem>) {
    if file.method != Method::Dcr {
        return;
    }
    if let Some(period) = file.contact.as_ref().and_then(|contact| contact.period.as_ref()) {
        let problem = Problem::new(&period.span(), "`dcr` does not know of a periodic box");
        problems.push(problem.help("take another method"));
    }
    for body in &file.bodies {
        if body.material.as_ref().is_some_and(|material| material.kind().hertz().is_some()) {
            let problem = Problem::new(&body.name.span(), "`dcr` does not know of soft grains");
            problems.push(problem.help("take another method, or leave out `hertz`"));
        }
    }
}
