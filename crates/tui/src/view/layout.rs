//! Where everything is, for a size of the terminal.

use chess::{File, Rank, Square};
use ratatui::layout::{Position as Spot, Rect};

use crate::app::App;

/// Columns of the bar and the rank numbers, left of the board.
const LEFT: u16 = 4;

/// Columns between board and moves.
const GAP: u16 = 2;

/// Rows besides the board: two players, the files, the prompt, the notice, the buttons.
const ROWS: u16 = 6;

/// The widest list of moves.
const WIDEST: u16 = 64;

/// The least columns and rows that can be worked with.
pub(crate) const LEAST: (u16, u16) = (44, 14);

/// Where everything is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Rows of a square; it has twice as many columns.
    pub height: u16,
    pub bar: Rect,
    pub top_player: Rect,
    pub bottom_player: Rect,
    pub board: Rect,
    pub ranks: Rect,
    pub files: Rect,
    /// The opening, the moves and the engine's lines.
    pub panel: Rect,
    pub moves: Rect,
    pub lines: Rect,
    pub prompt: Rect,
    pub notice: Rect,
    pub buttons: Rect,
}

impl Layout {
    /// The layout of a board in its terminal; none if that is too small.
    pub fn of(app: &App) -> Option<Self> {
        Self::new(app.size, app.has_remarks())
    }

    /// The layout for a terminal of this size, with or without room for lines and remarks below the
    /// moves.
    pub fn new((columns, rows): (u16, u16), remarks: bool) -> Option<Self> {
        if columns < LEAST.0 || rows < LEAST.1 {
            return None;
        }
        let fits = |height: u16| {
            let panel = if height == 1 { 20 } else { 30 };
            8 * height + ROWS <= rows && 16 * height + LEFT + GAP + panel <= columns
        };
        let height = (1..=12).rev().find(|&height| fits(height)).unwrap_or(1);
        let (wide, tall) = (16 * height, 8 * height);
        let panel_width = (columns - LEFT - wide - GAP).min(WIDEST);
        let used = LEFT + wide + GAP + panel_width;
        // Something is left over: the whole is in the middle, and parts are further apart.
        let spare = rows - tall - ROWS;
        let (x, y) = ((columns - used) / 2, spare.saturating_sub(1) / 2);
        let board = Rect::new(x + LEFT, y + 1, wide, tall);
        let below = board.bottom() + 2 + u16::from(spare > 0);
        let panel_x = board.right() + GAP;
        let panel = Rect::new(panel_x, y, panel_width, tall + 3);
        let lines = match (remarks, tall) {
            (false, _) => 0,
            (true, ..16) => 4,
            (true, 16..) => 9,
        };
        let moves = Rect { y: panel.y + 2, height: panel.height - 2 - lines, ..panel };
        let row = |y| Rect::new(x, y, used, 1);
        Some(Self {
            height,
            bar: Rect::new(x, board.y, 1, tall),
            top_player: Rect::new(x + 2, y, wide + 2, 1),
            bottom_player: Rect::new(x + 2, board.bottom() + 1, wide + 2, 1),
            board,
            ranks: Rect::new(x + 2, board.y, 1, tall),
            files: Rect::new(board.x, board.bottom(), wide, 1),
            panel,
            moves,
            lines: Rect { y: moves.bottom(), height: lines, ..panel },
            prompt: row(below),
            notice: row(below + 1),
            buttons: row(below + 2),
        })
    }

    /// Columns of a square.
    pub const fn width(&self) -> u16 {
        2 * self.height
    }

    /// The place of a square.
    pub fn square(&self, square: Square, flipped: bool) -> Rect {
        let (file, rank) = (square.file().index() as u16, square.rank().index() as u16);
        let (column, row) = if flipped { (7 - file, rank) } else { (file, 7 - rank) };
        let (wide, tall) = (self.width(), self.height);
        Rect::new(self.board.x + column * wide, self.board.y + row * tall, wide, tall)
    }

    /// The square at a place.
    pub fn square_at(&self, spot: Spot, flipped: bool) -> Option<Square> {
        if !self.board.contains(spot) {
            return None;
        }
        let column = ((spot.x - self.board.x) / self.width()) as usize;
        let row = ((spot.y - self.board.y) / self.height) as usize;
        let (file, rank) = if flipped { (7 - column, row) } else { (column, 7 - row) };
        Some(Square::new(File::ALL[file], Rank::ALL[rank]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_on_the_screen_and_nothing_overlaps() {
        for columns in 0..220 {
            for rows in 0..70 {
                let Some(layout) = Layout::new((columns, rows), columns % 2 == 0) else {
                    assert!(columns < LEAST.0 || rows < LEAST.1);
                    continue;
                };
                let screen = Rect::new(0, 0, columns, rows);
                let Layout { bar, top_player, bottom_player, board, ranks, files, .. } = layout;
                let Layout { panel, moves, lines, prompt, notice, buttons, .. } = layout;
                let parts = [
                    bar,
                    top_player,
                    bottom_player,
                    board,
                    ranks,
                    files,
                    moves,
                    lines,
                    prompt,
                    notice,
                    buttons,
                ];
                for (i, part) in parts.iter().enumerate() {
                    assert_eq!(part.intersection(screen), *part, "{columns}x{rows}: {part:?}");
                    for other in &parts[i + 1..] {
                        assert!(!part.intersects(*other), "{columns}x{rows}: {part:?} {other:?}");
                    }
                }
                assert!(moves.height >= 5 && panel.width >= 18, "{columns}x{rows}: {moves:?}");
            }
        }
    }

    #[test]
    fn squares_are_twice_as_wide_as_high_and_grow_with_the_terminal() {
        for (size, height) in
            [((80, 24), 2), ((44, 14), 1), ((120, 40), 4), ((200, 60), 6), ((100, 30), 3)]
        {
            let layout = Layout::new(size, true).expect("large enough");
            assert_eq!(layout.height, height, "{size:?}");
            assert_eq!(layout.board.width, 2 * layout.board.height);
        }
        assert_eq!(Layout::new((20, 5), false), None);
    }

    #[test]
    fn a_click_finds_its_square() {
        let layout = Layout::new((80, 24), true).expect("large enough");
        for flipped in [false, true] {
            for square in Square::all() {
                let place = layout.square(square, flipped);
                for spot in place.positions() {
                    assert_eq!(layout.square_at(spot, flipped), Some(square));
                }
            }
        }
        assert_eq!(layout.square_at(Spot::new(0, 0), false), None);
    }
}
