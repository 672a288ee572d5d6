//! Workers on other machines: one is killed, one hangs, one lies, and still every game gets exactly
//! the review that it must get, while people play.
//!
//! `RIGA_SOAK_JOBS` makes it longer: `make soak`.

mod served;

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use chess::Position;
use engine::{Engine, search_thread};
use game::pgn::Reader;
use game::{Game, GameResult};
use library::sample::Sample;
use reqwest::{Client, Method, StatusCode};
use review::{own_bench, own_name, own_options};
use serde_json::{Value, json};
use served::{Dice, Place, Served, Socket, Visitor};

const TOKEN: &str = "a token for workers";

/// Nodes per move. They don't matter here, only that everybody has the same.
const NODES: u64 = 200;

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn riga() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_riga"));
    command.env_remove("RIGA_CONFIG").env_remove("RIGA_WORKER_TOKEN");
    command
}

/// A worker, killed on drop.
struct Worker(Child);

impl Worker {
    fn start(served: &Served, name: &str, args: &[&str]) -> Self {
        let mut command = riga();
        command.args(["worker", "--quiet", "--server", &served.url, "--token", TOKEN]);
        command.args(["--name", name, "--threads", "1"]).args(args);
        Self(command.stderr(Stdio::null()).spawn().expect("riga starts"))
    }

    fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status().expect("kill runs");
        assert!(sent.success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Short games by random moves, no two the same.
fn games(count: usize) -> String {
    let mut dice = Dice(20);
    let mut text = String::new();
    for round in 0..count {
        let mut game = Game::new(Position::default());
        for _ in 0..8 + dice.roll(8) {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[dice.roll(moves.len())]).is_err() {
                break;
            }
        }
        game.result = GameResult::Draw;
        game.tags.set("Round", &round.to_string());
        text.extend([game.to_string(), "\n".to_owned()]);
    }
    text
}

/// The reports that `riga review` gives, which are the right ones.
fn expected(pgn: &str) -> Vec<Value> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), pgn).expect("written");
    let output = Command::new("nice")
        .args(["-n", "19", env!("CARGO_BIN_EXE_riga"), "review", "--quiet", "--json", "-"])
        .args(["--nodes", &NODES.to_string()])
        .arg(file.path())
        .output()
        .expect("riga runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let report = |line: &str| {
        let mut entry: Value = serde_json::from_str(line).expect("JSON");
        entry["report"].take()
    };
    lines.lines().map(report).collect()
}

/// The reports of [`games`], which are the same for both databases.
static EXPECTED: OnceLock<Vec<Value>> = OnceLock::new();

/// What a client without an engine can do.
#[derive(Clone)]
struct Desk {
    client: Client,
    url: String,
    token: String,
}

impl Desk {
    fn new(served: &Served) -> Self {
        Self { client: Client::new(), url: served.url.clone(), token: TOKEN.to_owned() }
    }

    async fn send(&self, what: &str, message: &Value) -> (StatusCode, Value) {
        let request = self.client.post(format!("{}/api/desk/{what}", self.url));
        let request = request.bearer_auth(&self.token).json(message);
        let response = request.send().await.expect("the server answers");
        let status = response.status();
        (status, response.json().await.unwrap_or_default())
    }

    /// Claims a job as soon as the server knows its own engine.
    async fn claim(&self, message: &Value) -> (StatusCode, Value) {
        loop {
            let (status, answer) = self.send("claim", message).await;
            if status != StatusCode::SERVICE_UNAVAILABLE {
                return (status, answer);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

fn claim(worker: &str, bench: u64) -> Value {
    let engine = own_name(engine::embedded_net().checksum());
    let kinds = ["review"];
    json!({ "kinds": kinds, "worker": worker, "lease": 60, "engine": engine, "bench": bench })
}

fn bench() -> u64 {
    let run = || own_bench(&mut Engine::new(own_options()));
    search_thread("bench").spawn(run).expect("a thread").join().expect("no panic")
}

/// A worker with the right engine whose reports are wrong in every way it can think of.
async fn lie(desk: &Desk, bench: u64) {
    let refused = desk.claim(&claim("liar", bench + 1)).await;
    assert_eq!(refused.0, StatusCode::FORBIDDEN, "{refused:?}");
    let mut other = claim("liar", bench);
    other["engine"] = "Riga 0.0.1 (network 00000000)".into();
    let refused = desk.claim(&other).await;
    assert_eq!(refused.0, StatusCode::FORBIDDEN, "{refused:?}");
    let foreign = expected("1. e4 e5 *").remove(0);
    for name in ["liar", "cheat"] {
        let (status, lent) = desk.claim(&claim(name, bench)).await;
        assert_eq!(status, StatusCode::OK, "{lent}");
        let review = json!({ "fingerprint": "", "report": foreign });
        let report = json!({ "kind": "review", "payload": review });
        let message = json!({ "attempt": lent["attempt"], "report": report });
        let refused = desk.send("finish", &message).await;
        assert_eq!(refused.0, StatusCode::BAD_REQUEST, "{refused:?}");
        let over = desk.send("finish", &message).await;
        assert_eq!(over.0, StatusCode::CONFLICT, "{over:?}");
        let again = desk.claim(&claim(name, bench)).await;
        assert_eq!(again.0, StatusCode::FORBIDDEN, "a liar gets no more jobs: {again:?}");
    }
}

/// Plays games until told to stop; returns when each move was sent and how long it took.
async fn play(url: String, over: Arc<AtomicBool>) -> Vec<(Instant, Duration)> {
    let visitor = Visitor::new(&url);
    let mut dice = Dice(7);
    let mut times = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let here = json!({ "opponent": { "type": "here", "name": "Eve" }, "side": "white" });
        let (id, seat, _) = visitor.begin(&here).await;
        let mut socket = Socket::join(&url, &id, Some(&seat)).await.expect("joined");
        let mut position = socket.state["game"]["position"].clone();
        for ply in 0..60 {
            let moves = position["moves"].as_array().expect("a list");
            if moves.is_empty() || over.load(Ordering::Relaxed) {
                break;
            }
            let chosen = moves[dice.roll(moves.len())]["uci"].clone();
            let start = Instant::now();
            let message = json!({ "type": "play", "ply": ply, "move": chosen });
            let (told, answer) = socket.say(message).await.expect("an answer");
            times.push((start, start.elapsed()));
            assert_eq!(answer["type"], "done", "{answer}");
            let played = told.iter().rfind(|message| message["type"] == "played");
            position = played.expect("it is told")["position"].clone();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    times
}

async fn counter(visitor: &Visitor, name: &str) -> u64 {
    let text = visitor.send(Method::GET, "/metrics", None).await.text().await.expect("a text");
    let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).expect("a number")
}

async fn one_killed_one_paused_one_lying(place: Place) {
    let count = number("RIGA_SOAK_JOBS", 60);
    let pgn = games(count);
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &pgn).expect("written");
    let path = file.path().to_str().expect("UTF-8");
    let tool = |args: &[&str]| {
        let done = riga().args(args).args(["--database", &place.database]).status();
        assert!(done.expect("riga runs").success(), "{args:?}");
    };
    tool(&["import", path]);
    let served = Served::start(&place, &["--worker-token", TOKEN, "--reviewers", "0"]);
    tool(&["jobs", "add", "reviews", "--nodes", &NODES.to_string()]);
    let over = Arc::new(AtomicBool::new(false));
    let players: Vec<_> =
        (0..5).map(|_| tokio::spawn(play(served.url.clone(), Arc::clone(&over)))).collect();
    let bench = tokio::task::spawn_blocking(bench).await.expect("no panic");
    // How long moves take without workers, for comparison.
    tokio::time::sleep(Duration::from_secs(count as u64 / 50)).await;
    let start = Instant::now();
    lie(&Desk::new(&served), bench).await;
    let listed = riga().args(["jobs", "--database", &place.database]).output().expect("riga runs");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    assert!(listed.contains("(2 attempts: cheat: the report is about another game)"), "{listed}");
    let lease = ["--lease", "2"];
    let killed = Worker::start(&served, "killed", &lease);
    let paused = Worker::start(&served, "paused", &lease);
    let visitor = served.visitor();
    let reached = async |share: f64| {
        while (counter(&visitor, "riga_reports_total").await as f64) < share * count as f64 {
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert!(start.elapsed() < Duration::from_mins(30), "nothing goes on");
        }
    };
    reached(0.2).await;
    killed.signal("-KILL");
    paused.signal("-STOP");
    let _third = Worker::start(&served, "third", &lease);
    tokio::time::sleep(Duration::from_secs(4)).await;
    reached(0.5).await;
    paused.signal("-CONT");
    reached(1.0).await;
    let seconds = start.elapsed().as_secs_f64();
    over.store(true, Ordering::Relaxed);
    let mut times = [Vec::new(), Vec::new()];
    for player in players {
        for (sent, time) in player.await.expect("no panic") {
            times[usize::from(sent >= start)].push(time);
        }
    }
    let [alone, times] = times.map(|mut times| {
        times.sort();
        times
    });
    // Workers that were late have heard of it by now.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(counter(&visitor, "riga_reports_total").await, count as u64, "none twice");
    assert_eq!(counter(&visitor, "riga_reports_refused_total").await, 2);
    let expected = || EXPECTED.get_or_init(|| expected(&pgn));
    let expected = tokio::task::block_in_place(expected);
    assert_eq!(check_all(&visitor, expected).await, count);
    let share = |times: &[Duration], share: usize| times[(times.len() - 1) * share / 100];
    let shown = |times: &[Duration]| {
        let [median, p99, slowest] =
            [50, 99, 100].map(|part| share(times, part).as_secs_f64() * 1e3);
        format!("{} moves, median {median:.1}, p99 {p99:.1}, slowest {slowest:.1} ms", times.len())
    };
    println!("{count} reviews in {seconds:.1} s: {}", shown(&times));
    println!("without workers: {}", shown(&alone));
    // A short run says little, and other tests run beside it.
    let most = if count >= 1_000 { Duration::from_millis(50) } else { Duration::from_secs(1) };
    let p99 = share(&times, 99);
    assert!(p99 < most, "{p99:?}");
}

/// Compares all reviews of the server; returns their number.
async fn check_all(visitor: &Visitor, expected: &[Value]) -> usize {
    let mut count = 0;
    let mut after = String::new();
    loop {
        let path = format!("/api/games?source=imported&most=200{after}");
        let page = visitor.get(&path).await;
        for game in page["games"].as_array().expect("a list") {
            let id = game["id"].as_str().expect("an id");
            let pgn = visitor.send(Method::GET, &format!("/api/games/{id}/pgn"), None).await;
            let pgn = pgn.text().await.expect("a text");
            let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("a game");
            let round = game.tags.get("Round").and_then(|round| round.parse::<usize>().ok());
            let review = visitor.get(&format!("/api/games/{id}/review")).await;
            assert_eq!(review["state"], "done", "{review}");
            assert_eq!(review["report"], expected[round.expect("a round")], "game {id}");
            count += 1;
        }
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return count,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_is_killed_one_hangs_and_one_lies() {
    one_killed_one_paused_one_lying(Place::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_worker_is_killed_one_hangs_and_one_lies_on_postgresql() {
    let place = tokio::task::spawn_blocking(Place::postgres).await.expect("a database");
    one_killed_one_paused_one_lying(place).await;
}

#[tokio::test]
async fn without_the_token_there_is_no_desk() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--worker-token", TOKEN]);
    let message = claim("w", 1);
    for token in ["", "a token", "a token for worker"] {
        let desk = Desk { token: token.to_owned(), ..Desk::new(&served) };
        for what in ["claim", "extend", "finish", "give_up"] {
            let (status, problem) = desk.send(what, &message).await;
            assert_eq!(status, StatusCode::FORBIDDEN, "{what}: {problem}");
        }
    }
    let (status, _) = Desk::new(&served).claim(&message).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "the bench is wrong");
    let worker = riga()
        .args(["worker", "--server", &served.url, "--token", "another token of 16"])
        .output()
        .expect("riga runs");
    assert_eq!(worker.status.code(), Some(1));
    let text = String::from_utf8_lossy(&worker.stderr).into_owned();
    assert!(text.contains("the worker token is missing or wrong"), "{text}");
    let place = Place::sqlite();
    let bare = Served::start(&place, &[]);
    let (status, _) = Desk::new(&bare).send("claim", &message).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_worker_that_is_stopped_gives_its_job_back() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--worker-token", TOKEN, "--reviewers", "0"]);
    let database = ["--database", &*place.database];
    let add = ["jobs", "add", "data", "--games", "1000", "--per-job", "1000", "--nodes", "1000"];
    assert!(riga().args(add).args(database).status().expect("riga runs").success());
    let list = || -> Value {
        let listed = riga().args(["jobs", "list", "--json"]).args(database).output();
        serde_json::from_slice(&listed.expect("riga runs").stdout).expect("JSON")
    };
    let mut worker = Worker::start(&served, "w", &[]);
    while list()["jobs"][0]["state"] != "running" {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    worker.signal("-TERM");
    assert!(worker.0.wait().expect("it has ended").success());
    let job = &list()["jobs"][0];
    assert_eq!((&job["state"], &job["error"]), (&json!("waiting"), &Value::Null), "{job}");
}

#[tokio::test]
async fn workers_generate_data_and_play_matches() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--worker-token", TOKEN]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let jobs = |args: &[&str]| -> String {
        let done = riga().arg("jobs").args(args).args(["--database", &place.database]).output();
        let done = done.expect("riga runs");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("UTF-8")
    };
    let data = ["add", "data", "--games", "5", "--per-job", "2", "--nodes", "50"];
    assert_eq!(jobs(&data), "3 jobs added, 0 known\n");
    assert_eq!(jobs(&data), "0 jobs added, 3 known\n");
    let engines = ["--engine", "cmd=self,name=a,nodes=60", "--engine", "cmd=self,name=b,nodes=40"];
    let add = [&["add", "match", "--games", "6", "--per-job", "2"][..], &engines].concat();
    assert_eq!(jobs(&add), "2 jobs added, 0 known\n");
    let mut worker = Worker::start(&served, "w", &["--until-empty"]);
    assert!(worker.0.wait().expect("it has ended").success());
    let out = file("games.rgd");
    assert_eq!(
        jobs(&["collect", "data", "--out", &out]),
        "5 games of 3 jobs appended, 0 unusable\n"
    );
    assert_eq!(
        jobs(&["collect", "data", "--out", &out]),
        "0 games of 0 jobs appended, 0 unusable\n"
    );
    let stat = riga().args(["lab", "stat", &out]).output().expect("riga runs");
    let stat = String::from_utf8(stat.stdout).expect("UTF-8");
    assert!(stat.contains('5'), "{stat}");
    let pgn = file("match.pgn");
    let table: Value =
        serde_json::from_str(&jobs(&["collect", "match", "--json", "--pgn", &pgn])).expect("JSON");
    assert_eq!((&table["games"], &table["end"]), (&json!(6), &json!("finished")), "{table}");
    let pgn = std::fs::read(&pgn).expect("a file");
    assert_eq!(Reader::new(&pgn[..]).games().flatten().count(), 6);
    assert!(jobs(&["list"]).contains("data             0         0         3         0"));
    jobs(&["add", "data", "--games", "4", "--per-job", "2", "--nodes", "60"]);
    assert_eq!(jobs(&["retry"]), "0 jobs queued again\n");
    let listed: Value = serde_json::from_str(&jobs(&["list", "--json"])).expect("JSON");
    let id = listed["jobs"][0]["id"].to_string();
    assert_eq!(jobs(&["cancel", &id]), "1 job cancelled\n");
    assert_eq!(jobs(&["cancel", "--kind", "match"]), "0 jobs cancelled\n");
    assert_eq!(jobs(&["cancel"]), "1 job cancelled\n");
}

#[tokio::test]
async fn workers_build_a_library() {
    let place = Place::sqlite();
    let served = Served::start(&place, &["--worker-token", TOKEN]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let run = |args: &[&str]| -> String {
        let done = riga().args(args).output().expect("riga runs");
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).expect("UTF-8")
    };
    let (pgn, far, near) = (file("games.pgn"), file("far"), file("near"));
    let mut games = Vec::new();
    Sample::new(6, 4000).write(0..4000, &mut games).expect("memory takes all");
    games.extend(b"\n[White \"x\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n");
    std::fs::write(&pgn, games).expect("written");
    let database = ["--database", &place.database];
    let add = ["jobs", "add", "segments", &pgn, "--name", "far", "--megabytes", "1"];
    let add = [&add[..], &database].concat();
    let added = run(&add);
    assert_eq!(added, "3 jobs added, 0 known\n");
    assert_eq!(run(&add), "0 jobs added, 3 known\n");
    let listed = run(&[&["jobs", "list"][..], &database].concat());
    assert!(listed.contains("far, part 1") && listed.contains("far, part 2"), "{listed}");

    // Something else than a segment is refused.
    let desk = Desk::new(&served);
    let bench = tokio::task::spawn_blocking(bench).await.expect("no panic");
    let mut message = claim("liar", bench);
    message["kinds"] = json!(["segment"]);
    let (status, claimed) = desk.claim(&message).await;
    assert_eq!((status, &claimed["job"]["payload"]["part"]), (StatusCode::OK, &json!(1)));
    let report = json!({ "kind": "segment", "payload":
        { "games": 1, "rejected": 0, "warnings": [], "file": "AAAA" } });
    let finish = json!({ "attempt": claimed["attempt"], "report": report });
    let (status, problem) = desk.send("finish", &finish).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");

    let mut worker = Worker::start(&served, "w", &["--until-empty", "--kinds", "segment"]);
    assert!(worker.0.wait().expect("it has ended").success());
    let collect = ["jobs", "collect", "segments", "--library", &far, "--name", "far"];
    let collect = [&collect[..], &database].concat();
    assert_eq!(
        run(&collect),
        "4,000 games of 3 jobs added, 1 rejected, 0 unusable; 4,000 in the library\n"
    );
    assert!(run(&collect).starts_with("0 games of 0 jobs added"));
    run(&["library", "check", &far]);
    let _ = riga().args(["library", "add", &near, &pgn]).output().expect("riga runs");
    let explore = |library: &str| run(&["library", "explore", library, "--json"]);
    assert_eq!(explore(&far), explore(&near));
}
