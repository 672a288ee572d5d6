//! `riga play`: the board in the terminal.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result};
use chess::{Color, Position};
use clap::Args;
use engine::{Analyst, Engine};
use game::{Game, Level, TimeControl, Variant};
use tui::plain::Plain;
use tui::{Depth, Ended, Look, Makers, Opponent, Pairing, Preferences, Shell, Theme};
use uci::{Client, EngineCommand, Patience};

use crate::arguments::Usage;
#[cfg(feature = "server")]
use crate::arguments::misuse;
use crate::config::ConfigFile;

#[cfg(feature = "server")]
mod address;
#[cfg(feature = "server")]
mod keeper;
#[cfg(feature = "server")]
mod mirror;
#[cfg(feature = "server")]
mod remote;
#[cfg(feature = "server")]
mod way_out;

/// Play in the terminal
///
/// The board needs a terminal of 44x14 or more; 80x24 is better. Moves are typed (e4, Nf3, e2e4) or
/// made with the mouse; F1 shows all keys. Without a terminal, or with --plain, one line is read per
/// move.
#[derive(Args)]
#[command(after_help = "Examples:
  riga play
  riga play --level 3 --side black --time 300+3
  riga play --two Anna
  riga play --engine stockfish
  riga play game.pgn
  riga play --continue
  printf 'e4\\nNf3\\nquit\\n' | riga play --plain --level 1

With --plain the exit code is 1 if a line of a script could not be carried out. docs/terminal.md \
has more.")]
pub struct Play {
    /// PGN file whose game is shown
    file: Option<PathBuf>,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file",
        value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// Level of the engine, 1 to 10
    #[arg(long, value_name = "1-10", value_parser = level)]
    level: Option<Level>,
    /// Your side: white, black or random
    #[arg(long, value_name = "SIDE", value_parser = side)]
    side: Option<Side>,
    /// Time control in seconds, such as 300+3 or 40/7200:3600
    #[arg(long, value_name = "TIME", value_parser = time)]
    time: Option<TimeControl>,
    /// Start position
    #[arg(long, conflicts_with = "chess960", value_parser = position)]
    fen: Option<Position>,
    /// Chess960, from the start position with this number, or a random one
    #[arg(long, value_name = "0-959", num_args = 0..=1, value_parser = chess960,
        default_missing_value = "random")]
    chess960: Option<Array>,
    /// Another engine as the opponent: the command of a UCI engine
    #[arg(long, value_name = "COMMAND", conflicts_with = "level")]
    engine: Option<EngineCommand>,
    /// Two people at this terminal; the name of the other one
    #[arg(long, value_name = "NAME", conflicts_with_all = ["level", "engine"],
        num_args = 0..=1, default_missing_value = "Friend")]
    two: Option<String>,
    /// Your name
    #[arg(long)]
    name: Option<String>,
    /// Show the engine's lines from the beginning
    #[arg(long)]
    lines: bool,
    /// Read one move per line and print the board as text; the default if input or output is no
    /// terminal
    #[arg(long)]
    plain: bool,
    /// Letters instead of chess pieces; the default if the locale isn't UTF-8
    #[arg(long)]
    ascii: bool,
    /// Colors of the terminal: truecolor, 256, 16 or none [default: by `NO_COLOR`, `COLORTERM` and
    /// `TERM`]
    #[arg(long, value_name = "COLORS")]
    colors: Option<Depth>,
    /// Colors of the board: brown, green, blue or grey
    #[arg(long, default_value_t)]
    theme: Theme,
    #[cfg(feature = "server")]
    #[command(flatten)]
    storage: keeper::Storage,
    #[cfg(feature = "server")]
    #[command(flatten)]
    remote: address::Address,
    #[command(flatten)]
    config: ConfigFile,
}

/// The side that the player wants.
#[derive(Copy, Clone)]
enum Side {
    One(Color),
    Random,
}

/// The start position of a Chess960 game.
#[derive(Copy, Clone)]
enum Array {
    Number(u16),
    Random,
}

fn level(text: &str) -> Result<Level, String> {
    text.parse().ok().and_then(Level::new).ok_or_else(|| "levels are 1 to 10".to_owned())
}

fn side(text: &str) -> Result<Side, String> {
    match text {
        "random" => Ok(Side::Random),
        text => text
            .parse()
            .map(Side::One)
            .map_err(|_| "allowed are white, black and random".to_owned()),
    }
}

fn time(text: &str) -> Result<TimeControl, String> {
    let control: TimeControl =
        text.parse().map_err(|error: game::ParseTimeControlError| error.to_string())?;
    let none = control.stages().iter().any(|stage| {
        let (game::Bonus::Increment(bonus) | game::Bonus::Delay(bonus)) = stage.bonus;
        stage.time.is_zero() && bonus.is_zero()
    });
    if none { Err("it gives no time".to_owned()) } else { Ok(control) }
}

fn position(text: &str) -> Result<Position, String> {
    let position: Position = text.parse().map_err(|error: chess::FenError| error.to_string())?;
    match position.outcome() {
        Some(outcome) => Err(format!("the game would already be over: {outcome}")),
        None => Ok(position),
    }
}

fn chess960(text: &str) -> Result<Array, String> {
    match text {
        "random" => Ok(Array::Random),
        text => match text.parse() {
            Ok(number) if number < 960 => Ok(Array::Number(number)),
            _ => Err("start positions are numbered 0 to 959".to_owned()),
        },
    }
}

/// The level of players who name none: a hobby player.
const USUAL_LEVEL: u8 = 4;

/// What a build without the server says before the first game.
const UNSTORED: &str = "This build doesn't store games: type save FILE to keep one";

/// The longest name of a player in characters.
const LONGEST_NAME: usize = 40;

impl Play {
    pub fn run(&self) -> Result<ExitCode> {
        let plain = self.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal();
        let prompt = io::stdin().is_terminal();
        let makers = self.makers()?;
        let preferences = self.preferences(plain)?;
        let shown = self.shown()?;
        // Printed at the end of this function, when everything is stored.
        #[cfg(feature = "server")]
        let way_out = way_out::WayOut::new(prompt);
        #[cfg(feature = "server")]
        let (keeper, resume) = self.storage.keeper(self.engine.as_ref(), way_out.sign())?;
        #[cfg(not(feature = "server"))]
        let (keeper, resume) = (None, None);
        // An invitation is taken when nothing else can go wrong.
        #[cfg(feature = "server")]
        let connection = match self.remote.target()? {
            Some(_) if plain => {
                return misuse("a game on a server needs a terminal; --plain can't show it");
            }
            Some(target) => Some(remote::connect(target, self.own_name()?, way_out.sign())?),
            None => None,
        };
        #[cfg(not(feature = "server"))]
        let connection = None;
        if plain {
            let plain = Plain { preferences, makers, keeper, shown, resume, prompt };
            let refused = tui::plain::play(plain, io::stdin().lock(), io::stdout().lock())?;
            return Ok(if refused == 0 || prompt { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        let shell = Shell { preferences, makers, keeper, connection, shown, resume };
        Ok(match tui::run(shell)? {
            Ended::Quit => ExitCode::SUCCESS,
            Ended::Signal(signal) => ExitCode::from(128 + signal as u8),
        })
    }

    /// The game of the file.
    fn shown(&self) -> Result<Option<Box<Game>>> {
        let Some(path) = &self.file else { return Ok(None) };
        let game = tui::load(path, self.number as usize).map_err(anyhow::Error::msg)?;
        Ok(Some(Box::new(game)))
    }

    fn preferences(&self, plain: bool) -> Result<Preferences> {
        let look = Look {
            depth: self.colors.unwrap_or_else(Depth::detect),
            theme: self.theme,
            ascii: self.ascii || !tui::has_unicode(),
        };
        let chosen = self.level.is_some()
            || self.side.is_some()
            || self.time.is_some()
            || self.fen.is_some()
            || self.chess960.is_some()
            || self.engine.is_some()
            || self.two.is_some()
            || self.file.is_some();
        let pairing = self.pairing()?;
        let note = cfg!(not(feature = "server")).then_some(UNSTORED);
        Ok(Preferences { look, pairing, ask: !chosen, analyse: self.lines, plain, note })
    }

    fn pairing(&self) -> Result<Pairing> {
        let level =
            self.level.or_else(|| Level::new(USUAL_LEVEL)).context("there are ten levels")?;
        let opponent = match (&self.engine, &self.two) {
            (Some(command), _) => Opponent::Program(program_name(command)),
            (None, Some(name)) => Opponent::Person(clean(name, "--two")?),
            (None, None) => Opponent::Level(level),
        };
        let chance = random();
        let (start, variant) = match (&self.fen, self.chess960) {
            (Some(position), _) => (position.clone(), Variant::of_start(position)),
            (None, Some(array)) => {
                let number = match array {
                    Array::Number(number) => number,
                    Array::Random => (chance % 960) as u16,
                };
                let position = Position::chess960(number).context("numbers are 0 to 959")?;
                (position, Variant::Chess960)
            }
            (None, None) => (Position::default(), Variant::Standard),
        };
        let color = match self.side {
            None => Color::White,
            Some(Side::One(color)) => color,
            Some(Side::Random) if (chance >> 32).is_multiple_of(2) => Color::White,
            Some(Side::Random) => Color::Black,
        };
        #[cfg(feature = "server")]
        let usual = self.storage.user().unwrap_or("Guest");
        #[cfg(not(feature = "server"))]
        let usual = "Guest";
        let name = self.own_name()?.unwrap_or_else(|| usual.to_owned());
        Ok(Pairing { name, color, opponent, control: self.time.clone(), start, variant })
    }

    /// The name that the player has given.
    fn own_name(&self) -> Result<Option<String>> {
        self.name.as_deref().map(|name| clean(name, "--name")).transpose()
    }

    fn makers(&self) -> Result<Makers> {
        let settings = self.config.settings()?;
        // Opponents always have a book, whatever UCI sessions use.
        let options = engine::Options { book: settings.book(), ..settings.options() };
        let own = move || Ok(Box::new(Engine::new(options.clone())) as Box<dyn Analyst>);
        let program = self.engine.clone().map(program).transpose()?;
        Ok(Makers { own: Arc::new(own), program })
    }
}

/// Starts another engine at once, so that a missing one is told before the game; and again whenever
/// it has failed.
fn program(command: EngineCommand) -> Result<tui::MakeAnalyst> {
    let first = Client::start(command.clone(), Patience::default())?;
    let first = Mutex::new(Some(first));
    let make = move || {
        let started = first.lock().ok().and_then(|mut first| first.take());
        let client = match started {
            Some(client) => Ok(client),
            None => Client::start(command.clone(), Patience::default()),
        };
        match client {
            Ok(client) => Ok(Box::new(client) as Box<dyn Analyst>),
            Err(error) => Err(error.to_string()),
        }
    };
    Ok(Arc::new(make))
}

/// A name that fits on a line.
fn clean(name: &str, option: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME {
        return Err(Usage(format!("{option}: a name has 1 to {LONGEST_NAME} characters")).into());
    }
    if name.chars().any(char::is_control) {
        return Err(Usage(format!("{option}: a name has no control characters")).into());
    }
    Ok(name.to_owned())
}

fn program_name(command: &EngineCommand) -> String {
    let name = command.program.file_stem().unwrap_or(command.program.as_os_str());
    game::printable_line(&name.to_string_lossy()).chars().take(LONGEST_NAME).collect()
}

/// An unpredictable number.
fn random() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_refused_for_its_length_or_its_characters() {
        assert_eq!(clean(" Misha ", "--name").expect("a name"), "Misha");
        for (name, why) in [
            (" ".to_owned(), "--name: a name has 1 to 40 characters"),
            ("x".repeat(LONGEST_NAME + 1), "--name: a name has 1 to 40 characters"),
            ("Mi\x1bsha".to_owned(), "--name: a name has no control characters"),
        ] {
            assert_eq!(clean(&name, "--name").expect_err(&name).to_string(), why);
        }
    }
}
