//! The tunable search parameters: name, default, range.
//!
//! The unit is centipawns, plies, or 1/1024 of a ply for reductions.

/// One row of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// The name, as in [`Params`].
    pub name: &'static str,
    /// The default value.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:literal, $min:literal ..= $max:literal;)*) => {
        /// The search parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// Every parameter with its range.
            pub const TABLE: &[Param] = &[$(Param {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
            },)*];

            /// A parameter by its name.
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
    /// How much smaller it is at the start of the game.
    time_saved: 440, 0..=1000;
    /// How fast that fades with the move number, in 1/10,000.
    time_decay: 400, 50..=1500;
    /// Share of the increment, in percent.
    time_increment: 65, 30..=100;
    /// Share of the clock that is never exceeded, in percent.
    time_hard: 60, 20..=80;
    /// Percent of the planned time that is never exceeded.
    time_most: 550, 200..=2000;
    /// Moves for which overhead is reserved, where the increment doesn't cover it.
    time_reserve: 40, 0..=100;
    /// The same if half the clock is less than that.
    time_reserve_least: 10, 0..=50;
    /// Percent of the planned time if the best move is stable.
    time_stable: 75, 40..=120;
    /// Percent added after it has changed.
    time_unstable: 125, 0..=300;
    /// A fall of the score by this, within the search, doubles the time.
    time_fall: 100, 20..=400;
    /// A fall of the score by this, since our last move, doubles the time.
    time_fall_since: 160, 20..=800;
    /// The maximum added by a falling score, in percent.
    time_fall_most: 70, 0..=200;
    /// The maximum saved by a rising score, in percent.
    time_rise_most: 25, 0..=60;
    /// Percent of the planned time for the share of nodes spent on other moves.
    time_effort: 190, 0..=400;
    /// Percent of the planned time if all nodes went to the best move.
    time_effort_base: 48, 10..=100;

    /// Scale of the evaluation without any material, in 1/1024.
    scale_base: 816, 512..=1024;
    /// Added to the scale of the evaluation by material, in 1/1024 per 8,192 centipawns.
    scale_material: 335, 0..=512;

    /// Half-width of the first aspiration window.
    aspiration: 18, 4..=60;
    /// Growth of the aspiration window after a failure, in percent.
    aspiration_growth: 50, 10..=200;
    /// The square of the expected score divided by this is added to the window.
    aspiration_mean: 7082, 2000..=60000;

    /// Maximum depth of reverse futility pruning.
    rfp_depth: 8, 0..=16;
    /// Margin per ply of reverse futility.
    rfp_margin: 81, 20..=200;
    /// How much smaller the margin is if improving.
    rfp_improving: 74, 0..=200;
    /// Weight of the surplus over beta in the returned value, in 1/1024.
    rfp_blend: 328, 0..=1024;

    /// How much of the correction's size is added to the margin, in 1/128.
    rfp_correction: 94, 0..=384;

    /// Maximum depth of razoring.
    razor_depth: 3, 0..=8;
    /// Margin of razoring at depth 1.
    razor_margin: 225, 50..=600;
    /// Added to the margin of razoring per ply.
    razor_slope: 255, 50..=600;

    /// Minimum depth of null-move pruning.
    null_depth: 3, 1..=64;
    /// Base of the null-move reduction.
    null_base: 4, 1..=8;
    /// Depth per additional ply of null-move reduction.
    null_divisor: 3, 2..=8;
    /// Evaluation above beta per additional ply of reduction.
    null_eval: 187, 50..=600;
    /// Maximum of those additional plies.
    null_eval_most: 4, 0..=8;
    /// How far above beta the static eval must be at depth 0.
    null_margin: 172, 0..=400;
    /// How much that decreases per ply.
    null_slope: 24, 0..=60;
    /// Minimum depth for verifying a null-move cutoff against zugzwang.
    null_verify: 14, 4..=64;

    /// Minimum depth of `ProbCut`.
    probcut_depth: 7, 3..=64;
    /// How far `ProbCut` raises beta.
    probcut_margin: 207, 60..=400;
    /// How much less if improving.
    probcut_improving: 48, 0..=150;

    /// How far above beta a table bound must be to cut by itself (small `ProbCut`).
    probcut_table_margin: 378, 100..=800;

    /// Minimum depth of internal iterative reductions (IIR).
    iir_depth: 4, 2..=64;

    /// Late move pruning: base number of moves before quiet ones are skipped.
    lmp_base: 4, 0..=20;
    /// Maximum depth of late move pruning.
    lmp_depth: 9, 0..=16;

    /// Maximum depth of futility pruning of quiet moves.
    futility_depth: 6, -1..=16;
    /// Margin of futility.
    futility_margin: 98, 0..=400;
    /// Added to the margin of futility per ply.
    futility_slope: 93, 20..=300;
    /// Stat score per centipawn added to it.
    futility_history: 102, 16..=1024;
    /// Maximum depth of futility pruning of captures.
    capture_futility_depth: 4, -1..=16;
    /// Margin of futility of captures.
    capture_futility_margin: 200, 0..=600;
    /// Added to it per ply.
    capture_futility_slope: 231, 50..=500;
    /// Capture history per centipawn added to it.
    capture_futility_history: 27, 4..=256;

    /// Stat score below which quiet moves are pruned, per ply.
    history_pruning: 3401, 500..=10000;
    /// Maximum depth of history pruning.
    history_pruning_depth: 5, -1..=10;
    /// Stat score per additional ply of the depth at which a move is judged.
    reduced_history: 8952, 1024..=32768;

    /// Material a quiet move may lose, per ply squared.
    see_quiet: 38, 5..=80;
    /// Material a capture may lose, per ply.
    see_capture: 144, 20..=250;
    /// Capture history per additional centipawn it may lose.
    see_capture_history: 26, 8..=256;
    /// Maximum depth of SEE pruning.
    see_depth: 10, -1..=20;

    /// Minimum depth of singular extensions.
    singular_depth: 6, 4..=64;
    /// Margin of the singular search per ply, in sixteenths.
    singular_margin: 19, 4..=64;
    /// How much more if the node is or was on the principal variation.
    singular_margin_pv: 11, 0..=64;
    /// How far below that margin for a double extension.
    singular_double: 20, 0..=100;
    /// How far below for a triple extension.
    singular_triple: 105, 20..=300;
    /// How much further on the principal variation.
    singular_pv: 104, 0..=600;
    /// How much of the correction's size reduces it, in 1/128.
    singular_correction: 58, 0..=256;

    /// Maximum depth of check extensions.
    check_extension_depth: 6, 0..=64;

    /// Base of the reductions of quiet moves, in 1/1024 ply.
    lmr_base: 850, -512..=2048;
    /// Factor of the logarithms, in 1/1024 ply.
    lmr_scale: 445, 100..=1000;
    /// The same base for captures.
    lmr_capture_base: 7, -1024..=1024;
    /// The same scale for captures.
    lmr_capture_scale: 286, 100..=1000;
    /// More reduction in expected cut nodes.
    lmr_cut: 2082, 0..=4096;
    /// Even more without a TT move.
    lmr_no_hash: 727, 0..=3072;
    /// Less reduction in nodes that are or were on the principal variation.
    lmr_pv: 874, 0..=3072;
    /// Even less if the table's value is above alpha.
    lmr_pv_high: 555, 0..=3072;
    /// Even less if the table's entry is deep enough.
    lmr_pv_deep: 875, 0..=3072;
    /// Less reduction per centipawn of improvement, in 1/16.
    lmr_improvement: 39, 0..=160;
    /// Less reduction per centipawn of the correction's size, in 1/16.
    lmr_correction: 69, 0..=300;
    /// More reduction if not improving.
    lmr_worsening: 877, 0..=3072;
    /// More reduction of quiet moves if the TT move is a capture.
    lmr_table_capture: 862, 0..=3072;
    /// Less reduction of checks.
    lmr_check: 758, 0..=3072;
    /// Less reduction of killers.
    lmr_killer: 785, 0..=3072;
    /// More reduction if the next ply fails high often (cutoff count).
    lmr_cutoffs: 792, 0..=3072;
    /// Stat score per ply of reduction less.
    lmr_history: 12235, 2000..=30000;
    /// How much better a reduced move must be to be re-searched deeper.
    lmr_deeper: 35, 5..=200;
    /// Added to it per ply.
    lmr_deeper_slope: 2, 0..=8;
    /// Hindsight: minimum reduction for a ply more after a move that made nothing better.
    hindsight_deeper: 3, 1..=8;
    /// Hindsight: minimum reduction for a ply less after a move that made things much worse.
    hindsight_shallower: 2, 1..=8;
    /// How much worse.
    hindsight_margin: 179, 20..=600;
    /// Minimum depth at which moves after a new best one are searched a ply less deep.
    raised_from: 3, 1..=64;
    /// Maximum depth at which they are.
    raised_to: 12, 0..=64;

    /// Bonus in the move order for moving an attacked queen, malus for moving it to an attacked
    /// square.
    order_queen: 19438, 0..=40000;
    /// The same for a rook.
    order_rook: 11616, 0..=40000;
    /// The same for knights and bishops.
    order_minor: 9568, 0..=40000;
    /// How far a check moves up in the order.
    order_check: 11755, 0..=40000;
    /// Material that such a check may lose.
    order_check_see: 70, 0..=400;
    /// Rating per centipawn that a capture may lose and still count as good.
    good_capture: 34, 8..=128;

    /// Delta pruning in quiescence: margin beyond the captured piece.
    delta_margin: 183, 50..=500;
    /// Material a move in quiescence may lose.
    quiescence_see: 31, 0..=200;

    /// History bonus per ply.
    bonus_slope: 159, 40..=400;
    /// Subtracted from the bonus.
    bonus_offset: 27, -200..=400;
    /// The maximum bonus.
    bonus_cap: 1417, 400..=4000;
    /// History malus per ply.
    malus_slope: 196, 40..=500;
    /// Subtracted from the malus.
    malus_offset: 47, -200..=400;
    /// The maximum malus.
    malus_cap: 1337, 400..=4000;
    /// Bonus of a quiet move per centipawn of static eval difference.
    judge_slope: 4, 0..=16;
    /// The maximum of that bonus.
    judge_cap: 353, 0..=2000;
    /// Added to it.
    judge_offset: 101, -400..=400;

    /// Share of a history update for the reply to the move two plies back, in 1/1024.
    continuation_two: 826, 0..=1024;
    /// The same for four plies.
    continuation_four: 685, 0..=1024;
    /// The same for six plies.
    continuation_six: 504, 0..=1024;
    /// Bonus of the opponent's last move if all of ours fail low, in 1/1024 of that of a best move.
    refuted_base: 352, 0..=1024;
    /// The same per ply of depth.
    refuted_depth: 16, 0..=64;
    /// More if it was searched late.
    refuted_late: 195, 0..=1024;
    /// More if we fall far below our static eval.
    refuted_deep: 291, 0..=1024;
    /// How far.
    refuted_deep_margin: 86, 0..=400;
    /// More if we fall far below the opponent's static eval.
    refuted_surprise: 282, 0..=1024;
    /// How far.
    refuted_surprise_margin: 41, 0..=400;
    /// Malus of the opponent's first move if it is refuted, in 1/1024 of that of a failed move.
    early_malus: 547, 0..=2048;

    /// Weight of the correction by pawns, in 1/1024.
    correct_pawns: 70, 0..=256;
    /// Weight of the correction by each side's pieces.
    correct_pieces: 87, 0..=256;
    /// Weight of the correction by knights and bishops.
    correct_minors: 57, 0..=256;
    /// Weight of the correction by the last move and one before it.
    correct_line: 63, 0..=256;
    /// Depth at which a difference is learnt in full.
    correct_rate: 8, 1..=32;
    /// The maximum that is learnt at once.
    correct_cap: 313, 32..=1024;
}

/// An unknown name, or a value out of range.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// Unknown parameter.
    #[error("unknown search parameter `{0}`")]
    Unknown(String),
    /// The value is out of range.
    #[error("invalid value {value} for {}: allowed are {} to {}", .param.name, .param.min, .param.max)]
    OutOfRange {
        /// The parameter.
        param: Param,
        /// The requested value.
        value: i32,
    },
}

impl Params {
    /// Sets a parameter by its name.
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
