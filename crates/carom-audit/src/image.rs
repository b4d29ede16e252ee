//! Images in a periodic box: where the second of two points is relative to the first.

use carom_math::Vec3;
use dashu_int::IBig;

use crate::Pair;
use crate::interval::Interval;

/// By how many periods the second primitive of a pair is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Image {
    periods: [i64; 3],
    period_m: [f64; 3],
}

impl Image {
    /// The image of the second primitive of a pair; `None` if it is not moved at all.
    pub fn of(pair: &Pair, period_m: Vec3) -> Option<Self> {
        let periods = pair.image();
        (periods != [0; 3]).then_some(Self { periods, period_m: period_m.to_array() })
    }

    /// By how much, rounded, in m.
    pub fn shift(&self) -> Vec3 {
        Vec3::from(core::array::from_fn(|k| self.periods[k] as f64 * self.period_m[k]))
    }

    /// Covers what rounding does to the shift and, with the noise of positions, to a position moved by it.
    ///
    /// With M bounding the coordinates, the shift s is off by half an epsilon of s, the sum of it and a position by half an epsilon of s + M,
    /// along three axes: less than 2 epsilons of s and one of M. The noise of sweeps has ten times that to spare for M.
    pub fn noise(&self) -> f64 {
        8.0 * f64::EPSILON * self.shift().max_abs()
    }

    /// By how much along each axis, proven. Counts of periods are exact below 2⁵³.
    pub fn exactly(&self) -> [Interval; 3] {
        core::array::from_fn(|k| Interval::exactly(self.period_m[k]).times(self.periods[k] as f64))
    }

    /// Lengths of the box, in m.
    pub fn period_m(&self) -> [f64; 3] {
        self.period_m
    }

    /// Displacement of the image along axis `k`, in the unit of length in which `period` gives the box.
    pub fn whole(&self, k: usize, period: &[IBig]) -> IBig {
        &period[k] * IBig::from(self.periods[k])
    }
}
