//! The results so far.

use chess::Color;
use game::GameResult;
use serde::{Deserialize, Serialize};

use super::playing::{Ending, in_words};
use super::{Fault, Played, Tournament};
use crate::elo::{Pairs, Tally};

/// A game that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedGame", into = "SavedGame")]
pub struct FinishedGame {
    /// The result.
    pub result: GameResult,
    /// How it ended, in a word or two.
    pub ending: String,
    /// Plies, including the opening.
    pub plies: usize,
    /// The side at fault and its fault.
    pub fault: Option<(Color, Fault)>,
}

/// Two games from the same opening; the first contestant of the pairing is White in the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedPair {
    /// The number of the pair in the plan.
    pub index: usize,
    /// The two games.
    pub games: [FinishedGame; 2],
}

/// The form in files.
#[derive(Serialize, Deserialize)]
struct SavedGame {
    result: String,
    ending: String,
    plies: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl From<FinishedGame> for SavedGame {
    fn from(game: FinishedGame) -> Self {
        let fault = game.fault.map(|(color, fault)| format!("{}: {}", color.name(), fault.name()));
        Self {
            result: game.result.as_str().to_owned(),
            ending: game.ending,
            plies: game.plies,
            fault,
        }
    }
}

impl TryFrom<SavedGame> for FinishedGame {
    type Error = String;

    fn try_from(saved: SavedGame) -> Result<Self, String> {
        let result = GameResult::from_text(saved.result.as_bytes())
            .filter(|result| *result != GameResult::Unknown)
            .ok_or_else(|| format!("`{}` is not the result of a game", saved.result))?;
        let fault = saved.fault.map(|text| {
            let (color, name) = text.split_once(": ")?;
            let color = Color::ALL.into_iter().find(|known| known.name() == color)?;
            Some((color, Fault::ALL.into_iter().find(|known| known.name() == name)?))
        });
        let fault = match fault {
            Some(None) => return Err("unknown fault".to_owned()),
            Some(some) => some,
            None => None,
        };
        Ok(Self { result, ending: saved.ending, plies: saved.plies, fault })
    }
}

impl From<&Played> for FinishedGame {
    fn from(played: &Played) -> Self {
        let fault = match played.ending {
            Ending::Fault { by, fault, .. } => Some((by, fault)),
            _ => None,
        };
        Self {
            result: played.ending.result(),
            ending: in_words(&played.ending).to_owned(),
            plies: played.line.len(),
            fault,
        }
    }
}

/// An engine's faults.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "self-explanatory")]
pub struct Faults {
    pub crashes: u64,
    pub time_losses: u64,
    pub illegal_moves: u64,
    pub hangs: u64,
}

impl Faults {
    /// The sum.
    pub const fn total(&self) -> u64 {
        self.crashes + self.time_losses + self.illegal_moves + self.hangs
    }

    fn add(&mut self, fault: Fault) {
        match fault {
            Fault::Crash => self.crashes += 1,
            Fault::TimeLoss => self.time_losses += 1,
            Fault::IllegalMove => self.illegal_moves += 1,
            Fault::Hang => self.hangs += 1,
        }
    }
}

/// The results of two contestants against each other, from the first one's point of view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// The contestants, by index.
    pub contestants: [usize; 2],
    /// All games.
    pub games: Tally,
    /// The games in which the first one was White.
    pub as_white: Tally,
    /// The pairs.
    pub pairs: Pairs,
}

/// The results so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// By pairing, in the order of the plan.
    pub pairings: Vec<Pairing>,
    /// By contestant.
    pub faults: Vec<Faults>,
    /// Number of games by ending.
    pub endings: std::collections::BTreeMap<String, u64>,
}

impl Standings {
    /// A table without results.
    pub fn new(tournament: &Tournament) -> Self {
        let pairing = |contestants| Pairing { contestants, ..Pairing::default() };
        Self {
            pairings: tournament.pairings().into_iter().map(pairing).collect(),
            faults: vec![Faults::default(); tournament.contestants.len()],
            endings: std::collections::BTreeMap::new(),
        }
    }

    /// Counts a pair of games.
    pub fn add(&mut self, pair: &FinishedPair) {
        let place = pair.index % self.pairings.len();
        let pairing = &mut self.pairings[place];
        let mut points = 0;
        for (i, game) in pair.games.iter().enumerate() {
            let first_is_white = i == 0;
            let mut tally = Tally::default();
            match (game.result, first_is_white) {
                (GameResult::WhiteWins, true) | (GameResult::BlackWins, false) => tally.wins = 1,
                (GameResult::WhiteWins, false) | (GameResult::BlackWins, true) => tally.losses = 1,
                _ => tally.draws = 1,
            }
            points += 2 * tally.wins + tally.draws;
            pairing.games += tally;
            if first_is_white {
                pairing.as_white += tally;
            }
            if let Some((color, fault)) = game.fault {
                let second = (color == Color::White) != first_is_white;
                self.faults[pairing.contestants[usize::from(second)]].add(fault);
            }
            *self.endings.entry(game.ending.clone()).or_default() += 1;
        }
        pairing.pairs.0[points as usize] += 1;
    }

    /// Number of games played.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.games.games()).sum()
    }

    /// The results of a contestant against all others.
    pub fn of(&self, contestant: usize) -> (Tally, Pairs) {
        let (mut games, mut pairs) = (Tally::default(), Pairs::default());
        for pairing in &self.pairings {
            if pairing.contestants[0] == contestant {
                games += pairing.games;
                pairs += pairing.pairs;
            } else if pairing.contestants[1] == contestant {
                games += pairing.games.reversed();
                pairs += pairing.pairs.reversed();
            }
        }
        (games, pairs)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn game(result: GameResult) -> FinishedGame {
        FinishedGame { result, ending: "mate".to_owned(), plies: 40, fault: None }
    }

    fn standings(contestants: &[[usize; 2]], engines: usize) -> Standings {
        Standings {
            pairings: contestants
                .iter()
                .map(|&contestants| Pairing { contestants, ..Pairing::default() })
                .collect(),
            faults: vec![Faults::default(); engines],
            endings: std::collections::BTreeMap::new(),
        }
    }

    #[test]
    fn a_pair_is_counted_from_the_first_ones_side() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let mut table = standings(&[[0, 1]], 2);
        // Won both, then won with White and drew, then lost both.
        for (index, results) in [[WhiteWins, BlackWins], [WhiteWins, Draw], [BlackWins, WhiteWins]]
            .into_iter()
            .enumerate()
        {
            table.add(&FinishedPair { index, games: results.map(game) });
        }
        let only = &table.pairings[0];
        assert_eq!(only.games, Tally { wins: 3, draws: 1, losses: 2 });
        assert_eq!(only.as_white, Tally { wins: 2, draws: 0, losses: 1 });
        assert_eq!(only.pairs, Pairs([1, 0, 0, 1, 1]));
        assert_eq!(table.of(1), (Tally { wins: 2, draws: 1, losses: 3 }, Pairs([1, 1, 0, 0, 1])));
        assert_eq!((table.games(), table.endings["mate"]), (6, 6));
    }

    #[test]
    fn faults_are_counted_for_who_made_them() {
        let mut table = standings(&[[0, 1], [0, 2]], 3);
        let lost = |color, fault| FinishedGame {
            fault: Some((color, fault)),
            ..game(if color == Color::White {
                GameResult::BlackWins
            } else {
                GameResult::WhiteWins
            })
        };
        // Colors are swapped in the second game of a pair: all these are the second one's.
        let games = [lost(Color::Black, Fault::Crash), lost(Color::White, Fault::TimeLoss)];
        table.add(&FinishedPair { index: 1, games });
        assert_eq!(table.faults[2], Faults { crashes: 1, time_losses: 1, ..Faults::default() });
        assert_eq!(table.faults[0].total() + table.faults[1].total(), 0);
        assert_eq!(table.pairings[1].pairs, Pairs([0, 0, 0, 0, 1]));
    }

    #[test]
    fn games_survive_a_file() {
        for fault in Fault::ALL {
            let saved =
                FinishedGame { fault: Some((Color::Black, fault)), ..game(GameResult::Draw) };
            let text = serde_json::to_string(&saved).expect("text");
            assert_eq!(serde_json::from_str::<FinishedGame>(&text).expect("the same"), saved);
        }
        for bad in [
            r#"{"result":"*","ending":"","plies":1}"#,
            r#"{"result":"1-0","ending":"","plies":-1}"#,
            r#"{"result":"1-0","ending":"","plies":1,"fault":"White: sleep"}"#,
            r#"{"result":"1-0","ending":"","plies":1,"fault":"crash"}"#,
        ] {
            assert!(serde_json::from_str::<FinishedGame>(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn every_pair_counts_two_games(results in proptest::collection::vec(0usize..9, 1..50)) {
            use GameResult::{BlackWins, Draw, WhiteWins};
            let mut table = standings(&[[0, 1]], 2);
            for (index, code) in results.iter().enumerate() {
                let of = |i: usize| game([WhiteWins, Draw, BlackWins][i]);
                table.add(&FinishedPair { index, games: [of(code / 3), of(code % 3)] });
            }
            let (games, pairs) = table.of(0);
            prop_assert_eq!(games.games(), 2 * results.len() as u64);
            prop_assert_eq!(pairs.count(), results.len() as u64);
            prop_assert!((pairs.sample().mean - games.sample().mean).abs() < 1e-12);
        }
    }
}
