//! Changes of a library: adding, merging and deleting games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::build::{Chunks, Crew, Progress, Source, Task, Trouble};
use crate::error::{At, LibraryError, Result};
use crate::filter::{Filter, Sieve};
use crate::games::GameId;
use crate::library::Library;
use crate::manifest::{building_folder, segment_folder, sync_folder};
use crate::segment::Segment;
use crate::shared::Run;
use crate::writing::Writing;

/// What became of the games of an import.
#[derive(Debug, Default)]
pub struct Added {
    /// Games added.
    pub games: u64,
    /// Games of which nothing could be kept.
    pub rejected: u64,
    /// What could not be read as written; at most ten thousand.
    pub troubles: Vec<Trouble>,
}

/// Games of another segment that a thread reads at a time.
const STORED: u32 = 2048;
/// Two segments are of similar size if one is at most this many times the other.
const SIMILAR: u64 = 4;

impl Library {
    /// Adds all games of some sources as a new segment. `progress` is called often, by several threads; when it
    /// returns `false`, nothing is added.
    pub fn add(
        &self,
        sources: Vec<Source>,
        threads: usize,
        progress: &(dyn Fn(Progress) -> bool + Sync),
    ) -> Result<Added> {
        let mut writing = self.writing()?;
        let read = Arc::new(AtomicU64::new(0));
        let size = sources.iter().map(Source::size).sum();
        let chunks = Chunks::new(sources, Arc::clone(&read));
        let names = chunks.names().to_vec();
        let tasks = chunks.map(|chunk| chunk.map(Task::Pgn));
        self.build(&mut writing, &[], threads, |folder, threads| {
            let crew = Crew { folder, threads, progress, read, size };
            let (_, outcome) = crew.build(&names, tasks)?;
            Ok(Added {
                games: outcome.games,
                rejected: outcome.rejected,
                troubles: outcome.troubles,
            })
        })
    }

    /// Merges segments of similar size until there are none; or all, if asked to. Deleted games are gone
    /// then. Returns how many segments are left.
    pub fn merge(
        &self,
        all: bool,
        threads: usize,
        progress: &(dyn Fn(Progress) -> bool + Sync),
    ) -> Result<usize> {
        let mut writing = self.writing()?;
        self.adopt_fresh(&writing)?;
        loop {
            let mut segments = self.segments().to_vec();
            segments.sort_by_key(|segment| segment.games());
            let games = |segment: &Segment| u64::from(segment.games() - segment.deleted);
            let similar =
                |pair: &[Arc<Segment>]| games(&pair[1]) <= SIMILAR * games(&pair[0]).max(1000);
            let merged = if all {
                let clean =
                    segments.len() <= 1 && segments.iter().all(|segment| segment.deleted == 0);
                if clean { &[] } else { &segments[..] }
            } else {
                segments.windows(2).find(|pair| similar(pair)).unwrap_or(&[])
            };
            if merged.is_empty() {
                return Ok(segments.len());
            }
            self.merge_some(&mut writing, merged, threads, progress)?;
        }
    }

    fn merge_some(
        &self,
        writing: &mut Writing,
        merged: &[Arc<Segment>],
        threads: usize,
        progress: &(dyn Fn(Progress) -> bool + Sync),
    ) -> Result<()> {
        let tasks = merged.iter().flat_map(|segment| {
            let starts = (0..segment.games()).step_by(STORED as usize);
            starts.map(move |start| {
                let end = segment.games().min(start + STORED);
                Ok(Task::Stored(Arc::clone(segment), start..end))
            })
        });
        let replaced: Vec<u32> = merged.iter().map(|segment| segment.number).collect();
        self.build(writing, &replaced, threads, |folder, threads| {
            let crew = Crew { folder, threads, progress, read: Arc::default(), size: 0 };
            crew.build(&[], tasks).map(drop)
        })
    }

    /// Builds a segment in its own folder; when it is complete, it takes the place of others.
    pub(crate) fn build<T>(
        &self,
        writing: &mut Writing,
        replaced: &[u32],
        threads: usize,
        make: impl FnOnce(&Path, usize) -> Result<T>,
    ) -> Result<T> {
        let number = writing.reserve()?;
        let place = building_folder(self.folder(), number);
        let folder = segment_folder(self.folder(), number);
        std::fs::create_dir(&place).at(&place)?;
        let built = make(&place, threads.max(1)).and_then(|done| {
            sync_folder(&place)?;
            std::fs::rename(&place, &folder).at(&folder)?;
            let empty = Segment::open(&folder, number)?.games() == 0;
            let mut segments = writing.manifest.segments.clone();
            segments.retain(|known| !replaced.contains(known));
            if !empty {
                segments.push(number);
            }
            writing.list(segments)?;
            Ok(done)
        });
        let tidied = writing.tidy();
        let done = built?;
        tidied?;
        self.adopt_fresh(writing)?;
        Ok(done)
    }

    fn adopt_fresh(&self, writing: &Writing) -> Result<()> {
        self.adopt(&writing.manifest, None)
    }

    /// Deletes games. They take space until their segment is merged.
    pub fn delete(&self, games: &[GameId]) -> Result<()> {
        let writing = self.writing()?;
        self.adopt_fresh(&writing)?;
        let mut by_segment: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for id in games {
            let segments = self.segments();
            let segment = segments.iter().find(|segment| segment.number == id.segment);
            segment.filter(|segment| id.game < segment.games()).ok_or(LibraryError::NoGame(*id))?;
            by_segment.entry(id.segment).or_default().push(id.game);
        }
        for segment in self.segments().iter() {
            if let Some(games) = by_segment.get(&segment.number) {
                let changed = Arc::new(segment.delete(games)?);
                self.adopt(&writing.manifest, Some(&changed))?;
            }
        }
        Ok(())
    }

    /// The games that meet a filter, in no particular order.
    pub fn matching(&self, filter: &Filter) -> Result<Vec<GameId>> {
        let mut found = Vec::new();
        for segment in self.segments().iter() {
            let sieve = Sieve::new(segment, filter)?;
            let all = Run { start: 0, len: segment.games(), played: 0 };
            sieve.each(&all, |game| {
                found.push(GameId { segment: segment.number, game });
                true
            });
        }
        Ok(found)
    }

    /// The games that another one repeats: same start and moves, players, result and date. One of each group is
    /// not in the list. Only games of one segment are compared: merge first.
    pub fn duplicates(&self) -> Result<Vec<GameId>> {
        let mut found = Vec::new();
        for segment in self.segments().iter() {
            let mut last = None;
            let files = &segment.files;
            let mut reader = crate::moves::MovesReader::new(&files.moves, 0)?;
            let mut details = crate::columns::all_details(&files.details);
            for game in 0..segment.games() {
                let moves = reader.next()?.to_vec();
                let detail =
                    details.next().ok_or_else(|| files.details.damaged("a page is missing"))??;
                let facts = segment.columns.facts[game as usize];
                if facts.is_deleted() {
                    continue;
                }
                let start = files.meta.starts.partition_point(|start| start.game <= game);
                let this =
                    Some((start, moves, detail.white, detail.black, facts.result(), facts.date()));
                if this == last {
                    found.push(GameId { segment: segment.number, game });
                } else {
                    last = this;
                }
            }
        }
        Ok(found)
    }
}
