//! A place for an engine, which one thread has at a time.

use crate::engine::Engine;
use std::sync::{Mutex, MutexGuard};

/// An engine, or none yet.
#[derive(Default)]
pub struct EnginePlace(Mutex<Option<Engine>>);

impl EnginePlace {
    /// Waits until nobody else has the engine. An engine whose user panicked is dropped, because its state is unknown.
    pub fn lock(&self) -> MutexGuard<'_, Option<Engine>> {
        self.0.lock().unwrap_or_else(|broken| {
            self.0.clear_poison();
            let mut place = broken.into_inner();
            *place = None;
            place
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::EngineOptions;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn an_engine_whose_user_broke_down_is_gone() {
        let place = EnginePlace::default();
        *place.lock() = Some(Engine::new(EngineOptions::default()).expect("an engine"));
        assert!(place.lock().is_some());
        let broken = catch_unwind(AssertUnwindSafe(|| {
            let _held = place.lock();
            panic!("breaks down");
        }));
        assert!(broken.is_err() && place.lock().is_none());
    }
}
