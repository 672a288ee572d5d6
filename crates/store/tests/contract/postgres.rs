//! PostgreSQL servers for this test run. They stop when the tests end, even if they crash.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

const MISSING: &str = "PostgreSQL is not installed. Type: sudo apt-get install postgresql";

/// Starts the server and obeys the words on its input, answering each with a line. When the input is
/// closed (the tests have ended or died), it stops the server and removes its directory.
const KEEPER: &str = r#"
start() { "$@" >>"$FOLDER/log" 2>&1 & server=$!; }
processes() { echo "$server $(cat /proc/$server/task/$server/children)"; }
start "$@"
while read -r word; do
    case $word in
        pause) kill -STOP $(processes) ;;
        resume) kill -CONT $(processes) ;;
        kill) kill -KILL $(processes); wait $server ;;
        stop) kill -INT $server; wait $server ;;
        start) start "$@" ;;
    esac
    echo done
done
kill -CONT $(processes)
kill -QUIT $server
wait $server
rm -rf "$FOLDER"
"#;

/// A PostgreSQL server.
pub struct Server {
    address: String,
    log: PathBuf,
    next: AtomicU32,
    keeper: Mutex<Keeper>,
}

/// The process that obeys words; it ends with its input.
struct Keeper {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _process: Child,
}

/// The URL of a new database, on the server that all tests share.
pub fn fresh_database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start).fresh_database()
}

impl Server {
    /// Starts a server.
    pub fn start() -> Self {
        Self::start_with(|_| Vec::new())
    }

    /// Starts a server with additional settings. They may name files in its directory.
    pub fn start_with(settings: impl FnOnce(&Path) -> Vec<String>) -> Self {
        let programs = programs();
        let folder = tempfile::Builder::new().prefix("riga-postgres-").tempdir().expect("a folder");
        let folder = folder.keep();
        // PostgreSQL refuses to run as root.
        let as_root = output("id", &["-u"]) == "0";
        if as_root {
            output("chown", &["postgres", folder.to_str().expect("UTF-8")]);
        }
        let settings = settings(&folder);
        let data = folder.join("data");
        let initdb = as_server(as_root, &programs.join("initdb"))
            .args(["--username=riga", "--auth=trust", "--encoding=UTF8", "--no-locale"])
            .args(["--no-sync", "--pgdata"])
            .arg(&data)
            .current_dir(&folder)
            .output()
            .expect(MISSING);
        assert!(initdb.status.success(), "{}", String::from_utf8_lossy(&initdb.stderr));
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let server = as_server(as_root, &programs.join("postgres"));
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "keeper"])
            .arg(server.get_program())
            .args(server.get_args())
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=400"])
            .args(["-c", "fsync=off", "-p", &port.to_string(), "-k"])
            .arg(&folder)
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .env("FOLDER", &folder)
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the keeper starts");
        let address = format!("postgres://riga@127.0.0.1:{port}/postgres");
        let log = folder.join("log");
        wait_for(&programs.join("pg_isready"), &address, &log);
        let input = keeper.stdin.take().expect("it is piped");
        let output = BufReader::new(keeper.stdout.take().expect("it is piped"));
        let keeper = Mutex::new(Keeper { input, output, _process: keeper });
        Self { address, log, next: AtomicU32::new(0), keeper }
    }

    /// A file in a server's directory that only the server can read.
    pub fn own_file(folder: &Path, name: &str, text: &str) -> String {
        let file = folder.join(name).to_str().expect("UTF-8").to_owned();
        std::fs::write(&file, text).expect("written");
        output("chmod", &["600", &file]);
        if output("id", &["-u"]) == "0" {
            output("chown", &["postgres", &file]);
        }
        file
    }

    /// The URL of a new database.
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.next.fetch_add(1, Ordering::Relaxed));
        let create = programs().join("createdb");
        output(create.to_str().expect("UTF-8"), &["--maintenance-db", &self.address, &name]);
        format!("{}/{name}", self.address.trim_end_matches("/postgres"))
    }

    /// Stops all its processes without ending them: it accepts connections and answers nothing.
    pub fn pause(&self) {
        self.obey("pause");
    }

    /// Continues after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.obey("resume");
    }

    /// Kills all its processes.
    pub fn kill(&self) {
        self.obey("kill");
    }

    /// Stops it as an administrator would: it disconnects its clients and ends.
    pub fn stop(&self) {
        self.obey("stop");
    }

    /// Starts again after [`kill`](Self::kill) or [`stop`](Self::stop).
    pub fn restart(&self) {
        self.obey("start");
        wait_for(&programs().join("pg_isready"), &self.address, &self.log);
    }

    fn obey(&self, word: &str) {
        let mut keeper = self.keeper.lock().expect("no test has died here");
        writeln!(keeper.input, "{word}").expect("the keeper lives");
        let mut line = String::new();
        keeper.output.read_line(&mut line).expect("it answers");
        assert_eq!(line.trim(), "done", "{word}");
    }
}

fn wait_for(ready: &Path, address: &str, log: &Path) {
    let patience = Instant::now();
    let ask = || Command::new(ready).args(["--quiet", "--dbname", address]).status();
    while !ask().expect(MISSING).success() {
        if patience.elapsed() > Duration::from_mins(1) {
            let log = std::fs::read_to_string(log).unwrap_or_default();
            panic!("the server does not answer; it says:\n{log}");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The newest installed PostgreSQL version.
fn programs() -> PathBuf {
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut found: Vec<PathBuf> = installed
        .map(|version| version.path().join("bin"))
        .chain(std::env::split_paths(&on_path))
        .filter(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .collect();
    let version = |folder: &PathBuf| {
        let parent = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        parent.and_then(|name| name.parse::<f64>().ok()).unwrap_or_default() as u64
    };
    found.sort_by_key(version);
    found.pop().unwrap_or_else(|| {
        // Also when the panic itself is captured.
        let _ = writeln!(std::io::stderr(), "{MISSING}");
        panic!("{MISSING}")
    })
}

fn as_server(as_root: bool, program: &Path) -> Command {
    if !as_root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
    command
}

fn output(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output().expect("a common program runs");
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
