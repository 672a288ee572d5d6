//! What keys do.

use chess::{File, Rank, Role, Square};
use game::live::Command;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::dialog::{Form, Popup};
use super::model::App;
use crate::order::Deed;
use crate::study::Walk;
use crate::traffic::Effect;

/// Plies that the page keys go.
const PAGE: usize = 10;

/// What the function keys do.
pub(crate) const FUNCTION_KEYS: [(u8, Deed); 10] = [
    (1, Deed::Help),
    (2, Deed::New),
    (3, Deed::Hint),
    (4, Deed::TakeBack),
    (5, Deed::Flip),
    (6, Deed::Analyse),
    (7, Deed::Draw),
    (8, Deed::Resign),
    (9, Deed::Review),
    (10, Deed::Quit),
];

impl App {
    pub(super) fn press(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL)
            && let KeyCode::Char(letter) = key.code
        {
            self.press_control(letter.to_ascii_lowercase());
            return;
        }
        // Escape and a letter typed right after it look like Alt and the letter to a terminal.
        // Nothing here is on Alt, so they are taken for what they were.
        if key.modifiers.contains(KeyModifiers::ALT) && matches!(key.code, KeyCode::Char(_)) {
            self.press(KeyEvent::from(KeyCode::Esc));
            let modifiers = key.modifiers.difference(KeyModifiers::ALT);
            self.press(KeyEvent::new(key.code, modifiers));
            return;
        }
        if self.popup.is_some() {
            self.press_in_popup(key);
            return;
        }
        let moved = key
            .modifiers
            .intersects(KeyModifiers::SHIFT.union(KeyModifiers::ALT).union(KeyModifiers::CONTROL));
        match key.code {
            KeyCode::F(number) => self.press_function(number),
            KeyCode::Left if moved => self.move_cursor(-1, 0),
            KeyCode::Right if moved => self.move_cursor(1, 0),
            KeyCode::Up if moved => self.move_cursor(0, 1),
            KeyCode::Down if moved => self.move_cursor(0, -1),
            KeyCode::Esc => self.escape(),
            KeyCode::Enter | KeyCode::Char(' ') if self.entry.is_empty() => self.press_square(),
            KeyCode::Char('?') if self.entry.is_empty() => self.carry_out(Deed::Help),
            KeyCode::Enter => {
                let line = self.entry.take();
                self.submit(&line);
            }
            KeyCode::Tab => self.entry.complete(self.study.position(), true),
            KeyCode::BackTab => self.entry.complete(self.study.position(), false),
            KeyCode::Backspace => self.entry.backspace(),
            KeyCode::Delete => self.entry.delete(),
            KeyCode::Char(letter) => {
                self.entry.insert(letter.encode_utf8(&mut [0; 4]));
            }
            code if self.entry.is_empty() => self.press_step(code),
            KeyCode::Left => self.entry.shift(-1),
            KeyCode::Right => self.entry.shift(1),
            KeyCode::Home => self.entry.shift(-1000),
            KeyCode::End => self.entry.shift(1000),
            _ => {}
        }
    }

    fn press_control(&mut self, letter: char) {
        match letter {
            'c' | 'q' => self.want(Effect::Quit),
            'z' => self.want(Effect::Suspend),
            'l' => self.want(Effect::Redraw),
            'u' => self.entry.clear(),
            'w' => self.entry.delete_word(),
            'h' => self.entry.backspace(),
            _ if self.popup.is_some() => {}
            'n' => self.carry_out(Deed::New),
            't' => self.carry_out(Deed::TakeBack),
            'f' => self.carry_out(Deed::Flip),
            'a' => self.carry_out(Deed::Analyse),
            's' => self.begin("save "),
            'o' => self.begin("load "),
            _ => {}
        }
    }

    /// Begins a line that needs a file name.
    fn begin(&mut self, word: &str) {
        self.entry.clear();
        self.entry.insert(word);
    }

    fn press_function(&mut self, number: u8) {
        if let Some((_, deed)) = FUNCTION_KEYS.iter().find(|(key, _)| *key == number) {
            self.carry_out(self.deed_now(*deed));
        }
    }

    /// After the game, the keys for draws and resignation are of no use.
    pub(crate) fn deed_now(&self, deed: Deed) -> Deed {
        match deed {
            Deed::Draw if !self.is_playing() => Deed::Rematch,
            Deed::Resign if !self.is_playing() => Deed::Review,
            deed => deed,
        }
    }

    fn press_step(&mut self, code: KeyCode) {
        match code {
            KeyCode::Left => self.walk(Walk::Back(1)),
            KeyCode::Right => self.walk(Walk::Next(1)),
            KeyCode::PageUp => self.walk(Walk::Back(PAGE)),
            KeyCode::PageDown => self.walk(Walk::Next(PAGE)),
            KeyCode::Up => self.walk(Walk::VariationUp),
            KeyCode::Down => self.walk(Walk::VariationDown),
            KeyCode::Home => self.walk(Walk::First),
            KeyCode::End => self.walk(Walk::Last),
            _ => {}
        }
    }

    /// Moves the keyboard's square, as the board is turned.
    fn move_cursor(&mut self, files: i8, ranks: i8) {
        let (files, ranks) = if self.flipped { (-files, -ranks) } else { (files, ranks) };
        let home = Square::new(File::E, if self.flipped { Rank::Seventh } else { Rank::Second });
        let Some(at) = self.cursor else {
            self.cursor = Some(home);
            return;
        };
        let shift = |index: usize, by: i8| index.saturating_add_signed(by.into()).min(7);
        let file = File::ALL[shift(at.file().index(), files)];
        let rank = Rank::ALL[shift(at.rank().index(), ranks)];
        self.cursor = Some(Square::new(file, rank));
    }

    fn press_square(&mut self) {
        if let Some(square) = self.cursor {
            self.click_square(square);
        }
    }

    fn escape(&mut self) {
        if !self.entry.is_empty() {
            self.entry.clear();
        } else if self.selected.take().is_some() || self.hint.take().is_some() {
        } else if self.premove.take().is_some() || self.has_premove() {
            self.perform(Command::CancelPremove);
            self.tell("premove cancelled");
        } else {
            self.cursor = None;
        }
    }

    fn has_premove(&self) -> bool {
        chess::Color::ALL.into_iter().any(|color| self.table.live.has_premove(color))
    }

    fn press_in_popup(&mut self, key: KeyEvent) {
        let Some(popup) = self.popup.take() else { return };
        let code = key.code;
        match popup {
            Popup::Text { title, text, scroll } => {
                let scroll = match code {
                    KeyCode::Down => scroll + 1,
                    KeyCode::Up => scroll.saturating_sub(1),
                    KeyCode::PageDown | KeyCode::Char(' ') => scroll + PAGE,
                    KeyCode::PageUp => scroll.saturating_sub(PAGE),
                    KeyCode::Home => 0,
                    _ => return,
                };
                self.popup = Some(Popup::Text { title, text, scroll });
            }
            Popup::New(form) => self.press_in_form(*form, code),
            Popup::Promotion(moves) => {
                let role = match code {
                    KeyCode::Char(letter) => Role::from_letter(letter.to_ascii_lowercase()),
                    KeyCode::Enter => Some(Role::Queen),
                    _ => None,
                };
                let chosen =
                    moves.iter().find(|m| m.promotion().is_some() && m.promotion() == role);
                match chosen {
                    Some(&m) => self.enter_move(m),
                    None if code == KeyCode::Esc => self.selected = None,
                    None => self.popup = Some(Popup::Promotion(moves)),
                }
            }
            Popup::Confirm { question, deed } => match code {
                KeyCode::Char('y' | 'Y' | 'j' | 'J') | KeyCode::Enter => self.carry_out_now(deed),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
                _ => self.popup = Some(Popup::Confirm { question, deed }),
            },
        }
    }

    fn press_in_form(&mut self, mut form: Form, code: KeyCode) {
        match code {
            KeyCode::Enter => {
                self.start(&form);
                return;
            }
            KeyCode::Esc if self.started => return,
            KeyCode::Esc | KeyCode::F(10) => {
                self.want(Effect::Quit);
                return;
            }
            KeyCode::Up | KeyCode::BackTab => form.move_to(form.field + Form::FIELDS - 1),
            KeyCode::Down | KeyCode::Tab => form.move_to(form.field + 1),
            KeyCode::Left => form.turn(false),
            KeyCode::Right | KeyCode::Char(' ') => form.turn(true),
            KeyCode::Char(letter) => {
                if let Some(digit) = letter.to_digit(10) {
                    form.choose_level(digit);
                }
            }
            _ => {}
        }
        self.popup = Some(Popup::New(Box::new(form)));
    }

    /// A pasted text is typed; if it is a whole game, it is shown.
    pub(super) fn paste(&mut self, text: &str) {
        if self.popup.is_some() {
            return;
        }
        // Terminals send returns for line ends.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines: Vec<&str> =
            text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        match lines[..] {
            [] => {}
            [line] => {
                self.entry.insert(line);
            }
            _ => self.paste_game(&text),
        }
    }
}
