//! Hostile texts.

use std::sync::Arc;

use chess::Position;
use store::{GameFilter, Job, NewGame, NewJob, Pace, ReviewJob, Secret, StoreError};

use crate::place::{LEVEL_3, Place, friendly, guest, read};
use crate::reviews::review;

const STRANGE: [&str; 6] = [
    "O'Hara",
    "\"; --",
    "$1 ? :x",
    "\u{1f3c6}\u{265e}",
    "\u{202e}lat",
    "Robert'); DROP TABLE users;",
];

pub async fn strange_names_are_kept_as_they_are(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("O'Hara").await.expect("a new name").id;
    for name in STRANGE {
        let game = NewGame::live(Position::default(), guest(name), guest(name));
        let id = store.create_game(game).await.expect("kept");
        let game = store.game(&id).await.expect("kept");
        assert_eq!((&*game.white.name(), &*game.black.name()), (name, name));
        let filter = GameFilter { player: Some(name.to_owned()), ..GameFilter::default() };
        assert_eq!(store.search(&filter, None, 10).await.expect("a page").games.len(), 1);
        store.put_review(&id, &review(name, name.into())).await.expect("kept");
        assert_eq!(store.review(&id, name).await.expect("kept").review.report, name);
        store.set_settings(user, name).await.expect("kept");
        assert_eq!(store.user(user).await.expect("he is there").settings, name);
    }
}

pub async fn nul_and_endless_names_are_refused(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Anna").await.expect("a new name").id;
    let endless = "x".repeat(1 << 20);
    let refused = |result: store::Result<()>| {
        assert!(matches!(result, Err(StoreError::Refused { .. })), "{result:?}");
    };
    let forty = "ж".repeat(40);
    store.create_user(&forty).await.expect("forty characters");
    let forty_one = forty + "ж";
    for name in ["", "  ", "a\0b", "a\nb", "a\u{7f}b", &*endless, &*forty_one] {
        refused(store.create_user(name).await.map(drop));
        refused(store.rename_user(user, name).await);
    }
    for name in ["", "a\0b", &*endless] {
        let game = NewGame::live(Position::default(), guest(name), LEVEL_3);
        refused(store.create_game(game).await.map(drop));
    }
    let id = store.create_game(friendly()).await.expect("kept");
    refused(store.set_settings(user, "\0").await);
    refused(store.put_review(&id, &review("\0", "{}".into())).await);
    refused(store.review(&id, "\0").await.map(drop));
    refused(store.user_by_name("\0").await.map(drop));
    let filter = GameFilter { player: Some("\0".to_owned()), ..GameFilter::default() };
    refused(store.search(&filter, None, 10).await.map(drop));
    let work = ReviewJob { game: id, pgn: "\0".to_owned(), nodes: 1 };
    let job = NewJob::new(Job::Review(work.clone()));
    let pushed = store.push_job(&job).await.expect("JSON has a way to write it");
    assert_eq!(store.job(pushed).await.expect("it is there").job, Job::Review(work));
    refused(store.push_job(&NewJob { once: Some("\0".to_owned()), ..job }).await.map(drop));
    let token = Secret::from("\0".to_owned());
    assert_eq!(store.session(&token).await.expect("asked"), None);
}

pub async fn statements_in_texts_are_texts(place: Arc<Place>) {
    let store = place.open().await;
    // Nothing in a PGN file stops an import.
    let pgn = format!(
        "[White \"a\0b\"]\n[Black \"{}\"]\n[Event \"'); DELETE FROM games; --\"]\n\n\
         1. e4 {{a\0b '); DROP TABLE games; --}} e5 1-0\n",
        "x".repeat(100_000)
    );
    let game = read(&pgn).remove(0);
    let imported = store.import(&mut [NewGame::imported(&game)].into_iter(), Pace::Fast).await;
    assert_eq!(imported.expect("imported").kept, 1);
    let page = store.games(&GameFilter::default(), None, 10).await.expect("a page");
    let again = page.games[0].to_game().expect("it replays");
    assert_eq!(again.tags, game.tags);
    assert_eq!(&*page.games[0].white.name(), "ab");
    assert_eq!(page.games[0].black.name().len(), 100);
    assert_eq!(again.to_string(), game.to_string().replacen("{ a\0b", "{ a\u{2400}b", 1));
}
