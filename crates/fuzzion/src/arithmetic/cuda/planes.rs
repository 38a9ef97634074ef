//! Both encodings as kernels see them: which buffers a column is.

use super::text::Types;
use crate::arithmetic::array::{Array, Element, LANES, LuArray, MrArray};
use crate::arithmetic::rounding::Holds;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Chunked, Input, Lanes, Launch, Output};
use crate::error::Result;

/// An array whose planes can lie on a GPU.
pub(crate) trait Planes: Array {
    /// Its types as CUDA calls them.
    const TYPES: Types;
    /// Its planes on a GPU.
    type Buffers;

    fn upload(&self, cuda: &Cuda) -> Result<Self::Buffers>;
    fn download(buffers: &Self::Buffers, cuts: usize, len: usize, cuda: &Cuda) -> Result<Self>;

    /// Sends the planes along, a row for each block.
    fn sent<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a>;
    /// Sends the planes along, a row for each `chunk` blocks; the last one is filled up with zeros.
    fn sent_in_chunks<'a>(&'a self, work: Chunked<'a>, chunk: usize) -> Chunked<'a>;
    /// Gets the planes back, a row for each block.
    fn received<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a>;

    /// The arguments of a `COLUMN`.
    fn read<'l>(launch: Launch<'l>, buffers: &Self::Buffers) -> Launch<'l>;
    /// The arguments of a `RESULT`.
    fn write<'l>(launch: Launch<'l>, buffers: &mut Self::Buffers) -> Launch<'l>;
    /// The arguments of a `COLUMN` that was sent, from number `lane` on; that becomes the number behind them.
    fn read_lanes<'l>(launch: Launch<'l>, lanes: &Lanes, lane: &mut usize) -> Result<Launch<'l>>;
    /// The arguments of a `RESULT` that is received.
    fn write_lanes<'l>(launch: Launch<'l>, lanes: &mut Lanes) -> Result<Launch<'l>>;
}

/// What CUDA calls a type.
const fn name<T: Element>() -> &'static str {
    if size_of::<T>() == 4 { "float" } else { "double" }
}

/// The types of all encodings.
#[cfg(test)]
pub(super) const TYPES: [Types; 5] = [
    LuArray::<f32>::TYPES,
    LuArray::<f64>::TYPES,
    MrArray::<f32>::TYPES,
    MrArray::<f64>::TYPES,
    MrArray::<f64, f32>::TYPES,
];

/// `width` numbers a row, as they lie in `values`, and zeros behind them.
fn filled<T: Element>(values: &[T], width: usize) -> Input<'_> {
    Input::new(width, move |rows, numbers: &mut [T]| {
        let rest = values.get(rows.start * width..).unwrap_or_default();
        let there = rest.len().min(numbers.len());
        numbers[..there].copy_from_slice(&rest[..there]);
        numbers[there..].fill(T::zeroed());
        Ok(())
    })
}

impl<T: Element> Planes for LuArray<T> {
    const TYPES: Types = Types { real: name::<T>(), radius: None };
    type Buffers = Buffer<T>;

    fn upload(&self, cuda: &Cuda) -> Result<Buffer<T>> {
        cuda.upload(self.bounds())
    }
    fn download(buffers: &Buffer<T>, cuts: usize, len: usize, cuda: &Cuda) -> Result<Self> {
        let mut array = Self::sized(cuts, len);
        cuda.read(buffers, array.bounds_mut())?;
        Ok(array)
    }
    fn sent<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a> {
        work.input(Input::copied(self.bounds(), 2 * LANES * self.depth()))
    }
    fn sent_in_chunks<'a>(&'a self, work: Chunked<'a>, chunk: usize) -> Chunked<'a> {
        work.input(filled(self.bounds(), 2 * LANES * self.depth() * chunk))
    }
    fn received<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a> {
        let width = 2 * LANES * self.depth();
        work.output(Output::copied(self.bounds_mut(), width))
    }
    fn read<'l>(launch: Launch<'l>, buffers: &Buffer<T>) -> Launch<'l> {
        launch.input(buffers)
    }
    fn write<'l>(launch: Launch<'l>, buffers: &mut Buffer<T>) -> Launch<'l> {
        launch.output(buffers)
    }
    fn read_lanes<'l>(launch: Launch<'l>, lanes: &Lanes, lane: &mut usize) -> Result<Launch<'l>> {
        *lane += 1;
        Ok(launch.input(lanes.buffer::<T>(*lane - 1)?))
    }
    fn write_lanes<'l>(launch: Launch<'l>, lanes: &mut Lanes) -> Result<Launch<'l>> {
        Ok(launch.output(lanes.buffer_mut::<T>(0)?))
    }
}

impl<T: Element + Holds<R>, R: Element> Planes for MrArray<T, R> {
    const TYPES: Types = Types { real: name::<T>(), radius: Some(name::<R>()) };
    type Buffers = (Buffer<T>, Buffer<R>);

    fn upload(&self, cuda: &Cuda) -> Result<Self::Buffers> {
        let (midpoints, radii) = self.planes();
        Ok((cuda.upload(midpoints)?, cuda.upload(radii)?))
    }
    fn download(buffers: &Self::Buffers, cuts: usize, len: usize, cuda: &Cuda) -> Result<Self> {
        let mut array = Self::sized(cuts, len);
        let (midpoints, radii) = array.planes_mut();
        cuda.read(&buffers.0, midpoints)?;
        cuda.read(&buffers.1, radii)?;
        Ok(array)
    }
    fn sent<'a>(&'a self, work: Chunked<'a>) -> Chunked<'a> {
        let (midpoints, radii) = self.planes();
        let radii = Input::copied(radii, LANES * self.depth());
        work.input(Input::copied(midpoints, LANES)).input(radii)
    }
    fn sent_in_chunks<'a>(&'a self, work: Chunked<'a>, chunk: usize) -> Chunked<'a> {
        let (midpoints, radii) = self.planes();
        let radii = filled(radii, LANES * self.depth() * chunk);
        work.input(filled(midpoints, LANES * chunk)).input(radii)
    }
    fn received<'a>(&'a mut self, work: Chunked<'a>) -> Chunked<'a> {
        let width = LANES * self.depth();
        let (midpoints, radii) = self.planes_mut();
        work.output(Output::copied(midpoints, LANES)).output(Output::copied(radii, width))
    }
    fn read<'l>(launch: Launch<'l>, buffers: &Self::Buffers) -> Launch<'l> {
        launch.input(&buffers.0).input(&buffers.1)
    }
    fn write<'l>(launch: Launch<'l>, buffers: &mut Self::Buffers) -> Launch<'l> {
        launch.output(&mut buffers.0).output(&mut buffers.1)
    }
    fn read_lanes<'l>(launch: Launch<'l>, lanes: &Lanes, lane: &mut usize) -> Result<Launch<'l>> {
        *lane += 2;
        Ok(launch.input(lanes.buffer::<T>(*lane - 2)?).input(lanes.buffer::<R>(*lane - 1)?))
    }
    fn write_lanes<'l>(launch: Launch<'l>, lanes: &mut Lanes) -> Result<Launch<'l>> {
        let launch = launch.output(lanes.buffer_mut::<T>(0)?);
        Ok(launch.output(lanes.buffer_mut::<R>(1)?))
    }
}
