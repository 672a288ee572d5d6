//! Writes games as PGN, in lines of at most 80 columns.

use std::fmt::{self, Write};

use chess::Position;

use crate::tags::{ROSTER, unknown};
use crate::{Annotation, Game, NodeId, Step, Tree};

/// Maximum line length.
const COLUMNS: usize = 80;

impl fmt::Display for Game {
    /// The PGN of the game, with a line break at its end. Games in a file are separated by a
    /// blank line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tags(self, f)?;
        let mut lines = Lines { out: f, column: 0, just_opened: false };
        write_moves(&self.tree, &mut lines)?;
        lines.word(self.result.as_str())?;
        f.write_char('\n')
    }
}

fn write_tags(game: &Game, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for name in ROSTER {
        let value = match name {
            "Result" => game.result.as_str(),
            _ => game.tags.get(name).unwrap_or(unknown(name)),
        };
        write_tag(f, name, value)?;
    }
    if *game.tree.start() != Position::default() {
        write_tag(f, "SetUp", "1")?;
        write_tag(f, "FEN", &game.tree.start().to_string())?;
    }
    for (name, value) in game.tags.iter().filter(|(name, _)| !ROSTER.contains(name)) {
        write_tag(f, name, value)?;
    }
    f.write_char('\n')
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for c in value.chars() {
        if matches!(c, '"' | '\\') {
            f.write_char('\\')?;
        }
        f.write_char(c)?;
    }
    f.write_str("\"]\n")
}

/// What is left to write. Variations use an explicit stack, so that deep nesting can't overflow the
/// call stack.
enum Task {
    /// The continuation after a node with this position; Black's move repeats its number unless it
    /// directly follows White's.
    Continue { node: NodeId, position: Position, numbered: bool },
    /// A variation that starts with a node, played in this position.
    Variation { node: NodeId, position: Position },
    /// The end of a variation.
    Close,
}

fn write_moves(tree: &Tree, lines: &mut Lines<'_, '_>) -> fmt::Result {
    write_comment(lines, tree.comment(Tree::ROOT))?;
    let start = tree.start().clone();
    let mut tasks = vec![Task::Continue { node: Tree::ROOT, position: start, numbered: true }];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Continue { node, position, numbered } => {
                let mut children = tree.children(node);
                let Some(main) = children.next() else { continue };
                let variations: Vec<NodeId> = children.collect();
                write_move(tree, main, &position, numbered, lines)?;
                tasks.push(Task::Continue {
                    node: main,
                    position: after(tree, main, &position),
                    numbered: tree.comment(main).is_some() || !variations.is_empty(),
                });
                let variation = |node| Task::Variation { node, position: position.clone() };
                tasks.extend(variations.into_iter().rev().map(variation));
            }
            Task::Variation { node, position } => {
                lines.open()?;
                write_comment(lines, tree.preface(node))?;
                write_move(tree, node, &position, true, lines)?;
                tasks.push(Task::Close);
                tasks.push(Task::Continue {
                    node,
                    position: after(tree, node, &position),
                    numbered: tree.comment(node).is_some(),
                });
            }
            Task::Close => lines.close()?,
        }
    }
    Ok(())
}

fn after(tree: &Tree, node: NodeId, position: &Position) -> Position {
    match tree.step(node) {
        Some(Step::Move(m)) => position.after(m),
        Some(Step::Null) => position.after_null_move().expect("a side in check never passes"),
        None => position.clone(),
    }
}

fn write_move(
    tree: &Tree,
    node: NodeId,
    position: &Position,
    numbered: bool,
    lines: &mut Lines<'_, '_>,
) -> fmt::Result {
    let Some(step) = tree.step(node) else { return Ok(()) };
    if let Some(number) = position.move_number().in_line(numbered) {
        lines.word(&number.to_string())?;
    }
    match step {
        Step::Move(m) => lines.word(&position.san(m).to_string())?,
        Step::Null => lines.word("--")?,
    }
    for nag in tree.nags(node) {
        lines.word(&nag.to_string())?;
    }
    write_comment(lines, tree.comment(node))
}

fn write_comment(lines: &mut Lines<'_, '_>, comment: Option<&Annotation>) -> fmt::Result {
    let Some(comment) = comment else { return Ok(()) };
    lines.word("{")?;
    let text = comment.to_string();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (word, after) = rest.split_at(word_len(rest));
        lines.word(word)?;
        rest = after.trim_start_matches(' ');
    }
    lines.word("}")
}

/// The length of the first word. A command such as `[%clk 0:05:00]` counts as one, unless it is
/// long: not every program can read it across lines.
fn word_len(text: &str) -> usize {
    let command = text.starts_with("[%").then(|| text.find(']')).flatten();
    let inner = command.filter(|&end| end < COLUMNS / 2).unwrap_or(0);
    text[inner..].find(' ').map_or(text.len(), |len| inner + len)
}

/// Breaks words into lines.
struct Lines<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// No space follows an opening parenthesis.
    just_opened: bool,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let len = word.chars().count();
        if self.column > 0 {
            if self.column + 1 + len > COLUMNS {
                self.out.write_char('\n')?;
                self.column = 0;
                // A line that starts like a tag, even after a byte order mark, would start another
                // game, and a line that starts with `%` would be skipped: a word of a comment must
                // do neither.
                if word.starts_with(['[', '%', '\u{feff}']) {
                    self.out.write_char(' ')?;
                    self.column = 1;
                }
            } else if !self.just_opened {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.just_opened = false;
        self.out.write_str(word)?;
        self.column += len;
        Ok(())
    }

    fn open(&mut self) -> fmt::Result {
        self.word("(")?;
        self.just_opened = true;
        Ok(())
    }

    fn close(&mut self) -> fmt::Result {
        if self.column == COLUMNS {
            self.out.write_char('\n')?;
            self.column = 0;
        }
        self.out.write_char(')')?;
        self.column += 1;
        Ok(())
    }
}
