//! Plays a tournament: workers play pairs of games, one thread records the results.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use engine::{Stop, search_thread};

use super::playing::Unfinished;
use super::{
    FinishedPair, Played, RunningEngine, SavedError, SavedMatch, Standings, Table, Tournament,
    record,
};
use crate::sprt::Accepted;

/// How a tournament ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// All games have been played.
    Finished,
    /// The SPRT has decided.
    Decided(Accepted),
    /// It was stopped.
    Stopped,
}

/// Why a tournament failed.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// There are not enough contestants.
    #[error("a match needs at least two engines")]
    TooFew,
    /// An engine can't be used; the text gives its name and the reason.
    #[error("{0}")]
    Engine(String),
    /// The games can't be written.
    #[error("{}: {cause}", .path.display())]
    Pgn {
        /// The file.
        path: PathBuf,
        /// The system's error.
        cause: std::io::Error,
    },
    /// The state can't be written.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// The system can't start as many threads.
    #[error("can't start a thread: {0}")]
    Thread(std::io::Error),
}

/// A message from a worker.
type News = Result<(FinishedPair, [Played; 2], String), TournamentError>;

impl Tournament {
    /// Plays the games that are not in `saved`. `tell` is called after each pair. The standings are
    /// returned in any case.
    pub fn run(
        &self,
        saved: Option<SavedMatch>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Standings, &FinishedPair, &[Played; 2]),
    ) -> (Standings, Result<End, TournamentError>) {
        let mut standings = Standings::new(self);
        for pair in saved.iter().flat_map(|saved| &saved.pairs) {
            standings.add(pair);
        }
        let end = self.play(saved, &mut standings, stop, tell);
        (standings, end)
    }

    fn play(
        &self,
        saved: Option<SavedMatch>,
        standings: &mut Standings,
        stop: &Stop,
        tell: &mut dyn FnMut(&Standings, &FinishedPair, &[Played; 2]),
    ) -> Result<End, TournamentError> {
        if self.contestants.len() < 2 {
            return Err(TournamentError::TooFew);
        }
        let mut books = Books::open(self, saved)?;
        if let Some(accepted) = self.decision(standings) {
            return Ok(End::Decided(accepted));
        }
        // Report an engine that can't be started before anything is played.
        for contestant in &self.contestants {
            RunningEngine::start(contestant).map_err(|reason| {
                TournamentError::Engine(format!("{}: {reason}", contestant.name))
            })?;
        }
        let done: BTreeSet<usize> = books.saved.pairs.iter().map(|pair| pair.index).collect();
        let tasks = Mutex::new((0..self.pairs()).filter(|index| !done.contains(index)));
        let next = &|| tasks.lock().expect("no panic while locked").next();
        let (sender, news) = channel();
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let work = move || self.work(next, &sender, stop);
                if let Err(error) = search_thread("match").spawn_scoped(scope, work) {
                    stop.stop();
                    return Err(TournamentError::Thread(error));
                }
            }
            drop(sender);
            let mut end = Ok(End::Finished);
            for message in news {
                let kept = message.and_then(|(pair, played, pgn)| {
                    standings.add(&pair);
                    tell(standings, &pair, &played);
                    books.enter(pair, &pgn)
                });
                // Pairs that end after the decision still count, but don't change it.
                if !matches!(end, Ok(End::Finished)) {
                    continue;
                }
                if let Err(error) = kept {
                    end = Err(error);
                } else if let Some(accepted) = self.decision(standings) {
                    end = Ok(End::Decided(accepted));
                }
                if !matches!(end, Ok(End::Finished)) {
                    stop.stop();
                }
            }
            match end {
                Ok(End::Finished) if stop.is_stopped() => Ok(End::Stopped),
                end => end,
            }
        })
    }

    /// The SPRT's decision on the first pairing.
    fn decision(&self, standings: &Standings) -> Option<Accepted> {
        let sprt = self.sprt.as_ref()?;
        sprt.accepted(sprt.llr(&standings.pairings.first()?.pairs))
    }

    /// Plays pairs of games until there are none left.
    fn work(&self, next: impl Fn() -> Option<usize>, news: &Sender<News>, stop: &Stop) {
        let mut seats: Vec<Option<RunningEngine>> = self.contestants.iter().map(|_| None).collect();
        while !stop.is_stopped() {
            let Some(index) = next() else { return };
            let message = match self.play_pair(index, &mut seats, stop) {
                Ok(pair) => Ok(pair),
                Err(Unfinished::Stopped) => return,
                Err(Unfinished::Unable(text)) => Err(TournamentError::Engine(text)),
            };
            if news.send(message).is_err() {
                return;
            }
        }
    }

    fn play_pair(
        &self,
        index: usize,
        seats: &mut [Option<RunningEngine>],
        stop: &Stop,
    ) -> Result<(FinishedPair, [Played; 2], String), Unfinished> {
        let pairings = self.pairings();
        let (round, [a, b]) = (index / pairings.len(), pairings[index % pairings.len()]);
        let opening = self.openings.of_round(round);
        let table = Table {
            adjudication: self.adjudication,
            margin: self.margin,
            tablebases: self.tablebases.as_deref(),
            stop,
        };
        let mut pgn = String::new();
        let mut play = |[white, black]: [usize; 2], number: usize| {
            for place in [white, black] {
                sit_down(&mut seats[place], &self.contestants[place])?;
            }
            let contestants = [white, black].map(|place| &self.contestants[place]);
            let engines =
                seats.get_disjoint_mut([white, black]).expect("no contestant plays itself");
            let engines = engines.map(|seat| seat.as_mut().expect("both were started"));
            let played = table.play(opening, contestants, engines)?;
            let round = format!("{}.{}", round + 1, number);
            pgn.push_str(&record::to_pgn(&self.event, &round, contestants, &played));
            Ok(played)
        };
        let played = [play([a, b], 1)?, play([b, a], 2)?];
        let games = [(&played[0]).into(), (&played[1]).into()];
        Ok((FinishedPair { index, games }, played, pgn))
    }
}

/// Starts an engine that isn't running yet, and prepares it for a game.
fn sit_down(
    seat: &mut Option<RunningEngine>,
    contestant: &super::Contestant,
) -> Result<(), Unfinished> {
    let ready = match seat {
        Some(engine) => engine.new_game(),
        None => RunningEngine::start(contestant).and_then(|engine| seat.insert(engine).new_game()),
    };
    ready.map_err(|text| Unfinished::Unable(format!("{}: {text}", contestant.name)))
}

/// The files: games and state.
struct Books {
    pgn: Option<(PathBuf, File)>,
    state: Option<PathBuf>,
    saved: SavedMatch,
}

impl Books {
    fn open(tournament: &Tournament, saved: Option<SavedMatch>) -> Result<Self, TournamentError> {
        let mut saved = saved.unwrap_or_else(|| SavedMatch {
            plan: tournament.description(),
            ..SavedMatch::default()
        });
        let pgn = match &tournament.pgn {
            None => None,
            Some(path) => {
                // Never truncate a file of another match.
                let known = saved.pgn.as_ref() == Some(path);
                let (file, length) = open_pgn(path, known.then_some(saved.pgn_bytes))
                    .map_err(|cause| TournamentError::Pgn { path: path.clone(), cause })?;
                saved.pgn = Some(path.clone());
                saved.pgn_bytes = length;
                Some((path.clone(), file))
            }
        };
        if let Some(path) = &tournament.state {
            // Fail now if it can't be written.
            saved.write(path)?;
        }
        Ok(Self { pgn, state: tournament.state.clone(), saved })
    }

    fn enter(&mut self, pair: FinishedPair, pgn: &str) -> Result<(), TournamentError> {
        if let Some((path, file)) = &mut self.pgn {
            file.write_all(pgn.as_bytes())
                .map_err(|cause| TournamentError::Pgn { path: path.clone(), cause })?;
            self.saved.pgn_bytes += pgn.len() as u64;
        }
        self.saved.pairs.push(pair);
        if let Some(path) = &self.state {
            self.saved.write(path)?;
        }
        Ok(())
    }
}

/// Opens a file to append games, truncated to a length if later games don't count.
fn open_pgn(path: &Path, length: Option<u64>) -> std::io::Result<(File, u64)> {
    let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
    if let Some(length) = length
        && file.metadata()?.len() > length
    {
        file.set_len(length)?;
    }
    let end = file.seek(SeekFrom::End(0))?;
    Ok((file, end))
}
