//! What a mistyped word may have meant.

/// Below this similarity, from 0 to 1, two words are not taken for each other; clap takes the same for its commands.
const SIMILAR: f64 = 0.7;

/// "; did you mean …?" with the most similar of the known words, nothing if none is similar.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a &'a str>) -> String {
    let lower = word.to_lowercase();
    let similarity = |other: &str| strsim::jaro_winkler(&lower, &other.to_lowercase());
    let scored = known.into_iter().map(|other| (similarity(other), other));
    match scored.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((best, other)) if best > SIMILAR => format!("; did you mean '{other}'?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::hint;

    #[test]
    fn similar_words_are_proposed_and_others_are_not() {
        let known = ["position", "setoption", "isready"];
        assert_eq!(hint("postion", &known), "; did you mean 'position'?");
        assert_eq!(hint("IsReady", &known), "; did you mean 'isready'?");
        assert_eq!(hint("xyz", &known), "");
        assert_eq!(hint("", &known), "");
    }
}
