//! The system's limit on open files, which is also one on connections.

/// Raises the limit of this process as far as the system permits, and returns it.
#[cfg(unix)]
pub(super) fn most() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    let most = if raised.is_ok() { maximum } else { current };
    most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX)
}

/// Windows has no such limit.
#[cfg(not(unix))]
pub(super) fn most() -> usize {
    usize::MAX
}
