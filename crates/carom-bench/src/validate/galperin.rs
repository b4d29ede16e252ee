//! Two blocks and a wall: collisions that count the digits of π.
//!
//! | | |
//! | --- | --- |
//! | Setting | on a line: a wall, a block of 1 kg at rest 1 m from it, a block of 100ᵏ kg that comes at 10⁻ᵏ m/s, so that the light one reaches 1 m/s; k = 0 to 3, nothing is lost |
//! | Formula | `⌊π 10ᵏ⌋` collisions; with the angle `θ = atan 10⁻ᵏ`, every two collisions rotate the point `(10ᵏ V, v)` by `2θ` |
//! | Measured | readings in free flight, half-way between two collisions as predicted from the velocities; a collision counts when a reading shows another velocity of the light block |
//! | Source | [Galperin2003, p. 376] |
//!
//! Contact here has a width, so a collision takes time. While the blocks meet one thing at a time that changes nothing: a meeting that
//! keeps energy and momentum exchanges velocities as a hard one does. At its closest the heavy block is 10⁻ᵏ m from where it would touch the
//! wall with nothing between; the layers are a hundredth of that, so the light block is never in both of its contacts at once.
//!
//! Speeds are scaled so that the light block reaches 1 m/s. With the heavy one at 1 m/s and k = 3 the light one would cross layers of 10 µm at 10³ m/s; a time line whose
//! longest step is 1 ms has no steps that short, and 3128 collisions were counted instead of 3141.

use super::Effort;
use super::box_of_grains::BoxOfGrains;
use super::report::{Point, Series, Study};

const RADIUS: f64 = 0.05;

/// Thickness of the layers over the closest approach.
const THIN: f64 = 0.01;

/// What closes more slowly never meets, in m/s: equal blocks end with one of them at rest, but for the error.
const STILL: f64 = 1e-5;

/// Results of one problem.
struct CollisionCount {
    collisions: u32,
    /// Velocity of the light block at the end, in m/s, which is over the largest it has had.
    light: f64,
    /// Velocity of the heavy block at the end over that at the start.
    heavy: f64,
    /// Energy at the end over that at the start.
    energy: f64,
    /// Momentum less what the wall gave, over that at the start.
    momentum: f64,
}

/// The titles, by power.
const TITLES: [&str; 4] = [
    "Two equal blocks and a wall",
    "A block of 100 kg, one of 1 kg and a wall",
    "A block of 10⁴ kg, one of 1 kg and a wall",
    "A block of 10⁶ kg, one of 1 kg and a wall",
];

pub fn studies(effort: Effort) -> Vec<Study> {
    let (powers, finer): (core::ops::Range<i32>, &[f64]) =
        if effort == Effort::Quick { (0..2, &[8.0]) } else { (0..4, &[1.0, 2.0, 4.0, 8.0]) };
    powers.map(|power| study(power, finer)).collect()
}

fn study(power: i32, finer: &[f64]) -> Study {
    let seen: Vec<CollisionCount> = finer.iter().map(|&finer| Track { power, finer }.watch()).collect();
    let exact = hard(power);
    let series = |what: &str, expected: f64, tolerance: f64, read: &dyn Fn(&CollisionCount) -> f64| {
        let point = |(&finer, seen): (&f64, &CollisionCount)| Point {
            mesh: format!("{finer} m/s foreseen"),
            size: 1.0 / finer,
            ours: read(seen),
        };
        Series {
            what: what.into(),
            expected,
            tolerance: Some(tolerance),
            order: None,
            points: finer.iter().zip(&seen).map(point).collect(),
        }
    };
    let closest = 10_f64.powi(-power);
    Study {
        title: TITLES[power as usize],
        setting: format!(
            "Balls of radius {RADIUS} m on a line; the light one rests 1 m from the wall, the heavy one comes at {closest} m/s from 1 m farther out. η₁ is {THIN} of the \
             closest approach, {closest} m. Contact by default, tuned for the light block's largest speed, 1 m/s, and for 2, 4 and 8 times that: steps get \
             shorter in proportion."
        ),
        source: "Galperin 2003: ⌊π 10ᵏ⌋ collisions; velocities by reflecting hard blocks one collision at a time",
        size: "step of contact, over that by default",
        series: vec![
            series("collisions", f64::from(exact.collisions), 0.0, &|s| f64::from(s.collisions)),
            series("heavy block after, over before", exact.heavy, 1e-5, &|s| s.heavy),
            // Its own last velocity is small for large k, by chance of the digits of π: the largest is the measure.
            series("light block less a hard one after, over its largest", 0.0, 1e-5, &|s| {
                s.light - exact.light
            }),
            series("energy over the first", 1.0, 1e-5, &|s| s.energy),
            series("error of momentum", 0.0, 1e-10, &|s| s.momentum),
        ],
    }
}

/// One setting.
#[derive(Clone, Copy)]
struct Track {
    /// The mass ratio is 100 to this power.
    power: i32,
    /// The speed that contact is tuned for, in m/s; the largest that occurs is 1 m/s.
    finer: f64,
}

impl Track {
    fn watch(self) -> CollisionCount {
        let (ratio, come) = (100_f64.powi(self.power), 10_f64.powi(-self.power));
        let (thickness, speed) = (THIN * come, self.finer);
        let blocks = BoxOfGrains::of(&format!(
            r#"
            format = 1
            time.end = 1.0

            [contact]
            thickness = {thickness:e}
            speed = {speed:?}

            [[body]]
            name = "light"
            shape.points = {{ positions = [[0.0, 0.0, 0.0]] }}
            material.points = {{ mass = 1.0 }}
            contact.radius = {RADIUS}
            position = [{light}, 0.0, 0.0]

            [[body]]
            name = "heavy"
            shape.points = {{ positions = [[0.0, 0.0, 0.0]] }}
            material.points = {{ mass = {ratio:?} }}
            contact.radius = {RADIUS}
            position = [{heavy}, 0.0, 0.0]
            velocity = [-{come:e}, 0.0, 0.0]

            [[body]]
            name = "wall"
            obstacle = true
            shape.grid = {{ size = [1.0, 1.0], cells = [1, 1], pattern = "right" }}
            rotation = {{ axis = [0.0, 1.0, 0.0], degrees = 90.0 }}
            position = [0.0, 0.05, 0.02]

            [[pin]]
            body = "light"
            select.all = true
            axes = "yz"

            [[pin]]
            body = "heavy"
            select.all = true
            axes = "yz"
            "#,
            light = 1.0 + RADIUS,
            heavy = 2.0 + 3.0 * RADIUS
        ));
        let mut run = blocks.start();
        let mut reading = run.read_at(0.0);
        let (energy, momentum) = (reading.total_j(), reading.momentum.x);
        let mut collisions = 0;
        loop {
            let flight = TwoBodies {
                gaps: [
                    reading.positions[0].x - RADIUS,
                    reading.positions[1].x - reading.positions[0].x - 2.0 * RADIUS,
                ],
                velocities: [reading.velocities[0].x, reading.velocities[1].x],
            };
            let Some((until, after)) = flight.next(ratio) else {
                return CollisionCount {
                    collisions,
                    light: flight.velocities[0],
                    heavy: flight.velocities[1] / come,
                    energy: reading.total_j() / energy,
                    momentum: (reading.momentum.x - reading.from_outside.linear.x - momentum) / momentum,
                };
            };
            // Half-way to the collision after the next, or long past the last.
            let wait = until + after.next(ratio).map_or(until.max(1.0 / come), |(time, _)| 0.5 * time);
            reading = run.read_at(reading.time_s + wait);
            collisions += u32::from((reading.velocities[0].x - flight.velocities[0]).abs() > STILL);
        }
    }
}

/// Hard blocks in free flight: from the wall to the light one, and from there to the heavy one.
#[derive(Clone, Copy)]
struct TwoBodies {
    gaps: [f64; 2],
    velocities: [f64; 2],
}

impl TwoBodies {
    /// When the next collision comes, in s, and how the blocks fly after it.
    fn next(self, ratio: f64) -> Option<(f64, Self)> {
        let ([wall, between], [light, heavy]) = (self.gaps, self.velocities);
        let when = |gap: f64, closing: f64| if closing > STILL { gap / closing } else { f64::INFINITY };
        let [at_wall, together] = [when(wall, -light), when(between, light - heavy)];
        let time = at_wall.min(together);
        let gaps = [wall + light * time, between + (heavy - light) * time];
        let velocities = if at_wall < together {
            [-light, heavy]
        } else {
            let common = (light + ratio * heavy) / (1.0 + ratio);
            [2.0 * common - light, 2.0 * common - heavy]
        };
        time.is_finite().then_some((time, Self { gaps, velocities }))
    }
}

/// The collisions of hard blocks.
fn hard(power: i32) -> CollisionCount {
    let come = 10_f64.powi(-power);
    let mut flight = TwoBodies { gaps: [1.0, 1.0], velocities: [0.0, -come] };
    let mut collisions = 0;
    while let Some((_, after)) = flight.next(100_f64.powi(power)) {
        flight = after;
        collisions += 1;
    }
    let [light, heavy] = flight.velocities;
    CollisionCount { collisions, light, heavy: heavy / come, energy: 1.0, momentum: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_blocks_count_the_digits_of_pi_and_end_where_the_rotations_do() {
        for (power, digits) in (0..).zip([3, 31, 314, 3141]) {
            let seen = hard(power);
            assert_eq!(seen.collisions, digits);
            // (10ᵏV, v) starts at −10ᵏ and is rotated by 2θ with each pair of collisions; an odd one mirrors it.
            let root = 10_f64.powi(power);
            let angle = (1.0 / root).atan() * f64::from(2 * seen.collisions.div_ceil(2));
            let light = if digits % 2 == 1 { -angle.sin() } else { angle.sin() };
            assert!((seen.heavy + angle.cos()).abs() < 1e-9 && (seen.light.abs() - light.abs()).abs() < 1e-9);
        }
    }
}
