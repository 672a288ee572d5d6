//! How games end, what repeats, and the rules that programs get wrong.

use std::collections::BTreeSet;

use chess::{
    CastlingMode, Color, DrawReason, File, IllegalMove, Line, Outcome, Piece, Position, Rank, Role,
    Setup, Square, UciMove, WinReason,
};

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// A line of moves written in algebraic or UCI notation.
fn line(fen: &str, moves: &str) -> Line {
    let mut line = Line::new(position(fen));
    extend(&mut line, moves);
    line
}

fn extend(line: &mut Line, moves: &str) {
    for text in moves.split_whitespace() {
        let m = line.position().parse_san(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        line.play(m).expect("it was read for this position");
    }
}

fn is_legal(fen: &str, uci: &str) -> bool {
    let uci: UciMove = uci.parse().expect(uci);
    uci.to_move(&position(fen)).is_some()
}

/// The position after a move in UCI, as FEN.
fn after(fen: &str, uci: &str) -> String {
    let position = position(fen);
    let parsed: UciMove = uci.parse().expect(uci);
    let m = parsed.to_move(&position).unwrap_or_else(|| panic!("{uci} is illegal in {fen}"));
    position.after(m).to_string()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn mates_are_won() {
    for (fen, winner) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Color::Black),
        ("1R3k2/2R5/8/8/8/1K6/8/8 b - - 0 1", Color::White),
        ("6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", Color::White),
        // A double check, where each checker could be taken.
        ("rnbB1b1r/ppk2ppp/2p5/4q3/4n3/8/PPP2PPP/2KR1BNR b - - 1 11", Color::White),
        // The pawn that has just moved checks, but can't be captured en passant.
        ("8/6N1/3R4/6k1/5Pp1/1K2P3/8/4B1R1 b - f3 0 1", Color::White),
    ] {
        let position = position(fen);
        assert!(position.is_check(), "{fen}");
        assert_eq!(position.outcome(), Some(Outcome::Win(winner, WinReason::Checkmate)), "{fen}");
        assert_eq!(position.legal_moves().len(), 0);
    }
}

#[test]
fn stalemates_are_drawn() {
    for fen in [
        "k7/1R6/2K5/8/8/8/8/8 b - - 0 1",
        "k7/8/1Q6/8/8/8/8/7K b - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
        // The knight is pinned.
        "R5nk/8/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        let position = position(fen);
        let stalemate = Some(Outcome::Draw(DrawReason::Stalemate));
        assert_eq!(position.outcome(), stalemate, "{fen}");
        assert_eq!(Line::new(position).outcome(), stalemate, "{fen}");
    }
}

#[test]
fn positions_that_nobody_can_win_are_dead() {
    for fen in [
        "8/8/4k3/8/8/4K3/8/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/5B2/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/5n2/8 b - - 0 1",
        // Bishops on squares of one color, however many, on either side.
        "8/b7/3B4/8/8/8/8/k6K w - - 0 1",
        "8/b1B1b1B1/1b1B1b1B/8/8/8/8/1k5K w - - 0 1",
        "2K5/4B3/2k2B2/8/8/4b3/8/8 b - - 0 1",
    ] {
        let position = position(fen);
        assert!(position.is_dead(), "{fen}");
        assert_eq!(position.outcome(), Some(Outcome::Draw(DrawReason::DeadPosition)), "{fen}");
    }
}

#[test]
fn positions_with_a_helpmate_are_not_dead() {
    for fen in [
        // Two knights against a bare king.
        "8/8/4k3/8/8/4K3/4NN2/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/4BN2/8 w - - 0 1",
        "7K/5k1N/8/6b1/8/8/8/8 b - - 0 1",
        "7K/5k1N/8/4n3/8/8/8/8 b - - 0 1",
        // Bishops on squares of both colors.
        "5k1K/7B/8/6b1/8/8/8/8 b - - 0 1",
        "2K5/4BB2/2k5/8/8/8/8/8 b - - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/4R3/8 b - - 0 1",
        "8/8/4k3/8/8/3qK3/8/8 w - - 0 1",
        START,
    ] {
        let position = position(fen);
        assert!(!position.is_dead(), "{fen}");
        assert_eq!(position.outcome(), None, "{fen}");
    }
}

#[test]
fn mating_material_is_judged_for_each_side() {
    for (fen, white, black) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", false, false),
        ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", true, false),
        ("8/8/4k3/8/8/4K3/4R3/8 b - - 0 1", true, false),
        ("8/8/4k3/8/8/4K3/4NN2/8 w - - 0 1", true, false),
        ("8/8/4k3/8/8/4K3/4N3/8 w - - 0 1", false, false),
        // One knight mates when a pawn, knight, bishop or rook blocks its own king...
        ("8/4p3/4k3/8/8/4K3/4N3/8 w - - 0 1", true, true),
        ("8/4n3/4k3/8/8/4K3/4N3/8 w - - 0 1", true, true),
        ("8/4b3/4k3/8/8/4K3/4N3/8 w - - 0 1", true, true),
        ("8/4r3/4k3/8/8/4K3/4N3/8 b - - 0 1", true, true),
        // ... but a queen would take it.
        ("8/5q2/4k3/8/8/4K3/4N3/8 b - - 0 1", false, true),
        // One bishop mates with a pawn or a knight in the way, never with a rook or queen.
        ("8/4p3/4k3/8/8/4K3/4B3/8 w - - 0 1", true, true),
        ("8/4n3/4k3/8/8/4K3/4B3/8 w - - 0 1", true, true),
        ("8/5r2/4k3/8/8/4K3/4B3/8 b - - 0 1", false, true),
        ("8/5q2/4k3/8/8/4K3/4B3/8 b - - 0 1", false, true),
        // Bishops: e2 and e6's neighbor f7 are light, e7 is dark.
        ("8/5b2/4k3/8/8/4K3/4B3/8 w - - 0 1", false, false),
        ("8/4b3/4k3/8/8/4K3/4B3/8 w - - 0 1", true, true),
    ] {
        let position = position(fen);
        assert_eq!(position.has_mating_material(Color::White), white, "White in {fen}");
        assert_eq!(position.has_mating_material(Color::Black), black, "Black in {fen}");
    }
}

#[test]
fn the_third_time_may_be_claimed_and_the_fifth_ends_the_game() {
    let mut line = Line::default();
    for times in 2..=4 {
        extend(&mut line, SHUFFLE);
        assert_eq!(line.repetitions(), times);
        assert_eq!(line.outcome(), None);
        let claim = (times >= 3).then_some(DrawReason::ThreefoldRepetition);
        assert_eq!(line.claimable_draw(), claim);
    }
    extend(&mut line, SHUFFLE);
    assert_eq!(line.repetitions(), 5);
    assert_eq!(line.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
    assert_eq!(line.claimable_draw(), None, "the game is over");

    assert!(line.undo().is_some());
    assert_eq!(line.outcome(), None);
    assert_eq!(line.repetitions(), 4);
}

#[test]
fn the_same_board_with_the_other_side_to_move_is_no_repetition() {
    // White loses a move by a triangle.
    let line = line("8/8/8/4k3/8/8/4P3/3K4 w - - 0 1", "Kc1 Kd5 Kc2 Ke5 Kd1");
    assert_eq!(line.repetitions(), 1);
}

#[test]
fn a_pawn_move_makes_earlier_positions_unreachable() {
    let mut line = line(START, SHUFFLE);
    extend(&mut line, "e4 e5 Nf3 Nf6 Ng1 Ng8");
    assert_eq!(line.repetitions(), 2);
    assert_eq!(line.position().halfmoves(), 4);
}

#[test]
fn a_position_where_en_passant_was_possible_is_not_repeated() {
    let fen = "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // d4 allows exd3 once; the board that comes back does not allow it.
    let mut game = line(fen, "d4 Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 1, "the first time, Black could capture");
    extend(&mut game, "Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 2);
    extend(&mut game, "Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 3);

    // Nobody can capture after e4: the position is the same from the start.
    let game = line(START, "e4 Nf6 Nf3 Ng8 Ng1");
    assert_eq!(game.repetitions(), 2);
}

#[test]
fn an_en_passant_capture_that_is_illegal_does_not_count() {
    // After e4 the pawn on d4 stands beside it, but is pinned along the rank.
    let fen = "8/8/8/8/k2p3R/8/4P1N1/4K3 w - - 0 1";
    let game = line(fen, "e4 Kb4 Nf4 Ka4 Ng2");
    assert_eq!(game.position().en_passant(), None);
    assert_eq!(game.repetitions(), 2);
    // The same without the rook: Black could have captured.
    let fen = "8/8/8/8/k2p4/8/4P1N1/4K3 w - - 0 1";
    assert_eq!(line(fen, "e4 Kb4 Nf4 Ka4 Ng2").repetitions(), 1);
}

#[test]
fn a_position_with_other_castling_rights_is_not_repeated() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let mut game = line(fen, "Rb1 Rb8 Ra1 Ra8");
    assert_eq!(game.repetitions(), 1, "rights on the queen's side are gone");
    extend(&mut game, "Rb1 Rb8 Ra1 Ra8");
    assert_eq!(game.repetitions(), 2);
    extend(&mut game, "Kd1 Kd8 Ke1 Ke8");
    assert_eq!(game.repetitions(), 1, "all rights are gone");
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
    for (halfmoves, claim, outcome) in [
        (99, None, None),
        (100, Some(DrawReason::FiftyMoves), None),
        (149, Some(DrawReason::FiftyMoves), None),
        (150, None, Some(Outcome::Draw(DrawReason::SeventyFiveMoves))),
        (65_535, None, Some(Outcome::Draw(DrawReason::SeventyFiveMoves))),
    ] {
        let line = Line::new(position(&format!("8/8/4k3/8/8/4K3/4R3/8 b - - {halfmoves} 90")));
        assert_eq!(line.claimable_draw(), claim, "{halfmoves}");
        assert_eq!(line.outcome(), outcome, "{halfmoves}");
    }
    let mut game = line("8/8/4k3/8/8/4K3/4R3/8 b - - 98 90", "Kd6");
    assert_eq!(game.claimable_draw(), None);
    extend(&mut game, "Rf2");
    assert_eq!(game.claimable_draw(), Some(DrawReason::FiftyMoves));
}

#[test]
fn captures_and_pawn_moves_restart_the_count() {
    let fen = "4k3/8/8/3pP3/8/8/3r4/R3K2R w KQ d6 98 60";
    for (uci, halfmoves) in [("a1a2", 99), ("e1g1", 99), ("e1d2", 0), ("e5e6", 0), ("e5d6", 0)] {
        assert_eq!(position(&after(fen, uci)).halfmoves(), halfmoves, "{uci}");
    }
    let promotion = after("4k3/7P/8/8/8/8/8/4K3 w - - 7 60", "h7h8r");
    assert_eq!(promotion, "4k2R/8/8/8/8/8/8/4K3 b - - 0 60");
    let black = after("4k3/8/8/8/8/8/8/4K2R b K - 98 60", "e8e7");
    assert_eq!(black, "8/4k3/8/8/8/8/8/4K2R w K - 99 61");
}

#[test]
fn counters_stop_at_their_end() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b K - 65535 65535";
    assert_eq!(after(fen, "e8e7"), "8/4k3/8/8/8/8/8/4K2R w K - 65535 65535");
}

#[test]
fn mate_on_the_last_move_of_seventy_five_wins() {
    let game = line("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "Ra8");
    assert_eq!(game.position().halfmoves(), 150);
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White, WinReason::Checkmate)));
    assert_eq!(game.claimable_draw(), None);
    let game = line("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "Ra7");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::SeventyFiveMoves)));
}

#[test]
fn an_illegal_move_leaves_a_line_as_it_was() {
    let mut line = Line::default();
    let e4 = line.position().parse_san("e4").expect("legal");
    line.play(e4).expect("legal");
    let before = line.clone();
    assert_eq!(line.play(e4), Err(IllegalMove));
    assert_eq!(IllegalMove.to_string(), "not a legal move here");
    assert_eq!(line, before);
    assert_eq!(line.moves().collect::<Vec<_>>(), [e4]);
    assert_eq!(line.positions().count(), 2);
    assert_eq!(line.start(), &Position::default());
}

#[test]
fn outcomes_read_well() {
    for (outcome, text, winner) in [
        (
            Outcome::Win(Color::White, WinReason::Checkmate),
            "White wins by checkmate",
            Some(Color::White),
        ),
        (
            Outcome::Win(Color::Black, WinReason::Resignation),
            "Black wins by resignation",
            Some(Color::Black),
        ),
        (Outcome::Win(Color::Black, WinReason::Time), "Black wins by time", Some(Color::Black)),
        (
            Outcome::Win(Color::White, WinReason::Forfeit),
            "White wins by forfeit",
            Some(Color::White),
        ),
        (Outcome::Draw(DrawReason::Stalemate), "Draw by stalemate", None),
        (Outcome::Draw(DrawReason::DeadPosition), "Draw: neither side can mate", None),
        (Outcome::Draw(DrawReason::Agreement), "Draw by agreement", None),
        (Outcome::Draw(DrawReason::FiftyMoves), "Draw by the fifty-move rule", None),
        (Outcome::Draw(DrawReason::SeventyFiveMoves), "Draw by the seventy-five-move rule", None),
        (Outcome::Draw(DrawReason::ThreefoldRepetition), "Draw by threefold repetition", None),
        (Outcome::Draw(DrawReason::FivefoldRepetition), "Draw by fivefold repetition", None),
        (
            Outcome::Draw(DrawReason::TimeWithoutMatingMaterial),
            "Draw: time is up, but the other side can't mate",
            None,
        ),
    ] {
        assert_eq!(outcome.to_string(), text);
        assert_eq!(outcome.winner(), winner);
    }
}

#[test]
fn castling_out_of_through_or_into_check_is_illegal() {
    for (fen, uci, legal) in [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", true),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", true),
        // Out of check.
        ("4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1g1", false),
        // Through check.
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1g1", false),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", "e1c1", true),
        ("4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1", "e1g1", false),
        // Into check.
        ("4k3/8/8/8/8/6r1/8/R3K2R w KQ - 0 1", "e1g1", false),
        ("4k3/8/8/8/8/2r5/8/R3K2R w KQ - 0 1", "e1c1", false),
        // Only the rook passes an attacked square, or stands on one.
        ("4k3/8/8/8/8/1r6/8/R3K2R w KQ - 0 1", "e1c1", true),
        ("4k3/8/8/8/8/r6r/8/R3K2R w KQ - 0 1", "e1c1", true),
        ("4k3/8/8/8/8/r6r/8/R3K2R w KQ - 0 1", "e1g1", true),
        // Something in the way.
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1", false),
        ("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1", "e1g1", false),
    ] {
        assert_eq!(is_legal(fen, uci), legal, "{uci} in {fen}");
    }
}

#[test]
fn castling_rights_are_lost_by_king_rook_and_captured_rook() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (uci, rights) in [
        ("e1e2", "kq"),
        ("e1g1", "kq"),
        ("e1c1", "kq"),
        ("a1a2", "Kkq"),
        ("h1h2", "Qkq"),
        ("a1a8", "Kk"),
        ("h1h8", "Qq"),
    ] {
        assert_eq!(after(fen, uci).split(' ').nth(2), Some(rights), "{uci}");
    }
    // A promotion that captures the rook.
    let fen = "r3k2r/1P6/8/8/8/8/8/4K3 w kq - 0 1";
    assert_eq!(after(fen, "b7a8q"), "Q3k2r/8/8/8/8/8/8/4K3 b k - 0 1");
    // A rook that comes to the corner brings no right with it.
    let fen = "4k3/8/8/8/8/8/6R1/4K2R w K - 0 1";
    assert_eq!(after(fen, "h1h8"), "4k2R/8/8/8/8/8/6R1/4K3 b - - 1 1");
}

#[test]
fn chess960_castling_works_in_every_geometry() {
    for (fen, uci, result) in [
        // The king stays, the rook moves.
        ("4k3/8/8/8/8/8/8/6KR w K - 0 1", "g1h1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", "c1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        // The rook stays, the king moves.
        ("4k3/8/8/8/8/8/8/1K3R2 w K - 0 1", "b1f1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/3R2K1 w Q - 0 1", "g1d1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        // They change places.
        ("4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/2RK4 w Q - 0 1", "d1c1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        // The king goes away from its rook.
        ("4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "b1a1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        // For Black.
        ("1rk5/8/8/8/8/8/8/4K3 b q - 0 1", "c8b8", "2kr4/8/8/8/8/8/8/4K3 w - - 1 2"),
        ("5k1r/8/8/8/8/8/8/4K3 b k - 0 1", "f8h8", "5rk1/8/8/8/8/8/8/4K3 w - - 1 2"),
    ] {
        assert_eq!(after(fen, uci), result, "{uci} in {fen}");
        let position = position(fen);
        let san = if uci[2..] > uci[..2] { "O-O" } else { "O-O-O" };
        let m = position.parse_san(san).expect(fen);
        assert_eq!(m.to_uci(&position, CastlingMode::Chess960).to_string(), uci, "{fen}");
        assert!(position.san(m).to_string().starts_with(san), "{fen}");
    }
}

#[test]
fn chess960_castling_is_stopped_by_what_the_rook_shields_or_meets() {
    for (fen, uci, legal) in [
        // The rook on b1 is all that keeps the queen on a1 from the king.
        ("4k3/8/8/8/8/8/8/qRK5 w Q - 0 1", "c1b1", false),
        ("4k3/8/8/8/8/8/8/1RK5 w Q - 0 1", "c1b1", true),
        ("4k3/8/8/8/8/8/8/nRK5 w Q - 0 1", "c1b1", true),
        ("4k3/8/8/8/8/8/8/qR1K4 w Q - 0 1", "d1b1", false),
        ("4k3/8/8/8/8/8/8/5KRr w K - 0 1", "f1g1", false),
        // The rook's way or target is taken.
        ("4k3/8/8/8/8/8/8/R1KN4 w Q - 0 1", "c1a1", false),
        ("4k3/8/8/8/8/8/8/RNK5 w Q - 0 1", "c1a1", false),
        ("4k3/8/8/8/8/8/8/5NKR w K - 0 1", "g1h1", false),
        // The other rook is in the way.
        ("2k5/8/8/8/8/8/8/4RRK1 w E - 0 1", "g1e1", false),
        // Between king and target, far from the rook.
        ("4k3/8/8/8/8/8/8/1KR1N3 w K - 0 1", "b1c1", false),
        // An attacked square on a long way.
        ("4k3/8/8/8/8/3r4/8/1K3R2 w K - 0 1", "b1f1", false),
        ("4k3/8/8/8/8/7r/8/1K3R2 w K - 0 1", "b1f1", true),
        // The king passes the square of its own rook, which is attacked.
        ("4k3/8/8/8/8/5r2/8/1K3R2 w K - 0 1", "b1f1", false),
    ] {
        assert_eq!(is_legal(fen, uci), legal, "{uci} in {fen}");
    }
}

#[test]
fn a_king_step_is_no_castling_where_both_have_the_same_squares() {
    // f1g1 is a step; castling is written as king takes rook.
    let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    assert_eq!(after(fen, "f1g1"), "4k3/8/8/8/8/8/8/6KR b - - 1 1");
    assert_eq!(after(fen, "f1h1"), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn en_passant_is_legal_only_if_the_king_stays_safe() {
    for (fen, uci, legal) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", true),
        // Both pawns leave the rank at once.
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", false),
        ("8/8/8/K2pPn1r/8/8/8/4k3 w - d6 0 1", "e5d6", true),
        ("8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1", "d4e3", false),
        // The captured pawn shields its enemy's king on a diagonal.
        ("8/5b2/8/3pP3/8/1K6/8/4k3 w - d6 0 1", "e5d6", false),
        // The capture takes the checking pawn, or steps into the line of check.
        ("4k3/8/8/3pP3/4K3/8/8/8 w - d6 0 1", "e5d6", true),
        ("8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1", "d4e3", true),
        ("4kb2/8/8/3pP3/1K6/8/8/8 w - d6 0 1", "e5d6", true),
        // A check from elsewhere stays.
        ("4k3/8/8/3pP3/8/8/r7/K7 w - d6 0 1", "e5d6", false),
    ] {
        assert_eq!(is_legal(fen, uci), legal, "{uci} in {fen}");
    }
    assert_eq!(
        after("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
        "4k3/8/3P4/8/8/8/8/4K3 b - - 0 1"
    );
    // The right is gone a move later.
    let mut game = line("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5");
    assert!(game.position().parse_san("exd6").is_ok());
    extend(&mut game, "Ke2 Ke7");
    assert!(game.position().parse_san("exd6").is_err());
}

#[test]
fn pins_and_checks_are_known() {
    let position = position("4r2k/8/8/8/1b6/8/3PN3/4K3 w - - 0 1");
    let pinned: Vec<String> = position.pinned().into_iter().map(|sq| sq.to_string()).collect();
    assert_eq!(pinned, ["d2", "e2"]);
    assert!(!position.is_check());
    assert_eq!(position.after_null_move().map(|passed| passed.turn()), Some(Color::Black));
    let checked = "4r2k/8/8/8/1b6/8/8/4K3 w - - 0 1".parse::<Position>().expect("legal");
    assert_eq!(checked.checkers().count(), 2);
    assert_eq!(checked.after_null_move(), None);
}

#[test]
fn keys_tell_every_right_apart() {
    let bare = Setup::from(&position("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    let rights = |setup: &Setup| Position::try_from(setup).expect("legal").keys().rights;
    let mut seen = BTreeSet::from([rights(&bare)]);
    assert!(seen.insert(rights(&Setup { turn: Color::Black, ..bare.clone() })));
    for file in File::ALL {
        for color in Color::ALL {
            let mut setup = bare.clone();
            let rook = Square::new(file, color.back_rank());
            if setup.board[rook.index()].is_none() {
                setup.board[rook.index()] = Some(Role::Rook.of(color));
                setup.castling = rook.into();
                assert!(seen.insert(rights(&setup)), "a rook on {rook}");
            }
        }
        let mut setup = bare.clone();
        setup.board[Square::new(file, Rank::Fifth).index()] = Some(Piece::BlackPawn);
        let beside = if file == File::A { File::B } else { File::ALL[file.index() - 1] };
        setup.board[Square::new(beside, Rank::Fifth).index()] = Some(Piece::WhitePawn);
        setup.en_passant = Some(Square::new(file, Rank::Sixth));
        assert!(seen.insert(rights(&setup)), "en passant on the file {}", file.letter());
    }
    assert_eq!(seen.len(), 2 + 14 + 8);
}

#[test]
fn polyglot_keys_are_those_of_the_format() {
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560_u64),
    ] {
        assert_eq!(line(START, moves).position().polyglot_key(), key, "{moves}");
    }
}
