//! A board from one side's point of view, and the attacks of its pieces.

use chess::{Color, File, Position, Rank, Role, Square};

/// File and rank, each 0 to 7; our pawns go to higher ranks.
pub type At = (i32, i32);

/// A piece: whether it is ours, and its role.
pub type Man = (bool, Role);

pub const STRAIGHT: [At; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
pub const DIAGONAL: [At; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
pub const KNIGHT: [At; 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The board of one side.
pub struct View {
    board: [[Option<Man>; 8]; 8],
    /// To how many sides we may castle.
    pub castling: i32,
    pub our_turn: bool,
    /// How often each square is attacked, in total and by role: `[rank][file]`.
    attacks: [[[[i32; 6]; 8]; 8]; 2],
    /// The attacks of each piece of both sides.
    pub reach: Vec<(Man, At, Vec<At>)>,
    /// The lines to our king and to theirs, see [`View::king_lines`].
    lines: [Vec<(At, Vec<At>)>; 2],
}

pub fn on_board((file, rank): At) -> bool {
    (0..8).contains(&file) && (0..8).contains(&rank)
}

pub fn all_squares() -> impl Iterator<Item = At> {
    (0..8).flat_map(|rank| (0..8).map(move |file| (file, rank)))
}

pub fn steps(a: At, b: At) -> i32 {
    (a.0 - b.0).abs().max((a.1 - b.1).abs())
}

/// Whether a square is light, on an unrotated board. Rotating swaps the colors but not which
/// squares share one.
pub fn is_light((file, rank): At) -> bool {
    (file + rank) % 2 == 1
}

impl View {
    pub fn new(position: &Position, us: Color) -> Self {
        let mut view = Self {
            board: [[None; 8]; 8],
            castling: (position.castling_rooks() & position.color(us)).count() as i32,
            our_turn: position.turn() == us,
            attacks: [[[[0; 6]; 8]; 8]; 2],
            reach: Vec::new(),
            lines: [Vec::new(), Vec::new()],
        };
        for (file, rank) in all_squares() {
            let seen = if us == Color::White { rank } else { 7 - rank };
            let square = Square::new(File::ALL[file as usize], Rank::ALL[seen as usize]);
            view.board[rank as usize][file as usize] =
                position.piece_on(square).map(|piece| (piece.color() == us, piece.role()));
        }
        view.lines = [view.find_lines(true), view.find_lines(false)];
        for at in all_squares() {
            if let Some(man) = view.man(at) {
                let reach = view.reach_of(man, at);
                for &(file, rank) in &reach {
                    let side = usize::from(!man.0);
                    view.attacks[side][rank as usize][file as usize][man.1.index()] += 1;
                }
                view.reach.push((man, at, reach));
            }
        }
        view
    }

    pub fn man(&self, at: At) -> Option<Man> {
        if on_board(at) { self.board[at.1 as usize][at.0 as usize] } else { None }
    }

    pub fn is(&self, at: At, ours: bool, role: Role) -> bool {
        self.man(at) == Some((ours, role))
    }

    pub fn is_pawn(&self, at: At) -> bool {
        self.is(at, true, Role::Pawn) || self.is(at, false, Role::Pawn)
    }

    pub fn has(&self, at: At, ours: bool) -> bool {
        self.man(at).is_some_and(|man| man.0 == ours)
    }

    pub fn empty(&self, at: At) -> bool {
        self.man(at).is_none()
    }

    pub fn find(&self, ours: bool, role: Role) -> Vec<At> {
        all_squares().filter(|&at| self.is(at, ours, role)).collect()
    }

    pub fn count(&self, ours: bool, role: Role) -> i32 {
        self.find(ours, role).len() as i32
    }

    pub fn king(&self, ours: bool) -> At {
        self.find(ours, Role::King)[0]
    }

    /// Number of pieces of a side that attack a square.
    pub fn attackers(&self, ours: bool, at: At) -> i32 {
        self.attacks[usize::from(!ours)][at.1 as usize][at.0 as usize].iter().sum()
    }

    /// Whether a piece of that role attacks a square.
    pub fn attacked_by(&self, ours: bool, role: Role, at: At) -> bool {
        self.attacks[usize::from(!ours)][at.1 as usize][at.0 as usize][role.index()] > 0
    }

    pub fn attacked(&self, ours: bool, at: At) -> bool {
        self.attackers(ours, at) > 0
    }

    /// The direction of `ours` pawns.
    pub fn forward(ours: bool) -> i32 {
        if ours { 1 } else { -1 }
    }

    /// The squares from `from` in one direction, up to and including the first that `blocks`.
    pub fn walk(&self, from: At, step: At, blocks: impl Fn(Man) -> bool) -> Vec<At> {
        let mut squares = Vec::new();
        let mut at = (from.0 + step.0, from.1 + step.1);
        while on_board(at) {
            squares.push(at);
            if self.man(at).is_some_and(&blocks) {
                break;
            }
            at = (at.0 + step.0, at.1 + step.1);
        }
        squares
    }

    /// The squares that a slider on `from` sees in these directions.
    pub fn slide(&self, from: At, ways: &[At], blocks: impl Fn(Man) -> bool + Copy) -> Vec<At> {
        ways.iter().flat_map(|&step| self.walk(from, step, blocks)).collect()
    }

    pub fn leaps(from: At, ways: &[At]) -> Vec<At> {
        let leaps = ways.iter().map(|step| (from.0 + step.0, from.1 + step.1));
        leaps.filter(|&at| on_board(at)).collect()
    }

    pub fn around(at: At) -> Vec<At> {
        let mut squares = Self::leaps(at, &STRAIGHT);
        squares.extend(Self::leaps(at, &DIAGONAL));
        squares
    }

    /// For each slider with one piece between it and the king of `ours`: that piece, and the
    /// squares from the king to the slider.
    pub fn king_lines(&self, ours: bool) -> &[(At, Vec<At>)] {
        &self.lines[usize::from(!ours)]
    }

    fn find_lines(&self, ours: bool) -> Vec<(At, Vec<At>)> {
        let mut lines = Vec::new();
        let king = self.king(ours);
        for (ways, slider) in [(STRAIGHT, Role::Rook), (DIAGONAL, Role::Bishop)] {
            for step in ways {
                let to_first = self.walk(king, step, |_| true);
                let Some(&first) = to_first.last().filter(|&&at| !self.empty(at)) else { continue };
                let to_second = self.walk(first, step, |_| true);
                let Some(&second) = to_second.last() else { continue };
                if self.is(second, !ours, slider) || self.is(second, !ours, Role::Queen) {
                    lines.push((first, [to_first, to_second].concat()));
                }
            }
        }
        lines
    }

    fn reach_of(&self, (ours, role): Man, at: At) -> Vec<At> {
        let line = self.king_lines(ours).iter().find(|(blocker, _)| *blocker == at);
        let mut reach = match role {
            Role::Pawn => {
                let rank = at.1 + Self::forward(ours);
                return [(at.0 - 1, rank), (at.0 + 1, rank)]
                    .into_iter()
                    .filter(|&at| on_board(at))
                    .collect();
            }
            Role::King => return Self::around(at),
            Role::Knight => Self::leaps(at, &KNIGHT),
            Role::Bishop => self.slide(at, &DIAGONAL, |man| man != (ours, Role::Queen)),
            Role::Rook => self.slide(at, &STRAIGHT, |man| {
                man != (ours, Role::Queen) && man != (ours, Role::Rook)
            }),
            Role::Queen => self.slide(at, &[STRAIGHT, DIAGONAL].concat(), |_| true),
        };
        if let Some((_, line)) = line {
            reach.retain(|square| role != Role::Knight && line.contains(square));
        }
        reach
    }

    /// Whether an enemy of `ours`, a pawn, attacks the square now or after advancing.
    pub fn pawn_may_attack(&self, ours: bool, at: At) -> bool {
        let back = -Self::forward(ours);
        [at.0 - 1, at.0 + 1]
            .into_iter()
            .any(|file| (1..8).any(|n| self.is((file, at.1 + back * n), ours, Role::Pawn)))
    }

    /// Whether a side has a pawn on a file.
    pub fn pawn_on_file(&self, ours: bool, file: i32) -> bool {
        (0..8).any(|rank| self.is((file, rank), ours, Role::Pawn))
    }

    /// Whether our pawn (or theirs) on this square is passed.
    pub fn is_passed(&self, ours: bool, at: At) -> bool {
        let ahead = |n: i32| at.1 + Self::forward(ours) * n;
        self.is(at, ours, Role::Pawn)
            && (1..8).all(|n| {
                !self.is_pawn((at.0, ahead(n)))
                    && !self.is((at.0 - 1, ahead(n)), !ours, Role::Pawn)
                    && !self.is((at.0 + 1, ahead(n)), !ours, Role::Pawn)
            })
    }
}
