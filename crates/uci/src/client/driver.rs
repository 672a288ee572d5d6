//! The conversation with an engine: handshake, options, searches.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use chess::Position;
use engine::{Analyst, AnalystError, Question, Report, Stop, Thinking, Verdict};

use super::process::{NoLine, Process};
use super::request::{LONGEST_COMMAND, go_command, position_command};
use super::{Answer, ClientError, DeclaredKind, DeclaredOption, EngineCommand, Info};
use crate::Command;

/// Timeouts for an engine's answers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the start to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`; a large hash table takes time to allocate.
    pub ready: Duration,
    /// From the end of its thinking time until we send `stop`.
    pub grace: Duration,
    /// From `stop` to `bestmove`.
    pub stop: Duration,
    /// How long a search without a time limit may take before it is stopped.
    pub untimed: Option<Duration>,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_mins(1),
            grace: Duration::from_secs(1),
            stop: Duration::from_secs(5),
            untimed: None,
        }
    }
}

/// How often a search polls for a stop. `Stop` can't wake us up.
const STOP_CHECK: Duration = Duration::from_millis(20);

/// A foreign UCI engine.
///
/// A program that has crashed, or was abandoned because it didn't answer, is gone: every call fails
/// until [`restart`](Self::restart) or [`new_game`](Analyst::new_game).
///
/// As an [`Analyst`] it does what its options allow; whatever a [`Question`] leaves at its default
/// keeps the engine's own settings:
/// - Several lines need `MultiPV`; without it there is one.
/// - A strength needs `UCI_LimitStrength` and a `UCI_Elo` whose range contains the rating;
///   otherwise it is an error.
/// - A book is used if there is `OwnBook`; tablebases are switched off if there is
///   `SyzygyProbeLimit`.
/// - Chess960 needs `UCI_Chess960`; otherwise it is an error. So is pondering.
/// - A seed has no effect.
#[derive(Debug)]
pub struct Client {
    command: EngineCommand,
    patience: Patience,
    process: Option<Process>,
    name: String,
    author: String,
    options: Vec<DeclaredOption>,
    /// Options to set again after a restart.
    settings: Vec<(String, String)>,
    /// Options that the last question has set to other values.
    pub(super) adapted: BTreeMap<String, String>,
}

impl Client {
    /// Starts an engine and waits for its `uciok`.
    pub fn start(command: EngineCommand, patience: Patience) -> Result<Self, ClientError> {
        let name = command.program.file_name().unwrap_or(command.program.as_os_str());
        let mut client = Self {
            name: name.to_string_lossy().into_owned(),
            author: String::new(),
            command,
            patience,
            process: None,
            options: Vec::new(),
            settings: Vec::new(),
            adapted: BTreeMap::new(),
        };
        client.shake_hands()?;
        Ok(client)
    }

    /// Restarts the program, after a crash or at any time, with the same options.
    pub fn restart(&mut self) -> Result<(), ClientError> {
        self.process = None;
        self.adapted.clear();
        self.shake_hands()?;
        self.settings.clone().iter().try_for_each(|(name, value)| self.set_option(name, value))
    }

    /// Whether the program is running, as far as we know.
    pub const fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// The engine's name, from `id name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's author, from `id author`.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The options it declares.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.options
    }

    /// Finds an option by name, ignoring case.
    pub fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option that the engine has declared. A button takes the empty value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let Some(option) = self.option(name) else {
            let known: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
            return Err(ClientError::UnknownOption {
                engine: self.name.clone(),
                name: name.to_owned(),
                known: known.join(", "),
            });
        };
        let (name, is_button) = (option.name.clone(), option.kind == DeclaredKind::Button);
        self.tell_option(&name, value)?;
        if !is_button {
            self.adapted.remove(&name);
            self.settings.retain(|(known, _)| *known != name);
            self.settings.push((name, value.to_owned()));
        }
        Ok(())
    }

    /// The value set by [`set_option`](Self::set_option), if any.
    pub(super) fn configured(&self, name: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sends the value of an option that the engine has declared.
    pub(super) fn tell_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        let option = self.option(name).expect("the caller has checked that it exists");
        if !option.accepts(value) || value.len() > LONGEST_COMMAND {
            return Err(ClientError::BadValue {
                engine: self.name.clone(),
                name: option.name.clone(),
                value: value.to_owned(),
                allowed: option.kind.to_string(),
            });
        }
        let text = if value.is_empty() { "<empty>" } else { value };
        let value = (option.kind != DeclaredKind::Button).then(|| text.to_owned());
        let command = Command::SetOption { name: name.to_owned(), value };
        self.write(&format!("{command}\n"))
    }

    /// Waits until the engine has processed all commands (`isready`).
    pub fn ready(&mut self) -> Result<(), ClientError> {
        self.write("isready\n")?;
        self.await_ready()
    }

    fn think(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, ClientError> {
        if !question.position().has_legal_move() {
            return Err(ClientError::NoLegalMove);
        }
        self.adapt(question)?;
        let mode = question.line.start().castling_mode();
        // The engine sets up its board before its clock starts.
        let mut text = position_command(&question.line, mode);
        text.push_str("isready\n");
        self.write(&text)?;
        self.await_ready()?;
        self.write(&go_command(question, mode))?;
        self.listen(question, stop, report)
    }

    fn shake_hands(&mut self) -> Result<(), ClientError> {
        let process = Process::start(&self.command)
            .map_err(|source| ClientError::Start { command: self.command.to_string(), source })?;
        self.process = Some(process);
        self.options.clear();
        self.write("uci\n")?;
        let until = Instant::now() + self.patience.start;
        loop {
            match self.read(until, "uciok", self.patience.start)? {
                Answer::Name(name) => self.name = name,
                Answer::Author(author) => self.author = author,
                Answer::Option(option) => self.options.push(option),
                Answer::UciOk => return Ok(()),
                _ => {}
            }
        }
    }

    fn await_ready(&mut self) -> Result<(), ClientError> {
        let until = Instant::now() + self.patience.ready;
        // Earlier lines belong to the last search.
        while self.read(until, "readyok", self.patience.ready)? != Answer::ReadyOk {}
        Ok(())
    }

    /// Reads a search's output to its end.
    fn listen(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, ClientError> {
        let start = Instant::now();
        let position = question.position();
        let time = match question.limits.thinking {
            Thinking::Unlimited => self.patience.untimed,
            Thinking::MoveTime(time) => Some(time + self.patience.grace),
            Thinking::Clock(clocks) => {
                Some(clocks.remaining(position.turn()) + self.patience.grace)
            }
        };
        let mut deadline = time.and_then(|time| start.checked_add(time));
        let mut stopped = false;
        let mut lines: Vec<Report> = Vec::new();
        loop {
            if !stopped && (stop.is_stopped() || deadline.is_some_and(|end| end <= Instant::now()))
            {
                self.write("stop\n")?;
                stopped = true;
                deadline = Some(Instant::now() + self.patience.stop);
            }
            // An engine that floods us with output counts as silent.
            if stopped && deadline.is_some_and(|end| end <= Instant::now()) {
                return Err(self.silent("bestmove", start.elapsed()));
            }
            let next_check = (!stopped).then(|| Instant::now() + STOP_CHECK);
            let until = deadline.into_iter().chain(next_check).min();
            let process = self.process.as_ref().ok_or_else(|| self.not_running())?;
            match process.read(until) {
                Ok(said) => match Answer::parse(&said.text) {
                    Answer::Info(info) => note(&info, position, &mut lines, report),
                    Answer::BestMove { best, ponder } => {
                        let time = said.at.saturating_duration_since(start);
                        let legal =
                            best.parse().ok().and_then(|m: chess::UciMove| m.to_move(position));
                        let Some(best) = legal else {
                            return Err(ClientError::IllegalMove {
                                engine: self.name.clone(),
                                text: best,
                                fen: position.to_string(),
                            });
                        };
                        let ponder = ponder.and_then(|m| m.to_move(&position.after(best)));
                        return Ok(Verdict { best, ponder, lines, time });
                    }
                    _ => {}
                },
                Err(NoLine::Ended) => return Err(self.crashed()),
                Err(NoLine::TimedOut) => {}
            }
        }
    }

    fn write(&mut self, text: &str) -> Result<(), ClientError> {
        let Some(process) = &mut self.process else { return Err(self.not_running()) };
        process.write(text).map_err(|_| self.crashed())
    }

    fn read(
        &mut self,
        until: Instant,
        awaited: &'static str,
        after: Duration,
    ) -> Result<Answer, ClientError> {
        let Some(process) = &self.process else { return Err(self.not_running()) };
        match process.read(Some(until)) {
            // An engine that never stops writing other lines counts as silent.
            Ok(_) if until <= Instant::now() => Err(self.silent(awaited, after)),
            Ok(line) => Ok(Answer::parse(&line.text)),
            Err(NoLine::TimedOut) => Err(self.silent(awaited, after)),
            Err(NoLine::Ended) => Err(self.crashed()),
        }
    }

    fn not_running(&self) -> ClientError {
        ClientError::NotRunning { engine: self.name.clone() }
    }

    /// Kills an engine that doesn't answer.
    fn silent(&mut self, awaited: &'static str, after: Duration) -> ClientError {
        self.process = None;
        ClientError::Silent { engine: self.name.clone(), awaited, after }
    }

    fn crashed(&mut self) -> ClientError {
        let engine = self.name.clone();
        match self.process.take() {
            Some(process) => {
                let (status, last_words) = process.post_mortem();
                ClientError::Crashed { engine, status, last_words }
            }
            None => ClientError::NotRunning { engine },
        }
    }
}

impl Analyst for Client {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        Ok(self.think(question, stop, report)?)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        let announce = |client: &mut Self| {
            client.write("ucinewgame\nisready\n").and_then(|()| client.await_ready())
        };
        // It may have died between games.
        if !self.is_running() || announce(self).is_err() {
            self.restart()?;
            announce(self)?;
        }
        Ok(())
    }
}

/// Forwards a report and keeps the latest one of each line.
fn note(info: &Info, position: &Position, lines: &mut Vec<Report>, report: &mut dyn FnMut(Report)) {
    let Some(opinion) = info.to_report(position) else { return };
    report(opinion.clone());
    match lines.binary_search_by_key(&opinion.multi_pv, |known| known.multi_pv) {
        Ok(place) => lines[place] = opinion,
        Err(place) => lines.insert(place, opinion),
    }
}
