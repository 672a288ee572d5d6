//! Whatever follows `go`, the search gets exactly one answer.

use chess::Line;
use proptest::prelude::*;
use uci::Command;

use crate::gui::{Gui, check_best_move};

/// Each of these must be answered in spite of its error.
#[test]
fn a_search_that_cannot_be_read_is_answered_without_stop() {
    let gui = Gui::with_engine();
    for (line, told) in [
        ("go movestogo -1 wtime 200 btime 200", "`movestogo` needs a number, got `-1`"),
        ("go depth -3", "`depth` needs a number, got `-3`"),
        ("go movetime", "`movetime` needs a number of milliseconds, but the line ends there"),
        ("go wtime x btime y", "`wtime` needs a number of milliseconds, got `x`"),
        ("go perft many", "`perft` needs a number from 0 to 64, got `many`"),
    ] {
        gui.send(line);
        let lines = gui.wait_for("bestmove");
        assert_eq!(lines[0], format!("info string error: {told}"), "{line}");
        check_best_move(lines.last().expect("the answer"), &Line::default());
    }
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

#[test]
fn a_clock_that_is_not_told_has_run_down() {
    let gui = Gui::with_engine();
    for line in ["go movestogo 1", "go movestogo 0", "go winc 100", "go binc 100", "go btime 9000"]
    {
        gui.send(line);
        let lines = gui.wait_for("bestmove");
        check_best_move(lines.last().expect("the answer"), &Line::default());
    }
    assert_eq!(gui.hang_up(), Vec::<String>::new());
}

/// Words after `go`: its own, numbers in and out of range, and words that don't belong there.
fn soup() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "searchmoves",
        "ponder",
        "infinite",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movetime",
        "movestogo",
        "depth",
        "nodes",
        "mate",
        "perft",
        "go",
        "stop",
        "quit",
        "e2e4",
        "e7e8q",
        "0",
        "-1",
        "3",
        "99999999999999999999999",
        "1.5",
        "-",
    ])
    .prop_map(str::to_owned);
    let word =
        prop_oneof![8 => words, 1 => any::<i16>().prop_map(|n| n.to_string()), 1 => "\\PC{0,6}"];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// `go depth -3` and the like must be answered.
    #[test]
    fn any_words_after_go_lead_to_one_answer(soups in prop::collection::vec(soup(), 1..4)) {
        let gui = Gui::with_engine();
        for soup in &soups {
            let line = format!("go {soup}");
            gui.send_bytes(format!("{line}\nstop\n").into_bytes());
            let is_perft = matches!(line.parse(), Ok(Command::Perft(_)));
            if !is_perft {
                gui.wait_for("bestmove ");
            }
        }
        let rest = gui.hang_up();
        prop_assert!(!rest.iter().any(|told| told.starts_with("bestmove")), "{soups:?}: {rest:?}");
    }
}
