//! Reading PGN as people and programs write it, and saying what is wrong where it can't be read.

use std::io::{self, Read};
use std::time::Duration;

use chess::{CastlingMode, SanError};
use game::pgn::{Damaged, PgnError, ReadError, Reader};
use game::{Annotation, Eval, Game, GameResult, Nag, NodeId, Tree};

fn read(source: impl Read) -> Vec<Result<Game, Damaged>> {
    let games = Reader::new(source).games();
    games
        .map(|game| match game {
            Ok(game) => Ok(game),
            Err(ReadError::Damaged(damaged)) => Err(damaged),
            Err(ReadError::Io(error)) => panic!("no input error is expected: {error}"),
        })
        .collect()
}

fn games(text: impl AsRef<[u8]>) -> Vec<Game> {
    let text = text.as_ref();
    let games: Result<Vec<_>, _> = read(text).into_iter().collect();
    games.unwrap_or_else(|damaged| panic!("{damaged} in {:?}", String::from_utf8_lossy(text)))
}

fn one(text: impl AsRef<[u8]>) -> Game {
    let mut games = games(text);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// The moves of the main line, as we write them.
fn line(game: &Game) -> String {
    let mut position = game.tree.start().clone();
    let mut texts = Vec::new();
    for m in game.line().moves() {
        texts.push(position.san(m).to_string());
        position.play_unchecked(m);
    }
    texts.join(" ")
}

fn lines(text: impl AsRef<[u8]>) -> Vec<String> {
    games(text).iter().map(line).collect()
}

/// The node after so many moves of the main line.
fn node(game: &Game, ply: usize) -> NodeId {
    if ply == 0 { Tree::ROOT } else { game.tree.main_nodes().nth(ply - 1).expect("a move") }
}

fn said(annotation: Option<&Annotation>) -> &str {
    annotation.map_or("", Annotation::text)
}

/// The words after so many moves of the main line.
fn comment(game: &Game, ply: usize) -> &str {
    said(game.tree.comment(node(game, ply)))
}

/// Puts a damaged game between two whole ones and returns what is said about it, with the line
/// counted from its own first one.
fn damage(text: &str) -> (u64, PgnError) {
    let before = "[Event \"before\"]\n\n1. e4 {one} e5 1-0\n\n";
    let after = "\n\n[Event \"after\"]\n[Site \"?\"]\n\n1. d4 {two} d5 0-1\n";
    let found = read(format!("{before}{text}{after}").as_bytes());
    let [Ok(first), Err(damaged), Ok(last)] = &found[..] else { panic!("{text:?}: {found:#?}") };
    assert_eq!((first.tags.get("Event"), line(first)), (Some("before"), "e4 e5".into()));
    assert_eq!((last.tags.get("Event"), line(last)), (Some("after"), "d4 d5".into()));
    assert_eq!(damaged.game, 2);
    (damaged.line - 4, damaged.reason.clone())
}

fn illegal(number: u16, black: bool, text: &str, reason: SanError) -> PgnError {
    PgnError::Move { number, black, text: text.into(), reason }
}

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
fn the_result_of_the_moves_goes_before_that_of_the_tag() {
    assert_eq!(one("[Result \"1-0\"]\n\n1. e4 0-1").result, GameResult::BlackWins);
    assert_eq!(one("[Result \"1/2-1/2\"]\n\n1. e4").result, GameResult::Draw);
    assert_eq!(one("[Result \"1-0\"]\n\n1. e4 *").result, GameResult::WhiteWins);
    assert_eq!(one("[Result \"nonsense\"]\n\n1. e4").result, GameResult::Unknown);
    assert_eq!(one("1. e4 1/2").result, GameResult::Draw);
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
    let game = one("1. e4 + e5 # 2. Nf3 $256 $99999 Nc6 *");
    assert_eq!(line(&game), "e4 e5 Nf3 Nc6");
    assert!((0..=4).all(|ply| game.tree.comment(node(&game, ply)).is_none()));
    assert!((0..=4).all(|ply| game.tree.nags(node(&game, ply)).is_empty()));
}

#[test]
fn a_game_without_end_is_too_long() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(50_000);
    assert_eq!(one(&shuffle).line().len(), 200_000);
    assert_eq!(damage(&format!("{shuffle} Nf3 *")), (1, PgnError::TooManyMoves));
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
fn line_breaks_may_be_those_of_any_system() {
    let text = "[Event \"x\"]\n[White \"Tal\"]\n\n% 1. c4\n1. e4 {two\nlines} ; rest\ne5 1-0\n\n\
                [Event \"y\"]\n\n1. e5 *\n\n[Event \"z\"]\n\n1. d4 *\n";
    let expected = read(text.as_bytes());
    assert_eq!(expected.len(), 3);
    assert_eq!(expected[1].as_ref().expect_err("1. e5 is illegal").line, 11);
    for line_break in ["\r\n", "\r"] {
        assert_eq!(read(text.replace('\n', line_break).as_bytes()), expected, "{line_break:?}");
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

#[test]
fn other_variants_are_reported() {
    for name in ["Crazyhouse", "Antichess", "Three-check", "chess 961"] {
        let text = format!("[Event \"x\"]\n[Variant \"{name}\"]\n[White \"Tal\"]\n\n1. N@e4 *");
        assert_eq!(damage(&text), (2, PgnError::Variant(name.into())));
    }
}

#[test]
fn null_moves_are_reported() {
    for null in ["--", "Z0", "null", "0000"] {
        let text = format!("[Event \"x\"]\n\n1. e4\n{null} 2. d4 *");
        assert_eq!(damage(&text), (4, PgnError::NullMove(null.into())));
    }
}

#[test]
fn illegal_moves_are_reported() {
    for (moves, error) in [
        ("1. e4 e5\n2. Ke3 *", illegal(2, false, "Ke3", SanError::Illegal)),
        ("1. e4\ne4 2. d4 d5 1-0", illegal(1, true, "e4", SanError::Illegal)),
        ("1. e4 {)} e5\nNothing ( *", illegal(2, false, "Nothing", SanError::Unreadable)),
        ("1. e4 e5 2. d4 d5 3. Nf3 Nc6\n4. Nd2", illegal(4, false, "Nd2", SanError::Ambiguous)),
        ("1. e4 (1. d4\nd4) e5", illegal(1, true, "d4", SanError::Illegal)),
        ("1. e4 e5\n2. O-O *", illegal(2, false, "O-O", SanError::Illegal)),
    ] {
        assert_eq!(damage(&format!("[Event \"x\"]\n\n{moves}")), (4, error), "{moves}");
    }
}

#[test]
fn damaged_comments_and_variations_are_reported() {
    for (moves, line, error) in [
        ("1. e4 e5\n2. Nf3 {never\nclosed *", 4, PgnError::OpenComment),
        ("1. e4 e5\n(1... c5\n2. Nf3 *", 4, PgnError::OpenVariation),
        ("1. e4 (1. d4 d5\n(1... Nf6 2. c4) 2. c4\n*", 3, PgnError::OpenVariation),
        ("1. e4\ne5) 2. Nf3 *", 4, PgnError::StrayClose),
        ("1. e4 (1. d4))\n*", 3, PgnError::StrayClose),
        ("(1. d4) 1. e4\n*", 3, PgnError::NoMoveToVary),
        ("1. e4 ((1. d4))\n*", 3, PgnError::NoMoveToVary),
        ("1. e4\n} e5 *", 4, PgnError::Unexpected("}".into())),
        ("1. e4 e5\n2. @b4 d4 *", 4, PgnError::Unexpected("@b4".into())),
        ("1. e4 $x\n*", 3, PgnError::Unexpected("$x".into())),
        ("1. e4 <never *", 3, PgnError::Unexpected("<never".into())),
    ] {
        assert_eq!(damage(&format!("[Event \"x\"]\n\n{moves}")), (line, error), "{moves}");
    }
}

#[test]
fn damaged_headers_are_reported() {
    for tag in ["[White]", "[White Tal]", "[White \"Tal]", "[\"Tal\"]", "[", "[White \"]"] {
        let text = format!("[Event \"x\"]\n{tag}\n[Black \"?\"]\n\n1. e4 *");
        assert_eq!(damage(&text), (2, PgnError::Tag), "{tag}");
    }
    let many = "[A \"b\"]\n".repeat(1001);
    assert_eq!(damage(&format!("{many}\n1. e4 *")), (1001, PgnError::TooManyTags));
}

#[test]
fn a_bad_start_position_is_reported() {
    for fen in ["", "x", "8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"] {
        let text = format!("[Event \"x\"]\n[FEN \"{fen}\"]\n[White \"Tal\"]\n\n1. e4 e5 *");
        let (line, reason) = damage(&text);
        assert!(matches!(reason, PgnError::Fen(_)), "{reason}");
        assert_eq!(line, 2);
    }
}

#[test]
fn variations_nest_only_so_deep() {
    let nested = |depth| format!("1. e4 {}{} *", "(1. e4 ".repeat(depth), ")".repeat(depth));
    assert_eq!(lines(nested(256)), ["e4"]);
    assert_eq!(damage(&format!("[Event \"x\"]\n\n{}", nested(257))), (3, PgnError::TooDeep));
}

#[test]
fn games_without_headers_survive_a_damaged_one() {
    for text in [
        "1. e4 1-0\n\n1. e5 e6 {*} (1. d4 *) 2. d4 0-1\n\n1. d4 *\n",
        "1. e4 1-0 1. e5 e6 {*} (1. d4 *) 2. d4 0-1 1. d4 *\n",
        "1. e4 1-0\n\n1. d4 (1. c4 0-1\n\n1. d4 *\n",
        "1. e4 1-0\n\n1. d4 & 0-1\n\n1. d4 *\n",
    ] {
        let found = read(text.as_bytes());
        assert_eq!(found.len(), 3, "{found:#?}");
        let whole: Vec<_> = found.iter().flatten().map(line).collect();
        assert_eq!(whole, ["e4", "d4"], "{text:?}");
    }
}

#[test]
fn a_damaged_game_says_what_is_wrong_in_words() {
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nf3 1-0\n";
    let damaged = read(text.as_bytes()).remove(0).expect_err("2... Nf3 is illegal");
    assert_eq!(damaged.to_string(), "game 1, line 3: 2... Nf3: not a legal move here");
}

/// A source that gives a few bytes at a time, and is interrupted now and then.
struct Trickle<'a> {
    rest: &'a [u8],
    piece: usize,
    interrupted: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = self.piece.min(buffer.len());
        self.rest.read(&mut buffer[..len])
    }
}

#[test]
fn a_late_first_line_break_is_seen_the_same_in_any_pieces() {
    for blanks in [4_094, 4_095, 4_096, 4_097, 5_000] {
        let text = format!("{}\r\r1. e5 *\r", " ".repeat(blanks));
        let trickle = Trickle { rest: text.as_bytes(), piece: 1, interrupted: false };
        assert_eq!(read(trickle), read(text.as_bytes()), "{blanks}");
    }
}

#[test]
fn it_does_not_matter_in_which_pieces_a_stream_comes() {
    let text = "\u{feff}[Event \"x\"]\n[Site \"y\"]\n\n1. e4 {a} e5 (1... c5) 1-0\n\n1. d4 1-0\n\n\
                [Event \"y\"]\n\n1. e5 *\n\n[Event \"z\"]\n\n1. e4 {\n[White \"?\"]\n} *\n";
    for line_break in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', line_break);
        let expected = read(text.as_bytes());
        assert_eq!(expected.len(), 4);
        for piece in [1, 2, 3, 7] {
            let source = Trickle { rest: text.as_bytes(), piece, interrupted: false };
            assert_eq!(read(source), expected, "{piece} bytes, {line_break:?}");
        }
    }
}

/// A source that breaks off with an error.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::ConnectionReset.into()),
            len => Ok(len),
        }
    }
}

#[test]
fn an_input_error_is_passed_on_and_ends_the_games() {
    let mut games =
        Reader::new(Broken(b"[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. d")).games();
    assert!(games.next().is_some_and(|game| game.is_ok()));
    let Some(Err(ReadError::Io(error))) = games.next() else { panic!("the error is passed on") };
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert!(games.next().is_none());
    assert!(games.next().is_none());
}
