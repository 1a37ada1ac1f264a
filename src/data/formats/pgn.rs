//! Scanning PGN: from lines of text to games as lists of words, whatever the size of the file.
//!
//! A crate would bring a second set of rules with it; what is left without the rules is this scanner. It reads the
//! export format and the freedoms of real files: comments of both kinds, variations, glyphs, escape lines, games
//! without tags. Moves are not understood here, only told apart from everything else.

use crate::board::GameResult;
use crate::data::record::label::Label;

/// The longest token of a game; a longer one is broken.
const LONGEST_TOKEN: usize = 255;

/// The part of a comment in which an evaluation is looked for.
const LONGEST_COMMENT: usize = 1 << 10;

/// No game can have more plies under the rule of 75 moves.
const MOST_PLIES: usize = 12_000;

/// A game as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// The `FEN` tag.
    pub fen: Option<String>,
    /// The `Variant` tag.
    pub variant: Option<String>,
    /// All tags in their order, if the scanner keeps them.
    pub tags: Vec<(String, String)>,
    /// The result by the `Result` tag, else by the end of the moves.
    pub result: Option<GameResult>,
    /// The moves of the main line, separated by spaces.
    moves: String,
    /// For each move the evaluation of the position after it, for White, from a comment such as `[%eval 0.35]`.
    pub evaluations: Vec<Option<Label>>,
    /// For each move the score with which an engine played it, of the position before it and for its side to move, from a
    /// comment such as `{+0.31/12 0.5s}`.
    pub engine_scores: Vec<Option<Label>>,
    /// Whether the text was damaged: something was not closed, or far too long.
    pub damaged: bool,
    has_tags: bool,
}

impl RawGame {
    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.moves.split_terminator(' ')
    }

    fn is_empty(&self) -> bool {
        !self.has_tags && self.evaluations.is_empty() && !self.damaged
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Moves,
    /// In braces.
    Comment,
    /// After a semicolon, to the end of the line.
    Remark,
}

/// Takes lines and gives games.
#[derive(Debug)]
pub struct Scanner {
    game: RawGame,
    state: State,
    /// How many variations are open.
    depth: usize,
    token: Vec<u8>,
    comment: Vec<u8>,
    at_line_start: bool,
    /// Whether the rest of a tag or escape line that did not fit into one piece is being skipped.
    passing: bool,
    keeps_tags: bool,
}

impl Default for Scanner {
    fn default() -> Scanner {
        Scanner {
            game: RawGame::default(),
            state: State::Moves,
            depth: 0,
            token: Vec::new(),
            comment: Vec::new(),
            at_line_start: true,
            passing: false,
            keeps_tags: false,
        }
    }
}

impl Scanner {
    /// A scanner that keeps all tags, where [`Scanner::default`] keeps those that the moves need.
    pub fn with_tags() -> Scanner {
        Scanner {
            keeps_tags: true,
            ..Scanner::default()
        }
    }

    /// Reads a line, or a piece of a long one, and appends the games that end in it.
    pub fn feed(&mut self, piece: &[u8], games: &mut Vec<RawGame>) {
        let line_start = self.at_line_start;
        self.at_line_start = piece.ends_with(b"\n");
        if self.passing {
            self.passing = !self.at_line_start;
            return;
        }
        if line_start && self.begins_tag(piece) {
            self.read_tag(piece, games);
        } else if line_start && piece.starts_with(b"%") {
            self.passing = !self.at_line_start;
        } else {
            for &byte in piece {
                self.read_byte(byte, games);
            }
        }
    }

    /// Ends the last game.
    pub fn finish(&mut self, games: &mut Vec<RawGame>) {
        self.end_token(games);
        self.end_game(games);
    }

    /// Inside an unclosed comment only the `Event` tag, with which every game begins, counts as a tag.
    fn begins_tag(&self, line: &[u8]) -> bool {
        if self.state == State::Comment {
            line.starts_with(b"[Event \"")
        } else {
            line.trim_ascii_start().starts_with(b"[")
        }
    }

    fn read_tag(&mut self, line: &[u8], games: &mut Vec<RawGame>) {
        self.end_token(games);
        if !self.game.evaluations.is_empty() || self.state == State::Comment || self.depth > 0 {
            self.end_game(games);
        }
        self.game.has_tags = true;
        self.passing = !line.ends_with(b"\n");
        let text = String::from_utf8_lossy(line);
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let Some((name, value)) = inner.split_once(char::is_whitespace) else {
            return;
        };
        let value = value.trim();
        let value = value.strip_prefix('"').unwrap_or(value);
        let value = value.strip_suffix('"').unwrap_or(value);
        if value.len() > LONGEST_TOKEN {
            return;
        }
        match name {
            "FEN" => self.game.fen = Some(value.to_string()),
            "Variant" => self.game.variant = Some(value.to_string()),
            "Result" => self.game.result = GameResult::from_pgn(value.as_bytes()),
            _ => {}
        }
        if self.keeps_tags {
            self.game.tags.push((name.to_string(), unescaped(value)));
        }
    }

    fn read_byte(&mut self, byte: u8, games: &mut Vec<RawGame>) {
        match (self.state, byte) {
            (State::Comment, b'}') => {
                self.state = State::Moves;
                self.end_comment();
            }
            (State::Comment, _) => {
                if self.comment.len() < LONGEST_COMMENT {
                    self.comment.push(byte);
                }
            }
            (State::Remark, b'\n') => self.state = State::Moves,
            (State::Remark, _) => {}
            (State::Moves, _) => self.read_move_byte(byte, games),
        }
    }

    fn read_move_byte(&mut self, byte: u8, games: &mut Vec<RawGame>) {
        match byte {
            b'{' => {
                self.end_token(games);
                self.state = State::Comment;
            }
            b';' => {
                self.end_token(games);
                self.state = State::Remark;
            }
            b'(' => {
                self.end_token(games);
                self.depth += 1;
            }
            b')' => {
                self.end_token(games);
                self.game.damaged |= self.depth == 0;
                self.depth = self.depth.saturating_sub(1);
            }
            b' ' | b'\t' | b'\r' | b'\n' => self.end_token(games),
            b'$' => {
                self.end_token(games);
                self.token.push(byte);
            }
            _ if self.token.len() < LONGEST_TOKEN => self.token.push(byte),
            _ => self.game.damaged = true,
        }
    }

    fn end_token(&mut self, games: &mut Vec<RawGame>) {
        let token = std::mem::take(&mut self.token);
        if self.depth == 0
            && let Some(word) = move_text(&token)
        {
            if let Some(outcome) = GameResult::from_pgn(word) {
                self.game.result.get_or_insert(outcome);
                self.end_game(games);
            } else if self.game.evaluations.len() < MOST_PLIES {
                self.game.moves.push_str(&String::from_utf8_lossy(word));
                self.game.moves.push(' ');
                self.game.evaluations.push(None);
                self.game.engine_scores.push(None);
            } else {
                self.game.damaged = true;
            }
        }
        // the buffer is used again
        self.token = token;
        self.token.clear();
    }

    fn end_comment(&mut self) {
        if self.depth == 0
            && let (Some(after), Some(before)) = (
                self.game.evaluations.last_mut(),
                self.game.engine_scores.last_mut(),
            )
        {
            *after = evaluation(&self.comment).or(*after);
            *before = engine_score(&self.comment).or(*before);
        }
        self.comment.clear();
    }

    fn end_game(&mut self, games: &mut Vec<RawGame>) {
        let mut game = std::mem::take(&mut self.game);
        game.damaged |= self.depth > 0 || self.state == State::Comment;
        self.depth = 0;
        self.state = State::Moves;
        self.comment.clear();
        if !game.is_empty() {
            games.push(game);
        }
    }
}

/// The value of a tag, in which a backslash stands before quotes and backslashes.
fn unescaped(value: &str) -> String {
    value.replace("\\\"", "\"").replace("\\\\", "\\")
}

/// A token without the number of its move; `None` if it is no move and no result.
fn move_text(token: &[u8]) -> Option<&[u8]> {
    let digits = token.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = token[digits..].iter().take_while(|&&byte| byte == b'.').count();
    let word = if dots > 0 || digits == token.len() {
        &token[digits + dots..]
    } else {
        token
    };
    let is_word = word == b"*" || word == b"--" || word.iter().any(u8::is_ascii_alphanumeric);
    (is_word && word[0] != b'$' && word != b"e.p.").then_some(word)
}

/// The evaluation in a comment: `[%eval 0.35]` in pawns for White, `[%eval #-3]`, either with a depth after a comma.
fn evaluation(comment: &[u8]) -> Option<Label> {
    let text = String::from_utf8_lossy(comment);
    let (_, rest) = text.split_once("[%eval ")?;
    let value = rest.split([']', ',']).next()?.trim();
    if value.starts_with('#') {
        return value.parse().ok();
    }
    let pawns: f64 = value.parse().ok()?;
    pawns
        .is_finite()
        .then(|| Label::centipawns((pawns * 100.0).round() as i32))
}

/// The score at the beginning of a comment as Cute Chess, fastchess and OpenBench write it: pawns with a sign, or `M` and
/// the plies to a mate, then a slash and the depth. `None` for other comments, such as `book`, and for a depth of 0, with
/// which moves are written that no search chose.
fn engine_score(comment: &[u8]) -> Option<Label> {
    let text = std::str::from_utf8(comment).ok()?.trim_start();
    let (score, rest) = text.split_once('/')?;
    let (depth, _) = rest.split_once([' ', ',']).unwrap_or((rest, ""));
    if depth.trim_end().parse::<u32>().ok()? == 0 {
        return None;
    }
    let sign = if score.starts_with('-') { -1 } else { 1 };
    let size = score.strip_prefix(['+', '-']).unwrap_or(score);
    if let Some(plies) = size.strip_prefix('M') {
        let plies: i32 = plies.parse().ok().filter(|plies| (1..=10_000).contains(plies))?;
        return Label::mate(sign * (plies + 1) / 2);
    }
    let is_number = size.starts_with(|c: char| c.is_ascii_digit());
    let pawns: f64 = size.parse().ok().filter(|_| is_number)?;
    pawns
        .is_finite()
        .then(|| Label::centipawns((f64::from(sign) * pawns * 100.0).round() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(text: &str, piece: usize) -> Vec<RawGame> {
        let (mut scanner, mut games) = (Scanner::default(), Vec::new());
        for line in text.split_inclusive('\n') {
            for piece in line.as_bytes().chunks(piece) {
                scanner.feed(piece, &mut games);
            }
        }
        scanner.finish(&mut games);
        games
    }

    fn moves(game: &RawGame) -> String {
        game.moves().collect::<Vec<_>>().join(" ")
    }

    const FREE: &str = "[Event \"x\"]\n[Result \"1-0\"]\n\n1.e4 {good (not 1.d4)} e5 2. Nf3 $1 (2. f4 {gambit} exf4 (2... d5)) 2...Nc6\n\
        % an escaped line\n3.Bb5!? a6 ; a remark { ( \n4. 0-0 1-0\n\n1. d4 d5 1/2-1/2 1. c4 *\n";

    #[test]
    fn the_main_line_is_told_from_everything_else() {
        let games = scan(FREE, 1 << 16);
        let lines: Vec<String> = games.iter().map(moves).collect();
        assert_eq!(lines, ["e4 e5 Nf3 Nc6 Bb5!? a6 0-0", "d4 d5", "c4"]);
        let results: Vec<_> = games.iter().map(|game| game.result.unwrap()).collect();
        assert_eq!(
            results,
            [GameResult::WhiteWins, GameResult::Draw, GameResult::Unknown]
        );
        assert!(games.iter().all(|game| !game.damaged));
    }

    #[test]
    fn tags_are_kept_where_they_are_wanted() {
        let text = "[Event \"The \\\"Open\\\"\"]\n[White \"A, B\"]\n\n1. e4 *\n";
        let (mut scanner, mut games) = (Scanner::with_tags(), Vec::new());
        for line in text.split_inclusive('\n') {
            scanner.feed(line.as_bytes(), &mut games);
        }
        let tag = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(
            games[0].tags,
            [tag("Event", "The \"Open\""), tag("White", "A, B")]
        );
        assert!(scan(text, 99)[0].tags.is_empty());
    }

    #[test]
    fn pieces_of_a_long_line_give_the_same_games() {
        // tags must fit into one piece
        assert_eq!(scan(FREE, 16), scan(FREE, 1 << 16));
    }

    #[test]
    fn evaluations_belong_to_the_move_before_them() {
        let text = "1. e4 { [%eval 0.17] [%clk 0:00:30] } 1... c5 { [%eval -1.2,18] } 2. Nf3 {[%clk 1]} d6 {[%eval #-3]} *";
        let expected = [
            Some(Label::Centipawns(17)),
            Some(Label::Centipawns(-120)),
            None,
            Some(Label::Mate(-3)),
        ];
        assert_eq!(scan(text, 99)[0].evaluations, expected);
        assert_eq!(evaluation(b"[%eval NaN]"), None);
        assert_eq!(evaluation(b"[%eval ]"), None);
    }

    #[test]
    fn scores_of_engines_belong_to_the_position_before_their_move() {
        for (comment, label) in [
            ("+0.31/12 0.5s", Some(Label::Centipawns(31))),
            ("-1.07/9 0.016s, n=5000, sd=14", Some(Label::Centipawns(-107))),
            ("0.00/20 1.2s", Some(Label::Centipawns(0))),
            ("+M5/12 0.1s", Some(Label::Mate(3))),
            ("-M4/31 0.020s", Some(Label::Mate(-2))),
            ("+M1/2", Some(Label::Mate(1))),
            ("-M2/2", Some(Label::Mate(-1))),
            (" +312.00/3", Some(Label::Centipawns(30_000))),
            ("+0.31/12, line=\"x\"", Some(Label::Centipawns(31))),
            ("0.00/0 0.000s", None),
            ("/0 0.000s", None),
            ("book", None),
            ("unknown", None),
            ("1/2-1/2", None),
            ("inf/3", None),
            ("+M0/3", None),
            ("a 1/4 of the game", None),
            ("M/3", None),
        ] {
            assert_eq!(engine_score(comment.as_bytes()), label, "{comment}");
        }
        let games = scan("1. e4 {book} e5 {-0.20/8 0.1s} 2. Nf3 {+0.35/11} 1-0", 99);
        let scores = [None, Some(Label::Centipawns(-20)), Some(Label::Centipawns(35))];
        assert_eq!(games[0].engine_scores, scores);
        assert_eq!(games[0].evaluations, [None; 3]);
    }

    #[test]
    fn what_is_never_closed_ends_with_its_game() {
        let text = "[Event \"a\"]\n\n1. e4 { forgotten\n[not a tag]\n\n[Event \"b\"]\n\n1. d4 (1. c4\n\n[Event \"c\"]\n\n1. c4 *\n";
        let games = scan(text, 1 << 16);
        let damaged: Vec<bool> = games.iter().map(|game| game.damaged).collect();
        assert_eq!(damaged, [true, true, false]);
        assert_eq!(moves(&games[2]), "c4");
    }

    #[test]
    fn endless_words_and_games_are_cut() {
        let word = format!("1. {} e5 *", "e".repeat(100_000));
        assert!(scan(&word, 4096)[0].damaged);
        let long = "Nf3 ".repeat(MOST_PLIES + 5);
        let games = scan(&long, 4096);
        assert!(games[0].damaged && games[0].evaluations.len() == MOST_PLIES);
    }
}
