//! Damaged games are kept as far as possible, and the rest is reported.

use chess::{Color, MoveNumber, SanError};
use game::pgn::PgnError;
use game::{GameResult, Tree};

use crate::{comment, games, kept, line, lines, lost, movetext, one, read};

fn illegal(number: u32, black: bool, text: &str, reason: SanError) -> PgnError {
    let color = if black { Color::Black } else { Color::White };
    PgnError::Move { number: MoveNumber { number, color }, text: text.into(), reason }
}

#[test]
fn a_move_that_cannot_be_played_ends_the_main_line_and_the_rest_is_a_comment() {
    for (moves, error, line, rest) in [
        (
            "1. e4 e5\n2. Ke3 Nf6 {x} 3. d4 1-0",
            illegal(2, false, "Ke3", SanError::Illegal),
            "e4 e5",
            "2. Ke3 Nf6 (x) 3. d4",
        ),
        ("1. e4\ne4 2. d4 1-0", illegal(1, true, "e4", SanError::Illegal), "e4", "e4 2. d4"),
        (
            "1. e4 {)} e5\nNothing ( 1-0",
            illegal(2, false, "Nothing", SanError::Unreadable),
            "e4 e5",
            "Nothing ( 1-0",
        ),
        (
            "1. e4 e5 2. d4 d5 3. Nf3 Nc6\n4. Nd2 1-0",
            illegal(4, false, "Nd2", SanError::Ambiguous),
            "e4 e5 d4 d5 Nf3 Nc6",
            "4. Nd2",
        ),
        ("1. e4 e5\n2. O-O 1-0", illegal(2, false, "O-O", SanError::Illegal), "e4 e5", "2. O-O"),
        (
            "1. e4\n1... Sf6 2. e5 (2. d4 *) Sd5 1-0",
            illegal(1, true, "Sf6", SanError::Unreadable),
            "e4",
            "1... Sf6 2. e5 (2. d4 *) Sd5",
        ),
        (
            "1. e4 e5 2. Nf3\nWhite resigns 1-0",
            illegal(2, true, "White", SanError::Unreadable),
            "e4 e5 Nf3",
            "White resigns",
        ),
        ("\n1. Ke4 e5 1-0", illegal(1, false, "Ke4", SanError::Illegal), "", "1. Ke4 e5"),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n[Result \"1-0\"]\n{moves}"));
        assert_eq!(remarks, [(4, error)], "{moves}");
        assert_eq!(crate::line(&game), line);
        assert_eq!(comment(&game, line.split_whitespace().count()), rest);
        assert_eq!(game.result, GameResult::WhiteWins);
    }
}

#[test]
fn a_move_that_cannot_be_played_costs_only_the_rest_of_its_variation() {
    for (moves, written) in [
        (
            "1. e4 (1. d4\nd4 2. c4 (2. c3) {x}) e5",
            "1. e4 (1. d4 { d4 2. c4 (2. c3) (x) }) 1... e5 *",
        ),
        (
            "1. e4 f5 (1... e5 2. Qh5 d6\n3. Qxe8) 2. exf5",
            "1. e4 f5 (1... e5 2. Qh5 d6 { 3. Qxe8 }) 2. exf5 *",
        ),
        (
            "1. e4 f5 (1... f6 2. Qh5+\n-- 3. Qxe8) 2. exf5",
            "1. e4 f5 (1... f6 2. Qh5+ { -- 3. Qxe8 }) 2. exf5 *",
        ),
        ("1. e4 ({or}\n1. Ke2 (1. d4)) e5", "1. e4 { or 1. Ke2 (1. d4) } 1... e5 *"),
        (
            "1. e4 (1. d4 {x}\nd4 {[%clk 0:01:00]}) e5",
            "1. e4 (1. d4 { x d4 ([ %clk 0:01:00]) }) 1... e5 *",
        ),
        ("1. e4 (1. d4 d5 2. &\n2. Sf3 1-0) e5", "1. e4 (1. d4 d5 { 2. Sf3 1-0 }) 1... e5 *"),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n\n{moves} *"));
        assert_eq!(movetext(&game), written);
        assert_eq!(remarks.last().map(|(line, _)| *line), Some(4), "{moves}: {remarks:?}");
    }
}

#[test]
fn null_moves_end_the_game_but_not_a_variation() {
    for null in ["--", "Z0", "null", "pass", "0000", "––", "@@@@"] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n\n1. e4\n{null} 2. d4 0-1"));
        assert_eq!(remarks, [(4, PgnError::NullMove(null.into()))]);
        assert_eq!((line(&game), comment(&game, 1)), ("e4".into(), &*format!("{null} 2. d4")));
        assert_eq!(game.result, GameResult::BlackWins);
    }
    for (moves, written) in [
        (
            "1. e4 e5 (1... Z0 2. d4 pass 3. f4 (3. null d5) d6) 2. Nf3",
            "1. e4 e5 (1... -- 2. d4 -- 3. f4 (3. -- d5) 3... d6) 2. Nf3 *",
        ),
        (
            "1. e4 e5 (1... c5 2. -- Nc6 3. Nf3 $6 {good} @@@@ {x}) 2. Nf3",
            "1. e4 e5 (1... c5 2. -- Nc6 3. Nf3 $6 { good } 3... -- { x }) 2. Nf3 *",
        ),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n\n{moves} *"));
        assert_eq!((remarks, movetext(&game)), (vec![], written.to_owned()));
        assert_eq!(line(&game), "e4 e5 Nf3");
    }
}

#[test]
fn the_clocks_of_moves_that_are_not_played_are_not_those_of_the_last_move() {
    let (game, _) = kept("[Event \"x\"]\n\n1. e4 {[%clk 0:05:00]} Ke5 {[%clk 0:04:00]} 2. d4 *");
    let said = game.tree.comment(crate::node(&game, 1)).expect("a comment");
    assert_eq!(said.clock, Some(std::time::Duration::from_mins(5)));
    assert_eq!(said.text(), "Ke5 ([ %clk 0:04:00]) 2. d4");
}

#[test]
fn damaged_comments_and_variations_cost_nothing_else() {
    for (moves, line, error, written) in [
        ("1. e4\n2 {never\nclosed *", 4, PgnError::OpenComment, "1. e4 { never closed * } *"),
        ("1. e4 * {end", 3, PgnError::OpenComment, "1. e4 { end } *"),
        ("1. e4 e5\n(1... c5\n2. Nf3 *", 4, PgnError::OpenVariation, "1. e4 e5 (1... c5 2. Nf3) *"),
        (
            "1. e4 (1. d4 d5\n(1... Nf6 2. c4) 2. c4\n1-0",
            3,
            PgnError::OpenVariation,
            "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1-0",
        ),
        ("1. e4\ne5) 2. Nf3 *", 4, PgnError::StrayClose, "1. e4 e5 2. Nf3 *"),
        ("1. e4 (1. d4))\n*", 3, PgnError::StrayClose, "1. e4 (1. d4) *"),
        ("(1. d4) 1. e4\n*", 3, PgnError::NoMoveToVary, "{ (1. d4) } 1. e4 *"),
        ("1. e4 ((1. d4))\n*", 3, PgnError::NoMoveToVary, "1. e4 { (1. d4) } *"),
        ("1. e4\n} e5 *", 4, PgnError::Unexpected("}".into()), "1. e4 e5 *"),
        ("1. e4\n\t[#] e5 *", 4, PgnError::Unexpected("[#]".into()), "1. e4 e5 *"),
        ("1. e4 $x\n*", 3, PgnError::Unexpected("$x".into()), "1. e4 *"),
        ("1. e4 & e5\n*", 3, PgnError::Unexpected("&".into()), "1. e4 e5 *"),
        ("1. e4, e5\n*", 3, PgnError::Unexpected(",".into()), "1. e4 e5 *"),
        ("1. e4 < e5\n*", 3, PgnError::Unexpected("<".into()), "1. e4 e5 *"),
        (
            "1. e4 e5\n2. @b4 d4 *",
            4,
            illegal(2, false, "@b4", SanError::Unreadable),
            "1. e4 e5 { 2. @b4 d4 } *",
        ),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n\n{moves}"));
        assert_eq!(remarks, [(line, error)], "{moves}");
        assert_eq!(movetext(&game), written);
    }
}

#[test]
fn a_damaged_tag_costs_only_itself() {
    for tag in ["[White]", "[White Tal]", "[\"Tal\"]", "[", "[White", "[]"] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n{tag}\n[Black \"y\"]\n\n1. e4 *"));
        assert_eq!(remarks, [(2, PgnError::Tag)], "{tag}");
        let tags: Vec<_> = game.tags.iter().collect();
        assert_eq!((tags, line(&game)), (vec![("Event", "x"), ("Black", "y")], "e4".into()));
    }
    let tags: Vec<_> = (1..=1001).map(|i| format!("[A{i} \"b\"]\n")).collect();
    let (game, remarks) = kept(&format!("{}\n1. e4 *", tags.concat()));
    assert_eq!(remarks, [(1001, PgnError::TooManyTags)]);
    assert_eq!((game.tags.iter().count(), line(&game)), (1000, "e4".into()));
}

#[test]
fn a_tag_without_closing_quote_ends_with_its_line() {
    for (tag, value) in [
        ("[White \"Tal]", "Tal"),
        ("[White \"Tal", "Tal"),
        ("[White \"Tal ] ", "Tal"),
        ("[White \"Tal [LAT]]", "Tal [LAT]"),
        ("[White \"]", ""),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n{tag}\n[Black \"y\"]\n\n1. e4 *"));
        assert_eq!(remarks, [(2, PgnError::OpenTag("White".into()))], "{tag}");
        assert_eq!((game.tags.get("White"), game.tags.get("Black")), (Some(value), Some("y")));
        assert_eq!(line(&game), "e4");
    }
    let (game, remarks) = kept("[White \"Tal] 1. e4 e5 *");
    assert_eq!((remarks.len(), line(&game)), (1, "e4 e5".into()));
}

#[test]
fn impossible_castling_rights_are_left_out() {
    for (fen, rights, left) in [
        ("r3k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "KQkq", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1"),
        ("4k3/8/8/8/4K3/8/8/R6R w KQ - 3 7", "KQ", "4k3/8/8/8/4K3/8/8/R6R w - - 3 7"),
        ("4k3/8/8/8/8/8/8/R3K3 b QQx -", "QQx", "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 b – - 0 1", "–", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"),
    ] {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n[FEN \"{fen}\"]\n\n*"));
        let [(2, PgnError::CastlingRights { written, kept })] = &remarks[..] else {
            panic!("{fen}: {remarks:?}")
        };
        assert_eq!(written, rights);
        assert_eq!(
            (game.tree.start().to_string(), left.split(' ').nth(2)),
            (left.into(), Some(&**kept))
        );
    }
}

#[test]
fn an_impossible_en_passant_square_is_left_out() {
    for (fen, count) in
        [("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", 1), ("4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1", 2)]
    {
        let (game, remarks) = kept(&format!("[Event \"x\"]\n[FEN \"{fen}\"]\n\n1. Kd2 *"));
        assert_eq!(remarks.len(), count);
        assert_eq!(remarks.last(), Some(&(2, PgnError::EnPassant("e6".into()))));
        assert_eq!(game.tree.start().to_string(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }
}

#[test]
fn a_bad_start_position_loses_the_game() {
    for fen in [
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "8/8/8/8/8/8/8/8 w KQkq e6 0 1",
    ] {
        let text = format!("[Event \"x\"]\n[FEN \"{fen}\"]\n[White \"Tal\"]\n\n1. e4 e5 *");
        let (line, reason) = lost(&text);
        assert!(matches!(reason, PgnError::Fen(_)), "{reason}");
        assert_eq!(line, 2);
    }
    let found = read(&b"[FEN \"x\"] * 1. e4 *"[..]);
    assert!(matches!(&found[..], [Err(_), Ok((game, _))] if line(game) == "e4"), "{found:#?}");
}

#[test]
fn other_variants_lose_the_game() {
    for name in ["Crazyhouse", "Antichess", "Three-check", "chess 961"] {
        let text = format!("[Event \"x\"]\n[Variant \"{name}\"]\n[White \"Tal\"]\n\n1. N@e4 *");
        assert_eq!(lost(&text), (2, PgnError::Variant(name.into())));
    }
}

#[test]
fn text_that_is_no_game_is_lost() {
    for text in ["Games of the week", "& }", "1. Ke4 e5", "(", "{open"] {
        let found = read(text.as_bytes());
        assert!(matches!(&found[..], [Err(_)]), "{text}: {found:#?}");
    }
}

#[test]
fn a_game_without_end_is_kept_up_to_its_limit() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(50_000);
    assert_eq!(one(&shuffle).line().len(), 200_000);
    let (game, remarks) = kept(&format!("{shuffle} Nf3 1-0"));
    assert_eq!(remarks, [(1, PgnError::TooManyMoves)]);
    assert_eq!((game.line().len(), comment(&game, 200_000)), (200_000, "Nf3"));
    assert_eq!(game.result, GameResult::WhiteWins);
}

#[test]
fn variations_nest_only_so_deep() {
    let nested = |depth| format!("1. e4 {}{} e5 *", "(1. e4 ".repeat(depth), ")".repeat(depth));
    assert_eq!(lines(nested(256)), ["e4 e5"]);
    let (game, remarks) = kept(&format!("[Event \"x\"]\n\n{}", nested(257)));
    assert_eq!(remarks, [(3, PgnError::TooDeep)]);
    assert_eq!((line(&game), game.tree.children(Tree::ROOT).count()), ("e4 e5".into(), 257));
}

#[test]
fn a_result_that_contradicts_the_tag_is_reported() {
    let results = |tag, moves| [(4, PgnError::Results { tag, moves })];
    let (game, remarks) = kept("[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 0-1");
    assert_eq!(remarks, results(GameResult::WhiteWins, GameResult::BlackWins));
    assert_eq!(game.result, GameResult::BlackWins);
    let (game, remarks) = kept("[Event \"x\"]\n[Result \"1/2-1/2\"]\n\n1. e4 +--");
    assert_eq!(remarks, results(GameResult::Draw, GameResult::WhiteWins));
    assert_eq!(game.tags.get("Termination"), Some("forfeit"));
    let (game, remarks) = kept("[Event \"x\"]\n[Result \"nonsense\"]\n\n1. e4 1-0");
    assert_eq!(remarks, [(2, PgnError::ResultTag("nonsense".into()))]);
    assert_eq!(game.result, GameResult::WhiteWins);
}

#[test]
fn an_unknown_result_contradicts_nothing() {
    for (text, result) in [
        ("[Result \"1-0\"]\n\n1. e4 *", GameResult::WhiteWins),
        ("[Result \"1/2-1/2\"]\n\n1. e4", GameResult::Draw),
        ("[Result \"*\"]\n\n1. e4 0-1", GameResult::BlackWins),
        ("[Result \"?\"]\n\n1. e4 0-1", GameResult::BlackWins),
        ("[Result \"\"]\n\n1. e4", GameResult::Unknown),
        ("1. e4 1/2", GameResult::Draw),
    ] {
        assert_eq!(one(text).result, result, "{text}");
    }
}

#[test]
fn games_without_headers_survive_a_damaged_one() {
    for text in [
        "1. e4 1-0\n\n1. e5 e6 {*} (1. d4 *) 2. d4 0-1\n\n1. d4 *\n",
        "1. e4 1-0 1. e5 e6 {*} (1. d4 *) 2. d4 0-1 1. d4 *\n",
        "1. e4 1-0\n\n1. d4 (1. c4 0-1\n\n1. d4 *\n",
        "1. e4 1-0\n\n1. d4 & 0-1\n\n1. d4 *\n",
        "1. e4 ½-½\n\n1. d4 d4 0–1\n\n1. d4 *\n",
    ] {
        let found = read(text.as_bytes());
        assert_eq!(found.len(), 3, "{found:#?}");
        let [Ok((first, none)), middle, Ok((last, nothing))] = &found[..] else {
            panic!("{found:#?}")
        };
        assert_eq!((line(first), line(last)), ("e4".into(), "d4".into()), "{text:?}");
        assert!(none.is_empty() && nothing.is_empty(), "{found:#?}");
        match middle {
            Ok((game, remarks)) => {
                assert_eq!((line(game), remarks.len()), ("d4".into(), 1));
                assert_eq!(game.result, GameResult::BlackWins);
            }
            Err(remark) => assert_eq!(remark.reason, illegal(1, false, "e5", SanError::Illegal)),
        }
    }
}

#[test]
fn remarks_say_what_is_wrong_in_words_and_in_order() {
    let text =
        "[Event \"x\"]\n[White]\n\n1. e4 e5 (1... c5 2. Ke3)\n2. Nf3 & (2. d4\n2... Nf3 1-0\n";
    let found = read(text.as_bytes());
    let [Ok((_, remarks))] = &found[..] else { panic!("{found:#?}") };
    let remarks: Vec<_> = remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        [
            "game 1, line 2: not a tag of the form [Name \"value\"]",
            "game 1, line 4: 2. Ke3: not a legal move here",
            "game 1, line 5: `&` is neither a move nor a comment",
            "game 1, line 5: a variation is not closed",
            "game 1, line 6: 2... Nf3: not a legal move here",
        ]
    );
    assert_eq!(games("1. e4 *").len(), 1);
}
