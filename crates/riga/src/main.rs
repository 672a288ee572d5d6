//! The `riga` binary: parses the command line and runs a command.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod analyse;
mod arguments;
#[cfg(feature = "server")]
mod backup;
mod bench;
mod book;
mod book_build;
mod config;
#[cfg(feature = "server")]
mod database;
mod eval;
mod fen;
#[cfg(feature = "server")]
mod http;
mod interrupt;
#[cfg(feature = "server")]
mod jobs;
mod lab;
mod library;
mod man;
mod match_;
mod match_table;
mod perft;
mod perft_suite;
mod pgn;
mod places;
mod play;
mod review;
#[cfg(feature = "server")]
mod serve;
#[cfg(feature = "server")]
mod served;
mod setup;
mod show;
mod suite;
mod tb;
#[cfg(feature = "server")]
mod token;
#[cfg(feature = "server")]
mod transfer;
mod uci;
#[cfg(feature = "server")]
mod worker;

/// What the program is.
#[cfg(feature = "server")]
const ABOUT: &str = "Chess in one binary. Without a command it opens the board in the browser.";

/// What the program is.
#[cfg(not(feature = "server"))]
const ABOUT: &str = "Chess in one binary. Without a command it opens the board in the terminal.";

/// What follows the list of commands.
#[cfg(feature = "server")]
const AFTER_HELP: &str = "Exit codes: 0 success, 1 invalid or damaged input, 2 usage error.";

/// What follows the list of commands.
#[cfg(not(feature = "server"))]
const AFTER_HELP: &str = "Exit codes: 0 success, 1 invalid or damaged input, 2 usage error.

This build has no server and no database. The commands serve, import, export, backup, restore, openapi,
worker and jobs are missing; play keeps no games, and has no --server and no --continue.";

#[derive(Parser)]
#[command(name = "riga", version, long_version = long_version(), propagate_version = true)]
#[command(about = ABOUT, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<play::Play>),
    #[cfg(feature = "server")]
    #[command(flatten)]
    Served(served::Served),
    Uci(uci::Uci),
    Analyse(analyse::Analyse),
    Eval(eval::Eval),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Fen(fen::Fen),
    Pgn(pgn::Pgn),
    Review(Box<review::Review>),
    Suite(suite::Suite),
    Book(book::Book),
    Tb(tb::Tb),
    Match(Box<match_::Match>),
    Lab(lab::Lab),
    Library(Box<library::Library>),
    Config(config::Config),
    Setup(setup::Setup),
    /// Print the manual pages, or write one for each command into a folder
    Man {
        /// Folder for the pages
        #[arg(long, value_name = "FOLDER")]
        out: Option<std::path::PathBuf>,
    },
    /// Print a shell completion script
    ///
    /// For bash: riga completions bash > ~/.local/share/bash-completion/completions/riga
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

fn main() -> ExitCode {
    let arguments = match config::arguments(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => return failed(&error),
    };
    let done = match parse(arguments).command {
        None => open_board(),
        Some(Command::Play(play)) => play.run(),
        #[cfg(feature = "server")]
        Some(Command::Served(served)) => served.run(),
        Some(Command::Uci(uci)) => uci.run(),
        Some(Command::Analyse(analyse)) => analyse.run(),
        Some(Command::Eval(eval)) => eval.run(),
        Some(Command::Bench(bench)) => bench.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Fen(fen)) => fen.run(),
        Some(Command::Pgn(pgn)) => pgn.run(),
        Some(Command::Review(review)) => review.run(),
        Some(Command::Suite(suite)) => suite.run(),
        Some(Command::Book(book)) => book.run(),
        Some(Command::Tb(tb)) => tb.run(),
        Some(Command::Match(match_)) => match_.run(),
        Some(Command::Lab(lab)) => lab.run(),
        Some(Command::Library(library)) => library.run(),
        Some(Command::Config(config)) => config.run(),
        Some(Command::Setup(setup)) => setup.run(),
        Some(Command::Man { out }) => man::write(out.as_deref()),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "riga", &mut script);
            std::io::stdout().write_all(&script).map(|()| ExitCode::SUCCESS).map_err(Into::into)
        }
    };
    done.unwrap_or_else(|error| failed(&error))
}

fn failed(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // The reader of a pipe has closed it, as in `riga ... | head`.
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {}", game::printable(&told(error)));
    let is_usage = error.chain().any(<dyn std::error::Error>::is::<arguments::Usage>);
    if is_usage { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// An error and its causes. Some errors already tell theirs.
fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Reads the command line. Help, versions and mistakes are printed, and end the process.
fn parse(arguments: Vec<OsString>) -> Cli {
    // What was typed is repeated, and may come from a script that has it from others.
    let is_safe =
        |word: &OsString| matches!(game::printable(&word.to_string_lossy()), Cow::Borrowed(_));
    let is_safe = arguments.iter().all(is_safe);
    Cli::try_parse_from(arguments).unwrap_or_else(|error| {
        if is_safe || !error.use_stderr() {
            error.exit();
        }
        eprint!("{}", game::printable(&error.render().to_string()));
        std::process::exit(error.exit_code())
    })
}

/// Version, commit and network.
fn long_version() -> String {
    let (version, commit) = (env!("CARGO_PKG_VERSION"), env!("RIGA_COMMIT"));
    format!("{version} ({commit}), network {:08x}", engine::embedded_net_checksum())
}

/// The command line as it is declared.
pub(crate) fn command() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

/// What plain `riga` does: serves this machine, on the usual port or any free one, and opens the
/// board in the browser.
#[cfg(feature = "server")]
fn open_board() -> anyhow::Result<ExitCode> {
    match configured(&["riga", "serve", "--open"])? {
        Some(Command::Served(served::Served::Serve(serve))) => serve.on_a_free_port().run(),
        _ => unreachable!("the command is given above"),
    }
}

/// What plain `riga` does in a build without a server: opens the board in the terminal.
#[cfg(not(feature = "server"))]
fn open_board() -> anyhow::Result<ExitCode> {
    match configured(&["riga", "play"])? {
        Some(Command::Play(play)) => play.run(),
        _ => unreachable!("the command is given above"),
    }
}

/// A command with the flags of the configuration.
fn configured(words: &[&str]) -> anyhow::Result<Option<Command>> {
    let words = words.iter().map(OsString::from).collect();
    Ok(parse(config::arguments(words)?).command)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_cause_is_told_once() {
        let missing = std::io::Error::from(std::io::ErrorKind::NotFound);
        let doubled = anyhow!("a.pgn: {missing}");
        let error = anyhow::Error::from(missing).context(doubled.to_string()).context("review");
        assert_eq!(told(&error), "review: a.pgn: entity not found");
        assert_eq!(told(&anyhow!("b").context("a")), "a: b");
    }
}
