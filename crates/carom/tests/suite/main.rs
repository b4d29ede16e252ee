//! Simulations, as a program holds them.

mod arrays;
mod front_page;
mod latest;
mod prescribed;
mod records;
mod walk;
