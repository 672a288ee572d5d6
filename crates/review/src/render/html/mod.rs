//! Reports as one web page: no scripts, no requests, nothing but the file.

mod arithmetic;
mod board;
mod cards;
mod course;
mod moves;
mod page;
mod text;

pub use page::Page;
