//! The iteration c ← a·c + b.

use super::CpuArray;
use super::tasks::tasks_of;
use crate::arithmetic::error::Result;
use crate::device::Cpu;
use crate::progress::Progress;

/// Bytes of the result per task for a single step; fewer for more steps.
const TASK_BYTES: usize = 128 << 10;

/// The iteration c ← a·c + b, `steps` times for every number; a and b have the length of c or length 1.
///
/// # Errors
/// [`ArithmeticError::Interrupted`](crate::arithmetic::ArithmeticError::Interrupted), which leaves `c` partially updated.
pub fn axpy<A: CpuArray>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    cpu: &Cpu,
    progress: &Progress,
) -> Result<()> {
    let (simd, cuts, bytes) = (cpu.simd(), c.cut_count(), TASK_BYTES / steps.clamp(1, 32));
    let size = (bytes / c.block_bytes()).max(1);
    let broadcast = |array: &A| (array.number_count() != c.number_count()).then(|| array.broadcast(size));
    let broadcast = [broadcast(a), broadcast(b)];
    tasks_of(
        c,
        size,
        cpu,
        progress,
        || (),
        |_, first, count, c| {
            let [a, b] = [(a, &broadcast[0]), (b, &broadcast[1])].map(|(array, broadcast)| match broadcast {
                Some(broadcast) => broadcast.blocks(0..count),
                None => array.blocks(first..first + count),
            });
            A::axpy(simd, cuts, c, [a, b], steps);
        },
    )
}
