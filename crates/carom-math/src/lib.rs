//! Numbers: what every other crate computes with.
//!
//! A kernel of physics is written once, generic over [`Real`], and runs with three kinds of
//! number: `f64` (the reference), eight elements at a time ([`Lanes`], or vector registers where
//! [`Width`] has them) and [`Dual`] (value and tangents, for exact Hessian-vector products). The operations of [`Real`] are those whose
//! result IEEE 754 defines, and a few functions built from them here, so the value of a kernel
//! has the same bits in all three.
//!
//! Fused multiply-add appears nowhere: a product is rounded before it is added, on every machine. [`fused_chains`] is for measuring
//! the machine alone.
//!
//! **Never here:** indices of vertices, time, physics.

mod dual;
mod eigen;
mod exact_sum;
mod impulse_accumulator;
mod lanes;
mod mat3;
mod peak;
mod prefetch;
mod random;
mod real;
mod several;
mod sin_cos;
mod stencil_indices;
mod sum;
mod transcendental;
mod vec3;
pub mod vectorize;
mod widest;
mod width;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use dual::Dual;
pub use eigen::spectral_bound;
pub use exact_sum::{ExactLanesSum, ExactLanesVec3Sum, ExactSum, ExactVec3Sum};
pub use impulse_accumulator::ImpulseAccumulator;
pub use lanes::{LANES, Lanes};
pub use mat3::Mat3;
pub use peak::fused_chains;
pub use prefetch::prefetch;
pub use random::SplitMix64;
pub use real::{Plain, Real};
use several::Several;
pub use stencil_indices::{F64x4, StencilIndices};
pub use sum::{Sum, Vec3Sum};
pub use vec3::Vec3;
pub use widest::Widest;
pub use width::{Baseline, Width};
