//! Opening books as a caller meets them: the embedded one, files good and bad, building.

use std::collections::HashSet;
use std::path::PathBuf;

use chess::{Move, MoveKind, Position};
use engine::Dice;
use engine::book::{Book, BookBuilder, BookError, Ending, Pick, Scoring};
use proptest::prelude::*;

const LINES: &str = include_str!("../data/book.txt");

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal FEN")
}

fn entry(key: u64, code: u16, weight: u16) -> Vec<u8> {
    let mut bytes = key.to_be_bytes().to_vec();
    bytes.extend(code.to_be_bytes());
    bytes.extend(weight.to_be_bytes());
    bytes.extend([0; 4]);
    bytes
}

fn code(from: &str, to: &str) -> u16 {
    let square = |name: &str| name.parse::<chess::Square>().expect("a square").index() as u16;
    square(from) << 6 | square(to)
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Every position that can be reached by moves of a book.
fn reachable(book: &Book) -> Vec<(Position, usize)> {
    let mut seen = HashSet::new();
    let mut found = vec![(Position::default(), 0)];
    let mut at = 0;
    while let Some((here, ply)) = found.get(at).cloned() {
        at += 1;
        for known in book.moves(&here) {
            let after = here.after(known.m);
            if seen.insert(after.key()) {
                found.push((after, ply + 1));
            }
        }
    }
    found
}

#[test]
fn the_embedded_book_is_what_its_text_gives() {
    let mut builder = BookBuilder::default();
    let lines = builder.add_lines(LINES).expect("the text is sound");
    assert!((150..=400).contains(&lines), "{lines} lines");
    let built = builder.book(1, Scoring::Games);
    assert!(
        built == Book::embedded(),
        "type: riga book build --lines crates/engine/data/book.txt --out crates/engine/data/book.bin"
    );
    assert!(Book::from_bytes(built.as_bytes().to_vec()).is_ok_and(|read| read == built));
}

#[test]
fn the_embedded_book_plays_varied_and_deep() {
    let start = Position::default();
    let book = Book::embedded();
    let first: Vec<String> =
        book.moves(&start).iter().map(|known| start.san(known.m).to_string()).collect();
    assert_eq!(first[..2], ["e4", "d4"]);
    assert!(first.contains(&"c4".to_owned()) && first.contains(&"Nf3".to_owned()), "{first:?}");

    // Games from 200 seeds: many different ones, and each some moves long.
    let mut games = HashSet::new();
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let mut here = start.clone();
        let mut moves = Vec::new();
        while let Some(m) = book.choose(&here, Pick::Weighted, &mut dice) {
            assert!(here.is_legal(m));
            here.play_unchecked(m);
            moves.push(m);
        }
        assert!(moves.len() >= 8, "seed {seed} left the book after {} plies", moves.len());
        games.insert(moves);
    }
    assert!(games.len() > 100, "{} different games", games.len());
}

#[test]
fn every_move_of_the_embedded_book_is_reached_and_legal() {
    let book = Book::embedded();
    let found = reachable(&book);
    let moves: usize = found.iter().map(|(here, _)| book.moves(here).len()).sum();
    assert_eq!(moves, book.len());
    let known = found.iter().filter(|(here, _)| !book.moves(here).is_empty()).count();
    assert_eq!(known, book.positions());
    assert!(found.iter().any(|&(_, ply)| ply >= 16));
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let book = Book::embedded();
    let play = |seed| {
        let mut dice = Dice::new(seed);
        let mut here = Position::default();
        while let Some(m) = book.choose(&here, Pick::Weighted, &mut dice) {
            here.play_unchecked(m);
        }
        here.to_string()
    };
    assert_eq!(play(42), play(42));
    let best = book.choose(&Position::default(), Pick::Best, &mut Dice::new(1));
    assert_eq!(best, Some(book.moves(&Position::default())[0].m));
}

#[test]
fn a_move_is_played_as_often_as_its_weight_says() {
    let start = Position::default();
    let mut bytes = entry(start.polyglot_key(), code("d2", "d4"), 1);
    bytes.extend(entry(start.polyglot_key(), code("e2", "e4"), 3));
    bytes.extend(entry(start.polyglot_key(), code("f2", "f3"), 0));
    let book = Book::from_bytes(bytes).expect("a book");
    assert_eq!(book.moves(&start).len(), 3);
    let mut dice = Dice::new(0);
    let mut counts = [0; 2];
    for _ in 0..4000 {
        let m = book.choose(&start, Pick::Weighted, &mut dice).expect("a move");
        match start.san(m).to_string().as_str() {
            "e4" => counts[0] += 1,
            "d4" => counts[1] += 1,
            other => panic!("{other} has no weight"),
        }
    }
    assert!((2850..3150).contains(&counts[0]), "{counts:?}");
}

#[test]
fn moves_without_weight_are_known_and_not_played() {
    let start = Position::default();
    let book = Book::from_bytes(entry(start.polyglot_key(), code("f2", "f3"), 0)).expect("a book");
    assert_eq!(book.moves(&start).len(), 1);
    for pick in [Pick::Best, Pick::Weighted] {
        assert_eq!(book.choose(&start, pick, &mut Dice::new(3)), None);
    }
}

#[test]
fn castling_is_king_takes_rook() {
    let here = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let book = Book::from_bytes(entry(here.polyglot_key(), code("e1", "h1"), 1)).expect("a book");
    let m = book.moves(&here)[0].m;
    assert_eq!((m.kind(), here.san(m).to_string()), (MoveKind::Castle, "O-O".to_owned()));

    let chess960 = position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    let book =
        Book::from_bytes(entry(chess960.polyglot_key(), code("g1", "h1"), 1)).expect("a book");
    assert!(book.moves(&chess960).is_empty(), "the knight's side is not free to castle");
    let free = position("1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
    let book = Book::from_bytes(entry(free.polyglot_key(), code("e1", "b1"), 1)).expect("a book");
    assert_eq!(free.san(book.moves(&free)[0].m).to_string(), "O-O-O");
}

#[test]
fn what_is_illegal_in_a_book_is_not_a_move() {
    let start = Position::default();
    let key = start.polyglot_key();
    let mut bytes = Vec::new();
    for wrong in [
        0,                          // a1a1
        code("e2", "e5"),           // not a step of a pawn
        code("e7", "e5"),           // not White's
        code("e1", "g1"),           // castling, but not here
        code("e2", "e4") | 4 << 12, // a promotion in the middle of the board
        code("e2", "e4") | 7 << 12, // a promotion to nothing
        code("e2", "e4") | 1 << 15, // a bit that no book sets
    ] {
        bytes.extend(entry(key, wrong, 100));
    }
    bytes.extend(entry(key, code("e2", "e4"), 1));
    let moves = Book::from_bytes(bytes).expect("a book").moves(&start);
    assert_eq!(
        moves.iter().map(|known| start.san(known.m).to_string()).collect::<Vec<_>>(),
        ["e4"]
    );
}

#[test]
fn a_move_that_stands_twice_gets_both_weights() {
    let start = Position::default();
    let key = start.polyglot_key();
    let bytes: Vec<u8> =
        [40_000, 40_000].iter().flat_map(|&weight| entry(key, code("e2", "e4"), weight)).collect();
    let moves = Book::from_bytes(bytes).expect("a book").moves(&start);
    assert_eq!((moves.len(), moves[0].weight), (1, u16::MAX));
}

#[test]
fn files_that_are_no_books_are_refused() {
    let sound = Book::embedded();
    let path = temporary("refused.bin");
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a temporary file");
        Book::open(&path)
    };
    assert!(open(sound.as_bytes()).is_ok_and(|read| read == sound));
    let cut = &sound.as_bytes()[..sound.as_bytes().len() - 5];
    assert!(matches!(open(cut), Err(BookError::Length(length)) if length == cut.len() as u64));
    assert!(matches!(open(&[]), Err(BookError::Empty)));
    let mut swapped = entry(2, 0, 1);
    swapped.extend(entry(1, 0, 1));
    assert!(matches!(open(&swapped), Err(BookError::Unsorted(2))));
    assert_eq!(
        open(b"[Event \"no book, but a file of games\"]\n1. e4 *").expect_err("text").to_string(),
        "not a Polyglot book: 46 bytes are not whole entries of 16 bytes"
    );
    assert!(matches!(Book::open(temporary("no-such.bin")), Err(BookError::Io(_))));
    assert!(matches!(Book::open(env!("CARGO_TARGET_TMPDIR")), Err(BookError::Io(_))));
}

#[test]
fn weights_are_points_and_rare_moves_are_left_out() {
    let start = Position::default();
    let find = |san: &str| start.parse_san(san).expect("legal");
    let mut builder = BookBuilder::default();
    for (san, ending, times) in [
        ("e4", Ending::Won, 2),
        ("e4", Ending::Drawn, 1),
        ("e4", Ending::Lost, 4),
        ("d4", Ending::Drawn, 3),
        ("c4", Ending::Won, 2),
        ("f3", Ending::Lost, 9),
    ] {
        builder.add_times(&start, find(san), ending, times);
    }
    let weights = |min_games, scoring| -> Vec<(String, u16)> {
        let moves = builder.book(min_games, scoring).moves(&start);
        moves.iter().map(|known| (start.san(known.m).to_string(), known.weight)).collect()
    };
    let named = |list: &[(&str, u16)]| -> Vec<(String, u16)> {
        list.iter().map(|&(san, weight)| (san.to_owned(), weight)).collect()
    };
    assert_eq!(weights(3, Scoring::Points), named(&[("e4", 5), ("d4", 3)]));
    assert_eq!(weights(1, Scoring::Points), named(&[("e4", 5), ("c4", 4), ("d4", 3)]));
    assert_eq!(weights(7, Scoring::Games), named(&[("f3", 9), ("e4", 7)]));
    assert!(builder.book(100, Scoring::Points).is_empty());
}

#[test]
fn weights_too_great_for_the_format_keep_their_proportions() {
    let start = Position::default();
    let mut builder = BookBuilder::default();
    for (san, times) in [("e4", 200_000), ("d4", 100_000), ("b3", 1)] {
        let m = start.parse_san(san).expect("legal");
        builder.add_times(&start, m, Ending::Drawn, times);
    }
    let weights: Vec<u16> =
        builder.book(1, Scoring::Games).moves(&start).iter().map(|known| known.weight).collect();
    assert_eq!(weights, [65_535, 32_767, 1]);
}

#[test]
fn lines_of_text_are_read_or_the_wrong_word_is_named() {
    let mut builder = BookBuilder::default();
    assert_eq!(builder.add_lines("# nothing\n\n3: 1. e4 e5 2. Nf3 # a name\n d4 d5\n"), Ok(2));
    assert_eq!(builder.len(), 5);
    for (text, message) in [
        ("e4 e5\ne4 e4", "line 2: e4: not a legal move here"),
        ("0: e4", "line 1: 0: the count of a line must be from 1 to 65535"),
        ("many: e4", "line 1: many: the count of a line must be from 1 to 65535"),
        ("70000: e4", "line 1: 70000: the count of a line must be from 1 to 65535"),
    ] {
        let error = BookBuilder::default().add_lines(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

/// Bytes that look like a book: keys of positions that are asked for, in order, and any moves.
fn book_like() -> impl Strategy<Value = (Vec<u8>, Vec<Position>)> {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/1P6/8/2pP4/8/8/6p1/R3K2R w KQkq c6 0 1",
        "r3k2r/8/8/8/8/8/6p1/R3K2R b KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    let positions = fens.map(position).to_vec();
    prop::collection::vec((0..positions.len(), any::<u16>(), any::<u16>()), 1..300).prop_map(
        move |entries| {
            let mut entries: Vec<(u64, u16, u16)> = entries
                .into_iter()
                .map(|(at, code, weight)| (positions[at].polyglot_key(), code, weight))
                .collect();
            entries.sort_unstable();
            let bytes =
                entries.into_iter().flat_map(|(key, code, weight)| entry(key, code, weight));
            (bytes.collect(), positions.clone())
        },
    )
}

proptest! {
    #[test]
    fn any_bytes_are_a_book_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let whole = bytes.len().is_multiple_of(16) && !bytes.is_empty();
        if let Ok(book) = Book::from_bytes(bytes) {
            prop_assert!(whole);
            prop_assert!(book.moves(&Position::default()).is_empty());
        }
    }

    #[test]
    fn any_moves_of_a_book_are_legal_and_different((bytes, positions) in book_like(), seed: u64) {
        let book = Book::from_bytes(bytes).expect("the keys are in order");
        for here in &positions {
            let moves = book.moves(here);
            let different: HashSet<Move> = moves.iter().map(|known| known.m).collect();
            prop_assert_eq!(different.len(), moves.len());
            prop_assert!(moves.iter().all(|known| here.is_legal(known.m)));
            prop_assert!(moves.is_sorted_by(|a, b| a.weight >= b.weight));
            let chosen = book.choose(here, Pick::Weighted, &mut Dice::new(seed));
            let can_play = moves.iter().any(|known| known.weight > 0);
            prop_assert_eq!(chosen.is_some(), can_play);
            prop_assert!(chosen.is_none_or(|m| moves.iter().any(|known| known.m == m && known.weight > 0)));
        }
    }

    #[test]
    fn any_text_is_lines_or_an_error(text in "([1-9]: )?((e4|d4|Nf3|e5|c5|[a-h][1-8]|[NBKQ]x?[a-h][1-8]|#|:|\n) ){0,40}") {
        let mut builder = BookBuilder::default();
        if builder.add_lines(&text).is_ok() {
            let book = builder.book(1, Scoring::Games);
            prop_assert_eq!(book.len(), builder.len());
        }
    }
}
