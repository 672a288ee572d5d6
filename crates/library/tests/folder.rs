//! A library on disk: everything comes back as it was read; damage, interruption and rivals are noticed.

use std::cmp::Reverse;
use std::io::{Cursor, Write};
use std::path::Path;

use chess::{Color, Position};
use game::pgn::Reader;
use game::{Game, Openings};
use library::sample::Sample;
use library::{
    Added, Breadth, Endgame, Filter, Found, Library, LibraryError, Order, Page, Player, Side,
    Source,
};

/// Games with everything that PGN has.
const ANNOTATED: &str = r#"[Event "Riga"]
[Site "?"]
[Date "1960.05.??"]
[Round "3"]
[White "Tal, Mikhail"]
[Black "Someone \"Else\""]
[Result "1-0"]
[WhiteElo "?"]
[BlackElo "02500"]
[ECO "B90f"]
[Annotator "me"]
[White "Twice"]
[Weather "rain"]
[TimeControl "40/7200:3600"]

{Before all.} 1. e4 $1 {[%clk 0:05:00]} e5 {[%clk 0:04:59.5] good} ({why} 1... c5 $6 2. Nf3 (2. c3 {Alapin} d5 (2... Nf6
3. e5)) 2... d6 {[%cal Ga1a8]}) ( 1... d5 2. -- e5 ) 2. Nf3 {[%clk 0:04:50]} Nc6 {[%clk 0:04:40]} 3. Bb5 a6
{ [%clk 0:04:30] } 4. Ba4?! Nf6 {[%eval 0.3] [%clk 0:04:20]} 5. O-O Nxe4 6. Kxx9 (6. d4) 1-0
{After all.}

[Event "Forfeit"]
[White "Absent"]
[Black "Present"]
[Date "1960-05-07"]

--+

[Event "Only tags"]
[White "Absent"]

*

[Event "Chess960"]
[Variant "Chess960"]
[FEN "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"]

1. g3 {[%clk 0:01:00]} g6 {[%clk 0:01:00]} 2. Nf3 Nf6 3. O-O O-O *

1. d4 d5 2. c4 0-1

"#;

fn sample(seed: u64, count: u64, clocks: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let mut sample = Sample::new(seed, count);
    sample.clocks = clocks;
    sample.write(0..count, &mut text).expect("memory takes all");
    text
}

fn add(library: &Library, pgn: &[u8]) -> Added {
    let source = Source::stream("test".as_ref(), Cursor::new(pgn.to_vec()));
    library.add(vec![source], 2, &|_| true).expect("added")
}

fn library(texts: &[&[u8]]) -> (tempfile::TempDir, Library) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::create(folder.path()).expect("created");
    for text in texts {
        add(&library, text);
    }
    (folder, library)
}

fn texts(games: impl Iterator<Item = Game>) -> Vec<String> {
    let mut texts: Vec<String> = games.map(|game| game.to_string()).collect();
    texts.sort_unstable();
    texts
}

fn read(pgn: &[u8]) -> Vec<String> {
    texts(Reader::new(pgn).games().map(|game| game.expect("a game")))
}

fn stored(library: &Library) -> Vec<String> {
    let ids = library.matching(&Filter::default()).expect("sound");
    texts(ids.into_iter().map(|id| library.game(id).expect("sound")))
}

#[test]
fn games_come_back_with_everything_in_them() {
    let clocks = sample(3, 300, true);
    let (_folder, library) = library(&[ANNOTATED.as_bytes(), &clocks]);
    let expected = read(&[ANNOTATED.as_bytes(), &clocks].concat());
    assert_eq!(stored(&library), expected);
    // Without the PGN, and out again.
    library.merge(true, 2, &|_| true).expect("merged");
    assert_eq!(stored(&library), expected);
    let mut out = Vec::new();
    let count = library.export(&Filter::default(), "out".as_ref(), &mut out).expect("written");
    assert_eq!((count, read(&out)), (305, expected));
    let filter = Filter {
        player: Some(Player { name: "Absent".to_owned(), side: Side::White }),
        ..Filter::default()
    };
    let mut out = Vec::new();
    assert_eq!(library.export(&filter, "out".as_ref(), &mut out).expect("written"), 2);
    assert_eq!(read(&out).len(), 2);
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    let text = sample(4, 200, false);
    let expected = read(&text);
    let gzip = |text: &[u8]| {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        out.write_all(text).expect("memory takes all");
        out.finish().expect("memory takes all")
    };
    let bzip2 = |text: &[u8]| {
        let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        out.write_all(text).expect("memory takes all");
        out.finish().expect("memory takes all")
    };
    let zstd = |text: &[u8]| zstd::stream::encode_all(text, 1).expect("memory takes all");
    // Archives may be of several parts.
    let half = text.len() / 2;
    let parts =
        |pack: &dyn Fn(&[u8]) -> Vec<u8>| [pack(&text[..half]), pack(&text[half..])].concat();
    for packed in [parts(&gzip), parts(&bzip2), parts(&zstd)] {
        let (_folder, library) = library(&[&packed]);
        assert_eq!(stored(&library), expected);
    }
    let cut = &zstd(&text)[..1000];
    let (_folder, library) = library(&[]);
    let source = Source::stream("games.pgn.zst".as_ref(), Cursor::new(cut.to_vec()));
    let error = library.add(vec![source], 2, &|_| true).expect_err("it is cut off").to_string();
    assert!(error.starts_with("games.pgn.zst: "), "{error}");
    assert!(library.is_empty());
}

#[test]
fn troubles_have_the_game_and_line_of_their_file() {
    // Longer than a chunk.
    let mut text = sample(5, 4000, false);
    let lines = text.iter().map(|&c| u64::from(c == b'\n')).sum::<u64>();
    text.extend(
        b"[Event \"bad\"]\n\n1. e4 e4 1-0\n\n[Event \"no\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n",
    );
    text.extend(sample(6, 10, false));
    let (_folder, library) = library(&[]);
    let added = add(&library, &text);
    assert_eq!((added.games, added.rejected), (4011, 1));
    let places: Vec<_> = added.troubles.iter().map(|t| (t.game, t.line, t.rejected)).collect();
    assert_eq!(places, [(4001, lines + 3, false), (4002, lines + 6, true)]);
    assert_eq!(stored(&library).len(), 4011);
}

#[test]
fn a_build_gives_the_same_files_whatever_the_threads() {
    let text = [sample(7, 5000, false), ANNOTATED.as_bytes().to_vec()].concat();
    let build = |threads| {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::create(folder.path()).expect("created");
        let source = Source::stream("test".as_ref(), Cursor::new(text.clone()));
        library.add(vec![source], threads, &|_| true).expect("added");
        let segment = folder.path().join("segment-1");
        let mut files: Vec<_> = std::fs::read_dir(segment)
            .expect("a folder")
            .map(|file| file.expect("a file").path())
            .map(|path| {
                (path.file_name().map(ToOwned::to_owned), std::fs::read(&path).expect("read"))
            })
            .collect();
        files.sort();
        files
    };
    assert!(build(1) == build(3));
}

#[test]
fn a_stopped_build_leaves_the_library_as_it_was() {
    let (_folder, library) = library(&[&sample(8, 50, false)]);
    let before = stored(&library);
    for stage in [library::Stage::Reading, library::Stage::Sorting, library::Stage::Indexing] {
        let source = Source::stream("test".as_ref(), Cursor::new(sample(9, 2500, false)));
        let stopped = library.add(vec![source], 2, &|progress| progress.stage != stage);
        assert!(matches!(stopped, Err(LibraryError::Stopped)), "{stopped:?}");
        assert_eq!(stored(&library), before);
    }
}

#[test]
fn one_process_at_a_time_changes_a_library() {
    let (folder, library) = library(&[&sample(10, 20, false)]);
    let lock = std::fs::File::options().write(true).open(folder.path().join("lock")).expect("open");
    lock.try_lock().expect("free");
    let busy = |result: Result<(), LibraryError>| matches!(result, Err(LibraryError::Busy(_)));
    let source = Source::stream("test".as_ref(), Cursor::new(Vec::new()));
    assert!(busy(library.add(vec![source], 1, &|_| true).map(drop)));
    assert!(busy(library.merge(true, 1, &|_| true).map(drop)));
    assert!(busy(library.delete(&[])));
    // Reading goes on.
    assert_eq!(Library::open(folder.path()).expect("open").len(), 20);
    drop(lock);
    library.delete(&[]).expect("free again");
}

#[test]
fn damage_anywhere_is_an_error_in_words() {
    let (folder, library) = library(&[&sample(11, 12, true), ANNOTATED.as_bytes()]);
    let ids = library.matching(&Filter::default()).expect("sound");
    library.delete(&ids[3..6]).expect("deleted");
    let checked = library.check(1, &|_| {}).expect("sound");
    assert!(checked.games == 17 && checked.positions > 900, "{checked:?}");
    drop(library);
    let verify =
        |path: &Path| Library::open(path).and_then(|library| library.check(1, &|_| {})).map(drop);
    let mut files = vec![folder.path().join("manifest")];
    for segment in ["segment-1", "segment-2"] {
        let entries = std::fs::read_dir(folder.path().join(segment)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("a file").path()));
    }
    assert_eq!(files.len(), 1 + 10 + 10);
    for path in &files {
        let sound = std::fs::read(path).expect("read");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let damage = |bytes: &[u8]| {
            std::fs::write(path, bytes).expect("written");
            let error = verify(folder.path()).expect_err(&name).to_string();
            assert!(error.contains(&name), "{name}: {error}");
        };
        for at in (0..sound.len() - 1).step_by((sound.len() / 5).max(1)) {
            let mut flipped = sound.clone();
            flipped[at] ^= 0x10;
            damage(&flipped);
            damage(&sound[..at]);
        }
        damage(b"something else, and long enough to have a header and a footer of its own");
        std::fs::remove_file(path).expect("removed");
        // Without a manifest, no other file is named.
        let error = verify(folder.path()).expect_err(&name).to_string();
        assert!(error.contains(&name) || name == "manifest", "{name}: {error}");
        std::fs::write(path, &sound).expect("written");
    }
    verify(folder.path()).expect("sound again");
}

#[test]
fn a_folder_without_a_library_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let error = Library::open(folder.path()).expect_err("empty").to_string();
    assert!(error.starts_with("there is no library in "), "{error}");
    assert!(Library::open(&folder.path().join("nowhere")).is_err());
}

#[test]
fn segments_of_similar_size_merge_and_others_stay() {
    let (_folder, library) =
        library(&[&sample(12, 4500, false), &sample(13, 30, false), &sample(14, 40, false)]);
    let games =
        |library: &Library| library.info().iter().map(|info| info.games).collect::<Vec<_>>();
    assert_eq!(library.merge(false, 2, &|_| true).expect("merged"), 2);
    assert_eq!(games(&library), [4500, 70]);
    assert_eq!(library.merge(true, 2, &|_| true).expect("merged"), 1);
    assert_eq!(games(&library), [4570]);
    let all = library.matching(&Filter::default()).expect("sound");
    library.delete(&all).expect("deleted");
    assert_eq!(library.merge(true, 2, &|_| true).expect("merged"), 0);
    assert!(library.is_empty());
}

#[test]
fn a_player_has_results_openings_and_a_repertoire() {
    let pgn = |moves: &str, white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"2000\"]\n\n{moves} {result}\n\n"
        )
    };
    let text = [
        pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5", "Tal", "a", "1-0"),
        pgn("1. e4 e5 2. Nf3 Nc6 3. Bc4", "Tal", "b", "1/2-1/2"),
        pgn("1. e4 c5", "Tal", "c", "1-0"),
        pgn("1. d4 d5", "c", "Tal", "0-1"),
    ];
    let (_folder, library) = library(&[text.concat().as_bytes()]);
    let openings = Openings::new();
    let page = library.player("Tal", &openings, &Filter::default()).expect("known");
    assert_eq!((page.white.games, page.white.white_wins, page.white.draws), (3, 2, 1));
    assert_eq!(
        (page.black.games, page.black.black_wins, page.white.ratings.average()),
        (1, 1, Some(2000))
    );
    let names: Vec<_> = page.openings.iter().filter_map(|o| o.opening).map(|o| o.name).collect();
    assert_eq!(names.len(), 4);
    assert!(names.contains(&"Sicilian Defense") && names.contains(&"Ruy Lopez"), "{names:?}");
    let breadth = Breadth { plies: 3, least: 2 };
    let tree = library.repertoire("Tal", Color::White, breadth, &Filter::default()).expect("known");
    let start = Position::default();
    assert_eq!(tree.len(), 1);
    assert_eq!(start.san(tree[0].m).to_string(), "e4");
    assert_eq!((tree[0].score.games, tree[0].next.len(), tree[0].next[0].score.games), (3, 1, 2));
    assert!(tree[0].next[0].next[0].next.is_empty());
    let unknown = library.player("Nobody", &openings, &Filter::default());
    assert!(matches!(unknown, Err(LibraryError::UnknownPlayer(_))));
    assert_eq!(library.players("t", 5), ["Tal"]);
    let listed =
        library.games(None, &Filter::default(), Order::Strongest, Page { skip: 1, count: 2 });
    assert_eq!(listed.expect("sound").len(), 2);
}

#[test]
fn material_is_found_where_a_replay_finds_it() {
    let text = sample(15, 200, false);
    let (_folder, library) = library(&[&text]);
    let games: Vec<Game> =
        Reader::new(&text[..]).games().map(|game| game.expect("a game")).collect();
    let has = |game: &Game, wanted: &str| {
        game.line()
            .positions()
            .any(|position| library::Material::of(position).to_string() == wanted)
    };
    // Some that occur, by their own account.
    let ends = games.iter().map(|game| library::Material::of(&game.position()).to_string());
    for wanted in ends.step_by(29).chain(["KQQQvK".to_owned()]) {
        let material = wanted.parse().expect("material");
        let endgame = Endgame { materials: vec![material], plies: 1 };
        let find = |position: Option<&Position>, order, page| {
            library
                .with_material(&endgame, position, &Filter::default(), order, page)
                .expect("sound")
        };
        let found = find(None, Order::Strongest, Page { skip: 0, count: 1000 });
        let strength = |found: &Found| found.game.ratings.map(|rating| rating.unwrap_or(0));
        assert!(
            found.is_sorted_by_key(|found| Reverse(strength(found).iter().sum::<u16>())),
            "{wanted}"
        );
        let start = Position::default();
        let page = find(Some(&start), Order::Strongest, Page { skip: 1, count: 2 });
        assert_eq!(page[..], found[found.len().min(1)..found.len().min(3)], "{wanted}");
        assert_eq!(found.len(), games.iter().filter(|game| has(game, &wanted)).count(), "{wanted}");
        for found in found {
            let line = library.game(found.game.id).expect("sound").line();
            let position = line.positions().nth(found.ply as usize).expect("in the game");
            assert_eq!(library::Material::of(position), material);
        }
    }
}
