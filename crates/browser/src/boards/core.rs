//! The calls of the module `core`, and the state behind them.

use std::cell::OnceCell;

use chess::{FenError, Line, Setup};
use game::{Openings, Variant};
use wire::{ExerciseRequest, ExerciseView, PositionRequest, PositionView, SetupRequest, SetupView};

use super::live::Table;
use super::live_calls::{EngineMoved, Joined, Said, StartGame, Tick, Told};
use super::questions::{
    Annotate, Close, Edited, Found, GameAt, NodeAt, Opened, Pgn, Play, ReadGames, SetTags, StudyAt,
};
use super::review_calls::{Html, ReviewOf, ReviewPage, TellReview, ToldReview};
use super::saved::{RestoreGame, SavedGame};
use super::shelf::Shelf;
use super::study::Study;
use super::view::StudyView;
use crate::Trouble;
use crate::ask::line;
use crate::calls::calls;

/// The state of the module: open studies and games, each with a number.
#[derive(Debug, Default)]
pub struct Core {
    pub(super) studies: Shelf<Study>,
    pub(super) games: Shelf<Table>,
    /// Computed when first needed.
    openings: OnceCell<Openings>,
}

calls! {
    Core {
        /// A position and its legal moves, also after an automatic draw.
        position(PositionRequest) -> PositionView;
        /// What a board that is being set up allows.
        set_up(SetupRequest) -> SetupView;
        /// Judges an attempt at an exercise.
        solve(ExerciseRequest) -> ExerciseView;
        /// Opens a study with a start position and moves.
        open(PositionRequest) -> Opened;
        /// Opens a study for each game of a PGN text.
        read(Pgn) -> ReadGames;
        /// The whole study.
        view(StudyAt) -> StudyView;
        /// The position of a node, with its legal moves.
        look(NodeAt) -> PositionView;
        /// Plays moves after a node; existing ones are followed.
        play(Play) -> Edited;
        /// Makes the variation of a node come first where it branches off.
        promote(NodeAt) -> Edited;
        /// Makes the variation of a node come later where it branches off.
        demote(NodeAt) -> Edited;
        /// Makes the line to a node the main line.
        make_main(NodeAt) -> Edited;
        /// Removes a node and all that follows.
        remove(NodeAt) -> Edited;
        /// Changes comment, glyphs or drawings of a node.
        annotate(Annotate) -> Edited;
        /// Changes tags and result.
        set_tags(SetTags) -> Edited;
        /// Undoes the last change.
        undo(NodeAt) -> Edited;
        /// Makes the change again that was undone last.
        redo(NodeAt) -> Edited;
        /// The study as PGN.
        write(StudyAt) -> Pgn;
        /// The line to a node as PGN, without variations and comments.
        write_line(NodeAt) -> Pgn;
        /// Finds the node that moves from the start lead to, as far as they exist.
        find(Play) -> Found;
        /// Closes a study.
        close(StudyAt) -> Close;

        /// A review in words, with the arithmetic of its accuracy.
        tell_review(TellReview) -> ToldReview;
        /// A game with its review written into it.
        annotate_review(ReviewOf) -> Pgn;
        /// A review as a web page that needs nothing else.
        review_page(ReviewPage) -> Html;

        /// Starts a game.
        start_game(StartGame) -> Joined;
        /// Continues a saved game.
        restore_game(RestoreGame) -> Joined;
        /// Hears a player, like the socket of a game on the server.
        say(Said) -> Told;
        /// What has happened by itself: a flag has fallen, or a premove is played.
        tick(Tick) -> Told;
        /// Plays the engine's move.
        engine_moved(EngineMoved) -> Told;
        /// The game, to be stored and restored.
        save_game(GameAt) -> SavedGame;
        /// The game as PGN.
        write_game(GameAt) -> Pgn;
        /// Closes a game.
        close_game(GameAt) -> Close;
    }
}

impl Core {
    pub(super) fn openings(&self) -> &Openings {
        self.openings.get_or_init(Openings::new)
    }

    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    #[expect(clippy::unused_self, reason = "every call is a method")]
    fn position(&mut self, request: PositionRequest) -> Result<PositionView, Trouble> {
        let (line, rules) = line(&request)?;
        Ok(look_at(&line, rules))
    }

    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    #[expect(clippy::unused_self, reason = "every call is a method")]
    fn set_up(&mut self, request: SetupRequest) -> Result<SetupView, Trouble> {
        let setup: Setup = request.board.parse().map_err(FenError::Unreadable)?;
        Ok(setup.into())
    }
}

impl Core {
    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    #[expect(clippy::unused_self, reason = "every call is a method")]
    fn solve(&mut self, request: ExerciseRequest) -> Result<ExerciseView, Trouble> {
        request.judge().map_err(|error| Trouble::new(error.to_string()))
    }
}

/// The position at the end of a line, with all its legal moves: a game may be analysed beyond an
/// automatic draw.
pub(super) fn look_at(line: &Line, rules: Variant) -> PositionView {
    let mut view = PositionView::new(line, rules);
    if view.moves.is_empty() {
        let position = line.position();
        let all = position.legal_moves();
        view.moves = all.iter().map(|&m| wire::LegalMove::new(position, m, rules)).collect();
    }
    view
}

#[cfg(test)]
mod tests;
