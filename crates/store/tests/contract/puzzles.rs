//! Puzzles and figures that come with a review.

use std::sync::Arc;
use std::time::Duration;

use chess::{Color, Outcome, Position, WinReason};
use game::live::End;
use serde_json::{Value, json};
use store::{
    GameId, Leaver, NewGame, NewTry, Player, PuzzleFilter, PuzzleId, Recall, Seats, Secret, Store,
    StoreError, Timestamp, User,
};

use crate::place::{LEVEL_3, Place, guest, line, player, read};
use crate::reviews::review;

const MOVES: &str = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7";

/// A finished game of seven plies.
fn scholar(white: Player, black: Player) -> NewGame {
    NewGame {
        line: line(MOVES),
        end: Some(End::Over(Outcome::Win(Color::White, WinReason::Checkmate))),
        time_control: "300+0".parse().ok(),
        ..NewGame::live(Position::default(), white, black)
    }
}

fn judged(ply: usize, uci: &str, lost: f64, claims: &Value) -> Value {
    let label = if lost >= 20.0 { "blunder" } else { "best" };
    json!({
        "played": { "uci": uci, "san": uci }, "label": label, "best_points": 50.0,
        "played_points": 50.0 - lost, "accuracy": 100.0 - lost, "phase": "opening",
        "clock": { "spent": 1000 * ply, "left": 60_000 - 1000 * ply }, "claims": claims,
    })
}

/// A report in which Black's third move is a blunder.
fn report(accuracy: f64, puzzles: &Value) -> Value {
    let moves = ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"];
    let mate = json!([{ "motif": "mate", "whose": "allowed" }]);
    let moves: Vec<Value> = moves
        .iter()
        .enumerate()
        .map(|(ply, uci)| match ply {
            5 => judged(ply, uci, 50.0, &mate),
            _ => judged(ply, uci, 0.0, &json!([])),
        })
        .collect();
    json!({
        "moves": moves, "white": { "accuracy": 99.0 }, "black": { "accuracy": accuracy },
        "puzzles": puzzles,
    })
}

/// Black must defend.
fn defence(solution: &[&str]) -> Value {
    let solution: Vec<Value> =
        solution.iter().map(|uci| json!({ "uci": uci, "san": uci })).collect();
    json!({
        "ply": 5, "side": "black", "kind": "mistake", "solution": solution, "lost": 50.0,
        "margin": 30.0, "themes": ["mate"], "phase": "opening",
    })
}

async fn people(store: &dyn Store) -> (User, User) {
    let anna = store.create_user("Anna").await.expect("a new name");
    (anna, store.create_user("Boris").await.expect("a new name"))
}

/// Anna beats Boris, who gets a puzzle from it.
async fn reviewed(store: &dyn Store, anna: &User, boris: &User) -> GameId {
    let id = store.create_game(scholar(player(anna), player(boris))).await.expect("kept");
    let report = report(40.0, &json!([defence(&["d8e7"])]));
    store.put_review(&id, &review("riga", report)).await.expect("kept");
    id
}

/// A user loses to a guest and gets a puzzle from it.
pub async fn lost(store: &dyn Store, user: &User) {
    let game = scholar(guest("Guest"), player(user));
    let id = store.create_game(game).await.expect("kept");
    let report = report(40.0, &json!([defence(&["d8e7"])]));
    store.put_review(&id, &review("riga", report)).await.expect("kept");
}

async fn all(store: &dyn Store, user: &User) -> Vec<store::StoredPuzzle> {
    store.puzzles(user.id, &PuzzleFilter::default(), 0, 100).await.expect("a list")
}

pub async fn a_review_brings_puzzles_to_who_erred(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let id = reviewed(&*store, &anna, &boris).await;
    assert_eq!(all(&*store, &anna).await, []);
    let [puzzle] = &all(&*store, &boris).await[..] else { panic!("one puzzle") };
    assert_eq!((&puzzle.game, puzzle.ply, &*puzzle.played), (&id, 5, "g8f6"));
    assert_eq!((&*puzzle.kind, &*puzzle.phase), ("mistake", "opening"));
    assert_eq!(
        (&puzzle.themes[..], &puzzle.solution[..]),
        (&["mate".to_owned()][..], &["d8e7".to_owned()][..])
    );
    assert_eq!(puzzle.fen, line("e4 e5 Bc4 Nc6 Qh5").position().to_string());
    assert_eq!((puzzle.before.as_deref(), puzzle.memory, puzzle.tries), (Some("d1h5"), None, 0));
    assert_eq!((&*puzzle.white, &*puzzle.black, &*puzzle.rules), ("Anna", "Boris", "standard"));
    assert_eq!(store.puzzle(boris.id, puzzle.id).await.expect("it is his"), *puzzle);
    // Nobody else's puzzle can be seen, tried or deleted.
    let foreign = store.puzzle(anna.id, puzzle.id).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("puzzle"))), "{foreign:?}");
    let foreign = store.drop_puzzle(anna.id, puzzle.id).await;
    assert!(matches!(foreign, Err(StoreError::NotFound("puzzle"))), "{foreign:?}");
    for (theme, count) in [("mate", 1), ("opening", 1), ("mistake", 1), ("fork", 0)] {
        let filter = PuzzleFilter { theme: Some(theme.to_owned()), ..PuzzleFilter::default() };
        let found = store.puzzles(boris.id, &filter, 0, 10).await.expect("a list");
        assert_eq!(found.len(), count, "{theme}");
    }
    assert_eq!(store.puzzles(boris.id, &PuzzleFilter::default(), 1, 9).await.expect("a list"), []);
    let hostile = PuzzleFilter { theme: Some("a\0b".to_owned()), ..PuzzleFilter::default() };
    assert!(store.puzzles(boris.id, &hostile, 0, 10).await.is_err());
}

fn tried(number: u32, solved: bool, due: Timestamp) -> NewTry {
    let memory = Recall { tried: Timestamp::now(), stability: 2.5, difficulty: 5.25 };
    NewTry { number, solved, memory, due }
}

pub async fn a_try_decides_when_a_puzzle_is_due(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    reviewed(&*store, &anna, &boris).await;
    let id = all(&*store, &boris).await[0].id;
    let now = Timestamp::now();
    let later = now.after(Duration::from_hours(48));
    let due = async |at: Timestamp| store.count_puzzles(boris.id, at).await.expect("counted").0;
    assert_eq!((due(now).await.due, due(now).await.all), (1, 1));
    let new = tried(0, true, later);
    store.keep_try(boris.id, id, &new).await.expect("the first");
    let puzzle = store.puzzle(boris.id, id).await.expect("kept");
    assert_eq!((puzzle.tries, puzzle.solved, puzzle.due), (1, 1, later));
    assert_eq!(puzzle.memory, Some(new.memory));
    assert_eq!((due(now).await.due, due(later).await.due, due(now).await.all), (0, 1, 1));
    let filter = PuzzleFilter { due: Some(now), ..PuzzleFilter::default() };
    assert_eq!(store.puzzles(boris.id, &filter, 0, 9).await.expect("a list"), []);
    // Two windows send the same try.
    let again = store.keep_try(boris.id, id, &tried(0, false, now)).await;
    assert!(matches!(again, Err(StoreError::Stale { found: 1 })), "{again:?}");
    store.keep_try(boris.id, id, &tried(1, false, now)).await.expect("the second");
    let puzzle = store.puzzle(boris.id, id).await.expect("kept");
    assert_eq!((puzzle.tries, puzzle.solved), (2, 1));
    let nobody = store.keep_try(anna.id, id, &tried(2, true, later)).await;
    assert!(matches!(nobody, Err(StoreError::NotFound("puzzle"))), "{nobody:?}");
    let (_, themes) = store.count_puzzles(boris.id, later).await.expect("counted");
    let names: Vec<(&str, u64, u64)> =
        themes.iter().map(|(name, count)| (&**name, count.due, count.all)).collect();
    assert_eq!(names, [("mate", 1, 1), ("mistake", 1, 1), ("opening", 1, 1)]);
}

pub async fn another_review_keeps_what_was_learned(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let game = reviewed(&*store, &anna, &boris).await;
    let id = all(&*store, &boris).await[0].id;
    store.keep_try(boris.id, id, &tried(0, true, Timestamp(5))).await.expect("the first");
    let put = async |name: &str, puzzles: Value| {
        store.put_review(&game, &review(name, report(50.0, &puzzles))).await.expect("kept");
    };
    put("deeper", json!([defence(&["d8f6", "h5f3", "f6f3"])])).await;
    let puzzle = store.puzzle(boris.id, id).await.expect("the same");
    assert_eq!((puzzle.tries, puzzle.solution.len()), (1, 3));
    // An illegal solution, or one that ends with a reply, is no puzzle; nor is one that is gone.
    for bad in [json!([defence(&["e8e1"])]), json!([defence(&["d8e7", "h5f7"])]), json!([])] {
        put("deeper", json!([defence(&["d8e7"])])).await;
        assert_eq!(all(&*store, &boris).await.len(), 1);
        put("other", bad).await;
        assert_eq!(all(&*store, &boris).await, []);
    }
    // A visitor's review changes nothing where there is another.
    put("riga", json!([defence(&["d8e7"])])).await;
    put("visitor: riga", json!([])).await;
    assert_eq!(all(&*store, &boris).await.len(), 1);
    // What was deleted doesn't come back.
    put("riga", json!([defence(&["d8e7"])])).await;
    let id = all(&*store, &boris).await[0].id;
    store.drop_puzzle(boris.id, id).await.expect("it is there");
    assert!(store.drop_puzzle(boris.id, id).await.is_err());
    put("riga", json!([defence(&["d8e7"])])).await;
    assert_eq!(all(&*store, &boris).await, []);
    let gone = store.puzzle(boris.id, PuzzleId(4711)).await;
    assert!(matches!(gone, Err(StoreError::NotFound("puzzle"))), "{gone:?}");
}

pub async fn with_the_game_its_puzzles_are_gone(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let game = reviewed(&*store, &anna, &boris).await;
    let version = store.game(&game).await.expect("kept").version;
    let leaver = |user: &User| Leaver { user: Some(user.id), seats: Vec::new() };
    store.leave_game(&game, version, &leaver(&boris)).await.expect("deleted");
    assert_eq!(all(&*store, &boris).await, []);
    assert_eq!(store.insights(boris.id, 9).await.expect("read").games, 0);
    assert_eq!(store.insights(anna.id, 9).await.expect("read").games, 1);
    // He isn't told about it again, and with the other player it is gone.
    store
        .put_review(&game, &review("again", report(1.0, &json!([defence(&["d8e7"])]))))
        .await
        .expect("kept");
    assert_eq!(all(&*store, &boris).await, []);
    store.leave_game(&game, version, &leaver(&anna)).await.expect("deleted");
    assert_eq!(store.insights(anna.id, 9).await.expect("read"), store::Insights::default());
    let game = reviewed(&*store, &anna, &boris).await;
    store.delete_user(boris.id).await.expect("he is there");
    assert_eq!(all(&*store, &boris).await, []);
    assert_eq!(store.reviews(&game).await.expect("hers").len(), 1);
}

pub async fn only_who_moved_gets_puzzles(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let report = || report(40.0, &json!([defence(&["d8e7"])]));
    let put = async |id: GameId| {
        store.put_review(&id, &review("riga", report())).await.expect("kept");
    };
    // Two people at one board: nobody knows who moved.
    let seat = Some(Secret::random().hash());
    let mut shared = scholar(guest("Friend"), player(&boris));
    shared.seats = Seats { white: seat.clone(), black: seat, open: None };
    put(store.create_game(shared).await.expect("kept")).await;
    put(store.create_game(scholar(LEVEL_3, guest("Boris"))).await.expect("kept")).await;
    // An imported game: the side that has its owner's name.
    let pgn = "[White \"X\"]\n[Black \"boris\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
    for owner in [None, Some(anna.id)] {
        let game = NewGame { owner, ..NewGame::imported(&read(pgn)[0]) };
        put(store.create_game(game).await.expect("kept")).await;
    }
    assert_eq!(all(&*store, &boris).await, []);
    let own = NewGame { owner: Some(boris.id), ..NewGame::imported(&read(pgn)[0]) };
    put(store.create_game(own).await.expect("kept")).await;
    assert_eq!(all(&*store, &boris).await.len(), 1);
    assert_eq!(all(&*store, &anna).await, []);
    // A report that isn't about this game leaves nothing.
    let other = store.create_game(NewGame { line: line("e4"), ..scholar(LEVEL_3, player(&anna)) });
    let other = other.await.expect("kept");
    put(other).await;
    assert_eq!(store.insights(anna.id, 9).await.expect("read").games, 0);
}

pub async fn reviews_are_counted_by_everything(place: Arc<Place>) {
    let store = place.open().await;
    let (anna, boris) = people(&*store).await;
    let mut ids = Vec::new();
    for (day, accuracy) in [(1, 40.0), (2, 60.0)] {
        let mut game = scholar(player(&anna), player(&boris));
        game.played_at = Timestamp::from_date(1960, 5, day);
        let id = store.create_game(game).await.expect("kept");
        let report = report(accuracy, &json!([]));
        store.put_review(&id, &review("riga", report)).await.expect("kept");
        ids.push(id);
    }
    // The same game once more counts once.
    let again = report(80.0, &json!([]));
    store.put_review(&ids[1], &review("deeper", again)).await.expect("kept");
    let found = store.insights(boris.id, 10).await.expect("read");
    assert_eq!((found.games, found.accuracy), (2, Some(60.0)));
    let newest: Vec<_> = found.newest.iter().map(|one| (&one.game, one.accuracy)).collect();
    assert_eq!(newest, [(&ids[0], 40.0), (&ids[1], 80.0)]);
    let games = |rows: &[(String, store::GameAccuracy)]| -> Vec<(String, u64, f64)> {
        rows.iter().map(|(name, of)| (name.clone(), of.games, of.accuracy)).collect()
    };
    assert_eq!(games(&found.by_color), [("black".to_owned(), 2, 60.0)]);
    assert_eq!(games(&found.by_speed), [("blitz".to_owned(), 2, 60.0)]);
    assert_eq!(found.by_opening.len(), 1);
    assert!(found.by_opening[0].0.starts_with('C'), "{:?}", found.by_opening);
    let [(phase, of)] = &found.by_phase[..] else { panic!("{:?}", found.by_phase) };
    assert_eq!((&**phase, of.moves), ("opening", 6));
    assert!((of.accuracy - 250.0 / 3.0).abs() < 1e-9 && (of.lost - 50.0 / 3.0).abs() < 1e-9);
    let [(left, of)] = &found.by_time_left[..] else { panic!("{:?}", found.by_time_left) };
    assert_eq!((&**left, of.moves), ("under_5m", 6), "a minute before each move");
    let mut spent: Vec<_> =
        found.by_time_spent.iter().map(|(name, of)| (&**name, of.moves)).collect();
    spent.sort_unstable();
    assert_eq!(spent, [("under_15s", 2), ("under_2s", 2), ("under_5s", 2)]);
    let [kind] = &found.mistakes[..] else { panic!("{:?}", found.mistakes) };
    assert_eq!((&*kind.motif, &*kind.whose, kind.count), ("mate", "allowed", 2));
    assert!((kind.lost - 100.0).abs() < 1e-9);
    assert_eq!((&kind.examples[0].game, kind.examples[0].ply), (&ids[0], 5));
    assert_eq!(store.insights(boris.id, 1).await.expect("read").newest.len(), 1);
    let white = store.insights(anna.id, 10).await.expect("read");
    assert_eq!((white.accuracy, white.mistakes.len()), (Some(99.0), 0));
}
