//! A random scene of a seed: a small one that a user might write, without regard to whether it is hard.
//!
//! Sizes are from a millimetre to a kilometre, densities and moduli of the bodies of one scene differ by up to six decades. Two things a
//! user sees to are seen to: a body does not collapse under its own weight, and nothing is faster than a third of its own sound.

use std::fmt::Write as _;

use carom_math::Vec3;

use super::body::{Body, Demand, KINDS, Kind, draw, number};
use super::random::Random;
use super::situation::{SITUATIONS, Situation, describe};

/// Force evaluations that a scene may take, about: some seconds of one core. Longer scenes end sooner, but not before contact.
const EVALUATIONS: f64 = 2e7;

/// A scene and what it is about.
pub struct Scene {
    /// The situation and the kinds of its bodies: `drop: solid, sheet`.
    pub title: String,
    /// The scene file.
    pub text: String,
}

/// A scene that is being written.
pub struct SceneDraft {
    /// Size of the scene, in m.
    pub size_m: f64,
    /// Acceleration of gravity along −z, in m/s².
    pub gravity: f64,
    /// The speed of things, in m/s: well below that of sound in the softest.
    pub speed: f64,
    /// Thickness of contact, in m.
    pub thickness_m: f64,
    /// The bodies that move.
    pub bodies: Vec<Body>,
    /// When bodies touch, about, in s.
    pub touch_s: f64,
    /// When it would end, in s, if it did not cost too much.
    pub end_s: f64,
    /// Where the origin of the scene is, in m.
    offset: Vec3,
    text: String,
}

impl SceneDraft {
    /// A free body at a place; `turned` about any axis, or else about z alone.
    pub fn body(&mut self, random: &mut Random, index: usize, place: Vec3, velocity: Vec3, turned: bool) {
        let lines = self.bodies[index].lines.clone();
        let position = vector(place + self.offset);
        let _ = write!(self.text, "\n[[body]]\nname = \"b{index}\"\n{lines}position = {position}\n");
        let axis = if turned { random.direction() } else { Vec3::new(0.0, 0.0, 1.0) };
        if turned || random.chance(0.7) {
            let degrees = random.between(0.0, 360.0);
            let _ = writeln!(
                self.text,
                "rotation = {{ axis = {}, degrees = {} }}",
                vector(axis),
                number(degrees)
            );
        }
        if velocity != Vec3::new(0.0, 0.0, 0.0) {
            let _ = writeln!(self.text, "velocity = {}", vector(velocity));
        }
        if turned && self.bodies[index].kind != Kind::Grains && random.chance(0.5) {
            let rate = self.speed / self.bodies[index].reach_m * random.between(0.0, 1.0);
            let spin = random.direction() * rate;
            let _ = writeln!(self.text, "spin = {}", vector(spin));
        }
        if random.chance(0.15) {
            let _ = writeln!(self.text, "drag = {}", number(random.across_decades(0.1, 10.0) / self.end_s));
        }
    }

    /// An obstacle.
    pub fn obstacle(&mut self, name: &str, shape: &str, place: Vec3, velocity: Vec3) {
        let position = vector(place + self.offset);
        let _ = write!(
            self.text,
            "\n[[body]]\nname = \"{name}\"\nobstacle = true\nshape = {shape}\nposition = {position}\n"
        );
        if velocity != Vec3::new(0.0, 0.0, 0.0) {
            let _ = writeln!(self.text, "velocity = {}", vector(velocity));
        }
    }

    /// A large plate at a height.
    pub fn plate(&mut self, random: &mut Random, name: &str, height: f64) {
        let side = 4.0 * self.bodies.iter().map(|body| body.reach_m).sum::<f64>() + self.size_m;
        let shift = Vec3::new(random.between(-0.1, 0.1) * side, random.between(-0.1, 0.1) * side, height);
        let side = number(side);
        let shape =
            format!("{{ grid = {{ size = [{side}, {side}], cells = [1, 1], pattern = \"right\" }} }}");
        self.obstacle(name, &shape, shift, Vec3::new(0.0, 0.0, 0.0));
    }

    /// Anything else.
    pub fn lines(&mut self, lines: &str) {
        self.text.push('\n');
        self.text.push_str(lines);
    }
}

/// A vector as a scene has it, with more digits: places decide about gaps.
pub fn vector(v: Vec3) -> String {
    format!("[{:.9e}, {:.9e}, {:.9e}]", v.x, v.y, v.z)
}

/// The scene of a seed.
pub fn of_seed(seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let situation = random.one_of(&SITUATIONS);
    let size_m = random.across_decades(1e-3, 1e3);
    let gravity =
        if situation.falls() || random.chance(0.3) { random.one_of(&[9.81, 9.81, 9.81, 1.62]) } else { 0.0 };
    let bodies = bodies(&mut random, situation, size_m, gravity);
    let sound = bodies.iter().map(|(_, sound)| *sound).fold(f64::INFINITY, f64::min);
    let bodies: Vec<Body> = bodies.into_iter().map(|(body, _)| body).collect();
    let thinnest =
        bodies.iter().map(|body| body.contact_m.min(0.3 * body.edge_m)).fold(f64::INFINITY, f64::min);
    let offset = if random.chance(0.3) {
        random.direction() * (size_m * random.across_decades(0.1, 100.0))
    } else {
        Vec3::new(0.0, 0.0, 0.0)
    };
    let speed = sound * random.across_decades(2e-3, 0.3);
    let mut draft = SceneDraft {
        size_m,
        gravity,
        speed,
        thickness_m: thinnest,
        touch_s: 0.0,
        end_s: size_m / speed * random.between(1.0, 4.0),
        bodies,
        offset,
        text: String::new(),
    };
    describe(situation, &mut random, &mut draft);
    finish(&mut random, situation, &draft)
}

/// The bodies of a situation, each with the speed of its sound, in m/s.
fn bodies(random: &mut Random, situation: Situation, size_m: f64, gravity: f64) -> Vec<(Body, f64)> {
    // Half of all scenes are of things that are much alike.
    let spread = if random.chance(0.5) { 1e3 } else { 3.0 };
    let density = random.across_decades(100.0, 5e3);
    let young = if gravity > 0.0 {
        density * gravity * size_m * random.across_decades(1e2, 1e5)
    } else {
        random.across_decades(1e3, 1e10)
    };
    let smallest = if random.chance(0.25) { 0.03 } else { 0.2 };
    let count = situation.bodies(random);
    (0..count)
        .map(|index| {
            let allowed = situation.kinds(index);
            let kind = random.one_of(if allowed.is_empty() { &KINDS } else { allowed });
            let size_m = if index == 0 { size_m } else { size_m * random.across_decades(smallest, 1.0) };
            let density_kg_per_m3 = density * random.across_decades(1.0 / spread, spread);
            let holds_itself_up = 20.0 * density_kg_per_m3 * gravity * size_m;
            let young_pa = (young * random.across_decades(1.0 / spread, spread)).max(holds_itself_up);
            let demand = Demand { size_m, density_kg_per_m3, young_pa };
            (draw(random, kind, &demand), (young_pa / density_kg_per_m3).sqrt())
        })
        .collect()
}

/// The head of the file, now that the time of contact is known, and what the situation wrote.
fn finish(random: &mut Random, situation: Situation, draft: &SceneDraft) -> Scene {
    let rate: f64 = draft.bodies.iter().map(|body| body.evaluations_per_s).sum();
    let affordable_s = EVALUATIONS / rate.max(1.0);
    let end_s = draft.end_s.min(affordable_s.max(1.3 * draft.touch_s));
    let kinds: Vec<String> =
        draft.bodies.iter().map(|body| format!("{:?}", body.kind).to_lowercase()).collect();
    let title = format!("{}: {}", situation.name(), kinds.join(", "));
    let mut text = format!("format = 1\ntitle = \"{title}\"\n\n[time]\nend = {}\n", number(end_s));
    if draft.gravity > 0.0 {
        let _ = write!(text, "\n[gravity]\nacceleration = [0.0, 0.0, -{}]\n", draft.gravity);
    }
    let _ = write!(text, "\n[contact]\nthickness = {}\n", number(draft.thickness_m));
    if random.chance(0.5) {
        let _ = writeln!(text, "restitution = {:.2}", random.between(0.0, 0.95));
    }
    if random.chance(0.5) {
        let _ = writeln!(text, "friction = {:.2}", random.between(0.05, 1.0));
    }
    text.push_str("\n[output]\nframes = 0\nrows = 400\n");
    text.push_str(&draft.text);
    Scene { title, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_scene_again_and_another_seed_another() {
        assert_eq!(of_seed(5).text, of_seed(5).text);
        assert_ne!(of_seed(5).text, of_seed(6).text);
    }

    #[test]
    fn nearly_every_scene_can_be_built_and_every_story_is_among_them() {
        let mut refused = Vec::new();
        let mut told: Vec<String> = Vec::new();
        for seed in 0..60 {
            let scene = of_seed(seed);
            told.push(scene.title.split(':').next().unwrap_or_default().to_owned());
            let parsed = carom_scene::Scene::parse("scene.toml", &scene.text);
            let built = parsed.map_err(|e| e.to_string()).and_then(|scene| {
                carom_scene::build(&scene, &carom_scene::InMemory::default()).map_err(|e| e.to_string())
            });
            refused.extend(built.err().map(|why| format!("{seed}, {}: {why}", scene.title)));
        }
        assert!(refused.len() <= 3, "{}", refused.join("\n"));
        told.sort();
        told.dedup();
        assert_eq!(told.len(), SITUATIONS.len(), "{told:?}");
    }
}
