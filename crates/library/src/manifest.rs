//! The list of segments that make up a library. It is replaced in one step, so that a library is always either
//! as before a change or as after it.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::error::{At, Damage, LibraryError, Result};
use crate::leftovers::has_segments;
use crate::pages::VERSION;

const TITLE: &str = "riga library";

/// Which segments belong to a library.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// The number of the next segment.
    pub(crate) next: u32,
    /// The segments' numbers in order.
    pub(crate) segments: Vec<u32>,
}

/// The folder of a segment.
pub(crate) fn segment_folder(library: &Path, number: u32) -> PathBuf {
    library.join(format!("segment-{number}"))
}

/// The folder in which a segment is built.
pub(crate) fn building_folder(library: &Path, number: u32) -> PathBuf {
    library.join(format!("building-{number}"))
}

impl Manifest {
    /// The file's name.
    pub(crate) const NAME: &str = "manifest";
    /// Its name while it is written.
    pub(crate) const NEW_NAME: &str = "manifest.new";

    /// Reads the manifest of a library that exists.
    pub(crate) fn of(library: &Path) -> Result<Self> {
        Self::read(library)?.ok_or_else(|| Self::missing(library))
    }

    /// What it means that there is no manifest.
    pub(crate) fn missing(library: &Path) -> LibraryError {
        let error = if has_segments(library) { LibraryError::Lost } else { LibraryError::None };
        error(library.to_owned())
    }

    /// Whether a file starts as a manifest does.
    pub(crate) fn is_begun(path: &Path) -> bool {
        std::fs::read_to_string(path).is_ok_and(|text| text.starts_with(TITLE))
    }

    /// Reads the manifest of a library; `None` if there is none.
    pub(crate) fn read(library: &Path) -> Result<Option<Self>> {
        let path = library.join(Self::NAME);
        match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(LibraryError::Foreign(path))
            }
            other => Self::parse(&other.at(&path)?, &path).map(Some),
        }
    }

    fn parse(text: &str, path: &Path) -> Result<Self> {
        let damaged = |what| Damage(what).at(path);
        let first = text.lines().next().unwrap_or_default();
        let Some(version) = first.strip_prefix(TITLE) else {
            return Err(LibraryError::Foreign(path.to_owned()));
        };
        let found = version.trim().parse().map_err(|_| damaged("its version is not a number"))?;
        if found != VERSION {
            return Err(LibraryError::Version { path: path.to_owned(), found, known: VERSION });
        }
        let (body, sum) =
            text.trim_end().rsplit_once('\n').ok_or_else(|| damaged("it is cut off"))?;
        if sum != checksum(body) {
            return Err(damaged("its checksum is wrong"));
        }
        let mut manifest = Self::default();
        for line in body.lines().skip(1) {
            let number = |text: &str| text.parse().map_err(|_| damaged("a line makes no sense"));
            match line.split_once(' ') {
                Some(("next", text)) => manifest.next = number(text)?,
                Some(("segment", text)) => manifest.segments.push(number(text)?),
                _ => return Err(damaged("a line makes no sense")),
            }
        }
        Ok(manifest)
    }

    fn text(&self) -> String {
        let mut text = format!("{TITLE} {VERSION}\nnext {}", self.next);
        for segment in &self.segments {
            write!(text, "\nsegment {segment}").expect("a string takes any text");
        }
        let sum = checksum(&text);
        format!("{text}\n{sum}\n")
    }

    /// Replaces the manifest of a library, and waits until it is on disk.
    pub(crate) fn write(&self, library: &Path) -> Result<()> {
        let (path, new) = (library.join(Self::NAME), library.join(Self::NEW_NAME));
        let mut file = File::create(&new).at(&new)?;
        file.write_all(self.text().as_bytes()).at(&new)?;
        file.sync_all().at(&new)?;
        std::fs::rename(&new, &path).at(&path)?;
        sync_folder(library)
    }
}

fn checksum(text: &str) -> String {
    format!("crc {:08x}", crc32fast::hash(text.as_bytes()))
}

/// Makes sure that new names in a folder survive a power cut.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    // Windows can't open folders; there a rename is enough.
    if cfg!(unix) { File::open(folder).and_then(|file| file.sync_all()).at(folder) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_comes_back_and_every_change_is_found() {
        let manifest = Manifest { next: 12, segments: vec![3, 11] };
        let (text, path) = (manifest.text(), Path::new("manifest"));
        assert_eq!(Manifest::parse(&text, path).expect("sound"), manifest);
        for at in 0..text.len() - 1 {
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8(changed).expect("still text");
            assert!(Manifest::parse(&changed, path).is_err(), "{changed}");
            assert!(Manifest::parse(&text[..at], path).is_err());
        }
    }
}
