//! Bodies: names, and keys of shapes and starts that exclude each other.

use carom_elastic::registry::{Bending, choices};

use super::check_names;
use crate::at::{At, Span};
use crate::format::{Body, Material, SceneFile, Sine, StartShape};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    if file.bodies.is_empty() {
        let problem = Problem::nowhere("the scene has no bodies");
        problems.push(problem.help("add a [[body]] with a name, a shape and a material"));
    }
    check_names("body", file.bodies.iter().map(|b| &b.name), problems);
    for body in &file.bodies {
        body.shape.kind().check(&body.shape.span(), problems);
        check_motion(body, problems);
        check_twist(body, problems);
        check_damping(file, body, problems);
    }
}

/// Twist is for rods that resist it, and they need a shear modulus.
fn check_twist(body: &Body, problems: &mut Vec<Problem>) {
    let rod = body.material.as_ref().and_then(|material| match &**material {
        Material::Rod(rod) => Some((rod, material.span())),
        _ => None,
    });
    if let Some((rod, span)) = &rod {
        if rod.twist && !rod.bend {
            let problem = Problem::new(span, "a string that does not bend cannot twist");
            problems.push(problem.help("leave `bend = false` out, or `twist = true`"));
        }
        if rod.twist && rod.poisson.is_none() {
            let problem = Problem::new(span, "a rod that twists needs `poisson`, for its shear modulus");
            problems.push(problem.help("add poisson = 0.3"));
        }
        if let (false, Some(curvature)) = (rod.twist, &rod.natural_curvature)
            && curvature.get() < 0.0
        {
            let problem =
                Problem::new(&curvature.span(), "without twist, natural curvature has no direction");
            problems.push(problem.help("give its size, or add twist = true"));
        }
        if let (false, Some(poisson)) = (rod.twist, &rod.poisson) {
            let problem = Problem::new(&poisson.span(), "`poisson` counts only in a rod that twists");
            problems.push(problem.help("add twist = true, or leave it out"));
        }
    }
    if let Some(twist) = body.start.as_ref().and_then(|start| start.twist.as_ref())
        && !rod.is_some_and(|(rod, _)| rod.twist)
    {
        let problem = Problem::new(&twist.span(), format!("\"{}\" cannot start twisted", body.name));
        problems.push(problem.help("only a material.rod with twist = true can"));
    }
}

/// Not all bending can be damped: what it would be damped by may resist rotation.
fn check_damping(file: &SceneFile, body: &Body, problems: &mut Vec<Problem>) {
    let Some(material) = body.material.as_ref().filter(|_| !body.obstacle) else { return };
    let Material::Shell(shell) = &**material else { return };
    if shell.bending.kind().is_none_or(|kind| kind.damps) {
        return;
    }
    let other = choices::<Bending>().find(|(kind, _)| kind.damps).map_or("none", |(_, other)| other.name);
    let of_parts = file.parts.iter().filter(|part| *part.body == *body.name).map(|part| &part.damping);
    for damping in of_parts.chain([&shell.damping]).flatten() {
        let message =
            format!("\"{}\" has {} bending, which cannot be damped", body.name, shell.bending.name());
        let problem = Problem::new(&damping.span(), message).and(&material.span(), "its material");
        problems.push(problem.help(format!("take bending = \"{other}\", or leave `damping` out")));
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
        let given = [field.bump.is_some(), field.sine.is_some(), field.noise.is_some()];
        check_field(&field.span(), "velocity_field", &given, "`bump`, `sine` or `noise`", problems);
        check_sine(field.sine.as_ref(), problems);
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
        let given = [field.bump.is_some(), field.sine.is_some()];
        check_field(&start.span(), "displace", &given, "`bump` or `sine`", problems);
        check_sine(field.sine.as_ref(), problems);
    }
}

fn check_field(span: &Span, key: &str, given: &[bool], parts: &str, problems: &mut Vec<Problem>) {
    if given.iter().all(|given| !given) {
        problems.push(Problem::new(span, format!("`{key}` says nothing")).help(format!("give {parts}")));
    }
}

fn check_sine(sine: Option<&Sine>, problems: &mut Vec<Problem>) {
    if let Some(sine) = sine
        && (sine.to.get() - sine.from.get()).try_normalize().is_none()
    {
        let problem = Problem::new(&sine.to.span(), "a wave needs a line to run along");
        problems
            .push(problem.and(&sine.from.span(), "the same point").help("put `to` elsewhere than `from`"));
    }
}
