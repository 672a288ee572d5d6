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
        let mut claims = 0;
        for (index, game) in games.iter().enumerate().skip(first).step_by(THREADS) {
            let report = review(game, &mut engine, &plan, "Riga").expect("a review");
            report.check(game).unwrap_or_else(|error| panic!("game {}: {error}", index + 1));
            let checked = contract::check(&report);
            claims += checked.unwrap_or_else(|error| panic!("game {}: {error}", index + 1));
        }
        claims
    };
    let claims: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|first| {
                let thread = engine::search_thread("review");
                thread.spawn_scoped(scope, move || work(first)).expect("a thread")
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
    });
    assert!(claims > 2_000, "{claims}");
}
