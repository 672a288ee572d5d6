//! What is known about a position: names, books, tablebases, games.

#![expect(unused_qualifications, reason = "utoipa writes them")]

use std::sync::Arc;

use axum::extract::State;
use chess::{Line, Position};
use engine::tablebase::{RootMove, TableWdl};
use game::{Level, Variant};
use serde::Deserialize;
use utoipa::IntoParams;
use wire::{
    BookMove, LevelView, NamedOpening, NextMove, Opening, PositionGames, TableVerdict, Tablebase,
    TablebaseMove,
};

use crate::app::App;
use crate::extract::{Json, Query};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::routes::position;
use crate::visitor::Visitor;

/// How many openings a search gives.
const MOST_OPENINGS: usize = 100;

/// A position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    /// As FEN; the start position if absent.
    #[param(max_length = 200)]
    fen: Option<String>,
    /// The rules.
    #[serde(default)]
    #[param(inline)]
    rules: Variant,
}

impl About {
    fn position(&self) -> Result<Position> {
        match &self.fen {
            Some(fen) => position::position(fen, self.rules),
            None => Ok(Position::default()),
        }
    }
}

/// The levels at which the engine plays.
#[utoipa::path(get, path = "/api/levels", tag = "explorer",
    responses((status = 200, body = Vec<LevelView>), Problems))]
pub(crate) async fn levels() -> Json<Vec<LevelView>> {
    Json(Level::all().map(LevelView::from).collect())
}

/// Part of a name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningSearch {
    /// Part of the name, in any case, or the start of the code.
    #[param(max_length = 100)]
    name: String,
}

/// Openings by name or code, at most a hundred.
#[utoipa::path(get, path = "/api/openings", tag = "explorer", params(OpeningSearch),
    responses((status = 200, body = Vec<NamedOpening>), Problems))]
pub(crate) async fn openings(
    Query(search): Query<OpeningSearch>,
) -> Result<Json<Vec<NamedOpening>>> {
    let wanted = search.name.trim().to_lowercase();
    if wanted.is_empty() {
        return Err(Failure::field(Kind::InvalidRequest, "name", "it is empty"));
    }
    let fits = |opening: &game::Opening| {
        opening.name.to_lowercase().contains(&wanted)
            || opening.eco.to_lowercase().starts_with(&wanted)
    };
    let found = game::Openings::table().filter(fits).take(MOST_OPENINGS);
    let named = found
        .map(|opening| NamedOpening { moves: opening.moves.to_owned(), opening: opening.into() });
    Ok(Json(named.collect()))
}

/// The name of a position; null if it has none.
#[utoipa::path(get, path = "/api/opening", tag = "explorer", params(About),
    responses((status = 200, body = Option<Opening>), Problems))]
pub(crate) async fn opening(
    State(app): State<Arc<App>>,
    Query(about): Query<About>,
) -> Result<Json<Option<Opening>>> {
    Ok(Json(app.openings.name(&about.position()?).map(Opening::from)))
}

/// The moves of the opening book, the heaviest first.
#[utoipa::path(get, path = "/api/book", tag = "explorer", params(About),
    responses((status = 200, body = Vec<BookMove>), Problems))]
pub(crate) async fn book(
    State(app): State<Arc<App>>,
    Query(about): Query<About>,
) -> Result<Json<Vec<BookMove>>> {
    let position = about.position()?;
    let moves = app.book.moves(&position);
    let told = moves.iter().map(|known| BookMove {
        uci: known.m.to_uci(&position, about.rules.castling()).to_string(),
        san: position.san(known.m).to_string(),
        weight: known.weight,
    });
    Ok(Json(told.collect()))
}

/// What endgame tables say; null if they don't have the position.
#[utoipa::path(get, path = "/api/tablebase", tag = "explorer", params(About),
    responses((status = 200, body = Option<Tablebase>), Problems))]
pub(crate) async fn tablebase(
    State(app): State<Arc<App>>,
    Query(about): Query<About>,
) -> Result<Json<Option<Tablebase>>> {
    let line = Line::new(about.position()?);
    let (app, probed) = (Arc::clone(&app), line.clone());
    // Tables are files.
    let answer = tokio::task::spawn_blocking(move || app.tables.probe_root(&probed)).await;
    let failed = |_| Failure::new(Kind::Internal, "the tables can't be read");
    let Ok(moves) = answer.map_err(failed)? else { return Ok(Json(None)) };
    let Some(best) = moves.first() else { return Ok(Json(None)) };
    let position = line.position();
    let told = moves.iter().map(|known| TablebaseMove {
        uci: known.m.to_uci(position, about.rules.castling()).to_string(),
        san: position.san(known.m).to_string(),
        verdict: verdict(known),
        zeroing: known.dtz.map(i32::unsigned_abs),
    });
    Ok(Json(Some(Tablebase { verdict: verdict(best), moves: told.collect() })))
}

const fn verdict(known: &RootMove) -> TableVerdict {
    match known.wdl {
        TableWdl::Win => TableVerdict::Win,
        TableWdl::CursedWin => TableVerdict::CursedWin,
        TableWdl::Draw => TableVerdict::Draw,
        TableWdl::BlessedLoss => TableVerdict::BlessedLoss,
        TableWdl::Loss => TableVerdict::Loss,
    }
}

/// What was played in a position, in the visitor's games.
#[utoipa::path(get, path = "/api/explorer", tag = "explorer", params(About),
    responses((status = 200, body = PositionGames), Problems))]
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(about): Query<About>,
) -> Result<Json<PositionGames>> {
    let position = about.position()?;
    if app.config.public().is_some() {
        visitor.known()?;
    }
    let found = app.store.continuations(position.key(), visitor.user_id()).await?;
    let told = found.iter().filter_map(|next| {
        // Keys of two positions may be the same, once in a blue moon.
        let m = next.m.filter(|&m| position.is_legal(m))?;
        Some(NextMove {
            uci: m.to_uci(&position, about.rules.castling()).to_string(),
            san: position.san(m).to_string(),
            white: next.white_wins as u32,
            drawn: next.draws as u32,
            black: next.black_wins as u32,
        })
    });
    Ok(Json(PositionGames { moves: told.collect() }))
}
