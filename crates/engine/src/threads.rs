//! The threads on which searches run.

use std::thread::Builder;

/// A search recurses once or twice per ply, up to 240 plies, with about 1 KiB per call in an
/// optimised build. The rest is for unoptimised builds.
pub(crate) const STACK: usize = 8 << 20;

/// A builder of threads for calling an [`Analyst`](crate::Analyst), with the stack that a search
/// needs. [`Engine`](crate::Engine) searches on the calling thread, so that a search of a hundred
/// nodes starts no thread; that thread needs this stack. The helper threads of a search have the
/// same.
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
