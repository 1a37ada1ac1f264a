//! A game by the rules as a tree of moves, with its comments, glyphs and variations.

use super::super::position::Position;
use super::events::Spot;
use super::written::{Fault, Item, WrittenGame};
use super::{PgnFault, PgnGame};

/// The most moves of a tree.
pub const MOST_NODES: usize = 50_000;

/// The deepest nesting of variations.
pub const DEEPEST: usize = 100;

/// That a tree is not whole.
pub fn too_long() -> PgnFault {
    PgnFault::TooLong(MOST_NODES, DEEPEST)
}

impl WrittenGame {
    /// The game as a tree of at most so many moves, and what could not be read of it, in the order of the text. The game
    /// is kept up to the first fault of its main line, a variation up to its own first fault.
    pub fn tree(&self, most: usize) -> (PgnGame, Vec<Fault>) {
        let mut planter = Planter::new(self);
        for (item, spot) in self.items() {
            if planter.game.nodes.len() >= most && matches!(item, Item::Word(_)) {
                planter.fault(too_long(), spot);
                break;
            }
            planter.read(item, spot);
        }
        let mut faults = planter.faults;
        faults.extend(self.faults.iter().cloned());
        faults.sort_by_key(|fault| fault.spot.byte);
        (planter.game, faults)
    }
}

/// Grows the tree.
struct Planter {
    game: PgnGame,
    faults: Vec<Fault>,
    /// The last move of the line that is read.
    last: Option<usize>,
    /// The last moves of the enclosing lines.
    around: Vec<Option<usize>>,
    /// Whether the line has no move yet.
    at_line_start: bool,
    /// A comment for the next move.
    before: Option<String>,
    /// The nesting depth of a line whose rest is skipped because it cannot be read; `None` outside of one.
    skipping: Option<usize>,
}

impl Planter {
    fn new(written: &WrittenGame) -> Planter {
        let start = written.start();
        let position = start.as_ref().map_or(Position::default(), |start| start.position);
        let mut game = PgnGame::new(position);
        let tags = written.tags.iter();
        game.tags = tags
            .map(|(name, value, _)| (name.clone(), value.clone()))
            .collect();
        game.result = written.result();
        let mut planter = Planter {
            game,
            faults: Vec::new(),
            last: None,
            around: Vec::new(),
            at_line_start: true,
            before: None,
            skipping: None,
        };
        match start {
            Ok(start) => {
                planter.game.chess960 = start.chess960;
                planter.faults = start.ignored;
            }
            Err(Fault { fault, spot }) => planter.give_up(fault, spot),
        }
        planter
    }

    fn fault(&mut self, fault: PgnFault, spot: Spot) {
        self.faults.push(Fault { fault, spot });
    }

    /// A fault after which the rest of this line means nothing.
    fn give_up(&mut self, fault: PgnFault, spot: Spot) {
        self.fault(fault, spot);
        self.skipping = Some(self.around.len());
    }

    fn read(&mut self, item: Item, spot: Spot) {
        match item {
            Item::Open => self.open(spot),
            Item::Close => self.close(),
            _ if self.skipping.is_some() => {}
            Item::Comment(text) => self.comment(&single_spaced(text)),
            Item::Glyph(number) => {
                if let (Some(last), false) = (self.last, self.at_line_start) {
                    self.game.nodes[last].nags.push(number);
                }
            }
            Item::Word(word) => self.word(word, spot),
        }
    }

    fn open(&mut self, spot: Spot) {
        self.around.push(self.last);
        if self.skipping.is_some() {
            return;
        }
        if self.around.len() > DEEPEST {
            return self.give_up(too_long(), spot);
        }
        match self.last.filter(|_| !self.at_line_start) {
            Some(last) => self.last = self.game.nodes[last].parent,
            None => self.give_up(PgnFault::NoMove, spot),
        }
        self.at_line_start = true;
    }

    fn close(&mut self) {
        let Some(last) = self.around.pop() else {
            return;
        };
        if self.skipping.is_some_and(|depth| self.around.len() < depth) {
            self.skipping = None;
        }
        if self.skipping.is_none() {
            self.last = last;
            self.at_line_start = last.is_none();
            // a comment of a variation without moves is not lost
            if let Some(text) = self.before.take() {
                self.comment(&text);
            }
        }
    }

    fn comment(&mut self, text: &str) {
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
            None => *place = Some(text.to_string()),
        }
    }

    fn word(&mut self, word: &str, spot: Spot) {
        let position = self.game.position(self.last);
        let m = match position.parse_written(word) {
            Ok(m) => m,
            Err(error) => return self.give_up(error.into(), spot),
        };
        if m.is_none() && self.around.is_empty() {
            return self.give_up(PgnFault::NullMove, spot);
        }
        if m.is_none() && position.in_check() {
            return self.give_up(PgnFault::NullInCheck, spot);
        }
        let node = self.game.add(self.last, m);
        self.game.nodes[node].before = self.before.take();
        self.last = Some(node);
        self.at_line_start = false;
    }
}

/// A text whose white space is single blanks.
pub fn single_spaced(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
