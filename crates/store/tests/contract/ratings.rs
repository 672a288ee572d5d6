//! Ratings.

use std::sync::Arc;

use chess::{Color, Outcome, WinReason};
use game::{Encounter, Glicko};
use store::{GameId, Leaver, Rated, RatingChange, Store, StoreError, UserId, Version};

use crate::place::{Place, friendly};

async fn finished(store: &dyn Store) -> GameId {
    let mut game = friendly();
    game.rated = true;
    let id = store.create_game(game).await.expect("kept");
    let outcome = Outcome::Win(Color::White, WinReason::Resignation);
    store.finish(&id, Version::FIRST, Some(outcome), None).await.expect("it goes on");
    id
}

pub async fn ratings_follow_each_other_and_a_game_counts_once(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name").id;
    assert_eq!(store.latest_rating(user).await.expect("asked"), None);
    let mut rating = Glicko::default();
    let mut games = Vec::new();
    for _ in 0..3 {
        let id = finished(&*store).await;
        let due = store.games_to_rate().await.expect("a list");
        let due = due.into_iter().map(|game| game.expect("it is whole").id).collect::<Vec<_>>();
        assert_eq!(due, std::slice::from_ref(&id));
        rating = rating.after(&[Encounter { rating: 1800.0, deviation: 40.0, score: 1.0 }]);
        store.rate(&id, &[(user, rating)]).await.expect("noted");
        assert_eq!(store.game(&id).await.expect("kept").rated, Rated::Done);
        games.push((id, rating));
    }
    store.rate(&games[0].0, &[(user, Glicko::default())]).await.expect("ignored");
    let history = store.rating_history(user).await.expect("a list");
    let noted: Vec<_> = history.iter().map(|r| (r.game.clone(), r.after)).collect();
    assert_eq!(noted, games.iter().map(|(id, r)| (Some(id.clone()), *r)).collect::<Vec<_>>());
    assert_eq!(store.latest_rating(user).await.expect("asked").as_ref(), history.last());
    let before = [None, Some(games[0].1.rating), Some(games[1].1.rating)];
    for ((id, after), before) in games.iter().zip(before) {
        let changes = store.rating_changes(id).await.expect("a list");
        assert_eq!(changes, [RatingChange { user, before, after: after.rating }]);
    }
    store.leave_game(&games[2].0, Version(2), &Leaver::default()).await.expect("it is there");
    let latest = store.latest_rating(user).await.expect("asked").expect("rated");
    assert_eq!((latest.game, latest.after), (None, rating));
    store.delete_user(user).await.expect("he is there");
    assert_eq!(store.rating_history(user).await.expect("a list"), []);
}

pub async fn a_rating_of_nobody_leaves_the_game_due(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name").id;
    let id = finished(&*store).await;
    let both = [(user, Glicko::default()), (UserId(4711), Glicko::default())];
    let nobody = store.rate(&id, &both).await;
    assert!(matches!(nobody, Err(StoreError::NotFound("user"))), "{nobody:?}");
    assert_eq!(store.rating_history(user).await.expect("a list"), []);
    assert_eq!(store.games_to_rate().await.expect("a list").len(), 1);
}

pub async fn a_game_with_moves_taken_back_or_not_over_does_not_count(place: Arc<Place>) {
    let store = place.open().await;
    let mut game = friendly();
    game.rated = true;
    let id = store.create_game(game).await.expect("kept");
    assert!(store.games_to_rate().await.expect("a list").is_empty());
    let e4 = chess::Position::default().parse_san("e4").expect("legal");
    let version = store.append(&id, Version::FIRST, &store::Played::new(e4)).await.expect("kept");
    let version = store.take_back(&id, version, 1, None).await.expect("taken back");
    let outcome = Outcome::Win(Color::White, WinReason::Resignation);
    store.finish(&id, version, Some(outcome), None).await.expect("it goes on");
    assert!(store.games_to_rate().await.expect("a list").is_empty());
}
