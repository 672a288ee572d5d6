//! Engines on threads of their own.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use engine::{Analyst, Question, Report, Stop};

use super::run::Message;
use crate::traffic::Incoming;

/// Makes an analyst, on the thread that uses it: loading a network takes longer than drawing the
/// board.
pub type MakeAnalyst = Arc<dyn Fn() -> Result<Box<dyn Analyst>, String> + Send + Sync>;

/// The engines of a board.
#[derive(Clone)]
pub struct Makers {
    /// Riga, as opponent and for analyses.
    pub own: MakeAnalyst,
    /// Another program, as opponent.
    pub program: Option<MakeAnalyst>,
}

/// How often lines are passed on.
const INTERVAL: Duration = Duration::from_millis(60);

/// An engine that answers one question after another.
pub(super) struct Thinker {
    jobs: Sender<Job>,
    /// Ends the current search.
    stop: Stop,
}

struct Job {
    ticket: u64,
    question: Question,
    stop: Stop,
}

impl Thinker {
    /// Starts the thread. The engine is made for the first question.
    pub fn spawn(name: &str, make: MakeAnalyst, out: Sender<Message>) -> io::Result<Self> {
        let (jobs, todo) = channel();
        engine::search_thread(name).spawn(move || {
            let alarm = Alarm(out.clone());
            answer_all(&todo, &make, &out);
            drop(alarm);
        })?;
        Ok(Self { jobs, stop: Stop::new() })
    }

    /// Asks a question, instead of the one before.
    pub fn ask(&mut self, ticket: u64, question: Question) {
        self.stop();
        self.stop = Stop::new();
        // If the thread is gone, its alarm has told so.
        let _ = self.jobs.send(Job { ticket, question, stop: self.stop.clone() });
    }

    /// Ends the current search; its answer is not wanted.
    pub fn stop(&self) {
        self.stop.stop();
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Tells when a thread panics.
pub(super) struct Alarm(pub Sender<Message>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(Message::Panicked);
        }
    }
}

fn answer_all(todo: &Receiver<Job>, make: &MakeAnalyst, out: &Sender<Message>) {
    let mut analyst: Option<Box<dyn Analyst>> = None;
    let mut failed = false;
    for Job { ticket, question, stop } in todo {
        if stop.is_stopped() {
            continue;
        }
        let answer = ready(&mut analyst, make, &question, failed).and_then(|analyst| {
            let mut lines: Vec<Report> = Vec::new();
            let mut told = Instant::now();
            let mut report = |report: Report| {
                // The others stay until their news comes.
                match lines.get_mut(report.multi_pv.saturating_sub(1)) {
                    Some(line) => *line = report,
                    None => lines.push(report),
                }
                if told.elapsed() >= INTERVAL {
                    told = Instant::now();
                    let incoming = Incoming::Lines { ticket, lines: lines.clone() };
                    let _ = out.send(Message::In(incoming));
                }
            };
            analyst.analyse(&question, &stop, &mut report).map_err(|error| error.to_string())
        });
        failed = answer.is_err();
        let incoming = Incoming::Decided { ticket, answer };
        if !stop.is_stopped() && out.send(Message::In(incoming)).is_err() {
            return;
        }
    }
}

/// The analyst, made or restarted if need be.
fn ready<'a>(
    analyst: &'a mut Option<Box<dyn Analyst>>,
    make: &MakeAnalyst,
    question: &Question,
    failed: bool,
) -> Result<&'a mut Box<dyn Analyst>, String> {
    let analyst = match analyst {
        Some(analyst) => analyst,
        empty => empty.insert(make()?),
    };
    if failed || question.line.len() <= 1 {
        analyst.new_game().map_err(|error| error.to_string())?;
    }
    Ok(analyst)
}
