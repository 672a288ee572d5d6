//! What the board hears and what it asks for. The board itself touches neither terminal nor clock
//! nor engine; the shell does.

use std::path::PathBuf;
use std::sync::Arc;

use engine::{Question, Report, Verdict};
use game::live::{Command, Event, LiveGame, Sides};
use game::{Game, Openings, Variant};
use ratatui::crossterm::event::{KeyEvent, MouseEvent};
use review::GameReport;

use crate::table::Table;

/// Something that has happened.
#[derive(Clone, Debug)]
pub enum Incoming {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was moved or clicked.
    Mouse(MouseEvent),
    /// A text was pasted.
    Paste(String),
    /// The terminal has this many columns and rows.
    Resize(u16, u16),
    /// Time has passed.
    Tick,
    /// The lines that an engine sees so far.
    Lines {
        /// The request they belong to.
        ticket: u64,
        /// The lines, best first.
        lines: Vec<Report>,
    },
    /// An engine's answer.
    Decided {
        /// The request it belongs to.
        ticket: u64,
        /// The answer, or what went wrong.
        answer: Result<Verdict, String>,
    },
    /// A review has judged some of the positions.
    Judged {
        /// The request it belongs to.
        ticket: u64,
        /// Positions judged.
        done: usize,
        /// Positions to judge.
        of: usize,
    },
    /// A review is done.
    Reviewed {
        /// The request it belongs to.
        ticket: u64,
        /// The report, or what went wrong.
        report: Result<Box<GameReport>, String>,
    },
    /// A game was read from a file.
    Loaded(Result<Box<Game>, String>),
    /// Something to tell the player.
    Notice(String),
    /// Something went wrong.
    Trouble(String),
    /// The opening names are ready.
    Openings(Arc<Openings>),
    /// A message about a game on a server.
    News(News),
}

/// A message about a game on a server.
#[derive(Clone, Debug)]
pub enum News {
    /// The game as it is now.
    Seen(Box<Seen>),
    /// Something to tell the player.
    Notice(String),
    /// The connection is lost, or a command was refused.
    Trouble(String),
}

/// A game on a server.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The game. Its clocks are stopped; the board starts them when it hears of it.
    pub live: LiveGame,
    /// The names of White and Black.
    pub names: [String; 2],
    /// The sides that are played from here.
    pub sides: Sides,
    /// The variant.
    pub variant: Variant,
}

/// Something to be done.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Ask the opponent for its move.
    Think {
        /// Comes back with the answer.
        ticket: u64,
        /// The question.
        question: Box<Question>,
        /// Whether another program plays, instead of Riga.
        program: bool,
    },
    /// The opponent's move is no longer wanted.
    StopThinking,
    /// Ask an engine of full strength about the position shown.
    Analyse {
        /// Comes back with the answer.
        ticket: u64,
        /// The question.
        question: Box<Question>,
    },
    /// The analysis is no longer wanted.
    StopAnalysis,
    /// Review a game.
    Review {
        /// Comes back with the answer.
        ticket: u64,
        /// The game.
        game: Box<Game>,
    },
    /// The review is no longer wanted.
    StopReview,
    /// Store a game, or what has happened in it.
    Keep(Box<Kept>),
    /// Send a command to the server.
    Send(Command),
    /// Write a text to a file.
    Save(PathBuf, String),
    /// Read a game from a file, by its number.
    Load(PathBuf, usize),
    /// Go to the background, as Ctrl-Z does.
    Suspend,
    /// Draw everything again.
    Redraw,
    /// Leave.
    Quit,
}

/// What a keeper stores.
#[derive(Clone, Debug)]
pub enum Kept {
    /// A game has begun: its first move has been played.
    Begun(Box<Table>),
    /// Something has happened in it.
    Happened(Event),
}

/// Stores games while they are played. Called on a thread of its own.
pub trait Keeper: Send {
    /// Stores a game, or what has happened in the last one. After an error nothing more is stored of
    /// this game.
    fn keep(&mut self, kept: Kept) -> Result<(), String>;
}
