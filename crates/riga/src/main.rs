//! The `riga` binary: parses the command line and runs a command.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod arguments;
mod backup;
mod bench;
mod book;
mod book_build;
mod config;
mod database;
mod eval;
mod fen;
mod jobs;
mod lab;
mod library;
mod match_;
mod match_table;
mod perft;
mod perft_suite;
mod pgn;
mod review;
mod serve;
mod show;
mod suite;
mod tb;
mod token;
mod transfer;
mod uci;
mod worker;

/// Chess in one binary. Without a command it opens the board in the browser.
#[derive(Parser)]
#[command(name = "riga", version, propagate_version = true)]
#[command(after_help = "Exit codes: 0 success, 1 invalid or damaged input, 2 usage error.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Import(transfer::Import),
    Export(transfer::Export),
    Backup(backup::Backup),
    Restore(backup::Restore),
    /// Print the server's `OpenAPI` 3.1 document
    Openapi,
    Uci(uci::Uci),
    Eval(eval::Eval),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Fen(fen::Fen),
    Pgn(pgn::Pgn),
    Review(Box<review::Review>),
    Worker(worker::Worker),
    Jobs(jobs::Jobs),
    Suite(suite::Suite),
    Book(book::Book),
    Tb(tb::Tb),
    Match(Box<match_::Match>),
    Lab(lab::Lab),
    Library(Box<library::Library>),
    /// Print a shell completion script
    ///
    /// For bash: riga completions bash > ~/.local/share/bash-completion/completions/riga
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => serve::Serve::board().run(),
        Some(Command::Serve(serve)) => serve.run(),
        Some(Command::Import(import)) => import.run(),
        Some(Command::Export(export)) => export.run(),
        Some(Command::Backup(backup)) => backup.run(),
        Some(Command::Restore(restore)) => restore.run(),
        Some(Command::Openapi) => print_openapi(),
        Some(Command::Uci(uci)) => uci.run(),
        Some(Command::Eval(eval)) => eval.run(),
        Some(Command::Bench(bench)) => bench.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Fen(fen)) => fen.run(),
        Some(Command::Pgn(pgn)) => pgn.run(),
        Some(Command::Review(review)) => review.run(),
        Some(Command::Worker(worker)) => worker.run(),
        Some(Command::Jobs(jobs)) => jobs.run(),
        Some(Command::Suite(suite)) => suite.run(),
        Some(Command::Book(book)) => book.run(),
        Some(Command::Tb(tb)) => tb.run(),
        Some(Command::Match(match_)) => match_.run(),
        Some(Command::Lab(lab)) => lab.run(),
        Some(Command::Library(library)) => library.run(),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "riga", &mut script);
            std::io::stdout().write_all(&script).map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
    };
    done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            // The reader of a pipe has closed it, as in `riga ... | head`.
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn print_openapi() -> anyhow::Result<ExitCode> {
    let document = serde_json::to_string_pretty(&server::openapi())?;
    writeln!(std::io::stdout(), "{document}")?;
    Ok(ExitCode::SUCCESS)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
