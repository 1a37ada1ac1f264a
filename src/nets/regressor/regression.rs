//! Linear regression by least squares: the normal equations, solved by Cholesky's decomposition.

/// What is added to the diagonal of the normal equations, for each row of data. It is far below the variance of any feature
/// that changes at all, and gives a feature that never changes the weight 0.
const RIDGE: f64 = 1e-6;

/// A linear function of `N` features.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel<const N: usize> {
    /// The means of the features in the data that it was fitted to.
    means: [f64; N],
    /// What each feature adds for every unit above its mean.
    weights: [f64; N],
    /// The value where every feature is at its mean.
    mean: f64,
}

impl<const N: usize> LinearModel<N> {
    /// Fits the function to rows of features and a value for each row: no other one has a smaller sum of squared errors.
    /// Without rows it is 0 everywhere.
    pub fn fit(rows: &[[f64; N]], values: &[f64]) -> LinearModel<N> {
        let count = rows.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let means = std::array::from_fn(|n| rows.iter().map(|row| row[n]).sum::<f64>() / count);
        // centred features: the constant drops out, and sums keep their digits
        let mut matrix = vec![[0.0; N]; N];
        let mut right = [0.0; N];
        for (row, value) in rows.iter().zip(values) {
            let row: [f64; N] = std::array::from_fn(|n| row[n] - means[n]);
            for i in 0..N {
                for j in 0..=i {
                    matrix[i][j] += row[i] * row[j];
                }
                right[i] += row[i] * (value - mean);
            }
        }
        for (n, row) in matrix.iter_mut().enumerate() {
            row[n] += RIDGE * count;
        }
        LinearModel {
            means,
            weights: solve(matrix, right),
            mean,
        }
    }

    /// A function that is known.
    pub fn new(means: [f64; N], weights: [f64; N], mean: f64) -> LinearModel<N> {
        LinearModel { means, weights, mean }
    }

    /// The means of the features in the data that it was fitted to.
    pub fn means(&self) -> &[f64; N] {
        &self.means
    }

    /// What each feature adds for every unit above its mean.
    pub fn weights(&self) -> &[f64; N] {
        &self.weights
    }

    /// The value where every feature is at its mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The function at a row of features.
    pub fn predict(&self, row: &[f64; N]) -> f64 {
        let terms = (0..N).map(|n| self.weights[n] * (row[n] - self.means[n]));
        self.mean + terms.sum::<f64>()
    }

    /// The root of the mean square of its errors on rows; `None` without rows.
    pub fn root_mean_square_error(&self, rows: &[[f64; N]], values: &[f64]) -> Option<f64> {
        let squares = rows
            .iter()
            .zip(values)
            .map(|(row, value)| (self.predict(row) - value).powi(2));
        let sum: f64 = squares.sum();
        (!rows.is_empty()).then(|| (sum / rows.len() as f64).sqrt())
    }
}

/// Solves the equations of a symmetric positive definite matrix, of which only the part up to the diagonal is read.
fn solve<const N: usize>(mut matrix: Vec<[f64; N]>, right: [f64; N]) -> [f64; N] {
    // L with L Lᵀ = matrix takes its place
    for i in 0..N {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let rest = matrix[i][j] - known;
            matrix[i][j] = if i == j { rest.sqrt() } else { rest / matrix[j][j] };
        }
    }
    let mut solution = right;
    for i in 0..N {
        let known: f64 = (0..i).map(|k| matrix[i][k] * solution[k]).sum();
        solution[i] = (solution[i] - known) / matrix[i][i];
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|k| matrix[k][i] * solution[k]).sum();
        solution[i] = (solution[i] - known) / matrix[i][i];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn rows(count: usize) -> Vec<[f64; 5]> {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut row = || std::array::from_fn(|n| random.random_range(-1.0..1.0) * 10f64.powi(n as i32 - 1));
        (0..count).map(|_| row()).collect()
    }

    #[test]
    fn a_linear_function_is_found_again() {
        let rows = rows(200);
        let function =
            |row: &[f64; 5]| 40.0 + 3.0 * row[0] - 2.0 * row[1] + row[2] - 0.5 * row[3] + 0.1 * row[4];
        let values: Vec<f64> = rows.iter().map(function).collect();
        let model = LinearModel::fit(&rows, &values);
        for (found, wanted) in model.weights.iter().zip([3.0, -2.0, 1.0, -0.5, 0.1]) {
            assert!((found - wanted).abs() < 2e-3, "{found} {wanted}");
        }
        assert!((model.predict(&[0.0; 5]) - 40.0).abs() < 1e-2);
        assert!(model.root_mean_square_error(&rows, &values).unwrap() < 1e-3);
    }

    /// What makes a fit one of least squares: its errors have nothing in common with any feature.
    #[test]
    fn errors_are_orthogonal_to_the_features() {
        let rows = rows(300);
        let values: Vec<f64> = rows
            .iter()
            .map(|row| (row[1] * row[2]).sin() * 900.0 + row[4])
            .collect();
        let model = LinearModel::fit(&rows, &values);
        let errors = rows
            .iter()
            .zip(&values)
            .map(|(row, value)| value - model.predict(row));
        let errors: Vec<f64> = errors.collect();
        let size = errors.iter().map(|error| error * error).sum::<f64>().sqrt();
        assert!(errors.iter().sum::<f64>().abs() < 1e-6 * size);
        for n in 0..5 {
            let length = rows.iter().map(|row| row[n] * row[n]).sum::<f64>().sqrt();
            let common: f64 = rows.iter().zip(&errors).map(|(row, error)| row[n] * error).sum();
            assert!(common.abs() < 1e-2 * size * length, "feature {n}: {common}");
        }
    }

    #[test]
    fn features_that_never_change_and_no_data_do_no_harm() {
        let rows: Vec<[f64; 3]> = (0..20).map(|n| [n as f64, 5.0, n as f64]).collect();
        let values: Vec<f64> = (0..20).map(|n| 2.0 * n as f64 + 1.0).collect();
        let model = LinearModel::fit(&rows, &values);
        // the second says nothing, the first and third say the same and share the weight
        for (found, wanted) in model.weights.iter().zip([1.0, 0.0, 1.0]) {
            assert!((found - wanted).abs() < 1e-3, "{:?}", model.weights);
        }
        let empty = LinearModel::<3>::fit(&[], &[]);
        assert_eq!(empty.predict(&[1.0, 2.0, 3.0]), 0.0);
        assert_eq!(empty.root_mean_square_error(&[], &[]), None);
    }
}
