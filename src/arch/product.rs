//! Products of small matrices of floats, on one thread.
//!
//! The crate `gemm`, which candle uses too, takes pointers; this is a safe interface with bounds-checked slices.

use gemm::Parallelism;

/// The layout of a matrix inside a slice: `rows` × `columns`, with the distances between rows and between columns.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Numbers from one row to the next.
    pub row_stride: usize,
    /// Numbers from one column to the next.
    pub column_stride: usize,
}

impl Matrix {
    /// A row-major matrix whose rows begin `stride` apart.
    pub const fn new(rows: usize, columns: usize, stride: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            row_stride: stride,
            column_stride: 1,
        }
    }

    /// The transposed view of the same numbers.
    #[must_use]
    pub const fn transposed(self) -> Matrix {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// The length of the slice that the matrix spans; `None` if no slice is so long.
    fn extent(self) -> Option<usize> {
        if self.rows == 0 || self.columns == 0 {
            return Some(0);
        }
        let last_row = (self.rows - 1).checked_mul(self.row_stride)?;
        let last_column = (self.columns - 1).checked_mul(self.column_stride)?;
        last_row.checked_add(last_column)?.checked_add(1)
    }

    /// Whether every number of the matrix lies in a slice of this length.
    fn fits(self, length: usize) -> bool {
        self.extent().is_some_and(|extent| extent <= length)
    }
}

/// `result = left · right`, or `result += left · right` if `add`.
///
/// # Panics
/// If the shapes do not match, a slice is too short for its matrix, or the rows of the result overlap.
pub fn product(
    (result, shape): (&mut [f32], Matrix),
    (left, left_shape): (&[f32], Matrix),
    (right, right_shape): (&[f32], Matrix),
    add: bool,
) {
    assert_eq!(
        (shape.rows, shape.columns),
        (left_shape.rows, right_shape.columns)
    );
    assert_eq!(left_shape.columns, right_shape.rows);
    assert!(shape.fits(result.len()) && left_shape.fits(left.len()) && right_shape.fits(right.len()));
    assert!(shape.column_stride == 1 && shape.row_stride >= shape.columns);
    // SAFETY: the assertions keep every element of the three matrices inside its slice; `result` is borrowed mutably,
    // so it shares no memory with the others; its rows do not overlap, so its elements are distinct.
    unsafe {
        gemm::gemm(
            shape.rows,
            shape.columns,
            left_shape.columns,
            result.as_mut_ptr(),
            shape.column_stride as isize,
            shape.row_stride as isize,
            add,
            left.as_ptr(),
            left_shape.column_stride as isize,
            left_shape.row_stride as isize,
            right.as_ptr(),
            right_shape.column_stride as isize,
            right_shape.row_stride as isize,
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with three loops, for plain and transposed factors and rows with gaps.
    #[test]
    fn agrees_with_three_loops() {
        let number = |n: usize| (n as f32 * 0.37).sin();
        for (m, k, n) in [(1, 1, 1), (3, 5, 2), (17, 9, 33), (64, 64, 128)] {
            let left: Vec<f32> = (0..m * (k + 1)).map(number).collect();
            let right: Vec<f32> = (0..n * (k + 3)).map(number).collect();
            let (left_shape, right_shape) = (Matrix::new(m, k, k + 1), Matrix::new(n, k, k + 3).transposed());
            let shape = Matrix::new(m, n, n + 2);
            let mut result = vec![1f32; m * (n + 2)];
            product(
                (&mut result, shape),
                (&left, left_shape),
                (&right, right_shape),
                false,
            );
            product(
                (&mut result, shape),
                (&left, left_shape),
                (&right, right_shape),
                true,
            );
            for row in 0..m {
                for column in 0..n {
                    let terms = (0..k).map(|i| left[row * (k + 1) + i] * right[column * (k + 3) + i]);
                    let wanted = 2.0 * terms.sum::<f32>();
                    assert!((result[row * (n + 2) + column] - wanted).abs() < 1e-4);
                }
                assert_eq!(result[row * (n + 2) + n..][..2], [1.0, 1.0]);
            }
        }
    }

    #[test]
    fn no_matrix_is_too_large_to_be_measured() {
        let half = usize::MAX / 2 + 1;
        for (rows, columns, row_stride, column_stride) in [
            (3, 1, half, 1),
            (1, 3, 1, half),
            (2, 2, half, half),
            (2, 2, usize::MAX, 1),
            (2, 1, usize::MAX, 1),
        ] {
            let huge = Matrix {
                rows,
                columns,
                row_stride,
                column_stride,
            };
            assert!(!huge.fits(usize::MAX / 4), "{huge:?}");
            let multiply = || {
                let shape = Matrix::new(rows, rows, rows);
                let mut result = vec![0.0; rows * rows];
                product(
                    (&mut result, shape),
                    (&[0.0; 8], huge),
                    (&[0.0; 8], huge.transposed()),
                    false,
                );
            };
            assert!(std::panic::catch_unwind(multiply).is_err(), "{huge:?}");
        }
        let empty = Matrix::new(0, 5, usize::MAX);
        assert!(empty.fits(0));
    }

    #[test]
    #[should_panic]
    fn a_short_slice_panics() {
        let shape = Matrix::new(2, 2, 2);
        product(
            (&mut [0.0; 4], shape),
            (&[0.0; 3], shape),
            (&[0.0; 4], shape),
            false,
        );
    }
}
