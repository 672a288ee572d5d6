//! A game: players, moves and result.

use std::time::Duration;

use chess::{Color, DrawReason, Line, Move, Outcome, Position, WinReason};

use crate::live::on_time;
use crate::{Clock, GameResult, NodeId, Step, Tags, TimeControl, Tree, Variant};

/// A game of standard chess or Chess960, live or from a file.
///
/// A live game is played by [`play`](Self::play) and ends automatically by the rules; from then on
/// it refuses moves. A game from a file has the result written there, which is not checked against
/// its moves. The tree may be edited freely, but the clocks of a timed game only follow moves that
/// are played.
///
/// ```
/// use game::{Game, GameResult};
///
/// let mut game = Game::default();
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     let m = game.position().parse_san(text)?;
///     game.play(m)?;
/// }
/// assert_eq!(game.outcome().map(GameResult::from), Some(GameResult::BlackWins));
/// assert!(game.to_string().ends_with("1. f3 e5 2. g4 Qh4# 0-1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// Players, event, date and other tags.
    pub tags: Tags,
    /// The moves, with variations and comments.
    pub tree: Tree,
    /// The result as written; set from the outcome when the game ends here.
    pub result: GameResult,
    outcome: Option<Outcome>,
    /// The clocks before each move, the last one running.
    clocks: Vec<Clock>,
}

/// Games are equal if their PGN is: clocks and the reason of the end are not compared.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.tags == other.tags && self.tree == other.tree && self.result == other.result
    }
}

/// Why a move can't be played.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// The move is not legal in this position.
    #[error(transparent)]
    Illegal(#[from] chess::IllegalMove),
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::default())
    }
}

impl Game {
    /// A game from a start position, without clocks.
    pub fn new(start: Position) -> Self {
        let mut tags = Tags::default();
        if Variant::of_start(&start) == Variant::Chess960 {
            tags.set("Variant", Variant::CHESS960_TAG);
        }
        // The game may already be over in the start position.
        let outcome = start.outcome();
        Self {
            tags,
            tree: Tree::new(start),
            result: outcome.map_or(GameResult::Unknown, GameResult::from),
            outcome,
            clocks: Vec::new(),
        }
    }

    /// A game with clocks.
    pub fn timed(start: Position, control: TimeControl) -> Self {
        let turn = start.turn();
        let mut game = Self::new(start);
        game.tags.set("TimeControl", &control.to_string());
        game.clocks.push(Clock::new(control, turn));
        game
    }

    /// The variant, by the tag and the start position.
    pub fn variant(&self) -> Variant {
        match self.tags.get("Variant").and_then(Variant::from_tag) {
            Some(Variant::Chess960) => Variant::Chess960,
            _ => Variant::of_start(self.tree.start()),
        }
    }

    /// The position after the last move of the main line.
    pub fn position(&self) -> Position {
        self.line().position().clone()
    }

    /// The moves of the main line.
    pub fn line(&self) -> Line {
        self.tree.main_line()
    }

    /// The outcome, if the game was played to its end here.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The clocks, if the game is timed.
    pub fn clock(&self) -> Option<&Clock> {
        self.clocks.last()
    }

    /// Plays a move at the end of the main line, taking no time on the clock.
    pub fn play(&mut self, m: Move) -> Result<(), PlayError> {
        self.play_timed(m, Duration::ZERO)
    }

    /// Plays a move that took `elapsed`. If the flag fell first, the game is lost on time and the
    /// move is not played.
    pub fn play_timed(&mut self, m: Move, elapsed: Duration) -> Result<(), PlayError> {
        self.playing().timed(m, elapsed)
    }

    /// Continues from the end of the main line; efficient for many moves.
    pub fn playing(&mut self) -> Playing<'_> {
        let end = self.tree.end();
        Playing { line: self.tree.line(end), end, game: self }
    }

    /// Takes the last move back, with its variations, the end of the game and the time it took.
    pub fn undo(&mut self) -> Option<Move> {
        let end = self.tree.end();
        let m = self.tree.played(end)?;
        self.tree.truncate(self.tree.parent(end)?);
        if self.clocks.len() > 1 {
            self.clocks.pop();
        }
        self.outcome = None;
        self.result = GameResult::Unknown;
        self.tags.remove("Termination");
        Some(m)
    }

    /// A side resigns. Does nothing if the game is over.
    pub fn resign(&mut self, color: Color) -> Outcome {
        self.finish(Outcome::Win(!color, WinReason::Resignation))
    }

    /// A side forfeits: it has left or broken the rules.
    pub fn forfeit(&mut self, color: Color) -> Outcome {
        self.finish(Outcome::Win(!color, WinReason::Forfeit))
    }

    /// The players agree to a draw.
    pub fn agree_to_draw(&mut self) -> Outcome {
        self.finish(Outcome::Draw(DrawReason::Agreement))
    }

    /// The side to move claims a draw by repetition or the fifty-move rule, if possible.
    pub fn claim_draw(&mut self) -> Option<Outcome> {
        if self.outcome.is_some() {
            return None;
        }
        let reason = self.line().claimable_draw()?;
        Some(self.finish(Outcome::Draw(reason)))
    }

    /// A side's time is up: it loses, unless the other side can't mate.
    pub fn flag(&mut self, color: Color) -> Outcome {
        self.finish(on_time(&self.position(), color))
    }

    /// Ends the game, unless it is already over.
    pub(crate) fn finish(&mut self, outcome: Outcome) -> Outcome {
        if let Some(known) = self.outcome {
            return known;
        }
        self.outcome = Some(outcome);
        self.result = outcome.into();
        self.tags.set(
            "Termination",
            match outcome {
                Outcome::Win(_, WinReason::Time)
                | Outcome::Draw(DrawReason::TimeWithoutMatingMaterial) => "time forfeit",
                Outcome::Win(_, WinReason::Forfeit) => "abandoned",
                _ => "normal",
            },
        );
        outcome
    }
}

/// A game with the position at the end of its main line, so that playing a move takes constant
/// time.
#[derive(Debug)]
pub struct Playing<'a> {
    game: &'a mut Game,
    line: Line,
    end: NodeId,
}

impl Playing<'_> {
    /// The clocks, if the game is timed.
    pub fn clock(&self) -> Option<&Clock> {
        self.game.clock()
    }

    /// Plays a move that took `elapsed`, as [`Game::play_timed`] does.
    pub fn timed(&mut self, m: Move, elapsed: Duration) -> Result<(), PlayError> {
        if let Some(outcome) = self.game.outcome {
            return Err(PlayError::Over(outcome));
        }
        let color = self.line.position().turn();
        self.line.play(m)?;
        // After the flag has fallen, no more moves follow: the line is no longer needed.
        let left = self.press(color, elapsed)?;
        self.end = self.game.tree.add_unchecked(self.end, Step::Move(m));
        if left.is_some() {
            self.game.tree.comment_mut(self.end).clock = left;
        }
        if let Some(outcome) = self.line.outcome() {
            self.game.finish(outcome);
        }
        Ok(())
    }

    /// Presses the clock, if there is one, and returns the mover's time left.
    fn press(&mut self, color: Color, elapsed: Duration) -> Result<Option<Duration>, PlayError> {
        let Some(mut clock) = self.clock().cloned() else { return Ok(None) };
        if clock.press(elapsed).is_err() {
            return Err(PlayError::Over(self.game.flag(color)));
        }
        // PGN has millisecond precision.
        let left = clock.left(color);
        let left = Duration::new(left.as_secs(), left.subsec_millis() * 1_000_000);
        self.game.clocks.push(clock);
        Ok(Some(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> Game {
        let mut game = Game::default();
        play(&mut game, moves);
        game
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split(' ') {
            let m = game.position().parse_san(text).expect("a legal move");
            game.play(m).expect("the game goes on");
        }
    }

    #[test]
    fn a_finished_game_refuses_moves_until_one_is_taken_back() {
        let mut game = played("e4 e5 Bc4 Nc6 Qh5 Nf6");
        let e4 = game.tree.played(game.tree.next(Tree::ROOT).expect("e4")).expect("e4");
        assert_eq!(game.play(e4), Err(PlayError::Illegal(chess::IllegalMove)));
        play(&mut game, "Qxf7");
        let mate = Outcome::Win(Color::White, WinReason::Checkmate);
        assert_eq!(game.outcome(), Some(mate));
        assert_eq!(game.play(e4), Err(PlayError::Over(mate)));
        assert_eq!(game.resign(Color::White), mate);
        game.undo().expect("a move was played");
        assert_eq!((game.outcome(), game.result), (None, GameResult::Unknown));
        play(&mut game, "Qxe5");
    }

    #[test]
    fn an_undone_move_takes_its_variations_along() {
        let mut game = played("e4 e5");
        let e4 = game.tree.next(Tree::ROOT).expect("e4");
        game.tree.add_san(e4, "c5").expect("legal");
        game.undo().expect("a move was played");
        assert_eq!(game, played("e4"));
    }

    #[test]
    fn the_third_repetition_is_claimed_and_the_fifth_ends_the_game() {
        let mut game = played("Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.claim_draw(), None);
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
        let mut claimed = game.clone();
        assert_eq!(claimed.claim_draw(), Some(Outcome::Draw(DrawReason::ThreefoldRepetition)));
        let mut given_up = game.clone();
        given_up.resign(Color::Black);
        assert_eq!(given_up.claim_draw(), None);
        play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::FivefoldRepetition)));
    }

    #[test]
    fn a_game_from_a_mated_position_is_over_at_once() {
        let start = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse().expect("a legal FEN");
        let mut game = Game::new(start);
        let mate = Outcome::Win(Color::White, WinReason::Checkmate);
        assert_eq!((game.outcome(), game.result), (Some(mate), GameResult::WhiteWins));
        assert_eq!(game.resign(Color::White), mate);
    }

    #[test]
    fn a_late_move_loses_on_time_and_is_not_played() {
        let control: TimeControl = "60+1".parse().expect("a time control");
        let mut game = Game::timed(Position::default(), control);
        let e4 = game.position().parse_san("e4").expect("legal");
        game.play_timed(e4, Duration::from_secs(11)).expect("in time");
        assert_eq!(
            game.clock().map(|clock| clock.left(Color::White)),
            Some(Duration::from_secs(50))
        );
        let mut spent = game.clone();
        let e5 = game.position().parse_san("e5").expect("legal");
        spent.play_timed(e5, Duration::from_nanos(1_234_567)).expect("in time");
        assert!(spent.to_string().contains("e5 { [%clk 0:01:00.998] }"), "{spent}");
        let lost = Outcome::Win(Color::White, WinReason::Time);
        assert_eq!(game.play_timed(e5, Duration::from_secs(61)), Err(PlayError::Over(lost)));
        assert_eq!(game.line().len(), 1);
        assert!(game.to_string().contains("1. e4 { [%clk 0:00:50] } 1-0"), "{game}");
        game.undo();
        assert_eq!(
            game.clock().map(|clock| clock.left(Color::White)),
            Some(Duration::from_mins(1))
        );
    }

    #[test]
    fn moves_played_in_one_go_are_the_same_as_one_by_one() {
        let control: TimeControl = "60+1".parse().expect("a time control");
        let mut one = Game::timed(Position::default(), control.clone());
        let mut other = one.clone();
        let mut playing = other.playing();
        let moves: Vec<Move> = played("f3 e5 g4 Qh4").line().moves().collect();
        for &m in &moves {
            let thought = Duration::from_millis(1500);
            one.play_timed(m, thought).expect("in time");
            playing.timed(m, thought).expect("in time");
            assert_eq!(playing.clock(), one.clock());
        }
        let mate = Outcome::Win(Color::Black, WinReason::Checkmate);
        assert_eq!(playing.timed(moves[0], Duration::ZERO), Err(PlayError::Over(mate)));
        assert_eq!((other.outcome(), &other), (Some(mate), &one));
        let mut late = Game::timed(Position::default(), control);
        let mut playing = late.playing();
        let lost = PlayError::Over(Outcome::Win(Color::Black, WinReason::Time));
        assert_eq!(playing.timed(moves[1], Duration::ZERO), Err(chess::IllegalMove.into()));
        assert_eq!(playing.timed(moves[0], Duration::from_secs(61)), Err(lost));
        assert_eq!(playing.timed(moves[1], Duration::ZERO), Err(lost));
        assert!(late.line().is_empty());
    }

    #[test]
    fn taking_back_every_move_leads_back_to_the_start() {
        let control: TimeControl = "2/60+1:30d2".parse().expect("a time control");
        let start = Game::timed(Position::default(), control);
        let mut game = start.clone();
        let mut history = Vec::new();
        for text in ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"] {
            history.push(game.clone());
            let m = game.position().parse_san(text).expect("legal");
            game.play_timed(m, Duration::from_millis(1500)).expect("in time");
        }
        assert!(game.outcome().is_some());
        for before in history.iter().rev() {
            game.undo().expect("a move was played");
            assert_eq!(game, *before);
        }
        assert_eq!(game.undo(), None);
        assert_eq!(game, start);
    }

    #[test]
    fn the_flag_is_a_draw_when_the_other_side_cannot_mate() {
        let start = "4k3/7p/8/8/8/8/8/4K1B1 w - - 0 1".parse().expect("a legal FEN");
        let mut game = Game::new(start);
        assert_eq!(game.clone().flag(Color::White), Outcome::Win(Color::Black, WinReason::Time));
        let start = "4k3/8/8/8/8/8/7R/4K3 w - - 0 1".parse().expect("a legal FEN");
        game = Game::new(start);
        assert_eq!(game.flag(Color::White), Outcome::Draw(DrawReason::TimeWithoutMatingMaterial));
        assert_eq!(game.result, GameResult::Draw);
    }
}
