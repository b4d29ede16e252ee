//! The elements of one kind, stored: the [`Family`](crate::Family) of an [`Element`].

use carom_math::{Dual, Real, Vec3};

use crate::execution::{SimdBatch, SimdDampedBatch};
use crate::family::{Damping, FamilyProperties, Packing, Potentials, Stencils, StepLimits, TANGENTS};
use crate::{Batch, DampedBatch, Element, Owner, Share};

/// All elements of kind `E`, in the order they were added.
#[derive(Clone, Debug)]
pub struct ElementStore<E, const N: usize, const P: usize> {
    elements: Vec<E>,
    stencils: Vec<[u32; N]>,
    owners: Vec<Owner>,
    extents: Vec<f64>,
    /// Damping of each element, in s; shorter than the others where the last ones have none.
    dampings_s: Vec<f64>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> ElementStore<E, N, P> {
    /// A store without elements.
    #[must_use]
    pub fn new() -> Self {
        Self {
            elements: Vec::new(),
            stencils: Vec::new(),
            owners: Vec::new(),
            extents: Vec::new(),
            dampings_s: Vec::new(),
        }
    }

    /// Damps element `element`: see [`Damping::damping_s`].
    ///
    /// # Panics
    /// If elements of this kind have no resistance.
    pub fn damp(&mut self, element: usize, damping_s: f64) {
        assert!(E::DAMPS, "{} has no resistance", E::KIND);
        let len = self.dampings_s.len().max(element + 1);
        self.dampings_s.resize(len, 0.0);
        self.dampings_s[element] = damping_s;
    }

    /// Adds an element on the vertices `stencil`; `extent` is its area, length or volume (1 if it has none).
    pub fn push(&mut self, element: E, stencil: [u32; N], owner: Owner, extent: f64) {
        self.elements.push(element);
        self.stencils.push(stencil);
        self.owners.push(owner);
        self.extents.push(extent);
    }

    /// These elements, in this order, packed.
    fn packed(&self, elements: &[u32], renumbered: &[u32]) -> SimdBatch<E, N, P> {
        let stencil = |e: u32| self.stencils[e as usize].map(|v| renumbered[v as usize]);
        let all: Vec<_> =
            elements.iter().map(|&e| (self.elements[e as usize].params(), stencil(e))).collect();
        SimdBatch::new(&all)
    }

    /// Renames the vertices of all stencils.
    pub(crate) fn renumber(&mut self, name: impl Fn(u32) -> u32) {
        for v in self.stencils.iter_mut().flatten() {
            *v = name(*v);
        }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Default for ElementStore<E, N, P> {
    fn default() -> Self {
        Self::new()
    }
}

fn fixed<T: Copy, const N: usize>(slice: &[T]) -> [T; N] {
    core::array::from_fn(|i| slice[i])
}

impl<E: Element<N, P>, const N: usize, const P: usize> Stencils for ElementStore<E, N, P> {
    fn properties(&self) -> FamilyProperties {
        FamilyProperties {
            kind: E::KIND,
            order: E::ORDER,
            is_internal: E::INTERNAL,
            is_driven: false,
            counts_as_evaluation: E::COUNTS,
            has_angular_dofs: E::HAS_ANGULAR_DOFS,
            memory_vertices: E::MEMORY,
        }
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn stencil(&self, element: usize) -> &[u32] {
        &self.stencils[element]
    }

    fn owner(&self, element: usize) -> Owner {
        self.owners[element]
    }

    fn extent(&self, element: usize) -> f64 {
        self.extents[element]
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Potentials for ElementStore<E, N, P> {
    fn energy(&self, element: usize, x: &[Vec3]) -> f64 {
        E::energy(&self.elements[element].params(), &fixed(x))
    }

    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        out.copy_from_slice(&E::gradient(&self.elements[element].params(), &fixed(x)));
    }

    fn tangents(
        &self,
        element: usize,
        x: &[Vec3],
        dx: &[[Vec3; TANGENTS]],
        out: &mut [[Vec3; TANGENTS]],
    ) -> Option<()> {
        let params = self.elements[element].params().map(Dual::<TANGENTS>::constant);
        let duals: [Vec3<Dual<TANGENTS>>; N] = core::array::from_fn(|i| {
            Vec3::new(
                Dual::new(x[i].x, dx[i].map(|d| d.x)),
                Dual::new(x[i].y, dx[i].map(|d| d.y)),
                Dual::new(x[i].z, dx[i].map(|d| d.z)),
            )
        });
        for (out, g) in out.iter_mut().zip(E::gradient(&params, &duals)) {
            *out = core::array::from_fn(|k| Vec3::new(g.x.tangent[k], g.y.tangent[k], g.z.tangent[k]));
        }
        Some(())
    }

    fn remember(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        let after = E::remember(&self.elements[element].params(), &fixed(x));
        out.copy_from_slice(&after[N - E::MEMORY..]);
    }

    fn reaction_torque(&self, _element: usize, x: &[Vec3], impulses: &[Vec3]) -> Vec3 {
        E::reaction_torque(&fixed::<_, N>(x), &fixed(impulses))
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Damping for ElementStore<E, N, P> {
    fn damping_s(&self, element: usize) -> f64 {
        self.dampings_s.get(element).copied().unwrap_or(0.0)
    }

    fn resistance(&self, element: usize, x: &[Vec3], v: &[Vec3], out: &mut [Vec3]) {
        let damping_s = self.damping_s(element);
        let forces = E::resistance(&self.elements[element].params(), &fixed(x), &fixed(v));
        for (out, force) in out.iter_mut().zip(forces) {
            *out = force * -damping_s;
        }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> StepLimits for ElementStore<E, N, P> {
    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64 {
        self.elements[element].stable_step(&fixed(x), &fixed(masses))
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Packing for ElementStore<E, N, P> {
    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch> {
        Box::new(self.packed(elements, renumbered))
    }

    fn share(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn Share>> {
        let sums_alone = E::INTERNAL && !E::HAS_ANGULAR_DOFS && E::MEMORY == 0;
        sums_alone.then(|| Box::new(self.packed(elements, renumbered)) as Box<dyn Share>)
    }

    fn damped_batch(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn DampedBatch>> {
        if !E::DAMPS {
            return None;
        }
        let packed = |&e: &u32| {
            let stencil = self.stencils[e as usize].map(|v| renumbered[v as usize]);
            (self.elements[e as usize].params(), self.damping_s(e as usize), stencil)
        };
        let damped = elements.iter().filter(|e| self.damping_s(**e as usize) > 0.0);
        Some(Box::new(SimdDampedBatch::<E, N, P>::new(&damped.map(packed).collect::<Vec<_>>())))
    }
}
