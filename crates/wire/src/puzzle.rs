//! Puzzles from a user's games, and exercises in general.

use chess::{Color, FenError, Line, Position, SanError};
use game::{Exercise, Solving, Variant};
use review::{Motif, Phase, PuzzleKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{PlayedMove, PositionView};

/// A puzzle from a game of yours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleView {
    /// The puzzle id.
    pub id: i64,
    /// The id of the game.
    pub game: String,
    /// The number of plies before it.
    pub ply: u32,
    /// The variant.
    pub rules: Variant,
    /// The name of the white player.
    pub white: String,
    /// The name of the black player.
    pub black: String,
    /// When the game was played.
    pub played_at: i64,
    /// The position, as FEN.
    pub fen: String,
    /// Whose move it is.
    pub side: Color,
    /// The opponent's move before it, in UCI notation.
    pub before: Option<String>,
    /// The move that was played, in SAN.
    pub played: String,
    /// Whether it was a mistake or a missed chance.
    pub kind: PuzzleKind,
    /// The phase of the game.
    pub phase: Phase,
    /// What it is about.
    pub themes: Vec<Motif>,
    /// The solution and the replies, in UCI notation. It begins and ends with your move.
    pub solution: Vec<String>,
    /// Points of expected score that the move played lost.
    pub lost: f64,
    /// When it is due.
    pub due: i64,
    /// How often you have tried it.
    pub tries: u32,
    /// How often you have solved it.
    pub solved: u32,
}

/// A page of puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzlePage {
    /// The puzzles, the one that is due first first.
    pub puzzles: Vec<PuzzleView>,
    /// The number of the next page; absent on the last one.
    pub next: Option<u32>,
}

/// Numbers of puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleCount {
    /// Those that are due.
    pub due: u64,
    /// All of them.
    pub all: u64,
    /// Those for each theme, phase and kind, the most frequent first.
    pub themes: Vec<ThemeCount>,
}

/// Numbers of puzzles of a theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ThemeCount {
    /// A motif, a phase or a kind.
    #[schema(example = "fork")]
    pub theme: String,
    /// Those that are due.
    pub due: u64,
    /// All of them.
    pub all: u64,
}

/// A try at a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleTry {
    /// Your moves, in UCI notation, without the replies. None if you gave up.
    #[schema(max_items = 20)]
    pub moves: Vec<String>,
    /// The number of hints you needed.
    #[serde(default)]
    #[schema(maximum = 10)]
    pub hints: u8,
    /// How long it took, in milliseconds.
    #[serde(default)]
    pub time: Option<u64>,
}

/// The result of a try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleTried {
    /// Whether it was solved.
    pub solved: bool,
    /// When it is due again.
    pub due: i64,
    /// What was wrong with the move that was played, in the language asked for.
    pub why: Option<String>,
}

/// An attempt at an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExerciseRequest {
    /// The position, as FEN.
    pub fen: String,
    /// The variant.
    #[serde(default)]
    pub rules: Variant,
    /// The solution and the replies, in UCI notation.
    pub solution: Vec<String>,
    /// The solver's moves so far, in UCI notation.
    pub moves: Vec<String>,
}

/// How far an attempt has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExerciseView {
    /// How far.
    pub solving: Solving,
    /// The position after the moves, and the reply to them.
    pub position: PositionView,
    /// The moves so far, with the replies.
    pub played: Vec<PlayedMove>,
    /// The rest of the solution, with the replies; nothing after a wrong move.
    pub rest: Vec<PlayedMove>,
}

/// Why an attempt can't be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExercise {
    /// The position is none.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is illegal or can't be read.
    #[error("`{0}`: {1}")]
    Move(String, SanError),
    /// The solution doesn't end with the solver's move.
    #[error("the solution must end with the solver's move")]
    Solution,
}

impl ExerciseRequest {
    /// Judges the attempt.
    pub fn judge(&self) -> Result<ExerciseView, BadExercise> {
        let start: Position = self.fen.parse()?;
        let solution = play(start, &self.solution)?;
        let exercise = Exercise::new(&solution).ok_or(BadExercise::Solution)?;
        let mut moves = Vec::new();
        let mut tried = exercise.attempt(&moves).map_err(|_| BadExercise::Solution)?;
        for text in &self.moves {
            if tried.solving != Solving::Open {
                break;
            }
            let m = tried.line.position().parse_move(text);
            moves.push(m.map_err(|error| BadExercise::Move(text.clone(), error))?);
            tried = exercise.attempt(&moves).map_err(|_| BadExercise::Solution)?;
        }
        let rest = match tried.solving {
            Solving::Failed | Solving::Solved => Vec::new(),
            Solving::Open => {
                PlayedMove::all(&solution, &[], self.rules).split_off(tried.line.len())
            }
        };
        Ok(ExerciseView {
            solving: tried.solving,
            position: PositionView::new(&tried.line, self.rules),
            played: PlayedMove::all(&tried.line, &[], self.rules),
            rest,
        })
    }
}

fn play(start: Position, moves: &[String]) -> Result<Line, BadExercise> {
    let mut line = Line::new(start);
    for text in moves {
        let m = line.position().parse_move(text);
        let m = m.map_err(|error| BadExercise::Move(text.clone(), error))?;
        line.play(m).map_err(|_| BadExercise::Solution)?;
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(moves: &[&str]) -> ExerciseRequest {
        ExerciseRequest {
            fen: "6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1".to_owned(),
            rules: Variant::Standard,
            solution: ["a2a7", "g8h8", "b1b8"].map(String::from).to_vec(),
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
        }
    }

    #[test]
    fn an_attempt_shows_the_reply_and_the_rest() {
        let open = request(&["a2a7"]).judge().expect("legal");
        assert_eq!((open.solving, open.played.len()), (Solving::Open, 2));
        let rest: Vec<&str> = open.rest.iter().map(|m| &*m.san).collect();
        assert_eq!(rest, ["Rb8#"]);
        let failed = request(&["a2a6", "a1a1"]).judge().expect("the rest doesn't count");
        assert_eq!((failed.solving, failed.rest.len()), (Solving::Failed, 0));
        assert_eq!(request(&["a2a7", "b1b8"]).judge().expect("legal").solving, Solving::Solved);
    }

    #[test]
    fn what_is_no_exercise_is_refused() {
        assert!(matches!(request(&["a1a1"]).judge(), Err(BadExercise::Move(..))));
        let fen = ExerciseRequest { fen: "nothing".to_owned(), ..request(&[]) };
        assert!(matches!(fen.judge(), Err(BadExercise::Fen(_))));
        let short = ExerciseRequest { solution: Vec::new(), ..request(&[]) };
        assert_eq!(short.judge(), Err(BadExercise::Solution));
    }
}
