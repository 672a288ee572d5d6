//! A search in its own thread, and the signals that end it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use chess::{CastlingMode, Move, Position};
use engine::{AnalystError, MatePlies, Question, Score, Stop, search_thread};

use crate::Searcher;
use crate::output::{BestMove, Info, Output, UciScore};

/// When the answer may be sent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// As soon as it is found.
    Never,
    /// Not before `stop`.
    UntilStop,
    /// Not before `stop` or `ponderhit`.
    UntilPonderHit,
}

/// The question, and how to format the answer.
pub(crate) struct Request {
    pub(crate) question: Question,
    pub(crate) mode: CastlingMode,
    pub(crate) show_wdl: bool,
}

/// A search that is running, or has ended and not been joined.
pub(crate) struct RunningSearch<S> {
    thread: JoinHandle<Option<S>>,
    signals: Arc<Signals>,
}

/// State shared by the thread and the session.
struct Signals {
    stop: Stop,
    hold: Hold,
    /// Whether an answer held back may be sent.
    released: Mutex<bool>,
    release: Condvar,
    /// Set before the answer is sent: a GUI that has read it may search again at once.
    over: AtomicBool,
}

impl Signals {
    fn release(&self) {
        *self.released.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.release.notify_all();
    }

    fn wait_for_release(&self) {
        let released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        let released = self.release.wait_while(released, |released| !*released);
        drop(released.unwrap_or_else(PoisonError::into_inner));
    }
}

impl<S: Searcher> RunningSearch<S> {
    /// Starts a search; the answer goes to the output. If no thread can be started, the answer is
    /// any legal move.
    pub(crate) fn start(
        searcher: S,
        request: Request,
        hold: Hold,
        output: &Output,
    ) -> Option<Self> {
        let out = output.clone();
        let (position, mode) = (request.question.position().clone(), request.mode);
        let favorite = request.question.search_moves.first().copied();
        let search = Self::spawn(searcher, hold, output, move |searcher, stop| {
            consult(searcher, &request, stop, &out)
        });
        if search.is_none() {
            let best = any_move(&position, favorite);
            output.line(BestMove { best, ponder: None, position: &position, mode });
        }
        search
    }

    /// Runs another long task that can be stopped. The string it returns is printed at its end.
    pub(crate) fn start_task(
        searcher: S,
        output: &Output,
        task: impl FnOnce(&mut S, &Stop) -> String + Send + 'static,
    ) -> Option<Self> {
        let out = output.clone();
        Self::spawn(searcher, Hold::Never, output, move |searcher, stop| {
            match catch_unwind(AssertUnwindSafe(|| task(searcher, stop))) {
                Ok(text) => Answer { text: Some(text), sound: true },
                Err(panic) => {
                    out.error(reason(&*panic));
                    Answer { text: None, sound: false }
                }
            }
        })
    }

    /// Runs the closure in its own thread; `None` if the system can't start one.
    fn spawn(
        mut searcher: S,
        hold: Hold,
        output: &Output,
        think: impl FnOnce(&mut S, &Stop) -> Answer + Send + 'static,
    ) -> Option<Self> {
        let signals = Arc::new(Signals {
            stop: Stop::new(),
            hold,
            released: Mutex::new(hold == Hold::Never),
            release: Condvar::new(),
            over: AtomicBool::new(false),
        });
        let (shared, out) = (Arc::clone(&signals), output.clone());
        let work = move || {
            let answer = think(&mut searcher, &shared.stop);
            shared.wait_for_release();
            shared.over.store(true, Ordering::Release);
            if let Some(text) = answer.text {
                out.line(text);
            }
            answer.sound.then_some(searcher)
        };
        match search_thread("search").spawn(work) {
            Ok(thread) => Some(Self { thread, signals }),
            Err(error) => {
                output.error(format_args!("can't start a search thread: {error}"));
                None
            }
        }
    }

    /// Whether it is still running: it has neither answered nor been stopped.
    pub(crate) fn is_running(&self) -> bool {
        let over = self.signals.over.load(Ordering::Acquire) || self.thread.is_finished();
        !over && !self.signals.stop.is_stopped()
    }

    /// Stops the search; its answer follows soon.
    pub(crate) fn stop(&self) {
        self.signals.stop.stop();
        self.signals.release();
    }

    /// The expected move was played.
    pub(crate) fn ponder_hit(&self) {
        self.signals.stop.ponder_hit();
        if self.signals.hold == Hold::UntilPonderHit {
            self.signals.release();
        }
    }

    /// Waits until the answer is sent, and returns the searcher unless it has failed.
    pub(crate) fn join(self) -> Option<S> {
        self.thread.join().ok().flatten()
    }
}

/// The result of a search.
struct Answer {
    text: Option<String>,
    /// Whether the searcher can be used again.
    sound: bool,
}

/// Runs the search. Any failure is reported, and the answer is a legal move if there is one.
fn consult<S: Searcher>(
    searcher: &mut S,
    request: &Request,
    stop: &Stop,
    output: &Output,
) -> Answer {
    let Request { question, mode, show_wdl } = request;
    let (position, mode) = (question.position(), *mode);
    let answer = |best, ponder, sound| {
        let text = BestMove { best, ponder, position, mode }.to_string();
        Answer { text: Some(text), sound }
    };
    if !position.has_legal_move() {
        output.line(game_over(position));
        return answer(None, None, true);
    }

    let mut favorite = question.search_moves.first().copied();
    let mut report = |report: engine::Report| {
        if report.multi_pv == 1 {
            favorite = report.pv.first().copied().or(favorite);
        }
        output.line(Info { report: &report, position, mode, show_wdl: *show_wdl });
        if output.is_broken() {
            stop.stop();
        }
    };
    let asked = AssertUnwindSafe(|| searcher.analyse(question, stop, &mut report));
    let verdict = catch_unwind(asked);
    for message in searcher.take_messages() {
        output.error(message);
    }
    match verdict {
        Ok(Ok(verdict)) => answer(Some(verdict.best), verdict.ponder, true),
        Ok(Err(error)) => {
            output.error(&error);
            let sound = matches!(error, AnalystError::NoLegalMove | AnalystError::Unable(_));
            answer(any_move(position, favorite), None, sound)
        }
        Err(panic) => {
            output.error(format_args!("the search failed: {}", reason(&*panic)));
            answer(any_move(position, favorite), None, false)
        }
    }
}

fn any_move(position: &Position, favorite: Option<Move>) -> Option<Move> {
    favorite.or_else(|| position.legal_moves().first().copied())
}

fn game_over(position: &Position) -> impl fmt::Display {
    let score = if position.is_check() { Score::Mate(MatePlies(0)) } else { Score::Cp(0) };
    format!("info depth 0 score {}", UciScore(score))
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown reason")
}
