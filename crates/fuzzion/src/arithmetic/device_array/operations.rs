//! Operations on arrays in the memory of a device.

use super::array::DeviceArray;
use crate::arithmetic::array::dispatch::{self, ComputeArray};
use crate::arithmetic::array::operations::{
    Operand, array_operations, axpy, binary, binary_into, dot, mul_add, unary,
};
#[cfg(feature = "cuda")]
use crate::arithmetic::cuda::{self, GpuArray, GpuNumbers};
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::{Binary, PostfixOp, Unary};
#[cfg(feature = "cuda")]
use crate::device::Cuda;
use crate::device::storage::processor_of;
#[cfg(feature = "cuda")]
use crate::device::storage::{GpuOperand, Storage};
use crate::device::{Device, Processor};

impl<'a, A: ComputeArray> DeviceArray<'a, A> {
    pub(super) fn processor<'d>(arrays: &[&Self], device: &'d Device) -> Result<Processor<'d>> {
        Ok(processor_of("numbers", arrays.iter().map(|array| array.storage.gpu()), device)?)
    }

    /// The arrays in the memory of a GPU.
    #[cfg(feature = "cuda")]
    fn operands(
        arrays: &[&Self],
        cuda: &Cuda,
        device: &Device,
    ) -> Result<Vec<(GpuOperand<A::Buffers>, usize)>> {
        let operand = |array: &&Self| Ok((array.storage.operand(cuda, device.progress())?, array.len()));
        arrays.iter().map(operand).collect()
    }

    #[cfg(feature = "cuda")]
    fn on_gpu(cuts: usize, len: usize, buffers: A::Buffers, cuda: &Cuda) -> Self {
        DeviceArray::with_storage(cuts, len, Storage::on_gpu(buffers, cuda))
    }

    /// Runs a program over columns and literals; the result has length `len`.
    pub(super) fn evaluate(
        program: &[PostfixOp],
        columns: &[&Self],
        literals: &[A],
        cuts: usize,
        len: usize,
        device: &Device,
    ) -> Result<Self> {
        match Self::processor(columns, device)? {
            Processor::Cpu(_) => {
                let columns: Vec<&A> = columns.iter().map(|column| column.storage.host()).collect();
                let mut out = A::zeros(cuts, len)?;
                dispatch::run(program, &columns, literals, &mut out, device)?;
                Ok(DeviceArray::in_host_memory(out))
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let variables = Self::operands(columns, cuda, device)?;
                let upload = |literal: &A| GpuArray::upload(literal, cuda, device.progress());
                let literals = literals.iter().map(upload).collect::<Result<Vec<_>, _>>()?;
                let operands: Vec<GpuNumbers<'_, A>> = (variables.iter())
                    .map(|(buffers, len)| GpuNumbers { buffers: &**buffers, len: *len })
                    .chain(literals.iter().map(|buffers| GpuNumbers { buffers, len: 1 }))
                    .collect();
                let out = cuda::evaluate_on_gpu(program, &operands, columns.len(), cuts, len, cuda)?;
                Ok(Self::on_gpu(cuts, len, out, cuda))
            }
        }
    }
}

impl<A: ComputeArray> Operand for DeviceArray<'_, A> {
    fn run(program: &[PostfixOp], columns: &[&Self], len: usize, device: &Device) -> Result<Self> {
        Self::evaluate(program, columns, &[], columns[0].cuts(), len, device)
    }

    fn run_into(program: &[PostfixOp], columns: &[&Self], out: &mut Self, device: &Device) -> Result<()> {
        *out = Self::run(program, columns, out.len(), device)?;
        Ok(())
    }

    fn iterate(self, a: &Self, b: &Self, steps: usize, device: &Device) -> Result<Self> {
        match Self::processor(&[&self, a, b], device)? {
            Processor::Cpu(_) => {
                let c = self.storage.into_host();
                let c = c.iterate(a.storage.host(), b.storage.host(), steps, device)?;
                Ok(DeviceArray::in_host_memory(c))
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let (cuts, len) = (self.cuts(), self.len());
                let operands = Self::operands(&[a, b, &self], cuda, device)?;
                let [a, b, c] = std::array::from_fn(|i| {
                    let (buffers, len) = &operands[i];
                    GpuNumbers { buffers: &**buffers, len: *len }
                });
                let Some(out) = cuda::axpy_on_gpu::<A>([a, b, c], cuts, steps, cuda)? else {
                    return Ok(self);
                };
                Ok(Self::on_gpu(cuts, len, out, cuda))
            }
        }
    }

    fn total(&self, other: Option<&Self>, device: &Device) -> Result<Self> {
        let arrays: Vec<&Self> = [self].into_iter().chain(other).collect();
        match Self::processor(&arrays, device)? {
            Processor::Cpu(_) => {
                let other = other.map(|other| other.storage.host());
                Ok(DeviceArray::in_host_memory(dispatch::sum(self.storage.host(), other, device)?))
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(cuda) => {
                let operands = Self::operands(&arrays, cuda, device)?;
                let other = operands.get(1).map(|(buffers, _)| &**buffers);
                let out = cuda::sum_on_gpu::<A>(&operands[0].0, other, self.cuts(), self.len(), cuda)?;
                Ok(Self::on_gpu(self.cuts(), 1, out, cuda))
            }
        }
    }
}

array_operations!(<A: ComputeArray> DeviceArray<'_, A>, "FuzzyLu");
