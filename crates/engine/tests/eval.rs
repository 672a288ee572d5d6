//! The evaluation as search and people see it.

use chess::{Bitboard, Color, Position, Setup, Square};
use engine::eval::{Evaluator, FULL_PHASE, FULL_SCALE, Group, LIMIT, explain, fade};
use proptest::prelude::*;

fn position(fen: &str) -> Position {
    fen.parse().expect("a good position")
}

/// The value for White.
fn white(fen: &str) -> i32 {
    explain(&position(fen)).value()
}

/// The position after `choices` decide each move, from any array of Chess960.
fn played(array: u16, choices: &[u16]) -> Position {
    let setup = Setup::chess960(array).expect("a number below 960");
    let mut position = Position::try_from(&setup).expect("an array is legal");
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(choice) % moves.len()]);
    }
    position
}

/// The same position with colors exchanged.
fn mirrored(position: &Position) -> Position {
    let mut setup = Setup::EMPTY;
    for square in Square::all() {
        setup.board[square.flip().index()] =
            position.piece_on(square).map(|piece| piece.role().of(!piece.color()));
    }
    setup.turn = !position.turn();
    setup.castling = position.castling_rooks().flip();
    setup.en_passant = position.en_passant().map(Square::flip);
    Position::try_from(&setup).expect("a legal position seen from the other side")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_colors_are_judged_alike(
        array in 0_u16..960,
        choices in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let here = played(array, &choices);
        let mut evaluator = Evaluator::by_hand();
        prop_assert_eq!(evaluator.evaluate(&here), evaluator.evaluate(&mirrored(&here)), "{}", here);
    }

    #[test]
    fn the_rows_of_an_explanation_add_up_to_the_value(
        array in 0_u16..960,
        choices in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let here = played(array, &choices);
        let explanation = explain(&here);
        let sign = if here.turn() == Color::White { 1 } else { -1 };
        prop_assert_eq!(Evaluator::by_hand().evaluate(&here), explanation.value() * sign);
        prop_assert!(explanation.value().abs() <= LIMIT);

        let balance = explanation.balance;
        let mg: i32 = explanation.rows.iter().map(|row| row.total().mg()).sum();
        let eg: i32 = explanation.rows.iter().map(|row| row.total().eg()).sum();
        let halves = mg * balance.middlegame_scale() * balance.phase
            + eg * balance.scale() * (FULL_PHASE - balance.phase);
        let sum = halves / (FULL_PHASE * FULL_SCALE) + balance.ending;
        prop_assert_eq!(sum.clamp(-LIMIT, LIMIT), explanation.value(), "{}", here);
    }
}

#[test]
fn what_was_seen_before_changes_nothing() {
    let mut warm = Evaluator::by_hand();
    let mut seen = Vec::new();
    for array in 0..60 {
        let choices: Vec<u16> = (0..120).map(|n| n * 31 + array * 7).collect();
        for length in 0..choices.len() {
            seen.push(played(array * 16, &choices[..length]));
        }
    }
    let first: Vec<i32> = seen.iter().map(|position| warm.evaluate(position)).collect();
    let again: Vec<i32> = seen.iter().rev().map(|position| warm.evaluate(position)).collect();
    assert!(first.iter().eq(again.iter().rev()));
    warm.clear();
    assert!(seen.iter().map(|position| warm.evaluate(position)).eq(first.iter().copied()));
    for (position, value) in seen.iter().zip(first).step_by(97) {
        assert_eq!(Evaluator::by_hand().evaluate(position), value, "{position}");
    }
}

#[test]
fn an_explanation_shows_every_term_for_both_sides() {
    let explanation =
        explain(&position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 30 1"));
    let text = explanation.to_string();
    for group in Group::ALL {
        assert!(text.contains(group.name()), "{text}");
    }
    assert!(text.contains("after 30 plies without progress"), "{text}");
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
}

#[test]
fn an_extra_piece_is_worth_a_lot_in_every_phase() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(white(start).abs() < 60);
    for (fen, least) in [
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 250),
        ("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1", 350),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 800),
        ("rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 50),
        ("8/pp3k2/2p5/8/8/2P2N2/PP3K2/8 w - - 0 1", 200),
    ] {
        assert!(white(fen) > least, "{fen}: {}", white(fen));
    }
}

/// Each position must be better for White than the one before it.
fn rises(fens: &[&str]) {
    for pair in fens.windows(2) {
        let (before, after) = (white(pair[0]), white(pair[1]));
        assert!(before < after, "{} is {before}, {} is {after}", pair[0], pair[1]);
    }
}

#[test]
fn a_bare_king_is_driven_to_the_edge_and_our_king_comes_near() {
    for piece in ["R", "Q"] {
        let fens = [
            "8/8/8/3k4/8/8/8/K6X b - - 0 1",
            "8/8/3k4/8/8/8/8/K6X b - - 0 1",
            "3k4/8/8/8/8/8/8/K6X b - - 0 1",
            "k7/8/8/8/8/8/8/K6X b - - 0 1",
        ]
        .map(|fen| fen.replace('X', piece));
        rises(&fens.each_ref().map(String::as_str));
        let fens = [
            "k7/8/8/8/8/8/8/K6X b - - 0 1",
            "k7/8/8/8/8/K7/8/7X b - - 0 1",
            "k7/8/K7/8/8/8/8/7X b - - 0 1",
        ]
        .map(|fen| fen.replace('X', piece));
        rises(&fens.each_ref().map(String::as_str));
    }
}

#[test]
fn bishop_and_knight_drive_the_king_to_a_corner_of_the_bishops_color() {
    // A dark-squared bishop mates on a1 and h8, a light-squared one on a8 and h1.
    rises(&[
        "k7/8/8/8/3KNB2/8/8/8 b - - 0 1",
        "1k6/8/8/8/3KNB2/8/8/8 b - - 0 1",
        "4k3/8/8/8/3KNB2/8/8/8 b - - 0 1",
        "6k1/8/8/8/3KNB2/8/8/8 b - - 0 1",
        "7k/8/8/8/3KNB2/8/8/8 b - - 0 1",
    ]);
    rises(&["7k/8/8/8/3KN1B1/8/8/8 b - - 0 1", "k7/8/8/8/3KN1B1/8/8/8 b - - 0 1"]);
}

#[test]
fn won_endings_are_worth_more_than_any_middlegame() {
    for fen in [
        "8/8/4k3/8/8/3K4/3R4/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/3Q4/8 b - - 0 1",
        "8/8/4k3/8/8/3K4/2BB4/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/2BN4/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/2RP4/8 b - - 0 1",
    ] {
        assert!(white(fen) > 1500, "{fen}: {}", white(fen));
    }
}

#[test]
fn drawn_endings_are_near_nothing() {
    for fen in [
        "8/8/4k3/8/8/3K4/2NN4/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/2N5/8 w - - 0 1",
        "8/8/4k3/8/8/3K4/2B5/8 b - - 0 1",
        "8/8/4k3/8/8/3K4/B1B5/8 b - - 0 1",
        "8/8/3bk3/8/8/3K4/2R5/8 w - - 0 1",
        "8/8/3nk3/8/8/3K4/2R5/8 w - - 0 1",
        // A bishop that doesn't control the corner of its rook pawn.
        "k7/8/8/8/P7/3K4/3B4/8 w - - 0 1",
        "1k6/8/8/P7/P7/3K4/3B4/8 b - - 0 1",
        "7k/8/8/8/7P/3K4/2B5/8 b - - 0 1",
    ] {
        assert!(white(fen).abs() < 40, "{fen}: {}", white(fen));
    }
    // The other bishop wins.
    assert!(white("7k/8/8/8/7P/3K4/3B4/8 w - - 0 1") > 200);
}

#[test]
fn bishops_of_opposite_color_halve_the_advantage() {
    let same = white("8/5k2/4b3/p7/P1P1P3/3B4/5K2/8 w - - 0 1");
    let opposite = white("8/5k2/3b4/p7/P1P1P3/3B4/5K2/8 w - - 0 1");
    assert!(opposite * 2 < same + 40, "{opposite} and {same}");
}

#[test]
fn a_passed_pawn_beyond_reach_wins() {
    assert!(white("8/8/8/P7/8/8/7k/5K2 w - - 0 1") > 350);
    assert!(white("8/8/2k5/P7/8/8/8/7K w - - 0 1") < 350);
}

#[test]
fn advantages_fade_without_progress_and_keep_their_sign() {
    assert_eq!(fade(100, 0), 100);
    assert_eq!(fade(-100, 100), -50);
    for value in [-2000, -30, 0, 30, 2000] {
        for halfmoves in [1, 20, 99, 100, 150, u16::MAX] {
            let faded = fade(value, halfmoves);
            assert!(faded.abs() <= value.abs() && faded * value >= 0);
        }
    }
}

#[test]
fn too_many_queens_are_no_trouble() {
    let mut setup = Setup::EMPTY;
    setup.board[Square::A1.index()] = Some(chess::Piece::WhiteKing);
    setup.board[Square::H8.index()] = Some(chess::Piece::BlackKing);
    setup.turn = Color::Black;
    let kings: Bitboard = [Square::A1, Square::H8].into_iter().collect();
    for square in !kings {
        setup.board[square.index()] = Some(chess::Piece::WhiteQueen);
    }
    let crowd = Position::try_from(&setup).expect("Black may be in check");
    assert_eq!(Evaluator::by_hand().evaluate(&crowd), -LIMIT);
}
