//! Words to a postfix program, by precedence climbing.

use super::functions::{self, BINARY, CONSTANTS, Form, POWER, UNARY};
use super::lexer::{Lexer, Token, Word};
use super::{MAX_LENGTH, MAX_STACK, Step, error_at};
use crate::error::{Error, Result};

/// The variables and the program of a formula.
pub(super) fn parse(text: &str) -> Result<(Vec<String>, Vec<Step>)> {
    let mut lexer = Lexer::new(text);
    let ahead = lexer.next()?;
    let mut parser = Parser { lexer, ahead, variables: Vec::new(), program: Vec::new(), held: 0, nesting: 0 };
    parser.expression(0)?;
    match parser.ahead {
        (Word::End, _) => Ok((parser.variables, parser.program)),
        (Word::Close, at) => Err(parser.error(at, "this `)` closes nothing")),
        (_, at) => Err(parser.error(at, "expected an operator or the end")),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    ahead: Token<'a>,
    variables: Vec<String>,
    program: Vec<Step>,
    /// How many numbers the program holds after the steps so far.
    held: usize,
    /// How many expressions are open; bounds the recursion.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, at: usize, problem: impl Into<String>) -> Error {
        error_at(self.lexer.text, at, problem)
    }

    /// Takes the word ahead.
    fn take(&mut self) -> Result<Token<'a>> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.ahead, next))
    }

    fn push(&mut self, step: Step, at: usize) -> Result<()> {
        match step {
            Step::Number(_) | Step::Variable(_) => self.held += 1,
            Step::Unary(_) => {}
            Step::Binary(_) => self.held -= 1,
        }
        if self.held > MAX_STACK {
            return Err(self.error(at, format!("more than {MAX_STACK} numbers wait for an operator here")));
        }
        if self.program.len() == MAX_LENGTH {
            return Err(
                self.error(at, format!("an expression has at most {MAX_LENGTH} numbers and operators"))
            );
        }
        self.program.push(step);
        Ok(())
    }

    /// An operand and the operators behind it that bind at least as strongly as `least`.
    fn expression(&mut self, least: u8) -> Result<()> {
        self.nesting += 1;
        if self.nesting > 2 * MAX_STACK {
            let at = self.ahead.1;
            return Err(self.error(at, format!("nested more than {} levels deep", 2 * MAX_STACK)));
        }
        self.operand()?;
        while let (Word::Operator(name) | Word::Name(name), at) = self.ahead {
            let Some(index) = functions::infix(name) else { break };
            let (strength, right) = match BINARY[index].form {
                Form::Left(strength) => (strength, strength + 1),
                Form::Right(strength) => (strength, strength),
                Form::Prefix(_) | Form::Call => break,
            };
            if strength < least {
                break;
            }
            self.take()?;
            self.expression(right)?;
            self.push(Step::Binary(index), at)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<()> {
        let (word, at) = self.take()?;
        match word {
            Word::Number { value, .. } => self.push(Step::Number(value), at),
            Word::Operator(name) => {
                let Some(index) = functions::prefix(name) else {
                    return Err(self.error(at, format!("expected a number, a name or `(` before `{name}`")));
                };
                let strength = if let Form::Prefix(strength) = UNARY[index].form { strength } else { POWER };
                self.expression(strength)?;
                self.push(Step::Unary(index), at)
            }
            Word::Open => {
                self.expression(0)?;
                self.close(at)
            }
            Word::Name(name) => self.name(name, at),
            Word::Close | Word::OpenBracket | Word::CloseBracket | Word::Comma | Word::End => {
                Err(self.error(at, "expected a number, a name or `(` here"))
            }
        }
    }

    /// The `)` that belongs to the `(` at `open`.
    fn close(&mut self, open: usize) -> Result<()> {
        match self.ahead.0 {
            Word::Close => self.take().map(|_| ()),
            Word::End => Err(self.error(open, "this `(` is never closed")),
            _ => Err(self.error(self.ahead.1, "expected an operator or `)`")),
        }
    }

    /// A constant, a function call or a variable.
    fn name(&mut self, name: &'a str, at: usize) -> Result<()> {
        if functions::infix(name).is_some() {
            return Err(self.error(at, format!("expected a number, a name or `(` before `{name}`")));
        }
        let open = self.ahead;
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            if open.0 == Word::Open {
                self.take()?;
                self.close(open.1)?; // `pi()` is the same as `pi`
            }
            return self.push(Step::Number(*value), at);
        }
        let Some((index, two)) = functions::named(name) else {
            if open.0 == Word::Open {
                return Err(self.error(at, format!("no function is called `{name}`")));
            }
            let known = self.variables.iter().position(|variable| variable == name);
            let index = known.unwrap_or(self.variables.len());
            if known.is_none() {
                self.variables.push(name.into());
            }
            return self.push(Step::Variable(index), at);
        };
        if open.0 != Word::Open {
            return Err(self.error(open.1, format!("expected `(` after the function `{name}`")));
        }
        self.take()?;
        self.expression(0)?;
        if two {
            if self.ahead.0 != Word::Comma {
                return Err(self.error(self.ahead.1, format!("expected `,`: `{name}` takes two numbers")));
            }
            self.take()?;
            self.expression(0)?;
        }
        if self.ahead.0 == Word::Comma {
            let count = if two { "two numbers" } else { "one number" };
            return Err(self.error(self.ahead.1, format!("expected `)`: `{name}` takes {count}")));
        }
        self.close(open.1)?;
        self.push(if two { Step::Binary(index) } else { Step::Unary(index) }, at)
    }
}
