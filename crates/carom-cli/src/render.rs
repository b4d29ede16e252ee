//! `carom render RUN`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use carom::frames::Frames;
use carom::math::Vec3;
use carom_output::picture::{BodyStyle, ColourBy, Edges, Film, Image, Lens, Studio, Style, Survey, View};
use carom_output::plot::Scale;
use carom_scene::{At, NonNegative, Positive};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style;

#[derive(clap::Args)]
#[command(
    after_help = "A scene may say in [picture] how it is best drawn; options here have the last word. Without --out the pictures go into the folder of the run: render.png, \
                        render-000012.png with --frame, animation.png with --animate."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Arguments {
    /// The folder of a run
    run: PathBuf,
    /// Draw this frame: its number counted from 0, `first`, `last`, or `all` for a picture of each [default: last]
    #[arg(long, value_name = "FRAME", conflicts_with_all = ["time", "animate"])]
    frame: Option<WhichFrame>,
    /// Draw the frame nearest to this time, in s
    #[arg(long, value_name = "SECONDS", conflicts_with = "animate", value_parser = parse_time)]
    time: Option<f64>,
    /// Make one animated PNG of all frames
    #[arg(long)]
    animate: bool,
    /// Of an animation, or of all frames, take every N-th
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Frames of an animation a second [default: so many that it lasts some five seconds, 4 to 30]
    #[arg(long, value_name = "N", requires = "animate", value_parser = clap::value_parser!(u16).range(1..=60))]
    fps: Option<u16>,
    /// Write to this file
    #[arg(long, value_name = "FILE.png", value_parser = parse_out)]
    out: Option<PathBuf>,
    /// What colours mean: body, speed, energy or clock
    #[arg(long, value_name = "WHAT", value_parser = colours())]
    colour: Option<ColourBy>,
    /// Lay the numbers out by factors [default for energy and clock]
    #[arg(long, conflicts_with = "linear")]
    log: bool,
    /// Lay the numbers out by differences [default for speed]
    #[arg(long)]
    linear: bool,
    /// The numbers at the ends of the colours [default: those of all frames drawn]
    #[arg(long, value_name = "LOW:HIGH", value_parser = parse_range)]
    range: Option<(f64, f64)>,
    /// Direction of the camera: azimuth and elevation in degrees, or front, back, left, right, top
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = parse_view, allow_hyphen_values = true)]
    view: Option<View>,
    /// Draw everything so many times larger
    #[arg(long, value_name = "FACTOR", value_parser = parse_zoom)]
    zoom: Option<f64>,
    /// Parallel projection, with a scale bar
    #[arg(long)]
    parallel: bool,
    /// Size in pixels: the width, or both [default: 1200, 720 animated; as high as the scene needs]
    #[arg(long, value_name = "WIDTH[xHEIGHT]", value_parser = parse_size)]
    size: Option<(u32, Option<u32>)>,
    /// Lines on surfaces: none, outline or mesh
    #[arg(long, value_name = "WHICH", value_parser = ["none", "outline", "mesh"], default_value = "mesh")]
    edges: String,
    /// Draw these bodies transparent [default: obstacles that hide much of what moves]
    #[arg(long, value_name = "BODIES", value_delimiter = ',')]
    see_through: Vec<String>,
    /// Draw these bodies opaque
    #[arg(long, value_name = "BODIES", value_delimiter = ',')]
    solid: Vec<String>,
    /// Leave these bodies out
    #[arg(long, value_name = "BODIES", value_delimiter = ',')]
    hide: Vec<String>,
    /// Leave out the shadow on the ground
    #[arg(long)]
    no_ground: bool,
    /// Leave out time and bars
    #[arg(long)]
    no_labels: bool,
    /// Write this above the picture
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// The frame to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhichFrame {
    Last,
    All,
    Number(usize),
}

impl std::str::FromStr for WhichFrame {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Self::Number(0)),
            "last" => Ok(Self::Last),
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Number).map_err(|_| "give a number, first, last or all".to_owned()),
        }
    }
}

fn colours() -> impl TypedValueParser<Value = ColourBy> {
    PossibleValuesParser::new(ColourBy::ALL.map(ColourBy::name))
        .try_map(|name| ColourBy::named(&name).ok_or("no meaning of colours has this name"))
}

fn parse_time(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    seconds.ok_or("give a number of seconds from 0 on: 0.25".to_owned())
}

fn parse_out(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return Ok(path);
    }
    Err(format!("pictures are PNG files, also those that move: {}", path.with_extension("png").display()))
}

fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once(':').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    parts
        .filter(|(low, high): &(f64, f64)| low < high)
        .ok_or("give two numbers, the smaller first: 0:2.5".to_owned())
}

fn parse_view(text: &str) -> Result<View, String> {
    let named = [
        ("front", (-90.0, 8.0)),
        ("back", (90.0, 8.0)),
        ("left", (180.0, 8.0)),
        ("right", (0.0, 8.0)),
        ("top", (-90.0, 90.0)),
    ];
    let by_name = named.into_iter().find(|(name, _)| *name == text).map(|(_, angles)| angles);
    let by_angles =
        || text.split_once(',').and_then(|(a, e)| Some((a.trim().parse().ok()?, e.trim().parse().ok()?)));
    let (azimuth_deg, elevation_deg) = by_name
        .or_else(by_angles)
        .filter(|(a, e): &(f64, f64)| a.is_finite() && e.abs() <= 90.0)
        .ok_or("give azimuth and elevation in degrees, such as -60,25, or front, back, left, right, top")?;
    Ok(View { azimuth_deg, elevation_deg })
}

fn parse_zoom(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor: &f64| factor.is_finite() && *factor > 0.0);
    factor.ok_or("give a factor above 0: 1.5".to_owned())
}

fn parse_size(text: &str) -> Result<(u32, Option<u32>), String> {
    let side = |text: &str| text.parse().ok().filter(|n: &u32| (64..=8192).contains(n));
    let parsed = match text.split_once('x') {
        Some((width, height)) => side(width).zip(side(height)).map(|(w, h)| (w, Some(h))),
        None => side(text).map(|width| (width, None)),
    };
    parsed.ok_or("give a width, or a width and a height joined by x, from 64 to 8192: 1200x900".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let frames = Frames::open(&arguments.run)?;
    let looks = looks(arguments, &frames)?;
    let numbers = numbers(arguments, &frames)?;
    let style = style(arguments, &frames);
    let studio = studio(&frames, &numbers, &looks, &style)?;
    let bar = bar(numbers.len() as u64, arguments.quiet || numbers.len() == 1);
    let written = if arguments.animate {
        let path = arguments.out.clone().unwrap_or_else(|| arguments.run.join("animation.png"));
        let film = film(&frames, &numbers, &studio, arguments.fps, &bar)?;
        carom_output::write_file(&path, &film.finish())?;
        vec![path]
    } else {
        stills(arguments, &frames, &numbers, &studio, &bar)?
    };
    bar.finish_and_clear();
    if !arguments.quiet {
        say(&written, &numbers, studio.size());
    }
    Ok(ExitCode::SUCCESS)
}

/// Style of each body, with the settings of the command line.
fn looks(arguments: &Arguments, frames: &Frames) -> Result<Vec<BodyStyle>> {
    let mut looks = frames.looks();
    let names = frames.bodies();
    let number = |name: &String| {
        let found = names.iter().position(|body| body == name);
        found.with_context(|| {
            format!("{} has no body called \"{name}\"; it has {}", arguments.run.display(), names.join(", "))
        })
    };
    let hints = frames.scene.file.picture.clone().unwrap_or_default();
    let hinted = |names: &[At<String>]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
    let wishes = [
        [hinted(&hints.see_through), hinted(&hints.solid), hinted(&hints.hide)],
        [arguments.see_through.clone(), arguments.solid.clone(), arguments.hide.clone()],
    ];
    for [see_through, solid, hide] in &wishes {
        for name in see_through {
            looks[number(name)?].see_through = Some(true);
        }
        for name in solid {
            looks[number(name)?].see_through = Some(false);
        }
        for name in hide {
            looks[number(name)?].hidden = true;
        }
    }
    if looks.iter().all(|look| look.hidden) {
        bail!("nothing is left to draw: --hide names every body");
    }
    Ok(looks)
}

/// The frames to draw, by number.
fn numbers(arguments: &Arguments, frames: &Frames) -> Result<Vec<usize>> {
    let count = frames.count();
    if arguments.animate || arguments.frame == Some(WhichFrame::All) {
        return Ok((0..count).step_by(arguments.every.unwrap_or(1) as usize).collect());
    }
    if arguments.every.is_some() {
        bail!("--every chooses among many frames, and one was asked for: add --animate or --frame all");
    }
    let hinted =
        frames.scene.file.picture.as_ref().and_then(|hints| hints.time.as_ref()).map(NonNegative::get);
    if let Some(time) = arguments.time.or(hinted.filter(|_| arguments.frame.is_none())) {
        let off = |(_, t): &(usize, f64)| (t - time).abs();
        let nearest = frames.times_s().enumerate().min_by(|a, b| off(a).total_cmp(&off(b)));
        return Ok(nearest.map(|(number, _)| number).into_iter().collect());
    }
    match arguments.frame.unwrap_or(WhichFrame::Last) {
        WhichFrame::Number(number) => {
            frames.check(number)?;
            Ok(vec![number])
        }
        WhichFrame::Last | WhichFrame::All => Ok(vec![count - 1]),
    }
}

fn style(arguments: &Arguments, frames: &Frames) -> Style {
    let hints = frames.scene.file.picture.clone().unwrap_or_default();
    let hinted_view =
        hints.view.as_ref().map(|view| View { azimuth_deg: view[0].get(), elevation_deg: view[1].get() });
    let scale = match (arguments.log, arguments.linear) {
        (true, _) => Some(Scale::Log),
        (_, true) => Some(Scale::Linear),
        _ => None,
    };
    let (width, height) = arguments.size.unwrap_or((if arguments.animate { 720 } else { 1200 }, None));
    Style {
        title: arguments.title.clone(),
        colour_by: arguments.colour.unwrap_or(hints.colour),
        scale,
        range: arguments.range,
        view: arguments.view.or(hinted_view).unwrap_or_default(),
        vertical: frames.upwards().unwrap_or(Vec3::Z),
        lens: if arguments.parallel { Lens::Parallel } else { Lens::Perspective },
        closer: arguments.zoom.or(hints.zoom.as_ref().map(Positive::get)).unwrap_or(1.0),
        width,
        height,
        edges: match arguments.edges.as_str() {
            "none" => Edges::None,
            "outline" => Edges::Outline,
            _ => Edges::Mesh,
        },
        ground: !arguments.no_ground,
        labels: !arguments.no_labels,
    }
}

/// Camera, lights and colours for these frames, chosen so that all of them are in view.
fn studio(frames: &Frames, numbers: &[usize], looks: &[BodyStyle], style: &Style) -> Result<Studio> {
    let mut survey = Survey::new(looks, style.colour_by);
    for &number in numbers {
        survey.see(&frames.read(number)?);
    }
    let middle = numbers[numbers.len() / 2];
    let mut samples = vec![numbers[0], middle, numbers[numbers.len() - 1]];
    samples.dedup();
    let samples = samples.into_iter().map(|number| frames.read(number)).collect::<Result<Vec<_>, _>>()?;
    Ok(Studio::new(&survey, &samples.iter().collect::<Vec<_>>(), looks, style))
}

fn film(
    frames: &Frames,
    numbers: &[usize],
    studio: &Studio,
    fps: Option<u16>,
    bar: &ProgressBar,
) -> Result<Film> {
    /// Default duration of an animation, in s.
    const LASTS: usize = 5;
    let fps = fps.unwrap_or((numbers.len() / LASTS).clamp(4, 30) as u16);
    let first: Image = studio.shoot(&frames.read(numbers[0])?);
    let mut film = Film::new(&first, numbers.len() as u32, fps);
    film.add(&first);
    bar.inc(1);
    for &number in &numbers[1..] {
        film.add(&studio.shoot(&frames.read(number)?));
        bar.inc(1);
    }
    Ok(film)
}

/// Draws every frame as a file of its own.
fn stills(
    arguments: &Arguments,
    frames: &Frames,
    numbers: &[usize],
    studio: &Studio,
    bar: &ProgressBar,
) -> Result<Vec<PathBuf>> {
    let is_named = arguments.frame.is_some_and(|frame| frame != WhichFrame::Last);
    let base = arguments.out.clone().unwrap_or_else(|| arguments.run.join("render.png"));
    let mut written = Vec::new();
    for &number in numbers {
        let is_numbered = numbers.len() > 1 || (is_named && arguments.out.is_none());
        let path = if is_numbered { with_number(&base, number) } else { base.clone() };
        carom_output::write_file(&path, &studio.shoot(&frames.read(number)?).to_png())?;
        written.push(path);
        bar.inc(1);
    }
    Ok(written)
}

/// `render.png` as `render-000012.png`.
fn with_number(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number:06}.png"))
}

fn say(written: &[PathBuf], numbers: &[usize], (width, height): (u32, u32)) {
    let of = if numbers.len() == 1 {
        format!("frame {}", numbers[0])
    } else {
        format!("{} frames", style::count(numbers.len() as u64))
    };
    match written {
        [path] => println!("wrote {}: {of}, {width} by {height} pixels", path.display()),
        [first, .., last] => {
            println!("wrote {} to {}: {of}, {width} by {height} pixels", first.display(), last.display());
        }
        [] => {}
    }
}

fn bar(frames: u64, is_silent: bool) -> ProgressBar {
    let target = if is_silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("rendering {bar:40} {pos} of {len} frames  {eta} left");
    ProgressBar::with_draw_target(Some(frames), target)
        .with_style(style.expect("the template has only known keys"))
}
