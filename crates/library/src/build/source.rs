//! Where games come from: PGN files, compressed or not, cut into chunks that threads can read on their own.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use game::pgn::last_start;

use crate::error::{At, Result};

/// A file or stream of games, recognised by its first bytes as plain PGN, zstd, gzip or bzip2.
pub struct Source {
    name: PathBuf,
    stream: Box<dyn Read + Send>,
    size: u64,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl Source {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).at(path)?;
        let size = file.metadata().at(path)?.len();
        Ok(Self { name: path.to_owned(), stream: Box::new(file), size })
    }

    /// A stream, with a name for messages.
    pub fn stream(name: &Path, stream: impl Read + Send + 'static) -> Self {
        Self { name: name.to_owned(), stream: Box::new(stream), size: 0 }
    }

    /// Its name.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Its size in bytes as it is stored; zero if unknown.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Counts the bytes read, and decompresses them.
    fn plain(self, read: Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
        let mut counted = Counted { stream: self.stream, read };
        let mut start = Vec::new();
        counted.by_ref().take(4).read_to_end(&mut start).at(&self.name)?;
        let magic = start.clone();
        let whole = BufReader::with_capacity(1 << 18, Cursor::new(start).chain(counted));
        Ok(match magic[..] {
            [0x28, 0xB5, 0x2F, 0xFD] => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(whole).at(&self.name)?;
                // Archives are often packed with a large window.
                decoder.window_log_max(31).at(&self.name)?;
                Box::new(decoder)
            }
            [0x1F, 0x8B, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
            [b'B', b'Z', b'h', _] => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
            _ => Box::new(whole),
        })
    }
}

/// Counts the bytes that pass.
struct Counted<R> {
    stream: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Some games of a source.
pub(crate) enum Chunk {
    /// Whole games.
    Text(Vec<u8>),
    /// The rest of a source that can't be cut.
    Rest(Box<dyn Read + Send>),
}

/// A chunk and its place.
pub(crate) struct Placed {
    pub(crate) source: usize,
    /// Lines before it.
    pub(crate) lines: u64,
    pub(crate) chunk: Chunk,
}

/// Size of a chunk; it may grow when there is no place to cut.
const CHUNK: usize = 2 << 20;
/// A source without a place to cut in this many bytes is read by one thread.
const LARGEST: usize = 32 << 20;

/// Cuts sources into chunks.
pub(crate) struct Chunks {
    sources: std::vec::IntoIter<Source>,
    names: Vec<PathBuf>,
    read: Arc<AtomicU64>,
    current: Option<Box<dyn Read + Send>>,
    /// What has been read and not handed out.
    rest: Vec<u8>,
    lines: u64,
}

impl Chunks {
    pub(crate) fn new(sources: Vec<Source>, read: Arc<AtomicU64>) -> Self {
        let names = sources.iter().map(|source| source.name.clone()).collect();
        let sources = sources.into_iter();
        Self { sources, names, read, current: None, rest: Vec::new(), lines: 0 }
    }

    /// The names of the sources.
    pub(crate) fn names(&self) -> &[PathBuf] {
        &self.names
    }

    fn next_chunk(&mut self) -> Result<Option<Placed>> {
        loop {
            let Some(stream) = &mut self.current else {
                let Some(source) = self.sources.next() else { return Ok(None) };
                self.current = Some(source.plain(Arc::clone(&self.read))?);
                self.lines = 0;
                continue;
            };
            let source = self.names.len() - self.sources.len() - 1;
            let mut text = std::mem::take(&mut self.rest);
            let got =
                stream.by_ref().take(CHUNK as u64).read_to_end(&mut text).at(&self.names[source])?;
            let lines = self.lines;
            if got == 0 {
                self.current = None;
                if text.is_empty() {
                    continue;
                }
                return Ok(Some(Placed { source, lines, chunk: Chunk::Text(text) }));
            }
            let cut = last_start(&text).filter(|&at| at > 0);
            if let Some(cut) = cut {
                self.rest = text.split_off(cut);
                self.lines += text.iter().map(|&c| u64::from(c == b'\n')).sum::<u64>();
                return Ok(Some(Placed { source, lines, chunk: Chunk::Text(text) }));
            }
            if text.len() > LARGEST {
                let stream = self.current.take().expect("it was just read");
                let rest = Box::new(Cursor::new(text).chain(stream));
                return Ok(Some(Placed { source, lines, chunk: Chunk::Rest(rest) }));
            }
            self.rest = text;
        }
    }
}

impl Iterator for Chunks {
    type Item = Result<Placed>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_chunk().transpose();
        if let Some(Err(_)) = next {
            // What can't be read now won't be read later.
            (self.current, self.sources) = (None, Vec::new().into_iter());
            self.rest.clear();
        }
        next
    }
}
