//! A game parsed from PGN, with its variations.

use chess::Position;
use game::{Step, Variant};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::PlayedMove;

/// A parsed game with its variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadGame {
    /// The tags, in order.
    pub tags: Vec<Tag>,
    /// The variant.
    pub rules: Variant,
    /// The start position, as FEN.
    pub start: String,
    /// All moves; each comes after its predecessor, and main lines before variations.
    pub moves: Vec<ReadMove>,
    /// The result, as in PGN.
    pub result: String,
    /// Warnings about text that could not be read as written.
    pub remarks: Vec<String>,
}

/// A PGN tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tag {
    pub name: String,
    pub value: String,
}

/// A move of a parsed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReadMove {
    /// The index of the previous move; absent for the first.
    pub after: Option<u32>,
    /// The move.
    pub played: PlayedMove,
    /// The comment after it.
    pub comment: Option<String>,
    /// Annotation glyphs such as `!?`.
    pub signs: Vec<String>,
}

impl ReadGame {
    /// The view of a game, with the parser's remarks.
    pub fn new(game: &game::Game, remarks: &[game::pgn::Remark]) -> Self {
        let start = game.tree.start();
        let rules = game.variant();
        let mut moves: Vec<ReadMove> = Vec::new();
        // Stack of nodes to continue from, with their positions.
        let mut ahead: Vec<(game::NodeId, Option<u32>, Position)> = Vec::new();
        let put = |ahead: &mut Vec<_>, node, after, position: &Position| {
            let children: Vec<game::NodeId> = game.tree.children(node).collect();
            ahead.extend(children.into_iter().rev().map(|child| (child, after, position.clone())));
        };
        put(&mut ahead, game::Tree::ROOT, None, start);
        while let Some((node, after, before)) = ahead.pop() {
            let Some(m) = game.tree.played(node) else {
                // A null move has no place on the board: its line becomes a comment.
                let comment = after.map(|after| &mut moves[after as usize].comment);
                join(comment.unwrap_or(&mut None), &passing(&game.tree, node, before));
                continue;
            };
            let position = before.after(m);
            let said = game.tree.comment(node);
            let clock = said.and_then(|said| said.clock);
            let place = moves.len() as u32;
            moves.push(ReadMove {
                after,
                played: PlayedMove::new(&before, m, &position, clock, rules),
                comment: said.map(|said| said.text().to_owned()).filter(|text| !text.is_empty()),
                signs: game
                    .tree
                    .nags(node)
                    .iter()
                    .filter_map(|nag| nag.sign())
                    .map(str::to_owned)
                    .collect(),
            });
            put(&mut ahead, node, Some(place), &position);
        }
        Self {
            tags: game
                .tags
                .iter()
                .map(|(name, value)| Tag { name: name.to_owned(), value: value.to_owned() })
                .collect(),
            rules,
            start: start.to_string(),
            moves,
            result: game.result.as_str().to_owned(),
            remarks: remarks.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A variation from a null move on, as text.
fn passing(tree: &game::Tree, null: game::NodeId, mut position: Position) -> String {
    let mut words = Vec::new();
    for node in std::iter::successors(Some(null), |&node| tree.next(node)) {
        let (san, next) = match tree.step(node) {
            Some(Step::Move(m)) => (position.san(m).to_string(), Some(position.after(m))),
            _ => ("--".to_owned(), position.after_null_move()),
        };
        let number = position.move_number().in_line(words.is_empty());
        words.extend(number.map(|number| number.to_string()));
        words.push(san);
        let Some(next) = next else { break };
        position = next;
    }
    words.join(" ")
}

/// Appends to a comment.
fn join(comment: &mut Option<String>, text: &str) {
    match comment {
        Some(comment) => *comment = format!("{comment} {text}"),
        None => *comment = Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use game::pgn::Reader;

    use super::*;

    #[test]
    fn variations_follow_the_moves_they_belong_to() {
        let pgn = "[White \"A\"]\n\n1. e4 {good} e5 (1... c5 2. Nf3 -- 3. d4) 2. Nf3!? *\n";
        let mut games = Reader::new(pgn.as_bytes()).games();
        let game = games.next().expect("a game").expect("readable");
        let read = ReadGame::new(&game, games.remarks());
        let found: Vec<(Option<u32>, &str)> =
            read.moves.iter().map(|m| (m.after, &*m.played.san)).collect();
        assert_eq!(
            found,
            [(None, "e4"), (Some(0), "e5"), (Some(1), "Nf3"), (Some(0), "c5"), (Some(3), "Nf3")]
        );
        assert_eq!(read.moves[0].comment.as_deref(), Some("good"));
        assert_eq!(read.moves[2].signs, ["!?"]);
        assert_eq!(read.moves[4].comment.as_deref(), Some("2... -- 3. d4"));
        assert!(read.remarks.is_empty(), "{:?}", read.remarks);
        assert_eq!(read.tags[0], Tag { name: "White".to_owned(), value: "A".to_owned() });
    }
}
