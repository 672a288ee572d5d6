//! Test games from a seed, with the shape of real ones: popular openings, transpositions, branching that makes most
//! positions unique, the lengths and tags of games played online.
//!
//! The moves are nonsense after the opening, and legal.

use std::collections::HashMap;
use std::io::{self, Write};

use chess::{Color, Move, Position};
use game::{Opening, Openings};

/// Games made from a seed. The same seed and number give the same game.
#[derive(Debug)]
pub struct Sample {
    seed: u64,
    players: u64,
    /// Whether each move has a comment with the clock.
    pub clocks: bool,
    /// Whether games were played in one of a few towns. If not, each has an address of its own.
    pub towns: bool,
    openings: Openings,
    /// The moves of the opening table by position, with the number of lines that go on with each.
    book: HashMap<u64, Vec<(Move, u32)>>,
}

/// The most players: SCID has room for a few more.
const PLAYERS: u64 = 1_000_000;
/// Towns with tournaments.
const TOWNS: u64 = 2000;
/// Plies after which moves are chosen at random.
const STRUCTURED: usize = 34;
/// Out of a hundred: how often a player stays in the opening table.
const IN_BOOK: u64 = 93;
/// Out of a hundred: how often the favourite move is played, and each next one of those that are
/// left.
const FAVOURITE: u64 = 62;

impl Sample {
    /// Games for a collection of about `games`, which determines the number of players.
    pub fn new(seed: u64, games: u64) -> Self {
        let mut book: HashMap<u64, Vec<(Move, u32)>> = HashMap::new();
        for Opening { moves, .. } in Openings::table() {
            let mut position = Position::default();
            for text in moves.split(' ') {
                let m = position.parse_san(text).expect("the table has legal moves");
                let known = book.entry(position.key()).or_default();
                match known.iter_mut().find(|(other, _)| *other == m) {
                    Some((_, count)) => *count += 1,
                    None => known.push((m, 1)),
                }
                position.play_unchecked(m);
            }
        }
        let players = (games / 8).clamp(20, PLAYERS);
        Self { seed, players, clocks: false, towns: false, openings: Openings::new(), book }
    }

    /// Writes some games as PGN.
    pub fn write(&self, numbers: std::ops::Range<u64>, out: &mut impl Write) -> io::Result<()> {
        numbers.into_iter().try_for_each(|number| self.write_game(number, out))
    }

    fn write_game(&self, number: u64, out: &mut impl Write) -> io::Result<()> {
        let mut dice = Dice(mix(self.seed ^ mix(number)));
        let length = 12 + (0..3).map(|_| dice.below(50)).sum::<u64>() as usize;
        let moves = self.moves(length, &mut dice);
        let mut position = Position::default();
        let mut opening = None;
        let mut text = Vec::with_capacity(1024);
        let base: u64 = [180, 300, 600, 60, 180, 900][dice.below(6) as usize];
        let increment: u64 = [0, 0, 2, 3][dice.below(4) as usize];
        let mut clocks = [base; 2];
        for &m in &moves {
            if position.turn() == Color::White {
                write!(text, "{}. ", position.fullmoves())?;
            }
            write!(text, "{} ", position.san(m))?;
            if self.clocks {
                let clock = &mut clocks[position.turn().index()];
                *clock = (*clock + increment).saturating_sub(dice.below(*clock / 30 + 2));
                write!(
                    text,
                    "{{ [%clk {}:{:02}:{:02}] }} ",
                    *clock / 3600,
                    *clock / 60 % 60,
                    *clock % 60
                )?;
                if position.turn() == Color::White {
                    write!(text, "{}... ", position.fullmoves())?;
                }
            }
            position.play_unchecked(m);
            opening = self.openings.name(&position).or(opening);
        }
        let result = match position.outcome() {
            Some(outcome) => game::GameResult::from(outcome).as_str(),
            None => {
                ["1-0", "1-0", "0-1", "0-1", "1-0", "0-1", "1-0", "1/2-1/2"][dice.below(8) as usize]
            }
        };
        let day = dice.below(28) + 1;
        let (month, year) = (dice.below(12) + 1, 2015 + dice.below(10));
        let rating = |dice: &mut Dice| 700 + (0..3).map(|_| dice.below(640)).sum::<u64>();
        let (white, black) = (self.player(&mut dice), self.player(&mut dice));
        let speed = match base + 40 * increment {
            ..180 => "Bullet",
            180..480 => "Blitz",
            _ => "Rapid",
        };
        writeln!(out, "[Event \"Rated {speed} game\"]")?;
        if self.towns {
            write!(out, "[Site \"Town {}\"]", dice.below(TOWNS))?;
        } else {
            write!(out, "[Site \"https://lichess.org/")?;
            for _ in 0..8 {
                let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
                out.write_all(&[letters[dice.below(62) as usize]])?;
            }
            write!(out, "\"]")?;
        }
        writeln!(out, "\n[Date \"{year}.{month:02}.{day:02}\"]\n[Round \"-\"]")?;
        writeln!(out, "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]")?;
        writeln!(out, "[UTCDate \"{year}.{month:02}.{day:02}\"]")?;
        let second = dice.below(86_400);
        let (hour, minute) = (second / 3600, second / 60 % 60);
        writeln!(out, "[UTCTime \"{hour:02}:{minute:02}:{:02}\"]", second % 60)?;
        writeln!(
            out,
            "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]",
            rating(&mut dice),
            rating(&mut dice)
        )?;
        writeln!(out, "[WhiteRatingDiff \"{:+}\"]", dice.below(17) as i64 - 8)?;
        writeln!(out, "[BlackRatingDiff \"{:+}\"]", dice.below(17) as i64 - 8)?;
        if let Some(Opening { eco, name, .. }) = opening {
            writeln!(out, "[ECO \"{eco}\"]\n[Opening \"{name}\"]")?;
        }
        let ending = ["Normal", "Normal", "Time forfeit"][dice.below(3) as usize];
        writeln!(out, "[TimeControl \"{base}+{increment}\"]\n[Termination \"{ending}\"]\n")?;
        out.write_all(&text)?;
        writeln!(out, "{result}\n")
    }

    /// The name of a player; some play much more than others.
    fn player(&self, dice: &mut Dice) -> String {
        let number = dice.below(self.players) * dice.below(self.players) / self.players;
        let syllables = ["ka", "to", "ri", "mu", "sen", "lo", "va", "chi", "del", "or"];
        let mut name = String::new();
        let mut rest = mix(number) | 1 << 60;
        for _ in 0..3 {
            name.push_str(syllables[(rest % 10) as usize]);
            rest /= 10;
        }
        format!("{name}{number}")
    }

    fn moves(&self, length: usize, dice: &mut Dice) -> Vec<Move> {
        let mut position = Position::default();
        let mut moves = Vec::with_capacity(length);
        let mut in_book = true;
        while moves.len() < length && position.outcome().is_none() {
            in_book = in_book && dice.below(100) < IN_BOOK;
            let m = match self.book.get(&position.key()).filter(|_| in_book) {
                Some(known) => by_weight(known, dice),
                None if moves.len() < STRUCTURED => {
                    let before = moves.len().checked_sub(2).map(|at| moves[at]);
                    favourite(&position, before, dice)
                }
                None => {
                    let legal = position.legal_moves();
                    legal[dice.below(legal.len() as u64) as usize]
                }
            };
            moves.push(m);
            position.play_unchecked(m);
        }
        moves
    }
}

/// A move of the table; popular lines are played more often than there are names for them.
fn by_weight(known: &[(Move, u32)], dice: &mut Dice) -> Move {
    let weight = |count: u32| u64::from(count) * u64::from(count);
    let mut rest = dice.below(known.iter().map(|&(_, count)| weight(count)).sum());
    for &(m, count) in known {
        if rest < weight(count) {
            return m;
        }
        rest -= weight(count);
    }
    known[0].0
}

/// A move in an order of preference that doesn't depend on the position: players agree on what is good, and play it in
/// different orders, which makes as many transpositions as there are in real games. `before` is the player's last
/// move, which is not taken back.
fn favourite(position: &Position, before: Option<Move>, dice: &mut Dice) -> Move {
    let mut legal = position.legal_moves();
    let goes_back = |m: Move| before.is_some_and(|b| (m.from(), m.to()) == (b.to(), b.from()));
    legal.sort_unstable_by_key(|&m| (goes_back(m), mix(u64::from(m.to_bits()))));
    let place = (0..legal.len()).find(|_| dice.below(100) < FAVOURITE).unwrap_or(0);
    legal[place]
}

/// The `SplitMix64` generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mix(self.0)) * u128::from(end)) >> 64) as u64
    }
}

const fn mix(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pgn::Reader;

    #[test]
    fn games_are_legal_repeatable_and_as_long_as_real_ones() {
        let sample = Sample::new(7, 1000);
        let mut text = Vec::new();
        sample.write(0..1000, &mut text).expect("memory takes all");
        let mut again = Vec::new();
        sample.write(500..1000, &mut again).expect("memory takes all");
        assert!(text.ends_with(&again));
        let mut games = Reader::new(&text[..]).games();
        let (mut count, mut plies) = (0, 0);
        while let Some(game) = games.next() {
            plies += game.expect("a legal game").line().len();
            count += 1;
            assert!(games.remarks().is_empty(), "{:?}", games.remarks());
        }
        assert_eq!(count, 1000);
        assert!((76..=92).contains(&(plies / count)), "{} plies", plies / count);
    }

    #[test]
    fn games_in_towns_have_few_sites() {
        let sample = Sample { towns: true, ..Sample::new(7, 1000) };
        let mut text = Vec::new();
        sample.write(0..3000, &mut text).expect("memory takes all");
        let text = String::from_utf8(text).expect("plain text");
        let sites: Vec<&str> = text.lines().filter(|line| line.starts_with("[Site ")).collect();
        let different: std::collections::HashSet<_> = sites.iter().collect();
        assert_eq!(sites.len(), 3000);
        assert!(different.len() as u64 <= TOWNS, "{} sites", different.len());
    }
}
