//! Games, live and finished.

use std::sync::Arc;
use std::time::Duration;

use chess::{Color, DrawReason, Outcome, Position, WinReason};
use game::live::{End, Offer};
use game::{Game, GameResult, Source, Variant, Visibility};
use store::{GameId, Leaver, NewGame, Played, Store, StoreError, StoredGame, Timestamp, Version};

use crate::place::{LEVEL_3, Place, friendly, guest, line, player, read};
use crate::reviews::review;

pub async fn a_new_game_is_read_as_it_was_written(place: Arc<Place>) {
    let store = place.open().await;
    let user = store.create_user("Misha").await.expect("a new name");
    let start: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 3 17".parse().expect("a legal FEN");
    let mut new = NewGame::live(start.clone(), player(&user), LEVEL_3);
    new.owner = Some(user.id);
    new.time_control = Some("300+3".parse().expect("a time control"));
    new.clock_running_since = Some(Timestamp(1_700_000_000_123));
    new.visibility = Visibility::Link;
    let before = Timestamp::now();
    let id = store.create_game(new.clone()).await.expect("kept");
    assert!(id.as_str().len() >= 12);
    assert_eq!(id.as_str().parse::<GameId>(), Ok(id.clone()));
    let game = store.game(&id).await.expect("kept");
    assert_eq!((game.id.clone(), game.version), (id, Version::FIRST));
    assert_eq!((game.source, game.end), (Source::Played, None));
    assert_eq!((game.visibility, game.variant), (Visibility::Link, Variant::Standard));
    assert_eq!((&game.white, &game.black, game.owner), (&new.white, &new.black, new.owner));
    assert_eq!(game.start, start);
    assert_eq!(game.time_control, new.time_control);
    assert_eq!(game.clock_running_since, new.clock_running_since);
    assert!(game.created >= before && game.created <= Timestamp::now());
    assert_eq!((game.updated, game.played_at), (game.created, game.created));
    assert!(game.moves.is_empty() && game.clocks.is_empty() && game.offer.is_none());
    store.set_visibility(&game.id, Visibility::Public).await.expect("set");
    let game = store.game(&game.id).await.expect("kept");
    assert_eq!(game.visibility, Visibility::Public);
    let other: GameId = "00000000000000".parse().expect("it looks like one");
    assert!(matches!(store.game(&other).await, Err(StoreError::NotFound("game"))));
    let unseen = store.set_visibility(&other, Visibility::Public).await;
    assert!(matches!(unseen, Err(StoreError::NotFound("game"))));
}

pub async fn moves_clocks_and_offers_are_appended(place: Arc<Place>) {
    let store = place.open().await;
    let mut new = friendly();
    new.time_control = Some("60".parse().expect("a time control"));
    let id = store.create_game(new).await.expect("kept");
    let line = line("e4 e5 Nf3 Nc6 Bb5 a6");
    let mut version = Version::FIRST;
    for (ply, m) in line.moves().enumerate() {
        let played = Played {
            clock: Some(59_999 - ply as u32 * 256),
            clock_running_since: Some(Timestamp(ply as i64)),
            offer: (ply == 5).then_some(Offer::draw(Color::Black)),
            ..Played::new(m)
        };
        let next = store.append(&id, version, &played).await.expect("appended");
        assert_eq!(next, Version(version.0 + 1));
        version = next;
    }
    let game = store.game(&id).await.expect("kept");
    assert_eq!(game.moves, line.moves().collect::<Vec<_>>());
    assert_eq!(game.clocks, [59_999, 59_743, 59_487, 59_231, 58_975, 58_719]);
    assert_eq!(game.clock_running_since, Some(Timestamp(5)));
    assert_eq!((game.offer, game.version), (Some(Offer::draw(Color::Black)), version));
    let version = store.offer(&id, version, Some(Offer::take_back(Color::White))).await;
    let game = store.game(&id).await.expect("kept");
    assert_eq!(game.version, version.expect("offered"));
    assert_eq!(game.offer, Some(Offer::take_back(Color::White)));
    // There must be clock times for all moves or for none.
    let m = game.to_line().expect("legal").position().parse_san("Ba4").expect("legal");
    let refused = store.append(&id, game.version, &Played::new(m)).await;
    assert!(matches!(refused, Err(StoreError::Refused { what: "clock", .. })), "{refused:?}");
}

pub async fn a_write_to_another_version_changes_nothing(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let e4 = Position::default().parse_san("e4").expect("legal");
    let version = store.append(&id, Version::FIRST, &Played::new(e4)).await.expect("appended");
    let before = store.game(&id).await.expect("kept");
    for wrong in [Version(0), Version::FIRST, Version(version.0 + 1)] {
        let stale = |result: store::Result<Version>| {
            let found = version.0;
            assert!(matches!(result, Err(StoreError::Stale { found: f }) if f == found));
        };
        stale(store.append(&id, wrong, &Played::new(e4)).await);
        stale(store.take_back(&id, wrong, 1, None).await);
        stale(store.finish(&id, wrong, None, None).await);
        stale(store.offer(&id, wrong, Some(Offer::draw(Color::White))).await);
    }
    assert_eq!(store.game(&id).await.expect("kept"), before);
    let other: GameId = "00000000000000".parse().expect("it looks like one");
    let missing = store.append(&other, version, &Played::new(e4)).await;
    assert!(matches!(missing, Err(StoreError::NotFound("game"))));
}

pub async fn of_eight_writers_one_wins(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let shuffle = line("Nf3 Nf6 Ng1 Ng8");
    for round in 0..20_i64 {
        let m = shuffle.moves().nth(round as usize % 4).expect("four moves");
        let writers: Vec<_> = (0..8)
            .map(|_| {
                let (store, id) = (Arc::clone(&store), id.clone());
                let version = Version(Version::FIRST.0 + round);
                tokio::spawn(async move { store.append(&id, version, &Played::new(m)).await })
            })
            .collect();
        let mut won = 0;
        for writer in writers {
            match writer.await.expect("no panic") {
                Ok(version) => {
                    won += 1;
                    assert_eq!(version, Version(Version::FIRST.0 + round + 1));
                }
                Err(StoreError::Stale { found }) => assert_eq!(found, Version::FIRST.0 + round + 1),
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(won, 1);
    }
    assert_eq!(store.game(&id).await.expect("kept").to_line().expect("legal").len(), 20);
}

pub async fn moves_are_taken_back(place: Arc<Place>) {
    let store = place.open().await;
    for timed in [false, true] {
        let mut new = friendly();
        new.time_control = timed.then(|| "60".parse().expect("a time control"));
        let id = store.create_game(new).await.expect("kept");
        let line = line("e4 e5 Nf3 Nc6");
        let mut version = Version::FIRST;
        for m in line.moves() {
            let played = Played { clock: timed.then_some(60_000), ..Played::new(m) };
            version = store.append(&id, version, &played).await.expect("appended");
        }
        let too_many = store.take_back(&id, version, 5, None).await;
        assert!(matches!(too_many, Err(StoreError::Refused { .. })), "{too_many:?}");
        assert!(store.take_back(&id, version, 0, None).await.is_err());
        let since = Some(Timestamp(99));
        version = store.take_back(&id, version, 1, since).await.expect("taken back");
        let game = store.game(&id).await.expect("kept");
        assert_eq!(game.moves, line.moves().take(3).collect::<Vec<_>>());
        assert_eq!(game.clocks.len(), if timed { 3 } else { 0 });
        assert_eq!(game.clock_running_since, since);
        version = store.take_back(&id, version, 3, None).await.expect("taken back");
        let game = store.game(&id).await.expect("kept");
        assert!(game.moves.is_empty() && game.clocks.is_empty());
        let first = line.moves().next().expect("a move");
        let played = Played { clock: timed.then_some(60_000), ..Played::new(first) };
        store.append(&id, version, &played).await.expect("appended");
        assert_eq!(store.game(&id).await.expect("kept").moves, [first]);
    }
}

pub async fn an_ended_game_refuses_writes(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    let mut version = Version::FIRST;
    let line = line("f3 e5 g4 Qh4");
    for (ply, m) in line.moves().enumerate() {
        let mate = Outcome::Win(Color::Black, WinReason::Checkmate);
        let played = Played { outcome: (ply == 3).then_some(mate), ..Played::new(m) };
        version = store.append(&id, version, &played).await.expect("appended");
    }
    let game = store.game(&id).await.expect("kept");
    assert_eq!(game.end, Some(End::Over(Outcome::Win(Color::Black, WinReason::Checkmate))));
    let m = line.moves().next().expect("a move");
    let over = |result: store::Result<Version>| {
        assert!(matches!(result, Err(StoreError::Over)), "{result:?}");
    };
    over(store.append(&id, version, &Played::new(m)).await);
    over(store.take_back(&id, version, 1, None).await);
    over(store.finish(&id, version, None, None).await);
    over(store.offer(&id, version, None).await);
    assert_eq!(store.game(&id).await.expect("kept"), game);
    assert!(store.live_games().await.expect("a list").is_empty());
}

/// Writes a game move by move, as a server does, and reads it back.
async fn through(store: &Arc<dyn Store>, game: &Game, control: Option<&str>) -> StoredGame {
    let mut new = NewGame::live(game.tree.start().clone(), guest("Anna"), guest("Boris"));
    new.time_control = control.map(|text| text.parse().expect("a time control"));
    let id = store.create_game(new).await.expect("kept");
    let mut version = Version::FIRST;
    for node in game.tree.main_nodes() {
        let clock = game.tree.comment(node).and_then(|said| said.clock);
        let played = Played {
            clock: clock.map(|left| left.as_millis() as u32),
            ..Played::new(game.tree.played(node).expect("a move"))
        };
        version = store.append(&id, version, &played).await.expect("appended");
    }
    if let Some(outcome) = game.outcome() {
        store.finish(&id, version, Some(outcome), None).await.expect("ended");
    }
    store.game(&id).await.expect("kept")
}

pub async fn every_end_is_brought_back(place: Arc<Place>) {
    let store = place.open().await;
    let from = |fen: &str| Game::new(fen.parse().expect("a legal FEN"));
    let after = |moves: &str| {
        let mut game = Game::default();
        for m in line(moves).moves() {
            game.play(m).expect("the game goes on");
        }
        game
    };
    let ended = |mut game: Game, end: fn(&mut Game) -> Option<Outcome>| {
        assert!(end(&mut game).is_some());
        game
    };
    let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let games = [
        after("f3 e5 g4 Qh4"),
        after(&format!("{shuffle} Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")),
        ended(after("e4"), |game| Some(game.resign(Color::White))),
        ended(after("e4"), |game| Some(game.resign(Color::Black))),
        ended(after("e4"), |game| Some(game.flag(Color::White))),
        ended(after("e4 e5"), |game| Some(game.forfeit(Color::Black))),
        ended(after("e4 e5"), |game| Some(game.agree_to_draw())),
        ended(after(shuffle), Game::claim_draw),
        ended(from("4k3/8/8/8/8/8/7R/4K3 w - - 0 1"), |game| Some(game.flag(Color::White))),
        ended(from("4k3/8/8/8/8/8/7r/4K3 w - - 0 1"), |game| Some(game.flag(Color::Black))),
        ended(from("4k3/8/8/8/8/8/7R/4K3 w - - 100 80"), Game::claim_draw),
        from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        from("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ];
    for game in games {
        let stored = through(&store, &game, None).await;
        let again = stored.to_game().expect("it replays");
        assert_eq!(again.outcome(), game.outcome());
        assert_eq!((again.result, &again.tree), (game.result, &game.tree));
        assert_eq!(stored.end, Some(End::Over(game.outcome().expect("an end"))));
    }
    // Aborted: no outcome, no result.
    let id = store.create_game(friendly()).await.expect("kept");
    let thought = Duration::from_millis(1_234);
    store.finish(&id, Version::FIRST, None, Some(thought)).await.expect("broken off");
    let stored = store.game(&id).await.expect("kept");
    assert_eq!(stored.last_thought, Some(thought));
    assert_eq!(stored.end, Some(End::Closed(GameResult::Unknown)));
    assert_eq!(stored.to_game().expect("it replays").outcome(), None);
    // An end that the moves don't lead to means damage.
    let id = store.create_game(friendly()).await.expect("kept");
    let stalemate = Some(Outcome::Draw(DrawReason::Stalemate));
    store.finish(&id, Version::FIRST, stalemate, None).await.expect("written");
    let damaged = store.game(&id).await.expect("kept").to_game();
    assert!(matches!(damaged, Err(StoreError::Damaged { .. })));
}

pub async fn clocks_are_brought_back(place: Arc<Place>) {
    let store = place.open().await;
    for control in ["60+1", "60", "60d3", "2/30+1:15d2"] {
        let mut game = Game::timed(Position::default(), control.parse().expect("a time control"));
        let times = [1500, 0, 2999, 3001, 7, 4000];
        for (text, millis) in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"].into_iter().zip(times) {
            let m = game.position().parse_san(text).expect("legal");
            game.play_timed(m, Duration::from_millis(millis)).expect("in time");
        }
        let again = through(&store, &game, Some(control)).await.to_game().expect("it replays");
        assert_eq!(again.clock(), game.clock(), "{control}");
        assert_eq!(again.tree, game.tree);
        assert_eq!(again.tags.get("TimeControl"), Some(control));
    }
}

pub async fn live_games_are_found_after_a_restart(place: Arc<Place>) {
    let store = place.open().await;
    let first = store.create_game(friendly()).await.expect("kept");
    let over = store.create_game(friendly()).await.expect("kept");
    let second = store.create_game(friendly()).await.expect("kept");
    let e4 = Position::default().parse_san("e4").expect("legal");
    let since = Some(Timestamp::now());
    let played = Played { clock_running_since: since, ..Played::new(e4) };
    store.append(&second, Version::FIRST, &played).await.expect("appended");
    store.finish(&over, Version::FIRST, None, None).await.expect("broken off");
    store.close().await;
    let store = place.open().await;
    let live = readable(&*store).await;
    assert_eq!(live.iter().map(|game| &game.id).collect::<Vec<_>>(), [&first, &second]);
    assert_eq!((live[1].clock_running_since, live[1].version), (since, Version(2)));
    assert_eq!(live[1].to_game().expect("it replays").line().len(), 1);
}

/// The live games that can be loaded.
async fn readable(store: &dyn Store) -> Vec<StoredGame> {
    store.live_games().await.expect("a list").into_iter().filter_map(Result::ok).collect()
}

pub async fn a_live_game_that_cannot_be_read_does_not_hide_the_others(place: Arc<Place>) {
    let store = place.open().await;
    let mut damaged = friendly();
    damaged.white = guest("Nobody");
    let damaged = store.create_game(damaged).await.expect("kept");
    let sound = store.create_game(friendly()).await.expect("kept");
    place.tamper("UPDATE games SET start = 'what' WHERE white_name = 'Nobody'").await;
    let live = store.live_games().await.expect("a list");
    assert_eq!(live.len(), 2);
    let error = live[0].as_ref().expect_err("no FEN");
    assert!(error.to_string().contains(damaged.as_str()), "{error}");
    assert_eq!(live[1].as_ref().expect("it is sound").id, sound);
}

pub async fn a_deleted_game_leaves_nothing(place: Arc<Place>) {
    let store = place.open().await;
    let mut new = friendly();
    new.line = line("e4 e5");
    new.end = Some(End::Closed(GameResult::Draw));
    let id = store.create_game(new).await.expect("kept");
    store.put_review(&id, &review("plan", serde_json::json!({}))).await.expect("kept");
    let key = line("e4").position().key();
    assert_eq!(store.continuations(key, None, None).await.expect("counted").len(), 1);
    store.leave_game(&id, Version::FIRST, &Leaver::default()).await.expect("it is there");
    assert!(matches!(store.game(&id).await, Err(StoreError::NotFound("game"))));
    let twice = store.leave_game(&id, Version::FIRST, &Leaver::default()).await;
    assert!(matches!(twice, Err(StoreError::NotFound("game"))));
    assert_eq!(store.continuations(key, None, None).await.expect("counted"), []);
    assert_eq!(store.reviews(&id).await.expect("a list"), []);
}

pub async fn a_game_is_deleted_only_as_it_was_seen(place: Arc<Place>) {
    let store = place.open().await;
    let e4 = Position::default().parse_san("e4").expect("legal");
    let id = store.create_game(friendly()).await.expect("kept");
    let version = store.append(&id, Version::FIRST, &Played::new(e4)).await.expect("appended");
    let stale = store.leave_game(&id, Version::FIRST, &Leaver::default()).await;
    assert!(matches!(stale, Err(StoreError::Stale { found: 2 })), "{stale:?}");
    assert_eq!(store.game(&id).await.expect("kept").moves, [e4]);
    store.leave_game(&id, version, &Leaver::default()).await.expect("as it was seen");
    for _ in 0..20 {
        let id = store.create_game(friendly()).await.expect("kept");
        let (other, game) = (Arc::clone(&store), id.clone());
        let deletion = tokio::spawn(async move {
            other.leave_game(&game, Version::FIRST, &Leaver::default()).await
        });
        let moved = store.append(&id, Version::FIRST, &Played::new(e4)).await;
        match (deletion.await.expect("no panic"), moved) {
            (Ok(()), Err(StoreError::NotFound("game")))
            | (Err(StoreError::Stale { found: 2 }), Ok(Version(2))) => {}
            both => panic!("{both:?}"),
        }
    }
}

pub async fn old_games_that_nobody_came_to_are_purged(place: Arc<Place>) {
    let store = place.open().await;
    let misha = store.create_user("Misha").await.expect("a new name");
    let moved = NewGame { line: line("e4 e5"), ..friendly() };
    let mut invited = NewGame { line: line("e4"), ..friendly() };
    invited.seats.open = Some(Color::Black);
    let over = NewGame { end: Some(End::Closed(GameResult::Unknown)), ..friendly() };
    let owned = NewGame { owner: Some(misha.id), ..friendly() };
    let white = NewGame { white: player(&misha), ..invited.clone() };
    let black = NewGame { black: player(&misha), ..friendly() };
    let mut stay = Vec::new();
    for game in [moved, over, owned, white, black] {
        stay.push(store.create_game(game).await.expect("kept"));
    }
    let mut go = Vec::new();
    for game in [friendly(), invited] {
        go.push(store.create_game(game).await.expect("kept"));
    }
    place.tamper("UPDATE games SET updated = 1000").await;
    stay.push(store.create_game(friendly()).await.expect("kept"));
    assert_eq!(store.purge_games(Timestamp(1000)).await.expect("purged"), 0);
    assert_eq!(store.purge_games(Timestamp(1001)).await.expect("purged"), 2);
    assert_eq!(store.purge_games(Timestamp(1001)).await.expect("purged"), 0);
    for id in &stay {
        store.game(id).await.expect("it stays");
    }
    for id in &go {
        assert!(matches!(store.game(id).await, Err(StoreError::NotFound("game"))));
    }
}

pub async fn a_row_that_cannot_be_played_is_an_error_that_names_it(place: Arc<Place>) {
    let store = place.open().await;
    let mut new = friendly();
    new.line = line("e4 e5 Nf3");
    let id = store.create_game(new).await.expect("kept");
    // The king's pawn moves once more.
    place.tamper("UPDATE games SET start = '4k3/8/8/8/8/8/8/4K3 w - - 0 1'").await;
    let error = store.game(&id).await.expect("kept").to_game().expect_err("e4 is not legal");
    assert!(matches!(error, StoreError::Damaged { .. }) && error.to_string().contains(id.as_str()));
    place.tamper("UPDATE games SET start = 'what'").await;
    let error = store.game(&id).await.expect_err("no FEN");
    assert!(matches!(error, StoreError::Damaged { .. }) && error.to_string().contains(id.as_str()));
    store.close().await;
    place.tamper("UPDATE games SET start = NULL, moves = substr(moves, 1, 3)").await;
    let error = place.open().await.game(&id).await.expect_err("half a move");
    assert!(matches!(error, StoreError::Damaged { .. }) && error.to_string().contains(id.as_str()));
}

pub async fn a_game_of_chess960_is_brought_back(place: Arc<Place>) {
    let store = place.open().await;
    for number in [0, 518, 959] {
        let start = Position::chess960(number).expect("one of 960");
        let mut new = NewGame::live(start.clone(), guest("Anna"), guest("Boris"));
        new.variant = Variant::Chess960;
        for _ in 0..8 {
            let m = new.line.position().legal_moves()[0];
            new.line.play(m).expect("legal");
        }
        let moves: Vec<_> = new.line.moves().collect();
        let id = store.create_game(new).await.expect("kept");
        let stored = store.game(&id).await.expect("kept");
        assert_eq!((&stored.start, stored.variant), (&start, Variant::Chess960));
        let game = stored.to_game().expect("it replays");
        assert_eq!(game.line().moves().collect::<Vec<_>>(), moves);
        assert_eq!(game.tags.get("Variant"), Some("Chess960"));
    }
}

pub async fn annotations_are_stored_with_a_finished_game(place: Arc<Place>) {
    let store = place.open().await;
    let over =
        NewGame { line: line("e4 e5"), end: Some(End::Closed(GameResult::Draw)), ..friendly() };
    let id = store.create_game(over).await.expect("kept");
    let said = read("1. e4 $1 {best} e5 (1... c5) 1-0").remove(0);
    store.annotate_game(&id, &said).await.expect("stored");
    let pgn = store.game(&id).await.expect("found").to_game().expect("whole").to_string();
    assert!(pgn.contains("1. e4 $1 { best } 1... e5 (1... c5) 1/2-1/2"), "{pgn}");
    let refused = async |id, text| {
        let answer = store.annotate_game(id, &read(text).remove(0)).await;
        matches!(answer, Err(StoreError::Refused { .. }))
    };
    assert!(refused(&id, "1. d4 {other moves} *").await);
    let live = NewGame { line: line("e4 e5"), ..friendly() };
    let live = store.create_game(live).await.expect("kept");
    assert!(refused(&live, "1. e4 {still in progress} e5 *").await);
    store.annotate_game(&id, &read("1. e4 e5 *").remove(0)).await.expect("stored");
    assert_eq!(store.game(&id).await.expect("found").annotated, None);
}
