//! Test games share positions as real games do.

use library::sample::Sample;
use library::{Library, Shape, Source};

/// 949,000 real games: moves a game, share of distinct positions, positions a game of its own and in common with others,
/// and the ranges that these fall into.
const REAL: [f64; 5] = [84.0, 0.76, 62.0, 22.0, 5.8];

/// The size of the real collection, and of the usual test. More games share more positions, so that the figures depend
/// on their number.
const MANY: u64 = 949_000;
const FEW: u64 = 20_000;

/// What 20,000 test games have, measured once: a change of the generator must be on purpose.
const EXPECTED: [f64; 5] = [84.1, 0.82, 68.1, 16.9, 3.1];

fn shape(games: u64) -> Shape {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).expect("a file"));
    Sample::new(1, games).write(0..games, &mut file).expect("written");
    drop(file);
    let library = Library::create(&folder.path().join("library")).expect("created");
    let source = Source::open(&path).expect("a file");
    library.add(vec![source], 2, &|_| true).expect("added");
    library.shape().expect("sound")
}

#[test]
fn test_games_have_the_shape_of_real_ones() {
    let games =
        std::env::var("RIGA_LIBRARY_GAMES").map_or(FEW, |text| text.parse().expect("a number"));
    let found = shape(games);
    println!("{found:?}");
    assert_eq!(found.games, games);
    let Shape { plies, distinct, alone, in_common, ranges, .. } = found;
    let figures = [plies, distinct, alone, in_common, ranges];
    let wanted = match games {
        FEW => EXPECTED,
        MANY => REAL,
        _ => return assert!((plies / REAL[0] - 1.0).abs() < 0.1),
    };
    for (found, wanted) in figures.into_iter().zip(wanted) {
        assert!((found / wanted - 1.0).abs() <= 0.1, "{found} instead of {wanted}");
    }
}
