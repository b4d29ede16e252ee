//! A place in a file that may change between words and raw bytes.

use super::text::{self, quoted};
use super::{Fault, remedy};

/// A place in a file.
#[derive(Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

/// How numbers are written as raw bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl<'a> Cursor<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The line of the cursor, counted from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Number of bytes already read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// A fault in the line of the cursor.
    pub fn fault(&self, message: impl Into<String>, remedy: &'static str) -> Fault {
        Fault::at(self.line, message, remedy)
    }

    /// The next word, or `None` at the end. Bytes that are no text end it like a blank.
    pub fn word(&mut self) -> Option<&'a str> {
        while let Some(byte) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            self.line += usize::from(*byte == b'\n');
            self.at += 1;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        match core::str::from_utf8(&rest[..length]) {
            _ if length == 0 => None,
            Ok(word) => Some(word),
            Err(_) => Some("\u{fffd}"),
        }
    }

    /// The next word without moving.
    pub fn peek(&self) -> Option<&'a str> {
        self.clone().word()
    }

    /// The next word, which the file may not end before.
    pub fn expect_word(&mut self, what: &str) -> Result<&'a str, Fault> {
        let before = self.clone();
        self.word().ok_or_else(|| before.fault(format!("the file ends where {what} should be"), remedy::CUT))
    }

    /// A finite number written out.
    pub fn number(&mut self, what: &str) -> Result<f64, Fault> {
        let word = self.expect_word(what)?;
        text::number(self.line, word)
    }

    /// A whole number written out.
    pub fn whole(&mut self, what: &str) -> Result<i64, Fault> {
        let word = self.expect_word(what)?;
        text::whole(self.line, word)
    }

    /// A count written out.
    pub fn count(&mut self, what: &str) -> Result<u64, Fault> {
        let word = self.expect_word(what)?;
        text::count(self.line, word)
    }

    /// Reads a word that must be `expected`.
    pub fn keyword(&mut self, expected: &str) -> Result<(), Fault> {
        let word = self.expect_word(&quoted(expected))?;
        if word == expected {
            return Ok(());
        }
        Err(self.fault(format!("{} where {} should be", quoted(word), quoted(expected)), remedy::DAMAGED))
    }

    /// The rest of the line, the line's end left behind.
    pub fn rest_of_line(&mut self) -> String {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.bytes.len());
        self.line += 1;
        String::from_utf8_lossy(&rest[..length]).trim().to_owned()
    }

    /// Moves past the next `mark`; returns whether there was one.
    pub fn skip_past(&mut self, mark: &str) -> bool {
        let rest = &self.bytes[self.at..];
        let Some(found) = rest.windows(mark.len().max(1)).position(|w| w == mark.as_bytes()) else {
            return false;
        };
        self.line += rest[..found].split(|b| *b == b'\n').count() - 1;
        self.at += found + mark.len();
        true
    }

    /// The next `N` raw bytes.
    pub fn raw<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Fault> {
        let Some(raw) = self.bytes[self.at..].first_chunk::<N>() else {
            let message = format!("the file ends at byte {} in {what}", self.bytes.len());
            return Err(Fault::new(message, remedy::CUT));
        };
        self.at += N;
        Ok(*raw)
    }
}

impl Order {
    /// The bytes of a number, least significant first.
    pub fn little<const N: usize>(self, mut raw: [u8; N]) -> [u8; N] {
        if self == Self::Big {
            raw.reverse();
        }
        raw
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_raw_bytes_and_lines_may_follow_each_other() {
        let mut cursor = Cursor::new(b"head 3\n\x01\x02\x03\x04\ntail of line\n\xff end");
        assert_eq!(cursor.word(), Some("head"));
        assert_eq!(cursor.count("a count"), Ok(3));
        assert_eq!(cursor.rest_of_line(), "");
        assert_eq!(cursor.raw::<4>("bytes"), Ok([1, 2, 3, 4]));
        assert_eq!(cursor.peek(), Some("tail"));
        assert_eq!(cursor.rest_of_line(), "");
        assert_eq!(cursor.rest_of_line(), "tail of line");
        assert_eq!(cursor.word(), Some("\u{fffd}"));
        assert!(cursor.skip_past("end") && !cursor.skip_past("end"));
        assert_eq!(cursor.word(), None);
        assert_eq!(cursor.rest_of_line(), "");
    }

    #[test]
    fn a_missing_word_is_a_fault_in_the_last_line() {
        let mut cursor = Cursor::new(b"a\nb");
        cursor.keyword("a").unwrap();
        assert_eq!(cursor.keyword("c").unwrap_err().message, "`b` where `c` should be");
        let fault = cursor.number("a number").unwrap_err();
        assert_eq!((fault.line, fault.message.as_str()), (Some(2), "the file ends where a number should be"));
        assert_eq!(cursor.raw::<1>("a byte").unwrap_err().message, "the file ends at byte 3 in a byte");
    }
}
