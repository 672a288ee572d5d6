//! The GUI's side: sends lines at any time and waits for answers.

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chess::{Line, UciMove};
use engine::{
    Analyst, AnalystError, Bound, Engine, OpeningBook, Options, Question, Report, Score, Stop,
    Verdict,
};
use uci::{Parameter, Searcher, Session, Settings};

/// Longer than any answer takes on a busy machine; only a session that hangs gets here.
const PATIENCE: Duration = Duration::from_mins(1);

/// A GUI with a session in another thread.
pub struct Gui {
    input: Sender<Vec<u8>>,
    heard: Receiver<String>,
    session: JoinHandle<io::Result<()>>,
}

impl Gui {
    /// Talks to our engine.
    pub fn with_engine() -> Self {
        Self::new(|output| Session::new(Engine::default, Settings::default(), output))
    }

    /// Talks to an actor.
    pub fn with_actor(act: Act) -> Self {
        Self::new(move |output| {
            let make = move || Actor::new(act, 7);
            Session::new(make, Settings::default(), output)
        })
    }

    /// Talks to a session that is made in its thread.
    pub fn new<S: Searcher>(make: impl FnOnce(Lines) -> Session<S> + Send + 'static) -> Self {
        let (input, commands) = mpsc::channel();
        let (answers, heard) = mpsc::channel();
        let session = thread::spawn(move || {
            let input = BufReader::new(Pipe { commands, chunk: Vec::new() });
            make(Lines { answers, line: Vec::new() }).run(input)
        });
        Self { input, heard, session }
    }

    pub fn send(&self, line: &str) {
        self.send_bytes(format!("{line}\n").into_bytes());
    }

    pub fn send_bytes(&self, bytes: Vec<u8>) {
        // A session that has ended doesn't listen.
        let _ = self.input.send(bytes);
    }

    /// Every line up to and including the first that starts with a text.
    pub fn wait_for(&self, start: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no `{start}`, {error}, but {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Sends a line and waits for the answer that starts with a text.
    pub fn ask(&self, line: &str, start: &str) -> String {
        self.send(line);
        self.wait_for(start).pop().expect("the line that was waited for")
    }

    /// The output within a time.
    pub fn listen(&self, time: Duration) -> Vec<String> {
        thread::sleep(time);
        self.heard.try_iter().collect()
    }

    /// Ends the input and returns the remaining output. The session must end without an error.
    pub fn hang_up(self) -> Vec<String> {
        drop(self.input);
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            match self.heard.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the session hangs after {lines:#?}"),
            }
        }
        self.session.join().expect("a session doesn't panic").expect("the streams are sound");
        lines
    }
}

/// The session's input.
struct Pipe {
    commands: Receiver<Vec<u8>>,
    chunk: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.commands.recv() {
                Ok(chunk) => self.chunk = chunk,
                Err(_) => return Ok(0),
            }
        }
        let length = self.chunk.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.chunk[..length]);
        self.chunk.drain(..length);
        Ok(length)
    }
}

/// The session's output, split into lines.
pub struct Lines {
    answers: Sender<String>,
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).expect("text");
                // A test that has failed doesn't listen.
                let _ = self.answers.send(line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        assert!(self.line.is_empty(), "a line is flushed before its end");
        Ok(())
    }
}

type Act = fn(&Question, &Stop, &mut dyn FnMut(Report)) -> Result<Verdict, AnalystError>;

/// A searcher that does what a test wants.
pub struct Actor {
    pub act: Act,
    pub number: i64,
    pub options: Options,
}

impl Actor {
    pub fn new(act: Act, number: i64) -> Self {
        Self { act, number, options: Options::default() }
    }
}

impl Analyst for Actor {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        (self.act)(question, stop, report)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        Ok(())
    }
}

impl Searcher for Actor {
    /// Fails to allocate more than a gibibyte of hash.
    fn set_options(&mut self, options: &Options) -> Vec<String> {
        let hash = if options.hash > 1024 { self.options.hash } else { options.hash };
        self.options = Options { hash, ..options.clone() };
        match &options.book {
            OpeningBook::File(path) => vec![format!("{} is unreadable", path.display())],
            OpeningBook::None | OpeningBook::Own => Vec::new(),
        }
    }

    fn options(&self) -> &Options {
        &self.options
    }

    fn clear_hash(&mut self) {}

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter { name: "Number".to_owned(), default: self.number, range: -5..=10 }]
    }

    fn set_parameter(&mut self, name: &str, value: i64) {
        assert_eq!(name, "Number");
        self.number = value;
    }
}

/// Plays the first allowed move at once.
pub fn hasty(
    question: &Question,
    _: &Stop,
    report: &mut dyn FnMut(Report),
) -> Result<Verdict, AnalystError> {
    let legal = question.position().legal_moves();
    let best = *question.search_moves.first().or(legal.first()).ok_or(AnalystError::NoLegalMove)?;
    report(Report {
        depth: 1,
        selective_depth: 1,
        multi_pv: 1,
        score: Score::Cp(1),
        bound: Bound::Exact,
        wdl: Score::Cp(1).wdl(question.position()),
        nodes: 1,
        time: Duration::from_millis(1),
        hash_full: 0,
        tablebase_hits: 0,
        pv: vec![best],
    });
    Ok(Verdict { best, ponder: None, lines: Vec::new(), time: Duration::from_millis(1) })
}

/// Plays like `hasty`, but only when it is stopped.
pub fn patient(
    question: &Question,
    stop: &Stop,
    report: &mut dyn FnMut(Report),
) -> Result<Verdict, AnalystError> {
    while !stop.is_stopped() {
        thread::sleep(Duration::from_millis(1));
    }
    hasty(question, stop, report)
}

/// Fails after its first report.
pub fn clumsy(
    question: &Question,
    stop: &Stop,
    report: &mut dyn FnMut(Report),
) -> Result<Verdict, AnalystError> {
    hasty(question, stop, report)?;
    panic!("a piece fell from the board");
}

/// Checks that an `info` line has its keywords in order and a legal PV.
pub fn check_info(line: &str, game: &Line) {
    let mut words = line.split(' ').peekable();
    assert_eq!(words.next(), Some("info"), "{line}");
    for name in ["depth", "seldepth", "multipv"] {
        number(&mut words, name, line);
    }
    assert_eq!(words.next(), Some("score"), "{line}");
    let kind = words.peek().copied().expect(line);
    assert!(["cp", "mate"].contains(&kind), "{line}");
    number(&mut words, kind, line);
    words.next_if(|word| ["lowerbound", "upperbound"].contains(word));
    if words.next_if_eq(&"wdl").is_some() {
        let sum: u32 = (0..3).map(|_| words.next().expect(line).parse::<u32>().expect(line)).sum();
        assert_eq!(sum, 1000, "{line}");
    }
    for name in ["nodes", "nps", "hashfull", "tbhits", "time"] {
        number(&mut words, name, line);
    }
    assert_eq!(words.next(), Some("pv"), "{line}");
    let mut game = game.clone();
    for word in words {
        let m = word.parse::<UciMove>().expect(line).to_move(game.position()).expect(line);
        game.play(m).expect(line);
    }
}

fn number<'a>(words: &mut impl Iterator<Item = &'a str>, name: &str, line: &str) {
    assert_eq!(words.next(), Some(name), "{line}");
    let value = words.next().and_then(|word| word.parse::<i64>().ok());
    assert!(value.is_some_and(|value| ["cp", "mate"].contains(&name) || value >= 0), "{line}");
}

/// Checks that a `bestmove` line has a legal move, and a legal ponder move if there is one.
pub fn check_best_move(line: &str, game: &Line) {
    let words: Vec<&str> = line.split(' ').collect();
    let moves: &[&str] = match words.as_slice() {
        ["bestmove", best] => &[best],
        ["bestmove", best, "ponder", answer] => &[best, answer],
        _ => panic!("{line}"),
    };
    let mut game = game.clone();
    for text in moves {
        let m = text.parse::<UciMove>().expect(line).to_move(game.position()).expect(line);
        game.play(m).expect(line);
    }
}
