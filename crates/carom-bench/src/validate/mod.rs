//! Problems with a known answer: `carom-bench validate [PROBLEM…] [--quick] [--write FILE]`.
//!
//! Each problem is one file with its setting, formula and source in the header. It builds systems,
//! lets the fast engine move them, measures what a person with a stopwatch would, and hands back
//! [`Study`]s. The report is Markdown on the standard output, and in FILE if one is named; the
//! command fails if a judged value is outside its tolerance.
//!
//! **Never here:** an expected value that the program itself computed with the code under test.

mod ball;
mod bar_wall;
mod box_of_grains;
mod cantilever;
mod cantilever_modes;
mod capstan;
mod elastica;
mod gas;
mod haff;
mod heavy_elastica;
mod hertz;
mod lateral_buckling;
mod law;
mod pendulum;
mod pinched_cylinder;
mod plate;
mod report;
mod resting;
mod rig;
mod scordelis_lo;
mod settle;
mod shells;
mod signal;
mod stage;
mod sudden_load;
mod theatre;
mod tip_elastica;
mod twisted_ring;
mod two_bars;
mod wave_speed;

use std::process::ExitCode;
use std::time::Instant;

use report::Study;

/// How much time may be spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Coarse meshes with tolerances of their own: all problems within seconds.
    Quick,
    /// The meshes that the promises are made for.
    Full,
}

struct Problem {
    name: &'static str,
    studies: fn(Effort) -> Vec<Study>,
}

const PROBLEMS: [Problem; 20] = [
    Problem { name: "pendulum", studies: pendulum::studies },
    Problem { name: "wave-speed", studies: wave_speed::studies },
    Problem { name: "cantilever-modes", studies: cantilever_modes::studies },
    Problem { name: "sudden-load", studies: sudden_load::studies },
    Problem { name: "heavy-elastica", studies: heavy_elastica::studies },
    Problem { name: "tip-elastica", studies: tip_elastica::studies },
    Problem { name: "plate", studies: plate::studies },
    Problem { name: "bar-wall", studies: bar_wall::studies },
    Problem { name: "twisted-ring", studies: twisted_ring::studies },
    Problem { name: "two-bars", studies: two_bars::studies },
    Problem { name: "ball", studies: ball::studies },
    Problem { name: "rest", studies: resting::studies },
    Problem { name: "laws", studies: law::studies },
    Problem { name: "capstan", studies: capstan::studies },
    Problem { name: "hertz", studies: hertz::studies },
    Problem { name: "gas", studies: gas::studies },
    Problem { name: "haff", studies: haff::studies },
    Problem { name: "scordelis-lo", studies: scordelis_lo::studies },
    Problem { name: "pinched-cylinder", studies: pinched_cylinder::studies },
    Problem { name: "lateral-buckling", studies: lateral_buckling::studies },
];

/// What the command line asks for.
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
                name if PROBLEMS.iter().any(|p| p.name == name) => request.names.push(name.into()),
                other => {
                    let names = PROBLEMS.map(|p| p.name).join(", ");
                    return Err(format!(
                        "no such problem: {other}; there are {names}, --quick and --write FILE"
                    ));
                }
            }
        }
        Ok(request)
    }

    fn wants(&self, problem: &Problem) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| n == problem.name)
    }

    /// The command that makes the same report.
    fn command(&self) -> String {
        let mut words = vec!["cargo run --release -p carom-bench -- validate"];
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
    let mut studies = Vec::new();
    for problem in PROBLEMS.iter().filter(|p| request.wants(p)) {
        let started = Instant::now();
        studies.extend((problem.studies)(request.effort));
        eprintln!("{}: {:.1} s", problem.name, started.elapsed().as_secs_f64());
    }
    let text = report::markdown(&studies, &request.command());
    print!("{text}");
    if let Some(file) = &request.file
        && let Err(error) = std::fs::write(file, &text)
    {
        eprintln!("cannot write {file}: {error}");
        return ExitCode::from(2);
    }
    if studies.iter().all(Study::passed) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request, String> {
        Request::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_request_names_problems_effort_and_file() {
        let request = parse("plate --quick pendulum --write out.md").unwrap();
        assert_eq!(request.names, ["plate", "pendulum"]);
        assert_eq!((request.effort, request.file.as_deref()), (Effort::Quick, Some("out.md")));
        assert_eq!(
            request.command(),
            "cargo run --release -p carom-bench -- validate plate pendulum --quick"
        );
        let wanted = PROBLEMS.iter().filter(|p| request.wants(p)).count();
        assert_eq!(wanted, 2);
    }

    #[test]
    fn without_names_all_problems_are_wanted() {
        let request = parse("").unwrap();
        assert!(PROBLEMS.iter().all(|p| request.wants(p)));
    }

    #[test]
    fn an_unknown_problem_is_an_error_that_lists_the_known() {
        assert!(parse("plates").unwrap_err().contains("cantilever-modes"));
        assert!(parse("--write").unwrap_err().contains("file"));
    }
}
