//! The tokens of PGN, each with its place in the text.

use super::PgnFault;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Characters before it.
    pub at: usize,
    /// Its line, from 1.
    pub line: usize,
    /// Its column in that line, in characters from 1.
    pub column: usize,
}

/// A part of a text in PGN; numbers of moves are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// `[Name "value"]`, and where the value begins.
    Tag(String, String, Place),
    /// In braces, or from a semicolon to the end of the line; its white space made single spaces.
    Comment(String),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$1` or a sign such as `!?`
    Glyph(u8),
    /// `1-0` and its like.
    Result(super::GameResult),
    /// A move, or what stands in its place.
    Word(String),
    /// Something that cannot be read.
    Broken(PgnFault),
}

/// The signs after moves, with their numbers.
const SIGNS: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

/// Reads the tokens of a text.
pub struct Tokens<'a> {
    rest: std::str::Chars<'a>,
    place: Place,
    /// The glyph behind a move that was just read.
    glyph: Option<(u8, Place)>,
}

impl<'a> Tokens<'a> {
    pub fn new(text: &'a str) -> Tokens<'a> {
        Tokens {
            // the byte order mark that some editors write
            rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars(),
            place: Place {
                at: usize::from(text.starts_with('\u{feff}')),
                line: 1,
                column: 1,
            },
            glyph: None,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        self.place.at += 1;
        self.place.column += 1;
        if next == '\n' {
            self.place.line += 1;
            self.place.column = 1;
        }
        Some(next)
    }

    fn take_while(&mut self, mut wanted: impl FnMut(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(next) = self.peek().filter(|&next| wanted(next)) {
            taken.push(next);
            self.take();
        }
        taken
    }

    fn skip_line(&mut self) -> String {
        self.take_while(|c| c != '\n')
    }

    fn tag(&mut self) -> Token {
        self.take_while(char::is_whitespace);
        let name = self.take_while(|c| c.is_alphanumeric() || c == '_');
        self.take_while(|c| c == ' ' || c == '\t');
        let place = self.place;
        if name.is_empty() || self.peek() != Some('"') {
            self.skip_line();
            return Token::Broken(PgnFault::Tag);
        }
        self.take();
        let mut value = String::new();
        loop {
            match self.take() {
                Some('"') => break,
                Some('\\') if matches!(self.peek(), Some('"' | '\\')) => value.extend(self.take()),
                Some('\n') | None => return Token::Broken(PgnFault::Tag),
                Some(other) => value.push(other),
            }
        }
        self.take_while(|c| c == ' ' || c == '\t');
        if self.peek() == Some(']') {
            self.take();
        }
        Token::Tag(name, value, place)
    }

    fn comment(&mut self) -> Token {
        let text = self.take_while(|c| c != '}');
        match self.take() {
            Some(_) => Token::Comment(single_spaced(&text)),
            None => Token::Broken(PgnFault::Unclosed('{')),
        }
    }

    /// A move, a result, or nothing for the number of a move and other signs without a meaning here.
    fn word(&mut self) -> Option<Token> {
        let place = self.place;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if !digits.is_empty() && !matches!(self.peek(), Some('-' | '/')) {
            self.take_while(|c| c == '.' || c == '…');
            return None;
        }
        let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
        let word = digits + &self.take_while(|c| !ends(c));
        if word.is_empty() {
            // a bracket without a beginning
            self.take();
            return None;
        }
        if let Some(result) = super::GameResult::from_pgn(word.as_bytes()) {
            return Some(Token::Result(result));
        }
        let bare = word.trim_end_matches(['!', '?']);
        let sign = SIGNS.iter().find(|sign| sign.0 == &word[bare.len()..]);
        if bare.is_empty() {
            return sign.map(|sign| Token::Glyph(sign.1));
        }
        self.glyph = sign.map(|sign| (sign.1, place));
        let has_meaning = bare == "--" || bare.chars().any(char::is_alphanumeric);
        (has_meaning && bare != "e.p.").then(|| Token::Word(bare.to_string()))
    }
}

impl Iterator for Tokens<'_> {
    type Item = (Token, Place);

    fn next(&mut self) -> Option<(Token, Place)> {
        if let Some((glyph, place)) = self.glyph.take() {
            return Some((Token::Glyph(glyph), place));
        }
        loop {
            let place = self.place;
            let token = match self.peek()? {
                c if c.is_whitespace() || c == '.' => {
                    self.take();
                    continue;
                }
                '%' if place.column == 1 => {
                    self.skip_line();
                    continue;
                }
                '[' => {
                    self.take();
                    self.tag()
                }
                '{' => {
                    self.take();
                    self.comment()
                }
                ';' => {
                    self.take();
                    Token::Comment(single_spaced(&self.skip_line()))
                }
                '(' => {
                    self.take();
                    Token::Open
                }
                ')' => {
                    self.take();
                    Token::Close
                }
                '$' => {
                    self.take();
                    match self.take_while(|c| c.is_ascii_digit()).parse() {
                        Ok(number) => Token::Glyph(number),
                        Err(_) => continue,
                    }
                }
                _ => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Some((token, place));
        }
    }
}

fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::GameResult;
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        Tokens::new(text).map(|token| token.0).collect()
    }

    fn word(text: &str) -> Token {
        Token::Word(text.to_string())
    }

    #[test]
    fn everything_of_a_game_is_a_token() {
        let comment = |text: &str| Token::Comment(text.to_string());
        assert_eq!(
            tokens("1.e4!? {a\n b} e5 $14 (1... c5??) 2. Nf3 ; rest ( \n% no\n2... Nc6 1/2-1/2 0-0 --"),
            [
                word("e4"),
                Token::Glyph(5),
                comment("a b"),
                word("e5"),
                Token::Glyph(14),
                Token::Open,
                word("c5"),
                Token::Glyph(4),
                Token::Close,
                word("Nf3"),
                comment("rest ("),
                word("Nc6"),
                Token::Result(GameResult::Draw),
                word("0-0"),
                word("--"),
            ]
        );
    }

    #[test]
    fn values_of_tags_are_unescaped() {
        let (token, _) = Tokens::new("[Event \"a \\\"b\\\" \\\\ <i>\"]")
            .next()
            .expect("a tag");
        assert!(matches!(token, Token::Tag(name, value, _) if name == "Event" && value == r#"a "b" \ <i>"#));
        for broken in ["[Event]", "[\"x\"]", "[Event \"x\n]", "[Event \"x"] {
            assert_eq!(tokens(broken)[0], Token::Broken(PgnFault::Tag), "{broken}");
        }
    }

    #[test]
    fn places_count_characters() {
        let places: Vec<Place> = Tokens::new("é4\n  Nf3 ✓x").map(|token| token.1).collect();
        let place = |at, line, column| Place { at, line, column };
        assert_eq!(places, [place(0, 1, 1), place(5, 2, 3), place(9, 2, 7)]);
    }
}
