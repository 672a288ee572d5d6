//! What a session needs from the engine it runs.

use std::ops::RangeInclusive;

use engine::bench::{self, Bench};
use engine::{Analyst, Engine, Options, Params, Stop};

/// An analyst with settings, which a [`Session`](crate::Session) drives. [`Engine`] is one; tests
/// bring their own.
pub trait Searcher: Analyst + Send + 'static {
    /// Applies the settings and returns messages for the user, such as a file that can't be read.
    fn set_options(&mut self, options: &Options) -> Vec<String>;

    /// The settings in effect, which may differ from those requested.
    fn options(&self) -> &Options;

    /// Clears the transposition table.
    fn clear_hash(&mut self);

    /// Messages for the user since the last call.
    fn take_messages(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Searches a fixed set of positions, optionally to a given depth; `each` receives the FEN and
    /// the nodes. `None` if there are no such positions.
    fn bench(
        &self,
        _depth: Option<u32>,
        _stop: &Stop,
        _each: &mut dyn FnMut(&str, u64),
    ) -> Option<Bench> {
        None
    }

    /// The search parameters, for tuners.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Sets a search parameter; the value is in its range.
    fn set_parameter(&mut self, _name: &str, _value: i64) {}
}

/// A search parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The default.
    pub default: i64,
    /// The range.
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

impl Searcher for Engine {
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
        // The name and the range come from the same table, so this can't fail.
        if params.set(name, value as i32).is_ok() {
            self.set_params(params);
        }
    }
}
