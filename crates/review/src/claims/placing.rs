//! What is left when nothing is won: safer kings, sounder pawns, livelier pieces.

use chess::{Color, Position};
use engine::eval::{FULL_PHASE, Group, Tapered, rows};

use crate::report::{Motif, Whose};

/// Centipawns by which one line must be better than the other.
const CLEAR: i32 = 10;

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

/// What the end of the better line has over the end of the one played, for the side to move at the
/// root, by the hand-written evaluation: the motif whose terms differ most, if they differ clearly.
/// The player's own king, pawns and pieces are worse off than they could be, or the opponent's
/// passed pawns stronger: the move has allowed that. If it is the other way round, it has missed it.
pub(crate) fn advantage(
    root: &Position,
    better: &Position,
    played: &Position,
) -> Option<(Whose, Motif)> {
    let motifs = [Motif::KingSafety, Motif::Passer, Motif::Structure, Motif::Activity];
    let differences = motifs.map(|motif| {
        let [better, played] = [better, played].map(|one| terms(one, root.turn(), motif));
        let (own, theirs) = (better[0] - played[0], played[1] - better[1]);
        let allowed = (own >= theirs) != (motif == Motif::Passer);
        let whose = if allowed { Whose::Allowed } else { Whose::Missed };
        (own + theirs, whose, motif)
    });
    // The first of equals, which is the more specific one.
    let most = differences.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (most.0 >= CLEAR).then_some((most.1, most.2))
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

    fn found(better: &str, worse: &str) -> Option<Motif> {
        let position = |fen: &str| fen.parse().expect("a legal position");
        let found = advantage(&position(worse), &position(better), &position(worse));
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
        assert_eq!(found(sound, sound), None);
        assert_ne!(found(sound, doubled), Some(Motif::KingSafety));
        let passer = "4k3/5ppp/8/P7/8/8/5PPP/4K3 w - - 0 1";
        let none = "4k3/p4ppp/8/P7/8/8/5PPP/4K3 w - - 0 1";
        assert_eq!(found(passer, none), Some(Motif::Passer));
        let safe = "r2q1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1N2/PPP2PPP/R2Q1RK1 w - - 0 9";
        let bare = "r2q1rk1/ppp2ppp/2np1n2/4p3/4P3/2NP1N2/PPP5/R2Q1RK1 w - - 0 9";
        assert_eq!(found(safe, bare), Some(Motif::KingSafety));
    }
}
