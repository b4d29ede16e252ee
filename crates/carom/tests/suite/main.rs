//! Simulations, as a program holds them.

mod arrays;
mod front_page;
mod latest;
mod other_steps;
mod prescribed;
mod records;
mod tolerance;
mod walk;
