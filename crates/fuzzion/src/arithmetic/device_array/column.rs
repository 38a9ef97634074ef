//! Formulas over arrays in the memory of a device.

use super::array::DeviceArray;
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::{Column, Evaluation, Expr, HostColumn};
#[cfg(feature = "cuda")]
use crate::device::DeviceError;
use crate::device::{Device, Processor};

impl<A: HostColumn> Column for DeviceArray<'_, A> {
    fn apply(
        expr: &Expr,
        columns: &[&Self],
        cuts: usize,
        len: usize,
        evaluation: Evaluation,
        device: &Device,
    ) -> Result<Self> {
        match Self::processor(columns, device)? {
            Processor::Cpu(_) => {
                let columns: Vec<&A> = columns.iter().map(|column| column.storage.host()).collect();
                Ok(DeviceArray::in_host_memory(A::apply(expr, &columns, cuts, len, evaluation, device)?))
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(_) if evaluation != Evaluation::Direct => {
                let what = "the evaluation `vertex` or `affine` of numbers in GPU memory";
                Err(DeviceError::NotOnGpu { what }.into())
            }
            #[cfg(feature = "cuda")]
            Processor::Cuda(_) => {
                Self::evaluate(expr.program(), columns, &expr.literal_columns(cuts)?, cuts, len, device)
            }
        }
    }
}
