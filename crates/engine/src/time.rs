//! Time management.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Position;

use crate::{Clock, Clocks, Limits, Options, Params, Stop, Thinking};

/// If the next time control is further away than this, time is divided as if it were this far.
const MOST_MOVES_TO_GO: u32 = 50;

/// Moves added to those until the next time control, so that the last doesn't use up all the time.
const SPARE_MOVES: f64 = 0.5;

/// The most of the clock that is planned for a move, of what is not reserved.
const MOST_PLANNED: f64 = 0.7;

/// Keeps the time of one search, and counts its nodes.
#[derive(Debug)]
pub(crate) struct Timer {
    clock: Clock,
    start: Duration,
    /// Nodes of all threads together; each adds its share now and then.
    nodes: AtomicU64,
    /// Nodes that count as a millisecond ("nodestime"), instead of the clock's milliseconds: games
    /// are the same on every machine, however busy it is.
    node_time: Option<u64>,
    /// Soft limit: no new iteration after this, scaled by [`Stability`].
    soft: Option<Duration>,
    /// Hard limit: stop at once after this.
    hard: Option<Duration>,
    ponder: bool,
    minimum_depth: i32,
    params: Params,
}

/// The stability of the search's result, by which the soft limit is scaled.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Stability {
    /// Iterations in a row with the same best move.
    pub(crate) stable: u32,
    /// How far the score has fallen below that of earlier iterations, in centipawns.
    pub(crate) fall: i32,
    /// How far it has fallen below that of our last move.
    pub(crate) fall_since_last_move: i32,
    /// The share of nodes spent on the best move.
    pub(crate) share: f64,
}

impl Timer {
    pub(crate) fn new(
        limits: &Limits,
        options: &Options,
        params: &Params,
        position: &Position,
        clock: Clock,
    ) -> Self {
        let overhead = Duration::from_millis(options.move_overhead);
        let (soft, hard) = match limits.thinking {
            Thinking::Unlimited => (None, None),
            Thinking::MoveTime(time) => {
                // Only a part of the overhead: the caller asked for this time, not for less.
                let time = time.saturating_sub(overhead / 4).max(Duration::from_millis(1));
                (None, Some(time))
            }
            Thinking::Clock(clocks) => {
                let (soft, hard) = share(&clocks, position, overhead, params);
                (Some(soft), Some(hard))
            }
        };
        Self {
            clock,
            start: clock.now(),
            nodes: AtomicU64::new(0),
            node_time: Some(options.node_time).filter(|&nodes| nodes > 0),
            soft,
            hard,
            ponder: limits.ponder,
            minimum_depth: options.minimum_depth as i32,
            params: params.clone(),
        }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match self.node_time {
            Some(nodes) => Duration::from_micros(self.nodes().saturating_mul(1_000) / nodes),
            None => self.clock.now().saturating_sub(self.start),
        }
    }

    /// The nodes counted so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes; returns how many there are.
    pub(crate) fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes
    }

    /// Whether time counts: not while pondering.
    fn counts(&self, stop: &Stop) -> bool {
        !self.ponder || stop.is_ponder_hit()
    }

    /// Whether the search must end in the middle of an iteration.
    pub(crate) fn is_over(&self, depth: i32, stop: &Stop) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
            && depth > self.minimum_depth
            && self.counts(stop)
    }

    /// Whether another iteration is not worth its time.
    pub(crate) fn is_enough(&self, depth: i32, stability: &Stability, stop: &Stop) -> bool {
        let factor = stability.factor(&self.params);
        self.soft.is_some_and(|soft| self.elapsed().as_secs_f64() >= soft.as_secs_f64() * factor)
            && depth >= self.minimum_depth
            && self.counts(stop)
    }

    /// Whether the only legal move may be played: at once, unless pondering.
    pub(crate) fn is_enough_for_forced(&self, stop: &Stop) -> bool {
        self.counts(stop)
    }

    /// Whether the engine manages a clock's time itself.
    pub(crate) const fn divides_time(&self) -> bool {
        self.soft.is_some()
    }
}

impl Stability {
    /// The factor of the soft limit: a stable best move, a stable score and few nodes spent on
    /// other moves save time.
    fn factor(&self, p: &Params) -> f64 {
        let percent = |value: i32| f64::from(value) / 100.0;
        let stability =
            percent(p.time_stable) + percent(p.time_unstable) / f64::from(1 + self.stable);
        let fall = f64::from(self.fall) / f64::from(p.time_fall)
            + f64::from(self.fall_since_last_move) / f64::from(p.time_fall_since);
        let trend = 1.0 + fall.clamp(-percent(p.time_rise_most), percent(p.time_fall_most));
        let effort = (1.0 - self.share) * percent(p.time_effort) + percent(p.time_effort_base);
        stability * trend * effort
    }
}

/// The soft and hard limits for a move of a game.
fn share(
    clocks: &Clocks,
    position: &Position,
    overhead: Duration,
    p: &Params,
) -> (Duration, Duration) {
    let us = position.turn();
    let reserve =
        reserve(clocks.remaining(us), clocks.increment(us), clocks.moves_to_go, overhead, p);
    let left = clocks.remaining(us).saturating_sub(overhead + reserve).as_secs_f64().max(0.001);
    let increment = clocks.increment(us).as_secs_f64();
    let in_ten_thousand = |value: i32| f64::from(value) / 10_000.0;
    let share = if let Some(moves) = clocks.moves_to_go {
        1.0 / (f64::from(moves.clamp(1, MOST_MOVES_TO_GO)) + SPARE_MOVES)
    } else {
        // Without a next time control: less time for early moves, to save it for later.
        let fading = -in_ten_thousand(p.time_decay) * f64::from(position.fullmoves());
        in_ten_thousand(p.time_share) - in_ten_thousand(p.time_saved) * fading.exp()
    };
    let soft =
        (left * share + f64::from(p.time_increment) / 100.0 * increment).min(MOST_PLANNED * left);
    let most = f64::from(p.time_most) / 100.0 * soft;
    let hard = (f64::from(p.time_hard) / 100.0 * left).min(most);
    (Duration::from_secs_f64(soft), Duration::from_secs_f64(hard.max(soft)))
}

/// The time reserved for the overhead of later moves. Without an increment, even instant moves take
/// time, and nobody knows how long the game will be.
fn reserve(
    remaining: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    overhead: Duration,
    p: &Params,
) -> Duration {
    let unpaid = overhead.saturating_sub(increment);
    let moves = |param: i32| moves_to_go.unwrap_or(u32::MAX).min(param as u32);
    let least = unpaid * moves(p.time_reserve_least);
    (unpaid * moves(p.time_reserve)).min(least.max(remaining / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(left: u64, increment: u64, moves_to_go: Option<u32>) -> Clocks {
        Clocks {
            remaining: [Duration::from_millis(left); 2],
            increment: [Duration::from_millis(increment); 2],
            moves_to_go,
        }
    }

    #[test]
    fn the_limits_are_ordered_and_leave_time_on_the_clock() {
        for left in [0, 1, 5, 50, 100, 1_000, 60_000, 7_200_000] {
            for increment in [0, 10, 1_000, 60_000] {
                for moves in [None, Some(1), Some(2), Some(40)] {
                    let overhead = Duration::from_millis(20);
                    let clocks = clocks(left, increment, moves);
                    let (soft, hard) =
                        share(&clocks, &Position::default(), overhead, &Params::default());
                    assert!(soft <= hard, "{left} {increment} {moves:?}");
                    let most = Duration::from_millis(left.saturating_sub(20).max(1));
                    assert!(hard < most, "{left} {increment} {moves:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn the_clock_lasts_for_the_longest_games() {
        let p = Params::default();
        let latency = Duration::from_millis(1);
        for (left, increment) in [(10_000, 0), (1_000, 0), (1_000, 10), (4_000, 40)] {
            let mut clock = Duration::from_millis(left);
            for number in 1..=200 {
                let position = format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}").parse();
                let clocks = clocks(clock.as_millis() as u64, increment, None);
                let overhead = Duration::from_millis(20);
                let (soft, _) = share(&clocks, &position.expect("legal"), overhead, &p);
                let spent = soft.mul_f64(1.2) + latency;
                let rest = clock.checked_sub(spent).filter(|rest| !rest.is_zero());
                let rest = rest.unwrap_or_else(|| panic!("move {number} of {left}+{increment}"));
                clock = rest + Duration::from_millis(increment);
            }
        }
    }

    #[test]
    fn nodes_count_as_time_if_asked_for() {
        let limits = Limits::clocks(clocks(60_000, 0, None));
        let timer = |node_time| {
            let options = Options { node_time, ..Options::default() };
            Timer::new(&limits, &options, &Params::default(), &Position::default(), Clock::system())
        };
        let (by_nodes, by_clock) = (timer(250), timer(0));
        assert_eq!(by_nodes.elapsed(), Duration::ZERO);
        assert_eq!(by_nodes.count(1_000), 1_000);
        assert_eq!(by_nodes.count(250), 1_250);
        assert_eq!(by_nodes.elapsed(), Duration::from_millis(5));
        by_clock.count(u64::MAX / 2);
        assert!(by_clock.elapsed() < Duration::from_mins(1));
        let stop = Stop::new();
        assert!(!by_nodes.is_over(9, &stop));
        by_nodes.count(250 * 60_000);
        assert!(by_nodes.is_over(9, &stop) && !by_clock.is_over(9, &stop));
    }

    #[test]
    fn early_moves_get_less() {
        let at = |fen: &str| {
            let position = fen.parse().expect("legal");
            share(&clocks(60_000, 0, None), &position, Duration::ZERO, &Params::default()).0
        };
        let early = at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let late = at("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 40");
        assert!(early * 2 < late, "{early:?} {late:?}");
    }

    #[test]
    fn a_settled_search_is_quicker() {
        let p = Params::default();
        let settled = Stability { stable: 9, fall: -10, fall_since_last_move: -5, share: 0.95 };
        let torn = Stability { stable: 0, fall: 40, fall_since_last_move: 30, share: 0.3 };
        assert!(settled.factor(&p) < 0.6 && torn.factor(&p) > 2.0);
    }

    #[test]
    fn pondering_has_no_limit_until_the_move_is_played() {
        let limits = Limits { ponder: true, ..Limits::clocks(clocks(0, 0, None)) };
        let timer = Timer::new(
            &limits,
            &Options::default(),
            &Params::default(),
            &Position::default(),
            Clock::system(),
        );
        std::thread::sleep(Duration::from_millis(3));
        let stop = Stop::new();
        assert!(!timer.is_over(9, &stop));
        stop.ponder_hit();
        assert!(timer.is_over(9, &stop));
        assert!(!timer.is_over(1, &stop), "the minimum depth is always reached");
    }
}
