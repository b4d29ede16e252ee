//! The broad phase: candidates, the pairs that may touch before the next search, in the order of ids.
//!
//! A pair is a candidate if its distance is at most its first thickness plus the skins of both primitives: what is not in the list
//! cannot touch a layer while no vertex moves farther than its skin. Boxes around the primitives, grown by skin, radius and
//! half the thickness, find most of what is far; many of the others lie askew in their boxes, and a look along the line between their
//! centres rules them out before anything is measured. Within a body that has kept its [shape](self_contact), no pairs are
//! searched.
//!
//! | which pairs trees find | [`trees`], [`traversal`], [`primitives`] |
//! | through the borders of a periodic box | [`periodic`] |
//! | sorted, each once | [`order`] |
//! | which bodies cannot touch themselves | [`self_contact`] |
//! | how far vertices may move before the next search | [`skin`] |
//! | in frames that move with the bodies, and what is added where frames part | [`frames`] |
//! | measured, without those that are too far | [`search`] |
//!
//! **Never here:** layers that are certified, forces, time.

mod frames;
mod order;
mod periodic;
mod primitives;
mod search;
mod self_contact;
mod skin;
mod traversal;
mod trees;

pub(crate) use frames::Frames;
pub(crate) use search::CandidateSearch;
pub use search::{CandidateDistance, near_pairs, near_pairs_with_skin, too_near_at_rest};
pub(crate) use skin::{half_thickness, least_skins};
