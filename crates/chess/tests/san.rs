//! Moves in algebraic notation: what is forgiven, what is refused, and how few letters do.

use chess::{CastlingMode, CastlingSide, Position, San, SanError, UciMove};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// Each text means the move given in UCI.
fn assert_means(fen: &str, cases: &[(&str, &str)]) {
    let position = position(fen);
    for (text, uci) in cases {
        let m = position.parse_san(text).unwrap_or_else(|error| panic!("`{text}`: {error}"));
        assert_eq!(m.to_uci(&position, CastlingMode::Standard).to_string(), *uci, "{text}");
    }
}

fn assert_refused(fen: &str, cases: &[(&str, SanError)]) {
    let position = position(fen);
    for (text, error) in cases {
        assert_eq!(position.parse_san(text), Err(*error), "`{text}` in {fen}");
    }
}

/// The legal move given in UCI is written like this, and read again.
fn assert_written(fen: &str, cases: &[(&str, &str)]) {
    let position = position(fen);
    for (uci, san) in cases {
        let parsed: UciMove = uci.parse().expect(uci);
        let m = parsed.to_move(&position).unwrap_or_else(|| panic!("{uci} is illegal in {fen}"));
        assert_eq!(position.san(m).to_string(), *san, "{uci} in {fen}");
        assert_eq!(position.parse_san(san), Ok(m), "{san} in {fen}");
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn knights_may_be_written_short_long_and_lower_case() {
    assert_means(
        START,
        &[
            ("Nf3", "g1f3"),
            ("nf3", "g1f3"),
            ("Ngf3", "g1f3"),
            ("N1f3", "g1f3"),
            ("Ng1f3", "g1f3"),
            ("Ng1-f3", "g1f3"),
            ("ng1-f3", "g1f3"),
            ("g1f3", "g1f3"),
            ("g1-f3", "g1f3"),
            ("Nxf3", "g1f3"),
            ("Nf3+!?", "g1f3"),
            ("Nf3#", "g1f3"),
            ("Nf3??", "g1f3"),
            ("Nf3 !", "g1f3"),
        ],
    );
}

#[test]
fn pawn_steps_may_be_written_short_and_long() {
    assert_means(
        START,
        &[
            ("e4", "e2e4"),
            ("e2e4", "e2e4"),
            ("e2-e4", "e2e4"),
            ("Pe4", "e2e4"),
            ("pe4", "e2e4"),
            ("Pe2-e4", "e2e4"),
            ("e3", "e2e3"),
            ("b4", "b2b4"),
            ("b2b4", "b2b4"),
        ],
    );
    assert_means(
        "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1",
        &[("e4", "e3e4"), ("e3e4", "e3e4"), ("e3-e4", "e3e4")],
    );
    assert_refused(
        "4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1",
        &[("e2e4", SanError::Illegal), ("e3", SanError::Illegal), ("e5", SanError::Illegal)],
    );
}

#[test]
fn the_x_of_a_capture_may_be_missing_or_another_sign() {
    assert_means(
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        &[
            ("exd5", "e4d5"),
            ("ed5", "e4d5"),
            ("e:d5", "e4d5"),
            ("eXd5", "e4d5"),
            ("e4xd5", "e4d5"),
            ("e4d5", "e4d5"),
            ("e4-d5", "e4d5"),
            ("Pexd5", "e4d5"),
            ("exd5+", "e4d5"),
        ],
    );
    assert_means(
        "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1",
        &[("Nxd5", "c3d5"), ("Nd5", "c3d5"), ("N:d5", "c3d5"), ("Nc3xd5", "c3d5")],
    );
}

#[test]
fn en_passant_may_be_marked() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_means(
        fen,
        &[
            ("exd6", "e5d6"),
            ("ed6", "e5d6"),
            ("exd6 e.p.", "e5d6"),
            ("exd6e.p.", "e5d6"),
            ("exd6ep", "e5d6"),
            ("exd6 ep", "e5d6"),
            ("exd6 e.p.+", "e5d6"),
            ("e5xd6", "e5d6"),
            ("xd6", "e5d6"),
            ("e5d6", "e5d6"),
        ],
    );
    assert_written(fen, &[("e5d6", "exd6")]);
    // Two pawns may capture: the file tells which.
    let fen = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
    assert_written(fen, &[("e5d6", "exd6"), ("c5d6", "cxd6")]);
}

#[test]
fn promotions_may_be_written_in_many_ways() {
    assert_means(
        "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1",
        &[
            ("e8=Q+", "e7e8q"),
            ("e8=Q", "e7e8q"),
            ("e8Q", "e7e8q"),
            ("e8q", "e7e8q"),
            ("e8=q", "e7e8q"),
            ("e8(Q)", "e7e8q"),
            ("e8/Q", "e7e8q"),
            ("e7e8q", "e7e8q"),
            ("e7e8=Q", "e7e8q"),
            ("e7-e8=N", "e7e8n"),
            ("e8=B", "e7e8b"),
            ("e8b", "e7e8b"),
            ("e8=R+", "e7e8r"),
            ("exd8=N", "e7d8n"),
            ("ed8N", "e7d8n"),
            ("ed8=b", "e7d8b"),
            ("exd8(R)+", "e7d8r"),
            ("e7d8q", "e7d8q"),
            ("e7xd8=Q#", "e7d8q"),
        ],
    );
    // After a square, b is a bishop.
    assert_means(
        "7k/1P6/8/8/8/8/8/4K3 w - - 0 1",
        &[("b8b", "b7b8b"), ("b8=B", "b7b8b"), ("b7b8b", "b7b8b"), ("b8B", "b7b8b")],
    );
}

#[test]
fn castling_may_be_written_with_letters_or_zeros() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_means(
        fen,
        &[
            ("O-O", "e1g1"),
            ("0-0", "e1g1"),
            ("o-o", "e1g1"),
            ("OO", "e1g1"),
            ("e1g1", "e1g1"),
            ("e1h1", "e1g1"),
            ("O-O+", "e1g1"),
            ("0-0!?", "e1g1"),
            ("O-O-O", "e1c1"),
            ("0-0-0", "e1c1"),
            ("o-o-o", "e1c1"),
            ("0-0-0#", "e1c1"),
            ("e1c1", "e1c1"),
            ("e1a1", "e1c1"),
        ],
    );
    assert_written(fen, &[("e1g1", "O-O"), ("e1c1", "O-O-O")]);
    for text in ["O-", "O-0", "O-O-", "O-O-O-O", "0", "OOOO", "O-Oq"] {
        assert_eq!(text.parse::<San>(), Err(SanError::Unreadable), "{text}");
    }
    assert_eq!("0-0".parse(), Ok(San::Castle(CastlingSide::King)));
    assert_refused(
        "4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1",
        &[("O-O", SanError::Illegal), ("e1g1", SanError::Illegal)],
    );
    assert_refused(START, &[("O-O", SanError::Illegal), ("O-O-O", SanError::Illegal)]);
    assert_refused(
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
        &[("O-O", SanError::Illegal), ("O-O-O", SanError::Illegal)],
    );
}

#[test]
fn castling_can_check_and_mate() {
    assert_written("5k2/8/8/8/8/8/8/4K2R w K - 0 1", &[("e1g1", "O-O+")]);
    assert_written("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", &[("e1c1", "O-O-O+")]);
    let mate = "4rkr1/4p1p1/8/8/8/8/8/4K2R w K - 0 1";
    assert_written(mate, &[("e1g1", "O-O#")]);
    assert_means(mate, &[("O-O", "e1g1"), ("O-O#", "e1g1"), ("0-0+", "e1g1")]);
}

#[test]
fn b_is_a_file_and_a_capital_b_is_a_bishop() {
    let fen = "4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1";
    assert_means(
        fen,
        &[
            ("Bc3", "d2c3"),
            ("Bxc3", "d2c3"),
            ("bc3", "b2c3"),
            ("bxc3", "b2c3"),
            ("b3", "b2b3"),
            ("Bd2xc3", "d2c3"),
            ("b2xc3", "b2c3"),
        ],
    );
    assert_written(fen, &[("d2c3", "Bxc3"), ("b2c3", "bxc3")]);
    assert_refused(fen, &[("be3", SanError::Illegal), ("Bb3", SanError::Illegal)]);
    assert_means(
        "4k3/8/8/8/1P6/8/8/4KB2 w - - 0 1",
        &[("b5", "b4b5"), ("bb5", "b4b5"), ("Bb5", "f1b5")],
    );
    // Every other letter may be small.
    assert_means(
        "4k3/8/8/8/8/8/8/QR2K1N1 w - - 0 1",
        &[("qa5", "a1a5"), ("rb8", "b1b8"), ("ke2", "e1e2"), ("nf3", "g1f3")],
    );
}

#[test]
fn pieces_on_a_file_are_told_apart_by_rank() {
    let fen = "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1";
    assert_written(fen, &[("a1a3", "R1a3"), ("a5a3", "R5a3"), ("a1b1", "Rb1"), ("a5b5", "Rb5")]);
    assert_means(fen, &[("R1a3", "a1a3"), ("Ra1a3", "a1a3"), ("a1a3", "a1a3"), ("r5a3", "a5a3")]);
    assert_refused(
        fen,
        &[("Ra3", SanError::Ambiguous), ("Raa3", SanError::Ambiguous), ("R2a3", SanError::Illegal)],
    );
}

#[test]
fn pieces_on_a_rank_are_told_apart_by_file() {
    let fen = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1";
    assert_written(fen, &[("a1d1", "Rad1"), ("f1d1", "Rfd1"), ("f1f8", "Rf8+")]);
    assert_refused(fen, &[("Rd1", SanError::Ambiguous), ("R1d1", SanError::Ambiguous)]);
    // Neither on a file nor on a rank: the file comes first.
    let fen = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    assert_written(fen, &[("b1d2", "Nbd2"), ("f3d2", "Nfd2")]);
    assert_means(fen, &[("N1d2", "b1d2"), ("N3d2", "f3d2")]);
}

#[test]
fn one_of_three_queens_may_need_file_and_rank() {
    let fen = "8/8/k7/8/4Q2Q/1K6/8/7Q w - - 0 1";
    assert_written(fen, &[("h4e1", "Qh4e1"), ("e4e1", "Qee1"), ("h1e1", "Q1e1")]);
    assert_means(fen, &[("Qh4e1", "h4e1"), ("Qh4-e1", "h4e1"), ("qh4e1", "h4e1")]);
    assert_refused(fen, &[("Qe1", SanError::Ambiguous), ("Qhe1", SanError::Ambiguous)]);
    assert_refused(fen, &[("Q4e1", SanError::Ambiguous), ("Qg4e1", SanError::Illegal)]);
}

#[test]
fn a_pinned_rival_does_not_count() {
    // The knight on e2 is pinned to the king: only the other one can go to c3 or g1.
    let fen = "k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1";
    assert_written(fen, &[("b1c3", "Nc3")]);
    assert_refused(fen, &[("Nec3", SanError::Illegal), ("Nf4", SanError::Illegal)]);
    // A rook pinned on the file may still go along it.
    let fen = "1k2r3/8/8/8/R7/4R3/8/4K3 w - - 0 1";
    assert_written(fen, &[("e3e4", "Ree4"), ("a4e4", "Rae4"), ("a4a3", "Ra3")]);
    assert_refused(fen, &[("Rea3", SanError::Illegal), ("Re4", SanError::Ambiguous)]);
}

#[test]
fn in_check_only_the_piece_that_helps_counts() {
    let fen = "k3r3/8/8/8/8/1B6/3N1N2/4K3 w - - 0 1";
    assert_written(fen, &[("d2e4", "Nde4"), ("f2e4", "Nfe4"), ("b3e6", "Be6")]);
    assert_refused(fen, &[("Ne4", SanError::Ambiguous), ("Nf3", SanError::Illegal)]);
}

#[test]
fn checks_and_mates_are_marked() {
    assert_written("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", &[("a1a8", "Ra8#"), ("a1a7", "Ra7")]);
    assert_written("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", &[("a1a8", "Ra8+")]);
    // Discovered, and by en passant.
    assert_written("4k3/8/8/8/8/8/4N3/4R1K1 w - - 0 1", &[("e2c3", "Nc3+")]);
    assert_written("8/8/4k3/3pP3/8/8/8/K3R3 w - d6 0 1", &[("e5d6", "exd6+")]);
    assert_written("7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", &[("e7e8q", "e8=Q#"), ("e7e8n", "e8=N")]);
}

#[test]
fn moves_that_are_not_legal_are_refused() {
    assert_refused(
        START,
        &[
            ("e5", SanError::Illegal),
            ("Nd2", SanError::Illegal),
            ("Ke2", SanError::Illegal),
            ("Ra3", SanError::Illegal),
            ("exd3", SanError::Illegal),
            ("e7e5", SanError::Illegal),
            ("e3e4", SanError::Illegal),
            ("Nf3=Q", SanError::Illegal),
            ("e4=Q", SanError::Illegal),
            ("e2e4q", SanError::Illegal),
            ("a8=Q", SanError::Illegal),
        ],
    );
}

#[test]
fn a_promotion_must_say_to_what() {
    let fen = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert_refused(
        fen,
        &[
            ("e8", SanError::NoPromotion),
            ("e7e8", SanError::NoPromotion),
            ("exd8", SanError::NoPromotion),
            ("e7xd8+", SanError::NoPromotion),
            ("e8=", SanError::Unreadable),
            ("e8=K", SanError::Unreadable),
            ("e8=P", SanError::Unreadable),
        ],
    );
}

#[test]
fn a_last_rank_that_no_pawn_reaches_is_plainly_illegal() {
    assert_refused(START, &[("e8", SanError::Illegal), ("exd8", SanError::Illegal)]);
    assert_refused("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", &[("a8", SanError::Illegal)]);
}

#[test]
fn texts_that_are_no_moves_are_refused() {
    for text in [
        "", " ", "+", "!?", "e", "4", "e9", "i4", "Zf3", "N", "Nf", "Nf33", "Nxx f3", "e2e4e5",
        "Ng1f3e5", "--", "1.", "1-0", "*", "$1", "e.p.", "x", "hello", "é4", "♘f3", "\0",
    ] {
        assert_eq!(text.parse::<San>(), Err(SanError::Unreadable), "{text:?}");
    }
}

#[test]
fn errors_read_well() {
    for (error, message) in [
        (SanError::Unreadable, "not a move"),
        (SanError::Illegal, "not a legal move here"),
        (SanError::Ambiguous, "more than one piece can do that"),
        (
            SanError::NoPromotion,
            "a pawn on the last rank must become a queen, rook, bishop or knight",
        ),
    ] {
        assert_eq!(error.to_string(), message);
    }
    let error = "e2".parse::<UciMove>().expect_err("half a move");
    assert_eq!(error.to_string(), "not a move such as e2e4 or e7e8q");
}

#[test]
fn uci_texts_that_are_no_moves_are_refused() {
    for text in
        ["", "e2", "e2e", "e2e9", "e2e4k", "e2e4p", "e2e4qq", "e2 e4", "0000", "é2e4", "e7e8é"]
    {
        assert!(text.parse::<UciMove>().is_err(), "{text:?}");
    }
    let start = position(START);
    for text in ["e2e5", "e7e5", "e2e4q", "e1g1", "e1e1", "a3a4", "e1h1"] {
        let uci: UciMove = text.parse().expect(text);
        assert_eq!(uci.to_move(&start), None, "{text}");
    }
    let castling = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for text in ["e1b1", "e1f3", "e1a2", "e1c8", "e1g8", "e8g8", "e1g1q"] {
        let uci: UciMove = text.parse().expect(text);
        assert_eq!(uci.to_move(&castling), None, "{text}");
    }
    let promotion = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!("e7e8".parse::<UciMove>().map(|uci| uci.to_move(&promotion)), Ok(None));
}
