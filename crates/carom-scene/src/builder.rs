//! Scenes made by a program: the keys of a scene file, and meshes given as arrays.
//!
//! A [`SceneBuilder`] writes the text that a person would have written, and the files beside it, all in memory; [`SceneBuilder::load`] reads
//! them as any scene is read. So the checks, the choice of steps and of contact, the messages and the bits are those of a scene file, and
//! the folder of a run keeps everything needed to repeat it.

use core::fmt::Write;
use std::collections::BTreeMap;
use std::sync::Arc;

use carom_geometry::Mesh;
use carom_math::Vec3;
use serde::Serialize;
use toml::{Table, Value};

use crate::files::InMemory;
use crate::gallery::Loaded;
use crate::report::{Problem, SceneError};
use crate::scene::Scene;
use crate::source::Source;

/// A scene in the making.
///
/// ```
/// use carom_geometry::Mesh;
/// use carom_math::Vec3;
/// use carom_scene::SceneBuilder;
///
/// let triangle = Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles: vec![[0, 1, 2]], ..Mesh::default() };
/// let mut scene = SceneBuilder::new("sail");
/// scene.set("time.end", 0.1).set("gravity.acceleration", [0.0, 0.0, -9.81]);
/// let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)];
/// scene.body("sail", &triangle).set_all("material.shell", &rubber);
/// scene.add("pin").set("body", "sail").set("select.indices", [0, 1]);
/// assert_eq!(scene.load().unwrap().scene.file.bodies.len(), 1);
///
/// scene.set("time.end", -1.0);
/// assert!(scene.load().is_err());
/// ```
#[derive(Clone, Debug)]
pub struct SceneBuilder {
    name: String,
    keys: Table,
    files: BTreeMap<String, Vec<u8>>,
    problems: Vec<Problem>,
}

impl SceneBuilder {
    /// A scene without bodies; `name` is what messages and folders call it.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let mut builder =
            Self { name: name.to_owned(), keys: Table::new(), files: BTreeMap::new(), problems: Vec::new() };
        builder.set("format", 1).set("name", name);
        builder
    }

    /// Sets a key of the scene, its parts joined by dots: `contact.friction`. The value is a number, a text, a list, a table, or anything
    /// else that can be written as TOML. What is wrong with it is said when the scene is loaded.
    pub fn set(&mut self, key: &str, value: impl Serialize) -> &mut Self {
        self.problems.extend(put(&mut self.keys, key, value).err());
        self
    }

    /// Adds an item to a list of the scene: `body`, `pin`, `drive`, `load`, `spring`, `pair`, `selection`, `part` or `probe`.
    pub fn add(&mut self, list: &str) -> Item<'_> {
        let items = self.keys.entry(list).or_insert_with(|| Value::Array(Vec::new()));
        if !items.is_array() {
            *items = Value::Array(Vec::new());
        }
        let items = items.as_array_mut().expect("it was just made one");
        items.push(Value::Table(Table::new()));
        let keys = items.last_mut().and_then(Value::as_table_mut).expect("it was just added");
        Item { keys, files: &mut self.files, problems: &mut self.problems }
    }

    /// Adds a body of this rest shape, in m: a shell, a rod or a solid by the material that is then set, or an obstacle.
    pub fn body(&mut self, name: &str, shape: &Mesh) -> Item<'_> {
        let file = self.file(name, "msh", carom_mesh_io::to_gmsh(shape));
        self.add("body").set("name", name).set("shape.mesh.file", file)
    }

    /// Adds a body of grains with these centres and radii, in m.
    ///
    /// # Panics
    /// If the two differ in length.
    pub fn grains(&mut self, name: &str, centres: &[Vec3], radii: &[f64]) -> Item<'_> {
        assert_eq!(centres.len(), radii.len(), "every grain has a centre and a radius");
        let lines = centres.iter().zip(radii).map(|(x, radius)| [x.x, x.y, x.z, *radius]);
        let file = self.file(name, "txt", table(lines));
        self.add("body").set("name", name).set("shape.grains.table.file", file)
    }

    /// The text of the scene.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string(&self.keys).expect("what was put in is TOML")
    }

    /// Reads the scene, as if it stood in a file.
    pub fn load(&self) -> Result<Loaded, SceneError> {
        let text = self.to_toml();
        if !self.problems.is_empty() {
            let source = Arc::new(Source::new(&self.name, &text));
            return Err(SceneError::new(&source, self.problems.clone()));
        }
        let scene = Scene::parse(&self.name, &text)?;
        let name = scene.called();
        Ok(Loaded { scene, files: Arc::new(InMemory(self.files.clone())), name })
    }

    /// Keeps a file; returns the name by which the scene finds it.
    fn file(&mut self, body: &str, extension: &str, bytes: Vec<u8>) -> String {
        keep(&mut self.files, body, extension, bytes)
    }
}

/// An item of a list of a scene, such as a body or a pin.
#[derive(Debug)]
pub struct Item<'b> {
    keys: &'b mut Table,
    files: &'b mut BTreeMap<String, Vec<u8>>,
    problems: &'b mut Vec<Problem>,
}

impl Item<'_> {
    /// Sets a key of the item, as [`SceneBuilder::set`] does: `material.shell.young`.
    #[expect(clippy::return_self_not_must_use, reason = "the item is in the scene already")]
    pub fn set(self, key: &str, value: impl Serialize) -> Self {
        self.problems.extend(put(self.keys, key, value).err());
        self
    }

    /// Sets several numbers of a table: `material.shell` with its `thickness`, `young`, `poisson` and `density`.
    #[expect(clippy::return_self_not_must_use, reason = "the item is in the scene already")]
    pub fn set_all(self, table: &str, numbers: &[(&str, f64)]) -> Self {
        numbers.iter().fold(self, |item, (key, number)| item.set(&format!("{table}.{key}"), number))
    }

    /// Lets a body start with its vertices at these positions, in m, moving at these velocities, in m/s. The rest shape stays as it is.
    ///
    /// # Panics
    /// If the two differ in length.
    #[expect(clippy::return_self_not_must_use, reason = "the item is in the scene already")]
    pub fn start(self, positions: &[Vec3], velocities: &[Vec3]) -> Self {
        assert_eq!(positions.len(), velocities.len(), "every vertex has a position and a velocity");
        let lines = positions.iter().zip(velocities).map(|(x, v)| [x.x, x.y, x.z, v.x, v.y, v.z]);
        let name = self.keys.get("name").and_then(Value::as_str).unwrap_or("body").to_owned();
        let file = keep(self.files, &name, "txt", table(lines));
        self.set("start.table.file", file)
    }
}

/// Puts a file among others, under a name that no other has.
fn keep(files: &mut BTreeMap<String, Vec<u8>>, body: &str, extension: &str, bytes: Vec<u8>) -> String {
    let plain: String = body.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let name = format!("{}-{plain}.{extension}", files.len());
    files.insert(name.clone(), bytes);
    name
}

/// Numbers as text, a line for each row, of which every bit comes back.
fn table<const N: usize>(rows: impl Iterator<Item = [f64; N]>) -> Vec<u8> {
    let mut text = String::new();
    for row in rows {
        let words = row.map(|number| number.to_string());
        writeln!(text, "{}", words.join(" ")).expect("memory does not refuse text");
    }
    text.into_bytes()
}

/// Sets a key, whose parts are joined by dots.
fn put(keys: &mut Table, key: &str, value: impl Serialize) -> Result<(), Problem> {
    let value = Value::try_from(value)
        .map_err(|error| Problem::nowhere(format!("`{key}` cannot be written as TOML: {error}")))?;
    let (tables, last) = key.rsplit_once('.').map_or((None, key), |(tables, last)| (Some(tables), last));
    let mut here = keys;
    for part in tables.iter().flat_map(|tables| tables.split('.')) {
        let next = here.entry(part).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(table) = next else {
            let message = format!("`{key}` cannot be set: `{part}` is a value, not a table");
            return Err(Problem::nowhere(message).help("set the keys of a table, or its value, not both"));
        };
        here = table;
    }
    here.insert(last.to_owned(), value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Folder, build};

    fn sheet() -> Mesh {
        carom_geometry::shapes::grid_right(1.0, 1.0, [3, 3]).unwrap()
    }

    fn scene() -> SceneBuilder {
        let mut scene = SceneBuilder::new("fall");
        scene.set("time.end", 0.1).set("gravity.acceleration", [0.0, 0.0, -9.81]);
        let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1e3)];
        scene.body("sheet", &sheet()).set_all("material.shell", &rubber).set("velocity", [0.1, 0.0, 0.3]);
        scene
    }

    #[test]
    fn a_scene_made_by_a_program_is_the_scene_its_text_says() {
        let loaded = scene().load().unwrap();
        let built = build(&loaded.scene, loaded.files.as_ref()).unwrap();
        let text = r#"
            format = 1
            time.end = 0.1
            gravity.acceleration = [0, 0, -9.81]
            [[body]]
            name = "sheet"
            shape.grid = { size = [1, 1], cells = [3, 3], pattern = "right" }
            material.shell = { thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1e3 }
            velocity = [0.1, 0, 0.3]
        "#;
        let written = build(&Scene::parse("fall.toml", text).unwrap(), &Folder(".".into())).unwrap();
        assert_eq!(built.state.fingerprint(), written.state.fingerprint());
        assert_eq!(built.system.spans(), written.system.spans());
    }

    #[test]
    fn positions_and_velocities_come_back_bit_by_bit() {
        let mesh = sheet();
        let awkward = |i: usize| Vec3::new(0.1 + i as f64, -1e-300, 1.0 / (3.0 + i as f64));
        let velocities: Vec<Vec3> = (0..mesh.positions.len()).map(awkward).collect();
        let mut scene = scene();
        scene.body("second", &mesh).set("material.points.mass", 0.1).start(&mesh.positions, &velocities);
        let loaded = scene.load().unwrap();
        let built = build(&loaded.scene, loaded.files.as_ref()).unwrap();
        let bits = |v: &Vec3| v.to_array().map(f64::to_bits);
        let n = mesh.positions.len();
        let found: Vec<_> = built.state.velocities[n..].iter().map(bits).collect();
        assert_eq!(found, velocities.iter().map(bits).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_key() {
        let mut wrong = scene();
        wrong.add("pin").set("body", "shet").set("select.all", true);
        let said = wrong.load().err().unwrap().to_string();
        assert!(said.contains("shet") && said.contains("did you mean \"sheet\""), "{said}");

        let mut wrong = scene();
        wrong.set("time.end.seconds", 1.0);
        let said = wrong.load().err().unwrap().to_string();
        assert!(said.contains("`time.end.seconds` cannot be set: `end` is a value"), "{said}");
    }
}
