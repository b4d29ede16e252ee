//! The benchmark suite: speed, baselines and targets.
//!
//! Every number is a ratio of two things measured alternately, or is shown beside its baseline. A target that is not met is reported, and
//! does not fail the command.

mod elements;
mod engine;
mod grains;
pub mod instructions;
mod kernels;
mod measure;
mod page;
mod peak;
mod peers;
mod program;
mod ratio;
mod scenes;
mod shells;
mod sphere_plate;
mod threads;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;

use page::Page;

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    Full,
    /// For a short trial: fewer rounds, smaller scenes.
    Quick,
}

impl Effort {
    fn rounds(self) -> usize {
        match self {
            Self::Full => 7,
            Self::Quick => 3,
        }
    }
}

/// A part: its name, and what measures it.
type Part = (&'static str, fn(Effort) -> Page);

/// Every part, in the order they are measured.
const PARTS: [Part; 9] = [
    ("kernels", kernels::page),
    ("instructions", instructions::page),
    ("elements", elements::page),
    ("ratio", ratio::page),
    ("threads", threads::page),
    ("views", views::page),
    ("scenes", scenes::page),
    ("peers", peers::page),
    ("grains", grains::page),
];

/// The command line, parsed.
struct Asked {
    parts: Vec<Part>,
    effort: Effort,
    /// Folder of the pages; without it none are written.
    folder: Option<PathBuf>,
    /// Date, machine and revision, as the pages give them.
    dated: String,
}

/// `carom-bench suite [PART…] [--quick] [--pages FOLDER --dated TEXT]`.
pub fn main(arguments: &[String]) -> ExitCode {
    let asked = match Asked::read(arguments) {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    for (name, measure) in &asked.parts {
        eprintln!("── {name}");
        let page = measure(asked.effort);
        let quick = if asked.effort == Effort::Quick { " --quick" } else { "" };
        let text = page.markdown(&format!("cargo xtask bench {name}{quick}"), &asked.dated);
        println!("{text}");
        if let Some(folder) = &asked.folder
            && let Err(why) = write(folder, name, &text, &page)
        {
            eprintln!("the page of {name} cannot be written: {why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn write(folder: &std::path::Path, name: &str, text: &str, page: &Page) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("plots"))?;
    std::fs::write(folder.join(format!("{name}.md")), text)?;
    for (plot_name, plot) in &page.plots {
        std::fs::write(folder.join(format!("plots/{plot_name}.svg")), plot.to_svg())?;
    }
    Ok(())
}

impl Asked {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut asked = Self {
            parts: Vec::new(),
            effort: Effort::Full,
            folder: None,
            dated: "at an unknown date".into(),
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--quick" => asked.effort = Effort::Quick,
                "--pages" => asked.folder = Some(value()?.into()),
                "--dated" => asked.dated.clone_from(value()?),
                name => {
                    let names = PARTS.map(|(name, _)| name).join("`, `");
                    let part = PARTS.into_iter().find(|(known, _)| *known == name);
                    asked.parts.push(part.ok_or(format!("no such part: {name}; there are `{names}`"))?);
                }
            }
        }
        if asked.parts.is_empty() {
            asked.parts = PARTS.to_vec();
        }
        Ok(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Asked, String> {
        Asked::read(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn without_names_all_parts_are_measured_and_with_one_that_alone() {
        assert_eq!(read(&["--quick"]).unwrap().parts.len(), PARTS.len());
        let one = read(&["kernels", "--pages", "docs"]).unwrap();
        assert_eq!((one.parts.len(), one.parts[0].0, one.folder), (1, "kernels", Some("docs".into())));
    }

    #[test]
    fn a_part_that_does_not_exist_is_named_with_those_that_do() {
        let why = read(&["kernel"]).err().unwrap();
        assert!(why.contains("kernel; there are `kernels`"), "{why}");
        assert!(read(&["--pages"]).is_err());
    }
}
