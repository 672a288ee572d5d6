//! A game being studied: its tree, and the changes that can be undone.

use std::collections::VecDeque;

use game::{Game, NodeId, Tree};

use wire::Fault;

use crate::Trouble;

/// Changes that can be undone.
const MOST_CHANGES: usize = 100;

/// A game being studied.
#[derive(Debug)]
pub(super) struct Study {
    game: Game,
    /// The game before each change, the last one at the end.
    before: VecDeque<Game>,
    /// The game after each change that was undone, the last one undone at the end.
    undone: Vec<Game>,
}

impl Study {
    pub(super) const fn new(game: Game) -> Self {
        Self { game, before: VecDeque::new(), undone: Vec::new() }
    }

    pub(super) const fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    pub(super) const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The node with a number.
    pub(super) fn node(&self, number: u32) -> Result<NodeId, Trouble> {
        let removed = || Trouble::new(format!("node {number} has been removed"));
        self.game.tree.node_at(number).ok_or_else(removed)
    }

    /// Changes the game. If the change fails or changes nothing, there is nothing to undo.
    pub(super) fn change<T>(
        &mut self,
        change: impl FnOnce(&mut Game) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut game = self.game.clone();
        let done = change(&mut game)?;
        if has_null_move(&game.tree) {
            let text = "nobody can pass in a game: a null move stays in a variation";
            return Err(Trouble {
                text: text.to_owned(),
                fault: Some(Fault::new("null_move", [])),
            });
        }
        if game != self.game {
            self.before.push_back(std::mem::replace(&mut self.game, game));
            if self.before.len() > MOST_CHANGES {
                self.before.pop_front();
            }
            self.undone.clear();
        }
        Ok(done)
    }

    /// Undoes the last change, if there is one.
    pub(super) fn undo(&mut self) {
        if let Some(before) = self.before.pop_back() {
            self.undone.push(std::mem::replace(&mut self.game, before));
        }
    }

    /// Makes the change again that was undone last.
    pub(super) fn redo(&mut self) {
        if let Some(after) = self.undone.pop() {
            self.before.push_back(std::mem::replace(&mut self.game, after));
        }
    }

    /// The node with a number, or the last one of its line that still exists.
    pub(super) fn nearest(&self, number: u32, other: &Game) -> NodeId {
        let path = other.tree.node_at(number).map(|id| {
            std::iter::successors(Some(id), |&id| other.tree.parent(id)).collect::<Vec<_>>()
        });
        path.into_iter()
            .flatten()
            .find_map(|id| self.game.tree.node_at(id.number()))
            .unwrap_or(Tree::ROOT)
    }
}

/// Whether the main line goes on after a null move. Such a game can't be written: who reads it takes
/// the rest for a comment.
fn has_null_move(tree: &Tree) -> bool {
    tree.next(tree.end()).is_some()
}

/// The first move of the variation that a node belongs to; none on the main line.
pub(super) fn branch(tree: &Tree, node: NodeId) -> Option<NodeId> {
    std::iter::successors(Some(node), |&id| tree.parent(id))
        .find(|&id| tree.parent(id).is_some_and(|parent| tree.next(parent) != Some(id)))
}

/// The nearest move up to a node that another one follows among its siblings.
pub(super) fn fork(tree: &Tree, node: NodeId) -> Option<NodeId> {
    std::iter::successors(Some(node), |&id| tree.parent(id))
        .find(|&id| tree.parent(id).is_some_and(|parent| tree.children(parent).last() != Some(id)))
}
