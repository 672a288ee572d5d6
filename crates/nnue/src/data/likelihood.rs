//! The probability of each legal move, from the board alone: it determines the cost of a move in a
//! file.
//!
//! A move has six features, each with a weight fitted to games (a softmax). The sum of the weights,
//! in sixteenths of a natural logarithm, becomes a share of the range coder. All of it is integer
//! arithmetic: every decoder must compute the same shares.

use chess::{Bitboard, MAX_MOVES, Move, MoveList, Position};

use super::survey::{Mover, Recent, Survey};

/// The share of a move by how far its weights are below those of the most likely one: 4,096 times
/// `exp(-d / 16)`, at least 1.
static SHARES: [u16; 160] = {
    let mut shares = [0; 160];
    let mut exact: u64 = 1 << 28;
    let mut i = 0;
    while i < shares.len() {
        let share = (exact >> 16) as u16;
        shares[i] = if share == 0 { 1 } else { share };
        exact = (exact * 61_565) >> 16;
        i += 1;
    }
    shares
};

const _: () = assert!(SHARES[0] == 4096 && SHARES[159] == 1);

/// The legal moves of a position with their shares.
#[derive(Debug)]
pub struct Likelihood {
    moves: MoveList,
    /// What the moves from a square have in common; stale where we have no piece.
    movers: [Mover; 64],
    /// The sum of each move's weights.
    sums: [i16; MAX_MOVES],
    shares: [u16; MAX_MOVES],
    total: u32,
}

/// A move's share, and the sum of the shares before it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub below: u32,
    pub share: u32,
}

impl Likelihood {
    pub fn new() -> Self {
        Self {
            moves: MoveList::new(),
            movers: [Mover::default(); 64],
            sums: [0; MAX_MOVES],
            shares: [0; MAX_MOVES],
            total: 0,
        }
    }

    /// The sum of all shares; 0 if there are no moves.
    pub const fn total(&self) -> u32 {
        self.total
    }

    /// Gives each legal move the same share: opening moves are random.
    pub fn random(&mut self, position: &Position) {
        self.moves.clear();
        position.legal_moves_into(&mut self.moves);
        self.shares[..self.moves.len()].fill(1);
        self.total = self.moves.len() as u32;
    }

    /// Gives each legal move a share according to how likely a search chooses it.
    pub fn judge(&mut self, position: &Position, recent: Recent) {
        self.moves.clear();
        position.legal_moves_into(&mut self.moves);
        let survey = Survey::new(position, recent);
        let mut highest = i16::MIN;
        survey.movers(position, &mut self.movers);
        for (sum, &m) in self.sums.iter_mut().zip(&self.moves) {
            *sum = survey.weight(position, &self.movers[m.from().index()], m);
            highest = highest.max(*sum);
        }
        self.total = 0;
        for ((share, &sum), _) in self.shares.iter_mut().zip(&self.sums).zip(&self.moves) {
            *share = SHARES[(highest.abs_diff(sum) as usize).min(SHARES.len() - 1)];
            self.total += u32::from(*share);
        }
    }

    /// The place of a move, in the order of [`rank`].
    pub fn place(&self, wanted: Move) -> Place {
        let mut place = Place { below: 0, share: 0 };
        for (&m, &share) in self.moves.iter().zip(&self.shares) {
            if m == wanted {
                place.share = u32::from(share);
            } else if rank(m) < rank(wanted) {
                place.below += u32::from(share);
            }
        }
        place
    }

    /// The move whose share contains a point below the total.
    pub fn find(&self, point: u32) -> (Move, Place) {
        // The order starts with the origin square: find that first, so that only a few moves need
        // sorting.
        let mut origins = Bitboard::EMPTY;
        let mut sums = [0_u32; 64];
        for (m, &share) in self.moves.iter().zip(&self.shares) {
            origins |= Bitboard::of(m.from());
            sums[m.from().index()] += u32::from(share);
        }
        let mut below = 0;
        let from = origins
            .into_iter()
            .find(|from| {
                let end = below + sums[from.index()];
                let here = point < end;
                if !here {
                    below = end;
                }
                here
            })
            .expect("the point is below the total");
        let here = self.moves.iter().zip(&self.shares).filter(|(m, _)| m.from() == from);
        let mut sorted = [(0, 0); 32];
        let mut count = 0;
        for (&m, &share) in here {
            // Insertion sort: most moves are already in order.
            let mut at = count;
            while at > 0 && sorted[at - 1].0 > rank(m) {
                sorted[at] = sorted[at - 1];
                at -= 1;
            }
            sorted[at] = (rank(m), u32::from(share));
            count += 1;
        }
        for &(rank, share) in &sorted[..count] {
            if point < below + share {
                return (unrank(rank), Place { below, share });
            }
            below += share;
        }
        unreachable!("the point is below the sum of these")
    }
}

/// The order of moves: by origin, then target, then kind.
#[inline]
const fn rank(m: Move) -> u32 {
    (m.from().index() << 9 | m.to().index() << 3 | m.kind() as usize) as u32
}

/// The move with a rank.
#[inline]
fn unrank(rank: u32) -> Move {
    let bits = rank >> 9 | (rank >> 3 & 63) << 6 | (rank & 7) << 12 | 1 << 15;
    Move::from_bits(bits as u16).expect("the mark is set")
}
