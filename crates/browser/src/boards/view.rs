//! A study as JSON.

use chess::Position;
use game::{GameResult, NodeId, Openings, Tree, Variant};
use serde::Serialize;
use utoipa::ToSchema;
use wire::{Opening, PlayedMove, Tag};

use super::note::Note;
use super::study::Study;

/// A game with its variations.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StudyView {
    /// The tags, without those that follow from the rest.
    pub tags: Vec<Tag>,
    /// The variant.
    pub rules: Variant,
    /// The start position, as FEN.
    pub start: String,
    /// The result.
    pub result: GameResult,
    /// All nodes, the start first; each comes after its parent, and main lines before variations.
    pub nodes: Vec<NodeView>,
    /// Whether there is a change to undo.
    pub can_undo: bool,
    /// Whether there is one to make again.
    pub can_redo: bool,
}

/// A node of a study: the start, or a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NodeView {
    /// Its number; 0 is the start.
    pub id: u32,
    /// The node before it; none for the start.
    pub parent: Option<u32>,
    /// Plies from the start.
    pub ply: u32,
    /// The move; none for the start.
    pub played: Option<PlayedMove>,
    /// The glyphs, by their numbers in PGN (NAGs).
    pub nags: Vec<u8>,
    /// The same as symbols such as `!?`, where there is one.
    pub signs: Vec<String>,
    /// The comment after it.
    pub note: Option<Note>,
    /// The comment before it, at the start of a variation.
    pub before: Option<Note>,
    /// The opening that the line has reached.
    pub opening: Option<Opening>,
}

impl StudyView {
    pub(super) fn new(study: &Study, openings: &Openings) -> Self {
        let game = study.game();
        let rules = game.variant();
        let start = game.tree.start();
        Self {
            tags: tags(game),
            rules,
            start: start.to_string(),
            result: game.result,
            nodes: nodes(&game.tree, rules, openings),
            can_undo: study.can_undo(),
            can_redo: study.can_redo(),
        }
    }
}

pub(super) fn tags(game: &game::Game) -> Vec<Tag> {
    let tag = |(name, value): (&str, &str)| Tag { name: name.to_owned(), value: value.to_owned() };
    game.tags.iter().map(tag).collect()
}

/// A node that is still to be shown.
struct Ahead {
    node: NodeId,
    parent: u32,
    ply: u32,
    before: Position,
    opening: Option<game::Opening>,
}

/// An explicit stack, so that deep nesting can't overflow the call stack.
fn nodes(tree: &Tree, rules: Variant, openings: &Openings) -> Vec<NodeView> {
    let mut ahead: Vec<Ahead> = Vec::new();
    let put = |ahead: &mut Vec<Ahead>, node: NodeId, ply: u32, position: &Position, opening| {
        let first = ahead.len();
        ahead.extend(tree.children(node).map(|child| Ahead {
            node: child,
            parent: node.number(),
            ply: ply + 1,
            before: position.clone(),
            opening,
        }));
        ahead[first..].reverse();
    };
    let start = tree.start();
    let named = openings.name(start);
    let mut views = vec![view(tree, Tree::ROOT, named)];
    put(&mut ahead, Tree::ROOT, 0, start, named);
    while let Some(Ahead { node, parent, ply, before, opening }) = ahead.pop() {
        let Some(m) = tree.played(node) else { continue };
        let position = before.after(m);
        let opening = openings.name(&position).or(opening);
        let clock = tree.comment(node).and_then(|said| said.clock);
        views.push(NodeView {
            parent: Some(parent),
            ply,
            played: Some(PlayedMove::new(&before, m, &position, clock, rules)),
            ..view(tree, node, opening)
        });
        put(&mut ahead, node, ply, &position, opening);
    }
    views
}

/// What a node knows without its position.
fn view(tree: &Tree, node: NodeId, opening: Option<game::Opening>) -> NodeView {
    let nags = tree.nags(node);
    NodeView {
        id: node.number(),
        parent: None,
        ply: 0,
        played: None,
        nags: nags.iter().map(|nag| nag.0).collect(),
        signs: nags.iter().filter_map(|nag| nag.sign()).map(str::to_owned).collect(),
        note: tree.comment(node).map(Note::from),
        before: tree.preface(node).map(Note::from),
        opening: opening.map(Opening::from),
    }
}
