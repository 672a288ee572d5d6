//! One game between two engines.

use std::fmt;
use std::time::Duration;

use chess::{Color, DrawReason, Line, Outcome, WinReason};
use engine::Stop;
use engine::tablebase::{TableWdl, Tablebases};
use game::GameResult;

use super::budget::{Budget, TimeIsUp};
use super::running::Failure;
use super::{Contestant, PlayedMove, RunningEngine};
use crate::adjudication::{Adjudication, Referee, Ruling};

/// A loss for a reason other than chess.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// The process exited.
    Crash,
    /// The move came after the time was up.
    TimeLoss,
    /// The move is not legal.
    IllegalMove,
    /// There was no answer.
    Hang,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules of chess.
    Rules(Outcome),
    /// By adjudication.
    Referee(Ruling),
    /// By tablebases; the winner, if any.
    Tables(Option<Color>),
    /// By a fault of one side.
    Fault {
        /// The side at fault.
        by: Color,
        /// The fault.
        fault: Fault,
        /// The details.
        text: String,
        /// A loss on time is a draw if the opponent can't mate.
        drawn: bool,
    },
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The moves from the start, including the opening.
    pub line: Line,
    /// The number of opening moves.
    pub opening: usize,
    /// The moves after the opening.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: Ending,
}

/// Why a game was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It was stopped.
    Stopped,
    /// An engine can't be used.
    Unable(String),
}

/// The conditions of a game.
#[derive(Copy, Clone, Debug)]
pub struct Table<'a> {
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// How far a clock may be overstepped.
    pub margin: Duration,
    /// Tablebases that adjudicate games.
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
    /// Plays a game; White's engine and contestant come first.
    pub fn play(
        &self,
        opening: &Line,
        contestants: [&Contestant; 2],
        [white, black]: [&mut RunningEngine; 2],
    ) -> Result<Played, Unfinished> {
        let mut line = opening.clone();
        let mut made: Vec<PlayedMove> = Vec::with_capacity(160);
        let mut budgets = contestants.map(|contestant| Budget::new(&contestant.control));
        let mut referee = Referee::new(self.adjudication);
        let engines = [white, black];
        let ending = loop {
            if let Some(ending) = end_by_rules(&line) {
                break ending;
            }
            let mover = line.position().turn();
            let (us, them) = (mover.index(), (!mover).index());
            let limits = budgets[us].limits(mover, &budgets[them]);
            let played = engines[us].think(&line, &limits, self.stop);
            if self.stop.is_stopped() {
                return Err(Unfinished::Stopped);
            }
            let played = match played {
                Ok(played) => played,
                Err(Failure::Unable(text)) => {
                    let name = &contestants[us].name;
                    return Err(Unfinished::Unable(format!("{name}: {text}")));
                }
                Err(Failure::Fault(fault, text)) => {
                    break Ending::Fault { by: mover, fault, text, drawn: false };
                }
            };
            if let Err(TimeIsUp(left)) = budgets[us].spend(played.time, self.margin) {
                let [taken, left] = [played.time, left].map(|time| time.as_secs_f64() * 1000.0);
                let text = format!("the move took {taken:.1} ms, {left:.1} ms were left");
                let drawn = !line.position().has_mating_material(!mover);
                break Ending::Fault { by: mover, fault: Fault::TimeLoss, text, drawn };
            }
            if line.play(played.m).is_err() {
                let text = format!("{:?}", played.m);
                break Ending::Fault { by: mover, fault: Fault::IllegalMove, text, drawn: false };
            }
            made.push(played);
            // The rules come first: a mate is not a resignation.
            if line.outcome().is_some() {
                continue;
            }
            if let Some(ruling) = referee.hear(mover, played.score, &line) {
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
        Ok(Played { line, opening: opening.len(), moves: made, ending })
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

/// How the game has ended by the rules; claimable draws are claimed.
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
