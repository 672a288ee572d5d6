//! Our own analyst.

use std::fs;
use std::sync::Arc;

use chess::{Line, Move};
use nnue::Net;

use crate::book::{Book, Pick};
use crate::eval::Evaluator;
use crate::handicap::Handicap;
use crate::memory::is_room;
use crate::net::embedded_net;
use crate::search::{Equipment, Outcome, RootMove, Table, Task, Thread, search};
use crate::tablebase::Tablebases;
use crate::time::{Timer, seed};
use crate::{
    Analyst, AnalystError, Dice, Evaluation, Limits, Options, Params, Report, Score, Stop,
    Thinking, Verdict,
};

/// Riga's engine: a search with its table, its book and what its threads have learnt.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    params: Params,
    table: Table,
    threads: Vec<Thread>,
    /// The network, unless positions are judged by hand.
    net: Option<Arc<Net>>,
    book: Option<Book>,
    dice: Dice,
    /// A limited player errs differently in each game.
    game_seed: u64,
    tablebases: Option<Tablebases>,
    /// The value of the last search in this game, for the time management of the next one.
    last_value: Option<i32>,
    messages: Vec<String>,
}

impl Default for Engine {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl Engine {
    /// An engine with settings. What is wrong with the files they name,
    /// [`Engine::take_messages`] says.
    pub fn new(options: Options) -> Self {
        let least = *Options::HASH.start();
        let net = Some(embedded_net());
        let thread = Thread::new(net.clone()).expect("there is memory for one thread");
        let mut engine = Self {
            table: Table::new(least).expect("there is memory for the smallest table"),
            threads: vec![thread],
            net,
            params: Params::default(),
            book: None,
            dice: Dice::new(seed()),
            game_seed: seed(),
            tablebases: None,
            last_value: None,
            messages: Vec::new(),
            options: Options { hash: least, ..Options::default() },
        };
        engine.messages = engine.set_options(options);
        engine
    }

    /// The settings in force.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the settings, and says what is wrong with the files they name: the engine then
    /// goes on without them. What there is no memory for stays as it was. A new hash size empties the
    /// table.
    pub fn set_options(&mut self, mut options: Options) -> Vec<String> {
        let mut messages = Vec::new();
        messages.extend(self.set_hash(&mut options));
        let strength = |options: &Options| options.limit_strength.then_some(options.elo);
        let other_judge = self.set_threads(&mut options, &mut messages);
        if other_judge || strength(&options) != strength(&self.options) {
            // What another player has thought is not ours.
            self.forget();
        }
        let books = |options: &Options| (options.own_book, options.book_file.clone());
        if books(&options) != books(&self.options) {
            self.book = match &options.book_file {
                _ if !options.own_book => None,
                None => Some(Book::embedded()),
                Some(path) => Book::open(path)
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
        messages
    }

    /// Makes a table of another size, if there is memory for it beside what the threads still need.
    fn set_hash(&mut self, options: &mut Options) -> Option<String> {
        let (wanted, old) = (options.hash, self.options.hash);
        if wanted == old {
            return None;
        }
        let table = Table::new(wanted).filter(|_| is_room(self.threads.len() * Thread::ROOM));
        let Some(table) = table else {
            options.hash = old;
            return Some(format!("no memory for {wanted} MiB of hash, staying at {old}"));
        };
        self.table = table;
        None
    }

    /// Takes on threads or lets them go, and lets them judge as the settings say; returns whether
    /// they judge by something else than before. What is new is made before anything old goes.
    fn set_threads(&mut self, options: &mut Options, messages: &mut Vec<String>) -> bool {
        let judges = |options: &Options| (options.evaluation, options.net_file.clone());
        let mut other_judge = judges(options) != judges(&self.options);
        let net = if other_judge { choose_net(options, messages) } else { self.net.clone() };
        let wanted = options.threads.max(1);
        let kept = wanted.min(self.threads.len());
        let (changed, added) = (if other_judge { kept } else { 0 }, wanted - kept);
        // Evaluators are made of small allocations, and stacks come when the search starts.
        let room = || changed + added == 0 || is_room(wanted * Thread::ROOM);
        let make = || {
            let judges = room().then(|| (0..changed).map(|_| Evaluator::new(net.clone())))?;
            let judges: Vec<Evaluator> = judges.collect();
            let recruits: Option<Vec<Thread>> =
                (0..added).map(|_| Thread::new(net.clone())).collect();
            Some((judges, recruits?)).filter(|_| room())
        };
        if let Some((judges, recruits)) = make() {
            self.threads.truncate(kept);
            for (thread, judge) in self.threads.iter_mut().zip(judges) {
                thread.experience.evaluator = judge;
            }
            self.threads.extend(recruits);
            self.net = net;
        } else {
            let old = &self.options;
            messages.push(if added > 0 {
                format!("no memory for {wanted} threads, staying at {}", old.threads)
            } else {
                "no memory for another evaluation, staying with the old one".to_owned()
            });
            options.threads = old.threads;
            (options.evaluation, options.net_file) = judges(old);
            other_judge = false;
        }
        other_judge
    }

    /// What went wrong since the last time, for the user.
    pub fn take_messages(&mut self) -> Vec<String> {
        let mut messages = std::mem::take(&mut self.messages);
        messages.extend(self.tablebases.iter().flat_map(Tablebases::take_messages));
        messages
    }

    /// Changes the numbers of the search.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
    }

    /// The numbers of the search.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// Lets everything that chance decides (book moves, the errors of a limited player) follow from
    /// a number instead of the clock.
    pub fn set_seed(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.game_seed = self.dice.roll();
        self.forget();
    }

    /// Forgets what was searched and what was learnt from it.
    fn forget(&mut self) {
        self.clear_hash();
        self.threads.iter_mut().for_each(|thread| thread.experience.clear());
    }

    /// Forgets every position that was searched.
    pub fn clear_hash(&mut self) {
        self.table.clear(self.options.threads);
    }

    /// A move from the book, when a game is played and not analysed.
    fn book_move(&mut self, line: &Line, limits: &Limits) -> Option<Move> {
        let analysis = limits.thinking == Thinking::Unlimited
            || limits.ponder
            || !limits.search_moves.is_empty()
            || self.options.multi_pv > 1;
        if analysis {
            return None;
        }
        self.book.as_ref()?.choose(line.position(), Pick::Weighted, &mut self.dice)
    }
}

/// The moves to choose from, ranked by tablebases if they know the position.
fn root_moves(tablebases: Option<&Tablebases>, line: &Line, limits: &Limits) -> Vec<RootMove> {
    let ranked = tablebases.and_then(|tables| tables.probe_root(line).ok());
    let moves: Vec<RootMove> = match ranked {
        Some(ranked) => ranked.iter().map(RootMove::from).collect(),
        None => line.position().legal_moves().iter().map(|&m| RootMove::new(m)).collect(),
    };
    let wanted = &limits.search_moves;
    moves.into_iter().filter(|root| wanted.is_empty() || wanted.contains(&root.m)).collect()
}

/// Leaves the moves that a limited player sees, and at least one that can be found.
fn narrow(root: &mut Vec<RootMove>, line: &Line, handicap: &Handicap) {
    if line.position().is_check() {
        return;
    }
    let last = line.moves().last();
    let seen: Vec<RootMove> = root
        .iter()
        .filter(|root| !handicap.overlooks(line.position(), root.m, last))
        .cloned()
        .collect();
    if !seen.is_empty() {
        *root = seen;
    }
}

/// The network that the settings ask for; the one in the binary if theirs can't be used.
fn choose_net(options: &Options, messages: &mut Vec<String>) -> Option<Arc<Net>> {
    if options.evaluation == Evaluation::Hand {
        return None;
    }
    let own = options.net_file.as_ref().and_then(|path| {
        let net = fs::read(path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| Net::from_bytes(&bytes).map_err(|error| error.to_string()));
        net.map(Arc::new)
            .map_err(|error| {
                messages.push(format!("{}: {error}; going on with the own net", path.display()));
            })
            .ok()
    });
    Some(own.unwrap_or_else(embedded_net))
}

impl Engine {
    /// Thinks about the position at the end of `line`, and tells `listener` about it, if there is
    /// one.
    fn answer(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
        mut listener: Option<&mut dyn FnMut(Report)>,
    ) -> Result<Verdict, AnalystError> {
        let timer = Timer::new(limits, &self.options, &self.params, line.position());
        if let Some(best) = self.book_move(line, limits) {
            return Ok(Verdict { best, ponder: None, lines: Vec::new() });
        }
        // A limited player doesn't know tablebases.
        let tablebases = self.tablebases.as_ref().filter(|_| !self.options.limit_strength);
        let mut root = root_moves(tablebases, line, limits);
        if root.is_empty() {
            return Err(AnalystError::NoLegalMove);
        }
        let handicap =
            self.options.limit_strength.then(|| Handicap::of(self.options.elo, self.game_seed));
        if let Some(handicap) = &handicap {
            narrow(&mut root, line, handicap);
        }
        let own = |player: &Handicap| player.limits(line.position(), limits);
        let limits = &handicap.as_ref().map_or_else(|| limits.clone(), own);
        // A limited player has one thread: its few positions are counted exactly.
        let threads = if handicap.is_some() { 1 } else { self.threads.len() };
        let equipment = Equipment {
            table: &self.table,
            tablebases,
            params: &self.params,
            handicap: handicap.as_ref(),
            threads: &mut self.threads[..threads],
        };
        let mut told: Vec<Report> = Vec::new();
        let mut remember = listener.as_mut().map(|report| {
            |latest: Report| {
                if latest.multi_pv == 1 {
                    told.clear();
                }
                told.push(latest.clone());
                report(latest);
            }
        });
        let remember = remember.as_mut().map(|report| report as &mut dyn FnMut(Report));
        let lines = self.options.multi_pv.clamp(1, root.len());
        let last_value = self.last_value;
        let task = Task { line, root: &root, lines, limits, stop, timer: &timer, last_value };
        let Outcome { lines, missing } = search(equipment, task, remember);
        if missing > 0 {
            let message = format!("{missing} of {threads} threads could not be started");
            self.messages.push(message);
        }
        // An iteration that was cut short, or another thread, may have found something new: what is
        // told last is what the verdict says.
        if let Some(report) = listener
            && !told.iter().map(Report::statement).eq(lines.iter().map(Report::statement))
        {
            lines.iter().cloned().for_each(report);
        }
        self.last_value = match lines[0].score {
            Score::Cp(value) => Some(value),
            Score::Mate(_) => None,
        };
        let pv = &lines[0].pv;
        Ok(Verdict { best: pv[0], ponder: pv.get(1).copied(), lines })
    }
}

impl Analyst for Engine {
    fn analyse(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(Report),
    ) -> Result<Verdict, AnalystError> {
        self.answer(line, limits, stop, Some(report))
    }

    fn decide(
        &mut self,
        line: &Line,
        limits: &Limits,
        stop: &Stop,
    ) -> Result<Verdict, AnalystError> {
        self.answer(line, limits, stop, None)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.game_seed = self.dice.roll();
        self.last_value = None;
        self.forget();
        Ok(())
    }
}
