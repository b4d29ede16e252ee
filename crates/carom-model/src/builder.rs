//! From vertices and elements to a [`System`] with clocks.

mod clocks;
mod error;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use carom_math::Vec3;

pub use clocks::{ClockOptions, ClockScope};
pub use error::BuildError;

use clocks::{propose, schedule};

use crate::auxiliary_dof::{AuxiliaryStart, FIRST_AUXILIARY};
use crate::{Body, Element, ElementStore, Family, Owner, State, Stencils, System, Timetable};

/// Which axes a pin holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    /// Along x.
    pub x: bool,
    /// Along y.
    pub y: bool,
    /// Along z.
    pub z: bool,
}

impl Axes {
    /// All three.
    pub const ALL: Self = Self { x: true, y: true, z: true };
}

/// An element store to which elements can still be added, whatever their kind.
trait StoreInProgress: Any {
    /// The store, to be downcast to its concrete type.
    fn as_any(&mut self) -> &mut dyn Any;

    /// Damps an element: see [`ElementStore::damp`].
    fn damp(&mut self, element: usize, damping_s: f64);

    /// The finished family. Auxiliary degrees of freedom were numbered from [`FIRST_AUXILIARY`]; now they come after the `places` vertices
    /// of meshes.
    fn finish(self: Box<Self>, places: u32) -> Arc<dyn Family>;
}

impl<E: Element<N, P>, const N: usize, const P: usize> StoreInProgress for ElementStore<E, N, P> {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }

    fn damp(&mut self, element: usize, damping_s: f64) {
        Self::damp(self, element, damping_s);
    }

    fn finish(mut self: Box<Self>, places: u32) -> Arc<dyn Family> {
        self.renumber(|v| if v < FIRST_AUXILIARY { v } else { v - FIRST_AUXILIARY + places });
        Arc::from(self as Box<dyn Family>)
    }
}

/// Collects vertices, elements and bodies.
#[derive(Default)]
pub struct SystemBuilder {
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
    masses: Vec<f64>,
    pinned: Vec<Axes>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) auxiliary_dofs: Vec<AuxiliaryStart>,
    stores: BTreeMap<&'static str, Box<dyn StoreInProgress>>,
    /// Prescribed motions.
    timetables: Vec<Timetable>,
    /// Families that are no element store: users' closures, driven loads.
    other_families: Vec<Arc<dyn Family>>,
    /// Steps the user gave to elements, by (kind, element), in s.
    given: BTreeMap<(&'static str, usize), f64>,
    /// The start that steps are chosen for, where it is not the one that vertices were put in since.
    remembered: Option<[Vec<Vec3>; 2]>,
}

impl SystemBuilder {
    /// A builder without bodies.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a body; the vertices added next are its own. Returns its index.
    pub fn body(&mut self, name: impl Into<String>) -> u32 {
        let start = self.positions.len() as u32;
        self.bodies.push(Body { name: name.into(), vertices: start..start });
        self.bodies.len() as u32 - 1
    }

    /// Adds a vertex to the current body, at `position` in m, moving at `velocity` in m/s, of `mass_kg`. Returns its number.
    pub fn vertex(&mut self, position: Vec3, velocity: Vec3, mass_kg: f64) -> u32 {
        if self.bodies.is_empty() {
            self.body("body");
        }
        let v = self.positions.len() as u32;
        self.positions.push(position);
        self.velocities.push(velocity);
        self.masses.push(mass_kg);
        self.pinned.push(Axes { x: false, y: false, z: false });
        if let Some(body) = self.bodies.last_mut() {
            body.vertices.end = v + 1;
        }
        v
    }

    /// Adds mass to a vertex, in kg.
    pub fn add_mass(&mut self, vertex: u32, mass_kg: f64) {
        self.masses[vertex as usize] += mass_kg;
    }

    /// Puts a vertex or an auxiliary degree of freedom somewhere else, and sets it moving if a velocity is given; along axes that are held it keeps the one
    /// it has.
    pub fn place(&mut self, vertex: u32, position: Vec3, velocity: Option<Vec3>) {
        let (x, u, held) = if let Some(auxiliary) = vertex.checked_sub(FIRST_AUXILIARY) {
            let AuxiliaryStart { position, velocity, pinned, .. } =
                &mut self.auxiliary_dofs[auxiliary as usize];
            (position, velocity, *pinned)
        } else {
            let v = vertex as usize;
            (&mut self.positions[v], &mut self.velocities[v], self.pinned[v])
        };
        *x = position;
        if let Some(new) = velocity {
            let pick = |held: bool, old: f64, new: f64| if held { old } else { new };
            *u = Vec3::new(pick(held.x, u.x, new.x), pick(held.y, u.y, new.y), pick(held.z, u.z, new.z));
        }
    }

    /// Chooses steps for the start as it is now, wherever vertices are placed from here on.
    pub fn remember_start(&mut self) {
        let auxiliary = |of: fn(&AuxiliaryStart) -> Vec3| self.auxiliary_dofs.iter().map(of);
        let positions = self.positions.iter().copied().chain(auxiliary(|start| start.position)).collect();
        let velocities = self.velocities.iter().copied().chain(auxiliary(|start| start.velocity)).collect();
        self.remembered = Some([positions, velocities]);
    }

    /// Positions and velocities of vertices and auxiliary degrees of freedom that steps are chosen for, if they are not those of the start.
    #[must_use]
    pub fn remembered_start(&self) -> Option<&[Vec<Vec3>; 2]> {
        self.remembered.as_ref()
    }

    /// Holds a vertex or an angle where it is along these axes; its velocity along them becomes zero.
    pub fn pin(&mut self, vertex: u32, axes: Axes) {
        let (held, u) = match vertex.checked_sub(FIRST_AUXILIARY) {
            Some(auxiliary) => {
                let AuxiliaryStart { pinned, velocity, .. } = &mut self.auxiliary_dofs[auxiliary as usize];
                (pinned, velocity)
            }
            None => (&mut self.pinned[vertex as usize], &mut self.velocities[vertex as usize]),
        };
        *held = Axes { x: held.x | axes.x, y: held.y | axes.y, z: held.z | axes.z };
        *u = Vec3::new(
            if held.x { 0.0 } else { u.x },
            if held.y { 0.0 } else { u.y },
            if held.z { 0.0 } else { u.z },
        );
    }

    /// Lets nothing change the velocity of a vertex: an obstacle that moves. Its mass counts nowhere.
    pub fn drive(&mut self, vertex: u32) {
        self.pinned[vertex as usize] = Axes::ALL;
    }

    /// Adds an element on the vertices `stencil`; `extent` is its area, length or volume (1 if it has none).
    pub fn add<E: Element<N, P>, const N: usize, const P: usize>(
        &mut self,
        element: E,
        stencil: [u32; N],
        owner: Owner,
        extent: f64,
    ) -> ElementRef {
        let store = self.stores.entry(E::KIND).or_insert_with(|| Box::new(ElementStore::<E, N, P>::new()));
        let store =
            store.as_any().downcast_mut::<ElementStore<E, N, P>>().expect("a kind has one type of element");
        store.push(element, stencil, owner, extent);
        ElementRef { kind: E::KIND, element: store.len() - 1 }
    }

    /// Gives an element a step of its own, in s.
    pub fn give_step(&mut self, element: ElementRef, step_s: f64) {
        self.given.insert((element.kind, element.element), step_s);
    }

    /// Damps an element: its strain relaxes within about `damping_s`, if nothing else acts.
    ///
    /// # Panics
    /// If elements of this kind have no resistance.
    pub fn damp(&mut self, element: ElementRef, damping_s: f64) {
        let store = self.stores.get_mut(element.kind).expect("the element was added");
        store.damp(element.element, damping_s);
    }

    /// Tells vertices where to be at which times: see [`crate::Path`]. Nothing else moves them.
    pub fn tell(&mut self, timetable: Timetable) {
        for &v in &timetable.vertices {
            self.velocities[v as usize] = Vec3::ZERO;
            self.drive(v);
        }
        self.timetables.push(timetable);
    }

    /// Adds a whole family, such as users' closures.
    pub fn family(&mut self, family: Arc<dyn Family>) {
        self.other_families.push(family);
    }

    /// Positions so far, in m.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Masses so far, in kg.
    #[must_use]
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// The system and its state at tick 0.
    pub fn build(self, options: &ClockOptions) -> Result<(System, State), BuildError> {
        if !(options.safety > 0.0 && options.safety <= 1.0) {
            return Err(BuildError::Safety(options.safety));
        }
        self.check_vertices()?;
        let Self {
            mut positions,
            mut velocities,
            mut masses,
            mut pinned,
            bodies,
            auxiliary_dofs,
            stores,
            timetables,
            other_families,
            given,
            remembered,
        } = self;
        let places = positions.len() as u32;
        for start in &auxiliary_dofs {
            positions.push(start.position);
            velocities.push(start.velocity);
            masses.push(start.inertia);
            pinned.push(start.pinned);
        }
        let mut families: Vec<Arc<dyn Family>> =
            stores.into_values().map(|store| store.finish(places)).collect();
        families.extend(other_families);
        families.sort_by_key(|f| f.properties().order);
        check_order(&families)?;

        let is_damped = families.iter().any(|f| (0..f.len()).any(|e| f.damping_s(e) > 0.0));
        let steps_at = remembered.as_ref().map_or(&positions, |[positions, _]| positions);
        let proposals = propose(&families, steps_at, &masses, &given, options)?;
        let (line, schedules) = schedule(&proposals, options)?;
        let free = |held: bool, m: f64| if held { 0.0 } else { 1.0 / m };
        let inverse_masses = masses
            .iter()
            .zip(&pinned)
            .map(|(&m, held)| Vec3::new(free(held.x, m), free(held.y, m), free(held.z, m)))
            .collect();
        let paths = timetables.into_iter().map(|table| table.on(&line)).collect::<Result<_, _>>()?;
        let state = State::new(positions, velocities, line.quantum);
        let system = System {
            masses,
            inverse_masses,
            families,
            schedules,
            contact: None,
            line,
            start: options.start,
            paths,
            is_damped,
            bodies,
            auxiliary_dofs: auxiliary_dofs.into_iter().map(|start| start.auxiliary).collect(),
        };
        Ok((system, state))
    }

    /// Whether every mass is positive, and everything finite.
    fn check_vertices(&self) -> Result<(), BuildError> {
        if self.positions.is_empty() {
            return Err(BuildError::Empty);
        }
        for body in &self.bodies {
            for v in body.vertices.clone() {
                let (i, vertex) = (v as usize, v - body.vertices.start);
                let mass_kg = self.masses[i];
                if !(mass_kg > 0.0 && mass_kg.is_finite()) {
                    return Err(BuildError::Massless { body: body.name.clone(), vertex, mass_kg });
                }
                if !(self.positions[i].is_finite() && self.velocities[i].is_finite()) {
                    return Err(BuildError::NotFinite { body: body.name.clone(), vertex });
                }
            }
        }
        for &AuxiliaryStart { auxiliary, position, velocity, inertia, .. } in &self.auxiliary_dofs {
            if !(position.is_finite() && velocity.is_finite() && inertia.is_finite() && inertia > 0.0) {
                let body = self.bodies[auxiliary.body as usize].name.clone();
                return Err(BuildError::BadAngle { body, angle: position, rate: velocity, inertia });
            }
        }
        Ok(())
    }
}

/// Sums are in the order of the numbers of kinds: no two kinds may have the same.
fn check_order(families: &[Arc<dyn Family>]) -> Result<(), BuildError> {
    let same = families
        .windows(2)
        .find(|f| f[0].properties().order == f[1].properties().order && f[0].kind() != f[1].kind());
    same.map_or(Ok(()), |f| {
        Err(BuildError::SameOrder { first: f[0].kind(), second: f[1].kind(), order: f[0].properties().order })
    })
}

/// An element just added, for [`SystemBuilder::give_step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementRef {
    kind: &'static str,
    element: usize,
}

impl ElementRef {
    /// The kind of the element's family.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        self.kind
    }

    /// The element's number within its family.
    #[must_use]
    pub const fn number(self) -> usize {
        self.element
    }
}
