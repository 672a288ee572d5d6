//! `riga jobs`: the queue of jobs in the database.

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use store::{JobFilter, JobId, JobKind, JobState, Store};

use crate::database::{Database, runtime};
use crate::show::counted;

mod add;
mod collect;
mod list;
mod segments;

/// Show and change the queue of jobs
#[derive(Args)]
#[command(after_help = "Examples:
  riga jobs
  riga jobs list --state failed --json
  riga jobs retry --kind review
  riga jobs cancel 17 18
  riga jobs add reviews --user Misha --nodes 200000
  riga jobs add data --games 100000 --nodes 5000
  riga jobs add match --engine cmd=self,name=new,nodes=20000,option.Hash=16 \\
      --engine cmd=self,name=old,nodes=20000,option.Hash=16,option.rfp_margin=80 \\
      --openings book.epd --games 2000
  riga jobs add segments twic*.pgn --name twic
  riga jobs collect data --out games.rdata
  riga jobs collect match
  riga jobs collect segments --library twic --name twic

Reviews are done by the server and by workers (riga worker), the others by workers. A server may be
running.")]
pub struct Jobs {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    database: Database,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    /// Queue jobs that have failed again
    Retry(Which),
    /// Remove jobs that wait or have failed
    Cancel(Which),
    /// Add jobs
    #[command(subcommand)]
    Add(add::Add),
    /// Take finished work out of the database
    #[command(subcommand)]
    Collect(collect::Collect),
}

/// The jobs to change.
#[derive(Args)]
struct Which {
    /// Job ids [default: all]
    ids: Vec<i64>,
    /// Only jobs of this kind
    #[arg(long, value_parser = kinds())]
    kind: Option<JobKind>,
}

impl Which {
    fn filters(&self) -> Vec<JobFilter> {
        let all = JobFilter { kind: self.kind, ..JobFilter::default() };
        if self.ids.is_empty() {
            return vec![all];
        }
        self.ids.iter().map(|&id| JobFilter { id: Some(JobId(id)), ..all.clone() }).collect()
    }
}

impl Jobs {
    pub fn run(&self) -> Result<ExitCode> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let store = self.database.open_existing().await?;
            let ended = self.perform(&store).await;
            store.close().await;
            ended
        })
    }

    async fn perform(&self, store: &Arc<dyn Store>) -> Result<ExitCode> {
        match &self.command {
            None => list::List::default().run(&**store).await,
            Some(Command::List(list)) => list.run(&**store).await,
            Some(Command::Add(add)) => add.run(&**store).await,
            Some(Command::Collect(collect)) => collect.run(&**store).await,
            Some(Command::Retry(which)) => {
                let mut count = 0;
                for filter in which.filters() {
                    count += store.retry_jobs(&filter).await?;
                }
                println!("{} queued again", counted(count, "job"));
                Ok(ExitCode::SUCCESS)
            }
            Some(Command::Cancel(which)) => {
                let mut count = 0;
                for filter in which.filters() {
                    count += store.cancel_jobs(&filter).await?;
                }
                println!("{} cancelled", counted(count, "job"));
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// Kinds of jobs as an argument.
pub fn kinds() -> impl TypedValueParser<Value = JobKind> {
    PossibleValuesParser::new(JobKind::ALL.map(JobKind::as_str))
        .try_map(|text| text.parse::<JobKind>())
}

fn states() -> impl TypedValueParser<Value = JobState> {
    PossibleValuesParser::new(JobState::ALL.map(JobState::as_str))
        .try_map(|text| text.parse::<JobState>())
}
