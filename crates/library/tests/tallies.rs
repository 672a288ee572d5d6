//! Tallies are those of a replay by hand, with every filter, before and after merging and deleting.

mod by_hand;

use by_hand::{ByHand, filters};
use chess::Position;
use library::sample::Sample;
use library::{GameId, Library, Order, Page, Source};

/// The PGN of some test games.
fn pgn(seed: u64, count: u64) -> Vec<u8> {
    let mut text = Vec::new();
    Sample::new(seed, count).write(0..count, &mut text).expect("memory takes all");
    text
}

fn add(library: &Library, pgn: &[u8]) {
    let source = Source::stream("test".as_ref(), std::io::Cursor::new(pgn.to_vec()));
    let added = library.add(vec![source], 2, &|_| true).expect("added");
    assert!(added.rejected == 0 && added.troubles.is_empty(), "{:?}", added.troubles);
}

/// How many positions to ask about at each step; more with `RIGA_LIBRARY_POSITIONS`.
fn wanted() -> usize {
    let more = std::env::var("RIGA_LIBRARY_POSITIONS").ok();
    more.map_or(400, |text| text.parse().expect("RIGA_LIBRARY_POSITIONS is a number"))
}

/// Positions chosen at random, each at most once.
fn chosen(by_hand: &ByHand, seed: u64) -> Vec<Position> {
    let mut positions: Vec<Position> = by_hand.positions().collect();
    let mut state = seed;
    for at in 0..positions.len().min(wanted()) {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = at + (state >> 33) as usize % (positions.len() - at);
        positions.swap(at, other);
    }
    positions.truncate(wanted());
    // Always with the one that all games have, and one that none has.
    positions.extend([Position::default(), "8/8/8/8/8/8/8/K1k5 w - - 0 1".parse().expect("a FEN")]);
    positions
}

/// Compares answers about some positions with every filter.
fn compare(library: &Library, by_hand: &ByHand) {
    assert_eq!(library.len(), by_hand.len() as u64);
    let filters = filters(by_hand);
    for (number, position) in chosen(by_hand, library.len()).iter().enumerate() {
        for (which, filter) in filters.iter().enumerate() {
            let tallies = library.tallies(position, filter).expect("sound");
            assert_eq!(tallies, by_hand.tallies(position, filter), "{position} {filter:?}");
            let order = [Order::Newest, Order::Strongest][(number + which) % 2];
            let page = Page { skip: number % 3, count: 7 };
            let listed = library.games(Some(position), filter, order, page).expect("sound");
            let values: Vec<_> = listed.iter().map(|game| by_hand::value(game, order)).collect();
            assert_eq!(values, by_hand.values(position, filter, order, page), "{position}");
        }
    }
}

#[test]
fn tallies_equal_a_replay_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::create(folder.path()).expect("created");
    let texts = [pgn(1, 400), pgn(2, 600), [pgn(1, 400), by_hand::ODD.to_vec()].concat()];
    let mut by_hand = ByHand::default();
    for text in &texts {
        add(&library, text);
        by_hand.read(text);
    }
    assert_eq!(library.info().len(), 3);
    compare(&library, &by_hand);

    // Every seventh game is deleted.
    let all = library.matching(&library::Filter::default()).expect("sound");
    assert_eq!(all.len(), by_hand.len());
    let some: Vec<GameId> = all.iter().copied().step_by(7).collect();
    let gone = some.iter().map(|&id| library.game(id).expect("sound"));
    by_hand.remove(gone);
    library.delete(&some).expect("deleted");
    compare(&library, &by_hand);
    // Another process sees the same.
    compare(&Library::open(folder.path()).expect("open"), &by_hand);

    assert_eq!(library.merge(true, 2, &|_| true).expect("merged"), 1);
    assert_eq!(library.info()[0].deleted, 0);
    compare(&library, &by_hand);

    // The first file was added twice.
    let twice = library.duplicates().expect("sound");
    assert!(twice.len() > 280, "{}", twice.len());
    by_hand.remove(twice.iter().map(|&id| library.game(id).expect("sound")));
    library.delete(&twice).expect("deleted");
    assert_eq!(library.duplicates().expect("sound"), []);
    compare(&library, &by_hand);
}
