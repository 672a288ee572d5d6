//! A game that is to be kept.

use chess::{Line, Position};
use game::live::End;
use game::{Annotation, Game, Tags, TimeControl, Tree, Variant, Visibility};

use crate::error::{Result, StoreError};
use crate::{Player, Seats, Timestamp, UserId};

/// The most moves of both sides that a game may have. By the rules none gets so far: without a
/// capture or a pawn's move for seventy-five moves it is drawn, which ends the longest at 17,697.
pub const MOST_PLIES: usize = 20_000;

/// A game that is to be kept.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The variant.
    pub variant: Variant,
    /// The start, and the moves that have been played already.
    pub line: Line,
    /// Who plays White.
    pub white: Player,
    /// Who plays Black.
    pub black: Player,
    /// Whose game it is, besides the players'.
    pub owner: Option<UserId>,
    /// The time control, if there are clocks.
    pub time_control: Option<TimeControl>,
    /// Milliseconds that the mover had left after each move; empty without clocks.
    pub clocks: Vec<u32>,
    /// Since when the clock of the side to move runs.
    pub clock_running_since: Option<Timestamp>,
    /// When it was played; now, if it is not said.
    pub played_at: Option<Timestamp>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Who may move besides the users who play.
    pub seats: Seats,
    /// Whether it counts for the ratings of its players.
    pub rated: bool,
    /// The end, if it is over.
    pub end: Option<End>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a game comes from, and what only that kind of game has.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Played here.
    Played,
    /// Read from a file.
    Imported {
        /// Its tags.
        tags: Tags,
        /// Its moves as PGN, if something is said about them.
        annotated: Option<String>,
    },
}

impl NewGame {
    /// A game that begins now, without clocks.
    pub fn live(start: Position, white: Player, black: Player) -> Self {
        Self {
            variant: Variant::of_start(&start),
            line: Line::new(start),
            white,
            black,
            owner: None,
            time_control: None,
            clocks: Vec::new(),
            clock_running_since: None,
            played_at: None,
            visibility: Visibility::Private,
            seats: Seats::default(),
            rated: false,
            end: None,
            origin: Origin::Played,
        }
    }

    /// A game from a file. Names of players are shortened to what can be kept; the tags keep them
    /// as they are.
    pub fn imported(game: &Game) -> Self {
        let tags = &game.tags;
        let line = game.line();
        let mut new = Self::live(
            game.tree.start().clone(),
            Player::from_tag(tags.get("White")),
            Player::from_tag(tags.get("Black")),
        );
        new.variant = game.variant();
        let clocks = clocks(&game.tree);
        let annotated = clocks.is_none().then(|| movetext(game));
        new.line = line;
        new.time_control = tags.get("TimeControl").and_then(|text| text.parse().ok());
        new.clocks = clocks.unwrap_or_default();
        new.played_at = played_at(tags);
        new.end = Some(End::Closed(game.result));
        new.origin = Origin::Imported { tags: tags.clone(), annotated };
        new
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.white.check()?;
        self.black.check()?;
        if self.line.len() > MOST_PLIES {
            return Err(StoreError::Refused { what: "game", why: "is too long" });
        }
        if !self.clocks.is_empty() && self.clocks.len() != self.line.len() {
            return Err(StoreError::Refused { what: "clock", why: "is not known for every move" });
        }
        Ok(())
    }
}

/// The clocks of a game in which nothing else is said: they say it all, and take a tenth of the
/// room that PGN takes. None for a game with comments or variations.
fn clocks(tree: &Tree) -> Option<Vec<u32>> {
    if tree.comment(Tree::ROOT).is_some() {
        return None;
    }
    let mut clocks = Vec::new();
    let mut plies = 0;
    let mut before = Tree::ROOT;
    for node in tree.main_nodes() {
        plies += 1;
        if tree.children(before).count() > 1 || !tree.nags(node).is_empty() {
            return None;
        }
        if let Some(said) = tree.comment(node) {
            clocks.push(only_clock(said)?);
        }
        before = node;
    }
    (clocks.is_empty() || clocks.len() == plies).then_some(clocks)
}

/// The milliseconds of an annotation that is a clock and nothing else.
fn only_clock(said: &Annotation) -> Option<u32> {
    let millis = u32::try_from(said.clock?.as_millis()).ok()?;
    (*said == clock_annotation(millis)).then_some(millis)
}

pub(crate) fn clock_annotation(millis: u32) -> Annotation {
    let mut annotation = Annotation::default();
    annotation.clock = Some(std::time::Duration::from_millis(millis.into()));
    annotation
}

/// The moves of a game with all that is said about them, as PGN without tags.
fn movetext(game: &Game) -> String {
    let pgn = game.to_string();
    let (_, moves) = pgn.split_once("\n\n").expect("a blank line follows the tags");
    // No text of a database can hold a NUL; its picture can.
    moves.replace('\0', "\u{2400}")
}

/// When a game was played, as far as its tags say.
fn played_at(tags: &Tags) -> Option<Timestamp> {
    let day = |name| tags.get(name).and_then(Timestamp::from_pgn_date);
    let start = day("UTCDate");
    let exact = start.zip(tags.get("UTCTime")).and_then(|(day, time)| day.at_time(time));
    exact.or(start).or_else(|| day("Date"))
}
