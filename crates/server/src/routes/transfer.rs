//! PGN import and export.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::Game;
use game::pgn::{ReadError, Reader, Remark};
use store::{Export, GameFilter, GameId, NewGame, Pace, UserId};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use wire::{ImportReport, ReadGame};

use crate::app::App;
use crate::extract::{Json, Path, Query, Text};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::routes::games::{SeatHeader, find};
use crate::routes::list::Wanted;
use crate::upload::{Cut, Upload, receive};
use crate::visitor::Visitor;

pub(super) const PGN: &str = "application/vnd.chess-pgn; charset=utf-8";

/// Maximum number of warnings, and of rejected games, to report individually.
const MOST_PROBLEMS: usize = 20;

/// Imports games from PGN while they arrive, one file at a time for each visitor. Duplicates are
/// counted and skipped; a damaged game is kept as far as it can be read, and doesn't stop the rest.
/// What was imported before an upload broke off stays: send the file again.
#[utoipa::path(post, path = "/api/games/import", tag = "games",
    request_body(content = String, content_type = "application/vnd.chess-pgn"),
    responses((status = 200, body = ImportReport), Problems))]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    request: Request,
) -> Result<Json<ImportReport>> {
    // Check access before receiving megabytes.
    let owner = match app.config.public() {
        Some(_) => Some(visitor.known()?.id),
        None => visitor.user_id(),
    };
    let largest = app.config.largest_import;
    if request.body().size_hint().lower() > largest as u64 {
        return Err(Cut::TooLarge.failure());
    }
    let turn = app.uploads.begin(visitor.owner())?;
    let (upload, feed) = receive(request.into_body(), largest);
    // Reading and parsing block a thread, which goes on to the end of what has arrived.
    let importing = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        Handle::current().block_on(read_all(&app, upload, owner))
    });
    let received = feed.await;
    let failed = |_| Failure::new(Kind::Internal, "the import failed");
    let report = importing.await.map_err(failed)??;
    received.map_err(|cut| {
        let Failure { kind, detail, .. } = cut.failure();
        Failure::new(kind, format!("{detail}; {} games were imported", report.imported))
    })?;
    Ok(Json(report))
}

/// Imports the games of an upload.
async fn read_all(app: &App, upload: Upload, owner: Option<UserId>) -> Result<ImportReport> {
    let mut games = ReadGames {
        reader: Reader::new(upload).games(),
        owner,
        first: GameId::random(),
        count: 0,
        remarked: 0,
        lost: 0,
        remarks: Vec::new(),
        problems: Vec::new(),
    };
    let imported = app.store.import(&mut games, Pace::Gentle).await?;
    Ok(ImportReport {
        imported: imported.kept as u32,
        known: imported.doubled as u32,
        remarked: games.remarked,
        lost: games.lost + imported.refused as u32,
        game: (games.count == 1 && imported.kept == 1).then(|| games.first.to_string()),
        remarks: games.remarks,
        problems: games.problems,
    })
}

/// The games of a file and their errors.
struct ReadGames {
    reader: game::pgn::Games<Upload>,
    owner: Option<UserId>,
    /// The id of the first game.
    first: GameId,
    count: u64,
    remarked: u32,
    lost: u32,
    remarks: Vec<String>,
    problems: Vec<String>,
}

impl Iterator for ReadGames {
    type Item = NewGame;

    fn next(&mut self) -> Option<NewGame> {
        loop {
            match self.reader.next()? {
                Ok(game) => {
                    let remarks = self.reader.remarks();
                    self.remarked += u32::from(!remarks.is_empty());
                    let room = MOST_PROBLEMS - self.remarks.len();
                    self.remarks.extend(remarks.iter().take(room).map(ToString::to_string));
                    let mut new = NewGame::imported(&game);
                    new.owner = self.owner;
                    new.id = (self.count == 0).then(|| self.first.clone());
                    self.count += 1;
                    return Some(new);
                }
                // The game at which the upload was cut is not whole.
                Err(ReadError::Io(_)) => return None,
                Err(error) => {
                    self.lost += 1;
                    if self.problems.len() < MOST_PROBLEMS {
                        self.problems.push(error.to_string());
                    }
                }
            }
        }
    }
}

/// Parses the first game of a PGN, with its variations, without storing it.
#[utoipa::path(post, path = "/api/pgn", tag = "positions",
    request_body(content = String, content_type = "application/vnd.chess-pgn"),
    responses((status = 200, body = ReadGame), Problems))]
pub(crate) async fn read(Text(pgn): Text) -> Result<Json<ReadGame>> {
    let (game, remarks) = first(&pgn)?;
    Ok(Json(ReadGame::new(&game, &remarks)))
}

/// The first game of a PGN, and what could not be read as written.
fn first(pgn: &[u8]) -> Result<(Game, Vec<Remark>)> {
    let none = || Failure::new(Kind::InvalidRequest, "the PGN contains no game");
    let lost = |error: ReadError| Failure::new(Kind::InvalidRequest, error.to_string());
    let mut games = Reader::new(pgn).games();
    let game = games.next().ok_or_else(none)?.map_err(lost)?;
    Ok((game, games.remarks().to_vec()))
}

/// A game as PGN.
#[utoipa::path(get, path = "/api/games/{id}/pgn", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 200, body = String, content_type = "application/vnd.chess-pgn"), Problems))]
pub(crate) async fn pgn(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Response> {
    let (stored, _) = find(&app, &visitor, &id).await?;
    let game = stored.to_game()?;
    Ok(([(header::CONTENT_TYPE, PGN)], game.to_string()).into_response())
}

/// Stores comments, glyphs, drawings and variations with a finished game. The PGN must have the
/// moves of the game; its tags and result are ignored. Only the players and the owner can.
#[utoipa::path(put, path = "/api/games/{id}/pgn", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    request_body(content = String, content_type = "application/vnd.chess-pgn"),
    responses((status = 204, description = "stored"), Problems))]
pub(crate) async fn annotate(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
    Text(pgn): Text,
) -> Result<StatusCode> {
    let (stored, access) = find(&app, &visitor, &id).await?;
    access.leave()?;
    let game = first(&pgn)?;
    app.store.annotate_game(&stored.id, &game.0).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// All matching games, as PGN.
#[utoipa::path(get, path = "/api/games/export", tag = "games", params(Wanted),
    responses((status = 200, body = String, content_type = "application/vnd.chess-pgn"), Problems))]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(wanted): Query<Wanted>,
) -> Result<Response> {
    let filter = wanted.filter(&app, &visitor)?;
    let (out, pieces) = mpsc::channel(4);
    tokio::spawn(write(app, filter, out));
    let body = Body::from_stream(ReceiverStream::new(pieces));
    let file = "attachment; filename=\"riga.pgn\"";
    Ok(([(header::CONTENT_TYPE, PGN), (header::CONTENT_DISPOSITION, file)], body).into_response())
}

/// Games per chunk.
const AT_ONCE: usize = 50;

/// Writes games until all are written or the client disconnects.
async fn write(
    app: Arc<App>,
    filter: GameFilter,
    out: mpsc::Sender<std::result::Result<Bytes, std::io::Error>>,
) {
    let mut games = Export::new(&*app.store, filter);
    let mut more = true;
    while more {
        let mut piece = String::new();
        for _ in 0..AT_ONCE {
            match games.next().await {
                Ok(Some(game)) => match game.to_game() {
                    Ok(game) => {
                        piece.push_str(&game.to_string());
                        piece.push('\n');
                    }
                    Err(error) => tracing::error!(%error, "failed to export a game"),
                },
                Ok(None) => {
                    more = false;
                    break;
                }
                Err(error) => {
                    tracing::error!(%error, "export failed");
                    // The client must notice that the export is incomplete.
                    let _ = out.send(Err(std::io::Error::other("export failed"))).await;
                    return;
                }
            }
        }
        if out.send(Ok(piece.into())).await.is_err() {
            return;
        }
    }
}
