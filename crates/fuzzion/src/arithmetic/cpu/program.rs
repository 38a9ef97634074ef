//! Running a program over columns.

use super::Batch;
use super::tasks::{blocks_of, pieces, tasks};
use crate::arithmetic::expr::{Binary, Step, Unary};
use crate::device::{Cpu, Simd};
use crate::error::Result;
use crate::progress::Progress;

/// How much of one operand a step goes over before the next step: several fit the nearest cache.
const RUN_BYTES: usize = 8 << 10;

/// What a step computes.
#[derive(Clone, Copy)]
enum Operation {
    /// The operand itself: a formula that is only a name.
    Copy,
    Unary(Unary),
    Binary(Binary),
    MulAdd,
}

/// Where an operand is.
#[derive(Clone, Copy)]
enum Source {
    /// A column, or after the last of them a literal.
    Column(usize),
    /// What was calculated on the way.
    Slot(usize),
}

/// One step with its operands, the last of them repeated to three, and the slot of its result.
struct Instruction {
    operation: Operation,
    operands: [Source; 3],
    slot: usize,
}

/// The steps with their operands found, and how many slots they need.
fn resolve(steps: &[Step], columns: usize) -> (Vec<Instruction>, usize) {
    let (mut stack, mut free, mut slots) = (Vec::new(), Vec::new(), 0);
    let mut instructions: Vec<Instruction> = Vec::new();
    for step in steps {
        let (operation, count) = match *step {
            Step::Variable(index) => {
                stack.push(Source::Column(index));
                continue;
            }
            Step::Literal(index) => {
                stack.push(Source::Column(columns + index));
                continue;
            }
            Step::Unary(operation) => (Operation::Unary(operation), 1),
            Step::Binary(operation) => (Operation::Binary(operation), 2),
            Step::MulAdd => (Operation::MulAdd, 3),
        };
        let used = stack.split_off(stack.len() - count);
        // Taken before those of the operands are given back: no step reads where it writes.
        let slot = free.pop().unwrap_or(slots);
        slots = slots.max(slot + 1);
        free.extend(used.iter().filter_map(|source| match source {
            Source::Slot(slot) => Some(*slot),
            Source::Column(_) => None,
        }));
        let operands = std::array::from_fn(|i| used[i.min(count - 1)]);
        instructions.push(Instruction { operation, operands, slot });
        stack.push(Source::Slot(slot));
    }
    if instructions.is_empty() {
        let operands = [stack[0]; 3]; // no program is empty
        instructions.push(Instruction { operation: Operation::Copy, operands, slot: 0 });
    }
    (instructions, slots)
}

/// A program and what it runs over.
struct Plan<'a, A> {
    instructions: Vec<Instruction>,
    /// Columns, then literals.
    columns: Vec<&'a A>,
    /// Those of one number, in every lane of a run.
    spread: Vec<Option<A>>,
    cuts: usize,
    simd: Simd,
}

impl<A: Batch> Plan<'_, A> {
    /// All steps for `count` blocks, the last straight into `out`.
    fn run(&self, slots: &mut [A], first: usize, count: usize, out: A::BlocksMut<'_>) {
        let Some((last, before)) = self.instructions.split_last() else { return };
        for instruction in before {
            let nothing = A::sized(self.cuts, 0);
            let mut result = std::mem::replace(&mut slots[instruction.slot], nothing);
            let [out, _] = A::split(result.blocks_mut(), self.cuts, count);
            self.step(instruction, slots, first, count, out);
            slots[instruction.slot] = result;
        }
        self.step(last, slots, first, count, out);
    }

    fn step(
        &self,
        instruction: &Instruction,
        slots: &[A],
        first: usize,
        count: usize,
        out: A::BlocksMut<'_>,
    ) {
        let [a, b, c] = instruction.operands.map(|source| match source {
            Source::Slot(slot) => slots[slot].blocks(0..count),
            Source::Column(column) => match &self.spread[column] {
                Some(spread) => spread.blocks(0..count),
                None => self.columns[column].blocks(first..first + count),
            },
        });
        match instruction.operation {
            Operation::Copy => A::copy(a, out),
            Operation::Unary(operation) => A::unary(self.simd, self.cuts, operation, a, out),
            Operation::Binary(operation) => A::binary(self.simd, self.cuts, operation, [a, b], out),
            Operation::MulAdd => A::mul_add(self.simd, self.cuts, [a, b, c], out),
        }
    }
}

/// A program of one step on columns as long as `out`, without the preparations that short arrays would feel.
fn single_step<A: Batch>(
    steps: &[Step],
    columns: &[&A],
    out: &mut A,
    cpu: &Cpu,
    progress: Progress,
) -> Option<Result<()>> {
    let (simd, cuts) = (cpu.simd(), out.depth());
    let blocks = |column: usize, first: usize, count: usize| columns[column].blocks(first..first + count);
    Some(match *steps {
        [Step::Variable(a), Step::Unary(operation)] => tasks(
            out,
            cpu,
            progress,
            || (),
            |_, at, n, out| {
                A::unary(simd, cuts, operation, blocks(a, at, n), out);
            },
        ),
        [Step::Variable(a), Step::Variable(b), Step::Binary(operation)] => tasks(
            out,
            cpu,
            progress,
            || (),
            |_, at, n, out| {
                A::binary(simd, cuts, operation, [a, b].map(|column| blocks(column, at, n)), out);
            },
        ),
        [Step::Variable(a), Step::Variable(b), Step::Variable(c), Step::MulAdd] => tasks(
            out,
            cpu,
            progress,
            || (),
            |_, at, n, out| {
                A::mul_add(simd, cuts, [a, b, c].map(|column| blocks(column, at, n)), out);
            },
        ),
        _ => return None,
    })
}

/// Runs the steps of a formula for every number of `out`, whose cuts the columns and literals have too.
///
/// A column is as long as `out`, or has one number, which then goes with all; so has every literal.
///
/// # Errors
/// [`Error::Interrupted`](crate::Error::Interrupted), which leaves `out` half done.
pub(in crate::arithmetic) fn run<A: Batch>(
    steps: &[Step],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    cpu: &Cpu,
    progress: Progress,
) -> Result<()> {
    if columns.iter().all(|column| column.count() == out.count())
        && let Some(done) = single_step(steps, columns, out, cpu, progress)
    {
        return done;
    }
    let (instructions, slots) = resolve(steps, columns.len());
    let (cuts, run) = (out.depth(), blocks_of(RUN_BYTES, out));
    let columns: Vec<&A> = columns.iter().copied().chain(literals).collect();
    let spread = |column: &&A| (column.count() != out.count()).then(|| column.spread(run));
    let spread = columns.iter().map(spread).collect();
    let plan = Plan { instructions, columns, spread, cuts, simd: cpu.simd() };
    let scratch = || (0..slots).map(|_| A::sized(cuts, run)).collect::<Vec<A>>();
    tasks(out, cpu, progress, scratch, |slots, first, count, out| {
        for (i, out) in pieces::<A>(out, cuts, count, run).enumerate() {
            plan.run(slots, first + i * run, run.min(count - i * run), out);
        }
    })
}
