//! Reports that are already on disk, as JSON Lines: to go on after a kill, or to be verified.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::entry::Entry;
use ::review::GameReport;

/// The entries of a file in order, one in memory at a time.
pub struct Saved {
    path: PathBuf,
    lines: io::Lines<BufReader<Take<File>>>,
    line: u64,
    /// The entry that was read last, until it is taken.
    next: Option<Entry<GameReport>>,
    last: u64,
}

impl Saved {
    /// Opens a file. A last line without a line break was torn by a kill and is ignored.
    pub fn open(path: &Path) -> Result<Self> {
        let mut file = File::open(path).with_context(|| path.display().to_string())?;
        let len = whole_lines(&mut file).with_context(|| path.display().to_string())?;
        file.seek(SeekFrom::Start(0))?;
        let lines = BufReader::new(file.take(len)).lines();
        Ok(Self { path: path.to_owned(), lines, line: 0, next: None, last: 0 })
    }

    /// The entry of the game with this number, if there is one. Numbers must be asked in order.
    pub fn entry(&mut self, index: u64) -> Result<Option<Entry<GameReport>>> {
        match self.peek()? {
            Some(found) if found == index => Ok(self.next.take()),
            Some(found) if found < index => self.left_over(found),
            _ => Ok(None),
        }
    }

    /// Whether all entries were taken.
    pub fn is_at_end(&mut self) -> Result<bool> {
        Ok(self.peek()?.is_none())
    }

    /// Fails if there are entries that nobody asked for.
    pub fn finish(&mut self) -> Result<()> {
        match self.peek()? {
            Some(found) => self.left_over(found),
            None => Ok(()),
        }
    }

    /// The file and the line of the last entry, for messages.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.path.display(), self.line)
    }

    fn left_over<T>(&self, found: u64) -> Result<T> {
        bail!(
            "{}: game {found} is not among those to review; were there other files or another \
             --player?",
            self.place()
        )
    }

    /// The number of the next game.
    fn peek(&mut self) -> Result<Option<u64>> {
        if self.next.is_none()
            && let Some(text) = self.lines.next()
        {
            self.line += 1;
            let text = text.with_context(|| self.place())?;
            let entry: Entry<GameReport> = serde_json::from_str(&text)
                .with_context(|| format!("{}: not a review", self.place()))?;
            if entry.game.index <= self.last {
                bail!("{}: games are not in order", self.place());
            }
            self.last = entry.game.index;
            self.next = Some(entry);
        }
        Ok(self.next.as_ref().map(|entry| entry.game.index))
    }
}

/// Opens a file to append lines to it. What a kill has left of the last line is cut off.
pub fn append(path: &Path) -> Result<File> {
    let open = || -> io::Result<File> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let len = whole_lines(&mut file)?;
        file.set_len(len)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().with_context(|| path.display().to_string())
}

/// The length of a file up to its last line break.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    const STEP: u64 = 64 << 10;
    let mut end = file.metadata()?.len();
    let mut part = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        file.seek(SeekFrom::Start(start))?;
        part.clear();
        file.by_ref().take(end - start).read_to_end(&mut part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn cut(text: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.jsonl");
        fs::write(&path, text).expect("a file");
        drop(append(&path).expect("it can be opened"));
        fs::read_to_string(&path).expect("a file")
    }

    #[test]
    fn a_torn_line_is_cut_off() {
        assert_eq!(cut("one\ntwo\nthr"), "one\ntwo\n");
        assert_eq!(cut("one\n"), "one\n");
        assert_eq!(cut("torn"), "");
        assert_eq!(cut(""), "");
        let long = format!("one\n{}", "x".repeat(200_000));
        assert_eq!(cut(&long), "one\n");
    }

    #[test]
    fn a_line_that_is_no_review_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.jsonl");
        fs::write(&path, "{}\n").expect("a file");
        let error = Saved::open(&path).expect("a file").entry(1).expect_err("no review");
        assert!(error.to_string().ends_with("out.jsonl, line 1: not a review"), "{error:#}");
    }
}
