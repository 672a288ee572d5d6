//! Sessions.

use std::sync::Arc;
use std::time::Duration;

use store::{Secret, StoreError, UserId};

use crate::place::Place;

const HOUR: Duration = Duration::from_hours(1);

pub async fn a_session_is_found_until_it_expires(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let (token, session) = store.create_session(user.id, HOUR).await.expect("signed in");
    assert_eq!(store.session(&token).await.expect("asked"), Some(session.clone()));
    assert_eq!(session.expires.since(session.created), HOUR);
    assert!(session.csrf.as_str().len() >= 43 && session.csrf != token);
    let (late, _) = store.create_session(user.id, Duration::ZERO).await.expect("signed in");
    assert_eq!(store.session(&late).await.expect("asked"), None);
    assert_eq!(store.purge_sessions().await.expect("purged"), 1);
    assert_eq!(store.session(&token).await.expect("asked"), Some(session));
    let guessed = Secret::from("0".repeat(43));
    assert_eq!(store.session(&guessed).await.expect("asked"), None);
    let nobody = store.create_session(UserId(4711), HOUR).await;
    assert!(matches!(nobody, Err(StoreError::NotFound("user"))));
}

pub async fn signing_out_ends_one_session(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(store.create_session(user.id, HOUR).await.expect("signed in").0);
    }
    store.delete_session(&tokens[0]).await.expect("signed out");
    assert!(store.session(&tokens[0]).await.expect("asked").is_none());
    assert!(store.session(&tokens[1]).await.expect("asked").is_some());
    let (token, _) = store.create_session(user.id, HOUR).await.expect("signed in");
    store.delete_user(user.id).await.expect("he is there");
    assert!(store.session(&token).await.expect("asked").is_none());
}

pub async fn the_token_is_not_in_the_database(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let (token, _) = store.create_session(user.id, HOUR).await.expect("signed in");
    assert_eq!(format!("{token:?}"), "Secret(..)");
    store.close().await;
    // Only SQLite has files to search.
    let Some(folder) = std::path::Path::new(&place.address).parent().filter(|f| f.exists()) else {
        return;
    };
    for file in std::fs::read_dir(folder).expect("the folder") {
        let bytes = std::fs::read(file.expect("a file").path()).expect("its bytes");
        let found = bytes.windows(43).any(|window| window == token.as_str().as_bytes());
        assert!(!found, "the token is in the file");
    }
}
