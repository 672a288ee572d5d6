//! PGN parsing speed relative to pgn-reader with shakmaty in the same run.
//!
//! Both parse the tags and play every move of the main lines of the same text. `PGN=file` names a
//! file to repeat; without it, random games are used.

use std::fmt::Write;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use chess::{Move, Position};
use game::pgn::{Reader, Visitor};
use pgn_reader::{Nag, RawTag, SanPlus, Skip};
use shakmaty::{Chess, Position as _};

/// The text is repeated to this size.
const SIZE: usize = 100_000_000;

fn main() {
    let sample = match std::env::var_os("PGN").filter(|path| !path.is_empty()) {
        Some(path) => std::fs::read(path).expect("a file named by PGN"),
        None => random_games(400).into_bytes(),
    };
    let text = sample.repeat(SIZE / sample.len());
    let mut best = [Duration::MAX; 2];
    let mut counts = [(0, 0); 2];
    for _ in 0..3 {
        for (i, read) in [riga, peer].into_iter().enumerate() {
            let start = Instant::now();
            counts[i] = read(black_box(&text));
            best[i] = best[i].min(start.elapsed());
        }
    }
    assert_eq!(counts[0], counts[1], "both must see the same games and moves");
    let speed = best.map(|time| text.len() as f64 / time.as_secs_f64() / 1e6);
    let (games, moves) = counts[0];
    println!("PGN, {} MB, {games} games, {moves} moves: MB a second", text.len() / 1_000_000);
    println!(
        "riga {:.0}, pgn-reader + shakmaty {:.0}, ratio {:.2}x",
        speed[0],
        speed[1],
        speed[0] / speed[1]
    );
}

/// Games and moves seen, with a checksum of tags and positions so that nothing is optimised away.
#[derive(Default)]
struct Tally {
    depth: usize,
    moves: u64,
    tags: usize,
}

impl Visitor for Tally {
    fn tag(&mut self, name: &str, value: &str) {
        self.tags += name.len() + value.len();
    }

    fn play(&mut self, _: &Position, m: Move) {
        if self.depth == 0 {
            self.moves += 1;
            black_box(m);
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }
}

fn riga(text: &[u8]) -> (u64, u64) {
    let mut reader = Reader::new(text);
    let mut tally = Tally::default();
    while reader.read(&mut tally).expect("games without damage") {}
    black_box(tally.tags);
    (reader.count(), tally.moves)
}

#[derive(Default)]
struct Peer {
    games: u64,
    moves: u64,
    tags: usize,
}

impl pgn_reader::Visitor for Peer {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        self.tags += name.len() + value.decode_utf8_lossy().len();
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::new())
    }

    fn san(&mut self, position: &mut Chess, san_plus: SanPlus) -> ControlFlow<()> {
        let m = san_plus.san.to_move(position).expect("a legal move");
        position.play_unchecked(m);
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, _: &mut Chess, _: Nag) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, position: Chess) {
        black_box(position);
        self.games += 1;
    }
}

fn peer(text: &[u8]) -> (u64, u64) {
    let mut reader = pgn_reader::Reader::new(text);
    let mut peer = Peer::default();
    while reader.read_game(&mut peer).expect("no input error").is_some() {}
    black_box(peer.tags);
    (peer.games, peer.moves)
}

/// Games with tags and a clock comment after each move; the moves come from a seeded generator.
fn random_games(count: u64) -> String {
    let mut text = String::new();
    let mut random = 0x5EED_u64;
    for number in 0..count {
        writeln!(
            text,
            "[Event \"Random game\"]\n[Round \"{number}\"]\n[White \"a\"]\n[Black \"b\"]\n"
        )
        .expect("a string takes any text");
        let mut position = Position::default();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = moves[(random >> 33) as usize % moves.len()];
            let number = position.fullmoves();
            write!(text, "{number}. {} {{ [%clk 0:03:00] }} ", position.san(m))
                .expect("a string takes any text");
            position.play_unchecked(m);
        }
        text.push_str("*\n\n");
    }
    text
}
