//! The outputs of a first layer with a bounded activation: bytes, of which most are zero.

use super::accumulate::accumulate;
use super::blocks::{BlockList, Occupied};
use super::lines::{CacheLine, DOTS, Dots};
use super::rows::{RowLine, Rows};
use super::vocabulary::Vocabulary;

/// How the sums of the first layer become bytes from 0 to 127: a clipped sum, shifted left, times a factor, divided by 2¹⁵
/// and rounded to nearest. A factor that is a clipped sum is shifted too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteActivation {
    /// Sums are clipped to 0 … `cap`. The cap times 2ⁿ fits in 15 bits.
    pub cap: i16,
    /// n, by which the sum is shifted.
    pub shift: u32,
    /// By how much the other factor is shifted, if it is a sum: 0 unless the cap is small.
    pub other_shift: u32,
    /// The other factor.
    pub factor: Factor,
}

/// The other factor of a [`ByteActivation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// A constant.
    Constant(i16),
    /// The clipped sum itself.
    Itself,
    /// The clipped sum of the unit as far behind as there are outputs.
    Partner,
}

impl ByteActivation {
    /// Of how many lines of sums the first layer must have a multiple, so that they fill lines of bytes.
    pub fn granule(&self) -> usize {
        match self.factor {
            Factor::Partner => 4,
            _ => 2,
        }
    }

    /// Lines of bytes from so many lines of sums.
    pub fn byte_lines(&self, lines: usize) -> usize {
        match self.factor {
            Factor::Partner => lines / 4,
            _ => lines / 2,
        }
    }
}

/// The outputs of the first layer, and scratch space for the later ones.
#[derive(Clone, Debug)]
pub struct ActiveBytes {
    /// The outputs, a number for each block of four bytes with the first of them lowest.
    pub(super) lines: Vec<Dots>,
    /// Which blocks are not zero. Every bit is of a block in `lines`.
    pub(super) occupied: Vec<Occupied>,
    /// The numbers of these blocks, once they are multiplied.
    pub(super) list: BlockList,
    /// The inputs and the outputs of a layer of words.
    pub(super) words: [Vec<CacheLine>; 2],
}

impl ActiveBytes {
    /// Space for so many lines of bytes, and for later layers of at most so many units.
    pub fn new(lines: usize, units: usize) -> ActiveBytes {
        let dots = units.div_ceil(DOTS).next_multiple_of(2);
        ActiveBytes {
            lines: vec![Dots::ZERO; lines],
            occupied: Vec::with_capacity(lines),
            list: BlockList::new(lines),
            words: [vec![CacheLine::ZERO; dots], vec![CacheLine::ZERO; dots]],
        }
    }

    /// Forgets the outputs.
    #[inline]
    pub fn clear(&mut self) {
        self.occupied.clear();
    }
}

/// What makes the sums of the first layer those of the next position.
#[derive(Debug)]
pub struct Update<'a> {
    /// The next position's sums.
    pub target: &'a mut [CacheLine],
    /// The last position's.
    pub source: &'a [CacheLine],
    /// Numbers of rows, each as long as the target.
    pub added: &'a [u16],
    pub removed: &'a [u16],
}

/// See [`Kernels::activate_bytes`](super::Kernels::activate_bytes).
#[inline(always)]
pub(super) fn activate_bytes<V: Vocabulary>(
    v: V,
    sums: &[CacheLine],
    state: &[CacheLine],
    activation: ByteActivation,
    first: usize,
    active: &mut ActiveBytes,
) {
    assert!(sums.len() == state.len() && sums.len().is_multiple_of(activation.granule()));
    pack(v, Ready { sums }, state, activation, first, active);
}

/// See [`Kernels::follow`](super::Kernels::follow).
#[inline(always)]
pub(super) fn follow<V: Vocabulary>(
    v: V,
    update: Update,
    rows: Rows,
    state: &[CacheLine],
    activation: ByteActivation,
    first: usize,
    active: &mut ActiveBytes,
) {
    match (update.added, update.removed) {
        (&[a], &[b]) => follow_rows(v, update, rows, [a], [b], state, activation, first, active),
        (&[a], &[b, c]) => follow_rows(v, update, rows, [a], [b, c], state, activation, first, active),
        _ => {
            let Update {
                target,
                source,
                added,
                removed,
            } = update;
            accumulate(v, target, source, rows, added, removed);
            activate_bytes(v, target, state, activation, first, active);
        }
    }
}

/// The same with the numbers of added and removed rows known when it is compiled.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "those of `follow`, and the rows")]
fn follow_rows<V: Vocabulary, const A: usize, const R: usize>(
    v: V,
    Update { target, source, .. }: Update,
    rows: Rows,
    added: [u16; A],
    removed: [u16; R],
    state: &[CacheLine],
    activation: ByteActivation,
    first: usize,
    active: &mut ActiveBytes,
) {
    match rows {
        Rows::Words(rows) => {
            let sums = Following::new(target, source, rows, added, removed);
            pack(v, sums, state, activation, first, active);
        }
        Rows::Bytes(rows) => {
            let sums = Following::new(target, source, rows, added, removed);
            pack(v, sums, state, activation, first, active);
        }
    }
}

/// Packs the outputs into bytes and notes the blocks that are not zero.
#[inline(always)]
fn pack<V: Vocabulary, S: Lines>(
    v: V,
    sums: S,
    state: &[CacheLine],
    activation: ByteActivation,
    first: usize,
    active: &mut ActiveBytes,
) {
    match activation.factor {
        Factor::Constant(factor) => {
            pack_of::<V, S, OfConstant>(v, sums, state, activation, factor, first, active)
        }
        Factor::Itself => pack_of::<V, S, OfItself>(v, sums, state, activation, 0, first, active),
        Factor::Partner => pack_of::<V, S, OfPartner>(v, sums, state, activation, 0, first, active),
    }
}

#[inline(always)]
fn pack_of<V: Vocabulary, S: Lines, F: OtherFactor>(
    v: V,
    sums: S,
    state: &[CacheLine],
    activation: ByteActivation,
    factor: i16,
    first: usize,
    active: &mut ActiveBytes,
) {
    // all lines that are read below are within the state, and the sums have as many
    assert_eq!(sums.count(), state.len());
    let lines = activation.byte_lines(state.len());
    let mut outputs = Outputs {
        sums,
        state,
        cap: v.splat(activation.cap),
        shift: activation.shift,
        other_shift: activation.other_shift,
        factor: v.splat(factor),
    };
    for (group, lines) in active.lines[first..][..lines].chunks_mut(64 / DOTS).enumerate() {
        let start = group * 64 / DOTS;
        let mut occupied = Occupied {
            first: (first + start) * DOTS,
            blocks: 0,
        };
        for (number, line) in lines.iter_mut().enumerate() {
            let line_of_sums = 2 * (start + number);
            let low = outputs.line::<F>(v, line_of_sums);
            let bytes = v.pack(low, outputs.line::<F>(v, line_of_sums + 1));
            v.store_blocks(bytes, line);
            occupied.blocks |= u64::from(v.occupied(bytes)) << (number * DOTS);
        }
        active.occupied.push(occupied);
    }
}

/// The sums of the first layer, each line of which is read once.
trait Lines {
    /// How many there are.
    fn count(&self) -> usize;
    /// One of them.
    fn line<V: Vocabulary>(&mut self, v: V, line: usize) -> V::Register;
}

/// Sums that are there.
struct Ready<'a> {
    sums: &'a [CacheLine],
}

impl Lines for Ready<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.sums.len()
    }

    #[inline(always)]
    fn line<V: Vocabulary>(&mut self, v: V, line: usize) -> V::Register {
        v.load(&self.sums[line])
    }
}

/// Sums that become those of the next position: `A` rows are added and `R` removed.
struct Following<'a, L, const A: usize, const R: usize> {
    target: &'a mut [CacheLine],
    source: &'a [CacheLine],
    added: [&'a [L]; A],
    removed: [&'a [L]; R],
}

impl<'a, L, const A: usize, const R: usize> Following<'a, L, A, R> {
    #[inline(always)]
    fn new(
        target: &'a mut [CacheLine],
        source: &'a [CacheLine],
        rows: &'a [L],
        added: [u16; A],
        removed: [u16; R],
    ) -> Following<'a, L, A, R> {
        let lines = target.len();
        let mut following = Following {
            target,
            source: &source[..lines],
            added: [rows; A],
            removed: [rows; R],
        };
        for (rows, number) in following.added.iter_mut().zip(added) {
            *rows = &rows[number as usize * lines..][..lines];
        }
        for (rows, number) in following.removed.iter_mut().zip(removed) {
            *rows = &rows[number as usize * lines..][..lines];
        }
        following
    }
}

impl<L: RowLine, const A: usize, const R: usize> Lines for Following<'_, L, A, R> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.target.len()
    }

    #[inline(always)]
    fn line<V: Vocabulary>(&mut self, v: V, line: usize) -> V::Register {
        assert!(line < self.target.len());
        // SAFETY: the target has this line, and the others are as long
        let mut sum = v.load(unsafe { self.source.get_unchecked(line) });
        for rows in self.added {
            // SAFETY: the same
            sum = v.add(sum, unsafe { rows.get_unchecked(line) }.load(v));
        }
        for rows in self.removed {
            // SAFETY: the same
            sum = v.subtract(sum, unsafe { rows.get_unchecked(line) }.load(v));
        }
        v.store(sum, &mut self.target[line]);
        sum
    }
}

/// The outputs of the first layer, one line at a time.
struct Outputs<'a, V: Vocabulary, S> {
    sums: S,
    state: &'a [CacheLine],
    cap: V::Register,
    shift: u32,
    other_shift: u32,
    factor: V::Register,
}

impl<V: Vocabulary, S: Lines> Outputs<'_, V, S> {
    /// The sums of a line, at most the cap.
    #[inline(always)]
    fn capped(&mut self, v: V, line: usize) -> V::Register {
        let sum = v.add(self.sums.line(v, line), v.load(&self.state[line]));
        v.minimum(sum, self.cap)
    }

    /// The outputs of a line.
    #[inline(always)]
    fn line<F: OtherFactor>(&mut self, v: V, line: usize) -> V::Register {
        let value = v.maximum(self.capped(v, line), v.splat(0));
        let other = F::factor(self, v, line, value);
        v.multiply_rounded(v.shift_left(value, self.shift), other)
    }
}

/// A [`Factor`] that the compiler knows. These are no closures, which it might not compile for the instruction set.
trait OtherFactor {
    fn factor<V: Vocabulary, S: Lines>(
        of: &mut Outputs<V, S>,
        v: V,
        line: usize,
        value: V::Register,
    ) -> V::Register;
}

struct OfConstant;
struct OfItself;
struct OfPartner;

impl OtherFactor for OfConstant {
    #[inline(always)]
    fn factor<V: Vocabulary, S: Lines>(
        of: &mut Outputs<V, S>,
        _: V,
        _: usize,
        _: V::Register,
    ) -> V::Register {
        of.factor
    }
}

impl OtherFactor for OfItself {
    #[inline(always)]
    fn factor<V: Vocabulary, S: Lines>(
        of: &mut Outputs<V, S>,
        v: V,
        _: usize,
        value: V::Register,
    ) -> V::Register {
        v.shift_left(value, of.other_shift)
    }
}

impl OtherFactor for OfPartner {
    /// A sum below zero makes a product below zero, which becomes zero when it is packed.
    #[inline(always)]
    fn factor<V: Vocabulary, S: Lines>(
        of: &mut Outputs<V, S>,
        v: V,
        line: usize,
        _: V::Register,
    ) -> V::Register {
        let half = of.state.len() / 2;
        v.shift_left(of.capped(v, line + half), of.other_shift)
    }
}
