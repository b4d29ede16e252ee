//! The numbers of a Gmsh file, written out or raw.

use crate::cursor::{Cursor, Order};
use crate::{Fault, remedy};

/// How the numbers of the sections are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Text,
    Raw(Order),
}

impl Encoding {
    pub const LITTLE: Self = Self::Raw(Order::Little);
    pub const BIG: Self = Self::Raw(Order::Big);
}

/// A place in the file and how to read the numbers there.
pub struct Numbers<'a> {
    pub cursor: Cursor<'a>,
    pub encoding: Encoding,
}

impl<'a> Numbers<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(bytes), encoding: Encoding::Text }
    }

    pub fn is_text(&self) -> bool {
        self.encoding == Encoding::Text
    }

    /// The line, in a text file.
    pub fn line(&self) -> Option<usize> {
        self.is_text().then(|| self.cursor.line())
    }

    /// A fault here: a line in a text file, a byte in a binary one.
    pub fn fault(&self, message: String, remedy: &'static str) -> Fault {
        match self.encoding {
            Encoding::Text => self.cursor.fault(message, remedy),
            Encoding::Raw(_) => {
                Fault::new(format!("{message} (before byte {})", self.cursor.offset()), remedy)
            }
        }
    }

    /// Leaves a line of text for the raw bytes after it; in a text file there is nothing to do.
    pub fn end_of_text(&mut self) {
        if !self.is_text() {
            self.cursor.rest_of_line();
        }
    }

    /// A whole number, of 4 bytes if raw.
    pub fn int(&mut self, what: &str) -> Result<i64, Fault> {
        match self.encoding {
            Encoding::Text => self.cursor.whole(what),
            Encoding::Raw(order) => Ok(i32::from_le_bytes(order.little(self.cursor.raw(what)?)).into()),
        }
    }

    /// A count or the number of a node, of 8 bytes if raw.
    pub fn size(&mut self, what: &str) -> Result<u64, Fault> {
        match self.encoding {
            Encoding::Text => self.cursor.count(what),
            Encoding::Raw(order) => Ok(u64::from_le_bytes(order.little(self.cursor.raw(what)?))),
        }
    }

    /// A finite number, of 8 bytes if raw.
    pub fn number(&mut self, what: &str) -> Result<f64, Fault> {
        let value = match self.encoding {
            Encoding::Text => self.cursor.number(what)?,
            Encoding::Raw(order) => f64::from_le_bytes(order.little(self.cursor.raw(what)?)),
        };
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.fault(format!("{what} is infinite or not a number"), remedy::FINITE))
    }

    /// A positive whole number that was read as `int`.
    pub fn tag(&self, value: i64) -> Result<u64, Fault> {
        u64::try_from(value)
            .map_err(|_| self.fault(format!("{value} is no number of a node"), remedy::DAMAGED))
    }

    /// Reads the end of a section.
    pub fn end_of_section(&mut self, section: &str) -> Result<(), Fault> {
        self.cursor.keyword(&section.replacen('$', "$End", 1))
    }
}
