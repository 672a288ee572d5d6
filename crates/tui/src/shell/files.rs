//! Games from and to PGN files.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;

use game::Game;
use game::pgn::{ReadError, Reader};

/// Writes a game to a file, after those that are already there; returns what to tell the player.
pub(crate) fn save(path: &Path, pgn: &str) -> Result<String, String> {
    let shown = path.display();
    let wrong = |error: std::io::Error| format!("{shown}: {error}");
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(wrong)?;
    let before = file.metadata().map_err(wrong)?.len();
    let gap = if before > 0 { "\n" } else { "" };
    file.write_all(format!("{gap}{pgn}").as_bytes()).map_err(wrong)?;
    let what = if before > 0 { "added to" } else { "saved to" };
    Ok(format!("{what} {shown}"))
}

/// Reads a game of a file by its number, from 1.
pub fn load(path: &Path, number: usize) -> Result<Game, String> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| format!("{shown}: {error}"))?;
    let mut games = Reader::new(BufReader::new(file)).games();
    let mut count = 0;
    loop {
        let game = games.next();
        count += usize::from(game.is_some());
        match game {
            None => {
                return Err(match count {
                    0 => format!("{shown}: no game found"),
                    1 => format!("{shown}: only 1 game"),
                    count => format!("{shown}: only {count} games"),
                });
            }
            Some(Err(ReadError::Io(error))) => return Err(format!("{shown}: {error}")),
            Some(Err(error)) if count == number => return Err(format!("{shown}: {error}")),
            Some(Ok(game)) if count == number => return Ok(game),
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_added_to_a_file_and_found_by_number() {
        let path = std::env::temp_dir().join(format!("riga-tui-{}.pgn", std::process::id()));
        let _ = std::fs::remove_file(&path);
        assert!(load(&path, 1).is_err());
        let mut game = Game::default();
        assert!(save(&path, &game.to_string()).expect("written").starts_with("saved to"));
        let m = game.position().parse_san("e4").expect("a move");
        game.play(m).expect("legal");
        assert!(save(&path, &game.to_string()).expect("written").starts_with("added to"));
        assert_eq!(load(&path, 2).expect("the second").line().len(), 1);
        assert!(load(&path, 3).expect_err("only two").contains("only 2 games"));
        std::fs::remove_file(&path).expect("it is there");
        assert!(save(Path::new("/no such folder/x.pgn"), "").is_err());
    }
}
