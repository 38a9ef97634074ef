//! Steps of the postfix program.

/// Maximum number of steps of a program.
pub const MAX_LENGTH: usize = 10_000;
/// Maximum number of intermediate values of a program.
pub const MAX_STACK: usize = 64;

/// One step of a program: pushes a number, or replaces the operands on top of the stack with the result.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Number(f64),
    /// Index of a variable.
    Variable(usize),
    /// Index in [`UNARY`](super::functions::UNARY).
    Unary(usize),
    /// Index in [`BINARY`](super::functions::BINARY).
    Binary(usize),
}

impl Step {
    /// Number of values that the step takes from the stack.
    pub(super) fn operands(self) -> usize {
        match self {
            Step::Number(_) | Step::Variable(_) => 0,
            Step::Unary(_) => 1,
            Step::Binary(_) => 2,
        }
    }
}

impl PartialEq for Step {
    /// Compares the bits of numbers, so that a program with NaN equals itself.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Step::Number(a), Step::Number(b)) => a.to_bits() == b.to_bits(),
            (Step::Variable(a), Step::Variable(b))
            | (Step::Unary(a), Step::Unary(b))
            | (Step::Binary(a), Step::Binary(b)) => a == b,
            _ => false,
        }
    }
}
