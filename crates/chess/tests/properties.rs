//! What holds for every position, line and text, tried on random ones.

mod random_games;

use std::collections::{HashMap, HashSet};

use chess::{
    Bitboard, CastlingMode, Color, File, Line, MoveKind, Piece, Position, Rank, Role, San, Setup,
    Square, UciMove,
};
use proptest::prelude::*;
use random_games::{Dice, STANDARD_STARTS, assert_sound, pick, unequal_arrays};

/// A line of random moves from a known position, an array, or two arrays.
fn line() -> impl Strategy<Value = Line> {
    let starts = STANDARD_STARTS.map(|fen| fen.parse::<Position>().expect(fen)).to_vec();
    let start = prop_oneof![
        prop::sample::select(starts),
        (0_u16..960).prop_map(|number| Position::chess960(number).expect("below 960")),
        (0_u16..960, 0_u16..960).prop_map(|(white, black)| unequal_arrays(white, black)),
    ];
    (start, any::<u64>(), 0_usize..120).prop_map(|(start, seed, plies)| {
        let mut dice = Dice::new(seed);
        let mut line = Line::new(start);
        for _ in 0..plies {
            let Some(m) = pick(line.position(), &mut dice) else { break };
            line.play(m).expect("it was among the legal moves");
        }
        line
    })
}

/// A position that a game can reach.
fn reachable() -> impl Strategy<Value = Position> {
    line().prop_map(|line| line.position().clone())
}

fn square() -> impl Strategy<Value = Square> {
    (0_usize..64).prop_map(Square::from_index)
}

fn color() -> impl Strategy<Value = Color> {
    prop::sample::select(Color::ALL.to_vec())
}

/// Any board at all, often with one king a side, with whatever rights.
fn setup() -> impl Strategy<Value = Setup> {
    let men = prop::collection::vec((square(), prop::sample::select(Piece::ALL.to_vec())), 0..40);
    let kings = (square(), square(), prop::bool::weighted(0.9));
    let rest = (
        color(),
        prop_oneof![4 => Just(0), 1 => any::<u64>()],
        prop_oneof![4 => Just(None), 1 => square().prop_map(Some)],
        any::<u16>(),
        any::<u16>(),
    );
    (men, kings, rest).prop_map(|(men, (white, black, tidy), rest)| {
        let (turn, castling, en_passant, halfmoves, fullmoves) = rest;
        let castling = Bitboard(castling);
        let mut setup = Setup { turn, castling, en_passant, halfmoves, fullmoves, ..Setup::EMPTY };
        for (square, piece) in men {
            let back_rank = matches!(square.rank(), Rank::First | Rank::Eighth);
            let odd = piece.role() == Role::King || piece.role() == Role::Pawn && back_rank;
            if !(tidy && odd) {
                setup.board[square.index()] = Some(piece);
            }
        }
        setup.board[white.index()] = Some(Piece::WhiteKing);
        setup.board[black.index()] = Some(Piece::BlackKing);
        if tidy {
            // Keep the rights that have a rook, and an en passant square that has a pawn.
            let rooks = setup.pieces(Piece::WhiteRook) & Bitboard::rank(Rank::First)
                | setup.pieces(Piece::BlackRook) & Bitboard::rank(Rank::Eighth);
            setup.castling &= rooks;
        }
        setup
    })
}

/// A text with a few letters changed, left out or put in.
fn damaged(texts: Vec<String>) -> impl Strategy<Value = String> {
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<char>(), 0..4), 0..4);
    (prop::sample::select(texts), changes).prop_map(|(text, changes)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (place, letter, change) in changes {
            let known = "KQRBNPkqrbnpabcdefgh12345678-/ wx=+0O"
                .chars()
                .nth(letter as usize % 40)
                .unwrap_or(letter);
            match change {
                0 => letters.insert(place.index(letters.len() + 1), known),
                _ if letters.is_empty() => {}
                1 => drop(letters.remove(place.index(letters.len()))),
                _ => {
                    let i = place.index(letters.len());
                    letters[i] = known;
                }
            }
        }
        letters.into_iter().collect()
    })
}

/// Fields of a FEN glued together in any way.
fn fen_like() -> impl Strategy<Value = String> {
    let fens: Vec<String> = STANDARD_STARTS
        .into_iter()
        .map(str::to_owned)
        .chain((0..960).step_by(97).filter_map(Position::chess960).map(|p| p.to_shredder_fen()))
        .collect();
    prop_oneof![
        damaged(fens),
        "[KQRBNPkqrbnp1-9/]{0,80} [wbWB]? ?[KQkqA-Ha-h-]{0,5} ?[a-h1-8-]{0,3} ?[0-9-]{0,6}",
        any::<String>(),
    ]
}

fn move_like() -> impl Strategy<Value = String> {
    let moves = ["Nf3", "exd5 e.p.", "e8=Q#", "Ng1-f3", "O-O-O+", "e7e8q", "R1xa3!?", "e8(N)"];
    prop_oneof![
        damaged(moves.map(str::to_owned).to_vec()),
        "[NBRQKPnbrqkpa-h1-8xX:=+#!?0Oo/() .-]{0,9}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_key_after_a_plain_move_is_known_before_it_is_played(position in reachable()) {
        for &m in &position.legal_moves() {
            let after = position.after(m);
            let plain = matches!(m.kind(), MoveKind::Normal | MoveKind::DoublePush)
                && after.castling_rooks() == position.castling_rooks()
                && after.en_passant().is_none();
            if plain {
                prop_assert_eq!(position.key_after(m), after.key());
            }
        }
    }

    #[test]
    fn a_reachable_position_is_what_its_fen_says(position in reachable()) {
        let text = position.to_string();
        let read: Position = text.parse().expect(&text);
        prop_assert_eq!(&read, &position);
        prop_assert_eq!(read.to_string(), text);
        prop_assert_eq!(&Position::try_from(&Setup::from(&position)), &Ok(position));
    }

    #[test]
    fn a_reachable_position_is_what_its_shredder_fen_says(position in reachable()) {
        let text = position.to_shredder_fen();
        let read: Position = text.parse().expect(&text);
        prop_assert_eq!(&read, &position);
        prop_assert_eq!(read.to_shredder_fen(), text);
    }

    #[test]
    fn keys_kept_move_by_move_are_those_of_the_board(line in line()) {
        for position in line.positions() {
            prop_assert_eq!(position.key(), position.key_from_scratch());
            let read: Position = position.to_string().parse().expect("our own FEN");
            prop_assert_eq!(read.keys(), position.keys());
        }
    }

    #[test]
    fn keys_are_equal_for_equal_positions_only(line in line()) {
        let text = |position: &Position| {
            let setup = Setup { halfmoves: 0, fullmoves: 1, ..Setup::from(position) };
            setup.to_string()
        };
        let by_key: HashMap<u64, String> = line.positions().map(|p| (p.key(), text(p))).collect();
        let texts: HashSet<String> = line.positions().map(text).collect();
        prop_assert_eq!(by_key.len(), texts.len());
        for position in line.positions() {
            prop_assert_eq!(&by_key[&position.key()], &text(position));
        }
    }

    #[test]
    fn positions_with_other_counters_have_the_same_key(position in reachable()) {
        let setup = Setup { halfmoves: 77, fullmoves: 99, ..Setup::from(&position) };
        let other = Position::try_from(&setup).expect("counters are free");
        prop_assert_eq!(other.key(), position.key());
        prop_assert_eq!(other.polyglot_key(), position.polyglot_key());
    }

    #[test]
    fn every_position_of_a_line_is_sound(line in line()) {
        for position in line.positions() {
            assert_sound(position);
        }
    }

    #[test]
    fn undo_restores_every_position_of_a_line(line in line()) {
        let mut left = line.clone();
        let positions: Vec<Position> = line.positions().cloned().collect();
        let moves: Vec<_> = line.moves().collect();
        prop_assert_eq!(moves.len(), line.len());
        prop_assert_eq!(positions.len(), line.len() + 1);
        for len in (0..line.len()).rev() {
            prop_assert_eq!(left.undo(), Some(moves[len]));
            prop_assert_eq!(left.position(), &positions[len]);
            let mut cut = line.clone();
            cut.truncate(len);
            prop_assert_eq!(&cut, &left);
        }
        prop_assert!(left.is_empty());
        prop_assert_eq!(left.undo(), None);
        prop_assert_eq!(left.position(), line.start());
        for m in moves {
            left.play(m).expect("it was legal before");
        }
        prop_assert_eq!(left, line);
    }

    #[test]
    fn a_null_move_passes_the_turn_and_two_restore_the_board(position in reachable()) {
        let Some(passed) = position.after_null_move() else {
            prop_assert!(position.is_check());
            return Ok(());
        };
        assert_sound(&passed);
        prop_assert!(!position.is_check());
        prop_assert_eq!(passed.turn(), !position.turn());
        prop_assert_eq!(passed.en_passant(), None);
        if let Some(back) = passed.after_null_move() {
            assert_sound(&back);
            let without_en_passant = Setup {
                en_passant: None,
                halfmoves: position.halfmoves() + 2,
                fullmoves: position.fullmoves() + 1,
                ..Setup::from(&position)
            };
            prop_assert_eq!(Setup::from(&back), without_en_passant);
        }
    }

    #[test]
    fn moves_survive_their_texts(position in reachable()) {
        for m in position.legal_moves() {
            let uci = m.to_uci(&position, CastlingMode::Chess960);
            prop_assert_eq!(uci.to_string().parse(), Ok(uci));
            prop_assert_eq!(uci.to_move(&position), Some(m));
            let san = position.san(m).to_string();
            prop_assert_eq!(position.parse_san(&san), Ok(m));
            prop_assert_eq!(san.parse(), Ok(San::of(m, &position)));
        }
    }

    #[test]
    fn any_text_that_reads_as_a_fen_has_a_stable_form(text in fen_like()) {
        if let Ok(setup) = text.parse::<Setup>() {
            let again = setup.to_string();
            prop_assert_eq!(again.parse(), Ok(setup), "{} and {}", text, again);
        }
        match text.parse::<Position>() {
            Ok(position) => assert_sound(&position),
            Err(error) => {
                let message = error.to_string();
                prop_assert!(message.len() < 250, "{}", message);
            }
        }
    }

    #[test]
    fn any_text_that_reads_as_a_move_is_a_legal_one(text in move_like(), position in reachable()) {
        prop_assert_eq!(text.parse::<San>(), San::from_ascii(text.as_bytes()));
        if let Ok(m) = position.parse_san(&text) {
            prop_assert!(position.legal_moves().contains(&m), "{} in {}", text, position);
        }
        if let Ok(uci) = text.parse::<UciMove>() {
            prop_assert_eq!(uci.to_string(), text.to_ascii_lowercase());
            if let Some(m) = uci.to_move(&position) {
                prop_assert!(position.legal_moves().contains(&m), "{} in {}", text, position);
            }
        }
    }

    #[test]
    fn any_bytes_may_be_asked_whether_they_are_a_move(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
        if let Ok(San::Normal { to, .. }) = San::from_ascii(&bytes) {
            prop_assert!(File::ALL.contains(&to.file()));
        }
    }

    #[test]
    fn any_board_is_refused_or_playable(setup in setup()) {
        let Ok(position) = Position::try_from(&setup) else { return Ok(()) };
        assert_sound(&position);
        for m in position.legal_moves() {
            prop_assert!(position.is_legal(m));
            let after = position.after(m);
            assert_sound(&after);
            prop_assert_eq!(after.turn(), !position.turn());
        }
    }
}
