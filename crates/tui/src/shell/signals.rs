//! Signals from outside, as messages.

use std::io;
use std::sync::mpsc::Sender;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::run::Message;

/// Passes signals on, from a thread of their own.
pub(super) fn listen(out: Sender<Message>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let message = match signal {
                SIGTSTP => Message::Suspend,
                SIGCONT => Message::Continued,
                signal => Message::Signal(signal),
            };
            if out.send(message).is_err() {
                return;
            }
        }
    })?;
    Ok(())
}

/// Stops this process, as the shell expects after Ctrl-Z; returns when it goes on.
pub(super) fn stop() -> io::Result<()> {
    emulate_default_handler(SIGTSTP)
}
