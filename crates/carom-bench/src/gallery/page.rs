//! The page of the gallery: a table of what was measured, and for each scene its picture and what it shows.

use std::fmt::Write as _;
use std::path::Path;

use carom_output::Summary;

use super::{RUNS, Shown};
use crate::program;

/// Folder of the pictures, beside the page.
const PICTURES: &str = "images/gallery";

/// Writes the page and the pictures it shows.
pub fn write(path: &Path, dated: &str, shown: &[Shown]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("")).join(PICTURES);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for shown in shown.iter().filter(|shown| shown.outcome.is_ok()) {
        draw(&shown.scene.name, &folder)?;
    }
    std::fs::write(path, page(dated, shown)).map_err(|e| format!("{}: {e}", path.display()))
}

/// Draws a picture of the run with the style of its scene.
fn draw(name: &str, folder: &Path) -> Result<(), String> {
    let picture = folder.join(format!("{}.png", flat(name)));
    let mut command = program()?;
    command.arg("render").arg(Path::new(RUNS).join(name)).arg("--out").arg(&picture).arg("--quiet");
    let ended = command.output().map_err(|e| format!("the program cannot be started: {e}"))?;
    if ended.status.success() {
        return Ok(());
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&ended.stderr).trim()))
}

fn page(dated: &str, shown: &[Shown]) -> String {
    let mut text = String::from("# The gallery\n\n");
    let _ = writeln!(
        text,
        "Scenes in full, as `cargo xtask gallery` ran them: {dated}. Those called audited were judged at every instant (`--audit`), and \
         nothing passed through anything; those at rest were brought there by `carom relax`. The energy balance is the largest deviation of total + dissipated − work from its \
         start, over the energy turned over.\n"
    );
    text.push_str(
        "| scene | evaluations | CPU time | on the wall | smallest distance | deepest layer | energy balance | |\n",
    );
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    for Shown { scene, outcome } in shown {
        let name = &scene.name;
        match outcome {
            Ok(summary) => text.push_str(&row(name, summary)),
            Err(why) => {
                let _ = writeln!(text, "| [{name}](#{}) | | | | | | | FAILED: {why} |", flat(name));
            }
        }
    }
    for Shown { scene, outcome } in shown.iter().filter(|shown| shown.outcome.is_ok()) {
        let (title, about) = words(&scene.text);
        let name = flat(&scene.name);
        let _ = write!(text, "\n## {title} {{ #{name} }}\n\n");
        let _ = write!(
            text,
            "![{title}]({PICTURES}/{name}.png)\n\n`carom {} {}`. {about}\n",
            if outcome.as_ref().is_ok_and(|summary| summary.relax.is_some()) { "relax" } else { "run" },
            typed(&scene.name)
        );
    }
    text
}

fn row(name: &str, summary: &Summary) -> String {
    let contact = summary.contact.filter(|contact| contact.smallest_distance_m.is_finite());
    let (distance, depth) = contact.map_or_else(
        || ("–".to_owned(), "–".to_owned()),
        |contact| (format!("{:.2e} m", contact.smallest_distance_m), contact.deepest_layer.to_string()),
    );
    let judged = match (&summary.audit, &summary.relax) {
        _ if summary.fault.is_some() => "audited; it stops, as it must",
        (Some(_), _) => "audited",
        (None, Some(_)) => "at rest",
        (None, None) => "no contact",
    };
    let band = match summary.relax {
        Some(_) => "–".to_owned(),
        None => format!("{:.1e}", summary.energy.band),
    };
    format!(
        "| [{name}](#{}) | {:.1e} | {:.0} s | {:.0} s | {distance} | {depth} | {band} | {judged} |\n",
        flat(name),
        summary.evaluations.total as f64,
        summary.seconds.cpu,
        summary.seconds.wall,
    )
}

/// The title of a scene, and the remarks at its head as a paragraph.
fn words(text: &str) -> (String, String) {
    let title = text.lines().find_map(|line| line.strip_prefix("title = ")).unwrap_or("").trim_matches('"');
    let head =
        text.lines().take_while(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let about: Vec<&str> =
        head.filter(|line| !line.is_empty() && !["ci", "ci relax", "must stop"].contains(line)).collect();
    (title.to_owned(), about.join(" "))
}

/// What one types to run a scene: those in folders are not built into the program.
fn typed(name: &str) -> String {
    if name.contains('/') { format!("scenes/{name}.toml") } else { name.to_owned() }
}

/// A name without folders, for files and anchors.
fn flat(name: &str) -> String {
    name.replace('/', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_scene_is_what_the_page_says_of_it() {
        let text = "# A drum.\n# ci\n#\n# It rings\n# on.\n\nformat = 1\ntitle = \"Drum\"\n# not this\n";
        assert_eq!(words(text), ("Drum".to_owned(), "A drum. It rings on.".to_owned()));
    }
}
