//! `go perft`: leaf counts below each move; can be stopped.

use std::fmt::Write;

use chess::{CastlingMode, Position};
use engine::Stop;

/// The count below each legal move and the sum; `None` if stopped.
pub(crate) fn divide(
    position: &Position,
    depth: u32,
    mode: CastlingMode,
    stop: &Stop,
) -> Option<String> {
    let Some(below) = depth.checked_sub(1) else { return Some("Nodes searched: 1".to_owned()) };
    let (mut text, mut sum) = (String::new(), 0);
    for m in position.legal_moves() {
        let count = count(&position.after(m), below, stop)?;
        sum += count;
        writeln!(text, "{}: {count}", m.to_uci(position, mode)).expect("a String takes any text");
    }
    write!(text, "\nNodes searched: {sum}").expect("a String takes any text");
    Some(text)
}

/// Checks the stop signal only above subtrees that take a moment.
fn count(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    const MOMENT: u32 = 4;
    if depth <= MOMENT {
        return (!stop.is_stopped()).then(|| chess::perft(position, depth));
    }
    position.legal_moves().into_iter().map(|m| count(&position.after(m), depth - 1, stop)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_those_of_the_rules() {
        let (position, stop) = (Position::default(), Stop::new());
        let text = divide(&position, 5, CastlingMode::Standard, &stop).expect("nobody stops it");
        assert!(text.contains("e2e4: 405385\n"), "{text}");
        assert!(text.ends_with("\n\nNodes searched: 4865609"), "{text}");
    }

    #[test]
    fn a_stop_ends_the_longest_count() {
        let stop = Stop::new();
        stop.stop();
        assert_eq!(divide(&Position::default(), 64, CastlingMode::Standard, &stop), None);
    }
}
