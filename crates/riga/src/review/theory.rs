//! How long a game follows the games of a library, and what was new in it.

use std::path::Path;

use ::review::words::{Language, san};
use anyhow::Result;
use chess::{Color, Position};
use game::{Game, GameResult};
use library::{Filter, Library, Order, Page, Player, Score, Side};
use serde::{Deserialize, Serialize};

/// The games that a game is compared with.
pub struct Known {
    library: Library,
    /// What the library is called in sentences.
    name: String,
}

/// The part of a game that other games have in common with it. Copies of the game itself don't count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theory {
    /// The name of the library.
    pub library: String,
    /// The plies after which the position was last known.
    pub plies: usize,
    /// Other games that have reached this position.
    pub games: u64,
    /// Of these, White's wins.
    pub white: u64,
    /// Draws.
    pub draws: u64,
    /// Black's wins.
    pub black: u64,
    /// The last known move with its number; none if only the start was known.
    pub last: Option<String>,
    /// The first move after which the position is new, with its number; none if the game ended before.
    pub new: Option<String>,
    /// What was played most often instead, with the number of games.
    pub usual: Option<(String, u64)>,
}

/// Copies of a game that are looked at.
const COPIES: usize = 100;

impl Known {
    pub fn open(folder: &Path) -> Result<Self> {
        let library = Library::open(folder)?;
        let name = folder.canonicalize().ok();
        let name = name.as_deref().unwrap_or(folder).file_name().unwrap_or(folder.as_os_str());
        Ok(Self { library, name: name.to_string_lossy().into_owned() })
    }

    /// What is known of a game; none if no other game has its start position.
    pub fn theory(&self, game: &Game) -> Result<Option<Theory>> {
        let copies = self.copies(game)?;
        let any = Filter::default();
        let line = game.line();
        let positions: Vec<&Position> = line.positions().collect();
        let moves: Vec<_> = line.moves().collect();
        let mut found = None;
        for (ply, &position) in positions.iter().enumerate() {
            let tallies = self.library.tallies(position, &any)?;
            let others = without(&tallies.total, &copies);
            if others.games == 0 {
                break;
            }
            found = Some((ply, others, tallies.moves));
        }
        let Some((plies, score, tallies)) = found else { return Ok(None) };
        let here = positions[plies];
        let played = moves.get(plies).copied();
        let usual = tallies.iter().filter(|tally| Some(tally.m) != played);
        let usual = usual.max_by_key(|tally| tally.score.games);
        Ok(Some(Theory {
            library: self.name.clone(),
            plies,
            games: score.games,
            white: score.white_wins,
            draws: score.draws,
            black: score.black_wins,
            last: plies.checked_sub(1).map(|before| numbered(positions[before], moves[before])),
            new: played.map(|m| numbered(here, m)),
            usual: usual
                .filter(|_| played.is_some())
                .map(|tally| (numbered(here, tally.m), tally.score.games)),
        }))
    }

    /// The results of the copies of a game: same moves by the same players.
    fn copies(&self, game: &Game) -> Result<Vec<GameResult>> {
        let name = |color: Color| game.tags.get(color.name()).unwrap_or_default().to_owned();
        let (white, black) = (name(Color::White), name(Color::Black));
        let player = Some(Player { name: white, side: Side::White });
        let player = player.filter(|player| !player.name.is_empty());
        let opponent = Some(black).filter(|name| player.is_some() && !name.is_empty());
        let filter = Filter { player, opponent, ..Filter::default() };
        let page = Page { skip: 0, count: COPIES };
        let line = game.line();
        let mut results = Vec::new();
        for listed in self.library.games(Some(&game.position()), &filter, Order::Newest, page)? {
            let other = self.library.game(listed.id)?.line();
            if other.start() == line.start() && other.moves().eq(line.moves()) {
                results.push(listed.result);
            }
        }
        Ok(results)
    }
}

/// A score without some games, which it includes.
fn without(score: &Score, results: &[GameResult]) -> Score {
    let mut left = *score;
    for result in results {
        left.games = left.games.saturating_sub(1);
        let part = match result {
            GameResult::WhiteWins => &mut left.white_wins,
            GameResult::Draw => &mut left.draws,
            GameResult::BlackWins => &mut left.black_wins,
            GameResult::Unknown => continue,
        };
        *part = part.saturating_sub(1);
    }
    left
}

/// A move with its number.
fn numbered(position: &Position, m: chess::Move) -> String {
    format!("{} {}", position.move_number(), position.san(m))
}

impl Theory {
    /// What is known, in a sentence or two.
    pub fn text(&self, language: Language) -> String {
        let say = |text: &str| san(text, language);
        let Self { library, games, white, draws, black, .. } = self;
        let is_english = language == Language::English;
        let until = match &self.last {
            None if is_english => format!("Only the start is known in {library}"),
            None => format!("In {library} ist nur der Beginn bekannt"),
            Some(last) if is_english => format!("Known in {library} until {}", say(last)),
            Some(last) => format!("In {library} bekannt bis {}", say(last)),
        };
        let called = match (is_english, games) {
            (true, 1) => "other game",
            (true, _) => "other games",
            (false, 1) => "Partie",
            (false, _) => "Partien",
        };
        let new = match &self.new {
            None => String::new(),
            Some(new) if is_english => format!(" {} is new", say(new)),
            Some(new) => format!(" {} ist neu", say(new)),
        };
        let usual = match &self.usual {
            None => String::new(),
            Some((usual, games)) if is_english => format!("; most often {} ({games})", say(usual)),
            Some((usual, games)) => format!("; am häufigsten {} ({games})", say(usual)),
        };
        let end = if new.is_empty() { "" } else { "." };
        format!("{until}: {games} {called} (+{white} ={draws} -{black}).{new}{usual}{end}")
    }

    /// Writes it into the game, at the new move or the last one.
    pub fn annotate(&self, game: &mut Game, language: Language) {
        let at = if self.new.is_some() { self.plies } else { self.plies.saturating_sub(1) };
        let Some(node) = game.tree.main_nodes().nth(at) else { return };
        let text = self.text(language);
        let comment = game.tree.comment_mut(node);
        if !comment.text().contains(&text) {
            comment.append(&text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pgn::Reader;
    use library::Source;

    fn game(text: &str) -> Game {
        Reader::new(text.as_bytes()).games().next().expect("a game").expect("sound")
    }

    #[test]
    fn a_game_is_known_until_its_first_new_position() {
        let folder = tempfile::tempdir().expect("a folder");
        let masters = folder.path().join("masters");
        let own = "[White \"me\"]\n[Black \"you\"]\n\n1. d4 d5 2. c4 e6 3. h4 1/2-1/2\n\n";
        let pgn = format!(
            "1. c4 d5 2. d4 e6 3. Nc3 1-0\n\n1. d4 d5 2. c4 e6 3. Nc3 1/2-1/2\n\n\
             1. d4 d5 2. c4 e6 3. Nf3 0-1\n\n1. d4 d5 2. c4 c6 *\n\n{own}"
        );
        let source = Source::stream("test".as_ref(), std::io::Cursor::new(pgn.into_bytes()));
        let library = Library::create(&masters).expect("created");
        library.add(vec![source], 1, &|_| true).expect("added");
        let known = Known::open(&masters).expect("open");

        // The game itself is in the library, and doesn't count.
        let mut played = game(own);
        let theory = known.theory(&played).expect("sound").expect("known");
        assert_eq!((theory.plies, theory.games), (4, 3));
        assert_eq!((theory.white, theory.draws, theory.black), (1, 1, 1));
        assert_eq!(
            theory.text(Language::English),
            "Known in masters until 2... e6: 3 other games (+1 =1 -1). 3. h4 is new; most often 3. Nc3 (2)."
        );
        assert_eq!(
            theory.text(Language::German),
            "In masters bekannt bis 2... e6: 3 Partien (+1 =1 -1). 3. h4 ist neu; am häufigsten 3. Sc3 (2)."
        );
        theory.annotate(&mut played, Language::English);
        theory.annotate(&mut played, Language::English);
        assert!(played.to_string().matches("is new").count() == 1, "{played}");

        let short = known.theory(&game("1. d4 d5 2. c4 *")).expect("sound").expect("known");
        assert_eq!((short.plies, &short.new, &short.usual), (3, &None, &None));
        let first = known.theory(&game("1. a3 *")).expect("sound").expect("known");
        assert!(first.text(Language::English).starts_with("Only the start is known"));
        let other = game("[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/k7/7K w - - 0 1\"]\n\n1. Kg1 *");
        assert_eq!(known.theory(&other).expect("sound"), None);
    }
}
