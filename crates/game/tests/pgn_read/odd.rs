//! Unusual notations are read like the usual ones.

use game::{GameResult, Nag};

use crate::{comment, games, kept, line, lines, movetext, node, one};
use game::pgn::PgnError;

#[test]
fn results_have_any_dash() {
    for (text, result) in [
        ("1–0", GameResult::WhiteWins),
        ("1—0", GameResult::WhiteWins),
        ("1−0", GameResult::WhiteWins),
        ("1 - 0", GameResult::WhiteWins),
        ("0‑1", GameResult::BlackWins),
        ("0:1", GameResult::BlackWins),
        ("½-½", GameResult::Draw),
        ("½–½", GameResult::Draw),
        ("½", GameResult::Draw),
        ("1/2–1/2", GameResult::Draw),
        ("1/2 - 1/2", GameResult::Draw),
    ] {
        let game = one(format!("[Event \"x\"]\n\n1. e4 e5 {text}\n"));
        assert_eq!((line(&game), game.result), ("e4 e5".into(), result), "{text}");
        let game = one(format!("[Event \"x\"]\n[Result \"{text}\"]\n\n1. e4 e5\n"));
        assert_eq!(game.result, result, "tag {text}");
        // They also separate games without headers.
        assert_eq!(lines(format!("1. e4 e5 {text}\n\n1. d4 d5\n")), ["e4 e5", "d4 d5"], "{text}");
    }
    assert_eq!(one(b"1. e4 e5 \xBD-\xBD").result, GameResult::Draw);
}

#[test]
fn castling_has_any_dash() {
    for (short, long) in [("O‑O", "O–O–O"), ("0–0", "0–0–0"), ("O−O", "O—O—O"), ("o‐o", "o‐o‐o")]
    {
        let text = format!("e4 d5 Nf3 Nc6 Be2 Bf5 {short} Qd6 d3 {long} *");
        assert_eq!(lines(text), ["e4 d5 Nf3 Nc6 Be2 Bf5 O-O Qd6 d3 O-O-O"], "{short}");
    }
}

#[test]
fn moves_may_have_figurines_and_other_dashes_and_blanks() {
    for (text, moves) in [
        ("1. ♘f3 ♞f6 2. ♘\u{fe0e}c3", "Nf3 Nf6 Nc3"),
        ("e2–e4 e7−e5 Ng1–f3", "e4 e5 Nf3"),
        ("e4 d5 e×d5", "e4 d5 exd5"),
        ("1.\u{a0}e4\u{a0}e5\u{200b} 2.\u{2009}Nf3", "e4 e5 Nf3"),
    ] {
        assert_eq!(lines(text), [moves], "{text}");
    }
    assert_eq!(lines(b"1.\xA0e4 e5 2. Bc4\xB1 Nf6"), ["e4 e5 Bc4 Nf6"]);
}

#[test]
fn the_glyphs_of_books_are_numbers() {
    for (sign, number) in [
        ("⩱", 15),
        ("⩲", 14),
        ("±", 16),
        ("∓", 17),
        ("∞", 13),
        ("□", 7),
        ("⟳", 32),
        ("→", 40),
        ("↑", 36),
        ("⇆", 132),
        ("=∞", 44),
        ("+−", 18),
        ("–+", 19),
        ("⁉", 5),
    ] {
        for text in [format!("1. e4 {sign} e5 *"), format!("1. e4{sign} e5 *")] {
            let game = one(&text);
            assert_eq!(line(&game), "e4 e5", "{text}");
            assert_eq!(game.tree.nags(node(&game, 1)), [Nag(number)], "{text}");
        }
    }
}

#[test]
fn signs_without_a_number_are_reported_and_left_out() {
    for sign in ["⇒", "☺", "⊞", "§"] {
        for text in [format!("1. e4 {sign} e5 *"), format!("1. e4{sign} e5 *")] {
            let (game, remarks) = kept(&format!("[Event \"x\"]\n\n{text}"));
            assert_eq!(remarks, [(3, PgnError::Unexpected(sign.into()))], "{text}");
            assert_eq!(movetext(&game), "1. e4 e5 *");
        }
    }
}

#[test]
fn a_forfeit_is_a_result() {
    for (text, result) in [
        ("+--", GameResult::WhiteWins),
        ("+––", GameResult::WhiteWins),
        ("+/-", GameResult::WhiteWins),
        ("+:-", GameResult::WhiteWins),
        ("1-0F", GameResult::WhiteWins),
        ("--+", GameResult::BlackWins),
        ("-/+", GameResult::BlackWins),
        ("-/-", GameResult::Unknown),
    ] {
        let header = "[Event \"x\"]\n[White \"Tal\"]\n";
        let named = format!("{header}[Result \"{text}\"]\n\n{{absent}} *\n");
        let mut texts = vec![format!("{header}\n{{absent}} {text}\n")];
        if text != "1-0F" {
            texts.push(named);
        }
        for text in texts {
            let game = one(&text);
            assert_eq!((comment(&game, 0), game.result), ("absent", result), "{text}");
            assert_eq!(game.tags.get("Termination"), Some("forfeit"), "{text}");
            assert_eq!(one(game.to_string()), game);
        }
    }
    let game = one("[Event \"x\"]\n[Termination \"no show\"]\n\n+--\n");
    assert_eq!(game.tags.get("Termination"), Some("no show"));
}

#[test]
fn after_a_move_the_sign_of_a_forfeit_judges_the_position() {
    let game = one("1. e4 e5 +/- 1-0");
    assert_eq!(game.tree.nags(node(&game, 2)), [Nag(16)]);
    assert_eq!((game.result, game.tags.get("Termination")), (GameResult::WhiteWins, None));
    let game = one("1. e4 e5 --+");
    assert_eq!((line(&game), game.result), ("e4 e5".into(), GameResult::BlackWins));
    assert_eq!(game.tags.get("Termination"), Some("forfeit"));
}

#[test]
fn forums_put_tags_around_games() {
    for text in [
        "[pgn]\n[Event \"x\"]\n\n1. e4 e5 1-0\n[/pgn]\n\n[pgn]\n[Event \"y\"]\n\n1. d4 d5 *\n[/pgn]\n",
        "[pgn][Event \"x\"]\n\n1. e4 e5 1-0[/pgn]\n[PGN][Event \"y\"]\n1. d4 d5 *[/PGN]",
        "[pgn]\n\n[Event \"x\"]\n\n1. e4 e5\n\n[/pgn]\n[pgn=640]\n\n[Event \"y\"]\n\n1. d4 d5\n[/pgn]",
    ] {
        let games = games(text);
        let found: Vec<_> = games.iter().map(|game| (game.tags.get("Event"), line(game))).collect();
        assert_eq!(found, [(Some("x"), "e4 e5".into()), (Some("y"), "d4 d5".into())], "{text}");
    }
    assert_eq!(lines("[pgn]1. e4 e5 1-0[/pgn]\n\n[pgn]1. d4 *[/pgn]"), ["e4 e5", "d4"]);
    assert_eq!(lines("[pgn][/pgn]"), [""; 0]);
}

#[test]
fn commands_may_lack_their_comment() {
    let game = one("1. e4 [%clk 0:05:00] e5 *");
    let said = game.tree.comment(node(&game, 1)).and_then(|said| said.clock);
    assert_eq!((line(&game), said), ("e4 e5".into(), Some(std::time::Duration::from_mins(5))));
}

#[test]
fn a_fen_tag_without_a_position_means_the_usual_start() {
    for fen in ["", "?", "startpos"] {
        let game = one(format!("[FEN \"{fen}\"]\n\n1. e4 e5 *\n"));
        assert_eq!(line(&game), "e4 e5", "{fen:?}");
    }
}

#[test]
fn glyphs_beyond_the_standard_are_reported() {
    for glyph in ["$256", "$10000000000000000000000"] {
        let (game, remarks) = kept(&format!("1. e4 {glyph} e5 *"));
        assert_eq!((line(&game).as_str(), remarks.len()), ("e4 e5", 1), "{glyph}");
    }
}
