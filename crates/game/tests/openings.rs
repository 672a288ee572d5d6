//! The table of openings, and finding names in games.

use std::collections::{BTreeSet, HashMap};

use chess::{Line, Position};
use game::{Opening, Openings};

fn line(moves: &str) -> Line {
    let mut line = Line::new(Position::default());
    for text in moves.split_whitespace() {
        let m = line.position().parse_san(text).expect("a legal move");
        line.play(m).expect("a legal move");
    }
    line
}

fn find(openings: &Openings, moves: &str) -> (&'static str, &'static str) {
    let Opening { eco, name, .. } = openings.find(&line(moves)).expect("a named opening");
    (eco, name)
}

#[test]
fn every_line_of_the_table_is_written_as_we_write_it() {
    for opening in Openings::table() {
        let mut position = Position::default();
        let mut written = Vec::new();
        for text in opening.moves.split(' ') {
            let m = position.parse_san(text).unwrap_or_else(|error| {
                panic!("{text} of {opening:?}: {error}");
            });
            written.push(position.san(m).to_string());
            position.play_unchecked(m);
        }
        assert_eq!(written.join(" "), opening.moves, "{opening:?}");
    }
}

#[test]
fn every_line_of_the_table_has_a_code_and_a_name() {
    for opening in Openings::table() {
        let code = opening.eco.as_bytes();
        let fits = matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
        assert!(fits, "{opening:?}");
        assert!(!opening.name.is_empty(), "{opening:?}");
        assert_eq!(opening.name.trim(), opening.name, "{opening:?}");
        assert!(!opening.name.contains(|c: char| c.is_control()), "{opening:?}");
    }
}

#[test]
fn the_table_has_every_code() {
    let codes: BTreeSet<_> = Openings::table().map(|opening| opening.eco.to_owned()).collect();
    let wanted: BTreeSet<_> = ('A'..='E')
        .flat_map(|letter| (0..100).map(move |number| format!("{letter}{number:02}")))
        .collect();
    let missing: Vec<_> = wanted.difference(&codes).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The dataset's lines come first, complete and sorted; ours follow.
#[test]
fn every_line_of_the_dataset_is_there_and_ours_come_after() {
    let lines: Vec<(&str, &str, &str)> =
        Openings::table().map(|opening| (opening.eco, opening.name, opening.moves)).collect();
    assert_eq!(lines.len(), 3_807 + 499);
    let (theirs, ours) = lines.split_at(3_807);
    assert!(theirs.is_sorted() && ours.is_sorted());
}

#[test]
fn names_that_were_swapped_are_in_their_place() {
    let openings = Openings::new();
    let dutch = "d4 f5 c4 Nf6 g3 e6 Bg2 Be7 Nf3 O-O O-O d6 Nc3";
    let sicilian = "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5";
    for (moves, code, name) in [
        (
            format!("{dutch} a5"),
            "A96",
            "Dutch Defense: Classical Variation, Buenos Aires Variation",
        ),
        (format!("{dutch} Ne4"), "A96", "Dutch Defense: Classical Variation, Huisl Variation"),
        (
            format!("{sicilian} Nb3"),
            "B33",
            "Sicilian Defense: Lasker-Pelikan Variation, Schlechter Variation",
        ),
        (
            format!("{sicilian} Nf3"),
            "B33",
            "Sicilian Defense: Lasker-Pelikan Variation, Retreat Variation",
        ),
    ] {
        assert_eq!(find(&openings, &moves), (code, name), "{moves}");
    }
}

#[test]
fn no_two_lines_of_the_table_end_in_the_same_position() {
    let mut known = HashMap::new();
    for opening in Openings::table() {
        let key = line(opening.moves).position().key();
        if let Some(other) = known.insert(key, opening) {
            panic!("{opening:?} and {other:?}");
        }
    }
}

#[test]
fn every_line_of_the_table_is_found() {
    let openings = Openings::new();
    for opening in Openings::table() {
        assert_eq!(openings.find(&line(opening.moves)), Some(opening));
    }
}

#[test]
fn well_known_openings_have_their_names() {
    let openings = Openings::new();
    for (moves, eco, name) in [
        ("e4", "B00", "King's Pawn"),
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defense: Najdorf"),
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6", "B70", "Sicilian Defense: Dragon"),
        ("e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez"),
        ("e4 e5 Nf3 Nc6 Bb5 Nf6", "C65", "Ruy Lopez: Berlin"),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Bxc6", "C68", "Ruy Lopez: Exchange"),
        ("e4 e5 Nf3 Nc6 Bc4", "C50", "Italian Game"),
        ("e4 e5 f4", "C30", "King's Gambit"),
        ("e4 e6", "C00", "French Defense"),
        ("e4 c6", "B10", "Caro-Kann Defense"),
        ("e4 d5", "B01", "Scandinavian Defense"),
        ("e4 Nf6", "B02", "Alekhine"),
        ("d4 d5 c4", "D06", "Queen's Gambit"),
        ("d4 d5 c4 dxc4", "D20", "Queen's Gambit Accepted"),
        ("d4 d5 c4 c6", "D10", "Slav Defense"),
        ("d4 Nf6 c4 g6 Nc3 d5", "D80", "Gr"),
        ("d4 Nf6 c4 g6 Nc3 Bg7 e4", "E70", "King's Indian Defense"),
        ("d4 Nf6 c4 e6 Nc3 Bb4", "E20", "Nimzo-Indian Defense"),
        ("d4 Nf6 c4 e6 Nf3 b6", "E12", "Queen's Indian Defense"),
        ("d4 f5", "A80", "Dutch Defense"),
        ("c4", "A10", "English Opening"),
        ("f4", "A02", "Bird"),
    ] {
        let (code, found) = find(&openings, moves);
        assert_eq!(code, eco, "{moves}: {found}");
        assert!(found.starts_with(name), "{moves}: {found}");
    }
}

#[test]
fn transpositions_have_the_same_name() {
    let openings = Openings::new();
    for (one, other) in [
        ("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "Nf3 d6 e4 c5 Nc3 Nf6 d4 cxd4 Nxd4 a6"),
        ("d4 d5 c4", "c4 d5 d4"),
        ("d4 Nf6 c4 e6 Nc3 Bb4", "c4 e6 Nc3 Bb4 d4 Nf6"),
        ("e4 e6 d4 d5", "d4 e6 e4 d5"),
    ] {
        assert_eq!(find(&openings, one), find(&openings, other), "{one} and {other}");
    }
}

#[test]
fn the_last_named_position_of_a_line_counts() {
    let openings = Openings::new();
    let najdorf = find(&openings, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6");
    let longer = find(&openings, "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Kd2 Kd7 Ke1 Ke8");
    assert_eq!(longer, najdorf);
    assert_eq!(openings.find(&line("")), None);
    let elsewhere = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().expect("a legal FEN");
    assert_eq!(openings.find(&Line::new(elsewhere)), None);
}
