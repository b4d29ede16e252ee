//! Test scene: two small sheets in contact, and deliberate errors in their contact.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_elastic::{MembraneNeoHookean, ShellMaterial};
use carom_engine::Carom;
use carom_geometry::shapes;
use carom_math::Vec3;
use carom_model::{ClockOptions, LayerFamily, LayerSpec, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Span};

use crate::{Launch, Options};

pub(crate) const THICKNESS: f64 = 0.1;

/// The families of layers with their usual clocks, and `window` with both kinds of clocks.
pub(crate) const KINDS: [(LayerFamily, Clocks); 4] = [
    (LayerFamily::Window, Clocks::Dyadic),
    (LayerFamily::Window, Clocks::Exact),
    (LayerFamily::Nested, Clocks::Dyadic),
    (LayerFamily::Acm, Clocks::Exact),
];

/// Two sheets, the upper one rotated a little, `gap` apart and closing; few layers, so that the reference method is fast enough.
pub(crate) fn sheets((family, clocks): (LayerFamily, Clocks), gap: f64) -> (Arc<System>, State) {
    let lower = shapes::grid(1.0, 1.0, 0.5).unwrap();
    let upper = shapes::grid(0.8, 0.8, 0.4).unwrap().translated(Vec3::new(0.03, 0.07, gap));
    let material = ShellMaterial { young: 4e3, poisson: 0.3, thickness: 0.02 };
    let mut builder = SystemBuilder::new();
    let mut first = [0; 2];
    for (b, mesh) in [&lower, &upper].into_iter().enumerate() {
        let body = builder.body(["lower", "upper"][b]);
        first[b] = builder.positions().len() as u32;
        for (i, x) in (0..).zip(&mesh.positions) {
            let swing = Vec3::new(f64::sin(i.into()), f64::cos(1.7 * f64::from(i)), 0.0) * 0.1;
            let tilt = Vec3::Z * (0.02 * x.x - 0.01 * x.y) * b as f64;
            builder.vertex(*x + tilt, swing - Vec3::Z * (1.5 * b as f64), 0.02);
        }
        for (i, t) in (0..).zip(&mesh.triangles) {
            let element = MembraneNeoHookean::from_rest(&mesh.corners(t), &material);
            builder.add(element, t.map(|v| v + first[b]), Owner { body, part: Part::Face(i) }, 1.0);
        }
    }
    let (system, state) = builder.build(&ClockOptions { clocks, ..ClockOptions::default() }).unwrap();
    let surface = |mesh, first_vertex| BodySurface { mesh, first_vertex, thickness: THICKNESS, radius: 0.0 };
    let surfaces = [surface(&lower, first[0]), surface(&upper, first[1])];
    let options = ContactOptions { family, max_layers: 6, ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

fn with_layers(system: &System, change: impl Fn(&mut LayerSpec)) -> System {
    let contact = system.contact.as_ref().map(|contact| {
        let mut contact = (**contact).clone();
        contact.layers.iter_mut().for_each(change);
        Arc::new(contact)
    });
    System { contact, ..system.clone() }
}

fn launching(launch: Launch) -> Options {
    Options { launch, ..Options::default() }
}

/// A method whose layers fire twice as often as they should.
pub(crate) fn with_fast_layers() -> Options {
    launching(|system, state| {
        let halved = |span: Span| Span::new(span.quanta() / 2).expect("long enough to halve");
        let fast = with_layers(system, |layer| layer.span = halved(layer.span));
        Box::new(Carom::new(&Arc::new(fast), &state))
    })
}

/// A method whose layers are a thousandth too stiff.
pub(crate) fn with_stiff_layers() -> Options {
    launching(|system, state| {
        let stiff = with_layers(system, |layer| layer.stiffness *= 1.001);
        Box::new(Carom::new(&Arc::new(stiff), &state))
    })
}

/// A method whose layers pull.
pub(crate) fn with_pulling_layers() -> Options {
    launching(|system, state| {
        let pulling = with_layers(system, |layer| layer.stiffness = -layer.stiffness);
        Box::new(Carom::new(&Arc::new(pulling), &state))
    })
}

/// Options with a method that evaluates no pair.
pub(crate) fn without_pairs() -> Options {
    launching(|system, state| Box::new(Carom::new(&Arc::new(crate::clocks::untouching(system)), &state)))
}
