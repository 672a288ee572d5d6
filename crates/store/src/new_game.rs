//! A game to be stored.

use chess::{Line, Position};
use game::live::End;
use game::{Annotation, Game, Tags, TimeControl, Tree, Variant, Visibility};

use crate::error::{Result, StoreError};
use crate::{GameId, Player, Seats, Timestamp, UserId};

/// Maximum number of plies of a game. No legal game gets this far: the seventy-five-move rule ends
/// the longest one at 17,697 plies.
pub const MOST_PLIES: usize = 20_000;

/// A game to be stored.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Its id, if it was played offline and has one; random otherwise.
    pub id: Option<GameId>,
    /// The variant.
    pub variant: Variant,
    /// The start position and the moves played so far.
    pub line: Line,
    /// The white player.
    pub white: Player,
    /// The black player.
    pub black: Player,
    /// The owner, not necessarily a player.
    pub owner: Option<UserId>,
    /// The time control, if the game is timed.
    pub time_control: Option<TimeControl>,
    /// The mover's time left after each move in milliseconds; empty without clocks.
    pub clocks: Vec<u32>,
    /// When the clock of the side to move started.
    pub clock_running_since: Option<Timestamp>,
    /// When it was played; now, if `None`.
    pub played_at: Option<Timestamp>,
    /// Who may see it.
    pub visibility: Visibility,
    /// Secrets that let others than the users move.
    pub seats: Seats,
    /// Whether it is rated.
    pub rated: bool,
    /// The end, if it is over.
    pub end: Option<End>,
    /// The source of the game.
    pub origin: Origin,
}

/// The source of a game, with the data that only this kind of game has.
#[derive(Clone, Debug)]
pub enum Origin {
    /// Played on this server or in a terminal.
    Played {
        /// What no column says about it, such as `BlackType`: usually nothing.
        tags: Tags,
    },
    /// Imported from PGN.
    Imported {
        /// Its tags.
        tags: Tags,
        /// Its moves as PGN, if they have comments or variations.
        annotated: Option<String>,
    },
}

impl NewGame {
    /// A new untimed game.
    pub fn live(start: Position, white: Player, black: Player) -> Self {
        Self {
            id: None,
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
            origin: Origin::Played { tags: Tags::default() },
        }
    }

    /// A game from a PGN file. Player names are shortened to fit; the tags keep them unchanged.
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
            return Err(StoreError::Refused { what: "clock", why: "is missing for some moves" });
        }
        Ok(())
    }
}

/// The clock times of a game whose only annotations they are: they take a tenth of the space of
/// PGN. None for a game with comments or variations.
pub(crate) fn clocks(tree: &Tree) -> Option<Vec<u32>> {
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

/// The milliseconds of an annotation that is a clock time and nothing else.
fn only_clock(said: &Annotation) -> Option<u32> {
    let millis = u32::try_from(said.clock?.as_millis()).ok()?;
    (*said == clock_annotation(millis)).then_some(millis)
}

pub(crate) fn clock_annotation(millis: u32) -> Annotation {
    let mut annotation = Annotation::default();
    annotation.clock = Some(std::time::Duration::from_millis(millis.into()));
    annotation
}

/// The moves with all annotations, as PGN without tags.
pub(crate) fn movetext(game: &Game) -> String {
    let pgn = game.to_string();
    let (_, moves) = pgn.split_once("\n\n").expect("a blank line follows the tags");
    // Databases can't store NUL; replace it by its visible symbol.
    moves.replace('\0', "\u{2400}")
}

/// When a game was played, according to its tags.
fn played_at(tags: &Tags) -> Option<Timestamp> {
    let day = |name| tags.get(name).and_then(Timestamp::from_pgn_date);
    let start = day("UTCDate");
    let exact = start.zip(tags.get("UTCTime")).and_then(|(day, time)| day.at_time(time));
    exact.or(start).or_else(|| day("Date"))
}
