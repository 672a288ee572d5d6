//! Whole matches: our engine against itself, and against engines that misbehave.

use std::fs;
use std::path::Path;
use std::time::Duration;

use engine::Stop;
use game::pgn::Reader;
use lab::adjudication::Adjudication;
use lab::elo::{Pairs, Tally};
use lab::openings::OpeningSuite;
use lab::sprt::{Accepted, EloModel, Sprt};
use lab::tournament::{
    Contestant, Control, End, Faults, Format, SavedError, SavedMatch, Standings, Tournament,
    TournamentError,
};

/// Short games: a match of the moves that material alone suggests.
const RULES: Adjudication = Adjudication { draw: None, resign: None, max_plies: Some(60) };

fn openings() -> OpeningSuite {
    let pgn = "1. e4 e5 *\n\n1. d4 d5 *\n\n1. c4 e5 *\n\n1. Nf3 c5 *\n";
    OpeningSuite::from_pgn(pgn.as_bytes(), None).expect("openings")
}

fn tournament(engines: &[&str], rounds: usize) -> Tournament {
    let control = Control { depth: Some(1), ..Control::default() };
    let mut tournament = Tournament {
        contestants: engines
            .iter()
            .map(|text| Contestant::parse(text, &control).expect("a contestant"))
            .collect(),
        format: Format::RoundRobin,
        rounds,
        openings: openings(),
        concurrency: 2,
        adjudication: RULES,
        margin: Duration::ZERO,
        tablebases: None,
        sprt: None,
        event: "Test".to_owned(),
        pgn: None,
        state: None,
    };
    tournament.tell_names_apart();
    tournament
}

fn run(tournament: &Tournament) -> (Standings, Result<End, TournamentError>) {
    tournament.run(None, &Stop::new(), &mut |_, _, _| {})
}

fn games_of(pgn: &Path) -> usize {
    let file = fs::File::open(pgn).expect("the games");
    Reader::new(file)
        .games()
        .filter(|game| game.as_ref().expect("good PGN").result.as_str() != "*")
        .count()
}

#[test]
fn a_match_is_played_to_its_end_and_the_same_each_time() {
    let match_ = tournament(&["self", "cmd=self,depth=2,option.Hash=1"], 4);
    let (standings, end) = run(&match_);
    assert_eq!(end.expect("no error"), End::Finished);
    assert_eq!(standings.games(), 8);
    assert_eq!(standings.pairings[0].pairs.count(), 4);
    assert_eq!(standings.faults.iter().map(Faults::total).sum::<u64>(), 0);
    let alone = Tournament { concurrency: 1, ..match_.clone() };
    assert_eq!(run(&alone).0, standings);
}

#[test]
fn nodes_can_be_the_clock_and_then_games_are_the_same_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = |file: &str| {
        let pgn = folder.path().join(file);
        let engine = "cmd=self,tc=0.2+0.004,option.Hash=1,option.nodestime=20";
        let match_ = Tournament {
            pgn: Some(pgn.clone()),
            concurrency: 1,
            ..tournament(&[engine, &format!("{engine},option.time_share=1200")], 1)
        };
        let (standings, end) = run(&match_);
        assert_eq!(end.expect("no error"), End::Finished);
        let faults = standings.faults.iter().map(Faults::total).sum::<u64>();
        assert_eq!((standings.games(), faults), (2, 0));
        // With scores, depths and times.
        let text = fs::read_to_string(pgn).expect("the games");
        text.lines().filter(|line| !line.starts_with("[Date")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(play("one.pgn"), play("other.pgn"));
}

#[test]
fn colors_are_changed_and_everybody_meets_everybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = folder.path().join("games.pgn");
    let match_ =
        Tournament { pgn: Some(pgn.clone()), concurrency: 1, ..tournament(&["self"; 3], 2) };
    let (standings, end) = run(&match_);
    assert_eq!(end.expect("no error"), End::Finished);
    assert_eq!(standings.games(), 12);
    let file = fs::File::open(&pgn).expect("the games");
    let names: Vec<String> = Reader::new(file)
        .games()
        .map(|game| {
            let tags = game.expect("good PGN").tags;
            let tag = |name| tags.get(name).unwrap_or("?").to_owned();
            format!("{} {} - {}", tag("Round"), tag("White"), tag("Black"))
        })
        .collect();
    assert_eq!(
        &names[..7],
        [
            "1.1 Riga - Riga #2",
            "1.2 Riga #2 - Riga",
            "1.1 Riga - Riga #3",
            "1.2 Riga #3 - Riga",
            "1.1 Riga #2 - Riga #3",
            "1.2 Riga #3 - Riga #2",
            "2.1 Riga - Riga #2",
        ]
    );
}

#[test]
fn a_match_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, state) = (folder.path().join("games.pgn"), folder.path().join("match.json"));
    let match_ = Tournament {
        pgn: Some(pgn.clone()),
        state: Some(state.clone()),
        concurrency: 1,
        ..tournament(&["self", "cmd=self,depth=2"], 4)
    };
    let stop = Stop::new();
    let mut heard = 0;
    let (_, end) = match_.run(None, &stop, &mut |_, _, _| {
        heard += 1;
        if heard == 2 {
            stop.stop();
        }
    });
    assert_eq!(end.expect("no error"), End::Stopped);
    assert_eq!(games_of(&pgn), 4);

    // A kill between the games and the state leaves games that don't count.
    let written = fs::read_to_string(&pgn).expect("the games");
    fs::write(&pgn, format!("{written}[Event \"Half a pair\"]\n\n1. e4 *\n\n")).expect("written");
    let saved = SavedMatch::read(&state, &match_).expect("our match");
    assert_eq!(saved.pairs.len(), 2);
    let (standings, end) = match_.run(Some(saved), &Stop::new(), &mut |_, _, _| {});
    assert_eq!(end.expect("no error"), End::Finished);
    assert_eq!(games_of(&pgn), 8);
    assert_eq!(standings, run(&tournament(&["self", "cmd=self,depth=2"], 4)).0);

    // There is nothing left, until more rounds are asked for.
    let saved = || SavedMatch::read(&state, &match_).expect("our match");
    let (again, _) = match_.run(Some(saved()), &Stop::new(), &mut |_, _, _| panic!("no game"));
    assert_eq!(again, standings);
    let longer = Tournament { rounds: 5, ..match_.clone() };
    let (longer, _) = longer.run(Some(saved()), &Stop::new(), &mut |_, _, _| {});
    assert_eq!(longer.games(), 10);
}

#[test]
fn games_in_a_file_of_another_match_are_not_cut_when_one_is_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (pgn, state) = (folder.path().join("precious.pgn"), folder.path().join("match.json"));
    let without = Tournament { state: Some(state.clone()), ..tournament(&["self"; 2], 1) };
    run(&without).1.expect("no error");
    fs::write(&pgn, "[Event \"Precious\"]\n\n1. e4 1-0\n\n").expect("written");
    let longer = Tournament { rounds: 2, pgn: Some(pgn.clone()), ..without };
    let saved = SavedMatch::read(&state, &longer).expect("our match");
    longer.run(Some(saved), &Stop::new(), &mut |_, _, _| {}).1.expect("no error");
    assert!(fs::read_to_string(&pgn).expect("the games").starts_with("[Event \"Precious\"]"));
    assert_eq!(games_of(&pgn), 3);
}

#[test]
fn another_match_or_a_damaged_file_is_not_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("match.json");
    let match_ = Tournament { state: Some(state.clone()), ..tournament(&["self"; 2], 1) };
    run(&match_).1.expect("no error");
    let other = tournament(&["self", "cmd=self,depth=3"], 1);
    assert!(matches!(SavedMatch::read(&state, &other), Err(SavedError::Other { .. })));
    let text = fs::read_to_string(&state).expect("the state");
    for damaged in ["", "{}", &text[..text.len() / 2], &text.replace("\"index\":0", "\"index\":-1")]
    {
        fs::write(&state, damaged).expect("written");
        let error = SavedMatch::read(&state, &match_).expect_err(damaged);
        assert!(matches!(error, SavedError::Damaged { .. }), "{error}");
    }
}

#[test]
fn the_test_ends_the_match() {
    // Nobody can be a thousand Elo weaker than himself.
    let sprt = Sprt::new(-1000.0, -500.0, EloModel::Logistic);
    let match_ = Tournament { sprt: Some(sprt), ..tournament(&["self"; 2], 1000) };
    let (standings, end) = run(&match_);
    assert_eq!(end.expect("no error"), End::Decided(Accepted::H1));
    assert!(standings.games() < 100, "{}", standings.games());
}

#[test]
fn an_engine_that_cannot_be_started_is_an_error_before_any_game() {
    for (text, part) in [
        ("/no/such/engine", "engine: can't start `/no/such/engine`"),
        ("cmd=self,option.Hsah=1", "Riga #2: Riga has no option `Hsah`"),
    ] {
        let (standings, end) = run(&tournament(&["self", text], 1));
        let error = end.expect_err("it can't start").to_string();
        assert!(error.starts_with(part), "{error}");
        assert_eq!(standings.games(), 0);
    }
    let alone = run(&tournament(&["self"], 1)).1;
    assert!(matches!(alone, Err(TournamentError::TooFew)));
}

#[cfg(unix)]
mod misbehaviour {
    use super::*;

    /// A match of ours against a shell script that says this to `go`.
    fn against(answer: &str) -> (Standings, Result<End, TournamentError>) {
        let script = format!(
            "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
             *moves*) m=a7a6;; position*) m=a2a3;; go*) {answer};; quit) exit;; esac; done"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("engine.sh");
        fs::write(&file, script).expect("written");
        let fake = format!("cmd=sh {},name=fake,tc=0.3", file.display());
        let mut match_ = tournament(&["self", &fake], 2);
        match_.openings = OpeningSuite::default();
        run(&match_)
    }

    fn all_lost(answer: &str) -> Faults {
        let (standings, end) = against(answer);
        assert_eq!(end.expect("the match goes on"), End::Finished);
        assert_eq!(standings.pairings[0].games, Tally { wins: 4, draws: 0, losses: 0 });
        assert_eq!(standings.pairings[0].pairs, Pairs([0, 0, 0, 0, 2]));
        assert_eq!(standings.faults[0].total(), 0);
        standings.faults[1]
    }

    #[test]
    fn a_crash_loses_the_game_and_the_engine_is_started_again() {
        let faults = all_lost("echo oops >&2; exit 7");
        assert_eq!(faults, Faults { crashes: 4, ..Faults::default() });
    }

    #[test]
    fn an_illegal_move_loses_the_game() {
        let faults = all_lost("echo bestmove h1h8");
        assert_eq!(faults, Faults { illegal_moves: 4, ..Faults::default() });
    }

    #[test]
    fn a_late_move_loses_the_game() {
        let faults = all_lost("sleep 0.5; echo bestmove $m");
        assert_eq!(faults, Faults { time_losses: 4, ..Faults::default() });
    }

    #[test]
    fn an_engine_that_cannot_be_started_again_ends_the_match() {
        let (standings, end) = against("rm -f \"$0\"; exit 7");
        let error = end.expect_err("it is gone").to_string();
        assert!(error.starts_with("fake: "), "{error}");
        assert!(standings.games() < 4);
    }
}
