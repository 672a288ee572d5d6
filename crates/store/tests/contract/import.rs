//! Importing and exporting games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::{Color, Line, Outcome, Position, WinReason};
use game::pgn::Reader;
use game::{Game, Source};
use store::{
    Export, GameFilter, GameOrder, Imported, Leaver, MOST_PLIES, NewGame, Pace, Played, Store,
    StoreError, Timestamp, Version,
};

use crate::place::{LEVEL_3, Place, friendly, guest, line, player, read};

const FILE: &str = r#"[Event "Candidates"]
[Site "Bled"]
[Date "1959.09.20"]
[Round "6"]
[White "Tal, Mikhail"]
[Black "Fischer, Robert James"]
[Result "1-0"]
[ECO "E93"]
[WhiteElo "?"]
[Annotator "O'Hara \"the pen\""]

1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Be2 O-O 6. Nf3 e5 1-0

[Event "Annotated"]
[White "Tal"]
[Black "Larsen"]
[Result "*"]

{Before the game} 1. e4 $1 {[%clk 0:05:00] best by test} e5 (1... c5 {sharp} 2. Nf3 (2. c3)) 2. Nf3 *

[Event "Damaged"]
[White "Nobody"]

1. e4 e5 2. Ke3 1-0

[Event "Lost"]
[Variant "Atomic"]

1. e4 e5 2. Nf3 1-0

[Event "Clocks"]
[UTCDate "2020.02.29"]
[UTCTime "12:00:01"]
[TimeControl "180+2"]
[White "Anna"]
[Black "Boris"]

1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59.5]} 2. Nf3 {[%clk 0:02:58]} 0-1

[Event "From a position"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[TimeControl "?"]

1. e4 Kd7 {and so on} 1/2-1/2

[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]

1. g3 {a comment} g6 2. f3 f6 *

[Event "Nothing played"]

*
"#;

pub async fn games_of_a_file_come_back_the_same(place: Arc<Place>) {
    let store = place.open().await;
    let mut lost = 0;
    let games: Vec<Game> = Reader::new(FILE.as_bytes())
        .games()
        .filter_map(|game| game.inspect_err(|_| lost += 1).ok())
        .collect();
    assert_eq!((games.len(), lost), (7, 1));
    let imported =
        store.import(&mut games.iter().map(NewGame::imported), Pace::Fast).await.expect("imported");
    assert_eq!(imported, Imported { kept: 7, doubled: 0, refused: 0 });
    let mut found = Vec::new();
    let mut export = Export::new(&*store, GameFilter::default());
    while let Some(stored) = export.next().await.expect("the next game") {
        assert_eq!(stored.source, Source::Imported);
        found.push((stored.to_game().expect("it replays"), stored));
    }
    assert_eq!(found.len(), 7);
    for game in &games {
        let (again, stored) = found
            .iter()
            .find(|(again, _)| again.tags == game.tags)
            .unwrap_or_else(|| panic!("{game} is missing"));
        assert_eq!(again, game);
        assert_eq!(again.to_string(), game.to_string());
        let noted = ["Annotated", "Damaged", "From a position", "Chess960"];
        let event = game.tags.get("Event").unwrap_or_default();
        assert_eq!(stored.annotated.is_some(), noted.contains(&event), "{event}");
        match event {
            "Candidates" => {
                assert_eq!(stored.played_at, Timestamp::from_date(1959, 9, 20).expect("a day"));
                assert_eq!(stored.opening.as_ref().map(|o| &o.eco[..2]), Some("E9"));
            }
            "Clocks" => {
                assert_eq!(stored.clocks, [180_000, 179_500, 178_000]);
                assert_eq!(stored.played_at, Timestamp(1_582_977_601_000));
                assert!(stored.time_control.is_some());
            }
            "From a position" => assert_eq!(stored.time_control, None),
            _ => {}
        }
    }
}

pub async fn doubled_games_are_kept_once_for_each_owner(place: Arc<Place>) {
    let store = place.open().await;
    let games = read(
        "[White \"Tal\"]\n[Date \"1960.05.07\"]\n\n1. e4 {!} e5 1-0\n\n\
        [White \"Tal\"]\n[Date \"1960.05.07\"]\n\n1. e4 {!} e5 1-0\n\n\
        [White \"Tal\"]\n[Date \"1960.05.08\"]\n\n1. e4 e5 1-0\n\n\
        [White \"Tal\"]\n[Date \"1960.05.08\"]\n\n1. e4 e5 0-1\n\n\
        [White \"Tal\"]\n[Date \"1960.05.08\"]\n\n1. e4 c5 0-1\n",
    );
    let anna = store.create_user("Anna").await.expect("a new name").id;
    let boris = store.create_user("Boris").await.expect("a new name").id;
    for owner in [None, Some(anna), Some(boris)] {
        for (kept, doubled) in [(4, 1), (0, 5)] {
            let mut games = games.iter().map(|game| NewGame { owner, ..NewGame::imported(game) });
            let imported = store.import(&mut games, Pace::Fast).await.expect("imported");
            assert_eq!(imported, Imported { kept, doubled, refused: 0 });
        }
    }
    // Both users have the same games, which outlive them.
    store.delete_user(anna).await.expect("she is there");
    store.delete_user(boris).await.expect("he is there");
    let page = store.search(&GameFilter::default(), None, 100).await.expect("a page");
    assert_eq!(page.games.len(), 12);
}

pub async fn thousands_of_games_are_imported_and_exported_in_order(place: Arc<Place>) {
    let store = place.open().await;
    let game = read("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0").remove(0);
    let mut games = (0..4500).map(|i| {
        let mut game = game.clone();
        game.tags.set("White", &format!("Player {}", i % 100));
        game.tags.set("Round", &i.to_string());
        let (year, day) = (1900 + i / 280, 1 + i % 28);
        game.tags.set("Date", &format!("{year}.{:02}.{day:02}", 1 + i / 28 % 10));
        NewGame::imported(&game)
    });
    let imported = store.import(&mut games, Pace::Fast).await.expect("imported");
    assert_eq!(imported, Imported { kept: 4500, doubled: 0, refused: 0 });
    for order in [GameOrder::Newest, GameOrder::Oldest] {
        let mut export = Export::new(&*store, GameFilter { order, ..GameFilter::default() });
        let mut rounds = Vec::new();
        while let Some(stored) = export.next().await.expect("the next game") {
            let tags = stored.tags.expect("imported games have tags");
            rounds.push(tags.get("Round").expect("a round").parse::<u32>().expect("a number"));
        }
        if order == GameOrder::Newest {
            rounds.reverse();
        }
        assert_eq!(rounds, (0..4500).collect::<Vec<_>>());
    }
}

/// The games of a PGN text, imported and exported again.
async fn there_and_back(place: &Place, pgn: &str) -> Vec<String> {
    let store = place.open().await;
    let read: Vec<Game> = Reader::new(pgn.as_bytes()).games().flatten().collect();
    let mut games = read.iter().map(NewGame::imported);
    store.import(&mut games, Pace::Fast).await.expect("imported");
    let mut export = Export::new(&*store, GameFilter::default());
    let mut found = Vec::new();
    while let Some(stored) = export.next().await.expect("the next game") {
        found.push(stored.to_game().expect("it replays").to_string());
    }
    found
}

pub async fn a_game_without_moves_keeps_its_comment(place: Arc<Place>) {
    let pgn = "[White \"Karpov\"]\n[Black \"Kasparov\"]\n[Result \"1-0\"]\n\n\
               { Black did not appear. } 1-0\n";
    let found = there_and_back(&place, pgn).await;
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("{ Black did not appear. } 1-0"), "{found:?}");
}

pub async fn games_that_differ_in_round_or_annotations_are_all_kept(place: Arc<Place>) {
    let game = |round: u32, moves: &str| {
        format!("[White \"A\"]\n[Black \"B\"]\n[Round \"{round}\"]\n\n{moves}\n\n")
    };
    let pgn = [
        game(1, "1. e4 e5 1-0"),
        game(2, "1. e4 e5 1-0"),
        game(1, "1. e4 {best} e5 1-0"),
        game(1, "1. e4 e5 1-0"),
    ];
    assert_eq!(there_and_back(&place, &pgn.concat()).await.len(), 3);
}

/// Knights moving back and forth.
fn shuffle(plies: usize) -> Line {
    let knights: Vec<_> = line("Nf3 Nf6 Ng1 Ng8").moves().collect();
    let mut line = Line::default();
    for &m in knights.iter().cycle().take(plies) {
        line.play(m).expect("legal");
    }
    line
}

/// An imported game with these moves.
fn imported(line: Line, white: &str) -> NewGame {
    NewGame { line, white: guest(white), ..NewGame::imported(&Game::default()) }
}

pub async fn the_longest_game_is_replayed_at_once(place: Arc<Place>) {
    let store = place.open().await;
    let plain = imported(shuffle(MOST_PLIES), "Anna");
    let timed = NewGame { clocks: vec![60_000; MOST_PLIES], ..imported(shuffle(MOST_PLIES), "Bo") };
    for game in [plain, timed] {
        let id = store.create_game(game).await.expect("kept");
        let stored = store.game(&id).await.expect("kept");
        let start = Instant::now();
        let game = stored.to_game().expect("it replays");
        // Replaying the whole game for each move would take ten times as long.
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        assert!(game.line().moves().eq(stored.moves.iter().copied()));
        let clocks = game.tree.main_nodes().filter_map(|node| game.tree.comment(node)?.clock);
        assert_eq!(clocks.count(), stored.clocks.len());
    }
}

pub async fn a_game_that_is_too_long_does_not_stop_an_import(place: Arc<Place>) {
    let store = place.open().await;
    let endless = imported(shuffle(MOST_PLIES + 1), "Anna");
    let refused = store.create_game(endless.clone()).await;
    assert!(matches!(refused, Err(StoreError::Refused { what: "game", .. })), "{refused:?}");
    // Not even if it is the only game of a transaction.
    let nameless = (0..600).map(|_| imported(Line::default(), ""));
    let mut games = [endless].into_iter().chain(nameless).chain([imported(line("e4"), "Boris")]);
    let imported = store.import(&mut games, Pace::Gentle).await.expect("imported");
    assert_eq!(imported, Imported { kept: 1, doubled: 0, refused: 601 });
    let page = store.search(&GameFilter::default(), None, 10).await.expect("a page");
    assert_eq!((page.games.len(), &*page.games[0].white.name()), (1, "Boris"));
}

/// All games as PGN, as a user exports them.
async fn exported(store: &dyn Store) -> String {
    let mut export = Export::new(store, GameFilter::default());
    let mut pgn = String::new();
    while let Some(stored) = export.next().await.expect("the next game") {
        pgn.extend([stored.to_game().expect("it replays").to_string().as_str(), "\n"]);
    }
    pgn
}

pub async fn games_played_here_are_not_doubled_by_their_export(place: Arc<Place>) {
    let store = place.open().await;
    let anna = store.create_user("Anna").await.expect("a new name");
    let boris = store.create_user("Boris").await.expect("a new name");
    let outcome = Outcome::Win(Color::White, WinReason::Resignation);
    let mut ids = Vec::new();
    for moves in ["e4 e5", "d4 d5", "d4 d5"] {
        let mut game = NewGame::live(Position::default(), player(&anna), LEVEL_3);
        (game.line, game.owner) = (line(moves), Some(anna.id));
        game.time_control = Some("60+1".parse().expect("a time control"));
        game.clocks = vec![60_000, 60_000];
        let id = store.create_game(game).await.expect("kept");
        store.finish(&id, Version::FIRST, Some(outcome), None).await.expect("it goes on");
        ids.push(id);
    }
    let pgn = exported(&*store).await;
    let import = async |owner, pgn: &str| {
        let games = read(pgn);
        let mut games = games.iter().map(|game| NewGame { owner, ..NewGame::imported(game) });
        let Imported { kept, doubled, .. } =
            store.import(&mut games, Pace::Gentle).await.expect("imported");
        (kept, doubled)
    };
    assert_eq!(import(Some(anna.id), &pgn).await, (0, 3));
    assert_eq!(import(None, &pgn).await, (0, 3));
    // Somebody else may have a copy, once, of each different game; what was changed is another one.
    assert_eq!(import(Some(boris.id), &pgn).await, (2, 1));
    assert_eq!(import(Some(boris.id), &pgn).await, (0, 3));
    let changed = pgn.replacen("1. e4", "1. d3", 1).replacen("1. d4", "1. d4 {good}", 1);
    assert_eq!(import(Some(anna.id), &changed).await, (2, 1));
    // Who has deleted a game can import it again.
    let leaver = Leaver { user: Some(anna.id), seats: Vec::new() };
    store.leave_game(&ids[0], Version(2), &leaver).await.expect("deleted");
    assert_eq!(import(Some(anna.id), &pgn).await, (1, 2));
}

pub async fn moves_are_written_during_a_gentle_import(place: Arc<Place>) {
    let store = place.open().await;
    let live = store.create_game(friendly()).await.expect("kept");
    let game = read("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0");
    let other = Arc::clone(&store);
    let import = tokio::spawn(async move {
        let mut games = (0..3000).map(|i| {
            let mut game = game[0].clone();
            game.tags.set("Round", &i.to_string());
            NewGame::imported(&game)
        });
        other.import(&mut games, Pace::Gentle).await.expect("imported")
    });
    let knights = line("Nf3 Nf6 Ng1 Ng8");
    let (mut version, mut waits) = (Version::FIRST, Vec::new());
    for m in knights.moves().collect::<Vec<_>>().into_iter().cycle() {
        if import.is_finished() {
            break;
        }
        let start = Instant::now();
        version = store.append(&live, version, &Played::new(m)).await.expect("appended");
        waits.push(start.elapsed());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(import.await.expect("no panic").kept, 3000);
    waits.sort_unstable();
    let (moves, slow) = (waits.len(), waits[waits.len() * 9 / 10]);
    assert!(moves >= 20, "only {moves} moves");
    // In transactions of 500 games, most moves wait for more than a tenth of a second.
    assert!(slow < Duration::from_millis(100), "{slow:?} of {moves} moves");
}
