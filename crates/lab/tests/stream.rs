//! Training data as a stream of records.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chess::Color;
use engine::Stop;
use lab::datagen::{GamePlan, Plan as Datagen, run};
use lab::stream::{Part, Plan, Recipe, Record, StreamError, Streamed, stream};
use nnue::data::{Game, Quiet, Reader, Sample};
use tempfile::TempDir;

/// Two files of short games, one with several blocks.
fn files() -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut game_plan = GamePlan::with_nodes(30);
    game_plan.engine.hash = 1;
    game_plan.adjudication.longest = 60;
    game_plan.branches.per_mille = 500;
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    // A file that is continued gets a block for each run.
    for (file, seed, games) in [(0, 1, 8), (0, 2, 16), (0, 3, 24), (1, 4, 10)] {
        let (out, game_plan) = (paths[file].clone(), game_plan.clone());
        let (seed, games) = (Some(seed), Some(games));
        let plan = Datagen { out, threads: 2, seed, games, positions: None, game_plan };
        run(&plan, &Stop::new(), &mut |_| {}).expect("self-play works");
    }
    (folder, paths.to_vec())
}

fn plan(files: &[PathBuf]) -> Plan {
    let recipe = Recipe { quiet: None, trust: 0.75, scale: 400.0, part: None };
    let files = files.to_vec();
    Plan { files, epochs: 1, seed: 7, skip: 0, threads: 1, window: 4_000_000, recipe }
}

fn records(plan: &Plan) -> Vec<[u8; Record::LEN]> {
    let mut out = Vec::new();
    let done = stream(plan, &mut out, &mut |_, damage| panic!("{damage}")).expect("it streams");
    let (records, rest) = out.as_chunks();
    assert!(rest.is_empty());
    assert_eq!(done, Streamed { records: records.len() as u64, damaged: 0 });
    records.to_vec()
}

fn sorted(mut records: Vec<[u8; Record::LEN]>) -> Vec<[u8; Record::LEN]> {
    records.sort_unstable();
    records
}

fn games(path: &Path) -> Vec<Game> {
    let file = std::fs::File::open(path).expect("the file is there");
    Reader::new(file).expect("a header").games().map(|game| game.expect("sound")).collect()
}

/// The record of a sample, computed in another way.
fn expected(sample: &Sample, chance: f64) -> [u8; Record::LEN] {
    let black = sample.position.turn() == Color::Black;
    let mut record = Record::new(&sample.position, sample.score.value(), sample.ply).expect("few");
    let result = 2.0 * sample.result_for_white();
    let (chance, result) = if black { (1.0 - chance, 2.0 - result) } else { (chance, result) };
    record.conclude(chance as f32, result as u8);
    *record.as_bytes()
}

/// The records of a game as the definition of TD(lambda) says: a mean of all later chances.
fn of_game(game: &Game, quiet: Option<Quiet>) -> Vec<[u8; Record::LEN]> {
    let chance = |cp: i16| 1.0 / (1.0 + (-f64::from(cp) / 400.0).exp());
    let chances: Vec<f64> = game.scores().iter().map(|score| chance(score.value())).collect();
    let last = chances.len().saturating_sub(1);
    let target = |from: usize| {
        let later = (from..last).map(|i| 0.25 * 0.75_f64.powi((i - from) as i32) * chances[i]);
        later.sum::<f64>() + 0.75_f64.powi((last - from) as i32) * chances[last]
    };
    let samples = game.samples().enumerate();
    let wanted = samples.filter(|(_, sample)| quiet.is_none_or(|quiet| quiet.accepts(sample)));
    wanted.map(|(i, sample)| expected(&sample, target(i))).collect()
}

/// Chances may be rounded to either side.
fn assert_alike(found: &[[u8; Record::LEN]], expected: &[[u8; Record::LEN]]) {
    assert_eq!(found.len(), expected.len());
    let without = |record: &[u8; Record::LEN]| [&record[..26], &record[28..]].concat();
    let chance = |record: &[u8; Record::LEN]| u16::from_le_bytes([record[26], record[27]]);
    let order = |records: &[[u8; Record::LEN]]| {
        let mut records: Vec<_> = records.iter().map(|r| (without(r), chance(r))).collect();
        records.sort_unstable();
        records
    };
    for (found, expected) in order(found).into_iter().zip(order(expected)) {
        assert_eq!(found.0, expected.0);
        assert!(found.1.abs_diff(expected.1) <= 1, "{} {}", found.1, expected.1);
    }
}

#[test]
fn records_are_the_samples_of_all_games() {
    let (_folder, files) = files();
    let games = [games(&files[0]), games(&files[1])].concat();
    let all: Vec<_> = games.iter().flat_map(|game| of_game(game, None)).collect();
    let mut plan = plan(&files);
    let found = records(&plan);
    assert_alike(&found, &all);
    assert_ne!(found, all, "they must be shuffled");

    let quiet = Quiet { first_ply: 10, highest_score: 600 };
    plan.recipe.quiet = Some(quiet);
    let some: Vec<_> = games.iter().flat_map(|game| of_game(game, Some(quiet))).collect();
    assert!(some.len() > 100 && some.len() < all.len());
    assert_alike(&records(&plan), &some);
}

#[test]
fn the_order_depends_on_the_seed_and_on_nothing_else() {
    let (_folder, files) = files();
    for window in [300, 1000, 4_000_000] {
        let one = Plan { window, ..plan(&files) };
        let first = records(&one);
        assert_eq!(records(&Plan { threads: 3, ..one.clone() }), first);
        let other = records(&Plan { seed: 8, ..one });
        assert_ne!(other, first);
        assert_eq!(sorted(other), sorted(first));
    }
}

#[test]
fn epochs_hold_the_same_records_in_another_order() {
    let (_folder, files) = files();
    let single = plan(&files);
    let once = records(&single);
    let thrice = records(&Plan { epochs: 3, ..single });
    let epochs: Vec<_> = thrice.chunks(once.len()).map(<[_]>::to_vec).collect();
    assert_eq!(epochs.len(), 3);
    assert_eq!(epochs[0], once);
    assert_ne!(epochs[1], once);
    assert_ne!(epochs[1], epochs[2]);
    for epoch in epochs {
        assert_eq!(sorted(epoch), sorted(once.clone()));
    }
}

#[test]
fn skipping_goes_on_where_a_stream_was_left() {
    let (_folder, files) = files();
    let plan = Plan { epochs: 2, window: 400, threads: 2, ..plan(&files) };
    let all = records(&plan);
    for skip in [1, 399, 400, 777, all.len() / 2, all.len() - 1, all.len(), all.len() + 5] {
        let rest = records(&Plan { skip: skip as u64, ..plan.clone() });
        assert_eq!(rest, all[skip.min(all.len())..], "{skip}");
    }
}

#[test]
fn parts_share_no_game() {
    let (_folder, files) = files();
    let all = plan(&files);
    let part = |part| {
        let recipe = Recipe { part: Some(part), ..all.recipe.clone() };
        records(&Plan { recipe, ..all.clone() })
    };
    let (learn, check) = (part(Part::Learn(4)), part(Part::Check(4)));
    assert!(!check.is_empty() && check.len() < learn.len());
    assert_eq!(sorted([learn, check.clone()].concat()), sorted(records(&all)));
    // The same games, however they are put into order.
    let recipe = Recipe { part: Some(Part::Check(4)), ..all.recipe.clone() };
    let files = files.iter().rev().cloned().collect();
    assert_eq!(sorted(records(&Plan { seed: 99, files, recipe, ..all })), sorted(check));
}

/// Takes a few bytes and goes away.
struct Closed(usize);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_that_goes_away_ends_it() {
    let (_folder, files) = files();
    let endless = Plan { epochs: u64::MAX, window: 300, threads: 2, ..plan(&files) };
    let ended = stream(&endless, &mut Closed(3), &mut |_, _| {});
    let gone = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    assert!(matches!(&ended, Err(StreamError::Write(error)) if gone(error)), "{ended:?}");
    let nothing = Recipe {
        quiet: Some(Quiet { first_ply: 999, highest_score: 0 }),
        ..endless.recipe.clone()
    };
    let done = stream(&Plan { recipe: nothing, ..endless }, &mut Vec::new(), &mut |_, _| {});
    assert_eq!(done.expect("it ends").records, 0);
}

#[test]
fn damage_is_told_and_left_out() {
    let (_folder, files) = files();
    let whole = records(&plan(&files));
    let mut bytes = std::fs::read(&files[0]).expect("the file is there");
    bytes[60] ^= 1;
    std::fs::write(&files[0], bytes).expect("the file is written");
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let done = stream(&plan(&files), &mut out, &mut |path, damage| {
        told.push((path.to_owned(), damage.offset));
    });
    assert_eq!(done.expect("the rest is sound").damaged, 1);
    assert_eq!(told, [(files[0].clone(), 16)]);
    assert!(out.len() / Record::LEN < whole.len());
    std::fs::write(&files[1], "no data").expect("the file is written");
    let refused = stream(&plan(&files), &mut Vec::new(), &mut |_, _| {});
    let message = refused.expect_err("it is no data").to_string();
    assert!(message.ends_with("b: not a Riga training data file"), "{message}");
}
