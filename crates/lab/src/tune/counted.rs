//! Coefficients of positions, packed: a few million of them fit into two gigabytes.

use engine::eval::{Coefficients, Count};

use super::Judged;

/// One position: where its coefficients are, and how they make a score.
#[derive(Copy, Clone, Debug)]
pub struct Record {
    start: usize,
    /// Number of coefficients: linear, danger to White, danger to Black, complexity.
    lengths: [u8; 4],
    /// Game phase: 24 in the opening, 0 in a pawn ending.
    pub phase: u8,
    /// Scale of the endgame score, out of 64, if White is better and if Black is.
    pub scales: [u8; 2],
    /// The game's result for White.
    pub result: f32,
    /// The search score, in centipawns for White.
    pub score: Option<i16>,
}

/// The coefficients of one position, by kind.
#[derive(Copy, Clone, Debug)]
pub struct Counts<'a> {
    pub linear: &'a [Count],
    pub dangers: [&'a [Count]; 2],
    pub complexity: &'a [Count],
}

/// All training positions.
#[derive(Debug, Default)]
pub struct Counted {
    counts: Vec<Count>,
    pub records: Vec<Record>,
    /// Positions that don't depend on the weights.
    pub skipped: u64,
}

impl Counted {
    /// Adds a position, unless it is in check or its value doesn't come from the weights.
    pub fn push(&mut self, judged: &Judged) {
        if judged.position.is_check() {
            self.skipped += 1;
            return;
        }
        let coefficients = Coefficients::of(&judged.position);
        let Coefficients { linear, dangers, complexity, balance } = &coefficients;
        if balance.ending != 0 || balance.scales == [0; 2] || linear.len() > 255 {
            self.skipped += 1;
            return;
        }
        let lists = [linear, &dangers[0], &dangers[1], complexity];
        self.records.push(Record {
            start: self.counts.len(),
            lengths: lists.map(|list| list.len() as u8),
            phase: balance.phase as u8,
            scales: balance.scales.map(|scale| scale as u8),
            result: judged.result,
            score: judged.score.map(|score| score.clamp(-30_000, 30_000) as i16),
        });
        for list in lists {
            self.counts.extend_from_slice(list);
        }
    }

    /// The coefficients of a position.
    pub fn counts(&self, record: &Record) -> Counts<'_> {
        let mut rest = &self.counts[record.start..];
        let mut take = |length: u8| {
            let (list, others) = rest.split_at(usize::from(length));
            rest = others;
            list
        };
        let [linear, white, black, complexity] = record.lengths;
        Counts {
            linear: take(linear),
            dangers: [take(white), take(black)],
            complexity: take(complexity),
        }
    }
}
