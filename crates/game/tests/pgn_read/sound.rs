//! PGN as people and programs write it.

use std::time::Duration;

use chess::CastlingMode;
use game::{Eval, GameResult, Nag, Tree};

use crate::{comment, games, line, lines, node, one, said};

#[test]
fn tags_are_read_and_written_as_they_were() {
    let text = "[Event \"Riga\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"\"]\n\
                [White \"Tal\"]\n[Black \"?\"]\n[Result \"1-0\"]\n[Elo_9 \"2700\"]\n\
                [WhiteElo \"?\"]\n[Annotator \"\"]\n[EventDate \"????.??.??\"]\n\n1. e4 1-0\n";
    let game = one(text);
    let tags: Vec<_> = game.tags.iter().collect();
    assert_eq!(tags[..4], [("Event", "Riga"), ("Round", ""), ("White", "Tal"), ("Elo_9", "2700")]);
    assert_eq!(game.result, GameResult::WhiteWins);
    assert_eq!(game.to_string(), text);
}

#[test]
fn quotes_and_backslashes_in_a_tag_may_be_escaped_or_not() {
    for (written, value) in [
        (r#""say \"hi\" now""#, r#"say "hi" now"#),
        (r#""say "hi" now""#, r#"say "hi" now"#),
        (r#""back\\slash""#, r"back\slash"),
        (r#""C:\games""#, r"C:\games"),
        (r#""C:\""#, r"C:\"),
        (r#""C:\\""#, r"C:\"),
        (r#"  "spaces"   "#, "spaces"),
        (r#""[brackets] and (more)""#, "[brackets] and (more)"),
        (r#""]""#, "]"),
        (r#""[White "nobody"""#, r#"[White "nobody""#),
        (r#""{brace""#, "{brace"),
    ] {
        let game = one(format!("[Event {written}]\n[White \"Tal\"]\n\n1. e4 *\n"));
        assert_eq!(game.tags.get("Event"), Some(value), "{written}");
        assert_eq!(game.tags.get("White"), Some("Tal"), "{written}");
        assert_eq!(line(&game), "e4", "{written}");
    }
}

#[test]
fn a_tag_may_lack_its_closing_bracket() {
    let game = one("[Event \"x\"\n[White \"Tal\"\n\n1. e4 *");
    assert_eq!((game.tags.get("Event"), game.tags.get("White")), (Some("x"), Some("Tal")));
}

#[test]
fn the_name_of_a_tag_may_have_any_signs() {
    let text = "[Event \"x\"]\n[White-Elo \"1\"]\n[a+b#c=d:e \"2\"]\n[\u{e9}t\u{e9} \"3\"]\n\
                [Round \"4\"]\n\n1. e4 *\n";
    let game = one(text);
    let tags: Vec<_> = game.tags.iter().collect();
    let names = [("Event", "x"), ("Round", "4"), ("White-Elo", "1"), ("a+b#c=d:e", "2")];
    assert_eq!(tags[..4], names);
    assert_eq!(tags[4], ("_t_", "3"));
}

#[test]
fn blank_lines_and_indents_in_headers_do_not_matter() {
    let game = one("\n\n[Event \"x\"]\n\n  [Site \"y\"]\n[White \"Tal\"]\n\n\n1. e4\n\ne5\n\n*\n");
    assert_eq!((game.tags.get("Site"), game.tags.get("White")), (Some("y"), Some("Tal")));
    assert_eq!(line(&game), "e4 e5");
}

#[test]
fn several_tags_may_share_a_line_with_each_other_and_with_moves() {
    let game = one("[Event \"x\"][Site \"y\"] [White \"Tal\"] 1. e4 e5 *\n");
    assert_eq!((game.tags.get("Site"), game.tags.get("White")), (Some("y"), Some("Tal")));
    assert_eq!(line(&game), "e4 e5");
}

#[test]
fn moves_may_follow_the_header_at_once_and_another_header_the_moves() {
    let text = "[Event \"x\"]\n1. e4 e5\n[Event \"y\"]\n1. d4 1-0\n[White \"z\"]\n1. c4 *\n";
    assert_eq!(lines(text), ["e4 e5", "d4", "c4"]);
}

#[test]
fn games_need_no_headers() {
    assert_eq!(lines("1. e4 e5"), ["e4 e5"]);
    assert_eq!(lines("1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n\n1. c4\n"), ["e4 e5", "d4 d5", "c4"]);
}

#[test]
fn several_games_may_share_a_line() {
    let text = "1. e4 1-0 1. d4 {x} 0-1 [Event \"y\"] 1. c4 1/2-1/2 * Nf3 *";
    let games = games(text);
    assert_eq!(games.iter().map(line).collect::<Vec<_>>(), ["e4", "d4", "c4", "Nf3"]);
    assert_eq!(games[2].tags.get("Event"), Some("y"));
    assert_eq!(games[2].result, GameResult::Draw);
}

#[test]
fn headers_without_moves_are_games() {
    let text = "[Event \"x\"]\n[Result \"1-0\"]\n\n[Event \"y\"]\n\n*\n\n[Event \"z\"]\n";
    let games = games(text);
    let events: Vec<_> = games.iter().map(|game| game.tags.get("Event")).collect();
    assert_eq!(events, [Some("x"), Some("y"), Some("z")]);
    assert!(games.iter().all(|game| game.line().is_empty()));
    assert_eq!(games[0].result, GameResult::WhiteWins);
}

#[test]
fn nothing_holds_no_games() {
    for text in ["", "\n", " \r\n\t\n", "*", "1-0\n\n* 0-1\n", "; words\n", "{words}", "% x\n"] {
        assert_eq!(lines(text), [""; 0], "{text:?}");
    }
}

#[test]
fn comments_stand_before_after_and_between_moves() {
    let game = one("[Event \"x\"]\n\n{start} {of it} 1. {odd} e4 {one} 1... {two} e5\n\
                    2. Nf3 * {end} ; of it\n");
    assert_eq!(line(&game), "e4 e5 Nf3");
    let found: Vec<_> = (0..4).map(|ply| comment(&game, ply)).collect();
    assert_eq!(found, ["start of it odd", "one two", "", "end of it"]);
}

#[test]
fn a_comment_before_the_tags_belongs_to_their_game() {
    for text in ["{words}\n[Event \"x\"]\n\n1. e4 *", "; words\n\n[Event \"x\"]\n\n1. e4 *"] {
        let game = one(text);
        assert_eq!((game.tags.get("Event"), comment(&game, 0)), (Some("x"), "words"), "{text:?}");
    }
    for text in ["[White \"x\"]\n\n{words}\n\n[White \"y\"]", "[A \"x\"]\n; words\n[A \"y\"]"] {
        let games = games(text);
        assert_eq!(games.len(), 2, "{text:?}");
        assert_eq!((comment(&games[0], 0), comment(&games[1], 0)), ("words", ""), "{text:?}");
    }
}

#[test]
fn a_line_comment_ends_with_its_line() {
    let game = one("1. e4 ; best {by test\ne5 ;\n2. Nf3 ;} end");
    assert_eq!(line(&game), "e4 e5 Nf3");
    assert_eq!((comment(&game, 1), comment(&game, 3)), ("best {by test", ") end"));
}

#[test]
fn a_comment_may_hold_what_looks_like_another_game() {
    let text = "[Event \"x\"]\n\n1. e4 {see\n[White \"Tal\"]\n[Black \"?\"] (1. d4 *) $3 ;\n\
                % 1-0 } e5 *\n";
    let game = one(text);
    assert_eq!(comment(&game, 1), "see [White \"Tal\"] [Black \"?\"] (1. d4 *) $3 ; % 1-0");
    assert_eq!(line(&game), "e4 e5");
}

#[test]
fn escaped_lines_are_passed_over() {
    let text = "% {head\n[Event \"x\"]\n%[Site \"y\"]\n\n1. e4\n%1... c5\ne5 *\n% 1. d4\n";
    let game = one(text);
    assert_eq!((line(&game), game.tags.get("Site")), ("e4 e5".into(), None));
}

#[test]
fn commands_in_comments_are_understood() {
    let game = one("1. e4 {[%eval 0.17] [%clk 0:05:00.5]} e5 {[%emt 7]\n[%csl Gd4][%cal Re2e4]}");
    let first = game.tree.comment(node(&game, 1)).expect("a comment");
    assert_eq!(first.eval, Some(Eval::Centipawns { value: 17, depth: None }));
    assert_eq!(first.clock, Some(Duration::from_millis(300_500)));
    let second = game.tree.comment(node(&game, 2)).expect("a comment");
    assert_eq!(second.elapsed, Some(Duration::from_secs(7)));
    assert_eq!((second.circles.len(), second.arrows.len(), second.text()), (1, 1, ""));
}

#[test]
fn glyphs_are_numbers_or_signs() {
    let game = one("1. e4! e5 ?? 2. Nf3 $1$16 $255 Nc6!?+- 3. Bb5!!! 3... a6 N = 4. Ba4 += *");
    let nags = |ply| game.tree.nags(node(&game, ply));
    assert_eq!(nags(1), [Nag(1)]);
    assert_eq!(nags(2), [Nag(4)]);
    assert_eq!(nags(3), [Nag(1), Nag(16), Nag(255)]);
    assert_eq!(nags(4), [Nag(5), Nag(18)]);
    assert_eq!(nags(5), [Nag(3)]);
    assert_eq!(nags(6), [Nag(146), Nag(10)]);
    assert_eq!(nags(7), [Nag(14)]);
}

#[test]
fn signs_glued_to_a_move_are_glyphs() {
    let game = one("1. e4= e5+/- 2. Qh5+= Nc6 3. Bc4-+ Nf6 4. Qxf7# *");
    assert_eq!(line(&game), "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#");
    let nags: Vec<Nag> =
        (1..=5).flat_map(|ply| game.tree.nags(node(&game, ply)).to_vec()).collect();
    assert_eq!(nags, [Nag(10), Nag(16), Nag(14), Nag(19)]);
}

#[test]
fn signs_that_say_nothing_are_passed_over() {
    let game = one("1. e4 + e5 # 2. Nf3 Nc6 *");
    assert_eq!(line(&game), "e4 e5 Nf3 Nc6");
    assert!((0..=4).all(|ply| game.tree.comment(node(&game, ply)).is_none()));
    assert!((0..=4).all(|ply| game.tree.nags(node(&game, ply)).is_empty()));
}

#[test]
fn variations_nest() {
    let game =
        one("1. e4 e5 ({first} 1... c5 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6 {x}) (1... e6) \
                    2. Nf3 *");
    assert_eq!(line(&game), "e4 e5 Nf3");
    let tree = &game.tree;
    let replies: Vec<_> = tree.children(node(&game, 1)).collect();
    assert_eq!(replies.len(), 3);
    assert_eq!(said(tree.preface(replies[1])), "first");
    let after_c5: Vec<_> = tree.children(replies[1]).collect();
    assert_eq!(after_c5.len(), 2);
    assert_eq!(said(tree.comment(tree.next(after_c5[0]).expect("2... d6"))), "x");
    assert_eq!(tree.children(after_c5[1]).count(), 2);
    let moves = "1. e4 e5 ({ first } 1... c5 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6 { x })";
    let text = game.to_string().replace('\n', " ");
    assert!(text.contains(moves), "{text}");
}

#[test]
fn a_variation_may_be_empty_or_end_with_a_result() {
    let game = one("1. e4 e5 () ({or}) (1... c5 1-0) ($1) 2. Nf3 *");
    assert_eq!(line(&game), "e4 e5 Nf3");
    assert_eq!(comment(&game, 2), "or");
    assert_eq!(game.tree.children(node(&game, 1)).count(), 2);
}

#[test]
fn a_comment_after_a_variation_is_about_the_move_before_it() {
    let game = one("1. e4 e5 (1... c5 {sharp}) {solid} 2. Nf3 *");
    assert_eq!(comment(&game, 2), "solid");
}

#[test]
fn moves_are_written_in_many_ways() {
    for (text, moves) in [
        ("1.e4 e5 2.Nf3", "e4 e5 Nf3"),
        ("1 e4 e5 2 Nf3", "e4 e5 Nf3"),
        ("1.e4 1...e5 2 . Nf3", "e4 e5 Nf3"),
        ("1e4 e5 2Nf3", "e4 e5 Nf3"),
        ("e2e4 e7e5 g1f3", "e4 e5 Nf3"),
        ("e2-e4 e7-e5 Ng1-f3", "e4 e5 Nf3"),
        ("e4 d5 ed5 Qd5", "e4 d5 exd5 Qxd5"),
        ("e4 f5 e:f5 Nf6 Bb5 c6", "e4 f5 exf5 Nf6 Bb5 c6"),
        ("f3 e5 g4 Qh4", "f3 e5 g4 Qh4#"),
        ("f3+ e5 g4 Qh4 #", "f3 e5 g4 Qh4#"),
        ("e4 e5 Nf3 Nf6 Bc4 Bc5 0-0 O-O", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("e4 e5 Nf3 Nf6 Bc4 Bc5 00 e8g8", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("d4 d5 Nc3 a6 Bf4 b6 Qd2 c6 0-0-0", "d4 d5 Nc3 a6 Bf4 b6 Qd2 c6 O-O-O"),
        ("e4 a6 e5 d5 exd6e.p. Nf6", "e4 a6 e5 d5 exd6 Nf6"),
        ("e4 a6 e5 d5 exd6 e.p. Nf6", "e4 a6 e5 d5 exd6 Nf6"),
        ("e4 a6 e5 d5 exd6 ep Nf6", "e4 a6 e5 d5 exd6 Nf6"),
        ("e4 <reserved words> e5", "e4 e5"),
    ] {
        assert_eq!(lines(text), [moves], "{text}");
    }
}

#[test]
fn promotions_are_written_in_many_ways() {
    for written in ["b8=Q", "b8Q", "b8(Q)", "b8/Q", "b7b8q", "b8=q", "b8=Q!"] {
        let text =
            format!("[FEN \"4k3/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. {written} (1. b8(N)) Kf7 *");
        let game = one(text);
        assert_eq!(line(&game), "b8=Q+ Kf7", "{written}");
        assert_eq!(game.tree.children(Tree::ROOT).count(), 2);
    }
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = "\u{feff}[Event \"x\"]\n\n1. e4 *\n";
    assert_eq!(one(text).tags.get("Event"), Some("x"));
    assert_eq!(lines("\u{feff}1. e4 e5"), ["e4 e5"]);
    assert_eq!(lines("\u{feff}"), [""; 0]);
    let files = text.repeat(3);
    let games = games(&files);
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|game| game.tags.get("Event") == Some("x")));
}

#[test]
fn text_is_utf8_or_else_latin1() {
    let text = "[White \"M\u{fc}ller\"]\n\n1. e4 {sch\u{f6}n} *\n";
    let latin1: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let game = one(&latin1);
    assert_eq!((game.tags.get("White"), comment(&game, 1)), (Some("M\u{fc}ller"), "sch\u{f6}n"));
    assert_eq!(one(text), game);
}

#[test]
fn a_game_may_start_anywhere() {
    let fen = "4k3/P7/8/8/8/8/8/4K2R b K - 5 60";
    for header in [format!("[SetUp \"1\"]\n[FEN \"{fen}\"]"), format!("[FEN \"{fen}\"]")] {
        let game = one(format!("{header}\n\n60... Kd7 61. a8=Q Kc7 62. O-O *\n"));
        assert_eq!(game.tree.start().to_string(), fen);
        assert_eq!(line(&game), "Kd7 a8=Q Kc7 O-O");
        assert_eq!(game.tags.get("FEN"), None);
    }
}

#[test]
fn chess960_goes_by_many_names() {
    for name in
        ["Chess960", "chess 960", "Chess-960", "FischerRandom", "Fischerandom", "FRC", "960"]
    {
        for castling in ["HBhb", "KQkq", "KBkb"] {
            let text = format!(
                "[Variant \"{name}\"]\n[FEN \"nrk1bbqr/pppppppp/8/8/8/8/PPPPPPPP/NRK1BBQR w \
                 {castling} - 0 1\"]\n\n1. O-O-O g6 *\n"
            );
            let game = one(&text);
            assert_eq!(game.tree.start().castling_mode(), CastlingMode::Chess960, "{text}");
            assert_eq!(line(&game), "O-O-O g6", "{text}");
            assert_eq!(game.tags.get("Variant"), Some(name));
        }
    }
}

#[test]
fn chess960_is_seen_by_its_start_position() {
    let fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
    for header in [String::new(), "[Variant \"?\"]\n".into(), "[Variant \"Standard\"]\n".into()] {
        let game = one(format!("{header}[FEN \"{fen}\"]\n\n1. O-O-O *\n"));
        assert_eq!(game.line().len(), 1);
        assert!(game.tags.get("Variant").is_some(), "{header}");
        assert_eq!(one(game.to_string()), game);
    }
}

#[test]
fn standard_chess_goes_by_many_names() {
    for name in ["Standard", "normal", "Chess", "From Position", "?", ""] {
        assert_eq!(lines(format!("[Variant \"{name}\"]\n\n1. e4 *")), ["e4"], "{name}");
    }
}
