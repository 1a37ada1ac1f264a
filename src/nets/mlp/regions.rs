//! The regions of the viewer's king: each has a set of the first layer's weights of its own.

/// For each square of the files e to h, from the first rank on, its region: once the board is mirrored, the king stands there.
type Division = [[u8; 4]; 8];

/// The divisions of the squares, with the number of their regions. Each region of a finer one lies within one region of a
/// coarser one, so that a net can go on from one with fewer.
const DIVISIONS: [(usize, Division); 2] = [(5, FIVE), (16, SIXTEEN)];

/// In the positions that `mlp-8c15bba742d3` learnt from, 23 % of the kings are in region 0, 27 % in 1, 19 % in 2, 22 % in 3
/// and 9 % in 4, so that each set of weights sees enough of them.
const FIVE: Division = [
    [0, 0, 1, 2],
    [3, 3, 2, 2],
    [3, 3, 3, 3],
    [4, 4, 4, 4],
    [4, 4, 4, 4],
    [4, 4, 4, 4],
    [4, 4, 4, 4],
    [4, 4, 4, 4],
];

/// A region for every square where kings stand in the middlegame, and larger ones for those that they reach in endings.
const SIXTEEN: Division = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
    [8, 8, 9, 9],
    [10, 10, 11, 11],
    [12, 12, 13, 13],
    [14, 14, 14, 14],
    [15, 15, 15, 15],
    [15, 15, 15, 15],
];

/// The numbers of regions that a net with regions can have.
pub fn numbers() -> impl Iterator<Item = usize> {
    DIVISIONS.iter().map(|&(regions, _)| regions)
}

/// The region of a king on this square, of the files e to h, where there are so many. Without a division of that number the
/// whole board is one region.
#[inline]
pub fn of_square(regions: usize, square: usize) -> u8 {
    division(regions).map_or(0, |squares| squares[square / 8][square % 8 - 4])
}

#[inline]
fn division(regions: usize) -> Option<&'static Division> {
    let known = DIVISIONS.iter().find(|(number, _)| *number == regions);
    known.map(|(_, squares)| squares)
}

/// For each of so many fine regions the one of the coarser division in which it lies; `None` if there is no such division or
/// it is not coarser.
pub fn within(coarse: usize, fine: usize) -> Option<Vec<usize>> {
    if coarse == 1 {
        return Some(vec![0; fine]);
    }
    let (outer, inner) = (division(coarse)?.as_flattened(), division(fine)?.as_flattened());
    let mut found = vec![None; fine];
    for (&region, &around) in inner.iter().zip(outer) {
        let around = usize::from(around);
        if found[usize::from(region)]
            .replace(around)
            .is_some_and(|before| before != around)
        {
            return None;
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_region_has_squares_and_lies_within_a_coarser_one() {
        for regions in numbers() {
            let itself: Vec<usize> = (0..regions).collect();
            assert_eq!(within(regions, regions), Some(itself));
            assert_eq!(within(1, regions), Some(vec![0; regions]));
        }
        let coarse = within(5, 16).unwrap();
        for square in (0..64).filter(|square| square % 8 > 3) {
            let [five, sixteen] = [5, 16].map(|regions| usize::from(of_square(regions, square)));
            assert_eq!(coarse[sixteen], five, "square {square}");
        }
        assert_eq!(within(16, 5), None);
        assert_eq!(within(4, 16), None);
        assert_eq!(of_square(1, 63), 0);
    }
}
