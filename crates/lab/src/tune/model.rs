//! The evaluation with floating-point weights, and its gradient.

use engine::eval::{
    COUNT, Count, DANGER_SHARE, DANGER_SQUARE, FULL_PHASE, FULL_SCALE, HOPELESS, MOST_DANGER,
    Weights,
};

use super::counted::{Counts, Record};

/// Middlegame and endgame values of all weights, or the gradient for them.
pub type Table = Vec<[f64; 2]>;

/// Weights as floating-point numbers.
pub fn table_of(weights: &Weights) -> Table {
    weights.iter().map(|weight| [f64::from(weight.mg()), f64::from(weight.eg())]).collect()
}

/// Rounds to the weights that the evaluation uses.
pub fn rounded(table: &Table) -> Weights {
    std::array::from_fn::<_, COUNT, _>(|index| {
        let [mg, eg] = table[index];
        engine::eval::Tapered::new(mg.round() as i32, eg.round() as i32)
    })
}

/// A value, with what its gradient needs.
#[derive(Copy, Clone, Debug)]
pub struct Forward {
    /// Centipawns for White.
    pub value: f64,
    /// The danger to each king, middlegame and endgame.
    dangers: [[f64; 2]; 2],
    /// Who is ahead in the endgame: 1 for White, 0 or -1.
    ahead: f64,
    /// Whether the endgame value depends on its terms, or complexity has reduced it to zero.
    alive: bool,
}

fn sum(counts: &[Count], table: &Table) -> [f64; 2] {
    let mut total = [0.0; 2];
    for count in counts {
        let [mg, eg] = table[usize::from(count.index)];
        total[0] += mg * f64::from(count.times);
        total[1] += eg * f64::from(count.times);
    }
    total
}

/// The factors of the middlegame and endgame values.
fn shares(record: &Record, ahead: f64) -> [f64; 2] {
    let full = f64::from(FULL_PHASE);
    let phase = f64::from(record.phase);
    let scale = record.scales[usize::from(ahead < 0.0)];
    let share = f64::from(scale) / f64::from(FULL_SCALE);
    let hopeless = i32::from(scale) <= HOPELESS && ahead != 0.0;
    [phase / full * if hopeless { share } else { 1.0 }, (full - phase) / full * share]
}

/// The value of a position with these weights.
pub fn forward(record: &Record, counts: &Counts, table: &Table) -> Forward {
    let [mut mg, mut eg] = sum(counts.linear, table);
    let most = f64::from(MOST_DANGER);
    let dangers = counts.dangers.map(|danger| sum(danger, table).map(|d| d.clamp(0.0, most)));
    for (danger, sign) in dangers.iter().zip([1.0, -1.0]) {
        mg -= sign * danger[0] * danger[0] / f64::from(DANGER_SQUARE);
        eg -= sign * danger[1] / f64::from(DANGER_SHARE);
    }
    let ahead = if eg > 0.0 {
        1.0
    } else if eg < 0.0 {
        -1.0
    } else {
        0.0
    };
    let complexity = sum(counts.complexity, table)[1];
    let alive = complexity > -eg.abs();
    let eg = eg + ahead * complexity.max(-eg.abs());
    let shares = shares(record, ahead);
    Forward { value: mg * shares[0] + eg * shares[1], dangers, ahead, alive }
}

/// Adds the gradient of `slope * value` for every weight.
pub fn backward(
    record: &Record,
    counts: &Counts,
    forward: &Forward,
    slope: f64,
    gradient: &mut Table,
) {
    let [mg, mut eg] = shares(record, forward.ahead).map(|share| share * slope);
    if !forward.alive {
        eg = 0.0;
    }
    for count in counts.linear {
        let times = f64::from(count.times);
        let place = &mut gradient[usize::from(count.index)];
        place[0] += mg * times;
        place[1] += eg * times;
    }
    let most = f64::from(MOST_DANGER);
    for ((counts, danger), sign) in counts.dangers.iter().zip(forward.dangers).zip([1.0, -1.0]) {
        // Where the danger is clamped at either end, the gradient is zero.
        let inside = danger.map(|d| if d > 0.0 && d < most { sign } else { 0.0 });
        let mg = -inside[0] * mg * 2.0 * danger[0] / f64::from(DANGER_SQUARE);
        let eg = -inside[1] * eg / f64::from(DANGER_SHARE);
        for count in *counts {
            let times = f64::from(count.times);
            let place = &mut gradient[usize::from(count.index)];
            place[0] += mg * times;
            place[1] += eg * times;
        }
    }
    for count in counts.complexity {
        gradient[usize::from(count.index)][1] += eg * forward.ahead * f64::from(count.times);
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::eval::{WEIGHTS, explain};

    use super::super::counted::Counted;
    use super::super::parse_line;
    use super::*;

    /// Positions of every phase, with attacks, passed pawns and unbalanced endings.
    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
        "r1bq2k1/ppp2p1p/2n3pQ/4p3/2B1n1N1/8/PPP2PPP/3R2K1 b - - 0 15",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/5pk1/4p1p1/3pP2p/1r1P3P/R4PP1/5K2/8 b - - 0 40",
        "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 w - - 0 47",
        "8/pp3k2/2p5/3p1p2/3P1P2/2P1K3/PP6/8 b - - 0 33",
    ];

    fn counted() -> Counted {
        let mut counted = Counted::default();
        for fen in POSITIONS {
            counted.push(&parse_line(&format!("{fen};1/2-1/2")).expect("a good line"));
        }
        assert_eq!(counted.records.len(), POSITIONS.len());
        counted
    }

    #[test]
    fn the_model_gives_the_value_of_the_evaluation() {
        let counted = counted();
        let table = table_of(&WEIGHTS);
        for (record, fen) in counted.records.iter().zip(POSITIONS) {
            let position: Position = fen.parse().expect("a good position");
            let value = f64::from(explain(&position).value());
            let model = forward(record, &counted.counts(record), &table).value;
            // The evaluation truncates each king's danger and the sum to integers.
            assert!((model - value).abs() < 4.0, "{fen}: {model} and {value}");
        }
    }

    #[test]
    fn the_slope_is_what_a_small_step_gives() {
        let counted = counted();
        let mut table = table_of(&WEIGHTS);
        // Away from integers, where a sum may lie on a kink.
        for (index, weight) in table.iter_mut().enumerate() {
            weight[0] += (index % 11) as f64 / 97.0;
            weight[1] += (index % 13) as f64 / 89.0;
        }
        for record in &counted.records {
            let counts = counted.counts(record);
            let here = forward(record, &counts, &table);
            let mut gradient = vec![[0.0; 2]; COUNT];
            backward(record, &counts, &here, 1.0, &mut gradient);
            for index in 0..COUNT {
                for half in 0..2 {
                    let old = table[index][half];
                    table[index][half] = old + 1e-4;
                    let there = forward(record, &counts, &table);
                    table[index][half] = old;
                    let slope = (there.value - here.value) / 1e-4;
                    assert!((slope - gradient[index][half]).abs() < 1e-3, "{index} {half}");
                }
            }
        }
    }

    #[test]
    fn rounding_keeps_whole_weights() {
        assert_eq!(rounded(&table_of(&WEIGHTS)), WEIGHTS);
    }
}
