//! How our engine answers a question: the book, then the search.

use chess::{Line, Move};

use crate::book::Pick;
use crate::handicap::Handicap;
use crate::search::{Equipment, Outcome, RootMove, Task, search};
use crate::tablebase::Tablebases;
use crate::time::Timer;
use crate::{AnalystError, Dice, Engine, Question, Report, Score, Stop, Strength, Verdict};

impl Engine {
    /// Answers a question, and reports to `listener`, if there is one.
    pub(crate) fn answer(
        &mut self,
        question: &Question,
        stop: &Stop,
        mut listener: Option<&mut dyn FnMut(Report)>,
    ) -> Result<Verdict, AnalystError> {
        let Question { line, limits, .. } = question;
        let clock = self.host.clock;
        let timer = Timer::new(limits, &self.options, &self.effective, line.position(), clock);
        if let Some(best) = self.book_move(question) {
            return Ok(Verdict { best, ponder: None, lines: Vec::new(), time: timer.elapsed() });
        }
        // A player of limited strength doesn't use tablebases.
        let allowed = question.tablebases && question.strength == Strength::Full;
        let tablebases = self.tablebases.as_ref().filter(|_| allowed);
        let mut root = root_moves(tablebases, question);
        if root.is_empty() {
            return Err(AnalystError::NoLegalMove);
        }
        let game_seed = question.seed.map_or(self.game_seed, |seed| seeded(seed).0);
        let (mind, handicap) = match question.strength {
            Strength::Full => (&mut self.full, None),
            Strength::Elo(elo) => {
                let mind = self.limited.mind(elo, question.seed.is_some(), &self.knowledge);
                let no_memory =
                    || AnalystError::Unable("no memory for a limited player".to_owned());
                (mind.ok_or_else(no_memory)?, Some(Handicap::of(elo, game_seed)))
            }
        };
        if let Some(handicap) = &handicap {
            narrow(&mut root, line, handicap);
        }
        let limits = &handicap.map_or(*limits, |player| player.limits(line.position(), limits));
        let threads = mind.threads.len();
        let for_mates = limits.mate.map(|_| self.effective.for_mates());
        let equipment = Equipment {
            table: &mind.table,
            tablebases,
            params: for_mates.as_ref().unwrap_or(&self.effective),
            handicap: handicap.as_ref(),
            threads: &mut mind.threads,
        };
        let mut told: Vec<Report> = Vec::new();
        let mut remember = listener.as_mut().map(|report| {
            |latest: Report| {
                if latest.multi_pv == 1 {
                    told.clear();
                }
                told.push(latest.clone());
                report(latest);
            }
        });
        let remember = remember.as_mut().map(|report| report as &mut dyn FnMut(Report));
        let lines = question.lines.clamp(1, root.len());
        let last_value = mind.last_value;
        let task = Task { line, root: &root, lines, limits, stop, timer: &timer, last_value };
        let Outcome { lines, missing } = search(equipment, task, remember);
        if missing > 0 {
            let message = format!("{missing} of {threads} threads could not be started");
            self.messages.push(message);
        }
        // An interrupted iteration, or another thread, may have found something new: the last
        // reports must match the verdict.
        if let Some(report) = listener
            && !told.iter().map(Report::statement).eq(lines.iter().map(Report::statement))
        {
            lines.iter().cloned().for_each(report);
        }
        mind.last_value = match lines[0].score {
            Score::Cp(value) => Some(value),
            Score::Mate(_) => None,
        };
        let pv = &lines[0].pv;
        Ok(Verdict { best: pv[0], ponder: pv.get(1).copied(), lines, time: timer.elapsed() })
    }

    /// A book move, if the question allows it.
    fn book_move(&mut self, question: &Question) -> Option<Move> {
        let book = self.book.as_ref().filter(|_| question.book)?;
        let mut own = question.seed.map(|seed| seeded(seed).1);
        let dice = own.as_mut().unwrap_or(&mut self.dice);
        let m = book.choose(question.position(), Pick::Weighted, dice)?;
        question.considers(m).then_some(m)
    }
}

/// The seed of a limited player's errors, and dice for everything else.
const fn seeded(seed: u64) -> (u64, Dice) {
    let mut dice = Dice::new(seed);
    (dice.roll(), dice)
}

/// The moves to choose from, ranked by tablebases if they cover the position.
fn root_moves(tablebases: Option<&Tablebases>, question: &Question) -> Vec<RootMove> {
    let ranked = tablebases.and_then(|tables| tables.probe_root(&question.line).ok());
    let moves: Vec<RootMove> = match ranked {
        Some(ranked) => ranked.iter().map(RootMove::from).collect(),
        None => question.position().legal_moves().iter().map(|&m| RootMove::new(m)).collect(),
    };
    moves.into_iter().filter(|root| question.considers(root.m)).collect()
}

/// Keeps the moves that a limited player sees, and at least one.
fn narrow(root: &mut Vec<RootMove>, line: &Line, handicap: &Handicap) {
    if line.position().is_check() {
        return;
    }
    let last = line.moves().last();
    let seen: Vec<RootMove> = root
        .iter()
        .filter(|root| !handicap.overlooks(line.position(), root.m, last))
        .cloned()
        .collect();
    if !seen.is_empty() {
        *root = seen;
    }
}
