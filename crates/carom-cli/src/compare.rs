//! `carom compare SCENE`, `carom compare RUN RUN…`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use carom::comparison::{RunVariant, compared, report};
use carom::engine::MethodKind;
use carom_output::compare::ComparedRun;
use carom_output::{Comparison, RunFolder};
use carom_scene::{Loaded, Override, Scene, is_line_name};

use crate::run::{complain, in_short};
use crate::variants::Runner;

/// The exit code is that of `carom run` for the first line; what becomes of the others is reported, and no failure.
#[derive(clap::Args)]
#[command(
    after_help = "The first line is the scene itself. The exit code is the one `carom run` would give it: a Fault or a \
                        broken expectation of another line is shown in the report and is no failure."
)]
pub struct Arguments {
    /// A scene: a file, the folder of a run, or a built-in name. Or two or more folders of runs, which are drawn
    /// together as they are
    #[arg(required = true, value_name = "SCENE|RUN")]
    what: Vec<String>,
    /// Lines of the scene to run, joined by commas [default: all that it has; carom and synchronous if it has none]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    lines: Vec<String>,
    /// Add a line that is computed this way
    #[arg(long = "method", value_name = "NAME", value_parser = MethodKind::ALL.map(MethodKind::name))]
    methods: Vec<String>,
    /// Add a line with these keys of the scene: "fine: clocks.safety=0.1, method=carom"
    #[arg(long = "line", value_name = "NAME: KEY=VALUE, …")]
    variants: Vec<String>,
    /// End all lines at this time, in s
    #[arg(long, value_name = "SECONDS")]
    end: Option<String>,
    /// Change a key of the scene for all lines
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Write to this folder, which must be new or empty [default: runs/<scene>-compare/<n>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    match arguments.what.as_slice() {
        [scene] => run_lines(arguments, scene),
        runs => draw_runs(arguments, runs),
    }
}

fn run_lines(arguments: &Arguments, scene: &str) -> Result<ExitCode> {
    let mut overrides: Vec<Override> = arguments.set.iter().map(|set| Override::set(set)).collect();
    overrides.extend(arguments.end.iter().map(|end| Override::flag("--end", "time.end", end)));
    let loaded = Scene::load(scene, &overrides)?;
    // Everything is built before anything runs: a slip in the last line shows at once.
    let lines = lines(arguments, &loaded)?;
    let folder = RunFolder::create(arguments.out.as_deref(), &format!("{}-compare", loaded.name))?;
    let runner = Runner::new(arguments.quiet)?;
    let done = runner.run_all(&lines, folder.path())?;
    let done: Vec<ComparedRun> = done.into_iter().map(|(name, run)| compared(name, name, run)).collect();
    tell(arguments, &done, folder.path());
    let first = done.first().context("interrupted before the first line began")?.summary.clone();
    report(&loaded, done, folder.path())?;
    complain(&first);
    Ok(runner.exit_code(first.verdict))
}

/// The scene itself, and the lines of the command line.
fn lines(arguments: &Arguments, loaded: &Loaded) -> Result<Vec<RunVariant>> {
    let end = arguments.end.iter().map(|end| format!("time.end={end}"));
    let changes: Vec<String> = arguments.set.iter().cloned().chain(end).collect();
    let own = loaded.scene.file.own_line();
    let mut lines = vec![RunVariant::variant(own, loaded, &[], &changes)?];
    for name in named(arguments, loaded)? {
        lines.push(RunVariant::named(loaded, &name, &changes)?);
    }
    for method in methods(arguments, loaded) {
        let change = Override::flag("--method", "method", &method);
        lines.push(RunVariant::variant(&method, loaded, &[change], &changes)?);
    }
    for text in &arguments.variants {
        let (name, set) = parse_variant(text)?;
        let more: Vec<Override> = set.iter().map(|set| Override::assign("--line", set)).collect();
        lines.push(RunVariant::variant(name, loaded, &more, &[&changes[..], &set].concat())?);
    }
    for (i, line) in lines.iter().enumerate() {
        if lines[..i].iter().any(|other| other.name == line.name) {
            bail!("two lines are called \"{}\": each needs a name of its own", line.name);
        }
    }
    Ok(lines)
}

/// The names of the scene's lines that are to be run.
fn named(arguments: &Arguments, loaded: &Loaded) -> Result<Vec<String>> {
    let lines = loaded.scene.file.compare.iter().flat_map(|compare| &compare.lines);
    let known: Vec<String> = lines.map(|line| line.name.to_string()).collect();
    if let Some(unknown) = arguments.lines.iter().find(|name| !known.contains(name)) {
        if known.is_empty() {
            bail!(
                "there is no line called \"{unknown}\": the scene has none; add one with --line or --method"
            );
        }
        bail!("there is no line called \"{unknown}\": the scene has \"{}\"", known.join("\", \""));
    }
    let asked =
        !(arguments.lines.is_empty() && arguments.methods.is_empty() && arguments.variants.is_empty());
    Ok(if asked { arguments.lines.clone() } else { known })
}

/// The methods that make a line each; that of the scene itself is there already.
fn methods(arguments: &Arguments, loaded: &Loaded) -> Vec<String> {
    let file = &loaded.scene.file;
    let nothing_to_compare = file.compare.as_ref().is_none_or(|compare| compare.lines.is_empty())
        && arguments.methods.is_empty()
        && arguments.variants.is_empty();
    let usual = [MethodKind::Carom, MethodKind::Synchronous(None)].map(|method| method.name().to_owned());
    let methods = if nothing_to_compare { usual.to_vec() } else { arguments.methods.clone() };
    methods.into_iter().filter(|method| *method != file.method.name()).collect()
}

/// `NAME: key=value, key=value`.
fn parse_variant(text: &str) -> Result<(&str, Vec<String>)> {
    let Some((name, set)) = text.split_once(':') else {
        bail!("--line \"{text}\" has no name: write NAME: KEY=VALUE, KEY=VALUE");
    };
    let name = name.trim();
    if !is_line_name(name) {
        bail!("\"{name}\" cannot be the name of a line: use letters, digits, and - _ . between them");
    }
    Ok((name, split(set)))
}

/// The parts between commas that no bracket or quote encloses.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quoted) = (vec![String::new()], 0, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if c != ',' || quoted || depth > 0 => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Runs that were made before, drawn together.
fn draw_runs(arguments: &Arguments, runs: &[String]) -> Result<ExitCode> {
    let asked = [&arguments.lines, &arguments.methods, &arguments.variants, &arguments.set];
    if asked.iter().any(|asked| !asked.is_empty()) || arguments.end.is_some() {
        bail!("runs that were made before are drawn as they are: give one scene to run lines of it");
    }
    let read = |run: &String| {
        let shown = run.trim_end_matches('/');
        ComparedRun::read(shown, Path::new(run), run)
            .with_context(|| format!("{run} is not the folder of a run"))
    };
    let done = runs.iter().map(read).collect::<Result<Vec<_>>>()?;
    let loaded = Scene::load(&runs[0], &[])?;
    let folder = RunFolder::create(arguments.out.as_deref(), &format!("{}-compare", loaded.name))?;
    tell(arguments, &done, folder.path());
    report(&loaded, done, folder.path())?;
    Ok(ExitCode::SUCCESS)
}

fn tell(arguments: &Arguments, done: &[ComparedRun], folder: &Path) {
    if arguments.quiet {
        return;
    }
    for run in done {
        println!("{}: {}", run.name, in_short(&run.summary));
    }
    println!("wrote {}: {} shows everything on one page", folder.display(), Comparison::REPORT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_a_name_and_keys_with_values_that_may_have_commas() {
        let (name, set) =
            parse_variant("slow one: clocks.safety=0.1, gravity.acceleration=[0, 0, -1],title=\"a, b\"")
                .unwrap();
        assert_eq!(name, "slow one");
        assert_eq!(set, ["clocks.safety=0.1", "gravity.acceleration=[0, 0, -1]", "title=\"a, b\""]);
        assert_eq!(parse_variant("same:").unwrap(), ("same", Vec::new()));
        assert!(parse_variant("clocks.safety=0.1").is_err() && parse_variant("../up: a=1").is_err());
    }
}
