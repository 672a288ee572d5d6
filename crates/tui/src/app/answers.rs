//! What engines, reviewers, files and servers answer.

use std::fmt::Write;

use engine::{Limits, Question};
use game::Game;
use game::pgn::Reader;
use review::words::{Language, summary};

use super::dialog::Popup;
use super::model::App;
use super::state::{Analysis, Reviewing};
use crate::study::Study;
use crate::traffic::{Effect, Incoming, News, Seen};

/// Lines of an analysis.
const LINES: usize = 3;

/// How long a position is analysed.
const ANALYSIS: std::time::Duration = std::time::Duration::from_mins(2);

impl App {
    pub(super) fn answered(&mut self, answer: Incoming) {
        match answer {
            Incoming::Lines { ticket, lines }
                if self.analysis.ticket == Some(ticket) && !self.analysis.hint =>
            {
                self.analysis.lines = lines;
            }
            Incoming::Decided { ticket, answer } => self.decided(ticket, answer),
            Incoming::Judged { ticket, done, of } => {
                if let Reviewing::Running { ticket: wanted, .. } = self.reviewing
                    && wanted == ticket
                {
                    self.reviewing = Reviewing::Running { ticket, done, of };
                }
            }
            Incoming::Reviewed { ticket, report } => {
                if !matches!(self.reviewing, Reviewing::Running { ticket: t, .. } if t == ticket) {
                    return;
                }
                match report {
                    Ok(report) => {
                        self.reviewing = Reviewing::Done(report);
                        self.study.touch();
                        if self.popup.is_none() && self.entry.is_empty() {
                            self.show_review();
                        } else {
                            self.tell("the review is ready: type review");
                        }
                    }
                    Err(error) => {
                        self.reviewing = Reviewing::None;
                        self.warn(error);
                    }
                }
            }
            Incoming::Loaded(Ok(game)) => self.show_game(*game),
            Incoming::Loaded(Err(error)) => self.warn(error),
            Incoming::News(News::Seen(seen)) => self.see(*seen),
            Incoming::News(News::Notice(text)) => self.tell(text),
            Incoming::News(News::Trouble(text)) => self.warn(text),
            _ => {}
        }
    }

    fn decided(&mut self, ticket: u64, answer: Result<engine::Verdict, String>) {
        if let Some((wanted, ply)) = self.thinking
            && wanted == ticket
        {
            match answer {
                Ok(verdict) => {
                    self.thinking = None;
                    self.settle();
                    match self.table.engine_plays(ply, &verdict, self.now) {
                        Ok(Some(event)) => self.happened(&event),
                        Ok(None) => {}
                        Err(refusal) => self.warn(refusal.to_string()),
                    }
                    self.settle();
                }
                // It stays the engine's turn: the player can take back, resign or leave.
                Err(error) => self.warn(error),
            }
        } else if self.analysis.ticket == Some(ticket) {
            let hint = std::mem::take(&mut self.analysis.hint);
            self.analysis.ticket = None;
            match answer {
                Ok(verdict) if hint => self.show_hint(verdict.best),
                Ok(verdict) if !verdict.lines.is_empty() => self.analysis.lines = verdict.lines,
                Ok(_) => {}
                Err(error) => {
                    // Asking again would fail again.
                    self.analysis.on = false;
                    self.warn(error);
                }
            }
        }
    }

    /// Asks the analyst, instead of what it was asked before.
    pub(super) fn ask(&mut self, question: Question, hint: bool) {
        let ticket = self.next_ticket();
        self.analysis = Analysis {
            ticket: Some(ticket),
            hint,
            about: Some(self.place()),
            ..Analysis { on: self.analysis.on, ..Analysis::default() }
        };
        self.want(Effect::Analyse { ticket, question: Box::new(question) });
    }

    /// What the board shows, for comparing.
    fn place(&self) -> (u32, u64) {
        (self.study.at().number(), self.study.revision())
    }

    pub(super) fn switch_analysis(&mut self) {
        if self.is_playing() && self.table.remote {
            self.warn("no engine in a game against others");
            return;
        }
        self.analysis.on = !self.analysis.on;
        self.tell(if self.analysis.on { "engine lines on" } else { "engine lines off" });
    }

    /// Analyses the position shown, if that is wanted and not yet done.
    pub(super) fn refresh_analysis(&mut self) {
        let allowed = !(self.is_playing() && self.table.remote) && self.started;
        let about = Some(self.place());
        let known = self.analysis.about == about;
        let asked = self.analysis.ticket.is_some();
        if asked && !known || asked && !self.analysis.hint && !(self.analysis.on && allowed) {
            self.want(Effect::StopAnalysis);
            self.analysis = Analysis { on: self.analysis.on, ..Analysis::default() };
        } else if !known || !self.analysis.on {
            self.analysis.lines.clear();
        }
        let wanted = self.analysis.on && allowed && self.study.position().has_legal_move();
        if wanted && self.analysis.ticket.is_none() && self.analysis.lines.is_empty() {
            let question = Question::new(self.study.line().clone());
            self.ask(question.limits(Limits::move_time(ANALYSIS)).lines(LINES), false);
        }
    }

    /// The summary of the review.
    pub(super) fn show_review(&mut self) {
        let Reviewing::Done(report) = &self.reviewing else { return };
        let mut text = summary(report, Language::English);
        text.push_str("\n\n");
        for (name, side) in [("White", &report.white), ("Black", &report.black)] {
            let accuracy = side.accuracy.map_or("-".to_owned(), |value| format!("{value:.1} %"));
            let loss = side.centipawn_loss.map_or("-".to_owned(), |value| format!("{value:.0}"));
            let _ = writeln!(text, "{name}: accuracy {accuracy}, average loss {loss} centipawns");
            let counts: Vec<String> = review::Label::ALL
                .iter()
                .zip(side.labels)
                .filter(|(_, count)| *count > 0)
                .map(|(label, count)| {
                    format!("{count} {}", review::words::label(*label, Language::English))
                })
                .collect();
            let _ = writeln!(text, "  {}", counts.join(", ").to_lowercase());
        }
        text.push_str("\nStep through the game to read about each move.");
        self.popup = Some(Popup::Text { title: "Review".to_owned(), text, scroll: 0 });
    }

    /// Shows a game that isn't played here.
    pub(super) fn show_game(&mut self, game: Game) {
        let names = [game.tags.get("White"), game.tags.get("Black")];
        let [white, black] = names.map(|name| name.unwrap_or("?").to_owned());
        let moves = match game.line().len().div_ceil(2) {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        self.tell(format!("{white} - {black} {}, {moves}", game.result));
        if self.thinking.take().is_some() {
            self.want(Effect::StopThinking);
        }
        self.loaded = true;
        self.started = true;
        self.popup = None;
        self.selected = None;
        self.hint = None;
        self.drop_review();
        self.study = Study::new(game);
    }

    /// Reads a game that was pasted.
    pub(super) fn paste_game(&mut self, text: &str) {
        if self.is_playing() && self.table.live.plies() > 0 {
            self.warn("finish or resign this game first");
            return;
        }
        match Reader::new(text.as_bytes()).games().next() {
            Some(Ok(game)) if !game.line().is_empty() => self.show_game(game),
            Some(Err(error)) => self.warn(format!("pasted text: {error}")),
            _ => self.warn("the pasted text is neither a move nor a game"),
        }
    }

    /// A game on a server has changed.
    fn see(&mut self, seen: Seen) {
        let Seen { mut live, names, sides, variant } = seen;
        live.start_clocks(self.now);
        let first = self.table.sides != sides || self.table.names != names;
        let other = self.study.game.tree.start() != live.line().start();
        self.table.names = names;
        self.table.sides = sides;
        self.table.variant = variant;
        let before = self.table.live.end();
        let moved = self.table.live.plies() != live.plies();
        let offer = live.offer().filter(|_| live.offer() != self.table.live.offer());
        self.table.live = live;
        if other {
            self.study = Study::new(self.table.to_game());
        }
        if first && sides == game::live::Sides::One(chess::Color::Black) {
            self.flipped = true;
        }
        if moved {
            self.premove = None;
            self.selected = None;
            self.hint = None;
        }
        let end = self.table.live.end();
        if let Some(end) = end.filter(|_| before.is_none()) {
            self.tell_end(end);
        } else if let Some(offer) = offer.filter(|offer| !sides.plays(offer.by)) {
            let what = offer.what.as_str().replace('_', "");
            self.tell(format!("{} offers a {what}: type accept or decline", offer.by.name()));
        } else if self.table.live.is_waiting() {
            self.tell("waiting for the other player");
        } else if first && end.is_none() {
            let text = match sides {
                game::live::Sides::None => "you are watching this game",
                _ => "connected",
            };
            self.tell(text);
        }
        self.follow();
    }
}
