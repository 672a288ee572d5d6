//! What is in a library's folder: the names that are written here, and what an interrupted change has left of them. All
//! else belongs to somebody else and stays as it is.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::error::{At, LibraryError, Result};
use crate::manifest::{Manifest, building_folder, segment_folder};
use crate::pages::has_header;
use crate::segment::paths;

/// The file that a process locks while it changes a library.
pub(crate) const LOCK: &str = "lock";
/// The folder of a build's temporary files.
pub(crate) const SCRATCH: &str = "scratch";

/// What a name in a library's folder stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Name {
    Manifest,
    NewManifest,
    Lock,
    Segment(u32),
    Building,
    Other,
}

impl Name {
    fn of(name: &OsStr) -> Self {
        match name.to_str() {
            Some(Manifest::NAME) => Self::Manifest,
            Some(Manifest::NEW_NAME) => Self::NewManifest,
            Some(LOCK) => Self::Lock,
            Some(name) => {
                let segment = numbered(name, segment_folder).map(Self::Segment);
                let building = || numbered(name, building_folder).map(|_| Self::Building);
                segment.or_else(building).unwrap_or(Self::Other)
            }
            None => Self::Other,
        }
    }
}

/// The number in a name, if the name is written exactly so: not `segment-07`, nor `segment-7.bak`.
fn numbered(name: &str, folder: impl Fn(&Path, u32) -> std::path::PathBuf) -> Option<u32> {
    let number = name.rsplit_once('-')?.1.parse().ok()?;
    (folder(Path::new(""), number) == Path::new(name)).then_some(number)
}

/// Removes what an interrupted change has left. Only for the process that may change the library. What can't be
/// removed now is tried again at the next change.
pub(crate) fn tidy(library: &Path, manifest: &Manifest) -> Result<()> {
    for entry in fs::read_dir(library).at(library)? {
        let entry = entry.at(library)?;
        let path = entry.path();
        let left = match Name::of(&entry.file_name()) {
            Name::Building => is_building(&path),
            // Higher numbers were never given away here.
            Name::Segment(number) => {
                number < manifest.next && !manifest.segments.contains(&number) && is_segment(&path)
            }
            _ => false,
        };
        if left {
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// The number of a new segment: the first from `next` whose names are free.
pub(crate) fn free_number(library: &Path, next: u32) -> Result<u32> {
    let taken = |path: &Path| path.symlink_metadata().is_ok();
    let mut number = next;
    loop {
        let segment = segment_folder(library, number);
        if !taken(&segment) && !taken(&building_folder(library, number)) {
            return Ok(number);
        }
        if is_segment(&segment) {
            return Err(LibraryError::Unlisted(segment));
        }
        number = number.checked_add(1).ok_or(LibraryError::Unlisted(segment))?;
    }
}

/// Whether a folder without a manifest has segments.
pub(crate) fn has_segments(library: &Path) -> bool {
    let mut entries = fs::read_dir(library).into_iter().flatten().flatten();
    entries.any(|entry| {
        matches!(Name::of(&entry.file_name()), Name::Segment(_)) && is_segment(&entry.path())
    })
}

/// An error unless a library may start in a folder without a manifest: there is no such folder, or it has nothing
/// but what a first change leaves when it is interrupted.
pub(crate) fn check_vacant(library: &Path) -> Result<()> {
    let entries = match fs::read_dir(library) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        entries => entries.at(library)?,
    };
    if has_segments(library) {
        return Err(LibraryError::Lost(library.to_owned()));
    }
    for entry in entries {
        let entry = entry.at(library)?;
        let path = entry.path();
        let ours = match Name::of(&entry.file_name()) {
            Name::Lock => is_empty(&path),
            Name::NewManifest => is_empty(&path) || Manifest::is_begun(&path),
            Name::Building => is_building(&path),
            // Another process has just written it; the lock will tell.
            Name::Manifest => true,
            Name::Segment(_) | Name::Other => false,
        };
        if !ours {
            return Err(LibraryError::Occupied(library.to_owned()));
        }
    }
    Ok(())
}

fn is_empty(file: &Path) -> bool {
    file.symlink_metadata().is_ok_and(|found| found.is_file() && found.len() == 0)
}

/// The names in a folder that is no link; `None` if it can't be read or a name is no text.
fn names(folder: &Path) -> Option<Vec<String>> {
    if !folder.symlink_metadata().ok()?.is_dir() {
        return None;
    }
    let entries = fs::read_dir(folder).ok()?;
    entries.map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// Whether a folder has the files of a segment and nothing else, and they say so themselves. Some may be missing: a
/// removal can be interrupted, too.
fn is_segment(folder: &Path) -> bool {
    let Some(names) = names(folder) else { return false };
    let known = |name: &String| match paths::kind(name) {
        Some(kind) => has_header(&folder.join(name), kind),
        None => name == paths::NEW_DELETED,
    };
    let headed = |name: &String| paths::kind(name).is_some();
    names.iter().all(known) && names.iter().any(headed)
}

/// Whether a folder has nothing but what a build writes. Files may be cut off anywhere, so that their names must do.
fn is_building(folder: &Path) -> bool {
    let known = |name: &String| match name.as_str() {
        SCRATCH => is_scratch(&folder.join(SCRATCH)),
        name => paths::kind(name).is_some(),
    };
    names(folder).is_some_and(|names| names.iter().all(known))
}

fn is_scratch(folder: &Path) -> bool {
    let known = |name: &String| {
        let number = name.strip_prefix("part-").or_else(|| name.strip_prefix("run-"));
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    names(folder).is_some_and(|names| names.iter().all(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exact_names_are_ours() {
        let of = |name: &str| Name::of(OsStr::new(name));
        assert_eq!((of("segment-7"), of("building-12")), (Name::Segment(7), Name::Building));
        assert_eq!((of("manifest"), of("lock")), (Name::Manifest, Name::Lock));
        for other in [
            "segment-",
            "segment-07",
            "segment-+7",
            "segment-7.bak",
            "segment-x",
            "Segment-7",
            "a-segment-7",
            "segment-99999999999",
            "building-notes",
            "building-1-2",
            "notes",
        ] {
            assert_eq!(of(other), Name::Other, "{other}");
        }
    }
}
