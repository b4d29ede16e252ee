//! One mesh in four encodings: two tetrahedra, a quadrangle, a line and a point, in named and
//! unnamed groups. The binary files are made from the text ones, number by number.

use super::*;

pub const V2: &str = "\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 5 \"the floor\"
3 9 \"body\"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
30 1 1 0
40 0 1 0
7 0 0 1
$EndNodes
$Elements
5
1 4 2 9 1 10 20 30 7
2 4 2 9 1 10 30 40 7
3 3 2 5 2 10 20 30 40
4 1 2 0 3 10 20
5 15 2 4 4 7
$EndElements
$Comments
anything at all
$EndComments
";

pub const V4: &str = "\
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
2 5 \"the floor\"
3 9 \"body\"
$EndPhysicalNames
$Entities
1 1 1 1
4 0 0 1 1 4
3 0 0 0 1 0 0 0 0
2 0 0 0 1 1 0 1 5 1 3
1 0 0 0 1 1 1 1 9 1 2
$EndEntities
$Nodes
2 5 7 40
2 1 1 4
10
20
30
40
0 0 0 0 0
1 0 0 1 0
1 1 0 1 1
0 1 0 0 1
3 1 0 1
7
0 0 1
$EndNodes
$Elements
4 5 1 5
3 1 4 2
1 10 20 30 7
2 10 30 40 7
2 2 3 1
3 10 20 30 40
1 3 1 1
4 10 20
0 4 15 1
5 7
$EndElements
";

#[derive(Clone, Copy)]
enum Put {
    Int,
    Size,
    Number,
}
use Put::{Int, Number, Size};

/// The numbers of one section as raw bytes.
fn raw(text: &str, section: &str, kinds: &[Put], big: bool) -> Vec<u8> {
    let body = text.split(&format!("${section}\n")).nth(1).unwrap();
    let body = body.split(&format!("$End{section}")).next().unwrap();
    let words: Vec<&str> = body.split_whitespace().collect();
    assert_eq!(words.len(), kinds.len());
    let put = |(word, kind): (&&str, &Put)| {
        let mut bytes = match kind {
            Int => word.parse::<i32>().unwrap().to_le_bytes().to_vec(),
            Size => word.parse::<u64>().unwrap().to_le_bytes().to_vec(),
            Number => word.parse::<f64>().unwrap().to_le_bytes().to_vec(),
        };
        if big {
            bytes.reverse();
        }
        bytes
    };
    words.iter().zip(kinds).flat_map(put).collect()
}

fn binary(version: &str, names: bool, big: bool, sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut file = format!("$MeshFormat\n{version} 1 8\n").into_bytes();
    file.extend(if big { [0, 0, 0, 1] } else { [1, 0, 0, 0] });
    file.extend(b"\n$EndMeshFormat\n");
    if names {
        file.extend(b"$PhysicalNames\n2\n2 5 \"the floor\"\n3 9 \"body\"\n$EndPhysicalNames\n");
    }
    for (name, raw) in sections {
        file.extend(format!("${name}\n").into_bytes());
        file.extend(raw);
        file.extend(format!("\n$End{name}\n").into_bytes());
    }
    file
}

pub fn binary_v4(big: bool) -> Vec<u8> {
    let entities = [
        vec![Size; 4],
        vec![Int, Number, Number, Number, Size, Int],
        [vec![Int], vec![Number; 6], vec![Size, Size]].concat(),
        [vec![Int], vec![Number; 6], vec![Size, Int, Size, Int]].concat(),
        [vec![Int], vec![Number; 6], vec![Size, Int, Size, Int]].concat(),
    ]
    .concat();
    let block = [Int, Int, Int, Size];
    let nodes = [&[Size; 4][..], &block, &[Size; 4], &[Number; 20], &block, &[Size], &[Number; 3]].concat();
    let elements =
        [&[Size; 4][..], &block, &[Size; 10], &block, &[Size; 5], &block, &[Size; 3], &block, &[Size; 2]]
            .concat();
    let section = |name, kinds: &[Put]| (name, raw(V4, name, kinds, big));
    let sections = [section("Entities", &entities), section("Nodes", &nodes), section("Elements", &elements)];
    binary("4.1", true, big, &sections)
}

pub fn binary_v2(big: bool) -> Vec<u8> {
    let node = [Int, Number, Number, Number];
    let nodes = [b"5\n".to_vec(), raw(&V2.replace("$Nodes\n5\n", "$Nodes\n"), "Nodes", &node.repeat(5), big)];
    // Raw elements come in blocks: kind, how many, how many tags.
    let blocks = "$Elements\n4 2 2 1 9 1 10 20 30 7 2 9 1 10 30 40 7 \
                  3 1 2 3 5 2 10 20 30 40 1 1 2 4 0 3 10 20 15 1 2 5 4 4 7 $EndElements";
    let elements = [b"5\n".to_vec(), raw(blocks, "Elements", &[Int; 42], big)];
    binary("2.2", true, big, &[("Nodes", nodes.concat()), ("Elements", elements.concat())])
}

fn refused(file: &str) -> (Option<usize>, String) {
    let fault = read(file.as_bytes()).unwrap_err();
    (fault.line, fault.message)
}

#[test]
fn elements_and_physical_groups_are_read() {
    let mesh = read(V2.as_bytes()).unwrap();
    assert_eq!(mesh.positions.len(), 5);
    assert_eq!(mesh.tets, [[0, 1, 2, 4], [0, 2, 3, 4]]);
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.edges, [[0, 1]]);
    let groups: Vec<_> = mesh.groups.iter().map(|g| (g.name.as_str(), g.vertices.as_slice())).collect();
    assert_eq!(
        groups,
        [("physical-0-4", &[4][..]), ("the floor", &[0, 1, 2, 3]), ("body", &[0, 1, 2, 3, 4])]
    );
}

#[test]
fn both_versions_text_and_binary_give_the_same_mesh() {
    let mesh = read(V2.as_bytes()).unwrap();
    assert_eq!(read(V4.as_bytes()).unwrap(), mesh);
    for big in [false, true] {
        assert_eq!(read(&binary_v2(big)).unwrap(), mesh);
        assert_eq!(read(&binary_v4(big)).unwrap(), mesh);
    }
}

#[test]
fn a_binary_file_that_ends_early_is_refused_or_has_lost_a_whole_section() {
    let mesh = read(V2.as_bytes()).unwrap();
    for file in [binary_v2(false), binary_v4(false)] {
        for length in 1..file.len() {
            if let Ok(read) = read(&file[..length]) {
                assert!(read.tets.is_empty() || read == mesh, "{length} bytes");
            }
        }
    }
}

#[test]
fn a_fault_in_text_has_a_line_and_one_in_bytes_an_offset() {
    assert_eq!(
        refused(&V2.replace("10 20 30 7\n", "10 20 30 8\n")),
        (Some(19), "an element names node 8, which does not exist".to_owned())
    );
    let mut file = binary_v2(false);
    let nodes = file.windows(8).position(|w| w == b"$Nodes\n5").unwrap() + 9;
    file[nodes + 4..nodes + 12].copy_from_slice(&f64::NAN.to_le_bytes());
    let fault = read(&file).unwrap_err();
    assert_eq!(fault.line, None);
    assert!(fault.message.starts_with("a coordinate is infinite or not a number (before byte 1"));
}

#[test]
fn counts_that_do_not_agree_and_sections_without_end_are_refused() {
    assert_eq!(refused(&V2.replace("$Nodes\n5", "$Nodes\n50")).1, "`$EndNodes` is not a whole number");
    assert_eq!(refused(&V2.replace("$Elements\n5", "$Elements\n4")).1, "`5` where `$EndElements` should be");
    assert_eq!(refused(&V4.replace("2 5 7 40", "2 6 7 40")).1, "6 nodes are announced, but there are 5");
    assert_eq!(refused(&V2.replace("$EndComments", "")).1, "the section `$Comments` has no end");
    assert_eq!(refused(&V2.replace("20 1 0 0", "10 1 0 0")).1, "node 10 is defined twice");
}

#[test]
fn other_versions_and_other_elements_are_refused_with_a_remedy() {
    let fault = read(V4.replace("4.1 0 8", "4.0 0 8").as_bytes()).unwrap_err();
    assert_eq!(fault.message, "the version `4.0` is not read, only 2.2 and 4.1");
    assert_eq!(fault.remedy, OTHER_VERSION);
    let message = |kind: &str| refused(&V2.replace("\n1 4 2", &format!("\n1 {kind} 2"))).1;
    assert_eq!(message("5"), "hexahedra are not read");
    assert_eq!(message("11"), "elements of a higher order (type 11) are not read");
    assert_eq!(message("-1"), "-1 is no type of an element");
    assert_eq!(refused("$Nodes").1, "`$Nodes` where `$MeshFormat` should be");
}
