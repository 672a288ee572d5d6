//! Reviews of games.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use store::{GameFilter, GameId, NewReview, StoreError};

use crate::place::{Place, friendly};

pub fn review(fingerprint: &str, report: Value) -> NewReview {
    NewReview { fingerprint: fingerprint.to_owned(), report }
}

pub async fn reviews_are_replaced_and_listed(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let better = review("quick", json!({ "accuracy": 92.25, "text": "a \0 and \u{1f40e}" }));
    store.put_review(&id, &review("quick", json!({ "accuracy": 91 }))).await.expect("kept");
    store.put_review(&id, &review("deep", json!({}))).await.expect("kept");
    store.put_review(&id, &better).await.expect("kept");
    assert_eq!(store.review(&id, "quick").await.expect("kept").review, better);
    let mut names: Vec<_> = store.reviews(&id).await.expect("a list");
    names.sort_by(|a, b| a.review.fingerprint.cmp(&b.review.fingerprint));
    let names: Vec<&str> = names.iter().map(|kept| &*kept.review.fingerprint).collect();
    assert_eq!(names, ["deep", "quick"]);
    let none = store.review(&id, "slow").await;
    assert!(matches!(none, Err(StoreError::NotFound("review"))));
    let other: GameId = "00000000000000".parse().expect("it looks like one");
    let missing = store.put_review(&other, &better).await;
    assert!(matches!(missing, Err(StoreError::NotFound("game"))));
    let long = review("long", json!("x".repeat(3_000_000)));
    store.put_review(&id, &long).await.expect("kept");
    assert_eq!(store.review(&id, "long").await.expect("kept").review, long);
}

pub async fn a_list_shows_the_accuracies_of_the_newest_review(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let listed = async || {
        let page = store.search(&GameFilter::default(), None, 10).await.expect("a list");
        page.games.into_iter().find(|game| game.id == id).expect("in the list").accuracies
    };
    assert_eq!(listed().await, None);
    store.put_review(&id, &review("odd", json!("no report"))).await.expect("kept");
    assert_eq!(listed().await, Some([None, None]));
    // Reviews are ordered by milliseconds.
    tokio::time::sleep(Duration::from_millis(5)).await;
    let report = json!({ "white": { "accuracy": 92.5 }, "black": { "accuracy": null } });
    store.put_review(&id, &review("full", report)).await.expect("kept");
    assert_eq!(listed().await, Some([Some(92.5), None]));
}

fn with_accuracies(white: f64, black: f64) -> Value {
    json!({ "white": { "accuracy": white }, "black": { "accuracy": black }, "moves": [{}, {}] })
}

pub async fn a_list_shows_the_review_that_its_page_shows(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let own = review("Riga 1; 100000 nodes; riga", with_accuracies(80.0, 70.0));
    store.put_review(&id, &own).await.expect("kept");
    tokio::time::sleep(Duration::from_millis(5)).await;
    let fingerprint = format!("{}Riga 1; 100000 nodes; riga", NewReview::BY_VISITOR);
    let uploaded = review(&fingerprint, with_accuracies(100.0, 100.0));
    store.put_review(&id, &uploaded).await.expect("kept");
    let page = store.search(&GameFilter::default(), None, 10).await.expect("a list");
    assert_eq!(page.games[0].accuracies, Some([Some(80.0), Some(70.0)]));
}

pub async fn accuracies_of_reviews_of_an_earlier_version_are_read(place: Arc<Place>) {
    let store = place.open().await;
    let mut ids = Vec::new();
    for white in 1..=120 {
        let id = store.create_game(friendly()).await.expect("kept");
        let report = with_accuracies(f64::from(white) / 2.0, 50.25);
        store.put_review(&id, &review("full", report)).await.expect("kept");
        ids.push(id);
    }
    store.close().await;
    place.tamper("UPDATE reviews SET white = NULL, black = NULL, moves = NULL").await;
    place.tamper("DELETE FROM _sqlx_migrations WHERE version = 8").await;
    let store = place.open().await;
    let page = store.search(&GameFilter::default(), None, 200).await.expect("a list");
    for (game, white) in ids.iter().zip(1..) {
        let listed = page.games.iter().find(|listed| listed.id == *game).expect("in the list");
        assert_eq!(listed.accuracies, Some([Some(f64::from(white) / 2.0), Some(50.25)]));
    }
}
