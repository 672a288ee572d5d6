//! The list of moves as rows of text: the main line in two columns, variations and comments in
//! between.

use chess::{Color, Position};
use game::{NodeId, Step, Tree};
use unicode_width::UnicodeWidthStr;

/// A row of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(pub Vec<Cell>);

/// A piece of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The column it starts in.
    pub column: usize,
    /// The text.
    pub text: String,
    /// The move it stands for.
    pub node: Option<NodeId>,
    /// What it is.
    pub kind: Kind,
}

/// What a piece of a row is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A move number.
    Number,
    /// A move of the main line.
    Main,
    /// A move of a variation, or its brackets.
    Side,
    /// A comment.
    Comment,
}

/// Columns of the move numbers.
const NUMBERS: usize = 5;

/// Columns of White's moves, if there is room.
const COLUMN: usize = 11;

/// How far variations are indented.
const INDENT: usize = 2;

/// Lays out the moves of a game in rows of a width; `sign` gives what follows a move of the main
/// line.
pub fn rows(tree: &Tree, width: usize, sign: &dyn Fn(NodeId) -> Option<&'static str>) -> Vec<Row> {
    let mut sheet = Sheet { tree, sign, width: width.max(12), rows: Vec::new() };
    sheet.main_line();
    sheet.rows
}

/// A word of a variation or a comment, and the move it stands for.
type Word = (String, Option<NodeId>, Kind);

fn bracket(text: &str) -> Word {
    (text.to_owned(), None, Kind::Side)
}

/// What is left to write of a variation.
enum Todo {
    /// A move, then the variations to it, then what follows it.
    Write {
        node: NodeId,
        before: Box<Position>,
        fresh: bool,
        others: Vec<NodeId>,
    },
    Bracket(&'static str),
}

struct Sheet<'a> {
    tree: &'a Tree,
    sign: &'a dyn Fn(NodeId) -> Option<&'static str>,
    width: usize,
    rows: Vec<Row>,
}

impl Sheet<'_> {
    /// The column of a side's moves.
    const fn column(&self, color: Color) -> usize {
        match color {
            Color::White => NUMBERS,
            Color::Black => {
                let half = (self.width - NUMBERS) / 2;
                NUMBERS + if half < COLUMN { half } else { COLUMN }
            }
        }
    }

    fn main_line(&mut self) {
        let mut position = self.tree.start().clone();
        let mut before = Tree::ROOT;
        if let Some(comment) = self.tree.comment(Tree::ROOT).map(|said| said.text().to_owned()) {
            self.words(&[(comment, None, Kind::Comment)], 0);
        }
        // Whether the last row still has room for Black's move.
        let mut open = false;
        for node in self.tree.main_nodes().collect::<Vec<_>>() {
            let turn = position.turn();
            if !open {
                let mut row = Row::default();
                let number = format!("{:>3}.", position.fullmoves());
                row.0.push(Cell { column: 0, text: number, node: None, kind: Kind::Number });
                if turn == Color::Black {
                    let (column, text) = (self.column(Color::White), "...".to_owned());
                    row.0.push(Cell { column, text, node: None, kind: Kind::Number });
                }
                self.rows.push(row);
            }
            let m = self.tree.played(node).expect("the main line has no null moves");
            let mut text = position.san(m).to_string();
            text.push_str((self.sign)(node).unwrap_or(""));
            text.extend(self.nags(node));
            let (column, kind) = (self.column(turn), Kind::Main);
            let row = self.rows.last_mut().expect("a row was just added");
            row.0.push(Cell { column, text, node: Some(node), kind });
            open = turn == Color::White;
            if self.asides(node, before, &position) {
                open = false;
            }
            position.play_unchecked(m);
            before = node;
        }
    }

    fn nags(&self, node: NodeId) -> Option<&'static str> {
        self.tree.nags(node).iter().find_map(|nag| nag.sign())
    }

    /// Writes a move's comment and the variations to it; returns whether there are any.
    fn asides(&mut self, node: NodeId, parent: NodeId, position: &Position) -> bool {
        let mut written = false;
        if let Some(text) = self.comment(node) {
            self.words(&[(text, None, Kind::Comment)], INDENT);
            written = true;
        }
        for variation in self.tree.children(parent).skip(1).collect::<Vec<_>>() {
            let words = self.variation(variation, position);
            self.words(&words, INDENT);
            written = true;
        }
        written
    }

    fn comment(&self, node: NodeId) -> Option<String> {
        let text = self.tree.comment(node)?.text();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The words of a variation, with the variations in it. A stack of our own keeps deeply nested
    /// games from overflowing the thread's.
    fn variation(&self, first: NodeId, start: &Position) -> Vec<Word> {
        let mut words = vec![bracket("(")];
        let begin = |node, before: &Position| Todo::Write {
            node,
            before: Box::new(before.clone()),
            fresh: true,
            others: Vec::new(),
        };
        let mut stack = vec![Todo::Bracket(")"), begin(first, start)];
        while let Some(todo) = stack.pop() {
            let (node, before, fresh, others) = match todo {
                Todo::Write { node, before, fresh, others } => (node, before, fresh, others),
                Todo::Bracket(text) => {
                    words.push(bracket(text));
                    continue;
                }
            };
            let Some((text, after)) = self.numbered(node, &before, fresh) else { continue };
            words.push((text, Some(node), Kind::Side));
            let comment = self.comment(node);
            let fresh = comment.is_some() || !others.is_empty();
            words.extend(comment.map(|text| (text, None, Kind::Comment)));
            let mut children = self.tree.children(node);
            if let Some(node) = children.next() {
                let (before, others) = (Box::new(after), children.collect());
                stack.push(Todo::Write { node, before, fresh, others });
            }
            for other in others.into_iter().rev() {
                stack.extend([Todo::Bracket(")"), begin(other, &before), Todo::Bracket("(")]);
            }
        }
        words
    }

    /// A move of a variation with its number where it is needed, and the position after it.
    fn numbered(&self, node: NodeId, before: &Position, fresh: bool) -> Option<(String, Position)> {
        let number = before.move_number().in_line(fresh);
        let mut text = number.map_or_else(String::new, |number| number.to_string());
        let after = match self.tree.step(node)? {
            Step::Move(m) => {
                text.push_str(&before.san(m).to_string());
                before.after(m)
            }
            Step::Null => {
                text.push_str("--");
                before.after_null_move()?
            }
        };
        text.extend(self.nags(node));
        Some((text, after))
    }

    /// Writes words into rows, breaking between them.
    fn words(&mut self, words: &[Word], indent: usize) {
        let mut row = Row::default();
        let mut column = indent;
        let mut glue = true;
        for (text, node, kind) in words {
            for word in text.split_whitespace() {
                let wide = word.width();
                let space = usize::from(!glue && word != ")");
                if column + space + wide > self.width && !row.0.is_empty() {
                    self.rows.push(std::mem::take(&mut row));
                    column = indent;
                    glue = true;
                }
                column += usize::from(!glue && word != ")");
                let cell = Cell { column, text: word.to_owned(), node: *node, kind: *kind };
                column += wide;
                row.0.push(cell);
                glue = word == "(";
            }
        }
        if !row.0.is_empty() {
            self.rows.push(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use game::pgn::Reader;

    use super::*;

    fn text(pgn: &str, width: usize) -> Vec<String> {
        let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("readable");
        let rows = rows(&game.tree, width, &|_| None);
        let line = |row: &Row| {
            let mut text = String::new();
            for cell in &row.0 {
                while text.width() < cell.column {
                    text.push(' ');
                }
                text.push_str(&cell.text);
            }
            text
        };
        rows.iter().map(line).collect()
    }

    #[test]
    fn the_main_line_is_in_two_columns() {
        assert_eq!(
            text("1. e4 e5 2. Nf3 Nc6 3. Bb5 *", 25),
            ["  1. e4        e5", "  2. Nf3       Nc6", "  3. Bb5"]
        );
    }

    #[test]
    fn variations_and_comments_stand_in_between() {
        assert_eq!(
            text("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 {Open game} 2. Nf3 *", 25),
            [
                "  1. e4",
                "  (1.d4 d5 (1...Nf6 2.c4)",
                "  2.c4)",
                "  1. ...       e5",
                "  Open game",
                "  2. Nf3"
            ]
        );
    }

    #[test]
    fn a_game_may_start_with_black() {
        let fen = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 0 7\"]\n\n";
        assert_eq!(
            text(&format!("{fen}7... Kd7 8. O-O *"), 25),
            ["  7. ...       Kd7", "  8. O-O"]
        );
    }
}
