//! The last hidden layer of each view: when a king changes its bucket, only the pieces that have
//! moved since it was last there are to be added up, not all of them.

use chess::{Bitboard, Color, Piece, Position};

use crate::features::View;
use crate::kernels::Kernel;
use crate::net::{Net, Row};

/// A hidden layer and the pieces it stands for.
#[derive(Clone, Debug)]
struct Seen {
    row: Row,
    pieces: [Bitboard; 12],
}

/// For each side and each of its views, what was last seen with it.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    seen: [Box<[Seen]>; 2],
}

impl Cache {
    /// Boards with nothing on them.
    pub(crate) fn new(net: &Net) -> Self {
        let empty = Seen { row: net.bias.clone(), pieces: [Bitboard::EMPTY; 12] };
        let side = vec![empty; View::COUNT].into_boxed_slice();
        Self { seen: [side.clone(), side] }
    }

    /// Computes the hidden layer of a side for a position.
    pub(crate) fn refresh(
        &mut self,
        net: &Net,
        kernel: Kernel,
        color: Color,
        view: View,
        position: &Position,
        row: &mut Row,
    ) {
        let seen = &mut self.seen[color.index()][view.index()];
        let mut changes = [[0_u16; 64]; 2];
        let mut counts = [0; 2];
        for piece in Piece::ALL {
            let now = position.pieces(piece);
            let then = std::mem::replace(&mut seen.pieces[piece.index()], now);
            for (which, squares) in [now - then, then - now].into_iter().enumerate() {
                for square in squares {
                    changes[which][counts[which]] = view.input(piece, square) as u16;
                    counts[which] += 1;
                }
            }
        }
        let [on, off] = [0, 1].map(|which| &changes[which][..counts[which]]);
        kernel.change(&mut seen.row, &net.inputs, on, off);
        row.clone_from(&seen.row);
    }
}
