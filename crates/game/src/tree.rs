//! The moves of a game with all its variations.

use chess::{IllegalMove, Line, Move, Position};

use crate::{Annotation, Nag};

/// A move of a tree, or the root before all moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Its number, which stays the same as long as the tree lives; [`Tree::node_at`] finds it again.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// Moves from a start position, branching into variations. The first child of a node
/// continues the main line, its other children are variations of that move.
///
/// ```
/// use chess::Position;
/// use game::Tree;
///
/// let mut tree = Tree::new(Position::default());
/// let e4 = tree.add_san(Tree::ROOT, "e4")?;
/// let e5 = tree.add_san(e4, "e5")?;
/// let sicilian = tree.add_san(e4, "c5")?;
/// assert_eq!(tree.main_line().len(), 2);
/// tree.promote(sicilian);
/// assert_eq!(tree.children(e4).collect::<Vec<_>>(), [sicilian, e5]);
/// # Ok::<(), chess::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    start: Position,
    /// Nodes in the order they were added; removed ones stay, but are unreachable.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// The move and the node it is played from; none for the root.
    played: Option<(NodeId, Move)>,
    first_child: Option<NodeId>,
    /// Kept so that adding a move takes constant time, regardless of the number of variations.
    last_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
    nags: Vec<Nag>,
    preface: Option<Box<Annotation>>,
    comment: Option<Box<Annotation>>,
}

impl Tree {
    /// The node before the first move.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree without moves.
    pub fn new(start: Position) -> Self {
        Self { start, nodes: vec![Node::default()] }
    }

    /// The node with a number, unless it was removed.
    pub fn node_at(&self, number: u32) -> Option<NodeId> {
        let id = NodeId(number);
        self.nodes.get(number as usize)?;
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            self.children(parent).find(|&child| child == at)?;
            at = parent;
        }
        Some(id)
    }

    /// The position at the root.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The move that leads to a node; none for the root.
    pub fn played(&self, id: NodeId) -> Option<Move> {
        self.node(id).played.map(|(_, m)| m)
    }

    /// The node that a node's move is played from.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).played.map(|(parent, _)| parent)
    }

    /// The children of a node, the main continuation first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first_child, |&id| self.node(id).next_sibling)
    }

    /// The main continuation.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).first_child
    }

    /// The nodes of the main line, without the root.
    pub fn main_nodes(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(Self::ROOT), |&id| self.next(id))
    }

    /// The last node of the main line.
    pub fn end(&self) -> NodeId {
        self.main_nodes().last().unwrap_or(Self::ROOT)
    }

    /// The moves of the main line.
    pub fn main_line(&self) -> Line {
        self.line(self.end())
    }

    /// The moves from the start to a node.
    pub fn line(&self, id: NodeId) -> Line {
        let mut moves: Vec<Move> =
            std::iter::successors(self.node(id).played, |&(parent, _)| self.node(parent).played)
                .map(|(_, m)| m)
                .collect();
        moves.reverse();
        let mut line = Line::new(self.start.clone());
        for m in moves {
            line.play(m).expect("only legal moves are added to a tree");
        }
        line
    }

    /// Adds a move after a node, as the last variation; if it already exists, returns that node.
    pub fn add(&mut self, parent: NodeId, m: Move) -> Result<NodeId, IllegalMove> {
        match self.child(parent, m) {
            Some(known) => Ok(known),
            None => self.extend(parent, [m]),
        }
    }

    /// Adds a sequence of moves after a node, and returns the last. Each move is played on the
    /// board only once. If one is illegal, those before it stay.
    pub fn extend(
        &mut self,
        parent: NodeId,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<NodeId, IllegalMove> {
        let mut position = self.line(parent).position().clone();
        let mut at = parent;
        for m in moves {
            at = match self.child(at, m) {
                Some(known) => known,
                None if position.is_legal(m) => self.add_unchecked(at, m),
                None => return Err(IllegalMove),
            };
            position.play_unchecked(m);
        }
        Ok(at)
    }

    /// The node of an existing move.
    fn child(&self, parent: NodeId, m: Move) -> Option<NodeId> {
        self.children(parent).find(|&child| self.played(child) == Some(m))
    }

    /// Adds a move in SAN after a node.
    pub fn add_san(&mut self, parent: NodeId, text: &str) -> Result<NodeId, chess::SanError> {
        let m = self.line(parent).position().parse_san(text)?;
        self.add(parent, m).map_err(|IllegalMove| chess::SanError::Illegal)
    }

    /// Adds a move known to be legal, even if it already exists.
    pub(crate) fn add_unchecked(&mut self, parent: NodeId, m: Move) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        match self.node_mut(parent).last_child.replace(id) {
            Some(sibling) => self.node_mut(sibling).next_sibling = Some(id),
            None => self.node_mut(parent).first_child = Some(id),
        }
        self.nodes.push(Node { played: Some((parent, m)), ..Node::default() });
        id
    }

    /// Makes a variation the main continuation of the node it is played from.
    pub fn promote(&mut self, id: NodeId) {
        if let Some(parent) = self.unlink(id) {
            let node = self.node_mut(parent);
            let first = node.first_child.replace(id);
            node.last_child.get_or_insert(id);
            self.node_mut(id).next_sibling = first;
            self.settle_preface(parent);
        }
    }

    /// Makes the line to a node the main line.
    pub fn make_main(&mut self, id: NodeId) {
        let path: Vec<NodeId> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.into_iter().for_each(|id| self.promote(id));
    }

    /// Moves a move one place back among the moves played from the same node.
    pub fn demote(&mut self, id: NodeId) {
        let Some(next) = self.node(id).next_sibling else { return };
        let Some(parent) = self.unlink(id) else { return };
        let after = self.node_mut(next).next_sibling.replace(id);
        self.node_mut(id).next_sibling = after;
        if after.is_none() {
            self.node_mut(parent).last_child = Some(id);
        }
        self.settle_preface(parent);
    }

    /// Removes a move and everything after it. The root can't be removed.
    pub fn remove(&mut self, id: NodeId) {
        if let Some(parent) = self.unlink(id) {
            self.settle_preface(parent);
        }
    }

    /// Removes everything after a node.
    pub fn truncate(&mut self, id: NodeId) {
        let node = self.node_mut(id);
        (node.first_child, node.last_child) = (None, None);
    }

    /// Detaches a node and returns its parent, or `None` if it was already detached.
    fn unlink(&mut self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        let before = self.children(parent).take_while(|&child| child != id).last();
        let place = match before {
            Some(before) => self.node(before).next_sibling,
            None => self.node(parent).first_child,
        };
        if place != Some(id) {
            return None; // already removed
        }
        let after = self.node_mut(id).next_sibling.take();
        match before {
            Some(before) => self.node_mut(before).next_sibling = after,
            None => self.node_mut(parent).first_child = after,
        }
        if after.is_none() {
            self.node_mut(parent).last_child = before;
        }
        Some(parent)
    }

    /// A preface of the main continuation is moved to the comment of the move before it.
    fn settle_preface(&mut self, parent: NodeId) {
        let preface = self.next(parent).and_then(|main| self.node_mut(main).preface.take());
        if let Some(preface) = preface {
            self.comment_mut(parent).append(&preface.to_string());
        }
    }

    /// The glyphs of a move.
    pub fn nags(&self, id: NodeId) -> &[Nag] {
        &self.node(id).nags
    }

    /// The glyphs of a move, mutable.
    pub fn nags_mut(&mut self, id: NodeId) -> &mut Vec<Nag> {
        &mut self.node_mut(id).nags
    }

    /// The comment after a move; at the root, before the game.
    pub fn comment(&self, id: NodeId) -> Option<&Annotation> {
        said(self.node(id).comment.as_deref())
    }

    /// The comment after a move, mutable.
    pub fn comment_mut(&mut self, id: NodeId) -> &mut Annotation {
        self.node_mut(id).comment.get_or_insert_default()
    }

    /// The comment before the first move of a variation.
    pub fn preface(&self, id: NodeId) -> Option<&Annotation> {
        said(self.node(id).preface.as_deref())
    }

    /// The comment before the first move of a variation, mutable. Before the main continuation this
    /// is the comment of the move before it.
    pub fn preface_mut(&mut self, id: NodeId) -> &mut Annotation {
        if let Some(parent) = self.parent(id).filter(|&parent| self.next(parent) == Some(id)) {
            return self.comment_mut(parent);
        }
        self.node_mut(id).preface.get_or_insert_default()
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    /// The reachable nodes, parents before children.
    fn walk(&self) -> impl Iterator<Item = NodeId> {
        let mut stack = vec![Self::ROOT];
        std::iter::from_fn(move || {
            let id = stack.pop()?;
            stack.extend(self.children(id));
            Some(id)
        })
    }

    fn same_node(&self, id: NodeId, other: &Self, other_id: NodeId) -> bool {
        self.played(id) == other.played(other_id)
            && self.children(id).count() == other.children(other_id).count()
            && self.nags(id) == other.nags(other_id)
            && self.comment(id) == other.comment(other_id)
            && self.preface(id) == other.preface(other_id)
    }
}

fn said(annotation: Option<&Annotation>) -> Option<&Annotation> {
    annotation.filter(|annotation| !annotation.is_empty())
}

/// Trees are equal if their reachable contents are.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.start == other.start
            && self.walk().count() == other.walk().count()
            && self.walk().zip(other.walk()).all(|(a, b)| self.same_node(a, other, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(moves: &str) -> Tree {
        let mut tree = Tree::new(Position::default());
        let mut at = Tree::ROOT;
        for text in moves.split(' ') {
            at = tree.add_san(at, text).expect("a legal move");
        }
        tree
    }

    #[test]
    fn removed_moves_leave_no_trace() {
        let mut one = tree("e4 e5 Nf3");
        let e4 = one.next(Tree::ROOT).expect("there is a move");
        let c5 = one.add_san(e4, "c5").expect("legal");
        one.add_san(c5, "Nf3").expect("legal");
        assert_ne!(one, tree("e4 e5 Nf3"));
        one.remove(c5);
        assert_eq!(one, tree("e4 e5 Nf3"));
        one.remove(Tree::ROOT);
        assert_eq!(one, tree("e4 e5 Nf3"));
    }

    #[test]
    fn a_move_is_added_once_and_only_if_legal() {
        let mut tree = tree("e4 e5");
        let again = tree.add_san(Tree::ROOT, "e4").expect("legal");
        assert_eq!(tree.children(Tree::ROOT).collect::<Vec<_>>(), [again]);
        assert!(tree.add_san(again, "e4").is_err());
        let stale = tree.played(again).expect("a move");
        assert_eq!(tree.add(again, stale), Err(IllegalMove));
    }

    #[test]
    fn moves_are_added_after_each_other_up_to_the_first_illegal_one() {
        let mut one = tree("e4 e5");
        let mut line = tree("e4 c5 Nf3").main_line();
        let last = one.extend(Tree::ROOT, line.moves()).expect("legal");
        assert!(one.line(last) == line);
        let e4 = one.next(Tree::ROOT).expect("there is a move");
        assert_eq!((one.children(Tree::ROOT).count(), one.children(e4).count()), (1, 2));
        assert_eq!(one.extend(last, []), Ok(last));
        line.truncate(2);
        let nonsense = line.moves().chain([one.played(e4).expect("a move")]);
        let mut other = Tree::new(Position::default());
        assert_eq!(other.extend(Tree::ROOT, nonsense), Err(IllegalMove));
        assert_eq!(other, tree("e4 c5"));
    }

    #[test]
    fn the_preface_of_a_variation_that_becomes_the_main_line_goes_before_it() {
        let mut tree = tree("e4 e5");
        let d4 = tree.add_san(Tree::ROOT, "d4").expect("legal");
        tree.preface_mut(d4).append("or");
        assert_eq!(tree.preface(d4).map(Annotation::text), Some("or"));
        tree.promote(d4);
        assert_eq!(tree.preface(d4), None);
        tree.preface_mut(d4).append("else");
        assert_eq!(tree.comment(Tree::ROOT).map(Annotation::text), Some("or else"));
    }

    #[test]
    fn a_demoted_move_changes_places_with_the_next() {
        let mut tree = tree("e4 e5");
        let e4 = tree.next(Tree::ROOT).expect("e4");
        let d4 = tree.add_san(Tree::ROOT, "d4").expect("legal");
        let c4 = tree.add_san(Tree::ROOT, "c4").expect("legal");
        let order = |tree: &Tree| tree.children(Tree::ROOT).collect::<Vec<_>>();
        tree.demote(e4);
        assert_eq!(order(&tree), [d4, e4, c4]);
        tree.demote(e4);
        tree.demote(e4); // already the last
        tree.demote(Tree::ROOT);
        assert_eq!(order(&tree), [d4, c4, e4]);
        let b3 = tree.add_san(Tree::ROOT, "b3").expect("legal");
        assert_eq!(order(&tree), [d4, c4, e4, b3]);
    }

    #[test]
    fn a_node_is_found_by_its_number_until_it_is_removed() {
        let mut tree = tree("e4 e5");
        let e4 = tree.next(Tree::ROOT).expect("e4");
        let c5 = tree.add_san(e4, "c5").expect("legal");
        let nf3 = tree.add_san(c5, "Nf3").expect("legal");
        assert_eq!(tree.node_at(nf3.number()), Some(nf3));
        assert_eq!((tree.node_at(0), tree.node_at(99)), (Some(Tree::ROOT), None));
        tree.make_main(nf3);
        assert_eq!(tree.main_nodes().collect::<Vec<_>>(), [e4, c5, nf3]);
        tree.remove(c5);
        assert_eq!(tree.node_at(nf3.number()), None);
    }

    #[test]
    fn a_promoted_variation_is_the_main_line() {
        let mut tree = tree("e4 e5");
        let d4 = tree.add_san(Tree::ROOT, "d4").expect("legal");
        let c4 = tree.add_san(Tree::ROOT, "c4").expect("legal");
        tree.promote(c4);
        let order: Vec<_> = tree.children(Tree::ROOT).collect();
        let e4 = order[1];
        assert_eq!((order.len(), order[0], order[2]), (3, c4, d4));
        assert_eq!(tree.end(), c4);
        tree.remove(e4);
        tree.promote(e4); // already removed
        assert_eq!(tree.children(Tree::ROOT).collect::<Vec<_>>(), [c4, d4]);
        tree.comment_mut(c4); // accessed, but left empty
        assert_eq!(tree.comment(c4), None);
    }
}
