//! Words and numbers of text files.

use std::borrow::Cow;

use carom_math::Vec3;

use super::{Fault, remedy};

/// The lines of a file with their numbers, counted from 1. Bytes that are no text read as `�`.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    (1..).zip(bytes.split(|b| *b == b'\n').map(String::from_utf8_lossy))
}

/// The lines without comments from `#` on, and without those that are then blank.
pub fn lines_of_data(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    lines(bytes)
        .map(|(number, line)| (number, before_comment(line)))
        .filter(|(_, line)| !line.trim().is_empty())
}

fn before_comment(line: Cow<'_, str>) -> Cow<'_, str> {
    match (line.find('#'), line) {
        (None, line) => line,
        (Some(end), Cow::Borrowed(line)) => Cow::Borrowed(&line[..end]),
        (Some(end), Cow::Owned(line)) => Cow::Owned(line[..end].to_owned()),
    }
}

/// Refuses what follows the last row a header announced: it would be lost in silence.
pub fn nothing_follows<T>(mut rows: impl Iterator<Item = (usize, T)>, last: &str) -> Result<(), Fault> {
    match rows.next() {
        None => Ok(()),
        Some((line, _)) => Err(Fault::at(line, format!("more follows after {last}"), remedy::COUNTS)),
    }
}

/// A word of the file for a message: in back quotes, and cut where it goes on and on.
pub fn quoted(word: &str) -> String {
    const LONGEST: usize = 40;
    let cut: String = word.chars().take(LONGEST).collect();
    if cut.len() < word.len() { format!("`{cut}…`") } else { format!("`{cut}`") }
}

/// A finite number.
pub fn number(line: usize, word: &str) -> Result<f64, Fault> {
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(Fault::at(line, format!("{} is not a finite number", quoted(word)), remedy::FINITE)),
        Err(_) => Err(Fault::at(line, format!("{} is not a number", quoted(word)), remedy::DAMAGED)),
    }
}

/// A whole number.
pub fn whole(line: usize, word: &str) -> Result<i64, Fault> {
    word.parse()
        .map_err(|_| Fault::at(line, format!("{} is not a whole number", quoted(word)), remedy::DAMAGED))
}

/// A count: a whole number, not negative.
pub fn count(line: usize, word: &str) -> Result<u64, Fault> {
    word.parse().map_err(|_| Fault::at(line, format!("{} is not a count", quoted(word)), remedy::DAMAGED))
}

/// The next three words as a point.
pub fn point<'a>(line: usize, words: &mut impl Iterator<Item = &'a str>) -> Result<Vec3, Fault> {
    let mut coordinates = [0.0; 3];
    for (found, coordinate) in coordinates.iter_mut().enumerate() {
        let Some(word) = words.next() else {
            return Err(Fault::at(
                line,
                format!("a point needs three coordinates, here are {found}"),
                remedy::CUT,
            ));
        };
        *coordinate = number(line, word)?;
    }
    Ok(coordinates.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one_and_comments_and_blanks_drop_out() {
        let found: Vec<_> =
            lines_of_data(b"# head\n\n a b # c\r\nd").map(|(n, l)| (n, l.trim().to_owned())).collect();
        assert_eq!(found, [(3, "a b".to_owned()), (4, "d".to_owned())]);
    }

    #[test]
    fn a_long_word_is_cut_in_messages() {
        assert_eq!(quoted("short"), "`short`");
        assert_eq!(quoted(&"é".repeat(90)).chars().count(), 43);
    }

    #[test]
    fn numbers_may_lack_a_leading_zero_but_not_be_infinite() {
        assert_eq!(number(1, ".5"), Ok(0.5));
        assert_eq!(number(1, "-.7e+2"), Ok(-70.0));
        for word in ["nan", "inf", "1e400", "1.2.3", ""] {
            assert!(number(7, word).is_err_and(|fault| fault.line == Some(7)));
        }
    }
}
