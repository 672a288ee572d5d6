//! Positions: what stands where, and what can be played.

use chess::{FenError, Line, Position, SanError};
use game::Variant;
use wire::{Fault, PositionRequest, PositionView};

use crate::extract::Json;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};

/// The longest line that is read, in plies.
pub(crate) const LONGEST_LINE: usize = 1000;

/// A position, and what can be played there.
#[utoipa::path(post, path = "/api/positions", tag = "positions",
    request_body = PositionRequest,
    responses((status = 200, body = PositionView), Problems))]
pub(crate) async fn show(Json(request): Json<PositionRequest>) -> Result<Json<PositionView>> {
    Ok(Json(PositionView::new(&line(&request)?, request.rules)))
}

/// The line that a request is about.
pub(crate) fn line(request: &PositionRequest) -> Result<Line> {
    let mut line = Line::new(match &request.fen {
        Some(fen) => position(fen, request.rules)?,
        None => Position::default(),
    });
    if request.moves.len() > LONGEST_LINE {
        return Err(Failure::field(Kind::TooLarge, "moves", "there are more than 1000"));
    }
    for (ply, text) in request.moves.iter().enumerate() {
        play(&mut line, text, &format!("moves[{ply}]"))?;
    }
    Ok(line)
}

/// A position from FEN, under some rules.
pub(crate) fn position(fen: &str, variant: Variant) -> Result<Position> {
    let wrong = |detail: String| Failure::field(Kind::InvalidPosition, "fen", detail);
    let position: Position = fen
        .parse()
        .map_err(|error: FenError| wrong(error.to_string()).because(Fault::from(&error)))?;
    if variant == Variant::Standard && position.castling_mode() != variant.castling() {
        let detail =
            "king and rooks that can castle don't stand where they stand in standard chess";
        return Err(wrong(detail.to_owned()).because(Fault::new("not_standard", [])));
    }
    Ok(position)
}

/// Plays a move, given as UCI or SAN text in a field of a request.
pub(crate) fn play(line: &mut Line, text: &str, field: &str) -> Result<()> {
    let illegal = |detail: String| Failure::field(Kind::IllegalMove, field, detail);
    let wrong = |error: SanError| illegal(error.to_string()).because(Fault::from(&error));
    let m = line.position().parse_move(text).map_err(wrong)?;
    if let Some(outcome) = line.outcome() {
        let over = illegal(format!("the game is over: {outcome}"));
        return Err(over.because(Fault::new("game_over", [])));
    }
    line.play(m).map_err(|error| illegal(error.to_string()))
}
