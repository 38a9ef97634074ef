//! Words to a postfix program, by precedence climbing.

use super::{Binary, Expr, Step, Unary};
use crate::arithmetic::literal::{Literal, Words};
use crate::error::Result;
use crate::sets::expression::lexer::Word;
use crate::sets::expression::{MAX_LENGTH, MAX_STACK};

/// How strongly operators bind.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const SIGN: u8 = 3;

/// The functions by name, and how many numbers they take.
const FUNCTIONS: [(&str, Step, usize); 9] = [
    ("recip", Step::Unary(Unary::Recip), 1),
    ("sqr", Step::Unary(Unary::Sqr), 1),
    ("sqrt", Step::Unary(Unary::Sqrt), 1),
    ("exp", Step::Unary(Unary::Exp), 1),
    ("log", Step::Unary(Unary::Log), 1),
    ("abs", Step::Unary(Unary::Abs), 1),
    ("min", Step::Binary(Binary::Min), 2),
    ("max", Step::Binary(Binary::Max), 2),
    ("fma", Step::MulAdd, 3),
];

pub(super) fn parse(text: &str) -> Result<Expr> {
    let expr = Expr {
        text: text.into(),
        variables: Vec::new(),
        places: Vec::new(),
        literals: Vec::new(),
        program: Vec::new(),
    };
    let mut parser = Parser { words: Words::new(text)?, expr, held: 0, nesting: 0 };
    parser.expression(0)?;
    match parser.words.ahead {
        (Word::End, _) => Ok(parser.expr),
        (Word::Close, at) => Err(parser.words.error(at, "this `)` closes nothing")),
        (_, at) => Err(parser.words.error(at, "expected an operator or the end")),
    }
}

struct Parser<'a> {
    words: Words<'a>,
    expr: Expr,
    /// How many numbers the program holds after the steps so far.
    held: usize,
    /// How many expressions are open; bounds the recursion.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn push(&mut self, step: Step, at: usize) -> Result<()> {
        match step {
            Step::Literal(_) | Step::Variable(_) => self.held += 1,
            Step::Unary(_) => {}
            Step::Binary(_) => self.held -= 1,
            Step::MulAdd => self.held -= 2,
        }
        if self.held > MAX_STACK {
            let problem = format!("more than {MAX_STACK} numbers wait for an operator here");
            return Err(self.words.error(at, problem));
        }
        if self.expr.program.len() == MAX_LENGTH {
            let problem = format!("an expression has at most {MAX_LENGTH} numbers and operators");
            return Err(self.words.error(at, problem));
        }
        self.expr.program.push(step);
        Ok(())
    }

    fn literal(&mut self, literal: Literal) -> Result<()> {
        let at = literal.at;
        self.expr.literals.push(literal);
        self.push(Step::Literal(self.expr.literals.len() - 1), at)
    }

    /// An operand and the operators behind it that bind at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Result<()> {
        self.nesting += 1;
        if self.nesting > 2 * MAX_STACK {
            let problem = format!("nested more than {} levels deep", 2 * MAX_STACK);
            return Err(self.words.error(self.words.ahead.1, problem));
        }
        self.operand()?;
        while let (Word::Operator(name), at) = self.words.ahead {
            let (strength, operator) = match name {
                "+" => (SUM, Binary::Add),
                "-" => (SUM, Binary::Sub),
                "*" => (PRODUCT, Binary::Mul),
                "/" => (PRODUCT, Binary::Div),
                _ => break,
            };
            if strength < least {
                break;
            }
            self.words.take()?;
            self.expression(strength + 1)?;
            self.push(Step::Binary(operator), at)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    /// A number, a name, a sign or a parenthesis, and the powers behind it.
    fn operand(&mut self) -> Result<()> {
        let (word, at) = self.words.take()?;
        match word {
            Word::Operator(sign @ ("-" | "+")) => {
                self.expression(SIGN)?;
                return if sign == "-" { self.push(Step::Unary(Unary::Neg), at) } else { Ok(()) };
            }
            Word::Number { text, .. } => self.literal(Literal::number(text, at))?,
            Word::OpenBracket => {
                let literal = Literal::interval(&mut self.words, at)?;
                self.literal(literal)?;
            }
            Word::Name(name) if Literal::is_name(name) => {
                let literal = Literal::shape(&mut self.words, name, at)?;
                self.literal(literal)?;
            }
            Word::Name(name) => self.name(name, at)?,
            Word::Open => {
                self.expression(0)?;
                self.close(at)?;
            }
            Word::Operator(name) => {
                return Err(self
                    .words
                    .error(at, format!("expected a number, a name or `(` before `{name}`")));
            }
            Word::Close | Word::CloseBracket | Word::Comma | Word::End => {
                return Err(self.words.error(at, "expected a number, a name or `(` here"));
            }
        }
        self.powers()
    }

    /// `^ n`, if it follows; x ^ 2 ^ 3 would be ambiguous and is refused.
    fn powers(&mut self) -> Result<()> {
        let (Word::Operator("^" | "**"), at) = self.words.ahead else { return Ok(()) };
        self.words.take()?;
        let open = self.words.ahead.1;
        let wrapped = self.words.take_if(Word::Open)?;
        let negative = self.words.take_if(Word::Operator("-"))?;
        let (word, place) = self.words.take()?;
        let whole = match word {
            Word::Number { value, .. } if value.fract() == 0.0 && value <= f64::from(i32::MAX) => {
                value as i32
            }
            _ => {
                return Err(self
                    .words
                    .error(place, "a power must be a whole number below 2³¹, such as `x ^ 2` or `x ^ -1`"));
            }
        };
        if wrapped {
            self.close(open)?;
        }
        if let (Word::Operator("^" | "**"), again) = self.words.ahead {
            return Err(self.words.error(again, "a power of a power needs parentheses: `(x ^ 2) ^ 3`"));
        }
        self.push(Step::Unary(Unary::Powi(if negative { -whole } else { whole })), at)
    }

    /// The `)` that belongs to the `(` at `open`.
    fn close(&mut self, open: usize) -> Result<()> {
        match self.words.ahead {
            (Word::Close, _) => self.words.take().map(|_| ()),
            (Word::End, _) => Err(self.words.error(open, "this `(` is never closed")),
            (_, at) => Err(self.words.error(at, "expected an operator or `)`")),
        }
    }

    /// A function call or a variable.
    fn name(&mut self, name: &'a str, at: usize) -> Result<()> {
        let Some(&(_, step, takes)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return self.variable(name, at);
        };
        let count = ["", "one number", "two numbers", "three numbers"][takes];
        let open = self.words.ahead.1;
        if !self.words.take_if(Word::Open)? {
            return Err(self.words.error(open, format!("expected `(` after the function `{name}`")));
        }
        self.expression(0)?;
        for _ in 1..takes {
            if !self.words.take_if(Word::Comma)? {
                let problem = format!("expected `,`: `{name}` takes {count}");
                return Err(self.words.error(self.words.ahead.1, problem));
            }
            self.expression(0)?;
        }
        if self.words.ahead.0 == Word::Comma {
            return Err(self
                .words
                .error(self.words.ahead.1, format!("expected `)`: `{name}` takes {count}")));
        }
        self.close(open)?;
        self.push(step, at)
    }

    fn variable(&mut self, name: &str, at: usize) -> Result<()> {
        if self.words.ahead.0 == Word::Open {
            let known: Vec<String> = FUNCTIONS.iter().map(|(known, ..)| format!("`{known}`")).collect();
            let problem = format!("no function is called `{name}`; those there are: {}", known.join(", "));
            return Err(self.words.error(at, problem));
        }
        let known = self.expr.variables.iter().position(|variable| variable == name);
        let index = known.unwrap_or(self.expr.variables.len());
        if known.is_none() {
            self.expr.variables.push(name.into());
            self.expr.places.push(at);
        }
        self.push(Step::Variable(index), at)
    }
}
