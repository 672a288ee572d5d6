//! The settings of a session, as UCI defines them, and what they mean for the engine.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use chess::{CastlingMode, Line, Move};
use engine::eval::Weights;
use engine::{Elo, Evaluation, Idea, Limits, OpeningBook, Options, Question, Strength, Thinking};

/// Everything that `setoption` or a configuration file can set. UCI options are independent of each
/// other: a file name is kept while it isn't used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a check option of the protocol")]
pub struct Settings {
    /// `Hash`, in mebibytes.
    pub hash: usize,
    /// `Threads`.
    pub threads: usize,
    /// `MultiPV`: number of lines to search and report.
    pub multi_pv: usize,
    /// `Ponder`: tells the engine that the GUI will use `go ponder`, which works in any case.
    pub ponder: bool,
    /// `Move Overhead`, in milliseconds.
    pub move_overhead: u64,
    /// `nodestime`, in nodes per millisecond; 0 for none.
    pub node_time: u64,
    /// `Minimum Depth`.
    pub minimum_depth: u32,
    /// `Maximum Depth`; 0 for none.
    pub maximum_depth: u32,
    /// `OwnBook`: play book moves.
    pub own_book: bool,
    /// `BookFile`; the embedded book if there is none.
    pub book_file: Option<PathBuf>,
    /// `SyzygyPath`.
    pub syzygy_path: Vec<PathBuf>,
    /// `Evaluation`: use the hand-written evaluation instead of a network.
    pub by_hand: bool,
    /// `EvalFile`; the embedded network if there is none.
    pub net_file: Option<PathBuf>,
    /// `UCI_Chess960`: write castling as king takes rook in every game, not only where it is
    /// needed.
    pub chess960: bool,
    /// `UCI_LimitStrength`: limit the strength to `UCI_Elo`.
    pub limit_strength: bool,
    /// `UCI_Elo`.
    pub elo: Elo,
    /// `UCI_ShowWDL`: report win, draw and loss probabilities with each score.
    pub show_wdl: bool,
    /// Other weights of the hand-written evaluation, from a configuration file.
    pub weights: Option<Arc<Weights>>,
    /// Ideas that the search goes without, from a configuration file.
    pub switched_off: Vec<Idea>,
}

impl Default for Settings {
    fn default() -> Self {
        let Options { hash, threads, move_overhead, node_time, minimum_depth, .. } =
            Options::default();
        Self {
            hash,
            threads,
            multi_pv: 1,
            ponder: false,
            move_overhead,
            node_time,
            minimum_depth,
            maximum_depth: 0,
            own_book: false,
            book_file: None,
            syzygy_path: Vec::new(),
            by_hand: false,
            net_file: None,
            chess960: false,
            limit_strength: false,
            elo: Elo::default(),
            show_wdl: false,
            weights: None,
            switched_off: Vec::new(),
        }
    }
}

impl Settings {
    /// Allowed [`Settings::maximum_depth`].
    pub const MAXIMUM_DEPTH: RangeInclusive<u32> = 0..=128;

    /// The engine's options. A book that isn't used isn't opened.
    pub fn options(&self) -> Options {
        Options {
            hash: self.hash,
            threads: self.threads,
            move_overhead: self.move_overhead,
            node_time: self.node_time,
            minimum_depth: self.minimum_depth,
            book: if self.own_book { self.book() } else { OpeningBook::None },
            syzygy_path: self.syzygy_path.clone(),
            evaluation: match (&self.net_file, &self.weights) {
                (_, None) if self.by_hand => Evaluation::Hand,
                (_, Some(weights)) if self.by_hand => Evaluation::HandWith(Arc::clone(weights)),
                (None, _) => Evaluation::Net,
                (Some(path), _) => Evaluation::NetFile(path.clone()),
            },
            switched_off: self.switched_off.clone(),
        }
    }

    /// The book to use, if any is.
    pub fn book(&self) -> OpeningBook {
        self.book_file.clone().map_or(OpeningBook::Own, OpeningBook::File)
    }

    /// Takes over the values that the engine could not change for lack of memory.
    pub(crate) fn adopt(&mut self, in_force: &Options) {
        (self.hash, self.threads) = (in_force.hash, in_force.threads);
        if in_force.evaluation != self.options().evaluation {
            self.by_hand = false;
            match &in_force.evaluation {
                Evaluation::Net => self.net_file = None,
                Evaluation::NetFile(path) => self.net_file = Some(path.clone()),
                Evaluation::Hand | Evaluation::HandWith(_) => self.by_hand = true,
            }
        }
    }

    /// The question for a position of a game. The book is only used in a timed game: not while
    /// pondering, with several lines or with `searchmoves`.
    pub fn question(&self, line: Line, mut limits: Limits, search_moves: Vec<Move>) -> Question {
        if self.maximum_depth > 0 {
            let asked = limits.depth.unwrap_or(u32::MAX);
            limits.depth = Some(asked.min(self.maximum_depth));
        }
        let in_game = limits.thinking != Thinking::Unlimited
            && !limits.ponder
            && search_moves.is_empty()
            && self.multi_pv == 1;
        let strength = if self.limit_strength { Strength::Elo(self.elo) } else { Strength::Full };
        Question::new(line)
            .limits(limits)
            .lines(self.multi_pv)
            .search_moves(search_moves)
            .book(self.own_book && in_game)
            .strength(strength)
    }

    /// How castling is written in this game.
    pub(crate) fn castling_mode(&self, line: &Line) -> CastlingMode {
        // Castling rights get lost during a game, so the start position decides.
        if self.chess960 { CastlingMode::Chess960 } else { line.start().castling_mode() }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn files_stay_set_while_they_are_not_used() {
        let (book, net) = (PathBuf::from("my.bin"), PathBuf::from("my.net"));
        let mut settings = Settings {
            by_hand: true,
            book_file: Some(book.clone()),
            net_file: Some(net.clone()),
            ..Settings::default()
        };
        let options = settings.options();
        assert_eq!((options.book, options.evaluation), (OpeningBook::None, Evaluation::Hand));
        settings = Settings { own_book: true, by_hand: false, ..settings };
        let options = settings.options();
        let used = (OpeningBook::File(book), Evaluation::NetFile(net));
        assert_eq!((options.book, options.evaluation), used);
    }

    #[test]
    fn what_the_engine_could_not_change_is_taken_over() {
        let asked = Settings {
            hash: 4096,
            net_file: Some("large.net".into()),
            multi_pv: 3,
            ..Settings::default()
        };
        let mut settings = asked.clone();
        settings.adopt(&asked.options());
        assert_eq!(settings, asked);
        settings.adopt(&Options { hash: 16, evaluation: Evaluation::Hand, ..asked.options() });
        assert_eq!((settings.hash, settings.by_hand, settings.multi_pv), (16, true, 3));
        settings.adopt(&Options { evaluation: Evaluation::Net, ..settings.options() });
        assert_eq!((settings.by_hand, settings.net_file), (false, None));
    }

    #[test]
    fn a_book_is_for_games() {
        let settings = Settings { own_book: true, ..Settings::default() };
        let game = Limits::move_time(Duration::from_millis(50));
        let book = |settings: &Settings, limits, moves: Vec<Move>| {
            settings.question(Line::default(), limits, moves).book
        };
        assert!(book(&settings, game, Vec::new()));
        assert!(!book(&Settings::default(), game, Vec::new()));
        assert!(!book(&settings, Limits::depth(2), Vec::new()));
        assert!(!book(&settings, Limits { ponder: true, ..game }, Vec::new()));
        let some = Line::default().position().legal_moves()[..1].to_vec();
        assert!(!book(&settings, game, some));
        assert!(!book(&Settings { multi_pv: 2, ..settings }, game, Vec::new()));
    }

    #[test]
    fn the_strength_is_limited_only_if_it_is_to_be() {
        let elo = Elo::new(1_234).expect("in range");
        let settings = Settings { elo, ..Settings::default() };
        let strength = |settings: &Settings| {
            settings.question(Line::default(), Limits::NONE, Vec::new()).strength
        };
        assert_eq!(strength(&settings), Strength::Full);
        assert_eq!(strength(&Settings { limit_strength: true, ..settings }), Strength::Elo(elo));
    }
}
