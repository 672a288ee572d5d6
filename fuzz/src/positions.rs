//! FEN: what is accepted is a consistent position.

use chess::{CastlingMode, Position, Setup};

/// Reads a FEN. An accepted position round-trips through each of its texts, and its incremental key
/// is correct after every legal move.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(setup) = text.parse::<Setup>() {
        assert_eq!(setup.to_string().parse().as_ref(), Ok(&setup), "setup {text:?}");
    }
    let Ok(position) = text.parse::<Position>() else { return };
    for written in [position.to_string(), position.to_shredder_fen()] {
        assert_eq!(written.parse().as_ref(), Ok(&position), "{text:?} writes {written}");
    }
    assert_eq!(position.key(), position.key_from_scratch(), "{position}");
    let _ = (position.castling_mode(), position.outcome(), position.after_null_move());
    let moves = position.legal_moves();
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position}");
    for &m in &moves {
        assert!(position.is_legal(m), "{m:?} in {position}");
        let next = position.after(m);
        assert_eq!(next.key(), next.key_from_scratch(), "{m:?} in {position}");
        assert_eq!(next.to_string().parse().as_ref(), Ok(&next), "{m:?} in {position}");
        let uci = m.to_uci(&position, CastlingMode::Chess960);
        assert_eq!(uci.to_move(&position), Some(m), "{uci} in {position}");
    }
}
