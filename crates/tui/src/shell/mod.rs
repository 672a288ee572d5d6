//! The shell around the board: the terminal, the threads, the files.

mod files;
mod run;
mod screen;
#[cfg(unix)]
mod signals;
mod thinker;
mod wall;

pub use files::load;
pub(crate) use files::save;
pub use run::{Connection, Ended, RunError, Shell, run};
pub use thinker::{MakeAnalyst, Makers};
pub(crate) use wall::Wall;
