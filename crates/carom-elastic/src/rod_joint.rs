//! Bending and twist of a rod at a joint of two edges, with material frames that it remembers.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = B/(2ℓ̄) (b² − 2κ̄ b·M + κ̄²) + C/(2ℓ̄) m²`: curvature binormal `b = 2 e×f/χ`, `χ = ‖e‖‖f‖ + e·f`; `M = ½(m₀ + m₁)` the mean of the edges' material directors; twist `m = θ₁ − θ₀ + ρ` |
//! | Gradient | with `a = (B/ℓ̄)(b − κ̄M)` and `τ = (C/ℓ̄) m`: `∂V/∂e = (2 f×a − (a·b)(‖f‖/‖e‖ e + f))/χ + τ b/(2‖e‖)`, `∂V/∂f = (2 a×e − (a·b)(‖e‖/‖f‖ f + e))/χ + τ b/(2‖f‖)`, `∂V/∂θ₀ = −τ − ½κ̄(B/ℓ̄) b·(t₀×m₀)`, `∂V/∂θ₁ = τ − ½κ̄(B/ℓ̄) b·(t₁×m₁)` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass and of inertia |
//! | Degenerate case | folded back onto itself, or an edge that turned by π since the joint last fired: the energy is not finite and the run stops; an edge without length does not bend |
//!
//! As in Discrete Elastic Rods [Bergou2008, §4; Bergou2010, §4]. A material director is at the angle `θ` from a reference director that does not turn
//! about its edge while the edge moves. A joint remembers, from the last time it fired, the tangents and the reference
//! directors of its two edges, and the reference twist `ρ`, the angle from the first director, carried along the rod, to the second: it
//! is followed by small differences, so twist counts whole turns. Vertices fly straight between kicks, an edge's tangent on
//! a great circle, and the least rotation from the remembered tangent to the present one is what carries a director along.
//!
//! The gradient is that of the directors carried to now. The directors' own change takes no part in it: a director moves along its edge
//! only, and `b` is across.

use carom_math::{Real, Vec3};
use carom_model::{Element, hessian, stable_step};

use crate::registry::{Descriptor, Role};

/// The vertices of a joint: three places, two angles, two tangents, two directors, the reference twist.
const VERTICES: usize = 10;

/// How many of them move: places and angles.
const MOVING: usize = 5;

/// A joint between two edges of a rod that resists bending and twist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodJoint {
    /// Bending stiffness over length `B/ℓ̄`, in N·m.
    pub bend: f64,
    /// Twisting stiffness over length `C/ℓ̄`, in N·m.
    pub twist: f64,
    /// Natural curvature of the joint `κ̄ = 2 tan(φ̄/2)`, about the material director, without unit.
    pub rest_curvature: f64,
}

impl RodJoint {
    /// Twisting stiffness `G J` of a round rod, in N·m², from Young's modulus in Pa, Poisson's ratio and its radius in m.
    #[must_use]
    pub fn twisting_of_round(young: f64, poisson: f64, radius: f64) -> f64 {
        let shear = young / (2.0 * (1.0 + poisson));
        0.5 * core::f64::consts::PI * shear * radius * radius * radius * radius
    }

    /// Moment of inertia of an edge of a round rod about itself, in kg·m², from its density in kg/m³, radius and length in m.
    #[must_use]
    pub fn inertia_of_round(density: f64, radius: f64, length: f64) -> f64 {
        0.5 * core::f64::consts::PI * density * length * radius * radius * radius * radius
    }

    /// What a joint at `x` remembers at the start: its reference director is `director` as far as it is across the first edge; that of
    /// the second edge is the same carried along, turned by `reference_twist` in rad. `None` if that leaves no director.
    #[must_use]
    pub fn first_memory(x: &[Vec3; 3], director: Vec3, reference_twist: f64) -> Option<[Vec3; 5]> {
        let first = (x[1] - x[0]).try_normalize()?;
        let second = (x[2] - x[1]).try_normalize()?;
        let across = (director - first * first.dot(director)).try_normalize()?;
        let carried = carry(across, first, second);
        let turned = turn(carried, second, reference_twist);
        Some([first, second, across, turned, Vec3::new(reference_twist, 0.0, 0.0)])
    }
}

/// `director`, across `from`, after the least rotation that takes the direction `from` to `to`.
#[inline(always)]
fn carry<S: Real>(director: Vec3<S>, from: Vec3<S>, to: Vec3<S>) -> Vec3<S> {
    let along = director.dot(to) / (S::constant(1.0) + from.dot(to));
    director - (from + to) * along
}

/// `director`, across `axis`, turned about it by `angle`.
#[inline(always)]
fn turn<S: Real>(director: Vec3<S>, axis: Vec3<S>, angle: S) -> Vec3<S> {
    let (sin, cos) = angle.sin_cos();
    director * cos + axis.cross(director) * sin
}

/// An edge with its reference director, now.
#[derive(Clone, Copy)]
struct Edge<S> {
    along: Vec3<S>,
    length: S,
    inverse_length: S,
    tangent: Vec3<S>,
    director: Vec3<S>,
}

impl<S: Real> Edge<S> {
    /// The edge from `from` to `to`, whose `director` is remembered from when it pointed along `tangent`.
    #[inline(always)]
    fn new(from: Vec3<S>, to: Vec3<S>, tangent: Vec3<S>, director: Vec3<S>) -> Self {
        let along = to - from;
        let length_sq = along.length_sq();
        let length = length_sq.sqrt().where_nonzero(length_sq, S::zero());
        let inverse_length = length.recip_or_zero();
        let now = along * inverse_length;
        Self { along, length, inverse_length, tangent: now, director: carry(director, tangent, now) }
    }

    /// The material directors at the angle `theta`: the one that natural curvature is about, and the one across it.
    #[inline(always)]
    fn material(&self, theta: S) -> [Vec3<S>; 2] {
        let across = self.tangent.cross(self.director);
        let (sin, cos) = theta.sin_cos();
        [self.director * cos + across * sin, across * cos - self.director * sin]
    }

    /// The director as it is remembered: across the edge and of length one, whatever rounding did.
    #[inline(always)]
    fn mended_director(&self) -> Vec3<S> {
        let across = self.director - self.tangent * self.tangent.dot(self.director);
        across * across.length().recip_or_zero()
    }
}

/// A joint now.
struct Joint<S> {
    first: Edge<S>,
    second: Edge<S>,
    /// Curvature binormal `b`.
    binormal: Vec3<S>,
    /// `1/χ`; zero where an edge has no length.
    inverse_chi: S,
    /// `ρ`.
    reference_twist: S,
}

impl<S: Real> Joint<S> {
    #[inline(always)]
    fn new(&[x0, x1, x2, _, _, t0, t1, d0, d1, reference]: &[Vec3<S>; VERTICES]) -> Self {
        let (first, second) = (Edge::new(x0, x1, t0, d0), Edge::new(x1, x2, t1, d1));
        let lengths = first.length * second.length;
        let chi = lengths + first.along.dot(second.along);
        let inverse_chi = (S::constant(1.0) / chi).where_nonzero(lengths, S::zero());
        let expected =
            turn(carry(first.director, first.tangent, second.tangent), second.tangent, reference.x);
        let beyond = second.tangent.dot(expected.cross(second.director)).atan2(expected.dot(second.director));
        Self {
            binormal: first.along.cross(second.along) * (inverse_chi * 2.0),
            inverse_chi,
            reference_twist: reference.x + beyond,
            first,
            second,
        }
    }

    /// `m`.
    #[inline(always)]
    fn twist(&self, x: &[Vec3<S>; VERTICES]) -> S {
        x[4].x - x[3].x + self.reference_twist
    }

    /// The mean of the material directors of the edges, and for each edge the one across.
    #[inline(always)]
    fn material(&self, x: &[Vec3<S>; VERTICES]) -> (Vec3<S>, [Vec3<S>; 2]) {
        let [m0, across0] = self.first.material(x[3].x);
        let [m1, across1] = self.second.material(x[4].x);
        ((m0 + m1) * S::constant(0.5), [across0, across1])
    }

    /// Derivatives of `a·b`, `a` held, with respect to the two edges.
    #[inline(always)]
    fn slopes(&self, a: Vec3<S>) -> [Vec3<S>; 2] {
        let Self { first, second, binormal, inverse_chi, .. } = self;
        let both = a.dot(*binormal);
        let stretched = first.along * (second.length * first.inverse_length) + second.along;
        let of_first = (second.along.cross(a) * S::constant(2.0) - stretched * both) * *inverse_chi;
        let stretched = second.along * (first.length * second.inverse_length) + first.along;
        let of_second = (a.cross(first.along) * S::constant(2.0) - stretched * both) * *inverse_chi;
        [of_first, of_second]
    }
}

impl Element<VERTICES, 3> for RodJoint {
    const KIND: &'static str = "rod-joint";
    const ORDER: u32 = 170;
    const DAMPS: bool = true;
    const MEMORY: usize = VERTICES - MOVING;
    const HAS_ANGULAR_DOFS: bool = true;

    fn params(&self) -> [f64; 3] {
        [self.bend, self.twist, self.rest_curvature]
    }

    #[inline(always)]
    fn energy<S: Real>(&[bend, twist, rest]: &[S; 3], x: &[Vec3<S>; VERTICES]) -> S {
        let joint = Joint::new(x);
        let (mean, _) = joint.material(x);
        let b = joint.binormal;
        let bent = b.length_sq() - rest * b.dot(mean) * 2.0 + rest.squared();
        (bend * bent + twist * joint.twist(x).squared()) * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(&[bend, twist, rest]: &[S; 3], x: &[Vec3<S>; VERTICES]) -> [Vec3<S>; VERTICES] {
        let joint = Joint::new(x);
        let (mean, [across0, across1]) = joint.material(x);
        let b = joint.binormal;
        let [bent_first, bent_second] = joint.slopes((b - mean * rest) * bend);
        let torque = twist * joint.twist(x);
        let on_first = bent_first + b * (torque * joint.first.inverse_length * 0.5);
        let on_second = bent_second + b * (torque * joint.second.inverse_length * 0.5);
        let pull = bend * rest * 0.5;
        let on_angle = |torque: S| Vec3::new(torque, S::zero(), S::zero());
        let nothing = Vec3::zero();
        [
            -on_first,
            on_first - on_second,
            on_second,
            on_angle(-torque - pull * b.dot(across0)),
            on_angle(torque - pull * b.dot(across1)),
            nothing,
            nothing,
            nothing,
            nothing,
            nothing,
        ]
    }

    /// The strains are the curvatures about the two mean material directors, and the twist.
    #[inline(always)]
    fn resistance<S: Real>(
        &[bend, twist, _]: &[S; 3],
        x: &[Vec3<S>; VERTICES],
        v: &[Vec3<S>; VERTICES],
    ) -> [Vec3<S>; VERTICES] {
        let joint = Joint::new(x);
        let half = S::constant(0.5);
        let ([m0, n0], [m1, n1]) = (joint.first.material(x[3].x), joint.second.material(x[4].x));
        let b = joint.binormal;
        let along_edges = [b * (joint.first.inverse_length * 0.5), b * (joint.second.inverse_length * 0.5)];
        let strains = [
            (bend, joint.slopes((m0 + m1) * half), [b.dot(n0) * 0.5, b.dot(n1) * 0.5]),
            (bend, joint.slopes((n0 + n1) * half), [b.dot(m0) * -0.5, b.dot(m1) * -0.5]),
            (twist, along_edges, [S::constant(-1.0), S::constant(1.0)]),
        ];
        let (mut on_edges, mut on_angles) = ([Vec3::zero(); 2], [S::zero(); 2]);
        for (stiffness, edges, angles) in strains {
            let rate = edges[0].dot(v[1] - v[0])
                + edges[1].dot(v[2] - v[1])
                + angles[0] * v[3].x
                + angles[1] * v[4].x;
            for i in 0..2 {
                on_edges[i] += edges[i] * (stiffness * rate);
                on_angles[i] = on_angles[i] + angles[i] * (stiffness * rate);
            }
        }
        let mut out = [Vec3::zero(); VERTICES];
        (out[0], out[1], out[2]) = (-on_edges[0], on_edges[0] - on_edges[1], on_edges[1]);
        (out[3].x, out[4].x) = (on_angles[0], on_angles[1]);
        out
    }

    #[inline(always)]
    fn remember<S: Real>(_: &[S; 3], x: &[Vec3<S>; VERTICES]) -> [Vec3<S>; VERTICES] {
        let joint = Joint::new(x);
        [
            x[0],
            x[1],
            x[2],
            x[3],
            x[4],
            joint.first.tangent,
            joint.second.tangent,
            joint.first.mended_director(),
            joint.second.mended_director(),
            Vec3::new(joint.reference_twist, S::zero(), S::zero()),
        ]
    }

    #[inline(always)]
    fn reaction_torque<S: Real>(x: &[Vec3<S>; VERTICES], impulses: &[Vec3<S>; VERTICES]) -> Vec3<S> {
        let tangent = |e: Vec3<S>| e * e.length().recip_or_zero();
        -(tangent(x[1] - x[0]) * impulses[3].x + tangent(x[2] - x[1]) * impulses[4].x)
    }

    /// Memory has no inertia, and how the gradient depends on it is no stiffness.
    fn stable_step(&self, x: &[Vec3; VERTICES], masses: &[f64; VERTICES]) -> f64 {
        let all = hessian::<Self, VERTICES, 3>(&self.params(), x);
        let (n, all_n) = (3 * MOVING, 3 * VERTICES);
        // Twist at the start leaves a part that is not symmetric; it does no work on the average.
        let entry = |i: usize, j: usize| 0.5 * (all[i * all_n + j] + all[j * all_n + i]);
        let moving: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        stable_step(&moving, &masses[..MOVING])
    }
}

impl RodJoint {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: Self::KIND,
        order: Self::ORDER,
        about: "Bending and twist of a rod at a joint of two edges, with material frames.",
        parameters: crate::material::ROD_PARAMETERS,
        page: "rod-joint",
        damps: Self::DAMPS,
        role: Role::Fixed("`material.rod`, `twist = true`"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RodBend, check};
    use carom_math::Mat3;
    use core::f64::consts::{PI, TAU};

    const JOINT: RodJoint = RodJoint { bend: 3.0, twist: 2.0, rest_curvature: 0.7 };

    /// Three places and two angles.
    const BENT: [Vec3; MOVING] = [
        Vec3::new(0.1, 0.2, 0.0),
        Vec3::new(1.1, 0.3, 0.2),
        Vec3::new(1.4, 1.2, -0.1),
        Vec3::new(0.4, 0.0, 0.0),
        Vec3::new(-0.3, 0.0, 0.0),
    ];

    fn whole(moving: &[Vec3; MOVING], memory: &[Vec3; 5]) -> [Vec3; VERTICES] {
        core::array::from_fn(|i| if i < MOVING { moving[i] } else { memory[i - MOVING] })
    }

    fn memory_of(x: &[Vec3; MOVING], reference_twist: f64) -> [Vec3; 5] {
        RodJoint::first_memory(&[x[0], x[1], x[2]], Vec3::new(0.2, -0.3, 1.0), reference_twist).unwrap()
    }

    /// The joint with its memory held: what the gradient is the derivative of.
    #[derive(Clone, Copy)]
    struct Held {
        joint: RodJoint,
        memory: [Vec3; 5],
    }

    fn assembled<S: Real>(params: &[S; 18], x: &[Vec3<S>; MOVING]) -> ([S; 3], [Vec3<S>; VERTICES]) {
        let memory = |i: usize| Vec3::new(params[3 + 3 * i], params[4 + 3 * i], params[5 + 3 * i]);
        let all = core::array::from_fn(|i| if i < MOVING { x[i] } else { memory(i - MOVING) });
        ([params[0], params[1], params[2]], all)
    }

    impl Element<MOVING, 18> for Held {
        const KIND: &'static str = RodJoint::KIND;
        const ORDER: u32 = RodJoint::ORDER;

        fn params(&self) -> [f64; 18] {
            let joint = self.joint.params();
            core::array::from_fn(|i| if i < 3 { joint[i] } else { self.memory[(i - 3) / 3][(i - 3) % 3] })
        }

        fn energy<S: Real>(params: &[S; 18], x: &[Vec3<S>; MOVING]) -> S {
            let (params, x) = assembled(params, x);
            RodJoint::energy(&params, &x)
        }

        fn gradient<S: Real>(params: &[S; 18], x: &[Vec3<S>; MOVING]) -> [Vec3<S>; MOVING] {
            let (params, x) = assembled(params, x);
            let [a, b, c, d, e, ..] = RodJoint::gradient(&params, &x);
            [a, b, c, d, e]
        }
    }

    #[test]
    fn a_joint_is_a_sound_potential_at_what_it_remembers() {
        check::near(BENT, 0.2, |x| {
            for reference_twist in [0.0, 2.5, -40.0] {
                check::field_element(&Held { joint: JOINT, memory: memory_of(x, reference_twist) }, x);
            }
        });
    }

    #[test]
    fn it_resists_the_rate_of_its_strains_and_nothing_else() {
        let params = RodJoint { rest_curvature: 0.0, ..JOINT }.params();
        let size = |f: &[Vec3; VERTICES]| f.iter().map(|f| f.length()).fold(0.0, f64::max);
        check::near(BENT, 0.2, |x| {
            let x = whole(x, &memory_of(x, 0.4));
            let tangent = |i: usize| (x[i + 1] - x[i]).try_normalize().unwrap();
            let spin = Vec3::new(0.3, -1.1, 0.7);
            let spun = |i: usize| Vec3::new(spin.dot(tangent(i)), 0.0, 0.0);
            // A rigid motion turns the angles about the edges too.
            let mut rigid = x.map(|p| spin.cross(p) + Vec3::Z);
            (rigid[3], rigid[4]) = (spun(0), spun(1));
            assert!(size(&RodJoint::resistance(&params, &x, &rigid)) < 1e-13);
            check::near([Vec3::ZERO; MOVING], 1.0, |v| {
                let v = whole(v, &[Vec3::ZERO; 5]);
                let force = RodJoint::resistance(&params, &x, &v);
                let power = (0..3).map(|i| force[i].dot(v[i])).sum::<f64>();
                assert!(power + force[3].x * v[3].x + force[4].x * v[4].x > -1e-12);
                let net: Vec3 = force[..3].iter().copied().sum();
                let torque: Vec3 = x.iter().zip(&force[..3]).map(|(x, f)| x.cross(*f)).sum();
                let about = tangent(0) * force[3].x + tangent(1) * force[4].x;
                assert!(net.length() < 1e-12 && (torque + about).length() < 1e-11, "{net:?} {torque:?}");
            });
        });
        // Straight and at rest it is the stiffness times the velocity.
        let straight =
            [Vec3::ZERO, Vec3::new(1.0, 0.5, 0.25), Vec3::new(2.0, 1.0, 0.5), Vec3::ZERO, Vec3::ZERO];
        let at_rest = whole(&straight, &memory_of(&straight, 0.0));
        let stiffness = hessian::<RodJoint, VERTICES, 3>(&params, &at_rest);
        check::near([Vec3::ZERO; MOVING], 1.0, |v| {
            let v = whole(
                &core::array::from_fn(|i| if i < 3 { v[i] } else { Vec3::X * v[i].x }),
                &[Vec3::ZERO; 5],
            );
            let force = RodJoint::resistance(&params, &at_rest, &v);
            for row in 0..3 * MOVING {
                let product: f64 =
                    (0..3 * MOVING).map(|c| stiffness[row * 3 * VERTICES + c] * v[c / 3][c % 3]).sum();
                assert!((force[row / 3][row % 3] - product).abs() < 1e-12, "{row}");
            }
        });
    }

    #[test]
    fn forces_cancel_and_the_torque_on_places_answers_the_torque_on_angles() {
        check::near(BENT, 0.2, |x| {
            let x = whole(x, &memory_of(x, 1.2));
            let g = RodJoint::gradient(&JOINT.params(), &x);
            let scale = g.iter().map(|g| g.length()).fold(0.0, f64::max);
            let net: Vec3 = g[..3].iter().copied().sum();
            assert!(net.length() < 1e-14 * scale, "{net:?}");
            let torque: Vec3 = x.iter().zip(&g[..3]).map(|(x, g)| x.cross(*g)).sum();
            let passed = RodJoint::reaction_torque(&x, &g);
            assert!((torque - passed).length() < 1e-13 * scale, "{torque:?} {passed:?}");
            assert!(g[MOVING..].iter().all(|g| g.is_zero()));
        });
    }

    #[test]
    fn moving_places_and_memory_together_changes_nothing() {
        check::near(BENT, 0.2, |x| {
            let x = whole(x, &memory_of(x, 1.2));
            let rotation = Mat3::rotation(Vec3::new(0.3, -1.0, 0.6), 1.1);
            let moved = core::array::from_fn(|i| match i {
                0..=2 => rotation.apply(x[i]) + Vec3::new(0.4, -0.2, 0.9),
                5..=8 => rotation.apply(x[i]),
                _ => x[i],
            });
            let energy = |x| RodJoint::energy(&JOINT.params(), x);
            assert!((energy(&x) - energy(&moved)).abs() < 1e-12 * energy(&x));
        });
    }

    #[test]
    fn straight_and_without_twist_it_bends_like_the_cheap_joint() {
        check::near(BENT, 0.2, |x| {
            let straight = RodJoint { rest_curvature: 0.0, ..JOINT };
            let cheap = RodBend { stiffness: JOINT.bend, rest_curvature: 0.0 };
            let untwisted = [x[0], x[1], x[2], Vec3::ZERO, Vec3::ZERO];
            let all = whole(&untwisted, &memory_of(x, 0.0));
            let ours = RodJoint::gradient(&straight.params(), &all);
            let theirs = RodBend::gradient(&cheap.params(), &[x[0], x[1], x[2]]);
            for (ours, theirs) in ours.iter().zip(theirs) {
                assert!((*ours - theirs).length() < 1e-13 * theirs.length().max(1.0));
            }
        });
    }

    #[test]
    fn bent_as_it_is_by_nature_about_its_material_director_it_is_at_rest() {
        let places = [BENT[0], BENT[1], BENT[2]];
        let rest = RodBend::from_rest(&places, 1.0).rest_curvature;
        let joint = RodJoint { rest_curvature: rest, ..JOINT };
        let binormal = (places[1] - places[0]).cross(places[2] - places[1]);
        let x = [places[0], places[1], places[2], Vec3::ZERO, Vec3::ZERO];
        let held = Held { joint, memory: RodJoint::first_memory(&places, binormal, 0.0).unwrap() };
        check::nothing_at_rest(&held, &x, 1e-14);
        // Bent as much about another direction it is not.
        let other = Held { memory: memory_of(&x, 0.0), ..held };
        assert!(Held::energy(&other.params(), &x) > 1e-2);
    }

    #[test]
    fn twist_counts_whole_turns_and_stays_with_a_rod_that_tumbles() {
        let mut x = whole(&BENT, &memory_of(&BENT, 0.0));
        let twist = |x: &[Vec3; VERTICES]| Joint::new(x).twist(x);
        let before = twist(&x);
        // The second angle turns thrice, in steps; the places tumble about an axis that is no symmetry of theirs, and the
        // angles follow what they see of that turn.
        let (steps, tumbles) = (9_000, 2.0);
        let axis = Vec3::new(0.2, 0.5, -0.8).try_normalize().unwrap();
        let about = axis * (TAU * tumbles / f64::from(steps));
        let rotation = Mat3::rotation(axis, TAU * tumbles / f64::from(steps));
        for _ in 0..steps {
            let tangent = |a: usize, x: &[Vec3; VERTICES]| (x[a + 1] - x[a]).try_normalize().unwrap();
            let [t0, t1] = [tangent(0, &x), tangent(1, &x)];
            for place in &mut x[..3] {
                *place = rotation.apply(*place);
            }
            x[3].x += about.dot(t0);
            x[4].x += about.dot(t1) + 3.0 * TAU / f64::from(steps);
            x = RodJoint::remember(&JOINT.params(), &x);
        }
        assert!((twist(&x) - before - 3.0 * TAU).abs() < 1e-4, "{} {before}", twist(&x));
        assert!(x[3].x.abs() > 0.1, "nothing turned about the first edge");
    }

    #[test]
    fn the_twist_of_a_coil_is_its_writhe() {
        // A straight rod whose ends do not turn about themselves, wound into one turn of a helix: what its ends do not take
        // shows as twist, 2π(1 − sin α) in all for a helix of pitch angle α, tangents at the ends carried to the axis.
        let n = 400;
        let pitch: f64 = 0.3;
        let shape = |wound: f64| -> Vec<Vec3> {
            // The angle from the axis opens from 0 to its end value while the rod is wound.
            let tilt = wound * (PI / 2.0 - pitch);
            let mut x = vec![Vec3::ZERO];
            for i in 0..n {
                let s = TAU * (f64::from(i) + 0.5) / f64::from(n);
                let tangent = Vec3::new(tilt.sin() * s.cos(), tilt.sin() * s.sin(), tilt.cos());
                x.push(x[x.len() - 1] + tangent * (1.0 / f64::from(n)));
            }
            x
        };
        let start = shape(0.0);
        let places = |x: &[Vec3], i: usize| [x[i], x[i + 1], x[i + 2]];
        let mut total = 0.0;
        for i in 0..n as usize - 1 {
            let p = places(&start, i);
            let mut x = whole(
                &[p[0], p[1], p[2], Vec3::ZERO, Vec3::ZERO],
                &memory_of(&[p[0], p[1], p[2], Vec3::ZERO, Vec3::ZERO], 0.0),
            );
            for k in 1..=200 {
                x[..3].copy_from_slice(&places(&shape(f64::from(k) / 200.0), i));
                x = RodJoint::remember(&JOINT.params(), &x);
            }
            total += Joint::new(&x).twist(&x);
        }
        let expected = TAU * (1.0 - pitch.sin()) * f64::from(n - 1) / f64::from(n);
        assert!((total.abs() / expected - 1.0).abs() < 1e-3, "{total} against {expected}");
    }

    #[test]
    fn edges_without_length_push_nowhere_and_a_fold_is_not_finite() {
        let corner = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::X * 0.4, Vec3::ZERO];
        let at = |places: [Vec3; 3]| {
            let [a, b, c] = places;
            let x = whole(&[a, b, c, corner[3], corner[4]], &memory_of(&corner, 0.4));
            RodJoint::gradient(&JOINT.params(), &x)
        };
        assert!(at([Vec3::Z; 3]).iter().all(|g| g.is_finite()));
        assert!(at([Vec3::Z, Vec3::Z, Vec3::Z + Vec3::Y])[..3].iter().all(|g| g.is_zero()));
        let folded = at([Vec3::ZERO, Vec3::X, Vec3::ZERO]);
        assert!(!folded.iter().all(|g| g.is_finite()));
        let turned_about = at([Vec3::ZERO, -Vec3::X, Vec3::Y]);
        assert!(!turned_about.iter().all(|g| g.is_finite()));
    }

    #[test]
    fn a_round_rod_twists_with_its_shear_modulus_and_turns_with_its_mass() {
        let r4 = 1e-4;
        assert!((RodJoint::twisting_of_round(2.6e9, 0.3, 0.1) / (1e9 * 0.5 * PI * r4) - 1.0).abs() < 1e-14);
        // Half the mass times the radius squared.
        let mass = 1000.0 * PI * 0.01 * 0.5;
        assert!((RodJoint::inertia_of_round(1000.0, 0.1, 0.5) / (0.5 * mass * 0.01) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        let straight = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::ZERO, Vec3::ZERO];
        let masses = [0.3, 0.2, 0.5, 0.01, 0.02];
        let memory = memory_of(&straight, 0.0);
        let joint = RodJoint { rest_curvature: 0.0, ..JOINT };
        let all_masses = core::array::from_fn(|i| if i < MOVING { masses[i] } else { 1.0 });
        let ours = joint.stable_step(&whole(&straight, &memory), &all_masses);
        let held = Held { joint, memory };
        assert_eq!(ours.to_bits(), held.stable_step(&straight, &masses).to_bits());
        check::stable_step_is_the_edge(&held, &straight, &masses);
        // Twist alone: two inertias on a spring.
        let limit = 2.0 / (2.0_f64 * (1.0 / 0.01 + 1.0 / 0.02)).sqrt();
        assert!(ours <= limit && ours > 0.9 * limit, "{ours} {limit}");
    }
}
