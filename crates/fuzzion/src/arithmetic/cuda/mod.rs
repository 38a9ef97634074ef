//! GPU kernels for arrays of fuzzy numbers; arrays are streamed through the GPU in chunks of blocks.
#![allow(unsafe_code)] // kernel launches

pub(crate) mod axpy;
pub(crate) mod evaluate;
pub(crate) mod gpu_array;
pub(crate) mod source;
pub(crate) mod sum;

#[cfg(test)]
pub(crate) use crate::arithmetic::tests::emulated::LAUNCHING_TESTS;
pub(in crate::arithmetic) use axpy::{axpy, axpy_on_gpu};
pub(in crate::arithmetic) use evaluate::{evaluate_on_gpu, run};
pub(crate) use gpu_array::{GpuArray, GpuNumbers, PlaneOperation};
pub(crate) use sum::CHUNK;
pub(in crate::arithmetic) use sum::{sum, sum_on_gpu};

use crate::device::DeviceError;

/// A size as a 32-bit grid dimension or kernel argument.
///
/// # Errors
/// [`DeviceError::Cuda`] if it does not fit.
pub(in crate::arithmetic) fn size_u32(size: usize) -> Result<u32, DeviceError> {
    u32::try_from(size).map_err(|_| DeviceError::Cuda {
        doing: "computing the grid of a kernel",
        reason: format!("{size} does not fit into 32 bits; process the array in parts"),
    })
}

/// All kinds of programs, for tests.
#[cfg(test)]
pub(crate) fn programs() -> crate::arithmetic::error::Result<Vec<crate::device::cuda::Program>> {
    use crate::arithmetic::expr::Expr;
    use source::Formula;
    let mut programs = Vec::new();
    let everything = Expr::new(
        "fma(x, y, z) + x * y / z - exp(-x) * log(y) + sqrt(z) ^ 3 - min(recip(x), max(sqr(y), abs(z)))",
    )?;
    for types in gpu_array::TYPES {
        for cuts in [1, 4, 24, 40] {
            programs.extend([source::axpy(types, cuts, false), source::axpy(types, cuts, true)]);
            programs.push(source::sums(types, cuts, CHUNK));
        }
        let formula =
            Formula { program: everything.program(), variables: 3, broadcast: &[false, true, false] };
        programs.push(source::evaluate(types, 8, &[formula]));
    }
    Ok(programs)
}
