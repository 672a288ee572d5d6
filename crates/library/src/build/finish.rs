//! The second half of a build: all games are read; write the segment.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

use super::crew::{Crew, Progress, Stage};
use super::gather::Gathered;
use super::index::{Indexed, index};
use super::parts::{PARTS, Parts};
use super::runs::{Item, Merged};
use super::writer::Writer;
use crate::error::{LibraryError, Result};
use crate::layout::Layout;
use crate::meta::Meta;
use crate::names;
use crate::pages::{Kind, PageWriter};
use crate::segment::{paths, write_deleted};

/// Writes all files of the segment.
pub(super) fn finish(crew: &Crew<'_>, gathered: Gathered, parts: &Parts) -> Result<Meta> {
    let Gathered { mut run, spilled, names, starts, controls, games, plies, postings, .. } =
        gathered;
    let names = names.texts;
    // Step 1. Names in order, and the place of each.
    let mut order: Vec<u32> = (0..names.len() as u32).collect();
    order.sort_by(|&a, &b| names::compare(&names[a as usize], &names[b as usize]));
    let mut ranks = vec![0; names.len()];
    for (rank, &name) in order.iter().enumerate() {
        ranks[name as usize] = rank as u32;
    }
    let sorted: Vec<&str> = order.iter().map(|&name| names[name as usize].as_str()).collect();

    // Time controls, too, so that the files don't depend on which thread was first.
    let mut controls = controls.texts;
    let unsorted = controls.clone();
    controls.sort_unstable();
    let control = |text: &String| controls.binary_search(text).unwrap_or(0) as u32;
    let control_ranks: Vec<u32> = unsorted.iter().map(control).collect();

    // Step 2. The games in order get their numbers.
    let mut meta = Meta {
        games,
        plies,
        names: 0,
        layout: Layout::new(postings, games),
        singles: 0,
        shared: 0,
        starts: Vec::new(),
        controls,
    };
    let mut renumber = vec![0; games as usize];
    let mut writer = Writer::create(crew.folder)?;
    run.sort(&starts.texts);
    let mut merged = Merged::new(&spilled, run, &starts.texts)?;
    let mut item = Item::default();
    let mut number = 0;
    while merged.next(&mut item)? {
        renumber[item.entry.provisional as usize] = number;
        item.entry.control = control_ranks[item.entry.control as usize];
        writer.add(&item, &ranks)?;
        if number % 4096 == 0 {
            let (done, of) = (u64::from(number), u64::from(games));
            crew.report(Progress { stage: Stage::Sorting, games: of, done, of })?;
        }
        number += 1;
    }
    drop(merged);
    writer.finish(&starts.texts, &sorted, &mut meta)?;

    // Step 3. The index.
    write_index(crew, parts, &renumber, &mut meta)?;
    write_deleted(crew.folder, (0..meta.games).map(|_| false))?;
    meta.write(&crew.folder.join(paths::META))?;
    Ok(meta)
}

/// Sorts the parts on all threads, and writes them in order.
fn write_index(crew: &Crew<'_>, parts: &Parts, renumber: &[u32], meta: &mut Meta) -> Result<()> {
    let mut single = PageWriter::create(&crew.folder.join(paths::SINGLE), Kind::Single)?;
    let mut shared = PageWriter::create(&crew.folder.join(paths::SHARED), Kind::Shared)?;
    let (layout, games) = (meta.layout, u64::from(meta.games));
    let mut write = |indexed: &Indexed| -> Result<()> {
        meta.singles += indexed.singles;
        meta.shared += indexed.shared_keys;
        indexed.single.iter().try_for_each(|page| single.push(page))?;
        indexed.shared.iter().try_for_each(|page| shared.push(page))
    };
    if layout.is_small() {
        let mut postings = Vec::new();
        for number in 0..PARTS {
            postings.extend(parts.take(number, renumber)?);
        }
        write(&index(&postings, 0..PARTS as u64, layout))?;
    } else {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = sync_channel(crew.threads);
        std::thread::scope(|scope| {
            for _ in 0..crew.threads {
                let (sender, next) = (sender.clone(), &next);
                let work = move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= PARTS {
                            return;
                        }
                        let byte = number as u64;
                        let part = parts.take(number, renumber);
                        let done = part.map(|postings| index(&postings, byte..byte + 1, layout));
                        if sender.send((number, done)).is_err() {
                            return;
                        }
                    }
                };
                Builder::new().spawn_scoped(scope, work).map_err(LibraryError::Thread)?;
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut number = 0;
            for (at, done) in receiver {
                early.insert(at, done?);
                while let Some(indexed) = early.remove(&number) {
                    write(&indexed)?;
                    number += 1;
                    let (done, of) = (number as u64, PARTS as u64);
                    crew.report(Progress { stage: Stage::Indexing, games, done, of })?;
                }
            }
            Ok(())
        })?;
    }
    single.finish()?;
    shared.finish()
}
