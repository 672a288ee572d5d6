//! The server: games, analysis and storage over HTTP and WebSocket.
//!
//! [`Server::bind`] opens a listener, [`Server::run`] serves until it is stopped. [`openapi`]
//! documents the whole API.
//!
//! A live game is a room: one task that owns the game, its clocks and its connections. A move goes
//! from a socket to the room, from there to the store, and only when it is on disk to all players
//! and spectators. The engine runs on threads of its own, behind a queue that is fair to all users.

mod access;
mod account;
mod app;
mod assets;
mod boards;
mod bucket;
mod budget;
mod chance;
mod collections;
mod config;
mod connection;
mod extract;
mod guard;
mod guessable;
mod guest;
mod memory;
mod metrics;
mod next_moves;
mod openapi;
mod outage;
mod pool;
mod problem;
mod queue;
mod rating;
mod reviews;
mod room;
mod routes;
mod server;
mod slots;
mod talk;
mod task;
mod to_the_end;
mod upload;
mod views;
mod visitor;
mod wall;

pub use config::{CheckReport, Config, Mode, Public};
pub use openapi::openapi;
pub use server::{Server, ServerError};
