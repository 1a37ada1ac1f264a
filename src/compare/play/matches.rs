//! Matches: all games of two contestants, kept in a file as they end.

use super::elo::Standing;
use super::game::{Played, play};
use super::pgn;
use super::store;
use super::store::GamePair;
use crate::board::{Color, GameResult, Position};
use crate::compare::contestant::Contestant;
use crate::compare::contestant::player::Player;
use crate::compare::contestant::store::plain_name;
use crate::compare::error::CompareError;
use crate::engine::parallel::each;
use crate::support::whole_file;
use crate::uci_client::{ClientError, EngineSettings};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Games are written at most this often.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// How matches are played.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// Games of a match, an even number: each opening is played with both colours.
    pub games: usize,
    /// Games at once.
    pub threads: usize,
    /// For outside engines, but for the program.
    pub engine: EngineSettings,
    /// Whether games of an earlier run are thrown away.
    pub restart: bool,
}

/// Who plays whom.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub players: [Contestant; 2],
    /// Their exact identities; see [`Contestant::identity`].
    pub identities: [String; 2],
}

/// The games of two contestants.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Match {
    pub names: [String; 2],
    /// For the first.
    pub standing: Standing,
    /// The games as PGN.
    #[serde(skip)]
    pub pgn: PathBuf,
}

/// Who meets whom: those that may search equally much, plies and quiescence, nodes or time; all with all where no two
/// may. Contestants that choose no move do not play.
pub fn meetings(contestants: &[(Contestant, String)]) -> Vec<Meeting> {
    let players: Vec<&(Contestant, String)> = contestants
        .iter()
        .filter(|(contestant, _)| contestant.budget.look_ahead != Some(0))
        .collect();
    let all = (0..players.len()).flat_map(|one| (one + 1..players.len()).map(move |two| [one, two]));
    // a net may be there alone and in a group
    let all: Vec<[usize; 2]> = all
        .filter(|&[one, two]| players[one].1 != players[two].1)
        .collect();
    let equal = |&[one, two]: &[usize; 2]| players[one].0.budget == players[two].0.budget;
    let alike: Vec<[usize; 2]> = all.iter().copied().filter(equal).collect();
    let chosen = if alike.is_empty() { all } else { alike };
    let meeting = |places: [usize; 2]| Meeting {
        players: places.map(|place| players[place].0.clone()),
        identities: places.map(|place| players[place].1.clone()),
    };
    chosen.into_iter().map(meeting).collect()
}

/// Plays what `folder` does not hold yet; `tell` hears the meeting's place and the number of games so far, over all
/// meetings.
///
/// # Errors
/// [`CompareError::Openings`] if there are too few, [`CompareError::Match`] when an engine breaks down; all games before
/// are kept.
pub fn play_all(
    meetings: &[Meeting],
    openings: &[Position],
    folder: &Path,
    settings: &MatchSettings,
    tell: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Vec<Match>, CompareError> {
    let wanted = settings.games.div_ceil(2);
    let openings = openings.get(..wanted).ok_or(CompareError::Openings {
        games: settings.games,
        openings: openings.len(),
    })?;
    let folder = folder.join("games");
    std::fs::create_dir_all(&folder).map_err(|error| CompareError::write(&folder, error))?;
    let mut kept = Vec::new();
    for meeting in meetings {
        kept.push(Kept::read(meeting, openings, &folder, settings.restart)?);
    }
    let mut done: usize = kept.iter().map(Kept::games).sum();
    for (place, (meeting, kept)) in meetings.iter().zip(&mut kept).enumerate() {
        tell(place, done);
        kept.play(meeting, openings, settings, &mut || {
            done += 2;
            tell(place, done);
        })?;
    }
    let outcomes = meetings.iter().zip(&kept);
    Ok(outcomes.map(|(meeting, kept)| kept.outcome(meeting)).collect())
}

/// The games of a meeting, and the files that keep them.
struct Kept {
    games: Vec<Option<GamePair>>,
    csv: PathBuf,
}

impl Kept {
    fn read(
        meeting: &Meeting,
        openings: &[Position],
        folder: &Path,
        restart: bool,
    ) -> Result<Kept, CompareError> {
        let [one, two] = [0, 1].map(|place| plain_name(&meeting.identities[place]));
        let csv = folder.join(format!("{one} against {two}.csv"));
        let known = match restart {
            true => Default::default(),
            false => store::read(&csv, identities(meeting))?,
        };
        let of = |opening: &Position| known.get(&opening.to_fen(opening.needs_chess960())).cloned();
        Ok(Kept {
            games: openings.iter().map(of).collect(),
            csv,
        })
    }

    fn games(&self) -> usize {
        2 * self.games.iter().flatten().count()
    }

    fn play(
        &mut self,
        meeting: &Meeting,
        openings: &[Position],
        settings: &MatchSettings,
        tell: &mut (dyn FnMut() + Send),
    ) -> Result<(), CompareError> {
        let open: Vec<usize> = (0..openings.len())
            .filter(|&place| self.games[place].is_none())
            .collect();
        let mut saved = Instant::now();
        let result = each(
            &open,
            settings.threads,
            || begin(meeting, &settings.engine),
            |[one, two], &place| {
                let at_fault = |first: Color| {
                    move |(color, error): (Color, ClientError)| {
                        Breakdown::Engine(usize::from(color != first), error)
                    }
                };
                let opening = &openings[place];
                Ok([
                    play(opening, [&mut *one, &mut *two]).map_err(at_fault(Color::White))?,
                    play(opening, [two, one]).map_err(at_fault(Color::Black))?,
                ])
            },
            |number, pair| {
                self.games[open[number]] = Some(pair);
                tell();
                if saved.elapsed() < SAVE_EVERY {
                    return Ok(());
                }
                saved = Instant::now();
                self.save(meeting, openings).map_err(Breakdown::Other)
            },
        );
        self.save(meeting, openings)?;
        result.map_err(|fault| match fault.error {
            Breakdown::Engine(place, error) => CompareError::Match {
                name: meeting.players[place].name.clone(),
                error: Box::new(error),
                kept: self.games(),
                path: self.csv.clone(),
            },
            Breakdown::Other(error) => error,
        })
    }

    fn save(&self, meeting: &Meeting, openings: &[Position]) -> Result<(), CompareError> {
        let games = || {
            let places = openings.iter().zip(&self.games).enumerate();
            places.filter_map(|(place, (opening, pair))| Some((place, opening, pair.as_ref()?)))
        };
        store::write(
            &self.csv,
            identities(meeting),
            games().map(|(_, opening, pair)| (opening, pair)),
        )?;
        let path = self.pgn();
        let names = names(meeting);
        whole_file::write(&path, |file| {
            games().try_for_each(|(place, opening, pair)| pgn::write(file, place + 1, opening, names, pair))
        })
        .map_err(|error| CompareError::write(&path, error))
    }

    fn pgn(&self) -> PathBuf {
        self.csv.with_extension("pgn")
    }

    fn outcome(&self, meeting: &Meeting) -> Match {
        let mut standing = Standing::default();
        for [one, two] in self.games.iter().flatten() {
            standing.add([half_points(one, Color::White), half_points(two, Color::Black)]);
        }
        Match {
            names: names(meeting).map(str::to_string),
            standing,
            pgn: self.pgn(),
        }
    }
}

fn identities(meeting: &Meeting) -> [&str; 2] {
    [0, 1].map(|place| meeting.identities[place].as_str())
}

fn names(meeting: &Meeting) -> [&str; 2] {
    [0, 1].map(|place| meeting.players[place].name.as_str())
}

/// Why a pair of games was not played.
enum Breakdown {
    /// The place of the contestant at fault, and what happened.
    Engine(usize, ClientError),
    Other(CompareError),
}

fn begin(meeting: &Meeting, engine: &EngineSettings) -> Result<[Player; 2], Breakdown> {
    let [one, two] = &meeting.players;
    let player = |contestant| Player::new(contestant, engine).map_err(Breakdown::Other);
    Ok([player(one)?, player(two)?])
}

/// What a side made of a game, in half points.
fn half_points(played: &Played, side: Color) -> usize {
    match played.result {
        GameResult::Draw | GameResult::Unknown => 1,
        result => 2 * usize::from(result == GameResult::win(side)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contestants(texts: &[&str]) -> Vec<(Contestant, String)> {
        let parse = |text: &&str| {
            let contestant = Contestant::parse(text, Path::new("none")).unwrap();
            let identity = contestant.identity(&EngineSettings::default()).unwrap();
            (contestant, identity)
        };
        texts.iter().map(parse).collect()
    }

    fn openings() -> Vec<Position> {
        let mut openings = vec![Position::default(); 3];
        for (opening, text) in openings.iter_mut().zip(["e2e4", "d2d4", "g1f3"]) {
            let m = opening.parse_uci(text).unwrap();
            opening.make(m);
        }
        openings
    }

    #[test]
    fn those_that_may_search_equally_much_meet() {
        let texts = ["mlp@0", "mlp@2", "heuristics@2", "mlp@2+q", "heuristics@1"];
        let found = meetings(&contestants(&texts));
        let found: Vec<[&str; 2]> = found.iter().map(names).collect();
        assert_eq!(found, [["mlp@2", "heuristics@2"]]);
        // nobody meets itself
        assert!(meetings(&contestants(&["mlp@2", "mlp@2"])).is_empty());
        assert_eq!(
            meetings(&contestants(&["mlp@0", "mlp@1", "mlp@2", "mlp@3"])).len(),
            3
        );
    }

    #[test]
    fn a_match_is_kept_and_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let meetings = meetings(&contestants(&["mlp@2+q", "heuristics@1"]));
        let play = |games, threads, restart| {
            let settings = MatchSettings {
                games,
                threads,
                engine: EngineSettings::default(),
                restart,
            };
            let mut told = Vec::new();
            let tell = &mut |place, done| told.push((place, done));
            let matches = play_all(&meetings, &openings(), folder.path(), &settings, tell).unwrap();
            (matches, told)
        };
        let (matches, told) = play(4, 2, false);
        assert_eq!(told, [(0, 0), (0, 2), (0, 4)]);
        let standing = matches[0].standing;
        // a network with quiescence beats a count of material that sees one ply
        assert_eq!(standing.count(), 4);
        assert!(standing.games[0] > standing.games[2], "{standing:?}");
        let (again, told) = play(4, 1, false);
        assert_eq!((again, told), (matches.clone(), vec![(0, 4)]));
        let (more, told) = play(6, 1, false);
        assert_eq!((more[0].standing.count(), told), (6, vec![(0, 4), (0, 6)]));
        assert_eq!(play(4, 1, true).0, matches);
        let pgn = std::fs::read_to_string(&matches[0].pgn).unwrap();
        assert_eq!(pgn.matches("[White \"mlp@2+q\"]").count(), 2);
    }

    #[test]
    fn too_few_openings_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let settings = MatchSettings {
            games: 8,
            threads: 1,
            engine: EngineSettings::default(),
            restart: false,
        };
        let meetings = meetings(&contestants(&["mlp@1", "heuristics@1"]));
        let error = play_all(&meetings, &openings(), folder.path(), &settings, &mut |_, _| {}).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("3 openings are enough for 6 games, not for 8"),
            "{error}"
        );
    }
}
