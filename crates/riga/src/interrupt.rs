//! What Ctrl-C does to a long command.

use anyhow::{Context, Result};
use engine::Stop;

/// A switch that Ctrl-C sets, so that the command can save its work; the second one ends at once.
pub fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let pressed = stop.clone();
    ctrlc::set_handler(move || {
        if pressed.is_stopped() {
            std::process::exit(130);
        }
        pressed.stop();
    })
    .context("handling Ctrl-C")?;
    Ok(stop)
}
