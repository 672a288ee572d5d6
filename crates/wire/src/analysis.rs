//! What the engine thinks about a position.

use chess::{Line, Position};
use game::Variant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{PositionRequest, Problem};

/// Asks the engine about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The position.
    pub position: PositionRequest,
    /// When to stop; without any limit the engine thinks until nobody listens any more.
    #[serde(default)]
    pub limits: Limits,
    /// How many lines to show.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10)]
    pub lines: u8,
}

const fn one() -> u8 {
    1
}

/// When to stop; the first limit that is reached counts.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Plies.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100)]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000_000_000_u64)]
    pub nodes: Option<u64>,
    /// Milliseconds; a server may cut them.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub time: Option<u64>,
}

/// What a client says on the socket of the engine. One analysis runs at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum AnalysisMessage {
    /// Thinks about this; the analysis before it ends.
    Analyse {
        /// The client's number for it.
        id: u32,
        /// What to think about.
        request: AnalysisRequest,
    },
    /// Stops thinking.
    Stop,
}

/// What the server says on the socket of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Analysed {
    /// The engine's lines.
    Thoughts {
        /// The client's number for the analysis.
        id: u32,
        /// The lines.
        thoughts: Thoughts,
    },
    /// There is no analysis.
    Refused {
        /// The client's number for the analysis, if it could be read.
        id: Option<u32>,
        /// Why.
        problem: Problem,
    },
}

/// The lines that the engine considers best, so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Thoughts {
    /// The position they belong to, as FEN.
    pub fen: String,
    /// The best line first.
    pub lines: Vec<Thought>,
    /// Whether the engine has stopped.
    pub done: bool,
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Thought {
    /// Plies searched.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub selective_depth: u32,
    /// How good it is for White.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// White's chances.
    pub chances: Chances,
    /// Positions looked at.
    pub nodes: u64,
    /// Positions a second.
    pub speed: u64,
    /// Milliseconds since the start.
    pub time: u64,
    /// How full the table of positions is, in per mille.
    pub hash_full: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The moves, as UCI text.
    pub moves: Vec<String>,
    /// The same moves in algebraic notation.
    pub san: Vec<String>,
}

/// How good a position is for White.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate: positive if White gives it; 0 if the side to move is mated.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// It is.
    Exact,
    /// The truth is at least this good for White.
    AtLeast,
    /// The truth is at most this good for White.
    AtMost,
}

/// White's chances in per mille; they sum to 1000.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Chances {
    /// To win.
    pub win: u16,
    /// To draw.
    pub draw: u16,
    /// To lose.
    pub loss: u16,
}

impl Thought {
    /// A report of the engine about a position, as White sees it.
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

impl Thoughts {
    /// The reports of an engine on a position, the best line first.
    pub fn new(lines: &[engine::Report], position: &Position, rules: Variant, done: bool) -> Self {
        Self {
            fen: position.to_string(),
            lines: lines.iter().map(|report| Thought::new(report, position, rules)).collect(),
            done,
        }
    }
}
