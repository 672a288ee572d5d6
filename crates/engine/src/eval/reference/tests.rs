//! The evaluation and its twin agree on 100,000 positions.

use chess::{Bitboard, Color, Piece, Position, Role, Setup, Square};

use super::{evaluate, kpk};
use crate::eval::Evaluator;

/// Random numbers, the same on every run (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % sides as u64) as usize
    }
}

/// Kings and up to `most` other pieces anywhere.
fn scattered(dice: &mut Dice, most: usize) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    setup.turn = Color::ALL[dice.roll(2)];
    let mut put = |piece: Piece, square: Square| {
        let place = &mut setup.board[square.index()];
        if place.is_none() {
            *place = Some(piece);
        }
    };
    put(Piece::WhiteKing, Square::from_index(dice.roll(64)));
    put(Piece::BlackKing, Square::from_index(dice.roll(64)));
    for _ in 0..=dice.roll(most) {
        let role = Role::ALL[dice.roll(5)];
        let index = if role == Role::Pawn { 8 + dice.roll(48) } else { dice.roll(64) };
        put(role.of(Color::ALL[dice.roll(2)]), Square::from_index(index));
    }
    Position::try_from(&setup).ok()
}

fn start(game: usize, dice: &mut Dice) -> Position {
    match game % 4 {
        0 => Position::default(),
        1 => {
            let setup = Setup::chess960(dice.roll(960) as u16).expect("a number below 960");
            Position::try_from(&setup).expect("an array of Chess960 is legal")
        }
        kind => loop {
            if let Some(position) = scattered(dice, if kind == 2 { 7 } else { 28 }) {
                return position;
            }
        },
    }
}

#[test]
fn the_twin_agrees_on_a_hundred_thousand_positions() {
    let mut dice = Dice(2024);
    let mut evaluator = Evaluator::default();
    let mut seen = 0;
    for game in 0.. {
        let mut position = start(game, &mut dice);
        for _ in 0..160 {
            assert_eq!(evaluator.evaluate(&position), evaluate(&position), "{position}");
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[dice.roll(moves.len())]);
        }
        if seen >= 100_000 {
            return;
        }
    }
}

#[test]
fn the_twin_agrees_when_the_board_is_full_of_one_piece() {
    let mut evaluator = Evaluator::default();
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for count in [10, 14, 16, 30, 61] {
            let mut setup = Setup::EMPTY;
            setup.board[Square::A1.index()] = Some(Piece::WhiteKing);
            setup.board[Square::H8.index()] = Some(Piece::BlackKing);
            setup.turn = Color::Black;
            let taken: Bitboard = [Square::A1, Square::H8].into_iter().collect();
            for square in (!taken).into_iter().take(count) {
                setup.board[square.index()] = Some(role.of(Color::White));
            }
            let position = Position::try_from(&setup).expect("Black may be in check");
            assert_eq!(evaluator.evaluate(&position), evaluate(&position), "{position}");
        }
    }
}

#[test]
fn the_table_of_pawn_endings_is_what_the_rules_give() {
    let file = include_bytes!("../kpk.bin");
    assert_eq!(kpk::table(), file);
    // 111,282 of the positions with White or Black to move are known to be won.
    assert_eq!(file.iter().map(|byte| byte.count_ones()).sum::<u32>(), 111_282);
}
