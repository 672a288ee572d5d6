//! The games of a library as the input of a review.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use library::{GameId, Library, Order, Page};

use super::census::Census;
use super::player::Player;
use crate::arguments::misuse;
use crate::library::GameConditions;

/// Which games of a library to review.
#[derive(Args)]
pub struct Collected {
    /// Review the games of a library instead of PGN files, newest first
    #[arg(long, value_name = "FOLDER", conflicts_with = "files")]
    library: Option<PathBuf>,
    /// At most this many games of the library
    #[arg(long, value_name = "COUNT", requires = "library")]
    count: Option<usize>,
    #[command(flatten)]
    conditions: GameConditions,
}

/// Games that were chosen.
pub struct Chosen {
    pub library: Library,
    pub games: Vec<GameId>,
}

impl Collected {
    /// The games; none if no library is named.
    pub fn choose(&self, player: Option<&Player>) -> Result<Option<Chosen>> {
        let filter = self.conditions.filter();
        let Some(folder) = &self.library else {
            if !filter.is_empty() {
                return misuse("conditions such as --from and --min-rating need --library");
            }
            return Ok(None);
        };
        let library = Library::open(folder)?;
        let page = Page { skip: 0, count: Page::DEEPEST };
        let listed = library.games(None, &filter, Order::Newest, page)?;
        let wanted = listed
            .iter()
            .filter(|game| player.is_none_or(|one| one.is(&game.white) || one.is(&game.black)));
        let games = wanted.map(|game| game.id).take(self.count.unwrap_or(usize::MAX)).collect();
        Ok(Some(Chosen { library, games }))
    }
}

impl Chosen {
    /// Counts games and moves.
    pub fn census(&self) -> Result<Census> {
        let mut moves = 0;
        for &id in &self.games {
            moves += self.library.game(id)?.line().len() as u64;
        }
        Ok(Census { games: self.games.len() as u64, moves })
    }
}
