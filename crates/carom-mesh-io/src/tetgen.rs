//! TetGen: vertices in `.node`, tetrahedra in `.ele`.
//!
//! Either file finds the other by its name. Vertices count from 0 or from 1, as the first of them
//! says. A region number after a tetrahedron makes a group `region-…`.

use std::collections::BTreeMap;

use carom_geometry::{Group, Mesh};

use super::text;
use super::{Companions, Fault, remedy};

/// Reads a `.node` file, and the `.ele` file beside it if there is one.
pub fn read_nodes(stem: &str, bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, Fault> {
    let (mut mesh, first) = nodes(bytes)?;
    if let Some(elements) = companions(&format!("{stem}.ele")) {
        let beside = |fault: Fault| in_companion(&fault, stem, "ele");
        add_tets(&elements, first, &mut mesh).map_err(beside)?;
    }
    Ok(mesh)
}

/// Reads an `.ele` file and the `.node` file beside it.
pub fn read_elements(stem: &str, bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, Fault> {
    let Some(vertices) = companions(&format!("{stem}.node")) else {
        let message = format!("the vertices are missing: there is no file {stem}.node");
        return Err(Fault::new(message, "put the .node file beside the .ele file"));
    };
    let (mut mesh, first) = nodes(&vertices).map_err(|fault| in_companion(&fault, stem, "node"))?;
    add_tets(bytes, first, &mut mesh)?;
    Ok(mesh)
}

/// A fault of the other file: its line is not one of ours.
fn in_companion(fault: &Fault, stem: &str, extension: &str) -> Fault {
    let line = fault.line.map(|line| format!(":{line}")).unwrap_or_default();
    Fault::new(format!("in {stem}.{extension}{line}: {}", fault.message), fault.remedy)
}

/// What both files are: a header that counts the rows, and rows of words with their lines.
struct Table<'a> {
    count: u64,
    /// Numbers of the header after the count; at least one.
    columns: Vec<u64>,
    rows: Box<dyn Iterator<Item = (usize, Vec<String>)> + 'a>,
}

impl<'a> Table<'a> {
    fn open(bytes: &'a [u8], columns: &str) -> Result<Self, Fault> {
        let words = |data: std::borrow::Cow<'_, str>| data.split_whitespace().map(str::to_owned).collect();
        let mut rows = text::lines_of_data(bytes).map(move |(line, data)| (line, words(data)));
        let (line, head): (usize, Vec<String>) =
            rows.next().ok_or_else(|| Fault::new("the file has no header", remedy::CUT))?;
        let head = head.iter().map(|word| text::count(line, word)).collect::<Result<Vec<u64>, _>>()?;
        match head.split_first() {
            Some((count, rest)) if !rest.is_empty() => {
                Ok(Self { count: *count, columns: rest.to_vec(), rows: Box::new(rows) })
            }
            _ => Err(Fault::at(line, format!("the header has no {columns}"), remedy::DAMAGED)),
        }
    }
}

/// The vertices, and the number of the first.
fn nodes(bytes: &[u8]) -> Result<(Mesh, u64), Fault> {
    let Table { count, columns, mut rows } = Table::open(bytes, "dimension")?;
    if columns[0] != 3 {
        let message = format!("the vertices have {} coordinates", columns[0]);
        return Err(Fault::new(message, "three are needed"));
    }
    let mut mesh = Mesh::default();
    let mut first = 0;
    while (mesh.positions.len() as u64) < count {
        let Some((line, row)) = rows.next() else {
            let message =
                format!("{count} vertices are announced, but the file ends after {}", mesh.positions.len());
            return Err(Fault::new(message, remedy::COUNTS));
        };
        let number = text::count(line, &row[0])?;
        if mesh.positions.is_empty() {
            first = number;
        }
        let expected = first.saturating_add(mesh.positions.len() as u64);
        if number != expected || first > 1 {
            let message = format!("vertex {number} where {expected} should be");
            return Err(Fault::at(line, message, "number the vertices in order from 0 or 1"));
        }
        mesh.positions.push(text::point(line, &mut row[1..].iter().map(String::as_str))?);
    }
    text::nothing_follows(rows, &format!("the last of {count} vertices"))?;
    Ok((mesh, first))
}

fn add_tets(bytes: &[u8], first: u64, mesh: &mut Mesh) -> Result<(), Fault> {
    let Table { count, columns, mut rows } = Table::open(bytes, "number of vertices per tetrahedron")?;
    if columns[0] != 4 {
        let message = format!("the elements have {} vertices", columns[0]);
        return Err(Fault::new(message, "only tetrahedra of four are read; write them without -o2"));
    }
    let has_region = columns.get(1).is_some_and(|attributes| *attributes > 0);
    let mut regions: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    while (mesh.tets.len() as u64) < count {
        let Some((line, row)) = rows.next() else {
            let message =
                format!("{count} tetrahedra are announced, but the file ends after {}", mesh.tets.len());
            return Err(Fault::new(message, remedy::COUNTS));
        };
        let Some(words) = row.get(1..5) else {
            return Err(Fault::at(line, "a tetrahedron needs its number and four vertices", remedy::CUT));
        };
        let mut tet = [0_u32; 4];
        for (vertex, word) in tet.iter_mut().zip(words) {
            let named = text::count(line, word)?;
            let existing = named.checked_sub(first).filter(|v| *v < mesh.positions.len() as u64);
            *vertex = existing.ok_or_else(|| {
                let message = format!(
                    "tetrahedron {} names vertex {named}, but there are {}",
                    mesh.tets.len(),
                    mesh.positions.len()
                );
                Fault::at(line, message, remedy::INDICES)
            })? as u32;
        }
        mesh.tets.push(tet);
        if let Some(region) = row.get(5).filter(|_| has_region) {
            regions.entry(region.clone()).or_default().extend(tet);
        }
    }
    text::nothing_follows(rows, &format!("the last of {count} tetrahedra"))?;
    mesh.groups = regions.into_iter().map(|(name, v)| Group::new(format!("region-{name}"), v)).collect();
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const NODES: &str = "# nodes\n5 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0 # third\n4 0 0 1\n5 0 0 -1\n";
    pub(crate) const TETS: &str = "2 4 1\n1 1 2 3 4 7\n2 1 3 2 5 8\n";

    fn beside(name: &str) -> Option<Vec<u8>> {
        match name {
            "two.node" => Some(NODES.into()),
            "two.ele" => Some(TETS.into()),
            _ => None,
        }
    }

    #[test]
    fn either_file_finds_the_other() {
        let mesh = read_elements("two", TETS.as_bytes(), &beside).unwrap();
        assert_eq!(mesh.tets, [[0, 1, 2, 3], [0, 2, 1, 4]]);
        assert_eq!(mesh.groups, [Group::new("region-7", 0..4), Group::new("region-8", [0, 1, 2, 4])]);
        assert_eq!(read_nodes("two", NODES.as_bytes(), &beside).unwrap(), mesh);
        assert!(read_nodes("one", NODES.as_bytes(), &beside).unwrap().tets.is_empty());
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let message = |ele: &str| read_elements("two", ele.as_bytes(), &beside).unwrap_err().message;
        assert_eq!(message("1 4\n1 1 2 3 6"), "tetrahedron 0 names vertex 6, but there are 5");
        assert_eq!(message("1 4\n1 1 2 3 0"), "tetrahedron 0 names vertex 0, but there are 5");
        assert_eq!(message("9 4\n1 1 2 3 4"), "9 tetrahedra are announced, but the file ends after 1");
        assert_eq!(message("1 4\n1 1 2 3 4\n2 1 2 3 4"), "more follows after the last of 1 tetrahedra");
        assert_eq!(message("1 10\n"), "the elements have 10 vertices");
        assert_eq!(message("1 4\n1 1 2 3"), "a tetrahedron needs its number and four vertices");
        let alone = read_elements("one", TETS.as_bytes(), &beside).unwrap_err();
        assert_eq!(alone.message, "the vertices are missing: there is no file one.node");
        let damaged = read_elements("x", TETS.as_bytes(), &|_| Some(b"2 3\n0 0 0 0\n2 0 0 0".into()));
        assert_eq!(damaged.unwrap_err().message, "in x.node:3: vertex 2 where 1 should be");
    }
}
