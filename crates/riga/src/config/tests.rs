//! Tests of what the file and the environment mean.

use std::path::PathBuf;

use ::engine::Idea;
use ::engine::eval::{TERMS, WEIGHTS};
use proptest::prelude::*;
use uci::Settings;

use super::entries::Given;
use super::*;

const EXAMPLE: &str = include_str!("../../../../riga.example.toml");

fn configuration(text: &str) -> Result<Configuration, Vec<Mistake>> {
    understand(text, Vec::new(), &crate::command())
}

fn settings(text: &str) -> Result<Settings, Vec<Mistake>> {
    configuration(text).map(|configuration| configuration.settings)
}

fn mistakes(text: &str) -> Vec<String> {
    configuration(text).expect_err(text).iter().map(ToString::to_string).collect()
}

#[test]
fn an_empty_file_is_all_defaults() {
    assert_eq!(settings(""), Ok(Settings::default()));
    assert_eq!(settings("[search]\n[book]\n[search.ideas]\n[server]\n"), Ok(Settings::default()));
}

/// The example with the lines of keys without a default: they are commented out.
fn whole_example() -> String {
    let is_key = |line: &str| {
        let name = line.trim_start_matches("# ").split(" =").next().unwrap_or_default();
        line.contains(" = ")
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let bare = |line: &str| match line.strip_prefix("# ") {
        Some(rest) if is_key(line) => rest.to_owned(),
        _ => line.to_owned(),
    };
    EXAMPLE.lines().map(bare).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_holds_every_key_with_its_default() {
    let example = configuration(EXAMPLE).expect("no mistakes");
    let custom = Settings { weights: None, ..example.settings.clone() };
    assert_eq!(custom, Settings::default());
    assert_eq!(example.settings.weights.as_deref(), Some(&WEIGHTS));
    let whole = configuration(&whole_example()).expect("no mistakes");
    for section in sections() {
        for key in keys(&section) {
            let has = |entries: &[Entry]| {
                entries.iter().any(|entry| entry.section == section && entry.key == key)
            };
            assert!(has(&whole.entries), "[{section}] {key} is missing in the example");
        }
    }
    // Flags that have a default are given with it.
    let command = crate::command();
    for section in flags::SECTIONS {
        for key in section.keys {
            let arg = flags::flag(&command, section, key).expect(key);
            let given = example.entries.iter().find(|e| e.section == section.name && e.key == *key);
            if let Some(default) = flags::default(arg) {
                let given = given.map(|entry| entry.given.to_string());
                assert_eq!(given, Some(default), "[{}] {key}", section.name);
            } else {
                assert_eq!(given, None, "[{}] {key} has no default", section.name);
            }
        }
    }
}

#[test]
fn the_example_says_what_is_allowed() {
    for key in &engine::KEYS {
        let (option, allowed) = (key.option(), key.option().allowed());
        let told = option.is_text() || EXAMPLE.contains(&allowed.replace("and", "or"));
        assert!(told, "{} without {allowed}", key.name);
    }
}

#[test]
fn every_value_arrives() {
    let text = "
        [search]
        depth = 12
        hash_mb = 0x100
        threads = 2
        multi_pv = 3
        move_overhead_ms = 50
        minimum_depth = 4
        ponder = true
        [search.ideas]
        null_move = false
        razoring = true
        [evaluation]
        by = 'hand'
        file = 'nets/mine.net'
        [book]
        own_book = true
        file = 'books/my book.bin'
        [tablebases]
        path = ['/tables/5', '/tables/6']
        [uci]
        show_wdl = true
        chess960 = true";
    let expected = Settings {
        hash: 256,
        threads: 2,
        multi_pv: 3,
        ponder: true,
        move_overhead: 50,
        minimum_depth: 4,
        maximum_depth: 12,
        own_book: true,
        book_file: Some(PathBuf::from("books/my book.bin")),
        syzygy_path: vec![PathBuf::from("/tables/5"), PathBuf::from("/tables/6")],
        by_hand: true,
        net_file: Some(PathBuf::from("nets/mine.net")),
        chess960: true,
        show_wdl: true,
        switched_off: vec![Idea::NullMove],
        ..Settings::default()
    };
    assert_eq!(settings(text), Ok(expected));
}

#[test]
fn weights_are_pairs_for_middlegame_and_endgame() {
    let pair = TERMS.iter().find(|term| term.name == "BISHOP_PAIR").expect("a term");
    let read = settings("[evaluation.weights]\nbishop_pair = [30, -4]").expect("valid");
    let weights = read.weights.expect("other weights");
    let changed = weights[pair.start];
    assert_eq!((changed.mg(), changed.eg()), (30, -4));
    assert_eq!(weights[..pair.start], WEIGHTS[..pair.start]);
    for wrong in ["3", "[1]", "[1, 2, 3]", "[1.5, 2]", "[1, 99999]", "[[1, 2], [3, 4]]"] {
        let told = mistakes(&format!("[evaluation.weights]\nbishop_pair = {wrong}"));
        assert!(told[0].contains("two numbers"), "{told:?}");
    }
    let told = mistakes("[evaluation.weights]\nmaterial = [[1, 2]]");
    assert!(told[0].contains("5 pairs"), "{told:?}");
}

#[test]
fn mistakes_name_the_line_and_what_is_allowed() {
    for (text, expected) in [
        ("[search]\n\nhash_mb = 0", "3: invalid value 0 for hash_mb: allowed are 1 to 1048576"),
        ("[search]\nhash_mb = -5", "2: invalid value -5 for hash_mb: allowed are 1 to 1048576"),
        ("[search]\nthreads = '2'", "2: invalid value \"2\" for threads: allowed are 1 to 512"),
        ("[search]\nthreads = 1.5", "2: invalid value 1.5 for threads: allowed are 1 to 512"),
        ("[search]\nthreads = [1]", "2: invalid value [1] for threads: allowed are 1 to 512"),
        ("[search]\nponder = 1", "2: invalid value 1 for ponder: allowed are true and false"),
        (
            "[search.ideas]\nnull_move = 1",
            "2: invalid value 1 for null_move: allowed are true and false",
        ),
        (
            "[book]\nfile = 3",
            "2: invalid value a TOML integer for file: allowed are a quoted string",
        ),
        (
            "[book]\nfile = ['a', 'b']",
            "2: invalid value a TOML array for file: allowed are a quoted string",
        ),
        (
            "[tablebases]\npath = 3",
            "2: invalid value a TOML integer for path: allowed are a quoted string, or a list of them",
        ),
        ("[book]\nfiel = ''", "2: unknown key `fiel` in [book]; known are own_book, file"),
    ] {
        assert_eq!(mistakes(text), [expected], "{text}");
    }
    let section = mistakes("hash_mb = 16");
    assert!(
        section[0].starts_with("1: unknown section [hash_mb]; known are [search], "),
        "{section:?}"
    );
    let table = mistakes("[web]\nx = 1\n[web.y]");
    assert_eq!(table.len(), 1, "{table:?}");
    assert!(table[0].starts_with("1: unknown section [web];"), "{table:?}");
    let inner = mistakes("[search.ideals]\nx = 1");
    assert!(inner.len() == 1 && inner[0].contains("[search.ideals]"), "{inner:?}");
    let syntax = mistakes("[search]\nthreads = \n");
    assert!(syntax[0].starts_with("2: "), "{syntax:?}");
    let twice = mistakes("[search]\nthreads = 1\nthreads = 2");
    assert!(twice[0].starts_with("3: ") && twice[0].contains("duplicate"), "{twice:?}");
    let flag = mistakes("[review]\nnodes = 'many'\nlanguage = 'fr'\nthreads = true");
    assert_eq!(flag.len(), 3, "{flag:?}");
    assert!(flag[0].starts_with("2: ") && flag[0].contains("nodes"), "{flag:?}");
    assert!(flag[1].contains("language") && flag[1].contains("de"), "{flag:?}");
}

#[test]
fn all_mistakes_are_told_in_order() {
    let told = mistakes("[uci]\nx = 1\n[search]\nthreads = 0\nhash_mb = 0\n[web]\n");
    let lines: Vec<char> = told.iter().filter_map(|text| text.chars().next()).collect();
    assert_eq!(lines, ['2', '4', '5', '6'], "{told:?}");
}

#[test]
fn the_environment_counts_more_than_the_file() {
    let given = Entry {
        section: "search".to_owned(),
        key: "hash_mb".to_owned(),
        given: Given::Whole("64".to_owned()),
        place: Place::Variable("RIGA_SEARCH_HASH_MB".to_owned()),
    };
    let read = |entry: &Entry| {
        understand("[search]\nhash_mb = 32", vec![entry.clone()], &crate::command())
    };
    assert_eq!(read(&given).expect("valid").settings.hash, 64);
    let wrong = Entry { given: Given::Whole("0".to_owned()), ..given };
    let told = read(&wrong).expect_err("out of range");
    assert!(told[0].to_string().starts_with("$RIGA_SEARCH_HASH_MB: invalid value 0"), "{told:?}");
}

fn piece() -> impl Strategy<Value = String> {
    let mut known: Vec<String> =
        ["[", "]", "[[", "=", "\n", "'", "\"", ",", ".", "true", "-1", "1e9"]
            .map(str::to_owned)
            .to_vec();
    for section in sections() {
        known.push(format!("[{section}]\n"));
        known.extend(keys(&section).into_iter().take(6).map(|key| format!("{key} = ")));
    }
    prop_oneof![3 => prop::sample::select(known), 1 => any::<String>()]
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_a_line(pieces in prop::collection::vec(piece(), 0..20)) {
        let text = pieces.concat();
        if let Err(mistakes) = configuration(&text) {
            let lines = text.matches('\n').count() + 1;
            prop_assert!(!mistakes.is_empty());
            for Mistake { place, text } in mistakes {
                let Place::Line(line) = place else { panic!("no variable was set") };
                prop_assert!((1..=lines).contains(&line) && !text.is_empty());
            }
        }
    }
}
