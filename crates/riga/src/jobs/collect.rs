//! `riga jobs collect`: what workers have made, in files and tables.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use lab::tournament::{End, FinishedPair, Standings, Tournament};
use nnue::data::{Game, HEADER, Writer};
use store::{DoneJob, Job, JobFilter, JobId, JobKind, JobState, Report, Store};

use super::segments::CollectSegments;
use crate::match_table;
use crate::show::counted;
use crate::worker::{data, part};

#[derive(Subcommand)]
pub enum Collect {
    Data(Data),
    Match(Match),
    Segments(CollectSegments),
}

impl Collect {
    pub async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        match self {
            Self::Data(data) => data.run(store).await,
            Self::Match(part) => part.run(store).await,
            Self::Segments(segments) => segments.run(store).await,
        }
    }
}

/// Append finished training data to a file, each game once
#[derive(Args)]
pub struct Data {
    /// The file to append to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Data {
    async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        let (mut after, mut jobs, mut games, mut bad) = (JobId(0), 0, 0, 0);
        let mut target = None;
        let mut append = |games: &[Game]| -> Result<()> {
            let target = match &mut target {
                Some(target) => target,
                None => target.insert(Target::open(&self.out)?),
            };
            target.append(games)
        };
        while let Some(done) = store.done_after(JobKind::Data, after).await? {
            after = done.id;
            let DoneJob { id, job: Job::Data(job), report: Report::Data(report), collected } = done
            else {
                continue;
            };
            if collected {
                continue;
            }
            match data::check(&job, &report) {
                Ok(found) => {
                    append(&found).with_context(|| self.out.display().to_string())?;
                    store.collect_job(id, Ok(())).await?;
                    jobs += 1;
                    games += found.len() as u64;
                }
                Err(why) => {
                    eprintln!("warning: job {}: {why}; it is queued again", id.0);
                    store.collect_job(id, Err(why)).await?;
                    bad += 1;
                }
            }
        }
        println!("{} of {} appended, {bad} unusable", counted(games, "game"), counted(jobs, "job"));
        Ok(ExitCode::SUCCESS)
    }
}

/// The file that games are appended to. It is read once, when it is opened.
struct Target {
    writer: Writer<File>,
    /// The same file, to read what it had at first.
    old: File,
    /// Its length then.
    len: u64,
}

impl Target {
    fn open(path: &Path) -> Result<Self> {
        let (writer, found) = Writer::append(path)?;
        Ok(Self { writer, old: File::open(path)?, len: found.bytes })
    }

    /// Appends the games of a job. If the file ended with them when it was opened, the last run was
    /// killed before it could say so.
    fn append(&mut self, games: &[Game]) -> Result<()> {
        if !self.ended_with(games)? {
            for game in games {
                self.writer.push(game)?;
            }
            self.writer.sync()?;
        }
        Ok(())
    }

    fn ended_with(&mut self, games: &[Game]) -> Result<bool> {
        let mut file = Writer::new(Vec::new())?;
        for game in games {
            file.push(game)?;
        }
        let file = file.finish()?;
        if self.len < file.len() as u64 {
            return Ok(false);
        }
        let blocks = &file[HEADER.len()..];
        let mut last = vec![0; blocks.len()];
        self.old.seek(SeekFrom::Start(self.len - blocks.len() as u64))?;
        self.old.read_exact(&mut last)?;
        Ok(last == blocks)
    }
}

/// Show the results of a match
#[derive(Args)]
pub struct Match {
    /// Name of the match [default: the only one]
    #[arg(long)]
    name: Option<String>,
    /// Write the games to this PGN file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Match {
    async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        let mut parts: BTreeMap<String, Parts> = BTreeMap::new();
        let mut after = JobId(0);
        while let Some(done) = store.done_after(JobKind::Match, after).await? {
            after = done.id;
            let (Job::Match(job), Report::Match(report)) = (done.job, done.report) else {
                continue;
            };
            if self.name.as_ref().is_some_and(|name| *name != job.name) {
                continue;
            }
            match part::check(&job, &report) {
                Ok(pairs) => {
                    let all = match parts.entry(job.name.clone()) {
                        std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                        std::collections::btree_map::Entry::Vacant(entry) => {
                            let tournament = part::tournament(&job).map_err(anyhow::Error::msg)?;
                            entry.insert(Parts {
                                tournament,
                                pairs: Vec::new(),
                                pgn: String::new(),
                            })
                        }
                    };
                    all.pairs.extend(pairs);
                    all.pgn.push_str(&report.pgn);
                }
                Err(why) => {
                    eprintln!("warning: job {}: {why}; it is queued again", done.id.0);
                    store.collect_job(done.id, Err(why)).await?;
                }
            }
        }
        if parts.len() > 1 {
            let names: Vec<String> = parts.into_keys().collect();
            bail!("there are several matches: --name {}", names.join(", --name "));
        }
        let Some((name, Parts { mut tournament, pairs, pgn })) = parts.into_iter().next() else {
            bail!("no games of a match are finished");
        };
        tournament.rounds = pairs.len();
        let mut standings = Standings::new(&tournament);
        for pair in &pairs {
            standings.add(pair);
        }
        if let Some(path) = &self.pgn {
            fs::write(path, pgn).with_context(|| path.display().to_string())?;
        }
        let mut out = std::io::stdout().lock();
        if self.json {
            let is_over = is_over(store, &name).await?;
            let end = if is_over { End::Finished } else { End::Stopped };
            writeln!(out, "{}", match_table::json(&tournament, &standings, Some(&end)))?;
        } else {
            writeln!(out, "{}", match_table::text(&tournament, &standings))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether no part of a match is missing; those that have failed are.
async fn is_over(store: &dyn Store, name: &str) -> Result<bool> {
    /// More jobs than a database has.
    const ALL: usize = i32::MAX as usize;
    let parts = JobFilter::of_kind(JobKind::Match);
    for state in [JobState::Waiting, JobState::Running, JobState::Failed] {
        let jobs = store.jobs(&parts.in_state(state), ALL).await?;
        if jobs.iter().any(|queued| matches!(&queued.job, Job::Match(part) if part.name == name)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The finished parts of a match.
struct Parts {
    tournament: Tournament,
    pairs: Vec<FinishedPair>,
    pgn: String,
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use engine::Stop;
    use nnue::data::Reader;
    use store::{DataJob, MatchJob, NewJob};

    use super::*;

    #[test]
    fn games_are_appended_once_even_after_a_kill() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.rgd");
        let games = |seed| {
            let job = DataJob { seed, nodes: 20, games: 2, net: data::own_net() };
            match data::perform(&job, &Stop::new(), &Mutex::default()) {
                Ok(Report::Data(report)) => data::check(&job, &report).expect("sound"),
                _ => panic!("the games are played"),
            }
        };
        let (first, second) = (games(1), games(2));
        for part in [&first, &first, &second, &second] {
            Target::open(&path).and_then(|mut target| target.append(part)).expect("appended");
        }
        let read = || -> Vec<Game> {
            let reader = Reader::new(File::open(&path).expect("a file")).expect("training data");
            reader.games().collect::<Result<_, _>>().expect("sound")
        };
        assert_eq!(read(), [&first[..], &second].concat());
        // A job that was done in the meantime comes before the one that is already there.
        let third = games(3);
        let mut target = Target::open(&path).expect("a file");
        for part in [&third, &second] {
            target.append(part).expect("appended");
        }
        assert_eq!(read(), [first, second, third].concat());
    }

    #[tokio::test]
    async fn a_match_is_over_when_all_its_own_parts_are_done() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("riga.db");
        let store = store::open(path.to_str().expect("UTF-8")).await.expect("a database");
        let part = MatchJob {
            name: "new".to_owned(),
            engines: ["cmd=self,nodes=10", "cmd=self,nodes=20"].map(str::to_owned),
            first: 0,
            openings: Vec::new(),
            net: data::own_net(),
        };
        store.push_job(&NewJob::new(Job::Match(part))).await.expect("a job");
        let over = async |name: &str| is_over(&*store, name).await.expect("an answer");
        assert!(over("old").await && !over("new").await, "it waits");
        let desk = Arc::clone(&store).desk();
        for _ in 0..3 {
            let claimed = desk.claim(&[JobKind::Match], "w", Duration::from_mins(1)).await;
            let claim = claimed.expect("an answer").expect("a job");
            assert!(!over("new").await, "it runs");
            desk.give_up(claim.attempt, "no engine").await.expect("given up");
        }
        let failed = JobFilter::of_kind(JobKind::Match).in_state(JobState::Failed);
        assert_eq!(store.count_matching(&failed).await.expect("a count"), 1);
        assert!(over("old").await && !over("new").await, "it has failed");
        store.cancel_jobs(&failed).await.expect("cancelled");
        assert!(over("new").await);
        store.close().await;
    }
}
