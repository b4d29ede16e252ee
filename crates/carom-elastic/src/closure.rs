//! A user's own potentials, with stencils of any size.
//!
//! | | |
//! | --- | --- |
//! | Energy | what the user's function says |
//! | Gradient | the user's function, or exact from a [`Formula`] by dual numbers |
//! | Stable step | given by the user, and taken as it is |
//! | Degenerate case | the user's: a force that is not finite stops the run |
//!
//! A potential that is unchanged by rigid motion goes into [`Closures::internal`]; one that pushes
//! from outside, such as a field, a wall or a handle, into [`Closures::field`], and what it puts in
//! goes on the external ledger. The two are families of their own, since being internal is a property of a whole family.
//!
//! ```
//! use std::sync::Arc;
//! use carom_elastic::{Closure, Closures, Formula};
//! use carom_math::{Real, Vec3};
//! use carom_model::{Owner, Part};
//!
//! /// Three points that resist a change of the area between them.
//! struct Soap { tension: f64 }
//!
//! impl Formula for Soap {
//!     fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S {
//!         (x[1] - x[0]).cross(x[2] - x[0]).length() * (0.5 * self.tension)
//!     }
//! }
//!
//! let owner = Owner { body: 0, part: Part::Other(0) };
//! let mut film = Closures::internal();
//! film.push(Closure::from_formula(Soap { tension: 0.03 }, vec![0, 1, 2], owner, 1e-4));
//! let family = Arc::new(film); // for SystemBuilder::family
//! # let _: Arc<dyn carom_model::Family> = family;
//! ```

use std::sync::Arc;

use carom_math::{Dual, ExactLanesSum, F64x4, ImpulseAccumulator, Real, Vec3};
use carom_model::{
    Batch, Damping, FamilyProperties, ImpulseSums, Owner, Packing, Potentials, Stencils, StepLimits,
    TANGENTS, stable_step,
};

use crate::registry::{Descriptor, Role};

/// Energy of a stencil, in J.
pub type EnergyFn = dyn Fn(&[Vec3]) -> f64 + Send + Sync;

/// Gradient of the energy, in N, written over the last argument.
pub type GradientFn = dyn Fn(&[Vec3], &mut [Vec3]) + Send + Sync;

/// Derivative of the gradient at the first argument along the second, in N, written over the last.
pub type HessianFn = dyn Fn(&[Vec3], &[Vec3], &mut [Vec3]) + Send + Sync;

/// An energy written once for every kind of number: its derivatives follow.
pub trait Formula: Send + Sync {
    /// Potential energy, in J.
    fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S;
}

/// One potential of a user.
#[derive(Clone)]
pub struct Closure {
    /// The vertices it reads, in the order its functions see them.
    pub stencil: Vec<u32>,
    /// What it belongs to.
    pub owner: Owner,
    /// Its step, in s: only the user knows how stiff it gets.
    pub step_s: f64,
    /// Its energy.
    pub energy: Arc<EnergyFn>,
    /// Its gradient. Must give the same bits whenever it is asked the same.
    pub gradient: Arc<GradientFn>,
    /// Its Hessian times a displacement, for stability measures; `None` if there is none.
    pub hessian: Option<Arc<HessianFn>>,
}

impl Closure {
    /// A potential from one formula: gradient and Hessian by dual numbers, exact to round-off.
    pub fn from_formula(
        formula: impl Formula + 'static,
        stencil: Vec<u32>,
        owner: Owner,
        step_s: f64,
    ) -> Self {
        let formula = Arc::new(formula);
        let (for_energy, for_gradient) = (Arc::clone(&formula), Arc::clone(&formula));
        Self {
            stencil,
            owner,
            step_s,
            energy: Arc::new(move |x| for_energy.energy(x)),
            gradient: Arc::new(move |x, out| gradient_of(&*for_gradient, x, out)),
            hessian: Some(Arc::new(move |x, dx, out| hessian_times(&*formula, x, dx, out))),
        }
    }
}

/// The three components of one vertex vary; a vertex at a time.
fn vary<S: Real>(x: Vec3<S>) -> Vec3<Dual<3, S>> {
    let unit = |axis: usize| core::array::from_fn(|k| S::constant(if k == axis { 1.0 } else { 0.0 }));
    Vec3::new(Dual::new(x.x, unit(0)), Dual::new(x.y, unit(1)), Dual::new(x.z, unit(2)))
}

/// A vertex that stays where it is.
fn hold<S: Real>(x: Vec3<S>) -> Vec3<Dual<3, S>> {
    let still = |value: S| Dual::new(value, [S::zero(); 3]);
    Vec3::new(still(x.x), still(x.y), still(x.z))
}

fn gradient_of(formula: &impl Formula, x: &[Vec3], out: &mut [Vec3]) {
    with_room(x.len(), hold(Vec3::ZERO), |duals| {
        for (dual, &at) in duals.iter_mut().zip(x) {
            *dual = hold(at);
        }
        for i in 0..x.len() {
            duals[i] = vary(x[i]);
            out[i] = Vec3::from(formula.energy(duals).tangent);
            duals[i] = hold(x[i]);
        }
    });
}

fn hessian_times(formula: &impl Formula, x: &[Vec3], dx: &[Vec3], out: &mut [Vec3]) {
    let along = |x: f64, d: f64| Dual::<1>::new(x, [d]);
    let moving: Vec<Vec3<Dual>> =
        x.iter().zip(dx).map(|(x, d)| Vec3::new(along(x.x, d.x), along(x.y, d.y), along(x.z, d.z))).collect();
    let mut duals: Vec<Vec3<Dual<3, Dual>>> = moving.iter().map(|&at| hold(at)).collect();
    for i in 0..x.len() {
        duals[i] = vary(moving[i]);
        out[i] = Vec3::from(formula.energy(&duals).tangent.map(|slope| slope.tangent[0]));
        duals[i] = hold(moving[i]);
    }
}

/// Stencils up to this size need no memory from the heap.
const SMALL: usize = 16;

/// Calls `f` with room for `n` values, all equal to `filler`.
fn with_room<T: Copy, R>(n: usize, filler: T, f: impl FnOnce(&mut [T]) -> R) -> R {
    if n <= SMALL { f(&mut [filler; SMALL][..n]) } else { f(&mut vec![filler; n]) }
}

/// All of a user's potentials of one nature.
#[derive(Clone)]
pub struct Closures {
    properties: FamilyProperties,
    all: Vec<Closure>,
}

impl Closures {
    /// The entry of those whose impulses cancel in the registry.
    pub const INTERNAL: Descriptor = Descriptor {
        kind: "closure",
        group: "closure",
        order: 40,
        about: "A user's potential on any stencil, unchanged by rigid motion.",
        parameters: &[],
        page: "closure",
        damps: false,
        role: Role::Fixed("Rust only"),
    };

    /// The entry of those that push from outside in the registry.
    pub const FIELD: Descriptor = Descriptor {
        kind: "closure-field",
        group: "closure-field",
        order: 50,
        about: "A user's potential on any stencil that pushes from outside.",
        ..Self::INTERNAL
    };

    /// None yet, of those whose impulses cancel.
    #[must_use]
    pub fn internal() -> Self {
        let Descriptor { kind, order, .. } = Self::INTERNAL;
        Self { properties: FamilyProperties::internal(kind, order), all: Vec::new() }
    }

    /// None yet, of those that push from outside.
    #[must_use]
    pub fn field() -> Self {
        let Descriptor { kind, order, .. } = Self::FIELD;
        let internal = FamilyProperties::internal(kind, order);
        Self { properties: FamilyProperties { is_internal: false, ..internal }, all: Vec::new() }
    }

    /// Adds a potential.
    pub fn push(&mut self, closure: Closure) {
        self.all.push(closure);
    }
}

impl Stencils for Closures {
    fn properties(&self) -> FamilyProperties {
        self.properties
    }

    fn len(&self) -> usize {
        self.all.len()
    }

    fn stencil(&self, element: usize) -> &[u32] {
        &self.all[element].stencil
    }

    fn owner(&self, element: usize) -> Owner {
        self.all[element].owner
    }
}

impl Potentials for Closures {
    fn energy(&self, element: usize, x: &[Vec3]) -> f64 {
        (self.all[element].energy)(x)
    }

    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        (self.all[element].gradient)(x, out);
    }

    fn tangents(
        &self,
        element: usize,
        x: &[Vec3],
        dx: &[[Vec3; TANGENTS]],
        out: &mut [[Vec3; TANGENTS]],
    ) -> Option<()> {
        let hessian = self.all[element].hessian.as_ref()?;
        let mut column = vec![Vec3::ZERO; x.len()];
        for k in 0..TANGENTS {
            let along: Vec<Vec3> = dx.iter().map(|d| d[k]).collect();
            hessian(x, &along, &mut column);
            for (out, &value) in out.iter_mut().zip(&column) {
                out[k] = value;
            }
        }
        Some(())
    }
}

impl Damping for Closures {}

impl StepLimits for Closures {
    /// From the Hessian if there is one; without it nothing is known, and the user answers for the step.
    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64 {
        let Some(hessian) = &self.all[element].hessian else {
            return f64::INFINITY;
        };
        let n = 3 * x.len();
        let (mut rows, mut column) = (vec![0.0; n * n], vec![Vec3::ZERO; x.len()]);
        for j in 0..n {
            let mut unit = vec![Vec3::ZERO; x.len()];
            unit[j / 3] = [Vec3::X, Vec3::Y, Vec3::Z][j % 3];
            hessian(x, &unit, &mut column);
            for i in 0..n {
                rows[i * n + j] = column[i / 3][i % 3];
            }
        }
        stable_step(&rows, masses)
    }

    fn given_step_s(&self, element: usize) -> Option<f64> {
        Some(self.all[element].step_s)
    }
}

impl Packing for Closures {
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch> {
        let pick = |&e: &u32| {
            let mut closure = self.all[e as usize].clone();
            for v in &mut closure.stencil {
                *v = renumbered[*v as usize];
            }
            closure
        };
        Box::new(Picked {
            closures: elements.iter().map(pick).collect(),
            is_internal: self.properties.is_internal,
        })
    }
}

/// Closures that fire together, one after the other.
struct Picked {
    closures: Vec<Closure>,
    is_internal: bool,
}

impl Closure {
    /// Calls `f` with the positions of the stencil and the gradient there.
    fn evaluate<R>(&self, x: &[F64x4], f: impl FnOnce(&[Vec3], &[Vec3]) -> R) -> R {
        let n = self.stencil.len();
        with_room(n, Vec3::ZERO, |at| {
            for (at, &v) in at.iter_mut().zip(&self.stencil) {
                *at = x[v as usize].xyz();
            }
            with_room(n, Vec3::ZERO, |gradient| {
                (self.gradient)(at, gradient);
                f(at, gradient)
            })
        })
    }
}

impl Batch for Picked {
    fn kick(&self, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        for closure in &self.closures {
            closure.evaluate(x, |at, gradient| {
                for ((&v, &at), &g) in closure.stencil.iter().zip(at).zip(gradient) {
                    let impulse = g * -h;
                    sums.add(v, impulse);
                    if !self.is_internal {
                        sums.external.fields.add(at, impulse);
                    }
                }
            });
        }
    }

    fn energy_and_forces(
        &self,
        x: &[F64x4],
        forces: &mut [ImpulseAccumulator],
        energy_j: &mut ExactLanesSum,
    ) {
        for closure in &self.closures {
            energy_j.add(closure.evaluate(x, |at, gradient| {
                for (&v, &g) in closure.stencil.iter().zip(gradient) {
                    forces[v as usize].add(-g);
                }
                (closure.energy)(at)
            }));
        }
    }

    fn energies(&self, x: &[F64x4]) -> Vec<f64> {
        self.closures.iter().map(|closure| closure.evaluate(x, |at, _| (closure.energy)(at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spring;
    use crate::check::{Refused, gradient_verdict};
    use carom_model::{Axes, ClockOptions, Element, Part, SystemBuilder};

    const SPRING: Spring = Spring { stiffness: 40.0, rest_length: 0.8 };
    const X: [Vec3; 2] = [Vec3::new(0.3, -0.1, 0.2), Vec3::new(1.9, 0.4, -0.7)];

    /// The energy of a spring, and nothing else.
    struct SpringFormula;

    impl Formula for SpringFormula {
        fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S {
            Spring::energy(&SPRING.params().map(S::constant), &[x[0], x[1]])
        }
    }

    /// A polynomial that couples every vertex with every other, and pushes the first one along z.
    struct Knot {
        push: f64,
    }

    impl Formula for Knot {
        fn energy<S: Real>(&self, x: &[Vec3<S>]) -> S {
            let mut total = x[0].z * -self.push;
            for i in 0..x.len() {
                for j in 0..i {
                    total = total + (x[i] - x[j]).length_sq().squared() * (1.0 + i as f64);
                }
            }
            total
        }
    }

    fn owner(number: u32) -> Owner {
        Owner { body: 0, part: Part::Other(number) }
    }

    fn spring_closure() -> Closure {
        Closure::from_formula(SpringFormula, vec![0, 1], owner(0), 1e-3)
    }

    #[test]
    fn a_formula_has_the_derivatives_of_the_hand_written_element() {
        let mut family = Closures::internal();
        family.push(spring_closure());
        let mut g = [Vec3::ZERO; 2];
        family.gradient(0, &X, &mut g);
        let params = SPRING.params();
        for (ours, theirs) in g.iter().zip(Spring::gradient(&params, &X)) {
            assert!((*ours - theirs).length() < 1e-14 * theirs.length());
        }
        assert_eq!(family.energy(0, &X), Spring::energy(&params, &X));
        let masses = [0.5, 0.2];
        let limit = family.stable_step(0, &X, &masses);
        assert!((limit / SPRING.stable_step(&X, &masses) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn tangents_of_a_formula_are_differences_of_its_gradient() {
        let mut family = Closures::internal();
        family.push(Closure::from_formula(Knot { push: 0.0 }, (0..5).collect(), owner(0), 1e-3));
        let at = |i: usize| Vec3::new((i as f64).sin(), (2.0 * i as f64).cos(), 0.3 * i as f64);
        let x: Vec<Vec3> = (0..5).map(at).collect();
        let dx: Vec<[Vec3; TANGENTS]> = (0..5).map(|i| core::array::from_fn(|k| at(3 * i + k))).collect();
        let mut out = vec![[Vec3::ZERO; TANGENTS]; 5];
        family.tangents(0, &x, &dx, &mut out).unwrap();
        let d = 1e-5;
        for k in 0..TANGENTS {
            let gradient = |sign: f64| {
                let moved: Vec<Vec3> = x.iter().zip(&dx).map(|(x, dx)| *x + dx[k] * (sign * d)).collect();
                let mut g = vec![Vec3::ZERO; 5];
                family.gradient(0, &moved, &mut g);
                g
            };
            for ((plus, minus), out) in gradient(1.0).iter().zip(gradient(-1.0)).zip(&out) {
                let difference = (*plus - minus) * (0.5 / d);
                assert!((difference - out[k]).length() < 1e-6 * (1.0 + difference.length()));
            }
        }
    }

    #[test]
    fn the_gradient_of_a_formula_passes_the_ruler_on_stencils_small_and_large() {
        let x: [Vec3; 20] =
            core::array::from_fn(|i| Vec3::new((i as f64).sin(), (i as f64).cos(), 0.1 * i as f64));
        let closure = Closure::from_formula(Knot { push: 0.0 }, (0..20).collect(), owner(0), 1e-3);
        let gradient = |x: &[Vec3; 20]| {
            let mut g = [Vec3::ZERO; 20];
            (closure.gradient)(x, &mut g);
            g
        };
        assert_eq!(gradient_verdict(|x| (closure.energy)(x), gradient, &x), Ok::<(), Refused>(()));
    }

    #[test]
    fn a_batch_has_the_bits_of_one_after_the_other_and_books_what_fields_put_in() {
        let x: Vec<Vec3> = (0..24).map(f64::from).map(|i| Vec3::new(i.sin(), i.cos(), 0.1 * i)).collect();
        let renumbered: Vec<u32> = (0..24).rev().collect();
        for (mut family, push) in [(Closures::internal(), 0.0), (Closures::field(), 5.0)] {
            family.push(Closure::from_formula(Knot { push }, vec![3, 1, 7], owner(0), 1e-3));
            family.push(Closure::from_formula(Knot { push }, (2..22).collect(), owner(1), 1e-3));
            let batch = family.batch(&[1, 0], &renumbered);
            let (h, mut impulses, mut looked) =
                (1.0 / 1024.0, ImpulseSums::new(24), vec![ImpulseAccumulator::default(); 24]);
            let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
            batch.kick(h, &rows, &mut impulses);
            let mut energy = ExactLanesSum::default();
            batch.energy_and_forces(&rows, &mut looked, &mut energy);
            // A power of two: as if every force had been taken times the step.
            let looked: Vec<Vec3> = looked.iter().map(|force| force.sum() * h).collect();

            let (mut sums, mut total) = (vec![Vec3::ZERO; 24], 0.0);
            for e in [1, 0] {
                let stencil: Vec<u32> = family.stencil(e).iter().map(|&v| renumbered[v as usize]).collect();
                let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
                let mut g = vec![Vec3::ZERO; at.len()];
                family.gradient(e, &at, &mut g);
                total += family.energy(e, &at);
                for (&v, g) in stencil.iter().zip(g) {
                    sums[v as usize] += g * -h;
                }
            }
            let kicked: Vec<Vec3> = (0..24).map(|v| impulses.sum(v)).collect();
            assert_eq!((&kicked, &looked, energy.value()), (&sums, &sums, total));
            assert_eq!(batch.energies(&rows).iter().sum::<f64>(), total);
            let put_in = impulses.external.fields.linear.value();
            assert!((put_in - Vec3::Z * (2.0 * push * h)).length() < 1e-14, "{put_in:?}");
        }
    }

    #[test]
    fn the_step_a_user_gives_is_taken_as_it_is() {
        let mut builder = SystemBuilder::default();
        builder.body("pair");
        for x in X {
            builder.vertex(x, Vec3::ZERO, 1.0);
        }
        builder.pin(0, Axes::ALL);
        let mut family = Closures::internal();
        family.push(Closure { hessian: None, step_s: 1.5e-4, ..spring_closure() });
        builder.family(Arc::new(family));
        let (system, _) = builder.build(&ClockOptions::default()).unwrap();
        assert_eq!(system.line.quantum.step(system.schedules[0].spans[0]), 1.5e-4);
        assert_eq!(system.families[0].stable_step(0, &X, &[1.0; 2]), f64::INFINITY);
        assert!(system.families[0].tangents(0, &X, &[], &mut []).is_none());
    }
}
