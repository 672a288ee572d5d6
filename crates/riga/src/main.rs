//! The `riga` binary: reads the command line and hands over to a command.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod fen;
mod perft;
mod perft_suite;
mod pgn;
mod show;

/// Chess in one binary.
#[derive(Parser)]
#[command(name = "riga", version, propagate_version = true)]
#[command(after_help = "Exit codes: 0 done, 1 the input is wrong or damaged, 2 wrong usage.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Perft(perft::Perft),
    Fen(fen::Fen),
    Pgn(pgn::Pgn),
    /// Print a completion script for a shell
    ///
    /// For bash: riga completions bash > ~/.local/share/bash-completion/completions/riga
    Completions {
        /// The shell that the script is for
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => Cli::command().print_help().map(|()| ExitCode::SUCCESS).map_err(Into::into),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Fen(fen)) => fen.run(),
        Some(Command::Pgn(pgn)) => pgn.run(),
        Some(Command::Completions { shell }) => {
            clap_complete::generate(shell, &mut Cli::command(), "riga", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    };
    done.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            // `riga ... | head` has seen enough.
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
