//! The player whose games are reviewed.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use chess::Color;
use game::Game;

/// A part of a player's name. Case doesn't matter.
#[derive(Clone, Debug)]
pub struct Player {
    typed: String,
    lower: String,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.typed)
    }
}

impl FromStr for Player {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let typed = text.trim().to_owned();
        Ok(Self { lower: typed.to_lowercase(), typed })
    }
}

impl Player {
    /// Whether a name contains it.
    pub fn is(&self, name: &str) -> bool {
        name.to_lowercase().contains(&self.lower)
    }

    /// The side it plays in a game.
    pub fn side(&self, game: &Game) -> Option<Color> {
        Color::ALL.into_iter().find(|color| game.tags.get(color.name()).is_some_and(|n| self.is(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_name_is_enough() {
        let mut game = Game::default();
        game.tags.set("White", "Fischer, Robert J.");
        game.tags.set("Black", "ТАЛЬ");
        let side = |text: &str| text.parse::<Player>().ok()?.side(&game);
        assert_eq!(side("fischer"), Some(Color::White));
        assert_eq!(side(" таль "), Some(Color::Black));
        assert_eq!(side("Petrosian"), None);
    }
}
