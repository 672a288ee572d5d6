//! The calls of the module `engine`.

use std::sync::Arc;
use std::time::Duration;

use engine::{
    Analyst, Clock, Clocks, Elo, Engine, Host, Limits, Options, Question, Report, Stop, bench,
};
use game::Variant;
use nnue::{Kernel, Net};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::AnalysedLines;

use crate::ask::line;
use crate::calls::calls;
use crate::reviewing::{ReviewAsk, Reviewed, Tried, TryMove};
use crate::{Ask, Trouble};

/// What the engine gets from the worker that it runs in.
#[derive(Copy, Clone, Debug)]
pub struct World {
    /// The time since some moment.
    pub now: fn() -> Duration,
    /// Whether the search should end; asked every few hundred nodes.
    pub stopped: fn() -> bool,
    /// Takes the lines of a search that goes on ([`AnalysedLines`], as JSON), or the moves of a
    /// review that are judged ([`ReviewStep`](crate::ReviewStep)).
    pub report: fn(&[u8]),
}

/// The engine, ready to be asked.
#[derive(Debug)]
pub struct Searcher {
    pub(crate) engine: Engine,
    pub(crate) world: World,
}

/// About the engine.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct About {
    /// The description of its network.
    pub net: String,
    /// The arithmetic it uses.
    pub kernel: String,
    /// The size of its hash table, in MiB.
    pub hash: u32,
    /// What could not be done.
    pub messages: Vec<String>,
}

/// Changes the engine; absent fields stay as they are.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Configure {
    /// The size of the hash table, in MiB; a new size clears it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2048)]
    pub hash: Option<u32>,
    /// Whether to forget everything: the next question is about another game.
    #[serde(default)]
    pub forget: bool,
}

/// The result of a search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Searched {
    /// The best move, in UCI notation.
    pub best: String,
    /// The same in SAN.
    pub san: String,
    /// The lines, best first; none for book moves.
    pub thoughts: AnalysedLines,
}

/// A fixed amount of work.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BenchDepth {
    /// Plies; the usual number if absent.
    #[serde(default)]
    pub depth: Option<u32>,
}

/// The result of a bench.
#[derive(Copy, Clone, Debug, Serialize, ToSchema)]
pub struct Benched {
    /// Nodes searched: the same on every machine.
    pub nodes: u64,
    /// Milliseconds.
    pub time: f64,
    /// Whether the kernel computes the same as the portable one.
    pub exact: bool,
}

calls! {
    Searcher {
        /// Changes the engine.
        configure(Configure) -> About;
        /// Searches; lines are reported on the way.
        analyse(Ask) -> Searched;
        /// Reviews a game; the label of each move is reported on the way.
        review(ReviewAsk) -> Reviewed;
        /// Judges a move that is tried instead of a mistake.
        try_move(TryMove) -> Tried;
        /// A fixed amount of work, to compare builds and machines.
        bench(BenchDepth) -> Benched;
    }
}

impl Searcher {
    /// An engine with the network in a file.
    pub fn new(net: &[u8], world: World, seed: u64) -> Result<Self, Trouble> {
        let net = Net::from_bytes(net).map_err(|error| Trouble::new(error.to_string()))?;
        let host = Host { net: Arc::new(net), clock: Clock::Host(world.now), seed };
        Ok(Self { engine: Engine::hosted(host, Options::default()), world })
    }

    /// About the engine.
    pub fn about(&mut self) -> About {
        About {
            net: self.engine.net().about().to_owned(),
            kernel: Kernel::best().name().to_owned(),
            hash: self.engine.options().hash as u32,
            messages: self.engine.take_messages(),
        }
    }

    fn configure(&mut self, question: Configure) -> Result<About, Trouble> {
        let mut messages = Vec::new();
        if let Some(hash) = question.hash {
            let hash = (hash as usize).clamp(*Options::HASH.start(), *Options::HASH.end());
            let options = Options { hash, ..self.engine.options().clone() };
            messages = self.engine.set_options(options);
        }
        if question.forget {
            self.engine.new_game().map_err(|error| Trouble::new(error.to_string()))?;
        }
        let mut about = self.about();
        about.messages.extend(messages);
        Ok(about)
    }

    #[expect(clippy::needless_pass_by_value, reason = "a call owns its question")]
    fn analyse(&mut self, ask: Ask) -> Result<Searched, Trouble> {
        let (question, rules) = question(&ask)?;
        let position = question.position().clone();
        let expected = question.lines.min(position.legal_moves().len());
        let World { stopped, report, .. } = self.world;
        let mut lines: Vec<Report> = Vec::new();
        let mut tell = |latest: Report| {
            if latest.multi_pv == 1 {
                lines.clear();
            }
            lines.push(latest);
            if lines.len() == expected {
                let told = AnalysedLines::new(&lines, &position, rules, false);
                if let Ok(json) = crate::calls::write(&told) {
                    report(&json);
                }
            }
        };
        let verdict = self.engine.analyse(&question, &Stop::watching(stopped), &mut tell);
        let verdict = verdict.map_err(|error| Trouble::new(error.to_string()))?;
        Ok(Searched {
            best: verdict.best.to_uci(&position, rules.castling()).to_string(),
            san: position.san(verdict.best).to_string(),
            thoughts: AnalysedLines::new(&verdict.lines, &position, rules, true),
        })
    }

    #[expect(clippy::unnecessary_wraps, reason = "every call may fail")]
    fn bench(&mut self, question: BenchDepth) -> Result<Benched, Trouble> {
        let depth = question.depth.unwrap_or(bench::DEPTH);
        let done =
            bench::run_on(&mut self.engine, depth, &Stop::watching(self.world.stopped), |_, _| {});
        Ok(Benched {
            nodes: done.nodes,
            time: done.time.as_secs_f64() * 1000.0,
            exact: Kernel::available().into_iter().all(|kernel| kernel.is_exact(done.nodes)),
        })
    }
}

/// What is asked, as the engine understands it.
fn question(ask: &Ask) -> Result<(Question, Variant), Trouble> {
    let (line, rules) = line(&ask.position)?;
    let mut limits = Limits { depth: ask.limits.depth, nodes: ask.limits.nodes, ..Limits::NONE };
    if let Some(clocks) = ask.clocks {
        limits.thinking = engine::Thinking::Clock(Clocks {
            remaining: [clocks.white, clocks.black].map(Duration::from_millis),
            increment: [Duration::from_millis(clocks.increment); 2],
            moves_to_go: clocks.moves_to_go,
        });
    } else if let Some(time) = ask.limits.time {
        limits.thinking = engine::Thinking::MoveTime(Duration::from_millis(time));
    }
    let lines = usize::from(ask.lines.unwrap_or(1)).max(1);
    let question = Question::new(line).limits(limits).lines(lines);
    let question = match ask.level {
        None => question,
        Some(level) => question.player(level.elo().and_then(Elo::new), ask.seed.map(u64::from)),
    };
    Ok((question, rules))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: World = World {
        now: || Duration::ZERO,
        stopped: || false,
        report: |json| assert!(!json.is_empty()),
    };

    fn searcher() -> Searcher {
        let net = include_bytes!("../../../nets/riga.net");
        Searcher::new(net, WORLD, 1).expect("the project's network")
    }

    #[test]
    fn a_question_in_json_has_an_answer_in_json() {
        let ask = r#"{"position":{"fen":"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"},"limits":{"depth":5}}"#;
        let answer = searcher().call("analyse", ask.as_bytes()).expect("an answer");
        let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["san"], "Qg7#");
        assert_eq!(answer["thoughts"]["lines"][0]["score"]["mate"], 1);
        assert_eq!(answer["thoughts"]["done"], true);
    }

    #[test]
    fn trouble_is_told() {
        let mut searcher = searcher();
        for (name, question) in [
            ("analyse", r#"{"position":{"fen":"nonsense"}}"#),
            ("analyse", r#"{"position":{"fen":"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"}}"#),
            ("analyse", "{}"),
            ("juggle", "{}"),
        ] {
            assert!(searcher.call(name, question.as_bytes()).is_err(), "{name} {question}");
        }
        assert!(Searcher::new(b"no network", WORLD, 1).is_err());
    }

    #[test]
    fn levels_use_the_book_and_hash_can_be_changed() {
        let mut searcher = searcher();
        let ask = r#"{"position":{},"level":3,"seed":7,"limits":{"time":1000}}"#;
        let answer = searcher.call("analyse", ask.as_bytes()).expect("an answer");
        let answer: serde_json::Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["thoughts"]["lines"].as_array().map(Vec::len), Some(0), "{answer}");
        let about = searcher.call("configure", br#"{"hash":4,"forget":true}"#).expect("an answer");
        let about: serde_json::Value = serde_json::from_slice(&about).expect("JSON");
        assert_eq!(about["hash"], 4);
    }
}
