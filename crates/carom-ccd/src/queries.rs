//! The public query format of continuous collision detection.
//!
//! CSV without a header, eight rows a query, seven columns `xnum,xden,ynum,yden,znum,zden,truth`: the
//! four vertices at time 0, then at time 1, every coordinate an exact double. Truth (the same in all
//! eight rows) is 1 if some time in the closed [0, 1] has the closed primitives share a point. Lines
//! that are empty or start with `#` are skipped.
//!
//! **Never here:** opening files; the caller names the text.

use carom_math::Vec3;
use dashu_int::{IBig, UBig};
use thiserror::Error;

use super::Kind;

/// One query with its known result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Kind of the primitives.
    pub kind: Kind,
    /// Positions at time 0.
    pub start: [Vec3; 4],
    /// Positions at time 1.
    pub end: [Vec3; 4],
    /// Whether there is a contact.
    pub truth: bool,
}

/// What is wrong with a query file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum QueryError {
    /// The path does not say which kind of queries the file has.
    #[error(
        "{file}: cannot tell the kind of query: no folder of the path is called `vertex-face` or `edge-edge`"
    )]
    UnknownKind {
        /// The path.
        file: String,
    },
    /// A row without seven columns.
    #[error("{file}:{line}: {found} columns where a row has 7: xnum,xden,ynum,yden,znum,zden,truth")]
    Columns {
        /// The name of the text.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Columns found.
        found: usize,
    },
    /// A coordinate that is no double.
    #[error("{file}:{line}: `{num}/{den}` is not exactly a double")]
    Coordinate {
        /// The name of the text.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Numerator as written.
        num: String,
        /// Denominator as written.
        den: String,
    },
    /// A truth other than 0 and 1.
    #[error("{file}:{line}: truth `{found}` is neither 0 nor 1")]
    Truth {
        /// The name of the text.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The value as written in the file.
        found: String,
    },
    /// Rows of one query disagree.
    #[error("{file}:{line}: truth differs from the other rows of its query")]
    MixedTruth {
        /// The name of the text.
        file: String,
        /// The line, from 1.
        line: usize,
    },
    /// The last query is not whole.
    #[error("{file}: ends after {rows} of the 8 rows of a query")]
    Unfinished {
        /// The name of the text.
        file: String,
        /// Rows of the last query.
        rows: usize,
    },
}

/// The kind of the queries in a file: the format keeps it in the name of a folder.
pub fn kind_of_path(file: &str) -> Result<Kind, QueryError> {
    let mut parts = file.rsplit(['/', '\\']);
    parts
        .find_map(|part| match part {
            "vertex-face" => Some(Kind::VertexFace),
            "edge-edge" => Some(Kind::EdgeEdge),
            _ => None,
        })
        .ok_or_else(|| QueryError::UnknownKind { file: file.to_owned() })
}

/// The queries in `text`; `file` is what errors call it.
pub fn parse_queries(kind: Kind, file: &str, text: &str) -> Result<Vec<Query>, QueryError> {
    let mut queries = Vec::new();
    let mut rows: Vec<(Vec3, bool)> = Vec::with_capacity(8);
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.trim();
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let (position, truth) = parse_row(file, line, row)?;
        if rows.first().is_some_and(|(_, first)| *first != truth) {
            return Err(QueryError::MixedTruth { file: file.to_owned(), line });
        }
        rows.push((position, truth));
        if rows.len() == 8 {
            let at = |first: usize| core::array::from_fn(|i| rows[first + i].0);
            queries.push(Query { kind, start: at(0), end: at(4), truth });
            rows.clear();
        }
    }
    if rows.is_empty() {
        Ok(queries)
    } else {
        Err(QueryError::Unfinished { file: file.to_owned(), rows: rows.len() })
    }
}

fn parse_row(file: &str, line: usize, row: &str) -> Result<(Vec3, bool), QueryError> {
    let file = || file.to_owned();
    let columns: Vec<&str> = row.split(',').map(str::trim).collect();
    let [xn, xd, yn, yd, zn, zd, truth] = columns[..] else {
        return Err(QueryError::Columns { file: file(), line, found: columns.len() });
    };
    let coordinate = |num: &str, den: &str| {
        exact_quotient(num, den).ok_or_else(|| QueryError::Coordinate {
            file: file(),
            line,
            num: num.to_owned(),
            den: den.to_owned(),
        })
    };
    let position = Vec3::new(coordinate(xn, xd)?, coordinate(yn, yd)?, coordinate(zn, zd)?);
    match truth {
        "0" => Ok((position, false)),
        "1" => Ok((position, true)),
        other => Err(QueryError::Truth { file: file(), line, found: other.to_owned() }),
    }
}

/// `num/den` as a double, if it is one exactly.
fn exact_quotient(num: &str, den: &str) -> Option<f64> {
    // Longer than any reduced fraction of a double: not worth the arithmetic.
    const DIGITS: usize = 400;
    if num.len().max(den.len()) > DIGITS {
        return None;
    }
    let (num, den) = (num.parse::<IBig>().ok()?, den.parse::<UBig>().ok()?);
    let twos = den.trailing_zeros()?;
    let odd = IBig::from(den >> twos);
    let whole = &num / &odd;
    if &whole * &odd != num {
        return None;
    }
    if whole.is_zero() {
        return Some(0.0);
    }
    let zeros = whole.trailing_zeros()?;
    let mantissa = i64::try_from(whole >> zeros).ok().filter(|m| m.unsigned_abs() < 1 << 53)?;
    let exponent = i32::try_from(zeros).ok()? - i32::try_from(twos).ok()?;
    scaled(mantissa, exponent)
}

/// `mantissa · 2^exponent` if it is a finite double; the mantissa is odd and below 2^53.
fn scaled(mantissa: i64, exponent: i32) -> Option<f64> {
    let top = 63 - mantissa.unsigned_abs().leading_zeros() as i32 + exponent;
    if exponent < -1074 || top > 1023 {
        return None;
    }
    // Two steps keep every intermediate value a normal number or exact.
    let half = exponent / 2;
    Some(mantissa as f64 * power_of_two(half) * power_of_two(exponent - half))
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Query>, QueryError> {
        parse_queries(Kind::VertexFace, "some.csv", text)
    }

    #[test]
    fn fractions_of_doubles_are_read_exactly() {
        assert_eq!(exact_quotient("-1", "8388608"), Some(-1.0 / 8_388_608.0));
        assert_eq!(exact_quotient("6", "3"), Some(2.0));
        assert_eq!(exact_quotient("0", "7"), Some(0.0));
        let least = (UBig::ONE << 1074_usize).to_string();
        assert_eq!(exact_quotient("1", &least), Some(f64::from_bits(1)));
        let most = (IBig::from((1_i64 << 53) - 1) << 971_usize).to_string();
        assert_eq!(exact_quotient(&most, "1"), Some(f64::MAX));
    }

    #[test]
    fn what_is_no_double_is_refused() {
        for (num, den) in
            [("1", "3"), ("1", "0"), ("x", "1"), ("", "1"), ("1", "-2"), ("9007199254740993", "1")]
        {
            assert_eq!(exact_quotient(num, den), None, "{num}/{den}");
        }
        let below = (UBig::ONE << 1075_usize).to_string();
        assert_eq!(exact_quotient("1", &below), None);
        let above = (UBig::ONE << 1024_usize).to_string();
        assert_eq!(exact_quotient(&above, "1"), None);
    }

    #[test]
    fn eight_rows_make_a_query() {
        let text = format!("# comment\n\n{}", "1,2,3,4,-5,1,1\n".repeat(8));
        let queries = parse(&text).unwrap();
        assert_eq!(queries.len(), 1);
        assert_eq!(queries[0].end[3], Vec3::new(0.5, 0.75, -5.0));
        assert!(queries[0].truth);
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let said = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(
            said("1,1,1\n"),
            "some.csv:1: 3 columns where a row has 7: xnum,xden,ynum,yden,znum,zden,truth"
        );
        assert_eq!(said("\n1,3,1,1,1,1,0\n"), "some.csv:2: `1/3` is not exactly a double");
        assert_eq!(said("1,1,1,1,1,1,2\n"), "some.csv:1: truth `2` is neither 0 nor 1");
        assert_eq!(
            said("1,1,1,1,1,1,0\n1,1,1,1,1,1,1\n"),
            "some.csv:2: truth differs from the other rows of its query"
        );
        assert_eq!(said("1,1,1,1,1,1,0\n"), "some.csv: ends after 1 of the 8 rows of a query");
    }

    #[test]
    fn the_folder_tells_the_kind() {
        assert_eq!(kind_of_path("a/vertex-face/data.csv"), Ok(Kind::VertexFace));
        assert_eq!(kind_of_path("vertex-face/edge-edge/data.csv"), Ok(Kind::EdgeEdge));
        assert!(kind_of_path("data.csv").unwrap_err().to_string().starts_with("data.csv: cannot tell"));
    }
}
