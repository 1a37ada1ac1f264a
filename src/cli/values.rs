//! Reading the values of options.

/// A range such as `3` or `1-5`.
pub fn from_to(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if from <= to && to <= 1_000 => Ok((from, to)),
        _ => Err("a range is written 3 or 1-5, up to 1000".to_string()),
    }
}
