//! Polyglot books: whatever the bytes, every move is legal and none appears twice.

use chess::{Position, UciMove};
use engine::Dice;
use engine::book::{Book, BookBuilder, Pick, Scoring};

/// Reads a FEN from the first line and a book from the rest, in which the position's key replaces
/// each zero key so that the moves are reached. Text that parses as move lines is built into a
/// book, too.
pub fn book(data: &[u8]) {
    lines(data);
    let at = data.iter().position(|&c| c == b'\n').unwrap_or(data.len());
    let (fen, rest) = data.split_at(at);
    let position: Position = String::from_utf8_lossy(fen).parse().unwrap_or_default();
    let mut bytes = rest.get(1..).unwrap_or_default().to_vec();
    for entry in bytes.chunks_exact_mut(16).filter(|entry| entry[..8] == [0; 8]) {
        entry[..8].copy_from_slice(&position.polyglot_key().to_be_bytes());
    }
    let Ok(book) = Book::from_bytes(bytes.clone()) else { return };
    assert_eq!(book.as_bytes(), bytes);
    assert!(book.positions() <= book.len());
    let moves = book.moves(&position);
    for (i, known) in moves.iter().enumerate() {
        assert!(position.is_legal(known.m), "{:?} in {position}", known.m);
        assert!(
            moves[..i].iter().all(|before| before.m != known.m && before.weight >= known.weight)
        );
        // Both ways of writing castling mean the same move.
        let uci: UciMove = known.m.to_uci(&position, position.castling_mode());
        assert_eq!(uci.to_move(&position), Some(known.m));
    }
    for pick in [Pick::Best, Pick::Weighted] {
        let chosen = book.choose(&position, pick, &mut Dice::new(bytes.len() as u64));
        let playable = moves.iter().any(|known| known.weight > 0 && Some(known.m) == chosen);
        assert_eq!(chosen.is_some(), moves.first().is_some_and(|best| best.weight > 0));
        assert!(chosen.is_none() || playable);
    }
}

fn lines(data: &[u8]) {
    let mut builder = BookBuilder::default();
    if builder.add_lines(&String::from_utf8_lossy(data)).is_ok() {
        let book = builder.book(1, Scoring::Games);
        assert_eq!(book.len(), builder.len());
        assert!(book.is_empty() || Book::from_bytes(book.as_bytes().to_vec()).is_ok());
    }
}
