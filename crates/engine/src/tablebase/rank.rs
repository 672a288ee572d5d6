//! Ranks root moves: which keep the result, and which make progress.
//!
//! The ranks follow the method published by Syzygy's author: as long as the win is safe from the
//! fifty-move rule, all winning moves are equal; when it gets close, or a position has already
//! occurred twice, the distance decides.

use chess::{Line, Move, Position};

use super::missing::NotInTables;
use super::probe::Tablebases;
use super::root::RootMove;
use super::wdl::TableWdl;

/// Above every distance.
const TOP: i32 = 1 << 18;

/// Ranks the legal moves at the end of a line, best first.
pub(super) fn rank_moves(tables: &Tablebases, line: &Line) -> Result<Vec<RootMove>, NotInTables> {
    let position = line.position();
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Err(NotInTables::NoLegalMove);
    }
    let results = moves
        .iter()
        .map(|&m| result_after(tables, &position.after(m)))
        .collect::<Result<Vec<_>, _>>()?;

    // The best move must have the position's result. If a flipped bit in a table breaks this, no
    // move can be trusted.
    let best = results.iter().map(|result| result.signum()).max();
    if best != Some(tables.probe_wdl_after_zeroing(position)?.signum()) {
        return Err(tables.contradiction(position));
    }

    let by_distance: Result<Vec<RootMove>, _> =
        moves.iter().zip(&results).map(|(&m, &wdl)| by_distance(tables, line, m, wdl)).collect();
    let mut ranked = match by_distance {
        Err(NotInTables::Missing(_)) => {
            moves.iter().zip(&results).map(|(&m, &wdl)| by_result(line, m, wdl)).collect()
        }
        other => other?,
    };
    // Among equal moves: win soon, lose late.
    ranked.sort_by_key(|known: &RootMove| (-known.rank, known.dtz));
    Ok(ranked)
}

/// The result of a move that leads to a position, ignoring the fifty-move counter.
fn result_after(tables: &Tablebases, after: &Position) -> Result<TableWdl, NotInTables> {
    if after.has_legal_move() {
        tables.probe_wdl_after_zeroing(after).map(std::ops::Neg::neg)
    } else if after.is_check() {
        Ok(TableWdl::Win)
    } else {
        Ok(TableWdl::Draw)
    }
}

fn by_distance(
    tables: &Tablebases,
    line: &Line,
    m: Move,
    result: TableWdl,
) -> Result<RootMove, NotInTables> {
    let after = line.position().after(m);
    let clock = i32::from(line.position().halfmoves());
    let (dtz, exact) = if result == TableWdl::Draw || is_third_time(line, &after) {
        (0, true)
    } else if after.halfmoves() == 0 || !after.has_legal_move() {
        // A capture, a pawn move or mate: the distance is this ply, and the result includes the
        // reset counter.
        let distance = match result {
            TableWdl::Win | TableWdl::Loss => 1,
            _ => 101,
        };
        (distance * result.signum(), true)
    } else {
        let (dtz, exact) = tables.probe_dtz(&after)?;
        // One ply more than after the move, for the other side.
        (-dtz - dtz.signum(), exact)
    };
    let plies = dtz.abs() + clock;
    let in_time = plies < 100 || plies == 100 && (exact || clock == 0);
    let wdl = match (dtz.signum(), in_time) {
        (1, true) => TableWdl::Win,
        (1, false) => TableWdl::CursedWin,
        (-1, true) => TableWdl::Loss,
        (-1, false) => TableWdl::BlessedLoss,
        _ => TableWdl::Draw,
    };
    Ok(RootMove { m, wdl, dtz: Some(dtz), rank: rank(dtz, clock, has_repeated(line)) })
}

/// The rank by distance. A win in time comes first, whatever its length, unless the game has
/// started to repeat; a loss comes last unless the counter may save it.
fn rank(dtz: i32, clock: i32, repeated: bool) -> i32 {
    match dtz {
        1.. if dtz + clock <= 99 && !repeated => TOP,
        1.. => TOP - (dtz + clock),
        0 => 0,
        _ if 2 * -dtz + clock < 100 => -TOP,
        _ => -TOP + (-dtz + clock),
    }
}

/// Without distances, only results can be compared.
fn by_result(line: &Line, m: Move, result: TableWdl) -> RootMove {
    let third = is_third_time(line, &line.position().after(m));
    let wdl = if third { TableWdl::Draw } else { result };
    let rank = match wdl {
        TableWdl::Win => TOP,
        TableWdl::CursedWin => TOP - 101,
        TableWdl::Draw => 0,
        TableWdl::BlessedLoss => -TOP + 101,
        TableWdl::Loss => -TOP,
    };
    RootMove { m, wdl, dtz: None, rank }
}

/// Whether a position after the line has already occurred twice in it.
fn is_third_time(line: &Line, after: &Position) -> bool {
    let reach = usize::from(after.halfmoves());
    line.positions().rev().take(reach).filter(|before| before.key() == after.key()).count() >= 2
}

/// Whether a position has occurred twice since the last capture or pawn move.
fn has_repeated(line: &Line) -> bool {
    let reach = usize::from(line.position().halfmoves()) + 1;
    let mut keys: Vec<u64> = line.positions().rev().take(reach).map(Position::key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_fifty_move_counter() {
        assert_eq!(rank(1, 0, false), rank(99, 0, false), "wins in time are alike");
        assert!(rank(99, 0, false) > rank(100, 0, false), "unless it gets tight");
        assert!(rank(3, 60, true) > rank(5, 60, true), "or the game goes round in circles");
        assert!(rank(101, 0, false) > rank(0, 0, false), "a cursed win may still be won");
        assert!(rank(0, 0, false) > rank(-101, 0, false), "a draw is safer than the counter");
        assert!(rank(-60, 50, false) > rank(-40, 50, false), "the counter may save a long loss");
        assert_eq!(rank(-2, 0, false), rank(-20, 0, false), "and not a short one");
    }
}
