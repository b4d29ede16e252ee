//! Problems with a known answer: `carom-bench validate [PROBLEM…] [--quick] [--write FILE]`.
//!
//! Each problem is one file with its setting, formula and source in the header. It builds systems,
//! lets the fast engine move them, measures quantities that an experiment would, and returns [`Study`]s. The chapter is Markdown on the
//! standard output, and in FILE if one is named, with its plots beside it; the
//! command fails if a judged value is outside its tolerance. `cargo xtask test` solves all of them with `--quick`.
//!
//! **Never here:** an expected value that the program itself computed with the code under test.

mod ball;
mod bar_wall;
mod bouncing_ball;
mod box_of_grains;
mod cantilever;
mod cantilever_modes;
mod capstan;
mod chapter;
mod contact_problem;
mod elastica;
mod friction;
mod galperin;
mod gas;
mod haff;
mod heavy_elastica;
mod hertz;
mod lateral_buckling;
mod lateral_strip;
mod newton_cradle;
mod pendulum;
mod pinched_cylinder;
mod plate;
mod plots;
mod recording;
mod report;
mod resting;
mod restitution;
mod scene_run;
mod scordelis_lo;
mod settle;
mod shells;
mod signal;
mod stiffness;
mod sudden_load;
mod tip_elastica;
mod twisted_ring;
mod two_bars;
mod wave_speed;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use chapter::Outcome;
use report::Study;

use crate::workers;

/// How much time may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Coarse meshes with tolerances of their own: all problems within seconds.
    Quick,
    /// The meshes that the promises are made for.
    Full,
}

struct Problem {
    id: &'static str,
    what: &'static str,
    studies: fn(Effort) -> Vec<Study>,
}

/// The problems of the list, in its order, with answers from the literature.
const LISTED: [Problem; 22] = [
    Problem { id: "rod-wall", what: "an elastic bar hits a rigid wall", studies: bar_wall::studies },
    Problem { id: "rods-equal", what: "two equal bars meet head on", studies: two_bars::studies },
    Problem {
        id: "cantilever-modes",
        what: "frequencies of a clamped rod",
        studies: cantilever_modes::studies,
    },
    Problem {
        id: "heavy-elastica",
        what: "a clamped rod under its own weight",
        studies: heavy_elastica::studies,
    },
    Problem {
        id: "elastica-tip",
        what: "a clamped rod with a weight at its tip",
        studies: tip_elastica::studies,
    },
    Problem { id: "plate-SSSS-CFFF", what: "frequencies of a square plate", studies: plate::studies },
    Problem { id: "scordelis-lo", what: "a roof sags under its weight", studies: scordelis_lo::studies },
    Problem {
        id: "pinched-cylinder",
        what: "a cylinder on diaphragms is pinched",
        studies: pinched_cylinder::studies,
    },
    Problem {
        id: "lateral-buckling-plate",
        what: "a plate on edge gives way sideways",
        studies: lateral_buckling::studies,
    },
    Problem {
        id: "lateral-buckling-weight",
        what: "a narrow strip on edge gives way sideways",
        studies: lateral_strip::studies,
    },
    Problem { id: "hertz-1", what: "two glass spheres by the law of Hertz", studies: hertz::studies },
    Problem {
        id: "restitution",
        what: "a sphere leaves a wall with its share of speed",
        studies: restitution::studies,
    },
    Problem { id: "hard-sphere-eos", what: "pressure of a gas of hard spheres", studies: gas::studies },
    Problem { id: "haff", what: "a gas of inelastic spheres cools", studies: haff::studies },
    Problem { id: "bouncing-ball", what: "a ball bounces on a plane", studies: bouncing_ball::studies },
    Problem { id: "galperin", what: "two blocks and a wall", studies: galperin::studies },
    Problem { id: "newton-cradle", what: "one ball comes, one leaves", studies: newton_cradle::studies },
    Problem { id: "incline", what: "a block on a slope", studies: friction::incline },
    Problem { id: "stop-distance", what: "a sliding block stops", studies: friction::stop },
    Problem { id: "capstan", what: "a rope round a post", studies: capstan::studies },
    Problem { id: "pendulum", what: "period at large amplitudes", studies: pendulum::studies },
    Problem { id: "wave-speed", what: "how fast a pulse travels", studies: wave_speed::studies },
];

/// Problems beside the list.
const FURTHER: [Problem; 5] = [
    Problem { id: "sudden-load", what: "a clamped rod under a sudden force", studies: sudden_load::studies },
    Problem { id: "twisted-ring", what: "a ring of wire with twist", studies: twisted_ring::studies },
    Problem { id: "ball-plate", what: "a shell ball hits a plate", studies: ball::studies },
    Problem { id: "rest", what: "what lies on something stays there", studies: resting::studies },
    Problem { id: "rolling", what: "a sliding sphere begins to roll", studies: friction::roll },
];

fn problems() -> impl Iterator<Item = &'static Problem> {
    LISTED.iter().chain(&FURTHER)
}

/// The command line, parsed.
#[derive(Debug, PartialEq)]
struct Request {
    names: Vec<String>,
    effort: Effort,
    file: Option<String>,
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut request = Self { names: Vec::new(), effort: Effort::Full, file: None };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => request.effort = Effort::Quick,
                "--write" => {
                    let file = arguments.next().ok_or("--write needs the name of a file")?;
                    request.file = Some(file.clone());
                }
                name if problems().any(|p| p.id == name) => request.names.push(name.into()),
                other => {
                    let names = problems().map(|p| p.id).collect::<Vec<_>>().join(", ");
                    return Err(format!(
                        "no such problem: {other}; there are {names}, --quick and --write FILE"
                    ));
                }
            }
        }
        Ok(request)
    }

    fn wants(&self, problem: &Problem) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| n == problem.id)
    }

    /// The command that makes the same chapter.
    fn command(&self) -> String {
        let mut words = vec!["cargo xtask validate"];
        words.extend(self.names.iter().map(String::as_str));
        if self.effort == Effort::Quick {
            words.push("--quick");
        }
        words.join(" ")
    }
}

/// Solves the problems named in `arguments`, or all.
pub fn main(arguments: &[String]) -> ExitCode {
    let request = match Request::parse(arguments) {
        Ok(request) => request,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<&Problem> = problems().filter(|p| request.wants(p)).collect();
    let outcomes = solve_all(&wanted, request.effort);
    let text = chapter::markdown(&outcomes, &request.command());
    print!("{text}");
    if let Some(file) = &request.file
        && let Err(error) = write(Path::new(file), &text, &outcomes)
    {
        eprintln!("cannot write {file} and its plots: {error}");
        return ExitCode::from(2);
    }
    let missed: Vec<&str> = outcomes.iter().filter(|o| !o.passed()).map(|o| o.id).collect();
    if missed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("outside of tolerance: {}", missed.join(", "));
    ExitCode::FAILURE
}

/// Solves problems side by side, one to a core; what they showed, in their order.
fn solve_all(wanted: &[&Problem], effort: Effort) -> Vec<Outcome> {
    workers::at_once(wanted.to_vec(), workers::cores(), |problem| problem.solve(effort))
}

impl Problem {
    fn solve(&self, effort: Effort) -> Outcome {
        let started = Instant::now();
        let studies = (self.studies)(effort);
        eprintln!("{}: {:.1} s", self.id, started.elapsed().as_secs_f64());
        let plot = plots::convergence(self.id, &studies);
        let is_listed = LISTED.iter().any(|p| p.id == self.id);
        Outcome { id: self.id, what: self.what, is_listed, studies, plot }
    }
}

/// Writes the chapter, and its plots beside it.
fn write(file: &Path, text: &str, outcomes: &[Outcome]) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::write(file, text)?;
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder.join("plots"))?;
    for outcome in outcomes {
        if let Some(plot) = &outcome.plot {
            carom_output::write_file(&folder.join(outcome.plot_file()), plot.to_svg().as_bytes())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        Request::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_request_names_problems_effort_and_file() {
        let request = parse("capstan --quick pendulum --write out.md").unwrap();
        assert_eq!(request.names, ["capstan", "pendulum"]);
        assert_eq!((request.effort, request.file.as_deref()), (Effort::Quick, Some("out.md")));
        assert_eq!(request.command(), "cargo xtask validate capstan pendulum --quick");
        let wanted = problems().filter(|p| request.wants(p)).count();
        assert_eq!(wanted, 2);
    }

    #[test]
    fn without_names_all_problems_are_wanted() {
        let request = parse("").unwrap();
        assert!(problems().all(|p| request.wants(p)));
    }

    #[test]
    fn problems_solved_side_by_side_keep_their_order() {
        let find = |id: &str| problems().find(|p| p.id == id).unwrap();
        let wanted = ["stop-distance", "newton-cradle", "hertz-1", "restitution"].map(find);
        let outcomes = solve_all(&wanted, Effort::Quick);
        assert_eq!(outcomes.iter().map(|o| o.id).collect::<Vec<_>>(), wanted.map(|p| p.id));
        assert!(outcomes.iter().all(Outcome::passed));
    }

    #[test]
    fn every_problem_has_a_name_of_its_own() {
        let mut names: Vec<&str> = problems().map(|p| p.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), LISTED.len() + FURTHER.len());
    }

    /// The test reads the folder with external data, named by `CAROM_DATA`.
    #[test]
    fn the_list_is_that_of_the_notes_where_they_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let data = std::env::var_os("CAROM_DATA").map_or_else(|| root.join("../shared/data"), Into::into);
        let Ok(text) = std::fs::read_to_string(data.join("physics.json")) else {
            // Not `eprintln!`, which a test that passes keeps to itself.
            let _ = writeln!(
                std::io::stderr(),
                "skipped: no physics.json in {}; CAROM_DATA names the folder",
                data.display()
            );
            return;
        };
        let named = text.lines().filter_map(|line| line.trim().strip_prefix("\"id\": \""));
        let ids: Vec<&str> = named.map(|rest| rest.trim_end_matches(['"', ','])).collect();
        assert_eq!(ids, LISTED.map(|p| p.id));
    }

    #[test]
    fn a_chapter_is_written_with_its_plots_beside_it() {
        let folder = std::env::temp_dir().join(format!("carom-validate-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let cradle = LISTED.iter().find(|p| p.id == "newton-cradle").unwrap();
        let outcomes = [cradle.solve(Effort::Full)];
        write(&folder.join("results.md"), "text", &outcomes).unwrap();
        let svg = std::fs::read_to_string(folder.join(outcomes[0].plot_file())).unwrap();
        assert!(svg.contains("ball 5") && svg.contains("second order"));
        assert_eq!(std::fs::read_to_string(folder.join("results.md")).unwrap(), "text");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn an_unknown_problem_is_an_error_that_lists_the_known() {
        assert!(parse("plates").unwrap_err().contains("cantilever-modes"));
        assert!(parse("--write").unwrap_err().contains("file"));
    }
}
