//! The engine that explains moves, for all tabs.

use super::engine_place::EnginePlace;
use crate::engine::Engine;
use crate::engine::options::EngineOptions;
use crate::engine::searcher::SearcherError;

/// The engine that is asked, one question at a time.
#[derive(Default)]
pub struct Explainer(EnginePlace);

impl Explainer {
    /// Asks it; others wait meanwhile.
    ///
    /// # Errors
    /// [`SearcherError`] if there can be no engine.
    pub fn ask<T>(&self, ask: impl FnOnce(&mut Engine) -> T) -> Result<T, SearcherError> {
        let mut place = self.0.lock();
        let mut engine = match place.take() {
            Some(engine) => engine,
            None => Engine::new(EngineOptions::default())?,
        };
        let answer = ask(&mut engine);
        *place = Some(engine);
        Ok(answer)
    }
}
