//! Grammar of formulas.

use super::formula::Expr;
use super::postfix::{Binary, PostfixOp, Unary};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::text::literal::Literal;
use crate::base::SyntaxError;
use crate::sets::expression::{Grammar, Infix, Token, TokenStream, parse};
use std::str::FromStr;

/// Operator precedences.
const SUM_PRECEDENCE: u8 = 1;
const PRODUCT_PRECEDENCE: u8 = 2;
const SIGN_PRECEDENCE: u8 = 3;

const FUNCTIONS: [(&str, PostfixOp); 9] = [
    ("recip", PostfixOp::Unary(Unary::Recip)),
    ("sqr", PostfixOp::Unary(Unary::Sqr)),
    ("sqrt", PostfixOp::Unary(Unary::Sqrt)),
    ("exp", PostfixOp::Unary(Unary::Exp)),
    ("log", PostfixOp::Unary(Unary::Log)),
    ("abs", PostfixOp::Unary(Unary::Abs)),
    ("min", PostfixOp::Binary(Binary::Min)),
    ("max", PostfixOp::Binary(Binary::Max)),
    ("fma", PostfixOp::MulAdd),
];

impl Expr {
    /// Parses a formula.
    ///
    /// # Errors
    /// [`ArithmeticError::Syntax`] with the position of the syntax error.
    pub fn new(text: &str) -> Result<Self> {
        let parsed = parse(text, FormulaGrammar { literals: Vec::new() })?;
        Ok(Expr {
            text: text.into(),
            variables: parsed.variables,
            offsets: parsed.offsets,
            literals: parsed.grammar.literals,
            program: parsed.program,
        })
    }
}

impl FromStr for Expr {
    type Err = ArithmeticError;
    fn from_str(text: &str) -> Result<Self> {
        Expr::new(text)
    }
}

struct FormulaGrammar {
    literals: Vec<Literal>,
}

impl Grammar for FormulaGrammar {
    type Step = PostfixOp;
    const ARTICLE: &'static str = "a";
    const NAME: &'static str = "formula";

    fn operands(step: &PostfixOp) -> usize {
        step.operands()
    }

    fn variable(index: usize) -> PostfixOp {
        PostfixOp::Variable(index)
    }

    fn prefix(name: &str) -> Option<(u8, Option<PostfixOp>)> {
        match name {
            "-" => Some((SIGN_PRECEDENCE, Some(PostfixOp::Unary(Unary::Neg)))),
            "+" => Some((SIGN_PRECEDENCE, None)),
            _ => None,
        }
    }

    fn infix(name: &str) -> Option<Infix<PostfixOp>> {
        let (precedence, operator) = match name {
            "+" => (SUM_PRECEDENCE, Binary::Add),
            "-" => (SUM_PRECEDENCE, Binary::Sub),
            "*" => (PRODUCT_PRECEDENCE, Binary::Mul),
            "/" => (PRODUCT_PRECEDENCE, Binary::Div),
            _ => return None,
        };
        Some(Infix { precedence, right_min: precedence + 1, step: PostfixOp::Binary(operator) })
    }

    fn function(name: &str) -> Option<PostfixOp> {
        FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, operation)| *operation)
    }

    fn function_names() -> impl Iterator<Item = &'static str> {
        FUNCTIONS.iter().map(|(name, _)| *name)
    }

    fn constant(
        &mut self,
        tokens: &mut TokenStream<'_>,
        token: Token<'_>,
        at: usize,
    ) -> Result<Option<PostfixOp>, SyntaxError> {
        self.literals.push(match token {
            Token::Number { text, .. } => Literal::number(text, at),
            Token::OpenBracket => Literal::interval(tokens, at)?,
            Token::Name(name) if Literal::is_name(name) => Literal::shape(tokens, name, at)?,
            _ => return Ok(None),
        });
        Ok(Some(PostfixOp::Literal(self.literals.len() - 1)))
    }

    /// Optional `^ n`; x ^ 2 ^ 3 is ambiguous and rejected.
    fn postfix(tokens: &mut TokenStream<'_>) -> Result<Option<(PostfixOp, usize)>, SyntaxError> {
        let (Token::Operator("^" | "**"), at) = tokens.lookahead else { return Ok(None) };
        tokens.take()?;
        let open = tokens.lookahead.1;
        let parenthesized = tokens.take_if(Token::Open)?;
        let negative = tokens.take_if(Token::Operator("-"))?;
        let (token, exponent_at) = tokens.take()?;
        let exponent = match token {
            Token::Number { value, .. } if value.fract() == 0.0 && value <= f64::from(i32::MAX) => {
                value as i32
            }
            _ => {
                let problem = "the exponent must be an integer below 2³¹, as in `x ^ 2` or `x ^ -1`";
                return Err(tokens.error(exponent_at, problem));
            }
        };
        if parenthesized {
            tokens.close(open)?;
        }
        if let Token::Operator("^" | "**") = tokens.lookahead.0 {
            return Err(tokens.error_here("a power of a power needs parentheses, as in `(x ^ 2) ^ 3`"));
        }
        Ok(Some((PostfixOp::Unary(Unary::Powi(if negative { -exponent } else { exponent })), at)))
    }
}
