//! Simulations, as a program holds them.

mod arrays;
mod latest;
mod prescribed;
mod walk;
