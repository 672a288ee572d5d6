//! What is left when nothing is won: safer kings, sounder pawns, livelier pieces.

use chess::{Color, Position};
use engine::eval::{FULL_PHASE, Group, Tapered, rows};

use super::camp::{Camp, STRONG};
use crate::report::{Motif, Whose};

/// Centipawns by which one line must be better than the other.
const CLEAR: i32 = 5;

/// The motif of a group of terms, if it has one.
const fn motif(group: Group) -> Option<Motif> {
    match group {
        Group::Shelter | Group::Danger => Some(Motif::KingSafety),
        Group::Pawns => Some(Motif::Structure),
        Group::Passed => Some(Motif::Passer),
        Group::Mobility | Group::Pieces | Group::Squares | Group::Space | Group::Threats => {
            Some(Motif::Activity)
        }
        Group::Material | Group::Tempo | Group::Complexity => None,
    }
}

/// Squares of room that one line must have more than the other.
const ROOM: u32 = 2;

/// What the end of the better line has over the end of the one played, for the side to move at the
/// root: the motif whose terms in the hand-written evaluation differ most, if they differ clearly
/// and the difference can be seen on the board.
///
/// The player's own king, pawns and pieces are worse off than they could be, or the opponent's
/// passed pawns stronger: the move has allowed that. If it is the other way round, it has missed it.
pub(crate) fn advantage(
    root: &Position,
    better: &Position,
    played: &Position,
) -> Option<(Whose, Motif)> {
    let us = root.turn();
    let motifs = [Motif::KingSafety, Motif::Passer, Motif::Structure, Motif::Activity];
    let differences = motifs.into_iter().flat_map(|motif| {
        let [better, played] = [better, played].map(|one| terms(one, us, motif));
        let (own, theirs) = (better[0] - played[0], played[1] - better[1]);
        // An own passed pawn is missed, one of theirs is allowed; all else is the other way round.
        let whose = match motif {
            Motif::Passer => [Whose::Missed, Whose::Allowed],
            _ => [Whose::Allowed, Whose::Missed],
        };
        [(own, whose[0], motif), (theirs, whose[1], motif)]
    });
    let seen = differences.filter(|&(clear, whose, motif)| {
        let ends = match whose {
            Whose::Allowed => [played, better],
            _ => [better, played],
        };
        clear >= CLEAR && is_seen(motif, whose, us, root, ends)
    });
    // The first of equals, which is the more specific one.
    let most = seen.reduce(|a, b| if b.0 > a.0 { b } else { a });
    most.map(|(_, whose, motif)| (whose, motif)).or_else(|| {
        let seen = |&(motif, whose): &(Motif, Whose)| {
            let ends = if whose == Whose::Allowed { [played, better] } else { [better, played] };
            is_seen(motif, whose, us, root, ends)
        };
        let counted = [Motif::KingActivity, Motif::BishopPair].into_iter();
        let mut both =
            counted.flat_map(|motif| [Whose::Allowed, Whose::Missed].map(|whose| (motif, whose)));
        both.find(seen).map(|(motif, whose)| (whose, motif))
    })
}

/// Whether it can be counted on the board. What a move allows is seen at the end of its own line, and
/// what it misses at the end of the other one.
fn is_seen(
    motif: Motif,
    whose: Whose,
    us: Color,
    root: &Position,
    [shown, other]: [&Position; 2],
) -> bool {
    // Passed pawns and active kings are good for those who have them, all else is bad for those who
    // suffer it.
    let is_good = matches!(motif, Motif::Passer | Motif::KingActivity);
    let side = if (whose == Whose::Allowed) == is_good { !us } else { us };
    let [root, shown, other] = [root, shown, other].map(|position| Camp::of(position, side));
    match motif {
        Motif::KingSafety => {
            shown.cover < other.cover.min(root.cover)
                || !shown.sheltered && other.sheltered && root.sheltered
        }
        Motif::Passer => {
            let further = shown.passer > other.passer.max(root.passer);
            let more = shown.passers > other.passers.max(root.passers);
            shown.passer >= Some(STRONG) && (further || more)
        }
        Motif::KingActivity => {
            let [root, shown, other] = [root, shown, other].map(|camp| camp.way);
            shown.is_some() && shown < other && shown < root
        }
        Motif::Structure => shown.weak_pawns > other.weak_pawns.max(root.weak_pawns),
        Motif::BishopPair => !shown.bishop_pair && other.bishop_pair && root.bishop_pair,
        Motif::Activity => shown.room + ROOM <= other.room,
        _ => false,
    }
}

/// The sums of the terms that belong to a motif, in centipawns: a side's, and the other one's.
fn terms(position: &Position, side: Color, wanted: Motif) -> [i32; 2] {
    let (rows, balance) = rows(position);
    [side, !side].map(|side| {
        let rows = rows.iter().filter(|row| motif(row.group) == Some(wanted));
        rows.map(|row| blend(row.sides[side.index()], balance.phase)).sum()
    })
}

/// Centipawns in a game phase from 24 (all pieces) to 0.
fn blend(value: Tapered, phase: i32) -> i32 {
    (value.mg() * phase + value.eg() * (FULL_PHASE - phase)) / FULL_PHASE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(root: &str, better: &str, worse: &str) -> Option<Motif> {
        let position = |fen: &str| fen.parse().expect("a legal position");
        let found = advantage(&position(root), &position(better), &position(worse));
        found.map(|(_, motif)| motif)
    }

    #[test]
    fn the_players_own_pawns_are_spoiled_or_the_opponents() {
        let position = |fen: &str| fen.parse().expect("a legal position");
        let sound: Position = position("4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1");
        let own = position("4k3/ppp2ppp/8/8/8/2P5/P1P2PPP/4K3 w - - 0 1");
        let theirs = position("4k3/p1p2ppp/2p5/8/8/8/PPP2PPP/4K3 w - - 0 1");
        let found = advantage(&sound, &sound, &own);
        assert_eq!(found, Some((Whose::Allowed, Motif::Structure)));
        let found = advantage(&sound, &theirs, &sound);
        assert_eq!(found, Some((Whose::Missed, Motif::Structure)));
    }

    #[test]
    fn the_terms_that_differ_most_are_named() {
        let sound = "4k3/ppp2ppp/8/8/8/8/PPP2PPP/4K3 w - - 0 1";
        let doubled = "4k3/ppp2ppp/8/8/8/2P5/P1P2PPP/4K3 w - - 0 1";
        assert_eq!(found(sound, sound, sound), None);
        assert_ne!(found(sound, sound, doubled), Some(Motif::KingSafety));
        let passer = "4k3/5ppp/8/P7/8/8/5PPP/4K3 w - - 0 1";
        let none = "4k3/p4ppp/8/P7/8/8/5PPP/4K3 w - - 0 1";
        assert_eq!(found(none, passer, none), Some(Motif::Passer));
        let safe = "r2q1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 9";
        let bare = "r2q1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1N2/PPP5/R2Q1RK1 w - - 0 9";
        assert_eq!(found(safe, safe, bare), Some(Motif::KingSafety));
        assert_eq!(found(bare, safe, bare), None, "it was bare before");
    }
}
