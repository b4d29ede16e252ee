//! The vector instructions that code is compiled for: numbers of eight elements side by side, and their transfer from and to memory.
//!
//! Points lie in memory in rows of four numbers, and elements are computed eight at a time, the same number of all of them side by side.
//! [`Width::gather`] transposes points into such numbers, and [`Width::scatter`] transposes vectors back into rows and adds them to sums.
//! Every width does
//! the same operations lane by lane, so the bits do not depend on it.

use crate::{F64x4, ImpulseAccumulator, LANES, Lanes, Plain, StencilIndices, Vec3};

pub(crate) mod sealed {
    /// A proof that this machine has some vector instructions: whoever has a value has them.
    ///
    /// # Safety
    /// A value of the type can be made only where the machine has the instructions that its numbers are computed with.
    #[expect(unsafe_code, reason = "what the instructions of all its numbers rely on")]
    // SAFETY: for types whose values are made by one function alone, which looks whether the instructions are there.
    pub unsafe trait HasInstructions: Copy {}
}

/// The vector instructions that a piece of code is compiled for.
///
/// Only this crate has types for it, and code elsewhere is handed one by [`vectorize`](crate::vectorize) alone, where the machine has its instructions.
/// So whatever names [`Numbers`](Self::Numbers) of a width, and computes with them, runs on a machine that can.
///
/// ```compile_fail,E0277
/// use carom_math::{LANES, Lanes, StencilIndices, F64x4, Vec3, Width};
///
/// #[derive(Clone, Copy)]
/// struct Mine;
///
/// // Nobody else can claim that a machine has instructions.
/// impl Width for Mine {
///     type Numbers = Lanes;
/// #   fn load(self, _: &Lanes) -> Lanes { unreachable!() }
/// #   fn store(self, _: Lanes) -> Lanes { unreachable!() }
/// #   fn points(self, _: [&F64x4; LANES]) -> Vec3<Lanes> { unreachable!() }
/// #   fn rows(self, _: [Lanes; 4]) -> [F64x4; LANES] { unreachable!() }
/// #   fn at_most(self, _: &Lanes, _: &Lanes) -> u8 { unreachable!() }
/// #   unsafe fn add<const N: usize>(self, _: &[Vec3<Lanes>; N], _: &StencilIndices<N>, _: *mut f64) { unreachable!() }
/// }
/// ```
pub trait Width: sealed::HasInstructions {
    /// Eight numbers side by side, in registers of this width.
    type Numbers: Plain;

    /// Numbers from memory.
    fn load(self, lanes: &Lanes) -> Self::Numbers;

    /// Numbers to memory.
    fn store(self, numbers: Self::Numbers) -> Lanes;

    /// Transposes eight points into lanes.
    fn points(self, points: [&F64x4; LANES]) -> Vec3<Self::Numbers>;

    /// Four numbers of eight lanes as a row of four for each lane.
    fn rows(self, numbers: [Self::Numbers; 4]) -> [F64x4; LANES];

    /// In which lanes the one is at most the other: a bit for each, that of the first lane first.
    fn at_most(self, one: &Lanes, other: &Lanes) -> u8;

    /// Adds these vectors, one element after the other, to accumulators: `numbers` is where those of vertex 0 would be.
    ///
    /// # Safety
    /// All places are those of accumulators that nothing else refers to.
    // SAFETY: for callers who know that; `numbers` itself may be outside of everything, and is read and written at the places alone.
    #[expect(unsafe_code, reason = "places are checked by the caller, all at once")]
    unsafe fn add<const N: usize>(
        self,
        vectors: &[Vec3<Self::Numbers>; N],
        places: &StencilIndices<N>,
        numbers: *mut f64,
    );

    /// A vector to memory.
    #[inline(always)]
    fn store_vector(self, Vec3 { x, y, z }: Vec3<Self::Numbers>) -> Vec3<Lanes> {
        Vec3::new(self.store(x), self.store(y), self.store(z))
    }

    /// Vectors to memory.
    #[inline(always)]
    fn store_vectors<const N: usize>(self, vectors: &[Vec3<Self::Numbers>; N]) -> [Vec3<Lanes>; N] {
        let mut stored = [Vec3::<Lanes>::zero(); N];
        for i in 0..N {
            stored[i] = self.store_vector(vectors[i]);
        }
        stored
    }

    /// The points of all elements, lane by lane.
    ///
    /// # Panics
    /// If an index is out of bounds.
    #[inline(always)]
    fn gather<const N: usize>(
        self,
        points: &[F64x4],
        places: &StencilIndices<N>,
    ) -> [Vec3<Self::Numbers>; N] {
        assert!((places.highest as usize) < points.len(), "points that are not there");
        let mut out = [Vec3::<Self::Numbers>::zero(); N];
        for i in 0..N {
            let numbers: *const f64 = points.as_ptr().cast();
            // SAFETY: no index is above the highest, which is within; every fourth number starts a row.
            #[expect(unsafe_code, clippy::cast_ptr_alignment, reason = "one comparison stands for 8N")]
            let point =
                |lane: usize| unsafe { &*numbers.add(places.starts[i][lane] as usize).cast::<F64x4>() };
            out[i] =
                self.points([point(0), point(1), point(2), point(3), point(4), point(5), point(6), point(7)]);
        }
        out
    }

    /// Adds the vectors of the first `lanes` elements, one element after the other, to accumulators of which the first has the number `first`;
    /// what falls beside them is dropped.
    #[inline(always)]
    fn scatter<const N: usize>(
        self,
        vectors: &[Vec3<Self::Numbers>; N],
        lanes: usize,
        places: &StencilIndices<N>,
        first: u32,
        accumulators: &mut [ImpulseAccumulator],
    ) {
        if lanes == LANES && places.are_within(first, accumulators.len()) {
            let numbers = accumulators.as_mut_ptr().wrapping_sub(first as usize).cast();
            // SAFETY: no place is below the lowest or above the highest, which are within.
            #[expect(unsafe_code, reason = "two comparisons stand for 8N")]
            unsafe {
                self.add(vectors, places, numbers);
            }
            return;
        }
        let vectors = self.store_vectors(vectors);
        for lane in 0..lanes {
            for i in 0..N {
                let index = places.index(i, lane).wrapping_sub(first);
                if let Some(accumulator) = accumulators.get_mut(index as usize) {
                    accumulator.add(vectors[i].lane(lane));
                }
            }
        }
    }
}

/// Whatever every machine has.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

// SAFETY: its numbers are arrays, which every machine computes with.
#[expect(unsafe_code, reason = "as the trait asks")]
unsafe impl sealed::HasInstructions for Baseline {}

impl Width for Baseline {
    type Numbers = Lanes;

    #[inline(always)]
    fn load(self, lanes: &Lanes) -> Lanes {
        *lanes
    }

    #[inline(always)]
    fn store(self, numbers: Lanes) -> Lanes {
        numbers
    }

    #[inline(always)]
    fn points(self, points: [&F64x4; LANES]) -> Vec3<Lanes> {
        let mut out = Vec3::<Lanes>::zero();
        for lane in 0..LANES {
            [out.x.0[lane], out.y.0[lane], out.z.0[lane], _] = points[lane].0;
        }
        out
    }

    #[inline(always)]
    fn rows(self, [x, y, z, w]: [Lanes; 4]) -> [F64x4; LANES] {
        let mut rows = [F64x4::default(); LANES];
        for lane in 0..LANES {
            rows[lane] = F64x4([x.0[lane], y.0[lane], z.0[lane], w.0[lane]]);
        }
        rows
    }

    // SAFETY: for callers as the trait has them.
    #[inline(always)]
    #[expect(unsafe_code, reason = "places are checked by the caller, all at once")]
    unsafe fn add<const N: usize>(
        self,
        vectors: &[Vec3<Lanes>; N],
        places: &StencilIndices<N>,
        numbers: *mut f64,
    ) {
        for lane in 0..LANES {
            for i in 0..N {
                #[expect(clippy::cast_ptr_alignment, reason = "every fourth number starts an accumulator")]
                let accumulator =
                    numbers.wrapping_add(places.starts[i][lane] as usize).cast::<ImpulseAccumulator>();
                // SAFETY: as the caller promises.
                unsafe { (*accumulator).add(vectors[i].lane(lane)) };
            }
        }
    }

    #[inline(always)]
    fn at_most(self, one: &Lanes, other: &Lanes) -> u8 {
        (0..LANES).fold(0, |bits, lane| bits | u8::from(one.0[lane] <= other.0[lane]) << lane)
    }
}
