//! The order of kinds: where the impulses of each kind come in the sums of an instant, those with smaller numbers first.
//!
//! Sums round, so their order decides bits. It stands in this list and nowhere else: names can change without changing a number.
//! A new kind takes a number that is free, and the numbers that are here stay as they are.

pub const BENDING_HINGE: u32 = 10;
pub const BENDING_MIDEDGE: u32 = 20;
pub const BENDING_QUADRATIC: u32 = 30;
pub const CLOSURE: u32 = 40;
pub const CLOSURE_FIELD: u32 = 50;
pub const DRAG: u32 = 60;
pub const DRAG_SPIN: u32 = 70;
pub const DRAG_TWIST: u32 = 80;
pub const DRIVEN: u32 = 90;
pub const GRAVITY: u32 = 100;
pub const LOAD: u32 = 110;
pub const MEMBRANE_NEO_HOOKEAN: u32 = 120;
pub const MEMBRANE_STVK: u32 = 130;
pub const PAIR_INVERSE_DISTANCE: u32 = 140;
pub const PAIR_LENNARD_JONES: u32 = 150;
pub const ROD_BEND: u32 = 160;
pub const ROD_JOINT: u32 = 170;
pub const SPRING: u32 = 180;
pub const TET_NEO_HOOKEAN: u32 = 190;
pub const TET_STVK: u32 = 200;
