//! Stores the games that are played in the terminal.

use std::sync::Arc;

use anyhow::{Context, Result};
use chess::Color;
use clap::Args;
use game::live::{LiveGame, Sides};
use store::{
    GameId, NewGame, Options, Player, Seats, Store, StoreError, StoredGame, Timestamp, User,
    Version,
};
use tokio::runtime::Runtime;
use tui::{Keeper, Opponent, Table};

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
    /// Go on with the last game that was left unfinished in the terminal
    #[arg(long = "continue", conflicts_with_all = ["no_save", "file", "level", "engine", "two"])]
    resume: bool,
}

/// A keeper, and the game to go on with.
pub type Kept = (Option<Box<dyn Keeper>>, Option<Table>);

impl Storage {
    /// Stores games, unless that isn't wanted. The usual database is opened for the first game, or to
    /// find the one to go on with; one that was asked for is opened at once.
    pub fn keeper(&self) -> Result<Kept> {
        if self.no_save {
            return Ok((None, None));
        }
        let user = self.user.as_deref().map(store::user_name).transpose().context("--user")?;
        let chosen = self.database.is_chosen();
        let mut keeper =
            StoreKeeper { database: self.database.clone(), user, open: None, game: None };
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
    open: Option<Open>,
    /// The game being played.
    game: Option<(GameId, Version)>,
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
        self.try_keep(kept).map_err(|error| format!("{error:#}"))
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
            anyhow::bail!("{name} has no unfinished game to go on with");
        }
        let owner = user.as_ref().map(|user| user.id);
        let games = runtime.block_on(store.live_games())?;
        // Games of the browser have seats with secrets.
        let is_ours = |game: &StoredGame| game.seats == Seats::default() && game.owner == owner;
        let game = games.into_iter().rev().flatten().find(is_ours);
        let game = game.context("there is no unfinished game to go on with")?;
        let table = table(&game)?;
        self.game = Some((game.id, game.version));
        Ok(table)
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
            }
            tui::Kept::Happened(event) => {
                let (id, version) = self.game.as_mut().context("there is no game")?;
                let written = runtime.block_on(store.write_event(id, *version, &event));
                *version = match written {
                    Err(StoreError::Stale { .. } | StoreError::Over) => {
                        anyhow::bail!("it is being played elsewhere")
                    }
                    written => written?,
                };
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

/// A game as it is stored when its first move has been played.
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
    game.clock_running_since = record.running_since.map(Timestamp::from);
    game.played_at = Some(table.created.into());
    game.end = record.end;
    game
}

/// A stored game, to go on with. No time has passed since it was left.
fn table(game: &StoredGame) -> Result<Table> {
    let mut record = game.to_live()?.record();
    record.running_since = record.running_since.map(|_| Timestamp::now().into());
    let level = |color| match game.player(color) {
        Player::Engine { level, .. } => Some(*level),
        _ => None,
    };
    let engine = Color::ALL.into_iter().find_map(level).map(Opponent::Level);
    let sides = match record.terms.engine {
        Some(color) => Sides::One(!color),
        None => Sides::Both,
    };
    let names = Color::ALL.map(|color| game.player(color).name().into_owned());
    let live = LiveGame::restore(record)?;
    let (variant, created) = (game.variant, game.created.into());
    Ok(Table { live, names, sides, variant, engine, created, remote: false })
}
