//! Who reviews: the name of our engine in reports, its settings, and how two engines are compared.

use engine::{Engine, OpeningBook, Options, Stop, bench};

use crate::GameReport;

/// The depth of the bench that tells engines apart: a tenth of a second.
const DEPTH: u32 = 8;

/// What our engine is called in reports, by the checksum of its network. Reports by the same name
/// and with the same nodes are the same on every machine.
pub fn own_name(net: u32) -> String {
    format!("Riga {} (network {net:08x})", env!("CARGO_PKG_VERSION"))
}

/// The settings of our engine for reviews.
pub fn own_options() -> Options {
    Options { book: OpeningBook::None, ..Options::default() }
}

/// A node count that differs if an engine searches differently, whatever it is called.
pub fn own_bench(engine: &mut Engine) -> u64 {
    bench::run_on(engine, DEPTH, &Stop::new(), |_, _| {}).nodes
}

impl GameReport {
    /// Identifies engine, network and settings: reports of a game with the same fingerprint are the
    /// same.
    pub fn fingerprint(&self) -> String {
        let usual = fingerprint(&self.engine, self.nodes, self.mode);
        if self.steps.are_usual() { usual } else { format!("{usual}; steps {}", self.steps) }
    }
}

/// The fingerprint of a report that isn't made yet.
pub fn fingerprint(engine: &str, nodes: Option<u64>, mode: crate::Mode) -> String {
    let effort = nodes.map_or_else(|| "by time".to_owned(), |nodes| format!("{nodes} nodes"));
    format!("{engine}; {effort}; {mode}")
}
