//! `riga` without a command: the board opens in the browser.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn riga_alone_serves_this_machine_and_opens_the_board() {
    let folder = tempfile::tempdir().expect("a folder");
    let (browser, opened) = (folder.path().join("browser"), folder.path().join("opened"));
    // A browser that only records the URL.
    std::fs::write(&browser, format!("#!/bin/sh\necho \"$1\" >{}\n", opened.display()))
        .and_then(|()| std::fs::set_permissions(&browser, PermissionsExt::from_mode(0o755)))
        .expect("a script");
    let mut riga = Command::new(env!("CARGO_BIN_EXE_riga"))
        .env("XDG_DATA_HOME", folder.path())
        .env("BROWSER", &browser)
        .env_remove("RIGA_DATABASE")
        .env_remove("RIGA_CONFIG")
        .stdout(Stdio::piped())
        .spawn()
        .expect("riga runs");
    let mut said = BufReader::new(riga.stdout.take().expect("piped")).lines();
    let first = said.next().expect("a line").expect("a text");
    let url = first.strip_prefix("Riga listens on ").expect("it says where").to_owned();
    let end = Instant::now() + Duration::from_secs(10);
    while !std::fs::read_to_string(&opened).is_ok_and(|text| text.trim().starts_with(&url)) {
        assert!(Instant::now() < end, "no browser was opened");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(url.starts_with("http://127.0.0.1:"));
    assert!(folder.path().join("riga/riga.db").exists());
    riga.kill().expect("it runs");
    riga.wait().expect("it has ended");
}
