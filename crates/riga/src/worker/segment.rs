//! A segment of a library as a job: some games of a PGN file, made ready to be asked.

use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use engine::Stop;
use library::{LibraryError, Stage, build_packed, check_packed};
use store::{Progress, Report, SegmentJob, SegmentReport};

use super::perform::Failed;
use crate::library::STEP;

/// The most warnings in a report.
const WARNINGS: usize = 20;

/// Builds the segment of a job.
pub fn perform(
    job: &SegmentJob,
    stop: &Stop,
    progress: &Mutex<Progress>,
) -> Result<Report, Failed> {
    let pgn = BASE64_STANDARD.decode(&job.pgn).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let show = |at: library::Progress| {
        let stage = match at.stage {
            Stage::Reading => 0.0,
            Stage::Sorting => 0.5,
            Stage::Indexing => 0.7,
        };
        *progress.lock().unwrap_or_else(PoisonError::into_inner) = Progress::of(stage);
        !stop.is_stopped()
    };
    let (added, packed) = match build_packed(pgn, folder.path(), &show) {
        Err(LibraryError::Stopped) => return Err(Failed::Stopped),
        built => built.map_err(|error| error.to_string())?,
    };
    let warnings = added.troubles.iter().take(WARNINGS).map(|trouble| {
        let fate = if trouble.rejected { "rejected" } else { "kept" };
        format!("game {}, line {}: {} ({fate})", trouble.game, trouble.line, trouble.reason)
    });
    Ok(Report::Segment(SegmentReport {
        games: added.games,
        rejected: added.rejected,
        warnings: warnings.collect(),
        file: BASE64_STANDARD.encode(packed),
    }))
}

/// The packed segment of a report, if it is sound.
pub fn check(report: &SegmentReport) -> Result<Vec<u8>, String> {
    let packed = BASE64_STANDARD.decode(&report.file).map_err(|error| error.to_string())?;
    let mut games = 0;
    if !packed.is_empty() {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        games = check_packed(&packed, folder.path(), STEP).map_err(|error| error.to_string())?;
    }
    if games == report.games {
        Ok(packed)
    } else {
        Err(format!("the segment has {games} games, not {}", report.games))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_built_and_checked() {
        let job = SegmentJob {
            name: "test".to_owned(),
            part: 3,
            pgn: BASE64_STANDARD.encode("1. e4 e5 1-0\n\n1. d4 Ke2 *\n\n1. Ke2 *\n"),
        };
        let Ok(Report::Segment(report)) = perform(&job, &Stop::new(), &Mutex::default()) else {
            panic!("the segment is built");
        };
        assert_eq!((report.games + report.rejected, report.warnings.len()), (3, 2));
        check(&report).expect("sound");
        assert!(check(&SegmentReport { games: 7, ..report.clone() }).is_err());
        assert!(check(&SegmentReport { file: "?".to_owned(), ..report.clone() }).is_err());
        assert!(check(&SegmentReport { file: String::new(), ..report }).is_err());
        let stop = Stop::new();
        stop.stop();
        assert!(matches!(perform(&job, &stop, &Mutex::default()), Err(Failed::Stopped)));
    }
}
