//! Accounts.

use std::sync::Arc;
use std::time::Duration;

use store::{StoreError, UserId};

use crate::place::Place;

const HOUR: Duration = Duration::from_hours(1);

pub async fn an_account_is_created_whole_or_not_at_all(place: Arc<Place>) {
    let store = place.open().await;
    let (user, token, session) =
        store.create_account("Misha", "hash", HOUR).await.expect("a new name");
    assert!(user.has_password && session.user == user.id);
    assert_eq!(store.session(&token).await.expect("asked"), Some(session));
    let hash = store.password_hash(user.id).await.expect("he is there");
    assert_eq!(hash.as_deref(), Some("hash"));
    let again = store.create_account("MISHA", "other", HOUR).await;
    assert!(matches!(again, Err(StoreError::Taken(_))), "{again:?}");
    let refused = store.create_account("Anna", "\0", HOUR).await;
    assert!(matches!(refused, Err(StoreError::Refused { .. })), "{refused:?}");
    assert_eq!(store.users().await.expect("a list").len(), 1);
    // The session can't be written, so there is no user either.
    place.tamper("ALTER TABLE sessions RENAME TO elsewhere").await;
    assert!(store.create_account("Boris", "hash", HOUR).await.is_err());
    assert!(!store.is_taken("Boris").await.expect("asked"));
    let missing = store.password_hash(UserId(4711)).await;
    assert!(matches!(missing, Err(StoreError::NotFound("user"))), "{missing:?}");
}

pub async fn a_new_password_ends_all_sessions_or_nothing_changes(place: Arc<Place>) {
    let store = place.open().await;
    let (user, first, _) = store.create_account("Misha", "old", HOUR).await.expect("a new name");
    let signed_in = store.sign_in(user.id, "old", HOUR).await.expect("asked");
    let (second, _) = signed_in.expect("the hash is right");
    let changed = store.change_password(user.id, "old", "new", HOUR).await.expect("asked");
    let (third, _) = changed.expect("the hash is right");
    for (token, lives) in [(&first, false), (&second, false), (&third, true)] {
        assert_eq!(store.session(token).await.expect("asked").is_some(), lives);
    }
    // The old password was verified a moment too early.
    assert_eq!(store.sign_in(user.id, "old", HOUR).await.expect("asked"), None);
    assert_eq!(store.change_password(user.id, "old", "newer", HOUR).await.expect("asked"), None);
    let hash = store.password_hash(user.id).await.expect("he is there");
    assert_eq!(hash.as_deref(), Some("new"));
    // If the sessions can't be ended, the password stays.
    place.tamper("ALTER TABLE sessions RENAME TO elsewhere").await;
    assert!(store.change_password(user.id, "new", "newest", HOUR).await.is_err());
    let hash = store.password_hash(user.id).await.expect("he is there");
    assert_eq!(hash.as_deref(), Some("new"));
}
