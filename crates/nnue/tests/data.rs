//! The data format as an outsider sees it: what goes in comes out, and damage is found.

mod games;

use std::io::{self, Read};

use chess::{Color, Line, Position};
use games::{decoded, encoded, family, file, fixed, game, read};
use nnue::data::{
    DataError, Decoder, Ending, Game, HEADER, PackedScore, Quiet, Reader, Sample, Samples, Unsound,
    Writer,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn games_come_back_as_they_were(games in prop::collection::vec(game(120), 0..8)) {
        let bytes = file(&[&games]);
        prop_assert_eq!(read(&bytes), (games.clone(), 0));
        let mut decoder = Decoder::new(encoded(&games));
        for game in &games {
            prop_assert_eq!(&decoder.game(), &Ok(game.clone()));
        }
        prop_assert!(decoder.is_at_end());
    }

    #[test]
    fn branches_come_back_as_they_were(
        families in prop::collection::vec(family(60), 1..4), order in any::<prop::sample::Index>()
    ) {
        let mut games = families.concat();
        prop_assert_eq!(decoded(&encoded(&games), games.len()), Ok(games.clone()));
        // Away from their parents they are stored by the position.
        let by = order.index(games.len());
        games.rotate_left(by);
        prop_assert_eq!(decoded(&encoded(&games), games.len()), Ok(games.clone()));
        games.reverse();
        prop_assert_eq!(read(&file(&[&games])), (games, 0));
    }

    #[test]
    fn a_source_that_trickles_gives_the_same(games in prop::collection::vec(game(60), 1..4)) {
        let bytes = file(&[&games, &games]);
        let trickled: Vec<Game> = Reader::new(Trickle(&bytes))
            .expect("a header")
            .games()
            .collect::<Result<_, _>>()
            .expect("nothing is damaged");
        prop_assert_eq!(trickled, [games.clone(), games].concat());
    }

    #[test]
    fn any_bytes_decode_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut decoder = Decoder::new(bytes);
        let games: Vec<Game> = (0..50).map_while(|_| decoder.game().ok()).collect();
        prop_assert_eq!(decoded(&encoded(&games), games.len()), Ok(games));
    }

    #[test]
    fn a_changed_block_decodes_or_is_refused(
        families in prop::collection::vec(family(60), 1..3),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = encoded(&families.concat());
        let place = place.index(bytes.len());
        bytes[place] = byte;
        let mut decoder = Decoder::new(bytes);
        let games: Vec<Game> = (0..50).map_while(|_| decoder.game().ok()).collect();
        prop_assert_eq!(decoded(&encoded(&games), games.len()), Ok(games));
    }

    #[test]
    fn any_bytes_after_a_header_are_read_or_reported(
        bytes in prop::collection::vec(any::<u8>(), 1..300), games in prop::collection::vec(game(20), 1..3)
    ) {
        let mut data = HEADER.to_vec();
        data.extend(&bytes);
        let (found, damaged) = read(&data);
        prop_assert!(found.is_empty());
        prop_assert_eq!(damaged, 1);
        // What follows the rubbish is found.
        data.extend(&file(&[&games])[HEADER.len()..]);
        prop_assert_eq!(read(&data), (games, 1));
    }

    #[test]
    fn samples_are_the_searched_positions(game in game(80)) {
        let mut line = Line::new(game.start().clone());
        for &m in game.moves() {
            line.play(m).expect("legal");
        }
        let positions: Vec<Position> = line.positions().cloned().collect();
        let samples: Vec<Sample> = game.samples().collect();
        prop_assert_eq!(samples.len(), game.scores().len());
        for (i, sample) in samples.iter().enumerate() {
            let ply = game.opening() + i;
            let first = 2 * (usize::from(game.start().fullmoves()) - 1)
                + usize::from(game.start().turn() == Color::Black);
            prop_assert_eq!(usize::from(sample.ply), first + ply);
            prop_assert_eq!(&sample.position, &positions[ply]);
            prop_assert_eq!(sample.best, game.moves()[ply]);
            prop_assert_eq!(sample.score_for_white(), game.scores()[i]);
            prop_assert_eq!(sample.winner, game.winner());
        }
        let bytes = file(&[std::slice::from_ref(&game)]);
        let streamed: Vec<Sample> = Samples::new(Reader::new(&bytes[..]).expect("a header"))
            .collect::<Result<_, _>>()
            .expect("nothing is damaged");
        prop_assert_eq!(streamed, samples);
    }
}

/// A source that gives a byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1);
        self.0.read(&mut buffer[..len])
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let games = fixed(9);
    let blocks = [&games[..3], &games[3..6], &games[6..]];
    let bytes = file(&blocks);
    for bit in HEADER.len() * 8..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let (found, damaged) = read(&flipped);
        assert_eq!(damaged, 1, "bit {bit}");
        // One block is lost, the others are whole.
        let expected = (0..3).map(|lost| {
            let kept = (0..3).filter(|&block| block != lost);
            kept.flat_map(|block| blocks[block].to_vec()).collect::<Vec<Game>>()
        });
        assert!(expected.into_iter().any(|kept| kept == found), "bit {bit}");
    }
}

#[test]
fn a_torn_tail_is_reported_and_the_rest_is_read() {
    let games = fixed(4);
    let bytes = file(&[&games[..2], &games[2..]]);
    let first = file(&[&games[..2]]).len();
    for len in first + 1..bytes.len() {
        let mut found = Vec::new();
        for game in Reader::new(&bytes[..len]).expect("a header").games() {
            match game {
                Ok(game) => found.push(game),
                Err(DataError::Damaged(damage)) => {
                    assert!(damage.unfinished, "{len}");
                    assert_eq!((damage.offset, damage.len), (first as u64, (len - first) as u64));
                }
                Err(error) => panic!("{len}: {error}"),
            }
        }
        assert_eq!(found, games[..2], "{len}");
    }
}

#[test]
fn a_file_cut_anywhere_is_continued_with_all_whole_blocks() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("cut.rdata");
    let games = fixed(7);
    let blocks = [&games[..2], &games[2..3], &games[3..6]];
    let ends: Vec<usize> = (0..=3).map(|count| file(&blocks[..count]).len()).collect();
    let bytes = file(&blocks);
    for len in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..len]).expect("a file is written");
        let whole = ends.iter().filter(|&&end| end <= len).count().saturating_sub(1);
        let kept = blocks[..whole].concat();

        let (mut writer, resumed) = Writer::append(&path).expect("the file is continued");
        assert_eq!(resumed.games, kept.len() as u64, "{len}");
        let positions: usize = kept.iter().map(|game| game.scores().len()).sum();
        assert_eq!(resumed.positions, positions as u64, "{len}");
        let cut = if len < HEADER.len() { len } else { len - ends[whole] };
        assert_eq!((resumed.cut, resumed.damaged), (cut as u64, 0), "{len}");
        writer.push(&games[6]).expect("a game is added");
        drop(writer.finish().expect("it is written"));

        let found = read(&std::fs::read(&path).expect("the file is there"));
        assert_eq!(found, ([kept, games[6..].to_vec()].concat(), 0), "{len}");
    }
}

#[test]
fn damage_in_the_middle_does_not_stop_continuing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("damaged.rdata");
    let games = fixed(6);
    let mut bytes = file(&[&games[..2], &games[2..4], &games[4..]]);
    bytes[HEADER.len() + 30] ^= 4;
    std::fs::write(&path, &bytes).expect("a file is written");
    let (writer, resumed) = Writer::append(&path).expect("the file is continued");
    drop(writer);
    let lost = (file(&[&games[..2]]).len() - HEADER.len()) as u64;
    assert_eq!((resumed.games, resumed.cut, resumed.damaged), (4, 0, lost));
    assert_eq!(std::fs::read(&path).expect("the file is there"), bytes);
}

/// A writer that is killed leaves a part of a block, never a whole one with a wrong byte.
#[test]
fn a_damaged_last_block_is_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("damaged.rdata");
    let games = fixed(5);
    let first = file(&[&games[..2]]).len();
    let bytes = file(&[&games[..2], &games[2..4]]);
    for at in first..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        std::fs::write(&path, &damaged).expect("a file is written");
        let (mut writer, resumed) = Writer::append(&path).expect("the file is continued");
        let lost = (bytes.len() - first) as u64;
        assert_eq!((resumed.games, resumed.cut, resumed.damaged), (2, 0, lost), "{at}");
        assert_eq!(resumed.bytes, bytes.len() as u64, "{at}");
        writer.push(&games[4]).expect("a game is added");
        drop(writer.finish().expect("it is written"));

        let continued = std::fs::read(&path).expect("the file is there");
        assert_eq!(continued[..damaged.len()], damaged, "{at}");
        assert_eq!(read(&continued), ([&games[..2], &games[4..]].concat(), 1), "{at}");
    }
}

#[test]
fn only_the_unfinished_block_after_damage_is_cut_off() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("damaged.rdata");
    let games = fixed(6);
    let [first, second] = [2, 4].map(|count| file(&[&games[..2], &games[2..count]]).len());
    let mut bytes = file(&[&games[..2], &games[2..4], &games[4..]]);
    bytes[first + 40] ^= 2;
    // With fewer bytes nothing tells the beginning of a block from the end of the damage.
    for len in second + 4..bytes.len() {
        std::fs::write(&path, &bytes[..len]).expect("a file is written");
        let told: Vec<_> = Reader::new(&bytes[..len])
            .expect("a header")
            .games()
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        let damaged = format!("byte {first}: {} damaged bytes skipped", second - first);
        let unfinished =
            format!("byte {second}: the last {} bytes are an unfinished block", len - second);
        assert_eq!(told, [damaged, unfinished], "{len}");

        let (writer, resumed) = Writer::append(&path).expect("the file is continued");
        drop(writer);
        let found = (resumed.damaged, resumed.cut);
        assert_eq!(found, ((second - first) as u64, (len - second) as u64), "{len}");
        assert_eq!(std::fs::read(&path).expect("the file is there"), bytes[..second], "{len}");
    }
}

#[test]
fn two_writers_do_not_share_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shared.rdata");
    let (first, _) = Writer::append(&path).expect("a new file");
    assert!(matches!(Writer::append(&path), Err(DataError::InUse)));
    drop(first);
    assert!(Writer::append(&path).is_ok());
    assert!(matches!(Writer::create(&path), Err(DataError::Io(_))), "it exists");
}

#[test]
fn foreign_files_are_named_and_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("foreign");
    let version = |number| {
        let mut header = HEADER;
        header[8] = number;
        header
    };
    let (old, newer) = (version(1), version(3));
    let mut odd = HEADER;
    odd[15] = 1;
    let cases: [(&[u8], &str); 6] = [
        (b"[Event \"?\"]\n[Site \"?\"]\n", "not a Riga training data file"),
        (b"RIGAD!", "not a Riga training data file"),
        (&odd, "not a Riga training data file"),
        (
            &old,
            "training data of the old version 1, which can't be read any more; play new games with \
             `riga lab datagen`, which writes version 2",
        ),
        (
            &newer,
            "training data of version 3, but this program reads version 2; a newer one is needed",
        ),
        (&HEADER[..9], "the file is empty"),
    ];
    for (bytes, message) in cases {
        let error = Reader::new(bytes).expect_err("it is no data").to_string();
        assert_eq!(error, message);
        std::fs::write(&path, bytes).expect("a file is written");
        if bytes != &HEADER[..9] {
            assert!(Writer::append(&path).is_err());
            assert_eq!(std::fs::read(&path).expect("the file is there"), bytes);
        }
    }
}

#[test]
fn parts_that_make_no_game_are_refused() {
    let start = Position::default();
    let e4 = start.parse_san("e4").expect("legal");
    let even = PackedScore::cp(0);
    let new = |moves: &[_], scores: &[_], winner, ending| {
        Game::new(start.clone(), moves.to_vec(), scores.to_vec(), winner, ending).map(drop)
    };
    assert_eq!(new(&[e4], &[even], None, Ending::Other), Ok(()));
    let twice = new(&[e4, e4], &[], None, Ending::Other);
    assert_eq!(twice, Err(Unsound::IllegalMove(2)));
    let many = new(&[e4], &[even, even], None, Ending::Other);
    assert_eq!(many, Err(Unsound::Scores { moves: 1, scores: 2 }));
    let mate = new(&[e4], &[even], None, Ending::Checkmate);
    assert_eq!(mate, Err(Unsound::Result(Ending::Checkmate)));
    let stalemate = new(&[e4], &[even], Some(Color::White), Ending::Stalemate);
    assert_eq!(stalemate, Err(Unsound::Result(Ending::Stalemate)));
    assert_eq!(new(&vec![e4; 65_536], &[], None, Ending::Other), Err(Unsound::TooLong));
}

#[test]
fn a_block_that_ends_too_early_is_refused() {
    let games = fixed(6);
    let bytes = encoded(&games);
    for len in 0..bytes.len() {
        let found = decoded(&bytes[..len], games.len());
        assert!(found.is_err(), "{len}");
    }
    let mut decoder = Decoder::new([&bytes[..], &[0]].concat());
    assert!((0..6).all(|i| decoder.game() == Ok(games[i].clone())));
    assert!(!decoder.is_at_end(), "a byte is left");
}

#[test]
fn a_few_bytes_cannot_keep_a_reader_busy() {
    // Empty games cost nearly nothing once they are expected.
    let empty = Game::new(Position::default(), vec![], vec![], None, Ending::Other);
    let empty = empty.expect("a sound game");
    let games = vec![empty; 100_000];
    let bytes = encoded(&games);
    assert!(bytes.len() < 2000, "{}", bytes.len());
    assert_eq!(decoded(&bytes, games.len()).map(|games| games.len()), Ok(100_000));
    let mut decoder = Decoder::new(vec![0xFF; 1 << 20]);
    assert!((0..2 << 20).any(|_| decoder.game().is_err()), "it must end");
}

/// Bytes that were written by the first program that had this version. A change of move
/// generation, weights or arithmetic that makes old files unreadable shows here.
#[test]
fn old_files_stay_readable() {
    let bytes: &[u8] = include_bytes!("games/version-2.rdata");
    let (games, damaged) = read(bytes);
    assert_eq!((games.len(), damaged), (13, 0));
    let sum = |sum: u64, value: u64| (sum ^ value).wrapping_mul(0x0100_0000_01B3);
    let all = games.iter().fold(0, |all, game| {
        let moves = game.moves().iter().map(|m| u64::from(m.to_bits()));
        let scores = game.scores().iter().map(|score| u64::from(score.value().cast_unsigned()));
        moves.chain(scores).fold(sum(all, game.start().key()), sum)
    });
    assert_eq!(all, 12_579_606_054_747_316_985);
    assert_eq!(bytes, file(&[&games[..9], &games[9..11], &games[11..]]));
}

#[test]
fn only_quiet_positions_pass_the_filter() {
    let sample = |fen: &str, best: &str, cp, ply| {
        let position: Position = fen.parse().expect("a legal FEN");
        let best = position.parse_san(best).expect("a legal move");
        Sample { position, best, score: PackedScore::cp(cp), winner: None, ply }
    };
    let quiet = Quiet { first_ply: 10, highest_score: 500 };
    let open = "r3k2r/pPp5/8/3pP3/8/8/P1P5/R3K2R w KQkq d6 0 9";
    for (best, cp, ply, accepted) in [
        ("Kf2", 0, 10, true),
        ("Kf2", 500, 10, true),
        ("Kf2", -500, 99, true),
        ("Kf2", 501, 10, false),
        ("Kf2", -501, 10, false),
        ("Kf2", 0, 9, false),
        ("O-O", 0, 10, true),
        ("O-O-O", 0, 10, true),
        ("exd6", 0, 10, false),
        ("bxa8=Q", 0, 10, false),
        ("b8=N", 0, 10, false),
        ("Rxh8+", 0, 10, false),
        ("e6", 0, 10, true),
    ] {
        let sample = sample(open, best, cp, ply);
        assert_eq!(quiet.accepts(&sample), accepted, "{best} {cp} {ply}");
    }
    let checked = sample("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "Kd1", 0, 50);
    assert!(!quiet.accepts(&checked));
    let mut mate = sample(open, "Kf2", 0, 50);
    mate.score = PackedScore::mate(-4);
    assert!(!Quiet { highest_score: 30_000, ..quiet }.accepts(&mate));
}

#[test]
fn long_files_are_cut_into_blocks_of_bounded_size() {
    let games = fixed(40);
    let many: Vec<Game> = games.iter().cycle().take(12_000).cloned().collect();
    let bytes = file(&[&many]);
    let mut reader = Reader::new(&bytes[..]).expect("a header");
    let (mut blocks, mut counted) = (0, 0);
    while let Some(block) = reader.block().expect("nothing is damaged") {
        assert!(block.bytes.len() < 132_000, "{}", block.bytes.len());
        blocks += 1;
        counted += block.games;
    }
    assert!(blocks > 2, "{blocks}");
    assert_eq!(counted, 12_000);
    assert_eq!(reader.offset(), bytes.len() as u64);
    assert_eq!(read(&bytes), (many, 0));
}

#[test]
fn a_branch_costs_less_than_a_position() {
    let parent = fixed(200).into_iter().max_by_key(|game| game.moves().len()).expect("some");
    let mut position = parent.start().clone();
    for &m in &parent.moves()[..20] {
        position.play_unchecked(m);
    }
    let child = Game::new(position, vec![], vec![], None, Ending::Other).expect("a sound game");
    let alone = encoded(std::slice::from_ref(&child)).len();
    let both = encoded(&[parent.clone(), child]).len();
    assert!(both - encoded(&[parent]).len() + 15 < alone);
}
