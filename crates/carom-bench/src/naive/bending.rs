//! Bending in plain scalar arithmetic: branches where a neighbour is missing, the angle of the standard library.

use carom_elastic::{BendingHinge, BendingMidedge};
use carom_math::Vec3;

use super::{Element, at};

/// A hinge on `[a, b, c, d]`: the edge, then the corners opposite it.
pub struct Hinge {
    pub corners: [u32; 4],
    pub rest: BendingHinge,
}

/// Mid-edge bending: a triangle, then its neighbours' far corners.
pub struct Midedge {
    pub corners: [u32; 6],
    pub rest: BendingMidedge,
}

impl Element for Hinge {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let [a, b, c, d] = at(&self.corners, x);
        let (edge, to_c, to_d) = (b - a, c - a, d - a);
        let (first, second) = (edge.cross(to_c), to_d.cross(edge));
        let edge_sq = edge.length_sq();
        let length = edge_sq.sqrt();
        let angle = (-length * first.dot(to_d)).atan2(first.dot(second));
        let moment = self.rest.stiffness * (angle - self.rest.rest_angle) * length;
        let on_c = first * (moment / first.length_sq());
        let on_d = second * (moment / second.length_sq());
        let inverse_sq = 1.0 / edge_sq;
        let on_b = on_c * (-to_c.dot(edge) * inverse_sq) + on_d * (-to_d.dot(edge) * inverse_sq);
        forces[self.corners[0] as usize] -= on_b + on_c + on_d;
        forces[self.corners[1] as usize] += on_b;
        forces[self.corners[2] as usize] += on_c;
        forces[self.corners[3] as usize] += on_d;
    }
}

/// One edge of mid-edge bending with a neighbour across.
struct Fold {
    /// `s`, the entry of the second fundamental form.
    form: f64,
    half_tangent: f64,
    across: Vec3,
    across_length: f64,
    far: Vec3,
    inverse_rho: f64,
}

impl Element for Midedge {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let p = at(&self.corners, x);
        let edges = [p[2] - p[1], p[0] - p[2], p[1] - p[0]];
        let normal = edges[1].cross(edges[2]);
        let length = normal.length();
        let normal = normal * (1.0 / length);

        let fold = |i: usize| {
            self.rest.has_neighbour[i].then(|| {
                let (edge, far) = (edges[i], p[3 + i] - p[(i + 1) % 3]);
                let across = far.cross(edge);
                let across_length = across.length();
                let inverse_rho = 1.0 / (across_length + normal.dot(across));
                let half_tangent = -normal.dot(far) * inverse_rho;
                let form = 2.0 * length * half_tangent;
                Fold { form, half_tangent, across, across_length, far, inverse_rho }
            })
        };
        let folds = [fold(0), fold(1), fold(2)];
        let bent = |i: usize| folds[i].as_ref().map_or(0.0, |f| f.form) - self.rest.rest_forms[i];
        let (q, b) = (&self.rest.stiffness, [bent(0), bent(1), bent(2)]);
        let moments = [
            q[0] * b[0] + q[5] * b[1] + q[4] * b[2],
            q[5] * b[0] + q[1] * b[1] + q[3] * b[2],
            q[4] * b[0] + q[3] * b[1] + q[2] * b[2],
        ];

        let mut on = [Vec3::ZERO; 3];
        for (i, fold) in folds.iter().enumerate() {
            let Some(fold) = fold else { continue };
            let (j, k, edge) = ((i + 1) % 3, (i + 2) % 3, edges[i]);
            let twice = 2.0 * moments[i];
            let on_corner = normal * (twice * fold.across_length * fold.inverse_rho)
                - normal.cross(edge) * (twice * fold.half_tangent);
            let on_far = fold.across * (twice * length * fold.inverse_rho / fold.across_length);
            let inverse_sq = 1.0 / edge.length_sq();
            let along_corner = (p[i] - p[j]).dot(edge) * inverse_sq;
            let along_far = fold.far.dot(edge) * inverse_sq;
            let on_second = on_corner * -along_corner + on_far * -along_far;
            on[i] += on_corner;
            on[k] += on_second;
            on[j] -= on_corner + on_far + on_second;
            forces[self.corners[3 + i] as usize] += on_far;
        }
        for (corner, force) in self.corners.iter().zip(on) {
            forces[*corner as usize] += force;
        }
    }
}
