//! Damaged and missing table files: messages, never a crash, never an illegal move.

use std::path::{Path, PathBuf};

use chess::Line;
use engine::Dice;
use engine::tablebase::{NotInTables, TableWdl, Tablebases};

mod endgames;
use endgames::random_position;

fn source() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tablebases");
    let complete = path.join("complete").is_file();
    assert!(complete, "the endgame tables for tests are missing. Type: make tables");
    path
}

/// An empty directory of the test's own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a temporary directory");
    path
}

fn read(file: &str) -> Vec<u8> {
    std::fs::read(source().join(file)).expect("a table")
}

/// Writes the tables that an endgame needs, one of them changed.
fn write(directory: &Path, files: &[&str], changed: &str, bytes: &[u8]) {
    for file in files {
        let content = if *file == changed { bytes.to_vec() } else { read(file) };
        std::fs::write(directory.join(file), content).expect("a file");
    }
}

/// Asks about many positions. What comes back must be legal.
fn ask(tables: &Tablebases, pieces: &str, seed: u64, count: usize) -> (usize, usize) {
    let mut dice = Dice::new(seed);
    let (mut results, mut rankings) = (0, 0);
    for _ in 0..count {
        let here = random_position(pieces, &mut dice);
        results += usize::from(tables.probe_wdl(&here).is_some());
        if let Ok(ranked) = tables.probe_root(&Line::new(here.clone())) {
            rankings += 1;
            assert_eq!(ranked.len(), here.legal_moves().len());
            assert!(ranked.iter().all(|known| here.is_legal(known.m)), "{here}");
        }
    }
    (results, rankings)
}

#[test]
fn flipped_bits_never_crash() {
    let mut dice = Dice::new(1);
    for (pieces, files) in [
        ("KQkr", &["KQvKR.rtbw", "KQvKR.rtbz", "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"]),
        (
            "KPkp",
            &["KPvKP.rtbw", "KPvKP.rtbz", "KPvK.rtbw", "KPvK.rtbz", "KQvKP.rtbw", "KQvKP.rtbz"],
        ),
    ] {
        for file in &files[..2] {
            let sound = read(file);
            for round in 0..40 {
                let directory = scratch("flipped");
                let mut bytes = sound.clone();
                // The header steers everything else, so it gets half of the damage.
                let reach = if round % 2 == 0 { 400.min(bytes.len()) } else { bytes.len() };
                for _ in 0..=dice.below(8) {
                    let at = 4 + dice.below(reach as u64 - 4) as usize;
                    bytes[at] ^= 1 << dice.below(8);
                }
                write(&directory, files, file, &bytes);
                let (tables, _) = Tablebases::open(&[directory]);
                ask(&tables, pieces, round, 100);
            }
        }
    }
}

#[test]
fn cut_files_are_messages() {
    let files = ["KQvKR.rtbw", "KQvKR.rtbz", "KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"];
    let sound = read("KQvKR.rtbw");
    // A length that no table has shows at once.
    let directory = scratch("cut");
    write(&directory, &files, "KQvKR.rtbw", &sound[..sound.len() - 1]);
    let (tables, messages) = Tablebases::open(std::slice::from_ref(&directory));
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].contains("KQvKR.rtbw"), "{messages:?}");
    assert_eq!(tables.shelf().wdl, 2);

    // One that a table may have shows when the missing part is needed.
    for length in [16, 80, 144, 16 + sound.len() / 128 * 64] {
        write(&directory, &files, "KQvKR.rtbw", &sound[..length]);
        let (tables, messages) = Tablebases::open(std::slice::from_ref(&directory));
        assert!(messages.is_empty(), "{messages:?}");
        ask(&tables, "KQkr", 1, 200);
        let messages = tables.take_messages();
        assert!(!messages.is_empty(), "cut to {length}");
        assert!(messages[0].contains("damaged"), "{messages:?}");
        assert!(tables.take_messages().is_empty(), "a message is given once");
        let line = Line::new("8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1".parse().expect("a FEN"));
        assert!(matches!(tables.probe_root(&line), Err(NotInTables::Damaged(_))));
    }
}

#[test]
fn other_files_of_the_same_name_are_messages() {
    let directory = scratch("foreign");
    std::fs::write(directory.join("KQvK.rtbw"), [b'x'; 80]).expect("a file");
    std::fs::write(directory.join("KRvK.rtbw"), []).expect("a file");
    std::fs::write(directory.join("KPvK.rtbz"), read("KPvK.rtbw")).expect("a file");
    std::fs::write(directory.join("nonsense.rtbw"), read("KPvK.rtbw")).expect("a file");
    std::fs::write(directory.join("readme.txt"), "not a table").expect("a file");
    std::fs::create_dir(directory.join("KBvK.rtbw")).expect("a directory");
    let missing = directory.join("no-such");
    let (tables, messages) = Tablebases::open(&[directory, missing]);
    assert_eq!((tables.shelf().wdl, tables.shelf().dtz, tables.men()), (0, 0, 0));
    assert_eq!(messages.len(), 6, "{messages:?}");
    for name in ["KQvK", "KRvK", "KPvK", "nonsense", "KBvK", "no-such"] {
        assert!(messages.iter().any(|message| message.contains(name)), "{name}: {messages:?}");
    }
}

#[test]
fn without_distance_tables_results_are_ranked() {
    let directory = scratch("wdl-only");
    write(&directory, &["KQvKR.rtbw", "KQvK.rtbw", "KRvK.rtbw"], "", &[]);
    let (tables, _) = Tablebases::open(&[directory]);
    let line = Line::new("8/8/8/3k4/8/8/3r4/KQ6 w - - 0 1".parse().expect("a FEN"));
    let ranked = tables.probe_root(&line).expect("results are there");
    assert_eq!((ranked[0].wdl, ranked[0].dtz), (TableWdl::Win, None));
    assert!(ranked.last().is_some_and(|worst| worst.rank < ranked[0].rank));
    assert!(tables.take_messages().is_empty(), "what is missing is no damage");
}

#[test]
fn without_a_table_there_is_no_answer() {
    let directory = scratch("gaps");
    write(&directory, &["KQvKR.rtbw", "KQvKR.rtbz", "KQvK.rtbw"], "", &[]);
    let (tables, _) = Tablebases::open(&[directory]);
    let line = Line::new("8/8/8/8/4k3/8/8/KR6 w - - 0 1".parse().expect("a FEN"));
    assert!(matches!(tables.probe_root(&line), Err(NotInTables::Missing(_))));
    assert_eq!(tables.probe_wdl(line.position()), None);
}
