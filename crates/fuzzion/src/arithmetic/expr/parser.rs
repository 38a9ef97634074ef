//! Parser from tokens to a postfix program, by precedence climbing.

use super::formula::Expr;
use super::postfix::{Binary, PostfixOp, Unary};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::text::literal::{Literal, TokenStream};
use crate::sets::expression::lexer::Token;
use crate::sets::expression::{MAX_LENGTH, MAX_STACK};
use std::str::FromStr;

/// Operator precedences.
const SUM_PRECEDENCE: u8 = 1;
const PRODUCT_PRECEDENCE: u8 = 2;
const SIGN_PRECEDENCE: u8 = 3;

/// Functions by name with their number of arguments.
const FUNCTIONS: [(&str, PostfixOp, usize); 9] = [
    ("recip", PostfixOp::Unary(Unary::Recip), 1),
    ("sqr", PostfixOp::Unary(Unary::Sqr), 1),
    ("sqrt", PostfixOp::Unary(Unary::Sqrt), 1),
    ("exp", PostfixOp::Unary(Unary::Exp), 1),
    ("log", PostfixOp::Unary(Unary::Log), 1),
    ("abs", PostfixOp::Unary(Unary::Abs), 1),
    ("min", PostfixOp::Binary(Binary::Min), 2),
    ("max", PostfixOp::Binary(Binary::Max), 2),
    ("fma", PostfixOp::MulAdd, 3),
];

impl Expr {
    /// Parses a formula.
    ///
    /// # Errors
    /// [`SyntaxError`](crate::base::SyntaxError) with the position of the syntax error.
    pub fn new(text: &str) -> Result<Self> {
        parse(text)
    }
}

impl FromStr for Expr {
    type Err = ArithmeticError;
    fn from_str(text: &str) -> Result<Self> {
        Expr::new(text)
    }
}

fn parse(text: &str) -> Result<Expr> {
    let expr = Expr {
        text: text.into(),
        variables: Vec::new(),
        offsets: Vec::new(),
        literals: Vec::new(),
        program: Vec::new(),
    };
    let mut parser = Parser { tokens: TokenStream::new(text)?, expr, stack_depth: 0, nesting: 0 };
    parser.expression(0)?;
    match parser.tokens.lookahead {
        (Token::End, _) => Ok(parser.expr),
        (Token::Close, at) => Err(parser.tokens.error(at, "unmatched `)`")),
        (_, at) => Err(parser.tokens.error(at, "expected an operator or the end of the formula")),
    }
}

struct Parser<'a> {
    tokens: TokenStream<'a>,
    expr: Expr,
    /// Stack depth of the program after the operations so far.
    stack_depth: usize,
    /// Number of open expressions; bounds the recursion depth.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn push(&mut self, operation: PostfixOp, at: usize) -> Result<()> {
        match operation {
            PostfixOp::Literal(_) | PostfixOp::Variable(_) => self.stack_depth += 1,
            PostfixOp::Unary(_) => {}
            PostfixOp::Binary(_) => self.stack_depth -= 1,
            PostfixOp::MulAdd => self.stack_depth -= 2,
        }
        if self.stack_depth > MAX_STACK {
            let problem = format!("the formula needs more than {MAX_STACK} intermediate values; simplify it");
            return Err(self.tokens.error(at, problem));
        }
        if self.expr.program.len() == MAX_LENGTH {
            let problem = format!("a formula can have at most {MAX_LENGTH} numbers and operators");
            return Err(self.tokens.error(at, problem));
        }
        self.expr.program.push(operation);
        Ok(())
    }

    fn literal(&mut self, literal: Literal) -> Result<()> {
        let at = literal.at;
        self.expr.literals.push(literal);
        self.push(PostfixOp::Literal(self.expr.literals.len() - 1), at)
    }

    /// An operand followed by the operators of at least the given precedence.
    fn expression(&mut self, min_precedence: u8) -> Result<()> {
        self.nesting += 1;
        if self.nesting > 2 * MAX_STACK {
            let problem = format!("the formula is nested more than {} levels deep", 2 * MAX_STACK);
            return Err(self.tokens.error(self.tokens.lookahead.1, problem));
        }
        self.operand()?;
        while let (Token::Operator(name), at) = self.tokens.lookahead {
            let (precedence, operator) = match name {
                "+" => (SUM_PRECEDENCE, Binary::Add),
                "-" => (SUM_PRECEDENCE, Binary::Sub),
                "*" => (PRODUCT_PRECEDENCE, Binary::Mul),
                "/" => (PRODUCT_PRECEDENCE, Binary::Div),
                _ => break,
            };
            if precedence < min_precedence {
                break;
            }
            self.tokens.take()?;
            self.expression(precedence + 1)?;
            self.push(PostfixOp::Binary(operator), at)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    /// A number, name, sign or parenthesis, followed by an optional power.
    fn operand(&mut self) -> Result<()> {
        let (token, at) = self.tokens.take()?;
        match token {
            Token::Operator(sign @ ("-" | "+")) => {
                self.expression(SIGN_PRECEDENCE)?;
                return if sign == "-" { self.push(PostfixOp::Unary(Unary::Neg), at) } else { Ok(()) };
            }
            Token::Number { text, .. } => self.literal(Literal::number(text, at))?,
            Token::OpenBracket => {
                let literal = Literal::interval(&mut self.tokens, at)?;
                self.literal(literal)?;
            }
            Token::Name(name) if Literal::is_name(name) => {
                let literal = Literal::shape(&mut self.tokens, name, at)?;
                self.literal(literal)?;
            }
            Token::Name(name) => self.name(name, at)?,
            Token::Open => {
                self.expression(0)?;
                self.close(at)?;
            }
            Token::Operator(name) => {
                return Err(self
                    .tokens
                    .error(at, format!("expected a number, a name or `(` before `{name}`")));
            }
            Token::Close | Token::CloseBracket | Token::Comma | Token::End => {
                return Err(self.tokens.error(at, "expected a number, a name or `(`"));
            }
        }
        self.power()
    }

    /// Optional `^ n`; x ^ 2 ^ 3 is ambiguous and rejected.
    fn power(&mut self) -> Result<()> {
        let (Token::Operator("^" | "**"), at) = self.tokens.lookahead else { return Ok(()) };
        self.tokens.take()?;
        let open = self.tokens.lookahead.1;
        let parenthesized = self.tokens.take_if(Token::Open)?;
        let negative = self.tokens.take_if(Token::Operator("-"))?;
        let (token, exponent_at) = self.tokens.take()?;
        let exponent = match token {
            Token::Number { value, .. } if value.fract() == 0.0 && value <= f64::from(i32::MAX) => {
                value as i32
            }
            _ => {
                return Err(self.tokens.error(
                    exponent_at,
                    "the exponent must be an integer below 2³¹, as in `x ^ 2` or `x ^ -1`",
                ));
            }
        };
        if parenthesized {
            self.close(open)?;
        }
        if let (Token::Operator("^" | "**"), again) = self.tokens.lookahead {
            return Err(self
                .tokens
                .error(again, "a power of a power needs parentheses, as in `(x ^ 2) ^ 3`"));
        }
        self.push(PostfixOp::Unary(Unary::Powi(if negative { -exponent } else { exponent })), at)
    }

    /// The `)` that matches the `(` at `open`.
    fn close(&mut self, open: usize) -> Result<()> {
        match self.tokens.lookahead {
            (Token::Close, _) => self.tokens.take().map(|_| ()),
            (Token::End, _) => Err(self.tokens.error(open, "unclosed `(`")),
            (_, at) => Err(self.tokens.error(at, "expected an operator or `)`")),
        }
    }

    /// A function call or a variable.
    fn name(&mut self, name: &'a str, at: usize) -> Result<()> {
        let Some(&(_, operation, arity)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return self.variable(name, at);
        };
        let count = ["", "one number", "two numbers", "three numbers"][arity];
        let open = self.tokens.lookahead.1;
        if !self.tokens.take_if(Token::Open)? {
            return Err(self.tokens.error(open, format!("expected `(` after the function `{name}`")));
        }
        self.expression(0)?;
        for _ in 1..arity {
            if !self.tokens.take_if(Token::Comma)? {
                let problem = format!("expected `,`: `{name}` takes {count}");
                return Err(self.tokens.error(self.tokens.lookahead.1, problem));
            }
            self.expression(0)?;
        }
        if self.tokens.lookahead.0 == Token::Comma {
            return Err(self
                .tokens
                .error(self.tokens.lookahead.1, format!("expected `)`: `{name}` takes {count}")));
        }
        self.close(open)?;
        self.push(operation, at)
    }

    fn variable(&mut self, name: &str, at: usize) -> Result<()> {
        if self.tokens.lookahead.0 == Token::Open {
            let known: Vec<String> = FUNCTIONS.iter().map(|(known, ..)| format!("`{known}`")).collect();
            let problem = format!("unknown function `{name}`; available functions: {}", known.join(", "));
            return Err(self.tokens.error(at, problem));
        }
        let known = self.expr.variables.iter().position(|variable| variable == name);
        let index = known.unwrap_or(self.expr.variables.len());
        if known.is_none() {
            self.expr.variables.push(name.into());
            self.expr.offsets.push(at);
        }
        self.push(PostfixOp::Variable(index), at)
    }
}
