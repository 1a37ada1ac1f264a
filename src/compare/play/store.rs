//! The games of a match in a file, so that a match that was cut off continues where it stopped.
//!
//! A CSV with two rows for each opening, one for each colour of the first contestant. The line before the columns
//! names both contestants exactly: games of others in that file are refused.

use super::game::{Played, Reason};
use crate::board::{Color, GameResult, Position};
use crate::compare::error::CompareError;
use crate::support::whole_file;
use std::collections::HashMap;
use std::path::Path;

/// How the line that names the contestants begins.
const MATCH: &str = "# match: ";
/// What stands between their names.
const AGAINST: &str = " against ";
const COLUMNS: [&str; 5] = ["opening", "first", "result", "reason", "moves"];

/// The two games from an opening: in the first the first contestant has White.
pub type GamePair = [Played; 2];

/// The games that a file holds, by the opening's FEN; none if there is no file. An opening with one game is left out.
///
/// # Errors
/// [`CompareError`] if the file belongs to other contestants or is damaged.
pub fn read(path: &Path, identities: [&str; 2]) -> Result<HashMap<String, GamePair>, CompareError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(CompareError::file(path, error)),
    };
    let wanted = identities.join(AGAINST);
    if text.lines().find_map(|line| line.strip_prefix(MATCH)) != Some(wanted.as_str()) {
        let reason = format!("it does not hold the games of {wanted}: remove it, or choose another --out");
        return Err(CompareError::file(path, reason));
    }
    let mut halves: HashMap<String, [Option<Played>; 2]> = HashMap::new();
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    for row in reader.records() {
        let row = row.map_err(|error| CompareError::file(path, error))?;
        let (fen, first, played) = read_row(&row).ok_or_else(|| {
            let line = row.position().map_or(0, |position| position.line() as usize);
            CompareError::line(path, line, "it is no game; remove the file to play again")
        })?;
        halves.entry(fen).or_default()[first as usize] = Some(played);
    }
    let whole = |(fen, [one, two]): (String, [Option<Played>; 2])| Some((fen, [one?, two?]));
    Ok(halves.into_iter().filter_map(whole).collect())
}

fn read_row(row: &csv::StringRecord) -> Option<(String, Color, Played)> {
    let mut position = Position::from_fen(&row[0]).ok()?;
    let first = match &row[1] {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    let result = GameResult::from_pgn(row[2].as_bytes())?;
    let reason = Reason::from_name(&row[3])?;
    let mut moves = Vec::new();
    for text in row[4].split(' ').filter(|text| !text.is_empty()) {
        let m = position.parse_uci(text).ok()?;
        position.make(m);
        moves.push(m);
    }
    let played = Played {
        result,
        reason,
        moves,
    };
    Some((row[0].to_string(), first, played))
}

/// Writes the games of a match.
///
/// # Errors
/// [`CompareError::Write`] when that fails; the old file is then still there.
pub fn write<'a>(
    path: &Path,
    identities: [&str; 2],
    games: impl Iterator<Item = (&'a Position, &'a GamePair)>,
) -> Result<(), CompareError> {
    whole_file::write(path, |file| {
        writeln!(file, "{MATCH}{}", identities.join(AGAINST))?;
        let mut rows = csv::Writer::from_writer(file);
        rows.write_record(COLUMNS)?;
        for (opening, pair) in games {
            for (first, played) in ["white", "black"].into_iter().zip(pair) {
                let chess960 = opening.needs_chess960();
                let moves: Vec<String> = played.moves.iter().map(|m| m.to_uci(chess960)).collect();
                rows.write_record([
                    &opening.to_fen(chess960),
                    first,
                    played.result.to_pgn(),
                    played.reason.name(),
                    &moves.join(" "),
                ])?;
            }
        }
        rows.flush()
    })
    .map_err(|error| CompareError::write(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    #[test]
    fn games_come_back_and_those_of_others_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        assert!(read(&path, ["a", "b"]).unwrap().is_empty());
        let opening = Position::default();
        let game = |result, reason, moves: &[&str]| {
            let mut position = opening;
            let moves = moves.iter().map(|text| {
                let m = position.parse_uci(text).unwrap();
                position.make(m);
                m
            });
            Played {
                result,
                reason,
                moves: moves.collect(),
            }
        };
        let mate = Reason::Rules(Ending::Checkmate);
        let pair = [
            game(GameResult::BlackWins, mate, &["f2f3", "e7e5", "g2g4", "d8h4"]),
            game(GameResult::Draw, Reason::Length, &[]),
        ];
        write(&path, ["a", "b"], [(&opening, &pair)].into_iter()).unwrap();
        let read_back = read(&path, ["a", "b"]).unwrap();
        assert_eq!(read_back[&opening.to_fen(false)], pair);
        let refused = read(&path, ["b", "a"]).unwrap_err().to_string();
        assert!(refused.contains("games of b against a"), "{refused}");
        // half a pair is played again; a damaged line is named
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        std::fs::write(&path, lines[..3].join("\n")).unwrap();
        assert!(read(&path, ["a", "b"]).unwrap().is_empty());
        std::fs::write(&path, text.replace("e7e5", "e7e4")).unwrap();
        assert!(
            read(&path, ["a", "b"])
                .unwrap_err()
                .to_string()
                .contains("line 3")
        );
    }
}
