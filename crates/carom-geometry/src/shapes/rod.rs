//! Chains of edges: a straight rod and a closed ring.

use carom_math::Vec3;

use super::{Rules, ShapeError};
use crate::{Group, Mesh};

/// A straight rod from one point to another, in `segments` equal edges.
pub fn rod(from: Vec3, to: Vec3, segments: usize) -> Result<Mesh, ShapeError> {
    let rules = Rules("rod");
    rules.length("the distance between its ends", (to - from).length())?;
    rules.count("segments", segments, 1)?;
    rules.elements("segments", segments as f64, segments as f64)?;

    let last = segments as u32;
    // Weighted from both ends, so that both are met exactly.
    let at = |i: u32| from * (f64::from(last - i) / f64::from(last)) + to * (f64::from(i) / f64::from(last));
    Ok(Mesh {
        positions: (0..=last).map(at).collect(),
        edges: (0..last).map(|i| [i, i + 1]).collect(),
        groups: vec![Group::new("start", [0]), Group::new("end", [last])],
        ..Mesh::default()
    })
}

/// A closed ring about the z axis, in `segments` equal edges, at least three.
pub fn ring(radius: f64, segments: usize) -> Result<Mesh, ShapeError> {
    let rules = Rules("ring");
    rules.length("radius", radius)?;
    rules.count("segments", segments, 3)?;
    rules.elements("segments", segments as f64, segments as f64)?;

    let count = segments as u32;
    let at = |i: u32| {
        let angle = core::f64::consts::TAU * f64::from(i) / f64::from(count);
        Vec3::new(radius * libm::cos(angle), radius * libm::sin(angle), 0.0)
    };
    Ok(Mesh {
        positions: (0..count).map(at).collect(),
        edges: (0..count).map(|i| [i, (i + 1) % count]).collect(),
        ..Mesh::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    #[test]
    fn a_rod_has_its_ends_where_they_were_put_and_equal_edges() {
        let (from, to) = (Vec3::new(0.1, 0.2, 0.3), Vec3::new(1.7, -0.4, 0.9));
        let mesh = rod(from, to, 7).unwrap();
        assert_eq!(check(&mesh), []);
        assert_eq!((mesh.positions[0], mesh.positions[7]), (from, to));
        for e in &mesh.edges {
            let [a, b] = mesh.corners(e);
            assert!(((b - a).length() - (to - from).length() / 7.0).abs() < 1e-15);
        }
        assert_eq!(mesh.group("end").unwrap().vertices, [7]);
    }

    #[test]
    fn a_ring_closes_and_its_length_converges() {
        let mesh = ring(2.0, 100).unwrap();
        assert_eq!(check(&mesh), []);
        assert_eq!(mesh.edges[99], [99, 0]);
        assert!((mesh.length() - 4.0 * core::f64::consts::PI).abs() < 3e-3);
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(
            rod(Vec3::X, Vec3::X, 3).unwrap_err().to_string(),
            "rod: the distance between its ends is 0; it must be a length between 1e-100 and 1e100"
        );
        assert_eq!(rod(Vec3::ZERO, Vec3::X, 0).unwrap_err().parameter, "segments");
        assert_eq!(ring(1.0, 2).unwrap_err().bound, "at least 3");
        assert_eq!(ring(1.0, usize::MAX).unwrap_err().parameter, "segments");
    }
}
