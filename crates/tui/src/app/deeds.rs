//! What the player's words and clicks do.

use chess::{CastlingMode, Move, Position, Square};
use engine::{Limits, Question};
use game::live::{Action, Command, OfferKind, Refusal, Sides};

use super::dialog::{Form, Popup};
use super::model::App;
use super::state::Reviewing;
use crate::help::help;
use crate::order::{Deed, Order};
use crate::study::Walk;
use crate::table::Table;
use crate::traffic::Effect;

/// How long a hint may take.
const HINT: std::time::Duration = std::time::Duration::from_secs(1);

impl App {
    /// Carries out a typed line.
    pub fn submit(&mut self, line: &str) {
        match Order::parse(line) {
            None => {}
            Some(Order::Move(text)) => self.enter_text(&text),
            Some(Order::Do(deed)) => self.carry_out(deed),
            Some(Order::Needs(text)) => self.warn(text),
            Some(Order::Save(path)) => {
                let text = self.with_tags().to_string();
                self.want(Effect::Save(path, text));
            }
            Some(Order::Load(path, number)) => {
                if self.is_playing() && self.table.live.plies() > 0 {
                    self.warn("finish or resign this game first");
                } else {
                    self.want(Effect::Load(path, number));
                }
            }
        }
    }

    /// Carries out a word, or asks first.
    pub(super) fn carry_out(&mut self, deed: Deed) {
        match deed {
            deed if self.plain => self.carry_out_now(deed),
            Deed::Resign if self.is_playing() => {
                self.confirm("Resign this game?", deed);
            }
            // One of two people at a terminal can't agree for both.
            Deed::Draw if self.is_playing() && self.table.sides == Sides::Both => {
                self.confirm("Do both players agree to a draw?", deed);
            }
            Deed::New if self.is_playing() && self.table.live.plies() > 1 => {
                self.confirm("Leave this game and start another?", deed);
            }
            deed => self.carry_out_now(deed),
        }
    }

    fn confirm(&mut self, question: &str, deed: Deed) {
        self.popup = Some(Popup::Confirm { question: question.to_owned(), deed });
    }

    /// Carries out a word.
    pub(super) fn carry_out_now(&mut self, deed: Deed) {
        match deed {
            Deed::TakeBack => self.in_game(Action::TakeBack),
            Deed::Draw => self.in_game(Action::Draw),
            Deed::Claim => self.in_game(Action::ClaimDraw),
            Deed::Accept => match self.table.live.offer().map(|offer| offer.what) {
                Some(OfferKind::TakeBack) => self.in_game(Action::TakeBack),
                Some(OfferKind::Draw) => self.in_game(Action::Draw),
                None => self.warn("there is no offer to accept"),
            },
            Deed::Decline => self.in_game(Action::Decline),
            Deed::Resign => self.in_game(Action::Resign),
            Deed::Abort => self.in_game(Action::Abort),
            Deed::Rematch => {
                self.perform(Command::Rematch);
            }
            Deed::New if self.table.remote => self.warn("this board is for a game on a server"),
            Deed::New if self.plain => self.start(&Form::new(&self.pairing)),
            Deed::New => self.popup = Some(Popup::New(Box::new(Form::new(&self.pairing)))),
            Deed::Flip => self.flipped = !self.flipped,
            Deed::Theme => {
                self.look.theme = self.look.theme.next();
                self.tell(format!("colors: {}", self.look.theme));
            }
            Deed::Hint => self.ask_for_hint(),
            Deed::Analyse => self.switch_analysis(),
            Deed::Review => self.start_review(),
            Deed::Back => self.walk(Walk::Back(1)),
            Deed::Next => self.walk(Walk::Next(1)),
            Deed::First => self.walk(Walk::First),
            Deed::Board | Deed::Last => self.walk(Walk::Last),
            Deed::Moves => {
                let position = self.study.position();
                let moves = position.legal_moves();
                let all: Vec<String> = moves.iter().map(|&m| position.san(m).to_string()).collect();
                self.read("Legal moves", all.join(" "));
            }
            Deed::Fen => self.read("Position (FEN)", self.study.position().to_string()),
            Deed::Pgn => self.read("Game (PGN)", self.with_tags().to_string()),
            Deed::Help => self.read("Help", help()),
            Deed::Quit => self.want(Effect::Quit),
        }
    }

    fn read(&mut self, title: &str, text: String) {
        self.popup = Some(Popup::Text { title: title.to_owned(), text, scroll: 0 });
    }

    fn in_game(&mut self, action: Action) {
        if !self.started || self.loaded {
            self.warn("no game is being played: type new");
        } else if self.perform(action.command()) && self.table.remote && action == Action::Draw {
            self.tell("draw offered");
        }
    }

    /// Shows another move.
    pub(super) fn walk(&mut self, walk: Walk) {
        self.study.walk(walk);
        self.selected = None;
        self.hint = None;
    }

    /// Enters a move that was typed.
    fn enter_text(&mut self, text: &str) {
        if !self.is_playing() {
            match self.study.position().parse_move(text) {
                Ok(m) => self.add_to_study(m),
                Err(error) => {
                    self.warn(format!("{text}: {error}. Type help for what else there is"));
                }
            }
            return;
        }
        if !self.is_at_game() {
            return;
        }
        let ply = self.table.live.plies();
        if self.table.is_our_turn() {
            match self.study.position().parse_move(text) {
                Err(why) => {
                    let refusal = Refusal::IllegalMove { entered: text.into(), why };
                    self.warn(format!("{refusal}. Type help for what else there is"));
                }
                Ok(m) => self.play(ply, m),
            }
        } else if matches!(self.table.sides, Sides::One(_)) {
            self.set_premove(Command::premove(ply + 1, text), None);
        } else {
            self.warn(Refusal::NotAPlayer.to_string());
        }
    }

    fn play(&mut self, ply: usize, m: Move) {
        // A server reads text.
        let command = if self.table.remote {
            let mode = self.table.variant.castling();
            Command::play(ply, m.to_uci(self.study.position(), mode).to_string())
        } else {
            Command::play(ply, m)
        };
        self.selected = None;
        self.perform(command);
    }

    fn set_premove(&mut self, command: Command, squares: Option<(Square, Square)>) {
        if self.perform(command) {
            self.premove = squares;
            self.tell("premove set; Esc cancels it");
        }
    }

    /// Whether the board shows the game as it stands; otherwise the player is told how to get there.
    fn is_at_game(&mut self) -> bool {
        if !self.study.is_at_end() {
            self.warn("this is an earlier position: press End to go back to the game");
            return false;
        }
        true
    }

    fn add_to_study(&mut self, m: Move) {
        self.study.play(m);
        self.selected = None;
        self.hint = None;
    }

    /// Enters a move by its squares, and asks for the piece if a pawn promotes.
    pub(super) fn enter_squares(&mut self, from: Square, to: Square) {
        if self.is_playing() && !self.is_at_game() {
            return;
        }
        if self.is_playing() && !self.table.is_our_turn() {
            let ply = self.table.live.plies() + 1;
            let text = format!("{from}{to}{}", self.premove_promotion(from, to));
            self.set_premove(Command::premove(ply, text), Some((from, to)));
            return;
        }
        let moves = moves_between(self.study.position(), from, to);
        match moves[..] {
            [] => self.warn(format!("{from}{to}: not a legal move here")),
            [m] => self.enter_move(m),
            _ => self.popup = Some(Popup::Promotion(moves)),
        }
    }

    /// A pawn that is premoved to the last rank becomes a queen.
    fn premove_promotion(&self, from: Square, to: Square) -> &'static str {
        let piece = self.study.position().piece_on(from);
        let pawn = piece.is_some_and(|piece| {
            piece.role() == chess::Role::Pawn && to.rank() == (!piece.color()).back_rank()
        });
        if pawn { "q" } else { "" }
    }

    /// Enters a legal move.
    pub(super) fn enter_move(&mut self, m: Move) {
        if self.is_playing() {
            self.play(self.table.live.plies(), m);
        } else {
            self.add_to_study(m);
        }
    }

    /// Starts the game of the form.
    pub(super) fn start(&mut self, form: &Form) {
        self.popup = None;
        // Milliseconds are chance enough for colors and start positions.
        self.pairing =
            form.pairing(self.now.0.unsigned_abs().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33);
        let table = Table::new(&self.pairing, self.now);
        self.sit(table);
    }

    fn ask_for_hint(&mut self) {
        if self.is_playing() && self.table.remote {
            self.warn("no hints in a game against others");
        } else if self.is_playing() && !self.table.is_our_turn() {
            self.warn(Refusal::NotYourTurn.to_string());
        } else if let Some(best) = self.analysis.lines.first().and_then(|line| line.pv.first()) {
            self.show_hint(*best);
        } else if self.study.position().has_legal_move() {
            let question = Question::new(self.study.line().clone()).limits(Limits::move_time(HINT));
            self.ask(question, true);
            self.tell("looking for a move");
        } else {
            self.warn(Refusal::Over.to_string());
        }
    }

    pub(super) fn show_hint(&mut self, m: Move) {
        if self.study.position().is_legal(m) {
            self.hint = Some(m);
            self.tell(format!("Hint: {}", self.study.position().san(m)));
        }
    }

    /// A game that was played to its end is reviewed at once.
    pub(super) fn review_finished(&mut self) {
        let played = self.table.live.outcome().is_some() && self.table.live.plies() > 1;
        if played && !self.plain && matches!(self.reviewing, Reviewing::None) {
            self.start_review();
        }
    }

    fn start_review(&mut self) {
        if self.is_playing() {
            self.warn(Refusal::NotOver.to_string());
            return;
        }
        match &self.reviewing {
            Reviewing::Running { .. } => self.tell("the review is being made"),
            Reviewing::Done(_) => self.show_review(),
            Reviewing::None if self.study.game.line().is_empty() => {
                self.warn("there are no moves to review");
            }
            Reviewing::None => {
                let ticket = self.next_ticket();
                let game = Box::new(self.with_tags());
                self.reviewing = Reviewing::Running { ticket, done: 0, of: game.line().len() };
                self.want(Effect::Review { ticket, game });
            }
        }
    }
}

/// The legal moves from one square to another. A king castles by going to its rook or to where it
/// ends up.
pub(super) fn moves_between(position: &Position, from: Square, to: Square) -> Vec<Move> {
    let moves = position.legal_moves();
    let lands = |m: &Move| m.to() == to || m.to_uci(position, CastlingMode::Standard).to == to;
    moves.iter().copied().filter(|m| m.from() == from && lands(m)).collect()
}
