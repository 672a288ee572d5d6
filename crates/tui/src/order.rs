//! What a player can type: a move, or an order such as `undo`. The screen and plain mode take the
//! same words.

use std::path::PathBuf;

/// A line that a player has typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// A move, in SAN or UCI notation, not yet checked.
    Move(String),
    /// A word without an argument.
    Do(Deed),
    /// Write the game to a PGN file.
    Save(PathBuf),
    /// Show a game of a PGN file: the first, or the one with this number.
    Load(PathBuf, usize),
    /// A word that needs an argument, without one.
    Needs(&'static str),
}

/// What a word asks for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Take the last move back.
    TakeBack,
    /// Turn the board.
    Flip,
    /// Suggest a move.
    Hint,
    /// Offer a draw, or accept one.
    Draw,
    /// Accept the other side's offer.
    Accept,
    /// Claim a draw by repetition or the fifty-move rule.
    Claim,
    /// Decline an offer, or withdraw it.
    Decline,
    /// Resign.
    Resign,
    /// Abort the game.
    Abort,
    /// Play again with sides swapped.
    Rematch,
    /// Start a new game.
    New,
    /// Show the board.
    Board,
    /// List the legal moves.
    Moves,
    /// Show the position as FEN.
    Fen,
    /// Show the game as PGN.
    Pgn,
    /// Show or hide the engine's lines.
    Analyse,
    /// Review the game.
    Review,
    /// Show the move before.
    Back,
    /// Show the next move.
    Next,
    /// Show the start of the game.
    First,
    /// Show the end of the game.
    Last,
    /// Change the colors of the board.
    Theme,
    /// Show what can be typed.
    Help,
    /// Leave.
    Quit,
}

/// A word, its other spellings and its explanation.
pub(crate) struct Word {
    pub name: &'static str,
    pub also: &'static [&'static str],
    pub deed: Deed,
    pub help: &'static str,
}

const fn word(
    name: &'static str,
    also: &'static [&'static str],
    deed: Deed,
    help: &'static str,
) -> Word {
    Word { name, also, deed, help }
}

/// All words without an argument.
pub(crate) const WORDS: [Word; 24] = [
    word("undo", &["takeback", "u"], Deed::TakeBack, "take your last move back"),
    word("hint", &[], Deed::Hint, "suggest a move"),
    word("flip", &[], Deed::Flip, "turn the board"),
    word("draw", &[], Deed::Draw, "offer a draw, or accept one"),
    word("accept", &[], Deed::Accept, "accept an offer"),
    word("claim", &[], Deed::Claim, "claim a draw by repetition or the fifty-move rule"),
    word("decline", &[], Deed::Decline, "decline an offer, or withdraw yours"),
    word("resign", &[], Deed::Resign, "resign"),
    word("abort", &[], Deed::Abort, "end the game before both sides have moved"),
    word("rematch", &[], Deed::Rematch, "play again with sides swapped"),
    word("new", &["reset", "restart"], Deed::New, "start a new game"),
    word("board", &["show"], Deed::Board, "show the board"),
    word("moves", &["legal"], Deed::Moves, "list the legal moves"),
    word("fen", &[], Deed::Fen, "show the position as FEN"),
    word("pgn", &[], Deed::Pgn, "show the game as PGN"),
    word("lines", &["analyse", "analyze", "eval"], Deed::Analyse, "show the engine's lines"),
    word("review", &[], Deed::Review, "review the finished game"),
    word("back", &["previous"], Deed::Back, "show the move before"),
    word("next", &["forward"], Deed::Next, "show the next move"),
    word("start", &["first"], Deed::First, "show the start of the game"),
    word("end", &["last"], Deed::Last, "show the end of the game"),
    word("theme", &["colors", "colours"], Deed::Theme, "change the colors of the board"),
    word("help", &["?", "commands"], Deed::Help, "show this list"),
    word("quit", &["exit", "q", "bye"], Deed::Quit, "leave"),
];

/// The words with an argument, and their explanations.
pub(crate) const WITH_FILE: [(&str, &str, &str); 2] = [
    ("save", "save FILE", "write the game to a PGN file"),
    ("load", "load FILE [N]", "show a game of a PGN file"),
];

impl Order {
    /// Reads a line; nothing if it is empty. What is no order is taken for a move.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (lower, rest) = (first.to_lowercase(), rest.trim());
        if first.is_empty() {
            return None;
        }
        Some(match lower.as_str() {
            "save" if rest.is_empty() => Self::Needs("save needs a file: save game.pgn"),
            "load" | "open" if rest.is_empty() => Self::Needs("load needs a file: load game.pgn"),
            "save" => Self::Save(PathBuf::from(rest)),
            "load" | "open" => load(rest),
            _ => match deed(&lower).filter(|_| rest.is_empty()) {
                Some(deed) => Self::Do(deed),
                None => Self::Move(line.to_owned()),
            },
        })
    }
}

fn deed(lower: &str) -> Option<Deed> {
    let known = |word: &&Word| word.name == lower || word.also.contains(&lower);
    WORDS.iter().find(known).map(|word| word.deed)
}

/// A file and the number of a game in it.
fn load(rest: &str) -> Order {
    let counted = rest.rsplit_once(char::is_whitespace).and_then(|(file, number)| {
        let number = number.parse().ok().filter(|&number| number > 0)?;
        Some((file.trim(), number))
    });
    let (file, number) = counted.unwrap_or((rest, 1));
    Order::Load(PathBuf::from(file), number)
}

/// The words that begin with a text, for completion.
pub(crate) fn words_from(text: &str) -> impl Iterator<Item = &'static str> {
    let lower = text.to_lowercase();
    let words = WORDS.iter().map(|word| word.name).chain(WITH_FILE.map(|(name, ..)| name));
    words.filter(move |name| name.starts_with(&lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_orders_and_the_rest_are_moves() {
        let done = |deed| Some(Order::Do(deed));
        assert_eq!(Order::parse(" UNDO "), done(Deed::TakeBack));
        assert_eq!(Order::parse("q"), done(Deed::Quit));
        assert_eq!(Order::parse("?"), done(Deed::Help));
        for text in ["e2e4", "Nf3", "O-O", "undo everything", "x"] {
            assert_eq!(Order::parse(text), Some(Order::Move(text.to_owned())));
        }
        assert_eq!(Order::parse("  "), None);
    }

    #[test]
    fn files_may_have_spaces_and_a_number_may_follow() {
        let load = |name: &str, number| Some(Order::Load(PathBuf::from(name), number));
        assert_eq!(Order::parse("load my games.pgn"), load("my games.pgn", 1));
        assert_eq!(Order::parse("open my games.pgn 12"), load("my games.pgn", 12));
        assert_eq!(Order::parse("load x 0"), load("x 0", 1));
        assert_eq!(Order::parse("save a.pgn"), Some(Order::Save(PathBuf::from("a.pgn"))));
        assert!(matches!(Order::parse("save"), Some(Order::Needs(_))));
    }

    #[test]
    fn no_word_is_spelled_like_another_or_like_a_move() {
        let mut all: Vec<&str> = WORDS.iter().flat_map(|word| word.also.iter().copied()).collect();
        all.extend(WORDS.iter().map(|word| word.name));
        all.extend(WITH_FILE.map(|(name, ..)| name));
        for word in &all {
            assert!(word.parse::<chess::San>().is_err(), "{word}");
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
