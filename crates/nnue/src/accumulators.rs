//! The accumulators (first hidden layers) along a line of moves, each computed incrementally from
//! the one before, and only when needed.

use std::sync::Arc;

use chess::{Color, Move, Position};

use crate::cache::Cache;
use crate::delta::Delta;
use crate::features::View;
use crate::kernels::Kernel;
use crate::net::{Net, Row};

/// The accumulators of a position, possibly not computed yet.
#[derive(Clone, Debug)]
struct Layer {
    rows: [Row; 2],
    ready: [bool; 2],
    views: [View; 2],
    /// What the move to this position changed.
    delta: Delta,
}

/// Evaluates the positions of a line as moves are made and unmade.
#[derive(Clone, Debug)]
pub struct Accumulators {
    net: Arc<Net>,
    kernel: Kernel,
    layers: Vec<Layer>,
    /// The index of the current position.
    top: usize,
    cache: Cache,
}

impl Accumulators {
    /// For a network, at the standard start position.
    pub fn new(net: Arc<Net>) -> Self {
        let mut own = Self {
            cache: Cache::new(&net),
            net,
            kernel: Kernel::best(),
            layers: Vec::new(),
            top: 0,
        };
        own.start(&Position::default());
        own
    }

    /// The network.
    pub const fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// Uses another kernel, with the same results.
    pub fn set_kernel(&mut self, kernel: Kernel) {
        self.kernel = kernel;
    }

    /// Starts a line.
    pub fn start(&mut self, position: &Position) {
        self.top = 0;
        let views = Color::ALL.map(|color| View::new(color, position.king(color)));
        self.set(0, views, Delta::Nothing);
    }

    /// Makes a move that is legal in the current position.
    #[inline]
    pub fn play(&mut self, before: &Position, m: Move) {
        self.push(Delta::of(before, m));
    }

    /// Makes a null move.
    #[inline]
    pub fn pass(&mut self) {
        self.push(Delta::Nothing);
    }

    /// Unmakes a move or a null move.
    #[inline]
    pub fn undo(&mut self) {
        debug_assert!(self.top > 0, "there is a move to take back");
        self.top -= 1;
    }

    #[inline]
    fn push(&mut self, delta: Delta) {
        let mut views = self.layers[self.top].views;
        if let Some((king, square)) = delta.king() {
            views[king.color().index()] = View::new(king.color(), square);
        }
        self.top += 1;
        self.set(self.top, views, delta);
    }

    #[inline]
    fn set(&mut self, at: usize, views: [View; 2], delta: Delta) {
        if at == self.layers.len() {
            self.layers.push(Layer {
                rows: [Row::ZERO, Row::ZERO],
                ready: [false; 2],
                views,
                delta,
            });
        } else {
            let layer = &mut self.layers[at];
            (layer.ready, layer.views, layer.delta) = ([false; 2], views, delta);
        }
    }

    /// The evaluation of the current position, in centipawns for the side to move.
    ///
    /// `position` must be the one that the moves have led to.
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        for color in Color::ALL {
            self.make_ready(color, position);
        }
        let rows = &self.layers[self.top].rows;
        let us = position.turn();
        let hidden = [&rows[us.index()], &rows[(!us).index()]];
        self.net.value(self.kernel, hidden, position.occupied().count())
    }

    fn make_ready(&mut self, color: Color, position: &Position) {
        let side = color.index();
        let view = self.layers[self.top].views[side];
        let mut from = self.top;
        while !self.layers[from].ready[side] {
            if from == 0 || self.layers[from - 1].views[side] != view {
                // The king has changed its bucket, or this is the start.
                let layer = &mut self.layers[self.top];
                let row = &mut layer.rows[side];
                self.cache.refresh(&self.net, self.kernel, color, view, position, row);
                layer.ready[side] = true;
                return;
            }
            from -= 1;
        }
        for at in from + 1..=self.top {
            let (before, after) = self.layers.split_at_mut(at);
            update(&self.net, self.kernel, color, &before[at - 1], &mut after[0]);
        }
    }
}

/// Updates a side's accumulator from the previous one, which has the same view.
fn update(net: &Net, kernel: Kernel, color: Color, before: &Layer, after: &mut Layer) {
    let side = color.index();
    let view = after.views[side];
    let row = |(piece, square)| &net.inputs[view.input(piece, square)];
    let (from, to) = (&before.rows[side], &mut after.rows[side]);
    match after.delta {
        Delta::Nothing => to.clone_from(from),
        Delta::Shift { off, on } => kernel.shift(to, from, row(on), row(off)),
        Delta::Capture { off, victim, on } => {
            kernel.capture(to, from, row(on), [row(off), row(victim)]);
        }
        Delta::Castle { off, on } => kernel.castle(to, from, on.map(row), off.map(row)),
    }
    after.ready[side] = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_net;

    #[test]
    fn accumulators_agree_with_the_net_along_random_lines() {
        let net = Arc::new(random_net(4));
        let mut state = 7_u64;
        let mut roll = |sides: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % sides
        };
        for game in 0..60 {
            let mut accumulators = Accumulators::new(Arc::clone(&net));
            let kernels = Kernel::available();
            accumulators.set_kernel(kernels[game % kernels.len()]);
            let start = match game % 3 {
                0 => Position::default(),
                1 => Position::chess960(game as u16 * 13).expect("a number below 960"),
                _ => "r3k2r/P1p5/3p4/4pP2/8/8/p1P1P2P/R3K2R w KQkq e6 0 1".parse().expect("legal"),
            };
            accumulators.start(&start);
            let mut line = vec![start];
            for _ in 0..300 {
                let here = line.last().expect("never empty").clone();
                let moves = here.legal_moves();
                match roll(10) {
                    // Back a few plies, as a search does.
                    0 | 1 if line.len() > 1 => {
                        line.pop();
                        accumulators.undo();
                    }
                    2 if let Some(next) = here.after_null_move() => {
                        accumulators.pass();
                        line.push(next);
                    }
                    _ if moves.is_empty() => break,
                    _ => {
                        let m = moves[roll(moves.len())];
                        accumulators.play(&here, m);
                        line.push(here.after(m));
                    }
                }
                let here = line.last().expect("never empty");
                if roll(3) == 0 {
                    assert_eq!(accumulators.evaluate(here), net.evaluate(here), "{here}");
                }
            }
        }
    }
}
