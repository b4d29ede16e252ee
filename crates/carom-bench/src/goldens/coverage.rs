//! What the golden runs must touch together: every kind of potential, pair, body, law and layer, and every way to start, drive and end a run.

use std::collections::BTreeSet;

use carom::job::Numbers;
use carom_elastic::registry;
use carom_engine::{MethodKind, MethodSummary, Outcome, Snapshot};
use carom_model::{DofKind, Fault, LAWS, LayerFamily, PairKind, Start, System};
use carom_scene::format::{ClockPer, MATERIALS, SceneFile};
use carom_scene::{LOADS, PROBES, ProbeKind};
use carom_time::Clocks;

use super::runs::Run;

/// What runs have touched so far.
#[derive(Default)]
pub struct Coverage {
    touched: BTreeSet<String>,
    /// Rows of the present run at which friction was not spent.
    rows_with_unspent: u64,
}

impl Coverage {
    fn touch(&mut self, what: impl Into<String>) {
        self.touched.insert(what.into());
    }

    /// A run begins: what it is made of.
    pub fn begin(&mut self, run: &Run) {
        self.rows_with_unspent = 0;
        self.touch(method(run.method));
        self.see_system(&run.system);
        run.scene.iter().for_each(|scene| self.see_scene(scene));
        run.probes.iter().for_each(|seen| self.touch(probe(seen.kind)));
    }

    fn see_system(&mut self, system: &System) {
        let families = system.families.iter().filter(|family| !family.is_empty());
        families.for_each(|family| self.touch(potential(family.kind())));
        self.touch(match system.line.clocks {
            Clocks::Dyadic => DYADIC,
            Clocks::Exact => EXACT,
        });
        self.touch(match system.start {
            Start::HalfKick => HALF_KICK,
            Start::Paper => PAPER,
        });
        system.auxiliary_dofs.iter().for_each(|auxiliary| self.touch(dof_kind(auxiliary.dof_kind)));
        if system.is_damped {
            self.touch(DAMPING);
        }
        if !system.paths.is_empty() {
            self.touch(DRIVE);
        }
        let Some(contact) = &system.contact else { return };
        for spec in &contact.layers {
            self.touch(layers(spec.family));
            let acting = LAWS.iter().filter(|descriptor| !descriptor.is_ideal_in(spec.law));
            acting.for_each(|descriptor| self.touch(law(descriptor.parameter.name)));
        }
        if !contact.period.is_zero() {
            self.touch(PERIODIC);
        }
    }

    fn see_scene(&mut self, scene: &SceneFile) {
        for body in &scene.bodies {
            self.touch(body.material.as_ref().map_or(OBSTACLE.to_owned(), |given| material(given.name())));
            if body.drag.is_some() {
                self.touch(DRAG);
            }
        }
        self.touch(match scene.clocks.per {
            ClockPer::Potential => PER_POTENTIAL,
            ClockPer::Element => PER_ELEMENT,
        });
        for given in &scene.loads {
            LOADS.iter().filter(|kind| kind.is_in(given)).for_each(|kind| self.touch(load(kind.name)));
            if given.profile.is_some() {
                self.touch(PROFILE);
            }
        }
        if !scene.pins.is_empty() {
            self.touch(PIN);
        }
    }

    /// A row of the run.
    pub fn see(&mut self, snapshot: &Snapshot) {
        snapshot.pairs.iter().for_each(|id| self.touch(pair(id.kind)));
        self.rows_with_unspent += u64::from(!snapshot.state.unspent.is_empty());
    }

    /// The run is over.
    pub fn end(&mut self, run: &Run, outcome: &Outcome, numbers: &Numbers, summary: &MethodSummary) {
        self.touch(match &outcome.fault {
            None => REACHED,
            Some(Fault::NotFinite { .. }) => NOT_FINITE,
            Some(Fault::Collapsed { .. }) => COLLAPSED,
            Some(Fault::Squeezed { .. }) => SQUEEZED,
            Some(Fault::Tolerance { .. }) => ENERGY_OFF,
            Some(Fault::PrescribedCrossing { .. }) => unreachable!("such a scene is refused"),
        });
        let tolerance = run.built.as_ref().and_then(|built| built.energy_tolerance);
        if tolerance.is_some() && summary.refinements.is_empty() && summary.given_up.is_none() {
            self.touch(KEPT);
        }
        for refinement in &summary.refinements {
            if refinement.elements > 0 {
                self.touch(REFINED_ELEMENTS);
            }
            if refinement.layers > 0 {
                self.touch(REFINED_LAYERS);
            }
            if refinement.in_vain.is_some() {
                self.touch(IN_VAIN);
            }
        }
        if summary.given_up.is_some() && outcome.fault.is_none() {
            self.touch(GIVEN_UP);
        }
        // More searches than rows, and friction unspent at most rows: some of it was carried over a search.
        let contact = summary.contact.as_ref();
        if contact.is_some_and(|c| c.searches > run.rows) && 2 * self.rows_with_unspent > run.rows {
            self.touch(FRICTION_ACROSS_A_SEARCH);
        }
        let columns = run.probes.iter().flat_map(|probe| probe.kind.columns);
        let last = numbers.readings.last().map_or(&[][..], |row| &row.values);
        if columns.zip(last).any(|(column, value)| column.name == "meetings" && *value > 0.0) {
            self.touch(MEETINGS);
        }
    }

    /// What no run has touched.
    pub fn missing(&self) -> Vec<String> {
        expected().into_iter().filter(|what| !self.touched.contains(what)).collect()
    }
}

const DYADIC: &str = "dyadic clocks";
const EXACT: &str = "exact clocks";
const PER_POTENTIAL: &str = "a clock for each potential";
const PER_ELEMENT: &str = "a clock for each element";
const HALF_KICK: &str = "the start with half a kick";
const PAPER: &str = "the start of the paper";
const DAMPING: &str = "damping";
const PROFILE: &str = "a load with a profile";
const DRAG: &str = "drag";
const OBSTACLE: &str = "an obstacle";
const PIN: &str = "a pin";
const DRIVE: &str = "a drive";
const PERIODIC: &str = "a periodic box";
const MEETINGS: &str = "meetings counted by a probe";
const FRICTION_ACROSS_A_SEARCH: &str = "friction that is unspent across a search";
const REACHED: &str = "a run that reaches its end";
const NOT_FINITE: &str = "a vertex that is no longer finite";
const COLLAPSED: &str = "an element that collapses";
const SQUEEZED: &str = "a pair that is squeezed";
const ENERGY_OFF: &str = "energy that is off with the shortest steps";
const KEPT: &str = "energy that is kept to a tolerance";
const REFINED_ELEMENTS: &str = "energy for which elements get shorter steps";
const REFINED_LAYERS: &str = "energy for which layers get shorter steps";
const IN_VAIN: &str = "energy for which shorter steps do not help";
const GIVEN_UP: &str = "energy that is off with steps that are given";

/// All that must be touched. Lists of variants stand beside a `match` over them, so that a new variant is not forgotten.
fn expected() -> BTreeSet<String> {
    let alone = [
        DYADIC,
        EXACT,
        PER_POTENTIAL,
        PER_ELEMENT,
        HALF_KICK,
        PAPER,
        DAMPING,
        PROFILE,
        DRAG,
        OBSTACLE,
        PIN,
        DRIVE,
        PERIODIC,
        MEETINGS,
        FRICTION_ACROSS_A_SEARCH,
        REACHED,
        NOT_FINITE,
        COLLAPSED,
        SQUEEZED,
        ENERGY_OFF,
        KEPT,
        REFINED_ELEMENTS,
        REFINED_LAYERS,
        IN_VAIN,
        GIVEN_UP,
    ];
    let mut all: BTreeSet<String> = alone.map(str::to_owned).into();
    all.extend(registry::KINDS.iter().map(|kind| potential(kind.kind)));
    all.extend(MATERIALS.iter().map(|kind| material(kind.name)));
    all.extend(LOADS.iter().map(|kind| load(kind.name)));
    all.extend(LAWS.iter().map(|descriptor| law(descriptor.parameter.name)));
    let methods = MethodKind::ALL.into_iter().filter(|method| *method != MethodKind::Reference);
    all.extend(methods.map(method));
    let pairs = [
        PairKind::VertexFace,
        PairKind::EdgeEdge,
        PairKind::VertexEdge,
        PairKind::VertexVertex,
        PairKind::Soft,
    ];
    all.extend(pairs.map(|kind| pair(kind).to_owned()));
    let families = [LayerFamily::Acm, LayerFamily::Nested, LayerFamily::Window, LayerFamily::Hertz];
    all.extend(families.map(|family| layers(family).to_owned()));
    all.extend([DofKind::Twist, DofKind::Spin, DofKind::Memory].map(|what| dof_kind(what).to_owned()));
    all.extend(PROBES.iter().map(probe));
    all
}

fn potential(kind: &str) -> String {
    format!("the potential {kind}")
}

fn method(method: MethodKind) -> String {
    format!("the method {}", method.name())
}

fn material(name: &str) -> String {
    format!("the material {name}")
}

fn load(name: &str) -> String {
    format!("the load {name}")
}

fn law(name: &str) -> String {
    format!("the contact law {name}")
}

const fn pair(kind: PairKind) -> &'static str {
    match kind {
        PairKind::VertexFace => "a vertex and a triangle",
        PairKind::EdgeEdge => "two edges",
        PairKind::VertexEdge => "a vertex and an edge",
        PairKind::VertexVertex => "two points",
        PairKind::Soft => "two soft spheres",
    }
}

const fn layers(family: LayerFamily) -> &'static str {
    match family {
        LayerFamily::Acm => "the layers acm",
        LayerFamily::Nested => "the layers nested",
        LayerFamily::Window => "the layers window",
        LayerFamily::Hertz => "the layer of Hertz",
    }
}

const fn dof_kind(dof_kind: DofKind) -> &'static str {
    match dof_kind {
        DofKind::Position => "a place",
        DofKind::Twist => "an angle of a rod",
        DofKind::Spin => "a spin of a grain",
        DofKind::Memory => "an element that remembers",
    }
}

fn probe(kind: &ProbeKind) -> String {
    format!("a probe of {}", kind.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_touched_is_missing_and_what_was_touched_is_not() {
        let mut coverage = Coverage::default();
        assert_eq!(coverage.missing().len(), expected().len());
        coverage.touch(potential("spring"));
        coverage.touch(pair(PairKind::Soft));
        let missing = coverage.missing();
        assert_eq!(missing.len(), expected().len() - 2);
        assert!(missing.contains(&"the potential closure-field".to_owned()));
        assert!(!missing.contains(&"the potential spring".to_owned()));
    }
}
