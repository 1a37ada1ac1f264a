//! Reads games from a text in PGN, with comments and variations.

use super::super::position::Position;
use super::super::result::GameResult;
use super::tokens::{Place, Token, Tokens};
use super::{PgnFault, PgnGame, Problem};

/// The most moves read from one text, over all its games and variations.
pub const MOST_NODES: usize = 50_000;

/// The deepest nesting of variations.
pub const DEEPEST: usize = 100;

/// Reads every game of a text, each with what could not be read of it. A game is kept up to the first fault of its main
/// line, a variation up to its own first fault.
pub fn read(text: &str) -> Vec<(PgnGame, Vec<Problem>)> {
    let mut reader = Reader {
        games: Vec::new(),
        open: None,
        nodes: 0,
    };
    for (token, place) in Tokens::new(text) {
        if reader.nodes >= MOST_NODES {
            reader.game().fault(too_long(), place);
            break;
        }
        reader.read(token, place);
    }
    reader.end_game();
    reader.games
}

fn too_long() -> PgnFault {
    PgnFault::TooLong(MOST_NODES, DEEPEST)
}

/// Reads games one after the other.
struct Reader {
    games: Vec<(PgnGame, Vec<Problem>)>,
    open: Option<OpenGame>,
    /// Moves of all games.
    nodes: usize,
}

/// A game that is being read.
struct OpenGame {
    game: PgnGame,
    problems: Vec<Problem>,
    /// Where the values of the tags stand.
    places: Vec<Place>,
    /// Whether the tags are read and the moves have begun.
    has_begun: bool,
    /// The last move of the line that is read.
    last: Option<usize>,
    /// The last moves of the enclosing lines, each with the place where the line nested in it began.
    around: Vec<(Option<usize>, Place)>,
    /// Whether the line has no move yet.
    at_line_start: bool,
    /// A comment for the next move.
    before: Option<String>,
    /// The nesting depth of a line whose rest is skipped because it cannot be read; `None` outside of one.
    skipping: Option<usize>,
}

impl Reader {
    fn read(&mut self, token: Token, place: Place) {
        if matches!(token, Token::Tag(..)) && self.open.as_ref().is_some_and(|open| open.has_begun) {
            self.end_game();
        }
        let open = self.game();
        match token {
            Token::Tag(name, value, value_place) => open.tag(name, value, value_place),
            Token::Broken(fault) => open.fault(fault, place),
            Token::Result(result) => {
                if open.around.is_empty() {
                    open.begin();
                    open.game.result = result;
                    self.end_game();
                }
            }
            moves => {
                open.begin();
                let before = open.game.nodes.len();
                open.read(moves, place);
                let added = open.game.nodes.len() - before;
                self.nodes += added;
            }
        }
    }

    fn game(&mut self) -> &mut OpenGame {
        self.open.get_or_insert_with(OpenGame::new)
    }

    fn end_game(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.begin();
        if let Some(&(_, place)) = open.around.last() {
            open.fault(PgnFault::Unclosed('('), place);
        }
        self.games.push((open.game, open.problems));
    }
}

impl OpenGame {
    fn new() -> OpenGame {
        OpenGame {
            game: PgnGame::new(Position::default()),
            problems: Vec::new(),
            places: Vec::new(),
            has_begun: false,
            last: None,
            around: Vec::new(),
            at_line_start: true,
            before: None,
            skipping: None,
        }
    }

    fn fault(&mut self, fault: PgnFault, place: Place) {
        self.problems.push(Problem { fault, place });
    }

    /// A fault after which the rest of this line means nothing.
    fn give_up(&mut self, fault: PgnFault, place: Place) {
        self.fault(fault, place);
        self.skipping = Some(self.around.len());
    }

    fn tag(&mut self, name: String, value: String, place: Place) {
        if self.game.tag(&name).is_none() {
            self.game.tags.push((name, value));
            self.places.push(place);
        }
    }

    /// Sets up what the tags say, before the first move.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        let place = |name: &str| {
            let number = self.game.tags.iter().position(|tag| tag.0 == name);
            number.map(|number| self.places[number])
        };
        let result = self.game.tag("Result").map(str::as_bytes);
        self.game.result = result
            .and_then(GameResult::from_pgn)
            .unwrap_or(GameResult::Unknown);
        let variant = self
            .game
            .tag("Variant")
            .map(str::to_lowercase)
            .unwrap_or_default();
        let chess960 = ["chess960", "fischerandom", "fischerrandom", "freestyle"].contains(&variant.as_str());
        let is_chess = ["", "standard", "chess", "normal", "from position"].contains(&variant.as_str());
        let (variant_place, fen_place) = (place("Variant"), place("FEN"));
        if let (Some(place), false) = (variant_place, chess960 || is_chess) {
            return self.give_up(PgnFault::Variant(variant), place);
        }
        let start = self.game.tag("FEN").map(Position::from_fen);
        match (start.unwrap_or_else(|| Ok(Position::default())), fen_place) {
            (Ok(start), _) => self.game.start = start,
            (Err(error), Some(place)) => self.give_up(PgnFault::Fen(error), place),
            (Err(_), None) => {}
        }
        self.game.chess960 = chess960 || self.game.start.needs_chess960();
    }

    /// Reads a token of the moves.
    fn read(&mut self, token: Token, place: Place) {
        match token {
            Token::Open => self.open_variation(place),
            Token::Close => self.close_variation(place),
            _ if self.skipping.is_some() => {}
            Token::Comment(text) => self.comment(text),
            Token::Glyph(number) => {
                if let (Some(last), false) = (self.last, self.at_line_start) {
                    self.game.nodes[last].nags.push(number);
                }
            }
            Token::Word(word) => self.read_move(&word, place),
            Token::Tag(..) | Token::Result(_) | Token::Broken(_) => {}
        }
    }

    fn open_variation(&mut self, place: Place) {
        self.around.push((self.last, place));
        if self.skipping.is_some() {
            return;
        }
        if self.around.len() > DEEPEST {
            return self.give_up(too_long(), place);
        }
        match self.last.filter(|_| !self.at_line_start) {
            Some(last) => self.last = self.game.nodes[last].parent,
            None => self.give_up(PgnFault::NoMove, place),
        }
        self.at_line_start = true;
    }

    fn close_variation(&mut self, place: Place) {
        let Some((last, _)) = self.around.pop() else {
            return self.fault(PgnFault::Unclosed(')'), place);
        };
        if self.skipping.is_some_and(|depth| self.around.len() < depth) {
            self.skipping = None;
        }
        if self.skipping.is_none() {
            self.last = last;
            self.at_line_start = false;
            self.before = None;
        }
    }

    fn comment(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        let place = match self.last {
            Some(last) if !self.at_line_start => &mut self.game.nodes[last].comment,
            None if self.around.is_empty() => &mut self.game.comment,
            _ => &mut self.before,
        };
        match place {
            Some(before) => *before = format!("{before} {text}"),
            None => *place = Some(text),
        }
    }

    fn read_move(&mut self, word: &str, place: Place) {
        let m = match self.game.position(self.last).parse_san(word) {
            Ok(m) => m,
            Err(error) => return self.give_up(error.into(), place),
        };
        // a variation that begins with the moves of another goes on from those
        let same = self
            .game
            .children(self.last)
            .find(|&node| self.game.nodes[node].m == m);
        let node = same.unwrap_or_else(|| self.game.add(self.last, m));
        if let Some(before) = self.before.take() {
            self.game.nodes[node].before = Some(before);
        }
        self.last = Some(node);
        self.at_line_start = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a game, each from the start, and what could not be read.
    fn lines(text: &str) -> (Vec<String>, Vec<(usize, PgnFault)>) {
        let (game, problems) = read(text).remove(0);
        let is_end = |node: &usize| game.children(Some(*node)).next().is_none();
        let line = |end: usize| {
            let back = std::iter::successors(Some(end), |&node| game.nodes[node].parent);
            let mut moves: Vec<String> = back
                .map(|node| game.position(game.nodes[node].parent).to_san(game.nodes[node].m))
                .collect();
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
        assert_eq!(game.start.to_san(game.nodes[first[0]].m), "e4");
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
        assert_eq!(games[0].0.nodes[0].m.to_uci(true), "e1b1");
        assert_eq!(games[1].0.tag("Event"), Some("b"));
        let refused = |text: &str| read(text)[0].1[0].clone();
        let fen = refused("[Event \"x\"]\n[FEN \"8/8 w\"]\n\n1. e4");
        assert!(matches!(fen.fault, PgnFault::Fen(_)) && fen.place.line == 2);
        let variant = refused("[Variant \"Atomic\"]\n\n1. e4");
        assert_eq!(variant.fault, PgnFault::Variant("atomic".to_string()));
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
