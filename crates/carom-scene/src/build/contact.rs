//! Contact between the bodies, and starts that it cannot accept.
//!
//! | at the start | is |
//! | --- | --- |
//! | contact thinner than rounding allows at the largest coordinate | refused |
//! | surfaces that cross, or nearer than the deepest layer | refused |
//! | surfaces within their layers | refused, unless the scene says `start_inside` |
//! | pairs of one body without distance at rest | refused |
//! | neighbours along a rod nearer than its diameter | left out of contact, and noted |

use std::borrow::Cow;

use carom_contact::{
    BodySurface, CandidateDistance, Complaint, ContactBodies, ContactTuning, Grains, PairRules, SoftGrains,
    TooNear, near_pairs, too_near_at_rest, too_thin, tune_contact_of, with_contact,
};
use carom_geometry::Mesh;
use carom_geometry::crossings::{edge_face_crossings, face_crossings};
use carom_model::{Absent, Against, LAWS, Law, LawDescriptor, State, System};

use super::lossy::{keep_up_with_first_layers, keep_up_with_lossy_contact, keep_up_with_pressed_contact};
use super::{Assembly, BodyMesh};
use crate::at::At;
use crate::built::ContactNotes;
use crate::format::{self, Body, ContactBetween, Material};
use crate::report::Problem;

/// Longer lists are counted, not printed.
const MOST_LISTED: usize = 10;

/// Two bodies and what is wrong between two of their primitives, in words.
type Finding = ([u32; 2], String);

impl Assembly<'_> {
    /// The system with the contact of the scene.
    pub(super) fn with_contact(
        &mut self,
        system: System,
        state: &State,
        made_for: &State,
    ) -> Result<(System, Option<ContactNotes>), Vec<Problem>> {
        let Some(wanted) = &self.scene.file.contact else {
            self.warn_about_idle_obstacles();
            return Ok((system, None));
        };
        let mut problems: Vec<Problem> =
            (0..self.bodies.len()).filter_map(|b| self.misplaced_radius(b)).collect();
        problems.extend(self.narrow_box(wanted));
        if !problems.is_empty() {
            return Err(problems);
        }
        self.warn_about_thicker_parts();
        let meshes: Vec<Cow<'_, Mesh>> = self.bodies.iter().map(surface_of).collect();
        let surface = |number: usize| {
            let own = self.scene.file.bodies[number].contact.as_ref();
            let thickness = own.and_then(|c| c.thickness.as_ref()).unwrap_or(&wanted.thickness).get();
            let first_vertex = self.bodies[number].first;
            BodySurface { mesh: &meshes[number], first_vertex, thickness, radius: self.radius(number) }
        };
        let surfaces: Vec<BodySurface<'_>> = (0..self.bodies.len()).map(surface).collect();
        let options = self.contact_options(wanted, &system, made_for);
        let cores: Vec<Option<(Vec<f64>, f64)>> = (0..self.bodies.len()).map(|b| self.hertz(b)).collect();
        let grains: Vec<Grains<'_>> =
            (0..self.bodies.len()).filter_map(|b| self.grains(b, cores[b].as_ref())).collect();
        let pressing = self.pressing(&system, made_for);
        let chosen = |system: &System| {
            let bodies = ContactBodies { surfaces: &surfaces, grains: &grains, pressing: Some(&pressing) };
            let chosen = tune_contact_of(system, made_for, bodies, &options);
            let (contact, choices) = chosen.map_err(|error| {
                let span =
                    wanted.step.as_ref().map_or_else(|| wanted.thickness.span(), crate::Positive::span);
                vec![Problem::new(&span, format!("the first layer of contact: {error}"))]
            })?;
            Ok::<_, Vec<Problem>>((contact.with_laws(|a, b| self.law(wanted, [a, b])), choices))
        };
        let mut system = system;
        let (contact, choices) = loop {
            let (contact, choices) = chosen(&system)?;
            let is_given = |f, e| self.has_given_step(&system, f, e);
            let kept = keep_up_with_lossy_contact(&system, &contact, is_given);
            let kept = keep_up_with_first_layers(&kept, &contact, is_given);
            let kept = keep_up_with_pressed_contact(&kept, &contact, &choices, is_given);
            // Shorter steps of a body shorten those of contact with a third. They only ever shrink.
            if kept.spans_of_all().eq(system.spans_of_all()) {
                break (contact, choices);
            }
            system = kept;
        };
        drop(surfaces);
        drop(meshes);
        let system = with_contact(&system, contact);
        self.refuse_too_thin(&system, state).map_err(|problem| vec![problem])?;
        let rules = PairRules::with_own_numbers(&system);
        let left_out = self.rest_shapes(&system, &rules)?;
        self.starts(&system, &rules, state)?;
        let choices: Vec<ContactTuning> = choices.into_iter().filter(|c| self.can_meet(c.bodies)).collect();
        self.warn_about_choices(&choices);
        Ok((system, Some(ContactNotes { choices, left_out })))
    }

    /// Refuses contact that is thinner than coordinates can say.
    fn refuse_too_thin(&self, system: &System, state: &State) -> Result<(), Problem> {
        let Some(found) = too_thin(system, state) else { return Ok(()) };
        let own = self.scene.file.bodies[found.body as usize].contact.as_ref();
        let wanted = self.scene.file.contact.as_ref().expect("there is contact");
        let thickness = own.and_then(|c| c.thickness.as_ref()).unwrap_or(&wanted.thickness);
        let far = system.bodies.iter().position(|body| body.vertices.contains(&found.farthest));
        let position = far.map_or(0..0, |far| self.scene.file.bodies[far].position.span());
        let problem = Problem::new(&thickness.span(), found.in_words(&system.bodies));
        Err(problem
            .and(&position, "this far")
            .help("move the scene nearer to the origin, or raise the thickness"))
    }

    /// Whether the scene gives the step of an element.
    pub(super) fn has_given_step(&self, system: &System, family: usize, element: usize) -> bool {
        let family = &system.families[family];
        self.scene.file.clocks.step.is_some()
            || family.given_step_s(element).is_some()
            || self.given.contains(&(family.kind(), element))
    }

    /// Contact knows one radius of a rod, whatever its parts have.
    fn warn_about_thicker_parts(&mut self) {
        let scene = self.scene;
        for part in &scene.file.parts {
            let body = &scene.file.bodies[self.body_number(&part.body)];
            let given = body.contact.as_ref().is_some_and(|contact| contact.radius.is_some());
            if let (Some(radius), false) = (&part.radius, given) {
                let message = format!("in contact \"{}\" keeps one radius, that of its material", body.name);
                let problem = Problem::new(&radius.span(), message);
                self.warn(problem.help("give the body a `contact.radius` to choose another"));
            }
        }
    }

    /// Radii of the points of a body that friction may rotate, in m, if there is any.
    pub(super) fn spinning(&self, body: &Body, grains: Option<&[f64]>, points: usize) -> Option<Vec<f64>> {
        let wanted = self.scene.file.contact.as_ref()?;
        let named = |own: &&At<ContactBetween>| own.bodies.iter().any(|name| **name == *body.name);
        let turns = |law: &LawDescriptor| {
            let of_two = wanted.between.iter().filter(named).filter_map(|own| own.number(law.parameter.name));
            let numbers = of_two.chain(wanted.number(law.parameter.name));
            law.acts == Against::Sliding
                && numbers.into_iter().any(|number| law.parameter.absent != Absent::Means(**number))
        };
        let rough = LAWS.iter().any(turns);
        let radius = body.contact.as_ref().and_then(|c| c.radius.as_ref()).map(crate::Positive::get);
        let is_points = body.material.as_ref().is_some_and(|material| material.kind().is_points());
        if !rough || !is_points || body.obstacle {
            return None;
        }
        grains.map(<[f64]>::to_vec).or_else(|| radius.map(|r| vec![r; points]))
    }

    /// Contact laws between two bodies.
    fn law(&self, wanted: &format::Contact, bodies: [u32; 2]) -> Law {
        let mut law = Law::IDEAL;
        let mut set = |number: &dyn Fn(&str) -> Option<f64>| {
            for descriptor in LAWS {
                if let Some(value) = number(descriptor.parameter.name) {
                    *(descriptor.number)(&mut law) = value;
                }
            }
        };
        set(&|name| wanted.number(name).map(|number| **number));
        for own in &wanted.between {
            let [a, b] = [&own.bodies[0], &own.bodies[1]].map(|name| self.body_number(name) as u32);
            if bodies == [a.min(b), a.max(b)] {
                set(&|name| own.number(name).map(|number| **number));
            }
        }
        law
    }

    /// Hard radii and modulus of the soft grains of a body, if it has any.
    fn hertz(&self, number: usize) -> Option<(Vec<f64>, f64)> {
        let hertz = self.scene.file.bodies[number].material.as_ref()?.kind().hertz()?;
        let radii = self.bodies[number].grain_radii.as_ref()?;
        Some((hertz.cores(radii), hertz.modulus_pa()))
    }

    /// The grains of a body, if it has any; soft ones with these cores.
    fn grains<'a>(&'a self, number: usize, cores: Option<&'a (Vec<f64>, f64)>) -> Option<Grains<'a>> {
        let radii = self.bodies[number].grain_radii.as_ref()?;
        let soft = cores.map(|(_, modulus)| SoftGrains { radii, modulus: *modulus });
        Some(Grains { body: number as u32, radii: cores.map_or(radii, |(hard, _)| hard), soft })
    }

    /// Whether a pair of these bodies can come near each other and be pushed apart.
    fn can_meet(&self, [a, b]: [u32; 2]) -> bool {
        let obstacle = |b: u32| self.scene.file.bodies[b as usize].obstacle;
        let single = a == b && self.bodies[a as usize].mesh.positions.len() < 2;
        let both_held = obstacle(a) && obstacle(b);
        !single && !both_held
    }

    /// Hard radius of a body's rods or points, in m.
    pub(super) fn radius(&self, number: usize) -> f64 {
        let body = &self.scene.file.bodies[number];
        let given = body.contact.as_ref().and_then(|c| c.radius.as_ref()).map(crate::Positive::get);
        let of_rod = body.material.as_deref().and_then(Material::radius_m);
        given.or(of_rod).unwrap_or(0.0)
    }

    fn misplaced_radius(&self, number: usize) -> Option<Problem> {
        let body = &self.scene.file.bodies[number];
        let radius = body.contact.as_ref()?.radius.as_ref()?;
        let mesh = &self.bodies[number].mesh;
        if self.bodies[number].grain_radii.is_some() {
            let message = format!("\"{}\" is grains, which have radii of their own", body.name);
            return Some(Problem::new(&radius.span(), message).help("leave it out"));
        }
        let flat = !mesh.triangles.is_empty() || !mesh.tets.is_empty();
        let message = format!("\"{}\" is made of triangles, which have no hard radius", body.name);
        let help = "give it a `thickness`; a radius is for rods and points";
        flat.then(|| Problem::new(&radius.span(), message).help(help))
    }

    /// A periodic box so narrow that two grains could meet through both sides of it.
    fn narrow_box(&self, wanted: &format::Contact) -> Option<Problem> {
        let period = wanted.period.as_ref()?;
        let radii = self.bodies.iter().filter_map(|body| body.grain_radii.as_ref()).flatten();
        let largest = radii.copied().fold(0.0, f64::max);
        let own =
            |b: &At<Body>| b.contact.as_ref().and_then(|c| c.thickness.as_ref()).map(crate::Positive::get);
        let thicknesses = self.scene.file.bodies.iter().filter_map(own);
        let needed = 2.0 * (2.0 * largest + thicknesses.fold(wanted.thickness.get(), f64::max));
        let narrow = period.iter().find(|length| length.get() > 0.0 && length.get() <= needed)?;
        let message = format!("a periodic box must be wider than {needed:.4e} m, twice what two grains need");
        Some(Problem::new(&narrow.span(), message).help("make it wider, or the grains smaller"))
    }

    /// Refuses pairs of one body that no layer suits; returns those left out, in words.
    fn rest_shapes(&self, system: &System, rules: &PairRules) -> Result<Vec<String>, Vec<Problem>> {
        let (mut left_out, mut findings) = (Vec::new(), Vec::new());
        for (pair, why) in too_near_at_rest(rules) {
            let [first, second] = rules.contact().in_words(pair, &system.bodies);
            match why {
                TooNear::Overlap => left_out.push(format!("{first} and {second}")),
                TooNear::Within(d) => {
                    findings.push((rules.bodies_of(pair), format!("{first} and {second}: {d:.3e} m")));
                }
            }
        }
        let help = "merge vertices that coincide; for a fine mesh, lower `contact.thickness` or raise `contact.max_layers`";
        let problems = self.list(&findings, "nearer at rest than the deepest layer", help);
        if problems.is_empty() { Ok(left_out) } else { Err(problems) }
    }

    /// Refuses starts that cross or lie within layers.
    fn starts(&mut self, system: &System, rules: &PairRules, state: &State) -> Result<(), Vec<Problem>> {
        let near = near_pairs(rules, &state.positions);
        let help = "move them apart: nothing may start where it passes through something";
        let problems = self.list(&crossings(system, rules, state, &near), "crossing at the start", help);
        if !problems.is_empty() {
            return Err(problems);
        }
        let energy_of = |f: &CandidateDistance| {
            let x = PairRules::positions(&f.pair, |v| state.positions[v as usize]);
            f.pair.energy(rules.layers_of(&f.pair), &x, &f.pair.measure(&x))
        };
        let mut inside: Vec<&CandidateDistance> = near.iter().filter(|f| energy_of(f) > 0.0).collect();
        inside.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        let Some(nearest) = inside.first() else { return Ok(()) };
        let wanted = self.scene.file.contact.as_ref().expect("there is contact");
        // What came to rest in contact rests within its layers.
        if wanted.start_inside || self.scene.file.from.is_some() {
            let energy: f64 = inside.iter().map(|f| energy_of(f)).sum();
            let message = format!(
                "the start stores {energy:.3e} J in contact: {} pairs are within their layers, the nearest at {:.3e} m",
                inside.len(),
                nearest.distance
            );
            self.warn(Problem::new(&wanted.thickness.span(), message));
            return Ok(());
        }
        let in_words = |f: &&CandidateDistance| {
            let [first, second] = rules.contact().in_words(f.pair.id, &system.bodies);
            (rules.bodies_of(f.pair.id), format!("{first} and {second}: {:.3e} m", f.distance))
        };
        let findings: Vec<Finding> = inside.iter().map(in_words).collect();
        let help = "move them apart, lower `contact.thickness`, or accept the energy with `contact.start_inside = true`";
        Err(self.list(&findings, "nearer at the start than their thickness", help))
    }

    /// One problem for every two bodies, with the first of its findings.
    fn list(&self, findings: &[Finding], what: &str, help: &str) -> Vec<Problem> {
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        for &([a, b], _) in findings {
            let bodies = [a.min(b), a.max(b)];
            if !pairs.contains(&bodies) && pairs.len() < MOST_LISTED {
                pairs.push(bodies);
            }
        }
        let problem = |&[a, b]: &[u32; 2]| {
            let name = |b: u32| &self.scene.file.bodies[b as usize].name;
            let between = |bodies: &[u32; 2]| *bodies == [a, b] || *bodies == [b, a];
            let all: Vec<&String> =
                findings.iter().filter(|(f, _)| between(f)).map(|(_, words)| words).collect();
            let of = if a == b {
                format!("of \"{}\"", name(a))
            } else {
                format!("of \"{}\" and \"{}\"", name(a), name(b))
            };
            let count = if all.len() == 1 { "a pair".to_owned() } else { format!("{} pairs", all.len()) };
            let mut problem = Problem::new(&name(a).span(), format!("{count} {of}: {what}"));
            if a != b {
                problem = problem.and(&name(b).span(), "and this");
            }
            for words in all.iter().take(MOST_LISTED) {
                problem = problem.help(words.as_str());
            }
            if all.len() > MOST_LISTED {
                problem = problem.help(format!("and {} more", all.len() - MOST_LISTED));
            }
            problem.help(help)
        };
        pairs.iter().map(problem).collect()
    }

    fn warn_about_choices(&mut self, choices: &[ContactTuning]) {
        let poor: Vec<([u32; 2], Complaint)> =
            choices.iter().filter_map(|c| c.complaint().map(|complaint| (c.bodies, complaint))).collect();
        let Some(([a, b], Complaint { words, remedy })) = poor.first() else { return };
        let name = |b: &u32| &self.scene.file.bodies[*b as usize].name;
        let more = match poor.len() {
            1 => String::new(),
            n => format!(", and {} more", n - 1),
        };
        let whose = if a == b {
            format!("\"{}\" with itself", name(a))
        } else {
            format!("\"{}\" and \"{}\"", name(a), name(b))
        };
        let message = format!("contact of {whose}{more}: {words}");
        let span = self.scene.file.contact.as_ref().map_or(0..0, |c| c.thickness.span());
        self.warn(Problem::new(&span, message).help(*remedy));
    }

    fn warn_about_idle_obstacles(&mut self) {
        if let Some(body) = self.scene.file.bodies.iter().find(|b| b.obstacle) {
            let message =
                format!("everything passes through obstacle \"{}\": the scene has no contact", body.name);
            self.warn(Problem::new(&body.name.span(), message).help("add `[contact]` with a `thickness`"));
        }
    }
}

/// The surface of a body; a mesh with tetrahedra may list the triangles of its skin a second time.
fn surface_of(body: &BodyMesh) -> Cow<'_, Mesh> {
    if body.mesh.tets.is_empty() || body.mesh.triangles.is_empty() {
        return Cow::Borrowed(&body.mesh);
    }
    Cow::Owned(Mesh { triangles: Vec::new(), ..body.mesh.clone() })
}

/// What crosses where a system starts, in words: the pairs of primitives that no contact could hold apart.
#[must_use]
pub fn crossing_pairs(system: &System, state: &State) -> Vec<String> {
    if system.contact.is_none() {
        return Vec::new();
    }
    let rules = PairRules::with_own_numbers(system);
    let found = crossings(system, &rules, state, &near_pairs(&rules, &state.positions));
    found.into_iter().map(|(_, words)| words).collect()
}

/// Surfaces that cross, and pairs that no layer could hold apart.
fn crossings(system: &System, rules: &PairRules, state: &State, near: &[CandidateDistance]) -> Vec<Finding> {
    let contact = rules.contact();
    let x = &state.positions;
    let free = |vertices: &[u32]| vertices.iter().any(|v| !system.is_held(*v as usize));
    let faces: Vec<[u32; 3]> = contact.faces.iter().map(|f| f.vertices).collect();
    let face = |f: u32| contact.face_in_words(f as usize, &system.bodies);
    let body = |f: u32| contact.faces[f as usize].body;
    let mut findings: Vec<Finding> = Vec::new();
    for c in face_crossings(x, &faces) {
        let [first, second] = [c.first, c.second];
        if !free(&faces[first as usize]) && !free(&faces[second as usize]) {
            continue;
        }
        let words = if first == second {
            format!("{} has no area", face(first))
        } else {
            format!("{} and {}", face(first), face(second))
        };
        findings.push(([body(first), body(second)], words));
    }
    let bare: Vec<usize> = (0..contact.edges.len()).filter(|e| contact.edges[*e].is_bare).collect();
    let edges: Vec<[u32; 2]> = bare.iter().map(|e| contact.edges[*e].vertices).collect();
    for (e, f) in edge_face_crossings(x, &edges, &faces) {
        if free(&edges[e as usize]) || free(&faces[f as usize]) {
            let number = bare[e as usize];
            let words = format!("{} and {}", contact.edge_in_words(number, &system.bodies), face(f));
            findings.push(([contact.edges[number].body, body(f)], words));
        }
    }
    for found in near.iter().filter(|f| f.distance <= rules.layers_of(&f.pair).minimum_gap()) {
        let [first, second] = contact.in_words(found.pair.id, &system.bodies);
        let words = format!("{first} and {second}: {:.3e} m", found.distance);
        findings.push((rules.bodies_of(found.pair.id), words));
    }
    findings
}
