//! When a game is stopped because its result is known.

use chess::Color;
use nnue::data::{Ending, PackedScore};

/// When a game is stopped because its result is known.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// A mate that is announced wins at once.
    pub believe_mates: bool,
    /// A score at least this good, move after move, wins.
    pub win_score: i16,
    /// So many moves.
    pub win_plies: usize,
    /// A score at most this far from even, move after move, draws.
    pub draw_score: i16,
    /// So many moves.
    pub draw_plies: usize,
    /// But not before so many moves of the game.
    pub draw_from: usize,
    /// A game of so many moves is a draw.
    pub longest: usize,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self {
            believe_mates: true,
            win_score: 2000,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 12,
            draw_from: 80,
            longest: 400,
        }
    }
}

impl Adjudication {
    /// Only games without end are stopped.
    pub fn never() -> Self {
        Self {
            believe_mates: false,
            win_plies: usize::MAX,
            draw_plies: usize::MAX,
            ..Self::default()
        }
    }

    /// Who has won and why, if the scores (White's view) say so after `plies` moves.
    pub fn judge(&self, scores: &[PackedScore], plies: usize) -> Option<(Option<Color>, Ending)> {
        let last = *scores.last()?;
        let side = if last.value() > 0 { Color::White } else { Color::Black };
        let same_for = |count: usize, holds: &dyn Fn(i16) -> bool| {
            count > 0
                && scores.len() >= count
                && scores[scores.len() - count..].iter().all(|score| holds(score.value()))
        };
        let winning = |score: i16| {
            score.unsigned_abs() >= self.win_score.unsigned_abs()
                && (score > 0) == (last.value() > 0)
        };
        let even = |score: i16| score.unsigned_abs() <= self.draw_score.unsigned_abs();
        if self.believe_mates && last.is_mate() || same_for(self.win_plies, &winning) {
            Some((Some(side), Ending::WinAdjudicated))
        } else if plies >= self.draw_from && same_for(self.draw_plies, &even) {
            Some((None, Ending::DrawAdjudicated))
        } else if plies >= self.longest {
            Some((None, Ending::TooLong))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(scores: &[i32], plies: usize) -> Option<(Option<Color>, Ending)> {
        let scores: Vec<_> = scores.iter().map(|&cp| PackedScore::cp(cp)).collect();
        Adjudication::default().judge(&scores, plies)
    }

    #[test]
    fn a_lasting_advantage_wins() {
        let white = Some((Some(Color::White), Ending::WinAdjudicated));
        let black = Some((Some(Color::Black), Ending::WinAdjudicated));
        assert_eq!(judge(&[100, 2000, 2100, 2500, 3000], 30), white);
        assert_eq!(judge(&[-2000, -2100, -2500, -3000], 30), black);
        assert_eq!(judge(&[2000, 2100, 2500], 30), None);
        assert_eq!(judge(&[2000, 2100, 1999, 2500], 30), None);
        assert_eq!(judge(&[2000, 2100, -2500, 2500], 30), None);
        let mate = [PackedScore::mate(-6)];
        assert_eq!(Adjudication::default().judge(&mate, 9), black);
    }

    #[test]
    fn a_lasting_balance_draws_late_in_the_game() {
        let draw = Some((None, Ending::DrawAdjudicated));
        assert_eq!(judge(&[-8, 8, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], 80), draw);
        assert_eq!(judge(&[-8, 8, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], 79), None);
        assert_eq!(judge(&[-8, 9, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], 80), None);
        assert_eq!(judge(&[8; 11], 80), None);
        assert_eq!(judge(&[300], 400), Some((None, Ending::TooLong)));
        assert_eq!(judge(&[300], 399), None);
        assert_eq!(judge(&[], 500), None);
    }
}
