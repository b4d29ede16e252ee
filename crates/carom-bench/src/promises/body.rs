//! A random body: its shape and its material as a scene has them, and what must be known of it to place it.

use std::fmt::Write as _;

use super::random::Random;

/// A number as a scene has it: four digits, so that no machine writes another.
pub fn number(x: f64) -> String {
    format!("{x:.3e}")
}

/// What kind of body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A flat sheet.
    Sheet,
    /// A closed or rolled shell.
    Hull,
    /// A straight rod or a ring.
    Rod,
    /// A box or a ball of tetrahedra.
    Solid,
    /// Some spheres in a box.
    Grains,
}

/// All kinds.
pub const KINDS: [Kind; 5] = [Kind::Sheet, Kind::Hull, Kind::Rod, Kind::Solid, Kind::Grains];

/// What the scene asks of a body.
pub struct Demand {
    /// Its size, in m.
    pub size_m: f64,
    /// Its density, in kg/m³.
    pub density_kg_per_m3: f64,
    /// Young's modulus, in Pa.
    pub young_pa: f64,
}

/// A body that has been drawn.
#[derive(Clone, Debug)]
pub struct Body {
    pub kind: Kind,
    /// The lines of its shape, its material and its drag.
    pub lines: String,
    /// How far it reaches from its origin, in m, whatever way it is turned.
    pub reach_m: f64,
    /// How far it reaches from its origin along z if it is not turned about anything else, in m.
    pub half_height_m: f64,
    /// Its shortest edge, about, in m.
    pub edge_m: f64,
    /// The thickness of contact that suits it, in m.
    pub contact_m: f64,
    /// The force evaluations that a second of it takes, about.
    pub evaluations_per_s: f64,
    /// The group of vertices by which it can be held.
    pub handle: Option<&'static str>,
    /// Whether its edges can be twisted.
    pub twists: bool,
    /// Its mass, about, in kg.
    pub mass_kg: f64,
}

/// Draws a body of a kind.
pub fn draw(random: &mut Random, kind: Kind, demand: &Demand) -> Body {
    match kind {
        Kind::Sheet | Kind::Hull => shell(random, kind, demand),
        Kind::Rod => rod(random, demand),
        Kind::Solid => solid(random, demand),
        Kind::Grains => grains(random, demand),
    }
}

/// Steps are about a third of the time in which sound crosses an edge.
fn evaluations_per_s(elements: f64, edge_m: f64, demand: &Demand) -> f64 {
    elements * (demand.young_pa / demand.density_kg_per_m3).sqrt() / (0.3 * edge_m)
}

/// Damping for some materials: the time in which a strain relaxes, as sound crosses an edge.
fn damping(random: &mut Random, edge_m: f64, demand: &Demand) -> String {
    if !random.chance(0.25) {
        return String::new();
    }
    let crossing_s = edge_m * (demand.density_kg_per_m3 / demand.young_pa).sqrt();
    format!(", damping = {}", number(crossing_s * random.across_decades(0.01, 3.0)))
}

fn shell(random: &mut Random, kind: Kind, demand: &Demand) -> Body {
    let size = demand.size_m;
    let (shape, reach, half_height, edge, area, handle) =
        if kind == Kind::Sheet { flat_shape(random, size) } else { hull_shape(random, size) };
    let elements = 2.3 * area / (edge * edge) * 2.0;
    let thickness = (size * random.across_decades(3e-3, 0.05)).min(0.4 * edge);
    let bending = random.one_of(&["mid-edge", "mid-edge", "hinge"]);
    let membrane = random.one_of(&["neo-hookean", "neo-hookean", "stvk"]);
    let poisson = random.one_of(&["0.0", "0.3", "0.45"]);
    let mut lines = format!("shape = {shape}\n");
    let _ = writeln!(
        lines,
        "material.shell = {{ thickness = {}, young = {}, poisson = {poisson}, density = {}, bending = \"{bending}\", membrane = \"{membrane}\"{} }}",
        number(thickness),
        number(demand.young_pa),
        number(demand.density_kg_per_m3),
        damping(random, edge, demand)
    );
    Body {
        kind,
        lines,
        reach_m: reach,
        half_height_m: half_height,
        edge_m: edge,
        contact_m: thickness.min(0.3 * edge),
        evaluations_per_s: evaluations_per_s(elements, edge, demand),
        handle: Some(handle).filter(|name| !name.is_empty()),
        twists: false,
        mass_kg: area * thickness * demand.density_kg_per_m3,
    }
}

type ShellShape = (String, f64, f64, f64, f64, &'static str);

/// Text, reach, half height, edge, area and handle of a sheet.
fn flat_shape(random: &mut Random, size: f64) -> ShellShape {
    if random.chance(0.3) {
        let (radius, edge) = (0.5 * size, size / random.between(4.0, 8.0));
        let text = format!("{{ disc = {{ radius = {}, edge = {} }} }}", number(radius), number(edge));
        return (text, radius, 0.0, edge, 0.785 * size * size, "rim");
    }
    let width = size * random.between(0.2, 1.0);
    let edge = (size / random.between(3.0, 8.0)).min(width / 1.5);
    let reach = 0.5 * (size * size + width * width).sqrt() + 0.5 * edge;
    let area = size * width;
    if random.chance(0.5) {
        let cells = [size, width].map(|length| (length / edge).round().max(1.0) as usize);
        let text = format!(
            "{{ grid = {{ size = [{}, {}], cells = {cells:?}, pattern = \"right\" }} }}",
            number(size),
            number(width)
        );
        return (text, reach, 0.0, edge, area, "left");
    }
    let text =
        format!("{{ grid = {{ size = [{}, {}], edge = {} }} }}", number(size), number(width), number(edge));
    (text, reach, 0.0, edge, area, "left")
}

/// The same of a hull.
fn hull_shape(random: &mut Random, size: f64) -> ShellShape {
    let radius = 0.5 * size;
    if random.chance(0.5) {
        let frequency = random.whole(1, 4);
        let text = format!("{{ icosphere = {{ radius = {}, frequency = {frequency} }} }}", number(radius));
        return (text, radius, radius, 1.05 * radius / frequency as f64, 12.6 * radius * radius, "");
    }
    let (radius, edge) = (radius * random.between(0.3, 1.0), size / random.between(3.5, 7.0));
    let edge = edge.min(radius);
    let name = random.one_of(&["tube", "cylinder"]);
    let text = format!(
        "{{ {name} = {{ radius = {}, height = {}, edge = {} }} }}",
        number(radius),
        number(size),
        number(edge)
    );
    let reach = (radius * radius + 0.25 * size * size).sqrt();
    (text, reach, 0.5 * size, 0.8 * edge, 6.3 * radius * (size + radius), "bottom")
}

fn rod(random: &mut Random, demand: &Demand) -> Body {
    let size = demand.size_m;
    let segments = random.whole(4, 24);
    let is_ring = random.chance(0.3);
    let segments = if is_ring { segments.max(8) } else { segments };
    let length = if is_ring { core::f64::consts::PI * size } else { size };
    let edge = length / segments as f64;
    let radius = (size * random.across_decades(3e-3, 0.05)).min(0.2 * edge);
    let shape = if is_ring {
        format!("{{ ring = {{ radius = {}, segments = {segments} }} }}", number(0.5 * size))
    } else {
        let half = number(0.5 * size);
        format!(
            "{{ rod = {{ from = [-{half}, 0.0, 0.0], to = [{half}, 0.0, 0.0], segments = {segments} }} }}"
        )
    };
    let twists = random.chance(0.4);
    let twist = if twists { ", twist = true, poisson = 0.3" } else { "" };
    let lines = format!(
        "shape = {shape}\nmaterial.rod = {{ radius = {}, young = {}, density = {}{twist}{} }}\n",
        number(radius),
        number(demand.young_pa),
        number(demand.density_kg_per_m3),
        damping(random, edge, demand)
    );
    Body {
        kind: Kind::Rod,
        lines,
        reach_m: 0.5 * size + radius,
        half_height_m: radius,
        edge_m: edge,
        contact_m: radius * random.between(0.2, 1.0),
        evaluations_per_s: evaluations_per_s(2.0 * segments as f64, edge, demand),
        handle: (!is_ring).then_some("start"),
        twists,
        mass_kg: core::f64::consts::PI * radius * radius * length * demand.density_kg_per_m3,
    }
}

fn solid(random: &mut Random, demand: &Demand) -> Body {
    let size = demand.size_m;
    let (shape, sides, edge, elements, handle) = if random.chance(0.3) {
        let edge = size * random.between(0.25, 0.5);
        let text = format!("{{ ball = {{ radius = {}, edge = {} }} }}", number(0.5 * size), number(edge));
        (text, [size; 3], edge, 5.0 * (size / edge).powi(3), "")
    } else {
        let sides = [size, size * random.between(0.2, 1.0), size * random.between(0.2, 1.0)];
        let edge = size / random.whole(1, 4) as f64;
        let cells = sides.map(|side| (side / edge).round().max(1.0) as usize);
        let text = format!(
            "{{ box = {{ size = [{}, {}, {}], cells = {cells:?} }} }}",
            number(sides[0]),
            number(sides[1]),
            number(sides[2])
        );
        let shortest = (0..3).map(|axis| sides[axis] / cells[axis] as f64).fold(f64::INFINITY, f64::min);
        (text, sides, shortest, 5.0 * cells.iter().product::<usize>() as f64, "x-min")
    };
    let law = random.one_of(&["neo-hookean", "neo-hookean", "stvk"]);
    let poisson = random.one_of(&["0.1", "0.3", "0.45"]);
    let lines = format!(
        "shape = {shape}\nmaterial.solid = {{ young = {}, poisson = {poisson}, density = {}, law = \"{law}\"{} }}\n",
        number(demand.young_pa),
        number(demand.density_kg_per_m3),
        damping(random, edge, demand)
    );
    Body {
        kind: Kind::Solid,
        lines,
        reach_m: 0.5 * sides.iter().map(|side| side * side).sum::<f64>().sqrt(),
        half_height_m: 0.5 * sides[2],
        edge_m: edge,
        contact_m: edge * random.across_decades(0.01, 0.1),
        evaluations_per_s: evaluations_per_s(elements, edge, demand),
        handle: Some(handle).filter(|name| !name.is_empty()),
        twists: false,
        mass_kg: sides.iter().product::<f64>() * demand.density_kg_per_m3,
    }
}

fn grains(random: &mut Random, demand: &Demand) -> Body {
    let size = demand.size_m;
    let count = random.whole(1, 20);
    let cells = (count as f64).cbrt().ceil();
    let radius = 0.5 * size / cells * random.between(0.4, 0.8);
    let hertz = if random.chance(0.25) {
        format!(", hertz = {{ young = {}, poisson = 0.3 }}", number(demand.young_pa))
    } else {
        String::new()
    };
    let side = number(size);
    let lines = format!(
        "shape.grains = {{ count = {count}, size = [{side}, {side}, {side}], radius = {}, arrange = \"cubic\", jitter = {:.2}, seed = {} }}\nmaterial.grains = {{ density = {}{hertz} }}\n",
        number(radius),
        random.between(0.0, 1.0),
        random.whole(0, 99),
        number(demand.density_kg_per_m3),
    );
    let volume = 4.19 * radius * radius * radius * count as f64;
    Body {
        kind: Kind::Grains,
        lines,
        reach_m: 0.87 * size,
        half_height_m: 0.5 * size,
        edge_m: radius,
        contact_m: 0.02 * radius,
        evaluations_per_s: if hertz.is_empty() {
            0.0
        } else {
            evaluations_per_s(count as f64, radius, demand)
        },
        handle: None,
        twists: false,
        mass_kg: volume * demand.density_kg_per_m3,
    }
}
