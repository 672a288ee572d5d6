//! Limited strength (`UCI_LimitStrength`, `UCI_Elo`): plays weaker than the engine can, with
//! human-like errors.
//!
//! A limited player searches less deeply, overlooks moves that are hard to see (long ones, quiet
//! ones, backward ones), and misjudges positions, especially complex ones. What it overlooks and
//! how it errs depends on the position and the game, not on chance in each node: its errors are
//! consistent.

use chess::{Color, Move, Position, Role};

use crate::{Dice, Elo, Limits};

/// The handicap of a limited player.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Handicap {
    /// It searches at most this many plies; the fraction is how often it searches one more.
    pub depth: f64,
    /// It searches at most this many nodes.
    pub nodes: u64,
    /// Standard deviation of its evaluation errors in a simple position, in centipawns.
    pub noise: f64,
    /// How often it overlooks a move that is hard to see, 0 to 1.
    pub blindness: f64,
    /// The seed of its errors, which differ from game to game.
    pub seed: u64,
}

/// The handicap of a rating.
struct Strength {
    elo: f64,
    depth: f64,
    nodes: f64,
    noise: f64,
    blindness: f64,
}

/// The handicaps of some ratings, interpolated in between.
#[rustfmt::skip]
const STRENGTHS: [Strength; 8] = [
    Strength { elo: 600.0, depth: 1.1, nodes: 1.2e3, noise: 210.0, blindness: 0.48 },
    Strength { elo: 940.0, depth: 2.0, nodes: 2e3, noise: 150.0, blindness: 0.38 },
    Strength { elo: 1225.0, depth: 3.0, nodes: 3e3, noise: 100.0, blindness: 0.28 },
    Strength { elo: 1605.0, depth: 4.0, nodes: 5e3, noise: 70.0, blindness: 0.20 },
    Strength { elo: 2010.0, depth: 6.0, nodes: 8e3, noise: 45.0, blindness: 0.13 },
    Strength { elo: 2465.0, depth: 8.0, nodes: 15e3, noise: 25.0, blindness: 0.07 },
    Strength { elo: 2950.0, depth: 11.0, nodes: 60e3, noise: 10.0, blindness: 0.02 },
    Strength { elo: 3200.0, depth: 14.0, nodes: 180e3, noise: 5.0, blindness: 0.01 },
];

/// Players below this blindness never overlook that a queen can be captured.
const SEES_QUEENS: f64 = 0.2;

impl Handicap {
    /// The handicap of a rating, in a new game.
    pub fn of(elo: Elo, seed: u64) -> Self {
        let (first, last) = (&STRENGTHS[0], &STRENGTHS[STRENGTHS.len() - 1]);
        let elo = f64::from(elo.get()).clamp(first.elo, last.elo);
        let at = STRENGTHS.iter().skip(1).position(|strength| elo <= strength.elo).unwrap_or(0);
        let (low, high) = (&STRENGTHS[at], &STRENGTHS[at + 1]);
        let share = (elo - low.elo) / (high.elo - low.elo);
        let between = |low: f64, high: f64| low + (high - low) * share;
        Self {
            depth: between(low.depth, high.depth),
            nodes: (low.nodes * (high.nodes / low.nodes).powf(share)) as u64,
            noise: between(low.noise, high.noise),
            blindness: between(low.blindness, high.blindness),
            seed,
        }
    }

    /// Combines the limits of a search with those of the player.
    pub(crate) fn limits(&self, position: &Position, limits: &Limits) -> Limits {
        let mut own = *limits;
        let further = Dice::stream(self.seed, !position.key()).below(1000) as f64 / 1000.0;
        let sight = (self.depth + further) as u32;
        own.depth = Some(limits.depth.map_or(sight, |depth| depth.min(sight)));
        own.nodes = Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes)));
        own
    }

    /// The player's evaluation of a position whose value for the side to move is `value`.
    pub(crate) fn misjudge(&self, position: &Position, value: i32) -> i32 {
        let mut dice = Dice::stream(self.seed, position.key());
        // The sum of uniform numbers is approximately normal.
        let roll = |dice: &mut Dice| dice.below(2001) as f64 / 1000.0 - 1.0;
        let normal = (0..3).map(|_| roll(&mut dice)).sum::<f64>();
        value + (normal * self.noise * complexity(position)) as i32
    }

    /// Whether it overlooks a move. A capture of the piece that has just moved is always seen, a
    /// capture of a queen by all but beginners.
    pub(crate) fn overlooks(&self, position: &Position, m: Move, last: Option<Move>) -> bool {
        let takes_queen = position.piece_on(m.to()).is_some_and(|p| p.role() == Role::Queen);
        let ease = if takes_queen { SEES_QUEENS } else { 0.0 };
        let chance = (self.blindness - ease).max(0.0) * obscurity(position, m, last);
        let number = position.key() ^ u64::from(m.to_bits()) << 32;
        Dice::stream(!self.seed, number).below(1 << 20) < (chance * f64::from(1 << 20)) as u64
    }
}

/// The complexity of a position: about 1 in a quiet middlegame, less in simple endings, more if
/// pieces hang.
fn complexity(position: &Position) -> f64 {
    let pieces = f64::from((position.occupied() - position.role(Role::Pawn)).count());
    let attacked = Color::ALL
        .map(|color| {
            let own = position.color(color);
            own.into_iter()
                .filter(|&square| (position.attackers(square, position.occupied()) - own).any())
                .count() as f64
        })
        .iter()
        .sum::<f64>();
    (0.3 + pieces / 20.0 + attacked / 12.0).min(2.0)
}

/// How hard a move is to see: 0 can't be missed, 1 is for masters.
fn obscurity(position: &Position, m: Move, last: Option<Move>) -> f64 {
    if last.is_some_and(|last| last.to() == m.to()) || m.promotion() == Some(Role::Queen) {
        return 0.0;
    }
    let (from, to) = (m.from(), m.to());
    let files = from.file().index().abs_diff(to.file().index());
    let ranks = from.rank().index().abs_diff(to.rank().index());
    let distance = files.max(ranks) as f64;
    let backwards = match position.turn() {
        Color::White => to.rank() < from.rank(),
        Color::Black => to.rank() > from.rank(),
    };
    let mut obscurity = 0.25 + distance / 14.0;
    if backwards {
        obscurity += 0.25;
    }
    if position.piece_on(from).is_some_and(|piece| piece.role() == Role::Knight) {
        obscurity += 0.15;
    }
    if position.is_capture(m) {
        obscurity *= 0.4;
    }
    obscurity.min(1.0)
}

#[cfg(test)]
mod tests {
    use chess::UciMove;

    use super::*;

    fn player(rating: u32, seed: u64) -> Handicap {
        Handicap::of(Elo::new(rating).expect("in range"), seed)
    }

    fn position(fen: &str) -> Position {
        fen.parse().expect("legal")
    }

    fn uci(position: &Position, text: &str) -> Move {
        text.parse::<UciMove>().expect("a move").to_move(position).expect("legal")
    }

    #[test]
    fn the_stronger_lack_less() {
        let ends = [&STRENGTHS[0], &STRENGTHS[STRENGTHS.len() - 1]].map(|end| end.elo as u32);
        assert_eq!(ends, [*Elo::RANGE.start(), *Elo::RANGE.end()]);
        let players: Vec<Handicap> = Elo::RANGE.step_by(50).map(|e| player(e, 1)).collect();
        for pair in players.windows(2) {
            let (weak, strong) = (pair[0], pair[1]);
            assert!(weak.depth <= strong.depth && weak.nodes < strong.nodes);
            assert!(weak.noise > strong.noise && weak.blindness > strong.blindness);
        }
    }

    #[test]
    fn limits_of_search_and_player_hold_together() {
        let start = Position::default();
        let player = Handicap { depth: 3.0, ..player(1_500, 1) };
        let limits = player.limits(&start, &Limits::depth(2));
        assert_eq!((limits.depth, limits.nodes), (Some(2), Some(player.nodes)));
        let limits = player.limits(&start, &Limits::nodes(10));
        assert_eq!((limits.depth, limits.nodes), (Some(3), Some(10)));
    }

    #[test]
    fn a_fraction_of_a_ply_is_looked_at_that_often() {
        let start = Position::default();
        let deep = (0..1000).filter(|&seed| {
            let player = Handicap { depth: 3.25, ..player(1_500, seed) };
            player.limits(&start, &Limits::default()).depth == Some(4)
        });
        assert!((200..300).contains(&deep.count()));
    }

    #[test]
    fn what_cannot_be_missed_is_seen_in_every_game() {
        let board = position("4k3/2P5/8/3q4/8/1b6/8/3RK3 w - - 0 1");
        let (takes, promotes) = (uci(&board, "d1d5"), uci(&board, "c7c8q"));
        let recapture = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
        let back = uci(&recapture, "e1e2");
        let mut beginner_misses = 0;
        for seed in 0..300 {
            let (weak, strong) = (player(600, seed), player(1_700, seed));
            assert!(!weak.overlooks(&board, promotes, None));
            assert!(!weak.overlooks(&recapture, back, Some(back)));
            assert!(!strong.overlooks(&board, takes, None));
            beginner_misses += u32::from(weak.overlooks(&board, takes, None));
        }
        assert!(beginner_misses > 0);
    }

    #[test]
    fn errors_grow_with_what_is_going_on_and_stay_the_same_in_a_game() {
        let [calm, wild] = [
            position("8/5k2/8/8/8/8/2K2P2/8 w - - 0 1"),
            position("r1bqk2r/pp3ppp/2n1pn2/2bp4/2PP4/2NBPN2/PP3PPP/R1BQK2R w KQkq - 0 1"),
        ];
        let error = |position: &Position| {
            let errors = (0..300).map(|seed| {
                let player = player(1_200, seed);
                let value = player.misjudge(position, 30);
                assert_eq!(value, player.misjudge(position, 30));
                f64::from((value - 30).abs())
            });
            errors.sum::<f64>() / 300.0
        };
        assert!(error(&wild) > 2.0 * error(&calm), "{} {}", error(&wild), error(&calm));
    }
}
