//! One game between two players.

use std::fmt;
use std::time::Duration;

use chess::{Color, DrawReason, Line, Outcome, WinReason};
use engine::Stop;
use engine::tablebase::{TableWdl, Tablebases};
use game::GameResult;

use super::budget::{Budget, TimeIsUp};
use super::player::Failure;
use super::{Contestant, Player, Thought};
use crate::adjudication::{Adjudication, Referee, Ruling};

/// What an engine lost a game by, other than by chess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The process ended.
    Crash,
    /// The move came after the flag had fallen.
    TimeLoss,
    /// The move is not legal.
    IllegalMove,
    /// There was no answer at all.
    Hang,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules(Outcome),
    /// By the referee.
    Referee(Ruling),
    /// By endgame tables; who has won, if anybody.
    Tables(Option<Color>),
    /// By a fault of one side.
    Fault {
        /// Who.
        by: Color,
        /// What.
        fault: Fault,
        /// In words.
        text: String,
        /// A flag that falls is a draw when the other side can't mate.
        drawn: bool,
    },
}

/// A game that has been played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The moves from the start, the opening included.
    pub line: Line,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// What was thought of each move after the opening.
    pub thoughts: Vec<Thought>,
    /// How it ended.
    pub ending: Ending,
}

/// Why a game was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It was stopped.
    Stopped,
    /// An engine can't be used.
    Unable(String),
}

/// The conditions at a board.
#[derive(Copy, Clone, Debug)]
pub struct Table<'a> {
    /// When the referee ends games.
    pub rules: Adjudication,
    /// By how much a clock may be overdrawn.
    pub margin: Duration,
    /// Tables that end games with few men.
    pub tablebases: Option<&'a Tablebases>,
    /// The signal to stop.
    pub stop: &'a Stop,
}

impl Ending {
    /// The result of the game.
    pub fn result(&self) -> GameResult {
        match self {
            Self::Rules(outcome) => (*outcome).into(),
            Self::Referee(Ruling::Win(color)) => Some(*color).into(),
            Self::Tables(winner) => (*winner).into(),
            Self::Referee(Ruling::Draw | Ruling::TooLong) | Self::Fault { drawn: true, .. } => {
                GameResult::Draw
            }
            Self::Fault { by, .. } => Some(!*by).into(),
        }
    }
}

impl Table<'_> {
    /// Plays a game; players and contestants are White's first.
    pub fn play(
        &self,
        opening: &Line,
        contestants: [&Contestant; 2],
        [white, black]: [&mut Player; 2],
    ) -> Result<Played, Unfinished> {
        let mut line = opening.clone();
        let mut thoughts: Vec<Thought> = Vec::with_capacity(160);
        let mut budgets = contestants.map(|contestant| Budget::new(&contestant.control));
        let mut referee = Referee::new(self.rules);
        let players = [white, black];
        let ending = loop {
            if let Some(ending) = end_by_rules(&line) {
                break ending;
            }
            let mover = line.position().turn();
            let (us, them) = (mover.index(), (!mover).index());
            let limits = budgets[us].limits(mover, &budgets[them]);
            let thought = players[us].think(&line, &limits, self.stop);
            if self.stop.is_stopped() {
                return Err(Unfinished::Stopped);
            }
            let thought = match thought {
                Ok(thought) => thought,
                Err(Failure::Unable(text)) => {
                    let name = &contestants[us].name;
                    return Err(Unfinished::Unable(format!("{name}: {text}")));
                }
                Err(Failure::Fault(fault, text)) => {
                    break Ending::Fault { by: mover, fault, text, drawn: false };
                }
            };
            if let Err(TimeIsUp(left)) = budgets[us].spend(thought.time, self.margin) {
                let [taken, left] = [thought.time, left].map(|time| time.as_secs_f64() * 1000.0);
                let text = format!("the move took {taken:.1} ms, {left:.1} ms were left");
                let drawn = !line.position().has_mating_material(!mover);
                break Ending::Fault { by: mover, fault: Fault::TimeLoss, text, drawn };
            }
            if line.play(thought.played).is_err() {
                let text = format!("{:?}", thought.played);
                break Ending::Fault { by: mover, fault: Fault::IllegalMove, text, drawn: false };
            }
            thoughts.push(thought);
            // The rules come first: a mate is not a resignation.
            if line.outcome().is_some() {
                continue;
            }
            if let Some(ruling) = referee.hear(mover, thought.score, &line) {
                break Ending::Referee(ruling);
            }
            if let Some(wdl) = self.tablebases.and_then(|tables| tables.probe_wdl(line.position()))
            {
                break Ending::Tables(match wdl {
                    TableWdl::Win => Some(!mover),
                    TableWdl::Loss => Some(mover),
                    TableWdl::CursedWin | TableWdl::Draw | TableWdl::BlessedLoss => None,
                });
            }
        };
        Ok(Played { line, opening: opening.len(), thoughts, ending })
    }
}

impl fmt::Display for Ending {
    /// In words, with the details of a fault.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules(outcome) => outcome.fmt(f),
            Self::Referee(_) | Self::Tables(_) => f.write_str(in_words(self)),
            Self::Fault { by, fault, text, .. } => {
                write!(f, "{}: {} ({text})", by.name(), fault.name())
            }
        }
    }
}

/// How the game has ended by the rules; a draw that can be claimed is claimed.
fn end_by_rules(line: &Line) -> Option<Ending> {
    line.outcome().or_else(|| line.claimable_draw().map(Outcome::Draw)).map(Ending::Rules)
}

/// The reason in a word or two, for statistics and PGN.
pub fn in_words(ending: &Ending) -> &'static str {
    match ending {
        Ending::Rules(Outcome::Win(_, WinReason::Checkmate)) => "mate",
        Ending::Rules(Outcome::Draw(reason)) => match reason {
            DrawReason::Stalemate => "stalemate",
            DrawReason::ThreefoldRepetition | DrawReason::FivefoldRepetition => "repetition",
            DrawReason::FiftyMoves | DrawReason::SeventyFiveMoves => "fifty moves",
            _ => "insufficient material",
        },
        Ending::Rules(Outcome::Win(..)) => "won",
        Ending::Referee(Ruling::Draw) => "draw adjudicated",
        Ending::Referee(Ruling::Win(_)) => "win adjudicated",
        Ending::Referee(Ruling::TooLong) => "too long",
        Ending::Tables(_) => "tablebases",
        Ending::Fault { fault, .. } => fault.name(),
    }
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Crash, Self::TimeLoss, Self::IllegalMove, Self::Hang];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::TimeLoss => "time loss",
            Self::IllegalMove => "illegal move",
            Self::Hang => "hang",
        }
    }
}
