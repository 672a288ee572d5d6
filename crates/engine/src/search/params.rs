//! The numbers of the search that are tuned: name, default, range.
//!
//! People and the tuner see the same table. The unit is centipawns, plies, or 1/1024 of a ply
//! where a reduction is meant.

/// One row of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name, as in [`Params`].
    pub name: &'static str,
    /// The value unless another is set.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The numbers of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// Every number with its range.
            pub const TABLE: &[Param] = &[$(Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
            },)*];

            /// The place of a number by its name.
            fn place(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }
    };
}

params! {
    /// Share of the clock for a late move, in 1/10,000.
    time_share: 560, 200..=1200;
    /// How much less it is at the beginning of the game.
    time_saved: 440, 0..=1000;
    /// How fast that fades with the number of the move, in 1/10,000.
    time_decay: 400, 50..=1500;
    /// Share of the increment, in percent.
    time_increment: 65, 30..=100;
    /// Share of the clock that is never exceeded, in percent.
    time_hard: 60, 20..=80;
    /// Percent of the planned time that is never exceeded.
    time_most: 550, 200..=2000;
    /// Moves whose overhead is kept back, where the increment doesn't pay for it.
    time_reserve: 40, 0..=100;
    /// The same when half the clock is less than that.
    time_reserve_least: 10, 0..=50;
    /// Percent of the planned time when the best move stays the same.
    time_stable: 75, 40..=120;
    /// What is added after it has changed.
    time_unstable: 125, 0..=300;
    /// A fall of the score by this, within the search, doubles the time.
    time_fall: 100, 20..=400;
    /// A fall of the score by this, since our last move, doubles the time.
    time_fall_since: 160, 20..=800;
    /// The most that a falling score adds, in percent.
    time_fall_most: 70, 0..=200;
    /// The most that a rising score saves, in percent.
    time_rise_most: 25, 0..=60;
    /// Percent of the planned time for the share of nodes that other moves have got.
    time_effort: 190, 0..=400;
    /// Percent of the planned time when all nodes went to the best move.
    time_effort_base: 48, 10..=100;

    /// Weight of the evaluation without any material, in 1/1024.
    scale_base: 750, 512..=1024;
    /// What material adds to the weight of the evaluation, in 1/1024 for 8,192 centipawns of it.
    scale_material: 290, 0..=512;

    /// Width of the first aspiration window.
    aspiration: 14, 4..=60;
    /// How much an aspiration window grows after a failure, in percent.
    aspiration_growth: 50, 10..=200;
    /// The square of the expected score over this is added to the window.
    aspiration_mean: 12000, 2000..=60000;

    /// Depth up to which reverse futility looks.
    rfp_depth: 8, 0..=16;
    /// Margin per ply of reverse futility.
    rfp_margin: 78, 20..=200;
    /// Margin that an improving position saves.
    rfp_improving: 70, 0..=200;
    /// How much of the surplus over beta is believed, in 1/1024.
    rfp_blend: 341, 0..=1024;

    /// How much of the size of the correction is added to the margin, in 1/128.
    rfp_correction: 96, 0..=384;

    /// Depth up to which hopeless nodes drop into quiescence.
    razor_depth: 3, 0..=8;
    /// Margin of razoring at depth 1.
    razor_margin: 230, 50..=600;
    /// What each ply adds to the margin of razoring.
    razor_slope: 220, 50..=600;

    /// Least depth of the null move.
    null_depth: 3, 1..=64;
    /// Fixed part of the null move's reduction.
    null_base: 4, 1..=8;
    /// Depth that adds a ply to the reduction of the null move.
    null_divisor: 3, 2..=8;
    /// Surplus of evaluation that adds a ply to the reduction.
    null_eval: 180, 50..=600;
    /// Plies that it adds at most.
    null_eval_most: 4, 0..=8;
    /// How far above beta the static evaluation must be at depth 0.
    null_margin: 170, 0..=400;
    /// How far a ply lowers the floor of the null move.
    null_slope: 22, 0..=60;
    /// From this depth a null-move cut is verified against zugzwang.
    null_verify: 14, 4..=64;

    /// Least depth of `ProbCut`.
    probcut_depth: 7, 3..=64;
    /// How far `ProbCut` raises beta.
    probcut_margin: 190, 60..=400;
    /// How much less if the position improves.
    probcut_improving: 55, 0..=150;

    /// How far above beta a bound in the table must be to cut by itself.
    probcut_table_margin: 380, 100..=800;

    /// Least depth of internal iterative reduction.
    iir_depth: 4, 2..=64;

    /// Late move pruning: moves before quiet ones are skipped.
    lmp_base: 4, 0..=20;
    /// Depth up to which late moves are pruned.
    lmp_depth: 9, 0..=16;

    /// Depth up to which quiet moves may be futile.
    futility_depth: 6, -1..=16;
    /// Margin of futility.
    futility_margin: 110, 0..=400;
    /// What each ply adds to the margin of futility.
    futility_slope: 95, 20..=300;
    /// History that adds a centipawn to it.
    futility_history: 128, 16..=1024;
    /// Depth up to which captures may be futile.
    capture_futility_depth: 4, -1..=16;
    /// Margin of futility of captures.
    capture_futility_margin: 240, 0..=600;
    /// What each ply adds to it.
    capture_futility_slope: 220, 50..=500;
    /// History of a capture that adds a centipawn to it.
    capture_futility_history: 16, 4..=256;

    /// History below which quiet moves are skipped, per ply.
    history_pruning: 3300, 500..=10000;
    /// Depth up to which history prunes.
    history_pruning_depth: 5, -1..=10;
    /// History that adds a ply to the depth at which a move is judged.
    reduced_history: 8192, 1024..=32768;

    /// Material a quiet move may lose, per ply squared.
    see_quiet: 40, 5..=80;
    /// Material a capture may lose, per ply.
    see_capture: 150, 20..=250;
    /// History of a capture that lets it lose a centipawn more.
    see_capture_history: 32, 8..=256;
    /// Depth up to which losing moves are skipped.
    see_depth: 10, -1..=20;

    /// Least depth of singular extensions.
    singular_depth: 6, 4..=64;
    /// Margin of the singular search per ply, in sixteenths.
    singular_margin: 18, 4..=64;
    /// How much more if the node was once on the principal variation.
    singular_margin_pv: 12, 0..=64;
    /// How far below that margin for a second ply.
    singular_double: 18, 0..=100;
    /// How far below for a third ply.
    singular_triple: 90, 20..=300;
    /// How much further on the principal variation.
    singular_pv: 150, 0..=600;
    /// How much of the size of the correction makes it less, in 1/128.
    singular_correction: 64, 0..=256;

    /// Depth up to which safe checks are extended.
    check_extension_depth: 6, 0..=64;

    /// Base of the reductions of quiet moves, in 1/1024 ply.
    lmr_base: 800, -512..=2048;
    /// How much the logarithms count, in 1/1024 ply.
    lmr_scale: 440, 100..=1000;
    /// The same base for captures.
    lmr_capture_base: 0, -1024..=1024;
    /// The same scale for captures.
    lmr_capture_scale: 330, 100..=1000;
    /// More reduction where a cutoff is expected.
    lmr_cut: 1700, 0..=4096;
    /// Still more if there is no move in the table.
    lmr_no_hash: 800, 0..=3072;
    /// Less reduction near the principal variation.
    lmr_pv: 900, 0..=3072;
    /// Still less if the table's value is above alpha.
    lmr_pv_high: 500, 0..=3072;
    /// Still less if the table's value is deep enough.
    lmr_pv_deep: 600, 0..=3072;
    /// Less reduction for each centipawn by which the evaluation has risen, in 1/16.
    lmr_improvement: 40, 0..=160;
    /// Less reduction for each centipawn of the correction's size, in 1/16.
    lmr_correction: 60, 0..=300;
    /// More reduction where the evaluation falls.
    lmr_worsening: 900, 0..=3072;
    /// More reduction of quiet moves if the table's move is a capture.
    lmr_table_capture: 900, 0..=3072;
    /// Less reduction of checks.
    lmr_check: 900, 0..=3072;
    /// Less reduction of killers.
    lmr_killer: 900, 0..=3072;
    /// More reduction where the next ply fails high often.
    lmr_cutoffs: 900, 0..=3072;
    /// History that saves one ply.
    lmr_history: 11000, 2000..=30000;
    /// How much better a reduced move must be to be searched deeper.
    lmr_deeper: 45, 5..=200;
    /// What each ply adds to it.
    lmr_deeper_slope: 2, 0..=8;
    /// Reduction from which a move that made nothing better is searched a ply deeper.
    hindsight_deeper: 3, 1..=8;
    /// Reduction from which a move that made things much worse is searched a ply less.
    hindsight_shallower: 2, 1..=8;
    /// How much worse.
    hindsight_margin: 175, 20..=600;
    /// Least depth from which moves after a new best one are searched a ply less.
    raised_from: 3, 1..=64;
    /// Depth up to which they are.
    raised_to: 12, 0..=64;

    /// How far an attacked queen moves up the order of quiet moves, or down if it moves to be so.
    order_queen: 18000, 0..=40000;
    /// The same for a rook.
    order_rook: 12000, 0..=40000;
    /// The same for knights and bishops.
    order_minor: 8000, 0..=40000;
    /// How far a check moves up.
    order_check: 12000, 0..=40000;
    /// Material that such a check may lose.
    order_check_see: 75, 0..=400;
    /// Rating of a capture that lets it lose a centipawn and still come early.
    good_capture: 24, 8..=128;

    /// Quiescence: what a capture may hope for beyond its victim.
    delta_margin: 170, 50..=500;
    /// Material a move in quiescence may lose.
    quiescence_see: 30, 0..=200;

    /// History bonus per ply.
    bonus_slope: 150, 40..=400;
    /// What is taken off the bonus.
    bonus_offset: 70, -200..=400;
    /// The greatest bonus.
    bonus_cap: 1500, 400..=4000;
    /// History malus per ply.
    malus_slope: 170, 40..=500;
    /// What is taken off the malus.
    malus_offset: 70, -200..=400;
    /// The greatest malus.
    malus_cap: 1400, 400..=4000;
    /// Bonus of a quiet move for each centipawn by which the evaluation rose with it.
    judge_slope: 4, 0..=16;
    /// The greatest such bonus.
    judge_cap: 300, 0..=2000;
    /// What is added to it.
    judge_offset: 80, -400..=400;

    /// Share of a history update for the answer to the move two plies back, in 1/1024.
    continuation_two: 820, 0..=1024;
    /// The same for four plies.
    continuation_four: 640, 0..=1024;
    /// The same for six plies.
    continuation_six: 480, 0..=1024;
    /// Bonus of the opponent's last move when all of ours fail, in 1/1024 of that of a best move.
    refuted_base: 260, 0..=1024;
    /// The same for each ply of depth.
    refuted_depth: 16, 0..=64;
    /// More if it came late.
    refuted_late: 250, 0..=1024;
    /// More if we fall far below our evaluation.
    refuted_deep: 250, 0..=1024;
    /// How far.
    refuted_deep_margin: 90, 0..=400;
    /// More if we fall far below what the opponent's evaluation was.
    refuted_surprise: 250, 0..=1024;
    /// How far.
    refuted_surprise_margin: 70, 0..=400;
    /// Malus of the opponent's first move when it is refuted, in 1/1024 of that of a failed move.
    early_malus: 500, 0..=2048;

    /// Weight of the correction by pawns, in 1/1024.
    correct_pawns: 80, 0..=256;
    /// Weight of the correction by each side's pieces.
    correct_pieces: 72, 0..=256;
    /// Weight of the correction by knights and bishops.
    correct_minors: 60, 0..=256;
    /// Weight of the correction by the last move and one before it.
    correct_line: 52, 0..=256;
    /// Depth at which a difference is learnt as it is.
    correct_rate: 8, 1..=32;
    /// The most that is learnt at once.
    correct_cap: 256, 32..=1024;
}

/// A name that is not in the table, or a value outside its range.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// There is no such number.
    #[error("there is no search parameter `{0}`")]
    Unknown(String),
    /// The value makes no sense.
    #[error("{} is {value}, allowed are {} to {}", .param.name, .param.min, .param.max)]
    OutOfRange {
        /// The row of the table.
        param: Param,
        /// What was asked for.
        value: i32,
    },
}

impl Params {
    /// Changes a number by its name.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParamError> {
        let unknown = || ParamError::Unknown(name.to_owned());
        let param = *Self::TABLE.iter().find(|param| param.name == name).ok_or_else(unknown)?;
        if !(param.min..=param.max).contains(&value) {
            return Err(ParamError::OutOfRange { param, value });
        }
        *self.place(name).ok_or_else(unknown)? = value;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_can_be_set() {
        let mut params = Params::default();
        for param in Params::TABLE {
            params.set(param.name, param.default).expect("the default is allowed");
            let error = params.set(param.name, param.max + 1).expect_err("too much");
            assert!(error.to_string().contains(param.name), "{error}");
        }
        assert_eq!(params, Params::default());
        params.set("rfp_margin", 21).expect("in range");
        assert_eq!(params.rfp_margin, 21);
        assert_eq!(params.set("x", 0), Err(ParamError::Unknown("x".into())));
    }
}
