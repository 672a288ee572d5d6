//! What a side's camp looks like to anybody: its king's cover, its pawns, the room its pieces have.
//!
//! Claims about a position are made only if they can be counted on the board like this.

use chess::{Bitboard, Color, File, Position, Rank, Role, Square, officer_attacks, pawn_attacks};

/// The most pieces besides kings and pawns in an ending.
const OFFICERS: u32 = 4;

/// Counts of a side's king, pawns and pieces.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Camp {
    /// Own pawns on the two ranks before the king, on its file and the files beside it.
    pub cover: u32,
    /// Whether the king may still castle, or stands where it would after castling.
    pub sheltered: bool,
    /// Isolated and doubled pawns.
    pub weak_pawns: u32,
    /// The rank, from 0, of the passed pawn that is furthest advanced, from the side's own view.
    pub passer: Option<u8>,
    /// Number of passed pawns.
    pub passers: usize,
    /// In an ending, the king's way to the next pawn of the other side.
    pub way: Option<u8>,
    /// Whether there are bishops on both colors.
    pub bishop_pair: bool,
    /// Squares to which knights, bishops, rooks and queens could go without being taken by a pawn.
    pub room: u32,
}

impl Camp {
    pub(crate) fn of(position: &Position, side: Color) -> Self {
        let pawns = position.pieces(Role::Pawn.of(side));
        let theirs = position.pieces(Role::Pawn.of(!side));
        let king = position.king(side);
        let weak = |&pawn: &Square| is_isolated(pawn, pawns) || is_doubled(pawn, pawns, side);
        let passers = pawns.into_iter().filter(|&pawn| is_passed(pawn, theirs, side));
        let way = theirs.into_iter().map(|pawn| distance(pawn, king)).min();
        Self {
            cover: pawns.into_iter().filter(|&pawn| covers(pawn, king, side)).count() as u32,
            sheltered: is_sheltered(position, side),
            weak_pawns: pawns.into_iter().filter(weak).count() as u32,
            passer: passers.clone().map(|pawn| height(pawn, side)).max(),
            passers: passers.count(),
            way: way.filter(|_| is_ending(position)),
            bishop_pair: has_bishop_pair(position, side),
            room: room(position, side),
        }
    }
}

/// The rank of a square from a side's view, from 0.
fn height(square: Square, side: Color) -> u8 {
    let rank = square.rank() as u8;
    if side == Color::White { rank } else { 7 - rank }
}

fn file_distance(a: Square, b: Square) -> u8 {
    (a.file() as u8).abs_diff(b.file() as u8)
}

fn distance(a: Square, b: Square) -> u8 {
    file_distance(a, b).max((a.rank() as u8).abs_diff(b.rank() as u8))
}

/// Whether kings take part: no queens, and at most four other pieces.
fn is_ending(position: &Position) -> bool {
    let count = |role: Role| position.role(role).count();
    count(Role::Queen) == 0
        && count(Role::Knight) + count(Role::Bishop) + count(Role::Rook) <= OFFICERS
}

fn covers(pawn: Square, king: Square, side: Color) -> bool {
    let ahead = i16::from(height(pawn, side)) - i16::from(height(king, side));
    file_distance(pawn, king) <= 1 && (1..=2).contains(&ahead)
}

fn is_sheltered(position: &Position, side: Color) -> bool {
    let king = position.king(side);
    let home = Bitboard::rank(side.back_rank());
    let may_castle = (position.castling_rooks() & home).any();
    let castled = home.has(king) && !matches!(king.file(), File::D | File::E | File::F);
    may_castle || castled
}

fn is_isolated(pawn: Square, own: Bitboard) -> bool {
    !own.into_iter().any(|other| file_distance(other, pawn) == 1)
}

/// Whether another own pawn stands before it.
fn is_doubled(pawn: Square, own: Bitboard, side: Color) -> bool {
    let before = |other: Square| height(other, side) > height(pawn, side);
    own.into_iter().any(|other| file_distance(other, pawn) == 0 && before(other))
}

/// Whether none of their pawns can stop or take a pawn on its way.
pub(crate) fn is_passed(pawn: Square, theirs: Bitboard, side: Color) -> bool {
    let stops =
        |other: Square| file_distance(other, pawn) <= 1 && height(other, side) > height(pawn, side);
    !theirs.into_iter().any(stops)
}

fn has_bishop_pair(position: &Position, side: Color) -> bool {
    let bishops = position.pieces(Role::Bishop.of(side));
    (bishops & Bitboard::LIGHT).any() && (bishops & !Bitboard::LIGHT).any()
}

fn room(position: &Position, side: Color) -> u32 {
    let theirs = position.pieces(Role::Pawn.of(!side));
    let guarded =
        theirs.into_iter().fold(Bitboard::EMPTY, |all, pawn| all | pawn_attacks(!side, pawn));
    let free = !(position.color(side) | guarded);
    let officers = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    officers
        .into_iter()
        .flat_map(|role| {
            position.pieces(role.of(side)).into_iter().map(move |square| (role, square))
        })
        .map(|(role, square)| (officer_attacks(role, square, position.occupied()) & free).count())
        .sum()
}

/// The rank from which a passed pawn is strong: past the middle of the board.
pub(crate) const STRONG: u8 = Rank::Fifth as u8;

#[cfg(test)]
mod tests {
    use super::*;

    fn camp(fen: &str) -> Camp {
        Camp::of(&fen.parse().expect("a legal position"), Color::White)
    }

    #[test]
    fn cover_and_castling_are_seen() {
        let castled = camp("4k3/8/8/8/8/7P/5PP1/5RK1 w - - 0 1");
        assert_eq!((castled.cover, castled.sheltered), (3, true));
        let open = camp("4k3/8/8/8/6P1/7P/5P2/5RK1 w - - 0 1");
        assert_eq!(open.cover, 2, "the pawn on g4 is too far away");
        assert!(camp("4k3/8/8/8/8/8/8/4K2R w K - 0 1").sheltered);
        assert!(!camp("4k3/8/8/8/8/8/8/4K2R w - - 0 1").sheltered);
    }

    #[test]
    fn weak_and_passed_pawns_are_counted() {
        let camp = camp("4k3/7p/8/P7/8/2P5/2P3P1/4K3 w - - 0 1");
        assert_eq!(camp.weak_pawns, 4, "all are isolated, and c2 is doubled as well");
        assert_eq!((camp.passer, camp.passers), (Some(4), 3), "a5, c2 and c3");
    }

    #[test]
    fn kings_are_near_to_pawns_in_endings_only() {
        assert_eq!(camp("4k3/7p/8/8/4K3/8/8/8 w - - 0 1").way, Some(3));
        assert_eq!(camp("3qk3/7p/8/8/4K3/8/8/8 w - - 0 1").way, None);
    }

    #[test]
    fn a_bishop_pair_stands_on_both_colors() {
        assert!(camp("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1").bishop_pair);
        assert!(!camp("4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1").bishop_pair, "both are dark");
    }

    #[test]
    fn room_is_what_pawns_leave_free() {
        let free = camp("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1");
        assert_eq!(free.room, 8);
        let guarded = camp("4k3/8/2p5/8/3N4/8/8/4K3 w - - 0 1");
        assert_eq!(guarded.room, 7, "a pawn guards b5");
    }
}
