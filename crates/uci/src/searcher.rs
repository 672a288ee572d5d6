//! What a session needs from the analyst it speaks for.

use std::ops::RangeInclusive;

use engine::bench::{self, Bench};
use engine::{Analyst, Engine, Options, Params, Stop};

/// An analyst that can be set up. [`Engine`] is one; tests bring their own.
pub trait Player: Analyst + Send + 'static {
    /// Changes the settings and returns what the user should know, such as a file that can't be
    /// read.
    fn set_options(&mut self, options: &Options) -> Vec<String>;

    /// The settings in force, which may be others than were asked for.
    fn options(&self) -> &Options;

    /// Forgets every position that was searched.
    fn clear_hash(&mut self);

    /// What the user should know since the last time it was asked for.
    fn take_messages(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Searches known positions, to a depth if it is given; `each` is told the FEN and the nodes.
    /// Nothing if the player has no such positions.
    fn bench(
        &self,
        _depth: Option<u32>,
        _stop: &Stop,
        _each: &mut dyn FnMut(&str, u64),
    ) -> Option<Bench> {
        None
    }

    /// The numbers inside the search that a tuner may change.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Changes such a number; the value is in its range.
    fn set_parameter(&mut self, _name: &str, _value: i64) {}
}

/// A number inside the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is if nobody changes it.
    pub default: i64,
    /// What it may be.
    pub range: RangeInclusive<i64>,
}

impl Parameter {
    /// The line that declares it as a UCI option.
    pub(crate) fn declaration(&self) -> String {
        let Self { name, default, range } = self;
        let (start, end) = (range.start(), range.end());
        format!("option name {name} type spin default {default} min {start} max {end}")
    }
}

impl Player for Engine {
    fn set_options(&mut self, options: &Options) -> Vec<String> {
        Self::set_options(self, options.clone())
    }

    fn options(&self) -> &Options {
        Self::options(self)
    }

    fn clear_hash(&mut self) {
        Self::clear_hash(self);
    }

    fn take_messages(&mut self) -> Vec<String> {
        Self::take_messages(self)
    }

    fn bench(
        &self,
        depth: Option<u32>,
        stop: &Stop,
        each: &mut dyn FnMut(&str, u64),
    ) -> Option<Bench> {
        let depth = depth.unwrap_or(bench::DEPTH);
        Some(bench::run(self.options(), self.params(), depth, stop, each))
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |param: &engine::Param| Parameter {
            name: param.name.to_owned(),
            default: param.default.into(),
            range: param.min.into()..=param.max.into(),
        };
        Params::TABLE.iter().map(parameter).collect()
    }

    fn set_parameter(&mut self, name: &str, value: i64) {
        let mut params = self.params().clone();
        // The name and the range come from the same table, so that nothing is refused here.
        if params.set(name, value as i32).is_ok() {
            self.set_params(params);
        }
    }
}
