//! A library: a folder of segments that is read by any number of threads, and changed by one process at a time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use chess::Position;
use game::Game;
use game::pgn::Builder;

use crate::error::{LibraryError, Result};
use crate::filter::{Filter, Sieve};
use crate::games::{Best, GameId, Listed, Order, Page, listed};
use crate::manifest::{Manifest, segment_folder};
use crate::segment::Segment;
use crate::shared::Run;
use crate::tallies::{Counts, Tallies};
use crate::writing::{Writing, check_usable};

/// A collection of games.
///
/// ```no_run
/// use chess::Position;
/// use library::{Filter, Library};
///
/// let library = Library::open("twic".as_ref())?;
/// let strong = Filter { min_rating: Some(2600), ..Filter::default() };
/// for tally in library.tallies(&Position::default(), &strong)?.moves {
///     println!("{:?}: {} games", tally.m, tally.score.games);
/// }
/// # Ok::<(), library::LibraryError>(())
/// ```
#[derive(Debug)]
pub struct Library {
    folder: PathBuf,
    segments: RwLock<Segments>,
}

/// The segments at some time. A question keeps those it has started with.
pub(crate) type Segments = Arc<Vec<Arc<Segment>>>;

/// What a segment holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    /// Its number.
    pub number: u32,
    /// Games that are not deleted.
    pub games: u64,
    /// Deleted games.
    pub deleted: u64,
    /// Moves of all games.
    pub plies: u64,
    /// Positions reached by several games, and by one alone.
    pub shared: u64,
    /// Positions reached by one game alone.
    pub singles: u64,
    /// Different names of players.
    pub players: u64,
    /// Bytes on disk.
    pub size: u64,
}

impl Library {
    /// Opens a library that exists. Nothing on disk changes.
    pub fn open(folder: &Path) -> Result<Self> {
        let library = Self { folder: folder.to_owned(), segments: RwLock::default() };
        library.refresh()?;
        Ok(library)
    }

    /// Opens a library, or one that starts with its first games in a new or empty folder.
    pub fn create(folder: &Path) -> Result<Self> {
        if Manifest::read(folder)?.is_some() {
            return Self::open(folder);
        }
        check_usable(folder)?;
        Ok(Self { folder: folder.to_owned(), segments: RwLock::default() })
    }

    /// When the library in a folder was last changed, by whichever process; none if there is no library.
    pub fn changed(folder: &Path) -> Option<SystemTime> {
        let manifest = std::fs::metadata(folder.join(Manifest::NAME)).ok()?;
        manifest.modified().ok().filter(|_| manifest.is_file())
    }

    /// Reads the changes of other processes.
    pub fn refresh(&self) -> Result<()> {
        self.adopt(&Manifest::of(&self.folder)?, None)
    }

    /// Makes the segments of a manifest the current ones; opens those that are new, or changed.
    pub(crate) fn adopt(&self, manifest: &Manifest, changed: Option<&Arc<Segment>>) -> Result<()> {
        let old = self.segments();
        let open = |&number: &u32| {
            if let Some(segment) = changed.filter(|segment| segment.number == number) {
                return Ok(Arc::clone(segment));
            }
            match old.iter().find(|segment| segment.number == number) {
                Some(segment) if changed.is_some() => Ok(Arc::clone(segment)),
                _ => Segment::open(&segment_folder(&self.folder, number), number).map(Arc::new),
            }
        };
        let new = manifest.segments.iter().map(open).collect::<Result<Vec<_>>>()?;
        *self.segments.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        Ok(())
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn segments(&self) -> Segments {
        Arc::clone(&self.segments.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the right to change the library, and removes what an interrupted change has left.
    pub(crate) fn writing(&self) -> Result<Writing> {
        Writing::start(&self.folder)
    }

    /// Number of games that are not deleted.
    pub fn len(&self) -> u64 {
        let games = |segment: &Arc<Segment>| u64::from(segment.games() - segment.deleted);
        self.segments().iter().map(games).sum()
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The segments.
    pub fn info(&self) -> Vec<SegmentInfo> {
        let info = |segment: &Arc<Segment>| {
            let meta = &segment.files.meta;
            SegmentInfo {
                number: segment.number,
                games: u64::from(meta.games - segment.deleted),
                deleted: u64::from(segment.deleted),
                plies: meta.plies,
                shared: meta.shared,
                singles: meta.singles,
                players: u64::from(meta.names),
                size: segment.size(),
            }
        };
        self.segments().iter().map(info).collect()
    }

    /// What was played in a position.
    pub fn tallies(&self, position: &Position, filter: &Filter) -> Result<Tallies> {
        let mut counts = Counts::default();
        for segment in self.segments().iter() {
            counts.add_segment(segment, position, filter)?;
        }
        Ok(counts.tallies())
    }

    /// The games that have reached a position, or all games.
    pub fn games(
        &self,
        position: Option<&Position>,
        filter: &Filter,
        order: Order,
        page: Page,
    ) -> Result<Vec<Listed>> {
        let segments = self.segments();
        let mut best = Best::new(order, page);
        for (at, segment) in segments.iter().enumerate() {
            let runs = match position {
                Some(position) => segment.runs(position)?,
                None if segment.games() == 0 => Vec::new(),
                None => vec![Run { start: 0, len: segment.games(), played: 0 }],
            };
            if !runs.is_empty() {
                best.add(at, &Sieve::new(segment, filter)?, &runs);
            }
        }
        best.list(&segments, page, position)
    }

    fn segment(&self, id: GameId) -> Result<Arc<Segment>> {
        let segments = self.segments();
        let found = segments.iter().find(|segment| segment.number == id.segment);
        found.filter(|segment| id.game < segment.games()).cloned().ok_or(LibraryError::NoGame(id))
    }

    /// What a list shows of a game, also if it is deleted.
    pub fn listed(&self, id: GameId) -> Result<Listed> {
        listed(&*self.segment(id)?, id.game)
    }

    /// A game with all its tags, comments and variations, also if it is deleted.
    pub fn game(&self, id: GameId) -> Result<Game> {
        let segment = self.segment(id)?;
        let mut builder = Builder::default();
        segment.teller(id.game)?.tell(id.game, &mut builder)?;
        Ok(builder.game())
    }

    /// The names of players that start like this, in order.
    pub fn players(&self, start: &str, most: usize) -> Vec<String> {
        let segments = self.segments();
        let mut names: Vec<&str> = Vec::new();
        for segment in segments.iter() {
            names.extend(
                segment.files.names.starting_with(start).filter(|n| !n.is_empty()).take(most),
            );
        }
        names.sort_by(|a, b| crate::names::compare(a, b));
        names.dedup();
        names.truncate(most);
        names.into_iter().map(str::to_owned).collect()
    }
}
