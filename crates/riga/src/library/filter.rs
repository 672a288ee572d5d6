//! The options that choose games.

use clap::Args;
use game::{GameResult, Speed};
use library::{Date, Filter, Player, Side};

/// Conditions that games must meet, without those about players.
#[derive(Args, Default)]
pub struct GameConditions {
    /// Least average rating of the players
    #[arg(long, value_name = "RATING")]
    min_rating: Option<u16>,
    /// Highest average rating of the players
    #[arg(long, value_name = "RATING")]
    max_rating: Option<u16>,
    /// First date: 2024, 2024.05 or 2024.05.31
    #[arg(long, value_name = "DATE")]
    from: Option<Date>,
    /// Last date
    #[arg(long, value_name = "DATE")]
    to: Option<Date>,
    /// Result: 1-0, 0-1, 1/2-1/2 or *; may be repeated
    #[arg(long = "result", value_name = "RESULT")]
    results: Vec<GameResult>,
    /// Speed: ultrabullet, bullet, blitz, rapid or classical; may be repeated
    #[arg(long = "speed", value_name = "SPEED")]
    speeds: Vec<Speed>,
    /// Time control as in its tag, such as 180+2
    #[arg(long, value_name = "CONTROL")]
    time_control: Option<String>,
}

/// Conditions that games must meet.
#[derive(Args, Default)]
pub struct Conditions {
    #[command(flatten)]
    about: GameConditions,
    /// A player, as written in the games
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// The player's side: white, black or either
    #[arg(long, value_name = "SIDE", default_value = "either", requires = "player")]
    side: Side,
    /// The other player
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
}

/// The options that are conditions. The side of a player is none on its own.
pub const CONDITIONS: [&str; 9] = [
    "min_rating",
    "max_rating",
    "from",
    "to",
    "results",
    "speeds",
    "time_control",
    "player",
    "opponent",
];

impl GameConditions {
    pub fn filter(&self) -> Filter {
        Filter {
            min_rating: self.min_rating,
            max_rating: self.max_rating,
            from: self.from,
            to: self.to,
            results: self.results.clone(),
            speeds: self.speeds.clone(),
            time_control: self.time_control.clone(),
            ..Filter::default()
        }
    }
}

impl Conditions {
    pub fn filter(&self) -> Filter {
        let side = self.side;
        Filter {
            player: self.player.clone().map(|name| Player { name, side }),
            opponent: self.opponent.clone(),
            ..self.about.filter()
        }
    }
}
