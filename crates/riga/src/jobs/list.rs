//! `riga jobs list`: how many jobs there are, and what they do.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use store::{Job, JobFilter, JobKind, JobState, QueuedJob, Store};

use super::{kinds, states};

/// List jobs and count them
#[derive(Args)]
pub struct List {
    /// Only jobs of this kind
    #[arg(long, value_parser = kinds())]
    kind: Option<JobKind>,
    /// Only jobs in this state [default: those that are not done]
    #[arg(long, value_parser = states())]
    state: Option<JobState>,
    /// Number of jobs to list
    #[arg(long, default_value_t = Self::MOST, value_name = "N")]
    most: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Default for List {
    fn default() -> Self {
        Self { kind: None, state: None, most: Self::MOST, json: false }
    }
}

impl List {
    const MOST: usize = 30;

    pub async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        let counts = store.count_jobs().await?;
        let filter = JobFilter { kind: self.kind, state: self.state, ..JobFilter::default() };
        let mut jobs = store.jobs(&filter, self.most).await?;
        jobs.retain(|job| self.state.is_some() || job.state != JobState::Done);
        let mut out = std::io::stdout().lock();
        if self.json {
            let counts: Vec<Value> = counts
                .iter()
                .map(|count| {
                    let (kind, state) = (count.kind.as_str(), count.state.as_str());
                    json!({ "kind": kind, "state": state, "jobs": count.jobs })
                })
                .collect();
            let jobs: Vec<Value> = jobs.iter().map(value).collect();
            writeln!(out, "{}", json!({ "counts": counts, "jobs": jobs }))?;
            return Ok(ExitCode::SUCCESS);
        }
        let number = |kind, state| {
            let found = counts.iter().find(|count| (count.kind, count.state) == (kind, state));
            found.map_or(0, |count| count.jobs)
        };
        writeln!(
            out,
            "{:8} {:>9} {:>9} {:>9} {:>9}",
            "kind", "waiting", "running", "done", "failed"
        )?;
        for kind in JobKind::ALL {
            write!(out, "{kind:8}")?;
            for state in JobState::ALL {
                write!(out, " {:>9}", number(kind, state))?;
            }
            writeln!(out)?;
        }
        if !jobs.is_empty() {
            writeln!(out)?;
        }
        for job in &jobs {
            writeln!(out, "{}", line(job))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What a job is about.
fn about(job: &Job) -> String {
    match job {
        Job::Review(job) => format!("game {}, {} nodes", job.game, job.nodes),
        Job::Data(job) => format!("{} games, {} nodes, seed {}", job.games, job.nodes, job.seed),
        Job::Match(job) => {
            let last = job.first + job.openings.len();
            format!("{}, pairs {} to {last}", job.name, job.first + 1)
        }
        Job::Segment(job) => format!("{}, part {}", job.name, job.part),
    }
}

fn line(job: &QueuedJob) -> String {
    let (id, kind, state) = (job.id.0, job.job.kind(), job.state);
    let mut text = format!("{id:>7} {kind:8} {state:8} {}", about(&job.job));
    if job.state == JobState::Running {
        let worker = job.worker.as_deref().unwrap_or("?");
        text = format!("{text}, {:.0} % by {worker}", job.progress * 100.0);
    }
    if let Some(error) = &job.error {
        text = format!("{text} ({} attempts: {error})", job.attempts);
    }
    text
}

fn value(job: &QueuedJob) -> Value {
    json!({
        "id": job.id.0,
        "kind": job.job.kind().as_str(),
        "state": job.state.as_str(),
        "about": about(&job.job),
        "game": job.job.game().map(ToString::to_string),
        "attempts": job.attempts,
        "worker": job.worker,
        "progress": job.progress,
        "error": job.error,
        "created": job.created.0,
        "updated": job.updated.0,
    })
}
