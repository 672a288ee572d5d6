//! The same answers from a plain replay of all games.

use std::collections::{HashMap, HashSet};

use chess::{Move, Position};
use game::pgn::Reader;
use game::{Game, GameResult, Ratings, Speed, TimeControl};
use library::{Date, Filter, Listed, Order, Page, Player, Score, Side, Tallies, Tally};

/// Games of all kinds that the sample doesn't have.
pub const ODD: &[u8] = br#"
[Event "From a position"]
[White "Reti, Richard"]
[Black "?"]
[Date "1921.??.??"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"]

1. Kg7 h4 2. Kf6 Kb6 3. Ke5 Kxc6 4. Kf4 1/2-1/2

[Event "Chess960"]
[White "a"]
[Black "b"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"]

1. g3 g6 2. Nf3 Nf6 3. O-O O-O 1-0

[Event "Repetition, without names"]
[WhiteElo "2750"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[Event "No move"]
[White "Nobody"]
[Black "Nobody"]

*

[Event "Queens"]
[White "Many"]
[Black "King"]
[SetUp "1"]
[FEN "QQQQQQQ1/Q6Q/Q6Q/Q2Q3Q/Q6Q/Q6Q/Q6Q/K1Q1Q1k1 b - - 0 1"]

*

[Event "Queens to move"]
[White "Many"]
[Black "King"]
[SetUp "1"]
[FEN "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"]

1. Rhh4 *

"#;

/// A game with its positions.
struct Known {
    game: Game,
    speed: Option<Speed>,
    date: Date,
}

/// All games, replayed.
#[derive(Default)]
pub struct ByHand {
    games: Vec<Known>,
    /// The first visits of each position: game and move.
    visits: HashMap<u64, Vec<(usize, Option<Move>)>>,
    positions: Vec<Position>,
}

impl ByHand {
    pub fn read(&mut self, pgn: &[u8]) {
        for game in Reader::new(pgn).games() {
            self.add(game.expect("a game"));
        }
    }

    fn add(&mut self, game: Game) {
        let number = self.games.len();
        let line = game.line();
        let mut seen = HashSet::new();
        let moves = line.moves().map(Some).chain([None]);
        for (position, m) in line.positions().zip(moves) {
            if seen.insert(position.key()) {
                let visits = self.visits.entry(position.key()).or_default();
                if visits.is_empty() {
                    self.positions.push(position.clone());
                }
                visits.push((number, m));
            }
        }
        let tag = |name: &str| game.tags.get(name);
        let speed = tag("TimeControl").and_then(|text| text.parse::<TimeControl>().ok());
        let date = tag("Date").and_then(|text| text.parse().ok()).unwrap_or_default();
        self.games.push(Known { speed: speed.map(|control| control.speed()), date, game });
    }

    /// Removes games equal to these, one for each.
    pub fn remove(&mut self, gone: impl Iterator<Item = Game>) {
        let mut games: Vec<Game> = std::mem::take(self).games.into_iter().map(|g| g.game).collect();
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, game) in games.iter().enumerate() {
            places.entry(game.to_string()).or_default().push(at);
        }
        let mut removed = Vec::new();
        for game in gone {
            let places = places.get_mut(&game.to_string()).expect("a known game");
            removed.push(places.pop().expect("it is here often enough"));
        }
        removed.sort_unstable();
        for at in removed.into_iter().rev() {
            games.remove(at);
        }
        for game in games {
            self.add(game);
        }
    }

    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Every position, and some that no game has reached.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let unknown = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "k7/8/8/8/8/8/8/KQ6 b - - 0 1"];
        let unknown = unknown.map(|fen| fen.parse().expect("a FEN"));
        unknown.into_iter().chain(self.positions.iter().cloned())
    }

    fn matching(&self, position: &Position, filter: &Filter) -> Vec<(&Known, Option<Move>)> {
        let visits = self.visits.get(&position.key()).map_or(&[][..], Vec::as_slice);
        let games = visits.iter().map(|&(at, m)| (&self.games[at], m));
        games.filter(|(known, _)| known.meets(filter)).collect()
    }

    pub fn tallies(&self, position: &Position, filter: &Filter) -> Tallies {
        let found = self.matching(position, filter);
        let mut moves: Vec<Move> = found.iter().filter_map(|&(_, m)| m).collect();
        moves.sort_unstable();
        moves.dedup();
        let with = |m: Move| found.iter().filter(move |(_, played)| *played == Some(m));
        let mut moves: Vec<Tally> = moves
            .into_iter()
            .map(|m| Tally { m, score: score(with(m).map(|(known, _)| *known)) })
            .collect();
        moves.sort_by_key(|tally| (std::cmp::Reverse(tally.score.games), tally.m));
        Tallies { total: score(found.iter().map(|(known, _)| *known)), moves }
    }

    /// The values by which games are listed.
    pub fn values(
        &self,
        position: &Position,
        filter: &Filter,
        order: Order,
        page: Page,
    ) -> Vec<u32> {
        let found = self.matching(position, filter);
        let mut values: Vec<u32> = found
            .iter()
            .map(|(known, _)| match order {
                Order::Newest => date_value(known.date),
                Order::Strongest => strength(known.ratings()),
            })
            .collect();
        values.sort_unstable_by_key(|&value| std::cmp::Reverse(value));
        values.into_iter().skip(page.skip).take(page.count).collect()
    }
}

/// The value by which a game is listed.
pub fn value(game: &Listed, order: Order) -> u32 {
    match order {
        Order::Newest => date_value(game.date),
        Order::Strongest => strength(game.ratings.map(|rating| rating.map_or(0, u32::from))),
    }
}

fn date_value(date: Date) -> u32 {
    u32::from(date.year()) * 10_000 + u32::from(date.month()) * 100 + u32::from(date.day())
}

fn strength(ratings: [u32; 2]) -> u32 {
    let known: Vec<u32> = ratings.into_iter().filter(|&rating| rating > 0).collect();
    if known.is_empty() { 0 } else { known.iter().sum::<u32>() * 2 / known.len() as u32 }
}

fn score<'a>(games: impl Iterator<Item = &'a Known>) -> Score {
    let games: Vec<&Known> = games.collect();
    let of = |result: GameResult| {
        games.iter().filter(|known| known.game.result == result).count() as u64
    };
    let ratings: Vec<u32> =
        games.iter().flat_map(|known| known.ratings()).filter(|&rating| rating > 0).collect();
    Score {
        games: games.len() as u64,
        white_wins: of(GameResult::WhiteWins),
        draws: of(GameResult::Draw),
        black_wins: of(GameResult::BlackWins),
        ratings: Ratings {
            sum: ratings.iter().copied().map(u64::from).sum(),
            count: ratings.len() as u64,
        },
        last: games.iter().map(|known| known.date).max().unwrap_or_default(),
    }
}

impl Known {
    fn tag(&self, name: &str) -> &str {
        self.game.tags.get(name).unwrap_or("")
    }

    fn ratings(&self) -> [u32; 2] {
        ["WhiteElo", "BlackElo"].map(|name| self.tag(name).parse().unwrap_or(0))
    }

    fn is(&self, name: &str, side: Side) -> bool {
        let (white, black) = (self.tag("White") == name, self.tag("Black") == name);
        match side {
            Side::White => white,
            Side::Black => black,
            Side::Either => white || black,
        }
    }

    fn meets(&self, filter: &Filter) -> bool {
        let rating = strength(self.ratings());
        let dated = self.date != Date::UNKNOWN;
        let players = match (&filter.player, &filter.opponent) {
            (None, None) => true,
            (Some(Player { name, side }), None) => self.is(name, *side),
            (None, Some(name)) => self.is(name, Side::Either),
            (Some(Player { name, side }), Some(other)) => match side {
                Side::White => self.is(name, Side::White) && self.is(other, Side::Black),
                Side::Black => self.is(name, Side::Black) && self.is(other, Side::White),
                Side::Either => {
                    (self.is(name, Side::White) && self.is(other, Side::Black))
                        || (self.is(name, Side::Black) && self.is(other, Side::White))
                }
            },
        };
        filter.min_rating.is_none_or(|least| rating > 0 && rating >= 2 * u32::from(least))
            && filter.max_rating.is_none_or(|most| rating > 0 && rating <= 2 * u32::from(most))
            && filter.from.is_none_or(|from| dated && self.date >= from)
            && filter.to.is_none_or(|to| dated && self.date <= to.end())
            && (filter.results.is_empty() || filter.results.contains(&self.game.result))
            && (filter.speeds.is_empty() || self.speed.is_some_and(|s| filter.speeds.contains(&s)))
            && filter.time_control.as_ref().is_none_or(|text| self.tag("TimeControl") == text)
            && players
    }
}

/// Filters of every kind; the first is empty.
pub fn filters(by_hand: &ByHand) -> Vec<Filter> {
    let date = |text: &str| Some(text.parse().expect("a date"));
    let any = Filter::default;
    // A pair of players that has played.
    let some = &by_hand.games[by_hand.games.len() / 2];
    let (white, black) = (some.tag("White").to_owned(), some.tag("Black").to_owned());
    let player = |name: &str, side| Some(Player { name: name.to_owned(), side });
    let frequent = by_hand.games.iter().map(|known| known.tag("White")).max_by_key(|&name| {
        by_hand.games.iter().filter(|known| known.is(name, Side::Either)).count()
    });
    let frequent = frequent.expect("there are games").to_owned();
    vec![
        any(),
        Filter { min_rating: Some(1700), ..any() },
        Filter { max_rating: Some(1600), ..any() },
        Filter { min_rating: Some(1500), max_rating: Some(1800), ..any() },
        Filter { from: date("2019.06.15"), ..any() },
        Filter { to: date("2018"), ..any() },
        Filter { from: date("2017"), to: date("2020.03"), ..any() },
        Filter { results: vec![GameResult::Draw], ..any() },
        Filter { results: vec![GameResult::WhiteWins, GameResult::Unknown], ..any() },
        Filter { speeds: vec![Speed::Blitz, Speed::Bullet], ..any() },
        Filter { time_control: Some("300+3".to_owned()), ..any() },
        Filter { time_control: Some("301+3".to_owned()), ..any() },
        Filter { player: player(&frequent, Side::White), ..any() },
        Filter { player: player(&frequent, Side::Black), ..any() },
        Filter { player: player(&frequent, Side::Either), ..any() },
        Filter { player: player("No such player", Side::Either), ..any() },
        Filter { player: player(&white, Side::White), opponent: Some(black.clone()), ..any() },
        Filter { player: player(&white, Side::Either), opponent: Some(black.clone()), ..any() },
        Filter { opponent: Some(black), ..any() },
        Filter {
            player: player("Nobody", Side::Either),
            opponent: Some("Nobody".to_owned()),
            ..any()
        },
        Filter {
            min_rating: Some(1500),
            from: date("2016"),
            results: vec![GameResult::WhiteWins, GameResult::BlackWins],
            speeds: vec![Speed::Rapid, Speed::Blitz],
            player: player(&frequent, Side::Either),
            ..any()
        },
    ]
}
