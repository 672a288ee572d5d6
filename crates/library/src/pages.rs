//! The container of every file of a segment: numbered pages, each with its checksum.
//!
//! ```text
//! header     magic (8), version (2), kind (2)
//! pages      content, CRC-32 of number and content (4)
//! directory  the length of each page (varint), CRC-32 (4)
//! footer     offset and length of the directory (8 + 8), number of pages (4), magic (8)
//! ```

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::bytes::{Cursor, put_varint};
use crate::error::{At, Damage, LibraryError, Result};

const MAGIC: &[u8; 8] = b"RigaLib\n";
const END: &[u8; 8] = b"RigaEnd\n";
/// Raise it when any file changes its meaning.
pub(crate) const VERSION: u16 = 1;
const HEADER: u64 = 12;
const FOOTER: u64 = 28;
/// No page is larger, so that a damaged length can't fill the memory.
const LARGEST: u64 = 1 << 30;

/// What a file holds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Kind {
    Meta = 1,
    Moves,
    Facts,
    Details,
    Extras,
    Names,
    Players,
    Shared,
    Single,
    Deleted,
}

impl Kind {
    pub(crate) const ALL: [Self; 10] = [
        Self::Meta,
        Self::Moves,
        Self::Facts,
        Self::Details,
        Self::Extras,
        Self::Names,
        Self::Players,
        Self::Shared,
        Self::Single,
        Self::Deleted,
    ];
}

/// How a file starts.
fn header(kind: Kind) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((kind as u16).to_le_bytes());
    header
}

/// Whether a file says that it is of this kind. It may be damaged after that.
pub(crate) fn has_header(path: &Path, kind: Kind) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let mut found = [0; HEADER as usize];
    is_file
        && File::open(path).and_then(|file| read_at(&file, &mut found, 0)).is_ok()
        && found[..] == header(kind)
}

/// Writes a file page by page.
#[derive(Debug)]
pub(crate) struct PageWriter {
    out: BufWriter<File>,
    path: PathBuf,
    lengths: Vec<u8>,
    count: u32,
    offset: u64,
}

impl PageWriter {
    pub(crate) fn create(path: &Path, kind: Kind) -> Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 18, File::create(path).at(path)?);
        out.write_all(&header(kind)).at(path)?;
        Ok(Self { out, path: path.to_owned(), lengths: Vec::new(), count: 0, offset: HEADER })
    }

    pub(crate) fn push(&mut self, page: &[u8]) -> Result<()> {
        self.out.write_all(page).at(&self.path)?;
        self.out.write_all(&checksum(self.count, page).to_le_bytes()).at(&self.path)?;
        put_varint(&mut self.lengths, page.len() as u64);
        self.count += 1;
        self.offset += page.len() as u64 + 4;
        Ok(())
    }

    /// Writes the directory, and waits until everything is on disk.
    pub(crate) fn finish(mut self) -> Result<()> {
        let sum = checksum(self.count, &self.lengths);
        let mut end = std::mem::take(&mut self.lengths);
        let len = end.len() as u64;
        end.extend(sum.to_le_bytes());
        end.extend(self.offset.to_le_bytes());
        end.extend(len.to_le_bytes());
        end.extend(self.count.to_le_bytes());
        end.extend(END);
        self.out.write_all(&end).at(&self.path)?;
        let file =
            self.out.into_inner().map_err(std::io::IntoInnerError::into_error).at(&self.path)?;
        file.sync_all().at(&self.path)
    }
}

/// A file of pages, open for reading by any number of threads.
#[derive(Debug)]
pub(crate) struct PageFile {
    file: File,
    path: PathBuf,
    /// Where each page starts, and where the directory does.
    offsets: Vec<u64>,
}

impl PageFile {
    pub(crate) fn open(path: &Path, kind: Kind) -> Result<Self> {
        let file = File::open(path).at(path)?;
        let size = file.metadata().at(path)?.len();
        let damaged = |what| Damage(what).at(path);
        let foreign = || LibraryError::Foreign(path.to_owned());
        if size < HEADER {
            return Err(foreign());
        }
        let mut header = [0; HEADER as usize];
        read_at(&file, &mut header, 0).at(path)?;
        let mut cursor = Cursor(&header);
        if cursor.take(8).at(path)? != MAGIC {
            return Err(foreign());
        }
        let found = cursor.fixed(2).at(path)? as u16;
        if found != VERSION {
            return Err(LibraryError::Version { path: path.to_owned(), found, known: VERSION });
        }
        if cursor.fixed(2).at(path)? != kind as u64 {
            return Err(foreign());
        }
        if size < HEADER + FOOTER + 4 {
            return Err(damaged("it is cut off"));
        }
        let mut footer = [0; FOOTER as usize];
        read_at(&file, &mut footer, size - FOOTER).at(path)?;
        let mut cursor = Cursor(&footer);
        let at = cursor.fixed(8).at(path)?;
        let len = cursor.fixed(8).at(path)?;
        let count = cursor.fixed(4).at(path)? as u32;
        if cursor.0 != END {
            return Err(damaged("it is cut off"));
        }
        let fits = at >= HEADER && len <= LARGEST && at.checked_add(len + 4 + FOOTER) == Some(size);
        if !fits || u64::from(count) > len {
            return Err(damaged("its directory is elsewhere"));
        }
        let mut directory = vec![0; len as usize + 4];
        read_at(&file, &mut directory, at).at(path)?;
        let (lengths, sum) = directory.split_at(len as usize);
        if sum != checksum(count, lengths).to_le_bytes() {
            return Err(damaged("the checksum of its directory is wrong"));
        }
        let mut offsets = Vec::with_capacity(count as usize + 1);
        let (mut offset, mut cursor) = (HEADER, Cursor(lengths));
        offsets.push(offset);
        for _ in 0..count {
            let len = cursor.varint().at(path)?;
            if len > LARGEST {
                return Err(damaged("a page is too large"));
            }
            offset += len + 4;
            offsets.push(offset);
        }
        if offset != at || !cursor.is_empty() {
            return Err(damaged("its directory doesn't fit its pages"));
        }
        Ok(Self { file, path: path.to_owned(), offsets })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Number of pages.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The content of a page; its checksum is verified.
    pub(crate) fn page(&self, number: usize) -> Result<Vec<u8>> {
        let (Some(&start), Some(&end)) = (self.offsets.get(number), self.offsets.get(number + 1))
        else {
            return Err(self.damaged("a page is missing"));
        };
        let mut page = vec![0; (end - start) as usize];
        read_at(&self.file, &mut page, start).at(&self.path)?;
        let content = page.len() - 4;
        if page[content..] != checksum(number as u32, &page[..content]).to_le_bytes() {
            return Err(self.damaged("a checksum is wrong"));
        }
        page.truncate(content);
        Ok(page)
    }

    pub(crate) fn damaged(&self, what: &'static str) -> LibraryError {
        Damage(what).at(&self.path)
    }
}

/// The number is part of the sum, so that pages in the wrong order are found out.
fn checksum(number: u32, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&number.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pages: &[&[u8]]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut writer = PageWriter::create(&path, Kind::Moves).expect("created");
        for page in pages {
            writer.push(page).expect("written");
        }
        writer.finish().expect("finished");
        (folder, path)
    }

    #[test]
    fn pages_come_back() {
        let (_folder, path) = written(&[b"one", b"", b"three"]);
        let file = PageFile::open(&path, Kind::Moves).expect("open");
        let pages: Vec<_> = (0..file.len()).map(|i| file.page(i).expect("sound")).collect();
        assert_eq!(pages, [&b"one"[..], b"", b"three"]);
        assert!(file.page(3).is_err());
        assert!(matches!(PageFile::open(&path, Kind::Names), Err(LibraryError::Foreign(_))));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let (_folder, path) = written(&[b"one", b"two"]);
        let sound = std::fs::read(&path).expect("read");
        let is_sound = || {
            PageFile::open(&path, Kind::Moves)
                .and_then(|file| (0..file.len()).try_for_each(|i| file.page(i).map(drop)))
        };
        assert!(is_sound().is_ok());
        for bit in 0..sound.len() * 8 {
            let mut flipped = sound.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&path, &flipped).expect("write");
            let error = is_sound().expect_err("a flipped bit").to_string();
            assert!(error.contains("file"), "{error}");
        }
        for len in 0..sound.len() {
            std::fs::write(&path, &sound[..len]).expect("write");
            is_sound().expect_err("a cut file");
        }
    }
}
