//! Reviews by the engine in the browser, and what a player tries instead of a mistake.

use chess::{CastlingMode, Move, Position};
use engine::wdl::material;
use engine::{Analyst, Limits, Question, Score, Stop};
use review::{
    Effort, GameReport, Label, MoveText, Plan, Progress, ReviewError, ScoreText, curve, own_name,
    review_with,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::PositionRequest;

use crate::ask::{first_game, line};
use crate::{Searcher, Trouble};

/// Nodes per position of a review.
const NODES: std::ops::RangeInclusive<u64> = 1_000..=1_000_000;
/// A move that costs at most this many points solves a question.
const SOLVED: f64 = 2.0;

/// A game to review.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewAsk {
    /// The game; of several, the first.
    pub pgn: String,
    /// Nodes per position.
    #[schema(minimum = 1_000, maximum = 1_000_000)]
    pub nodes: u64,
}

/// The move of a review that was judged last. Reviews go from the last move to the first.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct ReviewStep {
    /// Moves judged.
    pub done: u32,
    /// Moves to judge.
    pub of: u32,
    /// The move, in plies from 0.
    pub ply: u32,
    /// Its label; a mistake may still become a miss.
    pub label: Label,
    /// The score after it, for White.
    pub score: ScoreText,
}

/// A finished review.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reviewed {
    /// The report; none if the review was stopped.
    pub report: Option<GameReport>,
}

/// A move that is tried instead of a mistake.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TryMove {
    /// The position before the mistake, and how it came about.
    pub position: PositionRequest,
    /// The best move of the review, in UCI or SAN.
    pub best: String,
    /// The move to judge, in UCI or SAN.
    pub tried: String,
    /// Nodes to search.
    #[schema(minimum = 1_000, maximum = 1_000_000)]
    pub nodes: u64,
}

/// What a move is worth that was tried instead of a mistake.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Tried {
    /// Whether it is as good as the best move: within two points of expected score.
    pub solved: bool,
    /// The player's expected score with the best move, from 0 to 100.
    pub best_points: f64,
    /// The player's expected score with the move, from 0 to 100.
    pub points: f64,
    /// The score with the move, for White.
    pub score: ScoreText,
    /// The move, and what the engine expects after it.
    pub line: Vec<MoveText>,
}

impl Searcher {
    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    pub(crate) fn review(&mut self, ask: ReviewAsk) -> Result<Reviewed, Trouble> {
        let game = first_game(&ask.pgn)?;
        let plan = Plan { effort: Effort::Nodes(within(ask.nodes)?), ..Plan::default() };
        let report = self.world.report;
        let mut tell = |progress: Progress| {
            if let Ok(json) = crate::calls::write(&ReviewStep::from(&progress)) {
                report(&json);
            }
        };
        // The same as that of the binary, which finds the same.
        let name = own_name(self.engine.net().checksum());
        let stop = Stop::watching(self.world.stopped);
        match review_with(&game, &mut self.engine, &plan, &name, &stop, &mut tell) {
            Ok(report) => Ok(Reviewed { report: Some(report) }),
            Err(ReviewError::Stopped) => Ok(Reviewed { report: None }),
            Err(error) => Err(Trouble::new(error.to_string())),
        }
    }

    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    pub(crate) fn try_move(&mut self, ask: TryMove) -> Result<Tried, Trouble> {
        let (line, rules) = line(&ask.position)?;
        let root = line.position().clone();
        let [best, tried] = [root.parse_move(&ask.best)?, root.parse_move(&ask.tried)?];
        let moves = if best == tried { vec![best] } else { vec![best, tried] };
        let question = Question::new(line).lines(moves.len()).search_moves(moves);
        let question = question.limits(Limits::nodes(within(ask.nodes)?));
        let stop = Stop::watching(self.world.stopped);
        let verdict = self.engine.decide(&question, &stop);
        let verdict = verdict.map_err(|error| Trouble::new(error.to_string()))?;
        let found = |m: Move| {
            let line = verdict.lines.iter().find(|line| line.pv.first() == Some(&m));
            line.ok_or_else(|| Trouble::new("the engine was stopped"))
        };
        let weight = material(&root);
        let points = |score: Score| (curve::points(score, weight) * 100.0).round() / 100.0;
        let (top, own) = (found(best)?, found(tried)?);
        let (best_points, points) = (points(top.score), points(own.score));
        Ok(Tried {
            solved: best == tried || points >= best_points - SOLVED,
            best_points,
            points,
            score: own.score.for_white(root.turn()).into(),
            line: texts(root, &own.pv, rules.castling()),
        })
    }
}

impl From<&Progress> for ReviewStep {
    fn from(progress: &Progress) -> Self {
        Self {
            done: progress.done as u32,
            of: progress.of as u32,
            ply: progress.ply as u32,
            label: progress.label,
            score: progress.score.into(),
        }
    }
}

fn within(nodes: u64) -> Result<u64, Trouble> {
    let wrong = || format!("nodes must be from {} to {}", NODES.start(), NODES.end());
    NODES.contains(&nodes).then_some(nodes).ok_or_else(|| Trouble::new(wrong()))
}

/// A line as text, as far as it is legal.
fn texts(mut position: Position, line: &[Move], mode: CastlingMode) -> Vec<MoveText> {
    let mut texts = Vec::with_capacity(line.len());
    for &m in line {
        if !position.is_legal(m) {
            break;
        }
        texts.push(MoveText::of(m, &position, mode));
        position.play_unchecked(m);
    }
    texts
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::World;

    /// What the worlds of these tests were told. Each test has its own engine, but a world has no
    /// memory of its own.
    static TOLD: Mutex<Vec<serde_json::Value>> = Mutex::new(Vec::new());

    const NET: &[u8] = include_bytes!("../../../nets/riga.net");
    const GAME: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";

    fn searcher(stopped: fn() -> bool, report: fn(&[u8])) -> Searcher {
        let world = World { now: || Duration::ZERO, stopped, report };
        Searcher::new(NET, world, 1).expect("the project's network")
    }

    #[test]
    fn a_game_is_reviewed_and_each_move_is_told() {
        let tell = |json: &[u8]| {
            let step = serde_json::from_slice(json).expect("JSON");
            TOLD.lock().expect("one test").push(step);
        };
        let mut searcher = searcher(|| false, tell);
        let ask = ReviewAsk { pgn: GAME.to_owned(), nodes: 2_000 };
        let report = searcher.review(ask).expect("a review").report.expect("it wasn't stopped");
        assert_eq!(report.check(&first_game(GAME).expect("a game")), Ok(()));
        assert!(report.engine.starts_with("Riga ") && report.nodes == Some(2_000));
        assert_eq!(report.moves[5].label, Label::Blunder);
        let told = TOLD.lock().expect("one test");
        let plies: Vec<_> = told.iter().filter_map(|step| step["ply"].as_u64()).collect();
        assert_eq!(plies, [6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(told[1]["label"], "blunder");
        assert_eq!((&told[0]["done"], &told[0]["of"]), (&1.into(), &7.into()));
    }

    #[test]
    fn a_review_that_is_stopped_has_no_report() {
        let ask = ReviewAsk { pgn: GAME.to_owned(), nodes: 2_000 };
        let reviewed = searcher(|| true, |_| {}).review(ask).expect("an answer");
        assert_eq!(reviewed.report, None);
    }

    #[test]
    fn what_cannot_be_reviewed_is_refused() {
        let mut searcher = searcher(|| false, |_| {});
        for (pgn, nodes) in [("", 2_000), (GAME, 5), (GAME, 2_000_000)] {
            assert!(searcher.review(ReviewAsk { pgn: pgn.to_owned(), nodes }).is_err());
        }
    }

    #[test]
    fn a_try_is_solved_within_two_points_of_the_best_move() {
        let mut searcher = searcher(|| false, |_| {});
        let mut attempt = |position: &PositionRequest, best: &str, tried: &str| {
            let (best, tried) = (best.to_owned(), tried.to_owned());
            searcher.try_move(TryMove { position: position.clone(), best, tried, nodes: 20_000 })
        };
        let moves = ["e4", "e5", "Qh5", "Nc6", "Bc4"].map(str::to_owned).to_vec();
        let opening = PositionRequest { moves, ..PositionRequest::default() };
        assert!(attempt(&opening, "g6", "g6").expect("legal").solved);
        let mate = attempt(&opening, "g6", "Nf6").expect("legal");
        assert!(!mate.solved && mate.points < 1.0, "{mate:?}");
        assert_eq!(mate.line.last().map(|m| m.san.as_str()), Some("Qxf7#"));
        assert!(attempt(&opening, "g6", "Ke4").is_err());
        // A slower mate is as good; a stalemate isn't.
        let fen = Some("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1".to_owned());
        let ending = PositionRequest { fen, ..PositionRequest::default() };
        let slower = attempt(&ending, "Qg7#", "Qg2").expect("legal");
        assert!(slower.solved && slower.points > 99.0, "{slower:?}");
        let stalemate = attempt(&ending, "Qg7#", "Qg6").expect("legal");
        assert!(!stalemate.solved && stalemate.points < 51.0, "{stalemate:?}");
    }
}
