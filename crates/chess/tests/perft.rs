//! The number of leaves of the move tree, on known positions and on all 960 arrays.

use chess::{Position, STANDARD, divide, perft};

/// Counts every position of a table: a FEN, then depths and counts after semicolons.
fn count_table(table: &str) {
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut fields = line.split(" ; ");
        let fen = fields.next().expect("a line has a FEN");
        let position: Position = fen.parse().expect(fen);
        for field in fields {
            let (depth, leaves) = field.split_once(' ').expect("a depth and a count");
            let depth: u32 = depth.parse().expect("a depth");
            let leaves: u64 = leaves.parse().expect("a count");
            assert_eq!(perft(&position, depth), leaves, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn standard_positions_have_the_known_counts() {
    count_table(include_str!("data/standard.perft"));
}

#[test]
fn chess960_positions_have_the_known_counts() {
    count_table(include_str!("data/chess960.perft"));
}

#[test]
fn boards_that_no_game_reaches_have_the_known_counts() {
    count_table(include_str!("data/impossible.perft"));
}

#[test]
fn every_chess960_array_counts_as_another_program_does() {
    fn count(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut leaves = 0;
        board.generate_moves(|moves| {
            if depth == 1 {
                leaves += moves.len() as u64;
            } else {
                for m in moves {
                    let mut next = board.clone();
                    next.play_unchecked(m);
                    leaves += count(&next, depth - 1);
                }
            }
            false
        });
        leaves
    }
    for number in 0..960 {
        let ours = Position::chess960(number).expect("a number below 960");
        let theirs = cozy_chess::Board::chess960_startpos(u32::from(number));
        assert_eq!(ours.to_shredder_fen(), format!("{theirs:#}"));
        assert_eq!(perft(&ours, 3), count(&theirs, 3), "array {number}");
    }
}

#[test]
fn every_chess960_array_knows_its_number() {
    for number in 0..960 {
        let array = Position::chess960(number).expect("a number below 960");
        assert_eq!(array.chess960_number(), Some(number));
        assert_eq!(array.to_string().parse(), Ok(array.clone()));
        assert_eq!(array.to_shredder_fen().parse(), Ok(array));
    }
    assert_eq!(Position::chess960(960), None);
    assert_eq!(Position::chess960(u16::MAX), None);
    assert_eq!(Position::chess960(STANDARD), Some(Position::default()));
}

#[test]
fn a_position_after_the_first_move_is_no_array() {
    let start = Position::default();
    let e4 = start.parse_san("e4").expect("legal");
    assert_eq!(start.after(e4).chess960_number(), None);
}

#[test]
fn divide_sums_to_perft() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    for fen in [kiwipete, "8/8/8/8/8/8/8/K1k5 w - - 0 1", "k7/8/1QK5/8/8/8/8/8 b - - 0 1"] {
        let position: Position = fen.parse().expect(fen);
        for depth in 1..=4 {
            let alone = divide(&position, depth);
            assert_eq!(
                alone.iter().map(|&(_, leaves)| leaves).sum::<u64>(),
                perft(&position, depth)
            );
            for (m, leaves) in alone {
                assert_eq!(perft(&position.after(m), depth - 1), leaves, "{m:?} in {fen}");
            }
        }
        assert_eq!(divide(&position, 0), []);
        assert_eq!(perft(&position, 0), 1);
    }
}
