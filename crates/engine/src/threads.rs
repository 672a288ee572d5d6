//! The threads on which searches run.

use std::thread::Builder;

/// A search recurses once or twice for each of up to 240 plies, with about 1 KiB a call in an
/// optimised build. The rest is for builds that are not optimised.
pub(crate) const STACK: usize = 8 << 20;

/// A thread on which an [`Analyst`](crate::Analyst) may be asked: it has the stack that a search
/// needs. [`Engine`](crate::Engine) answers on the thread that asks, so that a search of a hundred
/// nodes costs no thread; give that thread this stack. The helpers of a search with several threads
/// have the same.
///
/// ```
/// use engine::{Analyst, Engine, Limits, Question, Stop};
///
/// let search = || {
///     let question = Question::default().limits(Limits::depth(3));
///     Engine::default().decide(&question, &Stop::new())
/// };
/// let thread = engine::search_thread("analysis").spawn(search)?;
/// assert!(thread.join().expect("no panic").is_ok());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn search_thread(name: &str) -> Builder {
    Builder::new().name(name.to_owned()).stack_size(STACK)
}
