//! The text of a file that the page opens, whatever it is written in: by the rules of the reader of games.

use super::error::{ApiError, Fault};
use crate::board::pgn::Encoding;
use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

/// A piece of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextQuestion {
    /// In base 64.
    bytes: String,
    /// What the answer to the first piece said; null for that piece.
    #[serde(default)]
    encoding: Option<Name>,
    /// Whether the file ends with it.
    #[serde(default)]
    last: bool,
}

/// Its text.
#[derive(Serialize)]
pub struct TextAnswer {
    text: String,
    /// How many of the bytes this is; the next piece begins after them.
    used: usize,
    encoding: Name,
}

/// The encoding of a file.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Name {
    Lines,
    Utf16Little,
    Utf16Big,
}

/// The mark with which some editors begin a text.
const MARK: char = '\u{feff}';

/// `/api/text`
///
/// # Errors
/// [`ApiError`] if the bytes are not in base 64, or a line is longer than the piece.
pub fn text(question: TextQuestion) -> Result<TextAnswer, ApiError> {
    let bytes = BASE64.decode(question.bytes.as_bytes());
    let bytes = bytes.map_err(|error| Fault::new("base64", error).in_field("bytes"))?;
    let encoding = question
        .encoding
        .map_or_else(|| Encoding::of(&bytes), Name::encoding);
    let (mut text, used) = encoding.piece(&bytes, question.last);
    if used == 0 && !bytes.is_empty() {
        let message = "a line of the file is longer than this piece of it";
        return Err(Fault::new("too_large", message).in_field("bytes").into());
    }
    if question.encoding.is_none() && text.starts_with(MARK) {
        text.remove(0);
    }
    Ok(TextAnswer {
        text,
        used,
        encoding: Name::of(encoding),
    })
}

impl Name {
    fn of(encoding: Encoding) -> Name {
        match encoding {
            Encoding::Lines => Name::Lines,
            Encoding::Utf16Little => Name::Utf16Little,
            Encoding::Utf16Big => Name::Utf16Big,
        }
    }

    fn encoding(self) -> Encoding {
        match self {
            Name::Lines => Encoding::Lines,
            Name::Utf16Little => Encoding::Utf16Little,
            Name::Utf16Big => Encoding::Utf16Big,
        }
    }
}
