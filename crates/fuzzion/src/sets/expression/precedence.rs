//! Precedence climbing from tokens to a postfix program, for expressions and for the formulas of `arithmetic`.

use super::lexer::Token;
use super::step::{MAX_LENGTH, MAX_STACK};
use super::tokens::TokenStream;
use crate::base::SyntaxError;

type Result<T> = std::result::Result<T, SyntaxError>;

/// An infix operator.
pub(crate) struct Infix<S> {
    pub(crate) precedence: u8,
    /// Minimum precedence of the operators in the right operand.
    pub(crate) right_min: u8,
    pub(crate) step: S,
}

/// Operators, functions and operands of a language. Parentheses, calls, variables and limits are the same in all.
pub(crate) trait Grammar {
    /// A step of the postfix program: pushes a value, or replaces the operands on top of the stack with the result.
    type Step;
    /// What is parsed, with its indefinite article, for messages.
    const ARTICLE: &'static str;
    const NAME: &'static str;

    /// Number of values that a step takes from the stack.
    fn operands(step: &Self::Step) -> usize;
    /// The step of a variable.
    fn variable(index: usize) -> Self::Step;
    /// The precedence and the step of the prefix operator `name`; `None` as the step if the operator has no effect.
    fn prefix(name: &str) -> Option<(u8, Option<Self::Step>)>;
    /// The infix operator `name`.
    fn infix(name: &str) -> Option<Infix<Self::Step>>;
    /// The step of the function `name`.
    fn function(name: &str) -> Option<Self::Step>;
    /// The names of all functions, for messages.
    fn function_names() -> impl Iterator<Item = &'static str>;
    /// Parses the constant or literal that starts with `token`, which has been consumed; `None` if it starts neither.
    fn constant(
        &mut self,
        tokens: &mut TokenStream<'_>,
        token: Token<'_>,
        at: usize,
    ) -> Result<Option<Self::Step>>;
    /// Parses an optional postfix operator; returns its step and position.
    fn postfix(_tokens: &mut TokenStream<'_>) -> Result<Option<(Self::Step, usize)>> {
        Ok(None)
    }
}

/// What to do about a comma where no parameter can follow.
pub(crate) const DECIMAL_POINT: &str = "; write decimal numbers with a point, such as 1.5";

/// A parsed expression.
pub(crate) struct Parsed<G: Grammar> {
    pub(crate) grammar: G,
    /// Variables in the order of their first appearance.
    pub(crate) variables: Vec<String>,
    /// Byte offset of the first appearance of each variable.
    pub(crate) offsets: Vec<usize>,
    pub(crate) program: Vec<G::Step>,
}

/// Parses a whole text.
pub(crate) fn parse<G: Grammar>(text: &str, grammar: G) -> Result<Parsed<G>> {
    let parsed = Parsed { grammar, variables: Vec::new(), offsets: Vec::new(), program: Vec::new() };
    let mut parser = Parser { tokens: TokenStream::new(text)?, parsed, depth: 0, nesting: 0 };
    parser.expression(0)?;
    match parser.tokens.lookahead.0 {
        Token::End => Ok(parser.parsed),
        Token::Close => Err(parser.tokens.error_here("unmatched `)`; remove it or add `(`")),
        token => {
            let point = if token == Token::Comma { DECIMAL_POINT } else { "" };
            let problem = format!("expected an operator or the end of the {}{point}", G::NAME);
            Err(parser.tokens.error_here(problem))
        }
    }
}

struct Parser<'a, G: Grammar> {
    tokens: TokenStream<'a>,
    parsed: Parsed<G>,
    /// Number of values on the stack after the steps so far.
    depth: usize,
    /// Number of nested calls of [`Parser::expression`]; limits the recursion.
    nesting: usize,
}

impl<'a, G: Grammar> Parser<'a, G> {
    fn push(&mut self, step: G::Step, at: usize) -> Result<()> {
        self.depth = self.depth + 1 - G::operands(&step);
        if self.depth > MAX_STACK {
            let problem =
                format!("the {} needs more than {MAX_STACK} intermediate values; simplify it", G::NAME);
            return Err(self.tokens.error(at, problem));
        }
        if self.parsed.program.len() == MAX_LENGTH {
            let (article, name) = (G::ARTICLE, G::NAME);
            let problem = format!("{article} {name} can have at most {MAX_LENGTH} numbers and operators");
            return Err(self.tokens.error(at, problem));
        }
        self.parsed.program.push(step);
        Ok(())
    }

    /// An operand and the following operators of at least `min_precedence`.
    fn expression(&mut self, min_precedence: u8) -> Result<()> {
        self.nesting += 1;
        if self.nesting > 2 * MAX_STACK {
            let problem = format!("the {} is nested more than {} levels deep", G::NAME, 2 * MAX_STACK);
            return Err(self.tokens.error_here(problem));
        }
        self.operand()?;
        while let (Token::Operator(name) | Token::Name(name), at) = self.tokens.lookahead {
            let Some(infix) = G::infix(name) else { break };
            if infix.precedence < min_precedence {
                break;
            }
            self.tokens.take()?;
            self.expression(infix.right_min)?;
            self.push(infix.step, at)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    /// A prefix operator and its operand, or another operand and an optional postfix operator.
    fn operand(&mut self) -> Result<()> {
        let (token, at) = self.tokens.take()?;
        if let Token::Operator(name) = token
            && let Some((precedence, step)) = G::prefix(name)
        {
            self.expression(precedence)?;
            return step.map_or(Ok(()), |step| self.push(step, at));
        }
        if let Some(step) = self.parsed.grammar.constant(&mut self.tokens, token, at)? {
            self.push(step, at)?;
        } else {
            match token {
                Token::Open => {
                    self.expression(0)?;
                    self.tokens.close(at)?;
                }
                Token::Name(name) if G::infix(name).is_none() => self.name(name, at)?,
                Token::Name(name) | Token::Operator(name) => {
                    let problem = format!("expected a number, a name or `(` before `{name}`");
                    return Err(self.tokens.error(at, problem));
                }
                _ => return Err(self.tokens.error(at, "expected a number, a name or `(`")),
            }
        }
        match G::postfix(&mut self.tokens)? {
            Some((step, at)) => self.push(step, at),
            None => Ok(()),
        }
    }

    /// A function call or a variable.
    fn name(&mut self, name: &'a str, at: usize) -> Result<()> {
        let Some(step) = G::function(name) else { return self.variable(name, at) };
        let arguments = G::operands(&step);
        let count = ["", "one number", "two numbers", "three numbers"][arguments];
        let open = self.tokens.lookahead.1;
        if !self.tokens.take_if(Token::Open)? {
            return Err(self.tokens.error(open, format!("expected `(` after the function `{name}`")));
        }
        self.expression(0)?;
        for _ in 1..arguments {
            if !self.tokens.take_if(Token::Comma)? {
                return Err(self.tokens.error_here(format!("expected `,`: `{name}` takes {count}")));
            }
            self.expression(0)?;
        }
        if self.tokens.lookahead.0 == Token::Comma {
            return Err(self.tokens.error_here(format!("expected `)`: `{name}` takes {count}")));
        }
        self.tokens.close(open)?;
        self.push(step, at)
    }

    fn variable(&mut self, name: &str, at: usize) -> Result<()> {
        if self.tokens.lookahead.0 == Token::Open {
            let known: Vec<String> = G::function_names().map(|known| format!("`{known}`")).collect();
            let problem = format!("unknown function `{name}`; available functions: {}", known.join(", "));
            return Err(self.tokens.error(at, problem));
        }
        let Parsed { variables, offsets, .. } = &mut self.parsed;
        let index = variables.iter().position(|variable| variable == name).unwrap_or(variables.len());
        if index == variables.len() {
            variables.push(name.into());
            offsets.push(at);
        }
        self.push(G::variable(index), at)
    }
}
