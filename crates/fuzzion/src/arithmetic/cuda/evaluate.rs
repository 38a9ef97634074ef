//! Formulas over arrays.

use super::gpu_array::{GpuArray, GpuNumbers};
use super::source::{self, Formula};
use crate::arithmetic::array::LANES;
use crate::arithmetic::expr::PostfixOp;
use crate::device::Cuda;
use crate::device::cuda::{Chunked, Kernel, Launch};
use crate::device::error::Result;
use crate::progress::Progress;

/// Kernel of a formula over columns.
pub(in crate::arithmetic) struct EvaluateKernel {
    kernel: Kernel,
}

impl EvaluateKernel {
    /// Compiles the kernel for numbers with `cuts` cuts; `broadcast` specifies for each variable, then for each literal,
    /// whether its column is broadcast.
    fn new<A: GpuArray>(
        cuda: &Cuda,
        cuts: usize,
        program: &[PostfixOp],
        variables: usize,
        broadcast: &[bool],
    ) -> Result<Self> {
        let key = format!("formula {:?} {cuts} {program:?} {variables} {broadcast:?}", A::TYPES);
        let source = || source::evaluate(A::TYPES, cuts, &[Formula { program, variables, broadcast }]);
        Ok(EvaluateKernel { kernel: cuda.kernel_by_key(key, "evaluate_0", source)? })
    }

    /// A kernel of a program with several formulas.
    #[cfg(test)]
    pub(in crate::arithmetic) fn of(kernel: Kernel) -> Self {
        EvaluateKernel { kernel }
    }

    /// Enqueues the formula for `numbers` numbers in GPU memory.
    pub(in crate::arithmetic) fn launch<A: GpuArray>(
        &self,
        cuda: &Cuda,
        columns: &[&A::Buffers],
        out: &mut A::Buffers,
        numbers: usize,
    ) -> Result<()> {
        let launch =
            columns.iter().fold(self.kernel.launch(), |launch, column| A::pass_input(launch, column));
        self.run(cuda, A::pass_output(launch, out), numbers)
    }

    fn run(&self, cuda: &Cuda, launch: Launch<'_>, numbers: usize) -> Result<()> {
        let grid = cuda.grid_for(numbers.div_ceil(LANES) * LANES);
        // SAFETY: the arguments match `evaluate_0`, which was generated for this number of columns; it accesses the
        // blocks of `numbers` numbers, and only the first number of broadcast columns.
        unsafe { launch.value(numbers as i64).run(cuda.stream(), grid) }
    }
}

/// Evaluates a formula over columns with one kernel. Broadcast columns and literals stay in GPU memory.
pub(in crate::arithmetic) fn run<A: GpuArray>(
    program: &[PostfixOp],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    cuda: &Cuda,
    progress: &Progress,
) -> Result<()> {
    let (numbers, cuts) = (out.number_count(), out.cut_count());
    let operands: Vec<&A> = columns.iter().copied().chain(literals).collect();
    let broadcast: Vec<bool> =
        operands.iter().map(|column| column.number_count() == 1 && numbers != 1).collect();
    let kernel = EvaluateKernel::new::<A>(cuda, cuts, program, columns.len(), &broadcast)?;
    let resident: Vec<Option<A::Buffers>> = operands
        .iter()
        .zip(&broadcast)
        .map(|(column, broadcast)| broadcast.then(|| column.upload(cuda, progress)).transpose())
        .collect::<Result<_>>()?;
    let mut work = Chunked::new(numbers.div_ceil(LANES));
    for (column, _) in operands.iter().zip(&broadcast).filter(|(_, broadcast)| !**broadcast) {
        work = column.stream_input(work);
    }
    cuda.stream_chunks(out.stream_output(work), progress, |blocks, inputs, outputs| {
        let count = (numbers - blocks.start * LANES).min(blocks.len() * LANES);
        let (mut launch, mut index) = (kernel.kernel.launch(), 0);
        for buffers in &resident {
            launch = match buffers {
                Some(buffers) => A::pass_input(launch, buffers),
                None => A::pass_streamed_input(launch, inputs, &mut index)?,
            };
        }
        kernel.run(cuda, A::pass_streamed_output(launch, outputs)?, count)
    })
}

/// Enqueues a formula over columns in GPU memory, first `variables` variables, then the literals; the result has `len`
/// numbers with `cuts` cuts. Columns have the length of the result or length 1.
pub(in crate::arithmetic) fn evaluate_on_gpu<A: GpuArray>(
    program: &[PostfixOp],
    columns: &[GpuNumbers<'_, A>],
    variables: usize,
    cuts: usize,
    len: usize,
    cuda: &Cuda,
) -> Result<A::Buffers> {
    let mut out = A::allocate(cuts, len, false, cuda)?;
    if len > 0 {
        let broadcast: Vec<bool> = columns.iter().map(|column| column.len == 1 && len != 1).collect();
        let kernel = EvaluateKernel::new::<A>(cuda, cuts, program, variables, &broadcast)?;
        assert!(columns.iter().all(|column| column.len == len || column.len == 1));
        let columns: Vec<&A::Buffers> = columns.iter().map(|column| column.buffers).collect();
        kernel.launch::<A>(cuda, &columns, &mut out, len)?;
    }
    Ok(out)
}
