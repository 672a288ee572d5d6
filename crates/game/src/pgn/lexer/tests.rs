//! Tests of the lexer.

use super::super::error::shown;
use super::*;

fn tokens(text: &str) -> Vec<String> {
    let mut lexer = Lexer::new(text.as_bytes());
    let mut found = Vec::new();
    while let Some(token) = lexer.next() {
        found.push(match token {
            Token::Tag { name, value } => format!("{}={}", shown(name), shown(value)),
            Token::OpenTag { name, value } => format!("{}={}...", shown(name), shown(value)),
            Token::BadTag => "bad tag".to_owned(),
            Token::Move(text) => shown(text),
            Token::NullMove(text) => format!("null {}", shown(text)),
            Token::Comment(text) => format!("{{{}}}", shown(text)),
            Token::OpenComment(text) => format!("{{{}", shown(text)),
            Token::Nag(nag) => nag.to_string(),
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::Result(result) => result.as_str().to_owned(),
            Token::Forfeit(result) => format!("forfeit {}", result.as_str()),
            Token::Unexpected(text) => format!("`{}`", shown(text)),
        });
    }
    found
}

#[test]
fn moves_numbers_and_results() {
    assert_eq!(
        tokens("1.e4 e5 2. Nf3!? 2... d6 ?? 3 O-O 0-0-0 1/2-1/2"),
        ["e4", "e5", "Nf3", "$5", "d6", "$4", "O-O", "0-0-0", "1/2-1/2"]
    );
    assert_eq!(tokens("e8=Q+ $16 exd6 e.p. +- *"), ["e8=Q+", "$16", "exd6", "$18", "*"]);
}

#[test]
fn tags_comments_and_variations() {
    assert_eq!(
        tokens(
            "[White \"Tal\"]\n[Event \"say \\\"hi\\\"\"]\n\n% note\n1. e4 {x (} (1. d4 ; y\n) 1-0"
        ),
        ["White=Tal", "Event=say \\\"hi\\\"", "e4", "{x (}", "(", "d4", "{ y}", ")", "1-0"]
    );
    assert_eq!(tokens("[A \"1\"][B \"2\"]"), ["A=1", "B=2"]);
    assert_eq!(tokens("[Site \"a \"quoted\" b\"]"), ["Site=a \"quoted\" b"]);
}

#[test]
fn what_is_not_closed_ends_with_its_line_or_the_game() {
    assert_eq!(tokens("e4 {open"), ["e4", "{open"]);
    assert_eq!(tokens("[White \"Tal]\n[Black \"x\"]"), ["White=Tal...", "Black=x"]);
    assert_eq!(tokens("[White \"Tal\n[Black \"x\"]"), ["White=Tal...", "Black=x"]);
    assert_eq!(tokens("[White] [Black \"x\"]"), ["bad tag", "Black=x"]);
    assert_eq!(tokens("[White\n[Black \"x\"]"), ["bad tag", "Black=x"]);
}

#[test]
fn signs_without_meaning_are_cut_out_and_words_are_left_whole() {
    assert_eq!(tokens("e4 & d4 } $x , <"), ["e4", "`&`", "d4", "`}`", "`$x`", "`,`", "`<`"]);
    assert_eq!(tokens("e4,e5 @b4 [#] [%clk 1]"), ["e4", "`,`", "e5", "@b4", "`[#]`", "{[%clk 1]}"]);
    assert_eq!(tokens("e4 ☺ é Сf3"), ["e4", "`☺`", "é", "Сf3"]);
}

#[test]
fn null_moves_have_many_forms() {
    for null in ["--", "Z0", "null", "pass", "0000", "––", "—", "@@@@"] {
        assert_eq!(tokens(&format!("e4 {null} d4")), ["e4", &format!("null {null}"), "d4"]);
    }
}

#[test]
fn dashes_and_blanks_of_any_kind() {
    assert_eq!(tokens("1.\u{a0}O‑O\u{a0}0–0–0 1–0"), ["O‑O", "0–0–0", "1-0"]);
    assert_eq!(tokens("e2–e4 ½–½"), ["e2–e4", "1/2-1/2"]);
    assert_eq!(
        tokens("Qh5+– Qh4–+ Qh3 −+ 1 - 0"),
        ["Qh5", "$18", "Qh4", "$19", "Qh3", "$19", "1-0"]
    );
}

#[test]
fn glyphs_of_books() {
    assert_eq!(
        tokens("e4⩱ e5 ⩲ d4±∓ ∞□"),
        ["e4", "$15", "e5", "$14", "d4", "$16", "$17", "$13", "$7"]
    );
    assert_eq!(tokens("e4 ⟳→ e5=∞ d4‼ ⇒"), ["e4", "$32", "$40", "e5", "$44", "d4", "$3", "`⇒`"]);
}

#[test]
fn forfeits_are_results_unless_they_judge_a_move() {
    assert_eq!(tokens("+--"), ["forfeit 1-0"]);
    assert_eq!(tokens("e4 e5 --+"), ["e4", "e5", "forfeit 0-1"]);
    assert_eq!(tokens("{absent} +/-"), ["{absent}", "forfeit 1-0"]);
    assert_eq!(tokens("e4 +/- 1-0F"), ["e4", "$16", "forfeit 1-0"]);
    assert_eq!(tokens("-/-"), ["forfeit *"]);
}

#[test]
fn forum_tags_are_passed_over() {
    assert_eq!(tokens("[pgn]\n[A \"1\"]\n1. e4 1-0[/PGN]"), ["A=1", "e4", "1-0"]);
    assert_eq!(tokens("[pgn height=300 ] e4"), ["e4"]);
    assert_eq!(tokens("[pgn \"x\"]"), ["pgn=x"]);
}
