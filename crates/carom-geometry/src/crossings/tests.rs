//! The search compared with brute force, and the predicate with collision detection of a vertex that moves along the segment.

use super::*;
use carom_ccd::{Kind, first_contact_exact};
use proptest::prelude::*;

fn lattice() -> impl Strategy<Value = Vec3> {
    // Moving some coordinates by one unit in the last place makes near misses that only exact signs detect.
    let coordinate = (-2..=2_i32, 0..6_u8).prop_map(|(c, kind)| match kind {
        0 => f64::from(c).next_up(),
        1 => f64::from(c) * 0.5,
        _ => f64::from(c),
    });
    prop::array::uniform3(coordinate).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_segment_meets_a_triangle_if_a_vertex_flying_along_it_does(
        segment in prop::array::uniform2(lattice()), triangle in prop::array::uniform3(lattice()),
    ) {
        let ([p, q], [a, b, c]) = (segment, triangle);
        let flight = first_contact_exact(Kind::VertexFace, &[p, a, b, c], &[q, a, b, c]);
        prop_assert_eq!(segment_meets_triangle(&segment, &triangle), flight.is_some());
    }
}

proptest! {
    #[test]
    fn the_tree_loses_no_crossing(
        positions in prop::collection::vec(lattice(), 12),
        faces in prop::collection::vec(prop::array::uniform3(0..12_u32), 0..20),
    ) {
        let mut pairs = Vec::new();
        for first in 0..faces.len() as u32 {
            for second in first + 1..faces.len() as u32 {
                if let Some(meeting) = meeting(&positions, &faces, first, second) {
                    pairs.push(Crossing { first, second, meeting });
                }
            }
        }
        let mut found = face_crossings(&positions, &faces);
        found.retain(|c| c.meeting != CrossingKind::NoArea);
        // Pairs that share corners but no box overlap do not exist: shared corners are in both boxes.
        prop_assert_eq!(found, pairs);
    }

    #[test]
    fn turning_a_mesh_over_changes_no_pair(
        positions in prop::collection::vec(lattice(), 9),
        faces in prop::collection::vec(prop::array::uniform3(0..9_u32), 0..10),
    ) {
        let pairs = |faces: &[[u32; 3]], positions: &[Vec3]| -> Vec<(u32, u32)> {
            face_crossings(positions, faces).iter().map(|c| (c.first, c.second)).collect()
        };
        let here = pairs(&faces, &positions);
        let turned: Vec<[u32; 3]> = faces.iter().map(|[a, b, c]| [*c, *b, *a]).collect();
        let mirrored: Vec<Vec3> = positions.iter().map(|p| Vec3::new(-p.y, p.z, p.x)).collect();
        prop_assert_eq!(&here, &pairs(&turned, &positions));
        prop_assert_eq!(&here, &pairs(&faces, &mirrored));
    }
}

#[test]
fn each_way_to_meet_has_its_name() {
    let v = Vec3::new;
    let flat = [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(0.0, 2.0, 0.0), v(2.0, 2.0, 0.0), v(1.0, 0.0, 0.0)];
    let meet = |faces: &[[u32; 3]]| -> Vec<CrossingKind> {
        face_crossings(&flat, faces).iter().map(|c| c.meeting).collect()
    };
    assert_eq!(meet(&[[0, 1, 2], [1, 3, 2]]), []);
    assert_eq!(meet(&[[0, 1, 2], [0, 1, 3]]), [CrossingKind::Folded]);
    assert_eq!(meet(&[[0, 1, 2], [2, 0, 1]]), [CrossingKind::Same]);
    assert_eq!(meet(&[[0, 4, 1]]), [CrossingKind::NoArea]);
    assert_eq!(meet(&[[0, 1, 2], [3, 2, 4]]), [CrossingKind::Edge { edge: [0, 1], face: 1 }]);

    let solid = [
        v(0.0, 0.0, 0.0),
        v(4.0, 0.0, 0.0),
        v(0.0, 4.0, 0.0),
        v(1.0, 1.0, -1.0),
        v(1.0, 1.0, 1.0),
        v(0.5, 1.0, 2.0),
    ];
    let faces = [[0, 1, 2], [3, 4, 5]];
    let pierced = CrossingKind::Edge { edge: [3, 4], face: 0 };
    assert_eq!(face_crossings(&solid, &faces), [Crossing { first: 0, second: 1, meeting: pierced }]);
    assert_eq!(edge_face_crossings(&solid, &[[4, 3], [0, 3], [4, 5]], &faces), [(0, 0)]);
}
