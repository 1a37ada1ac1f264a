//! The engine's options as typed values.

use super::level::{FULL_SKILL, Level};
use super::searcher::SearcherPlan;
use crate::nets::built_in;
use crate::nets::choice::NetChoice;
use crate::nets::kind::Backend;
use crate::search::Settings;
use crate::tablebases::Inventory;
#[cfg(feature = "syzygy")]
use crate::tablebases::Tablebases;
use std::path::PathBuf;
#[cfg(feature = "syzygy")]
use std::sync::Arc;
use std::time::Duration;

/// An option with its new value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineOption {
    /// Size of the transposition table in MiB.
    Hash(usize),
    Threads(usize),
    /// Principal variations to report.
    MultiPv(usize),
    /// Time reserved on every move for delays outside the engine.
    MoveOverhead(Duration),
    /// The built-in net, used unless [`EngineOption::EvalFile`] is set; see [`built_in::NAMES`].
    Net(&'static str),
    /// How the net is computed.
    Backend(Backend),
    /// A net file to use instead of a built-in net.
    EvalFile(Option<PathBuf>),
    /// Depth in plies of a plain fixed-depth search; 0 for the full search.
    LookAhead(u32),
    /// Whether the plain search runs a quiescence search at its leaves.
    Quiescence(bool),
    /// Whether to play at the level of [`EngineOption::Elo`].
    LimitStrength(bool),
    /// The level in Elo, see [`level::ELO`](super::level::ELO).
    Elo(u32),
    /// The level from 0 to [`FULL_SKILL`], where no Elo is asked for.
    SkillLevel(u32),
    /// The folders of the endgame tablebases, separated as in PATH; empty for none.
    #[cfg(feature = "syzygy")]
    SyzygyPath(String),
    /// The least depth at which positions with as many pieces as there are tables for are looked up.
    SyzygyProbeDepth(u32),
    /// The most pieces of positions that are looked up.
    SyzygyProbeLimit(u32),
    /// Whether fifty moves without a capture or pawn move are a draw.
    Syzygy50MoveRule(bool),
}

/// The values of all options.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    pub threads: usize,
    /// The built-in net.
    pub net: &'static str,
    /// A net file to use instead of the built-in net.
    pub eval_file: Option<PathBuf>,
    /// How the net is computed.
    pub backend: Backend,
    /// What was found in the folders of the endgame tablebases; `None` without any.
    pub tablebases: Option<Inventory>,
    /// Whether to play at the level of `elo`.
    pub limit_strength: bool,
    /// A level in Elo.
    pub elo: u32,
    /// A level where no Elo is asked for; [`FULL_SKILL`] is full strength.
    pub skill_level: u32,
    /// The options of the search itself.
    pub search: Settings,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            hash: 16,
            threads: 1,
            net: built_in::NAMES[0],
            eval_file: None,
            backend: Backend::default(),
            tablebases: None,
            limit_strength: false,
            elo: EngineOptions::DEFAULT_ELO,
            skill_level: FULL_SKILL,
            search: Settings::default(),
        }
    }
}

impl EngineOptions {
    /// The level of the option `UCI_Elo` before it is set: that of a club player.
    pub const DEFAULT_ELO: u32 = 1500;

    /// How strong to play; `None` for full strength, and for a plain look-ahead, which has its strength by itself.
    pub fn level(&self) -> Option<Level> {
        match (self.search.look_ahead, self.limit_strength) {
            (0, true) => Some(Level::of_elo(self.elo)),
            (0, false) => Level::of_skill(self.skill_level),
            _ => None,
        }
    }

    /// Sets one option.
    pub fn set(&mut self, option: EngineOption) {
        match option {
            EngineOption::Hash(hash) => self.hash = hash,
            EngineOption::Threads(threads) => self.threads = threads,
            EngineOption::MultiPv(lines) => self.search.multi_pv = lines,
            EngineOption::MoveOverhead(time) => self.search.move_overhead = time,
            EngineOption::Net(name) => self.net = name,
            EngineOption::Backend(backend) => self.backend = backend,
            EngineOption::EvalFile(file) => self.eval_file = file,
            EngineOption::LookAhead(plies) => self.search.look_ahead = plies,
            EngineOption::Quiescence(on) => self.search.quiescence = on,
            EngineOption::LimitStrength(on) => self.limit_strength = on,
            EngineOption::Elo(elo) => self.elo = elo,
            EngineOption::SkillLevel(level) => self.skill_level = level,
            #[cfg(feature = "syzygy")]
            EngineOption::SyzygyPath(folders) => self.open_tablebases(folders),
            EngineOption::SyzygyProbeDepth(plies) => self.search.tablebases.probe_depth = plies,
            EngineOption::SyzygyProbeLimit(pieces) => self.search.tablebases.most_pieces = pieces,
            EngineOption::Syzygy50MoveRule(on) => self.search.tablebases.fifty_moves = on,
        }
    }

    /// Opens the tables of folders; what is there and what cannot be used is in [`EngineOptions::tablebases`].
    #[cfg(feature = "syzygy")]
    fn open_tablebases(&mut self, folders: String) {
        if folders.is_empty() {
            self.search.tablebases.tables = None;
            self.tablebases = None;
            return;
        }
        let (tables, inventory) = Tablebases::open(&folders);
        self.search.tablebases.tables = Some(Arc::new(tables));
        self.tablebases = Some(inventory);
    }

    /// The net and resources that these options ask for.
    pub fn plan(&self) -> SearcherPlan {
        SearcherPlan {
            net: match &self.eval_file {
                Some(path) => NetChoice::File(path.clone()),
                None => NetChoice::BuiltIn(self.net),
            },
            backend: self.backend,
            threads: self.threads,
            hash: self.hash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_look_ahead_has_no_other_level() {
        let mut options = EngineOptions::default();
        options.set(EngineOption::LimitStrength(true));
        options.set(EngineOption::SkillLevel(3));
        assert!(options.level().is_some());
        options.set(EngineOption::LookAhead(2));
        assert!(options.level().is_none());
        options.set(EngineOption::LimitStrength(false));
        assert!(options.level().is_none());
        options.set(EngineOption::LookAhead(0));
        assert!(options.level().is_some());
    }

    /// What shows only in time and memory.
    #[test]
    fn resources_and_reserves_are_those_that_were_set() {
        let mut options = EngineOptions::default();
        options.set(EngineOption::Hash(3));
        options.set(EngineOption::Threads(2));
        let plan = options.plan();
        assert_eq!((plan.hash, plan.threads), (3, 2));
        options.set(EngineOption::MoveOverhead(Duration::from_millis(77)));
        assert_eq!(options.search.move_overhead, Duration::from_millis(77));
    }
}
