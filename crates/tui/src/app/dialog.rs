//! What lies above the board: the form for a new game, questions, and texts to read.

use chess::{Color, Move, Position};
use game::{Level, TimeControl, Variant};

use crate::order::Deed;
use crate::pairing::{Opponent, Pairing};

/// What lies above the board.
#[derive(Clone, Debug)]
pub enum Popup {
    /// A text to read.
    Text {
        /// What it is about.
        title: String,
        /// The text; lines are wrapped when it is shown.
        text: String,
        /// Lines above the first one shown.
        scroll: usize,
    },
    /// The form for a new game.
    New(Box<Form>),
    /// The choice among promotions.
    Promotion(Vec<Move>),
    /// A question, and what to do after a yes.
    Confirm {
        /// The question.
        question: String,
        /// What to do.
        deed: Deed,
    },
}

/// The form for a new game.
#[derive(Clone, Debug)]
pub struct Form {
    name: String,
    /// The field to change.
    pub field: usize,
    opponents: Vec<Opponent>,
    opponent: usize,
    side: usize,
    times: Vec<Option<TimeControl>>,
    time: usize,
    variant: Variant,
    /// The start position of the given pairing, if it isn't the usual one.
    start: Option<Position>,
}

/// The sides to choose from; chance decides without one.
const SIDES: [(&str, Option<Color>); 3] =
    [("White", Some(Color::White)), ("Black", Some(Color::Black)), ("Random", None)];

/// Usual time controls.
const TIMES: [&str; 8] = ["60", "180+2", "300", "300+3", "600", "600+5", "900+10", "1800"];

impl Form {
    /// The number of fields.
    pub const FIELDS: usize = 4;

    /// A form that begins with the terms of a pairing.
    pub fn new(pairing: &Pairing) -> Self {
        let mut opponents: Vec<Opponent> = Level::all().map(Opponent::Level).collect();
        let friend = match &pairing.opponent {
            Opponent::Person(name) => name.clone(),
            _ => "Friend".to_owned(),
        };
        opponents.push(Opponent::Person(friend));
        if let program @ Opponent::Program(_) = &pairing.opponent {
            opponents.push(program.clone());
        }
        let opponent = opponents.iter().position(|one| *one == pairing.opponent).unwrap_or(0);
        let mut times: Vec<Option<TimeControl>> = vec![None];
        times.extend(TIMES.iter().filter_map(|text| text.parse().ok().map(Some)));
        if !times.contains(&pairing.control) {
            times.push(pairing.control.clone());
        }
        let time = times.iter().position(|one| *one == pairing.control).unwrap_or(0);
        let usual = pairing.start == Position::default();
        Self {
            name: pairing.name.clone(),
            field: 0,
            opponents,
            opponent,
            side: pairing.color.index(),
            times,
            time,
            variant: pairing.variant,
            start: (!usual && pairing.variant == Variant::Standard).then(|| pairing.start.clone()),
        }
    }

    /// The fields with their values.
    pub fn fields(&self) -> [(&'static str, String); Self::FIELDS] {
        let opponent = match &self.opponents[self.opponent] {
            Opponent::Level(level) => match level.elo() {
                Some(elo) => format!("Level {level}, {} ({elo})", level.name()),
                None => format!("Level {level}, {}", level.name()),
            },
            Opponent::Program(name) => name.clone(),
            Opponent::Person(name) => format!("{name}, at this terminal"),
        };
        let time = self.times[self.time].as_ref().map_or_else(|| "No clocks".to_owned(), minutes);
        let rules = match (self.variant, &self.start) {
            (Variant::Chess960, _) => "Chess960",
            (Variant::Standard, Some(_)) => "Standard, from the given position",
            (Variant::Standard, None) => "Standard",
        };
        [
            ("Opponent", opponent),
            ("You play", SIDES[self.side].0.to_owned()),
            ("Time", time),
            ("Rules", rules.to_owned()),
        ]
    }

    /// Chooses another field.
    pub const fn move_to(&mut self, field: usize) {
        self.field = field % Self::FIELDS;
    }

    /// Changes the value of the chosen field to the next or the previous one.
    pub const fn turn(&mut self, forward: bool) {
        let (value, count) = match self.field {
            0 => (&mut self.opponent, self.opponents.len()),
            1 => (&mut self.side, SIDES.len()),
            2 => (&mut self.time, self.times.len()),
            _ => {
                self.variant = match self.variant {
                    Variant::Standard => Variant::Chess960,
                    Variant::Chess960 => Variant::Standard,
                };
                return;
            }
        };
        *value = (*value + if forward { 1 } else { count - 1 }) % count;
    }

    /// Chooses a level by its number.
    pub fn choose_level(&mut self, digit: u32) {
        let number = if digit == 0 { 10 } else { digit };
        let wanted = |one: &Opponent| matches!(one, Opponent::Level(level) if u32::from(level.number()) == number);
        if let Some(index) = self.opponents.iter().position(wanted) {
            self.opponent = index;
        }
    }

    /// The terms as chosen; `chance` decides what is left to it.
    pub fn pairing(&self, chance: u64) -> Pairing {
        let random = if chance.is_multiple_of(2) { Color::White } else { Color::Black };
        let start = match self.variant {
            Variant::Standard => self.start.clone(),
            Variant::Chess960 => Position::chess960(((chance / 2) % 960) as u16),
        };
        Pairing {
            name: self.name.clone(),
            color: SIDES[self.side].1.unwrap_or(random),
            opponent: self.opponents[self.opponent].clone(),
            control: self.times[self.time].clone(),
            start: start.unwrap_or_default(),
            variant: self.variant,
        }
    }
}

/// A time control in words: "5 min + 3 s".
pub(crate) fn minutes(control: &TimeControl) -> String {
    let [stage] = control.stages() else { return control.to_string() };
    let seconds = stage.time.as_secs();
    let base = if seconds.is_multiple_of(60) && stage.time.subsec_millis() == 0 {
        format!("{} min", seconds / 60)
    } else {
        format!("{} s", stage.time.as_secs_f64())
    };
    match stage.bonus {
        _ if stage.moves.is_some() => control.to_string(),
        game::Bonus::Increment(bonus) if bonus.is_zero() => base,
        game::Bonus::Increment(bonus) => format!("{base} + {} s", bonus.as_secs_f64()),
        game::Bonus::Delay(delay) => format!("{base}, {} s delay", delay.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_gives_back_what_it_was_made_of() {
        let level = Level::new(7).expect("there are ten");
        let control = "120+1".parse().expect("a control");
        let pairing =
            Pairing { color: Color::Black, control: Some(control), ..Pairing::new("Misha", level) };
        assert_eq!(Form::new(&pairing).pairing(0), pairing);
        let program = Pairing { opponent: Opponent::Program("X 1".to_owned()), ..pairing };
        assert_eq!(Form::new(&program).pairing(1), program);
    }

    #[test]
    fn values_turn_in_a_circle() {
        let mut form = Form::new(&Pairing::new("Misha", Level::new(1).expect("there are ten")));
        for field in 0..Form::FIELDS {
            form.move_to(field);
            let before = form.fields();
            form.turn(false);
            assert_ne!(form.fields(), before);
            form.turn(true);
            assert_eq!(form.fields(), before);
        }
        form.choose_level(0);
        assert!(form.fields()[0].1.starts_with("Level 10"));
    }

    #[test]
    fn times_are_written_for_people() {
        for (text, shown) in [
            ("300+3", "5 min + 3 s"),
            ("90", "90 s"),
            ("600d5", "10 min, 5 s delay"),
            ("40/7200:3600", "40/7200:3600"),
        ] {
            assert_eq!(minutes(&text.parse().expect("a control")), shown);
        }
    }
}
