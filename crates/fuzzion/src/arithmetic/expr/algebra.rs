//! Evaluation of postfix programs over any type of number.

use super::formula::Expr;
use super::postfix::{Binary, PostfixOp, Unary};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::arithmetic::rounding::{Real, WidensFrom};

/// Type of number that postfix programs can be evaluated over.
pub trait Algebra: Clone {
    /// Applies an operation to one number.
    #[allow(private_interfaces)] // the trait cannot be named outside of the crate
    fn unary(&self, operation: Unary) -> Self;
    /// Applies an operation to two numbers.
    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self;
    /// x · y + z, rounded once if the type supports it.
    fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        self.binary(Binary::Mul, factor).binary(Binary::Add, addend)
    }
}

/// Implements the operations with the methods of the type; cuts are passed by value, fuzzy numbers by reference.
macro_rules! algebra {
    (<$($parameter:ident: $bound:path),*> $(const $n:ident)? $type:ty, $neg:ident $add:ident $sub:ident $mul:ident $div:ident, $($ref:tt)?) => {
        impl<$($parameter: $bound,)* $(const $n: usize)?> Algebra for $type {
            #[allow(private_interfaces)]
            fn unary(&self, operation: Unary) -> Self {
                match operation {
                    Unary::Neg => self.$neg(),
                    Unary::Recip => self.recip(),
                    Unary::Sqr => self.sqr(),
                    Unary::Sqrt => self.sqrt(),
                    Unary::Exp => self.exp(),
                    Unary::Log => self.log(),
                    Unary::Abs => self.abs(),
                    Unary::Powi(n) => self.powi(n),
                }
            }

            #[allow(private_interfaces)]
            fn binary(&self, operation: Binary, other: &Self) -> Self {
                let other = $($ref)? *other;
                match operation {
                    Binary::Add => self.$add(other),
                    Binary::Sub => self.$sub(other),
                    Binary::Mul => self.$mul(other),
                    Binary::Div => self.$div(other),
                    Binary::Min => self.min(other),
                    Binary::Max => self.max(other),
                }
            }

            fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
                <$type>::mul_add(self, factor, addend)
            }
        }
    };
}

algebra!(<T: Real> AlphaCut<T>, neg add sub mul div,);
algebra!(<T: Real> const N FuzzyLu<T, N>, negated sum difference product quotient, &);
algebra!(<T: WidensFrom<R>, R: Real> const N FuzzyMr<T, N, R>, negated sum difference product quotient, &);

impl Expr {
    /// Runs the postfix program.
    pub(super) fn run<A: Algebra>(&self, variables: &[A], literals: &[A]) -> A {
        let mut stack: Vec<A> = Vec::new();
        for operation in &self.program {
            let mut pop = || stack.pop().expect("invariant: a parsed program does not underflow the stack");
            let value = match *operation {
                PostfixOp::Literal(index) => literals[index].clone(),
                PostfixOp::Variable(index) => variables[index].clone(),
                PostfixOp::Unary(operation) => pop().unary(operation),
                PostfixOp::Binary(operation) => {
                    let (b, a) = (pop(), pop());
                    a.binary(operation, &b)
                }
                PostfixOp::MulAdd => {
                    let (c, b, a) = (pop(), pop(), pop());
                    a.mul_add(&b, &c)
                }
            };
            stack.push(value);
        }
        stack.pop().expect("invariant: a parsed program leaves its result on the stack")
    }
}
