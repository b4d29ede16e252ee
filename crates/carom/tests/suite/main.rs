//! Simulations, as a program holds them.

mod arrays;
mod latest;
mod records;
mod walk;
