//! What a library removes, and what it leaves alone: only its own leftovers go, and only when it is changed.

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::Path;

use library::sample::Sample;
use library::{Added, Library, LibraryError, Source};

fn source(seed: u64, count: u64) -> Source {
    let mut text = Vec::new();
    Sample::new(seed, count).write(0..count, &mut text).expect("memory takes all");
    Source::stream("test".as_ref(), Cursor::new(text))
}

fn add(folder: &Path, seed: u64) -> Result<Added, LibraryError> {
    Library::create(folder)?.add(vec![source(seed, 20)], 1, &|_| true)
}

/// A library of two segments with 20 games each.
fn library() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    add(folder.path(), 1).expect("added");
    add(folder.path(), 2).expect("added");
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("created");
    for file in fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        fs::copy(file.path(), to.join(file.file_name())).expect("copied");
    }
}

/// All files in a folder, with what is in them.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.insert(format!("{name}/"), Vec::new());
            let inner = content(&path).into_iter();
            found.extend(inner.map(|(inside, bytes)| (format!("{name}/{inside}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

#[test]
fn folders_of_others_stay() {
    let folder = library();
    let folder = folder.path();
    for name in ["segment-1.bak", "segment-x", "segment-01", "building-notes", "notes", "segment-9"]
    {
        fs::create_dir(folder.join(name)).expect("created");
        fs::write(folder.join(name).join("meta"), "mine").expect("written");
    }
    copy(&folder.join("segment-1"), &folder.join("segment-1 (copy)"));
    // A build has no such file; and one of our names may be a file.
    fs::create_dir(folder.join("building-7")).expect("created");
    fs::write(folder.join("building-7/novel.txt"), "mine").expect("written");
    for name in ["segment-3", "building-4", "segment-8"] {
        fs::write(folder.join(name), "mine").expect("written");
    }
    // With a file that is no segment's, it isn't ours alone.
    copy(&folder.join("segment-1"), &folder.join("segment-0"));
    fs::write(folder.join("segment-0/novel.txt"), "mine").expect("written");
    let before = content(folder);
    let library = Library::open(folder).expect("open");
    assert_eq!(library.len(), 40);
    assert!(content(folder) == before, "reading changes nothing");
    for seed in 3..7 {
        add(folder, seed).expect("added");
    }
    library.refresh().expect("read");
    assert_eq!((library.len(), library.info().len()), (120, 6));
    library.merge(true, 1, &|_| true).expect("merged");
    assert_eq!((library.len(), library.info().len()), (120, 1));
    let after = content(folder);
    for (name, bytes) in before {
        let ours = ["segment-1/", "segment-2/", "manifest"];
        assert!(ours.iter().any(|o| name.starts_with(o)) || after.get(&name) == Some(&bytes));
    }
    assert!(!folder.join("segment-1").exists() && !folder.join("segment-2").exists());
}

#[test]
fn what_a_killed_process_leaves_goes_with_the_next_change() {
    let folder = library();
    let folder = folder.path();
    Library::open(folder).expect("open").merge(true, 1, &|_| true).expect("merged");
    fs::create_dir_all(folder.join("building-4/scratch")).expect("created");
    fs::write(folder.join("building-4/scratch/part-007"), "x").expect("written");
    fs::write(folder.join("building-4/moves"), "").expect("written");
    // A merged segment that could not be removed, or only half.
    copy(&folder.join("segment-3"), &folder.join("segment-1"));
    copy(&folder.join("segment-3"), &folder.join("segment-2"));
    fs::remove_file(folder.join("segment-2/meta")).expect("removed");
    let left = ["building-4", "segment-1", "segment-2"];
    let library = Library::open(folder).expect("open");
    library.check(1, &|_| {}).expect("sound");
    library.refresh().expect("read");
    assert!(left.iter().all(|name| folder.join(name).exists()), "reading removes nothing");
    let lock = fs::File::options().write(true).open(folder.join("lock")).expect("open");
    lock.try_lock().expect("free");
    assert!(matches!(library.delete(&[]), Err(LibraryError::Busy(_))));
    assert!(left.iter().all(|name| folder.join(name).exists()), "another process may need them");
    drop(lock);
    library.delete(&[]).expect("free");
    assert!(left.iter().all(|name| !folder.join(name).exists()));
    assert_eq!(Library::open(folder).expect("open").len(), 40);
}

#[test]
fn a_segment_that_an_old_manifest_does_not_list_is_not_lost() {
    let folder = library();
    let folder = folder.path();
    let old = fs::read(folder.join("manifest")).expect("read");
    add(folder, 3).expect("added");
    fs::write(folder.join("manifest"), old).expect("written");
    let before = content(folder);
    let error = add(folder, 4).expect_err("in the way").to_string();
    assert!(error.contains("segment-3") && error.contains("riga library adopt"), "{error}");
    assert!(content(folder) == before);
    fs::rename(folder.join("segment-3"), folder.join("found")).expect("moved");
    let library = Library::open(folder).expect("open");
    assert_eq!(library.add_segments(&folder.join("found"), 1).expect("sound"), 20);
    assert_eq!(library.len(), 60);
}

#[test]
fn a_crash_before_the_manifest_lists_a_segment_needs_no_repair() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("games");
    for had in [0, 20] {
        // The manifest as it is while a segment is built, put back when the segment has its name.
        let during = std::sync::Mutex::new(Vec::new());
        let look = |_| {
            *during.lock().expect("sound") = fs::read(place.join("manifest")).expect("there");
            true
        };
        let library = Library::create(&place).expect("there is room");
        library.add(vec![source(3, 20)], 1, &look).expect("added");
        fs::write(place.join("manifest"), during.into_inner().expect("sound")).expect("written");
        assert_eq!(Library::open(&place).expect("open").len(), had);
        let library = Library::create(&place).expect("a library");
        library.add(vec![source(4, 20)], 1, &|_| true).expect("added");
        assert_eq!(Library::open(&place).expect("open").len(), had + 20);
        let segments = content(&place).into_keys().filter(|name| name.ends_with("/meta"));
        assert_eq!(segments.count() as u64, 1 + had / 20);
    }
}

#[test]
fn a_name_that_is_taken_during_a_build_stays_with_its_owner() {
    let folder = library();
    let folder = folder.path();
    let theirs = folder.join("segment-3");
    let take = |_| {
        let _ = fs::create_dir(&theirs);
        fs::write(theirs.join("novel.txt"), "mine").is_ok()
    };
    let library = Library::open(folder).expect("open");
    let error = library.add(vec![source(3, 20)], 1, &take).expect_err("taken").to_string();
    assert!(error.contains("segment-3"), "{error}");
    assert_eq!(fs::read(theirs.join("novel.txt")).expect("there"), b"mine");
    assert!(!folder.join("building-3").exists());
    add(folder, 3).expect("another number");
    assert_eq!(Library::open(folder).expect("open").len(), 60);
}

#[test]
fn a_library_without_its_manifest_is_not_started_anew() {
    let folder = library();
    let folder = folder.path();
    let manifest = fs::read(folder.join("manifest")).expect("read");
    for lock in [true, false] {
        fs::remove_file(folder.join("manifest")).expect("removed");
        if !lock {
            fs::remove_file(folder.join("lock")).expect("removed");
        }
        let before = content(folder);
        let error = add(folder, 3).expect_err("no manifest").to_string();
        assert!(error.contains("is missing") && error.contains("adopt"), "{error}");
        assert!(matches!(Library::open(folder), Err(LibraryError::Lost(_))));
        assert!(content(folder) == before);
        fs::write(folder.join("manifest"), &manifest).expect("written");
        assert_eq!(Library::open(folder).expect("open").len(), 40);
    }
    // As the error says.
    let new = tempfile::tempdir().expect("a folder");
    let new = Library::create(new.path()).expect("created");
    new.add_segments(&folder.join("segment-1"), 1).expect("sound");
    new.add_segments(&folder.join("segment-2"), 1).expect("sound");
    assert_eq!(new.len(), 40);
}

#[test]
fn a_folder_of_something_else_is_refused() {
    for name in ["notes.txt", "lock", "manifest.new", "segment-1", "building-1", ".hidden"] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(name), "mine").expect("written");
        let before = content(folder.path());
        let error = add(folder.path(), 1).expect_err(name).to_string();
        assert!(error.contains("choose a new or an empty folder"), "{name}: {error}");
        assert!(content(folder.path()) == before, "{name}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("segment-1")).expect("created");
    assert!(matches!(add(folder.path(), 1), Err(LibraryError::Occupied(_))));
}

#[test]
fn a_failed_first_change_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("games/of/mine");
    let fail = |place: &Path| {
        let library = Library::create(place).expect("there is room");
        let stopped = library.add(vec![source(1, 20)], 1, &|_| false);
        assert!(matches!(stopped, Err(LibraryError::Stopped)));
        assert!(library.add_segments(folder.path(), 1).is_err());
        assert!(library.add_packed(b"x", 1).is_err());
    };
    fail(&place);
    assert!(content(folder.path()).is_empty());
    // A folder that was there stays, and so does what a killed process has begun, if it is used at last.
    fs::create_dir_all(place.join("building-1/scratch")).expect("created");
    fs::write(place.join("lock"), "").expect("written");
    add(&place, 1).expect("added");
    assert!(!place.join("building-1").exists());
    assert_eq!(Library::open(&place).expect("open").len(), 20);
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("created");
    fail(&empty);
    assert!(empty.exists() && content(&empty).is_empty());
}

#[test]
fn two_processes_do_not_start_a_library_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("games");
        let start = std::sync::Barrier::new(4);
        let one = |good: bool| {
            start.wait();
            Library::create(&place)?.add(vec![source(1, 20)], 1, &|_| good).map(|a| a.games)
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let one = &one;
            let adders = [true, false, true, false].map(|good| scope.spawn(move || one(good)));
            adders.map(|adder| adder.join().expect("no panic")).into()
        });
        let mut games = 0;
        for result in results {
            match result {
                Ok(added) => games += added,
                Err(LibraryError::Busy(_) | LibraryError::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
        }
        let stored = if games > 0 { Library::open(&place).expect("open").len() } else { 0 };
        assert_eq!(stored, games);
        // One that is making the folder while another removes it may leave it, but nothing in it.
        assert!(games > 0 || !place.exists() || content(&place).is_empty());
    }
}

#[test]
fn an_error_says_everything_once() {
    let error = Source::open("nowhere.pgn".as_ref()).expect_err("no file");
    assert!(error.to_string().starts_with("nowhere.pgn: "), "{error}");
    assert!(std::error::Error::source(&error).is_none(), "it would be printed twice");
}
