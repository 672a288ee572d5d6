//! Positions and their legal moves.

use chess::{FenError, Line, Position, SanError, Setup};
use game::Variant;
use wire::{Fault, PositionRequest, PositionView, SetupRequest, SetupView};

use crate::extract::Json;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};

/// Maximum length of a line in plies.
pub(crate) const LONGEST_LINE: usize = 1000;

/// Maximum length of a move's text to repeat in an error, in characters.
const LONGEST_SHOWN: usize = 20;

/// A position and its legal moves.
#[utoipa::path(post, path = "/api/positions", tag = "positions",
    request_body = PositionRequest,
    responses((status = 200, body = PositionView), Problems))]
pub(crate) async fn show(Json(request): Json<PositionRequest>) -> Result<Json<PositionView>> {
    Ok(Json(PositionView::new(&line(&request)?, request.rules)))
}

/// What a board that is being set up allows.
#[utoipa::path(post, path = "/api/setups", tag = "positions",
    request_body = SetupRequest,
    responses((status = 200, body = SetupView), Problems))]
pub(crate) async fn set_up(Json(request): Json<SetupRequest>) -> Result<Json<SetupView>> {
    let setup: Setup = request.board.parse().map_err(|error| {
        let error = FenError::Unreadable(error);
        Failure::field(Kind::InvalidPosition, "board", error.to_string())
            .because(Fault::from(&error))
    })?;
    Ok(Json(setup.into()))
}

/// The line of a request.
pub(crate) fn line(request: &PositionRequest) -> Result<Line> {
    let mut line = Line::new(match &request.fen {
        Some(fen) => position(fen, request.rules)?,
        None => Position::default(),
    });
    if request.moves.len() > LONGEST_LINE {
        let detail = format!("a line has at most {LONGEST_LINE} plies");
        return Err(Failure::field(Kind::TooLarge, "moves", detail));
    }
    for (ply, text) in request.moves.iter().enumerate() {
        play(&mut line, text, &format!("moves[{ply}]"))?;
    }
    Ok(line)
}

/// Parses a FEN for a variant.
pub(crate) fn position(fen: &str, variant: Variant) -> Result<Position> {
    let wrong = |detail: String| Failure::field(Kind::InvalidPosition, "fen", detail);
    let position: Position = fen
        .parse()
        .map_err(|error: FenError| wrong(error.to_string()).because(Fault::from(&error)))?;
    if variant == Variant::Standard && position.castling_mode() != variant.castling() {
        let detail = "the king or a castling rook is not on its standard square; choose Chess960";
        return Err(wrong(detail.to_owned()).because(Fault::new("not_standard", [])));
    }
    Ok(position)
}

/// Plays a move, given as UCI or SAN in a field of a request.
pub(crate) fn play(line: &mut Line, text: &str, field: &str) -> Result<()> {
    let number = line.position().move_number();
    let shown: String = text.chars().take(LONGEST_SHOWN).collect();
    let illegal =
        |why: String| Failure::field(Kind::IllegalMove, field, format!("{number} {shown}: {why}"));
    let wrong = |error: SanError| illegal(error.to_string()).because(Fault::from(&error));
    let m = line.position().parse_move(text).map_err(wrong)?;
    if let Some(outcome) = line.outcome() {
        let over = illegal(format!("the game is over: {outcome}"));
        return Err(over.because(Fault::new("game_over", [])));
    }
    line.play(m).map_err(|error| illegal(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_illegal_move_is_named_by_its_number_and_not_by_its_field() {
        let moves = ["e4", "e5", "Nf3", "Ke3"].map(str::to_owned).to_vec();
        let failure = line(&PositionRequest { moves, ..PositionRequest::default() }).unwrap_err();
        assert_eq!(failure.detail, "2... Ke3: not a legal move here");
        assert_eq!(failure.fields[0].name, "moves[3]");
    }
}
