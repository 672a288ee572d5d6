//! FEN: what is refused and why, what is forgiven and how it is written again.

use chess::{
    Bitboard, Color, FenError, IllegalSetup, ParseFenError, Piece, Position, Rank, Setup, Square,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn unreadable(fen: &str) -> ParseFenError {
    match fen.parse::<Position>() {
        Err(FenError::Unreadable(reason)) => reason,
        other => panic!("`{fen}` gives {other:?}"),
    }
}

fn illegal(fen: &str) -> IllegalSetup {
    match fen.parse::<Position>() {
        Err(FenError::Illegal(reason)) => reason,
        other => panic!("`{fen}` gives {other:?}"),
    }
}

/// Each text is refused for the reason given, and says so in these words.
fn assert_unreadable(cases: &[(&str, ParseFenError, &str)]) {
    for (fen, reason, message) in cases {
        assert_eq!(unreadable(fen), *reason, "{fen}");
        assert_eq!(fen.parse::<Setup>(), Err(reason.clone()), "{fen}");
        let error = fen.parse::<Position>().expect_err("it is unreadable");
        assert_eq!(error.to_string(), *message, "{fen}");
    }
}

fn assert_illegal(cases: &[(&str, IllegalSetup, &str)]) {
    for (fen, reason, message) in cases {
        assert_eq!(illegal(fen), *reason, "{fen}");
        assert!(fen.parse::<Setup>().is_ok(), "{fen}");
        let error = fen.parse::<Position>().expect_err("it is illegal");
        assert_eq!(error.to_string(), *message, "{fen}");
    }
}

#[test]
fn nothing_and_too_much_are_refused() {
    assert_unreadable(&[
        ("", ParseFenError::Empty, "the FEN is empty"),
        (" \t\n", ParseFenError::Empty, "the FEN is empty"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 e4",
            ParseFenError::TooManyFields("e4".into()),
            "a FEN has six fields, but there is more: `e4`",
        ),
    ]);
}

#[test]
fn a_board_of_the_wrong_shape_is_refused() {
    let rank = |rank, squares| ParseFenError::RankLength { rank, squares };
    let piece = |rank, letter| ParseFenError::Piece { rank, letter };
    assert_unreadable(&[
        ("hello", ParseFenError::RankCount(1), "a board has 8 ranks, but this one has 1"),
        (
            "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ParseFenError::RankCount(7),
            "a board has 8 ranks, but this one has 7",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/ w KQkq - 0 1",
            ParseFenError::RankCount(9),
            "a board has 8 ranks, but this one has 9",
        ),
        (
            "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            rank(Rank::Seventh, 7),
            "a rank has 8 squares, but rank 7 has 7",
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNRR w KQkq - 0 1",
            rank(Rank::First, 9),
            "a rank has 8 squares, but rank 1 has 9",
        ),
        (
            "4k3/8/8//8/8/8/4K3 w - - 0 1",
            rank(Rank::Fifth, 0),
            "a rank has 8 squares, but rank 5 has 0",
        ),
        (
            "4k3/8/8/p8/8/8/8/4K3 w - - 0 1",
            rank(Rank::Fifth, 9),
            "a rank has 8 squares, but rank 5 has 9",
        ),
        (
            "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            piece(Rank::Seventh, 'x'),
            "`x` on rank 7 is neither a piece nor a number of empty squares",
        ),
        (
            "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
            piece(Rank::Seventh, '9'),
            "`9` on rank 7 is neither a piece nor a number of empty squares",
        ),
        (
            "4k3/80/8/8/8/8/8/4K3 w - - 0 1",
            piece(Rank::Seventh, '0'),
            "`0` on rank 7 is neither a piece nor a number of empty squares",
        ),
        (
            "4k3/8/8/8/♙7/8/8/4K3 w - - 0 1",
            piece(Rank::Fourth, '♙'),
            "`♙` on rank 4 is neither a piece nor a number of empty squares",
        ),
        (
            "4k3/44/8/8/8/8/8/4K3 w - - 0 1",
            ParseFenError::TwoNumbers(Rank::Seventh),
            "rank 7 has two numbers in a row",
        ),
    ]);
}

#[test]
fn unreadable_fields_are_refused() {
    let castling = |text: &str| ParseFenError::Castling(text.into());
    assert_unreadable(&[
        (
            "4k3/8/8/8/8/8/8/4K3 white - - 0 1",
            ParseFenError::Turn("white".into()),
            "the side to move is `white` instead of w or b",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 - - - 0 1",
            ParseFenError::Turn("-".into()),
            "the side to move is `-` instead of w or b",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KX - 0 1",
            castling("KX"),
            "the castling rights `KX` are neither - nor some of KQkq or file letters",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1",
            castling("K-"),
            "the castling rights `K-` are neither - nor some of KQkq or file letters",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
            ParseFenError::CastlingTwice("KK".into()),
            "the castling rights `KK` name a rook twice",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KH - 0 1",
            ParseFenError::CastlingTwice("KH".into()),
            "the castling rights `KH` name a rook twice",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
            ParseFenError::CastlingRook('K'),
            "the castling right K has no king on its back rank with a rook on that side",
        ),
        (
            "r7/4k3/8/8/8/8/8/4K3 w q - 0 1",
            ParseFenError::CastlingRook('q'),
            "the castling right q has no king on its back rank with a rook on that side",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            ParseFenError::EnPassant("e9".into()),
            "the en passant field is `e9` instead of - or a square",
        ),
    ]);
}

#[test]
fn a_missing_king_is_reported_before_the_rights_to_castle_with_it() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w KQkq - 0 1",
        "rnbqqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR b kq - 0 1",
    ] {
        let error = fen.parse::<Position>().expect_err("there is no king");
        assert_eq!(error.to_string(), "White has no king", "{fen}");
    }
}

#[test]
fn counters_that_are_no_numbers_are_refused() {
    assert_unreadable(&[
        (
            "4k3/8/8/8/8/8/8/4K3 w - - x 1",
            ParseFenError::Halfmoves("x".into()),
            "the halfmove clock is `x` instead of a number from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            ParseFenError::Halfmoves("-1".into()),
            "the halfmove clock is `-1` instead of a number from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 65536",
            ParseFenError::Fullmoves("65536".into()),
            "the move number is `65536` instead of a number from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5",
            ParseFenError::Fullmoves("1.5".into()),
            "the move number is `1.5` instead of a number from 0 to 65535",
        ),
    ]);
}

#[test]
fn a_long_field_is_cut_short_in_the_message() {
    let fen = format!("4k3/8/8/8/8/8/8/4K3 {}", "é".repeat(10_000));
    let error = fen.parse::<Position>().expect_err("no such side");
    let message = format!("the side to move is `{}...` instead of w or b", "é".repeat(24));
    assert_eq!(error.to_string(), message);
}

#[test]
fn boards_against_the_rules_are_refused() {
    assert_illegal(&[
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", IllegalSetup::NoKing(Color::Black), "Black has no king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", IllegalSetup::NoKing(Color::White), "White has no king"),
        (
            "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
            IllegalSetup::ManyKings(Color::White),
            "White has more than one king",
        ),
        (
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            IllegalSetup::PawnOnBackRank(Square::H8),
            "there is a pawn on h8, but pawns can't stand on the first or last rank",
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
            IllegalSetup::PawnOnBackRank(Square::A1),
            "there is a pawn on a1, but pawns can't stand on the first or last rank",
        ),
        (
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            IllegalSetup::OpponentInCheck { turn: Color::White },
            "it is White's turn, but Black's king is already in check",
        ),
        (
            "8/8/8/8/8/4k3/4K3/8 b - - 0 1",
            IllegalSetup::OpponentInCheck { turn: Color::Black },
            "it is Black's turn, but White's king is already in check",
        ),
    ]);
}

#[test]
fn castling_rights_without_their_pieces_are_refused() {
    assert_illegal(&[
        (
            "4k3/8/8/8/8/8/4K3/R6R w A - 0 1",
            IllegalSetup::CastlingKingMoved(Color::White),
            "White may castle, but its king is not on its back rank",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w H - 0 1",
            IllegalSetup::NoCastlingRook(Square::H1),
            "there is no rook on h1 to castle with",
        ),
        (
            "r3k2R/8/8/8/8/8/8/4K3 b ha - 0 1",
            IllegalSetup::NoCastlingRook(Square::H8),
            "there is no rook on h8 to castle with",
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w BA - 0 1",
            IllegalSetup::TwoCastlingRooks(Color::White),
            "White may castle with two rooks on the same side of its king",
        ),
        (
            "4k1rr/8/8/8/8/8/8/4K3 w hg - 0 1",
            IllegalSetup::TwoCastlingRooks(Color::Black),
            "Black may castle with two rooks on the same side of its king",
        ),
    ]);
    let setup = Setup { castling: Bitboard::of(Square::E4), ..Setup::default() };
    assert_eq!(Position::try_from(&setup), Err(IllegalSetup::NoCastlingRook(Square::E4)));
}

#[test]
fn en_passant_squares_that_no_pawn_passed_are_refused() {
    let nobody = "but no pawn has just passed it";
    assert_illegal(&[
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
            IllegalSetup::EnPassantRank(Square::D3, Rank::Sixth),
            "the en passant square d3 is not on rank 6",
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1",
            IllegalSetup::EnPassantRank(Square::E6, Rank::Third),
            "the en passant square e6 is not on rank 3",
        ),
        (
            "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
            IllegalSetup::NoEnPassantPawn(Square::D6),
            &format!("the en passant square is d6, {nobody}"),
        ),
        (
            "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
            IllegalSetup::NoEnPassantPawn(Square::D6),
            &format!("the en passant square is d6, {nobody}"),
        ),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            IllegalSetup::NoEnPassantPawn(Square::D6),
            &format!("the en passant square is d6, {nobody}"),
        ),
        (
            "4k3/8/8/8/3pP3/8/4N3/4K3 b - e3 0 1",
            IllegalSetup::NoEnPassantPawn(Square::E3),
            &format!("the en passant square is e3, {nobody}"),
        ),
    ]);
}

#[test]
fn forgiven_forms_are_written_in_the_canonical_one() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let fields = |rest: &str| format!("{board}{rest}");
    for (text, canonical) in [
        (fields(" w KQkq - 0 1"), START),
        // White space.
        (fields("   w\tKQkq  -   0\n1\r\n"), START),
        (format!("  {START}"), START),
        (fields("\u{a0}w\u{2003}KQkq - 0 1"), START),
        // Fields left out from the end.
        (fields(" w KQkq - 0"), START),
        (fields(" w KQkq -"), START),
        (fields(" w KQkq"), START),
        (fields(" w"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        (fields(""), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        (fields(" b"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1"),
        // Other ways of writing.
        (fields(" W KQkq - 0 1"), START),
        (fields(" B KQkq - 0 1"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        (fields(" w qkQK - 0 1"), START),
        (fields(" w HAha - 0 1"), START),
        (fields(" w AHah - 0 1"), START),
        (fields(" w KQkq - - -"), START),
        (fields(" w KQkq - 0 0"), START),
        (
            fields(" w KQkq - 65535 65535"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 65535 65535",
        ),
    ] {
        let position: Position = text.parse().expect(&text);
        assert_eq!(position.to_string(), canonical, "{text}");
    }
}

#[test]
fn castling_rights_name_the_outermost_rook_or_its_file() {
    for (text, canonical, shredder) in [
        // K and Q mean the outermost rook, wherever it stands.
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1", "KQkq", "GBgb"),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", "KQkq", "GBgb"),
        // An inner rook needs its letter.
        ("4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "C", "C"),
        ("4k3/8/8/8/8/8/8/R1R1K3 w A - 0 1", "Q", "A"),
        ("4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1", "Q", "A"),
        ("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Gkq - 4 11", "Gkq", "Gga"),
        ("rn2k1r1/ppp1pp1p/3p2p1/5bn1/P7/2N2B2/1PPPPP2/2BNK1RR w Kkq - 4 11", "Kkq", "Hga"),
        // One side only.
        ("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", "Qk", "Ah"),
        ("4k2r/8/8/8/8/8/8/R3K3 w - - 0 1", "-", "-"),
    ] {
        let position: Position = text.parse().expect(text);
        let rights = |fen: String| fen.split(' ').nth(2).map(str::to_owned);
        assert_eq!(rights(position.to_string()).as_deref(), Some(canonical), "{text}");
        assert_eq!(rights(position.to_shredder_fen()).as_deref(), Some(shredder), "{text}");
    }
}

#[test]
fn an_en_passant_square_is_kept_only_where_a_pawn_can_capture() {
    for (text, canonical) in [
        // Nobody stands beside the pawn.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        // Somebody does.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - D6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
        // The capture would lay the king open along the rank, the file or a diagonal.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1"),
        ("4r3/8/8/3pP3/8/8/8/k3K3 w - d6 0 1", "4r3/8/8/3pP3/8/8/8/k3K3 w - - 0 1"),
        ("3k4/6b1/8/3pP3/3K4/8/8/8 w - d6 0 1", "3k4/6b1/8/3pP3/3K4/8/8/8 w - - 0 1"),
        // A pawn pinned on the diagonal may capture along it.
        ("8/2b5/8/3pP3/5K2/8/8/3k4 w - d6 0 1", "8/2b5/8/3pP3/5K2/8/8/3k4 w - d6 0 1"),
    ] {
        let position: Position = text.parse().expect(text);
        assert_eq!(position.to_string(), canonical, "{text}");
    }
}

#[test]
fn a_setup_writes_any_board_it_can_read() {
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "PPPPPPPP/8/8/8/8/8/8/kkkkkkkk b - e5 3 7",
        "8/8/8/8/8/8/8/8 b HAha a1 0 1",
    ] {
        let setup: Setup = fen.parse().expect(fen);
        assert_eq!(setup.to_string(), fen);
    }
    let start = Setup::default();
    assert_eq!(start.to_string(), START);
    assert_eq!(start.pieces(Piece::WhiteKing), Square::E1.into());
    assert_eq!(format!("{:?}", Position::default()), format!("Position({START})"));
}

#[test]
fn castling_is_possible_with_king_and_rook_on_their_squares() {
    let possible = |board: &str| {
        let setup: Setup = board.parse().expect("a board");
        setup.possible_castling().into_iter().map(|rook| rook.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(possible(START), ["a1", "h1", "a8", "h8"]);
    assert_eq!(possible("R3k3/8/8/8/8/8/8/R3K2r w"), ["a1"]);
    assert_eq!(possible("r2k3r/8/8/8/8/8/8/8 w"), [""; 0]);
}

#[test]
fn en_passant_is_possible_beside_a_pawn_that_can_have_run() {
    let possible = |board: &str| {
        let setup: Setup = board.parse().expect("a board");
        setup.possible_en_passant().into_iter().map(|to| to.to_string()).collect::<Vec<_>>()
    };
    let board = "4k3/5p2/8/1pPp1pPp/p7/8/8/4K3";
    assert_eq!(possible(&format!("{board} w")), ["b6", "d6", "h6"]);
    assert_eq!(possible(&format!("{board} b")), [""; 0]);
    assert_eq!(possible("4k3/8/8/8/pP4Pp/8/8/4K3 b"), ["b3", "g3"]);
    // A pawn on the edge has no neighbour on the other side of the board.
    assert_eq!(possible("4k3/8/8/P6p/8/8/8/4K3 w"), [""; 0]);
}
