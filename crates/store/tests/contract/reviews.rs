//! Reviews.

use std::sync::Arc;

use store::{GameId, StoreError};

use crate::place::{Place, friendly};

pub async fn reviews_are_replaced_listed_and_removed(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    store.put_review(&id, "quick", r#"{"accuracy": 91}"#).await.expect("kept");
    store.put_review(&id, "deep", "{}").await.expect("kept");
    store.put_review(&id, "quick", r#"{"accuracy": 92}"#).await.expect("kept");
    let quick = store.review(&id, "quick").await.expect("kept");
    assert_eq!(quick.report, r#"{"accuracy": 92}"#);
    let mut names: Vec<_> = store.reviews(&id).await.expect("a list");
    names.sort_by(|a, b| a.fingerprint.cmp(&b.fingerprint));
    assert_eq!(names.iter().map(|r| &*r.fingerprint).collect::<Vec<_>>(), ["deep", "quick"]);
    store.delete_review(&id, "quick").await.expect("it is there");
    for gone in
        [store.review(&id, "quick").await.map(drop), store.delete_review(&id, "quick").await]
    {
        assert!(matches!(gone, Err(StoreError::NotFound("review"))));
    }
    let other: GameId = "00000000000000".parse().expect("it looks like one");
    let missing = store.put_review(&other, "quick", "{}").await;
    assert!(matches!(missing, Err(StoreError::NotFound("game"))));
    let long = "x".repeat(3_000_000);
    store.put_review(&id, "long", &long).await.expect("kept");
    assert_eq!(store.review(&id, "long").await.expect("kept").report, long);
}
