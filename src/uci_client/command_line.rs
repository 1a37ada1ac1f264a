//! An engine as a person writes it: a program, perhaps with arguments.

use super::error::ClientError;
use std::path::Path;

/// The program and its arguments.
///
/// Blanks separate words; what stands between `'` and `'`, or between `"` and `"`, is taken as it is and keeps its
/// blanks. There is no escape character, so that Windows paths need no care. A text that is a file's path as a whole
/// is that program, whatever blanks it has.
///
/// # Errors
/// [`ClientError::CommandLine`] if a quotation does not end or there is no program.
pub(super) fn words(text: &str) -> Result<Vec<String>, ClientError> {
    if Path::new(text).is_file() {
        return Ok(vec![text.to_string()]);
    }
    let refuse = |reason| ClientError::CommandLine {
        text: text.to_string(),
        reason,
    };
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if matches!(c, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match (quote, words.first()) {
        (Some(_), _) => Err(refuse("a quotation does not end")),
        (_, None) => Err(refuse("it names no program")),
        (_, Some(program)) if program.is_empty() => Err(refuse("it names no program")),
        _ => Ok(words),
    }
}

/// A short name for reports: the words without the folders that their files lie in.
pub fn short_name(text: &str) -> String {
    let words = words(text).unwrap_or_else(|_| vec![text.to_string()]);
    let file = |word: &String| match Path::new(word).file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => word.clone(),
    };
    words.iter().map(file).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_quotations() {
        for (text, expected) in [
            ("stockfish", vec!["stockfish"]),
            ("node  a/sf.js --x ", vec!["node", "a/sf.js", "--x"]),
            (
                r#"'C:\My Engines\sf.exe' "it's" a" b"c "" "#,
                vec![r"C:\My Engines\sf.exe", "it's", "a bc", ""],
            ),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
        for (text, word) in [
            ("node 'x", "does not end"),
            ("  ", "no program"),
            ("'' x", "no program"),
        ] {
            assert!(words(text).unwrap_err().to_string().contains(word), "{text}");
        }
    }

    #[test]
    fn a_file_with_blanks_in_its_path_is_one_program() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my engine");
        let text = path.display().to_string();
        assert_eq!(words(&text).unwrap().len(), 2);
        std::fs::write(&path, "").unwrap();
        assert_eq!(words(&text).unwrap(), std::slice::from_ref(&text));
        assert_eq!(short_name(&text), "my engine");
        assert_eq!(short_name("node /a/b/sf.js -x"), "node sf.js -x");
    }
}
