use proptest::prelude::*;

use super::*;

fn parse(line: &str) -> Command {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn error(line: &str) -> String {
    line.parse::<Command>().expect_err(line).to_string()
}

#[test]
fn every_command_is_its_own_text() {
    for line in [
        "uci",
        "debug on",
        "debug off",
        "isready",
        "setoption name Clear Hash",
        "setoption name Move Overhead value 100",
        "setoption name BookFile value /a folder/with  blanks.bin",
        "setoption name BookFile value ",
        "register later",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5 e1g1 a7a8q",
        "position fen 8/8/8/8/8/4k3/8/4K2R w K - 3 40",
        "position fen 8/8/8/8/8/4k3/8/4K2R w K - 3 40 moves e1g1",
        "go",
        "go infinite",
        "go perft 5",
        "go ponder wtime 1 btime 2 winc 3 binc 4 movetime 5 movestogo 6 depth 7 nodes 8 mate 9 \
         infinite searchmoves e2e4 d2d4",
        "stop",
        "ponderhit",
        "quit",
        "d",
        "eval",
        "bench",
        "bench 12",
    ] {
        assert_eq!(parse(line).to_string(), line);
    }
}

#[test]
fn words_that_mean_nothing_are_skipped() {
    assert_eq!(parse("joho debug on"), Command::Debug(true));
    assert_eq!(parse("\t stop \r"), Command::Stop);
    assert_eq!(parse("isready now"), Command::IsReady);
    assert_eq!(parse("go fast depth 3 please"), parse("go depth 3"));
    assert_eq!(parse("position startpos from moves e2e4"), parse("position startpos moves e2e4"));
    assert_eq!(error("noise d eval bench"), "unknown command `noise d eval bench`");
}

#[test]
fn clocks_below_zero_have_run_down_and_no_clock_is_too_long() {
    assert_eq!(parse("go wtime -250 btime -0"), parse("go wtime 0 btime 0"));
    let huge = parse(&format!("go movetime {}", "9".repeat(50)));
    assert_eq!(huge, parse(&format!("go movetime {LONGEST}")));
}

#[test]
fn moves_to_search_end_at_the_first_other_word() {
    let Command::Go(go) = parse("go searchmoves e2e4 d2d4 depth 4") else { panic!() };
    assert_eq!((go.search_moves.len(), go.depth), (2, Some(4)));
}

#[test]
fn errors_say_what_is_wrong() {
    for (line, text) in [
        ("", "the line is empty"),
        (" \t", "the line is empty"),
        ("debug", "`debug` needs on or off, but the line ends there"),
        ("debug maybe", "`debug` needs on or off, got `maybe`"),
        (
            "setoption Hash",
            "`setoption` needs `name` and the name of an option, but the line ends there",
        ),
        ("setoption name value 3", "`name` needs the name of an option, but the line ends there"),
        ("position", "`position` needs `startpos` or `fen`, but the line ends there"),
        ("position e2e4", "`position` needs `startpos` or `fen`, but the line ends there"),
        ("position fen 8/8", "invalid FEN `8/8`: a board has 8 ranks, but this one has 2"),
        ("position startpos moves e2e4 e9", "move 2, `e9`, is not a move such as e2e4 or e7e8q"),
        ("bench deep", "`bench` needs a number, got `deep`"),
    ] {
        assert_eq!(error(line), text, "{line}");
    }
}

#[test]
fn what_cannot_be_read_of_a_search_is_noted_and_left_out() {
    for (line, rest, faults) in [
        ("go depth", "go", &["`depth` needs a number, but the line ends there"][..]),
        ("go depth -1", "go", &["`depth` needs a number, got `-1`"]),
        ("go depth 5 depth x", "go depth 5", &["`depth` needs a number, got `x`"]),
        ("go wtime soon", "go", &["`wtime` needs a number of milliseconds, got `soon`"]),
        ("go wtime - binc 3", "go binc 3", &["`wtime` needs a number of milliseconds, got `-`"]),
        ("go perft 65", "go", &["`perft` needs a number from 0 to 64, got `65`"]),
        (
            "go movestogo -1 wtime 200 btime 200",
            "go wtime 200 btime 200",
            &["`movestogo` needs a number, got `-1`"],
        ),
        (
            "go nodes depth 3 mate",
            "go depth 3",
            &[
                "`nodes` needs a number, got `depth`",
                "`mate` needs a number, but the line ends there",
            ],
        ),
        (
            "go searchmoves e2e4 e2e9 d2d4 nodes 7",
            "go nodes 7 searchmoves e2e4 d2d4",
            &["`searchmoves` needs moves such as e2e4 or e7e8q, got `e2e9`"],
        ),
    ] {
        let Command::Go(mut go) = parse(line) else { panic!("{line}") };
        let noted: Vec<String> =
            std::mem::take(&mut go.faults).iter().map(ToString::to_string).collect();
        assert_eq!(
            (Command::Go(go).to_string().as_str(), noted),
            (rest, faults.iter().map(|&text| text.to_owned()).collect()),
            "{line}"
        );
    }
    let Command::Go(go) = parse(&format!("go{}", " depth".repeat(1_000))) else { panic!() };
    assert_eq!(go.faults.len(), Faults::MOST);
}

#[test]
fn a_number_that_is_too_large_is_the_largest() {
    let huge = "9".repeat(50);
    assert_eq!(parse(&format!("go depth {huge}")), parse("go depth 4294967295"));
    assert_eq!(parse(&format!("go nodes {huge}")), parse("go nodes 18446744073709551615"));
}

#[test]
fn a_long_error_is_cut_and_stays_on_one_line() {
    let text = error(&"\u{7}x".repeat(10_000));
    assert!(text.chars().count() < 100 && text.ends_with("...`"), "{text}");
    assert!(!text.contains(char::is_control), "{text}");
}

#[test]
fn an_illegal_move_is_named_with_its_number_and_place() {
    let Command::Position(moves) = parse("position startpos moves e2e4 e7e5 e1g1") else {
        panic!()
    };
    let error = moves.to_line().expect_err("castling through pieces").to_string();
    assert_eq!(
        error,
        "move 3, e1g1, is not legal in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "go",
            "position",
            "startpos",
            "fen",
            "moves",
            "e2e4",
            "e7e8q",
            "depth",
            "perft",
            "name",
            "value",
            "setoption",
            "searchmoves",
            "wtime",
            "8/8/8/8/8/4k3/8/4K3",
            "w",
            "-",
            "debug",
            "on",
            "infinite",
            "joho",
            "bench",
            "\u{a0}",
        ])
        .prop_map(str::to_owned),
        any::<i64>().prop_map(|number| number.to_string()),
        "\\PC{0,8}",
        any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(words in prop::collection::vec(word(), 0..16)) {
        let line = words.join(" ");
        match line.parse::<Command>() {
            Ok(mut command) => {
                let text = command.to_string();
                if let Command::Go(go) = &mut command {
                    // Parameters that could not be parsed are not written.
                    go.faults.clear();
                }
                prop_assert_eq!(text.parse(), Ok(command));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
