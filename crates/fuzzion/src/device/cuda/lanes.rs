//! What travels to a GPU and back beside each other: arrays of several types with a row for each row.

use super::Cuda;
use super::memory::{Buffer, Element, Pinned};
use super::pipeline::Cut;
use crate::device::copy_past_caches;
use crate::error::{Error, Result};
use std::any::Any;
use std::mem::take;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

type Fill<'a> = Box<dyn Fn(Range<usize>, &mut [u8]) -> Result<()> + Sync + 'a>;
/// Takes the piece of a number, with its rows and its bytes.
type Drain<'a> = Box<dyn Fn(usize, Range<usize>, &[u8]) -> Result<()> + Sync + 'a>;
/// Takes a buffer of so many numbers and says where it lies.
type Reserve = fn(&Cuda, usize) -> Result<(Box<dyn Any>, u64)>;
type Split<'a> = Box<dyn FnOnce(&Cut) -> Drain<'a> + 'a>;

/// Numbers that go to the GPU.
pub(crate) struct Input<'a> {
    pub(super) kind: Kind,
    pub(super) fill: Fill<'a>,
}

impl<'a> Input<'a> {
    /// `width` numbers a row that `fill(rows, numbers)` provides; it is called from several threads, for a few rows
    /// at a time.
    pub(crate) fn new<T: Element>(
        width: usize,
        fill: impl Fn(Range<usize>, &mut [T]) -> Result<()> + Sync + 'a,
    ) -> Self {
        let fill = move |rows, bytes: &mut [u8]| fill(rows, bytemuck::cast_slice_mut(bytes));
        Input { kind: Kind::of::<T>(width), fill: Box::new(fill) }
    }

    /// `width` numbers a row, as they lie in `values`.
    pub(crate) fn copied<T: Element>(values: &'a [T], width: usize) -> Self {
        Input::new(width, move |rows, numbers: &mut [T]| {
            numbers.copy_from_slice(&values[rows.start * width..rows.end * width]);
            Ok(())
        })
    }
}

/// Numbers that come back from the GPU.
pub(crate) struct Output<'a> {
    pub(super) kind: Kind,
    pub(super) split: Split<'a>,
}

impl<'a> Output<'a> {
    /// `width` numbers a row that `drain(rows, numbers, part)` puts into its rows of `out`, which has `out_width`
    /// places a row; it is called from several threads, for a few rows at a time.
    pub(crate) fn new<U: Element, V: Send>(
        width: usize,
        out: &'a mut [V],
        out_width: usize,
        drain: impl Fn(Range<usize>, &[U], &mut [V]) -> Result<()> + Sync + 'a,
    ) -> Self {
        let split = move |cut: &Cut| -> Drain<'a> {
            assert_eq!(out.len(), cut.rows() * out_width);
            let mut rest = out;
            let mut next = |piece| {
                let (part, tail) = take(&mut rest).split_at_mut(cut.piece(piece).len() * out_width);
                rest = tail;
                Mutex::new(part)
            };
            let parts: Vec<Mutex<&mut [V]>> = (0..cut.pieces()).map(&mut next).collect();
            Box::new(move |piece, rows, bytes| {
                let mut part = parts[piece].lock().unwrap_or_else(PoisonError::into_inner);
                drain(rows, bytemuck::cast_slice(bytes), &mut part)
            })
        };
        Output { kind: Kind::of::<U>(width), split: Box::new(split) }
    }

    /// `width` numbers a row, as they shall lie in `out`.
    pub(crate) fn copied<U: Element>(out: &'a mut [U], width: usize) -> Self {
        Output::new(width, out, width, |_, numbers: &[U], part: &mut [U]| {
            copy_past_caches(bytemuck::cast_slice(numbers), bytemuck::cast_slice_mut(part));
            Ok(())
        })
    }
}

/// How wide a lane's rows are, and how its arrays are made.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) row_bytes: usize,
    width: usize,
    reserve: Reserve,
}

impl Kind {
    fn of<T: Element>(width: usize) -> Self {
        let reserve = |cuda: &Cuda, len| {
            let buffer = cuda.reserve::<T>(len)?;
            let pointer = buffer.pointer();
            Ok((Box::new(buffer) as Box<dyn Any>, pointer))
        };
        Kind { row_bytes: width * size_of::<T>(), width, reserve }
    }

    /// Room for `rows` rows on both sides of the bus.
    fn lane(&self, cuda: &Cuda, rows: usize) -> Result<Lane> {
        // A product past the end of memory becomes a request that is refused.
        let (buffer, pointer) = (self.reserve)(cuda, rows.saturating_mul(self.width))?;
        let pinned = cuda.pinned(rows.saturating_mul(self.row_bytes))?;
        Ok(Lane { pinned, buffer, pointer, row_bytes: self.row_bytes })
    }
}

/// One chunk's places for an input or an output.
pub(super) struct Lane {
    pub(super) pinned: Pinned,
    /// A `Buffer` of the lane's type.
    buffer: Box<dyn Any>,
    /// Where that lies.
    pub(super) pointer: u64,
    pub(super) row_bytes: usize,
}

/// The inputs or the outputs of a chunk on the GPU, in the order they were named.
pub(crate) struct Lanes(pub(super) Vec<Lane>);

impl Lanes {
    /// Room for `rows` rows of each kind.
    pub(super) fn new(cuda: &Cuda, rows: usize, kinds: impl Iterator<Item = Kind>) -> Result<Self> {
        Ok(Lanes(kinds.map(|kind| kind.lane(cuda, rows)).collect::<Result<_>>()?))
    }

    /// The buffer numbered `index`, whose numbers are of type `T`.
    ///
    /// # Errors
    /// [`Error::Cuda`] when there is none, or one of another type.
    pub(crate) fn buffer<T: Element>(&self, index: usize) -> Result<&Buffer<T>> {
        let buffer = self.0.get(index).and_then(|lane| lane.buffer.downcast_ref());
        buffer.ok_or_else(|| no_buffer::<T>(index))
    }

    /// As [`Lanes::buffer`], to be written.
    pub(crate) fn buffer_mut<T: Element>(&mut self, index: usize) -> Result<&mut Buffer<T>> {
        let buffer = self.0.get_mut(index).and_then(|lane| lane.buffer.downcast_mut());
        buffer.ok_or_else(|| no_buffer::<T>(index))
    }
}

fn no_buffer<T>(index: usize) -> Error {
    let reason = format!("there is no buffer {index} of {}", std::any::type_name::<T>());
    Error::Cuda { doing: "looking for a chunk's buffer", reason }
}
