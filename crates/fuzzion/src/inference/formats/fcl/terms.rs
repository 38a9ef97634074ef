//! Parser for the membership functions of FCL and its dialects.

use super::lexer::{Lexer, Token};
use crate::inference::error::Result;
use crate::sets::{Set, SetError};

/// A set or a singleton.
pub(super) enum Term {
    Set(Set),
    /// x and membership.
    Singleton(f64, f64),
}

/// Shape names of jFuzzyLogic, the corresponding fuzzylite shapes, and the order of their parameters.
const SHAPES: [(&str, &str, &[usize]); 8] = [
    ("trian", "Triangle", &[0, 1, 2]),
    ("trape", "Trapezoid", &[0, 1, 2, 3]),
    ("gauss", "Gaussian", &[0, 1]),
    ("gauss2", "GaussianProduct", &[0, 1, 2, 3]),
    ("gbell", "Bell", &[2, 0, 1]),
    ("sigm", "Sigmoid", &[1, 0]),
    ("dsigm", "SigmoidDifference", &[1, 0, 2, 3]),
    ("sigm_difference", "SigmoidDifference", &[1, 0, 2, 3]),
];

impl Lexer<'_> {
    /// Parses a membership function up to and including `;`.
    pub(super) fn term(&mut self) -> Result<Term> {
        let token = self.peek();
        let term = if token.is("(") || token.is("singletons") {
            self.points()?
        } else if token.is("function") {
            Term::Set(self.function()?)
        } else if token.text.starts_with(|c: char| c.is_alphabetic()) {
            Term::Set(self.shape()?)
        } else {
            Term::Singleton(self.number()?, 1.0)
        };
        self.expect(";")?;
        Ok(term)
    }

    /// `(x, y) (x, y) …`
    fn points(&mut self) -> Result<Term> {
        let start = self.peek();
        let is_singleton = self.take("singletons");
        let mut points = Vec::new();
        while self.take("(") {
            let x = self.number()?;
            self.expect(",")?;
            points.push((x, self.number()?));
            self.expect(")")?;
        }
        match points[..] {
            [] => self.fail_expecting(self.peek(), "a point, such as `(20, 1)`"),
            [(x, y)] => Ok(Term::Singleton(x, y)),
            _ if is_singleton => {
                self.fail_expecting(start, "one singleton; use a separate term for each point")
            }
            _ => Ok(Term::Set(self.locate(start, Set::discrete(&points))?)),
        }
    }

    /// `function` and an expression up to `;`.
    fn function(&mut self) -> Result<Set> {
        self.next();
        self.take(":");
        let start = self.peek().at;
        let rest = &self.plain[start..];
        let text = &rest[..rest.find(';').unwrap_or(rest.len())];
        self.at = start + text.len();
        let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Set::function(one_line.trim_end()).map_err(|cause| self.line().locate(start, cause))
    }

    /// Name of a shape and its parameters.
    fn shape(&mut self) -> Result<Set> {
        let token = self.next();
        let mut p = Vec::new();
        while !self.peek().is(";") {
            p.push(self.number()?);
            self.take(","); // optional separator
        }
        let known = SHAPES.iter().find(|(name, ..)| token.is(name));
        let set = match known {
            Some((_, shape, order)) if p.len() == order.len() => {
                let ordered: Vec<f64> = order.iter().map(|i| p[*i]).collect();
                Set::from_parameters(shape, &ordered)
            }
            // Too few parameters, so that the error states the expected number.
            Some((_, shape, _)) => Set::from_parameters(shape, &p[..p.len().min(1)]),
            None if token.is("cosine") && token.text != "Cosine" => match p[..] {
                [half_width, center] => Set::cosine(center, 2.0 * half_width),
                _ => Set::from_parameters("Cosine", &[]),
            },
            None => Set::from_parameters(token.text, &p),
        };
        self.locate(token, set)
    }

    fn locate(&self, token: Token<'_>, set: Result<Set, SetError>) -> Result<Set> {
        set.map_err(|cause| self.line().locate(token.at, cause))
    }
}
