//! The loop of plain mode: the same board as on the screen, read and written as lines.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use chess::Position;
use engine::{Analyst, Engine, Limits, Question, Stop};
use game::Game;
use review::{Plan, own_name, own_options, review_with};

use super::words::{analysis, diagram, turn};
use crate::app::{App, Popup, Preferences};
use crate::order::{Deed, Order};
use crate::shell::{MakeAnalyst, Makers, Wall, load, save};
use crate::table::Table;
use crate::traffic::{Effect, Incoming, Keeper};
use game::printable;

/// How long the engine looks at a position it is asked about.
const LOOK: Duration = Duration::from_secs(1);

/// What plain mode needs from its program.
pub struct Plain {
    /// What the player wants.
    pub preferences: Preferences,
    /// The engines.
    pub makers: Makers,
    /// Where games are stored.
    pub keeper: Option<Box<dyn Keeper>>,
    /// A game to show, instead of playing one.
    pub shown: Option<Box<Game>>,
    /// A stored game to go on with, instead of a new one.
    pub resume: Option<Table>,
    /// Whether a person types, and wants to be asked for the next line.
    pub prompt: bool,
}

/// Plays until the player leaves or the input ends. Returns how many lines could not be carried
/// out.
pub fn play(plain: Plain, input: impl BufRead, output: impl Write) -> io::Result<usize> {
    let wall = Wall::new();
    let preferences = Preferences { ask: false, analyse: false, plain: true, ..plain.preferences };
    let note = preferences.note;
    let mut app = match plain.shown {
        Some(game) => App::showing(preferences, *game, (80, 24), wall.now()),
        None => App::new(preferences, (80, 24), wall.now()),
    };
    if let Some(table) = plain.resume {
        app.resume(table);
    }
    let mut reader = Reader {
        app,
        makers: plain.makers,
        keeper: plain.keeper,
        own: None,
        program: None,
        wall,
        output,
        refused: 0,
        seen: None,
        told: Vec::new(),
    };
    reader.begin(note)?;
    reader.read_all(input, plain.prompt)?;
    Ok(reader.refused)
}

struct Reader<W> {
    app: App,
    makers: Makers,
    keeper: Option<Box<dyn Keeper>>,
    own: Option<Box<dyn Analyst>>,
    program: Option<Box<dyn Analyst>>,
    wall: Wall,
    output: W,
    refused: usize,
    /// The position and the side at the bottom that were shown last.
    seen: Option<(Position, bool)>,
    /// The moves of the game that were told.
    told: Vec<chess::Move>,
}

/// Whether to read on.
type Goes = bool;

impl<W: Write> Reader<W> {
    fn begin(&mut self, note: Option<&str>) -> io::Result<()> {
        if !self.app.loaded {
            let [white, black] = &self.app.table.names;
            let text = format!("White: {white}. Black: {black}.");
            self.say(&text)?;
            self.app.notice = crate::Notice::default();
        }
        if let Some(note) = note {
            self.say(&format!("{note}."))?;
        }
        self.say("Type a move such as e4, Nf3 or e2e4; help lists what else there is.")?;
        self.work()?;
        self.report()
    }

    fn read_all(&mut self, mut input: impl BufRead, prompt: bool) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            if prompt {
                write!(self.output, "> ")?;
            }
            self.output.flush()?;
            bytes.clear();
            if input.read_until(b'\n', &mut bytes)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&bytes);
            if !self.line(&line)? {
                return Ok(());
            }
        }
    }

    /// Prints a line, or several. Everything is printed here, because much of it comes from others:
    /// names, comments, file names, errors.
    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{}", printable(text.trim_end_matches('\n')))
    }

    fn hear(&mut self, incoming: Incoming) {
        self.app.hear(incoming, self.wall.now());
    }

    /// Carries out a line.
    fn line(&mut self, line: &str) -> io::Result<Goes> {
        self.app.notice = crate::Notice::default();
        self.hear(Incoming::Tick);
        match Order::parse(line) {
            Some(Order::Do(Deed::Help)) => self.say(&crate::help::words())?,
            Some(Order::Do(Deed::Analyse)) => self.analyse()?,
            Some(Order::Do(Deed::Board)) => self.seen = None,
            _ => self.app.submit(line),
        }
        let goes = self.work()?;
        self.report()?;
        Ok(goes)
    }

    /// Does what the board wants, until it wants no more.
    fn work(&mut self) -> io::Result<Goes> {
        loop {
            let effects = self.app.take_effects();
            if effects.is_empty() {
                return Ok(true);
            }
            for effect in effects {
                match effect {
                    Effect::Think { ticket, question, program } => {
                        // What was played so far is told before the engine thinks.
                        self.tell_moves()?;
                        self.output.flush()?;
                        let answer = self.decide(&question, program);
                        self.hear(Incoming::Decided { ticket, answer });
                    }
                    Effect::Analyse { ticket, question } => {
                        let answer = self.decide(&question, false);
                        self.hear(Incoming::Decided { ticket, answer });
                    }
                    Effect::Review { ticket, game } => {
                        self.say("Reviewing the game; this takes a while.")?;
                        self.output.flush()?;
                        let name = own_name(engine::embedded_net().checksum());
                        let mut engine = Engine::new(own_options());
                        let (plan, stop) = (Plan::default(), Stop::new());
                        let report =
                            review_with(&game, &mut engine, &plan, &name, &stop, &mut |_| {});
                        let report = report.map(Box::new).map_err(|error| error.to_string());
                        self.hear(Incoming::Reviewed { ticket, report });
                    }
                    Effect::Keep(kept) => {
                        let kept = self.keeper.as_mut().map(|keeper| keeper.keep(*kept));
                        if let Some(Err(error)) = kept {
                            self.keeper = None;
                            self.say(&format!("The game is not saved: {error}"))?;
                        }
                    }
                    Effect::Save(path, text) => {
                        let saved = save(&path, &text);
                        self.hear(saved.map_or_else(Incoming::Trouble, Incoming::Notice));
                    }
                    Effect::Load(path, number) => {
                        let loaded = load(&path, number).map(Box::new);
                        self.hear(Incoming::Loaded(loaded));
                    }
                    Effect::Quit => return Ok(false),
                    Effect::StopThinking
                    | Effect::StopAnalysis
                    | Effect::StopReview
                    | Effect::Send(_)
                    | Effect::Suspend
                    | Effect::Redraw => {}
                }
            }
        }
    }

    fn decide(&mut self, question: &Question, program: bool) -> Result<engine::Verdict, String> {
        let other = self.makers.program.clone().filter(|_| program);
        let (slot, make) = match other {
            Some(make) => (&mut self.program, make),
            None => (&mut self.own, MakeAnalyst::clone(&self.makers.own)),
        };
        let mut analyst = match slot.take() {
            Some(analyst) => analyst,
            None => make()?,
        };
        let verdict = analyst.decide(question, &Stop::new()).map_err(|error| error.to_string())?;
        // After an error it is made again for the next question.
        *slot = Some(analyst);
        Ok(verdict)
    }

    /// Shows what the engine thinks of the position.
    fn analyse(&mut self) -> io::Result<()> {
        let line = self.app.study.line().clone();
        if !line.position().has_legal_move() {
            return self.say("There is no legal move here.");
        }
        let position = line.position().clone();
        let question = Question::new(line).limits(Limits::move_time(LOOK)).lines(3);
        match self.decide(&question, false) {
            Ok(verdict) => self.say(&analysis(&verdict, &position)),
            Err(error) => self.say(&error),
        }
    }

    /// Tells the moves that were played since the last time.
    fn tell_moves(&mut self) -> io::Result<()> {
        let line = self.app.table.live.line().clone();
        let moves: Vec<chess::Move> = line.moves().collect();
        let same = self.told.iter().zip(&moves).take_while(|(a, b)| a == b).count();
        for (m, before) in moves.iter().zip(line.positions()).skip(same) {
            let who = self.app.table.name(before.turn());
            let text = format!("{who} plays {} {}", before.move_number(), before.san(*m));
            self.say(&text)?;
        }
        self.told = moves;
        Ok(())
    }

    /// Tells everything that has changed.
    fn report(&mut self) -> io::Result<()> {
        self.tell_moves()?;
        if let Some(Popup::Text { text, .. }) = self.app.popup.take() {
            self.say(text.trim_end())?;
        }
        let notice = std::mem::take(&mut self.app.notice);
        if !notice.text.is_empty() {
            self.say(&notice.text)?;
        }
        self.refused += usize::from(notice.bad);
        let shown = (self.app.study.position().clone(), self.app.flipped);
        if self.seen.as_ref() != Some(&shown) {
            let (position, flipped) = &shown;
            self.say(&format!("\n{}", diagram(position, *flipped)))?;
            self.say("")?;
            if position.has_legal_move() {
                self.say(&turn(position))?;
            }
            self.seen = Some(shown);
        }
        Ok(())
    }
}
