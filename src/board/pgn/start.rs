//! Where a game starts and by which rules: what its tags say of that.

use super::super::position::Position;
use super::PgnFault;
use super::variants::{Rules, rules};
use super::written::{Fault, WrittenGame};

/// The start of a game.
#[derive(Clone, Debug)]
pub struct Start {
    /// The position.
    pub position: Position,
    /// Whether it is a game of Chess960.
    pub chess960: bool,
    /// What of the position does not fit and is left out.
    pub ignored: Vec<Fault>,
}

/// Values of a `FEN` tag that say nothing.
const NO_FEN: [&str; 4] = ["", "?", "-", "startpos"];

impl WrittenGame {
    /// Where the game starts. Castling rights and an en passant square that cannot be are left out of a `FEN` tag.
    ///
    /// # Errors
    /// [`Fault`] for the games of other rules, and for a start that is no position of chess.
    pub fn start(&self) -> Result<Start, Fault> {
        let tag = |name: &str| self.tags.iter().find(|tag| tag.0 == name);
        let chess960 = match tag("Variant") {
            None => false,
            Some((_, name, spot)) => {
                let rules = rules(name).ok_or_else(|| Fault {
                    fault: PgnFault::Variant(name.clone()),
                    spot: *spot,
                })?;
                rules == Rules::Chess960
            }
        };
        let fen = tag("FEN").filter(|tag| !NO_FEN.contains(&tag.1.trim()));
        let Some((_, fen, spot)) = fen else {
            return Ok(Start {
                position: Position::default(),
                chess960,
                ignored: Vec::new(),
            });
        };
        let fault = |fault| Fault { fault, spot: *spot };
        let (position, ignored) =
            Position::from_lenient_fen(&completed(fen)).map_err(|error| fault(PgnFault::Fen(error)))?;
        let ignored = ignored.into_iter().map(|error| fault(PgnFault::FenPart(error)));
        Ok(Start {
            chess960: chess960 || position.needs_chess960(),
            position,
            ignored: ignored.collect(),
        })
    }
}

/// A FEN with the fields that it leaves out at its end.
fn completed(fen: &str) -> String {
    let missing = ["w", "-", "-"];
    let given = fen.split_whitespace().count().max(1);
    let missing = missing.get(given - 1..).unwrap_or_default();
    [&[fen], missing].concat().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::written::{Detail, Reader};
    use super::*;

    fn start(tags: &str) -> Result<Start, Fault> {
        let mut games = Vec::new();
        Reader::new(Detail::All).finish(tags.as_bytes(), &mut games);
        games.remove(0).start()
    }

    #[test]
    fn what_cannot_be_is_left_out_and_told() {
        let found = start("[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq e3 0 1\"]").unwrap();
        assert_eq!(
            found.position.to_fen(false),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"
        );
        assert_eq!(found.ignored.len(), 2);
        let short = start("[FEN \"4k3/8/8/8/8/8/4P3/4K3\"]").unwrap();
        assert_eq!(short.position.to_fen(false), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        assert!(matches!(
            start("[FEN \"8/8 w\"]").unwrap_err().fault,
            PgnFault::Fen(_)
        ));
        assert!(start("[FEN \"?\"]").is_ok_and(|start| start.position == Position::default()));
        let other = start("[Event \"x\"]\n[Variant \"Atomic\"]").unwrap_err();
        assert_eq!(
            (other.fault, other.spot.line),
            (PgnFault::Variant("Atomic".to_string()), 2)
        );
    }
}
