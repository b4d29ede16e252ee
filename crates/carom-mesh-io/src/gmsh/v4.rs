//! The sections of version 4.1.

use carom_math::Vec3;

use super::numbers::Numbers;
use super::{File, Kind};
use crate::{Fault, remedy};

/// The most physical groups an entity may be in; past this a file is taken for damaged.
const MOST_GROUPS: usize = 64;

/// Which physical groups each point, curve, surface and volume is in.
pub fn entities(numbers: &mut Numbers<'_>, file: &mut File) -> Result<(), Fault> {
    numbers.end_of_text();
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = numbers.size("the count of entities")?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            entity(numbers, file, dimension)?;
        }
    }
    Ok(())
}

fn entity(numbers: &mut Numbers<'_>, file: &mut File, dimension: i64) -> Result<(), Fault> {
    let tag = numbers.int("the number of an entity")?;
    // A point has a place, all else a box.
    for _ in 0..if dimension == 0 { 3 } else { 6 } {
        numbers.number("the place of an entity")?;
    }
    let groups = ints(numbers, "a physical group")?;
    if groups.len() > MOST_GROUPS {
        return Err(numbers.fault(format!("entity {tag} is in {} groups", groups.len()), remedy::DAMAGED));
    }
    if dimension > 0 {
        ints(numbers, "the boundary of an entity")?;
    }
    file.entities.insert((dimension, tag), groups);
    Ok(())
}

fn ints(numbers: &mut Numbers<'_>, what: &str) -> Result<Vec<i64>, Fault> {
    let mut values = Vec::new();
    for _ in 0..numbers.size(what)? {
        values.push(numbers.int(what)?);
    }
    Ok(values)
}

pub fn nodes(numbers: &mut Numbers<'_>, file: &mut File) -> Result<(), Fault> {
    numbers.end_of_text();
    let blocks = numbers.size("the count of blocks")?;
    let announced = numbers.size("the count of nodes")?;
    numbers.size("the lowest number of a node")?;
    numbers.size("the highest number of a node")?;
    for _ in 0..blocks {
        let dimension = numbers.int("a dimension")?;
        numbers.int("the number of an entity")?;
        let parametric = numbers.int("whether there are parameters")?;
        let count = numbers.size("the count of a block")?;
        let mut tags = Vec::new();
        for _ in 0..count {
            tags.push(numbers.size("the number of a node")?);
        }
        for tag in tags {
            let mut coordinate = || numbers.number("a coordinate");
            let place = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
            if parametric == 1 {
                for _ in 0..dimension.clamp(0, 3) {
                    coordinate()?;
                }
            }
            file.add_node(tag, place);
        }
    }
    if announced != file.mesh.positions.len() as u64 {
        let message = format!("{announced} nodes are announced, but there are {}", file.mesh.positions.len());
        return Err(numbers.fault(message, remedy::COUNTS));
    }
    Ok(())
}

pub fn elements(numbers: &mut Numbers<'_>, file: &mut File) -> Result<(), Fault> {
    numbers.end_of_text();
    let blocks = numbers.size("the count of blocks")?;
    let announced = numbers.size("the count of elements")?;
    numbers.size("the lowest number of an element")?;
    numbers.size("the highest number of an element")?;
    let mut read = 0;
    for _ in 0..blocks {
        let dimension = numbers.int("a dimension")?;
        let entity = numbers.int("the number of an entity")?;
        let kind = numbers.int("the type of an element")?;
        let kind = Kind::of(numbers, kind)?;
        let count = numbers.size("the count of a block")?;
        let groups = file.entities.get(&(dimension, entity)).cloned().unwrap_or_default();
        for _ in 0..count {
            numbers.size("the number of an element")?;
            let mut nodes = [0; 4];
            for node in &mut nodes[..kind.nodes()] {
                *node = numbers.size("a node of an element")?;
            }
            file.add_element(numbers, kind, &nodes[..kind.nodes()], &groups)?;
            read += 1;
        }
    }
    if announced != read {
        let message = format!("{announced} elements are announced, but there are {read}");
        return Err(numbers.fault(message, remedy::COUNTS));
    }
    Ok(())
}
