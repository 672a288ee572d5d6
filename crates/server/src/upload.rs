//! Uploads: a request body that arrives piece by piece, read by a thread that may block.

use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::pool::Owner;
use crate::problem::{Failure, Kind, Result};

/// Timeout of an upload, and of each of its pieces.
const PATIENCE: Duration = Duration::from_mins(5);
const SILENCE: Duration = Duration::from_secs(20);

/// Number of pieces that wait for the reader; the client waits for the rest.
const MOST_WAITING: usize = 4;

/// Maximum number of uploads at once. Each occupies a thread.
const MOST: usize = 8;

/// The visitors who are uploading: one upload each.
#[derive(Clone, Default)]
pub(crate) struct Uploads(Arc<Mutex<HashSet<Owner>>>);

/// The right to upload, until dropped.
pub(crate) struct Turn {
    uploads: Uploads,
    owner: Owner,
}

impl Uploads {
    pub fn begin(&self, owner: Owner) -> Result<Turn> {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if running.contains(&owner) {
            let detail = "another import is running; wait until it is done";
            return Err(Failure::new(Kind::TooManyRequests, detail));
        }
        if running.len() >= MOST {
            let detail = "the server is reading too many files; try again in a minute";
            return Err(Failure::new(Kind::Busy, detail));
        }
        running.insert(owner.clone());
        drop(running);
        Ok(Turn { uploads: self.clone(), owner })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.uploads.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.owner);
    }
}

/// Why an upload ended early.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    TooLarge,
    TimedOut,
    /// The client has gone away.
    Broken,
}

impl Cut {
    pub fn failure(self) -> Failure {
        match self {
            Self::TooLarge => Failure::new(Kind::TooLarge, "the file is too large"),
            Self::TimedOut => Failure::new(Kind::InvalidRequest, "the upload timed out"),
            Self::Broken => Failure::new(Kind::InvalidRequest, "the upload broke off"),
        }
    }
}

/// A piece of a body, or its end.
enum Piece {
    Bytes(Bytes),
    End,
}

/// The reading end of an upload. It ends where the body does; where that was cut, it fails.
///
/// The store reads it within its own asynchronous call, on a thread that may block. Hence a channel
/// that knows nothing of the runtime, and a semaphore that counts the places in it.
pub(crate) struct Upload {
    pieces: mpsc::Receiver<Piece>,
    places: Arc<Semaphore>,
    piece: Bytes,
    ended: bool,
}

/// Receives a body of limited size; the second part feeds the first and has to run meanwhile.
pub(crate) fn receive(
    body: Body,
    largest: usize,
) -> (Upload, impl Future<Output = std::result::Result<(), Cut>>) {
    let (out, pieces) = mpsc::channel();
    let places = Arc::new(Semaphore::new(MOST_WAITING));
    let feed = feed(body, largest, out, Arc::clone(&places));
    (Upload { pieces, places, piece: Bytes::new(), ended: false }, feed)
}

async fn feed(
    body: Body,
    largest: usize,
    out: mpsc::Sender<Piece>,
    places: Arc<Semaphore>,
) -> std::result::Result<(), Cut> {
    let mut stream = body.into_data_stream();
    let (end, mut left) = (Instant::now() + PATIENCE, largest);
    loop {
        let piece = timeout(SILENCE, stream.next()).await.map_err(|_| Cut::TimedOut)?;
        let piece = match piece {
            Some(piece) => Piece::Bytes(piece.map_err(|_| Cut::Broken)?),
            None => Piece::End,
        };
        let ends = match &piece {
            Piece::Bytes(bytes) => {
                left = left.checked_sub(bytes.len()).ok_or(Cut::TooLarge)?;
                false
            }
            Piece::End => true,
        };
        let place = timeout_at(end, places.acquire()).await.map_err(|_| Cut::TimedOut)?;
        // Without a reader, the rest doesn't matter.
        let Ok(place) = place else { return Ok(()) };
        place.forget();
        if out.send(piece).is_err() || ends {
            return Ok(());
        }
    }
}

impl Read for Upload {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            if self.ended {
                return Ok(0);
            }
            match self.pieces.recv() {
                Ok(Piece::Bytes(piece)) => self.piece = piece,
                Ok(Piece::End) => self.ended = true,
                Err(_) => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
            self.places.add_permits(1);
        }
        let length = buffer.len().min(self.piece.len());
        buffer[..length].copy_from_slice(&self.piece.split_to(length));
        Ok(length)
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        self.places.close();
    }
}

#[cfg(test)]
mod tests {
    use store::UserId;

    use super::*;

    /// What is read of a body, if it is whole, and how it ended.
    async fn received(pieces: &[&'static str], largest: usize) -> (Option<String>, Option<Cut>) {
        let pieces: Vec<io::Result<&str>> = pieces.iter().copied().map(Ok).collect();
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        let (mut upload, feed) = receive(body, largest);
        let read = tokio::task::spawn_blocking(move || {
            // As the store does, within an asynchronous call.
            tokio::runtime::Handle::current().block_on(async move {
                let mut text = String::new();
                upload.read_to_string(&mut text).ok().map(|_| text)
            })
        });
        let (end, read) = tokio::join!(feed, read);
        (read.expect("no panic"), end.err())
    }

    #[tokio::test]
    async fn a_body_is_read_as_it_arrives_up_to_its_limit() {
        let pieces = ["1. e4 ", "", "e5 ", "2. Nf3 *"];
        assert_eq!(received(&pieces, 17).await, (Some("1. e4 e5 2. Nf3 *".to_owned()), None));
        assert_eq!(received(&pieces, 16).await, (None, Some(Cut::TooLarge)));
    }

    #[test]
    fn everyone_uploads_one_file_at_a_time() {
        let uploads = Uploads::default();
        let [anna, boris] = [1, 2].map(|id| Owner::User(UserId(id)));
        let turn = uploads.begin(anna.clone()).expect("the first");
        assert!(uploads.begin(anna.clone()).is_err());
        uploads.begin(boris).expect("somebody else");
        drop(turn);
        uploads.begin(anna).expect("the first is done");
    }

    #[test]
    fn there_is_a_limit_for_everyone() {
        let (uploads, owner) =
            (Uploads::default(), |last: u8| Owner::Address([1, 2, 3, last].into()));
        let turns: Vec<Turn> =
            (0..8).map(|last| uploads.begin(owner(last)).expect("few are uploading")).collect();
        assert_eq!(uploads.begin(owner(9)).err().expect("too many").kind, Kind::Busy);
        drop(turns);
        assert!(uploads.begin(owner(9)).is_ok());
    }
}
