//! Working through a list on several threads, each with a worker of its own.

use crate::search::STACK;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// What went wrong, and with which item; no item if a worker could not begin.
#[derive(Debug)]
pub struct Fault<E> {
    /// Its place in the list.
    pub item: Option<usize>,
    pub error: E,
}

/// Calls `work` on every item, on `threads` threads that each `start` a worker, and hands every result with its place to
/// `receive`, one at a time. After a fault no new item is begun.
///
/// # Errors
/// The first fault; results that were received before it stand.
pub fn each<T: Sync, W, R: Send, E: Send>(
    items: &[T],
    threads: usize,
    start: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, &T) -> Result<R, E> + Sync,
    receive: impl FnMut(usize, R) -> Result<(), E> + Send,
) -> Result<(), Fault<E>> {
    let next = AtomicUsize::new(0);
    let receive = Mutex::new(receive);
    let first: Mutex<Option<Fault<E>>> = Mutex::new(None);
    let fail = |item: Option<usize>, error: E| {
        next.store(items.len(), Relaxed);
        if let Ok(mut first) = first.lock() {
            first.get_or_insert(Fault { item, error });
        }
    };
    let run = || {
        if items.is_empty() {
            return;
        }
        let mut worker = match start() {
            Ok(worker) => worker,
            Err(error) => return fail(None, error),
        };
        loop {
            let place = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(place) else {
                return;
            };
            let done = work(&mut worker, item).and_then(|result| match receive.lock() {
                Ok(mut receive) => receive(place, result),
                // another thread panicked while it held the lock; the scope passes its panic on
                Err(_) => Ok(()),
            });
            if let Err(error) = done {
                return fail(Some(place), error);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let thread = thread::Builder::new().stack_size(STACK);
            // with fewer threads it only takes longer; without any, this one works
            if thread.spawn_scoped(scope, run).is_err() {
                run();
            }
        }
    });
    first.into_inner().ok().flatten().map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        let items: Vec<usize> = (0..200).collect();
        for threads in [1, 3, 500] {
            let mut results = vec![0; items.len()];
            let start = || Ok::<_, String>(1);
            each(
                &items,
                threads,
                start,
                |one, item| Ok(item + *one),
                |place, result| {
                    results[place] += result;
                    Ok(())
                },
            )
            .unwrap();
            assert!(
                results
                    .iter()
                    .enumerate()
                    .all(|(place, &result)| result == place + 1)
            );
        }
    }

    #[test]
    fn a_fault_ends_the_work_and_names_its_item() {
        let items: Vec<usize> = (0..1_000).collect();
        let mut received = 0;
        let work = |_: &mut (), item: &usize| if *item == 17 { Err("no") } else { Ok(()) };
        let fault = each(
            &items,
            1,
            || Ok(()),
            work,
            |_, ()| {
                received += 1;
                Ok(())
            },
        )
        .unwrap_err();
        assert_eq!((fault.item, fault.error, received), (Some(17), "no", 17));
        let fault = each(&items, 2, || Err::<(), _>("none"), |_, _| Ok(()), |_, ()| Ok(())).unwrap_err();
        assert_eq!((fault.item, fault.error), (None, "none"));
    }
}
