//! Rates the players of finished games.

use chess::Color;
use game::live::End;
use game::{Encounter, Glicko};
use store::{Player, StoredGame, UserId};

use crate::app::App;
use crate::problem::Result;

/// Rating deviation of a level. Its rating was measured, but against engines.
const LEVEL_DEVIATION: f64 = 60.0;

/// Rates all finished games that haven't been rated yet. Failures are retried after the next game
/// or at the next start.
pub(crate) async fn rate_finished(app: &App) {
    let _one_at_a_time = app.rating.lock().await;
    let games = match app.store.games_to_rate().await {
        Ok(games) => games,
        Err(error) => return tracing::error!(%error, "failed to list games to rate"),
    };
    for game in games {
        let rated = match game {
            Ok(game) => rate(app, &game).await,
            Err(error) => Err(error.into()),
        };
        if let Err(failure) = rated {
            tracing::error!(detail = failure.detail, "failed to rate a game");
        }
    }
}

async fn rate(app: &App, game: &StoredGame) -> Result<()> {
    let mut after = Vec::new();
    if let Some(End::Over(outcome)) = game.end {
        let white = standing(app, &game.white).await?;
        let black = standing(app, &game.black).await?;
        if let (Some(white), Some(black)) = (white, black) {
            let score = |color| match outcome.winner() {
                None => 0.5,
                Some(winner) => f64::from(u8::from(winner == color)),
            };
            after.extend(white.after(black, score(Color::White)));
            after.extend(black.after(white, score(Color::Black)));
        }
    }
    Ok(app.store.rate(&game.id, &after).await?)
}

/// A player and their current rating.
#[derive(Copy, Clone)]
struct Standing {
    user: Option<UserId>,
    rating: Glicko,
}

impl Standing {
    fn after(self, other: Self, score: f64) -> Option<(UserId, Glicko)> {
        let Glicko { rating, deviation, .. } = other.rating;
        Some((self.user?, self.rating.after(&[Encounter { rating, deviation, score }])))
    }
}

/// The rating of a player, if they can have one.
async fn standing(app: &App, player: &Player) -> Result<Option<Standing>> {
    Ok(match player {
        Player::Guest { .. } => None,
        Player::Engine { rating, .. } => {
            let rating = Glicko {
                rating: f64::from(*rating),
                deviation: LEVEL_DEVIATION,
                ..Glicko::default()
            };
            Some(Standing { user: None, rating })
        }
        Player::User { id, .. } => {
            let latest = app.store.latest_rating(*id).await?;
            let rating = latest.map_or_else(Glicko::default, |latest| latest.after);
            Some(Standing { user: Some(*id), rating })
        }
    })
}
