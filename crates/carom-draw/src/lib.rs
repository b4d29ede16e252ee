//! Plots and pictures from numbers.
//!
//! | module | draws |
//! | --- | --- |
//! | [`plot`] | lines on axes, as SVG and PNG |
//! | [`picture`] | frames rendered by a camera, as PNG and animated PNG |
//! | [`words`] | numbers formatted for readers, on plots and beside them |
//! | [`xml`] | text escaped for SVG, HTML and VTK files |
//!
//! What comes out is text or bytes: the same numbers give the same bytes on every machine.
//!
//! **Never here:** files; ledgers, tables and other results of a run; physics.

mod canvas;
pub mod picture;
pub mod plot;
mod raster;
mod svg;
pub mod words;
pub mod xml;
