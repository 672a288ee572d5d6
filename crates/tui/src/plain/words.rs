//! What plain mode says.

use chess::{File, Position, Rank, Square};
use engine::{Report, Verdict};

/// The board as text, with the player's side at the bottom.
pub(super) fn diagram(position: &Position, flipped: bool) -> String {
    if !flipped {
        return position.diagram();
    }
    let mut text = String::new();
    for rank in Rank::ALL {
        text.push(rank.digit());
        for file in File::ALL.into_iter().rev() {
            text.push(' ');
            let piece = position.piece_on(Square::new(file, rank));
            text.push(piece.map_or('.', chess::Piece::letter));
        }
        text.push('\n');
    }
    text.push_str("  h g f e d c b a\n");
    text
}

/// Whose turn it is.
pub(super) fn turn(position: &Position) -> String {
    let check = if position.is_check() { ", in check" } else { "" };
    format!("{} to move{check}.", position.turn().name())
}

/// The lines of an analysis, for White.
pub(super) fn analysis(verdict: &Verdict, position: &Position) -> String {
    let line = |report: &Report| {
        let score = report.score.for_white(position.turn());
        let mut here = position.clone();
        let mut moves = Vec::new();
        for &m in &report.pv {
            if !here.is_legal(m) {
                break;
            }
            moves.push(here.san(m).to_string());
            here.play_unchecked(m);
        }
        format!("{score} (depth {}): {}\n", report.depth, moves.join(" "))
    };
    verdict.lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_can_be_at_the_bottom() {
        let text = diagram(&Position::default(), true);
        assert!(text.starts_with("1 R N B K Q B N R\n"), "{text}");
        assert!(text.ends_with("8 r n b k q b n r\n  h g f e d c b a\n"), "{text}");
    }
}
