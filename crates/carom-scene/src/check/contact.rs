//! Contact and obstacles: keys that need each other, and keys that exclude each other.

use carom_model::{Absent, LAWS, LawDescriptor};

use super::check_reference;
use crate::at::{At, Span};
use crate::format::{Body, Contact, Method, SceneFile};
use crate::number::Positive;
use crate::report::Problem;

/// Layers fit into the bits of one word, with some to spare.
const MOST_LAYERS: u32 = 60;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    for body in &file.bodies {
        check_body(body, problems);
    }
    check_obstacles_are_left_alone(file, problems);
    if file.method == Method::Dcr {
        check_nothing_is_damped(file, problems);
        file.contact.iter().for_each(|contact| check_laws_are_those_of_dcr(contact, problems));
    }
    match &file.contact {
        Some(contact) if contact.max_layers.get() > MOST_LAYERS => {
            let message = format!("{} layers are too many", contact.max_layers.get());
            let problem = Problem::new(&contact.max_layers.span(), message);
            problems.push(problem.help(format!("take at most {MOST_LAYERS}")));
        }
        Some(contact) => check_pairs_of_bodies(contact, file, problems),
        None => check_nothing_needs_contact(file, problems),
    }
}

fn check_body(body: &At<Body>, problems: &mut Vec<Problem>) {
    if !body.obstacle {
        if body.material.is_none() {
            let message = format!("\"{}\" has no `material`, which it needs", body.name);
            let help = "`material`: What it is made of; only a body with `obstacle = true` needs none";
            problems.push(Problem::new(&body.name.span(), message).help(help));
        }
        return;
    }
    let mut refuse = |span: &Span, message: &str, help: &str| {
        problems.push(Problem::new(span, format!("obstacle \"{}\" {message}", body.name)).help(help));
    };
    if !body.spin.get().is_zero() {
        refuse(&body.spin.span(), "cannot spin", "give `velocity`, or tell it where to go with `[[drive]]`");
    }
    if let Some(field) = &body.velocity_field {
        refuse(&field.span(), "moves as a whole", "give `velocity`, or leave out `obstacle`");
    }
    if let Some(drag) = &body.drag {
        refuse(&drag.span(), "keeps its velocity: nothing drags it", "leave it out");
    }
    if let Some(step) = &body.step {
        refuse(&step.span(), "has no forces and so no step", "leave it out");
    }
}

/// Nothing moves an obstacle: keys that would are errors.
fn check_obstacles_are_left_alone(file: &SceneFile, problems: &mut Vec<Problem>) {
    let is_obstacle = |name: &At<String>| file.bodies.iter().any(|b| b.obstacle && *b.name == **name);
    for pin in file.pins.iter().filter(|p| is_obstacle(&p.body)) {
        let problem =
            Problem::new(&pin.body.span(), format!("\"{}\" is an obstacle: nothing moves it", pin.body));
        problems.push(problem.help("leave out the pin, or `obstacle`"));
    }
    for load in file.loads.iter().filter(|l| is_obstacle(&l.body)) {
        let problem =
            Problem::new(&load.body.span(), format!("\"{}\" is an obstacle: no load moves it", load.body));
        problems.push(problem.help("leave out the load, or `obstacle`"));
    }
}

/// DCR integrates potentials and impacts, and has friction and restitution of its own.
fn check_nothing_is_damped(file: &SceneFile, problems: &mut Vec<Problem>) {
    let of_material = |b: &At<Body>| Some(b.material.as_ref()?.kind().damping()?.span());
    let materials = file.bodies.iter().filter_map(of_material);
    let drags = file.bodies.iter().filter_map(|b| b.drag.as_ref().map(Positive::span));
    let springs = file.springs.iter().filter_map(|s| s.damping.as_ref().map(Positive::span));
    for span in materials.chain(drags).chain(springs) {
        let problem = Problem::new(&span, "`method = \"dcr\"` knows no damping");
        problems.push(problem.help("take another method, or leave the damping out"));
    }
}

/// DCR reads `[dcr]`.
fn check_laws_are_those_of_dcr(contact: &Contact, problems: &mut Vec<Problem>) {
    let number =
        |law: &LawDescriptor| contact.number(law.parameter.name).map(|number| (law.parameter, number));
    let given = LAWS.iter().filter_map(number);
    let lossy = given.filter(|(parameter, number)| parameter.absent != Absent::Means(***number));
    let between = contact.between.iter().map(At::span);
    for span in lossy.map(|(_, number)| number.span()).chain(between) {
        let problem = Problem::new(&span, "`method = \"dcr\"` has friction and restitution of its own");
        problems
            .push(problem.help("give `dcr.friction` and `dcr.restitution`, one each for the whole scene"));
    }
}

fn check_pairs_of_bodies(contact: &Contact, file: &SceneFile, problems: &mut Vec<Problem>) {
    let bodies: Vec<&str> = file.bodies.iter().map(|b| b.name.as_str()).collect();
    for own in &contact.between {
        check_between(&own.bodies, &bodies, problems);
        if LAWS.iter().all(|law| own.number(law.parameter.name).is_none()) {
            let laws: Vec<String> = LAWS.iter().map(|law| format!("a `{}`", law.parameter.name)).collect();
            let problem = Problem::new(&own.span(), "nothing is different between these bodies");
            problems.push(problem.help(format!("give {}, or leave it out", laws.join(" or "))));
        }
    }
}

fn check_nothing_needs_contact(file: &SceneFile, problems: &mut Vec<Problem>) {
    let bodies =
        file.bodies.iter().filter_map(|b| b.contact.as_ref().map(|c| ("a thickness or a radius", c.span())));
    let probes =
        file.probes.iter().filter_map(|p| p.between.as_ref().map(|b| ("a probe of contact", b.span())));
    let expect = &file.expect;
    let distance = expect.contact_min_distance.as_ref().map(|d| ("a smallest distance", d.span()));
    let layer = expect.contact_deepest_layer.as_ref().map(|l| ("a deepest layer", l.span()));
    for (what, span) in bodies.chain(probes).chain(distance).chain(layer) {
        let problem = Problem::new(&span, format!("{what} needs contact, and this scene has none"));
        problems.push(problem.help("add `[contact]` with a `thickness`"));
    }
}

/// The two bodies of a probe of contact.
pub fn check_between(between: &[At<String>; 2], bodies: &[&str], problems: &mut Vec<Problem>) {
    for name in between {
        check_reference("body", name, bodies, problems);
    }
}
