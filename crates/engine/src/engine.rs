//! Our own analyst.

use chess::{Line, Move};

use crate::book::{Book, Pick};
use crate::search::{Equipment, Experience, RootMove, Table, Task, search};
use crate::tablebase::Tablebases;
use crate::time::{Timer, seed};
use crate::{
    Analyst, AnalystError, Dice, Limits, Options, Params, Report, Stop, Thinking, Verdict,
};

/// Riga's engine: a search with its table, its book and what its threads have learnt.
#[derive(Debug)]
pub struct Engine {
    options: Options,
    params: Params,
    table: Table,
    experience: Vec<Experience>,
    book: Option<Book>,
    dice: Dice,
    tablebases: Option<Tablebases>,
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
        let mut engine = Self {
            table: Table::new(least).expect("there is memory for the smallest table"),
            experience: Vec::new(),
            params: Params::default(),
            book: None,
            dice: Dice::new(seed()),
            tablebases: None,
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
    /// goes on without them. A new hash size empties the table.
    pub fn set_options(&mut self, mut options: Options) -> Vec<String> {
        let mut messages = Vec::new();
        let hash = self.options.hash;
        if options.hash != hash {
            if let Some(table) = Table::new(options.hash) {
                self.table = table;
            } else {
                let wanted = options.hash;
                messages.push(format!("no memory for {wanted} MiB of hash, staying at {hash}"));
                options.hash = hash;
            }
        }
        self.experience.resize_with(options.threads.max(1), Experience::new);

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

    /// What went wrong with files since the last time, for the user.
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

    /// The moves to choose from, ranked by tablebases if they know the position.
    fn root_moves(&self, line: &Line, limits: &Limits) -> Vec<RootMove> {
        let ranked = self.tablebases.as_ref().and_then(|tables| tables.probe_root(line).ok());
        let moves: Vec<RootMove> = match ranked {
            Some(ranked) => ranked.iter().map(RootMove::from).collect(),
            None => line.position().legal_moves().iter().map(|&m| RootMove::new(m)).collect(),
        };
        let wanted = &limits.search_moves;
        moves.into_iter().filter(|root| wanted.is_empty() || wanted.contains(&root.m)).collect()
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
        let timer = Timer::new(limits, &self.options, line.position().turn());
        if let Some(best) = self.book_move(line, limits) {
            return Ok(Verdict { best, ponder: None, lines: Vec::new() });
        }
        let root = self.root_moves(line, limits);
        if root.is_empty() {
            return Err(AnalystError::NoLegalMove);
        }
        let equipment = Equipment {
            table: &self.table,
            tablebases: self.tablebases.as_ref(),
            params: &self.params,
            experience: &mut self.experience,
        };
        let mut last = None;
        let mut remember = |latest: Report| {
            last = Some((latest.depth, latest.pv.clone()));
            report(latest);
        };
        let lines = self.options.multi_pv.clamp(1, root.len());
        let task = Task { line, root: &root, lines, limits, stop, timer: &timer };
        let lines = search(equipment, task, &mut remember);
        // An iteration that was cut short, or another thread, may have found something new.
        if last.is_none_or(|(depth, pv)| {
            lines.len() == 1 && (depth, &pv) != (lines[0].depth, &lines[0].pv)
        }) {
            lines.iter().cloned().for_each(report);
        }
        let pv = &lines[0].pv;
        Ok(Verdict { best: pv[0], ponder: pv.get(1).copied(), lines })
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.clear_hash();
        for own in &mut self.experience {
            own.clear();
        }
        Ok(())
    }
}
