//! The games of a match as PGN, for every program that shows games.

use super::store::GamePair;
use crate::board::pgn::text::{move_number, tag_line, wrapped};
use crate::board::{Color, Position};
use std::io::{self, Write};

/// Writes both games from an opening; `round` counts from 1.
///
/// # Errors
/// When writing fails.
pub fn write(
    file: &mut dyn Write,
    round: usize,
    opening: &Position,
    names: [&str; 2],
    pair: &GamePair,
) -> io::Result<()> {
    let [one, two] = names;
    for (colour, (players, played)) in [[one, two], [two, one]].into_iter().zip(pair).enumerate() {
        let chess960 = opening.needs_chess960();
        let mut tags = vec![
            ("Event", "enroc compare".to_string()),
            ("Site", "?".to_string()),
            ("Date", "????.??.??".to_string()),
            ("Round", format!("{round}.{}", colour + 1)),
            ("White", players[0].to_string()),
            ("Black", players[1].to_string()),
            ("Result", played.result.to_pgn().to_string()),
            ("SetUp", "1".to_string()),
            ("FEN", opening.to_fen(chess960)),
            ("Termination", played.reason.name().to_string()),
        ];
        if chess960 {
            tags.push(("Variant", "Chess960".to_string()));
        }
        for (name, value) in tags {
            write!(file, "{}", tag_line(name, &value))?;
        }
        writeln!(file)?;
        let mut position = *opening;
        let mut words = Vec::new();
        for (ply, &m) in played.moves.iter().enumerate() {
            if ply == 0 || position.side_to_move() == Color::White {
                words.push(move_number(&position));
            }
            words.push(position.to_san(m));
            position.make(m);
        }
        words.push(played.result.to_pgn().to_string());
        writeln!(file, "{}\n", wrapped(&words))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GameResult;
    use crate::compare::play::game::{Played, Reason};
    use crate::data::formats::games::{GameReader, GameSettings};

    #[test]
    fn our_own_reader_reads_them() {
        let opening =
            Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
        let played = |count| {
            let mut position = opening;
            let mut moves = Vec::new();
            for _ in 0..count {
                let m = *position.legal_moves().last().unwrap();
                position.make(m);
                moves.push(m);
            }
            Played {
                result: GameResult::BlackWins,
                reason: Reason::Decided,
                moves,
            }
        };
        let mut bytes = Vec::new();
        write(
            &mut bytes,
            3,
            &opening,
            ["a \"x\"", "b"],
            &[played(40), played(33)],
        )
        .unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(text.contains("[White \"a \\\"x\\\"\"]") && text.contains("[Round \"3.2\"]\n[White \"b\"]"));
        assert!(text.contains("\n1... ") && text.lines().all(|line| line.len() < 80));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        std::fs::write(&path, bytes).unwrap();
        let mut reader = GameReader::open(&path, GameSettings::default()).unwrap();
        let (mut records, mut count) = (Vec::new(), 0);
        while reader.read(&mut records).unwrap() {
            assert!(
                records
                    .iter()
                    .all(|record| record.result() == GameResult::BlackWins)
            );
            count += records.drain(..).count();
        }
        // of 41 and 34 positions those before the sixteenth ply are passed over
        assert_eq!(count, 43);
    }
}
