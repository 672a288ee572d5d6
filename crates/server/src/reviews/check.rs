//! Reports from elsewhere, checked before they are stored.

use game::Game;
use game::pgn::Reader;
use review::{GameReport, Mode, fingerprint};
use store::{Job, NewReview, Report, ReviewJob};

use crate::config::CheckReport;

/// Who has made a review.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Maker {
    /// The server, or one of its workers.
    Server,
    /// A visitor, in the browser.
    Visitor,
}

impl Maker {
    /// Who has made a stored review.
    pub fn of(review: &NewReview) -> Self {
        if review.is_by_visitor() { Self::Visitor } else { Self::Server }
    }
}

/// A report as it is stored. All reviews are made here, so that everything derived from a report is
/// derived in one place.
pub(crate) fn keep(report: &GameReport, maker: Maker) -> NewReview {
    let fingerprint = match maker {
        Maker::Server => report.fingerprint(),
        Maker::Visitor => format!("{}{}", NewReview::BY_VISITOR, report.fingerprint()),
    };
    let report = serde_json::to_value(report).expect("a report can be written as JSON");
    NewReview { fingerprint, report }
}

/// The game of a review job.
pub(crate) fn game(job: &ReviewJob) -> Result<Game, String> {
    match Reader::new(job.pgn.as_bytes()).games().next() {
        Some(Ok(game)) => Ok(game),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("the PGN contains no game".to_owned()),
    }
}

/// Checks what a worker has delivered, and returns it as it is stored. `engine` is the name of our
/// own; `others` checks other reports than reviews.
pub(crate) fn check(
    job: &Job,
    report: Report,
    engine: &str,
    others: Option<CheckReport>,
) -> Result<Report, String> {
    let (job, review) = match (job, report) {
        (Job::Review(job), Report::Review(review)) => (job, review),
        (Job::Data(_), report @ Report::Data(_))
        | (Job::Match(_), report @ Report::Match(_))
        | (Job::Segment(_), report @ Report::Segment(_)) => {
            others.map_or(Ok(()), |others| others(job, &report))?;
            return Ok(report);
        }
        _ => return Err("the report is of another kind".to_owned()),
    };
    let report: GameReport = serde_json::from_value(review.report)
        .map_err(|error| format!("the report can't be read: {error}"))?;
    report.check(&game(job)?).map_err(|error| error.to_string())?;
    let wanted = fingerprint(engine, Some(job.nodes), Mode::Riga);
    let found = report.fingerprint();
    if found != wanted {
        return Err(format!("made by {found}, not by {wanted}"));
    }
    Ok(Report::Review(keep(&report, Maker::Server)))
}

#[cfg(test)]
mod tests {
    use engine::{Engine, search_thread};
    use review::{Effort, Plan, review};
    use serde_json::Value;

    use super::*;

    const NAME: &str = "Riga";

    fn job(pgn: &str) -> ReviewJob {
        let game = "abcdefghijklmn".parse().expect("it looks like one");
        ReviewJob { game, pgn: pgn.to_owned(), nodes: 200 }
    }

    fn report(job: &ReviewJob, nodes: u64) -> Value {
        let game = game(job).expect("a game");
        let search = move || {
            let plan = Plan { effort: Effort::Nodes(nodes), ..Plan::default() };
            review(&game, &mut Engine::default(), &plan, NAME).expect("a report")
        };
        let report = search_thread("test").spawn(search).expect("a thread").join();
        serde_json::to_value(report.expect("no panic")).expect("JSON")
    }

    fn checked(job: &ReviewJob, report: Value) -> Result<Report, String> {
        let review = NewReview { fingerprint: "lies".to_owned(), report };
        check(&Job::Review(job.clone()), Report::Review(review), NAME, None)
    }

    #[test]
    fn a_worker_that_lies_is_refused() {
        let job = job("1. e4 e5 2. Ke2 Ke7 *");
        let honest = report(&job, 200);
        let Ok(Report::Review(kept)) = checked(&job, honest.clone()) else { panic!("sound") };
        assert_eq!(kept.fingerprint, "Riga; 200 nodes; riga");
        let refused = |change: &dyn Fn(&mut Value), why: &str| {
            let mut lie = honest.clone();
            change(&mut lie);
            let error = checked(&job, lie).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        refused(&|report| report["engine"] = "Riga 2".into(), "made by Riga 2;");
        refused(&|report| report["nodes"] = 100.into(), "100 nodes");
        refused(&|report| report["moves"][2]["best"][0]["uci"] = "e2e4".into(), "illegal");
        refused(&|report| report["moves"][1]["played"]["uci"] = "e7e6".into(), "another game");
        refused(&|report| report["moves"][0]["accuracy"] = 101.into(), "out of range");
        refused(&|report| *report = Value::Null, "can't be read");
        let other = self::job("1. d4 d5 2. Kd2 Kd7 *");
        let error = checked(&job, report(&other, 200)).expect_err("a foreign report");
        assert!(error.contains("another game"), "{error}");
        let few = checked(&job, report(&job, 100)).expect_err("fewer nodes");
        assert!(few.contains("100 nodes"), "{few}");
    }

    #[test]
    fn who_made_a_review_is_seen_by_its_fingerprint() {
        let job = job("1. e4 *");
        let report = serde_json::from_value(report(&job, 50)).expect("a report");
        for maker in [Maker::Server, Maker::Visitor] {
            assert_eq!(Maker::of(&keep(&report, maker)), maker);
        }
    }
}
