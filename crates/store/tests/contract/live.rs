//! Live games, written event by event.

use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use game::live::{Command, LiveGame, Moment, Sides, Terms};
use game::pgn::Reader;
use store::{NewGame, Timestamp, Version};

use crate::place::{Place, friendly};

const WHITE: Sides = Sides::One(Color::White);
const BLACK: Sides = Sides::One(Color::Black);

pub async fn a_live_game_is_restored_from_its_events(place: Arc<Place>) {
    let store = place.open().await;
    let control: game::TimeControl = "60+1".parse().expect("a time control");
    let mut new = friendly();
    new.time_control = Some(control.clone());
    new.rated = true;
    let terms = Terms { control: Some(control), rated: true, ..Terms::default() };
    let walks: [&[(Sides, Command)]; 4] = [
        &[
            (WHITE, Command::play(0, "f3")),
            (BLACK, Command::play(1, "e5")),
            (WHITE, Command::play(2, "g4")),
            (BLACK, Command::play(3, "Qh4")),
        ],
        &[
            (WHITE, Command::play(0, "e4")),
            (WHITE, Command::TakeBack),
            (BLACK, Command::TakeBack),
            (WHITE, Command::play(0, "d4")),
            (BLACK, Command::Resign),
        ],
        &[
            (WHITE, Command::Draw),
            (BLACK, Command::premove(1, "e5")),
            (WHITE, Command::play(0, "e4")),
            (BLACK, Command::Draw),
        ],
        &[
            (WHITE, Command::play(0, "e4")),
            (BLACK, Command::Draw),
            (WHITE, Command::Decline),
            (BLACK, Command::Abort),
        ],
    ];
    for walk in walks {
        let mut game = LiveGame::new(terms.clone());
        let id = store.create_game(new.clone()).await.expect("kept");
        let (mut version, mut now) = (Version::FIRST, Timestamp::now());
        for (by, command) in walk {
            now = now.after(Duration::from_millis(1234));
            let Ok(Some(event)) = game.judge(*by, command, now.into()) else { continue };
            let written = store.write_event(&id, version, &event).await.expect("written");
            assert_eq!(event.is_stored(), written != version, "{event:?}");
            version = written;
            game.apply(&event, now.into());
            let stored = store.game(&id).await.expect("kept");
            let mut restored = stored.to_live().expect("written by us");
            restored.keep_unsaved(game.clone());
            assert_eq!(restored, game, "after {event:?}");
        }
        assert!(!game.is_live());
    }
}

pub async fn a_game_of_a_file_shows_its_clocks_and_runs_none(place: Arc<Place>) {
    let store = place.open().await;
    let pgn = "[White \"A\"]\n[TimeControl \"60\"]\n[Result \"1-0\"]\n\n\
        1. e4 { [%clk 0:00:58] } e5 { [%clk 0:00:51] } 1-0\n";
    let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("readable");
    let id = store.create_game(NewGame::imported(&game)).await.expect("kept");
    let stored = store.game(&id).await.expect("kept");
    let game = stored.to_live().expect("it can be played");
    assert_eq!(game.lefts(), [Duration::from_secs(58), Duration::from_secs(51)]);
    assert_eq!((game.left(Moment(0)), game.is_live()), (None, false));
    assert_eq!(game.result().as_str(), "1-0");
}
