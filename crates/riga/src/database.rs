//! Where games are stored.

use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::Args;
use store::{Options, Store};
use tokio::runtime::Runtime;

use crate::places;

/// Where games are stored.
#[derive(Args, Clone)]
pub struct Database {
    /// SQLite file or a URL such as <postgres://user@host/name> [default: `$RIGA_DATABASE`, or
    /// `riga/riga.db` in `$XDG_DATA_HOME` or `~/.local/share`]
    #[arg(long = "database", value_name = "PLACE", global = true)]
    place: Option<String>,
}

impl Database {
    /// Opens a database that must exist.
    pub async fn open_existing(&self) -> Result<Arc<dyn Store>> {
        self.existing_place()?;
        self.open(&Options::TOOL).await
    }

    /// The place of a database that must exist.
    pub fn existing_place(&self) -> Result<String> {
        let place = self.place()?;
        if !place.contains("://") && !Path::new(&place).exists() {
            bail!("{place}: no such database");
        }
        Ok(place)
    }

    /// Whether somebody chose the place.
    pub fn is_chosen(&self) -> bool {
        self.place.is_some() || chosen_place().is_some()
    }

    /// The place of the database.
    pub fn place(&self) -> Result<String> {
        self.place.clone().map_or_else(usual_place, Ok)
    }

    /// Opens a database; a file is created if it doesn't exist.
    pub async fn open(&self, options: &Options) -> Result<Arc<dyn Store>> {
        let place = self.place()?;
        // A URL may contain a password.
        let shown = place.split_once("://").map_or(&*place, |(kind, _)| kind);
        store::open_with(&place, options).await.with_context(|| shown.to_owned())
    }
}

/// What runs the queries of a command.
pub fn runtime() -> Result<Runtime> {
    Runtime::new().context("can't start the threads for the database")
}

fn chosen_place() -> Option<String> {
    env::var("RIGA_DATABASE").ok().filter(|place| !place.is_empty())
}

fn usual_place() -> Result<String> {
    if let Some(place) = chosen_place() {
        return Ok(place);
    }
    let folder = places::data().context("there is no data directory; use --database FILE")?;
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let file = folder.join("riga.db").into_os_string().into_string();
    file.map_err(|file| anyhow::anyhow!("{} is not UTF-8; use --database FILE", file.display()))
}
