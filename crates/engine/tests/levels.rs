//! What an outsider sees of weak play: it is weak, it looks human, and it can be repeated.

use chess::{Color, Line, Move, Role};
use engine::{Analyst, Elo, Engine, Limits, Options, Question, Score, Stop, Strength, Verdict};

/// What a player of a rating is asked in a game of its own: it thinks as long as it likes.
fn player(rating: u32, seed: u64) -> Question {
    let elo = Elo::new(rating).expect("in range");
    Question::default().strength(Strength::Elo(elo)).seed(seed)
}

fn engine(hash: usize) -> Engine {
    Engine::new(Options { hash, ..Options::default() })
}

fn think(engine: &mut Engine, question: &Question) -> Verdict {
    engine.decide(question, &Stop::new()).expect("there is a legal move")
}

fn judge(engine: &mut Engine, line: &Line) -> Verdict {
    think(engine, &Question::new(line.clone()).limits(Limits::nodes(8_000)))
}

fn centipawns(verdict: &Verdict) -> i32 {
    match verdict.score().expect("a search has a score") {
        Score::Cp(score) => score,
        Score::Mate(plies) => 10_000 * plies.0.signum(),
    }
}

/// Plays on until the game is over or so many plies are played; `watch` sees each move first.
fn play(
    players: &[Question; 2],
    mut line: Line,
    plies: usize,
    watch: &mut dyn FnMut(&Line, Move),
) -> Line {
    let mut engine = engine(1);
    for ply in 0..plies {
        if line.outcome().is_some() {
            break;
        }
        let question = Question { line: line.clone(), ..players[ply % 2].clone() };
        let m = think(&mut engine, &question).best;
        watch(&line, m);
        line.play(m).expect("the engine plays legal moves");
    }
    line
}

#[test]
fn a_level_stops_by_itself_and_repeats_itself_for_the_same_seed() {
    let game = |seed| {
        let players = [player(1_000, seed), player(1_000, seed + 1)];
        let end = play(&players, Line::default(), 30, &mut |_, _| {});
        end.moves().collect::<Vec<Move>>()
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2), "a level must not play the same game each time");
}

/// The queen is gone when the other side takes it next and the score falls by most of its worth.
#[test]
fn a_strong_club_player_never_drops_its_queen() {
    let mut strong = engine(4);
    let mut judged = 0;
    for seed in 0..6 {
        let players = [player(1_700, 2 * seed), player(1_700, 2 * seed + 1)];
        play(&players, Line::default(), 70, &mut |line, m| {
            let mut after = line.clone();
            after.play(m).expect("legal");
            if after.outcome().is_some() {
                return;
            }
            let reply = judge(&mut strong, &after);
            let victim = after.position().piece_on(reply.best.to()).map(chess::Piece::role);
            judged += 1;
            if victim == Some(Role::Queen) {
                let best = centipawns(&judge(&mut strong, line));
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
        let players = [player(2_300, seed), player(800, seed + 10)];
        let end = play(&players, Line::default(), 90, &mut |_, _| {});
        let won = if let Some(outcome) = end.outcome() {
            outcome.winner() == Some(Color::White)
        } else {
            let score = centipawns(&judge(&mut engine(1), &end));
            if end.position().turn() == Color::White { score > 300 } else { score < -300 }
        };
        assert!(won, "{}", end.position());
    }
}

/// What was asked before makes no difference to a limited player with a seed, nor does a limited
/// player to the engine at full strength.
#[test]
fn strong_and_weak_questions_do_not_disturb_each_other() {
    let weak = |elo| player(1_450, 3).strength(Strength::Elo(Elo::new(elo).expect("in range")));
    let strong = |depth| Question::default().limits(Limits::depth(depth));
    let found = |verdict: Verdict| (verdict.best, verdict.lines[0].nodes, verdict.score());
    let alone = found(think(&mut engine(4), &weak(2_650)));
    let mut both = engine(4);
    assert_eq!(found(think(&mut both, &strong(6))), found(think(&mut engine(4), &strong(6))));
    for elo in [1_000, 2_650] {
        think(&mut both, &weak(elo));
    }
    assert_eq!(found(think(&mut both, &weak(2_650))), alone);
    let mut undisturbed = engine(4);
    think(&mut undisturbed, &strong(6));
    assert_eq!(found(think(&mut both, &strong(8))), found(think(&mut undisturbed, &strong(8))));
}

#[test]
fn without_a_seed_a_limited_player_errs_differently_in_each_game() {
    let question = Question { seed: None, ..player(800, 0) };
    let mut engine = engine(1);
    let mut first_moves = std::collections::HashSet::new();
    for _ in 0..40 {
        engine.new_game().expect("our own engine doesn't fail");
        first_moves.insert(think(&mut engine, &question).best);
    }
    assert!(first_moves.len() > 1, "{first_moves:?}");
}
