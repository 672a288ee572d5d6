//! Random games for the tests of the data format.

use chess::{Color, Line, Move, Position};
use nnue::data::{BadGame, Decoder, Encoder, Ending, Game, PackedScore, Reader, Writer};
use proptest::prelude::*;

/// Positions that no array is: rights partly gone, en passant, counters, few pieces.
pub const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 7 31",
    "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/5k2/8/8/2K1N3/8/8 w - - 95 800",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2",
];

/// Any start: the standard array, another one, or a position.
fn start() -> impl Strategy<Value = Position> {
    prop_oneof![
        Just(Position::default()),
        (0..960u16).prop_map(|number| Position::chess960(number).expect("below 960")),
        prop::sample::select(&STARTS[..]).prop_map(|fen| fen.parse().expect("a legal FEN")),
    ]
}

fn score() -> impl Strategy<Value = PackedScore> {
    prop_oneof![
        6 => (-200..200).prop_map(PackedScore::cp),
        2 => (-40_000..40_000).prop_map(PackedScore::cp),
        1 => (-1200..1200).prop_map(PackedScore::mate),
    ]
}

/// A game of random moves with random scores, as a file gives them back, and a result that its
/// end allows.
pub fn game(most: usize) -> impl Strategy<Value = Game> {
    let moves = prop::collection::vec(any::<prop::sample::Index>(), 0..most);
    let scores = prop::collection::vec(score(), most);
    (start(), moves, scores, any::<(u8, u8, u8)>()).prop_map(
        |(start, choices, scores, (opening, winner, ending))| {
            let mut line = Line::new(start);
            for choice in choices {
                let moves = line.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                line.play(*choice.get(&moves)).expect("it is a legal move");
            }
            let moves: Vec<Move> = line.moves().collect();
            let opening = usize::from(opening % 12).min(moves.len());
            let scores = scores[..moves.len() - opening].to_vec();
            let winner = [Some(Color::White), None, Some(Color::Black)][usize::from(winner % 3)];
            let endings: &[Ending] = match winner {
                Some(_) => &[Ending::Checkmate, Ending::WinAdjudicated, Ending::Other],
                None => &[Ending::Stalemate, Ending::TooLong, Ending::Tablebase],
            };
            let ending = endings[usize::from(ending) % endings.len()];
            Game::new(line.start().clone(), moves, scores, winner, ending)
                .expect("a sound game")
                .quantised()
        },
    )
}

/// A file whose blocks hold these games.
pub fn file(blocks: &[&[Game]]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).expect("memory doesn't fail");
    for block in blocks {
        for game in *block {
            writer.push(game).expect("memory doesn't fail");
        }
        writer.flush().expect("memory doesn't fail");
    }
    writer.finish().expect("memory doesn't fail")
}

/// The bytes of some games as those of one block.
pub fn encoded(games: &[Game]) -> Vec<u8> {
    let mut encoder = Encoder::default();
    for game in games {
        encoder.push(game);
    }
    encoder.finish()
}

/// The games at the beginning of some bytes, at most so many.
pub fn decoded(bytes: &[u8], most: usize) -> Result<Vec<Game>, BadGame> {
    let mut decoder = Decoder::new(bytes.to_vec());
    (0..most).map(|_| decoder.game()).collect()
}

/// Games that branch from each other, as self-play makes them.
pub fn family(most: usize) -> impl Strategy<Value = Vec<Game>> {
    (game(most), any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(parent, ply, choice)| {
            let mut position = parent.start().clone();
            for &m in &parent.moves()[..ply.index(parent.moves().len() + 1)] {
                position.play_unchecked(m);
            }
            let moves = position.legal_moves();
            let moves = if moves.is_empty() { vec![] } else { vec![*choice.get(&moves)] };
            let child = Game::new(position, moves, vec![], None, Ending::Other);
            vec![parent, child.expect("a sound game")]
        },
    )
}

/// The sound games of a file, and how many damages there are.
pub fn read(bytes: &[u8]) -> (Vec<Game>, usize) {
    let (sound, damaged): (Vec<_>, Vec<_>) =
        Reader::new(bytes).expect("a header").games().partition(Result::is_ok);
    (sound.into_iter().filter_map(Result::ok).collect(), damaged.len())
}

/// The same games on every run, for tests that look at each byte.
pub fn fixed(count: usize) -> Vec<Game> {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    (0..count)
        .map(|_| game(30).new_tree(&mut runner).expect("nothing is rejected").current())
        .collect()
}
