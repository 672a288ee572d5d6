//! `riga jobs add segments` and `riga jobs collect segments`: a library built by workers.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use library::{Library, parts};
use store::{DoneJob, Job, JobId, JobKind, NewJob, Report, SegmentJob, Store};

use crate::library::{STEP, open_sources};
use crate::show::{counted, thousands};
use crate::worker::segment;

/// Build a library of PGN files on other machines, one segment per job
///
/// The games wait in the database, compressed, until a worker takes them.
#[derive(Args)]
pub struct AddSegments {
    /// PGN files, compressed or not; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Name by which the segments are collected
    #[arg(long, default_value = "library")]
    name: String,
    /// Megabytes of PGN per job
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=32))]
    megabytes: u32,
}

impl AddSegments {
    pub async fn run(&self, store: &dyn Store) -> Result<()> {
        let sources = open_sources(&self.files)?;
        let (mut new, mut known) = (0, 0);
        for (part, number) in parts(sources, (self.megabytes as usize) << 20).zip(1..) {
            let part = part?;
            let (name, size) = (self.name.clone(), part.pgn.len());
            let once = format!("segment {name} {:08x} {size}", part.checksum);
            let pgn = BASE64_STANDARD.encode(&part.pgn);
            let job = Job::Segment(SegmentJob { name, part: number, pgn });
            // One at a time: they are large.
            let pushed =
                store.push_jobs(&[NewJob { once: Some(once), ..NewJob::new(job) }]).await?;
            new += pushed;
            known += 1 - pushed.min(1);
        }
        println!("{} added, {known} known", counted(new, "job"));
        Ok(())
    }
}

/// Add finished segments to a library, each once, and remove them from the database
#[derive(Args)]
pub struct CollectSegments {
    /// Folder of the library, which is created if needed
    #[arg(long, value_name = "FOLDER")]
    library: PathBuf,
    /// Name the jobs were added with
    #[arg(long, default_value = "library")]
    name: String,
}

impl CollectSegments {
    pub async fn run(&self, store: &dyn Store) -> Result<ExitCode> {
        let library = Library::create(&self.library)?;
        let (mut after, mut jobs, mut games, mut rejected, mut bad) = (JobId(0), 0, 0, 0, 0);
        while let Some(done) = store.done_after(JobKind::Segment, after).await? {
            after = done.id;
            let DoneJob { id, job: Job::Segment(job), report: Report::Segment(report), .. } = done
            else {
                continue;
            };
            if job.name != self.name {
                continue;
            }
            match segment::check(&report) {
                Ok(packed) => {
                    // If the last run was killed before it could say so, the segment is there.
                    if !packed.is_empty() {
                        games += library.add_packed(&packed, STEP)?;
                    }
                    store.remove_done(id).await?;
                    jobs += 1;
                    rejected += report.rejected;
                    for warning in &report.warnings {
                        eprintln!("part {}: {warning}", job.part);
                    }
                }
                Err(why) => {
                    eprintln!("warning: job {}: {why}; it is queued again", id.0);
                    store.collect_job(id, Err(why)).await?;
                    bad += 1;
                }
            }
        }
        println!(
            "{} of {} added, {} rejected, {bad} unusable; {} in the library",
            counted(games, "game"),
            counted(jobs, "job"),
            thousands(rejected),
            thousands(library.len())
        );
        Ok(ExitCode::SUCCESS)
    }
}
