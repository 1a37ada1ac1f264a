//! What a mistyped word may have meant.

/// Below this similarity, the share of letters that stay, two words are not taken for each other. A measure that favours a
/// common beginning would take all options that begin with `UCI_` for each other.
const SIMILAR: f64 = 0.6;

/// "; did you mean …?" with the most similar of the known words, nothing if none is similar.
pub(super) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a &'a str>) -> String {
    let lower = word.to_lowercase();
    let similarity = |other: &str| strsim::normalized_damerau_levenshtein(&lower, &other.to_lowercase());
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
        let options = ["UCI_Elo", "UCI_LimitStrength", "UCI_ShowWDL", "Threads"];
        assert_eq!(hint("UCI_AnalyseMode", &options), "");
        assert_eq!(hint("UCI_ShowWld", &options), "; did you mean 'UCI_ShowWDL'?");
        assert_eq!(hint("Thread", &options), "; did you mean 'Threads'?");
    }
}
