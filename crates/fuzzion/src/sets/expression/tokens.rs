//! Tokens with one token of lookahead.

use super::lexer::{Lexer, PositionedToken, Token};
use super::position::error_at;
use crate::base::SyntaxError;

/// Token stream with one token of lookahead.
pub(crate) struct TokenStream<'a> {
    lexer: Lexer<'a>,
    pub(crate) lookahead: PositionedToken<'a>,
}

impl<'a> TokenStream<'a> {
    pub(crate) fn new(text: &'a str) -> Result<Self, SyntaxError> {
        let mut lexer = Lexer::new(text);
        let lookahead = lexer.next()?;
        Ok(TokenStream { lexer, lookahead })
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'a str {
        self.lexer.text
    }

    pub(crate) fn error(&self, at: usize, problem: impl Into<String>) -> SyntaxError {
        error_at(self.lexer.text, at, problem)
    }

    /// An error at the next token.
    pub(crate) fn error_here(&self, problem: impl Into<String>) -> SyntaxError {
        self.error(self.lookahead.1, problem)
    }

    /// Returns the next token and advances.
    pub(crate) fn take(&mut self) -> Result<PositionedToken<'a>, SyntaxError> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.lookahead, next))
    }

    /// Consumes `token` if it is the next token.
    pub(crate) fn take_if(&mut self, token: Token<'_>) -> Result<bool, SyntaxError> {
        let matches = self.lookahead.0 == token;
        if matches {
            self.take()?;
        }
        Ok(matches)
    }

    /// Consumes the `)` that matches the `(` at `open`.
    pub(crate) fn close(&mut self, open: usize) -> Result<(), SyntaxError> {
        match self.lookahead.0 {
            Token::Close => self.take().map(|_| ()),
            Token::End => Err(self.error(open, "unclosed `(`; add `)`")),
            _ => Err(self.error_here("expected an operator or `)`")),
        }
    }
}
