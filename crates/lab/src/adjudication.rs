//! Adjudicates games whose outcome the engines agree on.

use std::str::FromStr;

use chess::{Color, Line};
use engine::Score;

/// A game is drawn when both sides have reported a score near zero for some moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before this move number.
    pub from_move: u32,
    /// For this many moves of each side in a row.
    pub moves: u32,
    /// At most this many centipawns from zero.
    pub score: i32,
}

/// A game is lost when a side has reported a losing score for some moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// For this many moves in a row.
    pub moves: u32,
    /// At least this many centipawns behind.
    pub score: i32,
    /// Whether the winner must have reported it, too.
    pub two_sided: bool,
}

/// When games are ended before the rules of chess end them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// When a game is drawn.
    pub draw: Option<DrawRule>,
    /// When a game is lost.
    pub resign: Option<ResignRule>,
    /// A game is drawn after this many plies, not counting the opening.
    pub max_plies: Option<u32>,
}

/// How a game is adjudicated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Both sides report a draw.
    Draw,
    /// This side has won.
    Win(Color),
    /// The game is too long.
    TooLong,
}

/// Adjudicates one game.
#[derive(Clone, Debug)]
pub struct Referee {
    adjudication: Adjudication,
    plies: u32,
    /// Scores near zero in a row.
    level: u32,
    /// Losing scores in a row, and winning scores in a row, by color.
    lost: [u32; 2],
    won: [u32; 2],
}

impl Referee {
    /// A referee for a new game.
    pub const fn new(adjudication: Adjudication) -> Self {
        Self { adjudication, plies: 0, level: 0, lost: [0; 2], won: [0; 2] }
    }

    /// Takes the score that `mover` reported before it made the last move of `line`. A move without
    /// a score, from a book, resets all counts.
    pub fn hear(&mut self, mover: Color, score: Option<Score>, line: &Line) -> Option<Ruling> {
        self.plies += 1;
        let score = score.map(centipawns);
        if let Some(rule) = self.adjudication.draw {
            let near = score.is_some_and(|score| score.saturating_abs() <= rule.score);
            self.level = if near { self.level + 1 } else { 0 };
            if self.level >= rule.moves.saturating_mul(2)
                && u32::from(line.position().fullmoves()) >= rule.from_move
            {
                return Some(Ruling::Draw);
            }
        }
        if let Some(rule) = self.adjudication.resign {
            let count = |row: &mut u32, more: bool| *row = if more { *row + 1 } else { 0 };
            let (us, them) = (mover.index(), (!mover).index());
            count(
                &mut self.lost[us],
                score.is_some_and(|score| score <= rule.score.saturating_neg()),
            );
            count(&mut self.won[us], score.is_some_and(|score| score >= rule.score));
            for (loser, winner, color) in [(us, them, !mover), (them, us, mover)] {
                let seen = !rule.two_sided || self.won[winner] >= rule.moves;
                if self.lost[loser] >= rule.moves && seen {
                    return Some(Ruling::Win(color));
                }
            }
        }
        (Some(self.plies) == self.adjudication.max_plies).then_some(Ruling::TooLong)
    }
}

/// A score as a number; a mate is beyond every threshold.
const fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(plies) if plies.0 > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

/// Why a text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRuleError {
    /// A part is not a name and a value.
    #[error("`{0}` is not of the form name=value")]
    NoValue(String),
    /// Unknown name.
    #[error("`{name}` is none of: {known}")]
    Unknown {
        /// The name as written.
        name: String,
        /// The known names.
        known: &'static str,
    },
    /// The value is not a number in range.
    #[error("`{name}` can't be `{value}`")]
    BadValue {
        /// The name.
        name: String,
        /// The value as written.
        value: String,
    },
}

impl FromStr for DrawRule {
    type Err = ParseRuleError;

    /// Parses `movenumber=40,movecount=8,score=8`; these are also the defaults.
    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let mut rule = Self { from_move: 40, moves: 8, score: 8 };
        for (name, value) in parts(text) {
            match name {
                "movenumber" => rule.from_move = number(name, value)?,
                "movecount" => rule.moves = number(name, value)?,
                "score" => rule.score = number(name, value)?,
                _ => return Err(unknown(name, value, "movenumber, movecount, score")),
            }
        }
        positive("movecount", &rule.moves)?;
        Ok(rule)
    }
}

impl FromStr for ResignRule {
    type Err = ParseRuleError;

    /// Parses `movecount=4,score=600,twosided=true`; these are also the defaults.
    fn from_str(text: &str) -> Result<Self, ParseRuleError> {
        let mut rule = Self { moves: 4, score: 600, two_sided: true };
        for (name, value) in parts(text) {
            match name {
                "movecount" => rule.moves = number(name, value)?,
                "score" => rule.score = number(name, value)?,
                "twosided" => rule.two_sided = number(name, value)?,
                _ => return Err(unknown(name, value, "movecount, score, twosided")),
            }
        }
        positive("movecount", &rule.moves)?;
        positive("score", &rule.score)?;
        Ok(rule)
    }
}

fn parts(text: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    text.split([',', ' '])
        .filter(|part| !part.is_empty())
        .map(|part| part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value))))
}

fn number<N: FromStr>(name: &str, value: Option<&str>) -> Result<N, ParseRuleError> {
    let value = value.ok_or_else(|| ParseRuleError::NoValue(name.to_owned()))?;
    value
        .parse()
        .map_err(|_| ParseRuleError::BadValue { name: name.to_owned(), value: value.to_owned() })
}

fn positive<N: PartialOrd + Default + ToString>(
    name: &str,
    value: &N,
) -> Result<(), ParseRuleError> {
    if *value > N::default() {
        return Ok(());
    }
    Err(ParseRuleError::BadValue { name: name.to_owned(), value: value.to_string() })
}

fn unknown(name: &str, value: Option<&str>, known: &'static str) -> ParseRuleError {
    match value {
        None => ParseRuleError::NoValue(name.to_owned()),
        Some(_) => ParseRuleError::Unknown { name: name.to_owned(), known },
    }
}

#[cfg(test)]
mod tests {
    use engine::MatePlies;
    use proptest::prelude::*;

    use super::*;

    /// Feeds scores of White and Black in turn and returns the first ruling with its ply.
    fn first_ruling(
        adjudication: Adjudication,
        fen: &str,
        scores: &[i32],
    ) -> Option<(usize, Ruling)> {
        let line = Line::new(fen.parse().expect("a legal FEN"));
        let mut referee = Referee::new(adjudication);
        let mut mover = Color::White;
        for (ply, &cp) in scores.iter().enumerate() {
            if let Some(ruling) = referee.hear(mover, Some(Score::Cp(cp)), &line) {
                return Some((ply + 1, ruling));
            }
            mover = !mover;
        }
        None
    }

    const LATE: &str = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 50";
    const EARLY: &str = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 5";

    #[test]
    fn a_draw_needs_a_row_of_level_scores_late_in_the_game() {
        let draw = "movenumber=40,movecount=2,score=10".parse().expect("a rule");
        let adjudication = Adjudication { draw: Some(draw), ..Adjudication::default() };
        let level = [10, -10, 0, 5, 3];
        assert_eq!(first_ruling(adjudication, LATE, &level), Some((4, Ruling::Draw)));
        assert_eq!(first_ruling(adjudication, EARLY, &level), None);
        assert_eq!(first_ruling(adjudication, LATE, &[0, 0, 0, 11, 0, 0, 0]), None);
        assert_eq!(
            first_ruling(adjudication, LATE, &[0, -11, 0, 0, 0, 0]),
            Some((6, Ruling::Draw))
        );
    }

    #[test]
    fn a_resignation_needs_both_sides_if_the_rule_says_so() {
        let both: ResignRule = "movecount=2 score=500".parse().expect("a rule");
        let one = ResignRule { two_sided: false, ..both };
        let adjudication =
            |resign| Adjudication { resign: Some(resign), ..Adjudication::default() };
        let lost = [500, -500, 600, -700];
        assert_eq!(
            first_ruling(adjudication(both), EARLY, &lost),
            Some((4, Ruling::Win(Color::White)))
        );
        let alone = [400, -500, 400, -700, 400];
        assert_eq!(first_ruling(adjudication(both), EARLY, &alone), None);
        assert_eq!(
            first_ruling(adjudication(one), EARLY, &alone),
            Some((4, Ruling::Win(Color::White)))
        );
        let black_wins = [-500, 0, -500];
        assert_eq!(
            first_ruling(adjudication(one), EARLY, &black_wins),
            Some((3, Ruling::Win(Color::Black)))
        );
        // The winner may be the last to see it.
        let late = [0, -500, 500, -500, 500];
        assert_eq!(
            first_ruling(adjudication(both), EARLY, &late),
            Some((5, Ruling::Win(Color::White)))
        );
        assert_eq!(first_ruling(adjudication(one), EARLY, &[0, -500, 0, -499, 0, -500]), None);
    }

    #[test]
    fn a_mate_is_beyond_every_threshold_and_a_book_move_breaks_a_row() {
        let resign = ResignRule { moves: 2, score: 1_000_000, two_sided: false };
        let adjudication = Adjudication { resign: Some(resign), ..Adjudication::default() };
        let line = Line::default();
        let mated = Some(Score::Mate(MatePlies(-4)));
        let mut referee = Referee::new(adjudication);
        assert_eq!(referee.hear(Color::White, mated, &line), None);
        assert_eq!(referee.hear(Color::White, None, &line), None);
        assert_eq!(referee.hear(Color::White, mated, &line), None);
        assert_eq!(referee.hear(Color::White, mated, &line), Some(Ruling::Win(Color::Black)));
    }

    #[test]
    fn a_game_may_be_too_long() {
        let adjudication = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        assert_eq!(first_ruling(adjudication, EARLY, &[90; 5]), Some((3, Ruling::TooLong)));
    }

    #[test]
    fn rules_are_read_and_nonsense_is_refused() {
        assert_eq!("".parse(), Ok(DrawRule { from_move: 40, moves: 8, score: 8 }));
        assert_eq!("".parse(), Ok(ResignRule { moves: 4, score: 600, two_sided: true }));
        let rule = "movecount=3,score=400,twosided=false".parse();
        assert_eq!(rule, Ok(ResignRule { moves: 3, score: 400, two_sided: false }));
        for text in ["score", "score=", "score=x", "movecount=0", "movecount=-1", "moves=3"] {
            assert!(text.parse::<DrawRule>().is_err(), "{text}");
            assert!(text.parse::<ResignRule>().is_err(), "{text}");
        }
        assert!("score=0".parse::<ResignRule>().is_err());
    }

    proptest! {
        #[test]
        fn no_text_is_a_panic(text in "\\PC*|[a-z=,0-9]*") {
            let _ = (text.parse::<DrawRule>(), text.parse::<ResignRule>());
        }

        #[test]
        fn no_scores_are_a_panic(scores: Vec<i32>, moves in 1u32.., score: i32) {
            let adjudication = Adjudication {
                draw: Some(DrawRule { from_move: 0, moves, score }),
                resign: Some(ResignRule { moves, score, two_sided: true }),
                max_plies: None,
            };
            let _ = first_ruling(adjudication, LATE, &scores);
        }
    }
}
