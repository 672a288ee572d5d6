//! The ratings of the players of a game.

use std::sync::Arc;

use axum::extract::State;
use game::Glicko;
use store::{Player, Rated, RatingChange};
use wire::{GameRatings, PlayerRating};

use crate::app::App;
use crate::extract::{Json, Path};
use crate::openapi::Problems;
use crate::problem::Result;
use crate::routes::games::{SeatHeader, find};
use crate::visitor::Visitor;

/// The ratings of the players of a rated game, and how it changed them.
#[utoipa::path(get, path = "/api/games/{id}/ratings", tag = "games",
    params(("id" = String, Path, description = "The game id"), SeatHeader),
    responses((status = 200, body = GameRatings), Problems))]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<GameRatings>> {
    let (game, _) = find(&app, &visitor, &id).await?;
    if game.rated == Rated::No {
        return Ok(Json(GameRatings { white: None, black: None }));
    }
    let changes = app.store.rating_changes(&game.id).await?;
    Ok(Json(GameRatings {
        white: rating(&app, &game.white, &changes).await?,
        black: rating(&app, &game.black, &changes).await?,
    }))
}

async fn rating(
    app: &App,
    player: &Player,
    changes: &[RatingChange],
) -> Result<Option<PlayerRating>> {
    let whole = |rating: f64| rating.round().max(0.0) as u32;
    Ok(match player {
        Player::Guest { .. } => None,
        Player::Engine { rating, .. } => Some(PlayerRating { before: *rating, after: None }),
        Player::User { id, .. } => {
            let change = changes.iter().find(|change| change.user == *id);
            let before = match change {
                Some(change) => change.before,
                None => app.store.latest_rating(*id).await?.map(|latest| latest.after.rating),
            };
            Some(PlayerRating {
                before: whole(before.unwrap_or(Glicko::default().rating)),
                after: change.map(|change| whole(change.after)),
            })
        }
    })
}
