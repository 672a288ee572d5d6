//! Scores as people write them: `+0.35`, `#-3`.

use engine::MatePlies;

use super::terms::Terms;
use crate::ScoreText;

/// A score in the usual notation, for White.
pub(super) fn score(score: ScoreText, terms: &Terms) -> String {
    match score {
        ScoreText::Cp(centipawns) => {
            let sign = if centipawns < 0 { '-' } else { '+' };
            let size = centipawns.unsigned_abs();
            format!("{sign}{}{}{:02}", size / 100, terms.decimal_mark, size % 100)
        }
        ScoreText::Mate(_) => format!("#{}", mate_in(score).unwrap_or(0)),
    }
}

/// Moves to a mate: positive if White mates. None if the score is in centipawns.
pub(super) fn mate_in(score: ScoreText) -> Option<i32> {
    match score {
        ScoreText::Cp(_) => None,
        ScoreText::Mate(plies) => Some(MatePlies(plies).moves()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Language;

    #[test]
    fn scores_are_written_for_white() {
        for (value, text) in [
            (ScoreText::Cp(5), "+0.05"),
            (ScoreText::Cp(-120), "-1.20"),
            (ScoreText::Cp(i32::MIN), "-21474836.48"),
            (ScoreText::Mate(3), "#2"),
            (ScoreText::Mate(-1), "#-1"),
            (ScoreText::Mate(-4), "#-2"),
            (ScoreText::Mate(0), "#0"),
        ] {
            assert_eq!(score(value, Terms::of(Language::English)), text);
        }
        assert_eq!(score(ScoreText::Cp(151), Terms::of(Language::German)), "+1,51");
    }
}
