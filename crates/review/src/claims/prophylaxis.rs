//! Moves of the opponent that the better move prevents.

use super::case::Finding;
use crate::board::landing;
use crate::report::Motif;
use crate::variation::Variation;

/// Centipawns that a move must cost at once to be out of the question.
const COSTLY: i32 = 100;

/// The quiet move with which the opponent answers the move played, if the better move prevents it: it
/// is illegal then, or the piece that makes it is lost, which it isn't now.
///
/// Moves out of check, and those of pieces that the better move takes, prove nothing.
pub(crate) fn prevented(played: &Variation, better: &Variation) -> Option<Finding> {
    let (now, &reply) = (played.positions.get(1)?, played.moves.get(1)?);
    let then = better.positions.get(1)?;
    let same_piece = then.piece_on(reply.from()) == now.piece_on(reply.from());
    let is_quiet = !now.is_capture(reply) && landing(now, reply) != played.moves[0].from();
    if !same_piece || !is_quiet || now.is_check() || then.is_check() {
        return None;
    }
    let costs = |position| -engine::exchange(position, reply);
    let fails = !then.is_legal(reply) || costs(then) >= COSTLY.max(costs(now) + COSTLY);
    fails.then(|| Finding::new(Motif::Prophylaxis, 0, reply.from(), Vec::new()))
}

#[cfg(test)]
mod tests {
    use chess::{Line, Position};

    use super::*;

    fn found(fen: &str, played: [&str; 2], better: &str) -> bool {
        let root: Position = fen.parse().expect("a legal position");
        let line = |moves: &[&str]| {
            let mut line = Line::new(root.clone());
            for san in moves {
                let m = line.position().parse_san(san).expect("a legal move");
                line.play(m).expect("a legal move");
            }
            Variation::after(&line, 0)
        };
        prevented(&line(&played), &line(&[better])).is_some()
    }

    /// White may play d4 first, or let Black do so.
    const CENTRE: &str = "2rq1rk1/1b1nbppp/pp2p3/3p2P1/5B1P/P2P1N2/1PPQ1PB1/R3K2R w KQ - 1 16";

    #[test]
    fn a_square_is_taken_first_or_guarded() {
        assert!(found(CENTRE, ["h5", "d4"], "d4"), "the square is taken");
        let guarded = "2r1r1k1/p4pp1/1p2pn1p/6q1/3P4/P3PB1P/1Pb2PPB/R3QRK1 w - - 5 24";
        assert!(found(guarded, ["Rc1", "Bd3"], "Qe2"), "the bishop would be lost");
    }

    #[test]
    fn what_is_still_possible_is_not_prevented() {
        assert!(!found(CENTRE, ["h5", "b5"], "d4"));
        assert!(!found(CENTRE, ["h5", "Ba8"], "d4"));
    }

    #[test]
    fn checks_and_captures_prove_nothing() {
        let rook = "6k1/8/8/8/8/8/r7/4K2R w - - 0 1";
        assert!(!found(rook, ["Kd1", "Ra7"], "Rh8+"), "the king must take the rook first");
        let taken = "3rk3/8/8/8/8/8/8/3RK3 w - - 0 1";
        assert!(!found(taken, ["Ke2", "Rd7"], "Rxd8+"), "the rook is gone");
    }
}
