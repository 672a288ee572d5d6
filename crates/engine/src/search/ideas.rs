//! The ideas of the search that can be switched off one by one, to see what each is good for.

use super::params::Params;

/// An idea that prunes, reduces or extends.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Idea {
    /// Trusting an evaluation far above beta.
    ReverseFutility,
    /// Dropping into quiescence far below alpha.
    Razoring,
    /// Passing, to see whether a real move is needed at all.
    NullMove,
    /// Cutting by a capture that reaches a raised beta at low depth.
    ProbCut,
    /// Searching nodes without a TT move less deep (IIR).
    InternalReductions,
    /// Skipping late quiet moves (LMP).
    LateMovePruning,
    /// Skipping quiet moves that can't lift the evaluation to alpha.
    Futility,
    /// Skipping captures that can't.
    CaptureFutility,
    /// Skipping quiet moves that have failed too often.
    HistoryPruning,
    /// Skipping moves that lose material in exchanges (SEE).
    ExchangePruning,
    /// Searching late moves less deep (LMR).
    LateMoveReductions,
    /// Searching the only good move deeper.
    SingularExtensions,
    /// Searching checks deeper.
    CheckExtensions,
    /// Skipping captures in quiescence that can't lift the evaluation to alpha.
    DeltaPruning,
    /// Correcting evaluations by what searches of similar positions have found.
    CorrectionHistory,
}

chess::names! {
    Idea {
        ReverseFutility = "reverse_futility",
        Razoring = "razoring",
        NullMove = "null_move",
        ProbCut = "probcut",
        InternalReductions = "internal_reductions",
        LateMovePruning = "late_move_pruning",
        Futility = "futility",
        CaptureFutility = "capture_futility",
        HistoryPruning = "history_pruning",
        ExchangePruning = "exchange_pruning",
        LateMoveReductions = "late_move_reductions",
        SingularExtensions = "singular_extensions",
        CheckExtensions = "check_extensions",
        DeltaPruning = "delta_pruning",
        CorrectionHistory = "correction_history",
    }
}

impl Idea {
    /// Ideas that trust the evaluation, which knows nothing of mates: the way to one often leads
    /// through positions that look lost. A search for a mate does without them.
    const BLIND_TO_MATES: [Self; 6] = [
        Self::ReverseFutility,
        Self::Razoring,
        Self::NullMove,
        Self::ProbCut,
        Self::Futility,
        Self::CaptureFutility,
    ];
}

/// Deeper than any search.
const NEVER: i32 = 1_000;
/// More than any evaluation.
const FAR: i32 = 1_000_000;

impl Params {
    /// The same parameters without some ideas. They are switched off by depths and margins that no
    /// search reaches, so the switches cost nothing.
    #[must_use]
    pub fn without(&self, ideas: &[Idea]) -> Self {
        let mut params = self.clone();
        for idea in ideas {
            params.switch_off(*idea);
        }
        params
    }

    /// The parameters of a search for a mate: without what trusts the evaluation, and with an
    /// extension of every safe check, unless those are switched off.
    pub(crate) fn for_mates(&self) -> Self {
        let mut params = self.without(&Idea::BLIND_TO_MATES);
        if params.check_extension_depth >= 0 {
            params.check_extension_depth = NEVER;
        }
        params
    }

    const fn switch_off(&mut self, idea: Idea) {
        match idea {
            Idea::ReverseFutility => self.rfp_depth = -1,
            Idea::Razoring => self.razor_depth = -1,
            Idea::NullMove => self.null_depth = NEVER,
            Idea::ProbCut => {
                self.probcut_depth = NEVER;
                self.probcut_table_margin = FAR;
            }
            Idea::InternalReductions => self.iir_depth = NEVER,
            Idea::LateMovePruning => self.lmp_depth = -1,
            Idea::Futility => self.futility_depth = -1,
            Idea::CaptureFutility => self.capture_futility_depth = -1,
            Idea::HistoryPruning => self.history_pruning_depth = -1,
            Idea::ExchangePruning => self.see_depth = -1,
            Idea::LateMoveReductions => {
                self.lmr_base = -FAR;
                self.lmr_capture_base = -FAR;
            }
            Idea::SingularExtensions => self.singular_depth = NEVER,
            Idea::CheckExtensions => self.check_extension_depth = -1,
            Idea::DeltaPruning => self.delta_margin = FAR,
            Idea::CorrectionHistory => {
                self.correct_pawns = 0;
                self.correct_pieces = 0;
                self.correct_minors = 0;
                self.correct_line = 0;
            }
        }
    }
}

#[cfg(all(test, feature = "embedded-net"))]
mod tests {
    use chess::Line;

    use super::*;
    use crate::{Analyst, Engine, Limits, Options, Question, Report, Stop};

    const POSITIONS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "2r3k1/1q1nbppp/r3p3/3pP3/pPpP4/P1Q2N2/2RN1PPP/2R4K b - - 0 23",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    /// Nodes of a search to some depth.
    fn nodes(fen: &str, ideas: &[Idea]) -> u64 {
        let options = Options { hash: 4, switched_off: ideas.to_vec(), ..Options::default() };
        let line = Line::new(fen.parse().expect("a legal position"));
        let question = Question::new(line).limits(Limits::depth(11));
        let mut nodes = 0;
        let mut report = |report: Report| nodes = report.nodes;
        Engine::new(options).analyse(&question, &Stop::new(), &mut report).expect("a move");
        nodes
    }

    #[test]
    fn every_idea_makes_a_difference() {
        let all = POSITIONS.map(|fen| nodes(fen, &[]));
        for idea in Idea::ALL {
            // Not in each position: what is pruned may be what would have been searched last.
            let mut positions = POSITIONS.into_iter().zip(all);
            assert!(positions.any(|(fen, all)| nodes(fen, &[idea]) != all), "{idea}");
        }
        let slow = nodes(POSITIONS[0], &[Idea::NullMove, Idea::LateMoveReductions]);
        assert!(slow > 2 * all[0]);
    }

    #[test]
    fn a_search_for_a_mate_does_not_trust_the_evaluation() {
        let line = Line::new(POSITIONS[2].parse().expect("a legal position"));
        let nodes = |engine: &mut Engine, mate| {
            let limits = Limits { mate, ..Limits::depth(9) };
            let question = Question::new(line.clone()).limits(limits);
            let mut nodes = 0;
            let mut report = |report: Report| nodes = report.nodes;
            engine.analyse(&question, &Stop::new(), &mut report).expect("a move");
            nodes
        };
        let engine =
            |switched_off| Engine::new(Options { hash: 4, switched_off, ..Options::default() });
        // So many moves are no limit.
        let moves = Some(u32::MAX);
        let no_checks = vec![Idea::CheckExtensions];
        let found = nodes(&mut engine(no_checks.clone()), moves);
        assert_eq!(
            found,
            nodes(&mut engine([&no_checks[..], &Idea::BLIND_TO_MATES].concat()), None)
        );
        assert_ne!(found, nodes(&mut engine(no_checks), None));
        assert_ne!(found, nodes(&mut engine(Vec::new()), moves));
    }

    #[test]
    fn a_search_for_a_mate_looks_no_further() {
        let line = Line::new(POSITIONS[2].parse().expect("a legal position"));
        let question = |mate| {
            let limits = Limits { mate, ..Limits::depth(12) };
            Question::new(line.clone()).limits(limits)
        };
        let mut deepest = 0;
        let mut report = |report: Report| deepest = deepest.max(report.selective_depth);
        let mut engine = Engine::new(Options { hash: 4, ..Options::default() });
        engine.analyse(&question(Some(3)), &Stop::new(), &mut report).expect("a move");
        assert!(deepest <= 8, "{deepest}");
    }

    #[test]
    fn options_can_be_switched_back() {
        let options = Options { hash: 4, switched_off: Idea::ALL.to_vec(), ..Options::default() };
        let mut engine = Engine::new(options.clone());
        engine.set_options(Options { switched_off: Vec::new(), ..options });
        assert_eq!(engine.effective, Params::default());
    }
}
