//! What a page can do with live games.

use chess::{Color, Position};
use game::live::{LiveGame, Moment, Outlook, Terms};
use game::{TimeControl, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::{ClientMessage, NewGame, Opponent, PlayerView, Score, ServerMessage};

use super::core::Core;
use super::live::{Head, Table};
use super::questions::{Close, GameAt, Pgn};
use super::saved::{RestoreGame, SavedGame};
use crate::{Ask, Trouble};

/// Starts a game.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartGame {
    /// Its id, unique in this browser.
    pub id: String,
    /// The game; an invitation needs a server.
    pub game: NewGame,
    /// A random number, for the side and the Chess960 start position if they are not chosen.
    pub chance: u32,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// A player's message.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The game.
    pub game: u32,
    /// The message, as on the socket of a game.
    pub message: ClientMessage,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// Time has passed.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Tick {
    /// The game.
    pub game: u32,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// The engine's answer to a [`Think`].
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineMoved {
    /// The game.
    pub game: u32,
    /// The ply of the [`Think`].
    pub ply: u32,
    /// The move, in UCI notation.
    #[serde(rename = "move")]
    pub text: String,
    /// The score from White's point of view; absent for book moves.
    #[serde(default)]
    pub score: Option<Score>,
    /// Milliseconds since 1970.
    pub now: i64,
}

/// A game that was started or restored.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Joined {
    /// Its number.
    pub game: u32,
    /// What there is to tell: the state first.
    #[serde(flatten)]
    pub told: Told,
}

/// What has happened, and what will.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Told {
    /// The messages, as on the socket of a game.
    pub messages: Vec<ServerMessage>,
    /// When to call `tick`, in milliseconds since 1970: a flag will fall.
    pub deadline: Option<i64>,
    /// The engine is to move: ask it, and pass the answer to `engine_moved`.
    pub think: Option<Think>,
}

/// A question for the engine.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Think {
    /// Plies played: an answer for another ply is ignored.
    pub ply: u32,
    /// What to ask.
    pub ask: Ask,
    /// How long a person of this level would take, in milliseconds.
    pub human_time: u64,
}

impl Core {
    pub(super) fn start_game(&mut self, question: StartGame) -> Result<Joined, Trouble> {
        let StartGame { id, game: new, chance, now } = question;
        let table = Table {
            live: LiveGame::new(terms(&new, chance)?),
            head: head(id, &new, chance, now)?,
            version: 0,
        };
        self.join(table, now)
    }

    pub(super) fn restore_game(&mut self, question: RestoreGame) -> Result<Joined, Trouble> {
        let table = question.saved.into_table()?;
        self.join(table, question.now)
    }

    fn join(&mut self, table: Table, now: i64) -> Result<Joined, Trouble> {
        let state = table.state(Moment(now), self.openings());
        let game = self.games.put(table);
        let mut told = self.tick(Tick { game, now })?;
        told.messages.insert(0, state);
        Ok(Joined { game, told })
    }

    pub(super) fn say(&mut self, said: Said) -> Result<Told, Trouble> {
        let Said { game, message, now } = said;
        self.tell(game, now, |table, now, openings| Ok(table.hear(message, now, openings)))
    }

    pub(super) fn tick(&mut self, Tick { game, now }: Tick) -> Result<Told, Trouble> {
        self.tell(game, now, |table, now, openings| Ok(table.settle(now, openings)))
    }

    pub(super) fn engine_moved(&mut self, moved: EngineMoved) -> Result<Told, Trouble> {
        let EngineMoved { game, ply, text, score, now } = moved;
        self.tell(game, now, |table, now, openings| {
            if table.live.plies() != ply as usize {
                return Ok(Vec::new());
            }
            let position = table.live.line().position();
            let m = position.parse_move(&text)?;
            let outlook = score.map(|score| outlook(score, position.turn()));
            let told = table.engine_plays(ply as usize, m, outlook, now, openings);
            told.map_err(|refusal| Trouble::new(refusal.to_string()))
        })
    }

    pub(super) fn save_game(&mut self, at: GameAt) -> Result<SavedGame, Trouble> {
        Ok(SavedGame::new(self.games.get(at.game)?))
    }

    pub(super) fn write_game(&mut self, at: GameAt) -> Result<Pgn, Trouble> {
        Ok(Pgn { pgn: super::saved::game(self.games.get(at.game)?).to_string() })
    }

    pub(super) fn close_game(&mut self, at: GameAt) -> Result<Close, Trouble> {
        self.games.remove(at.game).map(|_| Close {})
    }

    fn tell(
        &mut self,
        game: u32,
        now: i64,
        act: impl FnOnce(&mut Table, Moment, &game::Openings) -> Result<Vec<ServerMessage>, Trouble>,
    ) -> Result<Told, Trouble> {
        self.openings();
        let mut table = self.games.remove(game)?;
        let messages = act(&mut table, Moment(now), self.openings());
        let told = messages.map(|messages| Told {
            messages,
            deadline: table.live.deadline().map(|moment| moment.0),
            think: table.thinks(Moment(now)),
        });
        self.games.put_back(game, table);
        told
    }
}

/// A score from the engine's point of view.
fn outlook(score: Score, engine: Color) -> Outlook {
    let own = |white: i32| if engine == Color::White { white } else { -white };
    match score {
        Score::Cp(value) => Outlook::Centipawns(own(value)),
        Score::Mate(moves) if own(moves) < 0 => Outlook::GetsMated,
        Score::Mate(_) => Outlook::Mates,
    }
}

/// The side of the player who starts the game.
fn side(new: &NewGame, chance: u32) -> Color {
    new.side.unwrap_or(if chance.is_multiple_of(2) { Color::White } else { Color::Black })
}

fn terms(new: &NewGame, chance: u32) -> Result<Terms, Trouble> {
    let engine = match new.opponent {
        Opponent::Engine { .. } => Some(!side(new, chance)),
        Opponent::Here { .. } => None,
        Opponent::Friend => return Err(Trouble::new("an invitation needs a server")),
    };
    let start = match (&new.fen, new.rules) {
        (Some(fen), _) => fen.parse()?,
        (None, Variant::Standard) => Position::default(),
        (None, Variant::Chess960) => {
            let number = new.array.unwrap_or((chance / 2 % 960) as u16);
            let none = || Trouble::new("Chess960 start positions are numbered 0 to 959");
            Position::chess960(number).ok_or_else(none)?
        }
    };
    if start.outcome().is_some() {
        return Err(Trouble::new("the game is over in this position"));
    }
    let control = new.time.as_deref().map(str::parse::<TimeControl>).transpose();
    let control = control.map_err(|error| Trouble::new(error.to_string()))?;
    Ok(Terms { start, control, engine, rated: false, waiting: false })
}

fn head(id: String, new: &NewGame, chance: u32, now: i64) -> Result<Head, Trouble> {
    let me = PlayerView {
        name: new.name.clone().unwrap_or_else(|| "Guest".to_owned()),
        user: None,
        level: None,
        rating: None,
    };
    let other = match &new.opponent {
        Opponent::Engine { level } => {
            PlayerView { name: level.player_name(), level: Some(*level), ..me.clone() }
        }
        Opponent::Here { name } => PlayerView { name: name.clone(), ..me.clone() },
        Opponent::Friend => return Err(Trouble::new("an invitation needs a server")),
    };
    let (white, black) = match side(new, chance) {
        Color::White => (me, other),
        Color::Black => (other, me),
    };
    let start = terms(new, chance)?.start;
    let rules = match new.rules {
        Variant::Chess960 => Variant::Chess960,
        Variant::Standard => Variant::of_start(&start),
    };
    Ok(Head { id, rules, white, black, created: now, time: new.time.clone() })
}
