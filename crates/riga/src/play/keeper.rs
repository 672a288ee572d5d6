//! Stores the games that are played in the terminal.

use std::env;
use std::fmt::Write;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use chess::Color;
use clap::Args;
use game::Tags;
use game::live::{Event, LiveGame, Played, Sides, TookBack};
use store::{
    GameId, NewGame, Options, Origin, Player, Seats, Store, StoreError, StoredGame, Timestamp,
    User, Version,
};
use tokio::runtime::Runtime;
use tui::{Keeper, Opponent, Table};
use uci::EngineCommand;

use super::way_out::{Sign, quoted};
use crate::database::Database;

/// Where games are stored, and for whom.
#[derive(Args)]
pub struct Storage {
    #[command(flatten)]
    database: Database,
    /// Profile that the games belong to; it is created if it doesn't exist. Without one, games on
    /// this machine belong to everyone
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// Don't store games
    #[arg(long, conflicts_with_all = ["user", "place"])]
    no_save: bool,
    /// Go on with the last game that was left unfinished in the terminal; against another engine,
    /// with --engine
    #[arg(long = "continue", conflicts_with_all = ["no_save", "file", "level", "two"])]
    resume: bool,
}

/// A keeper, and the game to go on with.
pub type Kept = (Option<Box<dyn Keeper>>, Option<Table>);

impl Storage {
    /// Stores games, unless that isn't wanted. The usual database is opened for the first game, or to
    /// find the one to go on with; one that was asked for is opened at once.
    ///
    /// `engine` starts the other engine, and `sign` says how to go on with a game that was left.
    pub fn keeper(&self, engine: Option<&EngineCommand>, sign: Sign) -> Result<Kept> {
        if self.no_save {
            return Ok((None, None));
        }
        let user = self.user.as_deref().map(store::user_name).transpose().context("--user")?;
        let chosen = self.database.is_chosen();
        let mut keeper = StoreKeeper {
            database: self.database.clone(),
            user,
            engine: engine.map(ToString::to_string),
            open: None,
            game: None,
            sign,
        };
        // A place that was asked for must be usable before the game begins.
        if chosen {
            keeper.open()?;
        }
        let table = if self.resume { Some(keeper.last()?) } else { None };
        Ok((Some(Box::new(keeper)), table))
    }

    /// The name of the profile.
    pub fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }
}

struct StoreKeeper {
    database: Database,
    user: Option<String>,
    /// The command of the other engine.
    engine: Option<String>,
    open: Option<Open>,
    /// The game being played.
    game: Option<(GameId, Version)>,
    /// How to go on with it.
    sign: Sign,
}

struct Open {
    runtime: Runtime,
    store: Arc<dyn Store>,
    /// The profile, once it exists.
    user: Option<User>,
    /// The name of a profile that is created with its first game.
    wanted: Option<String>,
}

impl Keeper for StoreKeeper {
    fn keep(&mut self, kept: tui::Kept) -> Result<(), String> {
        let kept = self.try_keep(kept);
        if kept.is_err() {
            self.sign.clear();
        }
        kept.map_err(|error| format!("{error:#}"))
    }
}

impl StoreKeeper {
    fn open(&mut self) -> Result<&mut Open> {
        Ok(match &mut self.open {
            Some(open) => open,
            empty => empty.insert(Open::new(&self.database, self.user.as_deref())?),
        })
    }

    /// The last unfinished game of the terminal.
    fn last(&mut self) -> Result<Table> {
        let Open { runtime, store, user, wanted } = self.open()?;
        if let Some(name) = wanted {
            bail!("{name} has no unfinished game to go on with");
        }
        let owner = user.as_ref().map(|user| user.id);
        let games = runtime.block_on(store.live_games())?;
        // Games of the browser have seats with secrets.
        let is_ours = |game: &StoredGame| game.seats == Seats::default() && game.owner == owner;
        let game = games.into_iter().rev().flatten().find(is_ours);
        let game = game.context("there is no unfinished game to go on with")?;
        let table = table(&game)?;
        match (&table.engine, &self.engine) {
            (Some(Opponent::Program(name)), None) => bail!(
                "the last unfinished game is against another engine. Say how to start it:\n  {}",
                self.command(Some(name))
            ),
            (None | Some(Opponent::Level(_) | Opponent::Person(_)), Some(_)) => bail!(
                "the last unfinished game isn't against another engine. Leave out --engine:\n  {}",
                self.command(None)
            ),
            _ => {}
        }
        self.game = Some((game.id, game.version));
        self.show_way_back(&table);
        Ok(table)
    }

    /// Says how to go on with a game that is stored.
    fn show_way_back(&self, table: &Table) {
        if table.live.is_live() {
            let program = matches!(table.engine, Some(Opponent::Program(_)));
            let engine = self.engine.as_deref().filter(|_| program);
            self.sign.show("To go on with this game", &self.command(engine));
        } else {
            self.sign.clear();
        }
    }

    /// The command that goes on with the game.
    fn command(&self, engine: Option<&str>) -> String {
        let mut command = "riga play --continue".to_owned();
        let mut add = |option: &str, value: &str| {
            let _ = write!(command, " {option} {}", quoted(value));
        };
        // The environment says the same next time.
        let by_environment = |place: &String| env::var("RIGA_DATABASE").as_ref() == Ok(place);
        if self.database.is_chosen()
            && let Some(place) = self.database.place().ok().filter(|place| !by_environment(place))
        {
            // A URL may contain a password.
            add("--database", if place.contains("://") { "URL" } else { &place });
        }
        if let Some(user) = &self.user {
            add("--user", user);
        }
        if let Some(engine) = engine {
            add("--engine", engine);
        }
        command
    }

    fn try_keep(&mut self, kept: tui::Kept) -> Result<()> {
        self.open()?;
        let Some(Open { runtime, store, user, wanted }) = &mut self.open else { return Ok(()) };
        if let Some(name) = wanted.take() {
            *user = Some(runtime.block_on(store.create_user(&name))?);
        }
        match kept {
            tui::Kept::Begun(table) => {
                let game = new_game(&table, user.as_ref());
                let id = runtime.block_on(store.create_game(game))?;
                self.game = Some((id, Version::FIRST));
                self.show_way_back(&table);
            }
            tui::Kept::Happened(event) => {
                let (id, version) = self.game.as_mut().context("there is no game")?;
                let ends = match &event {
                    Event::Played(played) => played.outcome.is_some(),
                    event => matches!(event, Event::Ended(_)),
                };
                let event = with_clocks_stopped(event);
                let written = runtime.block_on(store.write_event(id, *version, &event));
                *version = match written {
                    Err(StoreError::Stale { .. } | StoreError::Over) => {
                        bail!("it is being played elsewhere")
                    }
                    written => written?,
                };
                if ends {
                    self.sign.clear();
                }
            }
        }
        Ok(())
    }
}

impl Open {
    fn new(database: &Database, user: Option<&str>) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (store, user, wanted) = runtime.block_on(async {
            let store = database.open(&Options::TOOL).await?;
            let (user, wanted) = match user {
                None => (None, None),
                Some(name) => match store.user_by_name(name).await {
                    Err(StoreError::NotFound(_)) => (None, Some(name.to_owned())),
                    found => (Some(found?), None),
                },
            };
            anyhow::Ok((store, user, wanted))
        })?;
        Ok(Self { runtime, store, user, wanted })
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.runtime.block_on(self.store.close());
    }
}

/// PGN's tag for the kind of a player, and its value for an engine. Only other engines have it:
/// ours have a level.
const fn type_tag(color: Color) -> &'static str {
    match color {
        Color::White => "WhiteType",
        Color::Black => "BlackType",
    }
}

const PROGRAM: &str = "program";

/// An event as it is stored. Clocks run only in the terminal that plays the game: a server that
/// finds the game in the store, even if the terminal was killed, must not end it on time.
fn with_clocks_stopped(event: Event) -> Event {
    match event {
        Event::Played(played) => Event::Played(Played { running_since: None, ..played }),
        Event::TookBack(back) => Event::TookBack(TookBack { running_since: None, ..back }),
        event => event,
    }
}

/// A game as it is stored when its first move has been played, with its clocks stopped.
fn new_game(table: &Table, user: Option<&User>) -> NewGame {
    let record = table.live.record();
    let player = |color: Color| match (&table.engine, user) {
        (Some(Opponent::Level(level)), _) if record.terms.engine == Some(color) => {
            Player::engine(*level)
        }
        // The profile's owner plays under its name.
        (_, Some(user)) if table.name(color) == user.name && table.sides.plays(color) => {
            Player::User { id: user.id, name: user.name.clone() }
        }
        _ => Player::Guest { name: table.name(color).to_owned() },
    };
    let milliseconds =
        |left: &std::time::Duration| u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
    let mut game = NewGame::live(record.terms.start, player(Color::White), player(Color::Black));
    game.line = table.live.line().clone();
    game.variant = table.variant;
    game.owner = user.map(|user| user.id);
    game.time_control = record.terms.control;
    game.clocks = record.lefts.iter().map(milliseconds).collect();
    if let (Some(Opponent::Program(_)), Some(color)) = (&table.engine, record.terms.engine) {
        let mut tags = Tags::default();
        tags.set(type_tag(color), PROGRAM);
        game.origin = Origin::Played { tags };
    }
    game.played_at = Some(table.created.into());
    game.end = record.end;
    game
}

/// A stored game, to go on with. No time has passed since it was left.
fn table(game: &StoredGame) -> Result<Table> {
    let mut record = game.to_live()?.record();
    // The first move is free.
    let runs = record.terms.control.is_some() && !record.moves.is_empty();
    record.running_since = runs.then(|| Timestamp::now().into());
    let is_program = |color: &Color| {
        game.tags.as_ref().and_then(|tags| tags.get(type_tag(*color))) == Some(PROGRAM)
    };
    record.terms.engine = record.terms.engine.or(Color::ALL.into_iter().find(is_program));
    let engine = record.terms.engine.map(|color| match game.player(color) {
        Player::Engine { level, .. } => Opponent::Level(*level),
        other => Opponent::Program(other.name().into_owned()),
    });
    let sides = match record.terms.engine {
        Some(color) => Sides::One(!color),
        None => Sides::Both,
    };
    let names = Color::ALL.map(|color| game.player(color).name().into_owned());
    let live = LiveGame::restore(record)?;
    let (variant, created) = (game.variant, game.created.into());
    Ok(Table { live, names, sides, variant, engine, created, remote: false })
}
