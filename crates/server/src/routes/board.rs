//! The plain position service: a board to set up, move and search on, one per visitor.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use engine::Question;
use wire::{
    AnalysedLine, BoardMove, BoardPosition, BoardSearch, BoardState, PositionView, SearchResult,
};

use crate::app::App;
use crate::boards::Board;
use crate::chance::random;
use crate::extract::Json;
use crate::openapi::Problems;
use crate::pool::Owner;
use crate::problem::{Failure, Kind, Result};
use crate::queue::Work;
use crate::routes::position;
use crate::task::{Task, elo, limits};
use crate::visitor::Visitor;

/// Default search time.
const USUAL: Duration = Duration::from_secs(1);

/// Maximum search time.
const LONGEST: Duration = Duration::from_secs(30);

/// The current board.
#[utoipa::path(get, path = "/api/board", tag = "board",
    responses((status = 200, body = BoardState), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
) -> Result<Json<BoardState>> {
    Ok(Json(state(&app.boards.get(&owner(&app, &visitor)?))))
}

/// Sets up a position.
#[utoipa::path(post, path = "/api/board/position", tag = "board",
    request_body = BoardPosition,
    responses((status = 200, body = BoardState), Problems))]
pub(crate) async fn set_up(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Json(request): Json<BoardPosition>,
) -> Result<Json<BoardState>> {
    let position = position::position(&request.fen, request.rules)?;
    change(&app, &visitor, |board| {
        *board = Board { variant: request.rules, line: chess::Line::new(position) };
        Ok(())
    })
}

/// Plays a move.
#[utoipa::path(post, path = "/api/board/move", tag = "board",
    request_body = BoardMove,
    responses((status = 200, body = BoardState), Problems))]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Json(request): Json<BoardMove>,
) -> Result<Json<BoardState>> {
    change(&app, &visitor, |board| {
        if board.line.len() >= position::LONGEST_LINE {
            let detail = format!("the game already has {} plies", position::LONGEST_LINE);
            return Err(Failure::new(Kind::TooLarge, detail));
        }
        position::play(&mut board.line, &request.text, "move")
    })
}

/// Resets to the start position.
#[utoipa::path(post, path = "/api/board/reset", tag = "board",
    responses((status = 200, body = BoardState), Problems))]
pub(crate) async fn reset(
    State(app): State<Arc<App>>,
    visitor: Visitor,
) -> Result<Json<BoardState>> {
    change(&app, &visitor, |board| {
        *board = Board::default();
        Ok(())
    })
}

/// Searches for a move. The board doesn't change.
#[utoipa::path(post, path = "/api/board/search", tag = "board",
    request_body = BoardSearch,
    responses((status = 200, body = SearchResult), Problems))]
pub(crate) async fn search(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Json(request): Json<BoardSearch>,
) -> Result<Json<SearchResult>> {
    let owner = owner(&app, &visitor)?;
    let board = app.boards.get(&owner);
    if let Some(outcome) = board.line.outcome() {
        return Err(Failure::new(Kind::NothingToSay, format!("the game is over: {outcome}")));
    }
    let meter = Some(app.budgets.meter(&owner)?);
    let longest = app.config.public().map_or(LONGEST, |public| public.longest_analysis);
    let limits = limits(request.limits, Some(USUAL), longest)?;
    let question = Question::new(board.line.clone()).limits(limits);
    let question = match request.level {
        Some(level) => question.player(elo(level), Some(random())),
        None => question,
    };
    let task = Task { question, work: Work::Analysis, meter };
    let mut search = app.pool.search(&owner, task)?;
    let answer = (&mut search.done).await;
    let failed = |detail: String| Failure::new(Kind::Busy, detail);
    let verdict = answer.map_err(|_| failed("the engine is shutting down".to_owned()))?;
    let verdict = verdict.map_err(failed)?;
    let position = board.line.position();
    let lines = verdict.lines.iter();
    let lines: Vec<AnalysedLine> =
        lines.map(|report| AnalysedLine::new(report, position, board.variant)).collect();
    Ok(Json(SearchResult {
        best: verdict.best.to_uci(position, board.variant.castling()).to_string(),
        san: position.san(verdict.best).to_string(),
        score: lines.first().map(|line| line.score),
        lines,
    }))
}

/// A local server has one board per profile and one for visitors without; a public server has one
/// per account.
fn owner(app: &App, visitor: &Visitor) -> Result<Owner> {
    if app.config.public().is_some() {
        visitor.known()?;
    }
    Ok(visitor.owner())
}

fn change(
    app: &App,
    visitor: &Visitor,
    change: impl FnOnce(&mut Board) -> Result<()>,
) -> Result<Json<BoardState>> {
    Ok(Json(state(&app.boards.change(&owner(app, visitor)?, change)?)))
}

fn state(board: &Board) -> BoardState {
    let played = wire::PlayedMove::all(&board.line, &[], board.variant);
    BoardState {
        rules: board.variant,
        start: board.line.start().to_string(),
        played: played.into_iter().map(|played| played.uci).collect(),
        position: PositionView::new(&board.line, board.variant),
    }
}
