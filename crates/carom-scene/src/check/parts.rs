//! Parts of bodies: keys that their material has.

use super::forces::check_selection;
use super::{body_names, check_reference};
use crate::at::Span;
use crate::format::{Body, Part, SceneFile};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    let bodies = body_names(file);
    for part in &file.parts {
        check_reference("body", &part.body, &bodies, problems);
        check_selection(&part.select, problems);
        if let Some(body) = file.bodies.iter().find(|body| *body.name == *part.body) {
            problems.extend(not_of_elements(part, body));
            check_keys(part, body, problems);
        }
        if keys(part).iter().all(|(_, place)| place.is_none()) {
            let problem =
                Problem::new(&part.span(), "a part is made of something else, and this says nothing");
            problems
                .push(problem.help("give `young`, `density`, `thickness` or another number of its material"));
        }
    }
}

/// Every number a part can have, and where it was written.
fn keys(part: &Part) -> [(&'static str, Option<Span>); 6] {
    let Part { body: _, select: _, thickness, radius, young, poisson, density, damping } = part;
    let place = |number: &Option<crate::Positive>| number.as_ref().map(crate::Positive::span);
    [
        ("thickness", place(thickness)),
        ("radius", place(radius)),
        ("young", place(young)),
        ("poisson", poisson.as_ref().map(crate::Poisson::span)),
        ("density", place(density)),
        ("damping", place(damping)),
    ]
}

/// The problem with a part of something that is not made of elements.
fn not_of_elements(part: &Part, body: &Body) -> Option<Problem> {
    let why = match &body.material {
        _ if body.obstacle => "an obstacle, and what that is made of counts nowhere",
        Some(material) if material.kind().is_points() => "points, which have no elements between them",
        _ => return None,
    };
    let problem = Problem::new(&part.body.span(), format!("\"{}\" is {why}", body.name));
    Some(problem.help("parts are for shells, rods and solids; make another body of the others"))
}

/// Numbers that the material of the body does not have.
fn check_keys(part: &Part, body: &Body, problems: &mut Vec<Problem>) {
    let Some(material) = &body.material else { return };
    let Some(elements) = material.kind().elements() else { return };
    let (what, has) = (elements.body_of_parts, elements.part_keys);
    for (key, place) in keys(part) {
        if let Some(place) = place.filter(|_| !has.contains(&key)) {
            let problem = Problem::new(&place, format!("\"{}\" is {what}, which has no `{key}`", body.name));
            let problem = problem.and(&material.span(), "its material");
            problems.push(problem.help(format!("it has `{}`", has.join("`, `"))));
        }
    }
}
