//! One game of an analyst against itself, and perhaps one that branches from it.

use std::io;
use std::path::PathBuf;

use chess::Outcome;
use engine::{Analyst, AnalystError, Dice, Question, Score, Stop, Verdict};
use nnue::data::{DataError, Game, PackedScore, ply};

use super::Rules;
use crate::net_file::NetFileError;

/// Why there is no data.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file of games can't be read or written.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which one.
        path: PathBuf,
        /// What is wrong.
        cause: DataError,
    },
    /// The network can't be used.
    #[error(transparent)]
    Net(#[from] NetFileError),
    /// The system has no more threads.
    #[error("a thread to play in can't be started")]
    Thread(#[source] io::Error),
    /// The analyst failed.
    #[error("self-play")]
    Analyst(#[from] AnalystError),
    /// The engine can't play as it was told to.
    #[error("{0}")]
    Engine(String),
    /// The analyst moves without a score.
    #[error("self-play: the engine gives no score")]
    NoScore,
    /// The analyst makes a move that can't be played.
    #[error("self-play: the engine played an illegal move in {0}")]
    IllegalMove(String),
    /// Every random opening is judged to be lost.
    #[error("self-play: no balanced opening in {OPENINGS} tries")]
    NoOpening,
}

/// So many openings are tried before something must be wrong.
const OPENINGS: usize = 1000;

/// So many branches are tried: most positions of a game have one, but not a lost endgame.
const BRANCHES: usize = 4;

/// Plays a game, and sometimes one more that branches from it; the same for the same dice if the
/// analyst is. There is none if it was stopped, and no branch if that was.
pub fn play_family(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Vec<Game>, DatagenError> {
    let Some(game) = play(analyst, rules, dice, stop)? else { return Ok(Vec::new()) };
    let mut family = vec![game];
    if dice.below(1000) < u64::from(rules.branches.per_mille) {
        family.extend(play_branch(analyst, rules, &family[0], dice, stop)?);
    }
    Ok(family)
}

/// Plays a game, the same for the same dice if the analyst is. `None` if it was stopped.
pub fn play(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    for _ in 0..OPENINGS {
        let Some(line) = rules.openings.walk(dice) else { continue };
        let question = Question::new(line).limits(rules.limits());
        let Some(first) = first_search(analyst, &question, stop)? else { return Ok(None) };
        if is_within(&first, rules.openings.highest_score) {
            return play_on(analyst, rules, question, first, dice, stop);
        }
    }
    Err(DatagenError::NoOpening)
}

/// Plays a game that branches from another. `None` if no branch was found, or it was stopped.
fn play_branch(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    game: &Game,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    for _ in 0..BRANCHES {
        let Some(line) = rules.branches.walk(game, dice) else { continue };
        let question = Question::new(line).limits(rules.limits());
        let Some(first) = first_search(analyst, &question, stop)? else { return Ok(None) };
        if is_within(&first, rules.branches.highest_score) {
            return play_on(analyst, rules, question, first, dice, stop);
        }
    }
    Ok(None)
}

/// Forgets the game before, and searches an opening.
fn first_search(
    analyst: &mut dyn Analyst,
    question: &Question,
    stop: &Stop,
) -> Result<Option<(Verdict, PackedScore)>, DatagenError> {
    analyst.new_game()?;
    think(analyst, question, stop)
}

/// Whether a first search leaves both sides a chance.
fn is_within(first: &(Verdict, PackedScore), highest: i32) -> bool {
    u32::from(first.1.value().unsigned_abs()) <= highest.unsigned_abs()
}

/// Plays from an opening whose first search is done.
fn play_on(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    mut question: Question,
    first: (Verdict, PackedScore),
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    // How a win is brought home is worth learning too.
    let adjudication = if dice.below(1000) < u64::from(rules.played_out_per_mille) {
        rules.adjudication.without_wins()
    } else {
        rules.adjudication
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
    // What a search says that was cut short is not what it would have said.
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

    /// Says that every position is won.
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
        let rules = Rules::with_nodes(50);
        for seed in 0..4 {
            let game = || play(&mut Engine::default(), &rules, &mut Dice::new(seed), &Stop::new());
            let first = game().expect("the engine plays").expect("nobody stops it");
            assert_eq!(game().expect("again").as_ref(), Some(&first));
            assert!([8, 9].contains(&first.opening()));
            assert!(first.moves().len() <= 400);
            assert!(first.scores()[0].value().unsigned_abs() <= 400);
        }
    }

    #[test]
    fn openings_that_are_lost_are_not_played() {
        let rules = Rules::with_nodes(10);
        let mut optimist = Optimist(Engine::default());
        let played = play(&mut optimist, &rules, &mut Dice::new(1), &Stop::new());
        assert!(matches!(played, Err(DatagenError::NoOpening)), "{played:?}");
    }

    #[test]
    fn a_branch_starts_from_a_position_of_the_game() {
        let mut rules = Rules::with_nodes(50);
        rules.branches.per_mille = 1000;
        let mut branches = 0;
        for seed in 0..4 {
            let (stop, mut dice) = (Stop::new(), Dice::new(seed));
            let family = play_family(&mut Engine::default(), &rules, &mut dice, &stop);
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
        let mut rules = Rules::with_nodes(200);
        let ending = |rules: &Rules| {
            let game = play(&mut Engine::default(), rules, &mut Dice::new(3), &Stop::new());
            game.expect("the engine plays").expect("nobody stops it").ending()
        };
        rules.played_out_per_mille = 0;
        let adjudicated = ending(&rules);
        rules.played_out_per_mille = 1000;
        assert_eq!(adjudicated, Ending::WinAdjudicated);
        assert_ne!(ending(&rules), Ending::WinAdjudicated);
    }

    #[test]
    fn a_game_that_is_stopped_is_dropped() {
        let stop = Stop::new();
        stop.stop();
        let rules = Rules::with_nodes(10);
        let played = play(&mut Engine::default(), &rules, &mut Dice::new(1), &stop);
        assert!(matches!(played, Ok(None)), "{played:?}");
    }
}
