//! Turns sorted postings into pages of the index.

use crate::layout::{Layout, Pages};
use crate::shared::{Run, SharedPages};
use crate::single::SinglePages;

/// The index of a range of keys.
#[derive(Debug, Default)]
pub(super) struct Indexed {
    pub(super) single: Pages,
    pub(super) shared: Pages,
    pub(super) singles: u64,
    pub(super) shared_keys: u64,
}

/// Indexes sorted postings (`key << 40 | game << 8 | move`) with all keys whose top byte is in a
/// range.
pub(super) fn index(postings: &[u128], bytes: std::ops::Range<u64>, layout: Layout) -> Indexed {
    let pages = |bits: u32| {
        let page = |byte: u64| if bits >= 8 { byte << (bits - 8) } else { byte >> (8 - bits) };
        page(bytes.start)..page(bytes.end).max(page(bytes.start) + 1)
    };
    let mut single = SinglePages::new(layout, pages(layout.single_bits));
    let mut shared = SharedPages::new(layout, pages(layout.shared_bits));
    let mut counts = (0, 0);
    let mut runs: Vec<Run> = Vec::new();
    for same in postings.chunk_by(|a, b| a >> 40 == b >> 40) {
        let key = (same[0] >> 40) as u64;
        if let [posting] = same {
            single.add(key, (posting >> 8) as u32);
            counts.0 += 1;
            continue;
        }
        runs.clear();
        for posting in same {
            let (game, played) = ((posting >> 8) as u32, *posting as u8);
            match runs.last_mut() {
                Some(run) if run.end() == game && run.played == played => run.len += 1,
                _ => runs.push(Run { start: game, len: 1, played }),
            }
        }
        shared.add(key, &runs);
        counts.1 += 1;
    }
    Indexed {
        single: single.finish(),
        shared: shared.finish(),
        singles: counts.0,
        shared_keys: counts.1,
    }
}
