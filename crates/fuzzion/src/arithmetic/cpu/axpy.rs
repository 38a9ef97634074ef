//! The series c ← a·c + b.

use super::Batch;
use super::tasks::tasks_of;
use crate::device::Cpu;
use crate::error::Result;
use crate::progress::Progress;

/// How much of the result is one task for a single step; less for more of them.
const TASK_BYTES: usize = 128 << 10;

/// c ← a·c + b, `steps` times for every number; a and b are as long as c, or one number for all.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), which leaves `c` half done.
pub(in crate::arithmetic) fn axpy<A: Batch>(
    c: &mut A,
    a: &A,
    b: &A,
    steps: usize,
    cpu: &Cpu,
    progress: Progress,
) -> Result<()> {
    let (simd, cuts, bytes) = (cpu.simd(), c.depth(), TASK_BYTES / steps.clamp(1, 32));
    let size = (bytes / c.block_bytes()).max(1);
    let spread = |array: &A| (array.count() != c.count()).then(|| array.spread(size));
    let spread = [spread(a), spread(b)];
    tasks_of(
        c,
        size,
        cpu,
        progress,
        || (),
        |_, first, count, c| {
            let [a, b] = [(a, &spread[0]), (b, &spread[1])].map(|(array, spread)| match spread {
                Some(spread) => spread.blocks(0..count),
                None => array.blocks(first..first + count),
            });
            A::axpy(simd, cuts, c, [a, b], steps);
        },
    )
}
