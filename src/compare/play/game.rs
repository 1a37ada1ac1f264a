//! One game between two contestants.

use crate::board::{Color, Ending, GameResult, Move, Position};
use crate::compare::contestant::player::Player;
use crate::nets::score::Score;
use crate::search::Game;
use crate::uci_client::ClientError;

/// A game is won when both players have said for [`DECIDED_PLIES`] plies that the same side is ahead by this much.
pub const DECIDED: Score = 800;
/// Four moves of each.
pub const DECIDED_PLIES: usize = 8;
/// After so many plies from the opening the game is a draw.
pub const LONGEST: usize = 400;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// By the rules.
    Rules(Ending),
    /// Both players called it decided.
    Decided,
    /// It was too long.
    Length,
}

impl Reason {
    const NAMES: [(Reason, &'static str); 7] = [
        (Reason::Rules(Ending::Checkmate), "checkmate"),
        (Reason::Rules(Ending::Stalemate), "stalemate"),
        (
            Reason::Rules(Ending::InsufficientMaterial),
            "insufficient material",
        ),
        (Reason::Rules(Ending::FiftyMoves), "fifty moves"),
        (Reason::Rules(Ending::Repetition), "repetition"),
        (Reason::Decided, "decided"),
        (Reason::Length, "length"),
    ];

    /// As files of games write it.
    pub fn name(self) -> &'static str {
        let mut known = Reason::NAMES.iter();
        known
            .find(|(reason, _)| *reason == self)
            .map_or("", |(_, name)| name)
    }

    /// The reason of that name.
    pub fn from_name(name: &str) -> Option<Reason> {
        let mut known = Reason::NAMES.iter();
        Some(known.find(|(_, text)| *text == name)?.0)
    }
}

/// A game that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    pub result: GameResult,
    /// Why it ended.
    pub reason: Reason,
    /// The moves after the opening.
    pub moves: Vec<Move>,
}

/// Plays a game from an opening; `players` are White and Black.
///
/// # Errors
/// [`ClientError`] and the side whose engine broke down.
pub fn play(opening: &Position, players: [&mut Player; 2]) -> Result<Played, (Color, ClientError)> {
    let [white, black] = players;
    for (color, player) in [(Color::White, &mut *white), (Color::Black, &mut *black)] {
        player.begin_game().map_err(|error| (color, error))?;
    }
    let mut game = Game {
        position: *opening,
        history: Vec::new(),
    };
    let (mut moves, mut verdicts) = (Vec::new(), Verdicts::default());
    loop {
        let mover = game.position.side_to_move();
        let over = |result, reason, moves| {
            Ok(Played {
                result,
                reason,
                moves,
            })
        };
        if let Some(ending) = game.position.ending(&game.history) {
            return over(ending.result(mover), Reason::Rules(ending), moves);
        }
        if let Some(winner) = verdicts.winner() {
            return over(GameResult::win(winner), Reason::Decided, moves);
        }
        if moves.len() == LONGEST {
            return over(GameResult::Draw, Reason::Length, moves);
        }
        let player = if mover == Color::White {
            &mut *white
        } else {
            &mut *black
        };
        let (m, score) = player
            .choose(&game, opening, &moves)
            .map_err(|error| (mover, error))?;
        verdicts.hear(mover, score);
        game.history.push(game.position.key());
        game.position.make(m);
        moves.push(m);
    }
}

/// What the players have said of late: who is far ahead, and for how many plies both have said so.
#[derive(Debug, Default)]
struct Verdicts {
    ahead: Option<Color>,
    plies: usize,
}

impl Verdicts {
    fn hear(&mut self, mover: Color, score: Score) {
        let ahead = match score {
            DECIDED.. => Some(mover),
            score if score <= -DECIDED => Some(!mover),
            _ => None,
        };
        self.plies = if ahead.is_some() && ahead == self.ahead {
            self.plies + 1
        } else {
            1
        };
        self.ahead = ahead;
    }

    fn winner(&self) -> Option<Color> {
        self.ahead.filter(|_| self.plies >= DECIDED_PLIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::contestant::player::tests::player;

    #[test]
    fn names_of_reasons_come_back() {
        for (reason, name) in Reason::NAMES {
            assert_eq!((reason.name(), Reason::from_name(name)), (name, Some(reason)));
        }
        assert_eq!(Reason::from_name("boredom"), None);
    }

    #[test]
    fn both_must_call_it_decided_for_four_moves_each() {
        let mut verdicts = Verdicts::default();
        for ply in 0..DECIDED_PLIES {
            assert_eq!(verdicts.winner(), None, "{ply}");
            let (mover, score) = match ply % 2 {
                0 => (Color::White, -DECIDED),
                _ => (Color::Black, 5_000),
            };
            verdicts.hear(mover, score);
        }
        assert_eq!(verdicts.winner(), Some(Color::Black));
        verdicts.hear(Color::White, DECIDED);
        assert_eq!(verdicts.winner(), None);
        verdicts.hear(Color::Black, DECIDED - 1);
        assert_eq!((verdicts.ahead, verdicts.winner()), (None, None));
    }

    #[test]
    fn games_end_by_the_rules_and_are_the_same_again() {
        let mut players = [player("mlp@2"), player("heuristics@1")];
        let mut play = |fen: &str| {
            let [white, black] = &mut players;
            play(&Position::from_fen(fen).unwrap(), [white, black]).unwrap()
        };
        let mate = play("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
        assert_eq!((mate.result, mate.moves.len()), (GameResult::WhiteWins, 1));
        assert_eq!(mate.reason, Reason::Rules(Ending::Checkmate));
        let drawn = play("8/8/8/4k3/8/8/3p4/3K4 w - - 98 90");
        assert_eq!((drawn.result, drawn.moves.len() <= 2), (GameResult::Draw, true));
        let fen = "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 2 5";
        let long = play(fen);
        assert_eq!(play(fen), long);
        let mut position = Position::from_fen(fen).unwrap();
        for &m in &long.moves {
            assert!(position.legal_moves().contains(&m));
            position.make(m);
        }
        assert!(long.moves.len() > 4, "{long:?}");
    }

    #[test]
    fn a_position_that_comes_again_and_again_is_a_draw() {
        let mut players = [player("heuristics@1"), player("heuristics@1")];
        let [white, black] = &mut players;
        // nothing can be won, and no move but the kings' is left
        let blocked = Position::from_fen("4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1").unwrap();
        let drawn = play(&blocked, [white, black]).unwrap();
        assert_eq!(
            drawn.reason,
            Reason::Rules(Ending::Repetition),
            "{} plies",
            drawn.moves.len()
        );
    }
}
