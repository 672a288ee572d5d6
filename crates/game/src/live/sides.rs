//! The sides of a participant.

use chess::Color;

/// The sides that a participant plays in a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// A spectator.
    None,
    /// One player.
    One(Color),
    /// Two players at a shared board, or one playing against themselves.
    Both,
}

impl Sides {
    /// Whether it includes a side.
    pub fn plays(self, color: Color) -> bool {
        match self {
            Self::None => false,
            Self::One(own) => own == color,
            Self::Both => true,
        }
    }

    /// The side a participant acts for. At a shared board that is the side to move.
    pub const fn speaker(self, turn: Color) -> Option<Color> {
        match self {
            Self::None => None,
            Self::One(own) => Some(own),
            Self::Both => Some(turn),
        }
    }
}

impl FromIterator<Color> for Sides {
    fn from_iter<I: IntoIterator<Item = Color>>(colors: I) -> Self {
        colors.into_iter().fold(Self::None, |sides, color| match sides {
            Self::None => Self::One(color),
            Self::One(own) if own == color => sides,
            _ => Self::Both,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_collected_from_colors() {
        let sides = |colors: &[Color]| colors.iter().copied().collect::<Sides>();
        assert_eq!(sides(&[]), Sides::None);
        assert_eq!(sides(&[Color::Black, Color::Black]), Sides::One(Color::Black));
        assert_eq!(sides(&Color::ALL), Sides::Both);
    }

    #[test]
    fn a_shared_board_speaks_for_the_side_to_move() {
        assert_eq!(Sides::None.speaker(Color::White), None);
        assert_eq!(Sides::One(Color::Black).speaker(Color::White), Some(Color::Black));
        assert_eq!(Sides::Both.speaker(Color::White), Some(Color::White));
    }
}
