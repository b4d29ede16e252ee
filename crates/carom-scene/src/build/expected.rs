//! What contact must be ready for: closing speeds and pressures, from the energy and the forces at hand.
//!
//! Nothing here depends on how large an obstacle is beside the way of what falls or is pushed, nor on where another run left the bodies.

use carom_contact::{ContactOptions, PressedBody, Pressing, SpeedReason};
use carom_geometry::mesh::area_normal;
use carom_geometry::topology::boundary_of_tets;
use carom_math::Vec3;
use carom_model::{LayerFamily, State, System};

use super::load::direction;
use super::{Assembly, BodyMesh};
use crate::format::{self, ContactLayers};

/// A face of a cube is a sixth of its surface: all of its mass may lie behind it.
const FACES: f64 = 6.0;

impl Assembly<'_> {
    /// The start that steps and contact are chosen for: the scene's own, also where it continues another run.
    pub(super) fn made_for(&self, state: &State, remembered: Option<[Vec<Vec3>; 2]>) -> State {
        let Some([positions, mut velocities]) = remembered else { return state.clone() };
        for &v in &self.told {
            velocities[v as usize] = state.velocities[v as usize];
        }
        State::new(positions, velocities, state.quantum())
    }

    pub(super) fn contact_options(
        &self,
        wanted: &format::Contact,
        system: &System,
        start: &State,
    ) -> ContactOptions {
        let get = |value: &Option<crate::Positive>| value.as_ref().map(crate::Positive::get);
        let (speed, speed_reason) = self.speed_to_expect(system, start);
        ContactOptions {
            family: match wanted.layers {
                ContactLayers::Window => LayerFamily::Window,
                ContactLayers::Nested => LayerFamily::Nested,
                ContactLayers::Acm => LayerFamily::Acm,
            },
            stiffness: get(&wanted.stiffness),
            step_s: get(&wanted.step),
            speed,
            speed_reason,
            given_speed: get(&wanted.speed),
            acceleration: self.gravity().length() + self.strongest_acceleration(),
            max_layers: wanted.max_layers.get(),
            period: period_of(wanted),
        }
    }

    fn gravity(&self) -> Vec3 {
        self.scene.file.gravity.as_ref().map_or(Vec3::ZERO, |gravity| gravity.acceleration.get())
    }

    /// Largest acceleration of a body by its loads, in m/s².
    fn strongest_acceleration(&self) -> f64 {
        let of_body = |number: usize| -> f64 { self.loads_on(number).map(|(a, _)| a).sum() };
        (0..self.bodies.len()).map(of_body).fold(0.0, f64::max)
    }

    /// How much each of its loads accelerates a body, in m/s², and in which direction if it keeps one.
    fn loads_on(&self, number: usize) -> impl Iterator<Item = (f64, Option<Vec3>)> {
        let mass = self.mass_of(number);
        let loads = self.scene.file.loads.iter().filter(move |load| self.body_number(&load.body) == number);
        loads.map(move |load| (self.strongest(load) / mass, direction(load)))
    }

    fn mass_of(&self, number: usize) -> f64 {
        self.masses[self.range(number)].iter().sum()
    }

    fn range(&self, number: usize) -> core::ops::Range<usize> {
        let body = &self.bodies[number];
        body.first as usize..body.first as usize + body.mesh.positions.len()
    }

    fn is_obstacle(&self, number: usize) -> bool {
        self.scene.file.bodies[number].obstacle
    }

    /// The bodies that are no obstacles.
    fn movable(&self) -> impl Iterator<Item = usize> {
        (0..self.bodies.len()).filter(|number| !self.is_obstacle(*number))
    }

    /// Closing speed that any two bodies may come to, in m/s, and why: the largest of the start, which impacts hand on, that of a fall or of
    /// a load on its way to the farthest obstacle, and that in which stored energy may end.
    fn speed_to_expect(&self, system: &System, start: &State) -> (f64, SpeedReason) {
        if self.scene.file.clocks.step.is_some() {
            return self.speed_beside_a_given_step(start);
        }
        let x = &start.positions;
        let fall = self.work_of_fall(x);
        // Of loose grains only few are as fast as the fastest: their expected speed is chosen with the layers.
        let is_loose = self.bodies.iter().any(|body| body.grain_radii.is_some());
        let seen = if is_loose { 0.0 } else { spread(&start.velocities[..self.masses.len()]) };
        let mut found = (seen, SpeedReason::Start);
        let mut at_least = |work: f64, reason| {
            let speed = (seen * seen + 2.0 * work).sqrt();
            if speed > found.0 {
                found = (speed, if 2.0 * work > seen * seen { reason } else { SpeedReason::Start });
            }
        };
        at_least(fall, SpeedReason::Fall);
        for number in self.movable() {
            let work = self.work_of_loads(x, number);
            if work > 0.0 {
                at_least(fall + work, SpeedReason::Loads);
            }
        }
        let stored = self.speed_of_stored_energy(&self.stored_j(system, start));
        at_least(0.5 * stored * stored, SpeedReason::Stored);
        found
    }

    /// What gravity does on the way to the farthest that faces it, in J for each kg.
    fn work_of_fall(&self, x: &[Vec3]) -> f64 {
        let gravity = self.gravity();
        let Some(down) = gravity.try_normalize() else { return 0.0 };
        let all: Vec<usize> = self.movable().collect();
        gravity.length() * self.way_along(x, &all, down)
    }

    /// What the loads of a body do on its way to the farthest that faces them, in J for each of its kg.
    fn work_of_loads(&self, x: &[Vec3], number: usize) -> f64 {
        let way = |direction: Option<Vec3>| {
            direction.map_or_else(|| self.way_anywhere(x), |d| self.way_along(x, &[number], d))
        };
        self.loads_on(number).map(|(a, direction)| a * way(direction)).sum()
    }

    /// The same where one step is given for all elements: a bound that is safe without them, since contact alone resolves what is faster. It is that of a
    /// fall through the whole scene.
    fn speed_beside_a_given_step(&self, start: &State) -> (f64, SpeedReason) {
        let acceleration = self.gravity().length() + self.strongest_acceleration();
        let fall = (2.0 * acceleration * spread(&start.positions[..self.masses.len()])).sqrt();
        let is_loose = self.bodies.iter().any(|body| body.grain_radii.is_some());
        let seen = if is_loose { 0.0 } else { spread(&start.velocities[..self.masses.len()]) };
        if seen > fall { (seen, SpeedReason::Start) } else { (fall, SpeedReason::Fall) }
    }

    /// How far some bodies can go along a direction before they are as far as anything else, in m. Only what faces the direction stops them: of the
    /// speed at an inclined face, its part along the normal counts, so its way counts with the square of the cosine.
    fn way_along(&self, x: &[Vec3], bodies: &[usize], direction: Vec3) -> f64 {
        let along = |v: usize| x[v].dot(direction);
        let hindmost = bodies.iter().flat_map(|b| self.range(*b)).map(along).fold(f64::INFINITY, f64::min);
        let movable = self.movable().flat_map(|b| self.range(b)).map(along);
        let mut way = movable.fold(0.0, |way: f64, at| way.max(at - hindmost));
        for number in (0..self.bodies.len()).filter(|number| self.is_obstacle(*number)) {
            let BodyMesh { mesh, first, .. } = &self.bodies[number];
            let faces = skin(mesh);
            for t in &faces {
                let [a, b, c] = t.map(|v| x[(v + first) as usize]);
                let cosine = (b - a).cross(c - a).try_normalize().unwrap_or(Vec3::ZERO).dot(direction);
                let far = [a, b, c].map(|p| p.dot(direction)).into_iter().fold(f64::NEG_INFINITY, f64::max);
                way = way.max((far - hindmost) * cosine * cosine);
            }
            if faces.is_empty() {
                way = self.range(number).map(along).fold(way, |way, at| way.max(at - hindmost));
            }
        }
        way
    }

    /// How far anything movable can go whatever its direction before it meets something, in m: through the box around all that can move, and on to the
    /// farthest box around an obstacle.
    fn way_anywhere(&self, x: &[Vec3]) -> f64 {
        let movable: Vec<Vec3> = self.movable().flat_map(|b| self.range(b)).map(|v| x[v]).collect();
        let own = box_of(&movable);
        let gap = |number: usize| {
            let other = box_of(&x[self.range(number)]);
            let apart = |a: f64, b: f64, c: f64, d: f64| (c - b).max(a - d).max(0.0);
            let [[low, high], [far_low, far_high]] = [own, other];
            Vec3::new(
                apart(low.x, high.x, far_low.x, far_high.x),
                apart(low.y, high.y, far_low.y, far_high.y),
                apart(low.z, high.z, far_low.z, far_high.z),
            )
            .length()
        };
        let obstacles = (0..self.bodies.len()).filter(|number| self.is_obstacle(*number));
        (own[1] - own[0]).length() + obstacles.map(gap).fold(0.0, f64::max)
    }

    /// The energy stored in the elements that reach each body, in J.
    fn stored_j(&self, system: &System, start: &State) -> Vec<f64> {
        let mut stored = vec![0.0; self.bodies.len()];
        let mut x = Vec::new();
        for family in system.families.iter().filter(|family| {
            let properties = family.properties();
            properties.is_internal && properties.counts_as_evaluation
        }) {
            for e in 0..family.len() {
                x.clear();
                x.extend(family.stencil(e).iter().map(|v| start.positions[*v as usize]));
                let energy = family.energy(e, &x);
                let mut bodies: Vec<usize> =
                    family.stencil(e).iter().filter_map(|v| self.body_of_vertex(*v)).collect();
                bodies.dedup();
                for body in bodies {
                    stored[body] += energy.max(0.0);
                }
            }
        }
        stored
    }

    /// The closing speed of two bodies that get all the energy `stored` in the elements that reach either, in m/s.
    fn speed_of_stored_energy(&self, stored: &[f64]) -> f64 {
        let lightness = |number: usize| 1.0 / self.mass_of(number);
        let of_pair =
            |a: usize, b: usize| (2.0 * stored[a].max(stored[b]) * (lightness(a) + lightness(b))).sqrt();
        let movable: Vec<usize> = self.movable().collect();
        let alone = movable.iter().map(|a| (2.0 * stored[*a] * lightness(*a)).sqrt());
        // A pair only where both are reached: else an unrelated light body would count as thrown.
        let pairs = movable.iter().enumerate().flat_map(|(i, a)| movable[..i].iter().map(move |b| (*a, *b)));
        let together =
            pairs.filter(|(a, b)| stored[*a] > 0.0 && stored[*b] > 0.0).map(|(a, b)| of_pair(a, b));
        alone.chain(together).fold(0.0, f64::max)
    }

    /// The body of a vertex of a mesh; angles and spins are none.
    fn body_of_vertex(&self, v: u32) -> Option<usize> {
        let is_place = (v as usize) < self.masses.len();
        is_place.then(|| self.bodies.partition_point(|body| body.first <= v) - 1)
    }

    /// Whether anything is driven, or held parts move relative to each other. What they all do together is the motion of a frame, and presses nothing.
    pub(super) fn is_led(&self, system: &System, start: &State) -> bool {
        let held: Vec<Vec3> =
            (0..system.places()).filter(|v| system.is_held(*v)).map(|v| start.velocities[v]).collect();
        !self.scene.file.drives.is_empty() || !held.is_empty() && spread(&held) > 0.0
    }

    /// How hard bodies may press.
    pub(super) fn pressing(&self, system: &System, start: &State) -> Pressing {
        let loads_n: f64 = self.scene.file.loads.iter().map(|load| self.strongest(load)).sum();
        Pressing {
            bodies: (0..self.bodies.len()).map(|number| self.pressed_body(system, start, number)).collect(),
            is_driven: self.is_led(system, start),
            loads_n,
        }
    }

    fn pressed_body(&self, system: &System, start: &State, number: usize) -> PressedBody {
        let BodyMesh { mesh, grain_radii, .. } = &self.bodies[number];
        let [low, high] = box_of(&mesh.positions);
        let size = (high.x - low.x).max(high.y - low.y).max(high.z - low.z);
        let radius = self.radius(number);
        let faces = skin(mesh);
        let area_m2: f64 = if !faces.is_empty() {
            faces.iter().map(|t| area_normal(mesh.corners(t)).length()).sum()
        } else if !mesh.edges.is_empty() {
            mesh.length() * 2.0 * radius
        } else {
            let section = |r: f64| core::f64::consts::PI * r * r;
            match grain_radii {
                Some(radii) => radii.iter().map(|r| section(*r)).sum(),
                None => section(radius) * mesh.positions.len() as f64,
            }
        };
        // What is held everywhere gives way as little as an obstacle.
        let is_held = system.bodies[number].vertices.clone().all(|v| system.is_held(v as usize));
        if self.is_obstacle(number) || is_held {
            return PressedBody { area_m2, mass_per_area: f64::INFINITY, ..PressedBody::default() };
        }
        let material = self.in_bulk(number);
        let is_solid = !mesh.tets.is_empty();
        let is_bound = is_solid || !mesh.triangles.is_empty() || !mesh.edges.is_empty();
        let thin = if is_solid { 1.0 } else { material.thickness_or_radius_m.unwrap_or(0.0) / size };
        let modulus = material.modulus_pa.filter(|_| is_bound);
        let (g, down) = (self.gravity().length(), self.gravity().try_normalize().unwrap_or(Vec3::ZERO));
        let heights = || self.range(number).map(|v| -start.positions[v].dot(down));
        PressedBody {
            resistance_pa: modulus.map(|modulus| modulus * thin),
            impedance: (modulus.unwrap_or(0.0) * material.density_kg_m3.unwrap_or(0.0)).sqrt(),
            area_m2,
            mass_per_area: self.mass_of(number) / area_m2 * if is_solid { FACES } else { 1.0 },
            weight_n: g * self.mass_of(number),
            heights_m: [heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max)],
            has_given_steps: self.has_given_steps(system, number),
        }
    }

    /// Whether the scene gives the steps of all elements of a body.
    fn has_given_steps(&self, system: &System, number: usize) -> bool {
        let counted = (0..).zip(&system.families).filter(|(_, f)| f.properties().counts_as_evaluation);
        counted.into_iter().all(|(f, family)| {
            let own = (0..family.len()).filter(|e| family.owner(*e).body as usize == number);
            own.into_iter().all(|e| self.has_given_step(system, f, e))
        })
    }
}

/// The faces of a shell, or of the skin of a solid.
fn skin(mesh: &carom_geometry::Mesh) -> Vec<[u32; 3]> {
    if mesh.tets.is_empty() { mesh.triangles.clone() } else { boundary_of_tets(&mesh.tets) }
}

/// The lowest and the highest corner of the box around some vectors.
fn box_of(vectors: &[Vec3]) -> [Vec3; 2] {
    let (mut low, mut high) = (Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY));
    for x in vectors {
        low = Vec3::new(low.x.min(x.x), low.y.min(x.y), low.z.min(x.z));
        high = Vec3::new(high.x.max(x.x), high.y.max(x.y), high.z.max(x.z));
    }
    [low, high]
}

/// The diagonal of the box around some vectors.
fn spread(vectors: &[Vec3]) -> f64 {
    let [low, high] = box_of(vectors);
    (high - low).length()
}

/// Lengths of the periodic box, in m; 0 along an axis that is not periodic.
fn period_of(wanted: &format::Contact) -> Vec3 {
    let lengths = wanted.period.as_ref();
    lengths.map_or(Vec3::ZERO, |l| Vec3::new(l[0].get(), l[1].get(), l[2].get()))
}
