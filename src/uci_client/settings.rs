//! Which engine is asked, how it is set up, and how long it thinks.

use std::time::Duration;

/// Which engine, and how it is set up.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// A path, or a name to look for on the PATH, and arguments after it; [`super::command_line`] has the rules.
    pub program: String,
    /// UCI options to set, by name.
    pub options: Vec<(String, String)>,
    /// How long any one answer may take.
    pub patience: Duration,
}

impl Default for EngineSettings {
    /// `stockfish` with one thread and 16 MiB of hash, half a minute an answer.
    fn default() -> EngineSettings {
        let option = |name: &str, value: &str| (name.to_string(), value.to_string());
        EngineSettings {
            program: "stockfish".to_string(),
            options: vec![option("Threads", "1"), option("Hash", "16")],
            patience: Duration::from_secs(30),
        }
    }
}

impl EngineSettings {
    /// The options that are not [`EngineSettings::default`]'s, as a part of the engine's name: ` Contempt=0 Hash=64`,
    /// or nothing.
    pub fn beyond_default(&self) -> String {
        let default = EngineSettings::default().options;
        let mut own: Vec<String> = self
            .options
            .iter()
            .filter(|option| !default.contains(option))
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        own.sort();
        own.concat()
    }
}

/// How much work goes into one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// `go depth`
    Depth(u32),
    /// `go nodes`
    Nodes(u64),
    /// `go movetime`
    Time(Duration),
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Effort::Depth(plies) => write!(f, "depth {plies}"),
            Effort::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Effort::Time(time) => write!(f, "movetime {}", time.as_millis()),
        }
    }
}
