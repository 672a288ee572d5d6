//! Self-play from the first game to a shuffled file.

use std::fs;
use std::path::{Path, PathBuf};

use chess::Position;
use engine::{Evaluation, Stop};
use lab::datagen::{
    CopyError, DatagenError, GamePlan, Openings, Plan, Progress, Shuffle, Stat, merge, run, shuffle,
};
use nnue::data::{DataError, Game, Reader};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// A short run: few nodes, games that end early.
fn plan(out: PathBuf, seed: u64, games: u64) -> Plan {
    let mut game_plan = GamePlan::with_nodes(30);
    game_plan.engine.hash = 1;
    game_plan.adjudication.longest = 60;
    game_plan.openings = Openings { chess960_per_mille: 300, ..Openings::default() };
    Plan { out, threads: 1, seed: Some(seed), games: Some(games), positions: None, game_plan }
}

fn play(plan: &Plan) -> Progress {
    run(plan, &Stop::new(), &mut |_| {}).expect("self-play works")
}

fn games(path: &Path) -> Vec<Game> {
    let file = fs::File::open(path).expect("the file is there");
    let games = Reader::new(file).expect("a header").games();
    games.collect::<Result<_, _>>().expect("nothing is damaged")
}

/// Games in an order of their own, to compare files that differ in it.
fn sorted(mut games: Vec<Game>) -> Vec<Game> {
    games.sort_by_key(|game| format!("{game:?}"));
    games
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let progress = play(&plan(path("a"), 1, 6));
    assert_eq!((progress.games, progress.seed), (6, 1));
    assert_eq!(progress.results.iter().sum::<u64>(), 6);
    play(&plan(path("b"), 1, 6));
    assert_eq!(fs::read(path("a")).ok(), fs::read(path("b")).ok());
    play(&Plan { threads: 3, ..plan(path("c"), 1, 6) });
    assert_eq!(sorted(games(&path("a"))), sorted(games(&path("c"))));
    play(&plan(path("d"), 2, 6));
    assert_ne!(sorted(games(&path("a"))), sorted(games(&path("d"))));
    let seeds = ["e", "f"].map(|name| play(&Plan { seed: None, ..plan(path(name), 0, 1) }).seed);
    assert_ne!(seeds[0], seeds[1]);
}

#[test]
fn a_run_goes_on_where_the_last_one_was_killed() {
    let folder = folder();
    let path = folder.path().join("games");
    play(&plan(path.clone(), 5, 4));
    let first = games(&path);
    // A kill in the middle of a write leaves a part of a block.
    let mut bytes = fs::read(&path).expect("the file is there");
    let whole = bytes.len();
    bytes.extend_from_within(16..40);
    fs::write(&path, &bytes).expect("the file is written");

    let progress = play(&plan(path.clone(), 5, 10));
    assert_eq!((progress.resumed.games, progress.resumed.cut), (4, 24));
    assert_eq!(progress.resumed.bytes, whole as u64);
    assert_eq!((progress.games, progress.all_games()), (6, 10));
    let all = games(&path);
    assert_eq!(all[..4], first);
    assert!(all[4..].iter().all(|game| !first.contains(game)), "the same games again");
    // There is nothing left to do.
    assert_eq!(play(&plan(path.clone(), 5, 10)).games, 0);
}

#[test]
fn enough_positions_end_a_run() {
    let folder = folder();
    let path = folder.path().join("games");
    let plan = Plan { games: None, positions: Some(150), ..plan(path.clone(), 3, 0) };
    let progress = play(&plan);
    let positions: usize = games(&path).iter().map(|game| game.scores().len()).sum();
    assert_eq!(progress.positions, positions as u64);
    assert!((150..250).contains(&positions), "{positions}");
}

#[test]
fn a_stop_ends_a_run_and_keeps_its_games() {
    let folder = folder();
    let path = folder.path().join("games");
    let stop = Stop::new();
    let plan = Plan { games: None, threads: 2, ..plan(path.clone(), 3, 0) };
    let progress = run(&plan, &stop, &mut |progress| {
        if progress.games >= 3 {
            stop.stop();
        }
    })
    .expect("self-play works");
    assert!(progress.games >= 3);
    assert_eq!(games(&path).len() as u64, progress.games);
}

/// A run with many threads takes long to start, and must end all the same.
#[test]
fn a_stop_before_the_first_game_plays_none() {
    let folder = folder();
    let stop = Stop::new();
    stop.stop();
    let plan = Plan { games: None, threads: 2, ..plan(folder.path().join("games"), 3, 0) };
    let progress = run(&plan, &stop, &mut |_| {}).expect("there is nothing to do");
    assert_eq!(progress.games, 0);
}

#[test]
fn a_bad_net_is_named_before_anything_is_written() {
    let folder = folder();
    let [out, net] = ["games", "bad.net"].map(|name| folder.path().join(name));
    let mut plan = plan(out.clone(), 1, 1);
    plan.game_plan.engine.evaluation = Evaluation::NetFile(net.clone());
    let message = |plan: &Plan| {
        let refused = run(plan, &Stop::new(), &mut |_| {});
        refused.expect_err("the net can't be used").to_string()
    };
    let missing = message(&plan);
    assert!(missing.starts_with(&format!("{}: ", net.display())), "{missing}");
    fs::write(&net, "no net").expect("a file is written");
    let bad = "not a Riga network: it doesn't start with RIGANNUE";
    assert_eq!(message(&plan), format!("{}: {bad}", net.display()));
    assert!(!out.exists());
    // Without a network its file doesn't matter.
    plan.game_plan.engine.evaluation = Evaluation::Hand;
    assert_eq!(play(&plan).games, 1);
}

#[test]
fn foreign_files_are_not_touched() {
    let folder = folder();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "do not lose me").expect("a file is written");
    let refused = run(&plan(path.clone(), 1, 1), &Stop::new(), &mut |_| {});
    let cause = refused.expect_err("it is no data");
    assert!(matches!(cause, DatagenError::File { cause: DataError::Foreign, .. }), "{cause:?}");
    assert_eq!(cause.to_string(), format!("{}: not a Riga training data file", path.display()));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "do not lose me");
    let out = folder.path().join("out");
    let refused = merge(std::slice::from_ref(&path), &out, &mut |_, _| {});
    let message = refused.expect_err("it is no data").to_string();
    assert!(message.ends_with("notes.txt: not a Riga training data file"), "{message}");
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 1, "nothing unfinished is left");
}

#[test]
fn files_are_merged_and_their_damage_is_left_out() {
    let folder = folder();
    let [a, b, out] = ["a", "b", "out"].map(|name| folder.path().join(name));
    play(&plan(a.clone(), 1, 3));
    play(&plan(b.clone(), 2, 3));
    let expected = [games(&a), games(&b)].concat();
    let copied =
        merge(&[a.clone(), b.clone()], &out, &mut |_, damage| panic!("{damage}")).expect("merged");
    assert_eq!((copied.games, copied.damaged), (6, 0));
    assert_eq!(games(&out), expected);

    let again = merge(std::slice::from_ref(&a), &out, &mut |_, _| {});
    assert!(matches!(again, Err(CopyError::Exists(_))), "{again:?}");
    fs::remove_file(&out).expect("it is there");
    let mut bytes = fs::read(&a).expect("it is there");
    bytes[100] ^= 1;
    fs::write(&a, bytes).expect("it is written");
    let mut told = Vec::new();
    let copied = merge(&[a.clone(), b.clone()], &out, &mut |path, damage| {
        told.push((path.to_owned(), damage.offset));
    })
    .expect("merged");
    assert_eq!((copied.games, copied.damaged), (3, 1));
    assert_eq!(told, [(a, 16)]);
    assert_eq!(games(&out), games(&b));
}

#[test]
fn shuffling_keeps_every_game_also_when_memory_is_short() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    play(&plan(path("a"), 1, 12));
    play(&plan(path("b"), 2, 12));
    let inputs = [path("a"), path("b")];
    let before = [games(&inputs[0]), games(&inputs[1])].concat();
    let silent = &mut |_: &Path, _: &_| {};
    for (name, seed, memory) in [("c", 7, 1 << 20), ("d", 7, 1 << 20), ("e", 8, 1000)] {
        let how = Shuffle { seed, memory, ..Shuffle::default() };
        let copied = shuffle(&inputs, &path(name), &how, silent).expect("shuffled");
        assert_eq!(copied.games, 24);
        let after = games(&path(name));
        assert_ne!(after, before, "{name}");
        assert_eq!(sorted(after), sorted(before.clone()), "{name}");
    }
    assert_eq!(games(&path("c")), games(&path("d")));
    assert_ne!(games(&path("c")), games(&path("e")));

    let how = Shuffle { positions: Some(200), ..Shuffle::default() };
    let copied = shuffle(&inputs, &path("f"), &how, silent).expect("shuffled");
    assert!((100..=200).contains(&copied.positions), "{copied:?}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 6, "nothing else is left");
}

#[test]
fn statistics_count_games_positions_and_damage() {
    let folder = folder();
    let path = folder.path().join("games");
    play(&plan(path.clone(), 4, 5));
    let games = games(&path);
    let mut bytes = fs::read(&path).expect("it is there");
    bytes.extend(b"RBLK");
    let stat = Stat::read(&bytes[..]).expect("it is data");
    assert_eq!((stat.games, stat.damaged, stat.damaged_bytes), (5, 1, 4));
    assert_eq!(stat.bytes, bytes.len() as u64);
    let scores: usize = games.iter().map(|game| game.scores().len()).sum();
    assert_eq!(stat.positions, scores as u64);
    assert_eq!(stat.scores.iter().sum::<u64>(), stat.positions);
    for counts in [&stat.results[..], &stat.endings, &stat.lengths] {
        assert_eq!(counts.iter().sum::<u64>(), 5);
    }
    let lengths = games.iter().map(|game| game.moves().len() as u64);
    assert_eq!(lengths.clone().min(), Some(stat.shortest));
    assert_eq!(lengths.clone().max(), Some(stat.longest));
    assert_eq!(lengths.sum::<u64>(), stat.moves);
    assert!(stat.quiet < stat.positions);
    assert!((1.0..3.0).contains(&stat.bytes_per_position()), "{}", stat.bytes_per_position());
}

#[test]
fn branches_are_not_counted_as_chess960() {
    let folder = folder();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let mut plan = plan(a.clone(), 4, 40);
    plan.game_plan.branches.per_mille = 1000;
    play(&plan);
    // Away from the game that it comes from, a branch is stored by its start position.
    shuffle(std::slice::from_ref(&a), &b, &Shuffle::default(), &mut |_, _| {}).expect("shuffled");
    let starts: Vec<Position> = games(&a).iter().map(|game| game.start().clone()).collect();
    let count = |is: &dyn Fn(&Position) -> bool| starts.iter().filter(|start| is(start)).count();
    let standard = count(&|start| *start == Position::default());
    let arrays = count(&|start| start.fullmoves() == 1);
    for path in [a, b] {
        let stat = Stat::read(fs::File::open(path).expect("it is there")).expect("it is data");
        assert_eq!((stat.games, stat.chess960), (40, (arrays - standard) as u64));
        assert_eq!(stat.branches, (40 - arrays) as u64);
        assert!(stat.chess960 > 0 && stat.branches > 0);
    }
}
