//! A search in a thread of its own, and the signals that end it.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use chess::{CastlingMode, Move, Position};
use engine::{AnalystError, MatePlies, Question, Score, Stop, search_thread};

use crate::Player;
use crate::output::{BestMove, Info, Output, UciScore};

/// When the answer may be given.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// When it is found.
    Never,
    /// Not before `stop`.
    UntilStop,
    /// Not before `stop` or `ponderhit`.
    UntilPonderHit,
}

/// What is asked, and how the answer is written.
pub(crate) struct Request {
    pub(crate) question: Question,
    pub(crate) mode: CastlingMode,
    pub(crate) show_wdl: bool,
}

/// A search that is running, or is over and has not been cleared away.
pub(crate) struct Search<P> {
    thread: JoinHandle<Option<P>>,
    signals: Arc<Signals>,
}

/// What the thread and the session share.
struct Signals {
    stop: Stop,
    hold: Hold,
    /// Whether an answer that is held back may go out.
    released: Mutex<bool>,
    release: Condvar,
    /// Set before the answer goes out, so that who has read the answer may ask again.
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

impl<P: Player> Search<P> {
    /// Asks the player; the answer goes to the output. If there is no thread to think in, the
    /// answer is any legal move.
    pub(crate) fn start(player: P, request: Request, hold: Hold, output: &Output) -> Option<Self> {
        let out = output.clone();
        let (position, mode) = (request.question.position().clone(), request.mode);
        let favorite = request.question.search_moves.first().copied();
        let search = Self::spawn(player, hold, output, move |player, stop| {
            consult(player, &request, stop, &out)
        });
        if search.is_none() {
            let best = any_move(&position, favorite);
            output.line(BestMove { best, ponder: None, position: &position, mode });
        }
        search
    }

    /// Does something else that takes long and can be stopped. What it returns is the last that
    /// is said of it.
    pub(crate) fn start_task(
        player: P,
        output: &Output,
        task: impl FnOnce(&mut P, &Stop) -> String + Send + 'static,
    ) -> Option<Self> {
        let out = output.clone();
        Self::spawn(player, Hold::Never, output, move |player, stop| {
            match catch_unwind(AssertUnwindSafe(|| task(player, stop))) {
                Ok(text) => Answer { text: Some(text), sound: true },
                Err(panic) => {
                    out.error(reason(&*panic));
                    Answer { text: None, sound: false }
                }
            }
        })
    }

    /// Thinks in a thread of its own; there is none to be had if the system has no memory left.
    fn spawn(
        mut player: P,
        hold: Hold,
        output: &Output,
        think: impl FnOnce(&mut P, &Stop) -> Answer + Send + 'static,
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
            let answer = think(&mut player, &shared.stop);
            shared.wait_for_release();
            shared.over.store(true, Ordering::Release);
            if let Some(text) = answer.text {
                out.line(text);
            }
            answer.sound.then_some(player)
        };
        match search_thread("search").spawn(work) {
            Ok(thread) => Some(Self { thread, signals }),
            Err(error) => {
                output.error(format_args!("no thread to search in: {error}"));
                None
            }
        }
    }

    /// Whether it goes on: it has neither answered nor been told to stop.
    pub(crate) fn is_running(&self) -> bool {
        let over = self.signals.over.load(Ordering::Acquire) || self.thread.is_finished();
        !over && !self.signals.stop.is_stopped()
    }

    /// Ends the search; its answer comes soon.
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

    /// Waits for the answer to go out, and gives the player back unless it is broken.
    pub(crate) fn join(self) -> Option<P> {
        self.thread.join().ok().flatten()
    }
}

/// The end of a search.
struct Answer {
    text: Option<String>,
    /// Whether the player can be asked again.
    sound: bool,
}

/// Asks the player. Whatever goes wrong is told, and there is a legal move in the end if there
/// is one at all.
fn consult<P: Player>(player: &mut P, request: &Request, stop: &Stop, output: &Output) -> Answer {
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
    let asked = AssertUnwindSafe(|| player.analyse(question, stop, &mut report));
    let verdict = catch_unwind(asked);
    for message in player.take_messages() {
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
            output.error(format_args!("the search has failed: {}", reason(&*panic)));
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
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason is known")
}
