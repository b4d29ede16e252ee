//! Bodies: names, and keys of shapes, materials and starts that exclude each other.

use super::check_names;
use crate::at::{At, Span};
use crate::format::{Body, FIELDS, FieldDescriptor, SceneFile, StartShape};
use crate::report::Problem;
use crate::spelling::one_of;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    if file.bodies.is_empty() {
        let problem = Problem::nowhere("the scene has no bodies");
        problems.push(problem.help("add a [[body]] with a name, a shape and a material"));
    }
    check_names("body", file.bodies.iter().map(|b| &b.name), problems);
    for body in &file.bodies {
        body.shape.kind().check(&body.shape.span(), problems);
        check_motion(body, problems);
        if let Some(material) = &body.material {
            material.kind().check(&material.span(), body, &file.parts, problems);
        }
        check_twist(body, problems);
    }
}

/// Only what resists twist can start twisted.
fn check_twist(body: &Body, problems: &mut Vec<Problem>) {
    let twists = body.material.as_ref().is_some_and(|material| material.kind().twists());
    if let Some(twist) = body.start.as_ref().and_then(|start| start.twist.as_ref()).filter(|_| !twists) {
        let problem = Problem::new(&twist.span(), format!("\"{}\" cannot start twisted", body.name));
        problems.push(problem.help("only a material.rod with twist = true can"));
    }
}

fn check_motion(body: &Body, problems: &mut Vec<Problem>) {
    if let Some(rotation) = &body.rotation
        && rotation.axis.get().try_normalize().is_none()
    {
        let problem = Problem::new(&rotation.axis.span(), "an axis of rotation needs a direction");
        problems.push(problem.help("write [0, 0, 1] to turn about z"));
    }
    if let Some(start) = &body.start {
        check_start(start, problems);
    }
    if let Some(field) = &body.velocity_field {
        if field.is_empty() {
            problems.push(says_nothing(&field.span(), "velocity_field", |_| true));
        }
        field.check(problems);
    }
}

fn check_start(start: &At<StartShape>, problems: &mut Vec<Problem>) {
    let StartShape { mesh, table, scale, displace, twist } = &**start;
    if let (Some(mesh), Some(table)) = (mesh, table) {
        let problem = Problem::new(&table.file.span(), "a start shape is a mesh or a table, not both");
        problems.push(problem.and(&mesh.file.span(), "the mesh"));
    }
    if mesh.is_none() && table.is_none() && scale.is_none() && displace.is_none() && twist.is_none() {
        let problem = Problem::new(&start.span(), "`start` says nothing");
        problems.push(problem.help("give `mesh`, `table`, `scale`, `displace` or `twist`, or leave it out"));
    }
    if let Some(scale) = scale
        && scale.iter().any(|factor| factor.get() == 0.0)
    {
        let problem = Problem::new(&scale.span(), "a factor of 0 makes the body flat");
        problems.push(problem.help("use factors other than 0"));
    }
    if let Some(field) = displace {
        if field.is_empty() {
            problems.push(says_nothing(&start.span(), "displace", |kind| kind.is_of_places));
        }
        field.check(problems);
    }
}

/// The problem with a table that names none of the fields that it could.
fn says_nothing(span: &Span, key: &str, can_have: impl Fn(&FieldDescriptor) -> bool) -> Problem {
    let kinds = FIELDS.iter().filter(|kind| can_have(kind));
    let names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
    Problem::new(span, format!("`{key}` says nothing")).help(format!("give {}", one_of(&names)))
}
