//! From vertices and elements to a [`System`] with clocks.
//!
//! Each potential proposes a stable step from its stiffness and its share of the masses; a safety
//! factor scales it; the time line rounds it down. A step that the user gave is taken as it is.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use carom_math::Vec3;
use carom_time::{Clocks, StepError, TimeLine};

use crate::auxiliary_dof::{AuxiliaryStart, FIRST_AUXILIARY};
use crate::{
    Body, Element, ElementStore, Family, Owner, Schedule, Start, State, System, Timetable, element_limits_s,
};

/// What shares a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// Every potential has its own: the paper's triangulation-free form.
    #[default]
    Potential,
    /// All potentials of one triangle or tetrahedron share the shortest of theirs, as in [Vouga2010, §3].
    Element,
}

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

/// How clocks are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClockOptions {
    /// How steps are rounded.
    pub clocks: Clocks,
    /// What shares a clock.
    pub per: Per,
    /// How the first kick is made.
    pub start: Start,
    /// Fraction of its own stability limit at which each potential runs.
    pub safety: f64,
    /// One step for all elastic potentials, in s, instead of the proposals.
    pub step_s: Option<f64>,
    /// Step of potentials that nothing limits (gravity on a free point), in s.
    pub idle_step_s: f64,
}

impl Default for ClockOptions {
    fn default() -> Self {
        Self {
            clocks: Clocks::Dyadic,
            per: Per::Potential,
            start: Start::HalfKick,
            safety: 0.3,
            step_s: None,
            idle_step_s: 1e-3,
        }
    }
}

/// A system that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A vertex without mass.
    #[error(
        "vertex {vertex} of body {body} has mass {mass_kg} kg: every vertex needs a positive, finite mass"
    )]
    Massless {
        /// Name of the body.
        body: String,
        /// Vertex of that body.
        vertex: u32,
        /// Its mass, in kg.
        mass_kg: f64,
    },
    /// A coordinate or velocity that is no number.
    #[error("vertex {vertex} of body {body} starts at a position or velocity that is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Vertex of that body.
        vertex: u32,
    },
    /// A potential that proposes no step.
    #[error("{kind} {owner:?} proposes a step of {step_s} s: its stiffness at the start is not finite")]
    NoStep {
        /// The kind of potential.
        kind: String,
        /// Which one.
        owner: Owner,
        /// What it proposed, in s.
        step_s: f64,
    },
    /// A safety factor outside (0, 1].
    #[error("a safety factor of {0} is not in (0, 1]")]
    Safety(f64),
    /// Steps that do not fit one time line.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An angle without inertia, or that starts nowhere.
    #[error(
        "an angle of body {body} starts at {angle:?} rad and {rate:?} rad/s with a moment of inertia of {inertia} kg m2: \
         all must be finite, and the inertia positive"
    )]
    BadAngle {
        /// Name of the body.
        body: String,
        /// Where it starts, in rad.
        angle: Vec3,
        /// How fast it turns, in rad/s.
        rate: Vec3,
        /// Its moment of inertia, in kg·m².
        inertia: f64,
    },
    /// Two kinds with one place in the sums: nothing would say which comes first.
    #[error("{first} and {second} have the same order number {order}: every kind of potential needs its own")]
    SameOrder {
        /// One kind.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// The number of both.
        order: u32,
    },
    /// No vertices at all.
    #[error("the scene has no vertices: add a [[body]]")]
    Empty,
}

/// A family under construction: it can still grow and be looked at as its concrete type.
trait Growing: Any {
    fn as_any(&mut self) -> &mut dyn Any;
    fn damp(&mut self, element: usize, damping_s: f64);
    /// Ghosts were numbered from [`FIRST_AUXILIARY`]; they come after `places` vertices.
    fn finish(self: Box<Self>, places: u32) -> Arc<dyn Family>;
}

impl<E: Element<N, P>, const N: usize, const P: usize> Growing for ElementStore<E, N, P> {
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
    stores: BTreeMap<&'static str, Box<dyn Growing>>,
    /// Prescribed motions.
    timetables: Vec<Timetable>,
    /// Families that are no bank: users' closures.
    others: Vec<Arc<dyn Family>>,
    /// Steps the user gave to elements, by (kind, element), in s.
    given: BTreeMap<(&'static str, usize), f64>,
}

impl SystemBuilder {
    /// Nothing yet.
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

    /// Puts a vertex or a ghost somewhere else, and sets it moving if a velocity is given; along axes that are held it keeps the one
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
        self.others.push(family);
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
            others,
            given,
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
        families.extend(others);
        families.sort_by_key(|f| f.order());
        check_order(&families)?;

        let is_damped = families.iter().any(|f| (0..f.len()).any(|e| f.damping_s(e) > 0.0));
        let proposals = propose(&families, &positions, &masses, &given, options)?;
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
    let same = families.windows(2).find(|f| f[0].order() == f[1].order() && f[0].kind() != f[1].kind());
    same.map_or(Ok(()), |f| {
        Err(BuildError::SameOrder { first: f[0].kind(), second: f[1].kind(), order: f[0].order() })
    })
}

/// An element just added, for [`SystemBuilder::give_step`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementRef {
    kind: &'static str,
    element: usize,
}

impl ElementRef {
    /// Its family's kind.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        self.kind
    }

    /// Its number within the family.
    #[must_use]
    pub const fn number(self) -> usize {
        self.element
    }
}

/// The step of one potential before rounding.
#[derive(Clone, Copy)]
struct Proposal {
    seconds: f64,
    given: bool,
    owner: Owner,
}

fn propose(
    families: &[Arc<dyn Family>],
    positions: &[Vec3],
    masses: &[f64],
    given: &BTreeMap<(&'static str, usize), f64>,
    options: &ClockOptions,
) -> Result<Vec<Vec<Proposal>>, BuildError> {
    let mut all = Vec::with_capacity(families.len());
    for family in families {
        let user =
            |e: usize| given.get(&(family.kind(), e)).copied().or(family.given_step_s(e)).or(options.step_s);
        let given_s: Vec<Option<f64>> = (0..family.len()).map(user).collect();
        // Limits take their time: they are asked for where some element has no step of its own.
        let is_proposed = given_s.iter().any(Option::is_none);
        let limits =
            if is_proposed { element_limits_s(family.as_ref(), positions, masses) } else { Vec::new() };
        let mut proposals = Vec::with_capacity(family.len());
        for (e, user) in given_s.into_iter().enumerate() {
            let owner = family.owner(e);
            let seconds = user.unwrap_or_else(|| options.safety * limits[e]);
            if seconds.is_nan() || seconds <= 0.0 {
                return Err(BuildError::NoStep { kind: family.kind().into(), owner, step_s: seconds });
            }
            proposals.push(Proposal { seconds, given: user.is_some(), owner });
        }
        all.push(proposals);
    }
    keep_up_with_neighbours(families, &mut all, positions.len(), options);
    if options.per == Per::Element {
        share_by_owner(&mut all);
    }
    Ok(all)
}

/// How long a potential's step may be, over the shortest stability limit 2/Ω at its vertices.
///
/// A slow force sees its vertices only when it fires. Left to its own limit, the bending of thin cloth would look
/// once in 500 kicks of the membrane: stable by itself, but where its step is a multiple of a half period π/Ω of the
/// fastest motion there, the two resonate [Fong2008, abstract]. This keeps the step below the first of them. With 16
/// times the shortest step instead, a cloth that folds over a ball gained 43 % of its energy at the default safety; with this rule it
/// keeps it (the table is in `docs/theory/steps.md`).
const SLOWEST_AT_A_VERTEX: f64 = 1.25;

/// Shortens chosen steps that fall too far behind what moves their vertices. A potential that nothing limits
/// (gravity, a load) fires with the fastest at its vertices: it costs next to nothing.
///
/// Where an element is damped, whatever acts on its vertices keeps up with it wholly: two forces that balance set the vertices moving between a
/// kick of the one and those of the other, and what the damping takes from that motion nothing has paid for. A can crushed with bending on a slower
/// clock than stretching misbooked 4.7 % of the work, and at most 4e-4 on one clock.
fn keep_up_with_neighbours(
    families: &[Arc<dyn Family>],
    all: &mut [Vec<Proposal>],
    vertices: usize,
    options: &ClockOptions,
) {
    // Proposals are the safety factor times the limit.
    let slowest = (SLOWEST_AT_A_VERTEX / options.safety).max(1.0);
    let mut shortest_at = vec![f64::INFINITY; vertices];
    let mut shortest_damped_at = vec![f64::INFINITY; vertices];
    for (family, proposals) in families.iter().zip(all.iter()) {
        for (e, proposal) in proposals.iter().enumerate() {
            let is_damped = family.damping_s(e) > 0.0;
            for &v in family.stencil(e) {
                let v = v as usize;
                shortest_at[v] = shortest_at[v].min(proposal.seconds);
                if is_damped {
                    shortest_damped_at[v] = shortest_damped_at[v].min(proposal.seconds);
                }
            }
        }
    }
    for (family, proposals) in families.iter().zip(all.iter_mut()) {
        for (e, proposal) in proposals.iter_mut().enumerate().filter(|(_, p)| !p.given) {
            let least =
                |at: &[f64]| family.stencil(e).iter().map(|&v| at[v as usize]).fold(f64::INFINITY, f64::min);
            let (there, damped) = (least(&shortest_at), least(&shortest_damped_at));
            proposal.seconds = match (proposal.seconds.is_infinite(), there.is_infinite()) {
                (true, true) => options.idle_step_s,
                (true, false) => there,
                _ => proposal.seconds.min(slowest * there).min(damped),
            };
        }
    }
}

/// Potentials of one part of a body take the shortest of their steps; one that the user gave stays.
fn share_by_owner(all: &mut [Vec<Proposal>]) {
    let mut shortest: BTreeMap<Owner, f64> = BTreeMap::new();
    for proposal in all.iter().flatten() {
        let step = shortest.entry(proposal.owner).or_insert(f64::INFINITY);
        *step = step.min(proposal.seconds);
    }
    for proposal in all.iter_mut().flatten().filter(|p| !p.given) {
        proposal.seconds = shortest[&proposal.owner];
    }
}

fn schedule(all: &[Vec<Proposal>], options: &ClockOptions) -> Result<(TimeLine, Vec<Schedule>), BuildError> {
    let steps = || all.iter().flatten();
    let shortest = steps().map(|p| p.seconds).fold(f64::INFINITY, f64::min);
    let longest = steps().map(|p| p.seconds).fold(0.0, f64::max);
    let longest_given = steps().filter(|p| p.given).map(|p| p.seconds).reduce(f64::max);
    let line = if steps().next().is_none() {
        TimeLine::new(options.clocks, options.idle_step_s, options.idle_step_s, None)?
    } else {
        TimeLine::new(options.clocks, shortest, longest, longest_given)?
    };
    let schedules = all
        .iter()
        .map(|family| {
            family.iter().map(|p| line.span(p.seconds)).collect::<Result<_, _>>().map(Schedule::new)
        })
        .collect::<Result<_, _>>()?;
    Ok((line, schedules))
}
