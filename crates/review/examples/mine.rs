//! Candidates for the corpus of claims: reviews games and prints marked moves, to be looked at one by
//! one, in the format of `tests/corpus`.
//!
//! `cargo run --release -p riga-review --example mine -- FILE.pgn [NODES] [THREADS]`, by default with
//! 8,000 nodes and two threads. Every line begins with the file it is for. `+` is a claim that was
//! made, `-` a move after which the motif is on the board without the claim. Moves of a game that
//! follow each other closely are left out.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use chess::{Bitboard, Line, Move, Position, Role, Square, between, officer_attacks, pawn_attacks};
use engine::{Engine, MatePlies, OpeningBook, Options, Score};
use game::Game;
use game::pgn::Reader;
use review::{Effort, Evidence, Motif, Plan, Whose, evidence};

/// Plies between two candidates of the same kind in a game.
const APART: u16 = 8;
/// The claims of the corpus.
const MOTIFS: [Motif; 11] = [
    Motif::Mate,
    Motif::Hanging,
    Motif::Exchange,
    Motif::Fork,
    Motif::Skewer,
    Motif::Discovered,
    Motif::Trapped,
    Motif::Pin,
    Motif::PassedPawn,
    Motif::Material,
    Motif::EngineMaterial,
];

/// A move in a line and the positions around it.
struct Step {
    before: Position,
    m: Move,
    after: Position,
}

impl Step {
    fn along(start: &Position, moves: &[Move]) -> Vec<Self> {
        let mut before = start.clone();
        let step = |&m: &Move| {
            let after = before.after(m);
            Self { before: std::mem::replace(&mut before, after.clone()), m, after }
        };
        moves.iter().map(step).collect()
    }

    /// What a piece attacks among the officers and the king of the side to move.
    fn attacked(&self, from: Square) -> Bitboard {
        let them = self.after.turn();
        let men = self.after.color(them) & !self.after.pieces(Role::Pawn.of(them));
        self.after.piece_on(from).map_or(Bitboard::EMPTY, |piece| match piece.role() {
            Role::Pawn => pawn_attacks(piece.color(), from) & men,
            role => officer_attacks(role, from, self.after.occupied()) & men,
        })
    }

    /// Whether a man that is attacked by the piece that moved stands before another one.
    fn lines_up(&self) -> bool {
        let slider = self.m.to();
        let rest = |front: Square| self.after.occupied() & !Bitboard::of(front);
        self.after.piece_on(slider).is_some_and(|piece| {
            let behind = |front: Square| {
                let reach = officer_attacks(piece.role(), slider, rest(front));
                let them = reach & self.after.color(self.after.turn());
                them.into_iter().any(|rear| between(slider, rear).has(front))
            };
            piece.role() != Role::Pawn && self.attacked(slider).into_iter().any(behind)
        })
    }

    /// Whether the move opens the ray of a piece behind it towards an officer or the king.
    fn opens(&self) -> bool {
        let own = self.after.color(!self.after.turn()) & !Bitboard::of(self.m.to());
        let opened = |slider: Square| {
            let targets = self.attacked(slider);
            targets.into_iter().any(|target| between(slider, target).has(self.m.from()))
        };
        own.into_iter().any(opened)
    }

    /// Whether an officer is attacked that can go nowhere or to one square only.
    fn corners(&self) -> bool {
        let moves = self.after.legal_moves();
        let targets = self.attacked(self.m.to()).into_iter().filter(|&square| {
            self.after.piece_on(square).is_some_and(|piece| piece.role() != Role::King)
        });
        let few = |square: Square| moves.iter().filter(|m| m.from() == square).count() <= 1;
        targets.into_iter().any(few)
    }

    /// Whether a pawn goes to its last three ranks.
    fn runs(&self) -> bool {
        let rank = self.m.to().rank().index();
        let far = if self.before.turn() == chess::Color::White { rank >= 5 } else { rank <= 2 };
        let pawn = self.before.piece_on(self.m.from()).map(chess::Piece::role) == Some(Role::Pawn);
        pawn && far
    }
}

/// Whether a motif is on the board, whatever comes of it: in one of the first two moves of the side
/// that begins, or at the end of the line for claims about material.
fn is_on_board(motif: Motif, steps: &[Step]) -> bool {
    let own = || steps.iter().step_by(2).take(2);
    match motif {
        Motif::Hanging | Motif::Exchange => {
            steps.first().is_some_and(|step| step.before.is_capture(step.m))
        }
        Motif::Mate => own().any(|step| step.after.is_check()),
        Motif::Fork => own().any(|step| step.attacked(step.m.to()).many()),
        Motif::Skewer => own().any(Step::lines_up),
        Motif::Discovered => own().any(Step::opens),
        Motif::Trapped => own().any(Step::corners),
        Motif::Pin => own().any(|step| step.after.pinned().any()),
        Motif::PassedPawn => steps.iter().step_by(2).any(Step::runs),
        _ => gain(steps) >= 1,
    }
}

/// Pawns that the side that begins a line wins in it.
fn gain(steps: &[Step]) -> i32 {
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return 0 };
    let us = first.before.turn();
    let worth =
        [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let balance = |position: &Position| -> i32 {
        let count = |role: Role, color| position.pieces(role.of(color)).count() as i32;
        worth.iter().map(|&(role, pawns)| pawns * (count(role, us) - count(role, !us))).sum()
    };
    balance(&last.after) - balance(&first.before)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: usize| {
        words.get(index).map_or(default, |word| word.parse().expect("a number"))
    };
    let text = std::fs::read(words.first().expect("a PGN file")).expect("a readable file");
    let games: Vec<Game> = Reader::new(&text[..]).games().flatten().collect();
    let next = AtomicUsize::new(0);
    let effort = Effort::Nodes(number(1, 8_000) as u64);
    let plan = Plan { effort, second_search: false, puzzles: false, ..Plan::default() };
    let work = || {
        let options = Options { book: OpeningBook::None, ..Options::default() };
        let mut engine = Engine::new(options);
        while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            print(game, &evidence(game, &mut engine, &plan).expect("a review"));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..number(2, 2) {
            engine::search_thread("review").spawn_scoped(scope, work).expect("a thread");
        }
    });
}

/// Prints the candidates of a game.
fn print(game: &Game, all: &[Evidence]) {
    let name = |tag: &str| game.tags.get(tag).unwrap_or("?").to_owned();
    let players = format!("{} - {}", name("White"), name("Black"));
    // The ply from which the next candidate of a kind is taken.
    let mut next: BTreeMap<(Motif, bool), u16> = BTreeMap::new();
    for one in all {
        let claims = one.claims();
        let ply = 2 * one.root.fullmoves() + u16::from(one.root.turn() == chess::Color::Black);
        let after = one.played.first().map(|&m| one.root.after(m));
        let allowed = after.map(|after| Step::along(&after, &one.played[1..])).unwrap_or_default();
        let missed = Step::along(&one.root, &one.better);
        for motif in MOTIFS {
            let claim = claims.iter().find(|claim| claim.motif == motif);
            let there = [&allowed, &missed].into_iter().any(|steps| is_on_board(motif, steps));
            if claim.is_none() && !there {
                continue;
            }
            let due = next.entry((motif, claim.is_some())).or_default();
            if ply >= *due {
                *due = ply + APART;
                println!("{motif}.txt:{}; {players}", entry(one, claim.map(|claim| claim.whose)));
            }
        }
    }
}

/// A line of the corpus, without the game.
fn entry(one: &Evidence, whose: Option<Whose>) -> String {
    let sign = whose.map_or("-".to_owned(), |whose| format!("+ {whose}"));
    let line = |moves: &[Move]| {
        let mut line = Line::new(one.root.clone());
        let san = |&m: &Move| {
            let san = line.position().san(m).to_string();
            line.play(m).expect("a legal line");
            san
        };
        moves.iter().map(san).collect::<Vec<_>>().join(" ")
    };
    let [best, played] = [one.best_score, one.played_score].map(|score| match score {
        Score::Cp(centipawns) => centipawns.to_string(),
        Score::Mate(MatePlies(plies)) => format!("#{plies}"),
    });
    let (root, line_played, better) = (&one.root, line(&one.played), line(&one.better));
    format!("{sign}; {root}; {best}; {played}; {line_played}; {better}")
}
