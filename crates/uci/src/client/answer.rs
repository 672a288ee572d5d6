//! Parses the lines an engine writes. Nonsense is skipped, never an error: engines print greetings,
//! logs and misspellings, and the game must go on.

use std::time::Duration;

use chess::{Position, UciMove};
use engine::{Bound, MatePlies, Report, Score, Wdl};

use super::DeclaredOption;

/// A line of an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// `id name ...`
    Name(String),
    /// `id author ...`
    Author(String),
    /// `option name ...`
    Option(DeclaredOption),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info ...` with at least one field that we understand.
    Info(Box<Info>),
    /// `bestmove ...`: the move, and the expected reply.
    BestMove {
        /// The move, as written.
        best: String,
        /// The expected reply.
        ponder: Option<UciMove>,
    },
    /// Anything else.
    Other,
}

/// The fields of an `info` line; any may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies searched.
    pub depth: Option<u32>,
    /// The longest line, in plies.
    pub selective_depth: Option<u32>,
    /// Which of the best lines it is, from 1.
    pub multi_pv: Option<usize>,
    /// The score, for the side to move.
    pub score: Option<ParsedScore>,
    /// Win, draw and loss probabilities.
    pub wdl: Option<Wdl>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time since the start.
    pub time: Option<Duration>,
    /// How full the hash table is, in per mille.
    pub hash_full: Option<u32>,
    /// Tablebase hits.
    pub tablebase_hits: Option<u64>,
    /// The principal variation, not yet checked for legality.
    pub pv: Vec<UciMove>,
    /// `info string`: free text.
    pub text: Option<String>,
}

/// A score and whether it is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ParsedScore {
    /// The score.
    pub score: Score,
    /// Whether it is exact.
    pub bound: Bound,
}

impl Answer {
    /// Reads a line.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match first {
            "info" => Info::parse(rest).map_or(Self::Other, |info| Self::Info(Box::new(info))),
            "bestmove" => best_move(rest),
            "readyok" => Self::ReadyOk,
            "uciok" => Self::UciOk,
            "option" => DeclaredOption::parse(rest).map_or(Self::Other, Self::Option),
            "id" => match rest.split_once(char::is_whitespace) {
                Some(("name", name)) => Self::Name(name.trim().to_owned()),
                Some(("author", author)) => Self::Author(author.trim().to_owned()),
                _ => Self::Other,
            },
            _ => Self::Other,
        }
    }
}

fn best_move(rest: &str) -> Answer {
    let mut words = rest.split_whitespace();
    // An empty answer counts: the caller reports it as an illegal move.
    let best = words.next().unwrap_or_default().to_owned();
    let ponder = match (words.next(), words.next()) {
        (Some("ponder"), Some(text)) => text.parse().ok(),
        _ => None,
    };
    Answer::BestMove { best, ponder }
}

impl Info {
    /// Parses what follows `info`; `None` if no field is understood.
    fn parse(rest: &str) -> Option<Self> {
        let mut info = Self::default();
        if let Some(text) = rest.strip_prefix("string") {
            info.text = Some(text.trim().to_owned());
            return Some(info);
        }
        let mut words = rest.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            // Consume a keyword's value only if it is valid: otherwise it may be the next keyword.
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.selective_depth = number(&mut words),
                "multipv" => info.multi_pv = number(&mut words).filter(|&place| place > 0),
                "nodes" => info.nodes = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                "hashfull" => info.hash_full = number(&mut words),
                "tbhits" => info.tablebase_hits = number(&mut words),
                "score" => info.score = score(&mut words),
                "lowerbound" => info.set_bound(Bound::Lower),
                "upperbound" => info.set_bound(Bound::Upper),
                "wdl" => info.wdl = wdl(&mut words),
                "pv" => {
                    while let Some(m) = words.peek().and_then(|word| word.parse().ok()) {
                        info.pv.push(m);
                        words.next();
                    }
                }
                "string" => break,
                _ => {}
            }
        }
        (info != Self::default()).then_some(info)
    }

    fn set_bound(&mut self, bound: Bound) {
        if let Some(score) = &mut self.score {
            score.bound = bound;
        }
    }

    /// The line as a report on a position, if it has a score. The PV is cut at its first illegal
    /// move.
    pub fn to_report(&self, position: &Position) -> Option<Report> {
        let ParsedScore { score, bound } = self.score?;
        let wdl = self.wdl.unwrap_or_else(|| score.wdl(position));
        let mut position = position.clone();
        let mut pv = Vec::with_capacity(self.pv.len());
        for text in &self.pv {
            let Some(m) = text.to_move(&position) else { break };
            position.play_unchecked(m);
            pv.push(m);
        }
        Some(Report {
            depth: self.depth.unwrap_or_default(),
            selective_depth: self.selective_depth.or(self.depth).unwrap_or_default(),
            multi_pv: self.multi_pv.unwrap_or(1),
            score,
            bound,
            wdl,
            nodes: self.nodes.unwrap_or_default(),
            time: self.time.unwrap_or_default(),
            hash_full: self.hash_full.unwrap_or_default(),
            tablebase_hits: self.tablebase_hits.unwrap_or_default(),
            pv,
        })
    }
}

/// Scores are clamped to this, so that arithmetic on them can't overflow.
const FARTHEST: i32 = 1_000_000;

type Words<'a> = std::iter::Peekable<std::str::SplitAsciiWhitespace<'a>>;

fn number<N: std::str::FromStr>(words: &mut Words<'_>) -> Option<N> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

fn score(words: &mut Words<'_>) -> Option<ParsedScore> {
    let score = match words.next_if(|word| matches!(*word, "cp" | "mate"))? {
        "cp" => Score::Cp(number::<i32>(words)?.clamp(-FARTHEST, FARTHEST)),
        // Engines count moves; we count plies, and it is our move.
        _ => Score::Mate(MatePlies(match number::<i32>(words)?.clamp(-FARTHEST, FARTHEST) {
            moves @ 1.. => moves * 2 - 1,
            moves => moves * 2,
        })),
    };
    Some(ParsedScore { score, bound: Bound::Exact })
}

fn wdl(words: &mut Words<'_>) -> Option<Wdl> {
    let wdl = Wdl { win: number(words)?, draw: number(words)?, loss: number(words)? };
    (u32::from(wdl.win) + u32::from(wdl.draw) + u32::from(wdl.loss) == 1000).then_some(wdl)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn info(line: &str) -> Info {
        match Answer::parse(line) {
            Answer::Info(info) => *info,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_full_info_line_is_read() {
        let line = "info depth 24 seldepth 31 multipv 2 score cp -35 lowerbound wdl 20 900 80 \
                    nodes 12345678901 nps 1000 hashfull 77 tbhits 3 time 1234 pv e2e4 e7e5 g1f3";
        let info = info(line);
        assert_eq!(
            (info.depth, info.selective_depth, info.multi_pv),
            (Some(24), Some(31), Some(2))
        );
        let expected = ParsedScore { score: Score::Cp(-35), bound: Bound::Lower };
        assert_eq!(info.score, Some(expected));
        assert_eq!(info.wdl, Some(Wdl { win: 20, draw: 900, loss: 80 }));
        assert_eq!((info.nodes, info.tablebase_hits), (Some(12_345_678_901), Some(3)));
        assert_eq!(info.time, Some(Duration::from_millis(1234)));
        assert_eq!(info.pv.len(), 3);
        let report = info.to_report(&Position::default()).expect("a score");
        assert_eq!((report.pv.len(), report.score), (3, Score::Cp(-35)));
    }

    #[test]
    fn an_engine_that_tells_no_chances_has_those_of_its_score() {
        let position = Position::default();
        let wdl = |line: &str| info(line).to_report(&position).expect("a score").wdl;
        assert_eq!(wdl("info score cp 90 wdl 20 900 80"), Wdl { win: 20, draw: 900, loss: 80 });
        assert_eq!(wdl("info score cp 90 pv e2e4"), Score::Cp(90).wdl(&position));
        assert_eq!(wdl("info score mate -3"), Wdl { win: 0, draw: 0, loss: 1000 });
    }

    #[test]
    fn mates_are_counted_in_plies() {
        for (moves, plies) in [(1, 1), (3, 5), (0, 0), (-1, -2), (-4, -8), (i32::MIN, -2_000_000)] {
            let score = info(&format!("info score mate {moves}")).score.expect("a score").score;
            assert_eq!(score, Score::Mate(MatePlies(plies)));
        }
    }

    #[test]
    fn a_line_is_cut_at_its_first_illegal_move() {
        let info = info("info depth 1 score cp 0 pv e2e4 e2e4 e7e5");
        assert_eq!(info.to_report(&Position::default()).expect("a score").pv.len(), 1);
    }

    #[test]
    fn words_in_odd_places_do_not_disturb_the_rest() {
        let info = info("info depth x nodes score cp 12 what pv e2e4 zz depth 9 string depth 3");
        assert_eq!((info.depth, info.nodes), (Some(9), None));
        assert_eq!(info.score.map(|score| score.score), Some(Score::Cp(12)));
        assert_eq!(info.pv.len(), 1);
        for line in ["", "info", "info x", "readyok?", "Hello", "id", "option", "id name"] {
            assert_eq!(Answer::parse(line), Answer::Other, "{line}");
        }
    }

    #[test]
    fn best_moves_are_read_with_and_without_an_expected_answer() {
        let ponder = "e7e5".parse().ok();
        for (line, best, ponder) in [
            ("bestmove e2e4 ponder e7e5", "e2e4", ponder),
            (" bestmove\te2e4  ", "e2e4", None),
            ("bestmove e2e4 ponder", "e2e4", None),
            ("bestmove (none)", "(none)", None),
            ("bestmove", "", None),
        ] {
            assert_eq!(Answer::parse(line), Answer::BestMove { best: best.to_owned(), ponder });
        }
    }

    proptest! {
        #[test]
        fn no_line_is_a_panic(line in "\\PC*") {
            let _ = Answer::parse(&line);
        }

        #[test]
        fn no_line_of_keywords_is_a_panic(
            words in proptest::collection::vec(
                prop_oneof![
                    Just("info"), Just("depth"), Just("score"), Just("cp"), Just("mate"),
                    Just("pv"), Just("wdl"), Just("bestmove"), Just("option"), Just("name"),
                    Just("type"), Just("spin"), Just("min"), Just("var"), Just("string"),
                    Just("-1"), Just("99999999999999999999"), Just("e2e4"), Just("e7e8q"),
                    Just("\u{2603}"), Just("lowerbound"), Just("id"), Just("multipv"), Just("0"),
                ],
                0..20,
            )
        ) {
            if let Answer::Info(info) = Answer::parse(&words.join(" ")) {
                let _ = info.to_report(&Position::default());
            }
        }

        #[test]
        fn numbers_survive(depth: u32, cp in -FARTHEST..=FARTHEST, nodes: u64, millis: u32, place in 1usize..500) {
            let info = info(&format!(
                "info depth {depth} multipv {place} score cp {cp} nodes {nodes} time {millis}"
            ));
            prop_assert_eq!((info.depth, info.nodes), (Some(depth), Some(nodes)));
            prop_assert_eq!(info.time, Some(Duration::from_millis(u64::from(millis))));
            prop_assert_eq!(info.score.map(|score| score.score), Some(Score::Cp(cp)));
            prop_assert_eq!(info.multi_pv, Some(place));
        }
    }
}
