//! A game being played: the live game and the people around it. The rules are `game::live`'s.

use chess::{Color, DrawReason, Outcome, WinReason};
use engine::{Clocks, Elo, Limits, Question, Score, Verdict};
use game::live::{Command, Event, LiveGame, Moment, Outlook, Refusal, Sides};
use game::{Day, Game, Variant};

use crate::pairing::{Opponent, Pairing};

/// A game being played, or the last one that was.
#[derive(Clone, Debug)]
pub struct Table {
    /// The game.
    pub live: LiveGame,
    /// The names of White and Black.
    pub names: [String; 2],
    /// The sides of the people at this terminal.
    pub sides: Sides,
    /// The variant.
    pub variant: Variant,
    /// The engine that plays here.
    pub engine: Option<Opponent>,
    /// When the game was created.
    pub created: Moment,
    /// Whether another program judges the game: it is only shown here.
    pub remote: bool,
}

impl Table {
    /// A new game.
    pub fn new(pairing: &Pairing, now: Moment) -> Self {
        Self {
            live: LiveGame::new(pairing.terms()),
            names: pairing.names(),
            sides: pairing.sides(),
            variant: pairing.variant,
            engine: pairing.opponent.is_engine().then(|| pairing.opponent.clone()),
            created: now,
            remote: false,
        }
    }

    /// The name of a side.
    pub fn name(&self, color: Color) -> &str {
        &self.names[color.index()]
    }

    /// Whether the people here are to move.
    pub fn is_our_turn(&self) -> bool {
        self.live.is_live() && !self.live.is_waiting() && self.sides.plays(self.live.turn())
    }

    /// Carries out a command of the people here.
    pub fn act(&mut self, command: &Command, now: Moment) -> Result<Option<Event>, Refusal> {
        self.live.act(self.sides, command, now)
    }

    /// What happens without a command: premoves and flags.
    pub fn settle(&mut self, now: Moment) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.live.due(now) {
            self.live.apply(&event, now);
            events.push(event);
        }
        events
    }

    /// Plays the engine's move, unless the game has moved on.
    pub fn engine_plays(
        &mut self,
        ply: usize,
        verdict: &Verdict,
        now: Moment,
    ) -> Result<Option<Event>, Refusal> {
        if !self.live.is_engines_turn() || self.live.plies() != ply {
            return Ok(None);
        }
        let by = Sides::One(self.live.turn());
        let event = self.live.act(by, &Command::play(ply, verdict.best), now)?;
        if let Some(outlook) = outlook(verdict) {
            self.live.engine_thinks(outlook);
        }
        Ok(event)
    }

    /// What to ask the engine, if it is to move.
    pub fn question(&self, now: Moment) -> Option<Question> {
        let live = &self.live;
        let opponent = self.engine.as_ref().filter(|_| live.is_engines_turn())?;
        let limits = match (live.left(now), live.clock()) {
            (Some(remaining), Some(clock)) => {
                let turn = live.turn();
                let (increment, moves_to_go) = ([clock.bonus(turn); 2], clock.moves_to_go(turn));
                Limits::clocks(Clocks { remaining, increment, moves_to_go })
            }
            _ => Limits::move_time(LiveGame::TIME_WITHOUT_CLOCKS),
        };
        let question = Question::new(live.line().clone()).limits(limits);
        Some(match opponent {
            Opponent::Level(level) => {
                let elo = level.elo().and_then(Elo::new);
                question.player(elo, Some(self.created.0.unsigned_abs()))
            }
            Opponent::Program(_) | Opponent::Person(_) => question,
        })
    }

    /// The side whose flag has fallen.
    pub fn flagged(&self) -> Option<Color> {
        let on_time = matches!(
            self.live.outcome()?,
            Outcome::Win(_, WinReason::Time) | Outcome::Draw(DrawReason::TimeWithoutMatingMaterial)
        );
        on_time.then(|| self.live.turn())
    }

    /// An outcome as a sentence, for a player with what it means for them.
    pub fn sentence(&self, outcome: Outcome) -> String {
        let for_us = match (self.sides, outcome) {
            (Sides::One(us), Outcome::Win(winner, _)) if us == winner => "You won. ",
            (Sides::One(_), Outcome::Win(..)) => "You lost. ",
            _ => "",
        };
        format!("{for_us}{}", sentence(outcome))
    }

    /// The rematch: the same game with sides swapped.
    pub fn rematch(&self, now: Moment) -> Self {
        let [white, black] = self.names.clone();
        let sides = match self.sides {
            Sides::One(color) => Sides::One(!color),
            other => other,
        };
        let live = self.live.rematch();
        Self { live, names: [black, white], sides, created: now, ..self.clone() }
    }

    /// The game with its tags and clocks, as PGN has them.
    pub fn to_game(&self) -> Game {
        let mut game = self.live.to_game(self.variant);
        let tags = &mut game.tags;
        tags.set("Event", "Casual game");
        tags.set("Site", "Riga");
        tags.set("Date", &Day::of(self.created).to_string());
        tags.set("White", self.name(Color::White));
        tags.set("Black", self.name(Color::Black));
        game
    }
}

/// An outcome as a sentence. Games are won on time, not by it.
fn sentence(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(color, WinReason::Time) => format!("{} wins on time.", color.name()),
        outcome => format!("{outcome}."),
    }
}

/// The engine's assessment of its position after a search.
fn outlook(verdict: &Verdict) -> Option<Outlook> {
    Some(match verdict.score()? {
        Score::Cp(score) => Outlook::Centipawns(score),
        Score::Mate(mate) if mate.moves() < 0 => Outlook::GetsMated,
        Score::Mate(_) => Outlook::Mates,
    })
}

#[cfg(test)]
mod tests {
    use engine::Strength;
    use game::Level;

    use super::*;

    fn table(opponent: Opponent) -> Table {
        let level = Level::new(3).expect("there are ten");
        let pairing = Pairing { opponent, ..Pairing::new("Misha", level) };
        Table::new(&pairing, Moment(0))
    }

    #[test]
    fn the_engine_is_asked_on_its_turn_only() {
        let mut table = table(Opponent::Level(Level::new(3).expect("there are ten")));
        assert!(table.is_our_turn());
        assert_eq!(table.question(Moment(0)), None);
        table.act(&Command::play(0, "e4"), Moment(5)).expect("a move");
        let question = table.question(Moment(5)).expect("a question");
        assert_eq!(question.line.len(), 1);
        assert!(question.book && matches!(question.strength, Strength::Elo(_)));
        assert!(!table.is_our_turn());
    }

    #[test]
    fn a_player_is_told_who_has_won() {
        let won = Outcome::Win(Color::White, WinReason::Time);
        let lost = Outcome::Win(Color::Black, WinReason::Resignation);
        let one = table(Opponent::Program("other".to_owned()));
        assert_eq!(one.sentence(won), "You won. White wins on time.");
        assert_eq!(one.sentence(lost), "You lost. Black wins by resignation.");
        assert_eq!(one.sentence(Outcome::Draw(DrawReason::Agreement)), "Draw by agreement.");
        let both = table(Opponent::Person("Bob".to_owned()));
        assert_eq!(both.sentence(lost), "Black wins by resignation.");
        let watched = Table { sides: Sides::None, ..one };
        assert_eq!(watched.sentence(won), "White wins on time.");
    }

    #[test]
    fn a_finished_game_is_written_with_names_clocks_and_result() {
        let control: game::TimeControl = "60+1".parse().expect("a control");
        let level = Level::new(3).expect("there are ten");
        let opponent = Opponent::Person("Bob".to_owned());
        let pairing = Pairing { opponent, control: Some(control), ..Pairing::new("Misha", level) };
        let mut table = Table::new(&pairing, Moment(86_400_000));
        for (ply, text) in ["f3", "e5", "g4", "Qh4"].into_iter().enumerate() {
            let now = Moment(86_400_000 + 1000 * ply as i64);
            table.act(&Command::play(ply, text), now).expect("a move");
        }
        let pgn = table.to_game().to_string();
        for part in [
            "[White \"Misha\"]",
            "[Black \"Bob\"]",
            "[Date \"1970.01.02\"]",
            "[TimeControl \"60+1\"]",
            "[Termination \"normal\"]",
            "0-1",
            "[%clk 0:01:00]",
        ] {
            assert!(pgn.contains(part), "{part} in {pgn}");
        }
        let again = table.rematch(Moment(0));
        assert_eq!((again.name(Color::White), again.live.plies()), ("Bob", 0));
    }
}
