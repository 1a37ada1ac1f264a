//! The page of `enroc board` in a real browser: headless Chromium plays, analyses and loses its server. Where there is
//! no Chromium these tests say so and prove nothing; `tables.rs` needs none.

mod analysis;
mod chromium;
mod empty;
mod exchange;
mod figures;
mod files;
mod hands;
mod kept;
mod levels;
mod looks;
mod notation;
mod page;
mod play;
mod rules_of_play;
#[path = "../served/mod.rs"]
mod served;
mod speed;
mod survival;
mod tables;
