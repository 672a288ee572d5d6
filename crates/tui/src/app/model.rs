//! The state of the board, and what happens to the game.

use std::sync::Arc;

use chess::{Color, Move, Square};
use game::live::{Command, End, Event, Moment, Sides};
use game::{Game, Openings};

use super::dialog::{Form, Popup};
use super::entry::Entry;
use super::state::{Analysis, Look, Notice, Preferences, Reviewing};
use crate::pairing::Pairing;
use crate::study::{Study, Walk};
use crate::table::Table;
use crate::traffic::{Effect, Incoming, Kept};

/// The board.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct App {
    /// The game that is played, or was played last.
    pub table: Table,
    /// The game shown.
    pub study: Study,
    /// Whether a game from a file is shown, instead of the one that was played.
    pub loaded: bool,
    /// The terms of the next game.
    pub pairing: Pairing,
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The square whose piece is to be moved.
    pub selected: Option<Square>,
    /// The square that the keyboard points at.
    pub cursor: Option<Square>,
    /// The suggested move.
    pub hint: Option<Move>,
    /// The squares of the premove.
    pub premove: Option<(Square, Square)>,
    /// The line that is being typed.
    pub entry: Entry,
    /// What the player was told last.
    pub notice: Notice,
    /// What lies above the board.
    pub popup: Option<Popup>,
    /// The engine's lines.
    pub analysis: Analysis,
    /// The review.
    pub reviewing: Reviewing,
    /// How it is drawn.
    pub look: Look,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The current time.
    pub now: Moment,
    /// Opening names, when they are ready.
    pub openings: Option<Arc<Openings>>,
    /// The engine's search for its move: the request and the number of plies.
    pub(super) thinking: Option<(u64, usize)>,
    pub(super) plain: bool,
    /// What to say before the first game.
    note: Option<&'static str>,
    /// Whether the first game has begun; the form for it comes before.
    pub(super) started: bool,
    /// Whether the store knows the game.
    kept: bool,
    /// The last request.
    tickets: u64,
    effects: Vec<Effect>,
}

impl App {
    /// A board with a new game, or with the form for one.
    pub fn new(preferences: Preferences, size: (u16, u16), now: Moment) -> Self {
        let Preferences { look, pairing, ask, analyse, plain, note } = preferences;
        let table = Table::new(&pairing, now);
        let study = Study::new(table.to_game());
        let mut app = Self {
            flipped: pairing.color == Color::Black,
            popup: ask.then(|| Popup::New(Box::new(Form::new(&pairing)))),
            table,
            study,
            loaded: false,
            pairing,
            selected: None,
            cursor: None,
            hint: None,
            premove: None,
            entry: Entry::default(),
            notice: Notice::default(),
            analysis: Analysis { on: analyse, ..Analysis::default() },
            reviewing: Reviewing::None,
            look,
            size,
            now,
            openings: None,
            thinking: None,
            plain,
            note,
            started: !ask,
            kept: false,
            tickets: 0,
            effects: Vec::new(),
        };
        if app.started {
            app.greet();
            app.go_on();
        }
        app
    }

    /// A board that shows a game, instead of playing one.
    pub fn showing(preferences: Preferences, game: Game, size: (u16, u16), now: Moment) -> Self {
        let mut app = Self::new(Preferences { ask: true, ..preferences }, size, now);
        app.show_game(game);
        app
    }

    /// A board for a game on another machine.
    pub fn remote(preferences: Preferences, size: (u16, u16), now: Moment) -> Self {
        let mut app = Self::new(Preferences { ask: true, ..preferences }, size, now);
        app.popup = None;
        app.table.remote = true;
        app.table.sides = Sides::None;
        app.table.engine = None;
        app.started = true;
        app.greet();
        app
    }

    /// Goes on with a game that is already stored.
    pub fn resume(&mut self, table: Table) {
        self.popup = None;
        self.effects.clear();
        self.thinking = None;
        self.sit(table);
        self.kept = true;
        self.follow();
        self.study.walk(Walk::Last);
    }

    /// What is to be done since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Hears what has happened, and when.
    pub fn hear(&mut self, incoming: Incoming, now: Moment) {
        self.now = now;
        match incoming {
            Incoming::Key(key) => self.press(key),
            Incoming::Mouse(mouse) => self.point(mouse),
            Incoming::Paste(text) => self.paste(&text),
            Incoming::Resize(columns, rows) => self.size = (columns, rows),
            Incoming::Tick => self.settle(),
            Incoming::Notice(text) => self.tell(text),
            Incoming::Trouble(text) => self.warn(text),
            Incoming::Openings(openings) => self.openings = Some(openings),
            answer => self.answered(answer),
        }
        self.refresh_analysis();
    }

    /// Whether a game is being played, not one that was loaded or is over.
    pub fn is_playing(&self) -> bool {
        self.started && !self.loaded && self.table.live.is_live()
    }

    /// When something must happen without a key: a flag falls.
    pub fn deadline(&self) -> Option<Moment> {
        self.table.live.deadline().filter(|_| !self.table.remote)
    }

    /// Whether the opponent's engine is thinking.
    pub const fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Whether there is something to write below the moves: lines, or a review.
    pub const fn has_remarks(&self) -> bool {
        self.analysis.on || !matches!(self.reviewing, Reviewing::None)
    }

    pub(super) fn want(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) const fn next_ticket(&mut self) -> u64 {
        self.tickets += 1;
        self.tickets
    }

    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: capital(&text.into()), bad: false };
    }

    pub(super) fn warn(&mut self, text: impl Into<String>) {
        self.notice = Notice { text: capital(&text.into()), bad: true };
    }

    /// Tells how the game has ended.
    pub(super) fn tell_end(&mut self, end: End) {
        match end.outcome() {
            Some(outcome) => self.tell(self.table.sentence(outcome)),
            None => self.tell("the game was aborted"),
        }
    }

    /// Gives a command in the game that is played; returns whether it was accepted.
    pub(super) fn perform(&mut self, command: Command) -> bool {
        if self.table.remote {
            self.want(Effect::Send(command));
            return true;
        }
        self.settle();
        match self.table.act(&command, self.now) {
            Ok(event) => {
                if let Some(event) = event {
                    self.happened(&event);
                }
                self.settle();
                true
            }
            Err(refusal) => {
                self.warn(refusal.to_string());
                false
            }
        }
    }

    /// What happens by itself: premoves and flags.
    pub(super) fn settle(&mut self) {
        if self.table.remote {
            return;
        }
        for event in self.table.settle(self.now) {
            self.happened(&event);
        }
    }

    /// Something has happened in the game.
    pub(super) fn happened(&mut self, event: &Event) {
        self.keep(event);
        let live = &self.table.live;
        if live.engine().is_none_or(|engine| !live.has_premove(!engine)) {
            self.premove = None;
        }
        match event {
            Event::Played(played) => {
                self.hint = None;
                self.selected = None;
                match played.outcome {
                    Some(outcome) => self.tell_end(End::Over(outcome)),
                    None => self.notice = Notice::default(),
                }
            }
            Event::TookBack(_) => {
                self.hint = None;
                self.selected = None;
                self.tell("taken back");
            }
            Event::Ended(ended) => self.tell_end(ended.end),
            Event::Offered(Some(offer)) => {
                let what = offer.what.as_str().replace('_', "");
                self.tell(format!("{} offers a {what}", offer.by.name()));
            }
            Event::Offered(None) => self.tell("the offer is gone"),
            Event::PremoveFailed { .. } => self.warn("the premove is not legal"),
            Event::RematchAgreed => {
                let table = self.table.rematch(self.now);
                self.sit(table);
                return;
            }
            Event::Premoved { .. } | Event::RematchOffered { .. } | Event::RematchDeclined => {}
        }
        self.follow();
    }

    /// Shows the game as it is now.
    pub(super) fn follow(&mut self) {
        if !self.loaded {
            self.study.follow(&self.table.live);
        }
        if !self.table.live.is_live() && !self.loaded {
            self.selected = None;
            self.study.game = self.with_tags();
            self.review_finished();
        }
        self.go_on();
    }

    /// The game shown, with the tags of the one that was played.
    pub(super) fn with_tags(&self) -> Game {
        let mut game = self.study.game.clone();
        if !self.loaded {
            game.tags = self.table.to_game().tags;
        }
        game
    }

    /// Starts a game.
    pub(super) fn sit(&mut self, table: Table) {
        if self.thinking.take().is_some() {
            self.want(Effect::StopThinking);
        }
        if let Sides::One(color) = table.sides {
            self.flipped = color == Color::Black;
        }
        self.study = Study::new(table.to_game());
        self.table = table;
        self.loaded = false;
        self.started = true;
        self.kept = false;
        self.hint = None;
        self.selected = None;
        self.premove = None;
        self.drop_review();
        self.greet();
        self.go_on();
    }

    /// The review is no longer wanted: another game is shown.
    pub(super) fn drop_review(&mut self) {
        if matches!(std::mem::take(&mut self.reviewing), Reviewing::Running { .. }) {
            self.want(Effect::StopReview);
        }
    }

    fn greet(&mut self) {
        match self.note.take() {
            _ if self.table.remote => self.tell("connecting"),
            Some(note) => self.tell(format!("{note}. F1 for help")),
            None => self.tell("type a move such as e4 or Nf3, or click on a piece. F1 for help"),
        }
    }

    /// Asks the engine if it is to move, and stops it if it is not.
    pub(super) fn go_on(&mut self) {
        let live = &self.table.live;
        let wanted =
            (self.started && live.is_engines_turn() && !self.table.remote).then(|| live.plies());
        if self.thinking.map(|(_, ply)| ply) == wanted {
            return;
        }
        if self.thinking.take().is_some() {
            self.want(Effect::StopThinking);
        }
        let (Some(ply), Some(question)) = (wanted, self.table.question(self.now)) else { return };
        let ticket = self.next_ticket();
        let program = matches!(self.table.engine, Some(crate::Opponent::Program(_)));
        self.thinking = Some((ticket, ply));
        self.want(Effect::Think { ticket, question: Box::new(question), program });
    }

    /// Stores what has happened, from the first move on.
    fn keep(&mut self, event: &Event) {
        if self.table.remote || !event.is_stored() {
            return;
        }
        if self.kept {
            self.want(Effect::Keep(Box::new(Kept::Happened(event.clone()))));
        } else if matches!(event, Event::Played(_)) {
            self.kept = true;
            self.want(Effect::Keep(Box::new(Kept::Begun(Box::new(self.table.clone())))));
        }
    }
}

/// A text with a capital at the beginning, unless it begins with a move or a path.
fn capital(text: &str) -> String {
    let first = text.split([' ', ':']).next().unwrap_or_default();
    if !first.chars().all(char::is_alphabetic) || text.starts_with(&format!("{first}:")) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |c| c.to_uppercase().chain(letters).collect())
}
