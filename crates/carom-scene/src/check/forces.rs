//! Springs, pairs, pins and loads: references, selections, keys that exclude each other.

use carom_elastic::registry::{PairLaw, choices};

use super::{body_names, check_exactly_one, check_names, check_reference, unknown_name};
use crate::at::At;
use crate::build::LOADS;
use crate::format::{Among, Drive, DriveKey, Load, Method, Pair, SceneFile, Selection, Share, Spring};
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    let bodies = body_names(file);
    check_names("selection", file.selections.iter().map(|s| &s.name), problems);
    for selection in &file.selections {
        check_reference("body", &selection.body, &bodies, problems);
        check_selection(&selection.select, problems);
        if let Some(named) = &selection.select.named {
            let problem = Problem::new(&named.span(), "a named selection does not name another");
            problems.push(problem.help("write its conditions out"));
        }
    }
    for (body, select) in all_selections(file) {
        check_named(file, body, select, problems);
    }
    check_names("pin", file.pins.iter().filter_map(|p| p.name.as_ref()), problems);
    for pin in &file.pins {
        check_reference("body", &pin.body, &bodies, problems);
        check_selection(&pin.select, problems);
    }
    for drive in &file.drives {
        check_reference("body", &drive.body, &bodies, problems);
        drive.select.iter().for_each(|select| check_selection(select, problems));
        check_drive(drive, file, problems);
    }
    for load in &file.loads {
        check_reference("body", &load.body, &bodies, problems);
        check_selection(&load.select, problems);
        check_load(load, problems);
    }
    for spring in &file.springs {
        check_spring(spring, &bodies, problems);
    }
    for pair in &file.pairs {
        check_pair(pair, &bodies, problems);
    }
}

/// Every selection of the scene that may name another, with its body.
fn all_selections(file: &SceneFile) -> impl Iterator<Item = (&At<String>, &At<Selection>)> {
    let pins = file.pins.iter().map(|pin| (&pin.body, &pin.select));
    let loads = file.loads.iter().map(|load| (&load.body, &load.select));
    let drives = file.drives.iter().filter_map(|drive| Some((&drive.body, drive.select.as_ref()?)));
    let parts = file.parts.iter().map(|part| (&part.body, &part.select));
    let ends = file.springs.iter().flat_map(|spring| spring.from.iter().chain(&spring.to));
    let probes = file.probes.iter().filter_map(|p| Some((p.body.as_ref()?, p.select.as_ref()?)));
    pins.chain(loads)
        .chain(drives)
        .chain(parts)
        .chain(ends.map(|among| (&among.body, &among.select)))
        .chain(probes)
}

/// Keys in the order of time, from where the body starts.
fn check_drive(drive: &Drive, file: &SceneFile, problems: &mut Vec<Problem>) {
    let mut refuse = |span: &crate::at::Span, message: String, help: &str| {
        problems.push(Problem::new(span, message).help(help));
    };
    if drive.keys.is_empty() {
        refuse(
            &drive.keys.span(),
            "there are no keys".into(),
            "give at least one: `{ time = 1.0, shift = [0.1, 0.0, 0.0] }`",
        );
    }
    for pair in drive.keys.windows(2) {
        if pair[1].time.get() <= pair[0].time.get() {
            let message =
                format!("the key at {} s comes after one at {} s", pair[1].time.get(), pair[0].time.get());
            refuse(&pair[1].time.span(), message, "order keys by their times");
        }
    }
    let moves = |key: &&At<DriveKey>| {
        key.time.get() == 0.0
            && (!key.shift.get().is_zero() || key.degrees.get() != 0.0 || key.mesh.is_some())
    };
    if let Some(key) = drive.keys.first().filter(moves) {
        let help = "leave the first key out: at 0 s everything is where its body starts";
        refuse(&key.time.span(), "a key at 0 s cannot move anything".into(), help);
    }
    if drive.axis.get().is_zero() {
        refuse(
            &drive.axis.span(),
            "an axis without length has no direction".into(),
            "give another, such as [0.0, 0.0, 1.0]",
        );
    }
    if drive.keys.iter().all(|key| key.degrees.get() == 0.0) {
        let centre = drive.centre.as_ref().map_or(0..0, crate::Vector::span);
        let given =
            [("axis", drive.axis.span()), ("centre", centre)].into_iter().filter(|(_, at)| *at != (0..0));
        for (key, place) in given {
            let help = "leave it out, or give a key `degrees`";
            refuse(&place, format!("`{key}` is for rotations, and no key has `degrees`"), help);
        }
    }
    if file.method == Method::Dcr {
        refuse(
            &drive.body.span(),
            "`method = \"dcr\"` does not support prescribed motion".into(),
            "take another method",
        );
    }
    let other = file.bodies.iter().find(|b| *b.name == *drive.body && !b.velocity.get().is_zero());
    if let (Some(body), None) = (other.filter(|b| b.obstacle), &drive.select) {
        let message = format!("\"{}\" is driven, and has a velocity of its own", body.name);
        refuse(&body.velocity.span(), message, "leave out the velocity");
    }
}

/// A selection by name: it exists, and is of the same body.
fn check_named(file: &SceneFile, body: &At<String>, select: &Selection, problems: &mut Vec<Problem>) {
    let Some(named) = &select.named else { return };
    let names: Vec<&str> = file.selections.iter().map(|s| s.name.as_str()).collect();
    check_reference("selection", named, &names, problems);
    let found = file.selections.iter().find(|s| *s.name == **named);
    if let Some(found) = found.filter(|found| *found.body != **body) {
        let message = format!("\"{named}\" selects vertices of \"{}\", not of \"{body}\"", found.body);
        let problem = Problem::new(&named.span(), message).and(&found.body.span(), "its body");
        problems.push(problem.help("define another selection for this body"));
    }
}

pub fn check_selection(select: &At<Selection>, problems: &mut Vec<Problem>) {
    if **select == Selection::default() {
        let problem = Problem::new(&select.span(), "`select` chooses nothing");
        problems.push(
            problem.help("give `all`, `index`, `indices`, `box`, `boundary`, `group`, `named` or `nearest`"),
        );
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

fn check_load(load: &At<Load>, problems: &mut Vec<Problem>) {
    let keys: Vec<(&str, bool)> = LOADS.iter().map(|kind| (kind.name, kind.is_in(load))).collect();
    check_exactly_one(&load.span(), "a load", &keys, problems);
    let is_shared = LOADS.iter().any(|kind| kind.is_shared && kind.is_in(load));
    if load.share != Share::default() && !is_shared {
        let problem = Problem::new(&load.span(), "`share` says how vertices share a `force`");
        problems.push(problem.help("leave it out: other loads act on every vertex or face"));
    }
    let Some(profile) = &load.profile else { return };
    let points = profile.iter().map(|point| [point[0].get(), point[1].get()]).collect();
    if carom_elastic::Profile::new(points).is_none() {
        let problem =
            Problem::new(&profile.span(), "a profile needs at least one point, and times that rise");
        problems.push(problem.help("write [[time, factor], …], such as [[0, 0], [0.1, 1]] for a ramp"));
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
    let laws: Vec<&PairLaw> = choices::<PairLaw>().map(|(_, law)| law).collect();
    let given: Vec<(&str, bool)> =
        laws.iter().map(|law| (law.name, pair.value(law.name).is_some())).collect();
    check_exactly_one(&pair.span(), "a pair", &given, problems);
    for law in laws.iter().filter(|law| !law.one_of.is_empty()) {
        if let Some(numbers) = pair.value(law.name) {
            let keys: Vec<_> = law.one_of.iter().map(|key| (*key, numbers.number(key).is_some())).collect();
            check_exactly_one(&pair.span(), &format!("`{}`", law.name), &keys, problems);
        }
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
