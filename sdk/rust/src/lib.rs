#![doc = include_str!("../README.md")]

mod bot;
pub mod cards;
mod client;
mod random;
mod session;
mod views;

pub use bot::{Bot, Choice};
pub use client::run;
pub use random::Random;
pub use v1::{Event, MatchResult, Observation, Substitution, TimeControl, Zone};
pub use views::{Table, Turn};

/// The messages of the protocol.
#[allow(clippy::all)]
pub mod v1 {
    tonic::include_proto!("cardpit.v1");
}
