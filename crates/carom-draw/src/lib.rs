//! Plots and pictures from numbers.
//!
//! | module | draws |
//! | --- | --- |
//! | [`plot`] | lines on axes, as SVG and PNG |
//! | [`picture`] | frames as a camera sees them, as PNG and animated PNG |
//! | [`words`] | numbers as people write them, on plots and beside them |
//! | [`xml`] | text as SVG, HTML and VTK files want it |
//!
//! What comes out is text or bytes: the same numbers give the same bytes on every machine.
//!
//! **Never here:** files; ledgers, tables and other tellers of a run; physics.

mod canvas;
pub mod picture;
pub mod plot;
mod raster;
mod svg;
pub mod words;
pub mod xml;
