//! Files of a library: whatever their pages hold, questions are answered or refused in words.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chess::{Color, Position};
use game::Openings;
use library::{Breadth, Endgame, Filter, Library, Order, Page, Player, Side, Source, tamper};

const PGN: &str = "[Event \"a\"]\n[White \"Tal\"]\n[Black \"b\"]\n[WhiteElo \"2700\"]\n[Date \"1960.05.07\"]\n\
    [TimeControl \"300+3\"]\n[ECO \"C60\"]\n\n{x} 1. e4 {[%clk 0:05:00]} e5 $1 (1... c5 2. -- (2. Nf3)) 2. Nf3 Nc6 \
    3. Bb5 1-0\n\n[Event \"b\"]\n[White \"b\"]\n[Black \"Tal\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 1/2-1/2\n\n\
    [Event \"c\"]\n[FEN \"4k3/8/8/8/8/8/P7/4K3 w - - 0 1\"]\n\n1. a4 Kd7 0-1\n\n";

/// A sound library and its files.
static SOUND: LazyLock<(tempfile::TempDir, Vec<PathBuf>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::create(folder.path()).expect("created");
    let source = Source::stream(Path::new("pgn"), PGN.as_bytes());
    library.add(vec![source], 1, &|_| true).expect("added");
    let all = library.matching(&Filter::default()).expect("sound");
    library.delete(&all[1..2]).expect("deleted");
    let files = std::fs::read_dir(folder.path().join("segment-1")).expect("a folder");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    (folder, files)
});

/// The first three bytes choose a file, a page and a place in it; the rest is written there, with the checksums
/// corrected, and once also as the whole file.
pub fn library(data: &[u8]) {
    let Some(([file, page, place], patch)) = data.split_first_chunk() else { return };
    let (sound, files) = &*SOUND;
    let victim = &files[usize::from(*file) % files.len()];
    let folder = tempfile::tempdir().expect("a folder");
    let segment = folder.path().join("segment-1");
    std::fs::create_dir(&segment).expect("created");
    std::fs::copy(sound.path().join("manifest"), folder.path().join("manifest")).expect("copied");
    for file in files {
        std::fs::copy(file, segment.join(file.file_name().expect("a name"))).expect("copied");
    }
    let victim = segment.join(victim.file_name().expect("a name"));
    tamper::overwrite(&victim, usize::from(*page), usize::from(*place), patch)
        .expect("sound before");
    ask(folder.path());
    std::fs::write(&victim, patch).expect("written");
    ask(folder.path());
}

/// Asks everything there is.
fn ask(folder: &Path) {
    let words = |error: library::LibraryError| assert!(!error.to_string().is_empty());
    let library = match Library::open(folder) {
        Ok(library) => library,
        Err(error) => return words(error),
    };
    let tal = Filter {
        player: Some(Player { name: "Tal".to_owned(), side: Side::Either }),
        min_rating: Some(1000),
        ..Filter::default()
    };
    let mut position = Position::default();
    for text in ["e4", "e5", "Nf3", "Nc6", "Bb5"] {
        for filter in [&Filter::default(), &tal] {
            library.tallies(&position, filter).map_or_else(words, drop);
            let page = Page { skip: 0, count: 10 };
            library.games(Some(&position), filter, Order::Strongest, page).map_or_else(words, drop);
        }
        let m = position.parse_san(text).expect("a legal move");
        position.play_unchecked(m);
    }
    let any = Filter::default();
    library.check(1, &|_| {}).map_or_else(words, drop);
    library.export(&any, Path::new("out"), &mut Vec::new()).map_or_else(words, drop);
    library.duplicates().map_or_else(words, drop);
    let endgame = Endgame::either_color("KPvK".parse().expect("material"), 1);
    let page = Page { skip: 0, count: 10 };
    library.with_material(&endgame, None, &any, Order::Newest, page).map_or_else(words, drop);
    library.player("Tal", &OPENINGS, &any).map_or_else(words, drop);
    let breadth = Breadth { plies: 10, least: 1 };
    library.repertoire("b", Color::Black, breadth, &any).map_or_else(words, drop);
    assert!(library.players("", 10).len() <= 10);
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(Openings::new);
