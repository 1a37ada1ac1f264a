//! The accumulators: the first layer's sums along the search's current line, updated incrementally by each move.

use crate::arch::{ActiveBytes, ByteActivation, CacheLine, Kernels, Rows, Update};
use crate::board::{Bitboard, Changes, Color, Piece, PieceType, Position, Square};
use crate::nets::encoding::View;
use crate::nets::score::MAX_PLY;
use arrayvec::ArrayVec;
use std::ops::Range;

/// The numbers of the rows of pieces that unrelated positions add or remove.
type RowNumbers = ArrayVec<u16, 64>;

/// A first layer whose sums are kept.
pub trait PieceRows {
    /// From where a side sees the board when its king stands here.
    fn view(&self, side: Color, king: Square) -> View;

    /// The row of a piece, seen from somewhere.
    fn row(&self, view: View, piece: Piece, square: Square) -> u16;

    /// All rows, one after the other.
    fn rows(&self) -> Rows<'_>;
}

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

#[derive(Clone, Debug)]
struct Frame {
    /// The changes from the frame below.
    changes: Changes,
    /// From where each side sees the board, by side.
    views: [View; 2],
    /// Whether the sums are computed, by view.
    computed: [bool; 2],
}

/// Where the bytes of one point of view go, and how they are made.
pub struct Bytes<'a> {
    /// What the position's state adds to the sums.
    pub state: &'a [CacheLine],
    /// How the sums become bytes.
    pub activation: ByteActivation,
    /// The first line.
    pub first: usize,
    pub active: &'a mut ActiveBytes,
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
            views: Color::ALL.map(View::from),
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
    pub fn refresh(&mut self, kernels: &Kernels, layer: &impl PieceRows, position: &Position) {
        self.top = 0;
        self.frames[0].views = Color::ALL.map(|side| layer.view(side, position.king(side)));
        for view in self.frames[0].views {
            let rows: RowNumbers = pieces(position)
                .map(|(piece, square)| layer.row(view, piece, square))
                .collect();
            let sums = &mut self.sums[view.side.index() * self.lines..][..self.lines];
            let empty = vec![CacheLine::ZERO; self.lines];
            kernels.accumulate(sums, &empty, layer.rows(), &rows, &[]);
        }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, layer: &impl PieceRows, changes: Changes) {
        let mut views = self.frames[self.top].views;
        for &(piece, square) in &changes.added {
            if piece.kind() == PieceType::King {
                views[piece.color().index()] = layer.view(piece.color(), square);
            }
        }
        self.top += 1;
        let frame = Frame {
            changes,
            views,
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

    /// The sums of the current position from one point of view. Where a king's move has changed the view since the last
    /// computed frame they come from the cache, which knows another position with the same view.
    #[inline]
    pub fn sums(
        &mut self,
        kernels: &Kernels,
        layer: &impl PieceRows,
        position: &Position,
        view: View,
        cache: &mut AccumulatorCache,
    ) -> &[CacheLine] {
        match self.nearest(view) {
            Some(computed) => self.compute(kernels, layer, view, computed + 1..self.top + 1),
            None => {
                let start = self.start(self.top, view);
                self.sums[start..][..self.lines].copy_from_slice(cache.sums(kernels, layer, position, view));
                self.frames[self.top].computed[view.side.index()] = true;
            }
        }
        &self.sums[self.start(self.top, view)..][..self.lines]
    }

    /// The bytes of the current position from one point of view; the sums are computed on the way.
    #[inline]
    pub fn activate(
        &mut self,
        kernels: &Kernels,
        layer: &impl PieceRows,
        position: &Position,
        view: View,
        cache: &mut AccumulatorCache,
        to: Bytes,
    ) {
        let Bytes {
            state,
            activation,
            first,
            active,
        } = to;
        match self.nearest(view) {
            Some(computed) if computed < self.top => {
                self.compute(kernels, layer, view, computed + 1..self.top);
                let mut rows = [[0; 2]; 2];
                let update = self.update(layer, view, self.top, &mut rows);
                kernels.follow(update, layer.rows(), state, activation, first, active);
            }
            _ => {
                let sums = self.sums(kernels, layer, position, view, cache);
                kernels.activate_bytes(sums, state, activation, first, active);
            }
        }
    }

    /// The nearest computed frame with this view, if no frame above it has another.
    #[inline]
    fn nearest(&self, view: View) -> Option<usize> {
        let side = view.side.index();
        let mut number = self.top;
        while !self.frames[number].computed[side] && self.frames[number].views[side] == view {
            number -= 1;
        }
        (self.frames[number].views[side] == view).then_some(number)
    }

    /// Computes frames, each from the one below.
    #[inline]
    fn compute(&mut self, kernels: &Kernels, layer: &impl PieceRows, view: View, frames: Range<usize>) {
        for number in frames {
            let mut rows = [[0; 2]; 2];
            let Update {
                target,
                source,
                added,
                removed,
            } = self.update(layer, view, number, &mut rows);
            kernels.accumulate(target, source, layer.rows(), added, removed);
        }
    }

    /// What makes the sums of the frame below those of a frame, which counts as computed from now on. The numbers of rows are
    /// written to `rows`.
    #[inline]
    fn update<'a>(
        &'a mut self,
        layer: &impl PieceRows,
        view: View,
        number: usize,
        rows: &'a mut [[u16; 2]; 2],
    ) -> Update<'a> {
        let (source, target) = (self.start(number - 1, view), self.start(number, view));
        let frame = &mut self.frames[number];
        frame.computed[view.side.index()] = true;
        let [added, removed] = rows;
        let (below, above) = self.sums.split_at_mut(target);
        Update {
            target: &mut above[..self.lines],
            source: &below[source..][..self.lines],
            added: changed_rows(layer, view, &frame.changes.added, added),
            removed: changed_rows(layer, view, &frame.changes.removed, removed),
        }
    }

    #[inline]
    fn start(&self, frame: usize, view: View) -> usize {
        (frame * 2 + view.side.index()) * self.lines
    }
}

/// The sums of the last position of each view, from which those of the next are updated whatever the order: successive
/// positions of a batch of siblings, or of a line after a king's move, differ in few pieces.
#[derive(Clone, Debug)]
pub struct AccumulatorCache {
    /// By side, by whether the board is mirrored, and by the king's region.
    views: Vec<CachedView>,
    regions: usize,
    /// The buffer for the next sums.
    spare: Vec<CacheLine>,
}

#[derive(Clone, Debug)]
struct CachedView {
    /// The pieces included in the sums, by number.
    pieces: [Bitboard; 12],
    sums: Vec<CacheLine>,
}

impl AccumulatorCache {
    /// A cache for rows of this many lines and so many regions of the king, holding the empty board.
    pub fn new(lines: usize, regions: usize) -> AccumulatorCache {
        let view = CachedView {
            pieces: [Bitboard::EMPTY; 12],
            sums: vec![CacheLine::ZERO; lines],
        };
        AccumulatorCache {
            views: vec![view; 4 * regions],
            regions,
            spare: vec![CacheLine::ZERO; lines],
        }
    }

    /// The sums of a position from one point of view.
    pub fn sums(
        &mut self,
        kernels: &Kernels,
        layer: &impl PieceRows,
        position: &Position,
        view: View,
    ) -> &[CacheLine] {
        let kind = view.side.index() * 2 + view.mirrored as usize;
        let cached = &mut self.views[kind * self.regions + view.region as usize];
        let (mut added, mut removed) = (RowNumbers::new(), RowNumbers::new());
        for piece in Piece::ALL {
            let now = position.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut cached.pieces[piece.index()], now);
            let row = |square| layer.row(view, piece, square);
            added.extend((now & !before).into_iter().map(row));
            removed.extend((before & !now).into_iter().map(row));
        }
        kernels.accumulate(&mut self.spare, &cached.sums, layer.rows(), &added, &removed);
        std::mem::swap(&mut self.spare, &mut cached.sums);
        &cached.sums
    }
}

/// Writes the rows of a move's pieces to an array and returns the part that they fill. A new [`ArrayVec`] for them made the
/// search 1 % slower (`enroc bench`, two series of 15 pairs).
#[inline]
fn changed_rows<'a>(
    layer: &impl PieceRows,
    view: View,
    pieces: &[(Piece, Square)],
    rows: &'a mut [u16; 2],
) -> &'a [u16] {
    for (place, &(piece, square)) in rows.iter_mut().zip(pieces) {
        *place = layer.row(view, piece, square);
    }
    &rows[..pieces.len()]
}

/// Every piece on the board.
fn pieces(position: &Position) -> impl Iterator<Item = (Piece, Square)> + '_ {
    let squares = position.occupied().into_iter();
    squares.filter_map(|square| position.piece_on(square).map(|piece| (piece, square)))
}
