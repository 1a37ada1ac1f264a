//! The page of `enroc board` in a real browser: headless Chromium plays, analyses and loses its server. Where there is
//! no Chromium these tests say so and prove nothing; `tables.rs` needs none.

mod analysis;
mod chromium;
mod empty;
mod exchange;
mod figures;
mod levels;
mod looks;
mod page;
mod play;
#[path = "../served/mod.rs"]
mod served;
mod speed;
mod survival;
mod tables;
