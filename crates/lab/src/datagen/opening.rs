//! Random openings, from start positions and from other games.

use chess::{Line, Position};
use engine::Dice;
use nnue::data::Game;

/// How games start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    /// Minimum number of random plies; half of the games have one more, so that either color moves
    /// first.
    pub random_plies: u8,
    /// Games per thousand that start from a Chess960 position.
    pub chess960_per_mille: u16,
    /// An opening is dropped if the first search finds a score beyond this.
    pub highest_score: i32,
}

impl Default for Openings {
    fn default() -> Self {
        Self { random_plies: 8, chess960_per_mille: 100, highest_score: 400 }
    }
}

impl Openings {
    /// An opening of random moves; `None` if they end the game.
    pub fn walk(&self, dice: &mut Dice) -> Option<Line> {
        let start = if dice.below(1000) < u64::from(self.chess960_per_mille) {
            Position::chess960(dice.below(960) as u16).expect("a number below 960")
        } else {
            Position::default()
        };
        // 254 and one more fit into the format's byte.
        walk(start, usize::from(self.random_plies.min(254)) + dice.below(2) as usize, dice)
    }
}

/// Games that branch from others: a bad move and its consequences. A search sees such positions all
/// the time, a game between good players never does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    /// Games per thousand that are followed by one that branches from them.
    pub per_mille: u16,
    /// A branch is dropped if its first search finds a score beyond this.
    pub highest_score: i32,
}

impl Default for Branches {
    fn default() -> Self {
        Self { per_mille: 250, highest_score: 1000 }
    }
}

impl Branches {
    /// One or two random moves from a random position of a game, after its opening; `None` if they
    /// end the game.
    pub fn walk(&self, game: &Game, dice: &mut Dice) -> Option<Line> {
        let ply = game.opening() + dice.below(game.scores().len() as u64) as usize;
        let mut position = game.start().clone();
        for &m in &game.moves()[..ply] {
            position.play_unchecked(m);
        }
        walk(position, 1 + dice.below(2) as usize, dice)
    }
}

/// This many random moves; `None` if they end the game.
fn walk(start: Position, plies: usize, dice: &mut Dice) -> Option<Line> {
    let mut line = Line::new(start);
    for _ in 0..plies {
        let moves = line.position().legal_moves();
        line.play(*dice.pick(&moves)?).expect("it is a legal move");
    }
    line.outcome().is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_have_the_length_and_the_share_of_chess960_asked_for() {
        let openings = Openings { chess960_per_mille: 500, ..Openings::default() };
        let mut dice = Dice::new(3);
        let lines: Vec<Line> = (0..400).filter_map(|_| openings.walk(&mut dice)).collect();
        assert!(lines.len() > 350);
        assert!(lines.iter().all(|line| [8, 9].contains(&line.len())));
        let standard = lines.iter().filter(|line| *line.start() == Position::default()).count();
        assert!((150..250).contains(&standard), "{standard}");
        let even = lines.iter().filter(|line| line.len() == 8).count();
        assert!((150..250).contains(&even), "{even}");
    }
}
