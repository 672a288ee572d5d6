//! One game of an analyst against itself.

use chess::{Line, Outcome};
use engine::{Analyst, AnalystError, Dice, Score, Stop, Verdict};
use nnue::data::{DataError, Game, PackedScore};

use super::Rules;

/// Why there is no data.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file failed.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The analyst failed.
    #[error("self-play")]
    Analyst(#[from] AnalystError),
    /// A file that the engine needs can't be read.
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

/// Plays a game, the same for the same dice if the analyst is. `None` if it was stopped.
pub fn play(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    dice: &mut Dice,
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    for _ in 0..OPENINGS {
        let Some(line) = rules.openings.walk(dice) else { continue };
        analyst.new_game()?;
        let Some(first) = think(analyst, rules, &line, stop)? else { return Ok(None) };
        if first.1.value().unsigned_abs() > rules.openings.highest_score.unsigned_abs() as u16 {
            continue;
        }
        return play_on(analyst, rules, line, first, stop);
    }
    Err(DatagenError::NoOpening)
}

/// Plays from an opening whose first search is done.
fn play_on(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    mut line: Line,
    first: (Verdict, PackedScore),
    stop: &Stop,
) -> Result<Option<Game>, DatagenError> {
    let mut scores = Vec::new();
    let mut next = Some(first);
    let (winner, ending) = loop {
        let found = match next.take() {
            Some(found) => Some(found),
            None => think(analyst, rules, &line, stop)?,
        };
        let Some((verdict, score)) = found else { return Ok(None) };
        scores.push(score.flip_for(line.position().turn()));
        line.play(verdict.best)
            .map_err(|_| DatagenError::IllegalMove(line.position().to_string()))?;
        if let Some(outcome) = line.outcome().or(line.claimable_draw().map(Outcome::Draw)) {
            break (outcome.winner(), outcome.into());
        }
        if let Some(judged) = rules.adjudication.judge(&scores, line.len()) {
            break judged;
        }
    };
    let moves = line.moves().collect();
    let game = Game::new(line.start().clone(), moves, scores, winner, ending)
        .expect("a line is legal, and each search gave a score");
    Ok(Some(game))
}

/// A move and its score for the side to move; `None` if the search was stopped.
fn think(
    analyst: &mut dyn Analyst,
    rules: &Rules,
    line: &Line,
    stop: &Stop,
) -> Result<Option<(Verdict, PackedScore)>, DatagenError> {
    if stop.is_stopped() {
        return Ok(None);
    }
    let verdict = analyst.decide(line, &rules.limits(), stop)?;
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
    use engine::{Engine, Limits, Report};

    use super::*;

    /// Says that every position is won.
    struct Optimist(Engine);

    impl Analyst for Optimist {
        fn analyse(
            &mut self,
            line: &Line,
            limits: &Limits,
            stop: &Stop,
            report: &mut dyn FnMut(Report),
        ) -> Result<Verdict, AnalystError> {
            let mut verdict = self.0.analyse(line, limits, stop, report)?;
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
    fn a_game_that_is_stopped_is_dropped() {
        let stop = Stop::new();
        stop.stop();
        let rules = Rules::with_nodes(10);
        let played = play(&mut Engine::default(), &rules, &mut Dice::new(1), &stop);
        assert!(matches!(played, Ok(None)), "{played:?}");
    }
}
