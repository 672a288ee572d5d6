//! SAN and UCI: what is accepted is a legal move, and its texts parse to the same move.

use chess::{CastlingMode, Move, Position, UciMove};

/// Reads a FEN from the first line and moves in SAN from the others. Each valid move is played.
pub fn san(data: &[u8]) {
    play(data, |text, position| position.parse_san(text).ok());
}

/// Reads a FEN from the first line and moves in UCI notation from the others. Each valid move is
/// played.
pub fn uci_move(data: &[u8]) {
    play(data, |text, position| {
        let uci: UciMove = text.parse().ok()?;
        assert_eq!(uci.to_string().parse(), Ok(uci), "{text:?}");
        uci.to_move(position)
    });
}

fn play(data: &[u8], find: fn(&str, &Position) -> Option<Move>) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let Ok(mut position) = lines.next().unwrap_or_default().parse::<Position>() else { return };
    for line in lines {
        let Some(m) = find(line, &position) else { continue };
        check(m, &position, line);
        position.play_unchecked(m);
    }
}

fn check(m: Move, position: &Position, text: &str) {
    assert!(position.is_legal(m), "{text:?} is {m:?} in {position}");
    let listed = position.legal_moves().contains(&m);
    assert!(listed, "{text:?} is {m:?} in {position}, which no generator makes");
    let san = position.san(m).to_string();
    assert_eq!(position.parse_san(&san), Ok(m), "{san} in {position}");
    let uci = m.to_uci(position, CastlingMode::Chess960).to_string();
    let read = uci.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position));
    assert_eq!(read, Some(m), "{uci} in {position}");
    if position.castling_mode() == CastlingMode::Standard {
        let uci = m.to_uci(position, CastlingMode::Standard);
        assert_eq!(uci.to_move(position), Some(m), "{uci} in {position}");
    }
}
