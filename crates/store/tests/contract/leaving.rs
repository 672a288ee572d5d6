//! Deleting games: everyone for themselves, and with the last of them the game is gone.

use std::sync::Arc;

use chess::{Color, Outcome, Position, WinReason};
use game::Visibility;
use store::{
    GameFilter, GameId, Leaver, NewGame, Player, Secret, Store, StoreError, User, UserId, Version,
};

use crate::place::{LEVEL_3, Place, guest, line, player};

async fn people(store: &dyn Store) -> (User, User) {
    let anna = store.create_user("Anna").await.expect("a new name");
    (anna, store.create_user("Boris").await.expect("a new name"))
}

fn leaver(user: &User) -> Leaver {
    Leaver { user: Some(user.id), seats: Vec::new() }
}

/// Stores a game of two moves and ends it.
async fn played(store: &dyn Store, white: Player, black: Player, owner: Option<UserId>) -> GameId {
    let line = line("e4 e5");
    let game = NewGame { line, owner, ..NewGame::live(Position::default(), white, black) };
    over(store, game).await
}

async fn over(store: &dyn Store, game: NewGame) -> GameId {
    let id = store.create_game(game).await.expect("kept");
    let outcome = Outcome::Win(Color::White, WinReason::Resignation);
    store.finish(&id, Version::FIRST, Some(outcome), None).await.expect("it goes on");
    id
}

async fn leave(store: &dyn Store, id: &GameId, leaver: &Leaver) {
    store.leave_game(id, Version(2), leaver).await.expect("deleted");
}

async fn is_gone(store: &dyn Store, id: &GameId) -> bool {
    matches!(store.game(id).await, Err(StoreError::NotFound("game")))
}

/// The number of a user's games in lists and in the explorer.
async fn seen(store: &dyn Store, user: &User) -> (usize, u64) {
    let filter = GameFilter { user: Some(user.id), ..GameFilter::default() };
    let listed = store.search(&filter, None, 10).await.expect("a page").games.len();
    let key = line("e4").position().key();
    let explored = store.continuations(key, Some(user.id), None).await.expect("counted");
    (listed, explored.iter().map(|known| known.games).sum())
}

pub async fn a_game_is_gone_when_nobody_has_it_any_more(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let id = played(&*store, player(&anna), player(&boris), Some(anna.id)).await;
    assert_eq!((seen(&*store, &anna).await, seen(&*store, &boris).await), ((1, 1), (1, 1)));
    leave(&*store, &id, &leaver(&boris)).await;
    assert_eq!((seen(&*store, &anna).await, seen(&*store, &boris).await), ((1, 1), (0, 0)));
    // The result still counts.
    assert_eq!(store.statistics(boris.id, 9).await.expect("counted").all.lost, 1);
    assert!(!is_gone(&*store, &id).await);
    leave(&*store, &id, &leaver(&anna)).await;
    assert!(is_gone(&*store, &id).await);
    assert_eq!(
        store.continuations(line("e4").position().key(), None, None).await.expect("counted"),
        []
    );
}

pub async fn what_its_owner_deletes_is_not_shown_to_spectators(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let id = played(&*store, player(&anna), player(&boris), Some(anna.id)).await;
    store.set_visibility(&id, Visibility::Public).await.expect("set");
    leave(&*store, &id, &leaver(&boris)).await;
    assert_eq!(store.game(&id).await.expect("kept").visibility, Visibility::Public);
    let id = played(&*store, player(&boris), player(&anna), Some(anna.id)).await;
    store.set_visibility(&id, Visibility::Public).await.expect("set");
    leave(&*store, &id, &leaver(&anna)).await;
    assert_eq!(store.game(&id).await.expect("kept").visibility, Visibility::Private);
}

pub async fn a_guest_has_a_game_as_long_as_the_seat(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, _) = people(&*store).await;
    let secret = Secret::random();
    let mut game = NewGame::live(Position::default(), player(&anna), guest("Guest"));
    game.owner = Some(anna.id);
    game.seats.black = Some(secret.hash());
    let id = over(&*store, game.clone()).await;
    leave(&*store, &id, &leaver(&anna)).await;
    assert!(store.game(&id).await.expect("kept").seats.opens(&secret, Color::Black));
    leave(&*store, &id, &Leaver { user: None, seats: vec![Color::Black] }).await;
    assert!(is_gone(&*store, &id).await);
    // The guest is the first to go.
    let id = over(&*store, game.clone()).await;
    leave(&*store, &id, &Leaver { user: None, seats: vec![Color::Black] }).await;
    assert_eq!(store.game(&id).await.expect("kept").seats.black, None);
    leave(&*store, &id, &leaver(&anna)).await;
    assert!(is_gone(&*store, &id).await);
    // Nobody has accepted the invitation.
    game.seats.open = Some(Color::Black);
    let id = store.create_game(game).await.expect("kept");
    store.leave_game(&id, Version::FIRST, &leaver(&anna)).await.expect("deleted");
    assert!(is_gone(&*store, &id).await);
}

pub async fn games_of_one_person_are_gone_at_once(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, _) = people(&*store).await;
    for (white, black, owner, leaver) in [
        (player(&anna), LEVEL_3, Some(anna.id), leaver(&anna)),
        (guest("Tal"), guest("Larsen"), Some(anna.id), leaver(&anna)),
        (guest("Tal"), LEVEL_3, None, Leaver::default()),
    ] {
        let id = played(&*store, white, black, owner).await;
        leave(&*store, &id, &leaver).await;
        assert!(is_gone(&*store, &id).await);
    }
}

pub async fn a_game_is_rated_before_it_is_gone(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let mut game = NewGame::live(Position::default(), player(&anna), player(&boris));
    game.rated = true;
    let id = over(&*store, game).await;
    leave(&*store, &id, &leaver(&boris)).await;
    let refused = store.leave_game(&id, Version(2), &leaver(&anna)).await;
    assert!(matches!(refused, Err(StoreError::Unrated)), "{refused:?}");
    store.rate(&id, &[]).await.expect("noted");
    leave(&*store, &id, &leaver(&anna)).await;
    assert!(is_gone(&*store, &id).await);
}

pub async fn with_its_last_user_a_game_is_gone(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let id = played(&*store, player(&anna), player(&boris), Some(anna.id)).await;
    let kept = played(&*store, player(&anna), player(&boris), Some(anna.id)).await;
    leave(&*store, &id, &leaver(&boris)).await;
    store.delete_user(anna.id).await.expect("she is there");
    assert!(is_gone(&*store, &id).await);
    assert!(!is_gone(&*store, &kept).await);
}
