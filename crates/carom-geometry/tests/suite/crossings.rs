//! Self-intersections of public meshes, counted by CGAL.

use carom_geometry::crossings::face_crossings;

use crate::{data, mesh_files, rows};

#[test]
fn self_intersections_agree_with_the_published_counts() {
    let Some(stats) = data("MESH_STATS.csv") else { return };
    let root = stats.parent().unwrap();
    let mut checked = 0;
    for row in rows(&stats) {
        let (file, triangles, want) = (&row[0], &row[2], row.last().unwrap());
        let readable = [".off", ".obj", ".ply"].iter().any(|e| file.ends_with(e));
        // A word instead of a number: "no" for none, otherwise not counted there.
        let want = if want == "no" { Some(0) } else { want.parse().ok() };
        let Some(want) = want.filter(|_: &usize| readable) else { continue };
        let (positions, faces) = mesh_files::read(&root.join(file));
        assert_eq!(faces.len().to_string(), *triangles, "{file}");
        assert_eq!(face_crossings(&positions, &faces).len(), want, "{file}");
        checked += 1;
    }
    println!("{checked} meshes agree");
    assert!(checked >= 60);
}
