//! Arguments shared by several commands.

use std::error::Error;
use std::fmt::{self, Display};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::thread::available_parallelism;
use std::time::Duration;

use engine::{Options, Question};

/// A mistake in the command line that only shows when the command looks at it; the exit code is 2.
#[derive(Debug)]
pub struct Usage(pub String);

impl Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Usage {}

/// Fails with a [`Usage`].
pub fn misuse<T>(text: impl Into<String>) -> anyhow::Result<T> {
    Err(Usage(text.into()).into())
}

/// Size of a hash table in MiB.
pub fn hash(text: &str) -> Result<usize, String> {
    number(text, &Options::HASH)
}

/// Number of search threads.
pub fn threads(text: &str) -> Result<usize, String> {
    number(text, &Options::THREADS)
}

/// Number of worker threads; 0 for one per core.
pub fn threads_or_cores(text: &str) -> Result<usize, String> {
    number(text, &(0..=*Options::THREADS.end()))
}

/// Node limit of a search.
pub fn nodes(text: &str) -> Result<u64, String> {
    number(text, &(1..=u64::MAX))
}

/// Depth limit of a search.
pub fn depth(text: &str) -> Result<u32, String> {
    number(text, &(1..=u32::MAX))
}

/// Time limit of a search in milliseconds, at most a day.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    number(text, &(1..=86_400_000))
}

/// Time limit of a search in seconds, at most a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    number(text, &(0.001..=86_400.0)).map(Duration::from_secs_f64)
}

/// Number of lines of an analysis.
pub fn lines(text: &str) -> Result<usize, String> {
    number(text, &Question::LINES)
}

/// Port to listen on; 0 for any free one.
#[cfg(feature = "server")]
pub fn port(text: &str) -> Result<u16, String> {
    number(text, &(0..=u16::MAX))
}

fn number<T: FromStr + PartialOrd + Display>(
    text: &str,
    range: &RangeInclusive<T>,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("allowed are {} to {}", range.start(), range.end()))
}

/// This many threads, or one per core for zero.
pub fn per_core(threads: usize) -> NonZeroUsize {
    NonZeroUsize::new(threads)
        .unwrap_or_else(|| available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused_with_the_range() {
        assert_eq!(hash("64"), Ok(64));
        for text in ["0", "-1", "x", "99999999"] {
            assert_eq!(hash(text), Err("allowed are 1 to 1048576".to_owned()));
        }
        assert_eq!(threads("513"), Err("allowed are 1 to 512".to_owned()));
        assert_eq!(threads_or_cores("0"), Ok(0));
        assert_eq!(threads_or_cores("513"), Err("allowed are 0 to 512".to_owned()));
        assert_eq!(milliseconds("0"), Err("allowed are 1 to 86400000".to_owned()));
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("NaN"), Err("allowed are 0.001 to 86400".to_owned()));
        assert_eq!(per_core(3).get(), 3);
    }
}
