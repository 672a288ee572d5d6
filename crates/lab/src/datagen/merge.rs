//! Merges training data files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use nnue::data::{Damage, DataError, Game, Reader, Writer};

/// Why files can't be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A file can't be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: DataError,
    },
    /// The output file already exists.
    #[error("{}: the file already exists", .0.display())]
    Exists(PathBuf),
    /// A temporary file failed.
    #[error("temporary file")]
    Temporary(#[source] DataError),
}

/// What was copied.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Games written.
    pub games: u64,
    /// Positions written.
    pub positions: u64,
    /// Damaged parts skipped.
    pub damaged: u64,
}

/// Copies all games of some files into a new one, in order. Damaged parts are passed to `damaged`
/// and skipped. The new file appears only when it is complete.
pub fn merge(
    inputs: &[PathBuf],
    out: &Path,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<Copied, CopyError> {
    let mut writer = NewFile::create(out)?;
    let mut copied = Copied::default();
    each_game(inputs, damaged, &mut copied, &mut |game, copied| {
        copied.games += 1;
        copied.positions += game.scores().len() as u64;
        writer.push(&game)
    })?;
    writer.finish()?;
    Ok(copied)
}

/// What to do with a game.
pub type WithGame<'a> = &'a mut dyn FnMut(Game, &mut Copied) -> Result<(), CopyError>;

/// Reads all games of some files.
pub fn each_game(
    inputs: &[PathBuf],
    damaged: &mut dyn FnMut(&Path, &Damage),
    copied: &mut Copied,
    with: WithGame,
) -> Result<(), CopyError> {
    for path in inputs {
        let failed = |cause| CopyError::File { path: path.clone(), cause };
        let file = File::open(path).map_err(|error| failed(error.into()))?;
        for game in Reader::new(file).map_err(failed)?.games() {
            match game {
                Ok(game) => with(game, copied)?,
                Err(DataError::Damaged(damage)) => {
                    copied.damaged += 1;
                    damaged(path, &damage);
                }
                Err(error) => return Err(failed(error)),
            }
        }
    }
    Ok(())
}

/// A file with a temporary name until it is complete.
pub struct NewFile {
    writer: Writer<File>,
    part: PathBuf,
    path: PathBuf,
}

impl NewFile {
    /// Creates a file; none may exist by that name.
    pub fn create(path: &Path) -> Result<Self, CopyError> {
        if path.exists() {
            return Err(CopyError::Exists(path.to_owned()));
        }
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        let failed = |cause| CopyError::File { path: part.clone(), cause };
        let file = File::create(&part).map_err(|error| failed(error.into()))?;
        let writer = Writer::new(file).map_err(failed)?;
        Ok(Self { writer, part, path: path.to_owned() })
    }

    /// Adds a game.
    pub fn push(&mut self, game: &Game) -> Result<(), CopyError> {
        self.writer.push(game).map_err(|cause| self.failed(cause))
    }

    /// Gives the file its final name.
    pub fn finish(mut self) -> Result<(), CopyError> {
        let done = self.writer.sync().and_then(|()| Ok(fs::rename(&self.part, &self.path)?));
        done.map_err(|cause| self.failed(cause))
    }

    fn failed(&self, cause: DataError) -> CopyError {
        CopyError::File { path: self.path.clone(), cause }
    }
}

impl Drop for NewFile {
    /// Removes an unfinished file. After [`NewFile::finish`] there is none.
    fn drop(&mut self) {
        match fs::remove_file(&self.part) {
            Ok(()) => {}
            // The error can't be reported here, and the file's name shows that it is temporary.
            Err(error) => debug_assert_eq!(error.kind(), io::ErrorKind::NotFound),
        }
    }
}
