//! When a self-play game is ended because its result is clear.

use chess::Color;
use nnue::data::{Ending, PackedScore};

/// When a self-play game is ended because its result is clear.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// A mate score wins at once.
    pub believe_mates: bool,
    /// A winning score, if it lasts for `win_plies`.
    pub win_score: i16,
    /// Plies in a row with a winning score to end a game.
    pub win_plies: usize,
    /// A score at most this far from zero is a draw, if it lasts for `draw_plies`.
    pub draw_score: i16,
    /// Plies in a row with a drawn score to end a game.
    pub draw_plies: usize,
    /// No draws before this ply of the game.
    pub draw_from: usize,
    /// A game of this many plies of its own is a draw.
    pub longest: usize,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self {
            believe_mates: true,
            win_score: 1200,
            win_plies: 4,
            draw_score: 8,
            draw_plies: 12,
            draw_from: 80,
            longest: 400,
        }
    }
}

impl Adjudication {
    /// Only endless games are ended.
    pub fn never() -> Self {
        Self { draw_plies: usize::MAX, ..Self::default() }.without_wins()
    }

    /// The same without wins: they are played out.
    pub const fn without_wins(self) -> Self {
        Self { believe_mates: false, win_plies: usize::MAX, ..self }
    }

    /// The winner and the reason, if the scores (from White's point of view) decide the game. The
    /// game has `length` moves; its position is at `ply`, which is more if the game branched from
    /// another.
    pub fn judge(
        &self,
        scores: &[PackedScore],
        ply: usize,
        length: usize,
    ) -> Option<(Option<Color>, Ending)> {
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
        } else if ply >= self.draw_from && same_for(self.draw_plies, &even) {
            Some((None, Ending::DrawAdjudicated))
        } else if length >= self.longest {
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
        Adjudication::default().judge(&scores, plies, plies)
    }

    #[test]
    fn a_lasting_advantage_wins() {
        let white = Some((Some(Color::White), Ending::WinAdjudicated));
        let black = Some((Some(Color::Black), Ending::WinAdjudicated));
        assert_eq!(judge(&[100, 1200, 1300, 2500, 3000], 30), white);
        assert_eq!(judge(&[-1200, -1300, -2500, -3000], 30), black);
        assert_eq!(judge(&[1200, 2100, 2500], 30), None);
        assert_eq!(judge(&[1200, 2100, 1199, 2500], 30), None);
        assert_eq!(judge(&[1200, 2100, -2500, 2500], 30), None);
        let mate = [PackedScore::mate(-6)];
        assert_eq!(Adjudication::default().judge(&mate, 9, 9), black);
        assert_eq!(Adjudication::default().without_wins().judge(&mate, 9, 9), None);
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
        // A game that branched late from another may be just as long.
        let even = [PackedScore::cp(0); 12];
        assert_eq!(Adjudication::default().judge(&even[..1], 450, 3), None);
        assert_eq!(Adjudication::default().judge(&even, 450, 13), draw);
    }
}
