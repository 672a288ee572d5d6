//! Decodes blocks on several threads and writes their records in random order.
//!
//! The order depends only on the seed, not on the number of threads. Blocks are shuffled and
//! grouped into windows. Each block's records are shuffled by the thread that decodes it; a window
//! then draws from its blocks at random, in proportion to what each has left. So all orders of a
//! window are equally likely, but memory is read sequentially.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex};
use std::thread;

use engine::Dice;
use nnue::data::{Damage, DataError};

use super::catalogue::{Entry, Files, list};
use super::recipe::Cook;
use super::{Recipe, Record};

/// What to stream.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Training data files.
    pub files: Vec<PathBuf>,
    /// Number of epochs, each in a different order.
    pub epochs: u64,
    /// Seed of the order.
    pub seed: u64,
    /// Records to skip at the start.
    pub skip: u64,
    /// Decoding threads.
    pub threads: usize,
    /// Positions to shuffle together. At most two windows are in memory.
    pub window: u64,
    /// Which positions become records.
    pub recipe: Recipe,
}

/// Why a stream ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// A file can't be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: DataError,
    },
    /// The records can't be written.
    #[error("failed to write records")]
    Write(#[source] io::Error),
}

/// What was written.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Streamed {
    /// Records written.
    pub records: u64,
    /// Damaged parts skipped, counted once per epoch.
    pub damaged: u64,
}

/// Writes the records of all files. Damaged parts are passed to `damaged` and skipped.
pub fn stream(
    plan: &Plan,
    out: &mut dyn Write,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<Streamed, StreamError> {
    let mut done = Streamed::default();
    let mut entries = Vec::new();
    for (file, path) in plan.files.iter().enumerate() {
        let mut told = |path: &Path, damage: &Damage| {
            done.damaged += 1;
            damaged(path, damage);
        };
        let found = list(file, path, &mut told)
            .map_err(|cause| StreamError::File { path: path.clone(), cause })?;
        entries.extend(found);
    }
    let mut skip = plan.skip;
    for epoch in 0..plan.epochs {
        let windows = windows(plan, &entries, epoch);
        let mut any = false;
        let mut window = |number: usize, parts: Vec<Vec<Record>>| {
            let dice = Dice::stream(plan.seed ^ !epoch, number as u64);
            let left = skip;
            let count = parts.iter().map(|part| part.len() as u64).sum::<u64>();
            any |= count > 0;
            skip = skip.saturating_sub(count);
            done.records += count - left.min(count);
            if left < count { write(out, parts, dice, left as usize) } else { Ok(()) }
        };
        run(plan, &windows, epoch, &mut window, &mut |path, damage| {
            done.damaged += 1;
            damaged(path, damage);
        })?;
        // Without records, an endless stream would loop for nothing.
        if !any {
            break;
        }
    }
    Ok(done)
}

/// A block to decode: its window, its index there, and its position.
type Task = (usize, usize, Entry);

/// The blocks of each window of an epoch.
fn windows(plan: &Plan, entries: &[Entry], epoch: u64) -> Vec<Vec<Entry>> {
    let mut order = entries.to_vec();
    Dice::stream(plan.seed, epoch).shuffle(&mut order);
    let mut windows: Vec<Vec<Entry>> = Vec::new();
    let mut filled = u64::MAX;
    for entry in order {
        let positions = u64::from(entry.positions);
        if filled.saturating_add(positions) > plan.window {
            windows.push(Vec::new());
            filled = 0;
        }
        filled += positions;
        windows.last_mut().expect("there is a window").push(entry);
    }
    windows
}

/// The result of decoding a block.
struct Decoded {
    task: Task,
    records: Vec<Record>,
    failure: Option<Failure>,
}

enum Failure {
    Damage(Damage),
    Io(io::Error),
}

/// Limits how far threads run ahead of the writer.
struct Gate {
    /// The window being collected; tasks beyond the next one must wait.
    window: Mutex<usize>,
    moved: Condvar,
}

/// No window has this number: opens the gate for good.
const OPEN: usize = usize::MAX - 1;

impl Gate {
    fn wait_for(&self, window: usize) {
        let guard = self.window.lock().expect("no panic while locked");
        let waited = self.moved.wait_while(guard, |now| window > *now + 1);
        drop(waited.expect("no panic while locked"));
    }

    fn open(&self, window: usize) {
        *self.window.lock().expect("no panic while locked") = window;
        self.moved.notify_all();
    }
}

/// Decodes all blocks of an epoch and passes the blocks of each window to `window`, in order.
fn run(
    plan: &Plan,
    windows: &[Vec<Entry>],
    epoch: u64,
    window: &mut dyn FnMut(usize, Vec<Vec<Record>>) -> io::Result<()>,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<(), StreamError> {
    let tasks: Vec<Task> = windows
        .iter()
        .enumerate()
        .flat_map(|(w, blocks)| blocks.iter().enumerate().map(move |(i, entry)| (w, i, *entry)))
        .collect();
    let tasks = Mutex::new(tasks.into_iter());
    let gate = Gate { window: Mutex::new(0), moved: Condvar::new() };
    thread::scope(|scope| {
        let (sender, decoded) = sync_channel(2 * plan.threads.max(1));
        let mut workers = Vec::new();
        for _ in 0..plan.threads.max(1) {
            let files = Files::open(&plan.files)
                .map_err(|(path, cause)| StreamError::File { path, cause })?;
            workers.push((files, sender.clone()));
        }
        drop(sender);
        for (files, sender) in workers {
            let (tasks, gate) = (&tasks, &gate);
            let next = move || tasks.lock().expect("no panic while locked").next();
            scope.spawn(move || decode(plan, epoch, files, next, gate, &sender));
        }
        let collected = collect(plan, windows, &decoded, &gate, window, damaged);
        // Waiting threads must also end if writing failed.
        drop(decoded);
        gate.open(OPEN);
        collected
    })
}

/// Decodes blocks until there are none left or the receiver is gone.
fn decode(
    plan: &Plan,
    epoch: u64,
    mut files: Files,
    next: impl Fn() -> Option<Task>,
    gate: &Gate,
    sender: &SyncSender<Decoded>,
) {
    let mut cook = Cook::new(&plan.recipe);
    while let Some(task) = next() {
        let (window, place, entry) = task;
        gate.wait_for(window);
        let mut records = Vec::new();
        let failure = match files.read(&entry) {
            Ok(block) => cook.block(block, &mut records).err().map(Failure::Damage),
            Err(error) => Some(Failure::Io(error)),
        };
        let number = (window as u64) << 32 | place as u64;
        Dice::stream(plan.seed.rotate_left(32) ^ epoch, number).shuffle(&mut records);
        if sender.send(Decoded { task, records, failure }).is_err() {
            return;
        }
    }
}

/// Collects decoded blocks into windows.
fn collect(
    plan: &Plan,
    windows: &[Vec<Entry>],
    decoded: &Receiver<Decoded>,
    gate: &Gate,
    window: &mut dyn FnMut(usize, Vec<Vec<Record>>) -> io::Result<()>,
    damaged: &mut dyn FnMut(&Path, &Damage),
) -> Result<(), StreamError> {
    let mut waiting: Vec<Vec<Option<Vec<Record>>>> =
        windows.iter().map(|blocks| vec![None; blocks.len()]).collect();
    for (number, blocks) in windows.iter().enumerate() {
        gate.open(number);
        let mut missing = waiting[number].iter().filter(|part| part.is_none()).count();
        while missing > 0 {
            let Decoded { task: (w, place, entry), records, failure } =
                decoded.recv().expect("threads decode all blocks");
            let path = &plan.files[entry.file()];
            match failure {
                None => {}
                Some(Failure::Damage(damage)) => damaged(path, &damage),
                Some(Failure::Io(error)) => {
                    return Err(StreamError::File { path: path.clone(), cause: error.into() });
                }
            }
            waiting[w][place] = Some(records);
            missing -= usize::from(w == number);
        }
        debug_assert_eq!(blocks.len(), waiting[number].len());
        let parts = std::mem::take(&mut waiting[number]).into_iter().flatten().collect();
        window(number, parts).map_err(StreamError::Write)?;
    }
    Ok(())
}

/// Bytes per write.
const BUFFER: usize = 1 << 20;

/// Writes a window: a random mix of its parts, each of which is already shuffled.
fn write(
    out: &mut dyn Write,
    parts: Vec<Vec<Record>>,
    mut dice: Dice,
    skip: usize,
) -> io::Result<()> {
    let mut order: Vec<u32> = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for (number, part) in parts.iter().enumerate() {
        order.extend(std::iter::repeat_n(number as u32, part.len()));
    }
    dice.shuffle(&mut order);
    let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
    let mut buffer = Vec::with_capacity(BUFFER + Record::LEN);
    for (i, part) in order.into_iter().enumerate() {
        let record = parts[part as usize].next().expect("the part is not empty");
        if i < skip {
            continue;
        }
        buffer.extend_from_slice(record.as_bytes());
        if buffer.len() >= BUFFER {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    out.write_all(&buffer)?;
    out.flush()
}
