//! Checking the numbers of a recipe.

/// The first fault whose condition is true, as an error.
pub(super) fn first_fault(faults: &[(bool, &str)]) -> Result<(), String> {
    let first = faults.iter().find(|(there, _)| *there);
    first.map_or(Ok(()), |(_, fault)| Err(fault.to_string()))
}

/// Whether a number is finite and not below 0.
pub(super) fn is_size(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}
