//! Tuning by self-play: simultaneous perturbation stochastic approximation (SPSA).
//!
//! All parameters are perturbed at once, each up or down at random; the engine plays a pair of
//! games against itself with the opposite perturbation, and every parameter takes a small step
//! towards the winner. Over thousands of pairs noise cancels out, and what helps remains.

use std::sync::Mutex;
use std::thread;

use engine::{Dice, Param, Params, Stop, search_thread};
use game::GameResult;
use serde::{Deserialize, Serialize};

use crate::adjudication::Adjudication;
use crate::openings::OpeningSuite;
use crate::tournament::{
    Contestant, Control, Ending, Fault, Kind, RunningEngine, Table, Unfinished,
};

/// What to tune and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The parameters, by name.
    pub params: Vec<Param>,
    /// Total number of game pairs; steps shrink towards the end.
    pub pairs: u64,
    /// The final perturbation of each parameter (c), as a fraction of its range.
    pub last_shift: f64,
    /// The final step, as a fraction of the perturbation (the ratio R).
    pub last_step: f64,
    /// Where the games start.
    pub openings: OpeningSuite,
    /// How long the engine may think.
    pub control: Control,
    /// Concurrent pairs.
    pub concurrency: usize,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Other options of the engine.
    pub options: Vec<(String, String)>,
    /// Seed of the perturbations.
    pub seed: u64,
}

/// The state of a tuning run, enough to resume it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Name and value of each parameter, not rounded.
    pub values: Vec<(String, f64)>,
    /// Pairs played.
    pub pairs: u64,
    /// Number of the next pair; stopped pairs are not repeated.
    pub next: u64,
}

/// Why tuning failed.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// Unknown parameter.
    #[error("unknown search parameter `{0}`")]
    UnknownParam(String),
    /// Shift or step is out of range.
    #[error("shift and step must be more than 0 and at most 1")]
    Gains,
    /// The saved parameters are not those of the plan.
    #[error("the saved state has other parameters: {0}")]
    OtherParams(String),
    /// The engine can't play.
    #[error("{0}")]
    Engine(String),
    /// The system can't start as many threads.
    #[error("can't start a thread: {0}")]
    Thread(std::io::Error),
}

impl Plan {
    /// The state before the first game.
    pub fn start(&self) -> State {
        let value = |param: &Param| (param.name.to_owned(), f64::from(param.default));
        State { values: self.params.iter().map(value).collect(), pairs: 0, next: 0 }
    }

    /// Perturbation and step of a parameter for a pair, numbered from 0.
    fn gains(&self, param: &Param, pair: u64) -> (f64, f64) {
        // The commonly recommended exponents (gamma and alpha).
        const SHIFT: f64 = 0.101;
        const STEP: f64 = 0.602;
        let (now, all) = (pair as f64 + 1.0, self.pairs as f64);
        // The stability constant (A).
        let delay = 0.1 * all;
        let last_shift = self.last_shift * f64::from(param.max - param.min);
        let shift = last_shift * (all / now).powf(SHIFT);
        let last_step = self.last_step * last_shift * last_shift;
        let step = last_step * ((delay + all) / (delay + now)).powf(STEP);
        (shift, step / shift)
    }

    /// Plays until all pairs are played or `stop` is set; `tell` is called after each pair.
    pub fn run(
        &self,
        state: State,
        stop: &Stop,
        tell: &(dyn Fn(&State) + Sync),
    ) -> Result<State, SpsaError> {
        let names = |state: &State| {
            state.values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>().join(", ")
        };
        if names(&state) != names(&self.start()) {
            return Err(SpsaError::OtherParams(names(&state)));
        }
        if ![self.last_shift, self.last_step].iter().all(|&gain| gain > 0.0 && gain <= 1.0) {
            return Err(SpsaError::Gains);
        }
        // The number of pairs in progress, and the state after all finished ones.
        let shared = Mutex::new((0, state));
        let failed = Mutex::new(None);
        let fail = |error| {
            *failed.lock().expect("no panic while locked") = Some(error);
            stop.stop();
        };
        let work = || {
            if let Err(error) = self.work(&shared, stop, tell) {
                fail(error);
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                if let Err(error) = search_thread("spsa").spawn_scoped(scope, work) {
                    fail(SpsaError::Thread(error));
                    return;
                }
            }
        });
        match failed.into_inner().expect("no panic while locked") {
            Some(error) => Err(error),
            None => Ok(shared.into_inner().expect("no panic while locked").1),
        }
    }

    fn work(
        &self,
        shared: &Mutex<(u64, State)>,
        stop: &Stop,
        tell: &(dyn Fn(&State) + Sync),
    ) -> Result<(), SpsaError> {
        loop {
            let (pair, values) = {
                let mut shared = shared.lock().expect("no panic while locked");
                if stop.is_stopped() || shared.1.pairs + shared.0 >= self.pairs {
                    return Ok(());
                }
                shared.0 += 1;
                shared.1.next += 1;
                (shared.1.next - 1, shared.1.values.clone())
            };
            let mut dice = Dice::stream(self.seed, pair);
            let signs: Vec<f64> =
                self.params.iter().map(|_| if dice.roll() & 1 == 0 { 1.0 } else { -1.0 }).collect();
            let shifted = |direction: f64, dice: &mut Dice| -> Vec<i32> {
                let shifts = self.params.iter().zip(&values).zip(&signs);
                shifts
                    .map(|((param, (_, value)), sign)| {
                        let (shift, _) = self.gains(param, pair);
                        let value = value + direction * sign * shift;
                        // Stochastic rounding, so that small perturbations count, too.
                        let chance = dice.below(1 << 20) as f64 / f64::from(1 << 20);
                        ((value + chance).floor() as i32).clamp(param.min, param.max)
                    })
                    .collect()
            };
            let sides = [shifted(1.0, &mut dice), shifted(-1.0, &mut dice)];
            let Some(won) = self.play_pair(pair, &sides, stop)? else { return Ok(()) };
            let mut shared = shared.lock().expect("no panic while locked");
            shared.0 -= 1;
            let state = &mut shared.1;
            for ((param, (_, value)), sign) in self.params.iter().zip(&mut state.values).zip(&signs)
            {
                let (_, gain) = self.gains(param, pair);
                *value =
                    (*value + gain * won * sign).clamp(f64::from(param.min), f64::from(param.max));
            }
            state.pairs += 1;
            tell(state);
        }
    }

    /// Wins minus losses of the first side; `None` if stopped.
    fn play_pair(
        &self,
        pair: u64,
        sides: &[Vec<i32>; 2],
        stop: &Stop,
    ) -> Result<Option<f64>, SpsaError> {
        let contestants = [("plus", &sides[0]), ("minus", &sides[1])].map(|(name, values)| {
            let params = self.params.iter().zip(values);
            let mut options = self.options.clone();
            options.extend(params.map(|(param, value)| (param.name.to_owned(), value.to_string())));
            let control = self.control.clone();
            Contestant { name: name.to_owned(), kind: Kind::Own, options, control }
        });
        let [mut plus, mut minus] = {
            let [plus, minus] = &contestants;
            let start = |contestant| RunningEngine::start(contestant).map_err(SpsaError::Engine);
            [start(plus)?, start(minus)?]
        };
        let table = Table {
            adjudication: self.adjudication,
            margin: std::time::Duration::ZERO,
            tablebases: None,
            stop,
        };
        let opening = self.openings.of_round(pair as usize);
        let [a, b] = &contestants;
        let mut won = 0.0;
        for plus_is_white in [true, false] {
            for engine in [&mut plus, &mut minus] {
                engine.new_game().map_err(SpsaError::Engine)?;
            }
            let game = if plus_is_white {
                table.play(opening, [a, b], [&mut plus, &mut minus])
            } else {
                table.play(opening, [b, a], [&mut minus, &mut plus])
            };
            let ending = match game {
                Ok(played) => played.ending,
                Err(Unfinished::Stopped) => return Ok(None),
                Err(Unfinished::Unable(text)) => return Err(SpsaError::Engine(text)),
            };
            // Time that ran out is a loss like any other; other faults tell nothing about the
            // parameters.
            if let Ending::Fault { fault, text, .. } = &ending
                && *fault != Fault::TimeLoss
            {
                return Err(SpsaError::Engine(text.clone()));
            }
            let for_white = match ending.result() {
                GameResult::WhiteWins => 1.0,
                GameResult::BlackWins => -1.0,
                GameResult::Draw | GameResult::Unknown => 0.0,
            };
            won += if plus_is_white { for_white } else { -for_white };
        }
        Ok(Some(won))
    }
}

/// The parameters matching a list of names; a name ending in `*` matches a prefix.
pub fn select(names: &[String]) -> Result<Vec<Param>, SpsaError> {
    let mut chosen: Vec<Param> = Vec::new();
    for name in names {
        let fits = |param: &&Param| match name.strip_suffix('*') {
            Some(beginning) => param.name.starts_with(beginning),
            None => param.name == name,
        };
        let mut found = Params::TABLE.iter().filter(fits).copied().peekable();
        if found.peek().is_none() {
            return Err(SpsaError::UnknownParam(name.clone()));
        }
        chosen.extend(found);
    }
    chosen.sort_by_key(|param| param.name);
    chosen.dedup_by_key(|param| param.name);
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(names: &[&str], pairs: u64) -> Plan {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Plan {
            params: select(&names).expect("known names"),
            pairs,
            last_shift: 0.1,
            last_step: 0.5,
            openings: OpeningSuite::default(),
            control: Control { nodes: Some(60), ..Control::default() },
            concurrency: 2,
            adjudication: Adjudication { max_plies: Some(60), ..Adjudication::default() },
            options: vec![("Hash".to_owned(), "1".to_owned())],
            seed: 1,
        }
    }

    #[test]
    fn names_and_beginnings_select_parameters() {
        let names = |list: &[&str]| {
            let list: Vec<String> = list.iter().map(|&name| name.to_owned()).collect();
            let params = select(&list)?;
            Ok::<_, SpsaError>(params.iter().map(|param| param.name).collect::<Vec<_>>())
        };
        let razor = ["razor_depth", "razor_margin", "razor_slope"];
        assert_eq!(names(&["razor_*", "razor_margin"]).expect("known"), razor);
        let error = names(&["razr_*"]).expect_err("unknown").to_string();
        assert_eq!(error, "unknown search parameter `razr_*`");
    }

    #[test]
    fn shifts_and_steps_shrink_to_the_last_ones() {
        let plan = plan(&["rfp_margin"], 1000);
        let param = plan.params[0];
        let gains: Vec<(f64, f64)> = [0, 100, 999].map(|pair| plan.gains(&param, pair)).to_vec();
        assert!(gains.is_sorted_by(|early, late| early.0 > late.0));
        let last = 0.1 * f64::from(param.max - param.min);
        assert!((gains[2].0 - last).abs() < 1e-9);
        assert!((gains[2].1 - 0.5 * last).abs() < 1e-9);
    }

    #[test]
    fn a_tuning_moves_the_values_within_their_ranges_and_goes_on() {
        let plan = plan(&["rfp_*", "lmr_base"], 6);
        let stop = Stop::new();
        let told = Mutex::new(0);
        let half = Plan { pairs: 3, ..plan.clone() };
        let state = half
            .run(plan.start(), &stop, &|_| *told.lock().expect("sound") += 1)
            .expect("the engine plays");
        assert_eq!((state.pairs, told.into_inner().expect("sound")), (3, 3));
        let state = plan.run(state, &stop, &|_| {}).expect("it goes on");
        assert_eq!(state.pairs, 6);
        for (param, (name, value)) in plan.params.iter().zip(&state.values) {
            assert_eq!(param.name, name);
            assert!((f64::from(param.min)..=f64::from(param.max)).contains(value));
        }
        let other = State { values: vec![("x".to_owned(), 0.0)], pairs: 0, next: 0 };
        assert!(matches!(plan.run(other, &stop, &|_| {}), Err(SpsaError::OtherParams(_))));
        for (last_shift, last_step) in [(0.0, 0.1), (0.1, f64::NAN), (2.0, 0.1)] {
            let lost = Plan { last_shift, last_step, ..plan.clone() };
            let error = lost.run(lost.start(), &stop, &|_| {});
            assert!(matches!(error, Err(SpsaError::Gains)));
        }
    }

    #[test]
    fn who_runs_out_of_time_has_lost() {
        let control =
            Control { clock: Some("0.05+0".parse().expect("a clock")), ..Control::default() };
        let options = [("Hash", "1"), ("nodestime", "1")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let plan = Plan { control, options, ..plan(&["time_share"], 2) };
        let state = plan.run(plan.start(), &Stop::new(), &|_| {}).expect("no fault");
        assert_eq!(state.pairs, 2);
    }
}
