//! Who plays whom, and on what terms.

use chess::{Color, Position};
use game::live::{Sides, Terms};
use game::{Level, TimeControl, Variant};

/// The other side of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Riga at a level.
    Level(Level),
    /// Another UCI engine, by its name.
    Program(String),
    /// Another person at the same terminal, by name.
    Person(String),
}

impl Opponent {
    /// The name to show.
    pub fn name(&self) -> String {
        match self {
            Self::Level(level) => level.player_name(),
            Self::Program(name) | Self::Person(name) => name.clone(),
        }
    }

    /// Whether it is an engine.
    pub const fn is_engine(&self) -> bool {
        matches!(self, Self::Level(_) | Self::Program(_))
    }
}

/// The terms of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Your name.
    pub name: String,
    /// Your side.
    pub color: Color,
    /// Who plays the other side.
    pub opponent: Opponent,
    /// The time control, if the game is timed.
    pub control: Option<TimeControl>,
    /// The position before the first move.
    pub start: Position,
    /// The variant.
    pub variant: Variant,
}

impl Pairing {
    /// White against a level, from the usual position, without clocks.
    pub fn new(name: impl Into<String>, level: Level) -> Self {
        Self {
            name: name.into(),
            color: Color::White,
            opponent: Opponent::Level(level),
            control: None,
            start: Position::default(),
            variant: Variant::Standard,
        }
    }

    /// The names of White and Black.
    pub fn names(&self) -> [String; 2] {
        let (own, other) = (self.name.clone(), self.opponent.name());
        match self.color {
            Color::White => [own, other],
            Color::Black => [other, own],
        }
    }

    /// The sides of the people at the terminal.
    pub const fn sides(&self) -> Sides {
        if self.opponent.is_engine() { Sides::One(self.color) } else { Sides::Both }
    }

    /// The terms for the live game.
    pub fn terms(&self) -> Terms {
        Terms {
            start: self.start.clone(),
            control: self.control.clone(),
            engine: self.opponent.is_engine().then_some(!self.color),
            rated: false,
            waiting: false,
        }
    }
}
