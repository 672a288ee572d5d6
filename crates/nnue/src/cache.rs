//! The last accumulator of each view (a "Finny table", or accumulator cache): when a king changes
//! its bucket, only the pieces that have moved since it was last there are updated, not all of
//! them.

use chess::{Bitboard, Color, Piece, Position};

use crate::features::View;
use crate::kernels::Kernel;
use crate::net::{Net, Row};

/// An accumulator and the pieces it was computed from.
#[derive(Clone, Debug)]
struct Seen {
    row: Row,
    pieces: [Bitboard; 12],
}

/// For each side and each of its views, the last accumulator computed.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    seen: [Box<[Seen]>; 2],
}

impl Cache {
    /// Empty boards.
    pub(crate) fn new(net: &Net) -> Self {
        let empty = Seen { row: net.bias.clone(), pieces: [Bitboard::EMPTY; 12] };
        let side = vec![empty; View::COUNT].into_boxed_slice();
        Self { seen: [side.clone(), side] }
    }

    /// Computes the accumulator of a side for a position.
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
