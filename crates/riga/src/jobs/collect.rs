//! `riga jobs collect`: what workers have made, in files and tables.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use lab::tournament::{End, FinishedPair, Standings, Tournament};
use nnue::data::{Game, HEADER, Writer};
use store::{DoneJob, Job, JobId, JobKind, JobState, Report, Store};

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
                    append(&self.out, &found).with_context(|| self.out.display().to_string())?;
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

/// Appends games. If they are already at the end of the file, the last run was killed before it could
/// say so.
fn append(path: &Path, games: &[Game]) -> Result<()> {
    let mut block = Writer::new(Vec::new())?;
    for game in games {
        block.push(game)?;
    }
    let block = block.finish()?;
    let is_there = match fs::read(path) {
        Ok(bytes) => bytes.len() > HEADER.len() && bytes.ends_with(&block[HEADER.len()..]),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
        Err(error) => return Err(error.into()),
    };
    if !is_there {
        let (mut writer, _) = Writer::append(path)?;
        for game in games {
            writer.push(game)?;
        }
        writer.sync()?;
    }
    Ok(())
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
        let Some((_, Parts { mut tournament, pairs, pgn })) = parts.into_iter().next() else {
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
            let is_over = self.is_over(store).await?;
            let end = if is_over { End::Finished } else { End::Stopped };
            writeln!(out, "{}", match_table::json(&tournament, &standings, Some(&end)))?;
        } else {
            writeln!(out, "{}", match_table::text(&tournament, &standings))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Whether no part of a match is missing.
    async fn is_over(&self, store: &dyn Store) -> Result<bool> {
        let counts = store.count_jobs().await?;
        Ok(!counts.iter().any(|count| {
            count.kind == JobKind::Match
                && matches!(count.state, JobState::Waiting | JobState::Running)
        }))
    }
}

/// The finished parts of a match.
struct Parts {
    tournament: Tournament,
    pairs: Vec<FinishedPair>,
    pgn: String,
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use engine::Stop;
    use nnue::data::Reader;
    use store::DataJob;

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
            append(&path, part).expect("appended");
        }
        let file = fs::File::open(&path).expect("a file");
        let read: Vec<Game> = Reader::new(file)
            .expect("training data")
            .games()
            .collect::<Result<_, _>>()
            .expect("sound");
        assert_eq!(read, [first, second].concat());
    }
}
