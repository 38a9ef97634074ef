//! Evaluation of postfix programs over columns.

use super::CpuArray;
use super::tasks::{blocks_of, pieces, tasks};
use crate::arithmetic::error::Result;
use crate::arithmetic::expr::{Binary, PostfixOp, Unary};
use crate::device::{Cpu, Simd};
use crate::progress::Progress;

/// Bytes of one operand per run; several operands fit in the L1 cache.
const RUN_BYTES: usize = 8 << 10;

/// Operation of an instruction.
#[derive(Clone, Copy)]
enum Operation {
    /// Copies the operand, for a formula that is a single name.
    Copy,
    Unary(Unary),
    Binary(Binary),
    MulAdd,
}

/// Location of an operand.
#[derive(Clone, Copy)]
enum Source {
    /// Index of a column; literals follow the columns.
    Column(usize),
    /// Index of an intermediate result.
    Slot(usize),
}

/// Operation, its three operands (the last one is repeated if the operation takes fewer), and the slot of its result.
struct Instruction {
    operation: Operation,
    operands: [Source; 3],
    slot: usize,
}

/// Converts a postfix program to instructions, and returns the required number of slots.
fn compile(program: &[PostfixOp], columns: usize) -> (Vec<Instruction>, usize) {
    let (mut stack, mut free, mut slots) = (Vec::new(), Vec::new(), 0);
    let mut instructions: Vec<Instruction> = Vec::new();
    for operation in program {
        let (operation, count) = match *operation {
            PostfixOp::Variable(index) => {
                stack.push(Source::Column(index));
                continue;
            }
            PostfixOp::Literal(index) => {
                stack.push(Source::Column(columns + index));
                continue;
            }
            PostfixOp::Unary(operation) => (Operation::Unary(operation), 1),
            PostfixOp::Binary(operation) => (Operation::Binary(operation), 2),
            PostfixOp::MulAdd => (Operation::MulAdd, 3),
        };
        let used = stack.split_off(stack.len() - count);
        // The result slot is taken before the operand slots are released, so no instruction overwrites its operands.
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
        let operands = [stack[0]; 3]; // a parsed program is never empty
        instructions.push(Instruction { operation: Operation::Copy, operands, slot: 0 });
    }
    (instructions, slots)
}

/// Instructions and the columns they run over.
struct ProgramRun<'a, A> {
    instructions: Vec<Instruction>,
    /// Columns, then literals.
    columns: Vec<&'a A>,
    /// Columns of length 1, repeated for a whole run.
    broadcast: Vec<Option<A>>,
    cuts: usize,
    simd: Simd,
}

impl<A: CpuArray> ProgramRun<'_, A> {
    /// Runs all instructions for `count` blocks; the last one writes to `out`.
    fn run(&self, slots: &mut [A], first: usize, count: usize, out: A::BlocksMut<'_>) {
        let (last, before) =
            self.instructions.split_last().expect("invariant: a compiled program has an instruction");
        for instruction in before {
            let empty = A::zeroed(self.cuts, 0);
            let mut result = std::mem::replace(&mut slots[instruction.slot], empty);
            let [out, _] = A::split(result.blocks_mut(), self.cuts, count);
            self.execute(instruction, slots, first, count, out);
            slots[instruction.slot] = result;
        }
        self.execute(last, slots, first, count, out);
    }

    fn execute(
        &self,
        instruction: &Instruction,
        slots: &[A],
        first: usize,
        count: usize,
        out: A::BlocksMut<'_>,
    ) {
        let [a, b, c] = instruction.operands.map(|source| match source {
            Source::Slot(slot) => slots[slot].blocks(0..count),
            Source::Column(column) => match &self.broadcast[column] {
                Some(broadcast) => broadcast.blocks(0..count),
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

/// Runs a program that consists of one operation, without the setup cost of longer programs, which matters for short
/// arrays. All columns have the length of `out`. `None` for other programs.
fn single_operation<A: CpuArray>(
    program: &[PostfixOp],
    columns: &[&A],
    out: &mut A,
    cpu: &Cpu,
    progress: &Progress,
) -> Option<Result<()>> {
    let (simd, cuts) = (cpu.simd(), out.cut_count());
    let blocks = |column: usize, first: usize, count: usize| columns[column].blocks(first..first + count);
    Some(match *program {
        [PostfixOp::Variable(a), PostfixOp::Unary(operation)] => tasks(
            out,
            cpu,
            progress,
            || (),
            |_, at, n, out| {
                A::unary(simd, cuts, operation, blocks(a, at, n), out);
            },
        ),
        [PostfixOp::Variable(a), PostfixOp::Variable(b), PostfixOp::Binary(operation)] => tasks(
            out,
            cpu,
            progress,
            || (),
            |_, at, n, out| {
                A::binary(simd, cuts, operation, [a, b].map(|column| blocks(column, at, n)), out);
            },
        ),
        [PostfixOp::Variable(a), PostfixOp::Variable(b), PostfixOp::Variable(c), PostfixOp::MulAdd] => tasks(
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

/// Runs a postfix program for every number of `out`. All arrays have the same number of cuts.
///
/// Columns have the length of `out` or length 1; literals have length 1.
///
/// # Errors
/// [`ArithmeticError::Interrupted`](crate::arithmetic::ArithmeticError::Interrupted), which leaves `out` partially updated.
pub fn run<A: CpuArray>(
    program: &[PostfixOp],
    columns: &[&A],
    literals: &[A],
    out: &mut A,
    cpu: &Cpu,
    progress: &Progress,
) -> Result<()> {
    if columns.iter().all(|column| column.number_count() == out.number_count())
        && let Some(done) = single_operation(program, columns, out, cpu, progress)
    {
        return done;
    }
    let (instructions, slots) = compile(program, columns.len());
    let (cuts, run) = (out.cut_count(), blocks_of(RUN_BYTES, out));
    let columns: Vec<&A> = columns.iter().copied().chain(literals).collect();
    let broadcast =
        |column: &&A| (column.number_count() != out.number_count()).then(|| column.broadcast(run));
    let broadcast = columns.iter().map(broadcast).collect();
    let program_run = ProgramRun { instructions, columns, broadcast, cuts, simd: cpu.simd() };
    let scratch = || (0..slots).map(|_| A::zeroed(cuts, run)).collect::<Vec<A>>();
    tasks(out, cpu, progress, scratch, |slots, first, count, out| {
        for (i, out) in pieces::<A>(out, cuts, count, run).enumerate() {
            program_run.run(slots, first + i * run, run.min(count - i * run), out);
        }
    })
}
