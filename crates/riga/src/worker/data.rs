//! Training data as a job.

use std::fs;
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use engine::Stop;
use lab::datagen::{GamePlan, Plan, run};
use nnue::data::{Game, Reader};
use store::{DataJob, DataReport, Progress, Report};

use super::perform::Failed;

/// Plays the games of a job.
pub fn perform(job: &DataJob, stop: &Stop, progress: &Mutex<Progress>) -> Result<Report, Failed> {
    check_net(&job.net)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("games.rgd");
    let plan = Plan {
        out: out.clone(),
        threads: 1,
        seed: Some(job.seed),
        games: Some(job.games),
        positions: None,
        game_plan: GamePlan::with_nodes(job.nodes),
    };
    let mut watch = |played: &lab::datagen::Progress| {
        let share = played.games as f64 / job.games.max(1) as f64;
        *progress.lock().unwrap_or_else(PoisonError::into_inner) = Progress::of(share);
    };
    let played = run(&plan, stop, &mut watch).map_err(|error| error.to_string())?;
    if played.games < job.games {
        return Err(Failed::Stopped);
    }
    let bytes = fs::read(&out).map_err(|error| error.to_string())?;
    Ok(Report::Data(DataReport { file: BASE64_STANDARD.encode(bytes) }))
}

/// The games of a report, if they are all there and sound.
pub fn check(job: &DataJob, report: &DataReport) -> Result<Vec<Game>, String> {
    let bytes = BASE64_STANDARD.decode(&report.file).map_err(|error| error.to_string())?;
    let reader = Reader::new(&bytes[..]).map_err(|error| error.to_string())?;
    let games: Vec<Game> =
        reader.games().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    if games.len() as u64 != job.games {
        return Err(format!("{} games instead of {}", games.len(), job.games));
    }
    Ok(games)
}

/// Fails unless the network is the one in this binary.
pub fn check_net(wanted: &str) -> Result<(), String> {
    let found = own_net();
    if found == wanted {
        return Ok(());
    }
    Err(format!("the network is {found}, but the job is for {wanted}"))
}

/// The checksum of the network in this binary.
pub fn own_net() -> String {
    format!("{:08x}", engine::embedded_net().checksum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> DataJob {
        DataJob { seed: 7, nodes: 20, games: 2, net: own_net() }
    }

    fn played(job: &DataJob) -> DataReport {
        match perform(job, &Stop::new(), &Mutex::default()) {
            Ok(Report::Data(report)) => report,
            _ => panic!("the games are played"),
        }
    }

    #[test]
    fn the_games_of_a_seed_are_the_same_and_bad_ones_are_refused() {
        let job = job();
        let report = played(&job);
        assert_eq!(
            check(&job, &report).expect("sound"),
            check(&job, &played(&job)).expect("sound")
        );
        let more = DataJob { games: 3, ..job.clone() };
        assert_eq!(check(&more, &report), Err("2 games instead of 3".to_owned()));
        let mut bytes = BASE64_STANDARD.decode(&report.file).expect("base64");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        for bad in [BASE64_STANDARD.encode(bytes), "?".to_owned(), String::new()] {
            assert!(check(&job, &DataReport { file: bad }).is_err());
        }
    }

    #[test]
    fn another_network_is_refused() {
        let job = DataJob { net: "00000000".to_owned(), ..job() };
        let refused = perform(&job, &Stop::new(), &Mutex::default());
        assert!(matches!(refused, Err(Failed::Because(why)) if why.contains("00000000")));
    }
}
