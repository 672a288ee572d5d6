//! Verifies a library: every page, every game, and that the index finds what it should.

use chess::{Move, Position};
use game::GameResult;
use game::pgn::Visitor;

use crate::error::{LibraryError, Result};
use crate::library::Library;
use crate::ranking::NONE;
use crate::segment::{Files, Segment};
use crate::teller::Listener;
use crate::{columns, names};

/// What a check has looked at.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Pages whose checksum was verified.
    pub pages: u64,
    /// Games that were replayed.
    pub games: u64,
    /// Positions that were looked up in the index.
    pub positions: u64,
}

impl Library {
    /// Verifies all checksums, replays all games, and looks the positions of every `step`-th game up in the index.
    /// `progress` is called with the number of games so far.
    pub fn check(&self, step: u32, progress: &dyn Fn(u64)) -> Result<Checked> {
        let mut checked = Checked::default();
        for segment in self.segments().iter() {
            check_segment(segment, step, progress, &mut checked)?;
        }
        Ok(checked)
    }
}

/// Verifies one segment.
pub(crate) fn check_segment(
    segment: &Segment,
    step: u32,
    progress: &dyn Fn(u64),
    checked: &mut Checked,
) -> Result<()> {
    check_pages(&segment.files, checked)?;
    check_players(segment)?;
    check_games(segment, step.max(1), progress, checked)
}

fn check_pages(files: &Files, checked: &mut Checked) -> Result<()> {
    let Files { moves, facts, details, extras, players, shared, single, .. } = files;
    for file in [moves, facts, details, extras, players, shared, single] {
        for number in 0..file.len() {
            file.page(number)?;
            checked.pages += 1;
        }
    }
    Ok(())
}

/// Every player's games must be those with the player, and all of them.
fn check_players(segment: &Segment) -> Result<()> {
    let files = &segment.files;
    let mut expected = vec![Vec::new(); files.names.len() as usize];
    let mut games = 0;
    for (game, details) in columns::all_details(&files.details).enumerate() {
        let details = details?;
        for (player, black) in [(details.white, false), (details.black, true)] {
            let seats = expected.get_mut(player as usize);
            let seats = seats.ok_or_else(|| files.details.damaged("a player has no name"))?;
            seats.push(names::Seat { game: game as u32, black });
        }
        games += 1;
    }
    if games != segment.games() {
        return Err(files.details.damaged("the number of games is wrong"));
    }
    for (player, expected) in expected.iter().enumerate() {
        if names::seats(&files.players, player as u32, segment.games())? != *expected {
            return Err(files.players.damaged("a player's games are wrong"));
        }
        let number = player as u32;
        let order = |a, b| names::compare(files.names.get(a), files.names.get(b));
        if number > 0 && order(number - 1, number) != std::cmp::Ordering::Less {
            return Err(files.players.damaged("the names are in the wrong order"));
        }
    }
    Ok(())
}

/// The positions of a game with the moves played in them.
#[derive(Default)]
struct Replay {
    visits: Vec<(Position, Option<Move>)>,
    keep: bool,
    last: Option<(Position, Move)>,
    start: Position,
    depth: usize,
    plies: u64,
}

impl Listener for Replay {}

impl Visitor for Replay {
    fn start(&mut self, position: &Position) {
        self.start.clone_from(position);
    }

    fn play(&mut self, position: &Position, m: Move) {
        if self.depth > 0 {
            return;
        }
        self.plies += 1;
        if self.keep {
            self.visits.push((position.clone(), Some(m)));
            self.last = Some((position.clone(), m));
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn end(&mut self, _: GameResult) {
        if self.keep {
            let end =
                self.last.take().map_or(self.start.clone(), |(position, m)| position.after(m));
            self.visits.push((end, None));
        }
    }
}

fn check_games(
    segment: &Segment,
    step: u32,
    progress: &dyn Fn(u64),
    checked: &mut Checked,
) -> Result<()> {
    if segment.games() == 0 {
        return Ok(());
    }
    let mut teller = segment.teller(0)?;
    let mut plies = 0;
    for game in 0..segment.games() {
        let mut replay = Replay { keep: game % step == 0, ..Replay::default() };
        teller.tell(game, &mut replay)?;
        plies += replay.plies;
        let mut seen = Vec::new();
        for (position, m) in replay.visits {
            if seen.contains(&position.key()) {
                continue;
            }
            seen.push(position.key());
            check_position(segment, game, &position, m)?;
            checked.positions += 1;
        }
        checked.games += 1;
        if game % 1024 == 0 {
            progress(checked.games);
        }
    }
    if plies != segment.files.meta.plies {
        return Err(segment.files.moves.damaged("the number of moves is wrong"));
    }
    Ok(())
}

/// The index must know that a game has played a move in a position.
fn check_position(
    segment: &Segment,
    game: u32,
    position: &Position,
    m: Option<Move>,
) -> Result<()> {
    let wrong =
        || -> LibraryError { segment.files.shared.damaged("a game is missing from the index") };
    let runs = segment.runs(position)?;
    let at = runs.partition_point(|run| run.end() <= game);
    let run = runs.get(at).filter(|run| run.start <= game).ok_or_else(wrong)?;
    let played = m.map_or(NONE, |m| crate::ranking::short(crate::ranking::index_of(position, m)));
    if run.played == played { Ok(()) } else { Err(wrong()) }
}
