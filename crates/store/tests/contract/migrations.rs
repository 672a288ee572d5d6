//! Opening databases, new and old.

use std::sync::Arc;

use chess::{Color, DrawReason, Outcome};
use game::GameResult;
use game::live::{End, Offer};
use store::{NewGame, StoreError};

use crate::place::{Place, friendly};

pub async fn a_database_is_opened_again(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let second = place.open().await;
    assert_eq!(second.user(user.id).await.expect("he is there"), user);
    store.close().await;
    second.close().await;
    assert_eq!(place.open().await.user(user.id).await.expect("he is there"), user);
}

pub async fn a_database_of_a_newer_version_is_refused(place: Arc<Place>) {
    place.open().await.close().await;
    place
        .tamper(
            "INSERT INTO _sqlx_migrations \
             (version, description, installed_on, success, checksum, execution_time) \
             SELECT 99, 'later', installed_on, success, checksum, 0 FROM _sqlx_migrations LIMIT 1",
        )
        .await;
    let error = store::open(&place.address).await.err().expect("it is newer");
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("newer version of Riga"), "{error}");
}

pub async fn a_changed_schema_is_refused(place: Arc<Place>) {
    place.open().await.close().await;
    place.tamper("UPDATE _sqlx_migrations SET checksum = substr(checksum, 1, 5)").await;
    let error = store::open(&place.address).await.err().expect("it was made by something else");
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
}

pub async fn names_of_an_earlier_version_are_read(place: Arc<Place>) {
    let store = place.open().await;
    let live = store.create_game(friendly()).await.expect("kept");
    let drawn = NewGame { end: Some(End::Closed(GameResult::Draw)), ..friendly() };
    let drawn = store.create_game(drawn).await.expect("kept");
    store.close().await;
    place.tamper("UPDATE games SET offer = 'takeback by black' WHERE status = 'live'").await;
    place.tamper("UPDATE games SET outcome = 'seventy-five moves' WHERE status <> 'live'").await;
    place.tamper("DELETE FROM _sqlx_migrations WHERE version = 3").await;
    let store = place.open().await;
    let live = store.game(&live).await.expect("kept");
    assert_eq!(live.offer, Some(Offer::take_back(Color::Black)));
    let drawn = store.game(&drawn).await.expect("kept");
    assert_eq!(drawn.end, Some(End::Over(Outcome::Draw(DrawReason::SeventyFiveMoves))));
}

pub async fn two_may_open_a_new_database_at_once(place: Arc<Place>) {
    let opened: Vec<_> = (0..4)
        .map(|_| {
            let place = Arc::clone(&place);
            tokio::spawn(async move { place.open().await })
        })
        .collect();
    for store in opened {
        store.await.expect("it opens").users().await.expect("it answers");
    }
}

#[tokio::test]
async fn nonsense_is_no_address() {
    for address in ["", "mysql://host/name", ":memory:", "sqlite:", "http://x"] {
        let error = store::open(address).await.err().expect("no database");
        assert!(matches!(error, StoreError::Address(_)), "{address}: {error}");
    }
    let error = store::open("/proc/nothing/riga.db").await.err().expect("no folder");
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    let error = store::open("postgres://riga@127.0.0.1:1/none").await.err().expect("no server");
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}
