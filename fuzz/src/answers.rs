//! The output of foreign engines: nothing is trusted, and nothing makes us panic.

use chess::Position;
use engine::{Score, Wdl};
use uci::Answer;

/// Parses each line as an engine's. Reports have legal moves and bounded scores, and options accept
/// the values they declare.
pub fn uci_answer(data: &[u8]) {
    let position = Position::default();
    for line in String::from_utf8_lossy(data).lines() {
        match Answer::parse(line) {
            Answer::Info(info) => {
                let Some(report) = info.to_report(&position) else {
                    assert!(info.score.is_none(), "{line:?}");
                    continue;
                };
                let mut position = position.clone();
                for &m in &report.pv {
                    assert!(position.is_legal(m), "{line:?}");
                    position.play_unchecked(m);
                }
                assert!(report.multi_pv > 0, "{line:?}");
                let far = match report.score {
                    Score::Cp(cp) => cp,
                    Score::Mate(plies) => plies.0,
                };
                assert!(far.abs() <= 2_000_000, "{line:?}");
                let Wdl { win, draw, loss } = report.wdl;
                let sum = u32::from(win) + u32::from(draw) + u32::from(loss);
                assert_eq!(sum, 1000, "{line:?}");
            }
            Answer::Option(option) => {
                assert!(!option.name.is_empty() && !option.kind.to_string().is_empty(), "{line:?}");
                assert!(!option.accepts("two\nlines"), "{line:?}");
            }
            Answer::BestMove { best, .. } => {
                assert!(!best.contains(char::is_whitespace), "{line:?}");
            }
            Answer::Name(_)
            | Answer::Author(_)
            | Answer::UciOk
            | Answer::ReadyOk
            | Answer::Other => {}
        }
    }
}
