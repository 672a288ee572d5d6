//! A PostgreSQL server for this test run. It stops when the tests end, even if they crash.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const MISSING: &str = "PostgreSQL is not installed. Type: sudo apt-get install postgresql";

/// Starts the server, waits until its input is closed (the tests have ended or died), stops it and
/// removes its directory.
const KEEPER: &str = r#"
"$@" >"$FOLDER/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$FOLDER"
"#;

struct Server {
    address: String,
    /// Holds the keeper's input open.
    _keeper: Child,
}

/// The URL of a new database.
pub fn fresh_database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let server = SERVER.get_or_init(start);
    let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
    let create = programs().join("createdb");
    output(create.to_str().expect("UTF-8"), &["--maintenance-db", &server.address, &name]);
    format!("{}/{name}", server.address.trim_end_matches("/postgres"))
}

fn start() -> Server {
    let programs = programs();
    let folder = tempfile::Builder::new().prefix("riga-postgres-").tempdir().expect("a folder");
    let folder = folder.keep();
    // PostgreSQL refuses to run as root.
    let as_root = output("id", &["-u"]) == "0";
    if as_root {
        output("chown", &["postgres", folder.to_str().expect("UTF-8")]);
    }
    let data = folder.join("data");
    let initdb = as_server(as_root, &programs.join("initdb"))
        .args(["--username=riga", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"])
        .arg("--pgdata")
        .arg(&data)
        .current_dir(&folder)
        .output()
        .expect(MISSING);
    assert!(initdb.status.success(), "{}", String::from_utf8_lossy(&initdb.stderr));
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a free port").port();
    let server = as_server(as_root, &programs.join("postgres"));
    let keeper = Command::new("sh")
        .args(["-c", KEEPER, "keeper"])
        .arg(server.get_program())
        .args(server.get_args())
        .arg("-D")
        .arg(&data)
        .args(["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=400", "-c", "fsync=off"])
        .args(["-p", &port.to_string(), "-k"])
        .arg(&folder)
        .env("FOLDER", &folder)
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the keeper starts");
    let address = format!("postgres://riga@127.0.0.1:{port}/postgres");
    wait_for(&programs.join("pg_isready"), &address, &folder.join("log"));
    Server { address, _keeper: keeper }
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
