//! Where reports go: the terminal, PGN, JSON Lines, a web page.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use chess::Color;
use game::Game;

use super::entry::{Entry, Heading};
use super::saved;
use super::screen::Screen;
use super::theory::Theory;
use crate::arguments::Usage;
use ::review::GameReport;
use ::review::render::{Page, Style, annotate, terminal};
use ::review::words::Language;

/// The files to write, each `-` for standard output.
#[derive(Copy, Clone)]
pub struct Targets<'a> {
    pub pgn: Option<&'a Path>,
    pub json: Option<&'a Path>,
    pub html: Option<&'a Path>,
}

impl Targets<'_> {
    /// Whether there are none, so that reports go to the terminal.
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    fn all(&self) -> Vec<(&'static str, &Path)> {
        let all = [("--pgn", self.pgn), ("--json", self.json), ("--html", self.html)];
        all.into_iter().filter_map(|(name, path)| Some((name, path?))).collect()
    }

    /// Fails if a file would be written twice, or over the games.
    pub fn check(&self, inputs: &[PathBuf]) -> Result<()> {
        let mut known: HashMap<PathBuf, &str> = HashMap::new();
        let inputs = inputs.iter().filter(|path| !is_standard(path));
        known.extend(inputs.map(|path| (real(path), "an input file")));
        for (name, path) in self.all() {
            if let Some(other) = known.insert(real(path), name) {
                let text = format!("{name} {}: this is also {other}", path.display());
                return Err(Usage(text).into());
            }
        }
        Ok(())
    }
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let in_folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// The open files.
pub struct Outputs {
    language: Language,
    terminal: Option<Style>,
    /// Games printed so far.
    printed: u64,
    pgn: Option<Target>,
    json: Option<Target>,
    html: Option<Page<Target>>,
}

/// A report that is finished.
pub struct Finished {
    pub index: u64,
    pub game: Game,
    pub report: GameReport,
    /// The side that comes first.
    pub first: Color,
    /// What is known of it.
    pub theory: Option<Theory>,
    /// Whether its JSON is already in the file.
    pub saved: bool,
}

impl Outputs {
    /// Opens files for writing; the JSON file keeps its complete lines.
    pub fn open(targets: Targets<'_>, language: Language, quiet: bool) -> Result<Self> {
        let html = targets.html.map(Target::create).transpose()?;
        let html = html.map(|target| {
            let name = target.name.clone();
            Page::begin(target, language).context(name)
        });
        let style = || Style { width: width(), color: is_colored(), language, ..Style::default() };
        Ok(Self {
            language,
            terminal: (targets.is_empty() && !quiet).then(style),
            printed: 0,
            pgn: targets.pgn.map(Target::create).transpose()?,
            json: targets.json.map(Target::append).transpose()?,
            html: html.transpose()?,
        })
    }

    /// Writes a report to all of them.
    pub fn add(&mut self, finished: Finished, screen: &Screen) -> Result<()> {
        let Finished { index, mut game, report, first, theory, saved } = finished;
        if let Some(style) = self.terminal {
            let mut text = terminal(&game, &report, Style { first, ..style });
            if let Some(theory) = &theory {
                text.extend(["\n", &theory.text(self.language), "\n"]);
            }
            let rule =
                if self.printed > 0 { format!("\n{}\n\n", "-".repeat(60)) } else { String::new() };
            self.printed += 1;
            let text = format!("{rule}{}", game::printable_styled(&text));
            screen.suspend(|| io::stdout().lock().write_all(text.as_bytes()))?;
        }
        if let Some(html) = &mut self.html {
            html.add(&game, &report, first).context("--html")?;
        }
        if let Some(json) = self.json.as_mut().filter(|_| !saved) {
            let game = Heading::of(index, &game);
            let entry = Entry { game, report: &report, theory: theory.clone() };
            let mut line = serde_json::to_string(&entry)?;
            line.push('\n');
            json.write_all(line.as_bytes()).and_then(|()| json.flush()).context("--json")?;
        }
        if let Some(pgn) = &mut self.pgn {
            annotate(&mut game, &report, self.language);
            if let Some(theory) = &theory {
                theory.annotate(&mut game, self.language);
            }
            writeln!(pgn, "{game}").context("--pgn")?;
        }
        Ok(())
    }

    /// Completes the files.
    pub fn end(self) -> Result<()> {
        if let Some(html) = self.html {
            html.end().context("--html")?;
        }
        if let Some(mut pgn) = self.pgn {
            pgn.flush().context("--pgn")?;
        }
        Ok(())
    }
}

/// A file or standard output.
struct Target {
    name: String,
    out: BufWriter<Box<dyn Write>>,
}

impl Target {
    fn create(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        if is_standard(path) {
            return Ok(Self { name, out: BufWriter::new(Box::new(io::stdout())) });
        }
        let file = File::create(path).with_context(|| name.clone())?;
        Ok(Self { name, out: BufWriter::new(Box::new(file)) })
    }

    fn append(path: &Path) -> Result<Self> {
        if is_standard(path) {
            return Self::create(path);
        }
        let file = saved::append(path)?;
        Ok(Self { name: path.display().to_string(), out: BufWriter::new(Box::new(file)) })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Columns of the terminal, within what is readable.
fn width() -> usize {
    let size = terminal_size::terminal_size();
    size.map_or(80, |(width, _)| usize::from(width.0).clamp(60, 120))
}

/// Whether colors are wanted: on a terminal that has them, unless `NO_COLOR` says no.
fn is_colored() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_twice_or_over_the_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("in.pgn"), "").expect("a file");
        let check = |pgn: &str, html: &str| {
            let (pgn, html) = (path(pgn), path(html));
            let targets = Targets { pgn: Some(&pgn), json: None, html: Some(&html) };
            targets.check(&[path("in.pgn")]).map_err(|error| error.to_string())
        };
        assert_eq!(check("out.pgn", "out.html"), Ok(()));
        let same = check("out.pgn", "./out.pgn").expect_err("the same");
        assert!(same.ends_with("this is also --pgn"), "{same}");
        let games = check("../".to_owned().as_str(), "in.pgn").expect_err("an input");
        assert!(games.ends_with("this is also an input file"), "{games}");
    }
}
