//! The threads that build a segment, and what they share.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use game::pgn::{PgnError, ReadError, Reader};

use super::finish::finish;
use super::gather::Gathered;
use super::parts::Parts;
use super::source::{Chunk, Placed};
use crate::batch::Batch;
use crate::error::{At, LibraryError, Result};
use crate::leftovers::SCRATCH;
use crate::meta::Meta;
use crate::scribe::Scribe;
use crate::segment::Segment;

/// What a build is doing.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading games.
    Reading,
    /// Writing them in the order of their moves.
    Sorting,
    /// Writing the index of positions.
    Indexing,
}

/// How far a build is.
#[derive(Copy, Clone, Debug)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// Games read so far.
    pub games: u64,
    /// How much of the stage is done: bytes of the sources, games, or parts of the index.
    pub done: u64,
    /// The whole of the stage; zero if unknown.
    pub of: u64,
}

/// A game that could not be read as written.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// The file.
    pub source: PathBuf,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: PgnError,
    /// Whether nothing of the game could be kept.
    pub rejected: bool,
}

/// Work for a thread.
pub(crate) enum Task {
    /// Games in PGN.
    Pgn(Placed),
    /// Games of another segment.
    Stored(Arc<Segment>, std::ops::Range<u32>),
}

/// The threads that build a segment in a folder.
pub(crate) struct Crew<'a> {
    pub(crate) folder: &'a Path,
    pub(crate) threads: usize,
    /// Called often; `false` stops the build.
    pub(crate) progress: &'a (dyn Fn(Progress) -> bool + Sync),
    /// Bytes read, and the size of all sources.
    pub(crate) read: Arc<AtomicU64>,
    pub(crate) size: u64,
}

/// What became of the games.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) games: u64,
    pub(crate) rejected: u64,
    pub(crate) troubles: Vec<Trouble>,
}

/// At most this many troubles are kept.
const TROUBLES: usize = 10_000;

/// The troubles of one task, numbered from its start.
#[derive(Debug, Default)]
struct Told {
    number: u64,
    source: usize,
    games: u64,
    troubles: Vec<Trouble>,
}

struct Shared {
    gathered: Mutex<Gathered>,
    parts: Parts,
    told: Mutex<Vec<Told>>,
    games: AtomicU64,
    rejected: AtomicU64,
    kept: AtomicU64,
    troubles: AtomicU64,
    failed: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew<'_> {
    /// Builds a segment of all games; the folder exists and is empty.
    pub(crate) fn build(
        &self,
        names: &[PathBuf],
        tasks: impl Iterator<Item = Result<Task>>,
    ) -> Result<(Meta, Outcome)> {
        let scratch = self.folder.join(SCRATCH);
        std::fs::create_dir(&scratch).at(&scratch)?;
        let shared = Shared {
            gathered: Mutex::new(Gathered::new(&scratch)),
            parts: Parts::new(&scratch),
            told: Mutex::default(),
            games: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            troubles: AtomicU64::new(0),
            failed: AtomicBool::new(false),
        };
        self.read(&shared, tasks)?;
        let outcome = Outcome {
            games: shared.kept.into_inner(),
            rejected: shared.rejected.into_inner(),
            troubles: in_order(
                shared.told.into_inner().unwrap_or_else(PoisonError::into_inner),
                names,
            ),
        };
        let gathered = shared.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let meta = finish(self, gathered, &shared.parts)?;
        std::fs::remove_dir_all(&scratch).at(&scratch)?;
        Ok((meta, outcome))
    }

    fn read(&self, shared: &Shared, tasks: impl Iterator<Item = Result<Task>>) -> Result<()> {
        let (sender, receiver) = sync_channel(self.threads);
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            let work = || {
                let done = self.work(shared, &receiver);
                if done.is_err() {
                    shared.failed.store(true, Ordering::Relaxed);
                }
                done
            };
            let start = |_| Builder::new().spawn_scoped(scope, work).map_err(LibraryError::Thread);
            let workers = (0..self.threads).map(start).collect::<Result<Vec<_>>>()?;
            let mut fed = Ok(());
            for (number, task) in tasks.enumerate() {
                let send = |task| {
                    let stopped = shared.failed.load(Ordering::Relaxed);
                    (!stopped && sender.send((number as u64, task)).is_ok()).then_some(())
                };
                match task.map(send) {
                    Ok(Some(())) => {}
                    Ok(None) => break,
                    Err(error) => {
                        fed = Err(error);
                        break;
                    }
                }
            }
            drop(sender);
            for worker in workers {
                worker.join().expect("a worker doesn't panic")?;
            }
            fed
        })
    }

    /// Does tasks until there are no more.
    fn work(&self, shared: &Shared, tasks: &Mutex<Receiver<(u64, Task)>>) -> Result<()> {
        let mut scribe = Scribe::default();
        loop {
            let next = lock(tasks).recv();
            let Ok((number, task)) = next else { return Ok(()) };
            if shared.failed.load(Ordering::Relaxed) {
                // Somebody has failed: take what is left, so that the feeder doesn't wait forever.
                continue;
            }
            let mut place = Arrival { task: number, next: 0 };
            match task {
                Task::Pgn(Placed { source, lines, chunk }) => {
                    let mut told = Told { number, source, ..Told::default() };
                    let scribe = &mut scribe;
                    match chunk {
                        Chunk::Text(text) => {
                            self.pgn(
                                shared,
                                scribe,
                                &mut place,
                                Reader::new(&text[..]),
                                lines,
                                &mut told,
                            )?;
                        }
                        Chunk::Rest(rest) => {
                            self.pgn(
                                shared,
                                scribe,
                                &mut place,
                                Reader::new(rest),
                                lines,
                                &mut told,
                            )?;
                        }
                    }
                    lock(&shared.told).push(told);
                }
                Task::Stored(segment, games) => {
                    let mut teller = segment.teller(games.start)?;
                    let facts = &segment.columns.facts;
                    for game in games.filter(|&game| !facts[game as usize].is_deleted()) {
                        scribe.begin();
                        teller.tell(game, &mut scribe)?;
                    }
                }
            }
            self.hand_over(shared, scribe.take(), &mut place)?;
        }
    }

    fn pgn<R: std::io::Read>(
        &self,
        shared: &Shared,
        scribe: &mut Scribe,
        place: &mut Arrival,
        mut reader: Reader<R>,
        lines: u64,
        told: &mut Told,
    ) -> Result<()> {
        loop {
            scribe.begin();
            let (remarks, rejected) = match reader.read(scribe) {
                Ok(true) => (reader.remarks().to_vec(), false),
                Ok(false) => break,
                Err(ReadError::Lost(remark)) => (vec![remark], true),
                Err(ReadError::Io(cause)) => {
                    return Err(LibraryError::Io { path: PathBuf::from("the PGN"), cause });
                }
            };
            if rejected {
                shared.rejected.fetch_add(1, Ordering::Relaxed);
            }
            for remark in remarks {
                if shared.troubles.fetch_add(1, Ordering::Relaxed) < TROUBLES as u64 {
                    told.troubles.push(Trouble {
                        source: PathBuf::new(),
                        game: remark.game,
                        line: lines + remark.line,
                        reason: remark.reason,
                        rejected,
                    });
                }
            }
            if scribe.batch.is_full() {
                self.hand_over(shared, scribe.take(), place)?;
            }
        }
        told.games = reader.count();
        Ok(())
    }

    /// Passes a batch on: postings to the parts, games to the run in memory.
    fn hand_over(&self, shared: &Shared, batch: Batch, place: &mut Arrival) -> Result<()> {
        let count = batch.rows.len() as u64;
        let arrival = place.task << 32 | place.next;
        place.next += count;
        let (first, full) = lock(&shared.gathered).add(&batch, arrival)?;
        shared.parts.add(&batch.postings, first)?;
        drop(batch);
        if let Some(full) = full {
            full.spill()?;
        }
        shared.kept.fetch_add(count, Ordering::Relaxed);
        let games = shared.games.fetch_add(count, Ordering::Relaxed) + count;
        let done = self.read.load(Ordering::Relaxed);
        self.report(Progress { stage: Stage::Reading, games, done, of: self.size })
    }

    pub(super) fn report(&self, progress: Progress) -> Result<()> {
        if (self.progress)(progress) { Ok(()) } else { Err(LibraryError::Stopped) }
    }
}

/// The next game's place in the sources.
struct Arrival {
    task: u64,
    next: u64,
}

/// The troubles in the order of the sources, with the numbers of games in their files.
fn in_order(mut told: Vec<Told>, names: &[PathBuf]) -> Vec<Trouble> {
    told.sort_by_key(|told| told.number);
    let (mut source, mut games) = (usize::MAX, 0);
    let mut troubles = Vec::new();
    for part in told {
        if part.source != source {
            (source, games) = (part.source, 0);
        }
        for trouble in part.troubles {
            let name = names.get(source).cloned().unwrap_or_default();
            troubles.push(Trouble { source: name, game: games + trouble.game, ..trouble });
        }
        games += part.games;
    }
    troubles.truncate(TROUBLES);
    troubles
}
