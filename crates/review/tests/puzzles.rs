//! Puzzles of whole games, found with few nodes.

use chess::Position;
use engine::{
    Analyst, AnalystError, Elo, Engine, Limits, Options, Question, Report, Stop, Strength, Verdict,
};
use game::Game;
use game::pgn::Reader;
use review::{BadReport, Effort, GameReport, Mode, Motif, Plan, PuzzleKind, Steps, review};

const PLAN: Plan = Plan {
    effort: Effort::Nodes(4_000),
    mode: Mode::Riga,
    steps: Steps::USUAL,
    second_search: true,
    puzzles: true,
};

/// Black allows a mate, and White misses it.
const MISSED: &str = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf3 Nd4 *";

/// White had a smothered mate.
const SMOTHERED: &str =
    "[SetUp \"1\"]\n[FEN \"1q3r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1\"]\n\n1. Nf7+ Rxf7 *";

/// White doesn't take back.
const RECAPTURE: &str =
    "[SetUp \"1\"]\n[FEN \"3qk3/8/8/8/3R4/2P5/8/6K1 b - - 0 1\"]\n\n1... Qxd4+ 2. Kg2 *";

fn reviewed(pgn: &str, plan: &Plan) -> (Game, GameReport) {
    let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("it is read");
    let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
    let report = review(&game, &mut engine, plan, "Riga").expect("it can be reviewed");
    report.check(&game).expect("everything in it is legal");
    (game, report)
}

fn solution(report: &GameReport, ply: usize) -> Option<Vec<&str>> {
    let puzzle = report.puzzles.iter().find(|puzzle| puzzle.ply == ply)?;
    Some(puzzle.solution.iter().map(|m| &*m.san).collect())
}

#[test]
fn a_missed_mate_is_a_puzzle() {
    let (_, report) = reviewed(MISSED, &PLAN);
    assert_eq!(solution(&report, 6), Some(vec!["Qxf7#"]));
    let puzzle = report.puzzles.last().expect("the mate");
    assert_eq!((puzzle.kind, &*puzzle.themes), (PuzzleKind::Chance, &[Motif::Mate][..]));
    assert!(puzzle.margin >= 20.0 && puzzle.lost >= 20.0, "{puzzle:?}");
    // Several moves defend against it.
    assert_eq!(solution(&report, 5), None);
}

#[test]
fn a_solution_goes_on_while_there_is_one_good_move() {
    let (_, report) = reviewed(SMOTHERED, &PLAN);
    assert_eq!(solution(&report, 0), Some(vec!["Qg8+", "Rxg8", "Nf7#"]));
    assert_eq!(report.puzzles[0].kind, PuzzleKind::Mistake);
}

#[test]
fn taking_back_is_no_puzzle() {
    let (_, report) = reviewed(RECAPTURE, &PLAN);
    assert!(report.moves[1].best_points - report.moves[1].played_points > 20.0, "{report:?}");
    assert_eq!(solution(&report, 1), None);
}

#[test]
fn puzzles_can_be_left_out_and_belong_to_rigas_mode() {
    for plan in [Plan { puzzles: false, ..PLAN }, Plan { mode: Mode::Lichess, ..PLAN }] {
        let (_, report) = reviewed(MISSED, &plan);
        assert_eq!(report.puzzles, []);
        assert!(!serde_json::to_string(&report).expect("plain data").contains("puzzles"));
    }
    // They change nothing else.
    let (_, without) = reviewed(MISSED, &Plan { puzzles: false, ..PLAN });
    let (_, with) = reviewed(MISSED, &PLAN);
    assert_eq!(with.moves, without.moves);
}

#[test]
fn a_false_puzzle_is_refused() {
    let (game, report) = reviewed(MISSED, &PLAN);
    let lies: [fn(&mut GameReport); 6] = [
        |lie| lie.puzzles[0].solution[0].uci = "h5h8".to_owned(),
        |lie| lie.puzzles[0].solution.clear(),
        |lie| lie.puzzles[0].ply = 7,
        |lie| lie.puzzles[0].ply = 8,
        |lie| lie.puzzles[0].lost = 101.0,
        |lie| lie.puzzles.push(lie.puzzles[0].clone()),
    ];
    for (index, change) in lies.into_iter().enumerate() {
        let mut lie = report.clone();
        lie.puzzles.retain(|puzzle| puzzle.ply == 6);
        change(&mut lie);
        let found = lie.check(&game);
        match index {
            0 => assert!(matches!(found, Err(BadReport::IllegalLine { ply: 6, .. })), "{found:?}"),
            _ => assert!(matches!(found, Err(BadReport::BadNumber { .. })), "{index}: {found:?}"),
        }
    }
}

/// An engine that counts the nodes it may search.
struct Counting(Engine, u64);

impl Analyst for Counting {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        self.1 += question.limits.nodes.unwrap_or(0);
        self.0.analyse(question, stop, report)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.0.new_game()
    }
}

/// A game of two weak players, who err often.
fn weak_game(plies: usize) -> Game {
    let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
    let mut game = Game::new(Position::default());
    let elo = Elo::new(900).expect("in range");
    while game.line().len() < plies && game.outcome().is_none() {
        let question = Question::new(game.line()).limits(Limits::nodes(1_000));
        let question = question.strength(Strength::Elo(elo)).seed(7);
        let verdict = engine.decide(&question, &Stop::new()).expect("a move");
        game.play(verdict.best).expect("legal");
    }
    game
}

#[test]
fn puzzles_cost_less_than_a_fifth_of_a_review() {
    let game = weak_game(60);
    let [with, without] = [true, false].map(|puzzles| {
        let mut engine = Counting(Engine::new(Options { hash: 4, ..Options::default() }), 0);
        let plan = Plan { effort: Effort::Nodes(2_000), puzzles, ..PLAN };
        let report = review(&game, &mut engine, &plan, "Riga").expect("a review");
        report.check(&game).expect("every solution is legal");
        (engine.1, report.puzzles.len())
    });
    assert!(with.0 > without.0, "there is something to look at");
    assert!(with.0 < without.0 * 6 / 5, "{with:?} nodes and puzzles instead of {without:?}");
}
