//! Chances to win, draw and lose from a score.

use chess::{Position, Role};

use crate::Wdl;
use crate::search::{Value, is_decisive};

/// The chances of the side to move. A logistic curve around the score at which half of the games
/// are won; with fewer pieces the same score wins more often.
pub(crate) fn of(value: Value, position: &Position) -> Wdl {
    if is_decisive(value) {
        let win = if value > 0 { 1000 } else { 0 };
        return Wdl { win, draw: 0, loss: 1000 - win };
    }
    let phase =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)]
            .into_iter()
            .map(|(role, worth)| worth * position.role(role).count())
            .sum::<u32>()
            .clamp(16, 78);
    let half = 80.0 + 80.0 * f64::from(phase) / 78.0;
    let spread = 40.0 + 35.0 * f64::from(phase) / 78.0;
    let win = |value: f64| (1000.0 / (1.0 + ((half - value) / spread).exp())).round() as u16;
    let (win, loss) = (win(f64::from(value)), win(f64::from(-value)));
    Wdl { win, draw: 1000 - win - loss, loss }
}
