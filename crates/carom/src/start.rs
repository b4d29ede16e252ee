//! From a scene to what a method integrates.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_engine::{DcrOptions, JumpOf, MethodKind, Penetration, depth_needed, stability};
use carom_model::{Fault, System};
#[cfg(feature = "jobs")]
use carom_scene::build_to_relax;
use carom_scene::format::{DcrJump, DcrPenetration, Method, SceneFile};
use carom_scene::{Built, Loaded, SceneError, build};

/// Builds a scene and checks the steps that it gives; with the method that it asks for.
pub fn build_and_check(loaded: &Loaded) -> Result<(Built, MethodKind), SceneError> {
    with_method(loaded, build(&loaded.scene, loaded.files.as_ref())?)
}

/// The same to find where a scene rests: what is led may cross later on.
#[cfg(feature = "jobs")]
pub fn build_and_check_to_relax(loaded: &Loaded) -> Result<(Built, MethodKind), SceneError> {
    with_method(loaded, build_to_relax(&loaded.scene, loaded.files.as_ref())?)
}

fn with_method(loaded: &Loaded, built: Built) -> Result<(Built, MethodKind), SceneError> {
    let method = method_of(&loaded.scene.file, &built);
    refuse_unstable_steps(&built, method)?;
    Ok((built, method))
}

/// The system that a method integrates, and the Fault of the trial run that `synchronous` needs, if that had one: a run with separate
/// clocks finds how deep layers must go. Without an answer they go as deep as the shortest elastic step does.
pub fn system_of(built: &Built, method: MethodKind, stop: &AtomicBool) -> (Arc<System>, Option<Fault>) {
    let system = Arc::new(built.system.clone());
    match method {
        MethodKind::Synchronous(None) if system.contact.is_some() => {
            let (depth, fault) = match depth_needed(&system, &built.state, built.schedule.end, stop) {
                Ok(depth) => (depth, None),
                Err(fault) => (None, Some(fault)),
            };
            (MethodKind::Synchronous(depth).system(&system), fault)
        }
        method => (method.system(&system), None),
    }
}

/// The method of the scene.
fn method_of(file: &SceneFile, built: &Built) -> MethodKind {
    match file.method {
        Method::Carom => MethodKind::Carom,
        Method::Reference => MethodKind::Reference,
        Method::Synchronous => MethodKind::Synchronous(None),
        Method::Dcr => MethodKind::Dcr(DcrOptions {
            step: built.dcr_step,
            restitution: file.dcr.restitution.get(),
            friction: file.dcr.friction.get(),
            penetration: match file.dcr.penetration {
                DcrPenetration::Nearest => Penetration::Nearest,
                DcrPenetration::Intersection => Penetration::Intersection,
            },
            jump: match file.dcr.jump {
                DcrJump::Corrected => JumpOf::Corrected,
                DcrJump::Predicted => JumpOf::Predicted,
            },
        }),
    }
}

/// Steps that the program chose are stable by their elements' limits; those the user gave are measured.
fn refuse_unstable_steps(built: &Built, method: MethodKind) -> Result<(), SceneError> {
    let on_its_clock = |options| MethodKind::Dcr(options).system(&Arc::new(built.system.clone()));
    let system = match method {
        MethodKind::Dcr(options) => &on_its_clock(options),
        _ => &built.system,
    };
    let x = &built.state.positions;
    if built.given_steps.is_empty() || built.given_steps.forced || stability::bound(system, x) < 1.0 {
        return Ok(());
    }
    match stability::measure(system, x) {
        Some(measured) if measured.sigma >= 1.0 => Err(built.given_steps.refuse(measured.sigma)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{InMemory, Scene};

    #[test]
    fn the_fault_of_a_trial_run_is_told() {
        let text = |end_s: f64| {
            let plate = |name: &str, z: f64| {
                format!(
                    "[[body]]\nname = \"{name}\"\nobstacle = true\nposition = [0.0, 0.0, {z}]\n\
                     shape.grid = {{ size = [2.0, 2.0], cells = [1, 1], pattern = \"right\" }}\n"
                )
            };
            let (floor, press) = (plate("floor", -0.0125), plate("press", 0.0125));
            format!(
                "format = 1\nmethod = \"synchronous\"\ntime.end = {end_s}\ncontact = {{ thickness = 0.002, max_layers = 3 }}\n\
                 [[body]]\nname = \"point\"\nshape.points = {{ positions = [[0.5, 0.25, 0.0]] }}\n\
                 material.points = {{ mass = 0.01 }}\ncontact = {{ radius = 0.01 }}\n\
                 {floor}{press}velocity = [0.0, 0.0, -0.5]\n"
            )
        };
        let fault = |end_s: f64| {
            let scene = Scene::parse("press.toml", &text(end_s)).unwrap();
            let built = build(&scene, &InMemory::default()).unwrap();
            system_of(&built, MethodKind::Synchronous(None), &AtomicBool::new(false)).1
        };
        assert_eq!(fault(0.001), None);
        assert!(matches!(fault(0.04), Some(Fault::Squeezed { .. })));
    }
}
