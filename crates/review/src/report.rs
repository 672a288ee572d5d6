//! What a review says: plain data, with moves as text, for files, databases and pages.

use chess::{CastlingMode, Color, Move, Position, Role, Square, UciMove};
use engine::{MatePlies, Score};
use game::GameResult;
use serde::{Deserialize, Serialize};

use crate::{Label, Mode, Phase, Puzzle, Steps};

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GameReport {
    /// The analyst: engine and version, and the network's checksum if it is ours.
    pub engine: String,
    /// Nodes per position; none if positions were searched by time.
    pub nodes: Option<u64>,
    /// The rules for labels.
    pub mode: Mode,
    /// The steps between labels in mode `riga`, if they aren't the usual ones.
    #[serde(default, skip_serializing_if = "Steps::are_usual")]
    pub steps: Steps,
    /// The start position, as FEN.
    pub start: String,
    /// The result as written in the game.
    pub result: GameResult,
    /// The opening, if it has a name.
    pub opening: Option<OpeningReport>,
    /// The score of the start position, for White.
    pub score: ScoreText,
    /// Every move of the main line.
    pub moves: Vec<MoveReport>,
    /// White's figures.
    pub white: SideReport,
    /// Black's figures.
    pub black: SideReport,
    /// The plies, from 0, at which the game turned, in order.
    pub turning_points: Vec<usize>,
    /// Positions of the game to be solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub puzzles: Vec<Puzzle>,
}

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct OpeningReport {
    /// The ECO code.
    pub eco: String,
    /// The name.
    pub name: String,
    /// Number of plies, from the start, that are book moves.
    pub book: usize,
}

/// A move as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveText {
    /// UCI notation.
    pub uci: String,
    /// SAN.
    pub san: String,
}

impl MoveText {
    /// A legal move of a position.
    pub fn of(m: Move, position: &Position, mode: CastlingMode) -> Self {
        Self { uci: m.to_uci(position, mode).to_string(), san: position.san(m).to_string() }
    }

    /// The legal move it means in a position, if there is one.
    pub fn to_move(&self, position: &Position) -> Option<Move> {
        self.uci.parse::<UciMove>().ok()?.to_move(position)
    }
}

/// A score, for White.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ScoreText {
    /// Centipawns.
    Cp(i32),
    /// Plies to a mate, positive if White mates; 0 if the side to move is mated.
    Mate(i32),
}

impl From<Score> for ScoreText {
    /// The score must be for White.
    fn from(score: Score) -> Self {
        match score {
            Score::Cp(centipawns) => Self::Cp(centipawns),
            Score::Mate(MatePlies(plies)) => Self::Mate(plies),
        }
    }
}

impl From<ScoreText> for Score {
    fn from(score: ScoreText) -> Self {
        match score {
            ScoreText::Cp(centipawns) => Self::Cp(centipawns),
            ScoreText::Mate(plies) => Self::Mate(MatePlies(plies)),
        }
    }
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveReport {
    /// The move played.
    pub played: MoveText,
    /// Who played it.
    pub side: Color,
    /// The label.
    pub label: Label,
    /// Whether it nearly got the next worse label.
    pub close_call: bool,
    /// The best move, and the line that follows.
    pub best: Vec<MoveText>,
    /// The score after the move, for White; plies to a mate count from there.
    pub score: ScoreText,
    /// The score with the best move, for White; plies to a mate count from before it.
    pub best_score: ScoreText,
    /// The player's expected score with the best move, from 0 to 100.
    pub best_points: f64,
    /// The player's expected score with the move played, from 0 to 100.
    pub played_points: f64,
    /// The expected score with the best of all other moves, if that matters.
    pub other_points: Option<f64>,
    /// Centipawns lost, with scores cut at ten pawns.
    pub centipawn_loss: u32,
    /// The accuracy of the move, from 0 to 100.
    pub accuracy: f64,
    /// The phase of the game in which it was played.
    pub phase: Phase,
    /// The clocks, if they are known.
    pub clock: Option<Clocked>,
    /// What it allowed or missed, or what makes it good: the most important first, at most two.
    pub claims: Vec<Claim>,
}

/// The time a move took.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Clocked {
    /// Milliseconds spent on the move, if known.
    pub spent: Option<u64>,
    /// Milliseconds left after the move.
    pub left: Option<u64>,
}

/// A statement about a move that its line proves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// What the line shows.
    pub motif: Motif,
    /// Who gains by it.
    pub whose: Whose,
    /// How the gain came about.
    pub origin: Origin,
    /// The piece that does it, before its move.
    pub actor: Option<PieceAt>,
    /// The pieces it is about: the one that falls first.
    pub targets: Vec<PieceAt>,
    /// Pawns gained by the end of the line, or moves to mate.
    pub gain: u32,
    /// The line that proves it: after the move played if the opponent gains, otherwise instead of it.
    pub line: Vec<MoveText>,
    /// The index in the line of the move that makes the point.
    pub key: usize,
}

/// A piece on a square.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PieceAt {
    /// The FEN letter: upper case for White.
    pub piece: char,
    /// The square, such as `d5`.
    pub square: String,
}

impl PieceAt {
    /// The piece on a square, if there is one.
    pub fn on(square: Square, position: &Position) -> Option<Self> {
        let piece = position.piece_on(square)?.letter();
        Some(Self { piece, square: square.to_string() })
    }

    /// What kind of piece it is.
    pub fn role(&self) -> Option<Role> {
        Role::from_letter(self.piece)
    }
}

/// Who gains by what a claim shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The move allows it to the opponent.
    Allowed,
    /// The player could have had it.
    Missed,
    /// The player has it: the move is good because of it.
    Found,
}

chess::names! {
    Whose, schema "Whose" "Who gains: the opponent, the player with another move, or the player." {
        Allowed = "allowed",
        Missed = "missed",
        Found = "found",
    }
}

/// What a line shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Motif {
    /// A forced mate, proved by trying every defence.
    Mate,
    /// A mate on the back rank behind the king's own pawns.
    BackRank,
    /// A mate that the engine has found; too long to try every defence.
    EngineMate,
    /// Stalemate.
    Stalemate,
    /// A piece can be taken for nothing, or for less.
    Hanging,
    /// An exchange on one square that loses material.
    Exchange,
    /// A piece attacks two others at once.
    Fork,
    /// A piece must leave a ray, and one behind it falls.
    Skewer,
    /// A piece leaves a ray, and one behind it attacks.
    Discovered,
    /// A piece has no safe square.
    Trapped,
    /// A defender is captured, then what it defended.
    RemovedDefender,
    /// A defender is lured away.
    Deflection,
    /// A defender has two things to defend.
    Overload,
    /// A piece can't move because of what is behind it.
    Pin,
    /// A pawn promotes, or costs a piece.
    PassedPawn,
    /// Material is lost by force.
    Material,
    /// Material that the engine wins in its line; too long to try every defence.
    EngineMaterial,
    /// A draw by repetition.
    Repetition,
    /// A winning position is won no longer.
    Win,
    /// A position that could be held is lost.
    Draw,
    /// A trade that helps the opponent.
    BadTrade,
    /// Checks drive the king about.
    ExposedKing,
    /// The king is less safe.
    KingSafety,
    /// A dangerous passed pawn.
    Passer,
    /// Weak pawns.
    Structure,
    /// Passive pieces.
    Activity,
    /// A king that gets to the pawns in an ending.
    KingActivity,
    /// Two bishops of different colors.
    BishopPair,
    /// A move of the opponent that the better move prevents.
    Prophylaxis,
    /// The only good move.
    OnlyMove,
    /// A sacrifice that works.
    Sacrifice,
    /// A faster mate was there.
    FasterMate,
}

chess::names! {
    Motif, schema "Motif" "What a line shows." {
        Mate = "mate",
        BackRank = "back_rank",
        EngineMate = "engine_mate",
        Stalemate = "stalemate",
        Hanging = "hanging",
        Exchange = "exchange",
        Fork = "fork",
        Skewer = "skewer",
        Discovered = "discovered",
        Trapped = "trapped",
        RemovedDefender = "removed_defender",
        Deflection = "deflection",
        Overload = "overload",
        Pin = "pin",
        PassedPawn = "passed_pawn",
        Material = "material",
        EngineMaterial = "engine_material",
        Repetition = "repetition",
        Win = "win",
        Draw = "draw",
        BadTrade = "bad_trade",
        ExposedKing = "exposed_king",
        KingSafety = "king_safety",
        Passer = "passer",
        Structure = "structure",
        Activity = "activity",
        KingActivity = "king_activity",
        BishopPair = "bishop_pair",
        Prophylaxis = "prophylaxis",
        OnlyMove = "only_move",
        Sacrifice = "sacrifice",
        FasterMate = "faster_mate",
    }
}

/// How a gain came about.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Nothing in particular.
    #[default]
    Plain,
    /// The piece moved to a square where it can be taken.
    Placed,
    /// The move took a defender away.
    Undefended,
    /// It was already threatened before the move.
    Ignored,
    /// The move opened a line.
    Opened,
}

chess::names! {
    Origin, schema "Origin" "How a gain came about." {
        Plain = "plain",
        Placed = "placed",
        Undefended = "undefended",
        Ignored = "ignored",
        Opened = "opened",
    }
}

/// A side's figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SideReport {
    /// Accuracy, from 0 to 100, unless a side hasn't moved.
    pub accuracy: Option<f64>,
    /// Accuracy by phase: opening, middlegame, endgame.
    pub phases: [Option<f64>; 3],
    /// Average centipawn loss.
    pub centipawn_loss: Option<f64>,
    /// Number of moves with each label, in the order of [`Label::ALL`].
    pub labels: [u32; Label::ALL.len()],
    /// Average milliseconds per move by phase, if the clocks are known.
    pub time: [Option<u64>; 3],
}

impl GameReport {
    /// A side's figures.
    pub const fn side(&self, color: Color) -> &SideReport {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}
