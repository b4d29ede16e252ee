//! From a scene to what a method integrates.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_engine::{DcrOptions, JumpOf, MethodKind, Penetration, depth_needed, stability};
use carom_model::System;
use carom_scene::format::{DcrJump, DcrPenetration, Method, SceneFile};
use carom_scene::{Built, Loaded, SceneError, build};

/// Builds a scene and checks the steps that it gives; with the method that it asks for.
pub fn build_and_check(loaded: &Loaded) -> Result<(Built, MethodKind), SceneError> {
    let built = build(&loaded.scene, loaded.files.as_ref())?;
    let method = method_of(&loaded.scene.file, &built);
    refuse_unstable_steps(&built, method)?;
    Ok((built, method))
}

/// The system that a method integrates. `synchronous` needs the deepest layer: a trial run with separate clocks finds it, unless it
/// is stopped or ends in a Fault, as this run then will.
pub fn system_of(built: &Built, method: MethodKind, stop: &AtomicBool) -> Arc<System> {
    let system = Arc::new(built.system.clone());
    match method {
        MethodKind::Synchronous(None) if system.contact.is_some() => {
            let depth = depth_needed(&system, &built.state, built.end, stop).ok().flatten();
            MethodKind::Synchronous(depth).system(&system)
        }
        method => method.system(&system),
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
