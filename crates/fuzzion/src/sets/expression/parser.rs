//! Parser: tokens to a postfix program, by precedence climbing.

use super::functions::{self, BINARY, CONSTANTS, Form, POWER_PRECEDENCE, UNARY};
use super::lexer::{Lexer, PositionedToken, Token};
use super::position::error_at;
use super::step::{MAX_LENGTH, MAX_STACK, Step};
use crate::base::SyntaxError;

type Result<T> = std::result::Result<T, SyntaxError>;

/// The variables and the program of an expression.
pub(super) fn parse(text: &str) -> Result<(Vec<String>, Vec<Step>)> {
    let mut lexer = Lexer::new(text);
    let lookahead = lexer.next()?;
    let mut parser =
        Parser { lexer, lookahead, variables: Vec::new(), program: Vec::new(), depth: 0, nesting: 0 };
    parser.expression(0)?;
    match parser.lookahead {
        (Token::End, _) => Ok((parser.variables, parser.program)),
        (Token::Close, at) => Err(parser.error(at, "unmatched `)`")),
        (_, at) => Err(parser.error(at, "expected an operator or the end of the expression")),
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    lookahead: PositionedToken<'a>,
    variables: Vec<String>,
    program: Vec<Step>,
    /// Number of values on the stack after the steps so far.
    depth: usize,
    /// Number of nested calls of [`Parser::expression`]; limits the recursion.
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn error(&self, at: usize, problem: impl Into<String>) -> SyntaxError {
        error_at(self.lexer.text, at, problem)
    }

    /// Returns the lookahead token and advances.
    fn take(&mut self) -> Result<PositionedToken<'a>> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.lookahead, next))
    }

    fn push(&mut self, step: Step, at: usize) -> Result<()> {
        match step {
            Step::Number(_) | Step::Variable(_) => self.depth += 1,
            Step::Unary(_) => {}
            Step::Binary(_) => self.depth -= 1,
        }
        if self.depth > MAX_STACK {
            let problem =
                format!("the expression needs more than {MAX_STACK} intermediate values; simplify it");
            return Err(self.error(at, problem));
        }
        if self.program.len() == MAX_LENGTH {
            let problem = format!("an expression can have at most {MAX_LENGTH} numbers and operators");
            return Err(self.error(at, problem));
        }
        self.program.push(step);
        Ok(())
    }

    /// An operand and the following operators of at least `min_precedence`.
    fn expression(&mut self, min_precedence: u8) -> Result<()> {
        self.nesting += 1;
        if self.nesting > 2 * MAX_STACK {
            let problem = format!("the expression is nested more than {} levels deep", 2 * MAX_STACK);
            return Err(self.error(self.lookahead.1, problem));
        }
        self.operand()?;
        while let (Token::Operator(name) | Token::Name(name), at) = self.lookahead {
            let Some(index) = functions::infix(name) else { break };
            let (precedence, right_min) = match BINARY[index].form {
                Form::Left(precedence) => (precedence, precedence + 1),
                Form::Right(precedence) => (precedence, precedence),
                Form::Prefix(_) | Form::Call => break,
            };
            if precedence < min_precedence {
                break;
            }
            self.take()?;
            self.expression(right_min)?;
            self.push(Step::Binary(index), at)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<()> {
        let (token, at) = self.take()?;
        match token {
            Token::Number { value, .. } => self.push(Step::Number(value), at),
            Token::Operator(name) => {
                let Some(index) = functions::prefix(name) else {
                    return Err(self.error(at, format!("expected a number, a name or `(` before `{name}`")));
                };
                let precedence = match UNARY[index].form {
                    Form::Prefix(precedence) => precedence,
                    _ => POWER_PRECEDENCE,
                };
                self.expression(precedence)?;
                self.push(Step::Unary(index), at)
            }
            Token::Open => {
                self.expression(0)?;
                self.close(at)
            }
            Token::Name(name) => self.name(name, at),
            Token::Close | Token::OpenBracket | Token::CloseBracket | Token::Comma | Token::End => {
                Err(self.error(at, "expected a number, a name or `(`"))
            }
        }
    }

    /// The `)` that matches the `(` at `open`.
    fn close(&mut self, open: usize) -> Result<()> {
        match self.lookahead.0 {
            Token::Close => self.take().map(|_| ()),
            Token::End => Err(self.error(open, "unclosed `(`")),
            _ => Err(self.error(self.lookahead.1, "expected an operator or `)`")),
        }
    }

    /// A constant, a function call or a variable.
    fn name(&mut self, name: &'a str, at: usize) -> Result<()> {
        if functions::infix(name).is_some() {
            return Err(self.error(at, format!("expected a number, a name or `(` before `{name}`")));
        }
        let open = self.lookahead;
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            if open.0 == Token::Open {
                self.take()?;
                self.close(open.1)?; // `pi()` is an alias of `pi`
            }
            return self.push(Step::Number(*value), at);
        }
        let Some((index, two)) = functions::function(name) else {
            if open.0 == Token::Open {
                let available = functions::function_names();
                return Err(
                    self.error(at, format!("unknown function `{name}`; available functions: {available}"))
                );
            }
            let known = self.variables.iter().position(|variable| variable == name);
            let index = known.unwrap_or(self.variables.len());
            if known.is_none() {
                self.variables.push(name.into());
            }
            return self.push(Step::Variable(index), at);
        };
        if open.0 != Token::Open {
            return Err(self.error(open.1, format!("expected `(` after the function `{name}`")));
        }
        self.take()?;
        self.expression(0)?;
        if two {
            if self.lookahead.0 != Token::Comma {
                return Err(self.error(self.lookahead.1, format!("expected `,`: `{name}` takes two numbers")));
            }
            self.take()?;
            self.expression(0)?;
        }
        if self.lookahead.0 == Token::Comma {
            let count = if two { "two numbers" } else { "one number" };
            return Err(self.error(self.lookahead.1, format!("expected `)`: `{name}` takes {count}")));
        }
        self.close(open.1)?;
        self.push(if two { Step::Binary(index) } else { Step::Unary(index) }, at)
    }
}
