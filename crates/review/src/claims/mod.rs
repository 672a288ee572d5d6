//! Claims about a move, and the checks they must pass before they are made.

mod camp;
mod case;
mod criticism;
mod defender;
mod explainer;
mod fork;
mod hanging;
mod mate;
mod pawns;
mod pin;
mod placing;
mod prophylaxis;
mod ray;
mod trapped;
mod verdicts;

#[cfg(test)]
mod tests;

pub use criticism::Evidence;
pub(crate) use explainer::Explainer;
