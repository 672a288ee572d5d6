//! King and pawn against king, solved by retrograde analysis.

use std::sync::OnceLock;

use super::view::{At, View, steps};

/// White has the pawn, which moves up, on the files a to d.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Ending {
    white_to_move: bool,
    white: At,
    black: At,
    pawn: At,
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Known {
    Nothing,
    Illegal,
    Win,
    Draw,
}

const SIZE: usize = 24 * 64 * 64 * 2;

impl Ending {
    fn from_index(index: usize) -> Self {
        let at = |n: usize| (n as i32 % 8, n as i32 / 8);
        let pawn = index / (64 * 64 * 2);
        Self {
            white_to_move: index.is_multiple_of(2),
            white: at(index / 2 % 64),
            black: at(index / 128 % 64),
            pawn: (pawn as i32 % 4, pawn as i32 / 4 + 1),
        }
    }

    fn index(self) -> usize {
        let of = |at: At| (at.1 * 8 + at.0) as usize;
        let pawn = ((self.pawn.1 - 1) * 4 + self.pawn.0) as usize;
        ((pawn * 64 + of(self.black)) * 64 + of(self.white)) * 2 + usize::from(!self.white_to_move)
    }

    /// Whether the pawn attacks a square.
    fn pawn_attacks(self, at: At) -> bool {
        at.1 == self.pawn.1 + 1 && (at.0 - self.pawn.0).abs() == 1
    }

    fn is_illegal(self) -> bool {
        self.white == self.pawn
            || self.black == self.pawn
            || steps(self.white, self.black) < 2
            || self.white_to_move && self.pawn_attacks(self.black)
    }

    /// The moves after which the pawn is neither lost nor promoted.
    fn moves(self) -> Vec<Self> {
        let mut list = Vec::new();
        if self.white_to_move {
            let waiting = Self { white_to_move: false, ..self };
            list.extend(
                View::around(self.white).into_iter().map(|white| Self { white, ..waiting }),
            );
            let one = (self.pawn.0, self.pawn.1 + 1);
            let two = (self.pawn.0, self.pawn.1 + 2);
            let free = |at: At| at != self.white && at != self.black;
            if one.1 < 7 && free(one) {
                list.push(Self { pawn: one, ..waiting });
                if self.pawn.1 == 1 && free(two) {
                    list.push(Self { pawn: two, ..waiting });
                }
            }
        } else {
            let waiting = Self { white_to_move: true, ..self };
            list.extend(
                View::around(self.black).into_iter().map(|black| Self { black, ..waiting }),
            );
        }
        list.retain(|next| !next.is_illegal());
        list
    }

    /// What is known without looking at other positions.
    fn at_once(self) -> Known {
        if self.is_illegal() {
            Known::Illegal
        } else if self.white_to_move {
            let goal = (self.pawn.0, 7);
            let free = self.white != goal && self.black != goal;
            let safe = steps(self.black, goal) > 1 || steps(self.white, goal) == 1;
            if self.pawn.1 == 6 && free && safe { Known::Win } else { Known::Nothing }
        } else {
            let takes = steps(self.black, self.pawn) == 1 && steps(self.white, self.pawn) > 1;
            if takes || self.moves().is_empty() { Known::Draw } else { Known::Nothing }
        }
    }

    /// What follows from the results of the next positions.
    fn deduce(self, known: &[Known]) -> Known {
        let next: Vec<Known> = self.moves().into_iter().map(|next| known[next.index()]).collect();
        let (goal, other) =
            if self.white_to_move { (Known::Win, Known::Draw) } else { (Known::Draw, Known::Win) };
        if next.contains(&goal) {
            goal
        } else if next.iter().all(|&known| known == other) {
            other
        } else {
            Known::Nothing
        }
    }
}

/// One bit per position, set where White wins: the bytes of `kpk.bin`.
pub fn table() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut known: Vec<Known> =
            (0..SIZE).map(|index| Ending::from_index(index).at_once()).collect();
        loop {
            let mut learnt = false;
            for index in 0..SIZE {
                if known[index] == Known::Nothing {
                    known[index] = Ending::from_index(index).deduce(&known);
                    learnt |= known[index] != Known::Nothing;
                }
            }
            if !learnt {
                break;
            }
        }
        let bits = |eight: &[Known]| {
            let bit = |(n, known): (usize, &Known)| u8::from(*known == Known::Win) << n;
            eight.iter().enumerate().map(bit).sum()
        };
        known.chunks(8).map(bits).collect()
    })
}

/// Whether we, with the only pawn, win.
pub fn wins(view: &View, pawn: At) -> bool {
    let turn = |at: At| if pawn.0 < 4 { at } else { (7 - at.0, at.1) };
    let index = Ending {
        white_to_move: view.our_turn,
        white: turn(view.king(true)),
        black: turn(view.king(false)),
        pawn: turn(pawn),
    }
    .index();
    table()[index / 8] >> (index % 8) & 1 == 1
}
