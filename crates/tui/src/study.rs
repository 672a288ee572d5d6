//! The game as it is shown: its tree of moves, and the one that the board is at.

use std::sync::atomic::{AtomicU64, Ordering};

use chess::{Line, Move, Position};
use game::live::LiveGame;
use game::{Game, NodeId, Tree};

/// A game with a place in it.
#[derive(Clone, Debug)]
pub struct Study {
    /// The game, with its variations.
    pub game: Game,
    at: NodeId,
    /// The moves up to there.
    line: Line,
    /// Changes whenever the tree does.
    revision: u64,
}

/// A revision that no tree has had before: two games never share one.
fn next_revision() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A step through a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Walk {
    /// Some moves back.
    Back(usize),
    /// Some moves forward.
    Next(usize),
    /// To the start.
    First,
    /// To the end of the main line.
    Last,
    /// To the variation before this move.
    VariationUp,
    /// To the variation after this move.
    VariationDown,
}

impl Study {
    /// A game, seen from its start.
    pub fn new(game: Game) -> Self {
        let line = Line::new(game.tree.start().clone());
        Self { game, at: Tree::ROOT, line, revision: next_revision() }
    }

    /// Changes with the tree and is another for every game, so that what was made of it can be kept.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// What is made of the tree must be made again.
    pub fn touch(&mut self) {
        self.revision = next_revision();
    }

    /// The move that the board is at.
    pub const fn at(&self) -> NodeId {
        self.at
    }

    /// The moves up to the one that the board is at.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The position on the board.
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// The move that led to the position on the board.
    pub fn last_move(&self) -> Option<Move> {
        self.game.tree.played(self.at)
    }

    /// Whether the board is at the end of the main line.
    pub fn is_at_end(&self) -> bool {
        self.at == self.game.tree.end()
    }

    /// Whether the board is in the main line, and after how many moves.
    pub fn main_ply(&self) -> Option<usize> {
        if self.at == Tree::ROOT {
            return Some(0);
        }
        self.game.tree.main_nodes().position(|node| node == self.at).map(|index| index + 1)
    }

    /// Shows a move.
    pub fn go(&mut self, node: NodeId) {
        self.line = self.game.tree.line(node);
        self.at = node;
    }

    /// Takes a step.
    pub fn walk(&mut self, walk: Walk) {
        let tree = &self.game.tree;
        let node = match walk {
            Walk::Back(steps) => {
                std::iter::successors(Some(self.at), |&at| tree.parent(at)).take(steps + 1).last()
            }
            Walk::Next(steps) => {
                std::iter::successors(Some(self.at), |&at| tree.next(at)).take(steps + 1).last()
            }
            Walk::First => Some(Tree::ROOT),
            Walk::Last => Some(tree.end()),
            Walk::VariationUp => self.sibling(false),
            Walk::VariationDown => self.sibling(true),
        };
        if let Some(node) = node.filter(|&node| node != self.at) {
            self.go(node);
        }
    }

    /// The variation before or after this move.
    fn sibling(&self, after: bool) -> Option<NodeId> {
        let tree = &self.game.tree;
        let siblings: Vec<NodeId> = tree.children(tree.parent(self.at)?).collect();
        let index = siblings.iter().position(|&node| node == self.at)?;
        let index = if after { index + 1 } else { index.checked_sub(1)? };
        siblings.get(index).copied()
    }

    /// Plays a move after the one shown, as a variation if there is already another, and shows it.
    pub fn play(&mut self, m: Move) -> bool {
        match self.game.tree.add(self.at, m) {
            Ok(node) => {
                self.touch();
                self.go(node);
                true
            }
            Err(_) => false,
        }
    }

    /// Follows a live game to its last move. Stays where it is if nothing has changed.
    pub fn follow(&mut self, live: &LiveGame) {
        let moves: Vec<Move> = live.line().moves().collect();
        let tree = &mut self.game.tree;
        let known: Vec<NodeId> = tree.main_nodes().collect();
        let same =
            known.iter().zip(&moves).take_while(|(node, m)| tree.played(**node) == Some(**m));
        let same = same.count();
        let last = same.checked_sub(1).map_or(Tree::ROOT, |index| known[index]);
        let changed = same < known.len() || same < moves.len();
        if same < known.len() {
            tree.truncate(last);
        }
        let end = tree.extend(last, moves[same..].iter().copied());
        let end = end.expect("the moves of a live game are legal");
        for (node, &left) in tree.main_nodes().collect::<Vec<_>>().into_iter().zip(live.lefts()) {
            tree.comment_mut(node).clock = Some(left);
        }
        self.game.result = live.result();
        if changed {
            self.touch();
            self.go(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use game::live::{Command, Moment, Sides, Terms};

    use super::*;

    fn moves(study: &Study) -> String {
        study.game.to_string().lines().last().unwrap_or_default().to_owned()
    }

    #[test]
    fn a_study_follows_moves_and_takebacks() {
        let mut live = LiveGame::new(Terms::default());
        let mut study = Study::new(Game::default());
        for (ply, text) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
            live.act(Sides::Both, &Command::play(ply, text), Moment(0)).expect("a move");
            study.follow(&live);
        }
        assert_eq!(moves(&study), "1. e4 e5 2. Nf3 *");
        assert!(study.is_at_end() && study.main_ply() == Some(3));
        study.walk(Walk::Back(2));
        study.follow(&live);
        assert_eq!(study.main_ply(), Some(1), "nothing has changed");
        live.act(Sides::Both, &Command::TakeBack, Moment(0)).expect("a takeback");
        study.follow(&live);
        assert_eq!(moves(&study), "1. e4 e5 *");
        assert!(study.is_at_end());
    }

    #[test]
    fn another_move_is_a_variation() {
        let mut study = Study::new(Game::default());
        for text in ["e4", "e5"] {
            let m = study.position().parse_san(text).expect("a move");
            assert!(study.play(m));
        }
        study.walk(Walk::Back(1));
        let sicilian = study.position().parse_san("c5").expect("a move");
        assert!(study.play(sicilian));
        assert!(!study.play(sicilian), "it is White's turn");
        assert_eq!(moves(&study), "1. e4 e5 (1... c5) *");
        assert_eq!(study.main_ply(), None);
        study.walk(Walk::VariationUp);
        assert_eq!(study.main_ply(), Some(2));
        study.walk(Walk::VariationUp);
        assert_eq!(study.main_ply(), Some(2), "it is the first");
        study.walk(Walk::VariationDown);
        assert_eq!(study.main_ply(), None);
        study.walk(Walk::First);
        study.walk(Walk::Next(100));
        assert!(study.is_at_end());
    }
}
