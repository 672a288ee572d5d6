//! Converts a row back to a game by replaying every move.

use std::fmt::Write;
use std::time::Duration;

use chess::{Color, DrawReason, Line, Outcome, Position, WinReason};
use game::live::{End, LiveGame, Record, Terms};
use game::pgn::Reader;
use game::{Game, NodeId, Source, Tags, Tree, Variant};

use crate::ending;
use crate::error::{Result, StoreError};
use crate::new_game::{clock_annotation, clocks, movetext};
use crate::{GameId, Player, Rated, StoredGame};

impl StoredGame {
    /// The game, with its clocks and its end. A game with illegal moves is
    /// [`Damaged`](StoreError::Damaged).
    pub fn to_game(&self) -> Result<Game> {
        match self.source {
            Source::Played => self.with_annotations(self.played()?),
            Source::Imported => self.imported(),
        }
    }

    /// The live game, or its final state. A game whose moves, clocks and end are inconsistent is
    /// [`Damaged`](StoreError::Damaged). Clocks of imported games are shown, but don't run.
    pub fn to_live(&self) -> Result<LiveGame> {
        let engine = |color: &Color| matches!(self.player(*color), Player::Engine { .. });
        let control = self.time_control.clone().filter(|_| self.source == Source::Played);
        let record = Record {
            terms: Terms {
                start: self.start.clone(),
                control,
                engine: Color::ALL.into_iter().find(engine),
                rated: self.rated != Rated::No,
                waiting: self.seats.open.is_some(),
            },
            moves: self.moves.clone(),
            lefts: self.clocks.iter().map(|&left| Duration::from_millis(left.into())).collect(),
            running_since: self.clock_running_since.map(Into::into),
            last_thought: self.last_thought,
            offer: self.offer,
            end: self.end,
            rematch_agreed: self.rematch.is_some(),
        };
        LiveGame::restore(record).map_err(|error| self.damaged(&error.to_string()))
    }

    /// The player of a side.
    pub const fn player(&self, color: Color) -> &Player {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// The moves, replayed.
    pub fn to_line(&self) -> Result<Line> {
        let mut line = Line::new(self.start.clone());
        for (i, &m) in self.moves.iter().enumerate() {
            line.play(m).map_err(|_| self.damaged(&format!("ply {} is not legal", i + 1)))?;
        }
        Ok(line)
    }

    fn damaged(&self, why: &str) -> StoreError {
        StoreError::damaged(format!("game {}: {why}", self.id))
    }

    /// The milliseconds left after a move, if known.
    fn clock(&self, ply: usize) -> Option<u32> {
        self.clocks.get(ply).copied()
    }

    fn played(&self) -> Result<Game> {
        if !self.clocks.is_empty() && self.clocks.len() != self.moves.len() {
            return Err(self.damaged("the numbers of clock times and moves differ"));
        }
        let mut game = match &self.time_control {
            Some(control) => Game::timed(self.start.clone(), control.clone()),
            None => Game::new(self.start.clone()),
        };
        let mut playing = game.playing();
        for (ply, &m) in self.moves.iter().enumerate() {
            let wrong = |why: &str| self.damaged(&format!("ply {}: {why}", ply + 1));
            let elapsed = match (playing.clock(), self.clock(ply)) {
                (Some(clock), Some(left)) => clock
                    .thought(Duration::from_millis(left.into()))
                    .ok_or_else(|| wrong("impossible clock time"))?,
                _ => Duration::ZERO,
            };
            playing.timed(m, elapsed).map_err(|error| wrong(&error.to_string()))?;
        }
        self.bring_to_end(&mut game)?;
        self.head(&mut game.tags);
        Ok(game)
    }

    /// Ends the game as stored in the row.
    fn bring_to_end(&self, game: &mut Game) -> Result<()> {
        let outcome = match self.end {
            None => return Ok(()),
            Some(End::Closed(result)) => {
                game.result = result;
                return Ok(());
            }
            Some(End::Over(outcome)) => outcome,
        };
        let reached = match outcome {
            Outcome::Win(winner, WinReason::Resignation) => Some(game.resign(!winner)),
            Outcome::Win(winner, WinReason::Forfeit) => Some(game.forfeit(!winner)),
            Outcome::Win(winner, WinReason::Time) => Some(game.flag(!winner)),
            Outcome::Draw(DrawReason::Agreement) => Some(game.agree_to_draw()),
            Outcome::Draw(DrawReason::TimeWithoutMatingMaterial) => {
                Some(game.flag(flagged(&game.position())))
            }
            // By the last move, or by a claim.
            _ => game.outcome().or_else(|| game.claim_draw()),
        };
        if reached == Some(outcome) {
            Ok(())
        } else {
            Err(self.damaged(&format!("its moves don't lead to this outcome: {outcome}")))
        }
    }

    /// The tags of a game played on this server.
    fn head(&self, tags: &mut Tags) {
        tags.set("Event", "Game on Riga");
        tags.set("Date", &self.played_at.day().to_string());
        tags.set("White", &self.white.name());
        tags.set("Black", &self.black.name());
        for (name, player) in [("WhiteElo", &self.white), ("BlackElo", &self.black)] {
            if let Player::Engine { rating, .. } = player {
                tags.set(name, &rating.to_string());
            }
        }
        if self.variant == Variant::Chess960 {
            tags.set("Variant", Variant::CHESS960_TAG);
        }
        if let Some(opening) = &self.opening {
            tags.set("ECO", &opening.eco);
            tags.set("Opening", &opening.name);
        }
        for (name, value) in self.tags.iter().flat_map(Tags::iter) {
            tags.set(name, value);
        }
        tags.set(GameId::TAG, self.id.as_str());
    }

    /// The moves of a game that was annotated, as PGN; none if clock times say it all.
    pub(crate) fn annotations_from(&self, annotated: &Game) -> Result<Option<String>> {
        if self.end.is_none() {
            return Err(StoreError::Refused { what: "game", why: "is still in progress" });
        }
        let same = annotated.tree.start() == &self.start
            && annotated.line().moves().eq(self.moves.iter().copied());
        if !same {
            return Err(StoreError::Refused { what: "game", why: "has other moves" });
        }
        let plain = clocks(&annotated.tree).is_some_and(|clocks| clocks == self.clocks);
        Ok((!plain).then(|| movetext(annotated)))
    }

    /// Adds what was said about a game after it was over.
    fn with_annotations(&self, mut game: Game) -> Result<Game> {
        if let Some(movetext) = &self.annotated {
            game.tree = self.annotated(movetext)?.tree;
        }
        Ok(game)
    }

    fn imported(&self) -> Result<Game> {
        let mut game = match &self.annotated {
            Some(movetext) => self.annotated(movetext)?,
            None => self.plain()?,
        };
        game.tags = self.tags.clone().unwrap_or_default();
        game.result = ending::result(self.end);
        Ok(game)
    }

    fn annotated(&self, movetext: &str) -> Result<Game> {
        // With a tag even a comment alone is a game.
        let mut pgn = "[Event \"?\"]\n".to_owned();
        if self.start != Position::default() {
            let fen = &self.start;
            write!(pgn, "[SetUp \"1\"]\n[FEN \"{fen}\"]\n").expect("a string takes any text");
        }
        pgn.push('\n');
        pgn.push_str(movetext);
        let first = Reader::new(pgn.as_bytes()).games().next();
        let game = first.ok_or_else(|| self.damaged("its annotated moves are empty"))?;
        let game = game.map_err(|error| self.damaged(&error.to_string()))?;
        if !game.line().moves().eq(self.moves.iter().copied()) {
            return Err(self.damaged("its annotated moves differ from its moves"));
        }
        Ok(game)
    }

    fn plain(&self) -> Result<Game> {
        let mut game = Game::new(self.start.clone());
        let played = game.tree.extend(Tree::ROOT, self.moves.iter().copied());
        let nodes: Vec<NodeId> = game.tree.main_nodes().collect();
        played.map_err(|error| self.damaged(&format!("ply {}: {error}", nodes.len() + 1)))?;
        for (&node, &left) in nodes.iter().zip(&self.clocks) {
            *game.tree.comment_mut(node) = clock_annotation(left);
        }
        Ok(game)
    }
}

/// The side whose flag fell, if the other side can't mate.
fn flagged(position: &Position) -> Color {
    if position.has_mating_material(Color::White) { Color::White } else { Color::Black }
}
