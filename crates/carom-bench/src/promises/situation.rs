//! What happens in a random scene.

use carom_math::Vec3;

use super::body::{KINDS, Kind, number};
use super::random::Random;
use super::scene::{SceneDraft, vector};

/// What happens in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// Bodies above each other fall onto a plate or a ball.
    Drop,
    /// Bodies lie on each other.
    Stack,
    /// Bodies are thrown at each other.
    Throw,
    /// Bodies are pressed between two plates.
    Press,
    /// Two bodies are pulled together by a stretched spring.
    Sling,
    /// Something falls onto what is held at its rim or at one end.
    Catch,
    /// Grains and another body in a closed room.
    Room,
    /// A moving obstacle hits a body.
    Bat,
    /// A force pushes a body against a plate.
    Push,
    /// What is held at its rim or at one end is led over a ball.
    Lead,
}

/// All of them.
pub const SITUATIONS: [Situation; 10] = [
    Situation::Drop,
    Situation::Stack,
    Situation::Throw,
    Situation::Press,
    Situation::Sling,
    Situation::Catch,
    Situation::Room,
    Situation::Bat,
    Situation::Push,
    Situation::Lead,
];

const HELD: [Kind; 2] = [Kind::Sheet, Kind::Rod];
const THICK: [Kind; 2] = [Kind::Solid, Kind::Hull];
const GRAINS: [Kind; 1] = [Kind::Grains];
const STANDING: Vec3 = Vec3::new(0.0, 0.0, 0.0);

impl Situation {
    /// Its name, for titles.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Stack => "stack",
            Self::Throw => "throw",
            Self::Press => "press",
            Self::Sling => "sling",
            Self::Catch => "catch",
            Self::Room => "room",
            Self::Bat => "bat",
            Self::Push => "push",
            Self::Lead => "lead",
        }
    }

    /// Whether it needs gravity.
    pub const fn falls(self) -> bool {
        matches!(self, Self::Drop | Self::Stack | Self::Catch)
    }

    /// How many bodies it has.
    pub fn bodies(self, random: &mut Random) -> usize {
        match self {
            Self::Drop | Self::Stack | Self::Throw => {
                random.whole(1, 3).max(if self == Self::Drop { 1 } else { 2 })
            }
            Self::Sling | Self::Catch | Self::Room => 2,
            Self::Press => random.whole(1, 2),
            Self::Bat | Self::Push | Self::Lead => 1,
        }
    }

    /// The kinds that its body of this number may be of.
    pub const fn kinds(self, index: usize) -> &'static [Kind] {
        match (self, index) {
            (Self::Catch | Self::Lead, 0) => &HELD,
            (Self::Press, _) => &THICK,
            (Self::Room, 0) => &GRAINS,
            _ => &KINDS,
        }
    }
}

/// Writes bodies, obstacles and what acts on them.
pub fn describe(situation: Situation, random: &mut Random, draft: &mut SceneDraft) {
    match situation {
        Situation::Drop => fall(random, draft, true),
        Situation::Stack => fall(random, draft, false),
        Situation::Throw => throw(random, draft),
        Situation::Press => press(random, draft),
        Situation::Sling => sling(random, draft),
        Situation::Catch => catch(random, draft),
        Situation::Room => room(random, draft),
        Situation::Bat => bat(random, draft),
        Situation::Push => push(random, draft),
        Situation::Lead => lead(random, draft),
    }
}

/// A distance at which nothing touches yet.
fn clear(draft: &SceneDraft) -> f64 {
    1.1 * draft.thickness_m
}

fn aside(random: &mut Random, far: f64) -> Vec3 {
    Vec3::new(random.between(-far, far), random.between(-far, far), 0.0)
}

/// When something that starts with a speed has fallen so far, and how fast it is then.
fn after_fall(draft: &SceneDraft, speed: f64, height: f64) -> (f64, f64) {
    let faster = (speed * speed + 2.0 * draft.gravity * height).sqrt();
    (2.0 * height / (speed + faster).max(f64::MIN_POSITIVE), faster)
}

/// Bodies above each other, turned any way and with gaps if they are `thrown` down, else flat and near.
fn fall(random: &mut Random, draft: &mut SceneDraft, thrown: bool) {
    let ground = clear(draft);
    if thrown && random.chance(0.3) {
        ball(random, draft, 0.0, 0.5);
    } else {
        draft.plate(random, "floor", 0.0);
    }
    let speed = if thrown && random.chance(0.5) { draft.speed * random.between(0.0, 1.0) } else { 0.0 };
    let mut top = ground;
    let mut longest = (0.0_f64, speed);
    for index in 0..draft.bodies.len() {
        let gap = if thrown { draft.size_m * random.across_decades(0.003, 0.3) } else { 0.0 };
        let turned = thrown && random.chance(0.6);
        let body = &draft.bodies[index];
        let half = if turned { body.reach_m } else { body.half_height_m };
        let far = 0.2 * body.reach_m;
        top += gap;
        let place = aside(random, far) + Vec3::new(0.0, 0.0, top + half);
        let (touch, faster) = after_fall(draft, speed, top);
        longest = (longest.0.max(touch), longest.1.max(faster));
        draft.body(random, index, place, Vec3::new(0.0, 0.0, -speed), turned);
        top += 2.0 * half + ground;
    }
    draft.touch_s = longest.0;
    let swing = if draft.gravity > 0.0 { (draft.size_m / draft.gravity).sqrt() } else { draft.end_s };
    draft.end_s = longest.0 + swing * random.between(0.5, 3.0);
}

/// A round obstacle whose top is at a height, with a radius of up to this part of the scene.
fn ball(random: &mut Random, draft: &mut SceneDraft, top: f64, part: f64) {
    let radius = draft.size_m * random.between(0.3, 1.0) * part;
    let shape = round(radius, random.whole(2, 4));
    draft.obstacle("ball", &shape, Vec3::new(0.0, 0.0, top - radius), STANDING);
}

fn round(radius: f64, frequency: usize) -> String {
    format!("{{ icosphere = {{ radius = {}, frequency = {frequency} }} }}", number(radius))
}

fn throw(random: &mut Random, draft: &mut SceneDraft) {
    let middle = draft.bodies.len() / 2;
    let mut x = 0.0;
    let mut widest: f64 = 0.0;
    for index in 0..draft.bodies.len() {
        let reach = draft.bodies[index].reach_m;
        let gap = clear(draft) + draft.size_m * random.across_decades(0.003, 0.3);
        x += gap + reach;
        widest = widest.max(gap);
        let place = Vec3::new(x, random.between(-0.3, 0.3) * reach, random.between(-0.3, 0.3) * reach);
        let sign = if index < middle { 1.0 } else { -1.0 };
        let speed = draft.speed * if index == middle { random.between(0.0, 1.0) } else { 1.0 };
        let velocity = Vec3::new(sign * speed, 0.0, 0.0);
        draft.body(random, index, place, velocity, true);
        x += reach;
    }
    // Turned bodies may lie far apart though their spheres nearly touch.
    draft.touch_s = (widest + draft.bodies.iter().map(|body| body.reach_m).fold(0.0, f64::max)) / draft.speed;
    draft.end_s += draft.touch_s;
}

fn press(random: &mut Random, draft: &mut SceneDraft) {
    let gap = clear(draft);
    draft.plate(random, "floor", 0.0);
    let mut top = gap;
    for index in 0..draft.bodies.len() {
        let half = draft.bodies[index].half_height_m;
        draft.body(random, index, Vec3::new(0.0, 0.0, top + half), STANDING, false);
        top += 2.0 * half + gap;
    }
    let height = top;
    draft.plate(random, "press", height);
    let thinnest = draft.bodies.iter().map(|body| 2.0 * body.half_height_m).fold(f64::INFINITY, f64::min);
    let depth = thinnest * random.between(0.05, 0.4);
    let closed_s = depth / draft.speed;
    let mut keys = format!("{{ time = {}, shift = [0.0, 0.0, -{}] }}", number(closed_s), number(depth));
    if random.chance(0.5) {
        keys = format!("{keys}, {{ time = {} }}", number(2.0 * closed_s));
    }
    let pace = random.one_of(&["smooth", "steady"]);
    draft.lines(&format!("[[drive]]\nbody = \"press\"\npace = \"{pace}\"\nkeys = [{keys}]\n"));
    draft.touch_s = closed_s;
    draft.end_s = closed_s * random.between(1.3, 2.5);
}

fn sling(random: &mut Random, draft: &mut SceneDraft) {
    let reach = [0, 1].map(|index| draft.bodies[index].reach_m);
    let gap = clear(draft) + draft.size_m * random.across_decades(0.01, 1.0);
    let apart = reach[0] + reach[1] + gap;
    draft.body(random, 0, STANDING, STANDING, true);
    let off = aside(random, 0.2 * reach[1]).y;
    draft.body(random, 1, Vec3::new(apart, off, 0.0), STANDING, true);
    let mass = 1.0 / (1.0 / draft.bodies[0].mass_kg + 1.0 / draft.bodies[1].mass_kg);
    let stiffness = mass * draft.speed * draft.speed / (apart * apart);
    let damping = if random.chance(0.2) {
        format!("damping = {}\n", number(apart / draft.speed * random.across_decades(0.001, 0.1)))
    } else {
        String::new()
    };
    draft.lines(&format!(
        "[[spring]]\nbetween = [\"b0:0\", \"b1:0\"]\nstiffness = {}\nrest_length = {}\n{damping}",
        number(stiffness),
        number(apart * random.between(0.0, 0.3))
    ));
    draft.touch_s = 2.0 * apart / draft.speed;
    draft.end_s = draft.touch_s * random.between(1.2, 3.0);
}

fn catch(random: &mut Random, draft: &mut SceneDraft) {
    let held = draft.bodies[0].clone();
    let falling = draft.bodies[1].clone();
    draft.body(random, 0, STANDING, STANDING, false);
    let is_at_one_end = random.chance(0.4);
    let select = match held.handle.filter(|_| is_at_one_end) {
        Some(group) => format!("select.group = \"{group}\""),
        None if held.kind == Kind::Rod && held.handle.is_none() => "select.index = 0".to_owned(),
        None => "select.boundary = true".to_owned(),
    };
    let twist = if held.twists { "twist = true\n" } else { "" };
    draft.lines(&format!("[[pin]]\nbody = \"b0\"\n{select}\n{twist}"));
    let gap = clear(draft) + draft.size_m * random.across_decades(0.003, 0.3);
    let height = held.half_height_m + gap + falling.reach_m;
    let speed = if random.chance(0.5) { draft.speed * random.between(0.0, 1.0) } else { 0.0 };
    let place = aside(random, 0.15 * held.reach_m) + Vec3::new(0.0, 0.0, height);
    draft.body(random, 1, place, Vec3::new(0.0, 0.0, -speed), true);
    draft.touch_s = after_fall(draft, speed, gap + falling.reach_m - falling.half_height_m).0;
    draft.end_s = draft.touch_s + (draft.size_m / draft.gravity).sqrt() * random.between(0.5, 3.0);
}

fn room(random: &mut Random, draft: &mut SceneDraft) {
    let gap = clear(draft) + 0.05 * draft.size_m;
    let sides = [0, 1].map(|index| draft.bodies[index].reach_m);
    let length = 2.0 * (sides[0] + sides[1]) + 3.0 * gap;
    let width = 2.0 * sides[0].max(sides[1]) + 2.0 * gap;
    let shape = format!("{{ room = {{ size = [{}, {1}, {1}] }} }}", number(length), number(width));
    draft.obstacle("walls", &shape, STANDING, STANDING);
    let speed = draft.speed;
    let velocity = random.direction() * speed;
    draft.body(random, 0, Vec3::new(gap + sides[0] - 0.5 * length, 0.0, 0.0), velocity, false);
    let velocity = random.direction() * (speed * random.between(0.0, 1.0));
    draft.body(random, 1, Vec3::new(0.5 * length - gap - sides[1], 0.0, 0.0), velocity, true);
    draft.touch_s = length / speed;
    draft.end_s += draft.touch_s;
}

fn bat(random: &mut Random, draft: &mut SceneDraft) {
    let reach = draft.bodies[0].reach_m;
    draft.body(random, 0, STANDING, STANDING, true);
    let radius = draft.size_m * random.across_decades(0.1, 1.0);
    let gap = clear(draft) + draft.size_m * random.across_decades(0.003, 0.1);
    let off = random.between(-0.2, 0.2) * reach;
    let speed = draft.speed;
    let shape = round(radius, random.whole(1, 3));
    let place = Vec3::new(gap + reach + radius, off, 0.3 * off);
    draft.obstacle("bat", &shape, place, Vec3::new(-speed, 0.0, 0.0));
    draft.touch_s = (gap + reach) / speed;
    draft.end_s = draft.touch_s * random.between(1.5, 3.0);
}

fn push(random: &mut Random, draft: &mut SceneDraft) {
    draft.plate(random, "floor", 0.0);
    let turned = random.chance(0.5);
    let body = draft.bodies[0].clone();
    let half = if turned { body.reach_m } else { body.half_height_m };
    let gap = clear(draft) + draft.size_m * random.across_decades(0.003, 0.3);
    let speed = draft.speed;
    draft.body(random, 0, Vec3::new(0.0, 0.0, half + gap), STANDING, turned);
    let way = gap + half - body.half_height_m;
    let force = body.mass_kg * speed * speed / (2.0 * way);
    draft.lines(&format!(
        "[[load]]\nbody = \"b0\"\nselect.all = true\nforce = {}\nshare = \"by-mass\"\n",
        vector(Vec3::new(0.0, 0.0, -force))
    ));
    draft.touch_s = 2.0 * way / speed;
    draft.end_s = draft.touch_s * random.between(1.3, 4.0);
}

fn lead(random: &mut Random, draft: &mut SceneDraft) {
    let held = draft.bodies[0].clone();
    let gap = clear(draft);
    ball(random, draft, 0.0, 0.3);
    let handle =
        held.handle.map_or("select.index = 0".to_owned(), |group| format!("select.group = \"{group}\""));
    draft.body(random, 0, Vec3::new(0.0, 0.0, held.half_height_m + gap), STANDING, false);
    let depth = draft.size_m * random.between(0.1, 0.5);
    let down_s = depth / draft.speed;
    let sideways = if random.chance(0.5) { 0.0 } else { depth * random.between(-1.0, 1.0) };
    let shift = vector(Vec3::new(0.0, sideways, -depth));
    let pace = random.one_of(&["smooth", "steady"]);
    draft.lines(&format!(
        "[[drive]]\nbody = \"b0\"\n{handle}\npace = \"{pace}\"\nkeys = [{{ time = {}, shift = {shift} }}]\n",
        number(down_s)
    ));
    draft.touch_s = down_s;
    draft.end_s = down_s * random.between(1.3, 3.0);
}
