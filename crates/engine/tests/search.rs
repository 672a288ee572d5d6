//! What an outsider sees of the search: it mates, draws, stops, and repeats itself exactly.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use chess::{Line, Move, Position, UciMove};
use engine::{
    Analyst, AnalystError, Bound, Clocks, Engine, Evaluation, Limits, MatePlies, OpeningBook,
    Options, Question, Report, Score, Stop, Verdict,
};

fn line(fen: &str) -> Line {
    Line::new(fen.parse().expect("a legal position"))
}

fn uci(position: &Position, text: &str) -> Move {
    text.parse::<UciMove>().expect("a move").to_move(position).expect("legal")
}

fn ask(engine: &mut Engine, line: &Line, limits: &Limits) -> (Verdict, Vec<Report>) {
    put(engine, &Question::new(line.clone()).limits(*limits))
}

fn put(engine: &mut Engine, question: &Question) -> (Verdict, Vec<Report>) {
    let mut reports = Vec::new();
    let verdict = engine
        .analyse(question, &Stop::new(), &mut |report| reports.push(report))
        .expect("there is a legal move");
    (verdict, reports)
}

fn replay(line: &Line, pv: &[Move]) -> Line {
    let mut line = line.clone();
    for &m in pv {
        line.play(m).expect("every move of a line is legal");
    }
    line
}

#[test]
fn mates_are_found_and_their_lines_end_in_mate() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
        ("5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 0 1", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 5),
        ("rnbqr2k/pppp1Qpp/8/b2NN3/2B1n3/8/PPPP1PPP/R1B1K2R w KQ - 0 1", 7),
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 1),
    ];
    for (fen, plies) in cases {
        let line = line(fen);
        let (verdict, reports) = ask(&mut Engine::default(), &line, &Limits::nodes(200_000));
        assert_eq!(verdict.score(), Some(Score::Mate(MatePlies(plies))), "{fen}");
        for report in reports.iter().filter(|report| report.bound == Bound::Exact) {
            if let Score::Mate(MatePlies(plies)) = report.score {
                let end = replay(&line, &report.pv);
                assert_eq!(report.pv.len() as i32, plies.abs(), "{fen}");
                assert!(end.position().is_check() && !end.position().has_legal_move(), "{fen}");
            }
        }
    }
}

/// Waiting moves don't exist for the mated side, and a search that trusts an evaluation or a pass is
/// slow to see this: with the network it takes more nodes than with the hand-written evaluation.
#[test]
fn a_mate_by_zugzwang_is_found() {
    let line = line("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let options = Options { evaluation: Evaluation::Hand, ..Options::default() };
    let (verdict, _) = ask(&mut Engine::new(options), &line, &Limits::nodes(200_000));
    assert_eq!(verdict.score(), Some(Score::Mate(MatePlies(3))));
}

#[test]
fn another_judge_starts_from_nothing() {
    let limits = Limits::nodes(20_000);
    let by_hand = Options { evaluation: Evaluation::Hand, ..Options::default() };
    let mut engine = Engine::default();
    ask(&mut engine, &Line::default(), &limits);
    assert_eq!(engine.set_options(by_hand.clone()), Vec::<String>::new());
    let (switched, _) = ask(&mut engine, &Line::default(), &limits);
    let (fresh, _) = ask(&mut Engine::new(by_hand), &Line::default(), &limits);
    assert_eq!(switched.score(), fresh.score());
    assert_eq!(switched.lines[0].pv, fresh.lines[0].pv);
}

#[test]
fn a_network_that_cannot_be_read_is_told_of_and_replaced() {
    let missing =
        Options { evaluation: Evaluation::NetFile("no/such.net".into()), ..Options::default() };
    let mut engine = Engine::new(missing);
    let messages = engine.take_messages();
    assert!(messages[0].starts_with("no/such.net: "), "{messages:?}");
    let (verdict, _) = ask(&mut engine, &Line::default(), &Limits::nodes(1_000));
    let (usual, _) = ask(&mut Engine::default(), &Line::default(), &Limits::nodes(1_000));
    assert_eq!(verdict.score(), usual.score());
}

#[test]
fn a_lone_king_is_mated_before_the_fifty_moves_are_over() {
    for fen in [
        "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/2B1KB2 w - - 0 1",
        "8/8/8/4k3/8/8/8/1N2KB2 w - - 0 1",
    ] {
        let mut engine = Engine::default();
        let mut line = line(fen);
        while line.outcome().is_none() {
            let (verdict, _) = ask(&mut engine, &line, &Limits::nodes(20_000));
            line.play(verdict.best).expect("legal");
        }
        let outcome = line.outcome().expect("the game is over");
        assert_eq!(outcome.winner(), Some(chess::Color::White), "{fen}: {}", line.position());
    }
}

#[test]
fn a_search_too_short_to_see_anything_announces_no_mate() {
    let start = Line::default();
    let (verdict, _) = ask(&mut Engine::default(), &start, &Limits::nodes(1));
    assert_eq!((verdict.lines.len(), verdict.score()), (1, Some(Score::Cp(0))));
    let question = Question::new(start).limits(Limits::nodes(20)).lines(5);
    let (verdict, reports) = put(&mut Engine::default(), &question);
    let scores = verdict.lines.iter().chain(&reports).map(|report| report.score);
    assert!(scores.into_iter().all(|score| matches!(score, Score::Cp(_))), "{verdict:?}");
}

#[test]
fn a_mate_limit_beyond_all_bounds_is_met_by_any_mate() {
    let line = line("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let limits = Limits { mate: Some(u32::MAX), ..Limits::depth(30) };
    let (verdict, _) = ask(&mut Engine::default(), &line, &limits);
    assert_eq!(verdict.score(), Some(Score::Mate(MatePlies(1))));
    assert!(verdict.lines[0].depth < 30);
}

#[test]
fn a_mate_limit_ends_the_search_when_the_mate_is_proven() {
    let line = line("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let (verdict, _) = ask(&mut Engine::default(), &line, &limits);
    assert_eq!(verdict.score(), Some(Score::Mate(MatePlies(3))));
}

#[test]
fn the_same_search_gives_the_same_nodes_at_twenty_limits() {
    let line = line("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = Engine::default();
    for step in 1..=20 {
        let limits = Limits::nodes(step * 3_777);
        let mut run = || {
            engine.new_game().expect("our own engine doesn't fail");
            let (verdict, reports) = ask(&mut engine, &line, &limits);
            let trail: Vec<_> =
                reports.into_iter().map(|r| (r.depth, r.nodes, r.score, r.pv)).collect();
            (verdict.best, verdict.ponder, trail)
        };
        let first = run();
        assert_eq!(first, run(), "limit {}", step * 3_777);
        let nodes = first.2.last().expect("a report").1;
        assert!(nodes.abs_diff(step * 3_777) <= 1, "{nodes} of {}", step * 3_777);
    }
}

#[test]
fn a_lost_side_takes_the_repetition() {
    let mut line = line("4k3/8/8/8/8/8/q7/6K1 w - - 0 1");
    for text in ["g1h1", "e8d8", "h1g1", "d8e8"].repeat(2) {
        let m = uci(line.position(), text);
        line.play(m).expect("legal");
    }
    let (verdict, _) = ask(&mut Engine::default(), &line, &Limits::depth(8));
    assert_eq!(verdict.best, uci(line.position(), "g1h1"), "it is there for the third time");
    let Some(Score::Cp(cp)) = verdict.score() else { panic!("no mate here") };
    assert!(cp.abs() <= 5, "{cp}");
}

#[test]
fn the_fifty_move_rule_is_seen_inside_the_tree() {
    // A rook up, but without a capture or pawn move the next ply is a draw.
    let line = line("8/8/8/3k4/8/8/8/KR6 b - - 99 120");
    let (verdict, _) = ask(&mut Engine::default(), &line, &Limits::depth(6));
    let Some(Score::Cp(cp)) = verdict.score() else { panic!("no mate here") };
    assert!(cp.abs() <= 5, "{cp}");
}

#[test]
fn stalemated_and_mated_sides_have_no_verdict() {
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let question = Question::new(line(fen)).limits(Limits::depth(3));
        let result = Engine::default().analyse(&question, &Stop::new(), &mut |_| {});
        assert!(matches!(result, Err(AnalystError::NoLegalMove)), "{fen}");
    }
}

#[test]
fn several_lines_are_different_and_ordered() {
    let line = line("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
    let question = Question::new(line.clone()).limits(Limits::depth(9)).lines(4);
    let (verdict, _) = put(&mut Engine::default(), &question);
    assert_eq!(verdict.lines.len(), 4);
    for pair in verdict.lines.windows(2) {
        assert!(pair[0].score >= pair[1].score);
        assert_ne!(pair[0].pv[0], pair[1].pv[0]);
    }
    assert_eq!(verdict.best, verdict.lines[0].pv[0]);
    for report in &verdict.lines {
        replay(&line, &report.pv);
    }
}

/// An iteration that was cut short chose the move, but was told nothing about.
#[test]
fn what_is_told_last_is_what_the_verdict_says() {
    let lines = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "5rkr/pp2Rp2/1b1p1Pb1/3P2Q1/2n3P1/2p5/P4P2/4R1K1 w - - 0 1",
    ]
    .map(line);
    for multi_pv in [1, 2, 4] {
        let mut engine = Engine::default();
        for (line, nodes) in lines.iter().flat_map(|line| (1..=20).map(move |n| (line, n * 411))) {
            engine.new_game().expect("our own engine doesn't fail");
            let question = Question::new(line.clone()).limits(Limits::nodes(nodes)).lines(multi_pv);
            let (verdict, reports) = put(&mut engine, &question);
            let last = reports.iter().rposition(|report| report.multi_pv == 1).expect("a line");
            let words = |told: &[Report]| -> Vec<_> {
                let words = |told: &Report| (told.depth, told.score, told.bound, told.pv.clone());
                told.iter().map(words).collect()
            };
            let place = line.position();
            assert_eq!(words(&reports[last..]), words(&verdict.lines), "{place} at {nodes}");
            let most = reports.iter().map(|report| report.multi_pv).max().expect("a line");
            assert_eq!(verdict.lines.len(), most, "{place} at {nodes}");
            let moves: HashSet<Move> = verdict.lines.iter().map(|told| told.pv[0]).collect();
            assert_eq!(moves.len(), verdict.lines.len(), "{verdict:?}");
            assert_eq!(verdict.best, verdict.lines[0].pv[0]);
            let scores = verdict.lines.iter().map(|told| told.score);
            assert!(scores.is_sorted_by(|better, worse| better >= worse), "{verdict:?}");
        }
    }
}

/// `score mate 11 lowerbound` came with a line of one move.
#[test]
fn a_bound_does_not_claim_a_mate() {
    let mut bounds = 0;
    for fen in [
        "8/3p4/3p4/8/3p4/3K4/4R1P1/7k w - - 0 1",
        "3k1KRB/3p1PP1/2pP4/2P5/p1B5/8/8/8 b - - 0 1",
        "6R1/8/8/4N3/2p4k/2P5/6P1/1K6 w - - 0 1",
    ] {
        // Which searches end with a bound depends on the network: look at many.
        for nodes in (500..20_000).step_by(487) {
            let (_, reports) = ask(&mut Engine::default(), &line(fen), &Limits::nodes(nodes));
            for report in reports.iter().filter(|report| report.bound != Bound::Exact) {
                assert!(matches!(report.score, Score::Cp(-20_000..=20_000)), "{fen}: {report:?}");
                bounds += 1;
            }
        }
    }
    assert!(bounds > 0, "none of the searches ends with a bound");
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let line = Line::default();
    let only = uci(line.position(), "a2a3");
    let question = Question::new(line).limits(Limits::depth(5)).search_moves([only]);
    let (verdict, _) = put(&mut Engine::default(), &question);
    assert_eq!(verdict.best, only);
}

#[test]
fn crowded_positions_and_long_games_fit() {
    let crowded = [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/pp5Q/bp5Q/kb5K w - - 0 1",
    ];
    for fen in crowded {
        ask(&mut Engine::default(), &line(fen), &Limits::nodes(20_000));
    }
    let mut line = Line::default();
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for index in 0..1_200 {
        let m = uci(line.position(), shuffle[index % 4]);
        line.play(m).expect("legal");
    }
    ask(&mut Engine::default(), &line, &Limits::nodes(20_000));
}

#[test]
fn a_stop_from_another_thread_ends_an_endless_search() {
    for threads in [1, 3] {
        let mut engine = Engine::new(Options { threads, ..Options::default() });
        let stop = Stop::new();
        let asked = stop.clone();
        let alarm = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(60));
            asked.stop();
        });
        let verdict = engine.analyse(&Question::default(), &stop, &mut |_| {});
        assert!(verdict.expect("a verdict").lines[0].depth > 1);
        alarm.join().expect("the alarm rang");
    }
}

#[test]
fn many_threads_agree_on_what_is_plain_and_count_every_node() {
    let line = line("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    let mut engine = Engine::new(Options { threads: 4, ..Options::default() });
    let (verdict, _) = ask(&mut engine, &line, &Limits::depth(8));
    assert_eq!(verdict.best, uci(line.position(), "d1d8"));
    let (verdict, _) = ask(&mut engine, &Line::default(), &Limits::nodes(100_000));
    assert!(verdict.lines[0].nodes >= 100_000, "{}", verdict.lines[0].nodes);
}

#[test]
fn a_clock_that_has_run_out_still_gets_a_move() {
    for (left, moves_to_go) in [(0, None), (1, None), (1, Some(1)), (30, Some(40))] {
        let clocks = Clocks {
            remaining: [Duration::from_millis(left); 2],
            increment: [Duration::ZERO; 2],
            moves_to_go,
        };
        let start = Instant::now();
        ask(&mut Engine::default(), &Line::default(), &Limits::clocks(clocks));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}

#[test]
fn the_minimum_depth_is_reached_without_time() {
    let options = Options { minimum_depth: 6, ..Options::default() };
    let limits = Limits::clocks(Clocks::default());
    let (verdict, _) = ask(&mut Engine::new(options), &Line::default(), &limits);
    assert!(verdict.lines[0].depth >= 6, "{}", verdict.lines[0].depth);
}

#[test]
fn chess960_castling_is_searched() {
    // Castling takes the king from b1 to c1 and the rook beside it to d1, with check.
    let line = line("3k4/8/8/8/8/8/PP6/RK6 w A - 0 1");
    let castle = uci(line.position(), "b1a1");
    let question = Question::new(line.clone()).limits(Limits::depth(8)).search_moves([castle]);
    let (verdict, _) = put(&mut Engine::default(), &question);
    let after = replay(&line, &verdict.lines[0].pv[..1]);
    assert!(after.position().is_check(), "{}", after.position());
    replay(&line, &verdict.lines[0].pv);
}

#[test]
fn a_book_is_played_from_when_the_question_allows_it() {
    let mut engine = Engine::default();
    let question = Question::default().limits(Limits::depth(2));
    assert!(!put(&mut engine, &question).0.lines.is_empty(), "by default there is no book");
    let question = question.book(true);
    let (verdict, reports) = put(&mut engine, &question);
    assert!(verdict.lines.is_empty() && reports.is_empty(), "the start position is in the book");
    let seeded = |seed| Engine::default().decide(&question.clone().seed(seed), &Stop::new());
    assert_eq!(seeded(9).expect("a book move").best, seeded(9).expect("a book move").best);
    let only = uci(question.position(), "h2h4");
    let (verdict, _) = put(&mut engine, &question.clone().search_moves([only]));
    assert_eq!((verdict.best, verdict.lines.len()), (only, 1), "not a move of the book");

    let without = Options { book: OpeningBook::None, ..Options::default() };
    assert_eq!(engine.set_options(without), Vec::<String>::new());
    assert!(!put(&mut engine, &question).0.lines.is_empty());
    let missing = OpeningBook::File("no/such/book.bin".into());
    let messages = engine.set_options(Options { book: missing, ..Options::default() });
    assert!(messages.len() == 1 && messages[0].contains("no/such/book.bin"), "{messages:?}");
    assert!(!put(&mut engine, &question).0.lines.is_empty());
}

#[test]
fn too_much_hash_is_a_message_and_the_old_table_stays() {
    let mut engine = Engine::default();
    let messages = engine.set_options(Options { hash: *Options::HASH.end(), ..Options::default() });
    // A machine that promises memory it doesn't have is fine too.
    assert_eq!(messages.is_empty(), engine.options().hash == *Options::HASH.end());
    if !messages.is_empty() {
        assert_eq!(engine.options().hash, Options::default().hash);
    }
    ask(&mut engine, &Line::default(), &Limits::depth(3));
}
