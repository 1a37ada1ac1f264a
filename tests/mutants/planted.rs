//! Which planted fault is on, and which ones a test comes by.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static FAULT: LazyLock<u32> = LazyLock::new(|| {
    let number = std::env::var("ENROC_FAULT").ok();
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
});
static PASSED: LazyLock<Option<File>> = LazyLock::new(|| {
    let path = std::env::var_os("ENROC_FAULTS_PASSED")?;
    OpenOptions::new().append(true).create(true).open(path).ok()
});
static SEEN: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];

/// Whether the fault of this number is on. The first time, the number is written where the test asks for it.
#[inline]
pub fn is_on(number: u32) -> bool {
    if let Some(mut file) = PASSED.as_ref()
        && !SEEN[number as usize].swap(true, Relaxed)
    {
        let _ = file.write_all(format!("{number}\n").as_bytes());
    }
    *FAULT == number
}
