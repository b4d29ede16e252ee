//! Pictures: bodies that exist, valid angles.

use super::{body_names, check_reference};
use crate::format::SceneFile;
use crate::report::Problem;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    let Some(picture) = &file.picture else { return };
    let bodies = body_names(file);
    for name in [&picture.see_through, &picture.solid, &picture.hide].into_iter().flatten() {
        check_reference("body", name, &bodies, problems);
    }
    if let Some(elevation) = picture.view.as_ref().map(|view| &view[1]).filter(|e| e.get().abs() > 90.0) {
        let message = format!("nobody looks from {} degrees above the horizon", elevation.get());
        problems.push(Problem::new(&elevation.span(), message).help("from -90, below, to 90, above"));
    }
}
