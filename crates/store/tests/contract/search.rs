//! Game search.

use std::sync::Arc;

use chess::Position;
use game::live::End;
use game::{GameResult, Level, Source, Speed};
use store::{Cursor, GameFilter, GameOrder, NewGame, Pace, Store, Timestamp, Version};

use crate::place::{LEVEL_3, Place, friendly, guest, line, player, read};

const FILE: &str = r#"[White "Tal, Mikhail"]
[Black "Botvinnik, Mikhail"]
[Date "1960.03.15"]
[TimeControl "40/9000"]

1. e4 e6 2. d4 d5 3. Nc3 Bb4 1-0

[White "Müller"]
[Black "Tal, Mikhail"]
[Date "1960.05.07"]
[TimeControl "180+2"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 0-1

[White "Keres"]
[Black "Petrosian"]
[Date "1959.10.11"]
[TimeControl "180+2"]

1. Nf3 c5 2. e4 d6 1/2-1/2
"#;

async fn names(store: &Arc<dyn Store>, filter: GameFilter) -> Vec<String> {
    let page = store.search(&filter, None, 50).await.expect("a page");
    assert_eq!(page.next, None);
    page.games.iter().map(|game| game.white.name().into_owned()).collect()
}

pub async fn games_are_found_by_what_is_known_of_them(place: Arc<Place>) {
    let store = place.open().await;
    let games = read(FILE);
    store.import(&mut games.iter().map(NewGame::imported), Pace::Fast).await.expect("imported");
    let live = NewGame::live(Position::default(), guest("Somebody"), LEVEL_3);
    store.create_game(live).await.expect("kept");
    let any = GameFilter::default;
    let text = |text: &str| Some(text.to_owned());
    let day = |year, month, day| Timestamp::from_date(year, month, day);
    for (filter, found) in [
        (any(), &["Somebody", "Müller", "Tal, Mikhail", "Keres"][..]),
        (
            GameFilter { order: GameOrder::Oldest, ..any() },
            &["Keres", "Tal, Mikhail", "Müller", "Somebody"],
        ),
        (GameFilter { player: text("tal, M"), ..any() }, &["Müller", "Tal, Mikhail"]),
        (GameFilter { player: text("MÜLL"), ..any() }, &["Müller"]),
        (GameFilter { player: text("muller"), ..any() }, &["Müller"]),
        (GameFilter { player: text("kéres"), ..any() }, &["Keres"]),
        (GameFilter { player: text("nobody"), ..any() }, &[]),
        (GameFilter { eco: text("b"), ..any() }, &["Müller", "Keres"]),
        (GameFilter { eco: text("B9"), ..any() }, &["Müller"]),
        (GameFilter { opening: text("najdorf"), ..any() }, &["Müller"]),
        (GameFilter { opening: text("French Def"), ..any() }, &["Tal, Mikhail"]),
        (GameFilter { result: Some(GameResult::WhiteWins), ..any() }, &["Tal, Mikhail"]),
        (GameFilter { result: Some(GameResult::Draw), ..any() }, &["Keres"]),
        (GameFilter { from: day(1960, 3, 15), until: day(1960, 5, 7), ..any() }, &["Tal, Mikhail"]),
        (GameFilter { source: Some(Source::Played), ..any() }, &["Somebody"]),
        (GameFilter { speed: Some(Speed::Blitz), ..any() }, &["Müller", "Keres"]),
        (GameFilter { level: Level::new(3), ..any() }, &["Somebody"]),
        (GameFilter { level: Level::new(4), ..any() }, &[]),
        (GameFilter { finished: Some(false), ..any() }, &["Somebody"]),
        (
            GameFilter { player: text("tal"), eco: text("C"), finished: Some(true), ..any() },
            &["Tal, Mikhail"],
        ),
    ] {
        assert_eq!(names(&store, filter.clone()).await, found, "{filter:?}");
    }
    let page = store.search(&any(), None, 50).await.expect("a page");
    let najdorf = &page.games[1];
    assert_eq!((najdorf.plies, najdorf.speed), (10, Some(Speed::Blitz)));
    assert_eq!(najdorf.end, Some(End::Closed(GameResult::BlackWins)));
    assert_eq!(najdorf.opening.as_ref().map(|opening| opening.eco.as_str()), Some("B90"));
    assert_eq!(najdorf.time_control.as_deref(), Some("180+2"));
}

pub async fn wildcards_in_a_name_are_letters(place: Arc<Place>) {
    let store = place.open().await;
    for name in ["100%", "a_b", r"back\slash", "plain", "*", "[x]", "who?"] {
        let game = NewGame::live(Position::default(), guest(name), LEVEL_3);
        store.create_game(game).await.expect("kept");
    }
    for (part, found) in [
        ("%", "100%"),
        ("_", "a_b"),
        ("\\", r"back\slash"),
        ("*", "*"),
        ("[x]", "[x]"),
        ("o?", "who?"),
    ] {
        let filter = GameFilter { player: Some(part.to_owned()), ..GameFilter::default() };
        assert_eq!(names(&store, filter).await, [found]);
    }
}

pub async fn pages_are_stable_while_games_are_added(place: Arc<Place>) {
    let store = place.open().await;
    // Many games with the same time: their order must be stable too.
    let at = |time: i64| NewGame { played_at: Some(Timestamp(time)), ..friendly() };
    let mut ids = Vec::new();
    for i in 0..25_i64 {
        ids.push(store.create_game(at(1000 + i / 10)).await.expect("kept"));
    }
    for order in [GameOrder::Newest, GameOrder::Oldest] {
        let filter = GameFilter { order, until: Some(Timestamp(1003)), ..GameFilter::default() };
        let mut found = Vec::new();
        let mut after: Option<Cursor> = None;
        loop {
            let page = store.search(&filter, after, 7).await.expect("a page");
            found.extend(page.games.into_iter().map(|game| game.id));
            let Some(next) = page.next else { break };
            // A cursor goes to the browser and comes back.
            after = Some(next.to_string().parse().expect("a cursor"));
            // New games on pages already seen, in either order.
            let seen = if order == GameOrder::Newest { 5000 } else { 1 };
            store.create_game(at(seen)).await.expect("kept");
        }
        if order == GameOrder::Newest {
            found.reverse();
        }
        let expected: Vec<_> = found.iter().filter(|id| ids.contains(id)).cloned().collect();
        assert_eq!(expected, ids);
        assert_eq!(found.len(), 25);
    }
    assert!("x_1".parse::<Cursor>().is_err() && "".parse::<Cursor>().is_err());
}

pub async fn a_user_finds_games_owned_and_played_once(place: Arc<Place>) {
    let store = place.open().await;
    let anna = store.create_user("Anna").await.expect("a new name");
    let boris = store.create_user("Boris").await.expect("a new name");
    let new =
        |white, black, owner| NewGame { owner, ..NewGame::live(Position::default(), white, black) };
    for game in [
        new(guest("owned"), guest("x"), Some(anna.id)),
        new(player(&anna), guest("x"), Some(anna.id)),
        new(player(&anna), player(&boris), None),
        new(player(&boris), player(&anna), Some(boris.id)),
        new(player(&boris), guest("x"), Some(boris.id)),
        new(guest("nobody's"), guest("x"), None),
    ] {
        store.create_game(game).await.expect("kept");
    }
    let of = |user: &store::User| GameFilter { user: Some(user.id), ..GameFilter::default() };
    assert_eq!(names(&store, of(&anna)).await, ["Boris", "Anna", "Anna", "owned"]);
    assert_eq!(names(&store, of(&boris)).await, ["Boris", "Boris", "Anna"]);
    let filter = GameFilter { player: Some("boris".to_owned()), ..of(&anna) };
    let page = store.search(&filter, None, 1).await.expect("a page");
    let rest = store.search(&filter, page.next, 5).await.expect("a page");
    assert_eq!((page.games.len(), rest.games.len(), rest.next), (1, 1, None));
}

pub async fn games_are_found_by_position_rare_or_common(place: Arc<Place>) {
    let store = place.open().await;
    let sicilian = read("1. e4 c5 1-0").remove(0);
    let french = read("1. d4 e6 2. e4 d5 0-1").remove(0);
    let transposed = read("1. e4 e6 2. d4 d5 1-0").remove(0);
    let mut games = (0..4500).map(|round| {
        let mut game = sicilian.clone();
        game.tags.set("White", &format!("{round}"));
        NewGame::imported(&game)
    });
    store.import(&mut games, Pace::Fast).await.expect("imported");
    let mut games = [&french, &transposed].map(NewGame::imported).into_iter();
    store.import(&mut games, Pace::Fast).await.expect("imported");
    let user = store.create_user("Anna").await.expect("a new name").id;
    let mut own = [NewGame { owner: Some(user), ..NewGame::imported(&french) }].into_iter();
    store.import(&mut own, Pace::Fast).await.expect("imported");
    let through = |moves: &str| GameFilter {
        position: Some(line(moves).position().key()),
        ..GameFilter::default()
    };
    let count = async |filter: GameFilter| {
        let mut count = 0;
        let mut after = None;
        loop {
            let page = store.search(&filter, after, 400).await.expect("a page");
            count += page.games.len();
            after = page.next;
            if after.is_none() {
                return count;
            }
        }
    };
    assert_eq!(count(through("")).await, 4503);
    assert_eq!(count(through("e4")).await, 4501);
    assert_eq!(count(through("e4 c5")).await, 4500);
    assert_eq!(count(through("e4 e6 d4 d5")).await, 3);
    assert_eq!(count(through("a4")).await, 0);
    assert_eq!(count(GameFilter { user: Some(user), ..through("e4 e6 d4 d5") }).await, 1);
    assert_eq!(count(GameFilter { user: Some(user), ..through("") }).await, 1);
    let black_wins = Some(GameResult::BlackWins);
    assert_eq!(count(GameFilter { result: black_wins, ..through("") }).await, 2);
    // A live game is not found before it ends.
    let mut live = friendly();
    live.line = line("a4");
    let id = store.create_game(live).await.expect("kept");
    assert_eq!(count(through("a4")).await, 0);
    store.finish(&id, Version::FIRST, None, None).await.expect("ended");
    assert_eq!(count(through("a4")).await, 1);
}
