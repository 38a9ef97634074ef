//! Input and output arrays of streamed work, of several element types.

use super::pipeline::Chunking;
use crate::device::copy_non_temporal;
use crate::device::cuda::context::Cuda;
use crate::device::cuda::memory::{Buffer, Element, Pinned};
use crate::device::error::{DeviceError, Result};
use std::any::Any;
use std::mem::take;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

type Fill<'a> = Box<dyn Fn(Range<usize>, &mut [u8]) -> Result<()> + Sync + 'a>;
/// Receives the index of a piece, its rows and its bytes.
type Drain<'a> = Box<dyn Fn(usize, Range<usize>, &[u8]) -> Result<()> + Sync + 'a>;
/// Allocates a buffer with a number of elements and returns it with its device address.
type Alloc = fn(&Cuda, usize) -> Result<(Box<dyn Any>, u64)>;
type Split<'a> = Box<dyn FnOnce(&Chunking) -> Drain<'a> + 'a>;

/// An array that is copied to the GPU.
pub struct StreamInput<'a> {
    pub(super) layout: ArrayLayout,
    pub(super) fill: Fill<'a>,
}

impl<'a> StreamInput<'a> {
    /// `width` values per row provided by `fill(rows, values)`, which is called from several threads for a few rows
    /// at a time.
    pub(crate) fn new<T: Element>(
        width: usize,
        fill: impl Fn(Range<usize>, &mut [T]) -> Result<()> + Sync + 'a,
    ) -> Self {
        let fill = move |rows, bytes: &mut [u8]| fill(rows, bytemuck::cast_slice_mut(bytes));
        StreamInput { layout: ArrayLayout::of::<T>(width), fill: Box::new(fill) }
    }

    /// `width` values per row, copied from `values`.
    pub fn copied<T: Element>(values: &'a [T], width: usize) -> Self {
        StreamInput::new(width, move |rows, out: &mut [T]| {
            out.copy_from_slice(&values[rows.start * width..rows.end * width]);
            Ok(())
        })
    }
}

/// An array that is copied from the GPU.
pub struct StreamOutput<'a> {
    pub(super) layout: ArrayLayout,
    pub(super) split: Split<'a>,
}

impl<'a> StreamOutput<'a> {
    /// `width` values per row that `drain(rows, values, part)` writes to its rows of `out`, which has `out_width`
    /// values per row. `drain` is called from several threads for a few rows at a time.
    pub(crate) fn new<U: Element, V: Send>(
        width: usize,
        out: &'a mut [V],
        out_width: usize,
        drain: impl Fn(Range<usize>, &[U], &mut [V]) -> Result<()> + Sync + 'a,
    ) -> Self {
        let split = move |chunking: &Chunking| -> Drain<'a> {
            assert_eq!(out.len(), chunking.rows() * out_width);
            let mut rest = out;
            let mut next = |piece| {
                let (part, tail) = take(&mut rest).split_at_mut(chunking.piece(piece).len() * out_width);
                rest = tail;
                Mutex::new(part)
            };
            let parts: Vec<Mutex<&mut [V]>> = (0..chunking.pieces()).map(&mut next).collect();
            Box::new(move |piece, rows, bytes| {
                let mut part = parts[piece].lock().unwrap_or_else(PoisonError::into_inner);
                drain(rows, bytemuck::cast_slice(bytes), &mut part)
            })
        };
        StreamOutput { layout: ArrayLayout::of::<U>(width), split: Box::new(split) }
    }

    /// `width` values per row, copied to `out`.
    pub fn copied<U: Element>(out: &'a mut [U], width: usize) -> Self {
        StreamOutput::new(width, out, width, |_, values: &[U], part: &mut [U]| {
            copy_non_temporal(bytemuck::cast_slice(values), bytemuck::cast_slice_mut(part));
            Ok(())
        })
    }
}

/// Row width and element type of an array.
#[derive(Clone, Copy)]
pub(super) struct ArrayLayout {
    pub(super) row_bytes: usize,
    width: usize,
    alloc: Alloc,
}

impl ArrayLayout {
    fn of<T: Element>(width: usize) -> Self {
        let alloc = |cuda: &Cuda, len| {
            let buffer = cuda.alloc::<T>(len)?;
            let pointer = buffer.pointer();
            Ok((Box::new(buffer) as Box<dyn Any>, pointer))
        };
        ArrayLayout { row_bytes: width * size_of::<T>(), width, alloc }
    }

    /// Device and pinned memory for `rows` rows.
    fn allocate(&self, cuda: &Cuda, rows: usize) -> Result<ChunkBuffer> {
        // A saturated product is an allocation that fails.
        let (buffer, pointer) = (self.alloc)(cuda, rows.saturating_mul(self.width))?;
        let pinned = cuda.pinned(rows.saturating_mul(self.row_bytes))?;
        Ok(ChunkBuffer { pinned, buffer, pointer, row_bytes: self.row_bytes })
    }
}

/// Memory for one chunk of an input or an output.
pub(super) struct ChunkBuffer {
    pub(super) pinned: Pinned,
    /// A `Buffer` of the array's element type.
    buffer: Box<dyn Any>,
    /// Device address of `buffer`.
    pub(super) pointer: u64,
    pub(super) row_bytes: usize,
}

/// The inputs or the outputs of a chunk, in the order in which they were added.
pub struct ChunkBuffers(pub(super) Vec<ChunkBuffer>);

impl ChunkBuffers {
    /// Allocates `rows` rows of each array.
    pub(super) fn new(cuda: &Cuda, rows: usize, layouts: impl Iterator<Item = ArrayLayout>) -> Result<Self> {
        Ok(ChunkBuffers(layouts.map(|layout| layout.allocate(cuda, rows)).collect::<Result<_>>()?))
    }

    /// The buffer with the given index and element type.
    ///
    /// # Errors
    /// [`DeviceError::Cuda`] if there is no such buffer, or it has another type.
    pub fn buffer<T: Element>(&self, index: usize) -> Result<&Buffer<T>> {
        let buffer = self.0.get(index).and_then(|array| array.buffer.downcast_ref());
        buffer.ok_or_else(|| missing_buffer::<T>(index))
    }

    /// The first two buffers, mutable.
    ///
    /// # Errors
    /// Those of [`ChunkBuffers::buffer`].
    pub(crate) fn first_two_mut<A: Element, B: Element>(
        &mut self,
    ) -> Result<(&mut Buffer<A>, &mut Buffer<B>)> {
        match &mut self.0[..] {
            [a, b, ..] => {
                let a = a.buffer.downcast_mut().ok_or_else(|| missing_buffer::<A>(0))?;
                let b = b.buffer.downcast_mut().ok_or_else(|| missing_buffer::<B>(1))?;
                Ok((a, b))
            }
            _ => Err(missing_buffer::<B>(1)),
        }
    }

    /// Like [`ChunkBuffers::buffer`], mutable.
    pub fn buffer_mut<T: Element>(&mut self, index: usize) -> Result<&mut Buffer<T>> {
        let buffer = self.0.get_mut(index).and_then(|array| array.buffer.downcast_mut());
        buffer.ok_or_else(|| missing_buffer::<T>(index))
    }
}

fn missing_buffer<T>(index: usize) -> DeviceError {
    let reason = format!("no buffer {index} of type {}", std::any::type_name::<T>());
    DeviceError::Cuda { doing: "accessing a chunk buffer", reason }
}
