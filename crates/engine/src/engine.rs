//! Our own analyst.

use std::fs;
use std::sync::Arc;

use nnue::Net;

use crate::book::Book;
use crate::eval::{Evaluator, Knowledge};
use crate::memory::is_room;
use crate::mind::{Limited, Mind};
use crate::search::{Table, Thread};
use crate::tablebase::Tablebases;
use crate::{
    Analyst, AnalystError, Dice, Evaluation, Host, OpeningBook, Options, Params, Question, Report,
    Stop, Verdict,
};

/// Riga's engine: a search with its hash table, its book and what its threads have learnt.
#[derive(Debug)]
pub struct Engine {
    pub(crate) host: Host,
    pub(crate) options: Options,
    /// The parameters without what the options switch off, and with it.
    params: Params,
    pub(crate) effective: Params,
    pub(crate) knowledge: Knowledge,
    /// The memory of the full-strength search.
    pub(crate) full: Mind,
    /// The memory of limited players.
    pub(crate) limited: Limited,
    pub(crate) book: Option<Book>,
    pub(crate) tablebases: Option<Tablebases>,
    pub(crate) dice: Dice,
    /// A limited player makes different errors in each game.
    pub(crate) game_seed: u64,
    pub(crate) messages: Vec<String>,
}

#[cfg(feature = "embedded-net")]
impl Default for Engine {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Engine {
    /// An engine with options. Problems with the files they name are reported by
    /// [`Engine::take_messages`].
    #[cfg(feature = "embedded-net")]
    pub fn new(options: Options) -> Self {
        Self::hosted(Host::default(), options)
    }

    /// An engine with a network and a clock of the caller's.
    pub fn hosted(host: Host, options: Options) -> Self {
        let least = *Options::HASH.start();
        let knowledge = Knowledge::Net(Arc::clone(&host.net));
        let mut dice = Dice::new(host.seed);
        let full = Mind::new(least, &knowledge);
        let mut engine = Self {
            options: Options { hash: least, book: OpeningBook::None, ..Options::default() },
            params: Params::default(),
            effective: Params::default(),
            knowledge,
            full: full.expect("there is memory for one thread and the smallest table"),
            limited: Limited::default(),
            book: None,
            tablebases: None,
            game_seed: dice.roll(),
            dice,
            host,
            messages: Vec::new(),
        };
        engine.messages = engine.set_options(options);
        engine
    }

    /// The engine's own network.
    pub fn net(&self) -> &Net {
        &self.host.net
    }

    /// The options in effect.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options, and returns problems with the files they name: the engine continues
    /// without those files. Options that there is no memory for stay as they were. A new hash size
    /// clears the table.
    pub fn set_options(&mut self, mut options: Options) -> Vec<String> {
        let mut messages = Vec::new();
        messages.extend(self.set_hash(&mut options));
        if self.set_threads(&mut options, &mut messages) {
            // Results of another evaluation are not worth keeping.
            self.full.forget();
            self.limited = Limited::default();
        }
        if options.book != self.options.book {
            self.book = match &options.book {
                OpeningBook::None => None,
                OpeningBook::Own => Some(Book::embedded()),
                OpeningBook::File(path) => Book::open(path)
                    .map_err(|error| messages.push(format!("{}: {error}", path.display())))
                    .ok(),
            };
        }
        if options.syzygy_path != self.options.syzygy_path {
            let (tablebases, faults) = Tablebases::open(&options.syzygy_path);
            self.tablebases = (tablebases.men() > 0).then_some(tablebases);
            messages.extend(faults);
        }
        self.options = options;
        self.effective = self.params.without(&self.options.switched_off);
        messages
    }

    /// Allocates a table of another size, if there is memory for it beside what the threads still
    /// need.
    fn set_hash(&mut self, options: &mut Options) -> Option<String> {
        let (wanted, old) = (options.hash, self.options.hash);
        if wanted == old {
            return None;
        }
        let table = Table::new(wanted).filter(|_| is_room(self.full.threads.len() * Thread::ROOM));
        let Some(table) = table else {
            options.hash = old;
            return Some(format!("no memory for {wanted} MiB of hash, staying at {old}"));
        };
        self.full.table = table;
        None
    }

    /// Adds or removes threads, and sets their evaluation; returns whether the evaluation has
    /// changed. New threads are allocated before old ones are dropped.
    fn set_threads(&mut self, options: &mut Options, messages: &mut Vec<String>) -> bool {
        let mut other_judge = options.evaluation != self.options.evaluation;
        let knowledge = if other_judge {
            self.knowledge_for(&options.evaluation, messages)
        } else {
            self.knowledge.clone()
        };
        let wanted = options.threads.max(1);
        let kept = wanted.min(self.full.threads.len());
        let (changed, added) = (if other_judge { kept } else { 0 }, wanted - kept);
        // Evaluators are made of small allocations, and stacks are allocated when the search
        // starts.
        let room = || changed + added == 0 || is_room(wanted * Thread::ROOM);
        let make = || {
            let judges = room().then(|| (0..changed).map(|_| Evaluator::new(&knowledge)))?;
            let judges: Vec<Evaluator> = judges.collect();
            let recruits: Option<Vec<Thread>> =
                (0..added).map(|_| Thread::new(&knowledge)).collect();
            Some((judges, recruits?)).filter(|_| room())
        };
        if let Some((judges, recruits)) = make() {
            self.full.threads.truncate(kept);
            for (thread, judge) in self.full.threads.iter_mut().zip(judges) {
                thread.experience.evaluator = judge;
            }
            self.full.threads.extend(recruits);
            self.knowledge = knowledge;
        } else {
            let old = &self.options;
            messages.push(if added > 0 {
                format!("no memory for {wanted} threads, staying at {}", old.threads)
            } else {
                "no memory for another evaluation, staying with the old one".to_owned()
            });
            options.threads = old.threads;
            options.evaluation = old.evaluation.clone();
            other_judge = false;
        }
        other_judge
    }

    /// Problems since the last call, for the user.
    pub fn take_messages(&mut self) -> Vec<String> {
        let mut messages = std::mem::take(&mut self.messages);
        messages.extend(self.tablebases.iter().flat_map(Tablebases::take_messages));
        messages
    }

    /// Changes the search parameters.
    pub fn set_params(&mut self, params: Params) {
        self.effective = params.without(&self.options.switched_off);
        self.params = params;
    }

    /// The search parameters, without what the options switch off.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// Clears the transposition table.
    pub fn clear_hash(&mut self) {
        self.full.clear_table();
        self.limited.forget();
    }

    /// What the options want to evaluate with; the engine's own network if theirs can't be used.
    fn knowledge_for(&self, evaluation: &Evaluation, messages: &mut Vec<String>) -> Knowledge {
        let own = || Arc::clone(&self.host.net);
        let path = match evaluation {
            Evaluation::Hand => return Knowledge::Hand(None),
            Evaluation::HandWith(weights) => return Knowledge::Hand(Some(Arc::clone(weights))),
            Evaluation::Net => return Knowledge::Net(own()),
            Evaluation::NetFile(path) => path,
        };
        let net = fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Net::from_bytes(&bytes).map_err(|error| error.to_string()));
        let embedded = |error: String| {
            messages.push(format!("{}: {error}; using the embedded network", path.display()));
            own()
        };
        Knowledge::Net(net.map_or_else(embedded, Arc::new))
    }
}

impl Analyst for Engine {
    fn analyse(
        &mut self,
        question: &Question,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        self.answer(question, stop, Some(report))
    }

    fn decide(&mut self, question: &Question, stop: &Stop) -> Result<Verdict, AnalystError> {
        self.answer(question, stop, None)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.game_seed = self.dice.roll();
        self.full.new_game();
        self.limited.forget();
        Ok(())
    }
}
