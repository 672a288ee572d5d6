//! What an outsider sees of weak play: it is weak, it looks human, and it can be repeated.

use chess::{Color, Line, Move, Role};
use engine::{Analyst, Engine, Level, Limits, Options, Score, Stop, Thinking, Verdict};

fn player(level: u8, seed: u64) -> Engine {
    let mut options = Options { hash: 1, ..Options::default() };
    Level::new(level).expect("there are ten").limit(&mut options);
    let mut engine = Engine::new(options);
    engine.set_seed(seed);
    engine
}

fn think(engine: &mut Engine, line: &Line, limits: &Limits) -> Verdict {
    engine.analyse(line, limits, &Stop::new(), &mut |_| {}).expect("there is a legal move")
}

/// As long as it likes.
fn unlimited() -> Limits {
    Limits { thinking: Thinking::Unlimited, ..Limits::default() }
}

fn centipawns(verdict: &Verdict) -> i32 {
    match verdict.score().expect("a search has a score") {
        Score::Cp(score) => score,
        Score::Mate(plies) => 10_000 * plies.0.signum(),
    }
}

/// Plays on until the game is over or so many plies are played; `watch` sees each move first.
fn play(
    players: &mut [Engine; 2],
    mut line: Line,
    plies: usize,
    watch: &mut dyn FnMut(&Line, Move),
) -> Line {
    for ply in 0..plies {
        if line.outcome().is_some() {
            break;
        }
        let m = think(&mut players[ply % 2], &line, &unlimited()).best;
        watch(&line, m);
        line.play(m).expect("the engine plays legal moves");
    }
    line
}

#[test]
fn a_level_stops_by_itself_and_repeats_itself_for_the_same_seed() {
    let game = |seed| {
        let mut players = [player(3, seed), player(3, seed + 1)];
        let end = play(&mut players, Line::default(), 30, &mut |_, _| {});
        end.moves().collect::<Vec<Move>>()
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2), "a level must not play the same game each time");
}

/// The queen is gone when the other side takes it next and the score falls by most of its worth.
#[test]
fn a_strong_club_player_never_drops_its_queen() {
    let mut judge = Engine::new(Options { hash: 4, ..Options::default() });
    let mut judged = 0;
    for seed in 0..6 {
        let mut players = [player(6, 2 * seed), player(6, 2 * seed + 1)];
        play(&mut players, Line::default(), 70, &mut |line, m| {
            let limits = Limits::nodes(8_000);
            let mut after = line.clone();
            after.play(m).expect("legal");
            if after.outcome().is_some() {
                return;
            }
            let reply = think(&mut judge, &after, &limits);
            let victim = after.position().piece_on(reply.best.to()).map(chess::Piece::role);
            judged += 1;
            if victim == Some(Role::Queen) {
                let best = centipawns(&think(&mut judge, line, &limits));
                let lost = best.min(1_500) + centipawns(&reply);
                assert!(lost < 600, "{} {m:?} loses {lost}", line.position());
            }
        });
    }
    assert!(judged > 200, "the games were too short: {judged}");
}

#[test]
fn a_master_beats_a_novice() {
    for seed in 0..2 {
        let mut players = [player(8, seed), player(2, seed + 10)];
        let end = play(&mut players, Line::default(), 90, &mut |_, _| {});
        let mut judge = Engine::new(Options { hash: 1, ..Options::default() });
        let won = if let Some(outcome) = end.outcome() {
            outcome.winner() == Some(Color::White)
        } else {
            let score = centipawns(&think(&mut judge, &end, &Limits::nodes(8_000)));
            if end.position().turn() == Color::White { score > 300 } else { score < -300 }
        };
        assert!(won, "{}", end.position());
    }
}
