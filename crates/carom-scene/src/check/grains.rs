//! Grains and periodic boxes: keys that need each other, and bodies that cannot be in one.

use super::check_exactly_one;
use crate::at::{At, Span};
use crate::format::{Body, GrainsShape, Material, Method, Radii, SceneFile, Shape};
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
    let is_grains = matches!(&*body.shape, Shape::Grains(_));
    let Some(material) = &body.material else { return };
    match (&**material, is_grains) {
        (Material::Grains(_), false) => {
            let problem = Problem::new(&material.span(), "grains need radii, and this shape has none");
            problems.push(problem.and(&body.shape.span(), "this shape").help("take `shape.grains`"));
        }
        (other, true) if !matches!(other, Material::Grains(_)) => {
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
    for body in file.bodies.iter().filter(|body| !matches!(&*body.shape, Shape::Grains(_))) {
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
        if let Some(Material::Grains(material)) = body.material.as_deref()
            && material.hertz.is_some()
        {
            let problem = Problem::new(&body.name.span(), "`dcr` does not know of soft grains");
            problems.push(problem.help("take another method, or leave out `hertz`"));
        }
    }
}

/// Keys of a shape of grains.
pub fn check_shape(shape: &GrainsShape, span: &Span, problems: &mut Vec<Problem>) {
    let places = [
        ("count", shape.count.is_some()),
        ("positions", shape.positions.is_some()),
        ("table", shape.table.is_some()),
    ];
    check_exactly_one(span, "a shape of grains", &places, problems);
    if shape.table.is_none() {
        let sizes = [("radius", shape.radius.is_some()), ("radii", shape.radii.is_some())];
        check_exactly_one(span, "a shape of grains", &sizes, problems);
    } else if shape.radius.is_some() || shape.radii.is_some() {
        problems.push(Problem::new(span, "the table has the radii").help("leave out `radius` and `radii`"));
    }
    if shape.count.is_some() != shape.size.is_some() {
        let problem = Problem::new(span, "`count` grains need a box of some `size`, and a box a `count`");
        problems.push(problem.help("give both, or neither"));
    }
    if let Some(positions) = shape.positions.as_ref().filter(|list| list.is_empty()) {
        problems.push(Problem::new(&positions.span(), "there are no grains").help("add positions"));
    }
    let idle = [
        ("arrange", Some(shape.arrange.span())),
        ("jitter", Some(shape.jitter.span())),
        ("gap", shape.gap.as_ref().map(crate::NonNegative::span)),
    ];
    let given =
        idle.into_iter().filter_map(|(key, place)| Some((key, place.filter(|place| *place != (0..0))?)));
    for (key, place) in
        given.filter(|_| shape.count.is_none() && (shape.positions.is_some() || shape.table.is_some()))
    {
        let message = format!("`{key}` is for grains that are put into a box, and these have their places");
        problems.push(Problem::new(&place, message).help("leave it out, or give `count` and `size` instead"));
    }
    if let Some(radii) = &shape.radii {
        check_radii(radii, problems);
    }
}

fn check_radii(radii: &At<Radii>, problems: &mut Vec<Problem>) {
    let (from, to) = match &**radii {
        Radii::Uniform(r) => (&r.from, &r.to),
        Radii::Normal(r) => (&r.from, &r.to),
        Radii::Lognormal(r) => (&r.from, &r.to),
        Radii::List(list) => {
            if list.values.is_empty() {
                problems.push(Problem::new(&list.values.span(), "there are no radii").help("add some"));
            }
            if let Some(shares) = &list.shares {
                let fits = shares.len() == list.values.len() && shares.iter().any(|share| share.get() > 0.0);
                if !fits {
                    let problem = Problem::new(
                        &shares.span(),
                        "each radius has a share, and one of them must be above 0",
                    );
                    problems.push(problem.and(&list.values.span(), "the radii"));
                }
            }
            return;
        }
    };
    if from.get() > to.get() {
        let problem = Problem::new(&to.span(), "the largest radius is below the smallest");
        problems.push(problem.and(&from.span(), "the smallest").help("exchange them"));
    }
}
