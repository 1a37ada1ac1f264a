//! The log of a training: its measurements as CSV.

use super::checkpoint::Measurement;

/// The columns, in their order.
const COLUMNS: [&str; 7] = [
    "positions",
    "rate",
    "loss",
    "error",
    "error_quiet",
    "error_expected",
    "correct",
];

/// The measurements, a row for each; what was not measured stays empty.
///
/// # Errors
/// None that numbers could cause.
pub fn to_csv(history: &[Measurement]) -> Result<Vec<u8>, csv::Error> {
    let mut log = csv::Writer::from_writer(Vec::new());
    log.write_record(COLUMNS)?;
    for m in history {
        let known = |error: Option<f64>| error.map_or(String::new(), |error| format!("{error:.5}"));
        log.write_record([
            m.positions.to_string(),
            format!("{:.6e}", m.rate),
            format!("{:.6}", m.loss),
            known(Some(m.error)),
            known(m.error_quiet),
            known(m.error_expected),
            known(m.correct),
        ])?;
    }
    log.into_inner().map_err(|error| error.into_error().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        let measurement = Measurement {
            positions: 12_800,
            rate: 4e-3,
            loss: 0.25,
            error: 0.125,
            error_quiet: None,
            error_expected: Some(0.0625),
            correct: Some(0.96875),
        };
        let text = String::from_utf8(to_csv(&[measurement]).unwrap()).unwrap();
        let wanted = "positions,rate,loss,error,error_quiet,error_expected,correct\n\
                      12800,4.000000e-3,0.250000,0.12500,,0.06250,0.96875\n";
        assert_eq!(text, wanted);
    }
}
