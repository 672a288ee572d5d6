//! Endgame tables: what they say is right, and what is damaged does no harm.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use chess::{DrawReason, Line, Outcome, Position};
use engine::tablebase::{NotInTables, RootMove, TableWdl, Tablebases};
use engine::{Analyst, Dice, Elo, Engine, Limits, Options, Question, Score, Stop, Strength};

mod endgames;
use endgames::random_position;

/// Pieces of some endgames as FEN letters.
const MATERIALS: [&str; 14] = [
    "KQk", "KRk", "KPk", "KBNk", "KBBk", "KNNk", "KQkr", "KRkr", "KPkp", "KQkp", "KRkn", "KRPk",
    "Kkrp", "Kkbn",
];

fn directory() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tablebases");
    let complete = path.join("complete").is_file();
    assert!(complete, "the endgame tables for tests are missing. Type: make tables");
    path
}

fn tables() -> &'static Tablebases {
    static TABLES: OnceLock<Tablebases> = OnceLock::new();
    TABLES.get_or_init(|| {
        let (tables, messages) = Tablebases::open(&[directory()]);
        assert!(messages.is_empty(), "{messages:?}");
        tables
    })
}

fn position(fen: &str) -> Position {
    fen.parse().expect("a legal FEN")
}

fn root(fen: &str) -> Vec<RootMove> {
    tables().probe_root(&Line::new(position(fen))).expect("the tables have it")
}

/// The result of a position, the end of the game included.
fn result(here: &Position) -> TableWdl {
    if here.has_legal_move() {
        tables().probe_wdl(here).expect("the tables have it")
    } else if here.is_check() {
        TableWdl::Loss
    } else {
        TableWdl::Draw
    }
}

/// The same position with its counter at zero.
fn fresh(here: &Position) -> Position {
    let fen = here.to_string();
    let fields: Vec<&str> = fen.split(' ').collect();
    position(&format!("{} 0 1", fields[..4].join(" ")))
}

#[test]
fn all_tables_of_three_and_four_men_are_found() {
    let shelf = tables().shelf();
    assert_eq!((shelf.wdl, shelf.dtz, shelf.men), (35, 35, 4));
}

#[test]
fn known_endgames_have_their_known_results() {
    use TableWdl::{Draw, Loss, Win};
    for (fen, expected) in [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", Win),
        ("8/8/8/4k3/8/8/8/KR6 b - - 0 1", Loss),
        ("8/8/8/4k3/8/8/8/KB6 w - - 0 1", Draw),
        ("8/8/8/4k3/8/8/8/KNN5 w - - 0 1", Draw),
        ("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", Win),
        ("8/8/8/4k3/8/8/8/KBB5 b - - 0 1", Loss),
        // The opposition decides.
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", Draw),
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", Loss),
        // The pawn of a rook's file, with the king in the corner.
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Draw),
        // Queen against a pawn about to promote: a knight's file is won, a bishop's drawn.
        ("8/8/8/8/3Q4/7K/1p6/k7 w - - 0 1", Win),
        ("7K/8/8/8/3Q4/8/2p5/1k6 w - - 0 1", Draw),
        ("8/8/8/3k4/8/8/8/KQ4r1 w - - 0 1", Win),
        ("8/8/8/3k4/8/8/8/KR4r1 w - - 0 1", Win),
        ("8/8/3r4/3k4/8/8/8/KR6 w - - 0 1", Draw),
        // Only the capture en passant saves Black.
        ("8/8/8/8/kpP5/8/8/1K6 b - c3 0 1", Draw),
    ] {
        assert_eq!(tables().probe_wdl(&position(fen)), Some(expected), "{fen}");
    }
}

#[test]
fn what_tables_do_not_hold_is_no_answer() {
    let probe = |fen| tables().probe_wdl(&position(fen));
    assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None, "castling");
    assert_eq!(probe("4k3/8/8/8/8/8/PP6/4K2R w - - 0 1"), None, "five men");
    assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w - - 1 1"), None, "the counter runs");

    let root = |fen| tables().probe_root(&Line::new(position(fen)));
    assert_eq!(root("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Err(NotInTables::Castling));
    assert_eq!(
        root("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"),
        Err(NotInTables::TooManyMen { men: 32, most: 4 })
    );
    assert_eq!(root("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), Err(NotInTables::NoLegalMove));
    let (none, messages) = Tablebases::open(&[]);
    assert_eq!((none.men(), messages.len()), (0, 0));
    assert_eq!(none.probe_wdl(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1")), None);
}

#[test]
fn our_positions_reach_the_library_as_they_are() {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess};
    let mut library = shakmaty_syzygy::Tablebase::<Chess>::new();
    library.add_directory(directory()).expect("the tables are there");
    let mut dice = Dice::new(3);
    let passing = ["8/8/8/8/kpP5/8/8/1K6 b - c3 0 1", "8/8/8/1Pp5/8/8/1K6/7k w - c6 0 1"];
    let random = (0..20_000).map(|i| random_position(MATERIALS[i % MATERIALS.len()], &mut dice));
    for here in passing.into_iter().map(position).chain(random) {
        let fen: Fen = here.to_string().parse().expect("a FEN");
        let theirs: Chess = match fen.into_position(CastlingMode::Standard) {
            Ok(theirs) => theirs,
            Err(impossible) => impossible.ignore_impossible_check().expect("a legal position"),
        };
        let expected = library.probe_wdl_after_zeroing(&theirs).expect("the tables have it");
        assert_eq!(tables().probe_wdl(&here), Some(expected.into()), "{here}");
    }
}

#[test]
fn a_position_is_worth_what_its_best_move_is_worth() {
    let mut dice = Dice::new(1);
    for i in 0..20_000 {
        let here = random_position(MATERIALS[i % MATERIALS.len()], &mut dice);
        let best = here.legal_moves().iter().map(|&m| -result(&fresh(&here.after(m)))).max();
        assert_eq!(best.unwrap_or_else(|| result(&here)), result(&here), "{here}");
    }
}

#[test]
fn the_root_ranks_every_move_and_keeps_the_result() {
    let mut dice = Dice::new(2);
    for i in 0..3000 {
        let here = random_position(MATERIALS[i % MATERIALS.len()], &mut dice);
        let legal = here.legal_moves();
        let Ok(ranked) = tables().probe_root(&Line::new(here.clone())) else {
            assert!(legal.is_empty(), "{here}");
            continue;
        };
        assert_eq!(ranked.len(), legal.len());
        assert!(ranked.is_sorted_by(|a, b| a.rank >= b.rank));
        assert_eq!(ranked[0].wdl, result(&here), "{here}");
        for known in &ranked {
            assert!(legal.contains(&known.m));
            assert_eq!(known.wdl, -result(&fresh(&here.after(known.m))), "{here} {:?}", known.m);
            let dtz = known.dtz.expect("there are distance tables");
            assert_eq!(dtz.signum(), known.wdl.signum(), "{here} {:?}", known.m);
            // All ways to win are alike; a long way to lose may be better than a short one.
            if known.wdl >= TableWdl::Draw {
                assert_eq!(known.rank == ranked[0].rank, known.wdl == ranked[0].wdl, "{here}");
            }
        }
    }
}

const WON: [&str; 8] = [
    "8/8/8/4k3/8/8/8/KR6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KQ6 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBB5 w - - 0 1",
    "8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1",
    "8/4k3/8/4K3/4P3/8/8/8 b - - 0 1",
    "8/8/8/8/5k2/8/1P2K3/8 w - - 0 1",
    "8/8/8/8/3Q4/7K/1p6/k7 w - - 0 1",
];

/// Plays on to the end: each side plays the move that `pick` chooses of those that keep the
/// result for it.
fn play_out(fen: &str, mut pick: impl FnMut(&[RootMove]) -> RootMove) -> Line {
    let mut line = Line::new(position(fen));
    while line.outcome().is_none() && line.claimable_draw().is_none() {
        let ranked = tables().probe_root(&line).expect("the tables have it");
        let keep = ranked.iter().take_while(|known| known.rank == ranked[0].rank).count();
        line.play(pick(&ranked[..keep]).m).expect("a legal move");
    }
    line
}

fn is_mate_by_white(line: &Line) -> bool {
    matches!(line.outcome(), Some(Outcome::Win(chess::Color::White, _)))
}

#[test]
fn won_endgames_are_won_within_the_fifty_move_rule() {
    for fen in WON {
        let line = play_out(fen, |keep| keep[0]);
        assert!(is_mate_by_white(&line), "{fen}: {}", line.position());
    }
}

#[test]
fn any_move_that_keeps_the_result_wins_in_the_end() {
    let mut dice = Dice::new(5);
    for fen in WON {
        for _ in 0..3 {
            let line = play_out(fen, |keep| keep[dice.below(keep.len() as u64) as usize]);
            assert!(is_mate_by_white(&line), "{fen}: {}", line.position());
        }
    }
}

#[test]
fn the_first_move_comes_closer_to_the_next_capture_pawn_move_or_mate() {
    let mut line = Line::new(position("8/8/8/4k3/8/8/8/KBN5 w - - 0 1"));
    let mut last = i32::MAX;
    while line.outcome().is_none() {
        let best = tables().probe_root(&line).expect("the tables have it")[0];
        let dtz = best.dtz.expect("there are distance tables").abs();
        // Distances may be rounded, so that one ply may seem to be none.
        assert!(dtz <= last, "{}", line.position());
        last = dtz;
        line.play(best.m).expect("legal");
        assert!(line.len() < 100, "{}", line.position());
    }
}

#[test]
fn the_counter_of_the_game_is_in_the_result() {
    let dtz = root("8/8/8/4k3/8/8/8/KBN5 w - - 0 1")[0].dtz.expect("there are distance tables");
    let at = |clock: i32| root(&format!("8/8/8/4k3/8/8/8/KBN5 w - - {clock} 60"));
    assert_eq!(at(99 - dtz)[0].wdl, TableWdl::Win);
    assert!(at(99 - dtz).iter().any(|known| known.wdl == TableWdl::CursedWin), "too slow");
    assert_eq!(at(101 - dtz)[0].wdl, TableWdl::CursedWin);
    let lost = root("8/8/8/8/4k3/8/8/KBN5 b - - 95 80");
    assert_eq!(lost[0].wdl, TableWdl::BlessedLoss);

    // A pawn move resets the counter; a king move comes too late.
    let ranked = root("4k3/8/4K3/8/4P3/8/8/8 w - - 99 80");
    let push = ranked.iter().find(|known| known.dtz == Some(1)).expect("a winning pawn move");
    assert_eq!(push.wdl, TableWdl::Win);
    assert!(
        ranked.iter().filter(|known| known.dtz != Some(1)).all(|known| known.wdl < TableWdl::Win)
    );
}

#[test]
fn a_third_repetition_is_a_draw_and_a_second_calls_for_progress() {
    let mut line = Line::new(position("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"));
    let alike = tables().probe_root(&line).expect("the tables have it");
    let slow = alike.iter().rfind(|known| known.rank == alike[0].rank);
    assert!(slow.is_some_and(|slow| slow.dtz > alike[0].dtz), "{alike:?}");
    for text in "Qb2+ Ke6 Qb1 Ke5 Qb2+ Ke6 Qb1 Ke5".split(' ').take(7) {
        let m = line.position().parse_san(text).expect("legal");
        line.play(m).expect("legal");
    }
    // Black repeats for the third time with Ke5.
    let ranked = tables().probe_root(&line).expect("the tables have it");
    assert_eq!(line.position().san(ranked[0].m).to_string(), "Ke5");
    assert_eq!((ranked[0].wdl, ranked[0].dtz), (TableWdl::Draw, Some(0)));

    line.truncate(4);
    let ranked = tables().probe_root(&line).expect("the tables have it");
    let fastest = ranked.iter().filter_map(|known| known.dtz).filter(|&dtz| dtz > 0).min();
    assert_eq!(ranked[0].dtz, fastest);
    for known in ranked.iter().filter(|known| known.rank == ranked[0].rank) {
        assert_eq!(known.dtz, fastest, "only the fastest after a repetition");
    }
    assert_eq!(line.claimable_draw(), None::<DrawReason>);
}

#[test]
fn threads_share_the_tables() {
    let (shared, _) = Tablebases::open(&[directory()]);
    let shared = std::sync::Arc::new(shared);
    let answers: Vec<Vec<Option<TableWdl>>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let shared = shared.clone();
                scope.spawn(move || {
                    let mut dice = Dice::new(9);
                    (0..5000)
                        .map(|i| random_position(MATERIALS[i % MATERIALS.len()], &mut dice))
                        .map(|here| shared.probe_wdl(&here))
                        .collect()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert!(answers[0].iter().all(Option::is_some));
}

#[test]
fn a_question_may_leave_the_tables_out_and_a_limited_player_does_not_know_them() {
    // White keeps the opposition and wins, which a search of one ply can't see.
    let line = Line::new(position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"));
    let question = Question::new(line).limits(Limits::depth(1));
    let mut engine = Engine::new(Options { syzygy_path: vec![directory()], ..Options::default() });
    assert_eq!(engine.take_messages(), Vec::<String>::new());
    let mut score = |question: &Question| {
        engine.new_game().expect("our own engine doesn't fail");
        engine.decide(question, &Stop::new()).expect("a verdict").score().expect("a search")
    };
    let known = Score::Cp(10_000);
    assert!(score(&question) > known);
    assert!(score(&question.clone().tablebases(false)) < known);
    let strength = Strength::Elo(Elo::default());
    assert!(score(&question.clone().strength(strength)) < known);
    assert!(score(&question) > known);
}
