//! A report written into the game, as PGN knows it: evaluations, glyphs, comments, variations.

use chess::Position;
use game::{Annotation, Eval, Game, Nag, NodeId, Tree};

use super::heading::method;
use super::marks::{called, is_notable};
use super::number::mate_in;
use super::terms::Terms;
use crate::words::{self, Language};
use crate::{GameReport, Label, MoveReport, ScoreText};

/// Writes a report into its game. Each move of the main line gets the score after it, replacing an
/// older one; moves worth mentioning get a glyph, a comment and the better line as a variation. The
/// annotator is the engine, unless the game has one.
///
/// Everything else in the game stays, and what it already says is not said again: annotating twice
/// is the same as annotating once. A report of another game is ignored from the first move that
/// differs.
pub fn annotate(game: &mut Game, report: &GameReport, language: Language) {
    if game.tags.get("Annotator").is_none_or(|name| name.is_empty() || name == "?") {
        game.tags.set("Annotator", &method(report, Terms::of(language)));
    }
    let nodes: Vec<NodeId> = game.tree.main_nodes().collect();
    let positions: Vec<Position> = game.line().positions().cloned().collect();
    for (ply, (&node, one)) in nodes.iter().zip(&report.moves).enumerate() {
        let position = &positions[ply];
        if one.played.to_move(position) != game.tree.played(node) {
            break;
        }
        game.tree.comment_mut(node).eval = Some(eval(one));
        if !is_notable(one) {
            continue;
        }
        if let Some(nag) = nag(one.label).filter(|nag| !game.tree.nags(node).contains(nag)) {
            game.tree.nags_mut(node).push(nag);
        }
        comment(game.tree.comment_mut(node), &remark(report, ply, one, language));
        if one.label.is_marked() {
            add_better_line(&mut game.tree, node, position, one);
        }
    }
}

/// The score after a move.
fn eval(one: &MoveReport) -> Eval {
    match one.score {
        ScoreText::Cp(value) => Eval::Centipawns { value, depth: None },
        score @ ScoreText::Mate(_) => {
            Eval::Mate { moves: mate_in(score).unwrap_or(0), depth: None }
        }
    }
}

fn nag(label: Label) -> Option<Nag> {
    label.sign().and_then(|sign| Nag::from_sign(sign.as_bytes()))
}

/// The label and the explanation.
fn remark(report: &GameReport, ply: usize, one: &MoveReport, language: Language) -> String {
    let label = called(one, language);
    match words::explain(report, ply, language) {
        Some(sentence) => format!("{label}. {sentence}"),
        None => format!("{label}."),
    }
}

/// Appends a text unless the comment already has it.
fn comment(annotation: &mut Annotation, text: &str) {
    // In the form in which it would be read again.
    let mut new = Annotation::default();
    new.set_text(text);
    if !annotation.text().contains(new.text()) {
        annotation.append(new.text());
    }
}

/// Adds the better line beside a move; moves that are already there are shared.
fn add_better_line(tree: &mut Tree, node: NodeId, position: &Position, one: &MoveReport) {
    let Some(parent) = tree.parent(node) else { return };
    let mut position = position.clone();
    let mut moves = Vec::with_capacity(one.best.len());
    for text in &one.best {
        let Some(m) = text.to_move(&position) else { break };
        position.play_unchecked(m);
        moves.push(m);
    }
    if moves.first().is_some_and(|&first| Some(first) != tree.played(node)) {
        tree.extend(parent, moves).expect("each move is legal after the ones before it");
    }
}

#[cfg(test)]
mod tests {
    use game::pgn::Reader;

    use super::*;
    use crate::render::testing;

    fn annotated(game: &Game, report: &GameReport) -> Game {
        let mut game = game.clone();
        annotate(&mut game, report, Language::English);
        game
    }

    #[test]
    fn every_move_has_a_score_and_mistakes_have_more() {
        let (game, report) = testing::sample();
        let game = annotated(&game, &report);
        let nodes: Vec<NodeId> = game.tree.main_nodes().collect();
        for &node in &nodes {
            assert!(game.tree.comment(node).is_some_and(|comment| comment.eval.is_some()));
        }
        let blunder = nodes[testing::BLUNDER];
        assert_eq!(game.tree.nags(blunder), [Nag(4)]);
        let comment = game.tree.comment(blunder).expect("a comment");
        assert!(comment.text().starts_with("Blunder."), "{comment}");
        assert!(game.to_string().contains("(3... g6 4. Qf3 Nf6)"), "{game}");
        let read = Reader::new(game.to_string().as_bytes()).games().next();
        assert_eq!(read.expect("a game").expect("valid"), game);
        let engine = game.tags.get("Annotator").expect("an annotator");
        assert!(engine.starts_with(&report.engine), "{engine}");
    }

    #[test]
    fn an_annotator_is_kept_and_a_close_call_is_said() {
        let (mut game, mut report) = testing::sample();
        game.tags.set("Annotator", "Tal");
        report.moves[testing::BLUNDER].close_call = true;
        let game = annotated(&game, &report);
        assert_eq!(game.tags.get("Annotator"), Some("Tal"));
        let blunder = game.tree.main_nodes().nth(testing::BLUNDER).expect("it was played");
        let comment = game.tree.comment(blunder).expect("a comment");
        assert!(comment.text().starts_with("Blunder (close call)."), "{comment}");
    }

    #[test]
    fn nothing_in_the_game_is_lost() {
        let (game, report) = testing::sample();
        let after = annotated(&game, &report);
        for (before, node) in game.tree.main_nodes().zip(after.tree.main_nodes()) {
            let (nags, kept) = (game.tree.nags(before), after.tree.nags(node));
            assert!(nags.iter().all(|nag| kept.contains(nag)), "{nags:?} in {kept:?}");
            if let Some(comment) = game.tree.comment(before) {
                let kept = after.tree.comment(node).expect("a comment");
                assert!(kept.text().starts_with(comment.text()));
                assert_eq!(kept.clock, comment.clock);
            }
        }
        let queen = after.tree.main_nodes().nth(2).expect("2. Qh5");
        let parent = after.tree.parent(queen).expect("1... e5");
        let sans = |tree: &Tree| {
            let position = tree.line(parent).position().clone();
            let moves = tree.children(parent).filter_map(|child| tree.played(child));
            moves.map(|m| position.san(m).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(sans(&after.tree), ["Qh5", "d4", "Nf3"]);
    }

    #[test]
    fn annotating_twice_is_the_same_as_once() {
        let (game, report) = testing::sample();
        let once = annotated(&game, &report);
        assert_eq!(annotated(&once, &report), once);
        let read = Reader::new(once.to_string().as_bytes()).games().next();
        let read = read.expect("a game").expect("valid");
        assert_eq!(annotated(&read, &report), once);
    }

    #[test]
    fn an_existing_variation_is_continued_rather_than_repeated() {
        let (_, report) = testing::sample();
        let game =
            testing::game("1. e4 e5 2. Qh5 ( 2. Nf3 { known } Nc6 ) Nc6 3. Bc4 Nf6 4. Qxf7# 1-0");
        let text = annotated(&game, &report).to_string();
        assert_eq!(text.matches("(2. Nf3").count(), 1, "{text}");
        assert!(
            text.contains("known") && text.contains("Nc6") && text.contains("2... Nf6"),
            "{text}"
        );
    }

    #[test]
    fn a_mate_is_counted_from_the_position_after_the_move() {
        let (_, mut report) = testing::sample();
        let one = &mut report.moves[0];
        for (plies, moves) in [(0, 0), (4, 2), (-3, -2), (-2, -1), (1, 1)] {
            one.score = ScoreText::Mate(plies);
            assert_eq!(eval(one), Eval::Mate { moves, depth: None }, "{plies}");
        }
    }

    #[test]
    fn a_report_of_another_game_changes_nothing() {
        let (_, report) = testing::sample();
        let other = testing::game("[Annotator \"Tal\"]\n\n1. d4 d5 2. c4 *");
        assert_eq!(annotated(&other, &report), other);
    }
}
