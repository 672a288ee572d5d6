//! The client against engines that behave, crash, hang, babble and lie. They are shell scripts.

#![cfg(unix)]

use std::time::{Duration, Instant};

use chess::{Line, Position};
use engine::{Analyst, AnalystError, Clocks, Limits, Score, Stop};
use uci::{Client, ClientError, EngineCommand, Patience};

const HASTY: Patience = Patience {
    start: Duration::from_secs(20),
    ready: Duration::from_secs(20),
    grace: Duration::from_millis(50),
    stop: Duration::from_millis(200),
    untimed: None,
};

/// An engine that shakes hands and then does to each line what the cases of a script say.
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

fn think(client: &mut Client, limits: &Limits) -> Result<engine::Verdict, ClientError> {
    client.think(&Line::default(), limits, &Stop::new(), &mut |_| {})
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
    let verdict = client
        .think(&Line::default(), &Limits::depth(3), &Stop::new(), &mut |_| reports += 1)
        .expect("a verdict");
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
    assert!(matches!(error, ClientError::Crashed { .. }) && error.is_fatal(), "{text}");
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
    assert!(matches!(error, ClientError::NotRunning { .. }), "{error}");
    client.restart().expect("it starts again");
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
        "sh -c 'while :; do echo babble babble; done'".parse().expect("a command");
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
    assert!(matches!(error, ClientError::Silent { awaited: "bestmove", .. }), "{error}");
    assert!(began.elapsed() >= Duration::from_millis(300) && !client.is_running());
}

#[test]
fn a_late_answer_to_stop_still_counts() {
    let mut client = start("stop) echo 'bestmove e2e4';;");
    let limits = Limits::move_time(Duration::from_millis(30));
    think(&mut client, &limits).expect("it answers the stop");
    assert!(client.thinking_time() >= Duration::from_millis(80), "{:?}", client.thinking_time());
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
        let verdict = client.think(&Line::default(), &Limits::default(), &stop, &mut |_| {});
        assert!(verdict.is_ok());
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
        assert!(matches!(&error, ClientError::IllegalMove { text: told, .. } if told == text));
        assert!(error.to_string().contains("Fake 1 answered the illegal move"), "{error}");
        assert!(client.is_running() && !error.is_fatal());
    }
}

#[test]
fn a_flood_of_lines_is_read_to_its_end() {
    let mut client = start(
        "go*) yes 'info depth 1 score cp 1 nodes 1 pv e2e4' | head -n 200000; echo 'bestmove e2e4';;",
    );
    let mut reports = 0;
    client
        .think(&Line::default(), &Limits::depth(1), &Stop::new(), &mut |_| reports += 1)
        .expect("a verdict");
    assert_eq!(reports, 200_000);
}

#[test]
fn a_flood_without_end_is_given_up() {
    let mut client = start("go*) yes 'info depth 1 score cp 1 pv e2e4';;");
    let limits = Limits::move_time(Duration::from_millis(20));
    let began = Instant::now();
    let error = think(&mut client, &limits).expect_err("no verdict");
    assert!(matches!(error, ClientError::Silent { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn only_options_that_the_engine_has_can_be_set() {
    let mut client = start("");
    let text = client.set_option("Hahs", "1").expect_err("a slip").to_string();
    assert_eq!(text, "Fake 1 has no option `Hahs`; it has: Hash, Clear Hash, UCI_Chess960");
    let text = client.set_option("hash", "65").expect_err("too much").to_string();
    assert_eq!(text, "Fake 1: option `Hash` can't be `65`, only a number from 1 to 64");
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
    for _ in 0..2 {
        let verdict =
            client.think(&line, &Limits::depth(1), &Stop::new(), &mut |_| {}).expect("castling");
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
    let error = client.think(&line, &Limits::depth(1), &Stop::new(), &mut |_| {});
    assert!(matches!(error, Err(ClientError::NoChess960 { .. })), "{error:?}");
}

#[test]
fn a_finished_game_is_not_asked_about() {
    let mut client = start("position*) exit 9;;");
    let mated = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a legal FEN");
    let verdict = client.analyse(&Line::new(mated), &Limits::depth(1), &Stop::new(), &mut |_| {});
    assert!(matches!(verdict, Err(AnalystError::NoLegalMove)));
    let ponder = Limits { ponder: true, ..Limits::depth(1) };
    assert!(matches!(think(&mut client, &ponder), Err(ClientError::Ponder)));
    assert!(client.is_running());
}

#[test]
fn an_engine_that_ignores_quit_is_ended_with_its_client() {
    let folder = std::env::temp_dir().join(format!("riga-client-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("pid");
    let cases =
        format!("uci) echo $$ > {0}.new; mv {0}.new {0}; echo uciok;;\nquit) : ;;", file.display());
    // It doesn't end with its input, either.
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
