//! Springs, pairs, pins and loads: references, selections, keys that exclude each other.

use super::{body_names, check_exactly_one, check_names, check_reference, unknown_name};
use crate::at::At;
use crate::format::{Among, Pair, SceneFile, Selection, Spring};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    let bodies = body_names(file);
    check_names("pin", file.pins.iter().filter_map(|p| p.name.as_ref()), problems);
    for pin in &file.pins {
        check_reference("body", &pin.body, &bodies, problems);
        check_selection(&pin.select, problems);
    }
    for load in &file.loads {
        check_reference("body", &load.body, &bodies, problems);
        check_selection(&load.select, problems);
    }
    for spring in &file.springs {
        check_spring(spring, &bodies, problems);
    }
    for pair in &file.pairs {
        check_pair(pair, &bodies, problems);
    }
}

pub fn check_selection(select: &At<Selection>, problems: &mut Vec<Problem>) {
    if **select == Selection::default() {
        let problem = Problem::new(&select.span(), "`select` chooses nothing");
        problems
            .push(problem.help("give `all`, `index`, `indices`, `box`, `boundary`, `group` or `nearest`"));
    }
    let Some(corners) = &select.in_box else {
        return;
    };
    let (min, max) = (corners.min.get(), corners.max.get());
    if min.x > max.x || min.y > max.y || min.z > max.z {
        let problem = Problem::new(&corners.span(), "a box whose `min` is above its `max` holds nothing");
        problems.push(problem.help("swap the two along that axis"));
    }
}

fn check_spring(spring: &At<Spring>, bodies: &[&str], problems: &mut Vec<Problem>) {
    let keys = [
        ("between", spring.between.is_some()),
        ("from", spring.from.is_some()),
        ("edges", spring.edges.is_some()),
    ];
    check_exactly_one(&spring.span(), "a spring", &keys, problems);
    if spring.from.is_some() != spring.to.is_some() {
        let problem = Problem::new(&spring.span(), "a spring has `from` and `to`, or neither");
        problems.push(problem.help("give both, each with a body and a selection"));
    }
    for vertex in spring.between.iter().flat_map(|b| b.iter()) {
        problems.extend(unknown_name("body", &vertex.body, &vertex.span(), bodies));
    }
    if let Some([a, b]) = spring.between.as_deref()
        && **a == **b
    {
        problems.push(Problem::new(&b.span(), "a spring needs two different vertices"));
    }
    for Among { body, select } in spring.from.iter().chain(&spring.to) {
        check_reference("body", body, bodies, problems);
        check_selection(select, problems);
    }
    if let Some(body) = &spring.edges {
        check_reference("body", body, bodies, problems);
    }
}

fn check_pair(pair: &At<Pair>, bodies: &[&str], problems: &mut Vec<Problem>) {
    for body in pair.bodies.iter().flatten() {
        check_reference("body", body, bodies, problems);
    }
    check_names_once(pair, problems);
    let laws = [
        ("lennard-jones", pair.lennard_jones.is_some()),
        ("inverse-distance", pair.inverse_distance.is_some()),
    ];
    check_exactly_one(&pair.span(), "a pair", &laws, problems);
    if let Some(law) = &pair.inverse_distance {
        let keys = [("strength", law.strength.is_some()), ("gravitation", law.gravitation.is_some())];
        check_exactly_one(&pair.span(), "`inverse-distance`", &keys, problems);
    }
}

/// A body named twice would meet itself twice.
fn check_names_once(pair: &Pair, problems: &mut Vec<Problem>) {
    let mut seen: Vec<&At<String>> = Vec::new();
    for body in pair.bodies.iter().flatten() {
        if let Some(first) = seen.iter().find(|s| ***s == *body) {
            let problem = Problem::new(&body.span(), format!("body \"{body}\" is named twice"));
            problems.push(problem.and(&first.span(), "the first time"));
        }
        seen.push(body);
    }
}
