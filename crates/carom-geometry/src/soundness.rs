//! What is wrong with a mesh, in words.
//!
//! [`check`] lists the defects of a mesh, one entry a kind of defect, each with the numbers of all
//! elements concerned (counted from 0) and a remedy. An element that fails an early test (a vertex
//! that does not exist) is left out of the later ones (its area).
//!
//! Flat means: thinner than a ten-billionth of its longest side, which is what rounding leaves of
//! a flat element some kilometres from the origin.
//!
//! **Never here:** repairs. Nothing is changed in silence; the remedy is the user's to choose.

use core::fmt;

use carom_math::Vec3;

use crate::mesh::{Mesh, area_normal, signed_volume};
use crate::topology::{EdgeUse, edge_uses, sorted};

/// Height over longest side below which an element counts as flat.
const FLAT: f64 = 1e-10;

/// How many element numbers a message lists.
const SPELLED_OUT: usize = 5;

/// A kind of element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A free-standing edge.
    Edge,
    /// A triangle.
    Triangle,
    /// A tetrahedron.
    Tet,
    /// A named set of vertices.
    Group,
}

/// One thing that is wrong with a mesh.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// There are no vertices.
    #[error("the mesh is empty: it has no vertices; check that the file is the one you meant")]
    Empty,

    /// Some coordinates are infinite or not a number.
    #[error(
        "{} a coordinate that is infinite or not a number; export the mesh again",
        having("vertex", vertices)
    )]
    NonFinite {
        /// The vertices concerned.
        vertices: Vec<u32>,
    },

    /// Some elements name a vertex that does not exist.
    #[error(
        "{} a vertex that does not exist (there are {count}); the file is damaged or counts from the wrong number",
        naming(kind.name(), elements)
    )]
    OutOfRange {
        /// Kind of the elements.
        kind: Kind,
        /// Numbers of the elements.
        elements: Vec<u32>,
        /// Number of vertices of the mesh.
        count: usize,
    },

    /// Some elements name the same vertex twice.
    #[error("{} the same vertex twice; delete what has collapsed", naming(kind.name(), elements))]
    RepeatedVertex {
        /// Kind of the elements.
        kind: Kind,
        /// Numbers of the elements.
        elements: Vec<u32>,
    },

    /// Some elements have no length, area or volume.
    #[error(
        "{} no {}; delete what is flat, or merge the vertices that coincide",
        having(kind.name(), elements),
        kind.extent()
    )]
    Flat {
        /// Kind of the elements.
        kind: Kind,
        /// Numbers of the elements.
        elements: Vec<u32>,
    },

    /// Some tetrahedra are inverted.
    #[error(
        "{} negative volume, out of {total}; swap two vertices of each, or export with positive orientation",
        having("tetrahedron", tets)
    )]
    InvertedTets {
        /// Numbers of the inverted tetrahedra.
        tets: Vec<u32>,
        /// Number of tetrahedra of the mesh.
        total: usize,
    },

    /// Some edges have three triangles or more.
    #[error("{} more than two triangles; split the surface there", having_edges(edges))]
    NonManifold {
        /// The ends of the edges.
        edges: Vec<[u32; 2]>,
    },

    /// Across some edges the two triangles face opposite sides.
    #[error("{} triangles that face opposite sides; make the normals consistent", having_edges(edges))]
    Misoriented {
        /// The ends of the edges.
        edges: Vec<[u32; 2]>,
    },

    /// Some vertices belong to no element and would have no mass.
    #[error("{} no element, hence no mass; delete what is loose", having("vertex", vertices))]
    Isolated {
        /// The vertices.
        vertices: Vec<u32>,
    },

    /// Some elements repeat an earlier one over the same vertices.
    #[error("{} an earlier one over the same vertices; delete the copies", repeating(kind.name(), elements))]
    Duplicate {
        /// Kind of the elements.
        kind: Kind,
        /// The numbers of the copies; the first of each set is not listed.
        elements: Vec<u32>,
    },
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Triangle => "triangle",
            Self::Tet => "tetrahedron",
            Self::Group => "group",
        }
    }

    const fn extent(self) -> &'static str {
        match self {
            Self::Edge => "length",
            Self::Triangle => "area",
            Self::Tet | Self::Group => "volume",
        }
    }
}

/// All that is wrong with a mesh; nothing, if it is sound.
///
/// ```
/// use carom_geometry::{check, shapes};
///
/// let mut mesh = shapes::icosphere(1.0, 2).unwrap();
/// assert!(check(&mesh).is_empty());
///
/// mesh.triangles[7].swap(0, 1);
/// assert_eq!(
///     check(&mesh)[0].to_string(),
///     "3 edges (0-12, 0-13, 12-13) have triangles that face opposite sides; make the normals consistent"
/// );
/// ```
#[must_use]
pub fn check(mesh: &Mesh) -> Vec<Defect> {
    if mesh.positions.is_empty() {
        return vec![Defect::Empty];
    }
    let mut defects = Vec::new();
    let vertices = numbers(&mesh.positions, |p| !p.is_finite());
    report(&mut defects, vertices, |vertices| Defect::NonFinite { vertices });

    let edges = sound_elements(Kind::Edge, mesh, &mesh.edges, &mut defects);
    let triangles = sound_elements(Kind::Triangle, mesh, &mesh.triangles, &mut defects);
    let tets = sound_elements(Kind::Tet, mesh, &mesh.tets, &mut defects);
    let count = mesh.positions.len();
    let strays = numbers(&mesh.groups, |g| g.vertices.iter().any(|&v| v as usize >= count));
    report(&mut defects, strays, |elements| Defect::OutOfRange { kind: Kind::Group, elements, count });

    check_extents(mesh, &edges, &triangles, &tets, &mut defects);
    check_surface(&triangles, &mut defects);

    let mut used = vec![false; count];
    let named = mesh.edges.iter().flatten().chain(mesh.triangles.iter().flatten());
    for &v in named.chain(mesh.tets.iter().flatten()) {
        if let Some(flag) = used.get_mut(v as usize) {
            *flag = true;
        }
    }
    report(&mut defects, numbers(&used, |used| !used), |vertices| Defect::Isolated { vertices });
    defects
}

/// The elements, with their numbers, that name existing and different vertices; reports the others
/// and the duplicates.
fn sound_elements<const N: usize>(
    kind: Kind,
    mesh: &Mesh,
    elements: &[[u32; N]],
    defects: &mut Vec<Defect>,
) -> Vec<(u32, [u32; N])> {
    let count = mesh.positions.len();
    let strays = |e: &[u32; N]| e.iter().any(|&v| v as usize >= count);
    let repeats = |e: &[u32; N]| sorted(*e).windows(2).any(|pair| pair[0] == pair[1]);
    report(defects, numbers(elements, strays), |elements| Defect::OutOfRange { kind, elements, count });
    let collapsed = numbers(elements, |e| !strays(e) && repeats(e));
    report(defects, collapsed, |elements| Defect::RepeatedVertex { kind, elements });

    let mut by_vertices: Vec<([u32; N], u32)> = elements.iter().map(|e| sorted(*e)).zip(0..).collect();
    by_vertices.sort_unstable();
    let mut copies: Vec<u32> = by_vertices
        .chunk_by(|a, b| a.0 == b.0)
        .flat_map(|same| &same[1..])
        .map(|(_, number)| *number)
        .collect();
    copies.sort_unstable();
    report(defects, copies, |elements| Defect::Duplicate { kind, elements });

    (0..).zip(elements.iter().copied()).filter(|(_, e)| !strays(e) && !repeats(e)).collect()
}

/// Reports elements without length, area or volume, and tetrahedra inside out. Elements with a
/// coordinate that is no number were reported before and pass.
fn check_extents(
    mesh: &Mesh,
    edges: &[(u32, [u32; 2])],
    triangles: &[(u32, [u32; 3])],
    tets: &[(u32, [u32; 4])],
    defects: &mut Vec<Defect>,
) {
    let flat_edges = select(edges, |e| {
        let [a, b] = mesh.corners(e);
        (b - a).is_zero()
    });
    report(defects, flat_edges, |elements| Defect::Flat { kind: Kind::Edge, elements });
    let flat_triangles = select(triangles, |t| {
        let corners = mesh.corners(t);
        2.0 * area_normal(corners).length() <= FLAT * longest(&corners).powi(2)
    });
    report(defects, flat_triangles, |elements| Defect::Flat { kind: Kind::Triangle, elements });

    let bound = |corners: &[Vec3; 4]| FLAT * longest(corners).powi(3);
    let flat_tets = select(tets, |t| {
        let corners = mesh.corners(t);
        6.0 * signed_volume(corners).abs() <= bound(&corners)
    });
    report(defects, flat_tets, |elements| Defect::Flat { kind: Kind::Tet, elements });
    let inverted = select(tets, |t| {
        let corners = mesh.corners(t);
        6.0 * signed_volume(corners) < -bound(&corners)
    });
    report(defects, inverted, |tets| Defect::InvertedTets { tets, total: mesh.tets.len() });
}

/// Reports edges with too many triangles, or with two that face opposite sides.
fn check_surface(triangles: &[(u32, [u32; 3])], defects: &mut Vec<Defect>) {
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|(_, t)| *t).collect();
    let uses = edge_uses(&triangles);
    let edges = |wrong: fn(&[EdgeUse]) -> bool| -> Vec<[u32; 2]> {
        uses.chunk_by(|a, b| a.ends == b.ends).filter(|same| wrong(same)).map(|same| same[0].ends).collect()
    };
    report(defects, edges(|same| same.len() > 2), |edges| Defect::NonManifold { edges });
    let misoriented = edges(|same| matches!(same, [one, two] if !one.agrees_with(two)));
    report(defects, misoriented, |edges| Defect::Misoriented { edges });
}

fn report<T>(defects: &mut Vec<Defect>, found: Vec<T>, defect: impl FnOnce(Vec<T>) -> Defect) {
    if !found.is_empty() {
        defects.push(defect(found));
    }
}

fn numbers<T>(items: &[T], wrong: impl Fn(&T) -> bool) -> Vec<u32> {
    (0..).zip(items).filter(|(_, item)| wrong(item)).map(|(number, _)| number).collect()
}

fn select<T>(items: &[(u32, T)], wrong: impl Fn(&T) -> bool) -> Vec<u32> {
    items.iter().filter(|(_, item)| wrong(item)).map(|(number, _)| *number).collect()
}

fn longest(corners: &[Vec3]) -> f64 {
    let mut longest_sq = 0.0_f64;
    for (i, a) in corners.iter().enumerate() {
        for b in &corners[..i] {
            longest_sq = longest_sq.max((*a - *b).length_sq());
        }
    }
    longest_sq.sqrt()
}

fn having(noun: &str, numbers: &[u32]) -> String {
    sentence(noun, numbers, if numbers.len() == 1 { "has" } else { "have" })
}

fn naming(noun: &str, numbers: &[u32]) -> String {
    sentence(noun, numbers, if numbers.len() == 1 { "names" } else { "name" })
}

fn repeating(noun: &str, numbers: &[u32]) -> String {
    sentence(noun, numbers, if numbers.len() == 1 { "repeats" } else { "repeat" })
}

fn having_edges(edges: &[[u32; 2]]) -> String {
    let spelled: Vec<String> = edges.iter().take(SPELLED_OUT).map(|[a, b]| format!("{a}-{b}")).collect();
    sentence_of("edge", &spelled, edges.len(), if edges.len() == 1 { "has" } else { "have" })
}

fn sentence(noun: &str, numbers: &[u32], verb: &str) -> String {
    let spelled: Vec<String> = numbers.iter().take(SPELLED_OUT).map(u32::to_string).collect();
    sentence_of(noun, &spelled, numbers.len(), verb)
}

/// "1 triangle (7) has", "8 vertices (0, 1, 2, 3, 4 and 3 more) have".
fn sentence_of(noun: &str, spelled: &[String], count: usize, verb: &str) -> String {
    struct Plural<'a>(&'a str, usize);
    impl fmt::Display for Plural<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self(noun, 1) => write!(f, "{noun}"),
                Self("vertex", _) => write!(f, "vertices"),
                Self("tetrahedron", _) => write!(f, "tetrahedra"),
                Self(noun, _) => write!(f, "{noun}s"),
            }
        }
    }
    let rest = match count - spelled.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{count} {} ({}{rest}) {verb}", Plural(noun, count), spelled.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Group;

    /// A square of two triangles and a tetrahedron standing on one of them.
    fn sound() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::X + Vec3::Y, Vec3::Y, Vec3::Z],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            tets: vec![[0, 1, 2, 4]],
            edges: vec![[3, 4]],
            groups: vec![Group::new("corner", [0])],
        }
    }

    fn only(mesh: &Mesh) -> Defect {
        let mut defects = check(mesh);
        assert_eq!(defects.len(), 1, "{defects:?}");
        defects.remove(0)
    }

    #[test]
    fn a_sound_mesh_has_no_defects_and_one_without_vertices_is_empty() {
        assert_eq!(check(&sound()), []);
        assert_eq!(only(&Mesh::default()), Defect::Empty);
    }

    #[test]
    fn a_coordinate_that_is_no_number_is_reported_once() {
        let mut mesh = sound();
        mesh.positions[3].y = f64::NAN;
        assert_eq!(only(&mesh), Defect::NonFinite { vertices: vec![3] });
        mesh.positions[3].y = f64::INFINITY;
        assert_eq!(only(&mesh), Defect::NonFinite { vertices: vec![3] });
    }

    #[test]
    fn a_vertex_that_does_not_exist_is_reported_for_every_kind_of_element() {
        let mut mesh = sound();
        mesh.triangles.push([0, 1, 9]);
        mesh.tets.push([0, 1, 2, u32::MAX]);
        mesh.edges.push([5, 0]);
        mesh.groups.push(Group::new("lost", [7]));
        let kinds: Vec<_> = check(&mesh)
            .into_iter()
            .map(|d| match d {
                Defect::OutOfRange { kind, elements, count: 5 } => (kind, elements),
                other => panic!("{other}"),
            })
            .collect();
        let expected = [(Kind::Edge, 1), (Kind::Triangle, 2), (Kind::Tet, 1), (Kind::Group, 1)];
        assert_eq!(kinds, expected.map(|(kind, number)| (kind, vec![number])));
    }

    #[test]
    fn collapsed_flat_and_inverted_elements_are_told_apart() {
        let mut mesh = sound();
        mesh.triangles[1] = [0, 2, 2];
        mesh.edges.push([0, 3]);
        assert_eq!(only(&mesh), Defect::RepeatedVertex { kind: Kind::Triangle, elements: vec![1] });

        let mut mesh = sound();
        mesh.positions[3] = Vec3::splat(0.5) - Vec3::Z * 0.5;
        assert_eq!(only(&mesh), Defect::Flat { kind: Kind::Triangle, elements: vec![1] });

        let mut mesh = sound();
        mesh.tets.push([0, 1, 2, 3]);
        assert_eq!(only(&mesh), Defect::Flat { kind: Kind::Tet, elements: vec![1] });

        let mut mesh = sound();
        mesh.tets[0].swap(0, 1);
        assert_eq!(only(&mesh), Defect::InvertedTets { tets: vec![0], total: 1 });

        let mut mesh = sound();
        mesh.positions[4] = mesh.positions[3];
        mesh.tets.clear();
        assert_eq!(only(&mesh), Defect::Flat { kind: Kind::Edge, elements: vec![0] });
    }

    #[test]
    fn flatness_does_not_depend_on_size_or_place() {
        for (size, place) in [(1e-6, 0.0), (1.0, 1e4), (1e6, 0.0)] {
            let mut mesh = sound();
            mesh.positions[3] = Vec3::X * 0.5 + Vec3::Y * 0.5;
            let mesh = mesh.scaled(size).translated(Vec3::splat(place));
            assert_eq!(only(&mesh), Defect::Flat { kind: Kind::Triangle, elements: vec![1] });
            assert_eq!(check(&sound().scaled(size).translated(Vec3::splat(place))), []);
        }
    }

    #[test]
    fn fins_flipped_neighbours_copies_and_loose_vertices_are_reported() {
        let mut mesh = sound();
        mesh.triangles.push([0, 2, 4]);
        assert_eq!(only(&mesh), Defect::NonManifold { edges: vec![[0, 2]] });

        let mut mesh = sound();
        mesh.triangles[1].swap(0, 1);
        assert_eq!(only(&mesh), Defect::Misoriented { edges: vec![[0, 2]] });

        let mut mesh = sound();
        mesh.edges.push([4, 3]);
        assert_eq!(only(&mesh), Defect::Duplicate { kind: Kind::Edge, elements: vec![1] });

        let mut mesh = sound();
        mesh.positions.push(Vec3::splat(2.0));
        assert_eq!(only(&mesh), Defect::Isolated { vertices: vec![5] });
    }

    #[test]
    fn a_message_counts_names_the_first_few_and_says_what_to_do() {
        let isolated = Defect::Isolated { vertices: (0..8).collect() };
        assert_eq!(
            isolated.to_string(),
            "8 vertices (0, 1, 2, 3, 4 and 3 more) have no element, hence no mass; delete what is loose"
        );
        let flat = Defect::Flat { kind: Kind::Triangle, elements: vec![7] };
        assert_eq!(
            flat.to_string(),
            "1 triangle (7) has no area; delete what is flat, or merge the vertices that coincide"
        );
        let inverted = Defect::InvertedTets { tets: vec![1, 2], total: 9 };
        assert!(inverted.to_string().starts_with("2 tetrahedra (1, 2) have negative volume, out of 9"));
    }
}
