//! The position index.

use std::sync::Arc;

use game::live::End;
use game::{GameResult, Ratings, Source};
use store::{Continuation, NewGame, Pace, Played, Timestamp, Version};

use crate::place::{Place, friendly, line, player, read};

pub async fn continuations_are_counted_with_their_results(place: Arc<Place>) {
    let store = place.open().await;
    let games = read(
        "1. e4 e5 1-0\n\n1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1/2-1/2\n\n1. e4 c5 0-1\n\n\
        1. e4 c5 *\n\n1. e4 1-0\n\n1. d4 0-1\n",
    );
    let user = store.create_user("Anna").await.expect("a new name").id;
    let mut all = games
        .iter()
        .map(NewGame::imported)
        .chain([NewGame { owner: Some(user), ..NewGame::imported(&games[0]) }]);
    assert_eq!(store.import(&mut all, Pace::Fast).await.expect("imported").kept, 8);
    let after_e4 = line("e4");
    let key = after_e4.position().key();
    let m = |text| Some(after_e4.position().parse_san(text).expect("legal"));
    let count = |m, [white_wins, draws, black_wins]: [u64; 3], games| Continuation {
        m,
        games,
        white_wins,
        draws,
        black_wins,
        ratings: Ratings::default(),
        last: Timestamp(0),
    };
    // Without a date, a game was played when it was imported.
    let untimed = |found: Vec<Continuation>| -> Vec<Continuation> {
        assert!(found.iter().all(|known| known.last > Timestamp(0)));
        found.into_iter().map(|known| Continuation { last: Timestamp(0), ..known }).collect()
    };
    let mut found = store.continuations(key, None, None).await.expect("counted");
    found.sort_by_key(|known| known.m);
    let found = untimed(found);
    let mut expected =
        [count(m("e5"), [3, 0, 0], 3), count(m("c5"), [0, 1, 1], 3), count(None, [1, 0, 0], 1)];
    expected.sort_by_key(|known| known.m);
    assert_eq!(found, expected);
    let own = store.continuations(key, Some(user), None).await.expect("counted");
    assert_eq!(untimed(own), [count(m("e5"), [1, 0, 0], 1)]);
    let start = store.continuations(line("").position().key(), None, None).await.expect("counted");
    assert_eq!(start.iter().map(|known| known.games).collect::<Vec<_>>(), [7, 1]);
}

pub async fn a_user_with_few_games_finds_them_under_many_of_others(place: Arc<Place>) {
    let store = place.open().await;
    let anna = store.create_user("Anna").await.expect("a new name");
    let boris = store.create_user("Boris").await.expect("a new name").id;
    let over = |moves| NewGame {
        line: line(moves),
        end: Some(End::Closed(GameResult::Draw)),
        ..friendly()
    };
    let owned = NewGame { owner: Some(anna.id), ..over("e4") };
    let white = NewGame { white: player(&anna), ..over("e4 e5") };
    // She is both player and owner: it counts once.
    let black = NewGame { black: player(&anna), owner: Some(anna.id), ..over("d4") };
    for game in [owned, white, black, over("c4")] {
        store.create_game(game).await.expect("kept");
    }
    let many = (0..20_001).map(|_| NewGame { owner: Some(boris), ..over("b3") });
    store.import(&mut many.into_iter(), Pace::Fast).await.expect("imported");
    let start = line("");
    let m = |text| start.position().parse_san(text).expect("legal");
    let from = async |user, source| {
        let found = store.continuations(start.position().key(), user, source).await;
        let found = found.expect("counted");
        found.iter().map(|known| (known.m.expect("a move"), known.games)).collect::<Vec<_>>()
    };
    let counted = async |user| from(user, None).await;
    assert_eq!(counted(Some(anna.id)).await, [(m("e4"), 2), (m("d4"), 1)]);
    assert_eq!(counted(Some(boris)).await, [(m("b3"), 10_000)]);
    assert_eq!(counted(None).await, [(m("b3"), 10_000)]);
    let found = store.continuations(line("e4").position().key(), Some(anna.id), None).await;
    assert_eq!(found.expect("counted").len(), 2);
    // By source, whichever way the games are found.
    let mut read = read("1. g3 *\n").into_iter();
    let game = read.next().expect("a game");
    let imported = NewGame { owner: Some(anna.id), ..NewGame::imported(&game) };
    store.import(&mut [imported].into_iter(), Pace::Fast).await.expect("imported");
    assert_eq!(from(Some(anna.id), Some(Source::Imported)).await, [(m("g3"), 1)]);
    assert_eq!(from(None, Some(Source::Imported)).await, [(m("g3"), 1)]);
    assert_eq!(from(Some(anna.id), Some(Source::Played)).await, [(m("e4"), 2), (m("d4"), 1)]);
    assert_eq!(from(None, Some(Source::Played)).await, [(m("b3"), 10_000)]);
}

pub async fn continuations_have_ratings_and_dates(place: Arc<Place>) {
    let store = place.open().await;
    let games = read(
        "[Date \"2024.05.01\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2200\"]\n\n1. e4 1-0\n\n\
        [Date \"2021.01.01\"]\n[WhiteElo \"2401\"]\n[BlackElo \"?\"]\n\n1. e4 0-1\n\n\
        [Date \"2020.01.01\"]\n\n1. d4 *\n",
    );
    let mut all = games.iter().map(NewGame::imported);
    store.import(&mut all, Pace::Fast).await.expect("imported");
    let found = store.continuations(line("").position().key(), None, None).await.expect("counted");
    let known: Vec<_> =
        found.iter().map(|next| (next.games, next.ratings.average(), next.last)).collect();
    let day = |text| Timestamp::from_pgn_date(text).expect("a date");
    assert_eq!(known, [(2, Some(2200), day("2024.05.01")), (1, None, day("2020.01.01"))]);
}

pub async fn a_position_that_repeats_counts_once(place: Arc<Place>) {
    let store = place.open().await;
    let game = read("1. Nf3 Nf6 2. Ng1 Ng8 3. e4 1-0").remove(0);
    store.import(&mut [NewGame::imported(&game)].into_iter(), Pace::Fast).await.expect("imported");
    let start = line("");
    let found = store.continuations(start.position().key(), None, None).await.expect("counted");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].m, Some(start.position().parse_san("Nf3").expect("legal")));
}

pub async fn a_finished_game_is_indexed_and_a_deleted_one_is_not(place: Arc<Place>) {
    let store = place.open().await;
    let mut new = friendly();
    new.line = line("e4 c5");
    let id = store.create_game(new).await.expect("kept");
    let key = line("e4 c5").position().key();
    store.index_game(&id).await.expect("nothing to do yet");
    assert_eq!(store.continuations(key, None, None).await.expect("counted"), []);
    let nf3 = line("e4 c5").position().parse_san("Nf3").expect("legal");
    let version = store.append(&id, Version::FIRST, &Played::new(nf3)).await.expect("appended");
    store.finish(&id, version, None, None).await.expect("ended");
    let found = store.continuations(key, None, None).await.expect("counted");
    assert_eq!((found.len(), found[0].m, found[0].games), (1, Some(nf3), 1));
    let game = store.game(&id).await.expect("kept");
    assert_eq!(game.end, Some(End::Closed(GameResult::Unknown)));
    assert!(game.opening.expect("it has a name").name.starts_with("Sicilian"));
    place.tamper("DELETE FROM positions").await;
    assert_eq!(store.continuations(key, None, None).await.expect("counted"), []);
    for _ in 0..2 {
        store.index_game(&id).await.expect("entered");
        assert_eq!(store.continuations(key, None, None).await.expect("counted"), found);
    }
}
