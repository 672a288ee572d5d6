//! `riga backup` and `riga restore`: all data of a database to and from one file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::database::{Database, runtime};
use crate::show::thousands;

/// Write all games, users and settings to one file
#[derive(Args)]
#[command(after_help = "Examples:
  riga backup riga-2026-11-16.backup
  riga backup --database postgres://riga@localhost/riga riga.backup

The server may be running: the file holds the state of one moment, and is checked before it gets
its name. It contains password hashes; only its owner can read it. docs/operation.md says more.")]
pub struct Backup {
    /// The file to write
    file: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

impl Backup {
    pub fn run(&self) -> Result<ExitCode> {
        let place = self.database.existing_place()?;
        let runtime = runtime()?;
        let written = runtime.block_on(store::backup(&place, &self.file, self.force))?;
        let bytes = std::fs::metadata(&self.file).map_or(0, |file| file.len());
        println!(
            "{}: {} games, {} users, {} bytes",
            self.file.display(),
            thousands(written.games),
            thousands(written.users),
            thousands(bytes)
        );
        Ok(ExitCode::SUCCESS)
    }
}

/// Restore a file written by `riga backup`
#[derive(Args)]
#[command(after_help = "Examples:
  riga restore riga-2026-11-16.backup
  riga restore --database postgres://riga@localhost/riga riga.backup

Stop the server first. Everything is restored, or nothing. A backup of SQLite can be restored into
PostgreSQL and the other way round, and one of an earlier version of Riga into this version.")]
pub struct Restore {
    /// The file to read
    file: PathBuf,
    #[command(flatten)]
    database: Database,
    /// Replace everything in a database that isn't empty
    #[arg(long)]
    force: bool,
}

impl Restore {
    pub fn run(&self) -> Result<ExitCode> {
        let place = self.database.place()?;
        let runtime = runtime()?;
        let restored = runtime.block_on(store::restore(&place, &self.file, self.force))?;
        println!(
            "{} games, {} users restored",
            thousands(restored.games),
            thousands(restored.users)
        );
        Ok(ExitCode::SUCCESS)
    }
}
