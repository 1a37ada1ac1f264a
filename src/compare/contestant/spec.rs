//! Who takes part: a network with a look-ahead or a limit, or an outside UCI engine with a limit.
//!
//! A contestant is written `NAME@HOW`, with one or two `@HOW`:
//!
//! | how | what |
//! |---|---|
//! | `2` | a plain search of exactly two plies, the look-ahead of the thesis; `0` only evaluates and chooses no move |
//! | `2+q` | the same with quiescence at its leaves |
//! | `depth:8`, `nodes:5000`, `movetime:1000` | the full search to a limit, in plies, nodes or milliseconds |
//! | `elo:1500` | as a player of this level, see [`level`](crate::engine::level) |
//!
//! `mlp` and `cnn` are the networks that are built in. Any other name is a net file's path, the name of a recipe whose net lies in
//! the nets' folder, a file's name there without its ending, or the program of a UCI engine. `heuristics` and, for example,
//! `heuristics:mobility+check` are the evaluation of the minimax homework. `chance` takes every position for level and draws
//! its move; a file of the homework's games, `homework/games.jsonl`, is the regressor fitted to them, which imitates a minimax
//! of the plies. `NAME=NET,NET,NET@HOW` is a group: nets of one recipe from several random seeds, measured as one.

use super::error::{ContestantError, MOST_PLIES};
use super::guess::Guesser;
use super::sources;
use crate::compare::error::CompareError;
use crate::engine::level::ELO;
use crate::engine::searcher::SearcherError;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::cnn;
use crate::nets::heuristics;
use crate::nets::heuristics::Heuristics;
use crate::nets::kind::Backend;
use crate::uci_client::command_line::short_name;
use crate::uci_client::{ClientError, Effort, EngineSettings, UciClient};
use std::path::Path;
use std::time::Duration;

/// How the file of a net ends.
const NET_FILE: &str = NetChoice::FILE_ENDING;

/// What chooses the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestantKind {
    /// A network in our search.
    Net(NetChoice),
    /// Hand-written rules in our search.
    Heuristics(Heuristics),
    /// No search at all.
    Guesser(Guesser),
    /// Another engine's program.
    Engine(String),
}

/// How much a contestant may search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Plies of a plain search; 0 chooses no move, `None` is the full search.
    pub look_ahead: Option<u32>,
    /// Whether that plain search resolves captures at its leaves.
    pub quiescence: bool,
    /// The limit of the full search, or one more for the plain search.
    pub effort: Option<Effort>,
    /// The level to play at.
    pub elo: Option<u32>,
}

/// What two contestants must share to be compared pair by pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedLimit {
    /// The same plies, of a plain search or a full one.
    Plies(u32),
    /// The same nodes.
    Nodes(u64),
    /// The same milliseconds.
    Time(u128),
    /// A level each.
    Level,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contestant {
    /// As reports call it.
    pub name: String,
    /// What chooses the moves.
    pub kind: ContestantKind,
    /// How much it may search.
    pub budget: Budget,
    /// How a network is computed.
    pub backend: Backend,
    /// The name of the group that it is a member of, with its look-ahead or limit.
    pub group: Option<String>,
}

impl Contestant {
    /// The name under which it is measured: that of its group, if it is one of several nets.
    pub fn entrant(&self) -> &str {
        self.group.as_ref().unwrap_or(&self.name)
    }

    /// Reads a contestant, or a group of nets that are measured as one, such as `cnn=one.safetensors,two.safetensors@2`.
    ///
    /// # Errors
    /// [`CompareError::Contestant`] says what is wrong with it.
    pub fn parse_all(text: &str, nets: &Path) -> Result<Vec<Contestant>, CompareError> {
        let is_name =
            |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
        let group = text.split_once('@').and_then(|(who, how)| {
            let (name, members) = who.split_once('=').filter(|(name, _)| is_name(name))?;
            Some((name, members, how))
        });
        let Some((name, members, how)) = group else {
            return Ok(vec![Contestant::parse(text, nets)?]);
        };
        let member = |member: &str| {
            let mut contestant = Contestant::parse(&format!("{member}@{how}"), nets)?;
            contestant.group = Some(format!("{name}@{how}"));
            match contestant.kind {
                ContestantKind::Net(_) => Ok(contestant),
                _ => Err(CompareError::Contestant {
                    text: text.to_string(),
                    reason: ContestantError::Member(member.to_string()),
                }),
            }
        };
        members.split(',').map(member).collect()
    }

    /// Reads a contestant; recipes' nets are looked for in the folder `nets`.
    ///
    /// # Errors
    /// [`CompareError::Contestant`] says what is wrong with it.
    pub fn parse(text: &str, nets: &Path) -> Result<Contestant, CompareError> {
        Contestant::read(text, nets).map_err(|reason| CompareError::Contestant {
            text: text.to_string(),
            reason,
        })
    }

    fn read(text: &str, nets: &Path) -> Result<Contestant, ContestantError> {
        let (name, how) = text.split_once('@').ok_or(ContestantError::NoLimit)?;
        let budget = how.split('@').try_fold(Budget::default(), read_how)?;
        let kind = find_kind(name, nets)?;
        check(&kind, budget)?;
        let shown = match &kind {
            ContestantKind::Engine(program) => short_name(program),
            ContestantKind::Guesser(guesser) => guesser.shown().to_string(),
            _ => {
                let path = Path::new(name);
                let is_net = path.extension().is_some_and(|ending| ending == NET_FILE);
                let shown = if is_net {
                    path.file_stem()
                } else {
                    path.file_name()
                };
                shown.unwrap_or_default().to_string_lossy().into_owned()
            }
        };
        Ok(Contestant {
            name: format!("{shown}@{how}"),
            kind,
            budget,
            backend: Backend::default(),
            group: None,
        })
    }

    /// Its exact identity, so that its answers are never taken for another's: the net file's digits and those of the
    /// sources that decide its answers, or the engine's own name and its options beyond the default ones; and how it thinks.
    /// Starts an engine once.
    ///
    /// # Errors
    /// [`CompareError`] if the net cannot be read or the engine does not start.
    pub fn identity(&self, settings: &EngineSettings) -> Result<String, CompareError> {
        let how = self.name.split_once('@').map_or("", |(_, how)| how);
        let who = match &self.kind {
            ContestantKind::Net(net) => {
                let net = by_us(net, self.budget).map_err(SearcherError::from)?;
                match self.backend {
                    Backend::Auto => net,
                    other => format!("{net} {}", other.name()),
                }
            }
            ContestantKind::Heuristics(rules) => {
                let sources = sources::name(heuristics::NAME, self.budget.look_ahead);
                format!("{rules} sources {sources}")
            }
            ContestantKind::Guesser(guesser) => guesser.identity()?,
            ContestantKind::Engine(program) => {
                let settings = EngineSettings {
                    program: program.clone(),
                    ..settings.clone()
                };
                match UciClient::start(&settings) {
                    Ok(engine) => format!("{}{}", engine.name(), settings.beyond_default()),
                    Err(ClientError::Missing(_)) => {
                        return Err(CompareError::Contestant {
                            text: self.name.clone(),
                            reason: ContestantError::Unknown(program.clone()),
                        });
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        };
        Ok(format!("{who} @{how}"))
    }

    /// Computes a CNN in bfloat16 on the processor's matrix unit; others remain as they are.
    ///
    /// # Errors
    /// [`CompareError`] if the net cannot be read.
    pub fn in_bfloat16(&mut self) -> Result<(), CompareError> {
        if let ContestantKind::Net(net) = &self.kind
            && kind_of(net).map_err(SearcherError::from)? == cnn::KIND
        {
            self.backend = Backend::Bfloat16;
        }
        Ok(())
    }

    /// What it shares with those that it is compared with pair by pair.
    pub fn shared_limit(&self) -> SharedLimit {
        if self.budget.elo.is_some() {
            return SharedLimit::Level;
        }
        match (self.budget.look_ahead, self.budget.effort) {
            (Some(plies), _) | (_, Some(Effort::Depth(plies))) => SharedLimit::Plies(plies),
            (_, Some(Effort::Nodes(nodes))) => SharedLimit::Nodes(nodes),
            (_, Some(Effort::Time(time))) => SharedLimit::Time(time.as_millis()),
            (None, None) => SharedLimit::Plies(0),
        }
    }

    /// The name that it shares with itself at other look-aheads, with n for the plies, and the plies; `None` for limits other than plies.
    pub fn series(&self) -> Option<(String, u32)> {
        let SharedLimit::Plies(plies) = self.shared_limit() else {
            return None;
        };
        let (name, _) = self.name.split_once('@')?;
        let how = match (self.budget.look_ahead, self.budget.quiescence) {
            (None, _) => "depth:n",
            (Some(_), true) => "n+q",
            (Some(_), false) => "n",
        };
        Some((format!("{name}@{how}"), plies))
    }
}

fn kind_of(net: &NetChoice) -> Result<String, ChoiceError> {
    Ok(net.read()?.info.architecture.kind)
}

/// A net, and the sources that decide its answers.
fn by_us(net: &NetChoice, budget: Budget) -> Result<String, ChoiceError> {
    let sources = sources::name(&kind_of(net)?, budget.look_ahead);
    Ok(format!("net {} sources {sources}", net.fingerprint()?))
}

/// Adds one `@HOW`.
fn read_how(mut budget: Budget, how: &str) -> Result<Budget, ContestantError> {
    if let Some((limit, value)) = how.split_once(':') {
        let number = value.parse().ok().filter(|&number: &u64| number > 0);
        let value = number.ok_or_else(|| ContestantError::Number(value.to_string()))?;
        if limit == "elo" {
            let known = u32::try_from(value)
                .ok()
                .filter(|elo| (ELO.0..=ELO.1).contains(elo));
            let elo = known.ok_or(ContestantError::Level)?;
            return match budget.elo.replace(elo) {
                None => Ok(budget),
                Some(_) => Err(ContestantError::Two("levels")),
            };
        }
        let effort = match limit {
            "depth" => Effort::Depth(value.min(245) as u32),
            "nodes" => Effort::Nodes(value),
            "movetime" => Effort::Time(Duration::from_millis(value)),
            _ => return Err(ContestantError::Limit(limit.to_string())),
        };
        return match budget.effort.replace(effort) {
            None => Ok(budget),
            Some(_) => Err(ContestantError::Two("limits")),
        };
    }
    let plies = how.strip_suffix("+q").unwrap_or(how);
    let known = plies.parse().ok().filter(|&plies: &u32| plies <= MOST_PLIES);
    let plies = known.ok_or_else(|| ContestantError::LookAhead(how.to_string()))?;
    budget.quiescence = how.ends_with("+q");
    match budget.look_ahead.replace(plies) {
        None => Ok(budget),
        Some(_) => Err(ContestantError::Two("look-aheads")),
    }
}

fn check(kind: &ContestantKind, budget: Budget) -> Result<(), ContestantError> {
    let fault = match budget.elo {
        Some(_) => fault_of_level(kind, budget),
        None => fault_of_limits(kind, budget),
    };
    fault.map_or(Ok(()), |fault| Err(ContestantError::Budget(fault)))
}

/// Why what chooses the moves cannot play at a level.
fn fault_of_level(kind: &ContestantKind, budget: Budget) -> Option<&'static str> {
    match kind {
        ContestantKind::Engine(_) => Some("levels are ours: set those of another engine with --option"),
        ContestantKind::Guesser(_) => Some("it does not search, so it has no level"),
        _ if budget.look_ahead.is_some() => Some("a level has a look-ahead of its own"),
        _ => None,
    }
}

/// Why what chooses the moves cannot have this look-ahead and limit.
fn fault_of_limits(kind: &ContestantKind, budget: Budget) -> Option<&'static str> {
    let fault = match (kind, budget.look_ahead) {
        (ContestantKind::Guesser(_), plies)
            if plies.is_none() || budget.quiescence || budget.effort.is_some() =>
        {
            "it does not search: name plies alone, those of the contestants that it stands beside"
        }
        (ContestantKind::Guesser(Guesser::Regressor(_)), Some(0)) => {
            "it has no score: name the plies of the minimax that it imitates"
        }
        (ContestantKind::Engine(_), Some(_)) => {
            "there is no net of that name, and another engine takes depth:, nodes: or movetime:"
        }
        (_, Some(0)) if budget.quiescence || budget.effort.is_some() => {
            "0 plies only judge: quiescence and limits need a look-ahead of at least 1"
        }
        (_, Some(_)) if matches!(budget.effort, Some(Effort::Depth(_))) => "a look-ahead is a depth already",
        _ => return None,
    };
    Some(fault)
}

fn find_kind(name: &str, nets: &Path) -> Result<ContestantKind, ContestantError> {
    let path = Path::new(name);
    if name.is_empty() {
        return Err(ContestantError::NoName);
    }
    if let Some(net) = NetChoice::built_in(name) {
        return Ok(ContestantKind::Net(net));
    }
    if name.starts_with(heuristics::NAME) {
        return Ok(ContestantKind::Heuristics(name.parse()?));
    }
    if let Some(guesser) = Guesser::named(name) {
        return Ok(ContestantKind::Guesser(guesser));
    }
    if path.extension().is_some_and(|ending| ending == NET_FILE) {
        return match path.is_file() {
            true => Ok(ContestantKind::Net(NetChoice::File(path.to_path_buf()))),
            false => Err(ContestantError::NoFile),
        };
    }
    let found = NetChoice::files_named(name, nets);
    match found.as_slice() {
        [] => Ok(ContestantKind::Engine(name.to_string())),
        [only] => Ok(ContestantKind::Net(NetChoice::File(only.clone()))),
        several => Err(ContestantError::Several(several.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Contestant, CompareError> {
        Contestant::parse(text, &Path::new(env!("CARGO_MANIFEST_DIR")).join("nets"))
    }

    #[test]
    fn nets_and_engines_are_told_apart() {
        let plain = parse("mlp@2").unwrap();
        assert_eq!(
            (&plain.kind, plain.budget.look_ahead),
            (&ContestantKind::Net(NetChoice::BuiltIn("mlp")), Some(2))
        );
        assert!(!plain.budget.quiescence && parse("mlp@2+q").unwrap().budget.quiescence);
        let timed = parse("mlp@4+q@movetime:1000").unwrap();
        assert_eq!(timed.budget.effort, Some(Effort::Time(Duration::from_secs(1))));
        assert_eq!(timed.name, "mlp@4+q@movetime:1000");
        // the old name of a recipe finds the same net
        for name in ["mlp-thesis@1", "mlp-seed@1"] {
            let thesis = parse(name).unwrap();
            assert!(
                matches!(&thesis.kind, ContestantKind::Net(NetChoice::File(path)) if path.ends_with("mlp-7d6b5a64efea.safetensors"))
            );
        }
        let rules = parse("heuristics:mobility@1+q").unwrap();
        assert!(matches!(rules.kind, ContestantKind::Heuristics(rules) if rules.mobility && !rules.check));
        let engine = parse("/usr/games/stockfish@depth:2").unwrap();
        assert_eq!(
            engine.kind,
            ContestantKind::Engine("/usr/games/stockfish".to_string())
        );
        assert_eq!(engine.name, "stockfish@depth:2");
    }

    #[test]
    fn levels_are_ours_and_share_a_limit() {
        let club = parse("mlp@elo:1500").unwrap();
        assert_eq!(
            (club.budget.elo, club.name.as_str()),
            (Some(1500), "mlp@elo:1500")
        );
        assert_eq!(club.shared_limit(), parse("cnn@elo:900").unwrap().shared_limit());
        for (wrong, reason) in [
            ("mlp@elo:100", "a level is from elo:800"),
            ("mlp@elo:900@elo:1000", "two levels"),
            ("mlp@2@elo:900", "look-ahead of its own"),
            ("stockfish@elo:1500", "--option"),
        ] {
            let error = parse(wrong).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn shared_limits_and_series() {
        let shared_limit = |text| parse(text).unwrap().shared_limit();
        assert_eq!(shared_limit("mlp@2+q"), shared_limit("stockfish@depth:2"));
        assert_eq!(shared_limit("mlp@2@nodes:9"), SharedLimit::Plies(2));
        assert_eq!(shared_limit("mlp@movetime:1000"), SharedLimit::Time(1_000));
        let series = |text| parse(text).unwrap().series();
        assert_eq!(series("mlp@3+q"), Some(("mlp@n+q".to_string(), 3)));
        assert_eq!(
            series("stockfish@depth:2"),
            Some(("stockfish@depth:n".to_string(), 2))
        );
        assert_eq!(series("mlp@nodes:100"), None);
    }

    #[test]
    fn what_makes_no_sense_is_said_in_words() {
        for (text, word) in [
            ("mlp", "needs a look-ahead"),
            ("mlp@", "no look-ahead"),
            ("mlp@two", "no look-ahead"),
            ("mlp@99", "at most 32"),
            ("mlp@2@3", "two look-aheads"),
            ("mlp@nodes:0", "above 0"),
            ("mlp@speed:3", "no limit"),
            ("mlp@0+q", "only judge"),
            ("mlp@2@depth:4", "depth already"),
            ("stockfish@2", "another engine takes"),
            ("no-such.safetensors@2", "no such net file"),
            ("@2", "no name"),
            ("heuristics:tempo@2", "names no heuristics"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(
                error.contains(word) && error.contains(&format!("'{text}'")),
                "{error}"
            );
        }
    }
}
