//! Every claim in reviews of games between Riga's levels keeps what it promises.

mod contract;

use engine::{Engine, OpeningBook, Options};
use game::Game;
use game::pgn::Reader;
use review::{Effort, Plan, review};

const GAMES: &[u8] = include_bytes!("games/levels.pgn");
/// Reviews are made by this many threads.
const THREADS: usize = 4;

#[test]
fn every_claim_keeps_its_promise() {
    let games: Vec<Game> = Reader::new(GAMES).games().map(|game| game.expect("a game")).collect();
    assert_eq!(games.len(), 200);
    let plan = Plan { effort: Effort::Nodes(400), second_search: false, ..Plan::default() };
    let work = |first: usize| {
        let options = Options { hash: 4, book: OpeningBook::None, ..Options::default() };
        let mut engine = Engine::new(options);
        let (mut claims, mut broken) = (0, Vec::new());
        for (index, game) in games.iter().enumerate().skip(first).step_by(THREADS) {
            let report = review(game, &mut engine, &plan, "Riga").expect("a review");
            report.check(game).unwrap_or_else(|error| panic!("game {}: {error}", index + 1));
            match contract::check(&report) {
                Ok(checked) => claims += checked,
                Err(error) => broken.push(format!("game {}: {error}", index + 1)),
            }
        }
        (claims, broken)
    };
    let found: Vec<(usize, Vec<String>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|first| {
                let thread = engine::search_thread("review");
                thread.spawn_scoped(scope, move || work(first)).expect("a thread")
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let broken: Vec<&str> =
        found.iter().flat_map(|(_, broken)| broken).map(String::as_str).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let claims: usize = found.iter().map(|(claims, _)| claims).sum();
    assert!(claims > 2_000, "{claims}");
}
