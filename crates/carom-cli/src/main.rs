//! The program `carom`: glue between the command line and the library.
fn main() {}
