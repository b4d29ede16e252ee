//! One term of physics.
//!
//! An element reads `N` vertices and knows `P` parameters (stiffnesses, rest lengths, areas). Its
//! kernel is a pair of pure functions, generic over [`Real`]: the same text gives the scalar
//! reference, eight lanes side by side, and exact tangents.
//!
//! **Never here:** indices, time, masses other than as arguments.

use carom_math::{Dual, Real, Vec3, spectral_bound};

/// A potential energy of `N` vertices that depends on `P` parameters.
pub trait Element<const N: usize, const P: usize>: Copy + Send + Sync + 'static {
    /// The name of this kind, in scenes, files and messages.
    const KIND: &'static str;

    /// Where this kind comes in the sums of an instant: smaller numbers first. No other kind of a system has the same.
    const ORDER: u32;

    /// Whether the energy is unchanged by rigid motion, so that its impulses cancel; fields are not.
    const INTERNAL: bool = true;

    /// Whether a gradient counts as a force evaluation; trivial fields do not.
    const COUNTS: bool = true;

    /// How many vertices of the stencil, the last ones, are memory of the element; their gradient is zero.
    const MEMORY: usize = 0;

    /// Whether some vertices of the stencil are angles, so that the element passes angular momentum between them and places.
    const HAS_ANGULAR_DOFS: bool = false;

    /// Whether the gradient treats the axes alike and each alone: the components of the points along an axis give those of the gradient along it, and
    /// zeros nothing. The energy is the sum of what it is along each axis alone.
    const AXES_APART: bool = false;

    /// The parameters of this element, as its kernel reads them.
    fn params(&self) -> [f64; P];

    /// Potential energy, in J.
    fn energy<S: Real>(params: &[S; P], x: &[Vec3<S>; N]) -> S;

    /// Derivative of the energy with respect to each vertex, in N.
    fn gradient<S: Real>(params: &[S; P], x: &[Vec3<S>; N]) -> [Vec3<S>; N];

    /// The gradients of four elements, handed to `take` one after the other. Written where the operations of one wait for each other, so that those of
    /// four should be under way.
    #[inline(always)]
    fn four_gradients<S: Real>(
        params: impl Fn(usize) -> [S; P],
        x: impl Fn(usize) -> [Vec3<S>; N],
        mut take: impl FnMut(usize, [Vec3<S>; N]),
    ) {
        for k in 0..4 {
            take(k, Self::gradient(&params(k), &x(k)));
        }
    }

    /// Energy and gradient at once: written where they share more than the compiler sees.
    #[inline(always)]
    fn energy_and_gradient<S: Real>(params: &[S; P], x: &[Vec3<S>; N]) -> (S, [Vec3<S>; N]) {
        (Self::energy(params, x), Self::gradient(params, x))
    }

    /// Whether [`Element::resistance`] is written: elements of this kind can be damped.
    const DAMPS: bool = false;

    /// `Bᵀ C B v`, in N/s, with `B` the derivative of the strains at `x` and `C` their stiffness: times a time, the force with
    /// which the element resists the rate of its strain. Symmetric and never negative in `v`; nothing for rigid motion.
    fn resistance<S: Real>(params: &[S; P], x: &[Vec3<S>; N], v: &[Vec3<S>; N]) -> [Vec3<S>; N] {
        let _ = (params, x, v);
        [Vec3::zero(); N]
    }

    /// What the memory is after the element has fired with its vertices at `x`: the last [`Element::MEMORY`] count.
    #[must_use]
    fn remember<S: Real>(params: &[S; P], x: &[Vec3<S>; N]) -> [Vec3<S>; N] {
        let _ = params;
        *x
    }

    /// The angular impulse on places that answers the impulses on angles among `impulses`, in N·m·s.
    #[must_use]
    fn reaction_torque<S: Real>(x: &[Vec3<S>; N], impulses: &[Vec3<S>; N]) -> Vec3<S> {
        let _ = (x, impulses);
        Vec3::zero()
    }

    /// The longest stable step of this element alone, in s, for the given shares of mass in kg.
    ///
    /// An element does not own its vertices: `masses` are the parts of the vertices' masses that
    /// fall to it among its neighbours of the same kind. By Irons' theorem no frequency of the
    /// assembled family is then above the largest of its elements.
    fn stable_step(&self, x: &[Vec3; N], masses: &[f64; N]) -> f64 {
        stable_step(&hessian::<Self, N, P>(&self.params(), x), masses)
    }
}

/// The second derivatives of an element's energy, row by row, by dual numbers.
#[must_use]
pub fn hessian<E: Element<N, P>, const N: usize, const P: usize>(
    params: &[f64; P],
    x: &[Vec3; N],
) -> Vec<f64> {
    let n = 3 * N;
    let params = params.map(Dual::<3>::constant);
    let mut rows = vec![0.0; n * n];
    for moved in 0..N {
        let mut duals = x.map(Vec3::<Dual<3>>::constant);
        duals[moved].x.tangent[0] = 1.0;
        duals[moved].y.tangent[1] = 1.0;
        duals[moved].z.tangent[2] = 1.0;
        for (vertex, g) in E::gradient(&params, &duals).iter().enumerate() {
            for (axis, component) in [g.x, g.y, g.z].iter().enumerate() {
                for k in 0..3 {
                    rows[(3 * vertex + axis) * n + 3 * moved + k] = component.tangent[k];
                }
            }
        }
    }
    rows
}

/// `2/ω` in s, with `ω²` a bound on the spectrum of `M⁻¹K` for the stiffness `hessian` and these masses.
///
/// Infinite where there is no stiffness at all.
#[must_use]
pub fn stable_step(hessian: &[f64], masses: &[f64]) -> f64 {
    let n = 3 * masses.len();
    let mut scaled = hessian.to_vec();
    for (i, row) in scaled.chunks_mut(n).enumerate() {
        for (block, mass) in row.chunks_mut(3).zip(masses) {
            let root = (masses[i / 3] * mass).sqrt();
            for v in block {
                *v /= root;
            }
        }
    }
    2.0 / spectral_bound(&scaled, n).sqrt()
}
