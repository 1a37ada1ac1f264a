//! Games as they are written, before the rules are asked: tags, and moves as words, with comments and variations.
//!
//! [`Reader`] takes bytes and gives games. It needs memory for one game at a time, and the game is bounded.

use super::events::{Events, Spot};
use super::lexer::Lexer;
use super::{PgnFault, results};
use crate::board::GameResult;

/// The most moves, comments and signs that are kept of one game.
const MOST_ITEMS: usize = 1 << 20;

/// The most bytes of moves and comments that are kept of one game.
const MOST_TEXT: usize = 1 << 26;

/// The most faults that are kept of one game.
const MOST_FAULTS: usize = 1_000;

/// What is kept of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Everything.
    All,
    /// Tags, and the moves and comments of the main line.
    MainLine,
}

/// A part of the text of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A move, or what stands in its place.
    Word(&'a str),
    /// A comment, with its white space as it stands in the file.
    Comment(&'a str),
    /// A glyph by its number.
    Glyph(u8),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    Comment,
    Glyph(u8),
    Open,
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    kind: Kind,
    /// Where its text ends; it begins where that of the part before it ends.
    end: u32,
    spot: Spot,
}

/// A fault and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub fault: PgnFault,
    /// Where.
    pub spot: Spot,
}

/// A game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenGame {
    /// Where it begins.
    pub spot: Spot,
    /// The names and values of its tags, in their order, each with its place.
    pub tags: Vec<(String, String, Spot)>,
    /// What is wrong with its text, whatever its moves are.
    pub faults: Vec<Fault>,
    text: String,
    parts: Vec<Part>,
    /// The result behind its moves.
    result: Option<GameResult>,
    /// Moves of the main line.
    moves: usize,
}

impl WrittenGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|tag| tag.0 == name)
            .map(|tag| tag.1.as_str())
    }

    /// The result that its tag names, or else the end of its moves.
    pub fn result(&self) -> GameResult {
        let tag = self.tag("Result").and_then(results::read);
        let known = tag.filter(|&result| result != GameResult::Unknown);
        known.or(self.result).unwrap_or(GameResult::Unknown)
    }

    /// Who played: the names of both players.
    pub fn players(&self) -> String {
        let name = |tag| self.tag(tag).filter(|name| !name.is_empty()).unwrap_or("?");
        format!("{} – {}", name("White"), name("Black"))
    }

    /// Moves, comments and signs in their order, each with its place.
    pub fn items(&self) -> impl Iterator<Item = (Item<'_>, Spot)> {
        let mut start = 0;
        self.parts.iter().map(move |part| {
            let text = &self.text[start..part.end as usize];
            start = part.end as usize;
            let item = match part.kind {
                Kind::Word => Item::Word(text),
                Kind::Comment => Item::Comment(text),
                Kind::Glyph(number) => Item::Glyph(number),
                Kind::Open => Item::Open,
                Kind::Close => Item::Close,
            };
            (item, part.spot)
        })
    }

    /// Whether there is no tag and no move: a rest of text without a game.
    pub fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves == 0
    }
}

/// Reads games from bytes, which may come in pieces of any size.
#[derive(Debug)]
pub struct Reader {
    lexer: Lexer,
    builder: Builder,
}

impl Reader {
    /// A reader that keeps so much of each game.
    pub fn new(detail: Detail) -> Reader {
        Reader {
            lexer: Lexer::default(),
            builder: Builder {
                detail,
                game: WrittenGame::default(),
                around: Vec::new(),
                depth: 0,
                is_begun: false,
                is_ended: false,
                games: Vec::new(),
            },
        }
    }

    /// Takes the next piece, and appends the games that are known to be whole.
    pub fn feed(&mut self, bytes: &[u8], games: &mut Vec<WrittenGame>) {
        self.lexer.feed(bytes, &mut self.builder);
        games.append(&mut self.builder.games);
    }

    /// Takes the last piece, and appends the games that are left.
    pub fn finish(&mut self, bytes: &[u8], games: &mut Vec<WrittenGame>) {
        self.lexer.finish(bytes, &mut self.builder);
        self.builder.end_game();
        games.append(&mut self.builder.games);
    }
}

/// Puts games together.
#[derive(Debug)]
struct Builder {
    detail: Detail,
    game: WrittenGame,
    /// Where the open variations began, as far as there is room.
    around: Vec<Spot>,
    depth: usize,
    is_begun: bool,
    /// Whether the result was read: only comments may follow.
    is_ended: bool,
    games: Vec<WrittenGame>,
}

impl Builder {
    fn end_game(&mut self) {
        let mut game = std::mem::take(&mut self.game);
        if self.depth > 0 {
            let spot = self.around.last().copied().unwrap_or_default();
            add_fault(&mut game, PgnFault::Unclosed('('), spot);
        }
        self.around.clear();
        self.depth = 0;
        (self.is_begun, self.is_ended) = (false, false);
        let is_nothing = game.parts.is_empty() && game.faults.is_empty() && game.result.is_none();
        if !game.tags.is_empty() || !is_nothing {
            self.games.push(game);
        }
    }

    /// Whatever belongs to a game makes its beginning.
    fn begin(&mut self, spot: Spot) {
        if !self.is_begun {
            self.is_begun = true;
            self.game.spot = spot;
        }
    }

    /// What comes after the result belongs to another game.
    fn begin_next(&mut self, spot: Spot) {
        if self.is_ended {
            self.end_game();
        }
        self.begin(spot);
    }

    fn keeps(&self) -> bool {
        self.depth == 0 || self.detail == Detail::All
    }

    fn push(&mut self, kind: Kind, text: &str, spot: Spot) -> bool {
        let game = &mut self.game;
        if game.parts.len() >= MOST_ITEMS || game.text.len() + text.len() > MOST_TEXT {
            if !game.faults.iter().any(|fault| fault.fault == PgnFault::LongGame) {
                // a fault that ends the game must be among those that are kept
                game.faults.truncate(MOST_FAULTS - 1);
                add_fault(game, PgnFault::LongGame, spot);
            }
            return false;
        }
        game.text.push_str(text);
        game.parts.push(Part {
            kind,
            end: game.text.len() as u32,
            spot,
        });
        true
    }
}

fn add_fault(game: &mut WrittenGame, fault: PgnFault, spot: Spot) {
    if game.faults.len() < MOST_FAULTS {
        game.faults.push(Fault { fault, spot });
    }
}

impl Events for Builder {
    fn tag(&mut self, name: &str, value: &str, fresh: bool, spot: Spot) {
        let known = |game: &WrittenGame| game.tags.iter().position(|tag| tag.0 == name);
        let has_moves = self.game.moves > 0 || self.depth > 0;
        let repeats = known(&self.game).is_some() && (fresh || name == "Event");
        if has_moves || self.is_ended || repeats {
            self.end_game();
        }
        self.begin(spot);
        match known(&self.game) {
            Some(place) => self.game.tags[place].1 = value.to_string(),
            None => self.game.tags.push((name.to_string(), value.to_string(), spot)),
        }
    }

    fn comment(&mut self, text: &str, spot: Spot) {
        self.begin(spot);
        if self.keeps() && !text.trim().is_empty() {
            self.push(Kind::Comment, text, spot);
        }
    }

    fn open(&mut self, spot: Spot) {
        self.begin_next(spot);
        self.depth += 1;
        if self.around.len() < MOST_FAULTS {
            self.around.push(spot);
        }
        if self.detail == Detail::All {
            self.push(Kind::Open, "", spot);
        }
    }

    fn close(&mut self, spot: Spot) {
        self.begin(spot);
        if self.depth == 0 {
            return add_fault(&mut self.game, PgnFault::Unclosed(')'), spot);
        }
        self.depth -= 1;
        self.around.truncate(self.depth);
        if self.detail == Detail::All {
            self.push(Kind::Close, "", spot);
        }
    }

    fn glyph(&mut self, number: u8, spot: Spot) {
        self.begin(spot);
        if self.detail == Detail::All {
            self.push(Kind::Glyph(number), "", spot);
        }
    }

    fn result(&mut self, result: GameResult, spot: Spot) {
        if self.depth == 0 {
            self.begin(spot);
            self.is_ended = true;
            let known = self.game.result.filter(|&result| result != GameResult::Unknown);
            self.game.result = known.or(Some(result));
        }
    }

    fn number(&mut self, number: u32, fresh: bool) {
        // the moves of another game follow without a result or tags between them
        if number == 1 && fresh && self.depth == 0 && self.game.moves > 0 {
            self.end_game();
        }
    }

    fn word(&mut self, word: &str, spot: Spot) {
        if self.depth == 0 {
            self.begin_next(spot);
        }
        if self.keeps() && self.push(Kind::Word, word, spot) {
            self.game.moves += usize::from(self.depth == 0);
        }
    }

    fn fault(&mut self, fault: PgnFault, spot: Spot) {
        self.begin(spot);
        // words in variations that are not kept are no loss
        if self.keeps() || !matches!(fault, PgnFault::Word(_)) {
            add_fault(&mut self.game, fault, spot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_game_full_of_faults_so_many_are_kept() {
        let text = format!("1. e4 {} *", ") ".repeat(MOST_FAULTS + 5));
        let mut games = Vec::new();
        Reader::new(Detail::All).finish(text.as_bytes(), &mut games);
        assert_eq!((games.len(), games[0].faults.len()), (1, MOST_FAULTS));
    }
}
