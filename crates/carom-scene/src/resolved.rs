//! The scene as it is run, all defaults written out: from it and its files a run can be repeated.

use crate::build::rows;
use crate::built::Built;
use crate::files::KeptFile;
use crate::format::{MeshFile, SceneFile};
use crate::scene::Scene;
use crate::whole::Whole;

impl Scene {
    /// The scene with overrides applied, defaults written out, and files under the names by which
    /// `built` keeps them.
    #[must_use]
    pub fn resolved_toml(&self, built: &Built) -> String {
        let mut file = self.file.clone();
        // The folder of a run calls its file `scene.toml`, whatever the scene was called.
        file.name = self.called();
        file.small.clear();
        file.output.rows = Some(Whole::nowhere(rows(&file)));
        rename_files(&mut file, &built.files);
        let text = toml::to_string(&file).expect("a scene that was read can be written");
        format!("# {}, with every default written out.\n\n{text}", self.name().replace(['\n', '\r'], " "))
    }
}

fn rename_files(file: &mut SceneFile, kept: &[KeptFile]) {
    let path = |name: &str| kept.iter().find(|k| k.named.as_deref() == Some(name)).map(|k| k.path.clone());
    let rename = |name: &mut crate::At<String>| {
        if let Some(path) = path(name) {
            *name.value_mut() = path;
        }
    };
    if let Some(from) = &mut file.from {
        rename(&mut from.value_mut().file);
    }
    let rename_mesh = |mesh: &mut MeshFile| rename(&mut mesh.file);
    for body in &mut file.bodies {
        let body = body.value_mut();
        body.shape.value_mut().kind_mut().files().into_iter().for_each(rename);
        if let Some(start) = &mut body.start {
            let start = start.value_mut();
            start.mesh.iter_mut().for_each(rename_mesh);
            start.table.iter_mut().for_each(|table| rename(&mut table.file));
        }
    }
    for drive in &mut file.drives {
        for key in drive.value_mut().keys.value_mut() {
            key.value_mut().mesh.iter_mut().for_each(rename_mesh);
        }
    }
}
