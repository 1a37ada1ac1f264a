//! The first layer's sums along the line that the search is on, kept up to date by what each move changes.

use super::quantize::FirstLayer;
use crate::arch::{Kernels, Line};
use crate::board::{Bitboard, Changes, Color, Piece, Position, Square};
use crate::nets::encoding;
use crate::nets::score::MAX_PLY;
use arrayvec::ArrayVec;

/// The row numbers of pieces that arrive or leave at once: two in a move, up to 64 where two boards have little in common.
type Rows<const N: usize> = ArrayVec<u16, N>;

/// A stack of frames, one for each position of the line. Each holds the sums of the pieces' rows as either player sees
/// them; the six bits of state are added when a position is evaluated, for they are no pieces.
///
/// A frame is computed, for the view that is asked for, from the nearest frame below that is: positions that are
/// never evaluated cost nothing, and neither does a view that is not needed.
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    /// Lines of one view in one frame.
    lines: usize,
    frames: Vec<Frame>,
    /// Every frame's sums as White sees the board, then as Black does.
    sums: Vec<Line>,
    /// The frame of the present position.
    top: usize,
}

#[derive(Clone, Debug, Default)]
struct Frame {
    /// What led here from the frame below.
    changes: Changes,
    /// Whether the sums are computed, by view.
    computed: [bool; 2],
}

impl AccumulatorStack {
    /// A stack for rows of so many lines, on the empty board.
    pub fn new(lines: usize) -> AccumulatorStack {
        let capacity = MAX_PLY + 8;
        let mut sums = Vec::with_capacity(capacity * 2 * lines);
        sums.resize(2 * lines, Line::ZERO);
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

    /// Forgets everything and starts from this position.
    pub fn refresh(&mut self, kernels: &Kernels, layer: &FirstLayer, position: &Position) {
        self.top = 0;
        for view in Color::ALL {
            let rows: Rows<64> = pieces(position)
                .map(|(piece, square)| encoding::piece_input(view, piece, square))
                .collect();
            let sums = &mut self.sums[view.index() * self.lines..][..self.lines];
            let empty = vec![Line::ZERO; self.lines];
            kernels.accumulate(sums, &empty, &layer.rows, &rows, &[]);
        }
    }

    /// Follows one move.
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
                self.sums.resize(self.frames.len() * 2 * self.lines, Line::ZERO);
            }
        }
    }

    /// Takes one move back.
    ///
    /// # Panics
    /// When no move is left to take back.
    #[inline]
    pub fn pop(&mut self) {
        self.top = self.top.checked_sub(1).expect("a move was pushed for every pop");
    }

    /// The sums of the present position as one player sees it.
    #[inline]
    pub fn sums(&mut self, kernels: &Kernels, layer: &FirstLayer, view: Color) -> &[Line] {
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

/// The sums of the position that was looked at last, for positions that come in any order: a batch of siblings differs
/// in a few pieces from one to the next.
#[derive(Clone, Debug)]
pub struct AccumulatorCache {
    views: [CachedView; 2],
}

#[derive(Clone, Debug)]
struct CachedView {
    /// The pieces that are in the sums, by number.
    pieces: [Bitboard; 12],
    sums: Vec<Line>,
    /// Where the next sums are computed.
    spare: Vec<Line>,
}

impl AccumulatorCache {
    /// A cache for rows of so many lines, with the empty board in it.
    pub fn new(lines: usize) -> AccumulatorCache {
        let view = CachedView {
            pieces: [Bitboard::EMPTY; 12],
            sums: vec![Line::ZERO; lines],
            spare: vec![Line::ZERO; lines],
        };
        AccumulatorCache {
            views: [view.clone(), view],
        }
    }

    /// The sums of a position as one player sees it.
    pub fn sums(
        &mut self,
        kernels: &Kernels,
        layer: &FirstLayer,
        position: &Position,
        view: Color,
    ) -> &[Line] {
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
