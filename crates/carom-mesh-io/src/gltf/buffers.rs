//! The bytes behind a document, and the numbers in them.
//!
//! An accessor is a claim: so many elements of such a type, at such a distance, in such a view of
//! such a buffer. [`Buffers::layout`] proves it once; afterwards reading cannot fail.

use super::container::{data_uri, file_name};
use super::document::{Accessor, Document};
use crate::text::quoted;
use crate::{Companions, Fault, remedy};

/// The number of the first type of component.
const FIRST_TYPE: u32 = 5120;

/// The bytes of all buffers.
pub struct Buffers<'a> {
    data: Vec<Option<std::borrow::Cow<'a, [u8]>>>,
    /// An accessor without bytes is all zeros; it may claim no more of them than this.
    most_zeros: u64,
}

/// A proved accessor.
#[derive(Clone, Copy)]
pub struct Layout<'a> {
    /// Bytes of the accessor from its first element on; empty if all elements are zero.
    bytes: &'a [u8],
    stride: usize,
    component: Component,
    pub components: usize,
    pub count: usize,
    normalized: bool,
}

/// The types of numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(number: u32) -> Option<Self> {
        const KINDS: [Option<Component>; 7] = [
            Some(Component::I8),
            Some(Component::U8),
            Some(Component::I16),
            Some(Component::U16),
            None,
            Some(Component::U32),
            Some(Component::F32),
        ];
        *KINDS.get(number.checked_sub(FIRST_TYPE)? as usize)?
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }
}

impl<'a> Buffers<'a> {
    /// Finds the bytes of every buffer that names some.
    pub fn load(
        document: &Document,
        binary: Option<&'a [u8]>,
        json_length: usize,
        companions: &Companions<'_>,
    ) -> Result<Self, Fault> {
        let mut data = Vec::new();
        for (number, buffer) in document.buffers.iter().enumerate() {
            let bytes = match &buffer.uri {
                Some(uri) => Some(outside(uri, companions)?.into()),
                None if number == 0 => binary.map(Into::into),
                None => None,
            };
            let length = bytes.as_ref().map(|b: &std::borrow::Cow<'_, [u8]>| b.len() as u64);
            if let Some(length) = length.filter(|length| *length < buffer.byte_length) {
                let message =
                    format!("buffer {number} announces {} bytes, but there are {length}", buffer.byte_length);
                return Err(Fault::new(message, remedy::CUT));
            }
            data.push(bytes);
        }
        let loaded: usize = data.iter().flatten().map(|bytes| bytes.len()).sum();
        Ok(Self { data, most_zeros: (json_length + loaded) as u64 })
    }

    /// Proves every accessor of the document, used or not.
    pub fn check_all(&self, document: &Document) -> Result<(), Fault> {
        for (number, accessor) in document.accessors.iter().enumerate() {
            let in_accessor =
                |fault: Fault| Fault { message: format!("accessor {number}: {}", fault.message), ..fault };
            let layout = self.layout(document, accessor).map_err(in_accessor)?;
            self.patches(document, accessor, &layout).map_err(in_accessor)?;
            if layout.has_strange_number() {
                return Err(in_accessor(Fault::new("a number is infinite or not a number", remedy::FINITE)));
            }
        }
        Ok(())
    }

    /// All numbers of an accessor, one element after the other.
    pub fn numbers(&self, document: &Document, accessor: usize) -> Result<(Layout<'_>, Vec<f64>), Fault> {
        let Some(accessor) = document.accessors.get(accessor) else {
            return Err(Fault::new(format!("accessor {accessor} does not exist"), remedy::DAMAGED));
        };
        let layout = self.layout(document, accessor)?;
        let mut numbers = layout.to_vec();
        for (element, values) in self.patches(document, accessor, &layout)? {
            let start = element * layout.components;
            numbers[start..start + layout.components].copy_from_slice(&values);
        }
        Ok((layout, numbers))
    }

    fn layout(&self, document: &Document, accessor: &Accessor) -> Result<Layout<'_>, Fault> {
        let components = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" | "MAT2" => 4,
            "MAT3" => 9,
            "MAT4" => 16,
            other => return Err(Fault::new(format!("{} is no type", quoted(other)), remedy::DAMAGED)),
        };
        for bound in [&accessor.min, &accessor.max].into_iter().flatten() {
            if bound.len() != components {
                let message = format!("a bound has {} numbers, its elements {components}", bound.len());
                return Err(Fault::new(message, remedy::DAMAGED));
            }
        }
        if accessor.count == 0 {
            return Err(Fault::new("it has no elements", remedy::DAMAGED));
        }
        let component = component(accessor.component_type)?;
        let mut layout = Layout {
            bytes: &[],
            stride: 0,
            component,
            components,
            count: 0,
            normalized: accessor.normalized,
        };
        if let Some(view) = accessor.buffer_view {
            layout.lay(self, document, view, accessor.byte_offset, accessor.count)?;
        } else if accessor.count > self.most_zeros {
            let message = format!("{} elements are announced, but it has no bytes", accessor.count);
            return Err(Fault::new(message, remedy::DAMAGED));
        } else {
            layout.count = accessor.count as usize;
        }
        Ok(layout)
    }

    /// The elements that differ from the rest, with their values.
    fn patches(
        &self,
        document: &Document,
        accessor: &Accessor,
        base: &Layout<'_>,
    ) -> Result<Vec<(usize, Vec<f64>)>, Fault> {
        let Some(sparse) = &accessor.sparse else { return Ok(Vec::new()) };
        if sparse.count > base.count as u64 {
            let message = format!("{} elements of {} are replaced", sparse.count, base.count);
            return Err(Fault::new(message, remedy::DAMAGED));
        }
        let mut indices =
            Layout { component: component(sparse.indices.component_type)?, components: 1, ..*base };
        indices.lay(self, document, sparse.indices.buffer_view, sparse.indices.byte_offset, sparse.count)?;
        let mut values = *base;
        values.lay(self, document, sparse.values.buffer_view, sparse.values.byte_offset, sparse.count)?;
        if values.has_strange_number() {
            return Err(Fault::new("a number is infinite or not a number", remedy::FINITE));
        }
        let mut patches = Vec::new();
        for (patch, index) in indices.to_vec().into_iter().enumerate() {
            if index < 0.0 || index >= base.count as f64 || index.fract() != 0.0 {
                let message = format!("element {index} is replaced, but there are {}", base.count);
                return Err(Fault::new(message, remedy::INDICES));
            }
            patches.push((index as usize, values.element(patch)));
        }
        Ok(patches)
    }
}

/// The bytes that a URI names.
fn outside(uri: &str, companions: &Companions<'_>) -> Result<Vec<u8>, Fault> {
    if let Some(data) = data_uri(uri) {
        return data;
    }
    let missing = || {
        let message = format!("there is no file {}", quoted(uri));
        Fault::new(message, "put the buffer beside the .gltf file, or export a .glb file")
    };
    companions(&file_name(uri)).ok_or_else(missing)
}

fn component(number: u32) -> Result<Component, Fault> {
    Component::of(number)
        .ok_or_else(|| Fault::new(format!("{number} is no type of a component"), remedy::DAMAGED))
}

impl<'a> Layout<'a> {
    /// Lays `count` elements into a view, which must hold them.
    fn lay(
        &mut self,
        buffers: &'a Buffers<'_>,
        document: &Document,
        view: usize,
        offset: u64,
        count: u64,
    ) -> Result<(), Fault> {
        let Some((number, view)) = document.buffer_views.get(view).map(|v| (view, v)) else {
            return Err(Fault::new(format!("buffer view {view} does not exist"), remedy::DAMAGED));
        };
        let Some(Some(buffer)) = buffers.data.get(view.buffer) else {
            return Err(Fault::new(format!("buffer {} has no bytes", view.buffer), remedy::CUT));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        let Some(bytes) = end.and_then(|end| buffer.get(view.byte_offset as usize..end as usize)) else {
            let message = format!("buffer view {number} reaches past the end of its buffer");
            return Err(Fault::new(message, remedy::CUT));
        };
        let size = (self.component.size() * self.components) as u64;
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            let message = format!("elements of {size} bytes are {stride} bytes apart");
            return Err(Fault::new(message, remedy::DAMAGED));
        }
        let needed = count
            .checked_sub(1)
            .and_then(|steps| steps.checked_mul(stride)?.checked_add(size)?.checked_add(offset));
        if needed.is_some_and(|needed| needed > bytes.len() as u64) || (needed.is_none() && count > 0) {
            let message = format!("{count} elements reach past the end of buffer view {number}");
            return Err(Fault::new(message, remedy::CUT));
        }
        self.bytes = bytes.get(offset as usize..).unwrap_or_default();
        self.stride = stride as usize;
        self.count = count as usize;
        Ok(())
    }

    fn element(&self, element: usize) -> Vec<f64> {
        (0..self.components).map(|i| self.value(element, i)).collect()
    }

    fn to_vec(self) -> Vec<f64> {
        (0..self.count).flat_map(|e| (0..self.components).map(move |i| self.value(e, i))).collect()
    }

    fn has_strange_number(&self) -> bool {
        self.component == Component::F32
            && !self.bytes.is_empty()
            && (0..self.count).any(|e| (0..self.components).any(|i| !self.value(e, i).is_finite()))
    }

    fn value(&self, element: usize, component: usize) -> f64 {
        if self.bytes.is_empty() {
            return 0.0;
        }
        let at = element * self.stride + component * self.component.size();
        let b = &self.bytes[at..];
        let (value, full) = match self.component {
            Component::I8 => (f64::from(b[0].cast_signed()), 127.0),
            Component::U8 => (f64::from(b[0]), 255.0),
            Component::I16 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            Component::U16 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            Component::U32 => (f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            Component::F32 => (f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
        };
        if self.normalized { (value / full).max(-1.0) } else { value }
    }

    /// Whether the numbers may be positions: floats, three per element.
    pub fn holds_places(&self) -> bool {
        self.component == Component::F32 && self.components == 3
    }

    /// Whether the numbers may be indices of vertices: integers, not negative, one per element.
    pub fn holds_indices(&self) -> bool {
        matches!(self.component, Component::U8 | Component::U16 | Component::U32) && self.components == 1
    }
}
