//! Writes weights as the engine's source file.

use std::fmt::Write;

use engine::eval::{TERMS, Weights};

const HEAD: &str = "\
//! The weights, in the order of `layout.rs`. Written by the tuner: change the numbers by
//! tuning, the terms in `layout.rs`.

use super::{Tapered, Weights};

const fn s(mg: i32, eg: i32) -> Tapered {
    Tapered::new(mg, eg)
}

/// The weights, in centipawns.
#[rustfmt::skip]
pub static WEIGHTS: Weights = [
";

/// Weights per line: the squares of a rank.
const PER_LINE: usize = 8;

/// The text of the engine's `weights.rs`.
pub fn weights_file(weights: &Weights) -> String {
    let mut text = HEAD.to_owned();
    for term in TERMS {
        let _ = writeln!(text, "    // {}", term.name);
        for line in weights[term.range()].chunks(PER_LINE) {
            let line: Vec<String> = line.iter().map(|weight| format!("{weight:?},")).collect();
            let _ = writeln!(text, "    {}", line.join(" "));
        }
    }
    text.push_str("];\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_in_use_render_to_their_own_file() {
        let file = include_str!("../../../engine/src/eval/weights.rs");
        assert_eq!(weights_file(&engine::eval::WEIGHTS), file);
    }
}
