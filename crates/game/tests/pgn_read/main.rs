//! Reading PGN as people and programs write it, and the remarks on what can't be read.

use std::io::Read;

use game::pgn::{PgnError, ReadError, Reader, Remark};
use game::{Annotation, Game, NodeId, Tree};

mod damage;
mod odd;
mod sound;
mod stream;

/// The line and reason of a remark.
type Place = (u64, PgnError);

/// A game with its remarks.
type Found = (Game, Vec<Remark>);

fn read(source: impl Read) -> Vec<Result<Found, Remark>> {
    let mut games = Reader::new(source).games();
    let mut found = Vec::new();
    while let Some(game) = games.next() {
        found.push(match game {
            Ok(game) => Ok((game, games.remarks().to_vec())),
            Err(ReadError::Lost(remark)) => Err(remark),
            Err(ReadError::Io(error)) => panic!("no input error is expected: {error}"),
        });
    }
    found
}

/// The games of a text without errors.
fn games(text: impl AsRef<[u8]>) -> Vec<Game> {
    let text = text.as_ref();
    let sound = |found: Result<Found, Remark>| match found {
        Ok((game, remarks)) if remarks.is_empty() => game,
        other => panic!("{other:#?} in {:?}", String::from_utf8_lossy(text)),
    };
    read(text).into_iter().map(sound).collect()
}

fn one(text: impl AsRef<[u8]>) -> Game {
    let mut games = games(text);
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// The moves of the main line, as we write them.
fn line(game: &Game) -> String {
    let mut position = game.tree.start().clone();
    let mut texts = Vec::new();
    for m in game.line().moves() {
        texts.push(position.san(m).to_string());
        position.play_unchecked(m);
    }
    texts.join(" ")
}

fn lines(text: impl AsRef<[u8]>) -> Vec<String> {
    games(text).iter().map(line).collect()
}

/// The moves of a game with all annotations, as we write them.
fn movetext(game: &Game) -> String {
    let text = game.to_string();
    let (_, moves) = text.split_once("\n\n").expect("a blank line after the tags");
    moves.trim_end().replace('\n', " ")
}

/// The node after a number of plies of the main line.
fn node(game: &Game, ply: usize) -> NodeId {
    if ply == 0 { Tree::ROOT } else { game.tree.main_nodes().nth(ply - 1).expect("a move") }
}

fn said(annotation: Option<&Annotation>) -> &str {
    annotation.map_or("", Annotation::text)
}

/// The comment after a number of plies of the main line.
fn comment(game: &Game, ply: usize) -> &str {
    said(game.tree.comment(node(game, ply)))
}

/// Puts a game between two intact ones, which must be unaffected, and returns what is read of it,
/// with lines counted from its own first one.
fn between(text: &str) -> Result<(Game, Vec<Place>), Place> {
    let before = "[Event \"before\"]\n\n1. e4 {one} e5 1-0\n\n";
    let after = "\n\n[Event \"after\"]\n[Site \"?\"]\n\n1. d4 {two} d5 0-1\n";
    let found = read(format!("{before}{text}{after}").as_bytes());
    let [Ok((first, none)), found, Ok((last, nothing))] = &found[..] else {
        panic!("{text:?}: {found:#?}")
    };
    assert_eq!((first.tags.get("Event"), line(first)), (Some("before"), "e4 e5".into()));
    assert_eq!((last.tags.get("Event"), line(last)), (Some("after"), "d4 d5".into()));
    assert!(none.is_empty() && nothing.is_empty(), "{none:?}, {nothing:?}");
    let place = |remark: &Remark| {
        assert_eq!(remark.game, 2);
        (remark.line - 4, remark.reason.clone())
    };
    found
        .as_ref()
        .map(|(game, remarks)| (game.clone(), remarks.iter().map(place).collect()))
        .map_err(place)
}

/// What is kept of a game between two intact ones, with the remarks.
fn kept(text: &str) -> (Game, Vec<Place>) {
    let (game, remarks) = between(text).unwrap_or_else(|lost| panic!("{text:?}: {lost:?}"));
    // The kept part is a valid game.
    assert_eq!(one(game.to_string()), game, "{text:?}");
    (game, remarks)
}

/// Why a game between two intact ones is rejected, with the line.
fn lost(text: &str) -> Place {
    between(text).expect_err(text)
}
