//! The accumulators: the first layer's sums along the search's current line, updated incrementally by each move.

use super::quantize::FirstLayer;
use crate::arch::{CacheLine, Kernels};
use crate::board::{Bitboard, Changes, Color, Piece, Position, Square};
use crate::nets::encoding;
use crate::nets::score::MAX_PLY;
use arrayvec::ArrayVec;

/// The rows of added or removed pieces: at most two for a move, up to 64 between unrelated positions.
type Rows<const N: usize> = ArrayVec<u16, N>;

/// A stack of frames, one for each position of the line. Each holds the sums of the pieces' rows for both points of
/// view; the six bits of state are added when a position is evaluated.
///
/// Frames are computed lazily: a view is computed when it is first needed, from the nearest computed frame below.
/// Positions that are never evaluated cost nothing.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    /// Lines of one view of one frame.
    lines: usize,
    frames: Vec<Frame>,
    /// Every frame's sums as White sees the board, then as Black does.
    sums: Vec<CacheLine>,
    /// The frame of the current position.
    top: usize,
}

#[derive(Clone, Debug, Default)]
struct Frame {
    /// The changes from the frame below.
    changes: Changes,
    /// Whether the sums are computed, by view.
    computed: [bool; 2],
}

impl AccumulatorStack {
    /// A stack for rows of this many lines, on the empty board.
    pub fn new(lines: usize) -> AccumulatorStack {
        let capacity = MAX_PLY + 8;
        let mut sums = Vec::with_capacity(capacity * 2 * lines);
        sums.resize(2 * lines, CacheLine::ZERO);
        let mut frames = Vec::with_capacity(capacity);
        frames.push(Frame {
            changes: Changes::default(),
            computed: [true; 2],
        });
        AccumulatorStack {
            lines,
            frames,
            sums,
            top: 0,
        }
    }

    /// Resets to this position.
    pub fn refresh(&mut self, kernels: &Kernels, layer: &FirstLayer, position: &Position) {
        self.top = 0;
        for view in Color::ALL {
            let rows: Rows<64> = pieces(position)
                .map(|(piece, square)| encoding::piece_input(view, piece, square))
                .collect();
            let sums = &mut self.sums[view.index() * self.lines..][..self.lines];
            let empty = vec![CacheLine::ZERO; self.lines];
            kernels.accumulate(sums, &empty, &layer.rows, &rows, &[]);
        }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, changes: &Changes) {
        self.top += 1;
        let frame = Frame {
            changes: changes.clone(),
            computed: [false; 2],
        };
        match self.frames.get_mut(self.top) {
            Some(place) => *place = frame,
            None => {
                self.frames.push(frame);
                self.sums
                    .resize(self.frames.len() * 2 * self.lines, CacheLine::ZERO);
            }
        }
    }

    /// Takes back the last move.
    ///
    /// # Panics
    /// If there is no move to take back.
    #[inline]
    pub fn pop(&mut self) {
        self.top = self.top.checked_sub(1).expect("a move was pushed for every pop");
    }

    /// The sums of the current position from one point of view.
    #[inline]
    pub fn sums(&mut self, kernels: &Kernels, layer: &FirstLayer, view: Color) -> &[CacheLine] {
        let mut computed = self.top;
        while !self.frames[computed].computed[view.index()] {
            computed -= 1;
        }
        for frame in computed + 1..=self.top {
            self.compute(kernels, layer, view, frame);
        }
        &self.sums[self.start(self.top, view)..][..self.lines]
    }

    /// Computes one frame from the one below.
    fn compute(&mut self, kernels: &Kernels, layer: &FirstLayer, view: Color, number: usize) {
        let (source, target) = (self.start(number - 1, view), self.start(number, view));
        let frame = &mut self.frames[number];
        frame.computed[view.index()] = true;
        let rows = |pieces: &[_]| -> Rows<2> {
            pieces
                .iter()
                .map(|&(piece, square)| encoding::piece_input(view, piece, square))
                .collect()
        };
        let (added, removed) = (rows(&frame.changes.added), rows(&frame.changes.removed));
        let (below, above) = self.sums.split_at_mut(target);
        kernels.accumulate(
            &mut above[..self.lines],
            &below[source..][..self.lines],
            &layer.rows,
            &added,
            &removed,
        );
    }

    #[inline]
    fn start(&self, frame: usize, view: Color) -> usize {
        (frame * 2 + view.index()) * self.lines
    }
}

/// The sums of the last position, from which those of the next are updated whatever the order: successive positions of a
/// batch of siblings differ in few pieces.
#[derive(Clone, Debug)]
pub struct AccumulatorCache {
    views: [CachedView; 2],
}

#[derive(Clone, Debug)]
struct CachedView {
    /// The pieces included in the sums, by number.
    pieces: [Bitboard; 12],
    sums: Vec<CacheLine>,
    /// The buffer for the next sums.
    spare: Vec<CacheLine>,
}

impl AccumulatorCache {
    /// A cache for rows of this many lines, holding the empty board.
    pub fn new(lines: usize) -> AccumulatorCache {
        let view = CachedView {
            pieces: [Bitboard::EMPTY; 12],
            sums: vec![CacheLine::ZERO; lines],
            spare: vec![CacheLine::ZERO; lines],
        };
        AccumulatorCache {
            views: [view.clone(), view],
        }
    }

    /// The sums of a position from one point of view.
    pub fn sums(
        &mut self,
        kernels: &Kernels,
        layer: &FirstLayer,
        position: &Position,
        view: Color,
    ) -> &[CacheLine] {
        let cached = &mut self.views[view.index()];
        let (mut added, mut removed) = (Rows::<64>::new(), Rows::<64>::new());
        for piece in Piece::ALL {
            let now = position.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut cached.pieces[piece.index()], now);
            let row = |square| encoding::piece_input(view, piece, square);
            added.extend((now & !before).into_iter().map(row));
            removed.extend((before & !now).into_iter().map(row));
        }
        kernels.accumulate(&mut cached.spare, &cached.sums, &layer.rows, &added, &removed);
        std::mem::swap(&mut cached.spare, &mut cached.sums);
        &cached.sums
    }
}

/// Every piece on the board.
fn pieces(position: &Position) -> impl Iterator<Item = (Piece, Square)> + '_ {
    let squares = position.occupied().into_iter();
    squares.filter_map(|square| position.piece_on(square).map(|piece| (piece, square)))
}
