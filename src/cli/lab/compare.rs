//! `enroc compare`: the command that holds nets and engines against a reference.

use super::resume::Resume;
use super::values::{even, name_and_value, seconds, share};
use crate::cli::nets_folder::nets_folder;
use crate::cli::progress::bar;
use crate::cli::result::CommandResult;
use crate::compare::contestant::run;
use crate::compare::contestant::run::RunSettings;
use crate::compare::measure::entrant::entrants;
use crate::compare::measure::pairs::pairs;
use crate::compare::measure::referee::second_opinion;
use crate::compare::measure::summary::summarize;
use crate::compare::play::{Match, MatchSettings, book, matches};
use crate::compare::report::{Results, files, terminal};
use crate::compare::set::labelling::{ReferenceEngine, label};
use crate::compare::set::sample::SampleSettings;
use crate::compare::set::thesis_table;
use crate::compare::{Answers, CompareError, Contestant, Set};
use crate::data::formats::text::kind;
use crate::support::terminal::say;
use crate::support::whole_file;
use crate::uci_client::{Effort, EngineSettings};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// The contestants when none are named: the built-in net at the look-aheads of the thesis.
const CONTESTANTS: [&str; 4] = ["mlp@0", "mlp@1", "mlp@2", "mlp@2+q"];

#[derive(Args)]
pub struct Compare {
    /// Who takes part, as NAME@HOW: mlp@2 (two plies), cnn@2+q (with quiescence), mlp@movetime:1000, FILE.safetensors@2,
    /// stockfish@depth:2; heuristics@2 and chance@2 to measure them by; or a group of nets that are one recipe from several seeds, NAME=NET,NET,NET@HOW; mlp@0 mlp@1 mlp@2 mlp@2+q by default
    contestants: Vec<String>,
    /// Positions: .csv with labels, .tsv like the thesis's table, .epd, .fen or .txt, or games to draw from, a .pgn or a
    /// folder of them, or the name of a built-in set; may be named again; the built-in set of 500 (masters) by default
    #[arg(long, short, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Only so many positions, spread evenly over the set
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Where answers, tables and the report go
    #[arg(long, short, value_name = "FOLDER", default_value = "comparison")]
    out: PathBuf,
    /// Threads, each with a contestant of its own that is asked about another position; times are only right with as many idle cores
    #[arg(long, alias = "jobs", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Where nets are looked for by the names of their recipes; by default the next folder `nets` here, above, or above
    /// the program
    #[arg(long, value_name = "FOLDER")]
    nets: Option<PathBuf>,
    /// Compute CNNs in bfloat16 on the processor's matrix unit (Intel's AMX): nine to fifteen times as fast, and scores differ a little
    #[arg(long)]
    bfloat16: bool,
    /// A UCI option of the outside engines, such as Hash=64
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    options: Vec<(String, String)>,
    #[command(flatten)]
    resume: Resume,
    /// Labels of the same positions by another engine: the report says what they change. May be named again
    #[arg(long, value_name = "FILE")]
    referee: Vec<PathBuf>,
    /// The one comparison that was named beforehand, two contestants or groups; all others are corrected for their number
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"])]
    main: Vec<String>,
    /// Print the table of all positions, scores and moves too
    #[arg(long)]
    table: bool,
    #[command(flatten)]
    labels: Labels,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    sample: Sample,
}

#[derive(Args)]
struct Labels {
    /// Label the positions afresh with this engine: a path, or a name to look for on the PATH, with arguments if it
    /// takes any: 'node "my engines/stockfish.js"'
    #[arg(long, value_name = "ENGINE", requires = "effort")]
    engine: Option<String>,
    /// Plies of the labelling engine
    #[arg(long, group = "effort", requires = "engine", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,
    /// Nodes of the labelling engine
    #[arg(long, group = "effort", requires = "engine", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Where labels are kept; labels.csv in the folder by default
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Label the positions and stop
    #[arg(long, requires = "engine")]
    labels_only: bool,
    /// Seconds that an engine may take for one answer, beyond the time that it is given to think
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", value_parser = seconds)]
    timeout: f32,
}

#[derive(Args)]
struct Games {
    /// Let contestants that may search equally much play each other, so many games each pair, from openings with both
    /// colours
    #[arg(long, value_name = "N", value_parser = even)]
    games: Option<usize>,
    /// Openings, one a line, in a .epd, .fen or .txt; the built-in book of 500 by default
    #[arg(long, value_name = "FILE", requires = "games")]
    openings: Option<PathBuf>,
    /// Play and stop
    #[arg(long, requires = "games")]
    games_only: bool,
}

#[derive(Args)]
struct Sample {
    /// How many positions are drawn from games
    #[arg(long, default_value_t = SampleSettings::default().count, value_name = "N")]
    count: usize,
    /// The seed of the random generator that draws them
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The share of drawn positions, 0 to 1, that random moves change
    #[arg(long, default_value_t = SampleSettings::default().random_share, value_name = "SHARE", value_parser = share)]
    random_share: f64,
    /// Draw only positions that a training with the default split keeps for its test part
    #[arg(long)]
    held_out: bool,
}

/// Does what the arguments ask.
pub fn run(arguments: &Compare) -> CommandResult {
    let (mut contestants, mut main) = (Vec::new(), arguments.main.clone());
    let nets = arguments.nets.clone().unwrap_or_else(nets_folder);
    for text in arguments.contestants() {
        for mut contestant in Contestant::parse_all(text, &nets)? {
            if arguments.bfloat16 {
                contestant.in_bfloat16()?;
            }
            // --main may say it in the words of the contestants, which reports shorten
            for main in main.iter_mut().filter(|main| *main == text) {
                *main = contestant.entrant().to_string();
            }
            if !contestants.contains(&contestant) {
                contestants.push(contestant);
            }
        }
    }
    // only a table (.tsv) brings other contestants with it: otherwise a wrong name is told before any work
    if arguments.positions.iter().all(|path| kind(path) != "tsv") {
        let names: Vec<&str> = contestants.iter().map(Contestant::entrant).collect();
        main_places(&main, &names)?;
    }
    if let Some(labels) = &arguments.labels.labels {
        let inputs = arguments.positions.iter().map(PathBuf::as_path);
        whole_file::check(labels, inputs).map_err(|error| format!("{}: {error}", labels.display()))?;
    }
    let out = &arguments.out;
    std::fs::create_dir_all(out).map_err(|error| CompareError::write(out, error))?;
    // a second run would write over the answers of the first
    let lock = whole_file::lock(out).map_err(|error| CompareError::write(out, error))?;
    let _lock = lock.ok_or_else(|| CompareError::Busy(out.clone()))?;
    let matches = play(arguments, &contestants)?;
    if arguments.games.games_only {
        say(terminal::matches(&matches));
        return Ok(());
    }
    let set = positions(arguments)?;
    if arguments.labels.labels_only {
        return Ok(());
    }
    let mut answers = set.recorded.clone();
    answers.extend(ask(arguments, &set, &contestants)?);
    let known: Vec<Option<Contestant>> = set.recorded.iter().map(|_| None).collect();
    let contestants: Vec<_> = known
        .into_iter()
        .chain(contestants.into_iter().map(Some))
        .collect();
    let entrants = entrants(&contestants, &answers);
    let names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    let main = main_places(&main, &names)?;
    let summaries = summarize(&set, &answers, &entrants);
    let pairs = pairs(&set, &answers, &entrants, main);
    let referee = arguments.referee()?;
    let second = referee
        .as_ref()
        .map(|referee| second_opinion(&set, referee, &arguments.referee[0], &answers, &entrants, main))
        .transpose()?;
    let results = Results {
        set: &set,
        answers: &answers,
        entrants: &entrants,
        summaries: &summaries,
        pairs: &pairs,
        second: second.as_ref(),
        matches: &matches,
    };
    let page = files::write(&results, &arguments.out)?;
    if arguments.table {
        let mut table = Vec::new();
        thesis_table::write(&set, &answers, &mut table)?;
        say(String::from_utf8_lossy(&table));
    }
    say(format_args!(
        "{} positions, reference {}; shares in per cent, 95 % intervals below",
        set.cases.len(),
        set.labelled_by
    ));
    say(terminal::printed(&results));
    if !matches.is_empty() {
        say(terminal::matches(&matches));
    }
    say(format_args!("the report: {}", page.display()));
    Ok(())
}

/// All games, with a bar that tells how far they have come.
fn play(arguments: &Compare, contestants: &[Contestant]) -> Result<Vec<Match>, CompareError> {
    let Some(games) = arguments.games.games else {
        return Ok(Vec::new());
    };
    let settings = MatchSettings {
        games,
        threads: usize::from(arguments.threads),
        engine: arguments.engine_settings(),
        restart: arguments.resume.restart,
    };
    let openings = book::read(arguments.games.openings.as_deref(), &mut |line| say(line))?;
    let mut players = Vec::new();
    for contestant in contestants {
        players.push((contestant.clone(), contestant.identity(&settings.engine)?));
    }
    let meetings = matches::meetings(&players);
    let bar = bar((meetings.len() * games) as u64, "games");
    let mut begun = false;
    let played = matches::play_all(
        &meetings,
        &openings,
        &arguments.out,
        &settings,
        &mut |place, done| {
            if !begun {
                bar.reset_eta();
                begun = true;
            }
            let [one, two] = &meetings[place].players;
            bar.set_message(format!("{} – {}", one.name, two.name));
            bar.set_position(done as u64);
        },
    );
    bar.finish_and_clear();
    played
}

/// All answers, with a bar that tells how far it has come.
fn ask(arguments: &Compare, set: &Set, contestants: &[Contestant]) -> Result<Vec<Answers>, CompareError> {
    let settings = RunSettings {
        threads: usize::from(arguments.threads),
        engine: arguments.engine_settings(),
        restart: arguments.resume.restart,
    };
    let bar = bar((set.cases.len() * contestants.len()) as u64, "answers");
    let mut begun = false;
    let answers = run::run(set, contestants, &arguments.out, &settings, &mut |name, done| {
        if !begun {
            // what an earlier run has answered says nothing of the time that the rest takes
            bar.reset_eta();
            begun = true;
        }
        bar.set_message(name.to_string());
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    answers
}

/// The positions, labelled.
fn positions(arguments: &Compare) -> Result<Set, CompareError> {
    let mut set = match arguments.positions.is_empty() {
        true => Set::built_in()?,
        false => Set::read_all(&arguments.positions, &arguments.sample.settings(), &mut |line| {
            say(line)
        })?,
    };
    if let Some(limit) = arguments.limit {
        set = set.thinned(limit as usize);
    }
    if set.cases.is_empty() {
        return Err(CompareError::Empty);
    }
    if let Some(engine) = arguments.reference_engine() {
        let default = || arguments.out.join("labels.csv");
        let cache = arguments.labels.labels.clone().unwrap_or_else(default);
        let bar = bar(set.cases.len() as u64, "positions labelled");
        let labelled = label(&mut set, &engine, &cache, &mut |done| {
            bar.set_position(done as u64)
        });
        bar.finish_and_clear();
        labelled?;
    }
    match set.cases.iter().all(|case| case.reference.is_empty()) {
        true => Err(CompareError::Unlabelled),
        false => Ok(set),
    }
}

/// The places of the main comparison among those that are compared.
fn main_places(names: &[String], compared: &[&str]) -> Result<Option<[usize; 2]>, String> {
    let place = |name: &String| {
        let known = compared.iter().position(|known| known == name);
        known.ok_or_else(|| {
            let mut all = compared.to_vec();
            all.dedup();
            format!(
                "--main: '{name}' is none of those that are compared: {}",
                all.join(", ")
            )
        })
    };
    match names {
        [one, two] if one == two => Err(format!("--main: '{one}' stands there twice")),
        [one, two] => Ok(Some([place(one)?, place(two)?])),
        _ => Ok(None),
    }
}

impl Compare {
    /// The other referee's labels, of whatever positions.
    fn referee(&self) -> Result<Option<Set>, CompareError> {
        match self.referee.is_empty() {
            true => Ok(None),
            false => Ok(Some(Set::read_all(
                &self.referee,
                &self.sample.settings(),
                &mut |line| say(line),
            )?)),
        }
    }

    fn reference_engine(&self) -> Option<ReferenceEngine> {
        let labels = &self.labels;
        let effort = match (labels.depth, labels.nodes) {
            (Some(plies), _) => Effort::Depth(plies),
            (_, nodes) => Effort::Nodes(nodes?),
        };
        Some(ReferenceEngine {
            engine: EngineSettings {
                program: labels.engine.clone()?,
                ..self.engine_settings()
            },
            effort,
            workers: usize::from(self.threads),
        })
    }

    fn contestants(&self) -> Vec<&str> {
        match self.contestants.is_empty() {
            true => CONTESTANTS.to_vec(),
            false => self.contestants.iter().map(String::as_str).collect(),
        }
    }

    /// For every outside engine, but for the program.
    fn engine_settings(&self) -> EngineSettings {
        let mut settings = EngineSettings {
            patience: Duration::from_secs_f32(self.labels.timeout),
            ..EngineSettings::default()
        };
        settings.options.extend(self.options.iter().cloned());
        settings
    }
}

impl Sample {
    fn settings(&self) -> SampleSettings {
        SampleSettings {
            count: self.count,
            seed: self.seed,
            random_share: self.random_share,
            held_out: self.held_out,
        }
    }
}
