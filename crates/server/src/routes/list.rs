//! Lists of games.

#![expect(unused_qualifications, reason = "utoipa writes them")]

use std::sync::Arc;

use axum::extract::State;
use game::{GameResult, Level, Source, Speed, Variant};
use serde::Deserialize;
use store::{GameFilter, GameOrder, Timestamp};
use utoipa::IntoParams;
use wire::GamePage;

use crate::app::App;
use crate::extract::{Json, Query};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::routes::position;
use crate::views;
use crate::visitor::Visitor;

/// How many games a page has if nothing is said.
const USUAL: u16 = 50;

/// Which games; those that fit all that is said.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// Games that everybody may see, instead of one's own.
    #[serde(default)]
    #[param(default = false)]
    public: bool,
    /// Part of a player's name.
    #[param(max_length = 100)]
    player: Option<String>,
    /// The start of the opening's code, such as `B9`.
    #[param(max_length = 3)]
    eco: Option<String>,
    /// Part of the opening's name.
    #[param(max_length = 100)]
    opening: Option<String>,
    /// The result, as PGN has it.
    #[param(inline, example = "1-0")]
    result: Option<GameResult>,
    /// Played on this day or later, such as `1960.05.07`.
    #[param(max_length = 10)]
    from: Option<String>,
    /// Played before this day.
    #[param(max_length = 10)]
    until: Option<String>,
    /// Where they come from.
    source: Option<Source>,
    /// How fast they were.
    #[param(inline)]
    speed: Option<Speed>,
    /// Against the engine of this level.
    #[param(value_type = Option<u8>, minimum = 1, maximum = 10)]
    level: Option<Level>,
    /// Through this position, as FEN.
    #[param(max_length = 200)]
    position: Option<String>,
    /// Only those that are over, or only those that are not.
    finished: Option<bool>,
    /// The oldest first.
    #[serde(default)]
    #[param(default = false)]
    oldest: bool,
    /// Where the page before ended: its `next`.
    #[param(max_length = 60)]
    after: Option<String>,
    /// How many.
    #[param(minimum = 1, maximum = 200, default = 50)]
    most: Option<u16>,
}

impl Wanted {
    /// What the store is to look for, for a visitor. One sees one's own games, or public ones; on
    /// a local server who has no profile sees all.
    pub fn filter(&self, app: &App, visitor: &Visitor) -> Result<GameFilter> {
        let user = match (self.public, app.config.public()) {
            (true, _) => None,
            (false, Some(_)) => Some(visitor.known()?.id),
            (false, None) => visitor.user_id(),
        };
        for (name, text, most) in
            [("player", &self.player, 100), ("opening", &self.opening, 100), ("eco", &self.eco, 3)]
        {
            if text.as_ref().is_some_and(|text| text.chars().count() > most) {
                let detail = format!("it has more than {most} characters");
                return Err(Failure::field(Kind::InvalidRequest, name, detail));
            }
        }
        let position = self.position.as_deref();
        // Any castling that FEN can say is one that games may have.
        let position =
            position.map(|fen| position::position(fen, Variant::Chess960)).transpose()?;
        Ok(GameFilter {
            user,
            public: self.public,
            player: self.player.clone(),
            eco: self.eco.clone(),
            opening: self.opening.clone(),
            result: self.result,
            from: day("from", self.from.as_deref())?,
            until: day("until", self.until.as_deref())?,
            source: self.source,
            speed: self.speed,
            level: self.level,
            position: position.map(|position| position.key()),
            finished: self.finished,
            order: if self.oldest { GameOrder::Oldest } else { GameOrder::Newest },
        })
    }
}

fn day(name: &str, text: Option<&str>) -> Result<Option<Timestamp>> {
    let Some(text) = text else { return Ok(None) };
    let wrong = || Failure::field(Kind::InvalidRequest, name, "it is no day such as 1960.05.07");
    Ok(Some(Timestamp::from_pgn_date(text).ok_or_else(wrong)?))
}

/// Lists one's own games, or public ones.
#[utoipa::path(get, path = "/api/games", tag = "games", params(Wanted),
    responses((status = 200, body = GamePage), Problems))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(wanted): Query<Wanted>,
) -> Result<Json<GamePage>> {
    let filter = wanted.filter(&app, &visitor)?;
    let after = wanted.after.as_deref().map(str::parse).transpose()?;
    let most = wanted.most.unwrap_or(USUAL);
    if !(1..=200).contains(&most) {
        return Err(Failure::field(Kind::InvalidRequest, "most", "allowed are 1 to 200"));
    }
    let page = app.store.search(&filter, after, most.into()).await?;
    Ok(Json(GamePage {
        games: page.games.iter().map(views::summary).collect(),
        next: page.next.map(|next| next.to_string()),
    }))
}
