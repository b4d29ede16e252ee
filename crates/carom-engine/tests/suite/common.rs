//! Random networks of springs with clocks of their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::Spring;
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, Start, State, System, SystemBuilder};
use carom_time::Clocks;
use proptest::prelude::*;

/// A stop flag that nobody raises.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// Springs between vertices, each with its own step; some vertices are pinned along some axes.
#[derive(Clone, Debug)]
pub struct Network {
    pub vertices: Vec<Vertex>,
    pub links: Vec<Link>,
    pub exact: bool,
    pub paper: bool,
}

#[derive(Clone, Debug)]
pub struct Vertex {
    pub position: [f64; 3],
    pub velocity: [f64; 3],
    pub mass: f64,
    pub pinned: [bool; 3],
}

#[derive(Clone, Debug)]
pub struct Link {
    pub ends: [usize; 2],
    pub spring: Spring,
    pub step: f64,
}

fn vertex(pinned: f64) -> impl Strategy<Value = Vertex> {
    let place = prop::array::uniform3(-1.0..1.0f64);
    (place.clone(), place, 0.1..2.0f64, prop::array::uniform3(prop::bool::weighted(pinned)))
        .prop_map(|(position, velocity, mass, pinned)| Vertex { position, velocity, mass, pinned })
}

fn link(n: usize) -> impl Strategy<Value = Link> {
    (0..n, 1..n, 0.5..20.0f64, 0.1..1.0f64, 0.005..0.05f64).prop_map(
        move |(a, d, stiffness, rest_length, step)| Link {
            ends: [a, (a + d) % n],
            spring: Spring { stiffness, rest_length },
            step,
        },
    )
}

/// Any network; each axis of each vertex is pinned with probability `pinned`.
pub fn network(pinned: f64) -> impl Strategy<Value = Network> {
    (prop::collection::vec(vertex(pinned), 2..12), any::<bool>(), any::<bool>()).prop_flat_map(
        |(vertices, exact, paper)| {
            prop::collection::vec(link(vertices.len()), 1..20).prop_map(move |links| Network {
                vertices: vertices.clone(),
                links,
                exact,
                paper,
            })
        },
    )
}

impl Network {
    pub fn build(&self) -> (Arc<System>, State) {
        let mut builder = SystemBuilder::new();
        for vertex in &self.vertices {
            let id = builder.vertex(Vec3::from(vertex.position), Vec3::from(vertex.velocity), vertex.mass);
            let [x, y, z] = vertex.pinned;
            builder.pin(id, Axes { x, y, z });
        }
        for (i, link) in self.links.iter().enumerate() {
            let owner = Owner { body: 0, part: Part::Edge(i as u32) };
            let added = builder.add(link.spring, link.ends.map(|v| v as u32), owner, 1.0);
            builder.give_step(added, link.step);
        }
        let options = ClockOptions {
            clocks: if self.exact { Clocks::Exact } else { Clocks::Dyadic },
            start: if self.paper { Start::Paper } else { Start::HalfKick },
            ..ClockOptions::default()
        };
        let (system, state) = builder.build(&options).unwrap();
        (Arc::new(system), state)
    }
}
