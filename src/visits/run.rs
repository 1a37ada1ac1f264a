//! A run: searches from the positions of the input, and what they evaluated, in the order of the input.

use super::recorder::{Drawing, Kept, Recorder};
use crate::board::Position;
use crate::data::formats::source::GroupSource;
use crate::data::store::writer::ShardWriter;
use crate::data::{DataError, Part, Record, Split};
use crate::engine::parallel::each;
use crate::labelling::lesson;
use crate::nets::choice::{ChoiceError, NetChoice};
use crate::nets::kind::{Backend, EvaluatorVisitor};
use crate::nets::net::Net;
use crate::nets::registry::with_evaluator;
use crate::nets::teacher::Teacher;
use crate::nets::{Evaluator, NetError};
use crate::search::{Control, Game, Limits, MemoryError, Pool, Settings};
use crate::support::mix::mix;
use serde::Serialize;
use thiserror::Error;

/// Starts that are searched before their results are written.
const BATCH: usize = 1_024;

/// Searches that share a table and histories: clearing those takes longer than a search of a thousand nodes.
const SHARING: usize = 64;

/// That table's size in MiB.
const HASH: usize = 4;

/// Which searches are made, and how much of them is kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VisitSettings {
    /// The share of the positions of the input, 0 to 1, from which a search begins.
    pub share: f64,
    /// No search begins from a position with a score beyond ± this many centipawns.
    pub most_start: Option<u16>,
    /// Nodes of each search.
    pub nodes: u64,
    /// Which evaluated positions are kept.
    #[serde(flatten)]
    pub drawing: Drawing,
    /// The only part of the input, as [`Split`] divides it by default, whose positions searches begin from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// The seed of all that is drawn at random.
    pub seed: u64,
}

/// What a run has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitReport {
    pub searches: u64,
    pub kept: u64,
}

/// What ends a run.
#[derive(Debug, Error)]
pub enum VisitError {
    /// The input cannot be read, or the output cannot be written.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The network cannot be used.
    #[error(transparent)]
    Net(#[from] ChoiceError),
    /// The network cannot be computed.
    #[error(transparent)]
    Evaluator(#[from] NetError),
    /// The searches' table cannot be allocated.
    #[error(transparent)]
    Table(#[from] MemoryError),
}

/// Searches from positions of the input and appends what was evaluated: a group for each search. A teacher's network
/// searches if there is one, and what is kept has its labels and hints; otherwise the default network does, and there are
/// no labels. The positions depend on the input, the settings and the network alone, not on the number of threads.
/// `progress` is called with what was done so far.
///
/// # Errors
/// [`VisitError`], as its cases say; what was written before stays.
pub fn visit(
    input: &mut dyn GroupSource,
    settings: &VisitSettings,
    teacher: Option<&Teacher>,
    threads: usize,
    writer: &mut ShardWriter,
    progress: &mut dyn FnMut(&VisitReport),
) -> Result<VisitReport, VisitError> {
    let guide = match teacher {
        Some(teacher) => Guide::Teacher(teacher),
        None => Guide::Net(NetChoice::default().read()?.into()),
    };
    let mut starts = Starts {
        input,
        settings: *settings,
        number: 0,
    };
    let mut report = VisitReport::default();
    let mut skip = writer.groups();
    loop {
        let batch = starts.take(BATCH)?;
        if batch.is_empty() {
            return Ok(report);
        }
        // the results of the first starts were written by an earlier run
        let written = skip.min(batch.len() as u64) as usize;
        skip -= written as u64;
        if written == batch.len() {
            continue;
        }
        let groups = search_all(&guide, settings, &batch, threads)?;
        for group in groups.iter().skip(written) {
            writer.append_with_hints(&group.records, &group.hints)?;
            report.searches += 1;
            report.kept += group.records.len() as u64;
        }
        writer.flush_if_old()?;
        progress(&report);
    }
}

/// What a search is guided by.
enum Guide<'a> {
    Teacher(&'a Teacher),
    Net(Box<Net>),
}

/// A position that a search begins with, and the seed of what is kept of it.
struct Start {
    position: Position,
    seed: u64,
}

/// The positions of the input that searches begin with.
struct Starts<'a> {
    input: &'a mut dyn GroupSource,
    settings: VisitSettings,
    /// Positions read so far.
    number: u64,
}

impl Starts<'_> {
    /// At least `count` more, and fewer only at the end.
    fn take(&mut self, count: usize) -> Result<Vec<Start>, DataError> {
        let (mut starts, mut group) = (Vec::new(), Vec::new());
        while starts.len() < count && self.input.next_group(&mut group)? {
            let part = group.first().map(|first| Split::default().part(first));
            let wanted = self.settings.part.is_none() || self.settings.part == part;
            for record in &group {
                self.number += 1;
                let seed = mix(self.settings.seed ^ mix(self.number));
                starts.extend(self.start(record, seed).filter(|_| wanted));
            }
        }
        Ok(starts)
    }

    /// The start that a record makes, if it is drawn.
    fn start(&self, record: &Record, seed: u64) -> Option<Start> {
        let drawn = mix(seed) as f64 / u64::MAX as f64;
        let most = self.settings.most_start.unwrap_or(u16::MAX);
        let decided = record.score().is_some_and(|score| score.unsigned_abs() > most);
        if drawn >= self.settings.share || decided {
            return None;
        }
        let position = record.position().ok()?;
        let plays = !position.legal_moves().is_empty();
        plays.then_some(Start { position, seed })
    }
}

/// A search, with any evaluator, that returns the positions that it evaluated.
trait Scout {
    /// What searches from these starts evaluated and kept, a list for each; earlier calls do not influence it.
    fn scout(&mut self, starts: &[Start], nodes: u64) -> Vec<Kept>;
}

impl<E: Evaluator + Send> Scout for Pool<Recorder<E>> {
    fn scout(&mut self, starts: &[Start], nodes: u64) -> Vec<Kept> {
        self.clear();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let (settings, control) = (Settings::default(), Control::default());
        let search = |start: &Start| {
            self.evaluator_mut().begin(start.seed);
            let game = Game {
                position: start.position,
                history: Vec::new(),
            };
            self.search(&game, &limits, &settings, &control, &mut |_| {});
            self.evaluator_mut().take()
        };
        starts.iter().map(search).collect()
    }
}

/// Makes a scout around an evaluator that labels nothing.
struct MakeScout(Drawing);

impl EvaluatorVisitor for MakeScout {
    type Output = Result<Box<dyn Scout>, MemoryError>;

    fn visit<E: Evaluator + Clone + Send + 'static>(self, evaluator: E) -> Self::Output {
        let recorder = Recorder::new(evaluator, |e, position| (e.evaluate(position), None), self.0);
        Ok(Box::new(Pool::new(HASH, vec![recorder])?))
    }
}

/// A scout around a teacher, whose evaluations are labels.
fn teacher_scout(teacher: &Teacher, drawing: Drawing) -> Result<Box<dyn Scout>, MemoryError> {
    let answer = |teacher: &mut Teacher, position: &Position| {
        let verdict = teacher.judge(position);
        let known = lesson(teacher, &verdict, position.side_to_move());
        (teacher.score(&verdict), Some(known))
    };
    let recorder = Recorder::new(teacher.clone(), answer, drawing);
    Ok(Box::new(Pool::new(HASH, vec![recorder])?))
}

/// What searches from all these starts evaluated and kept, in the order of the starts.
fn search_all(
    guide: &Guide,
    settings: &VisitSettings,
    starts: &[Start],
    threads: usize,
) -> Result<Vec<Kept>, VisitError> {
    let parts: Vec<&[Start]> = starts.chunks(SHARING).collect();
    let mut found: Vec<Vec<Kept>> = vec![Vec::new(); parts.len()];
    let begin = || {
        let scout = match guide {
            Guide::Teacher(teacher) => teacher_scout(teacher, settings.drawing)?,
            Guide::Net(net) => with_evaluator(net, Backend::default(), MakeScout(settings.drawing))??,
        };
        Ok::<_, VisitError>(scout)
    };
    let work = |scout: &mut Box<dyn Scout>, part: &&[Start]| Ok(scout.scout(part, settings.nodes));
    let receive = |place: usize, groups| {
        found[place] = groups;
        Ok(())
    };
    each(&parts, threads, begin, work, receive).map_err(|fault| fault.error)?;
    Ok(found.concat())
}
