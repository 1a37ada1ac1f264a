//! Reads all games of a text, with their places in it.

use super::places::Places;
use super::tree::too_long;
use super::written::{Detail, Fault, Reader};
use super::{PgnGame, Problem};

pub use super::tree::{DEEPEST, MOST_NODES};

/// Reads every game of a text, each with what could not be read of it. A game is kept up to the first fault of its main
/// line, a variation up to its own first fault. Of all games together at most [`MOST_NODES`] moves are read.
pub fn read(text: &str) -> Vec<(PgnGame, Vec<Problem>)> {
    let mut written = Vec::new();
    Reader::new(Detail::All).finish(text.as_bytes(), &mut written);
    let (mut games, mut places, mut room) = (Vec::new(), Places::new(text), MOST_NODES);
    for game in written {
        let (tree, faults) = game.tree(room);
        room -= tree.nodes.len();
        let is_full = room == 0 && faults.iter().any(|fault| fault.fault == too_long());
        let problem = |Fault { fault, spot }| Problem {
            fault,
            place: places.of(spot),
        };
        games.push((tree, faults.into_iter().map(problem).collect()));
        if is_full {
            break;
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::super::PgnFault;
    use super::*;
    use crate::board::GameResult;

    /// The lines of a game, each from the start, and what could not be read.
    fn lines(text: &str) -> (Vec<String>, Vec<(usize, PgnFault)>) {
        let (game, problems) = read(text).remove(0);
        let is_end = |node: &usize| game.children(Some(*node)).next().is_none();
        let line = |end: usize| {
            let back = std::iter::successors(Some(end), |&node| game.nodes[node].parent);
            let mut moves: Vec<String> = back.map(|node| game.san(node)).collect();
            moves.reverse();
            moves.join(" ")
        };
        let lines = (0..game.nodes.len()).filter(is_end).map(line).collect();
        let problems = problems
            .into_iter()
            .map(|problem| (problem.place.at, problem.fault));
        (lines, problems.collect())
    }

    #[test]
    fn variations_belong_to_the_move_before_them() {
        let text = "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 (1... c5) 2. Nf3 *";
        let (lines, problems) = lines(text);
        assert_eq!(lines, ["d4 Nf6 c4", "d4 d5 c4", "e4 c5", "e4 e5 Nf3"]);
        assert_eq!(problems, []);
        let game = &read(text)[0].0;
        let first: Vec<_> = game.children(None).collect();
        assert_eq!(game.san(first[0]), "e4");
    }

    #[test]
    fn comments_and_glyphs_stay_at_their_moves() {
        let text = "{zero} 1. e4! {one} {more} ({two} 1. d4 $18 {three}) e5 {four} 1-0";
        let (game, _) = &read(text)[0];
        let comments: Vec<_> = game.nodes.iter().map(|node| node.comment.as_deref()).collect();
        assert_eq!(game.comment.as_deref(), Some("zero"));
        assert_eq!(comments, [Some("one more"), Some("three"), Some("four")]);
        assert_eq!(game.nodes[1].before.as_deref(), Some("two"));
        let nags: Vec<_> = game.nodes.iter().map(|node| node.nags.clone()).collect();
        assert_eq!(nags, [vec![1], vec![18], vec![]]);
        assert_eq!(game.result, GameResult::WhiteWins);
    }

    #[test]
    fn signs_behind_moves_are_glyphs() {
        let text = "1. e4= e5+= 2. Nf3± Nc6 ∓ 3. Bb5N D a6!? $18 4. Ba4+/- Nf6-+ 5. O-O+-! Be7⩱ *";
        let (game, problems) = &read(text)[0];
        assert_eq!(problems, &[]);
        let nags: Vec<_> = game.nodes.iter().map(|node| node.nags.as_slice()).collect();
        let expected: [&[u8]; 10] = [
            &[10],
            &[14],
            &[16],
            &[17],
            &[146, 220],
            &[5, 18],
            &[16],
            &[19],
            &[18, 1],
            &[15],
        ];
        assert_eq!(nags, expected);
    }

    #[test]
    fn passed_moves_stay_in_variations_and_end_the_main_line() {
        let (found, problems) = lines("1. e4 e5 (1... -- 2. d4) 2. Nf3 Z0 3. Nxe5 *");
        assert_eq!(found, ["e4 -- d4", "e4 e5 Nf3"]);
        assert_eq!(problems, [(32, PgnFault::NullMove)]);
        let (game, _) = &read("1. e4 e5 (1... Z0 2. d4) 2. Nf3 *")[0];
        assert_eq!((game.uci(2).as_str(), game.san(2).as_str()), ("0000", "--"));
        assert_eq!(
            lines("1. e4 f5 2. Qh5+ g6 (2... --) *").1,
            [(26, PgnFault::NullInCheck)]
        );
    }

    #[test]
    fn an_empty_comment_is_none() {
        let (game, problems) = &read("{} 1. e4 { } (;\n 1. d4) e5 *")[0];
        assert_eq!((game.comment.as_deref(), problems.len()), (None, 0));
        assert!(
            game.nodes
                .iter()
                .all(|node| node.comment.is_none() && node.before.is_none())
        );
    }

    #[test]
    fn a_faulty_line_ends_there_and_the_others_go_on() {
        let illegal = |text: &str| PgnFault::Move(super::super::SanError::Illegal(text.to_string()));
        let (found, problems) = lines("1. e4 (1. d5 (1. x) Nf3) e5 (1... c5 2. Ke3 d6) 2. Nf3 *");
        assert_eq!(found, ["e4 c5", "e4 e5 Nf3"]);
        assert_eq!(problems, [(10, illegal("d5")), (40, illegal("Ke3"))]);
        let (found, problems) = lines("1. e4 e5 2. Ke3 (2. Nf3) Nc6 1-0");
        assert_eq!(found, ["e4 e5"]);
        assert_eq!(problems, [(12, illegal("Ke3"))]);
    }

    #[test]
    fn what_is_not_closed_is_named() {
        assert_eq!(lines("1. e4 ( 1. d4").1, [(6, PgnFault::Unclosed('('))]);
        assert_eq!(lines("1. e4 ) e5").1, [(6, PgnFault::Unclosed(')'))]);
        assert_eq!(lines("1. e4 {never").1, [(6, PgnFault::Unclosed('{'))]);
        assert_eq!(lines("(1. e4) 1. d4").1, [(0, PgnFault::NoMove)]);
        assert_eq!(lines("(1. e4) 1. d4").0, ["d4"]);
    }

    #[test]
    fn tags_set_up_the_game() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\"]\n[Variant \"Chess960\"]\n\n1. O-O-O *\n\n[Event \"b\"]\n\n1. e4";
        let games = read(text);
        assert_eq!(games.len(), 2);
        assert!(games[0].0.chess960 && games[0].1.is_empty());
        assert_eq!(games[0].0.uci(0), "e1b1");
        assert_eq!(games[1].0.tag("Event"), Some("b"));
        let refused = |text: &str| read(text)[0].1[0].clone();
        let fen = refused("[Event \"x\"]\n[FEN \"8/8 w\"]\n\n1. e4");
        assert!(matches!(fen.fault, PgnFault::Fen(_)) && fen.place.line == 2);
        let variant = refused("[Variant \"Atomic\"]\n\n1. e4");
        assert_eq!(variant.fault, PgnFault::Variant("Atomic".to_string()));
    }

    #[test]
    fn endless_and_deep_texts_are_cut() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_NODES / 4 + 10);
        let (game, problems) = &read(&shuffle)[0];
        assert_eq!(game.nodes.len(), MOST_NODES);
        assert_eq!(problems[0].fault, too_long());
        let mut deep = String::from("Nf3");
        for (white, black) in [("Nf3", "Nf6"), ("Ng1", "Ng8")].iter().cycle().take(DEEPEST) {
            deep.push_str(&format!(" {black} ({black}x {white}"));
        }
        assert!(!read(&deep)[0].1.is_empty());
        let open = "1. e4 ".to_string() + &"(1. d4 ".repeat(10_000);
        assert!(read(&open)[0].1.iter().any(|problem| problem.fault == too_long()));
    }
}
