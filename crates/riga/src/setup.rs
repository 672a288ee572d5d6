//! `riga setup`: finds books, tablebases and networks, checks them, and writes them into the
//! configuration.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;

mod find;
mod place;

use find::{Asset, Found, Kind};

use crate::config::ConfigFile;

/// Find books, tablebases and networks, check them, and configure them
#[derive(Args)]
#[command(after_help = "Examples:
  riga setup
  riga setup ~/Downloads/tables ~/Downloads/book.bin
  riga setup --copy /media/usb --dry-run

Without a path it checks what is configured. Nothing is downloaded: Riga has a network and a small \
book of its own, and needs no other files. Where to get more:
  tablebases  Syzygy tables of 3 to 5 men (1 GB) make endings exact;
              *.rtbw and *.rtbz at tablebase.lichess.ovh and on mirrors
  books       any Polyglot book (*.bin), or one of your own games:
              riga book build
  networks    *.net files of Riga's shape, from a training run:
              riga lab quantise

The exit code is 1 if a file is damaged or nothing is found.")]
pub struct Setup {
    /// Files and folders to look in
    paths: Vec<PathBuf>,
    /// Copy the files into Riga's data directory, so that the originals can go
    #[arg(long, requires = "paths")]
    copy: bool,
    /// Say what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: ConfigFile,
}

impl Setup {
    pub fn run(&self) -> Result<ExitCode> {
        let found = if self.paths.is_empty() { self.configured()? } else { self.look()? };
        let written = if self.paths.is_empty() || found.assets.is_empty() {
            None
        } else {
            Some(self.configure(&found)?)
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            let assets = found.assets.iter().map(Asset::to_json).collect::<Vec<_>>();
            let told = json!({
                "found": assets,
                "damaged": found.faults,
                "configuration": written.as_ref().map(|path| path.display().to_string()),
                "changed": written.is_some() && !self.dry_run,
            });
            writeln!(out, "{told}")?;
        } else {
            self.tell(&found, written.as_deref(), &mut out)?;
        }
        let is_sound =
            found.faults.is_empty() && (self.paths.is_empty() || !found.assets.is_empty());
        Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn look(&self) -> Result<Found> {
        if let Some(missing) = self.paths.iter().find(|path| !path.exists()) {
            bail!("{}: no such file or folder", missing.display());
        }
        Ok(Found::below(&self.paths))
    }

    /// The files that the configuration names.
    fn configured(&self) -> Result<Found> {
        let settings = self.config.settings()?;
        let named = [&settings.book_file, &settings.net_file].into_iter().flatten().cloned();
        let paths: Vec<PathBuf> = named.chain(settings.syzygy_path.iter().cloned()).collect();
        let mut found = Found::default();
        let (there, gone): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| path.exists());
        found.add_all(&there);
        found.faults.extend(gone.iter().map(|path| format!("{}: no such file", path.display())));
        Ok(found)
    }

    /// Writes the configuration, and returns its path.
    fn configure(&self, found: &Found) -> Result<PathBuf> {
        let path = self.config.path_or_usual();
        let path = path.context("there is no home directory; use --config FILE")?;
        let assets: Vec<Asset> = if self.copy {
            let folder = crate::places::data().context("there is no data directory")?;
            let copied = found.assets.iter().map(|asset| place::copy(asset, &folder, self.dry_run));
            copied.collect::<Result<_>>()?
        } else {
            found.assets.clone()
        };
        let text = place::configured(&path, &assets)?;
        if !self.dry_run {
            place::write(&path, &text)?;
        }
        Ok(path)
    }

    fn tell(&self, found: &Found, written: Option<&Path>, out: &mut impl Write) -> Result<()> {
        for asset in &found.assets {
            writeln!(out, "{}: {}", asset.path.display(), asset.about)?;
        }
        for fault in &found.faults {
            writeln!(out, "damaged: {fault}")?;
        }
        if found.assets.is_empty() && found.faults.is_empty() {
            let told = if self.paths.is_empty() {
                "Nothing is configured; Riga uses its own network and book."
            } else {
                "There is no book, tablebase or network here."
            };
            writeln!(out, "{told} `riga setup --help` says where to get more.")?;
        }
        match written {
            Some(path) if self.dry_run => writeln!(out, "Would write {}.", path.display())?,
            Some(path) => writeln!(out, "Wrote {}.", path.display())?,
            None => {}
        }
        let books = found.assets.iter().filter(|asset| asset.kind == Kind::Book).count();
        if books > 1 && written.is_some() {
            writeln!(out, "The largest of {books} books is used.")?;
        }
        Ok(())
    }
}
