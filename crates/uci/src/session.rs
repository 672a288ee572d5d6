//! The engine's side of UCI.

use std::io::{self, BufRead, Write};

use chess::{Line, Position};
use engine::eval::explain;

use crate::lines::{Reading, read_line};
use crate::options::{Button, OPTIONS, OptionError, UciOption, number_in};
use crate::output::Output;
use crate::parse::excerpt;
use crate::search::{Hold, Request, RunningSearch};
use crate::{Command, Go, Moves, ParseCommandError, Searcher, Settings, perft};

/// A session with a GUI. Lines are read in the caller's thread and a search runs in another, so
/// that commands are answered at any time.
///
/// Each `go` gets exactly one `bestmove`, whatever happens: a stop, the end of the input, or a
/// failure of the searcher, which is then replaced. A `go` during a search is refused; `setoption`
/// and `ucinewgame` end the search first.
pub struct Session<S> {
    make: Box<dyn Fn() -> S>,
    /// `None` before the first use and during a search.
    searcher: Option<S>,
    search: Option<RunningSearch<S>>,
    /// The settings at the start.
    defaults: Settings,
    settings: Settings,
    line: Line,
    debug: bool,
    tuning: bool,
    output: Output,
}

impl<S: Searcher> Session<S> {
    /// A session for a searcher. `make` is called before the first use, and again when a searcher
    /// has failed.
    pub fn new(
        make: impl Fn() -> S + 'static,
        settings: Settings,
        output: impl Write + Send + 'static,
    ) -> Self {
        Self {
            make: Box::new(make),
            searcher: None,
            search: None,
            defaults: settings.clone(),
            settings,
            line: Line::default(),
            debug: false,
            tuning: false,
            output: Output::new(output),
        }
    }

    /// Whether the search parameters are options, too.
    #[must_use]
    pub fn tuning(self, tuning: bool) -> Self {
        Self { tuning, ..self }
    }

    /// Reads and runs commands until `quit` or the end of the input. Only an I/O error is an error.
    pub fn run(mut self, mut input: impl BufRead) -> io::Result<()> {
        let read = loop {
            if self.output.is_broken() {
                break Ok(());
            }
            match read_line(&mut input) {
                Ok(Reading::End) => break Ok(()),
                Ok(Reading::TooLong) => self.output.error("the line is too long"),
                Ok(Reading::Line(line)) => match line.parse() {
                    Ok(Command::Quit) => break Ok(()),
                    Ok(command) => self.obey(command),
                    Err(ParseCommandError::Blank) => {}
                    Err(error) => self.output.error(error),
                },
                Err(error) => break Err(error),
            }
        };
        self.end_search();
        read.and(self.output.take_error())
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.ready(),
            Command::SetOption { name, value } => {
                if let Err(error) = self.set_option(&name, value.as_deref()) {
                    self.output.error(error);
                }
            }
            Command::NewGame => {
                if let Err(error) = self.interrupt().new_game() {
                    self.output.error(error);
                }
            }
            Command::Position(moves) => self.set_position(&moves),
            Command::Go(go) => self.go(&go),
            Command::Perft(depth) => self.perft(depth),
            Command::Stop => {
                if let Some(search) = &self.search {
                    search.stop();
                }
            }
            Command::PonderHit => {
                if let Some(search) = &self.search {
                    search.ponder_hit();
                }
            }
            Command::Diagram => self.output.line(show(self.line.position())),
            Command::Eval => self.output.line(explain(self.line.position()).to_string().trim_end()),
            Command::Bench(depth) => self.bench(depth),
            // No registration is needed, and `quit` has ended the loop before.
            Command::Register | Command::Quit => {}
        }
    }

    fn introduce(&mut self) {
        let mut text = format!("id name Riga {}\n", env!("CARGO_PKG_VERSION"));
        text.push_str("id author the Riga authors\n");
        for option in &OPTIONS {
            text.push_str(&option.declaration(&self.defaults));
            text.push('\n');
        }
        // The searcher is in use during a search, and tuners don't set parameters then.
        if self.tuning && !self.is_searching() {
            for parameter in self.interrupt().parameters() {
                text.push_str(&parameter.declaration());
                text.push('\n');
            }
        }
        self.output.line(text + "uciok");
    }

    /// During a search the answer is immediate; otherwise all settings are applied first.
    fn ready(&mut self) {
        if self.search.is_none() {
            self.interrupt();
        }
        self.output.line("readyok");
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let Some(option) = UciOption::find(name) else {
            return self.set_parameter(name, value);
        };
        let mut settings = self.settings.clone();
        option.set(&mut settings, option.name, value)?;
        self.interrupt();
        let changed = settings.options() != self.settings.options();
        self.settings = settings;
        if let Some(Button::ClearHash) = option.button() {
            self.interrupt().clear_hash();
        }
        if changed {
            let options = self.settings.options();
            for message in self.interrupt().set_options(&options) {
                self.output.error(message);
            }
            let in_force = self.interrupt().options().clone();
            self.settings.adopt(&in_force);
        }
        if self.debug {
            let value = option.value(&self.settings).unwrap_or_else(|| "done".to_owned());
            self.output.message(format_args!("{} is {value}", option.name));
        }
        Ok(())
    }

    fn set_parameter(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let unknown = || OptionError::Unknown(excerpt(name));
        if !self.tuning {
            return Err(unknown());
        }
        let parameters = self.interrupt().parameters();
        let parameter = parameters
            .into_iter()
            .find(|parameter| parameter.name.eq_ignore_ascii_case(name))
            .ok_or_else(unknown)?;
        let number = number_in(&parameter.range, &parameter.name, value)?;
        self.interrupt().set_parameter(&parameter.name, number);
        Ok(())
    }

    fn set_position(&mut self, moves: &Moves) {
        match moves.to_line() {
            Ok(line) => self.line = line,
            Err(error) => self.output.error(error),
        }
    }

    fn go(&mut self, go: &Go) {
        let Some(searcher) = self.take_searcher() else { return };
        for fault in &go.faults {
            self.output.error(fault);
        }
        let (moves, illegal) = go.to_moves(self.line.position());
        for text in illegal {
            self.output.error(format_args!("`searchmoves` {text} is not legal here"));
        }
        let request = Request {
            question: self.settings.question(self.line.clone(), go.to_limits(), moves),
            mode: self.settings.castling_mode(&self.line),
            show_wdl: self.settings.show_wdl,
        };
        let hold = match (go.infinite, go.ponder) {
            (true, _) => Hold::UntilStop,
            (false, true) => Hold::UntilPonderHit,
            (false, false) => Hold::Never,
        };
        self.search = RunningSearch::start(searcher, request, hold, &self.output);
    }

    fn perft(&mut self, depth: u32) {
        let Some(searcher) = self.take_searcher() else { return };
        let position = self.line.position().clone();
        let mode = self.settings.castling_mode(&self.line);
        self.search = RunningSearch::start_task(searcher, &self.output, move |_, stop| {
            perft::divide(&position, depth, mode, stop)
                .unwrap_or_else(|| "info string perft was stopped".to_owned())
        });
    }

    fn bench(&mut self, depth: Option<u32>) {
        let Some(searcher) = self.take_searcher() else { return };
        let output = self.output.clone();
        self.search = RunningSearch::start_task(searcher, &self.output, move |searcher, stop| {
            let mut each = |fen: &str, nodes: u64| output.line(format_args!("{nodes:>12} {fen}"));
            match searcher.bench(depth, stop, &mut each) {
                Some(_) if stop.is_stopped() => "info string bench was stopped".to_owned(),
                Some(bench) => format!("{} nodes {} nps", bench.nodes, bench.speed()),
                None => "info string error: nothing to bench".to_owned(),
            }
        });
    }

    fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(RunningSearch::is_running)
    }

    /// The searcher, for a search; `None` during another one. A search that was stopped is waited
    /// for, since a GUI may not wait for an answer it doesn't need.
    fn take_searcher(&mut self) -> Option<S> {
        if self.is_searching() {
            self.output.error("a search is running; stop it first");
            return None;
        }
        self.interrupt();
        self.searcher.take()
    }

    fn end_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
            self.searcher = search.join();
        }
    }

    /// Ends the search, if there is one, and returns the searcher, which is created if there is
    /// none.
    fn interrupt(&mut self) -> &mut S {
        self.end_search();
        self.searcher.get_or_insert_with(|| {
            let mut searcher = (self.make)();
            for message in searcher.set_options(&self.settings.options()) {
                self.output.error(message);
            }
            searcher
        })
    }
}

/// The position as text.
fn show(position: &Position) -> String {
    format!("{}\nFEN: {position}\nKey: {:016x}", position.diagram(), position.key())
}
