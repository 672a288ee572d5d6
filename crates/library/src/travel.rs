//! Segments that are built on other machines: games cut into parts, segments as bytes, and what comes back checked
//! before it belongs to a library.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::{Chunk, Chunks, Progress, Source};
use crate::change::Added;
use crate::check::{Checked, check_segment};
use crate::error::{At, LibraryError, Result};
use crate::library::Library;
use crate::manifest::{Manifest, segment_folder};
use crate::meta::Meta;
use crate::segment::{Segment, paths, write_deleted};
use crate::zip;

/// The files of a segment in the order in which they are packed. Deleted games are not packed.
const FILES: [&str; 9] = [
    paths::META,
    paths::MOVES,
    paths::FACTS,
    paths::DETAILS,
    paths::EXTRAS,
    paths::NAMES,
    paths::PLAYERS,
    paths::SHARED,
    paths::SINGLE,
];

/// How a packed segment starts.
const MAGIC: &[u8] = b"riga segment\n";

/// Some whole games of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The PGN, compressed with zstd.
    pub pgn: Vec<u8>,
    /// A checksum of the PGN.
    pub checksum: u32,
}

impl Part {
    fn new(pgn: &[u8]) -> Self {
        Self { pgn: zip::compress(pgn), checksum: crc32fast::hash(pgn) }
    }
}

/// Cuts sources into parts of about this many bytes of PGN.
pub fn parts(sources: Vec<Source>, size: usize) -> impl Iterator<Item = Result<Part>> {
    let mut chunks = Chunks::new(sources, Arc::default());
    let names = chunks.names().to_vec();
    let mut source = 0;
    let mut text = Vec::new();
    std::iter::from_fn(move || {
        loop {
            let full = text.len() >= size;
            match if full { None } else { chunks.next() } {
                Some(Err(error)) => return Some(Err(error)),
                Some(Ok(placed)) => {
                    let Chunk::Text(more) = placed.chunk else {
                        return Some(Err(LibraryError::Uncut(names[placed.source].clone())));
                    };
                    let before = std::mem::replace(&mut source, placed.source);
                    // Games of different files are not read as one.
                    if before != source && !text.is_empty() {
                        let part = Part::new(&text);
                        text = more;
                        return Some(Ok(part));
                    }
                    text.extend_from_slice(&more);
                }
                None if text.is_empty() => return None,
                None => return Some(Ok(Part::new(&std::mem::take(&mut text)))),
            }
        }
    })
}

/// Builds a segment in an empty folder and packs it; nothing if there is no game in the PGN.
pub fn build_packed(
    pgn: Vec<u8>,
    folder: &Path,
    progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<(Added, Vec<u8>)> {
    let library = Library::create(folder)?;
    let source = Source::stream(Path::new("part"), std::io::Cursor::new(pgn));
    let added = library.add(vec![source], 1, progress)?;
    let packed = match library.segments().first() {
        Some(segment) => pack(&segment.files.folder)?,
        None => Vec::new(),
    };
    Ok((added, packed))
}

/// Checks a packed segment in an empty folder: format and checksums, a replay of all games, and the index for every
/// `step`-th game. Returns the number of games.
pub fn check_packed(packed: &[u8], folder: &Path, step: u32) -> Result<u64> {
    unpack(packed, folder)?;
    checked(folder, step)
}

impl Library {
    /// Adds a packed segment after checking it as [`check_packed`] does. Returns the number of games; zero if the
    /// library already has this segment.
    pub fn add_packed(&self, packed: &[u8], step: u32) -> Result<u64> {
        for segment in self.segments().iter() {
            let folder = &segment.files.folder;
            if packed_size(folder)? == packed.len() as u64 && pack(folder)? == packed {
                return Ok(0);
            }
        }
        self.take_in(step, |folder| unpack(packed, folder))
    }

    /// Adds copies of the segments of another library, or of one segment's folder, after checking them.
    /// Returns the number of games.
    pub fn add_segments(&self, from: &Path, step: u32) -> Result<u64> {
        let folders = match Manifest::read(from)? {
            Some(manifest) => {
                manifest.segments.iter().map(|&number| segment_folder(from, number)).collect()
            }
            None if from.join(paths::META).is_file() => vec![from.to_owned()],
            None => return Err(Manifest::missing(from)),
        };
        let mut games = 0;
        for segment in folders {
            games += self.take_in(step, |folder| copy(&segment, folder))?;
        }
        Ok(games)
    }

    fn take_in(&self, step: u32, fill: impl FnOnce(&Path) -> Result<()>) -> Result<u64> {
        let mut writing = self.writing()?;
        self.build(&mut writing, &[], 1, |folder, _| {
            fill(folder)?;
            checked(folder, step)
        })
    }
}

/// The number of games of a sound segment that are not deleted.
fn checked(folder: &Path, step: u32) -> Result<u64> {
    let segment = Segment::open(folder, 0)?;
    check_segment(&segment, step, &|_| {}, &mut Checked::default())?;
    Ok(u64::from(segment.games() - segment.deleted))
}

/// A segment as bytes: its files in order, each after its length.
fn pack(folder: &Path) -> Result<Vec<u8>> {
    let mut packed = MAGIC.to_vec();
    for name in FILES {
        let path = folder.join(name);
        let bytes = fs::read(&path).at(&path)?;
        packed.extend((bytes.len() as u64).to_le_bytes());
        packed.extend(bytes);
    }
    Ok(packed)
}

/// The size of a segment as bytes, without reading it.
fn packed_size(folder: &Path) -> Result<u64> {
    let mut size = MAGIC.len() as u64;
    for name in FILES {
        let path = folder.join(name);
        size += 8 + fs::metadata(&path).at(&path)?.len();
    }
    Ok(size)
}

fn unpack(packed: &[u8], folder: &Path) -> Result<()> {
    let damaged = |what| LibraryError::Damaged { path: PathBuf::from("packed segment"), what };
    let mut rest = packed.strip_prefix(MAGIC).ok_or_else(|| damaged("it starts wrongly"))?;
    for name in FILES {
        let (length, after) =
            rest.split_first_chunk::<8>().ok_or_else(|| damaged("it is cut off"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let file = after.get(..length).ok_or_else(|| damaged("it is cut off"))?;
        write(&folder.join(name), file)?;
        rest = &after[length..];
    }
    if !rest.is_empty() {
        return Err(damaged("something follows its end"));
    }
    let games = Meta::read(&folder.join(paths::META))?.games;
    // Nobody may make this process allocate more than a few times what was sent.
    if games as usize / 64 > packed.len() {
        return Err(damaged("the number of games is wrong"));
    }
    write_deleted(folder, (0..games).map(|_| false))
}

fn copy(segment: &Path, folder: &Path) -> Result<()> {
    for name in FILES.into_iter().chain([paths::DELETED]) {
        let from = segment.join(name);
        write(&folder.join(name), &fs::read(&from).at(&from)?)?;
    }
    Ok(())
}

/// Writes a file, and waits until it is on disk.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = File::create(path).at(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).at(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Sample;
    use crate::{Filter, Order, Page};
    use chess::Position;

    fn pgn(seed: u64, count: u64) -> Vec<u8> {
        let mut text = Vec::new();
        Sample::new(seed, count).write(0..count, &mut text).expect("memory takes all");
        text
    }

    fn source(name: &str, pgn: &[u8]) -> Source {
        Source::stream(Path::new(name), std::io::Cursor::new(pgn.to_vec()))
    }

    fn packed(pgn: &[u8]) -> (u64, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let (added, packed) = build_packed(pgn.to_vec(), folder.path(), &|_| true).expect("built");
        (added.games, packed)
    }

    #[test]
    fn segments_built_elsewhere_make_the_same_library() {
        let (first, second) = (pgn(1, 6000), pgn(2, 300));
        let sources = vec![source("a", &first), source("b", &second)];
        let parts: Vec<Part> = parts(sources, 1 << 20).collect::<Result<_>>().expect("cut");
        assert!(parts.len() > 3, "{} parts", parts.len());
        let folder = tempfile::tempdir().expect("a folder");
        let far = Library::create(&folder.path().join("far")).expect("created");
        let mut games = 0;
        for part in &parts {
            // A part is read as any compressed file.
            let (count, bytes) = packed(&part.pgn);
            assert_eq!(far.add_packed(&bytes, 8).expect("sound"), count);
            assert_eq!(far.add_packed(&bytes, 8).expect("sound"), 0, "it is there");
            games += count;
        }
        assert_eq!((games, far.len(), far.info().len()), (6300, 6300, parts.len()));
        let near = Library::create(&folder.path().join("near")).expect("created");
        let sources = vec![source("a", &first), source("b", &second)];
        near.add(sources, 2, &|_| true).expect("added");
        let start = Position::default();
        let any = Filter::default();
        let tallies = |library: &Library| library.tallies(&start, &any).expect("sound");
        assert_eq!(tallies(&far), tallies(&near));

        // A whole library, and one segment, copied.
        let copy = Library::create(&folder.path().join("copy")).expect("created");
        let page = Page { skip: 0, count: 5 };
        let some = near.games(None, &any, Order::Newest, page).expect("sound");
        near.delete(&some.iter().map(|game| game.id).collect::<Vec<_>>()).expect("deleted");
        assert_eq!(copy.add_segments(near.folder(), 64).expect("sound"), 6295);
        assert_eq!(tallies(&copy), tallies(&near), "deleted games are left out");
        let one = segment_folder(near.folder(), near.info()[0].number);
        assert_eq!(copy.add_segments(&one, 64).expect("sound"), 6295);
        let nothing = copy.add_segments(folder.path(), 64);
        assert!(matches!(nothing, Err(LibraryError::None(_))));
    }

    #[test]
    fn what_is_damaged_or_foreign_is_refused() {
        let (_, sound) = packed(&pgn(3, 40));
        let check = |bytes: &[u8]| {
            let folder = tempfile::tempdir().expect("a folder");
            check_packed(bytes, folder.path(), 1)
        };
        assert_eq!(check(&sound).expect("sound"), 40);
        for at in (0..sound.len()).step_by(sound.len() / 40) {
            let mut flipped = sound.clone();
            flipped[at] ^= 16;
            assert!(check(&flipped).is_err(), "byte {at}");
            assert!(check(&sound[..at]).is_err(), "cut at {at}");
        }
        assert!(check(&[&sound[..], b"x"].concat()).is_err());
        assert!(check(b"1. e4 *").is_err());
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::create(folder.path()).expect("created");
        assert!(library.add_packed(&sound[..sound.len() - 1], 64).is_err());
        assert!(library.is_empty() && library.info().is_empty());
        assert!(packed(b"").1.is_empty(), "nothing to pack");
    }
}
