//! Grammar of expressions.

use super::functions::{self, BINARY, CONSTANTS, Form, UNARY};
use super::lexer::Token;
use super::precedence::{Grammar, Infix};
use super::step::Step;
use super::tokens::TokenStream;
use crate::base::SyntaxError;

pub(super) struct ExpressionGrammar;

impl Grammar for ExpressionGrammar {
    type Step = Step;
    const ARTICLE: &'static str = "an";
    const NAME: &'static str = "expression";

    fn operands(step: &Step) -> usize {
        step.operands()
    }

    fn variable(index: usize) -> Step {
        Step::Variable(index)
    }

    fn prefix(name: &str) -> Option<(u8, Option<Step>)> {
        let name = match name {
            ".-" => "-",
            ".+" => "+",
            name => name,
        };
        UNARY.iter().enumerate().find_map(|(index, function)| match function.form {
            Form::Prefix(precedence) if function.name == name => Some((precedence, Some(Step::Unary(index)))),
            _ => None,
        })
    }

    fn infix(name: &str) -> Option<Infix<Step>> {
        let name = if name == "**" { "^" } else { name };
        BINARY.iter().enumerate().filter(|(_, function)| function.name == name).find_map(
            |(index, function)| {
                let (precedence, right_min) = match function.form {
                    Form::Left(precedence) => (precedence, precedence + 1),
                    Form::Right(precedence) => (precedence, precedence),
                    Form::Prefix(_) | Form::Call => return None,
                };
                Some(Infix { precedence, right_min, step: Step::Binary(index) })
            },
        )
    }

    fn function(name: &str) -> Option<Step> {
        let name = if name == "fabs" { "abs" } else { name };
        let unary = UNARY.iter().position(|f| f.name == name && f.form == Form::Call).map(Step::Unary);
        unary.or_else(|| BINARY.iter().position(|f| f.name == name && f.form == Form::Call).map(Step::Binary))
    }

    fn function_names() -> impl Iterator<Item = &'static str> {
        functions::function_names()
    }

    fn constant(
        &mut self,
        tokens: &mut TokenStream<'_>,
        token: Token<'_>,
        _at: usize,
    ) -> Result<Option<Step>, SyntaxError> {
        let value = match token {
            Token::Number { value, .. } => value,
            Token::Name(name) => {
                let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) else {
                    return Ok(None);
                };
                let open = tokens.lookahead.1;
                if tokens.take_if(Token::Open)? {
                    tokens.close(open)?; // `pi()` is an alias of `pi`
                }
                *value
            }
            _ => return Ok(None),
        };
        Ok(Some(Step::Number(value)))
    }
}
