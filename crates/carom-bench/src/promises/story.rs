//! What happens in a random scene.

use carom_math::Vec3;

use super::body::{KINDS, Kind, number};
use super::dice::Dice;
use super::scene::{Page, vector};

/// The plot of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Story {
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
pub const STORIES: [Story; 10] = [
    Story::Drop,
    Story::Stack,
    Story::Throw,
    Story::Press,
    Story::Sling,
    Story::Catch,
    Story::Room,
    Story::Bat,
    Story::Push,
    Story::Lead,
];

const HELD: [Kind; 2] = [Kind::Sheet, Kind::Rod];
const THICK: [Kind; 2] = [Kind::Solid, Kind::Hull];
const GRAINS: [Kind; 1] = [Kind::Grains];
const STANDING: Vec3 = Vec3::new(0.0, 0.0, 0.0);

impl Story {
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
    pub fn bodies(self, dice: &mut Dice) -> usize {
        match self {
            Self::Drop | Self::Stack | Self::Throw => {
                dice.whole(1, 3).max(if self == Self::Drop { 1 } else { 2 })
            }
            Self::Sling | Self::Catch | Self::Room => 2,
            Self::Press => dice.whole(1, 2),
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
pub fn tell(story: Story, dice: &mut Dice, page: &mut Page) {
    match story {
        Story::Drop => fall(dice, page, true),
        Story::Stack => fall(dice, page, false),
        Story::Throw => throw(dice, page),
        Story::Press => press(dice, page),
        Story::Sling => sling(dice, page),
        Story::Catch => catch(dice, page),
        Story::Room => room(dice, page),
        Story::Bat => bat(dice, page),
        Story::Push => push(dice, page),
        Story::Lead => lead(dice, page),
    }
}

/// A distance at which nothing touches yet.
fn clear(page: &Page) -> f64 {
    1.1 * page.thickness_m
}

fn aside(dice: &mut Dice, far: f64) -> Vec3 {
    Vec3::new(dice.between(-far, far), dice.between(-far, far), 0.0)
}

/// When something that starts with a speed has fallen so far, and how fast it is then.
fn after_fall(page: &Page, speed: f64, height: f64) -> (f64, f64) {
    let faster = (speed * speed + 2.0 * page.gravity * height).sqrt();
    (2.0 * height / (speed + faster).max(f64::MIN_POSITIVE), faster)
}

/// Bodies above each other, turned any way and with gaps if they are `thrown` down, else flat and near.
fn fall(dice: &mut Dice, page: &mut Page, thrown: bool) {
    let ground = clear(page);
    if thrown && dice.chance(0.3) {
        ball(dice, page, 0.0, 0.5);
    } else {
        page.plate(dice, "floor", 0.0);
    }
    let speed = if thrown && dice.chance(0.5) { page.speed * dice.between(0.0, 1.0) } else { 0.0 };
    let mut top = ground;
    let mut longest = (0.0_f64, speed);
    for index in 0..page.bodies.len() {
        let gap = if thrown { page.size_m * dice.across_decades(0.003, 0.3) } else { 0.0 };
        let turned = thrown && dice.chance(0.6);
        let body = &page.bodies[index];
        let half = if turned { body.reach_m } else { body.half_height_m };
        let far = 0.2 * body.reach_m;
        top += gap;
        let place = aside(dice, far) + Vec3::new(0.0, 0.0, top + half);
        let (touch, faster) = after_fall(page, speed, top);
        longest = (longest.0.max(touch), longest.1.max(faster));
        page.body(dice, index, place, Vec3::new(0.0, 0.0, -speed), turned);
        top += 2.0 * half + ground;
    }
    page.touch_s = longest.0;
    let swing = if page.gravity > 0.0 { (page.size_m / page.gravity).sqrt() } else { page.end_s };
    page.end_s = longest.0 + swing * dice.between(0.5, 3.0);
}

/// A round obstacle whose top is at a height, with a radius of up to this part of the scene.
fn ball(dice: &mut Dice, page: &mut Page, top: f64, part: f64) {
    let radius = page.size_m * dice.between(0.3, 1.0) * part;
    let shape = round(radius, dice.whole(2, 4));
    page.obstacle("ball", &shape, Vec3::new(0.0, 0.0, top - radius), STANDING);
}

fn round(radius: f64, frequency: usize) -> String {
    format!("{{ icosphere = {{ radius = {}, frequency = {frequency} }} }}", number(radius))
}

fn throw(dice: &mut Dice, page: &mut Page) {
    let middle = page.bodies.len() / 2;
    let mut x = 0.0;
    let mut widest: f64 = 0.0;
    for index in 0..page.bodies.len() {
        let reach = page.bodies[index].reach_m;
        let gap = clear(page) + page.size_m * dice.across_decades(0.003, 0.3);
        x += gap + reach;
        widest = widest.max(gap);
        let place = Vec3::new(x, dice.between(-0.3, 0.3) * reach, dice.between(-0.3, 0.3) * reach);
        let sign = if index < middle { 1.0 } else { -1.0 };
        let speed = page.speed * if index == middle { dice.between(0.0, 1.0) } else { 1.0 };
        let velocity = Vec3::new(sign * speed, 0.0, 0.0);
        page.body(dice, index, place, velocity, true);
        x += reach;
    }
    // Turned bodies may lie far apart though their spheres nearly touch.
    page.touch_s = (widest + page.bodies.iter().map(|body| body.reach_m).fold(0.0, f64::max)) / page.speed;
    page.end_s += page.touch_s;
}

fn press(dice: &mut Dice, page: &mut Page) {
    let gap = clear(page);
    page.plate(dice, "floor", 0.0);
    let mut top = gap;
    for index in 0..page.bodies.len() {
        let half = page.bodies[index].half_height_m;
        page.body(dice, index, Vec3::new(0.0, 0.0, top + half), STANDING, false);
        top += 2.0 * half + gap;
    }
    let height = top;
    page.plate(dice, "press", height);
    let thinnest = page.bodies.iter().map(|body| 2.0 * body.half_height_m).fold(f64::INFINITY, f64::min);
    let depth = thinnest * dice.between(0.05, 0.4);
    let closed_s = depth / page.speed;
    let mut keys = format!("{{ time = {}, shift = [0.0, 0.0, -{}] }}", number(closed_s), number(depth));
    if dice.chance(0.5) {
        keys = format!("{keys}, {{ time = {} }}", number(2.0 * closed_s));
    }
    let pace = dice.one_of(&["smooth", "steady"]);
    page.lines(&format!("[[drive]]\nbody = \"press\"\npace = \"{pace}\"\nkeys = [{keys}]\n"));
    page.touch_s = closed_s;
    page.end_s = closed_s * dice.between(1.3, 2.5);
}

fn sling(dice: &mut Dice, page: &mut Page) {
    let reach = [0, 1].map(|index| page.bodies[index].reach_m);
    let gap = clear(page) + page.size_m * dice.across_decades(0.01, 1.0);
    let apart = reach[0] + reach[1] + gap;
    page.body(dice, 0, STANDING, STANDING, true);
    let off = aside(dice, 0.2 * reach[1]).y;
    page.body(dice, 1, Vec3::new(apart, off, 0.0), STANDING, true);
    let mass = 1.0 / (1.0 / page.bodies[0].mass_kg + 1.0 / page.bodies[1].mass_kg);
    let stiffness = mass * page.speed * page.speed / (apart * apart);
    let damping = if dice.chance(0.2) {
        format!("damping = {}\n", number(apart / page.speed * dice.across_decades(0.001, 0.1)))
    } else {
        String::new()
    };
    page.lines(&format!(
        "[[spring]]\nbetween = [\"b0:0\", \"b1:0\"]\nstiffness = {}\nrest_length = {}\n{damping}",
        number(stiffness),
        number(apart * dice.between(0.0, 0.3))
    ));
    page.touch_s = 2.0 * apart / page.speed;
    page.end_s = page.touch_s * dice.between(1.2, 3.0);
}

fn catch(dice: &mut Dice, page: &mut Page) {
    let held = page.bodies[0].clone();
    let falling = page.bodies[1].clone();
    page.body(dice, 0, STANDING, STANDING, false);
    let is_at_one_end = dice.chance(0.4);
    let select = match held.handle.filter(|_| is_at_one_end) {
        Some(group) => format!("select.group = \"{group}\""),
        None if held.kind == Kind::Rod && held.handle.is_none() => "select.index = 0".to_owned(),
        None => "select.boundary = true".to_owned(),
    };
    let twist = if held.twists { "twist = true\n" } else { "" };
    page.lines(&format!("[[pin]]\nbody = \"b0\"\n{select}\n{twist}"));
    let gap = clear(page) + page.size_m * dice.across_decades(0.003, 0.3);
    let height = held.half_height_m + gap + falling.reach_m;
    let speed = if dice.chance(0.5) { page.speed * dice.between(0.0, 1.0) } else { 0.0 };
    let place = aside(dice, 0.15 * held.reach_m) + Vec3::new(0.0, 0.0, height);
    page.body(dice, 1, place, Vec3::new(0.0, 0.0, -speed), true);
    page.touch_s = after_fall(page, speed, gap + falling.reach_m - falling.half_height_m).0;
    page.end_s = page.touch_s + (page.size_m / page.gravity).sqrt() * dice.between(0.5, 3.0);
}

fn room(dice: &mut Dice, page: &mut Page) {
    let gap = clear(page) + 0.05 * page.size_m;
    let sides = [0, 1].map(|index| page.bodies[index].reach_m);
    let length = 2.0 * (sides[0] + sides[1]) + 3.0 * gap;
    let width = 2.0 * sides[0].max(sides[1]) + 2.0 * gap;
    let shape = format!("{{ room = {{ size = [{}, {1}, {1}] }} }}", number(length), number(width));
    page.obstacle("walls", &shape, STANDING, STANDING);
    let speed = page.speed;
    let velocity = dice.direction() * speed;
    page.body(dice, 0, Vec3::new(gap + sides[0] - 0.5 * length, 0.0, 0.0), velocity, false);
    let velocity = dice.direction() * (speed * dice.between(0.0, 1.0));
    page.body(dice, 1, Vec3::new(0.5 * length - gap - sides[1], 0.0, 0.0), velocity, true);
    page.touch_s = length / speed;
    page.end_s += page.touch_s;
}

fn bat(dice: &mut Dice, page: &mut Page) {
    let reach = page.bodies[0].reach_m;
    page.body(dice, 0, STANDING, STANDING, true);
    let radius = page.size_m * dice.across_decades(0.1, 1.0);
    let gap = clear(page) + page.size_m * dice.across_decades(0.003, 0.1);
    let off = dice.between(-0.2, 0.2) * reach;
    let speed = page.speed;
    let shape = round(radius, dice.whole(1, 3));
    let place = Vec3::new(gap + reach + radius, off, 0.3 * off);
    page.obstacle("bat", &shape, place, Vec3::new(-speed, 0.0, 0.0));
    page.touch_s = (gap + reach) / speed;
    page.end_s = page.touch_s * dice.between(1.5, 3.0);
}

fn push(dice: &mut Dice, page: &mut Page) {
    page.plate(dice, "floor", 0.0);
    let turned = dice.chance(0.5);
    let body = page.bodies[0].clone();
    let half = if turned { body.reach_m } else { body.half_height_m };
    let gap = clear(page) + page.size_m * dice.across_decades(0.003, 0.3);
    let speed = page.speed;
    page.body(dice, 0, Vec3::new(0.0, 0.0, half + gap), STANDING, turned);
    let way = gap + half - body.half_height_m;
    let force = body.mass_kg * speed * speed / (2.0 * way);
    page.lines(&format!(
        "[[load]]\nbody = \"b0\"\nselect.all = true\nforce = {}\nshare = \"by-mass\"\n",
        vector(Vec3::new(0.0, 0.0, -force))
    ));
    page.touch_s = 2.0 * way / speed;
    page.end_s = page.touch_s * dice.between(1.3, 4.0);
}

fn lead(dice: &mut Dice, page: &mut Page) {
    let held = page.bodies[0].clone();
    let gap = clear(page);
    ball(dice, page, 0.0, 0.3);
    let handle =
        held.handle.map_or("select.index = 0".to_owned(), |group| format!("select.group = \"{group}\""));
    page.body(dice, 0, Vec3::new(0.0, 0.0, held.half_height_m + gap), STANDING, false);
    let depth = page.size_m * dice.between(0.1, 0.5);
    let down_s = depth / page.speed;
    let sideways = if dice.chance(0.5) { 0.0 } else { depth * dice.between(-1.0, 1.0) };
    let shift = vector(Vec3::new(0.0, sideways, -depth));
    let pace = dice.one_of(&["smooth", "steady"]);
    page.lines(&format!(
        "[[drive]]\nbody = \"b0\"\n{handle}\npace = \"{pace}\"\nkeys = [{{ time = {}, shift = {shift} }}]\n",
        number(down_s)
    ));
    page.touch_s = down_s;
    page.end_s = down_s * dice.between(1.3, 3.0);
}
