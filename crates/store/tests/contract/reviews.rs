//! Reviews of games.

use std::sync::Arc;

use serde_json::{Value, json};
use store::{GameId, NewReview, StoreError};

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
