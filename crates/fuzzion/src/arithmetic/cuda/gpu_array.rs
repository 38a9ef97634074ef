//! GPU buffers and kernel arguments of both encodings.

use super::source::Types;
use crate::arithmetic::array::{ArrayShape, Element, FuzzyArray, LANES, LuArray, MrArray};
use crate::arithmetic::rounding::WidensFrom;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, ChunkBuffers, Chunked, Launch, StreamInput, StreamOutput};
use crate::device::error::Result;
use crate::device::storage::Transferable;
use crate::progress::Progress;

/// Array whose planes can be stored in GPU memory.
pub trait GpuArray: FuzzyArray {
    /// CUDA names of the element types.
    const TYPES: Types;
    /// Planes in GPU memory.
    type Buffers: Send + Sync;

    /// Memory for `len` numbers with `cuts` cuts, zeros or uninitialized.
    fn allocate(cuts: usize, len: usize, zeros: bool, cuda: &Cuda) -> Result<Self::Buffers>;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<Self::Buffers>;
    /// Copies the planes from GPU memory to this array, which has the same shape.
    fn download(&mut self, buffers: &Self::Buffers, cuda: &Cuda, progress: &Progress) -> Result<()>;
    /// Applies an operation to the planes, of an array with `cuts` cuts, that are stored together.
    fn map_planes(
        buffers: &Self::Buffers,
        cuts: usize,
        operation: &impl PlaneOperation,
    ) -> Result<Self::Buffers>;

    /// Adds the planes as streamed inputs, one row per block.
    fn stream_input<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a>;
    /// Adds the planes as streamed outputs, one row per block.
    fn stream_output<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a>;

    /// Passes the arguments of a `COLUMN`.
    fn pass_input<'l>(launch: Launch<'l>, buffers: &Self::Buffers) -> Launch<'l>;
    /// Passes the arguments of a `RESULT`.
    fn pass_output<'l>(launch: Launch<'l>, buffers: &mut Self::Buffers) -> Launch<'l>;
    /// Passes the arguments of a streamed `COLUMN`, starting at stream buffer `index`, and advances `index`.
    fn pass_streamed_input<'l>(
        launch: Launch<'l>,
        buffers: &ChunkBuffers,
        index: &mut usize,
    ) -> Result<Launch<'l>>;
    /// Passes the arguments of a streamed `RESULT`.
    fn pass_streamed_output<'l>(launch: Launch<'l>, buffers: &mut ChunkBuffers) -> Result<Launch<'l>>;
}

impl<A: GpuArray> Transferable for A {
    type Copied = A::Buffers;
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<A::Buffers> {
        GpuArray::upload(self, cuda, progress)
    }
}

/// Operation on arrays in GPU memory that have the same number of planes per block.
pub trait PlaneOperation {
    fn apply<T: Element>(&self, values: &Buffer<T>, planes: usize) -> Result<Buffer<T>>;
}

/// CUDA name of a type.
const fn name<T: Element>() -> &'static str {
    if size_of::<T>() == 4 { "float" } else { "double" }
}

/// Element types of all encodings.
#[cfg(test)]
pub(super) const TYPES: [Types; 5] = [
    LuArray::<f32>::TYPES,
    LuArray::<f64>::TYPES,
    MrArray::<f32>::TYPES,
    MrArray::<f64>::TYPES,
    MrArray::<f64, f32>::TYPES,
];

/// Numbers in GPU memory.
pub(crate) struct GpuNumbers<'b, A: GpuArray> {
    pub(crate) buffers: &'b A::Buffers,
    pub(crate) len: usize,
}

/// Memory for `planes` values per number.
fn allocate_planes<T: Element>(planes: usize, len: usize, zeros: bool, cuda: &Cuda) -> Result<Buffer<T>> {
    let values = len.div_ceil(LANES) * LANES * planes;
    if zeros { cuda.zeros(values) } else { cuda.alloc(values) }
}

impl<T: Element> GpuArray for LuArray<T> {
    const TYPES: Types = Types { real: name::<T>(), radius: None };
    type Buffers = Buffer<T>;

    fn allocate(cuts: usize, len: usize, zeros: bool, cuda: &Cuda) -> Result<Buffer<T>> {
        allocate_planes(2 * cuts, len, zeros, cuda)
    }
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<Buffer<T>> {
        cuda.upload_large(self.bounds(), progress)
    }
    fn download(&mut self, buffers: &Buffer<T>, cuda: &Cuda, progress: &Progress) -> Result<()> {
        cuda.read_large(buffers, self.bounds_mut(), progress)
    }
    fn map_planes(buffers: &Buffer<T>, cuts: usize, operation: &impl PlaneOperation) -> Result<Buffer<T>> {
        operation.apply(buffers, 2 * cuts)
    }
    fn stream_input<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a> {
        work.input(StreamInput::copied(self.bounds(), 2 * LANES * self.cut_count()))
    }
    fn stream_output<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a> {
        let width = 2 * LANES * self.cut_count();
        work.output(StreamOutput::copied(self.bounds_mut(), width))
    }
    fn pass_input<'l>(launch: Launch<'l>, buffers: &Buffer<T>) -> Launch<'l> {
        launch.input(buffers)
    }
    fn pass_output<'l>(launch: Launch<'l>, buffers: &mut Buffer<T>) -> Launch<'l> {
        launch.output(buffers)
    }
    fn pass_streamed_input<'l>(
        launch: Launch<'l>,
        buffers: &ChunkBuffers,
        index: &mut usize,
    ) -> Result<Launch<'l>> {
        *index += 1;
        Ok(launch.input(buffers.buffer::<T>(*index - 1)?))
    }
    fn pass_streamed_output<'l>(launch: Launch<'l>, buffers: &mut ChunkBuffers) -> Result<Launch<'l>> {
        Ok(launch.output(buffers.buffer_mut::<T>(0)?))
    }
}

impl<T: Element + WidensFrom<R>, R: Element> GpuArray for MrArray<T, R> {
    const TYPES: Types = Types { real: name::<T>(), radius: Some(name::<R>()) };
    type Buffers = (Buffer<T>, Buffer<R>);

    fn allocate(cuts: usize, len: usize, zeros: bool, cuda: &Cuda) -> Result<Self::Buffers> {
        Ok((allocate_planes(1, len, zeros, cuda)?, allocate_planes(cuts, len, zeros, cuda)?))
    }
    fn upload(&self, cuda: &Cuda, progress: &Progress) -> Result<Self::Buffers> {
        let (midpoints, radii) = self.planes();
        Ok((cuda.upload_large(midpoints, progress)?, cuda.upload_large(radii, progress)?))
    }
    fn download(&mut self, buffers: &Self::Buffers, cuda: &Cuda, progress: &Progress) -> Result<()> {
        let (midpoints, radii) = self.planes_mut();
        cuda.read_large(&buffers.0, midpoints, progress)?;
        cuda.read_large(&buffers.1, radii, progress)
    }
    fn map_planes(
        buffers: &Self::Buffers,
        cuts: usize,
        operation: &impl PlaneOperation,
    ) -> Result<Self::Buffers> {
        Ok((operation.apply(&buffers.0, 1)?, operation.apply(&buffers.1, cuts)?))
    }
    fn stream_input<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a> {
        let (midpoints, radii) = self.planes();
        let radii = StreamInput::copied(radii, LANES * self.cut_count());
        work.input(StreamInput::copied(midpoints, LANES)).input(radii)
    }
    fn stream_output<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a> {
        let width = LANES * self.cut_count();
        let (midpoints, radii) = self.planes_mut();
        work.output(StreamOutput::copied(midpoints, LANES)).output(StreamOutput::copied(radii, width))
    }
    fn pass_input<'l>(launch: Launch<'l>, buffers: &Self::Buffers) -> Launch<'l> {
        launch.input(&buffers.0).input(&buffers.1)
    }
    fn pass_output<'l>(launch: Launch<'l>, buffers: &mut Self::Buffers) -> Launch<'l> {
        launch.output(&mut buffers.0).output(&mut buffers.1)
    }
    fn pass_streamed_input<'l>(
        launch: Launch<'l>,
        buffers: &ChunkBuffers,
        index: &mut usize,
    ) -> Result<Launch<'l>> {
        *index += 2;
        Ok(launch.input(buffers.buffer::<T>(*index - 2)?).input(buffers.buffer::<R>(*index - 1)?))
    }
    fn pass_streamed_output<'l>(launch: Launch<'l>, buffers: &mut ChunkBuffers) -> Result<Launch<'l>> {
        let launch = launch.output(buffers.buffer_mut::<T>(0)?);
        Ok(launch.output(buffers.buffer_mut::<R>(1)?))
    }
}
