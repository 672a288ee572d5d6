//! The client against engines that work, crash, hang, flood and lie. They are shell scripts.

#![cfg(unix)]

use std::time::{Duration, Instant};

use chess::{Line, Position};
use engine::{
    Analyst, AnalystError, Clocks, Elo, Limits, Question, Score, Stop, Strength, Verdict,
};
use uci::{Client, ClientError, EngineCommand, Patience};

const HASTY: Patience = Patience {
    start: Duration::from_secs(20),
    ready: Duration::from_secs(20),
    grace: Duration::from_millis(50),
    stop: Duration::from_millis(200),
    untimed: None,
};

/// An engine that does the handshake and then handles each line by the cases of a script.
fn engine(cases: &str) -> EngineCommand {
    let script = format!(
        "while read -r line; do case \"$line\" in\n{cases}\n\
         uci) echo 'id name Fake 1'; echo 'id author Nobody'
              echo 'option name Hash type spin default 16 min 1 max 64'
              echo 'option name Clear Hash type button'
              echo 'option name UCI_Chess960 type check default false'; echo uciok;;
         isready) echo readyok;;
         quit) exit;;
         esac; done"
    );
    EngineCommand { arguments: vec!["-c".to_owned(), script], ..EngineCommand::new("sh") }
}

fn start(cases: &str) -> Client {
    Client::start(engine(cases), HASTY).expect("it starts")
}

fn think(client: &mut Client, limits: &Limits) -> Result<Verdict, AnalystError> {
    client.decide(&Question::default().limits(*limits), &Stop::new())
}

#[test]
fn a_good_engine_is_understood() {
    let mut client = start(
        "go*) echo 'info depth 3 multipv 2 score cp -5 pv d2d4'
              echo 'info depth 3 multipv 1 score cp 12 nodes 77 pv e2e4 e7e5'
              echo 'bestmove e2e4 ponder e7e5';;",
    );
    assert_eq!((client.name(), client.author()), ("Fake 1", "Nobody"));
    let mut reports = 0;
    let question = Question::default().limits(Limits::depth(3));
    let verdict =
        client.analyse(&question, &Stop::new(), &mut |_| reports += 1).expect("a verdict");
    assert_eq!((reports, verdict.lines.len()), (2, 2));
    assert_eq!(verdict.score(), Some(Score::Cp(12)));
    let e4 = Position::default().parse_san("e4").expect("a move");
    assert_eq!(verdict.best, e4);
    assert!(verdict.ponder.is_some());
    client.new_game().expect("it goes on");
    assert!(think(&mut client, &Limits::nodes(5)).is_ok());
}

#[test]
fn a_program_that_is_not_there_is_an_error_with_its_name() {
    let error = Client::start(EngineCommand::new("/no/such/engine"), HASTY).expect_err("nothing");
    assert!(matches!(error, ClientError::Start { .. }));
    assert!(error.to_string().starts_with("can't start `/no/such/engine`: "), "{error}");
}

#[test]
fn an_engine_that_ends_at_once_is_a_crash() {
    let command: EngineCommand = "sh -c 'echo no net >&2; exit 3'".parse().expect("a command");
    let error = Client::start(command, HASTY).expect_err("it ends");
    let text = error.to_string();
    assert!(matches!(error, ClientError::Crashed { .. }), "{text}");
    assert!(text.contains("exit status: 3") && text.contains("it wrote: no net"), "{text}");
}

#[test]
fn a_crash_in_a_search_is_told_and_a_restart_helps() {
    let mut client = start(
        "go*depth*) echo 'bestmove e2e4';;
         go*) echo one >&2; echo two >&2; kill -SEGV $$;;",
    );
    client.set_option("hash", "32").expect("it has this option");
    let error = think(&mut client, &Limits::nodes(1)).expect_err("it crashes");
    let text = error.to_string();
    assert!(text.contains("signal: 11") && text.contains("one | two"), "{text}");
    assert!(!client.is_running());
    let error = think(&mut client, &Limits::depth(1)).expect_err("it is gone");
    assert!(
        matches!(&error, AnalystError::Crashed(text) if text.contains("not running")),
        "{error}"
    );
    client.restart().expect("it starts again");
    assert!(think(&mut client, &Limits::depth(1)).is_ok());
    think(&mut client, &Limits::nodes(1)).expect_err("it crashes");
    client.new_game().expect("another game starts it again");
    assert!(think(&mut client, &Limits::depth(1)).is_ok());
}

#[test]
fn options_are_set_again_after_a_restart() {
    let mut client = start(
        "setoption*32) hash=32;;
         go*) [ \"$hash\" = 32 ] && echo 'bestmove e2e4' || exit 9;;",
    );
    client.set_option("Hash", "32").expect("it has this option");
    client.restart().expect("it starts again");
    assert!(think(&mut client, &Limits::depth(1)).is_ok());
}

#[test]
fn an_engine_that_never_shakes_hands_is_given_up() {
    let patience = Patience { start: Duration::from_millis(100), ..HASTY };
    let command: EngineCommand = "sh -c 'while read -r x; do :; done'".parse().expect("a command");
    let error = Client::start(command, patience).expect_err("it is silent");
    assert!(matches!(error, ClientError::Silent { awaited: "uciok", .. }), "{error}");
}

#[test]
fn an_engine_that_babbles_instead_of_shaking_hands_is_given_up() {
    let patience = Patience { start: Duration::from_millis(200), ..HASTY };
    let command: EngineCommand =
        "sh -c 'while :; do echo noise noise; done'".parse().expect("a command");
    let began = Instant::now();
    let error = Client::start(command, patience).expect_err("it babbles");
    assert!(matches!(error, ClientError::Silent { awaited: "uciok", .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_search_that_hangs_is_stopped_and_then_given_up() {
    let mut client = start("go*) : ;;");
    let began = Instant::now();
    let clocks = Clocks { remaining: [Duration::from_millis(100); 2], ..Clocks::default() };
    let error = think(&mut client, &Limits::clocks(clocks)).expect_err("it hangs");
    assert!(matches!(&error, AnalystError::Silent(text) if text.contains("bestmove")), "{error}");
    assert!(began.elapsed() >= Duration::from_millis(300) && !client.is_running());
}

#[test]
fn a_late_answer_to_stop_still_counts() {
    let mut client = start("stop) echo 'bestmove e2e4';;");
    let limits = Limits::move_time(Duration::from_millis(30));
    let time = think(&mut client, &limits).expect("it answers the stop").time;
    assert!(time >= Duration::from_millis(80), "{time:?}");
}

#[test]
fn a_search_without_limits_ends_when_it_is_stopped() {
    let mut client = start("stop) echo 'bestmove d2d4';;");
    let stop = Stop::new();
    let other = stop.clone();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            other.stop();
        });
        assert!(client.decide(&Question::default(), &stop).is_ok());
    });
    let patience = Patience { untimed: Some(Duration::from_millis(30)), ..HASTY };
    let cases = "stop) echo 'bestmove d2d4';;";
    let mut client = Client::start(engine(cases), patience).expect("it starts");
    assert!(think(&mut client, &Limits::depth(99)).is_ok());
}

#[test]
fn babble_does_not_disturb_a_search() {
    let mut client = start(
        r"go*) printf '\n\n  \t\nHello\ninfo\ninfo score\ninfo depth x score cp\nbestmov e2e4\n'
           printf '\377\376\nreadyok\nuciok\noption name\nid\ninfo string bestmove a2a3\n'
           head -c 200000 /dev/zero | tr '\0' 'x'; printf '\n  bestmove   e2e4  \r\n';;",
    );
    think(&mut client, &Limits::depth(1)).expect("a verdict");
}

#[test]
fn illegal_moves_are_told_and_the_engine_lives_on() {
    for text in ["e2e5", "e7e5", "(none)", "0000", "x", ""] {
        let mut client = start(&format!("go*) echo 'bestmove {text}';;"));
        let error = think(&mut client, &Limits::depth(1)).expect_err(text);
        let AnalystError::IllegalMove(told) = error else { panic!("{error}") };
        assert!(told.starts_with(&format!("Fake 1 answered the illegal move `{text}`")), "{told}");
        assert!(client.is_running());
    }
}

#[test]
fn a_flood_of_lines_is_read_to_its_end() {
    let mut client = start(
        "go*) yes 'info depth 1 score cp 1 nodes 1 pv e2e4' | head -n 200000; echo 'bestmove e2e4';;",
    );
    let mut reports = 0;
    let question = Question::default().limits(Limits::depth(1));
    client.analyse(&question, &Stop::new(), &mut |_| reports += 1).expect("a verdict");
    assert_eq!(reports, 200_000);
}

#[test]
fn a_flood_without_end_is_given_up() {
    let mut client = start("go*) yes 'info depth 1 score cp 1 pv e2e4';;");
    let limits = Limits::move_time(Duration::from_millis(20));
    let began = Instant::now();
    let error = think(&mut client, &limits).expect_err("no verdict");
    assert!(matches!(error, AnalystError::Silent(_)), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn only_options_that_the_engine_has_can_be_set() {
    let mut client = start("");
    let text = client.set_option("Hahs", "1").expect_err("a slip").to_string();
    assert_eq!(text, "Fake 1 has no option `Hahs`; it has: Hash, Clear Hash, UCI_Chess960");
    let text = client.set_option("hash", "65").expect_err("too much").to_string();
    assert_eq!(text, "Fake 1: option `Hash` can't be `65`: allowed is a number from 1 to 64");
    client.set_option("clear hash", "").expect("a button");
    client.set_option("HASH", "64").expect("in range");
    client.ready().expect("it is ready");
}

#[test]
fn chess960_is_turned_on_and_off_as_the_game_needs_it() {
    let cases = "setoption*960*) mode=${line##* };;
         position*) case \"$line\" in *bbqnnrkr*) want=true;; *) want=false;; esac;;
         go*) [ \"${mode:-false}\" = $want ] || exit 9
              if [ $want = true ]; then echo 'bestmove g1h1'; else echo 'bestmove e2e4'; fi;;";
    let mut client = start(cases);
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNN1KR w HFhf - 0 1";
    let fen = fen.replace("HFhf", "Hhf");
    let line = Line::new(fen.parse().expect("a legal FEN"));
    let question = Question::new(line).limits(Limits::depth(1));
    for _ in 0..2 {
        let verdict = client.decide(&question, &Stop::new()).expect("castling");
        assert_eq!(verdict.best.kind(), chess::MoveKind::Castle);
        think(&mut client, &Limits::depth(1)).expect("standard chess");
    }
}

#[test]
fn an_engine_without_chess960_says_so() {
    let script = "while read -r x; do [ \"$x\" = uci ] && echo uciok; done";
    let command =
        EngineCommand { arguments: vec!["-c".into(), script.into()], ..EngineCommand::new("sh") };
    let mut client = Client::start(command, HASTY).expect("it starts");
    let line = Line::new(Position::chess960(0).expect("a number"));
    let error = client.decide(&Question::new(line), &Stop::new()).expect_err("not this game");
    let text = "sh can't play Chess960: it has no option UCI_Chess960";
    assert_eq!(error, AnalystError::Unable(text.to_owned()));
}

/// An engine with options for most of what a question can ask. Its report shows their values: lines
/// as nodes, the tablebase limit as hits, its rating, if limited, as `hashfull`.
const VERSATILE: &str = r#"
    uci) echo 'option name MultiPV type spin default 1 min 1 max 4'
         echo 'option name OwnBook type check default false'
         echo 'option name SyzygyProbeLimit type spin default 7 min 0 max 7'
         echo 'option name UCI_LimitStrength type check default false'
         echo 'option name UCI_Elo type spin default 1350 min 1320 max 3190'; echo uciok;;
    setoption*MultiPV*) lines=${line##* };;
    setoption*OwnBook*) book=${line##* };;
    setoption*Syzygy*) tables=${line##* };;
    setoption*LimitStrength*) limit=${line##* };;
    setoption*Elo*) elo=${line##* };;
    go*) [ "$limit" = true ] && rating=$elo || rating=0
         [ "$book" = true ] && best=d2d4 || best=e2e4
         echo "info score cp 0 nodes ${lines:-1} tbhits ${tables:-7} hashfull $rating"
         echo "bestmove $best";;"#;

#[test]
fn what_a_question_asks_for_is_set_and_taken_back() {
    let mut client = start(VERSATILE);
    let plain = Question::default().limits(Limits::depth(1));
    let asked = |client: &mut Client, question: &Question| {
        let verdict = client.decide(question, &Stop::new()).expect("a verdict");
        let told = &verdict.lines[0];
        let d4 = question.position().parse_san("d4").expect("a move");
        (told.nodes, told.tablebase_hits, verdict.best == d4, told.hash_full)
    };
    assert_eq!(asked(&mut client, &plain), (1, 7, false, 0));
    let strength = Strength::Elo(Elo::new(1_500).expect("in range"));
    let special = plain.clone().lines(9).book(true).tablebases(false).strength(strength);
    assert_eq!(asked(&mut client, &special), (4, 0, true, 1500));
    assert_eq!(asked(&mut client, &plain), (1, 7, false, 0));

    // A question that leaves an option open doesn't undo what was configured.
    client.set_option("MultiPV", "2").expect("it has this option");
    client.set_option("OwnBook", "true").expect("it has this option");
    assert_eq!(asked(&mut client, &plain), (2, 7, true, 0));
    assert_eq!(asked(&mut client, &special), (4, 0, true, 1500));
    assert_eq!(asked(&mut client, &plain), (2, 7, true, 0));
    client.restart().expect("it starts again");
    assert_eq!(asked(&mut client, &plain), (2, 7, true, 0));
}

#[test]
fn a_strength_that_an_engine_cannot_play_at_is_an_error_and_a_book_that_it_lacks_is_not() {
    let weak =
        |rating| Question::default().strength(Strength::Elo(Elo::new(rating).expect("in range")));
    let mut client = start("go*) echo 'bestmove e2e4';;");
    let error = client.decide(&weak(1_500), &Stop::new()).expect_err("it plays at full strength");
    let AnalystError::Unable(text) = error else { panic!("{error}") };
    assert!(text.starts_with("Fake 1 can't limit its strength"), "{text}");
    let wishes = Question::default().lines(3).book(true).tablebases(false).seed(1);
    client.decide(&wishes, &Stop::new()).expect("these are wishes");

    let mut client = start(VERSATILE);
    let error = client.decide(&weak(1_000), &Stop::new()).expect_err("too weak for it");
    let AnalystError::Unable(text) = error else { panic!("{error}") };
    assert!(
        text.contains("`UCI_Elo` can't be `1000`: allowed is a number from 1320 to 3190"),
        "{text}"
    );
}

#[test]
fn a_finished_game_is_not_asked_about() {
    let mut client = start("position*) exit 9;;");
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a legal FEN");
    let verdict = client.decide(&Question::new(Line::new(mated)), &Stop::new());
    assert_eq!(verdict, Err(AnalystError::NoLegalMove));
    let ponder = Limits { ponder: true, ..Limits::depth(1) };
    assert!(matches!(think(&mut client, &ponder), Err(AnalystError::Unable(_))));
    assert!(client.is_running());
}

#[test]
fn an_engine_that_ignores_quit_is_ended_with_its_client() {
    let folder = std::env::temp_dir().join(format!("riga-client-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("pid");
    let cases =
        format!("uci) echo $$ > {0}.new; mv {0}.new {0}; echo uciok;;\nquit) : ;;", file.display());
    // It doesn't exit at the end of its input, either.
    let mut command = engine(&cases);
    command.arguments[1].push_str("; while :; do sleep 0.05; done");
    drop(Client::start(command, HASTY).expect("it starts"));
    let pid = std::fs::read_to_string(&file).expect("its number");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    let alive = std::process::Command::new("kill")
        .args(["-0", pid.trim()])
        .stderr(std::process::Stdio::null())
        .status()
        .expect("kill runs");
    assert!(!alive.success(), "{pid} still runs");
}
