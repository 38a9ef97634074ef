//! Operations and postfix programs.

/// Operation on one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::arithmetic) enum Unary {
    Neg,
    Recip,
    Sqr,
    Sqrt,
    Exp,
    Log,
    Abs,
    /// Integer power.
    Powi(i32),
}

/// Operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::arithmetic) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// Element of a postfix program: pushes an operand, or replaces the topmost operands by a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PostfixOp {
    /// Index of a literal.
    Literal(usize),
    /// Index of a variable.
    Variable(usize),
    Unary(Unary),
    Binary(Binary),
    /// x · y + z of the three topmost operands, rounded once.
    MulAdd,
}

impl PostfixOp {
    /// Number of operands that the operation replaces.
    pub(super) fn operands(self) -> usize {
        match self {
            PostfixOp::Literal(_) | PostfixOp::Variable(_) => 0,
            PostfixOp::Unary(_) => 1,
            PostfixOp::Binary(_) => 2,
            PostfixOp::MulAdd => 3,
        }
    }
}
