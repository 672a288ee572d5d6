//! Converts stored data to its JSON views.

use game::GameResult;
use game::live::End;
use store::{GameSummary, Player};
use wire::PlayerView;

pub(crate) fn player(player: &Player) -> PlayerView {
    let (level, rating) = match player {
        Player::Engine { level, rating } => (Some(*level), Some(*rating)),
        _ => (None, None),
    };
    let user = player.user().map(|user| user.0);
    PlayerView { name: player.name().into_owned(), user, level, rating }
}

pub(crate) fn opening(opening: &store::OpeningName) -> wire::Opening {
    wire::Opening { eco: opening.eco.clone(), name: opening.name.clone() }
}

pub(crate) fn status(end: Option<End>, waits: bool) -> wire::Status {
    if end.is_some() {
        wire::Status::Finished
    } else if waits {
        wire::Status::Waiting
    } else {
        wire::Status::Live
    }
}

pub(crate) fn summary(game: &GameSummary) -> wire::GameSummary {
    wire::GameSummary {
        id: game.id.to_string(),
        white: player(&game.white),
        black: player(&game.black),
        rules: game.variant,
        time: game.time_control.clone(),
        status: status(game.end, game.waits),
        source: game.source,
        played: game.played_at.0,
        plies: game.plies,
        result: game.end.map_or(GameResult::Unknown, End::result).as_str().to_owned(),
        opening: game.opening.as_ref().map(opening),
        reviewed: game.accuracies.map(|[white, black]| wire::Accuracies { white, black }),
    }
}

pub(crate) fn user(user: &store::User) -> wire::User {
    wire::User { id: user.id.0, name: user.name.clone(), created: user.created.0 }
}
