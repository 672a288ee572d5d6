//! Whole games, reviewed with few nodes.

use engine::{Engine, Options};
use game::Game;
use game::pgn::Reader;
use review::words::{Language, explain, summary};
use review::{
    BadReport, Effort, GameReport, Group, Label, Mode, Motif, Plan, ScoreText, Steps, Whose, review,
};

const PLAN: Plan = Plan {
    effort: Effort::Nodes(4_000),
    mode: Mode::Riga,
    steps: Steps::USUAL,
    second_search: true,
    puzzles: true,
};

/// White drops a queen, Black doesn't take it, and is mated.
const SCHOLAR: &str = "[Result \"1-0\"]\n[TimeControl \"300+0\"]\n\n\
    1. e4 { [%clk 0:04:58] } e5 { [%clk 0:04:59] } 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";

/// A short game with a fork that is allowed and one that is missed.
const GAME: &str = "[Result \"*\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";

fn game(pgn: &str) -> Game {
    Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("it can be read")
}

fn engine() -> Engine {
    Engine::new(Options { hash: 4, ..Options::default() })
}

fn reviewed(pgn: &str) -> (Game, GameReport) {
    let game = game(pgn);
    let report = review(&game, &mut engine(), &PLAN, "Riga").expect("it can be reviewed");
    (game, report)
}

#[test]
fn a_game_gets_labels_and_explanations() {
    let (game, report) = reviewed(SCHOLAR);
    report.check(&game).expect("every line is legal");
    let labels: Vec<Label> = report.moves.iter().map(|one| one.label).collect();
    assert_eq!(labels[..3], [Label::Book; 3]);
    assert_eq!(labels[5], Label::Blunder, "Nf6 allows mate");
    assert_eq!(labels[6], Label::Best, "mate");
    let claim = &report.moves[5].claims[0];
    assert_eq!((claim.motif, claim.whose, claim.gain), (Motif::Mate, Whose::Allowed, 1));
    assert_eq!(claim.line[0].san, "Qxf7#");
    assert_eq!(report.moves[6].score, ScoreText::Mate(0));
    let text = explain(&report, 5, Language::English).expect("a blunder is explained");
    assert!(text.contains("mate in 1: 4. Qxf7#"), "{text}");
    let text = explain(&report, 5, Language::German).expect("a blunder is explained");
    assert!(text.contains("Matt in 1: 4. Dxf7#"), "{text}");
    assert_eq!(report.moves[0].clock.and_then(|clock| clock.spent), Some(2_000));
    assert!(report.white.accuracy > report.black.accuracy);
}

#[test]
fn the_same_game_gets_the_same_report() {
    let [one, other] = [reviewed(GAME), reviewed(GAME)].map(|(_, report)| report);
    assert_eq!(one, other);
    let json = serde_json::to_string(&one).expect("it can be written");
    let read: GameReport = serde_json::from_str(&json).expect("it can be read");
    assert_eq!(read, one);
}

#[test]
fn the_engines_move_is_never_marked() {
    for pgn in [SCHOLAR, GAME] {
        let (_, report) = reviewed(pgn);
        for one in &report.moves {
            let is_best = one.best.first().is_some_and(|best| best.uci == one.played.uci);
            assert!(!is_best || one.label.group() == Group::Fine, "{one:?}");
            assert!(one.best_points >= one.played_points, "{one:?}");
        }
    }
}

#[test]
fn a_report_about_another_game_is_refused() {
    let (mut scholar, report) = reviewed(SCHOLAR);
    assert_eq!(report.check(&game(GAME)), Err(BadReport::OtherGame));
    scholar.undo();
    assert_eq!(report.check(&scholar), Err(BadReport::OtherGame));
}

#[test]
fn an_illegal_line_or_number_is_refused() {
    let (scholar, report) = reviewed(SCHOLAR);
    let mut lie = report.clone();
    lie.moves[5].claims[0].line[0].uci = "h5e8".to_owned();
    assert!(matches!(lie.check(&scholar), Err(BadReport::IllegalLine { ply: 5, .. })));
    let mut lie = report.clone();
    lie.moves[2].accuracy = 101.0;
    assert_eq!(lie.check(&scholar), Err(BadReport::BadNumber { ply: 2 }));
    let mut lie = report;
    lie.moves[6].label = Label::Blunder;
    assert_eq!(lie.check(&scholar), Err(BadReport::BadNumber { ply: 6 }), "it was best");
}

#[test]
fn figures_that_do_not_follow_from_the_moves_are_refused() {
    let (scholar, report) = reviewed(SCHOLAR);
    let lies: [fn(&mut GameReport); 7] = [
        |lie| lie.turning_points = vec![7],
        |lie| lie.turning_points = vec![5, 5],
        |lie| lie.white.accuracy = Some(1e308),
        |lie| lie.black.phases[0] = Some(-5.0),
        |lie| lie.black.labels[0] = 99,
        |lie| lie.white.centipawn_loss = Some(1e300),
        |lie| lie.opening = None,
    ];
    for (number, lie) in lies.into_iter().enumerate() {
        let mut report = report.clone();
        lie(&mut report);
        assert_eq!(report.check(&scholar), Err(BadReport::BadFigures), "{number}");
    }
    let mut lie = report;
    lie.engine = "x".repeat(201);
    assert_eq!(lie.check(&scholar), Err(BadReport::BadEngine));
}

#[test]
fn every_mode_has_its_labels() {
    for mode in Mode::ALL {
        let game = game(GAME);
        let plan = Plan { mode, ..PLAN };
        let report = review(&game, &mut engine(), &plan, "Riga").expect("it can be reviewed");
        report.check(&game).expect("every line is legal");
        let known: &[Label] = match mode {
            Mode::Riga => &Label::ALL,
            Mode::Lichess => {
                &[Label::Best, Label::Good, Label::Inaccuracy, Label::Mistake, Label::Blunder]
            }
            Mode::Classic => &[
                Label::Brilliant,
                Label::Excellent,
                Label::Good,
                Label::Inaccuracy,
                Label::Mistake,
                Label::Blunder,
            ],
        };
        assert!(report.moves.iter().all(|one| known.contains(&one.label)), "{mode}");
    }
}

#[test]
fn games_without_moves_or_from_any_position_are_reviewed() {
    let (empty, report) = reviewed("[Event \"Nothing\"]\n\n*");
    assert!(report.moves.is_empty() && report.check(&empty).is_ok());
    let mated = "[SetUp \"1\"]\n[FEN \"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\"]\n\n1-0";
    let (_, report) = reviewed(mated);
    assert_eq!(report.score, ScoreText::Mate(0));
    let forced = "[SetUp \"1\"]\n[FEN \"7k/8/5K2/8/8/8/8/6R1 b - - 0 1\"]\n\n1... Kh7 *";
    let (_, report) = reviewed(forced);
    assert_eq!(report.moves[0].label, Label::Forced);
}

#[test]
fn a_game_has_a_paragraph_in_both_languages() {
    let (_, report) = reviewed(GAME);
    let english = summary(&report, Language::English);
    assert!(english.contains("The turning point was"), "{english}");
    let german = summary(&report, Language::German);
    assert!(german.contains("Der Wendepunkt war"), "{german}");
}

#[test]
fn a_mate_is_claimed_even_with_few_nodes() {
    let plan = Plan { effort: Effort::Nodes(500), ..PLAN };
    let report = review(&game(SCHOLAR), &mut engine(), &plan, "Riga").expect("a review");
    assert_eq!(report.moves[5].claims[0].motif, Motif::Mate);
}
