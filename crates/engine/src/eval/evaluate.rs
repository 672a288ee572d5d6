//! The evaluation from start to end.

use chess::{Bitboard, Color, Position, Role};

use super::cache::{PawnCache, compute};
use super::layout::{
    COMPLEXITY_BASE, COMPLEXITY_FLANKS, COMPLEXITY_PASSED, COMPLEXITY_PAWN_ENDING,
    COMPLEXITY_PAWNS, MATERIAL, TEMPO,
};
use super::side::{Black, KING_WING, QUEEN_WING, White};
use super::sight::Sight;
use super::tally::{Balance, FULL_PHASE, LIMIT, Ledger, Tally};
use super::{Tapered, Weights, ending, king, passed, pieces, threats};

/// The value of a position in centipawns for the side to move.
///
/// `tally` receives every count. The cache makes it faster and changes nothing; it is not used if
/// the tally listens, which also needs the counts of the pawn terms.
pub fn evaluate_with<T: Tally>(
    position: &Position,
    weights: &Weights,
    tally: &mut T,
    cache: Option<&mut PawnCache>,
) -> i32 {
    let value = for_white(position, weights, tally, cache);
    match position.turn() {
        Color::White => value,
        Color::Black => -value,
    }
}

/// More material than this on one side, about 15 queens, would overflow a half of [`Tapered`].
const MOST_PHASE: i32 = 60;

fn for_white<T: Tally>(
    position: &Position,
    weights: &Weights,
    tally: &mut T,
    cache: Option<&mut PawnCache>,
) -> i32 {
    // Step 1. The game phase.
    let phases = Color::ALL.map(|color| phase(position, color));
    if phases[0].max(phases[1]) > MOST_PHASE {
        return too_much(position, weights, tally);
    }

    // Step 2. Pawns and shelters, which rarely change.
    let (structure, shelter) = match cache {
        Some(cache) if !T::LISTENS => cache.look_up(position, weights),
        _ => compute(position, weights, tally),
    };
    let mut ledger = Ledger { weights, tally, score: structure.score + shelter };

    // Step 3. Pieces, in ascending order of value: squares attacked by less valuable pieces are
    // unsafe for more valuable ones.
    let mut sight = Sight::new(position, &structure);
    pieces::material::<White, T>(&sight, &mut ledger);
    pieces::material::<Black, T>(&sight, &mut ledger);
    pieces::king::<White, T>(&sight, &mut ledger);
    pieces::king::<Black, T>(&sight, &mut ledger);
    pieces::minors::<White, T>(&mut sight, &mut ledger);
    pieces::minors::<Black, T>(&mut sight, &mut ledger);
    pieces::rooks::<White, T>(&mut sight, &mut ledger);
    pieces::rooks::<Black, T>(&mut sight, &mut ledger);
    pieces::queens::<White, T>(&mut sight, &mut ledger);
    pieces::queens::<Black, T>(&mut sight, &mut ledger);

    // Step 4. Terms that depend on all attacks.
    king::danger::<White, T>(&sight, &mut ledger);
    king::danger::<Black, T>(&sight, &mut ledger);
    threats::threats::<White, T>(&sight, &mut ledger);
    threats::threats::<Black, T>(&sight, &mut ledger);
    threats::space::<White, T>(&sight, &mut ledger);
    threats::space::<Black, T>(&sight, &mut ledger);
    passed::passed::<White, T>(&sight, &mut ledger);
    passed::passed::<Black, T>(&sight, &mut ledger);
    match sight.turn {
        Color::White => ledger.once::<White>(TEMPO.at(0)),
        Color::Black => ledger.once::<Black>(TEMPO.at(0)),
    }

    // Step 5. Combine middlegame and endgame scores.
    let complexity = complexity(&sight, &mut ledger);
    let forces = Color::ALL.map(|color| ending::force(&sight, color));
    let mut balance = Balance {
        sum: ledger.score,
        complexity,
        phase: (phases[0] + phases[1]).min(FULL_PHASE),
        scales: Color::ALL.map(|color| ending::scale(&sight, color, forces)),
        ending: ending::mop_up(&sight, forces),
        value: 0,
    };
    balance.value = balance.blend();
    ledger.tally.close(&balance);
    balance.value
}

/// A side's part of the phase: 1 for a minor piece, 2 for a rook, 4 for a queen.
fn phase(position: &Position, color: Color) -> i32 {
    let own = position.color(color);
    let count = |role| (position.role(role) & own).count() as i32;
    count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen)
}

/// Positions that never occur in games: material only, so that nothing overflows.
fn too_much<T: Tally>(position: &Position, weights: &Weights, tally: &mut T) -> i32 {
    let worth = |color| -> i32 {
        let count = |role| (position.role(role) & position.color(color)).count() as i32;
        let value = |role: Role| weights[MATERIAL.at(role.index())].mg() * count(role);
        Role::ALL[..5].iter().map(|&role| value(role)).sum()
    };
    let value = (worth(Color::White) - worth(Color::Black)).clamp(-LIMIT, LIMIT);
    tally.close(&Balance { ending: value, value, ..Balance::default() });
    value
}

/// Complexity: many pawns and two wings make an endgame advantage easier to convert. It can cancel
/// an advantage, but never reverse it.
fn complexity<T: Tally>(sight: &Sight, ledger: &mut Ledger<T>) -> i32 {
    let pawns = sight.of(Color::White, Role::Pawn) | sight.of(Color::Black, Role::Pawn);
    let kings = Bitboard::of(sight.kings[0]) | Bitboard::of(sight.kings[1]);
    let mut sum = Tapered::ZERO;
    let mut count = |index: usize, times: i32| {
        ledger.tally.count(Color::White, index, times);
        sum += ledger.weights[index] * times;
    };
    count(COMPLEXITY_BASE.at(0), 1);
    count(COMPLEXITY_PAWNS.at(0), pawns.count() as i32);
    if (pawns & QUEEN_WING).any() && (pawns & KING_WING).any() {
        count(COMPLEXITY_FLANKS.at(0), 1);
    }
    if sight.occupied == pawns | kings {
        count(COMPLEXITY_PAWN_ENDING.at(0), 1);
    }
    count(COMPLEXITY_PASSED.at(0), sight.passed.count() as i32);
    let eg = ledger.score.eg();
    eg.signum() * sum.eg().max(-eg.abs())
}

/// Fifty-move scaling: an advantage that makes no progress loses value.
#[inline]
pub fn fade(value: i32, halfmoves: u16) -> i32 {
    value * (200 - i32::from(halfmoves.min(100))) / 200
}
