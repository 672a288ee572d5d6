//! A process that writes moves is killed at a random time: all acknowledged moves are on disk.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use store::{GameId, Played, Version};

use crate::place::{Place, friendly, line, runtime};

const PLACE: &str = "RIGA_TEST_PLACE";
const GAME: &str = "RIGA_TEST_GAME";
const PLAYED: &str = "played ";

pub async fn every_acknowledged_move_survives_a_kill(place: Arc<Place>) {
    let store = place.open().await;
    let id = store.create_game(friendly()).await.expect("kept");
    store.close().await;
    let mut before = 0;
    for patience in [3, 40, 110, 230, 350] {
        let last = play_until_killed(&place.address, &id, Duration::from_millis(patience));
        let store = place.open().await;
        let game = store.game(&id).await.expect("kept");
        let plies = game.to_line().expect("every move is legal").len();
        let acknowledged = last.unwrap_or(before);
        assert!(plies == acknowledged || plies == acknowledged + 1, "{plies}, {acknowledged}");
        assert_eq!(game.version, Version(Version::FIRST.0 + plies as i64));
        store.close().await;
        before = plies;
    }
    assert!(before > 5, "it played only {before} moves");
}

/// Runs a process until it has acknowledged a move and some time has passed. Returns the last
/// acknowledged ply.
fn play_until_killed(address: &str, id: &GameId, patience: Duration) -> Option<usize> {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "durability::the_process_that_is_killed", "--nocapture"])
        .env(PLACE, address)
        .env(GAME, id.as_str())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let ply = |line: &str| Some(line.split_once(PLAYED)?.1.parse::<usize>().expect("a number"));
    let mut last = lines.by_ref().map_while(Result::ok).find_map(|line| ply(&line));
    assert!(last.is_some(), "it has played nothing");
    std::thread::sleep(patience);
    child.kill().expect("it was alive");
    // A truncated line, without its line break, was not acknowledged.
    for line in lines.map_while(Result::ok) {
        last = ply(&line).or(last);
    }
    child.wait().expect("it is dead");
    last
}

/// Does nothing unless run by the test above.
#[test]
fn the_process_that_is_killed() {
    let (Ok(place), Ok(id)) = (std::env::var(PLACE), std::env::var(GAME)) else { return };
    let id: GameId = id.parse().expect("the name of a game");
    runtime().block_on(async {
        let store = store::open(&place).await.expect("the database opens");
        let game = store.game(&id).await.expect("the game is there");
        let mut version = game.version;
        let shuffle: Vec<_> = line("Nf3 Nf6 Ng1 Ng8").moves().collect();
        for ply in game.moves.len()..60_000 {
            let played = Played::new(shuffle[ply % 4]);
            version = store.append(&id, version, &played).await.expect("appended");
            println!("{PLAYED}{}", ply + 1);
        }
    });
}
