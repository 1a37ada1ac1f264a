//! The networks and engines that the board can show: what they are, and each ready to be asked, one question at a time.

use super::error::{ApiError, Fault};
use crate::engine::searcher::{Searcher, SearcherError, SearcherPlan, searcher};
use crate::nets::built_in::BUILT_IN;
use crate::nets::choice::NetChoice;
use crate::nets::file::Head;
use crate::nets::kind::Backend;
use crate::nets::registry;
use crate::tablebases::Tablebases;
use crate::uci_client::{ClientError, EngineSettings, UciClient};
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The name under which Stockfish is asked for.
pub const STOCKFISH: &str = "stockfish";

/// The table of a network that is only looked at, in MiB.
const HASH: usize = 16;

/// What is offered beside the built-in nets.
#[derive(Clone, Debug, Default)]
pub struct Offer {
    /// Net files, each with the name that the page calls it by.
    pub nets: Vec<(String, NetChoice)>,
    /// The program of Stockfish: a path, or a name to look for on the PATH.
    pub stockfish: Option<String>,
    /// Endgame tablebases.
    pub tables: Option<Arc<Tablebases>>,
    /// The folders that they were opened from, separated as in PATH.
    pub table_folders: Option<String>,
}

/// What the page shows of a network.
#[derive(Clone, Debug, Serialize)]
pub struct NetCard {
    /// What the page calls it by.
    pub id: String,
    name: String,
    kind: String,
    layout: String,
    description: String,
    parameters: usize,
    /// Whether it is too slow for deep searches.
    slow: bool,
}

/// Everything that can be shown.
pub struct Gallery {
    exhibits: Vec<Exhibit>,
    stockfish: Option<String>,
    /// The cards of the nets that can be read, and the name that Stockfish gives itself.
    catalogue: OnceLock<Catalogue>,
    engine: Mutex<Option<UciClient>>,
}

struct Exhibit {
    id: String,
    net: NetChoice,
    /// Made for the first question.
    searcher: Mutex<Option<Box<dyn Searcher>>>,
}

/// What there is.
pub struct Catalogue {
    /// The networks, the default one first.
    pub nets: Vec<NetCard>,
    /// Stockfish's name for itself.
    pub stockfish: Option<String>,
}

impl Gallery {
    /// The built-in nets and what is offered beside them.
    pub fn new(offer: Offer) -> Gallery {
        let built_in = BUILT_IN.iter();
        let built_in = built_in.map(|net| (net.name.to_string(), NetChoice::BuiltIn(net.name)));
        let exhibit = |(id, net)| Exhibit {
            id,
            net,
            searcher: Mutex::default(),
        };
        Gallery {
            exhibits: built_in.chain(offer.nets).map(exhibit).collect(),
            stockfish: offer.stockfish,
            catalogue: OnceLock::new(),
            engine: Mutex::default(),
        }
    }

    /// What there is; the first call reads the head of every net.
    pub fn catalogue(&self) -> &Catalogue {
        self.catalogue.get_or_init(|| Catalogue {
            nets: self.exhibits.iter().filter_map(Exhibit::card).collect(),
            stockfish: self.with_stockfish(|engine| Ok(engine.name().to_string())).ok(),
        })
    }

    /// The net that the page calls by this name.
    ///
    /// # Errors
    /// [`ApiError`] with the code `net`.
    pub fn net(&self, id: &str) -> Result<&NetChoice, ApiError> {
        self.exhibit(id)
            .map(|exhibit| &exhibit.net)
            .ok_or_else(|| unknown(id).into())
    }

    /// Whether there is a net or engine of this name.
    pub fn has(&self, id: &str) -> bool {
        self.exhibit(id).is_some() || (id == STOCKFISH && self.stockfish.is_some())
    }

    /// Asks a network; others wait meanwhile.
    ///
    /// # Errors
    /// [`Fault`] if it cannot be used.
    pub fn with_net<T>(&self, id: &str, ask: impl FnOnce(&mut dyn Searcher) -> T) -> Result<T, Fault> {
        let exhibit = self.exhibit(id).ok_or_else(|| unknown(id))?;
        let mut searcher = lock(&exhibit.searcher);
        if searcher.is_none() {
            *searcher = Some(exhibit.searcher().map_err(|error| Fault::new("net", error))?);
        }
        match searcher.as_deref_mut() {
            Some(searcher) => Ok(ask(searcher)),
            None => unreachable!("it was just made"),
        }
    }

    /// Asks Stockfish; others wait meanwhile. After a fault it is started anew.
    ///
    /// # Errors
    /// [`Fault`] if there is none, or it breaks down.
    pub fn with_stockfish<T>(
        &self,
        ask: impl FnOnce(&mut UciClient) -> Result<T, ClientError>,
    ) -> Result<T, Fault> {
        let program = self.stockfish.as_ref().ok_or_else(|| unknown(STOCKFISH))?;
        let settings = EngineSettings {
            program: program.clone(),
            ..EngineSettings::default()
        };
        let fault = |error| Fault::new("engine", error);
        let mut place = lock(&self.engine);
        let mut engine = match place.take() {
            Some(engine) => engine,
            None => UciClient::start(&settings).map_err(fault)?,
        };
        let answer = ask(&mut engine).map_err(fault)?;
        *place = Some(engine);
        Ok(answer)
    }

    fn exhibit(&self, id: &str) -> Option<&Exhibit> {
        self.exhibits.iter().find(|exhibit| exhibit.id == id)
    }
}

impl Exhibit {
    /// Its card; `None` if it cannot be read.
    fn card(&self) -> Option<NetCard> {
        let Head { info, parameters, .. } = self.net.head().ok()?;
        Some(NetCard {
            id: self.id.clone(),
            slow: !registry::follows_search(&info),
            name: info.name,
            kind: info.architecture.kind,
            layout: info.architecture.layout,
            description: info.data,
            parameters,
        })
    }

    fn searcher(&self) -> Result<Box<dyn Searcher>, SearcherError> {
        let plan = SearcherPlan {
            net: self.net.clone(),
            backend: Backend::default(),
            threads: 1,
            hash: HASH,
        };
        Ok(searcher(&plan)?.0)
    }
}

fn unknown(id: &str) -> Fault {
    Fault::new("net", format!("there is no network or engine '{id}' here")).in_field("net")
}

/// Locks what one question uses at a time. If that question panicked, what it used is dropped and made anew for the
/// next.
fn lock<T>(mutex: &Mutex<Option<T>>) -> MutexGuard<'_, Option<T>> {
    mutex.lock().unwrap_or_else(|poisoned: PoisonError<_>| {
        mutex.clear_poison();
        let mut guard = poisoned.into_inner();
        *guard = None;
        guard
    })
}
