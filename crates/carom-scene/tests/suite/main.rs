//! Scenes: read, built, refused.
//!
//! One program for all integration tests of the crate: each more would be linked anew with everything below it.

mod building;
mod choices;
mod compare;
mod contact;
mod drive;
mod errors;
mod gallery;
mod grains;
mod meshes;
mod mutations;
mod parts;
mod prescribed;
mod registries;
mod small;
mod step_origins;
mod twist;
