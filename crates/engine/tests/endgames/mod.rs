//! Random positions of three and four men.

use chess::Position;
use engine::Dice;

/// A legal position with these pieces, the counter at zero.
pub fn random_position(pieces: &str, dice: &mut Dice) -> Position {
    loop {
        let mut board = [[' '; 8]; 8];
        for piece in pieces.chars() {
            let at = dice.below(64) as usize;
            board[at / 8][at % 8] = piece;
        }
        let ranks: Vec<String> = board.iter().map(fen_rank).collect();
        let turn = ["w", "b"][dice.below(2) as usize];
        let whole = board.iter().flatten().filter(|&&c| c != ' ').count() == pieces.len();
        match format!("{} {turn} - - 0 1", ranks.join("/")).parse() {
            Ok(position) if whole => return position,
            _ => {}
        }
    }
}

fn fen_rank(rank: &[char; 8]) -> String {
    let groups = rank.chunk_by(|a, b| a == b && *a == ' ');
    groups
        .map(|group| if group[0] == ' ' { group.len().to_string() } else { group[0].into() })
        .collect()
}
