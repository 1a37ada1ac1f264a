//! The feature `tune`: the numbers of the search as options, for a tuner such as OpenBench's SPSA.

use super::options::OptionError;
use crate::search::params::PARAMS;

/// The learning rate at the end of a run that OpenBench proposes.
const LEARNING_RATE: f64 = 0.002;

/// The lines that declare the options to a client.
pub fn options() -> impl Iterator<Item = String> {
    PARAMS.iter().map(|param| {
        let (name, default, min, max) = (param.name, param.default, param.min, param.max);
        format!("option name {name} type spin default {default} min {min} max {max}")
    })
}

/// The lines that OpenBench's form for a tuning run wants: name, type, value, least and greatest value, the size of a step
/// at the end (a twentieth of the range) and the learning rate there.
pub fn spsa() -> impl Iterator<Item = String> {
    PARAMS.iter().map(|param| {
        let (name, default, min, max) = (param.name, param.default, param.min, param.max);
        let step = f64::from(max - min) / 20.0;
        format!("{name}, int, {default}.0, {min}.0, {max}.0, {step:?}, {LEARNING_RATE}")
    })
}

/// Sets a number for the searches that begin later; `None` if none has this name.
pub fn set(name: &str, value: &str) -> Option<Result<(), OptionError>> {
    let param = PARAMS
        .iter()
        .find(|param| param.name.eq_ignore_ascii_case(name))?;
    let done = value.parse().is_ok_and(|value| param.set(value));
    Some(done.then_some(()).ok_or(OptionError::Number {
        name: param.name,
        min: param.min.into(),
        max: param.max.into(),
        value: value.to_string(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::forced_move_depth;

    #[test]
    fn numbers_are_declared_and_set_within_their_range() {
        let line = "option name forced_move_depth type spin default 6 min 1 max 12";
        assert!(options().any(|option| option == line));
        let line = "forced_move_depth, int, 6.0, 1.0, 12.0, 0.55, 0.002";
        assert!(spsa().any(|option| option == line));
        assert_eq!(set("Forced_Move_Depth", "7"), Some(Ok(())));
        assert_eq!(forced_move_depth(), 7);
        for value in ["0", "13", "", "six", "99999999999"] {
            let error = set("forced_move_depth", value).unwrap().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("option forced_move_depth is a number from 1 to 12, not '{value}'")
            );
        }
        assert_eq!(forced_move_depth(), 7);
        assert_eq!(set("forced_move_depth", "6"), Some(Ok(())));
        assert_eq!(set("no_such_number", "6"), None);
    }
}
