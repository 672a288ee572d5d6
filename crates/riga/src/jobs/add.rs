//! `riga jobs add`: reviews, training data, matches and segments for workers.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use engine::Dice;
use lab::openings::OpeningSuite;
use store::{DataJob, Export, GameFilter, Job, MatchJob, NewJob, Store};

use super::segments::AddSegments;
use crate::arguments::{self, Usage, misuse};
use crate::show::counted;
use crate::worker::data::own_net;
use crate::worker::part;

/// Jobs per transaction.
const AT_ONCE: usize = 1_000;

#[derive(Subcommand)]
pub enum Add {
    Reviews(Reviews),
    Data(Data),
    Match(Match),
    Segments(AddSegments),
}

impl Add {
    pub async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        match self {
            Self::Reviews(reviews) => reviews.run(store).await?,
            Self::Data(data) => add(store, &data.jobs()).await?,
            Self::Match(part) => add(store, &part.jobs()?).await?,
            Self::Segments(segments) => segments.run(store).await?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn add(store: &dyn Store, jobs: &[NewJob]) -> Result<()> {
    let mut new = 0;
    for jobs in jobs.chunks(AT_ONCE) {
        new += store.push_jobs(jobs).await?;
    }
    println!("{} added, {} known", counted(new, "job"), jobs.len() as u64 - new);
    Ok(())
}

/// Review finished games in the database
#[derive(Args)]
pub struct Reviews {
    /// Nodes per position
    #[arg(long, default_value_t = 100_000, value_parser = arguments::nodes)]
    nodes: u64,
    /// Only games of this user
    #[arg(long)]
    user: Option<String>,
}

impl Reviews {
    async fn run(&self, store: &dyn Store) -> Result<()> {
        let user = match &self.user {
            Some(name) => Some(store.user_by_name(name).await.with_context(|| name.clone())?.id),
            None => None,
        };
        let filter = GameFilter { user, finished: Some(true), ..GameFilter::default() };
        let mut games = Export::new(store, filter);
        let mut jobs = Vec::new();
        while let Some(game) = games.next().await? {
            if !game.moves.is_empty() {
                match NewJob::review(&game, self.nodes) {
                    Ok(job) => jobs.push(NewJob { asker: user, ..job }),
                    Err(error) => eprintln!("warning: {error} (skipped)"),
                }
            }
        }
        add(store, &jobs).await
    }
}

/// Generate training data from self-play
#[derive(Args)]
pub struct Data {
    /// Games in all
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Soft node limit per move
    #[arg(long, default_value_t = 5_000, value_parser = arguments::nodes)]
    nodes: u64,
    /// Games per job
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    per_job: u64,
    /// Seed of the random openings; the same seed gives the same jobs
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Data {
    fn jobs(&self) -> Vec<NewJob> {
        let net = own_net();
        let count = self.games.div_ceil(self.per_job);
        let job = |number: u64| {
            let seed = Dice::stream(self.seed, number).roll();
            let games = self.per_job.min(self.games - number * self.per_job);
            let data = DataJob { seed, nodes: self.nodes, games, net: net.clone() };
            let once = format!("data {net} {} {seed} {games}", self.nodes);
            NewJob { once: Some(once), ..NewJob::new(Job::Data(data)) }
        };
        (0..count).map(job).collect()
    }
}

/// Play a match between two settings of Riga
///
/// Each opening is played twice, with colors swapped.
#[derive(Args)]
pub struct Match {
    /// An engine: cmd=self,name=NAME,nodes=N,option.NAME=VALUE,... (two of them)
    #[arg(long = "engine", short, required = true, value_name = "SETTINGS")]
    engines: Vec<String>,
    /// Games in all, an even number
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Openings: a .pgn file, or EPD or FEN with one position per line
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies to use from each PGN game [default: all]
    #[arg(long)]
    plies: Option<usize>,
    /// Pairs of games per job
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    per_job: u16,
    /// Name of the match, by which its results are collected
    #[arg(long, default_value = "match")]
    name: String,
}

impl Match {
    fn jobs(&self) -> Result<Vec<NewJob>> {
        let [first, second] = self.engines.as_slice() else {
            return misuse("a match needs two engines: repeat --engine");
        };
        if self.games == 0 || self.games % 2 == 1 {
            return misuse(format!(
                "--games {}: must be even: each opening is played with both colors",
                self.games
            ));
        }
        for text in [first, second] {
            part::contestant(text).map_err(Usage)?;
        }
        let suite = match &self.openings {
            None => OpeningSuite::default(),
            Some(path) => OpeningSuite::read(path, self.plies)?,
        };
        if let Some(first) = suite.skipped.first() {
            eprintln!("warning: {} openings can't be used; {first}", suite.skipped.len());
        }
        let (pairs, per_job, net) = (self.games / 2, usize::from(self.per_job), own_net());
        let opening = |round| suite.of_round(round).position().to_string();
        let job = |first_pair: usize| {
            let last = pairs.min(first_pair + per_job);
            let job = MatchJob {
                name: self.name.clone(),
                engines: [first.clone(), second.clone()],
                first: first_pair,
                openings: (first_pair..last).map(opening).collect(),
                net: net.clone(),
            };
            let text = serde_json::to_string(&job).context("a job as text")?;
            Ok(NewJob { once: Some(text), ..NewJob::new(Job::Match(job)) })
        };
        (0..pairs).step_by(per_job).map(job).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_games_are_in_some_job() {
        let data = Data { games: 450, nodes: 100, per_job: 200, seed: 1 };
        let jobs = data.jobs();
        let games = jobs.iter().map(|job| match &job.job {
            Job::Data(data) => data.games,
            _ => 0,
        });
        assert_eq!(games.collect::<Vec<_>>(), [200, 200, 50]);
        let part = Match {
            engines: vec!["cmd=self,nodes=10".to_owned(), "cmd=self,nodes=20".to_owned()],
            games: 14,
            openings: None,
            plies: None,
            per_job: 5,
            name: "m".to_owned(),
        };
        let jobs = part.jobs().expect("a plan");
        let parts = jobs.iter().map(|job| match &job.job {
            Job::Match(part) => (part.first, part.openings.len()),
            _ => (0, 0),
        });
        assert_eq!(parts.collect::<Vec<_>>(), [(0, 5), (5, 2)]);
        let odd = Match { games: 3, ..part }.jobs().expect_err("each opening is played twice");
        assert!(odd.is::<Usage>(), "{odd}");
    }
}
