//! What is left when nothing is won: safer kings, sounder pawns, livelier pieces.

use chess::{Color, Position};
use engine::eval::{Group, rows};

use crate::report::Motif;

/// Centipawns by which one line must be better than the other.
const CLEAR: i32 = 25;

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

/// What the end of one line has over the end of another, by the hand-written evaluation: the
/// motif whose terms differ most, if they differ clearly.
pub(crate) fn advantage(better: &Position, worse: &Position, side: Color) -> Option<Motif> {
    let motifs = [Motif::KingSafety, Motif::Passer, Motif::Structure, Motif::Activity];
    let gain = |wanted: Motif| -> i32 {
        [(better, 1), (worse, -1)]
            .into_iter()
            .map(|(position, sign)| {
                let (rows, balance) = rows(position);
                let rows = rows.iter().filter(|row| motif(row.group) == Some(wanted));
                let white: i32 = rows.map(|row| row.blend(balance.phase)).sum();
                sign * if side == Color::White { white } else { -white }
            })
            .sum()
    };
    let best = motifs.into_iter().map(|motif| (gain(motif), motif));
    // The first of equals, which is the more specific one.
    let (gain, motif) = best.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (gain >= CLEAR).then_some(motif)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(better: &str, worse: &str) -> Option<Motif> {
        let position = |fen: &str| fen.parse().expect("a legal position");
        advantage(&position(better), &position(worse), Color::White)
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
