//! The engine that explains moves, for all tabs.

use crate::engine::Engine;
use crate::engine::options::EngineOptions;
use crate::engine::searcher::SearcherError;
use std::sync::Mutex;

/// The engine that is asked, one question at a time.
#[derive(Default)]
pub struct Explainer(Mutex<Option<Engine>>);

impl Explainer {
    /// Asks it; others wait meanwhile.
    ///
    /// # Errors
    /// [`SearcherError`] if there can be no engine.
    pub fn ask<T>(&self, ask: impl FnOnce(&mut Engine) -> T) -> Result<T, SearcherError> {
        let mut place = self.0.lock().unwrap_or_else(|broken| {
            // the question that had it broke down
            self.0.clear_poison();
            let mut place = broken.into_inner();
            *place = None;
            place
        });
        let mut engine = match place.take() {
            Some(engine) => engine,
            None => Engine::new(EngineOptions::default())?,
        };
        let answer = ask(&mut engine);
        *place = Some(engine);
        Ok(answer)
    }
}
