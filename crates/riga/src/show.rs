//! Formatting shared by several commands.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A number with thousands separators: `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, with the plural in `s`: `1 game`, `1,000 games`.
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", thousands(number), if number == 1 { "" } else { "s" })
}

/// A rate in millions per second.
pub fn millions_a_second(count: u64, time: Duration) -> f64 {
    count as f64 / 1e6 / time.as_secs_f64().max(1e-9)
}

/// A progress bar on standard error, shown if that is a terminal. The length may be unknown;
/// `template` is indicatif's.
pub fn progress(length: impl Into<Option<u64>>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length.into(), ProgressDrawTarget::stderr_with_hz(5));
    bar.set_style(ProgressStyle::with_template(template).expect("the templates are constants"));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_plural() {
        for (number, text) in [(0, "0 games"), (1, "1 game"), (1000, "1,000 games")] {
            assert_eq!(counted(number, "game"), text);
        }
    }

    #[test]
    fn thousands_are_set_apart() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(thousands(number), text);
        }
    }
}
