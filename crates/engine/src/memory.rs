//! Large zeroed memory on huge pages where the system has them.
//!
//! A transposition table is read at random: with 4 KiB pages nearly every probe also misses the
//! processor's page cache.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;

/// Types for which all bytes zero is a valid value, and that need no drop.
///
/// # Safety
/// Whoever implements it says that both hold.
#[expect(unsafe_code, reason = "a promise about memory that the compiler can't check")]
pub(crate) unsafe trait Zeroable: Sync {}

/// A slice of zeroed `T` that lives on huge pages if it is large.
#[derive(Debug)]
pub(crate) struct Huge<T: Zeroable> {
    start: NonNull<T>,
    len: usize,
}

const HUGE_PAGE: usize = 2 << 20;

// SAFETY: `Huge` owns its memory like a `Box<[T]>`, and `T` is `Sync`; it is only ever shared.
#[expect(unsafe_code, reason = "an owned pointer is not Send by itself")]
unsafe impl<T: Zeroable + Send> Send for Huge<T> {}
// SAFETY: as above; only `&[T]` is ever handed out.
#[expect(unsafe_code, reason = "an owned pointer is not Sync by itself")]
unsafe impl<T: Zeroable> Sync for Huge<T> {}

impl<T: Zeroable> Huge<T> {
    /// `len` zeroed elements, at least one; `None` if there isn't so much memory.
    pub(crate) fn zeroed(len: usize) -> Option<Self> {
        let len = len.max(1);
        let layout = Self::layout(len);
        // SAFETY: the layout is not empty, since `len` is at least one and `T` has a size.
        #[expect(unsafe_code, reason = "aligned allocation")]
        let bytes = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(bytes.cast::<T>())?;
        advise_huge_pages(bytes, layout.size());
        Some(Self { start, len })
    }

    fn layout(len: usize) -> Layout {
        const { assert!(size_of::<T>() > 0) };
        let exact = Layout::array::<T>(len).expect("the size fits the address space");
        let align = if exact.size() >= HUGE_PAGE { HUGE_PAGE } else { 64 };
        exact.align_to(align).expect("the alignment is a power of two").pad_to_align()
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

impl<T: Zeroable> Drop for Huge<T> {
    fn drop(&mut self) {
        // SAFETY: allocated by `zeroed` with the same layout; `T` needs no drop (`Zeroable`).
        #[expect(unsafe_code, reason = "the counterpart of the allocation")]
        unsafe {
            dealloc(self.start.as_ptr().cast(), Self::layout(self.len));
        }
    }
}

/// Asks for huge pages. A refusal costs speed only.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages(bytes: *mut u8, size: usize) {
    if size >= HUGE_PAGE {
        // SAFETY: the range is exactly one live allocation; the advice doesn't change contents.
        #[expect(unsafe_code, reason = "a call into the C library")]
        unsafe {
            libc::madvise(bytes.cast(), size, libc::MADV_HUGEPAGE);
        }
    }
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages(_: *mut u8, _: usize) {}
