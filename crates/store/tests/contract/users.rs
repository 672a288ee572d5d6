//! Users.

use std::sync::Arc;

use chess::Position;
use store::{NewGame, Player, StoreError, UserId};

use crate::place::{LEVEL_3, Place, friendly, player};

pub async fn a_user_is_kept_and_found(place: Arc<Place>) {
    let store = place.open().await;
    let tal = store.create_user("  Mikhail Tal ").await.expect("a new name");
    assert_eq!((tal.name.as_str(), tal.settings.as_str()), ("Mikhail Tal", "{}"));
    let botvinnik = store.create_user("Botvinnik").await.expect("a new name");
    assert_eq!(store.user(tal.id).await.expect("he is there"), tal);
    assert_eq!(store.user_by_name("MIKHAIL tal").await.expect("he is there"), tal);
    assert_eq!(store.users().await.expect("a list"), [botvinnik, tal]);
}

pub async fn a_name_is_taken_in_any_case(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Ärger").await.expect("a new name");
    let other = store.create_user("Other").await.expect("a new name");
    for name in ["Ärger", "ÄRGER", " ärger"] {
        let taken = store.create_user(name).await;
        assert!(matches!(taken, Err(StoreError::Taken(_))), "{taken:?}");
        let taken = store.rename_user(other.id, name).await;
        assert!(matches!(taken, Err(StoreError::Taken(_))), "{taken:?}");
    }
    store.rename_user(user.id, "ÄRGER").await.expect("it is one's own");
    store.delete_user(user.id).await.expect("he is there");
    let again = store.create_user("ärger").await.expect("the name is free");
    assert!(again.id > user.id, "a number is not given twice");
}

pub async fn a_renamed_user_has_the_new_name_in_all_games(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let white = NewGame::live(Position::default(), player(&user), LEVEL_3);
    let black = NewGame::live(Position::default(), LEVEL_3, player(&user));
    let white = store.create_game(white).await.expect("kept");
    let black = store.create_game(black).await.expect("kept");
    store.rename_user(user.id, "Mikhail").await.expect("a new name");
    let renamed = Player::User { id: user.id, name: "Mikhail".to_owned() };
    assert_eq!(store.game(&white).await.expect("kept").white, renamed);
    assert_eq!(store.game(&black).await.expect("kept").black, renamed);
    let filter = store::GameFilter { player: Some("mikh".to_owned()), ..Default::default() };
    assert_eq!(store.search(&filter, None, 10).await.expect("a page").games.len(), 2);
}

pub async fn a_deleted_user_leaves_games_with_a_name(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let mut game = NewGame::live(Position::default(), player(&user), LEVEL_3);
    game.owner = Some(user.id);
    let id = store.create_game(game).await.expect("kept");
    store.delete_user(user.id).await.expect("he is there");
    let game = store.game(&id).await.expect("it stays");
    assert_eq!(game.white, Player::Guest { name: "Misha".to_owned() });
    assert_eq!((game.black, game.owner), (LEVEL_3, None));
}

pub async fn settings_are_kept(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let json = r#"{"board": "brown", "pieces": "♞"}"#;
    store.set_settings(user.id, json).await.expect("kept");
    let user = store.user(user.id).await.expect("he is there");
    assert_eq!((user.settings.as_str(), user.has_password), (json, false));
}

pub async fn who_is_not_there_is_not_found(place: Arc<Place>) {
    let store = place.open().await;
    let nobody = UserId(4711);
    let missing = |result: store::Result<()>| {
        assert!(matches!(result, Err(StoreError::NotFound("user"))), "{result:?}");
    };
    missing(store.user(nobody).await.map(drop));
    missing(store.user_by_name("nobody").await.map(drop));
    missing(store.rename_user(nobody, "somebody").await);
    missing(store.delete_user(nobody).await);
    missing(store.set_settings(nobody, "{}").await);
    missing(store.password_hash(nobody).await.map(drop));
    let mut game = friendly();
    game.owner = Some(nobody);
    missing(store.create_game(game).await.map(drop));
}

pub async fn names_that_look_the_same_clash(place: Arc<Place>) {
    let store = place.open().await;
    let mali = store.create_user("Mali").await.expect("a new name");
    let other = store.create_user("Other").await.expect("a new name");
    for name in ["MaIi", "Ma1i", "ＭＡＬＩ"] {
        assert!(store.is_taken(name).await.expect("asked"), "{name}");
        let taken = store.create_user(name).await;
        assert!(matches!(taken, Err(StoreError::Taken(_))), "{taken:?}");
        let taken = store.rename_user(other.id, name).await;
        assert!(matches!(taken, Err(StoreError::Taken(_))), "{taken:?}");
    }
    assert!(!store.is_taken("Malo").await.expect("asked"));
    store.rename_user(mali.id, "MaIi").await.expect("it is one's own");
    for name in ["\u{202e}lat", "Mi\u{200b}sha", "\u{41c}isha"] {
        let refused = store.create_user(name).await;
        assert!(matches!(refused, Err(StoreError::Refused { what: "name", .. })), "{refused:?}");
    }
}

pub async fn users_of_an_earlier_version_keep_their_names(place: Arc<Place>) {
    let store = place.open().await;
    for name in ["Mali", "Other"] {
        store.create_user(name).await.expect("a new name");
    }
    store.close().await;
    place.tamper("UPDATE users SET skeleton = NULL").await;
    place.tamper("UPDATE users SET name = 'MaIi', folded = 'maii' WHERE name = 'Other'").await;
    let store = place.open().await;
    assert_eq!(store.user_by_name("mali").await.expect("she is there").name, "Mali");
    assert_eq!(store.user_by_name("maii").await.expect("he is there").name, "MaIi");
    assert!(matches!(store.create_user("Ma1i").await, Err(StoreError::Taken(_))));
}
