//! The moves played in a position, added up from the store and from collections.

use std::cmp::Reverse;

use chess::{CastlingMode, Move, Position};
use game::{Day, Ratings};
use library::{Date, Tally};
use store::Continuation;
use wire::NextMove;

/// Moves with their games.
#[derive(Default)]
pub(crate) struct NextMoves(Vec<Sum>);

struct Sum {
    m: Move,
    white: u64,
    drawn: u64,
    black: u64,
    games: u64,
    ratings: Ratings,
    last: Option<i64>,
}

impl NextMoves {
    fn add(&mut self, more: Sum) {
        let Some(known) = self.0.iter_mut().find(|known| known.m == more.m) else {
            self.0.push(more);
            return;
        };
        known.white += more.white;
        known.drawn += more.drawn;
        known.black += more.black;
        known.games += more.games;
        known.ratings += more.ratings;
        known.last = known.last.max(more.last);
    }

    /// Adds games of the store.
    pub fn add_stored(&mut self, found: &[Continuation], position: &Position) {
        for next in found {
            // Two positions may have the same key, though very rarely.
            let Some(m) = next.m.filter(|&m| position.is_legal(m)) else { continue };
            self.add(Sum {
                m,
                white: next.white_wins,
                drawn: next.draws,
                black: next.black_wins,
                games: next.games,
                ratings: next.ratings,
                last: Some(next.last.0),
            });
        }
    }

    /// Adds games of a collection.
    pub fn add_collected(&mut self, found: &[Tally]) {
        for Tally { m, score } in found {
            self.add(Sum {
                m: *m,
                white: score.white_wins,
                drawn: score.draws,
                black: score.black_wins,
                games: score.games,
                ratings: score.ratings,
                last: since_1970(score.last),
            });
        }
    }

    /// The moves as they are sent, the most frequent first.
    pub fn tell(mut self, position: &Position, castling: CastlingMode) -> Vec<NextMove> {
        self.0.sort_by_key(|next| (Reverse(next.games), next.m));
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let told = self.0.iter().map(|next| NextMove {
            uci: next.m.to_uci(position, castling).to_string(),
            san: position.san(next.m).to_string(),
            white: number(next.white),
            drawn: number(next.drawn),
            black: number(next.black),
            games: number(next.games),
            rating: next.ratings.average(),
            last: next.last,
        });
        told.collect()
    }
}

/// Milliseconds since 1970 at the start of a date, in which unknown parts are the first ones; none if
/// not even the year is known, or there is no such day.
fn since_1970(date: Date) -> Option<i64> {
    if date.year() == 0 {
        return None;
    }
    let (month, day) = (u32::from(date.month()).max(1), u32::from(date.day()).max(1));
    Day::new(date.year().into(), month, day).map(|day| day.start().0)
}

#[cfg(test)]
mod tests {
    use library::Score;
    use store::Timestamp;

    use super::*;

    #[test]
    fn games_of_both_sources_are_added_up() {
        let position = Position::default();
        let m = |text: &str| position.parse_san(text).expect("legal");
        let stored = |m, games, sum, last| Continuation {
            m,
            games,
            white_wins: games,
            draws: 0,
            black_wins: 0,
            ratings: Ratings { sum, count: u64::from(sum > 0) },
            last: Timestamp(last),
        };
        let score = Score {
            games: 5,
            white_wins: 1,
            draws: 2,
            black_wins: 1,
            ratings: Ratings { sum: 3 * 2601, count: 3 },
            last: "1970.01.02".parse().expect("a date"),
        };
        let mut moves = NextMoves::default();
        moves.add_stored(
            &[
                stored(Some(m("d4")), 4, 0, 7),
                stored(Some(m("e4")), 2, 2000, 5),
                stored(None, 9, 0, 1),
            ],
            &position,
        );
        moves.add_collected(&[Tally { m: m("e4"), score }]);
        moves.add_collected(&[Tally { m: m("c4"), score: Score { games: 1, ..Score::default() } }]);
        let told = moves.tell(&position, position.castling_mode());
        let sans: Vec<&str> = told.iter().map(|next| next.san.as_str()).collect();
        assert_eq!(sans, ["e4", "d4", "c4"]);
        let e4 = &told[0];
        assert_eq!((e4.games, e4.white, e4.drawn, e4.black), (7, 3, 2, 1));
        assert_eq!((e4.rating, e4.last), (Some(2451), Some(86_400_000)));
        assert_eq!((told[1].last, told[2].last), (Some(7), None));
    }

    #[test]
    fn dates_are_days_since_1970() {
        let days = |text: &str| since_1970(text.parse().expect("a date")).map(|ms| ms / 86_400_000);
        assert_eq!(days("1970.01.01"), Some(0));
        assert_eq!(days("2000.02.29"), Some(11_016));
        assert_eq!(days("2026.11.17"), Some(20_774));
        assert_eq!(days("1969"), Some(-365));
        assert_eq!(since_1970(Date::UNKNOWN), None);
    }
}
