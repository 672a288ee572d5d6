//! The transposition table.
//!
//! Threads share it without locks. An entry is one word of data and 16 bits of the position's key,
//! three to a cluster of 32 bytes. The key bits are combined with the data by XOR, so that a torn
//! write is recognised and discarded. What remains is the chance that another position has the same
//! bits: moves are checked before they are made.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering};
use std::thread::Builder;

use chess::Move;

use super::value::Value;
use crate::memory::{Huge, Zeroable, prefetch};

/// How a stored value relates to the true one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// No search: only the evaluation is known.
    None,
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// The true value.
    Exact,
}

impl Bound {
    const ALL: [Self; 4] = [Self::None, Self::Upper, Self::Lower, Self::Exact];

    /// Whether it is a lower bound or exact.
    pub(crate) const fn is_lower(self) -> bool {
        self as u8 & Self::Lower as u8 != 0
    }

    /// Whether it is an upper bound or exact.
    pub(crate) const fn is_upper(self) -> bool {
        self as u8 & Self::Upper as u8 != 0
    }
}

/// The entry of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) m: Option<Move>,
    pub(crate) value: Value,
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// The position is or was on the principal variation ("ttPv").
    pub(crate) pv: bool,
}

/// Added to stored depths, so that quiescence entries are positive, too.
const DEPTH_OFFSET: i32 = 8;
/// Generations count modulo 32.
const GENERATIONS: u8 = 32;

impl Entry {
    /// The depth of an entry with an evaluation only: the smallest that can be stored.
    pub(crate) const UNSEARCHED: i32 = 1 - DEPTH_OFFSET;

    /// Whether the true value is known to be outside a window.
    #[inline]
    pub(crate) const fn is_beyond(&self, alpha: Value, beta: Value) -> bool {
        if self.value >= beta {
            self.bound.is_lower()
        } else {
            self.value <= alpha && self.bound.is_upper()
        }
    }

    fn pack(self, generation: u8) -> u64 {
        let m = self.m.map_or(0, Move::to_bits);
        u64::from(m)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from((self.depth + DEPTH_OFFSET).clamp(1, 255) as u8) << 48
            | u64::from(self.bound as u8 | u8::from(self.pv) << 2 | generation << 3) << 56
    }

    fn unpack(data: u64) -> Self {
        let flags = (data >> 56) as u8;
        Self {
            m: Move::from_bits(data as u16),
            value: Value::from((data >> 16) as i16),
            eval: Value::from((data >> 32) as i16),
            depth: stored_depth(data),
            bound: Bound::ALL[usize::from(flags & 3)],
            pv: flags & 4 != 0,
        }
    }
}

const fn stored_depth(data: u64) -> i32 {
    (data >> 48) as u8 as i32 - DEPTH_OFFSET
}

const fn stored_generation(data: u64) -> u8 {
    (data >> 59) as u8
}

const SLOTS: usize = 3;
/// Clusters that tell how full a table is: about a thousand entries.
const SAMPLE: usize = 1_000 / SLOTS + 1;

/// Half a cache line.
#[derive(Debug, Default)]
#[repr(C, align(32))]
struct Cluster {
    data: [AtomicU64; SLOTS],
    keys: [AtomicU16; SLOTS],
    _rest: u16,
}

const _: () = assert!(size_of::<Cluster>() == 32);

// SAFETY: a cluster is integers and atomic integers; zero is an empty one, and none needs a drop.
#[expect(unsafe_code, reason = "zeroed memory from the system is taken as it is")]
unsafe impl Zeroable for Cluster {}

/// The shared table.
#[derive(Debug)]
pub(crate) struct Table {
    clusters: Huge<Cluster>,
    generation: AtomicU8,
}

impl Table {
    /// A table of this many MiB; `None` if there is not enough memory.
    pub(crate) fn new(mebibytes: usize) -> Option<Self> {
        Self::with_clusters(mebibytes.checked_mul((1 << 20) / size_of::<Cluster>())?)
    }

    pub(crate) fn with_clusters(clusters: usize) -> Option<Self> {
        Some(Self { clusters: Huge::zeroed(clusters)?, generation: AtomicU8::new(0) })
    }

    /// Clears the table, using up to `threads` threads.
    pub(crate) fn clear(&self, threads: usize) {
        let chunk = self.clusters.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for clusters in self.clusters.chunks(chunk).skip(1) {
                let helper = Builder::new().spawn_scoped(scope, move || wipe(clusters));
                if helper.is_err() {
                    wipe(clusters);
                }
            }
            wipe(&self.clusters[..chunk]);
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new search: entries of older ones are replaced first.
    pub(crate) fn new_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The high bits of the key select the cluster, the low ones distinguish positions in it.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[scale(key, self.clusters.len())]
    }

    /// Prefetches the position's cluster.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// Loads the position's cluster, where it can't be prefetched.
    #[cfg(target_arch = "wasm32")]
    #[inline]
    pub(crate) fn touch(&self, key: u64) {
        crate::memory::touch(self.cluster(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        (0..SLOTS).find_map(|slot| {
            let data = cluster.data[slot].load(Ordering::Relaxed);
            let mark = cluster.keys[slot].load(Ordering::Relaxed);
            (data != 0 && mark == sign(key, data)).then(|| Entry::unpack(data))
        })
    }

    /// Stores a result. It replaces the least useful entry of the cluster: a shallow or an old one.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        for slot in 0..SLOTS {
            let data = cluster.data[slot].load(Ordering::Relaxed);
            if data == 0 {
                victim = slot;
                break;
            }
            if cluster.keys[slot].load(Ordering::Relaxed) == sign(key, data) {
                if entry.m.is_none() {
                    entry.m = Move::from_bits(data as u16);
                }
                // A deeper result of this search is worth more than a new shallow bound.
                let deeper = stored_depth(data) - 4 >= entry.depth + 2 * i32::from(entry.pv);
                let fresh = stored_generation(data) == generation;
                if entry.bound != Bound::Exact && deeper && fresh {
                    return;
                }
                victim = slot;
                break;
            }
            let age = (GENERATIONS + generation - stored_generation(data)) % GENERATIONS;
            let worth = stored_depth(data) - 8 * i32::from(age);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        let data = entry.pack(generation);
        cluster.data[victim].store(data, Ordering::Relaxed);
        cluster.keys[victim].store(sign(key, data), Ordering::Relaxed);
    }

    /// How many entries of a sample are from this search, in per mille.
    pub(crate) fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(SAMPLE)];
        let used: usize = sample
            .iter()
            .flat_map(|cluster| &cluster.data)
            .map(|data| data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && stored_generation(data) == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }
}

/// `key * len / 2^64`, so that keys spread evenly over any number of clusters.
#[cfg(target_pointer_width = "64")]
#[inline]
const fn scale(key: u64, len: usize) -> usize {
    ((key as u128 * len as u128) >> 64) as usize
}

/// The same in two multiplications of 64 bits, where 128 would be a function call.
#[cfg(any(test, not(target_pointer_width = "64")))]
#[inline]
const fn scale_in_halves(key: u64, len: u32) -> usize {
    let (high, low, len) = (key >> 32, key & 0xFFFF_FFFF, len as u64);
    ((high * len + ((low * len) >> 32)) >> 32) as usize
}

#[cfg(not(target_pointer_width = "64"))]
#[inline]
const fn scale(key: u64, len: usize) -> usize {
    scale_in_halves(key, len as u32)
}

/// The key's low bits combined by XOR with the data they belong to.
#[inline]
const fn sign(key: u64, data: u64) -> u16 {
    (key ^ data ^ data >> 16 ^ data >> 32 ^ data >> 48) as u16
}

fn wipe(clusters: &[Cluster]) {
    for cluster in clusters {
        for data in &cluster.data {
            data.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::{MoveKind, Square};

    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry {
            m: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
            value: -123,
            eval: 45,
            depth,
            bound: Bound::Exact,
            pv: true,
        }
    }

    #[test]
    fn an_entry_survives_packing() {
        for depth in [Entry::UNSEARCHED, 0, 1, 240] {
            for bound in Bound::ALL {
                for m in [None, entry(0).m] {
                    let entry = Entry { bound, m, value: -31_999, eval: 31_999, ..entry(depth) };
                    for generation in [0, GENERATIONS - 1] {
                        let data = entry.pack(generation);
                        assert_eq!(Entry::unpack(data), entry);
                        assert_eq!(stored_generation(data), generation);
                    }
                }
            }
        }
    }

    #[test]
    fn a_bound_decides_only_on_its_own_side_of_the_window() {
        let beyond = |value, bound| Entry { value, bound, ..entry(5) }.is_beyond(0, 10);
        for (bound, low, high) in [
            (Bound::None, false, false),
            (Bound::Upper, true, false),
            (Bound::Lower, false, true),
            (Bound::Exact, true, true),
        ] {
            assert_eq!((beyond(0, bound), beyond(10, bound)), (low, high), "{bound:?}");
            assert!(!beyond(1, bound) && !beyond(9, bound));
        }
    }

    #[test]
    fn both_ways_to_scale_a_key_agree() {
        let mut dice = crate::Dice::new(5);
        for _ in 0..100_000 {
            let (key, len) = (dice.roll(), dice.roll() as u32 >> (dice.roll() % 32));
            for key in [key, u64::MAX, 0, key | 0xFFFF_FFFF] {
                assert_eq!(scale(key, len as usize), scale_in_halves(key, len), "{key} {len}");
            }
        }
    }

    #[test]
    fn what_is_stored_is_found_and_cleared() {
        let table = Table::with_clusters(64).expect("a little memory");
        assert_eq!(table.probe(42), None);
        table.store(42, entry(5));
        assert_eq!(table.probe(42), Some(entry(5)));
        table.clear(2);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let table = Table::with_clusters(64).expect("a little memory");
        table.store(42, entry(5));
        let other = entry(6).pack(0);
        table.cluster(42).data[0].store(other, Ordering::Relaxed);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn old_and_shallow_entries_make_room() {
        let table = Table::with_clusters(64).expect("a little memory");
        // Keys of one cluster differ only in the low bits.
        table.store(1, entry(20));
        table.new_search();
        table.store(2, entry(9));
        table.store(3, entry(10));
        table.store(4, entry(1));
        assert!(table.probe(1).is_some(), "an old deep entry outlives a shallow one");
        assert!(table.probe(2).is_none() && table.probe(4).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        table.store(5, entry(1));
        assert!(table.probe(4).is_none(), "age and depth count together");
    }

    #[test]
    fn threads_share_it_without_tearing() {
        // Few clusters and many writers; the evaluation tells which key an entry was made for. Miri
        // inspects the whole table at each access, so a large one would take hours.
        let table = Table::with_clusters(8).expect("a little memory");
        let rounds = if cfg!(miri) { 200 } else { 20_000_u64 };
        let key = |n: u64| ((n % 7) << 61) | ((((n % 11) * 0x9E37_79B9) >> 16) & 0xFFFF);
        let eval = |n: u64| ((n % 7) * 1_237 + (n % 11) * 7_919) as Value % 30_000;
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for n in 0..rounds {
                        table.store(key(n), Entry { eval: eval(n), ..entry(thread) });
                        if let Some(found) = table.probe(key(n)) {
                            assert_eq!(found.eval, eval(n));
                        }
                    }
                });
            }
        });
    }
}
