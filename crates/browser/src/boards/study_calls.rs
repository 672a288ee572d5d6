//! What a page can do with studies.

use game::pgn::Reader;
use game::{Game, Nag, NodeId, Step, Tree, Variant};
use wire::{NULL_MOVE, PositionRequest, PositionView};

use super::core::{Core, look_at};
use super::note::draw;
use super::questions::{
    Annotate, Close, Edited, Found, NodeAt, Opened, Pgn, Play, ReadGames, ReadStudy, SetTags,
    StudyAt,
};
use super::study::{Study, branch, fork};
use super::view::{StudyView, tags};
use crate::Trouble;
use crate::ask::line;

#[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
#[expect(clippy::unnecessary_wraps, reason = "every call may fail")]
impl Core {
    pub(super) fn open(&mut self, request: PositionRequest) -> Result<Opened, Trouble> {
        let (line, rules) = line(&request)?;
        let mut game = Game::new(line.start().clone());
        if rules == Variant::Chess960 {
            game.tags.set("Variant", Variant::CHESS960_TAG);
        }
        let added = game.tree.extend(Tree::ROOT, line.moves());
        added.map_err(|error| Trouble::new(error.to_string()))?;
        let study = self.studies.put(Study::new(game));
        Ok(Opened { study, view: self.study(study)? })
    }

    pub(super) fn read(&mut self, text: Pgn) -> Result<ReadGames, Trouble> {
        let mut read = ReadGames { games: Vec::new(), problems: Vec::new() };
        let mut games = Reader::new(text.pgn.as_bytes()).games();
        while let Some(game) = games.next() {
            match game {
                Err(error) => read.problems.push(error.to_string()),
                Ok(game) => read.games.push(ReadStudy {
                    tags: tags(&game),
                    result: game.result,
                    plies: game.tree.main_nodes().count() as u32,
                    remarks: games.remarks().iter().map(ToString::to_string).collect(),
                    study: self.studies.put(Study::new(game)),
                }),
            }
        }
        Ok(read)
    }

    pub(super) fn view(&mut self, at: StudyAt) -> Result<StudyView, Trouble> {
        self.study(at.study)
    }

    pub(super) fn look(&mut self, at: NodeAt) -> Result<PositionView, Trouble> {
        let study = self.studies.get(at.study)?;
        let game = study.game();
        Ok(look_at(&game.tree.line(study.node(at.node)?), game.variant()))
    }

    pub(super) fn play(&mut self, question: Play) -> Result<Edited, Trouble> {
        self.edit(question.study, question.node, |game, mut at| {
            let mut position = game.tree.line(at).position().clone();
            for text in &question.moves {
                let m = position.parse_move(text)?;
                at = game.tree.extend(at, [m]).map_err(|error| Trouble::new(error.to_string()))?;
                position.play_unchecked(m);
            }
            Ok(at)
        })
    }

    pub(super) fn promote(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.rearrange(at, |tree, node| {
            if let Some(first) = branch(tree, node) {
                tree.promote(first);
            }
        })
    }

    pub(super) fn demote(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.rearrange(at, |tree, node| {
            if let Some(first) = fork(tree, node) {
                tree.demote(first);
            }
        })
    }

    pub(super) fn make_main(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.rearrange(at, Tree::make_main)
    }

    pub(super) fn remove(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.edit(at.study, at.node, |game, node| {
            if let Some(parent) = game.tree.parent(node) {
                game.tree.remove(node);
                Ok(parent)
            } else {
                game.tree.truncate(node);
                Ok(node)
            }
        })
    }

    pub(super) fn annotate(&mut self, question: Annotate) -> Result<Edited, Trouble> {
        self.edit(question.study, question.node, |game, node| {
            let tree = &mut game.tree;
            if let Some(text) = &question.text {
                let said =
                    if question.before { tree.preface_mut(node) } else { tree.comment_mut(node) };
                said.set_text(text);
            }
            if let Some(nags) = &question.nags {
                *tree.nags_mut(node) = nags.iter().copied().map(Nag).collect();
            }
            if let Some(shapes) = &question.shapes {
                draw(tree.comment_mut(node), shapes)?;
            }
            Ok(node)
        })
    }

    pub(super) fn set_tags(&mut self, question: SetTags) -> Result<Edited, Trouble> {
        self.edit(question.study, Tree::ROOT.number(), |game, node| {
            if let Some(tags) = &question.tags {
                let variant = game.tags.get("Variant").map(str::to_owned);
                game.tags = game::Tags::default();
                // The rules of the moves in the tree can't be edited.
                for (name, value) in variant
                    .iter()
                    .map(|value| ("Variant", value))
                    .chain(tags.iter().map(|tag| (tag.name.as_str(), &tag.value)))
                {
                    if name != "Variant" || Some(value) == variant.as_ref() {
                        game.tags.set(name, value);
                    }
                }
            }
            if let Some(result) = question.result {
                game.result = result;
            }
            Ok(node)
        })
    }

    pub(super) fn undo(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.travel(at, Study::undo)
    }

    pub(super) fn redo(&mut self, at: NodeAt) -> Result<Edited, Trouble> {
        self.travel(at, Study::redo)
    }

    pub(super) fn write(&mut self, at: StudyAt) -> Result<Pgn, Trouble> {
        Ok(Pgn { pgn: self.studies.get(at.study)?.game().to_string() })
    }

    pub(super) fn write_line(&mut self, at: NodeAt) -> Result<Pgn, Trouble> {
        let study = self.studies.get(at.study)?;
        let line = study.game().tree.line(study.node(at.node)?);
        let mut game = Game::new(line.start().clone());
        game.tags = study.game().tags.clone();
        let added = game.tree.extend(Tree::ROOT, line.moves());
        added.map_err(|error| Trouble::new(error.to_string()))?;
        Ok(Pgn { pgn: game.to_string() })
    }

    pub(super) fn find(&mut self, question: Play) -> Result<Found, Trouble> {
        let study = self.studies.get(question.study)?;
        let tree = &study.game().tree;
        let mut at = study.node(question.node)?;
        let mut position = tree.line(at).position().clone();
        for text in &question.moves {
            let passed = position.after_null_move().filter(|_| text == NULL_MOVE);
            let (step, after) = if let Some(after) = passed {
                (Step::Null, after)
            } else {
                let m = position.parse_move(text)?;
                (Step::Move(m), position.after(m))
            };
            let Some(next) = tree.children(at).find(|&id| tree.step(id) == Some(step)) else {
                break;
            };
            (position, at) = (after, next);
        }
        Ok(Found { node: at.number() })
    }

    pub(super) fn close(&mut self, at: StudyAt) -> Result<Close, Trouble> {
        self.studies.remove(at.study).map(|_| Close {})
    }

    fn study(&self, number: u32) -> Result<StudyView, Trouble> {
        Ok(StudyView::new(self.studies.get(number)?, self.openings()))
    }

    /// Changes a study; the change returns the node to show.
    fn edit(
        &mut self,
        number: u32,
        node: u32,
        change: impl FnOnce(&mut Game, NodeId) -> Result<NodeId, Trouble>,
    ) -> Result<Edited, Trouble> {
        let study = self.studies.get_mut(number)?;
        let node = study.node(node)?;
        let node = study.change(|game| change(game, node))?.number();
        Ok(Edited { node, view: self.study(number)? })
    }

    /// Changes the order of variations.
    fn rearrange(
        &mut self,
        at: NodeAt,
        change: impl FnOnce(&mut Tree, NodeId),
    ) -> Result<Edited, Trouble> {
        self.edit(at.study, at.node, |game, node| {
            change(&mut game.tree, node);
            Ok(node)
        })
    }

    fn travel(&mut self, at: NodeAt, go: impl FnOnce(&mut Study)) -> Result<Edited, Trouble> {
        let study = self.studies.get_mut(at.study)?;
        let before = study.game().clone();
        go(study);
        let node = study.nearest(at.node, &before).number();
        Ok(Edited { node, view: self.study(at.study)? })
    }
}
