//! A visitor that builds a game.

use chess::{Move, Position};

use super::replay::{Comment, Visitor};
use crate::{Annotation, Game, GameResult, Nag, NodeId, Step, Tree};

/// Builds a [`Game`] from the events of a replay.
#[derive(Debug, Default)]
pub struct Builder {
    tags: Vec<(String, String)>,
    game: Game,
    at: Place,
    outer: Vec<Place>,
    /// The comment of a variation before its first move.
    preface: Annotation,
}

/// Where the next move goes.
#[derive(Copy, Clone, Debug)]
struct Place {
    node: NodeId,
    /// Whether the variation has no move yet: its comments come before its first move.
    fresh: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self { node: Tree::ROOT, fresh: false }
    }
}

impl Builder {
    /// The game built so far.
    pub fn game(self) -> Game {
        self.game
    }

    fn add(&mut self, step: Step) {
        let node = self.game.tree.add_unchecked(self.at.node, step);
        if std::mem::take(&mut self.at.fresh) {
            let preface = std::mem::take(&mut self.preface);
            if !preface.is_empty() {
                *self.game.tree.preface_mut(node) = preface;
            }
        }
        self.at.node = node;
    }

    /// The annotation at this place.
    fn said(&mut self) -> &mut Annotation {
        if self.at.fresh { &mut self.preface } else { self.game.tree.comment_mut(self.at.node) }
    }
}

impl Visitor for Builder {
    fn tag(&mut self, name: &str, value: &str) {
        self.tags.push((name.to_owned(), value.to_owned()));
    }

    fn start(&mut self, position: &Position) {
        self.game = Game::new(position.clone());
        let seen = self.game.tags.get("Variant").map(str::to_owned);
        for (name, value) in self.tags.drain(..) {
            let value = match &seen {
                // An unknown variant doesn't override what the start position shows.
                Some(seen) if name == "Variant" && matches!(value.trim(), "" | "?") => seen,
                _ => &value,
            };
            self.game.tags.set(&name, value);
        }
    }

    fn play(&mut self, _: &Position, m: Move) {
        self.add(Step::Move(m));
    }

    fn pass(&mut self) {
        self.add(Step::Null);
    }

    fn comment(&mut self, comment: Comment<'_>) {
        self.said().append(&comment.text());
    }

    fn unplayed(&mut self, text: Comment<'_>) {
        // Its clocks and drawings don't belong to the previous move.
        let words = text.text().replace("[%", "[ %").replace('{', "(").replace('}', ")");
        self.said().append(&words);
    }

    fn nag(&mut self, nag: Nag) {
        if self.at.node != Tree::ROOT && !self.at.fresh {
            self.game.tree.nags_mut(self.at.node).push(nag);
        }
    }

    fn open(&mut self) {
        self.outer.push(self.at);
        let parent = self.game.tree.parent(self.at.node).unwrap_or(Tree::ROOT);
        self.at = Place { node: parent, fresh: true };
    }

    fn close(&mut self) {
        self.at = self.outer.pop().unwrap_or_default();
        // A variation without moves: its comment is about the move it replaces.
        let said = std::mem::take(&mut self.preface).to_string();
        if !said.is_empty() {
            self.game.tree.comment_mut(self.at.node).append(&said);
        }
    }

    fn forfeit(&mut self) {
        if self.game.tags.get("Termination").is_none() {
            self.game.tags.set("Termination", "forfeit");
        }
    }

    fn end(&mut self, result: GameResult) {
        self.game.result = result;
    }
}
