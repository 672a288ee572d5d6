//! King safety: the pawns in front of the king, and the attacking pieces.

use chess::{Bitboard, File, Rank, Role, Square, bishop_attacks, knight_attacks, rook_attacks};

use super::Tapered;
use super::layout::{
    DANGER_ADJACENT, DANGER_ATTACKER, DANGER_ATTACKERS, DANGER_BASE, DANGER_BLOCKER,
    DANGER_FLANK_ATTACK, DANGER_FLANK_DEFENSE, DANGER_KNIGHT_DEFENDER, DANGER_NO_QUEEN,
    DANGER_OPEN_FILE, DANGER_PAWN, DANGER_SAFE_CHECK, DANGER_SHIELD, DANGER_UNSAFE_CHECK,
    DANGER_WEAK, KING_FILE, KING_PAWN_DISTANCE, PAWNLESS_FLANK, SHELTER, STORM, STORM_BLOCKED,
};
use super::side::{Side, distance, middle_file, wing};
use super::sight::Sight;
use super::tally::{Ledger, Tally};

/// The pawns of both sides around a king; depends only on pawns and that king.
pub(super) fn shelter<S: Side, T: Tally>(
    king: Square,
    pawns: [Bitboard; 2],
    ledger: &mut Ledger<T>,
) {
    let ours = pawns[S::US.index()];
    let theirs = pawns[S::US.index() ^ 1];
    let front = S::fill(Bitboard::rank(king.rank()));
    let middle = middle_file(king);
    for file in middle - 1..=middle + 1 {
        let squares = front & Bitboard::file(File::ALL[file]);
        let own = lowest_rank::<S>(ours & squares);
        let enemy = lowest_rank::<S>(theirs & squares);
        let edge = file.min(7 - file);
        ledger.once::<S>(SHELTER.at(edge * 8 + own));
        if own != 0 && enemy == own + 1 {
            ledger.once::<S>(STORM_BLOCKED.at(enemy));
        } else {
            ledger.once::<S>(STORM.at(edge * 8 + enemy));
        }
    }

    let file = Bitboard::file(king.file());
    let state = match ((ours & file).any(), (theirs & file).any()) {
        (false, false) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (true, true) => 3,
    };
    ledger.once::<S>(KING_FILE.at(state));
    if (wing(king) & (ours | theirs)).is_empty() {
        ledger.once::<S>(PAWNLESS_FLANK.at(0));
    }
    if let Some(steps) = ours.into_iter().map(|pawn| distance(king, pawn)).min() {
        ledger.times::<S>(KING_PAWN_DISTANCE.at(0), steps);
    }
}

/// The rank of the pawn nearest to our back rank, 0 if there is none.
#[inline]
fn lowest_rank<S: Side>(pawns: Bitboard) -> usize {
    let seen = match S::US {
        chess::Color::White => pawns,
        chess::Color::Black => pawns.flip(),
    };
    seen.first().map_or(0, |square| square.index() >> 3)
}

/// The sum of the danger terms, before it becomes a score.
struct Danger<'a, 'b, T> {
    ledger: &'a mut Ledger<'b, T>,
    sum: Tapered,
}

impl<T: Tally> Danger<'_, '_, T> {
    #[inline]
    fn times<S: Side>(&mut self, index: usize, count: i32) {
        self.ledger.tally.count(S::US, index, count);
        self.sum += self.ledger.weights[index] * count;
    }
}

/// The maximum danger; more would not change any move.
pub const MOST_DANGER: i32 = 1400;
/// Divisor of the squared danger for the middlegame score.
pub const DANGER_SQUARE: i32 = 1024;
/// Divisor of the danger for the endgame score.
pub const DANGER_SHARE: i32 = 12;

/// The score of a danger. It grows quadratically: two attackers are more than twice as bad as one.
#[inline]
pub(super) fn price(danger: Tapered) -> Tapered {
    let mg = danger.mg().clamp(0, MOST_DANGER);
    let eg = danger.eg().clamp(0, MOST_DANGER);
    Tapered::new(-(mg * mg / DANGER_SQUARE), -(eg / DANGER_SHARE))
}

/// The danger to the king of `S`. All pieces must have been processed.
pub(super) fn danger<S: Side, T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) {
    let us = S::US.index();
    let siege = sight.sieges[us];
    let attackers: i32 = siege.attackers.iter().sum();
    if attackers == 0 {
        return;
    }
    let mut danger = Danger { ledger, sum: Tapered::ZERO };
    danger.times::<S>(DANGER_BASE.at(0), 1);
    for (role, &count) in siege.attackers.iter().enumerate() {
        danger.times::<S>(DANGER_ATTACKER.at(role), count);
    }
    danger.times::<S>(DANGER_ATTACKERS.at((attackers as usize).min(7)), 1);
    danger.times::<S>(DANGER_ADJACENT.at(0), siege.adjacent);
    around::<S, T>(sight, &mut danger);
    checks::<S, T>(sight, &mut danger);
    let score = price(danger.sum);
    ledger.score += score.signed::<S>();
    ledger.tally.danger(S::US, score);
}

/// Squares they attack that are undefended, or defended only by king or queen.
#[inline]
fn weak<S: Side>(sight: &Sight) -> Bitboard {
    let us = S::US.index();
    let royal = sight.by[us][Role::King.index()] | sight.by[us][Role::Queen.index()];
    (sight.all[us ^ 1] - sight.twice[us]) & (!sight.all[us] | royal)
}

/// The squares around the king.
fn around<S: Side, T: Tally>(sight: &Sight, danger: &mut Danger<T>) {
    let us = S::US.index();
    let them = us ^ 1;
    let king = sight.kings[us];
    let ring = sight.rings[us];
    let own_pawns = sight.of(S::US, Role::Pawn);

    danger.times::<S>(DANGER_WEAK.at(0), (ring & weak::<S>(sight)).count() as i32);
    let pawns = ring & sight.by[them][Role::Pawn.index()];
    danger.times::<S>(DANGER_PAWN.at(0), pawns.count() as i32);
    danger.times::<S>(DANGER_BLOCKER.at(0), sight.pins[us].blockers.count() as i32);
    if sight.pieces[them][Role::Queen.index()].is_empty() {
        danger.times::<S>(DANGER_NO_QUEEN.at(0), 1);
    }
    let guard = sight.by[us][Role::Knight.index()] & sight.by[us][Role::King.index()];
    if guard.any() {
        danger.times::<S>(DANGER_KNIGHT_DEFENDER.at(0), 1);
    }

    let far = S::rank_set(Rank::Sixth) | S::rank_set(Rank::Seventh) | S::rank_set(Rank::Eighth);
    let camp = wing(king) - far;
    let attacked = camp & sight.all[them];
    let pressed = attacked & sight.twice[them];
    let attacks = attacked.count() + pressed.count();
    danger.times::<S>(DANGER_FLANK_ATTACK.at(0), attacks as i32);
    let defended = camp & sight.all[us];
    danger.times::<S>(DANGER_FLANK_DEFENSE.at(0), defended.count() as i32);

    let files = 7_u8 << (middle_file(king) - 1);
    let open = files & !sight.pawn_files[us];
    danger.times::<S>(DANGER_OPEN_FILE.at(0), open.count_ones() as i32);
    let rank = Bitboard::rank(king.rank());
    let near = S::up(rank) | S::up(S::up(rank));
    let shield = own_pawns & near & files_set(files);
    danger.times::<S>(DANGER_SHIELD.at(0), shield.count() as i32);
}

/// The squares of the files whose bits are set.
#[inline]
fn files_set(files: u8) -> Bitboard {
    Bitboard(u64::from(files) * 0x0101_0101_0101_0101)
}

/// Squares from which they could give check.
fn checks<S: Side, T: Tally>(sight: &Sight, danger: &mut Danger<T>) {
    let us = S::US.index();
    let them = us ^ 1;
    let king = sight.kings[us];
    // Our own queen is no shelter: it would have to move away.
    let occupied = sight.occupied - sight.of(S::US, Role::Queen);
    let straight = rook_attacks(king, occupied);
    let diagonal = bishop_attacks(king, occupied);
    let unguarded = !sight.all[us] | weak::<S>(sight) & sight.twice[them];
    let safe = unguarded - sight.colors[them];

    let mut unsafe_checks = Bitboard::EMPTY;
    let lines = [
        (Role::Knight, knight_attacks(king)),
        (Role::Bishop, diagonal),
        (Role::Rook, straight),
        (Role::Queen, straight | diagonal),
    ];
    for (role, line) in lines {
        let checks = line & sight.by[them][role.index()];
        let good = checks & safe;
        if good.any() {
            let index = (role.index() - 1) * 2 + usize::from(good.many());
            danger.times::<S>(DANGER_SAFE_CHECK.at(index), 1);
        } else if role != Role::Queen {
            unsafe_checks |= checks - sight.colors[them];
        }
    }
    danger.times::<S>(DANGER_UNSAFE_CHECK.at(0), unsafe_checks.count() as i32);
}
