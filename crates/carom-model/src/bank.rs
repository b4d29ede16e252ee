//! The elements of one kind, stored: the [`Family`] of an [`Element`].

use carom_math::vectorize::{self, Kernel};
use carom_math::{Baseline, Dual, LANES, Lanes, Places, Quad, Real, Rows, Tally, Vec3, Width, prefetch};

use crate::family::{Batch, Family, Kicks, Owner, Share, TANGENTS};
use crate::{Books, Element};

/// All elements of kind `E`, in the order they were added.
#[derive(Clone, Debug)]
pub struct Bank<E, const N: usize, const P: usize> {
    elements: Vec<E>,
    stencils: Vec<[u32; N]>,
    owners: Vec<Owner>,
    extents: Vec<f64>,
    /// Damping of each element, in s; shorter than the others where the last ones have none.
    dampings_s: Vec<f64>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Bank<E, N, P> {
    /// A bank without elements.
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

    /// Damps element `element`: see [`Family::damping_s`].
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

    /// Renames the vertices of all stencils.
    pub(crate) fn renumber(&mut self, name: impl Fn(u32) -> u32) {
        for v in self.stencils.iter_mut().flatten() {
            *v = name(*v);
        }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Default for Bank<E, N, P> {
    fn default() -> Self {
        Self::new()
    }
}

/// One lane of a vector.
#[inline(always)]
fn lane_of(v: Vec3<Lanes>, lane: usize) -> Vec3 {
    Vec3::new(v.x.0[lane], v.y.0[lane], v.z.0[lane])
}

fn fixed<T: Copy, const N: usize>(slice: &[T]) -> [T; N] {
    core::array::from_fn(|i| slice[i])
}

impl<E: Element<N, P>, const N: usize, const P: usize> Family for Bank<E, N, P> {
    fn kind(&self) -> &'static str {
        E::KIND
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

    fn is_internal(&self) -> bool {
        E::INTERNAL
    }

    fn counts(&self) -> bool {
        E::COUNTS
    }

    fn energy(&self, element: usize, x: &[Vec3]) -> f64 {
        E::energy(&self.elements[element].numbers(), &fixed(x))
    }

    fn gradient(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        out.copy_from_slice(&E::gradient(&self.elements[element].numbers(), &fixed(x)));
    }

    fn memory(&self) -> usize {
        E::MEMORY
    }

    fn remember(&self, element: usize, x: &[Vec3], out: &mut [Vec3]) {
        let after = E::remember(&self.elements[element].numbers(), &fixed(x));
        out.copy_from_slice(&after[N - E::MEMORY..]);
    }

    fn twists(&self) -> bool {
        E::TWISTS
    }

    fn passed(&self, _element: usize, x: &[Vec3], impulses: &[Vec3]) -> Vec3 {
        E::passed(&fixed::<_, N>(x), &fixed(impulses))
    }

    fn tangents(
        &self,
        element: usize,
        x: &[Vec3],
        dx: &[[Vec3; TANGENTS]],
        out: &mut [[Vec3; TANGENTS]],
    ) -> Option<()> {
        let numbers = self.elements[element].numbers().map(Dual::<TANGENTS>::constant);
        let duals: [Vec3<Dual<TANGENTS>>; N] = core::array::from_fn(|i| {
            Vec3::new(
                Dual::new(x[i].x, dx[i].map(|d| d.x)),
                Dual::new(x[i].y, dx[i].map(|d| d.y)),
                Dual::new(x[i].z, dx[i].map(|d| d.z)),
            )
        });
        for (out, g) in out.iter_mut().zip(E::gradient(&numbers, &duals)) {
            *out = core::array::from_fn(|k| Vec3::new(g.x.tangent[k], g.y.tangent[k], g.z.tangent[k]));
        }
        Some(())
    }

    fn damping_s(&self, element: usize) -> f64 {
        self.dampings_s.get(element).copied().unwrap_or(0.0)
    }

    fn resistance(&self, element: usize, x: &[Vec3], v: &[Vec3], out: &mut [Vec3]) {
        let damping_s = self.damping_s(element);
        let forces = E::resistance(&self.elements[element].numbers(), &fixed(x), &fixed(v));
        for (out, force) in out.iter_mut().zip(forces) {
            *out = force * -damping_s;
        }
    }

    fn stable_step(&self, element: usize, x: &[Vec3], masses: &[f64]) -> f64 {
        self.elements[element].stable_step(&fixed(x), &fixed(masses))
    }

    fn batch(&self, elements: &[u32], renumbered: &[u32]) -> Box<dyn Batch> {
        Box::new(Packed::new(self, elements, renumbered))
    }

    fn share(&self, elements: &[u32], renumbered: &[u32]) -> Option<Box<dyn Share>> {
        let sums_alone = E::INTERNAL && !E::TWISTS && E::MEMORY == 0;
        sums_alone.then(|| Box::new(Packed::new(self, elements, renumbered)) as Box<dyn Share>)
    }
}

/// How far ahead of the block that is computed others are asked for: half a microsecond and more.
const BLOCKS_AHEAD: usize = 4;

/// Eight elements side by side. A block that is not full repeats its last element.
struct Block<const N: usize, const P: usize> {
    numbers: [Lanes; P],
    stencil: Places<N>,
}

/// A run of elements in blocks of eight.
struct Packed<E, const N: usize, const P: usize> {
    blocks: Vec<Block<N, P>>,
    len: usize,
    kind: core::marker::PhantomData<E>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Packed<E, N, P> {
    fn new(bank: &Bank<E, N, P>, elements: &[u32], renumbered: &[u32]) -> Self {
        let blocks = elements
            .chunks(LANES)
            .map(|chunk| {
                let at = |lane: usize| chunk[lane.min(chunk.len() - 1)] as usize;
                let numbers: [[f64; P]; LANES] =
                    core::array::from_fn(|lane| bank.elements[at(lane)].numbers());
                Block {
                    numbers: core::array::from_fn(|p| Lanes(core::array::from_fn(|lane| numbers[lane][p]))),
                    stencil: Places::new(core::array::from_fn(|i| {
                        core::array::from_fn(|lane| renumbered[bank.stencils[at(lane)][i] as usize])
                    })),
                }
            })
            .collect();
        Self { blocks, len: elements.len(), kind: core::marker::PhantomData }
    }

    /// How many lanes of block `b` are elements of their own.
    #[inline(always)]
    fn lanes_in(&self, b: usize) -> usize {
        LANES.min(self.len - b * LANES)
    }

    /// The impulses `−h ∇V` of a block at `at`.
    #[inline(always)]
    fn impulses(block: &Block<N, P>, h: f64, at: &[Vec3<Lanes>; N]) -> [Vec3<Lanes>; N] {
        let mut impulses = E::gradient(&block.numbers, at);
        // A loop: `array::map` does not inline, and would send every lane through memory.
        for impulse in &mut impulses {
            *impulse = *impulse * Lanes::constant(-h);
        }
        impulses
    }

    /// Books what the impulses of block `b` bring in from outside, or pass from angles to places.
    #[inline(always)]
    fn write_down(&self, b: usize, at: &[Vec3<Lanes>; N], impulses: &[Vec3<Lanes>; N], books: &mut Books) {
        let passed = if E::TWISTS { E::passed(at, impulses) } else { Vec3::zero() };
        for lane in 0..self.lanes_in(b) {
            if !E::INTERNAL {
                for i in 0..N {
                    books.fields.add(lane_of(at[i], lane), lane_of(impulses[i], lane));
                }
            }
            if E::TWISTS {
                books.twists.add(lane_of(passed, lane));
            }
        }
    }
}

/// [`Batch::kick`] for any width, of the vertices from `first` on.
struct Kick<'a, E, const N: usize, const P: usize> {
    batch: &'a Packed<E, N, P>,
    h: f64,
    x: &'a [Quad],
    first: u32,
    tallies: &'a mut [Tally],
    /// For what comes from outside, or passes from angles to places.
    books: Option<&'a mut Books>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Kick<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { batch, h, x, first, tallies, mut books } = self;
        let mut rows = [Rows::ZERO; N];
        for (b, block) in batch.blocks.iter().enumerate() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let at = width.gather(x, &block.stencil);
            let impulses = Packed::<E, N, P>::impulses(block, h, &at);
            for i in 0..N {
                rows[i].set(width, impulses[i]);
            }
            width.scatter(&rows, batch.lanes_in(b), &block.stencil, first, tallies);
            if let Some(books) = books.as_deref_mut().filter(|_| !E::INTERNAL || E::TWISTS) {
                batch.write_down(b, &at, &impulses, books);
            }
        }
    }
}

/// [`Batch::look`] for any width.
struct Look<'a, E, const N: usize, const P: usize> {
    batch: &'a Packed<E, N, P>,
    x: &'a [Quad],
    forces: &'a mut [Tally],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Look<'_, E, N, P> {
    type Output = f64;

    #[inline(always)]
    fn run(self, width: impl Width) -> f64 {
        let Self { batch, x, forces } = self;
        let mut total = 0.0;
        let mut rows = [Rows::ZERO; N];
        for (b, block) in batch.blocks.iter().enumerate() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let at = width.gather(x, &block.stencil);
            let (energy, gradient) = E::energy_and_gradient(&block.numbers, &at);
            for i in 0..N {
                rows[i].set(width, -gradient[i]);
            }
            let lanes = batch.lanes_in(b);
            for lane in 0..lanes {
                total += energy.0[lane];
            }
            width.scatter(&rows, lanes, &block.stencil, 0, forces);
        }
        total
    }
}

/// [`Batch::energies`] for any width.
struct Energies<'a, E, const N: usize, const P: usize> {
    batch: &'a Packed<E, N, P>,
    x: &'a [Quad],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Energies<'_, E, N, P> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run(self, width: impl Width) -> Vec<f64> {
        let Self { batch, x } = self;
        let mut energies = Vec::with_capacity(batch.len);
        for (b, block) in batch.blocks.iter().enumerate() {
            let energy = E::energy(&block.numbers, &width.gather(x, &block.stencil));
            energies.extend_from_slice(&energy.0[..batch.lanes_in(b)]);
        }
        energies
    }
}

/// [`Batch::remember`] for any width.
struct Remember<'a, E, const N: usize, const P: usize> {
    batch: &'a Packed<E, N, P>,
    x: &'a [Quad],
    positions: &'a mut [Vec3],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Remember<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { batch, x, positions } = self;
        for (b, block) in batch.blocks.iter().enumerate() {
            let after = E::remember(&block.numbers, &width.gather(x, &block.stencil));
            for lane in 0..batch.lanes_in(b) {
                for i in N - E::MEMORY..N {
                    positions[block.stencil.index(i, lane) as usize] = lane_of(after[i], lane);
                }
            }
        }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Share for Packed<E, N, P> {
    fn kick_some(&self, h: f64, x: &[Quad], first: u32, tallies: &mut [Tally]) {
        vectorize::run(Kick { batch: self, h, x, first, tallies, books: None });
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Batch for Packed<E, N, P> {
    fn kick(&self, h: f64, x: &[Quad], kicks: &mut Kicks) {
        let (tallies, books) = kicks.tallies_and_books();
        vectorize::run(Kick { batch: self, h, x, first: 0, tallies, books: Some(books) });
    }

    fn look(&self, x: &[Quad], forces: &mut [Tally]) -> f64 {
        vectorize::run(Look { batch: self, x, forces })
    }

    fn energies(&self, x: &[Quad]) -> Vec<f64> {
        vectorize::run(Energies { batch: self, x })
    }

    fn remember(&self, x: &[Quad], positions: &mut [Vec3]) {
        if E::MEMORY > 0 {
            vectorize::run(Remember { batch: self, x, positions });
        }
    }

    fn passed(&self, h: f64, x: &[Quad]) -> Vec3 {
        let mut total = Vec3::ZERO;
        if E::TWISTS {
            for (b, block) in self.blocks.iter().enumerate() {
                let at = Baseline.gather(x, &block.stencil);
                let passed = E::passed(&at, &Self::impulses(block, h, &at));
                for lane in 0..self.lanes_in(b) {
                    total += lane_of(passed, lane);
                }
            }
        }
        total
    }
}
