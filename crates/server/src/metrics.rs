//! Prometheus metrics.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// Prometheus metrics.
pub(crate) struct Metrics {
    registry: Registry,
    pub requests: Family<Answered, Counter>,
    pub moves: Counter,
    /// Seconds from a player's message until the move is on disk and broadcast.
    pub move_seconds: Histogram,
    pub rooms: Gauge,
    pub connections: Gauge,
    pub searches: Counter,
    pub searches_waiting: Gauge,
    pub engine_panics: Counter,
    /// Reports of jobs that were stored, by the server's threads and by workers.
    pub reports: Counter,
    pub reports_refused: Counter,
    pub nodes: Counter<u64, AtomicU64>,
}

/// Labels of answered requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Answered {
    pub status: u16,
}

impl Metrics {
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("riga");
        let metrics = Self {
            requests: Family::default(),
            moves: Counter::default(),
            move_seconds: Histogram::new(exponential_buckets(0.001, 2.0, 12)),
            rooms: Gauge::default(),
            connections: Gauge::default(),
            searches: Counter::default(),
            searches_waiting: Gauge::default(),
            engine_panics: Counter::default(),
            reports: Counter::default(),
            reports_refused: Counter::default(),
            nodes: Counter::default(),
            registry: Registry::default(),
        };
        registry.register("http_requests", "Requests by status", metrics.requests.clone());
        registry.register("moves", "Moves played", metrics.moves.clone());
        registry.register(
            "move_seconds",
            "From a player's move until it is stored",
            metrics.move_seconds.clone(),
        );
        registry.register("rooms", "Open rooms", metrics.rooms.clone());
        registry.register("connections", "Open game sockets", metrics.connections.clone());
        registry.register("searches", "Searches started", metrics.searches.clone());
        registry.register(
            "searches_waiting",
            "Searches waiting for a thread",
            metrics.searches_waiting.clone(),
        );
        registry.register("engine_panics", "Searches that panicked", metrics.engine_panics.clone());
        registry.register("reports", "Jobs finished", metrics.reports.clone());
        registry.register(
            "reports_refused",
            "Workers' reports that were wrong",
            metrics.reports_refused.clone(),
        );
        registry.register("nodes", "Nodes searched", metrics.nodes.clone());
        Self { registry, ..metrics }
    }

    /// All metrics in the Prometheus text format.
    pub fn text(&self) -> String {
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("a string takes any text");
        text
    }
}
