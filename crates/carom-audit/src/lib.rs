//! The judge of a run: did two surfaces pass through each other, at any instant?
//!
//! The motion of a vertex is the polyline through its stored positions. A *crossing* is a pair of primitives without a common vertex whose
//! distance is 0, or the sum of their hard radii, at some real time. [`Judge`] receives every stored position and gives a [`Verdict`];
//! [`exact_first_contact`] decides a single pair.
//!
//! It shares no code with the contact it judges, nor with the nearest points, bounds and search of `carom-geometry`, nor with
//! `carom-ccd`. It uses vectors, ticks, and integers of any length.
//!
//! **Never here:** moving anything, files.

mod candidates;
mod exact;
mod image;
mod interval;
mod judge;
mod kind;
mod motion;
mod near;
mod nearest;
mod surface;
mod sweep;
mod tree;
mod verdict;

pub use exact::{Times, exact_first_contact};
pub use judge::{Beginning, Judge};
pub use kind::Kind;
pub use surface::{Pair, Surface};
pub use verdict::{Bend, Closest, Crossing, Verdict, Work};
