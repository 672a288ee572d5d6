//! A part of a match as a job: some pairs of games between two settings of our engine.

use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::Stop;
use game::pgn::Reader;
use lab::adjudication::Adjudication;
use lab::openings::OpeningSuite;
use lab::tournament::{Contestant, Control, End, FinishedPair, Format, Kind, Tournament};
use store::{MatchJob, MatchReport, Progress, Report};

use super::data::check_net;
use super::perform::Failed;

/// Options that name files, which another machine doesn't have.
const FILES: [&str; 3] = ["EvalFile", "BookFile", "SyzygyPath"];

/// Plays the games of a job.
pub fn perform(job: &MatchJob, stop: &Stop, progress: &Mutex<Progress>) -> Result<Report, Failed> {
    check_net(&job.net)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("games.pgn");
    let tournament = Tournament { pgn: Some(path.clone()), ..tournament(job)? };
    let mut pairs: Vec<FinishedPair> = Vec::new();
    // The tournament stops its own switch when something fails.
    let (_, end) = tournament.run(None, stop, &mut |_, pair, _| {
        pairs.push(FinishedPair { index: job.first + pair.index, ..pair.clone() });
        let share = pairs.len() as f64 / job.openings.len().max(1) as f64;
        *progress.lock().unwrap_or_else(PoisonError::into_inner) = Progress::of(share);
    });
    match end {
        Ok(End::Finished | End::Decided(_)) => {}
        Ok(End::Stopped) => return Err(Failed::Stopped),
        Err(error) => return Err(Failed::Because(error.to_string())),
    }
    let pgn = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let pairs = serde_json::to_value(&pairs).map_err(|error| error.to_string())?;
    Ok(Report::Match(MatchReport { pairs, pgn }))
}

/// The pairs of a report, if they are all there and sound.
pub fn check(job: &MatchJob, report: &MatchReport) -> Result<Vec<FinishedPair>, String> {
    let pairs: Vec<FinishedPair> =
        serde_json::from_value(report.pairs.clone()).map_err(|error| error.to_string())?;
    let mut found: Vec<usize> = pairs.iter().map(|pair| pair.index).collect();
    found.sort_unstable();
    if !found.into_iter().eq(job.first..job.first + job.openings.len()) {
        return Err("pairs are missing, or there are too many".to_owned());
    }
    let mut games = Reader::new(report.pgn.as_bytes()).games();
    for pair in &pairs {
        for game in &pair.games {
            let Some(Ok(played)) = games.next() else {
                return Err("games are missing in the PGN".to_owned());
            };
            if !games.remarks().is_empty() || played.result != game.result {
                return Err(format!("pair {}: the PGN has another game", pair.index));
            }
            if played.tree.start().to_string() != job.openings[pair.index - job.first] {
                return Err(format!("pair {}: the game has another opening", pair.index));
            }
        }
    }
    if games.next().is_some() { Err("the PGN has more games".to_owned()) } else { Ok(pairs) }
}

/// The part of the match as a tournament of its own.
pub fn tournament(job: &MatchJob) -> Result<Tournament, String> {
    let contestants = job.engines.iter().map(|text| contestant(text)).collect::<Result<_, _>>()?;
    let openings =
        OpeningSuite::from_epd(&job.openings.join("\n")).map_err(|error| error.to_string())?;
    if openings.count() != job.openings.len() {
        return Err(format!("unusable opening: {}", openings.skipped.join("; ")));
    }
    let mut tournament = Tournament {
        contestants,
        format: Format::RoundRobin,
        rounds: job.openings.len(),
        openings,
        concurrency: 1,
        adjudication: Adjudication::default(),
        margin: Duration::ZERO,
        tablebases: None,
        sprt: None,
        event: job.name.clone(),
        pgn: None,
        state: None,
    };
    tournament.tell_names_apart();
    Ok(tournament)
}

/// Our own engine with settings. A server must not be able to start programs on other machines.
pub fn contestant(text: &str) -> Result<Contestant, String> {
    let contestant =
        Contestant::parse(text, &Control::default()).map_err(|error| error.to_string())?;
    if contestant.kind != Kind::Own {
        return Err(format!("{text}: only cmd=self can play on other machines"));
    }
    let is_file = |option: &&(String, String)| {
        FILES.iter().any(|file| file.eq_ignore_ascii_case(option.0.trim()))
    };
    match contestant.options.iter().find(is_file) {
        Some((name, _)) => Err(format!("{text}: {name} is a file of one machine")),
        None => Ok(contestant),
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::own_net;
    use super::*;

    fn job() -> MatchJob {
        let start = chess::Position::default().to_string();
        MatchJob {
            name: "test".to_owned(),
            engines: ["cmd=self,name=a,nodes=30", "cmd=self,name=b,nodes=20"].map(str::to_owned),
            first: 4,
            openings: vec![start.clone(), start],
            net: own_net(),
        }
    }

    #[test]
    fn games_are_played_and_checked() {
        let job = job();
        let Ok(Report::Match(report)) = perform(&job, &Stop::new(), &Mutex::default()) else {
            panic!("the games are played");
        };
        let pairs = check(&job, &report).expect("sound");
        assert_eq!(pairs.iter().map(|pair| pair.index).collect::<Vec<_>>(), [4, 5]);
        let other = MatchJob { first: 0, ..job.clone() };
        assert!(check(&other, &report).is_err());
        let mut lie = report.clone();
        lie.pgn = lie.pgn.replacen("[Event", "1. e4 Ke7 *\n\n[Event", 1);
        assert!(check(&job, &lie).is_err());
        let mut lie = report;
        lie.pairs[0]["games"][0]["result"] =
            if pairs[0].games[0].result.as_str() == "1-0" { "0-1".into() } else { "1-0".into() };
        assert!(check(&job, &lie).is_err());
    }

    #[test]
    fn programs_and_files_are_refused() {
        for bad in [
            "cmd=stockfish,nodes=10",
            "cmd='rm -rf x',nodes=10",
            "cmd=self,nodes=10,option.EvalFile=x",
            "cmd=self,nodes=10,option.syzygypath=x",
            "cmd=self",
        ] {
            assert!(contestant(bad).is_err(), "{bad}");
        }
        assert!(contestant("cmd=self,nodes=10,option.Hash=2").is_ok());
    }
}
