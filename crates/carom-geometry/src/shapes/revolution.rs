//! Surfaces of revolution about the z axis, laid ring by ring from the top outward and down.
//!
//! Two consecutive rings are stitched by walking both at once and always closing the triangle
//! whose base has the earlier middle. The middles are compared as fractions of whole numbers, so
//! the choice never depends on rounding.

use carom_math::Vec3;

use crate::Mesh;

/// A surface under construction.
#[derive(Default)]
pub struct Revolution {
    mesh: Mesh,
    rim: Option<Rim>,
}

/// The ring laid last. A pole is a ring of one vertex.
#[derive(Clone, Copy)]
struct Rim {
    first: u32,
    count: u32,
    half_step: bool,
}

impl Rim {
    /// The vertex after `steps` steps around.
    fn vertex(self, steps: u32) -> u32 {
        self.first + steps % self.count
    }

    /// The middle of base `i` in revolutions, times twice the number of vertices.
    fn middle(self, i: u32) -> u64 {
        u64::from(2 * i + 1 + u32::from(self.half_step))
    }
}

impl Revolution {
    /// Lays a point on the axis: the first or the last ring.
    pub fn pole(&mut self, z: f64) {
        self.lay(1, false, |_| Vec3::new(0.0, 0.0, z));
    }

    /// Adds a ring of `count` vertices, rotated by half a step or not, and connects it to the last ring by triangles.
    pub fn ring(&mut self, count: usize, radius: f64, z: f64, half_step: bool) {
        self.lay(count as u32, half_step, |i| {
            let halves = 2 * i + u32::from(half_step);
            let angle = core::f64::consts::PI * f64::from(halves) / count as f64;
            Vec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z)
        });
    }

    /// The vertices of the ring laid last.
    pub fn last_ring(&self) -> impl Iterator<Item = u32> + use<> {
        let (first, count) = self.rim.map_or((0, 0), |r| (r.first, r.count));
        first..first + count
    }

    /// The finished surface, without groups.
    pub fn finish(self) -> Mesh {
        self.mesh
    }

    fn lay(&mut self, count: u32, half_step: bool, position: impl Fn(u32) -> Vec3) {
        let rim = Rim { first: self.mesh.positions.len() as u32, count, half_step };
        self.mesh.positions.extend((0..count).map(position));
        if let Some(last) = self.rim.replace(rim) {
            self.stitch(last, rim);
        }
    }

    fn stitch(&mut self, a: Rim, b: Rim) {
        // The bases of a pole have no length: it is met by the other ring's alone.
        let bases = |ring: Rim| if ring.count == 1 { 0 } else { ring.count };
        let (mut i, mut j) = (0, 0);
        while i < bases(a) || j < bases(b) {
            let a_is_next = a.middle(i) * u64::from(b.count) <= b.middle(j) * u64::from(a.count);
            if j == bases(b) || (i < bases(a) && a_is_next) {
                self.mesh.triangles.push([a.vertex(i), b.vertex(j), a.vertex(i + 1)]);
                i += 1;
            } else {
                self.mesh.triangles.push([a.vertex(i), b.vertex(j), b.vertex(j + 1)]);
                j += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::ruler;

    #[test]
    fn two_poles_and_a_ring_make_a_double_cone() {
        let mut cone = Revolution::default();
        cone.pole(1.0);
        cone.ring(3, 1.0, 0.0, false);
        assert_eq!(cone.last_ring().collect::<Vec<_>>(), [1, 2, 3]);
        cone.pole(-1.0);
        let mesh = cone.finish();
        assert_eq!(mesh.triangles.len(), 6);
        assert!(ruler::surface(&mesh).is_closed());
        assert!((mesh.enclosed_volume() - 0.75_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn rings_of_any_two_counts_are_stitched_without_gaps() {
        for (a, b) in [(3, 3), (3, 17), (20, 7), (6, 12), (9, 10)] {
            for turned in [false, true] {
                let mut band = Revolution::default();
                band.ring(a, 1.0, 0.0, turned);
                band.ring(b, 2.0, -1.0, false);
                let mesh = band.finish();
                assert_eq!(mesh.triangles.len(), a + b);
                assert_eq!(ruler::surface(&mesh).euler_characteristic(), 0);
            }
        }
    }
}
