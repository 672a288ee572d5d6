//! The evaluation and the reference agree on 100,000 positions.

use chess::{Bitboard, Color, Piece, Position, Role, Setup, Square};

use super::{evaluate, kpk};
use crate::Dice;
use crate::eval::Evaluator;

fn roll(dice: &mut Dice, sides: usize) -> usize {
    dice.below(sides as u64) as usize
}

/// Kings and up to `most` other pieces anywhere.
fn scattered(dice: &mut Dice, most: usize) -> Option<Position> {
    let mut setup = Setup::EMPTY;
    setup.turn = Color::ALL[roll(dice, 2)];
    let mut put = |piece: Piece, square: Square| {
        let place = &mut setup.board[square.index()];
        if place.is_none() {
            *place = Some(piece);
        }
    };
    put(Piece::WhiteKing, Square::from_index(roll(dice, 64)));
    put(Piece::BlackKing, Square::from_index(roll(dice, 64)));
    for _ in 0..=roll(dice, most) {
        let role = Role::ALL[roll(dice, 5)];
        let index = if role == Role::Pawn { 8 + roll(dice, 48) } else { roll(dice, 64) };
        put(role.of(Color::ALL[roll(dice, 2)]), Square::from_index(index));
    }
    Position::try_from(&setup).ok()
}

fn start(game: usize, dice: &mut Dice) -> Position {
    match game % 4 {
        0 => Position::default(),
        1 => {
            let setup = Setup::chess960(roll(dice, 960) as u16).expect("a number below 960");
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
    let mut dice = Dice::new(2024);
    let mut evaluator = Evaluator::by_hand();
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
            position.play_unchecked(moves[roll(&mut dice, moves.len())]);
        }
        if seen >= 100_000 {
            return;
        }
    }
}

#[test]
fn the_twin_agrees_when_the_board_is_full_of_one_piece() {
    let mut evaluator = Evaluator::by_hand();
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
