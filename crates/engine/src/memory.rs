//! Large zeroed memory, on huge pages if the system has them.
//!
//! A transposition table is read at random: with 4 KiB pages nearly every probe also misses the
//! TLB. History tables are smaller but read more often.

use std::alloc::{Layout, alloc, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Types for which all bytes zero is a valid value, and that need no drop.
///
/// # Safety
/// The implementor guarantees both.
#[expect(unsafe_code, reason = "a promise about memory that the compiler can't check")]
pub(crate) unsafe trait Zeroable: Sync {}

// SAFETY: zero is an integer, and integers need no drop.
#[expect(unsafe_code, reason = "a promise about memory that the compiler can't check")]
unsafe impl Zeroable for i16 {}
// SAFETY: an array of zeroed elements is zeroed, and drops nothing but its elements.
#[expect(unsafe_code, reason = "a promise about memory that the compiler can't check")]
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}

/// A slice of zeroed `T`, on huge pages if it is large.
#[derive(Debug)]
pub(crate) struct Huge<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
}

/// The size of a huge page; elsewhere than on Linux nobody asks for one.
const HUGE_PAGE: usize = if cfg!(target_os = "linux") { 2 << 20 } else { 64 };
/// Memory of at least this size is worth a huge page, even if it doesn't fill it.
const LARGE: usize = 512 << 10;

// SAFETY: `Huge` owns its memory like a `Box<[T]>`.
#[expect(unsafe_code, reason = "an owned pointer is not Send by itself")]
unsafe impl<T: Zeroable + Send> Send for Huge<T> {}
// SAFETY: as above; `&Huge` hands out `&[T]`, and `T` is `Sync`.
#[expect(unsafe_code, reason = "an owned pointer is not Sync by itself")]
unsafe impl<T: Zeroable> Sync for Huge<T> {}

impl<T: Zeroable> Huge<T> {
    /// `len` zeroed elements, at least one; `None` if there is not enough memory.
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        let len = len.max(1);
        let layout = Self::layout(len)?;
        // SAFETY: the layout is not empty, since `len` is at least one and `T` has a size.
        #[expect(unsafe_code, reason = "aligned allocation")]
        let bytes = unsafe { alloc(layout) };
        let start = NonNull::new(bytes.cast::<T>())?;
        // The advice must come first: a page that has been touched keeps its size.
        advise_huge_pages(bytes, layout.size());
        // SAFETY: the allocation has this size, and there are no other references to it yet.
        #[expect(unsafe_code, reason = "memory from the system holds anything")]
        unsafe {
            bytes.write_bytes(0, layout.size());
        }
        Some(Self { start, len })
    }

    /// `None` if it doesn't fit the address space.
    fn layout(len: usize) -> Option<Layout> {
        const { assert!(size_of::<T>() > 0) };
        let exact = Layout::array::<T>(len).ok()?;
        let align = if exact.size() >= LARGE { HUGE_PAGE } else { 64 };
        Some(exact.align_to(align).ok()?.pad_to_align())
    }
}

impl<T: Zeroable> Deref for Huge<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` zeroed elements, zero is a valid `T` (`Zeroable`), and
        // the memory is freed only by `drop`.
        #[expect(unsafe_code, reason = "the owned allocation seen as a slice")]
        unsafe {
            std::slice::from_raw_parts(self.start.as_ptr(), self.len)
        }
    }
}

impl<T: Zeroable> DerefMut for Huge<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; `&mut self` guarantees exclusive access.
        #[expect(unsafe_code, reason = "the owned allocation seen as a slice")]
        unsafe {
            std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len)
        }
    }
}

impl<T: Zeroable> Drop for Huge<T> {
    fn drop(&mut self) {
        // SAFETY: allocated by `zeroed` with the same layout; `T` needs no drop (`Zeroable`).
        #[expect(unsafe_code, reason = "the counterpart of the allocation")]
        unsafe {
            let layout = Self::layout(self.len).expect("it was allocated with it");
            dealloc(self.start.as_ptr().cast(), layout);
        }
    }
}

/// Whether this much memory is available. Small allocations can't fail in Rust, they abort the
/// process: before many of them, check their sum.
pub(crate) fn is_room(bytes: usize) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let had = room.try_reserve_exact(bytes).is_ok();
    // Without this the compiler removes the allocation and returns true.
    std::hint::black_box(&mut room);
    had
}

/// Whether [`prefetch`] does anything: where it doesn't, there is no need to know the address.
pub(crate) const PREFETCHES: bool = cfg!(all(target_arch = "x86_64", not(miri)));

/// Prefetches a value into the cache.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing; any address is allowed.
        #[expect(unsafe_code, reason = "an instruction without a safe name")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = value;
}

/// Loads a value that is needed soon: WebAssembly has no prefetch, but a processor goes on for a
/// while before it waits for a load that nobody uses.
#[cfg(target_arch = "wasm32")]
#[inline]
pub(crate) fn touch<T>(value: &T) {
    // SAFETY: the address is that of a reference, and a byte has no alignment.
    #[expect(unsafe_code, reason = "the compiler would remove a load that nobody uses")]
    unsafe {
        std::ptr::from_ref(value).cast::<u8>().read_volatile();
    }
}

/// Requests huge pages. A refusal only costs speed.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(bytes: *mut u8, size: usize) {
    if size >= LARGE {
        // SAFETY: the range is exactly one live allocation; the advice doesn't change contents.
        #[expect(unsafe_code, reason = "a call into the C library")]
        unsafe {
            libc::madvise(bytes.cast(), size, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zeroed_and_can_be_written() {
        for len in [0, 1, 100, LARGE] {
            let mut memory = Huge::<[i16; 3]>::zeroed(len).expect("a little memory");
            assert_eq!(memory.len(), len.max(1));
            assert!(memory.iter().flatten().all(|&number| number == 0));
            let last = memory.len() - 1;
            memory[last][2] = 7;
            assert_eq!(memory[last], [0, 0, 7]);
        }
    }

    #[test]
    fn there_is_room_for_a_little_and_not_for_everything() {
        assert!(is_room(1 << 20));
        assert!(!is_room(1 << 60));
        assert!(Huge::<[i16; 4]>::zeroed(usize::MAX / 8).is_none());
    }

    /// The advice must come before the first touch.
    #[test]
    #[cfg(all(target_os = "linux", not(miri)))]
    fn large_memory_is_on_huge_pages_where_the_system_has_them() {
        let enabled = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
        if !enabled.is_ok_and(|text| text.contains("[madvise]") || text.contains("[always]")) {
            return;
        }
        let memory = Huge::<i16>::zeroed(64 << 20).expect("128 MiB");
        let address = memory.as_ptr().addr();
        let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux tells about memory");
        let ours = |line: &str| {
            let hex = |text: &str| usize::from_str_radix(text, 16).ok();
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            range.and_then(|(from, to)| Some((hex(from)?..hex(to)?).contains(&address)))
        };
        let huge: usize = maps
            .lines()
            .skip_while(|line| ours(line) != Some(true))
            .find_map(|line| line.strip_prefix("AnonHugePages:"))
            .and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap_or(0);
        assert!(huge > 0, "no huge page in\n{maps}");
    }
}
