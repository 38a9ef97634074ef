//! Copies of the columns that a system reads, in GPU memory.

use crate::data::{GpuValues, GpuView, Precision};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Element, Program};
use crate::device::error::{DeviceError, Result};

/// `select_columns` from rows of one precision to another.
pub(super) fn program(from: Precision, to: Precision) -> Program {
    Program::new("inference/select", include_str!("select.cu"))
        .constant("SOURCE", from.real())
        .constant("REAL", to.real())
}

/// The given columns of `n` rows in GPU memory, row by row, in the precision `to`, which is that of `T`.
pub(in crate::inference::plan) fn select_columns<T: Element>(
    cuda: &Cuda,
    (view, n, columns): (GpuView<'_>, usize, usize),
    selected: &[usize],
    to: Precision,
) -> Result<Buffer<T>> {
    let int = |size: usize| {
        i32::try_from(size).map_err(|_| DeviceError::NotOnGpu { what: "a table with 2³¹ columns" })
    };
    let from = match view.values {
        GpuValues::F32(_) => Precision::F32,
        GpuValues::F64(_) => Precision::F64,
    };
    let kernel = cuda.kernel(&program(from, to), "select_columns")?;
    let selected: Vec<u32> = selected.iter().map(|column| *column as u32).collect();
    let on_gpu = cuda.upload(&selected)?;
    let mut out = cuda.alloc::<T>(n * selected.len())?;
    let launch = kernel.launch();
    let launch = match view.values {
        GpuValues::F32(values) => launch.input(values),
        GpuValues::F64(values) => launch.input(values),
    };
    let launch = launch
        .value(view.first as i64)
        .value(n as i64)
        .value(int(columns)?)
        .input(&on_gpu)
        .value(int(selected.len())?)
        .output(&mut out);
    // SAFETY: the arguments match select_columns(rows, first, n, columns, selected, count, out), compiled for the types
    // of `rows` and `out`; the array has n rows from `first`, the selected columns exist, and `out` has n × count values.
    unsafe { launch.run(cuda.stream(), cuda.grid_for(n * selected.len())) }?;
    Ok(out)
}
