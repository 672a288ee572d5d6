//! The plan of a tournament: pairings, number of games, openings.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::tablebase::Tablebases;

use super::Contestant;
use crate::adjudication::Adjudication;
use crate::openings::OpeningSuite;
use crate::sprt::Sprt;

/// The pairings.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Everyone plays everyone.
    #[default]
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
}

/// The plan of a tournament.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The contestants; at least two.
    pub contestants: Vec<Contestant>,
    /// The pairings.
    pub format: Format,
    /// Game pairs per pairing.
    pub rounds: usize,
    /// Where the games start.
    pub openings: OpeningSuite,
    /// Concurrent games.
    pub concurrency: usize,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// How far a clock may be overstepped.
    pub margin: Duration,
    /// Tablebases that adjudicate games.
    pub tablebases: Option<Arc<Tablebases>>,
    /// The SPRT that ends the match, for the first two contestants.
    pub sprt: Option<Sprt>,
    /// The PGN event name.
    pub event: String,
    /// The file to append games to.
    pub pgn: Option<PathBuf>,
    /// The state file for resuming the match.
    pub state: Option<PathBuf>,
}

impl Tournament {
    /// The pairings, by contestant index.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.contestants.len();
        let first = match self.format {
            Format::RoundRobin => count,
            Format::Gauntlet => count.min(1),
        };
        (0..first).flat_map(|a| (a + 1..count).map(move |b| [a, b])).collect()
    }

    /// Total number of game pairs.
    pub fn pairs(&self) -> usize {
        self.pairings().len() * self.rounds
    }

    /// Everything that affects results, so that a match isn't resumed as a different one. The
    /// number of rounds may grow.
    pub fn description(&self) -> String {
        let contestants: Vec<String> = self.contestants.iter().map(ToString::to_string).collect();
        format!(
            "{:?}; {}; openings {:016x}; {:?}; margin {} ms; tables {}; {:?}",
            self.format,
            contestants.join("; "),
            self.openings.fingerprint(),
            self.adjudication,
            self.margin.as_millis(),
            self.tablebases.as_ref().map_or(0, |tables| tables.men()),
            self.sprt,
        )
    }

    /// Makes names unique: the second `Riga` becomes `Riga #2`.
    pub fn tell_names_apart(&mut self) {
        for i in 1..self.contestants.len() {
            let (before, rest) = self.contestants.split_at_mut(i);
            let plain = rest[0].name.clone();
            let mut number = 2;
            while before.iter().any(|other| other.name == rest[0].name) {
                rest[0].name = format!("{plain} #{number}");
                number += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Control;

    fn tournament(names: &[&str], format: Format) -> Tournament {
        let control = Control { depth: Some(1), ..Control::default() };
        let contestant = |name: &&str| {
            Contestant::parse(&format!("cmd=self,name={name}"), &control).expect("a contestant")
        };
        Tournament {
            contestants: names.iter().map(contestant).collect(),
            format,
            rounds: 3,
            openings: OpeningSuite::default(),
            concurrency: 1,
            adjudication: Adjudication::default(),
            margin: Duration::ZERO,
            tablebases: None,
            sprt: None,
            event: String::new(),
            pgn: None,
            state: None,
        }
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_all_others() {
        let names = ["a", "b", "c", "d"];
        let all = tournament(&names, Format::RoundRobin);
        assert_eq!(all.pairings(), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(all.pairs(), 18);
        let gauntlet = tournament(&names, Format::Gauntlet);
        assert_eq!(gauntlet.pairings(), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn equal_names_are_told_apart() {
        let mut same = tournament(&["a", "a", "a #2", "a"], Format::RoundRobin);
        same.tell_names_apart();
        let names: Vec<&str> = same.contestants.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a", "a #2", "a #2 #2", "a #3"]);
    }

    #[test]
    fn another_plan_has_another_description() {
        let plan = tournament(&["a", "b"], Format::RoundRobin);
        assert_eq!(plan.description(), Tournament { rounds: 9, ..plan.clone() }.description());
        let other = Tournament { margin: Duration::from_millis(1), ..plan.clone() };
        assert_ne!(plan.description(), other.description());
        assert_ne!(plan.description(), tournament(&["a", "c"], Format::RoundRobin).description());
    }
}
