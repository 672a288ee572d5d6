//! Analysis of a position.

use chess::{Line, Position};
use game::Variant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{PositionRequest, Problem};

/// Requests an analysis of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The position.
    pub position: PositionRequest,
    /// When to stop; without any limit the engine runs until the client disconnects.
    #[serde(default)]
    pub limits: Limits,
    /// Number of lines to search.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10)]
    pub lines: u8,
}

const fn one() -> u8 {
    1
}

/// When to stop; the first limit reached counts.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Depth in plies.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub depth: Option<u32>,
    /// Number of nodes.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000_000_000_u64)]
    pub nodes: Option<u64>,
    /// Milliseconds; the server may shorten it.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub time: Option<u64>,
}

/// A client message on the analysis socket. One analysis runs at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AnalysisMessage {
    /// Starts an analysis; the previous one ends.
    Analyse {
        /// The client's id for the analysis.
        id: u32,
        /// What to analyse.
        request: AnalysisRequest,
    },
    /// Stops the analysis.
    Stop,
}

/// A server message on the analysis socket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Analysed {
    /// The engine's lines.
    Thoughts {
        /// The client's id for the analysis.
        id: u32,
        /// The lines.
        thoughts: AnalysedLines,
    },
    /// The analysis was refused.
    Refused {
        /// The client's id for the analysis, if it could be parsed.
        id: Option<u32>,
        /// The reason.
        problem: Problem,
    },
}

/// The engine's best lines so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedLines {
    /// The position, as FEN.
    pub fen: String,
    /// The lines, best first.
    pub lines: Vec<AnalysedLine>,
    /// Whether the analysis has ended.
    pub done: bool,
}

/// One line (principal variation).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnalysedLine {
    /// Search depth in plies.
    pub depth: u32,
    /// Maximum depth reached (seldepth), in plies.
    pub selective_depth: u32,
    /// The score from White's point of view.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// White's chances.
    pub chances: Chances,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub speed: u64,
    /// Milliseconds since the start.
    pub time: u64,
    /// Fill level of the transposition table, in per mille.
    pub hash_full: u32,
    /// Tablebase hits.
    pub tablebase_hits: u64,
    /// The moves, in UCI notation.
    pub moves: Vec<String>,
    /// The same moves in algebraic notation.
    pub san: Vec<String>,
}

/// A score from White's point of view.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate: positive if White mates; 0 if the side to move is checkmated.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// A lower bound for White.
    AtLeast,
    /// An upper bound for White.
    AtMost,
}

/// White's chances in per mille, which sum to 1000.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chances {
    /// Of a win.
    pub win: u16,
    /// Of a draw.
    pub draw: u16,
    /// Of a loss.
    pub loss: u16,
}

impl AnalysedLine {
    /// Converts an engine report to White's point of view.
    pub fn new(report: &engine::Report, position: &Position, rules: Variant) -> Self {
        let turn = position.turn();
        let mut line = Line::new(position.clone());
        let (mut moves, mut san) = (Vec::new(), Vec::new());
        for &m in &report.pv {
            let here = line.position().clone();
            if line.play(m).is_err() {
                break;
            }
            moves.push(m.to_uci(&here, rules.castling()).to_string());
            san.push(here.san(m).to_string());
        }
        Self {
            depth: report.depth,
            selective_depth: report.selective_depth,
            score: report.score.for_white(turn).into(),
            bound: Bound::for_white(report.bound, turn),
            chances: Chances::for_white(report.wdl, turn),
            nodes: report.nodes,
            speed: report.speed(),
            time: report.time.as_millis() as u64,
            hash_full: report.hash_full,
            tablebase_hits: report.tablebase_hits,
            moves,
            san,
        }
    }
}

impl From<engine::Score> for Score {
    fn from(score: engine::Score) -> Self {
        match score {
            engine::Score::Cp(cp) => Self::Cp(cp),
            engine::Score::Mate(plies) => Self::Mate(plies.moves()),
        }
    }
}

impl Bound {
    fn for_white(bound: engine::Bound, turn: chess::Color) -> Self {
        match (bound, turn) {
            (engine::Bound::Exact, _) => Self::Exact,
            (engine::Bound::Lower, chess::Color::White)
            | (engine::Bound::Upper, chess::Color::Black) => Self::AtLeast,
            _ => Self::AtMost,
        }
    }
}

impl Chances {
    fn for_white(wdl: engine::Wdl, turn: chess::Color) -> Self {
        let (win, loss) = match turn {
            chess::Color::White => (wdl.win, wdl.loss),
            chess::Color::Black => (wdl.loss, wdl.win),
        };
        Self { win, draw: wdl.draw, loss }
    }
}

impl AnalysedLines {
    /// Converts the engine's reports on a position, best line first.
    pub fn new(lines: &[engine::Report], position: &Position, rules: Variant, done: bool) -> Self {
        Self {
            fen: position.to_string(),
            lines: lines.iter().map(|report| AnalysedLine::new(report, position, rules)).collect(),
            done,
        }
    }
}
