//! Tables of vertices: a line for each, `x y z` or `x y z vx vy vz`.

use carom_math::Vec3;

/// Positions, in m, and velocities, in m/s, if the table has them.
#[derive(Clone, Debug, PartialEq)]
pub struct VertexTable {
    pub positions: Vec<Vec3>,
    pub velocities: Option<Vec<Vec3>>,
}

/// Reads a table. An error names the line, counted from 1.
pub fn parse(text: &str) -> Result<VertexTable, String> {
    let rows = rows(text, [3, 6])?;
    let positions = rows.iter().map(|row| Vec3::new(row[0], row[1], row[2])).collect();
    let velocity = |row: &Vec<f64>| match row[..] {
        [_, _, _, x, y, z] => Some(Vec3::new(x, y, z)),
        _ => None,
    };
    let velocities: Option<Vec<Vec3>> = rows.iter().map(velocity).collect();
    Ok(VertexTable { positions, velocities: velocities.filter(|v| !v.is_empty()) })
}

/// The lines of a table, all with the same one of two numbers of columns. An error names the line, counted from 1.
pub fn rows(text: &str, widths: [usize; 2]) -> Result<Vec<Vec<f64>>, String> {
    let mut seen_names = false;
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let words = words(line);
        let Some(numbers) = words.iter().map(|w| w.parse::<f64>().ok()).collect::<Option<Vec<f64>>>() else {
            if rows.is_empty() && !seen_names {
                seen_names = true;
                continue;
            }
            return Err(format!("line {number}: \"{line}\" are not all numbers"));
        };
        if numbers.iter().any(|n| !n.is_finite()) {
            return Err(format!("line {number}: a number is infinite or not a number"));
        }
        if !widths.contains(&numbers.len()) {
            let [few, many] = widths;
            return Err(format!(
                "line {number}: a line needs {few} or {many} numbers, this has {}",
                numbers.len()
            ));
        }
        if let Some(width) = rows.first().map(Vec::len).filter(|width| *width != numbers.len()) {
            return Err(format!("line {number}: {} numbers after lines of {width}", numbers.len()));
        }
        rows.push(numbers);
    }
    Ok(rows)
}

fn words(line: &str) -> Vec<&str> {
    let commas = line.contains([',', ';']);
    let separator = |c: char| if commas { c == ',' || c == ';' } else { c.is_whitespace() };
    line.split(separator).map(str::trim).filter(|w| commas || !w.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_commas_names_and_remarks_are_read() {
        let table = parse("# made by hand\nx,y,z\n1, 2,3\n\n4,5,6 # the last\n").unwrap();
        assert_eq!(table.positions, [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)]);
        assert_eq!(table.velocities, None);
        let table = parse("0 0 0\t1e-3 -2 .5\r\n").unwrap();
        assert_eq!(table.velocities, Some(vec![Vec3::new(1e-3, -2.0, 0.5)]));
    }

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        assert!(parse("0 0 0\n1 2\n").unwrap_err().starts_with("line 2: a line needs 3 or 6"));
        assert!(parse("0 0 0\n1 2 3 4 5 6\n").unwrap_err().starts_with("line 2: 6 numbers after lines of 3"));
        assert!(parse("x y z\nx y z\n").unwrap_err().starts_with("line 2:"));
        assert!(parse("0 0 nan\n").unwrap_err().contains("not a number"));
        assert!(parse("0,,0\n1,2,3\n0,,1").is_err());
    }
}
