//! Endings: scaling of drawish advantages, and mop-up evaluation for won ones.

use chess::{Bitboard, Color, File, Role, Square};

use super::kpk;
use super::side::{KING_WING, QUEEN_WING, distance};
use super::sight::Sight;
use super::tally::FULL_SCALE;

/// Rough values of a color's pieces: 3 for a minor piece, 5 for a rook, 9 for a queen.
pub(super) fn force(sight: &Sight, color: Color) -> i32 {
    let count = |role| sight.of(color, role).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// The scale of the endgame score, out of [`FULL_SCALE`], if `strong` is better.
pub(super) fn scale(sight: &Sight, strong: Color, forces: [i32; 2]) -> i32 {
    let weak = !strong;
    let force = forces[strong.index()];
    let resistance = forces[weak.index()];
    let pawns = sight.of(strong, Role::Pawn);
    if pawns.is_empty() {
        return without_pawns(sight, strong, force, resistance);
    }
    if let Some(won) = lone_pawn(sight, strong, forces) {
        return if won { FULL_SCALE } else { 0 };
    }
    if rook_pawns_stopped(sight, strong, pawns) {
        return 0;
    }
    if opposite_bishops(sight) {
        let passed = (sight.passed & pawns).count() as i32;
        return if force == 3 && resistance == 3 {
            (20 + 5 * passed).min(FULL_SCALE)
        } else {
            let officers = (sight.colors[strong.index()] - pawns).count() as i32;
            (38 + 3 * officers).min(FULL_SCALE)
        };
    }
    if force == 5 && resistance == 5 && sight.of(strong, Role::Rook).any() {
        return rook_ending(sight, strong, pawns);
    }
    (42 + 6 * pawns.count() as i32).min(FULL_SCALE)
}

/// Without pawns, a lead of a minor piece or less rarely wins.
fn without_pawns(sight: &Sight, strong: Color, force: i32, resistance: i32) -> i32 {
    let only_knights = sight.of(strong, Role::Knight).count() as i32 * 3 == force;
    if only_knights && force <= 6 {
        return 0;
    }
    let bishops = sight.of(strong, Role::Bishop);
    let one_color =
        (bishops & Bitboard::LIGHT).is_empty() || (bishops - Bitboard::LIGHT).is_empty();
    if one_color && bishops.count() as i32 * 3 == force {
        return 0;
    }
    match force - resistance {
        ..=3 if force < 5 => 0,
        ..=3 if resistance <= 3 => 6,
        ..=3 => 16,
        _ => FULL_SCALE,
    }
}

/// For king and pawn against king: whether it is won.
fn lone_pawn(sight: &Sight, strong: Color, forces: [i32; 2]) -> Option<bool> {
    let pawns = sight.of(strong, Role::Pawn);
    let lone = forces == [0; 2] && sight.occupied.count() == 3;
    let pawn = pawns.first().filter(|_| lone)?;
    Some(kpk::wins(strong, sight.kings, pawn, sight.turn))
}

/// Pawns on one rook file, no pieces but bishops that don't control the corner, and the enemy king
/// there: nothing can drive it out.
fn rook_pawns_stopped(sight: &Sight, strong: Color, pawns: Bitboard) -> bool {
    let king = Bitboard::of(sight.kings[strong.index()]);
    let others = sight.colors[strong.index()] - pawns - king;
    let bishops = sight.of(strong, Role::Bishop);
    if others != bishops {
        return false;
    }
    let rank = (!strong).back_rank();
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::new(file, rank);
        let reach = if corner.is_light() { Bitboard::LIGHT } else { !Bitboard::LIGHT };
        (pawns - Bitboard::file(file)).is_empty()
            && (bishops & reach).is_empty()
            && distance(sight.kings[(!strong).index()], corner) <= 1
    })
}

/// One bishop each, on opposite colors.
fn opposite_bishops(sight: &Sight) -> bool {
    let [white, black] = Color::ALL.map(|color| sight.of(color, Role::Bishop));
    white.count() == 1 && black.count() == 1 && ((white | black) & Bitboard::LIGHT).count() == 1
}

/// One extra pawn on one wing, with the defending king near, is usually a draw.
fn rook_ending(sight: &Sight, strong: Color, pawns: Bitboard) -> i32 {
    let weak = sight.of(!strong, Role::Pawn);
    let one_wing = (pawns & QUEEN_WING).is_empty() || (pawns & KING_WING).is_empty();
    let king = sight.kings[(!strong).index()];
    let near = pawns.into_iter().all(|pawn| distance(king, pawn) <= 3);
    if pawns.count() <= weak.count() + 1 && one_wing && near { 38 } else { 58 }
}

/// The value of a won ending beyond its material.
const KNOWN_WIN: i32 = 2000;
/// The value of a lone pawn that will promote, beyond its material.
const WON_PAWN: i32 = 400;

/// Mop-up evaluation: drives the king of a side without pawns to the edge and brings the other king
/// closer, so that the search finds the mate. The score is for White.
pub(super) fn mop_up(sight: &Sight, forces: [i32; 2]) -> i32 {
    let mut score = 0;
    for strong in Color::ALL {
        let weak = !strong;
        let (force, resistance) = (forces[strong.index()], forces[weak.index()]);
        if lone_pawn(sight, strong, forces) == Some(true) {
            score += if strong == Color::White { WON_PAWN } else { -WON_PAWN };
        }
        if sight.of(weak, Role::Pawn).any() || force < resistance + 4 || resistance > 5 {
            continue;
        }
        let prey = sight.kings[weak.index()];
        let near = 7 - distance(sight.kings[strong.index()], prey);
        let gain = if resistance > 0 {
            10 * edge(prey) + 6 * near
        } else if !can_mate(sight, strong) {
            0
        } else if force == 6 && sight.of(strong, Role::Knight).any() {
            KNOWN_WIN
                + 400 * (7 - corner(prey, sight.of(strong, Role::Bishop)))
                + 20 * near
                + 8 * edge(prey)
        } else {
            KNOWN_WIN + 40 * edge(prey) + 20 * near
        };
        score += if strong == Color::White { gain } else { -gain };
    }
    score
}

/// Whether the pieces of a color can mate a bare king by force.
fn can_mate(sight: &Sight, color: Color) -> bool {
    let bishops = sight.of(color, Role::Bishop);
    let knights = sight.of(color, Role::Knight).count();
    let light = (bishops & Bitboard::LIGHT).any();
    let dark = (bishops - Bitboard::LIGHT).any();
    (sight.of(color, Role::Queen) | sight.of(color, Role::Rook)).any()
        || light && dark
        || bishops.any() && knights > 0
        || knights > 2
}

/// A king's distance from the center: 0 on the four center squares, 6 in a corner.
fn edge(king: Square) -> i32 {
    let steps = |line: usize| (line as i32 * 2 - 7).abs() / 2;
    steps(king.file().index()) + steps(king.rank().index())
}

/// Steps along the edges and diagonals to the nearer corner that the bishop controls: 0 in the
/// corner, 7 in a corner of the other color or on the diagonal between those.
fn corner(king: Square, bishop: Bitboard) -> i32 {
    let (file, rank) = (king.file().index() as i32, king.rank().index() as i32);
    // h1 and a8 are light. On a board rotated so that they are a1 and h8, the sum of the
    // coordinates is 7 on the other diagonal.
    let file = if (bishop & Bitboard::LIGHT).any() { 7 - file } else { file };
    7 - (7 - file - rank).abs()
}
