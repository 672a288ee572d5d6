//! The commands that need the server or the database.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use crate::{backup, jobs, serve, transfer, worker};

/// The commands that need the server or the database.
#[derive(Subcommand)]
pub enum Served {
    Serve(serve::Serve),
    Import(transfer::Import),
    Export(transfer::Export),
    Backup(backup::Backup),
    Restore(backup::Restore),
    /// Print the server's `OpenAPI` 3.1 document
    Openapi,
    Worker(worker::Worker),
    Jobs(jobs::Jobs),
}

impl Served {
    pub fn run(&self) -> Result<ExitCode> {
        match self {
            Self::Serve(serve) => serve.run(),
            Self::Import(import) => import.run(),
            Self::Export(export) => export.run(),
            Self::Backup(backup) => backup.run(),
            Self::Restore(restore) => restore.run(),
            Self::Openapi => print_openapi(),
            Self::Worker(worker) => worker.run(),
            Self::Jobs(jobs) => jobs.run(),
        }
    }
}

fn print_openapi() -> Result<ExitCode> {
    let document = serde_json::to_string_pretty(&server::openapi())?;
    writeln!(std::io::stdout(), "{document}")?;
    Ok(ExitCode::SUCCESS)
}
