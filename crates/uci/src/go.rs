//! The `go` command.

use std::fmt;
use std::time::Duration;

use chess::{Color, Move, Position, UciMove};
use engine::{Clocks, Limits, Thinking};

use crate::ParseCommandError;

/// The parameters of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// `searchmoves`: the moves to consider, all if empty.
    pub search_moves: Vec<UciMove>,
    /// `ponder`: think on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// `wtime` and `btime`.
    pub remaining: [Option<Duration>; 2],
    /// `winc` and `binc`.
    pub increment: [Option<Duration>; 2],
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
    /// `depth`.
    pub depth: Option<u32>,
    /// `nodes`.
    pub nodes: Option<u64>,
    /// `mate`, in moves.
    pub mate: Option<u32>,
    /// `movetime`.
    pub move_time: Option<Duration>,
    /// `infinite`: report the best move only after `stop`.
    pub infinite: bool,
    /// Parameters that could not be parsed, and are ignored.
    pub faults: Vec<ParseCommandError>,
}

/// The time for a move if none of the parameters of `go` could be parsed: enough not to blunder,
/// and short enough not to lose on time.
const WITHOUT_LIMITS: Duration = Duration::from_millis(100);

impl Go {
    /// The search limits.
    pub fn to_limits(&self) -> Limits {
        Limits {
            // Zero would mean no search; a GUI that sends it wants the minimum.
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            mate: self.mate.map(|moves| moves.max(1)),
            thinking: self.thinking(),
            ponder: self.ponder,
            ..Limits::NONE
        }
    }

    /// The moves of `searchmoves` that are legal in a position, and those that are not.
    pub fn to_moves(&self, position: &Position) -> (Vec<Move>, Vec<UciMove>) {
        let (mut legal, mut illegal) = (Vec::new(), Vec::new());
        for &text in &self.search_moves {
            match text.to_move(position) {
                Some(m) => legal.push(m),
                None => illegal.push(text),
            }
        }
        (legal, illegal)
    }

    /// A missing clock counts as zero, so that a GUI's mistake doesn't become an endless search;
    /// the same goes for a limit that could not be parsed.
    fn thinking(&self) -> Thinking {
        let clocks = self.remaining.iter().chain(&self.increment).any(Option::is_some)
            || self.moves_to_go.is_some();
        let limited = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        if self.infinite {
            Thinking::Unlimited
        } else if let Some(time) = self.move_time {
            Thinking::MoveTime(time)
        } else if clocks {
            Thinking::Clock(Clocks {
                remaining: self.remaining.map(Option::unwrap_or_default),
                increment: self.increment.map(Option::unwrap_or_default),
                moves_to_go: self.moves_to_go.filter(|&moves| moves > 0),
            })
        } else if !limited && !self.faults.is_empty() {
            Thinking::MoveTime(WITHOUT_LIMITS)
        } else {
            Thinking::Unlimited
        }
    }
}

impl fmt::Display for Go {
    /// Each word after a space, to follow `go`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = [
            ("wtime", self.remaining[Color::White.index()]),
            ("btime", self.remaining[Color::Black.index()]),
            ("winc", self.increment[Color::White.index()]),
            ("binc", self.increment[Color::Black.index()]),
            ("movetime", self.move_time),
        ];
        let numbers = [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
        ];
        if self.ponder {
            f.write_str(" ponder")?;
        }
        for (name, time) in times {
            if let Some(time) = time {
                write!(f, " {name} {}", time.as_millis())?;
            }
        }
        for (name, number) in numbers {
            if let Some(number) = number {
                write!(f, " {name} {number}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.search_moves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.search_moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_time_counts_more_than_clocks() {
        let second = Duration::from_secs(1);
        let clocks = Go { remaining: [Some(second), None], ..Go::default() };
        let expected = Clocks { remaining: [second, Duration::ZERO], ..Clocks::default() };
        assert_eq!(clocks.thinking(), Thinking::Clock(expected));
        let both = Go { move_time: Some(second * 2), ..clocks };
        assert_eq!(both.thinking(), Thinking::MoveTime(second * 2));
    }

    #[test]
    fn no_moves_to_go_is_no_time_control() {
        let go = Go { remaining: [Some(Duration::ZERO); 2], moves_to_go: Some(0), ..Go::default() };
        assert_eq!(go.thinking(), Thinking::Clock(Clocks::default()));
    }

    #[test]
    fn nothing_but_a_plain_go_is_a_search_without_end() {
        assert_eq!(Go::default().thinking(), Thinking::Unlimited);
        let increment = Go { increment: [Some(Duration::ZERO), None], ..Go::default() };
        assert_eq!(increment.thinking(), Thinking::Clock(Clocks::default()));
        let faults = vec![ParseCommandError::Blank];
        let unread = Go { faults, ..Go::default() };
        assert_eq!(unread.thinking(), Thinking::MoveTime(WITHOUT_LIMITS));
        let limited = Go { depth: Some(3), ..unread.clone() };
        assert_eq!(limited.thinking(), Thinking::Unlimited);
        assert_eq!(Go { infinite: true, ..unread }.thinking(), Thinking::Unlimited);
    }

    #[test]
    fn moves_that_are_not_legal_are_named() {
        let moves = ["e2e4", "e2e5", "g1f3"].map(|text| text.parse().expect("a move"));
        let go = Go { search_moves: moves.to_vec(), ..Go::default() };
        let (legal, illegal) = go.to_moves(&Position::default());
        assert_eq!(legal.len(), 2);
        assert_eq!(illegal, [moves[1]]);
    }
}
