//! The messages of one language, the nouns that fill them, and the moves.

use super::{Language, Notation, notation};
use crate::board::{Color, Move, PieceType, Position, Square};
use crate::explain::line::Line;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::types::FluentType;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::borrow::Cow;
use std::ops::Range;

/// A variable of a message and its value.
pub type Argument = (&'static str, FluentValue<'static>);

/// A noun in the forms that messages ask for: `{ $x }`, `{ OF($x) }`, `{ TO($x) }`, `{ FOR($x) }`, and `GENDER($x)` to choose by.
#[derive(Clone, Debug, PartialEq)]
pub struct Noun {
    plain: String,
    of: String,
    to: String,
    r#for: String,
    gender: String,
}

impl FluentType for Noun {
    fn duplicate(&self) -> Box<dyn FluentType + Send> {
        Box::new(self.clone())
    }

    fn as_string(&self, _: &intl_memoizer::IntlLangMemoizer) -> Cow<'static, str> {
        self.plain.clone().into()
    }

    fn as_string_threadsafe(&self, _: &intl_memoizer::concurrent::IntlLangMemoizer) -> Cow<'static, str> {
        self.plain.clone().into()
    }
}

impl From<Noun> for FluentValue<'static> {
    fn from(noun: Noun) -> Self {
        FluentValue::Custom(Box::new(noun))
    }
}

/// A function that returns one form of a noun.
type Form = fn(&Noun) -> String;

/// Speaks one language.
pub struct Voice {
    bundle: FluentBundle<FluentResource>,
    language: Language,
    notation: Notation,
}

impl Voice {
    /// # Panics
    /// If the messages are not in Fluent's form, or one is there twice, which a test excludes.
    pub fn new(language: Language, notation: Notation) -> Voice {
        let tag = language.tag().parse().expect("a language tag");
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // no isolation marks around variables: they are for texts that mix writing directions
        bundle.set_use_isolating(false);
        let resource = FluentResource::try_new(language.messages().to_string());
        let resource = resource.unwrap_or_else(|(_, errors)| panic!("{language}: {errors:?}"));
        bundle.add_resource(resource).expect("no message is there twice");
        let forms: [(&str, Form); 4] = [
            ("OF", |noun| noun.of.clone()),
            ("TO", |noun| noun.to.clone()),
            ("FOR", |noun| noun.r#for.clone()),
            ("GENDER", |noun| noun.gender.clone()),
        ];
        for (name, form) in forms {
            let added = bundle.add_function(name, move |arguments, _| match arguments {
                [FluentValue::Custom(value)] => value
                    .as_ref()
                    .as_any()
                    .downcast_ref::<Noun>()
                    .map_or(FluentValue::Error, |noun| form(noun).into()),
                _ => FluentValue::Error,
            });
            added.expect("no function is there twice");
        }
        let added = bundle.add_function("FILE", |arguments, _| match arguments {
            [FluentValue::String(square)] => square
                .chars()
                .next()
                .map_or(FluentValue::Error, |file| file.to_string().into()),
            _ => FluentValue::Error,
        });
        added.expect("no function is there twice");
        Voice {
            bundle,
            language,
            notation,
        }
    }

    /// A message with its variables filled in.
    pub fn say(&self, key: &str, arguments: impl IntoIterator<Item = Argument>) -> String {
        self.form(key, None, &arguments.into_iter().collect())
    }

    /// The same as a sentence: it begins with a capital.
    pub fn sentence(&self, key: &str, arguments: impl IntoIterator<Item = Argument>) -> String {
        let text = self.say(key, arguments);
        let mut letters = text.chars();
        let first = letters.next();
        // a pawn's move begins with the name of a file, and stays as it is
        let is_pawn = |letters: &str| letters.starts_with(|c: char| c.is_ascii_digit() || c == 'x');
        match first {
            Some(first) if !is_pawn(letters.as_str()) => first.to_uppercase().chain(letters).collect(),
            _ => text,
        }
    }

    fn form(&self, key: &str, attribute: Option<&str>, arguments: &FluentArgs) -> String {
        let message = self.bundle.get_message(key);
        let pattern = message.and_then(|message| match attribute {
            None => message.value(),
            Some(name) => message.get_attribute(name).map(|form| form.value()),
        });
        let Some(pattern) = pattern else {
            return format!("{{{key}}}");
        };
        let text = self
            .bundle
            .format_pattern(pattern, Some(arguments), &mut Vec::new());
        text.into_owned()
    }

    fn noun(&self, key: &str, arguments: impl IntoIterator<Item = Argument>) -> Noun {
        let arguments = arguments.into_iter().collect();
        let form = |attribute| self.form(key, attribute, &arguments);
        Noun {
            plain: form(None),
            of: form(Some("of")),
            to: form(Some("to")),
            r#for: form(Some("for")),
            gender: form(Some("gender")),
        }
    }

    /// "the knight on f3", or "the square f3" where nothing stands there.
    pub fn on(&self, position: &Position, square: Square) -> FluentValue<'static> {
        match position.piece_on(square) {
            Some(piece) => self.piece_at(piece.kind(), square),
            None => self.noun("the-square", [at(square)]).into(),
        }
    }

    /// "the knight on f3".
    pub fn piece_at(&self, kind: PieceType, square: Square) -> FluentValue<'static> {
        self.noun("piece-at", [("kind", name(kind).into()), at(square)])
            .into()
    }

    /// "the knight".
    pub fn the(&self, kind: PieceType) -> FluentValue<'static> {
        self.noun("the-piece", [("kind", name(kind).into())]).into()
    }

    /// "White".
    pub fn player(&self, color: Color) -> FluentValue<'static> {
        self.noun("player", [("color", color_name(color).into())]).into()
    }

    /// "two knights".
    pub fn counted(&self, kind: PieceType, count: u8) -> String {
        self.say("counted", [("kind", name(kind).into()), ("count", count.into())])
    }

    /// "a, b and c".
    pub fn list(&self, items: &[String]) -> String {
        match items {
            [] => String::new(),
            [only] => only.clone(),
            [rest @ .., last] => {
                let pair = |first: String, second: &String| {
                    [("first", first.into()), ("second", second.clone().into())]
                };
                let rest = rest[1..].iter().fold(rest[0].clone(), |first, second| {
                    self.say("list", pair(first, second))
                });
                self.say("list-end", pair(rest, last))
            }
        }
    }

    /// "the king on e8 and the rook on a8".
    pub fn all_on(&self, position: &Position, squares: &[Square]) -> String {
        let one = |&square: &Square| match position.piece_on(square) {
            Some(piece) => self.say("piece-at", [("kind", name(piece.kind()).into()), at(square)]),
            None => square.to_string(),
        };
        self.list(&squares.iter().map(one).collect::<Vec<_>>())
    }

    /// A number with a decimal point or comma, as the language has it.
    pub fn decimal(&self, number: &str) -> String {
        match self.language {
            Language::Catalan | Language::Spanish => number.replace('.', ","),
            Language::English => number.to_string(),
        }
    }

    /// A legal move of a position, without a number.
    pub fn played(&self, position: &Position, m: Move) -> String {
        notation::renamed(&position.to_san(m), self.language, self.notation)
    }

    /// A move of a line, without its number.
    pub fn one_move(&self, line: &Line, ply: usize) -> String {
        notation::one(line, ply, self.language, self.notation)
    }

    /// Moves of a line with their numbers.
    pub fn moves(&self, line: &Line, plies: Range<usize>) -> String {
        notation::numbered(line, plies, self.language, self.notation)
    }
}

/// A square as the variable of that name.
pub fn at(square: Square) -> Argument {
    ("square", square.to_string().into())
}

/// The word for a kind of piece that messages choose by.
pub fn name(kind: PieceType) -> &'static str {
    match kind {
        PieceType::Pawn => "pawn",
        PieceType::Knight => "knight",
        PieceType::Bishop => "bishop",
        PieceType::Rook => "rook",
        PieceType::Queen => "queen",
        PieceType::King => "king",
    }
}

/// The word for a player that messages choose by.
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
