//! Places in a text as a reader of it counts them.

use super::events::Spot;

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

/// Finds places in a text, fastest in their order.
pub struct Places<'a> {
    text: &'a str,
    byte: usize,
    place: Place,
}

const START: Place = Place {
    at: 0,
    line: 1,
    column: 1,
};

impl<'a> Places<'a> {
    /// All places of this text.
    pub fn new(text: &'a str) -> Places<'a> {
        Places {
            text,
            byte: 0,
            place: START,
        }
    }

    /// The place of a spot.
    pub fn of(&mut self, spot: Spot) -> Place {
        let wanted = (spot.byte as usize).min(self.text.len());
        if wanted < self.byte {
            (self.byte, self.place) = (0, START);
        }
        let mut chars = self.text[self.byte..].char_indices().peekable();
        while let Some((offset, c)) = chars.next().filter(|(offset, _)| self.byte + offset < wanted) {
            let place = &mut self.place;
            place.at += 1;
            place.column += 1;
            let next = chars.peek().map_or(self.text.len() - self.byte, |next| next.0);
            let is_return = c == '\r' && !self.text[self.byte + offset..].starts_with("\r\n");
            if c == '\n' || is_return {
                place.line += 1;
                place.column = 1;
            }
            if self.byte + next >= wanted {
                break;
            }
        }
        self.byte = wanted;
        self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_lines_of_every_kind() {
        let text = "é4\n  Nf3 ✓x\r\na\rb";
        let mut places = Places::new(text);
        let mut of = |word: &str| {
            let byte = text.find(word).unwrap() as u64;
            let place = places.of(Spot { byte, line: 0 });
            (place.at, place.line, place.column)
        };
        assert_eq!(
            [of("é"), of("Nf3"), of("✓"), of("x")],
            [(0, 1, 1), (5, 2, 3), (9, 2, 7), (10, 2, 8)]
        );
        assert_eq!([of("a"), of("b"), of("é")], [(13, 3, 1), (15, 4, 1), (0, 1, 1)]);
    }
}
