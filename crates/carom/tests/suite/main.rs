//! Simulations, as a program holds them.

mod arrays;
mod front_page;
mod latest;
mod walk;
