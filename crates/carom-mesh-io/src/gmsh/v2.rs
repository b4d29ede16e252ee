//! The sections of version 2.2.

use carom_math::Vec3;

use super::numbers::Numbers;
use super::{File, Kind};
use crate::{Fault, remedy};

pub fn nodes(numbers: &mut Numbers<'_>, file: &mut File) -> Result<(), Fault> {
    let count = numbers.cursor.count("the count of nodes")?;
    numbers.end_of_text();
    for _ in 0..count {
        let tag = numbers.int("the number of a node")?;
        let tag = numbers.tag(tag)?;
        let mut coordinate = || numbers.number("a coordinate");
        let place = Vec3::new(coordinate()?, coordinate()?, coordinate()?);
        file.add_node(tag, place);
    }
    Ok(())
}

/// Text gives each element its kind; raw bytes give it once for many.
pub fn elements(numbers: &mut Numbers<'_>, file: &mut File) -> Result<(), Fault> {
    let count = numbers.cursor.count("the count of elements")?;
    numbers.end_of_text();
    let mut read = 0;
    while read < count {
        if numbers.is_text() {
            numbers.int("the number of an element")?;
        }
        let kind = numbers.int("the type of an element")?;
        let kind = Kind::of(numbers, kind)?;
        let alike = if numbers.is_text() { 1 } else { numbers.int("the count of a block")? };
        let tags = numbers.int("the count of tags")?;
        if alike < 1 || !(0..=1024).contains(&tags) {
            return Err(numbers.fault(format!("{alike} elements with {tags} tags each"), remedy::DAMAGED));
        }
        for _ in 0..alike {
            if !numbers.is_text() {
                numbers.int("the number of an element")?;
            }
            element(numbers, file, kind, tags)?;
            read += 1;
        }
    }
    Ok(())
}

fn element(numbers: &mut Numbers<'_>, file: &mut File, kind: Kind, tags: i64) -> Result<(), Fault> {
    // The first tag is the physical group; 0 is none.
    let mut group = None;
    for tag in 0..tags {
        let value = numbers.int("a tag")?;
        if tag == 0 && value != 0 {
            group = Some(value);
        }
    }
    let mut nodes = [0; 4];
    for node in &mut nodes[..kind.nodes()] {
        let tag = numbers.int("a node of an element")?;
        *node = numbers.tag(tag)?;
    }
    file.add_element(numbers, kind, &nodes[..kind.nodes()], group.as_slice())
}
