//! Numbers that a user can set: what they are called, their unit, and the values they may have.
//!
//! A descriptor of a kind lists them. Scenes are read by these lists, and the JSON Schema and the book are written from them.
//!
//! **Never here:** how a number is written in a file.

/// A number that a user can set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its key in a scene.
    pub name: &'static str,
    /// Its unit, such as "N/m"; empty without one.
    pub unit: &'static str,
    /// What it is, in one sentence that names the unit.
    pub about: &'static str,
    /// The values it may have.
    pub range: Range,
    /// What holds if it is not given.
    pub absent: Absent,
}

/// What holds if a number is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Absent {
    /// It must be given.
    Refused,
    /// Something else decides.
    Accepted,
    /// It has this value.
    Means(f64),
}

/// The values that a number may have; all are finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any finite number.
    Any,
    /// Greater than 0.
    AboveZero,
    /// 0 or more.
    ZeroOrMore,
    /// From 0 to 1, both included.
    ZeroToOne,
    /// Greater than −1 and less than ½: Poisson's ratio.
    Poisson,
}

impl Parameter {
    /// A number that must be given.
    #[must_use]
    pub const fn required(name: &'static str, unit: &'static str, about: &'static str, range: Range) -> Self {
        Self { name, unit, about, range, absent: Absent::Refused }
    }

    /// A number without which something else decides.
    #[must_use]
    pub const fn optional(name: &'static str, unit: &'static str, about: &'static str, range: Range) -> Self {
        Self { name, unit, about, range, absent: Absent::Accepted }
    }
}
