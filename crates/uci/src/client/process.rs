//! The engine's process: lines in, lines out, and a shutdown that leaves nothing behind.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::EngineCommand;

/// The most we keep of a line: an engine that never breaks lines must not fill our memory.
const LONGEST_LINE: u64 = 64 << 10;

/// Lines waiting for us. When the queue is full, the engine blocks instead of filling our memory.
const QUEUE: usize = 4096;

/// Lines of standard error to keep.
const LAST_WORDS: usize = 10;

/// How long an engine may take to exit after `quit` before it is killed.
const PARTING: Duration = Duration::from_millis(500);

/// A line and its time of arrival.
#[derive(Debug)]
pub struct Line {
    pub at: Instant,
    pub text: String,
}

/// Why there is no line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoLine {
    /// None yet.
    TimedOut,
    /// None ever again: the output has ended.
    Ended,
}

/// A running engine. On drop it is asked to quit, and killed if it doesn't.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    last_words: Arc<Mutex<VecDeque<String>>>,
    /// Closed when standard error has ended.
    errors: Receiver<()>,
}

impl Process {
    pub fn start(command: &EngineCommand) -> io::Result<Self> {
        let mut start = Command::new(&command.program);
        start.args(&command.arguments);
        start.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            start.current_dir(folder);
        }
        // Ctrl-C on the terminal is for us; the engine gets a `quit` instead.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut start, 0);
        let mut child = start.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("standard output is a pipe");
        let error_output = child.stderr.take().expect("standard error is a pipe");

        let (sender, lines) = sync_channel(QUEUE);
        thread::Builder::new().name("engine output".into()).spawn(move || {
            read_lines(output, |text| sender.send(Line { at: Instant::now(), text }).is_ok());
        })?;
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (closed, errors): (SyncSender<()>, _) = sync_channel(0);
        let kept = Arc::clone(&last_words);
        thread::Builder::new().name("engine errors".into()).spawn(move || {
            let _closed = closed;
            read_lines(error_output, |text| {
                let mut kept = kept.lock().expect("no panic while locked");
                if kept.len() == LAST_WORDS {
                    kept.pop_front();
                }
                kept.push_back(text);
                true
            });
        })?;
        Ok(Self { child, input, lines, last_words, errors })
    }

    /// Writes text, including its line breaks.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(text.as_bytes())?;
        input.flush()
    }

    /// Waits for a line until a deadline, or forever.
    pub fn read(&self, until: Option<Instant>) -> Result<Line, NoLine> {
        let Some(until) = until else { return self.lines.recv().map_err(|_| NoLine::Ended) };
        let now = Instant::now();
        if until <= now {
            return self.lines.try_recv().map_err(|error| match error {
                TryRecvError::Empty => NoLine::TimedOut,
                TryRecvError::Disconnected => NoLine::Ended,
            });
        }
        self.lines.recv_timeout(until - now).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::TimedOut,
            RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// The exit status of a process whose output has ended, and its last lines of standard error.
    pub fn post_mortem(mut self) -> (String, Vec<String>) {
        let status = match self.reap(Instant::now() + PARTING) {
            Some(status) => status.to_string(),
            None => "its output is closed".to_owned(),
        };
        // The other thread may still be reading what the process wrote before it died.
        let _ = self.errors.recv_timeout(Duration::from_millis(200));
        let last_words = self.last_words.lock().expect("no panic while locked");
        (status, last_words.iter().filter(|line| !line.is_empty()).cloned().collect())
    }

    /// Waits for the process to exit until a deadline.
    fn reap(&mut self, until: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            // Only when a process ends: the standard library has no wait with a timeout.
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Ok(Some(_)) = self.child.try_wait() {
            return;
        }
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"stop\nquit\n");
        }
        let until = Instant::now() + PARTING;
        while self.read(Some(until)).is_ok() && Instant::now() < until {}
        if self.reap(until).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Passes each line, without its line break, to `take` until it returns false or the source ends.
fn read_lines(source: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
            // Skip the rest of an overlong line; the next read reports any error.
            let _ = source.skip_until(b'\n');
        }
        let text = String::from_utf8_lossy(&bytes);
        if !take(text.trim_end_matches(['\n', '\r']).to_owned()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_from_any_bytes() {
        let mut source = b"a\r\nb\xff\n\n".to_vec();
        source.extend(std::iter::repeat_n(b'x', 3 * LONGEST_LINE as usize + 5));
        source.extend(b"\nlast");
        let mut lines = Vec::new();
        read_lines(source.as_slice(), |line| {
            lines.push(line);
            true
        });
        assert_eq!(&lines[..3], ["a", "b\u{fffd}", ""]);
        assert_eq!(lines[3].len() as u64, LONGEST_LINE);
        assert_eq!(&lines[4..], ["last"]);
    }
}
