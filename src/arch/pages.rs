//! Requests to the operating system about memory. Large tables that are read at random get huge pages: with 4 KiB pages
//! most probes of a transposition table also miss the TLB.

use std::mem::MaybeUninit;

/// Asks the system for huge pages behind memory that has not been written to. This is only a hint; where it cannot be
/// followed, nothing changes.
pub fn prefer_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    advise(memory);
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// So many copies of a value, in huge pages where the system has them.
pub fn in_huge_pages<T: Clone>(value: T, count: usize) -> Vec<T> {
    let mut all = Vec::with_capacity(count);
    prefer_huge_pages(all.spare_capacity_mut());
    all.resize(count, value);
    all
}

/// Returns freed memory to the system. The GNU C library keeps freed blocks of sizes that were freed before, such as
/// the histories of a search thread; other C libraries return them by themselves.
pub fn give_back_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the function takes the allocator's own locks and touches nothing that is in use
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(target_os = "linux")]
fn advise<T>(memory: &mut [MaybeUninit<T>]) {
    // x86-64's size, and aarch64's with pages of 4 KiB
    const HUGE_PAGE: usize = 2 << 20;
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(HUGE_PAGE);
    let length = size_of_val(memory).saturating_sub(skipped) / HUGE_PAGE * HUGE_PAGE;
    if length > 0 {
        // SAFETY: the range lies within `memory`, and the advice changes nothing of its contents; an error means that the
        // hint was not followed
        unsafe {
            libc::madvise(start.add(skipped).cast(), length, libc::MADV_HUGEPAGE);
        }
    }
}
