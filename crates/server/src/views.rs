//! From what is stored to what is told.

use chess::Color;
use engine::Level;
use store::{GameSummary, Player, Rules, Source, Visibility};
use wire::Side;

/// What the engine counts as in ratings when nothing limits it.
const FULL_STRENGTH: i32 = 3000;

pub(crate) fn player(player: &Player) -> wire::Player {
    let (level, rating) = match player {
        Player::Level { number, elo } => (Some(*number), u32::try_from(*elo).ok()),
        _ => (None, None),
    };
    let user = player.user().map(|user| user.0);
    wire::Player { name: player.name().into_owned(), user, level, rating }
}

/// The engine as a player.
pub(crate) fn engine_player(level: Level) -> Player {
    let elo = level.elo().map_or(FULL_STRENGTH, |elo| elo as i32);
    Player::Level { number: level.number(), elo }
}

pub(crate) fn rules(rules: Rules) -> wire::Rules {
    match rules {
        Rules::Standard => wire::Rules::Standard,
        Rules::Chess960 => wire::Rules::Chess960,
    }
}

pub(crate) fn stored_rules(rules: wire::Rules) -> Rules {
    match rules {
        wire::Rules::Standard => Rules::Standard,
        wire::Rules::Chess960 => Rules::Chess960,
    }
}

pub(crate) fn source(source: Source) -> wire::Source {
    match source {
        Source::Played => wire::Source::Played,
        Source::Imported => wire::Source::Imported,
    }
}

pub(crate) fn stored_source(source: wire::Source) -> Source {
    match source {
        wire::Source::Played => Source::Played,
        wire::Source::Imported => Source::Imported,
    }
}

pub(crate) fn visibility(visibility: Visibility) -> wire::Visibility {
    match visibility {
        Visibility::Private => wire::Visibility::Private,
        Visibility::Link => wire::Visibility::Link,
        Visibility::Public => wire::Visibility::Public,
    }
}

pub(crate) fn stored_visibility(visibility: wire::Visibility) -> Visibility {
    match visibility {
        wire::Visibility::Private => Visibility::Private,
        wire::Visibility::Link => Visibility::Link,
        wire::Visibility::Public => Visibility::Public,
    }
}

pub(crate) fn sides(colors: &[Color]) -> Vec<Side> {
    colors.iter().copied().map(Side::from).collect()
}

pub(crate) fn opening(opening: &store::OpeningName) -> wire::Opening {
    wire::Opening { eco: opening.eco.clone(), name: opening.name.clone() }
}

pub(crate) fn status(state: store::State, waits: bool) -> wire::Status {
    if !state.is_live() {
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
        rules: rules(game.rules),
        time: game.time_control.clone(),
        status: status(game.state, game.waits),
        source: source(game.source),
        played: game.played_at.0,
        plies: game.plies,
        result: game.state.result().text().to_owned(),
        opening: game.opening.as_ref().map(opening),
    }
}

pub(crate) fn user(user: &store::User) -> wire::User {
    wire::User { id: user.id.0, name: user.name.clone(), created: user.created.0 }
}
