//! One self-play game, and sometimes another that branches from it.

use std::io;
use std::path::PathBuf;

use chess::Outcome;
use engine::{Analyst, AnalystError, Dice, Question, Score, Stop, Verdict};
use nnue::data::{DataError, Game, PackedScore, ply};

use super::GamePlan;
use crate::net_file::NetFileError;

/// Why self-play failed.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file of games can't be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: DataError,
    },
    /// The network can't be used.
    #[error(transparent)]
    Net(#[from] NetFileError),
    /// The system can't start a thread.
    #[error("can't start a thread")]
    Thread(#[source] io::Error),
    /// The analyst failed.
    #[error("self-play")]
    Analyst(#[from] AnalystError),
    /// The engine can't use its settings.
    #[error("{0}")]
    Engine(String),
    /// The analyst gave no score.
    #[error("self-play: the engine gives no score")]
    NoScore,
    /// The analyst made an illegal move.
    #[error("self-play: the engine played an illegal move in {0}")]
    IllegalMove(String),
    /// Every random opening has a decisive score.
    #[error("self-play: no balanced opening in {OPENINGS} attempts")]
    NoOpening,
}

/// Openings to try before giving up.
const OPENINGS: usize = 1000;

/// Branches to try: most positions have one, but not a lost endgame.
const BRANCHES: usize = 4;

/// Plays a game, and sometimes another that branches from it. Deterministic for the same dice if
/// the analyst is. Empty if stopped; a branch that was stopped is left out.
pub fn play_family(
    analyst: &mut dyn Analyst,
    plan: &GamePlan,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Vec<Game>, DatagenError> {
    let Some(game) = play(analyst, plan, dice, stop)? else { return Ok(Vec::new()) };
    let mut family = vec![game];
    if dice.below(1000) < u64::from(plan.branches.per_mille) {
        family.extend(play_branch(analyst, plan, &family[0], dice, stop)?);
    }
    Ok(family)
}

/// Plays a game, deterministic for the same dice if the analyst is. `None` if stopped.
pub fn play(
    analyst: &mut dyn Analyst,
    plan: &GamePlan,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    for _ in 0..OPENINGS {
        let Some(line) = plan.openings.walk(dice) else { continue };
        let question = Question::new(line).limits(plan.limits());
        let Some(first) = first_search(analyst, &question, stop)? else { return Ok(None) };
        if is_within(&first, plan.openings.highest_score) {
            return play_on(analyst, plan, question, first, dice, stop);
        }
    }
    Err(DatagenError::NoOpening)
}

/// Plays a game that branches from another. `None` if there is no suitable branch, or if stopped.
fn play_branch(
    analyst: &mut dyn Analyst,
    plan: &GamePlan,
    game: &Game,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    for _ in 0..BRANCHES {
        let Some(line) = plan.branches.walk(game, dice) else { continue };
        let question = Question::new(line).limits(plan.limits());
        let Some(first) = first_search(analyst, &question, stop)? else { return Ok(None) };
        if is_within(&first, plan.branches.highest_score) {
            return play_on(analyst, plan, question, first, dice, stop);
        }
    }
    Ok(None)
}

/// Starts a new game and searches its opening.
fn first_search(
    analyst: &mut dyn Analyst,
    question: &Question,
    stop: &Stop,
) -> Result<Option<(Verdict, PackedScore)>, DatagenError> {
    analyst.new_game()?;
    think(analyst, question, stop)
}

/// Whether the first search found a score within bounds.
fn is_within(first: &(Verdict, PackedScore), highest: i32) -> bool {
    u32::from(first.1.value().unsigned_abs()) <= highest.unsigned_abs()
}

/// Plays from an opening whose first search is done.
fn play_on(
    analyst: &mut dyn Analyst,
    plan: &GamePlan,
    mut question: Question,
    first: (Verdict, PackedScore),
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    // How to convert a win is worth learning, too.
    let adjudication = if dice.below(1000) < u64::from(plan.played_out_per_mille) {
        plan.adjudication.without_wins()
    } else {
        plan.adjudication
    };
    let mut scores = Vec::new();
    let mut next = Some(first);
    let (winner, ending) = loop {
        let found = match next.take() {
            Some(found) => Some(found),
            None => think(analyst, &question, stop)?,
        };
        let Some((verdict, score)) = found else { return Ok(None) };
        let line = &mut question.line;
        scores.push(score.flip_for(line.position().turn()));
        line.play(verdict.best)
            .map_err(|_| DatagenError::IllegalMove(line.position().to_string()))?;
        if let Some(outcome) = line.outcome().or(line.claimable_draw().map(Outcome::Draw)) {
            break (outcome.winner(), outcome.into());
        }
        let ply = usize::from(ply(line.position()));
        if let Some(judged) = adjudication.judge(&scores, ply, line.len()) {
            break judged;
        }
    };
    let line = question.line;
    let moves = line.moves().collect();
    let game = Game::new(line.start().clone(), moves, scores, winner, ending)
        .expect("a line is legal, and each search gave a score");
    Ok(Some(game))
}

/// A move and its score for the side to move; `None` if the search was stopped.
fn think(
    analyst: &mut dyn Analyst,
    question: &Question,
    stop: &Stop,
) -> Result<Option<(Verdict, PackedScore)>, DatagenError> {
    if stop.is_stopped() {
        return Ok(None);
    }
    let verdict = analyst.decide(question, stop)?;
    // The score of an interrupted search is not reliable.
    if stop.is_stopped() {
        return Ok(None);
    }
    let score = match verdict.score().ok_or(DatagenError::NoScore)? {
        Score::Cp(cp) => PackedScore::cp(cp),
        Score::Mate(plies) => PackedScore::mate(plies.0),
    };
    Ok(Some((verdict, score)))
}

#[cfg(test)]
mod tests {
    use engine::{Engine, Report};
    use nnue::data::Ending;

    use super::*;

    /// Reports that every position is won.
    struct Optimist(Engine);

    impl Analyst for Optimist {
        fn analyse(
            &mut self,
            question: &Question,
            stop: &Stop,
            report: &mut dyn FnMut(Report),
        ) -> Result<Verdict, AnalystError> {
            let mut verdict = self.0.analyse(question, stop, report)?;
            verdict.lines[0].score = Score::Cp(900);
            Ok(verdict)
        }

        fn new_game(&mut self) -> Result<(), AnalystError> {
            self.0.new_game()
        }
    }

    #[test]
    fn a_game_is_sound_and_repeats() {
        let plan = GamePlan::with_nodes(50);
        for seed in 0..4 {
            let game = || play(&mut Engine::default(), &plan, &mut Dice::new(seed), &Stop::new());
            let first = game().expect("the engine plays").expect("nobody stops it");
            assert_eq!(game().expect("again").as_ref(), Some(&first));
            assert!([8, 9].contains(&first.opening()));
            assert!(first.moves().len() <= 400);
            assert!(first.scores()[0].value().unsigned_abs() <= 400);
        }
    }

    #[test]
    fn openings_that_are_lost_are_not_played() {
        let plan = GamePlan::with_nodes(10);
        let mut optimist = Optimist(Engine::default());
        let played = play(&mut optimist, &plan, &mut Dice::new(1), &Stop::new());
        assert!(matches!(played, Err(DatagenError::NoOpening)), "{played:?}");
    }

    #[test]
    fn a_branch_starts_from_a_position_of_the_game() {
        let mut plan = GamePlan::with_nodes(50);
        plan.branches.per_mille = 1000;
        let mut branches = 0;
        for seed in 0..4 {
            let (stop, mut dice) = (Stop::new(), Dice::new(seed));
            let family = play_family(&mut Engine::default(), &plan, &mut dice, &stop);
            let family = family.expect("the engine plays");
            let Some(branch) = family.get(1) else { continue };
            let mut position = family[0].start().clone();
            let mut moves = family[0].moves().iter().enumerate();
            let from = moves.find(|&(_, &m)| {
                let found = position == *branch.start();
                position.play_unchecked(m);
                found
            });
            assert!(from.expect("a position of the game").0 >= family[0].opening());
            assert!([1, 2].contains(&branch.opening()));
            assert!(branch.scores()[0].value().unsigned_abs() <= 1000);
            branches += 1;
        }
        assert!(branches > 0);
    }

    #[test]
    fn some_games_are_played_out() {
        let mut plan = GamePlan::with_nodes(200);
        let adjudicated = |plan: &GamePlan| {
            (0..6).any(|seed| {
                let game = play(&mut Engine::default(), plan, &mut Dice::new(seed), &Stop::new());
                let game = game.expect("the engine plays").expect("nobody stops it");
                game.ending() == Ending::WinAdjudicated
            })
        };
        plan.played_out_per_mille = 0;
        assert!(adjudicated(&plan));
        plan.played_out_per_mille = 1000;
        assert!(!adjudicated(&plan));
    }

    #[test]
    fn a_game_that_is_stopped_is_dropped() {
        let stop = Stop::new();
        stop.stop();
        let plan = GamePlan::with_nodes(10);
        let played = play(&mut Engine::default(), &plan, &mut Dice::new(1), &stop);
        assert!(matches!(played, Ok(None)), "{played:?}");
    }
}
