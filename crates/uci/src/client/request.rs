//! Formats the commands sent to an engine.

use std::time::Duration;

use chess::{CastlingMode, Line};
use engine::{Question, Thinking};

use crate::{Command, Go, Moves};

/// The longest command. A pipe buffers this much even if the engine reads nothing, so that writing
/// never blocks.
pub const LONGEST_COMMAND: usize = 16_000;

/// `position ... moves ...` with a line break. A line too long for one command starts at the last
/// position after an irreversible move.
pub fn position_command(line: &Line, mode: CastlingMode) -> String {
    let text = position_command_from(line, 0, mode);
    if text.len() <= LONGEST_COMMAND {
        return text;
    }
    let fresh = line.positions().enumerate().filter(|(_, position)| position.halfmoves() == 0);
    position_command_from(line, fresh.last().map_or(0, |(ply, _)| ply), mode)
}

fn position_command_from(line: &Line, ply: usize, mode: CastlingMode) -> String {
    let steps: Vec<_> = line.positions().zip(line.moves()).skip(ply).collect();
    let start = steps.first().map_or(line.position(), |(position, _)| *position).clone();
    let moves = steps.iter().map(|(position, m)| m.to_uci(position, mode)).collect();
    format!("{}\n", Command::Position(Moves { start, moves }))
}

/// `go ...` with a line break.
pub fn go_command(question: &Question, mode: CastlingMode) -> String {
    let Question { limits, search_moves, .. } = question;
    // Zero would read as "no clock".
    let at_least_one = |time: Duration| Some(time.max(Duration::from_millis(1)));
    let mut go = Go {
        depth: limits.depth,
        // UCI has no limit that lets an iteration finish.
        nodes: limits.nodes.into_iter().chain(limits.soft_nodes).min(),
        mate: limits.mate,
        ..Go::default()
    };
    match limits.thinking {
        Thinking::Unlimited => go.infinite = go == Go::default(),
        Thinking::MoveTime(time) => go.move_time = at_least_one(time),
        Thinking::Clock(clocks) => {
            go.remaining = clocks.remaining.map(at_least_one);
            if clocks.increment != [Duration::ZERO; 2] {
                go.increment = clocks.increment.map(Some);
            }
            go.moves_to_go = clocks.moves_to_go;
        }
    }
    go.search_moves = search_moves.iter().map(|m| m.to_uci(question.position(), mode)).collect();
    format!("{}\n", Command::Go(Box::new(go)))
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::{Clocks, Limits};

    use super::*;

    fn line(fen: &str, moves: &str) -> Line {
        let start = if fen.is_empty() { Position::default() } else { fen.parse().expect("a FEN") };
        let mut line = Line::new(start);
        for text in moves.split_whitespace() {
            let m = line.position().parse_san(text).expect("a move");
            line.play(m).expect("legal");
        }
        line
    }

    #[test]
    fn positions_are_told_by_start_and_moves() {
        let standard = CastlingMode::Standard;
        assert_eq!(position_command(&line("", ""), standard), "position startpos\n");
        assert_eq!(
            position_command(&line("", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O"), standard),
            "position startpos moves e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1\n"
        );
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(
            position_command(&line(fen, "O-O"), CastlingMode::Chess960),
            format!("position fen {fen} moves e1h1\n")
        );
    }

    #[test]
    fn a_very_long_line_starts_at_its_last_capture_or_pawn_move() {
        let mut long = line("", "e4 e5");
        for _ in 0..2000 {
            for text in ["Nf3", "Nf6", "Ng1", "Ng8"] {
                let m = long.position().parse_san(text).expect("a move");
                long.play(m).expect("legal");
            }
        }
        let m = long.position().parse_san("d4").expect("a move");
        long.play(m).expect("legal");
        let m = long.position().parse_san("Nf6").expect("a move");
        long.play(m).expect("legal");
        let text = position_command(&long, CastlingMode::Standard);
        assert!(text.len() < 100 && text.ends_with(" moves g8f6\n"), "{text}");
    }

    #[test]
    fn every_limit_is_told() {
        let go = |limits: Limits| {
            go_command(&Question::default().limits(limits), CastlingMode::Standard)
        };
        assert_eq!(go(Limits::NONE), "go infinite\n");
        assert_eq!(go(Limits::depth(7)), "go depth 7\n");
        let soft = Limits { soft_nodes: Some(90), ..Limits::default() };
        assert_eq!(go(soft), "go nodes 90\n");
        assert_eq!(go(Limits::move_time(Duration::from_millis(250))), "go movetime 250\n");
        let clocks = Clocks {
            remaining: [Duration::from_micros(1_999_999), Duration::ZERO],
            increment: [Duration::ZERO, Duration::from_millis(80)],
            moves_to_go: Some(12),
        };
        let limits = Limits { nodes: Some(500), mate: Some(3), ..Limits::clocks(clocks) };
        let e4 = Position::default().parse_san("e4").expect("a move");
        let question = Question::default().limits(limits).search_moves([e4]);
        assert_eq!(
            go_command(&question, CastlingMode::Standard),
            "go wtime 1999 btime 1 winc 0 binc 80 movestogo 12 nodes 500 mate 3 searchmoves e2e4\n"
        );
    }
}
