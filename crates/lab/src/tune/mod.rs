//! Tuning: finds the weights of the hand-written evaluation that best predict game results.
//!
//! Every position is reduced once to the coefficients of the evaluation; then gradient descent fits
//! the win probability to a blend of the game's result and the search score ("Texel tuning", with
//! Adam as the optimiser). The scale of the scores is fixed first, so that they stay centipawns.
//!
//! ```
//! use lab::tune::{Judged, Plan, parse_line, run};
//!
//! let lines = [
//!     "8/pp3k2/8/8/8/8/PPP2K2/8 w - - 0 1;1-0;140",
//!     "8/ppp2k2/8/8/8/8/PP3K2/8 b - - 0 1;0-1;-150",
//! ];
//! let positions: Vec<Judged> = lines.iter().map(|line| parse_line(line).unwrap()).collect();
//! let plan = Plan { epochs: 1, ..Plan::default() };
//! let report = run(&plan, positions, &mut |_| {})?;
//! assert!(report.to_weights_file().contains("pub static WEIGHTS: Weights"));
//! # Ok::<(), lab::tune::TuneError>(())
//! ```

mod adam;
mod counted;
mod fit;
mod judged;
mod model;
mod plan;
mod render;
mod report;
mod run;

pub use judged::{Judged, ParseJudgedError, parse_line};
pub use plan::{Plan, TuneError};
pub use render::weights_file;
pub use report::{Epoch, Progress, Report};
pub use run::run;
