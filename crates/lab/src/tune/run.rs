//! A tuning run from start to end.

use engine::Dice;
use engine::eval::WEIGHTS;

use super::adam::Adam;
use super::counted::Counted;
use super::fit::{Target, fit_scale, loss, slope};
use super::model::{Table, rounded, table_of};
use super::{Epoch, Judged, Plan, Progress, Report, TuneError};

/// Neighbouring positions come from one game and are similar; they are held out together.
const BLOCK: usize = 512;
/// Positions between two reports while counting.
const STRIDE: u64 = 100_000;
/// Finds better weights for the hand-written evaluation.
///
/// `watch` receives progress; millions of positions take minutes.
pub fn run(
    plan: &Plan,
    positions: impl IntoIterator<Item = Judged>,
    watch: &mut dyn FnMut(Progress),
) -> Result<Report, TuneError> {
    plan.check()?;

    // Step 1. Count every position once.
    let counted = count(positions, watch);
    let (mut learnt, held_out) = split(counted.records.len(), plan.held_out);
    if learnt.is_empty() {
        return Err(TuneError::NoPositions { skipped: counted.skipped });
    }

    // Step 2. Fix the scale of scores.
    let start = table_of(&WEIGHTS);
    let scale = match plan.scale {
        Some(scale) => scale,
        None => fit_scale(&counted, &learnt, &start, plan.threads),
    };
    watch(Progress::Scale(scale));
    let target = Target { scale, score_share: plan.score_share };
    let error = |chosen: &[u32], table: &Table| loss(&counted, chosen, table, target, plan.threads);

    // Step 3. Descend. A position that agrees with a weight pulls on it with about twice the square
    // of the win probability's slope, which is a quarter of the scale in an even game.
    let strength = plan.pull * scale * scale / 8.0 / learnt.len() as f64;
    let mut table = start.clone();
    let mut epochs = vec![Epoch {
        number: 0,
        training: error(&learnt, &table),
        held_out: error(&held_out, &table),
    }];
    watch(Progress::Epoch(epochs[0]));
    let mut adam = Adam::new(table.len());
    let mut dice = Dice::new(plan.seed);
    for number in 1..=plan.epochs {
        dice.shuffle(&mut learnt);
        // The learning rate decays geometrically to a tenth.
        let done = (number - 1) as f64 / (plan.epochs.max(2) - 1) as f64;
        let step = plan.step * 0.1_f64.powf(done);
        let mut sum = 0.0;
        for batch in learnt.chunks(plan.batch) {
            let (mut gradient, loss) = slope(&counted, batch, &table, target, plan.threads);
            sum += loss * batch.len() as f64;
            pull(&mut gradient, &table, &start, strength);
            adam.descend(&mut table, &gradient, step);
        }
        let training = sum / learnt.len() as f64;
        epochs.push(Epoch { number, training, held_out: error(&held_out, &table) });
        watch(Progress::Epoch(epochs[number]));
    }

    // Step 4. Round, and measure the cost.
    let weights = rounded(&table);
    let table = table_of(&weights);
    Ok(Report {
        weights,
        learnt: learnt.len() as u64,
        held_out: held_out.len() as u64,
        skipped: counted.skipped,
        scale,
        epochs,
        rounded: error(&held_out, &table),
    })
}

fn count(positions: impl IntoIterator<Item = Judged>, watch: &mut dyn FnMut(Progress)) -> Counted {
    let mut counted = Counted::default();
    let mut seen = 0;
    for judged in positions {
        counted.push(&judged);
        seen += 1;
        if seen % STRIDE == 0 {
            watch(Progress::Counted(seen));
        }
    }
    watch(Progress::Counted(seen));
    counted
}

/// The training positions, and the held-out ones.
fn split(positions: usize, one_in: usize) -> (Vec<u32>, Vec<u32>) {
    let held_out = |index: &u32| (*index as usize / BLOCK) % one_in == one_in - 1;
    (0..positions as u32).partition(|index| !held_out(index))
}

/// Adds the gradient of the regularisation.
fn pull(gradient: &mut Table, table: &Table, start: &Table, strength: f64) {
    for ((slope, here), start) in gradient.iter_mut().zip(table).zip(start) {
        slope[0] += strength * (here[0] - start[0]);
        slope[1] += strength * (here[1] - start[1]);
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::eval::Evaluator;
    use engine::eval::layout::KNIGHT_SQUARES;

    use super::*;

    /// Positions of random games, scored by our own evaluation with one weight changed: the tuner
    /// must find out which.
    fn positions(secret: impl Fn(&Position) -> i32) -> Vec<Judged> {
        let mut dice = Dice::new(7);
        let mut list = Vec::new();
        let mut evaluator = Evaluator::by_hand();
        while list.len() < 20_000 {
            let mut position = Position::default();
            for _ in 0..60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(*dice.pick(&moves).expect("there are moves"));
                let value = evaluator.evaluate(&position);
                let white = if position.turn() == chess::Color::White { value } else { -value };
                let score = Some(white + secret(&position));
                list.push(Judged { position: position.clone(), result: 0.5, score });
            }
        }
        list
    }

    #[test]
    fn a_weight_that_is_wrong_is_found() {
        use chess::{Bitboard, Piece, Square};
        let secret = |position: &Position| {
            let on = |piece, square| (position.pieces(piece) & Bitboard::of(square)).count() as i32;
            40 * (on(Piece::WhiteKnight, Square::F3) - on(Piece::BlackKnight, Square::F6))
        };
        let plan = Plan {
            epochs: 12,
            batch: 1000,
            step: 2.0,
            score_share: 1.0,
            scale: Some(0.004),
            ..Plan::default()
        };
        let mut told = Vec::new();
        let report = run(&plan, positions(secret), &mut |progress| told.push(progress))
            .expect("there are positions");
        let index = KNIGHT_SQUARES.at(Square::F3.index());
        let gain = report.weights[index].mg() - WEIGHTS[index].mg();
        assert!((25..=55).contains(&gain), "{gain}");
        let first = report.epochs[0].held_out;
        assert!(report.rounded < first * 0.3, "{} of {first}", report.rounded);
        assert_eq!(told.iter().filter(|p| matches!(p, Progress::Epoch(_))).count(), 13);
        assert!(report.to_string().contains("KNIGHT_SQUARES[21]"));
    }

    #[test]
    fn nothing_to_learn_from_is_an_error() {
        let refused = run(&Plan::default(), [], &mut |_| {});
        assert_eq!(refused.err(), Some(TuneError::NoPositions { skipped: 0 }));
    }
}
