//! Membership functions as FCL and its kin write them.

use super::lexer::{Lexer, Word};
use crate::error::Result;
use crate::sets::Set;

/// A set, or a point that alone belongs to one.
pub(super) enum Term {
    Set(Set),
    /// x and its membership.
    Singleton(f64, f64),
}

/// Shapes by the words of jFuzzyLogic, with the places of fuzzylite's parameters among theirs.
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
    /// What stands between `:=` and `;`, both taken.
    pub(super) fn term(&mut self) -> Result<Term> {
        let word = self.peek();
        let term = if word.is("(") || word.is("singletons") {
            self.points()?
        } else if word.is("function") {
            Term::Set(self.function()?)
        } else if word.text.starts_with(|c: char| c.is_alphabetic()) {
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
        let alone = self.take("singletons");
        let mut points = Vec::new();
        while self.take("(") {
            let x = self.number()?;
            self.expect(",")?;
            points.push((x, self.number()?));
            self.expect(")")?;
        }
        match points[..] {
            [] => self.refuse(self.peek(), "a point, such as `(20, 1)`"),
            [(x, y)] => Ok(Term::Singleton(x, y)),
            _ if alone => self.refuse(start, "one singleton; give each point a term of its own"),
            _ => Ok(Term::Set(self.because(start, Set::discrete(&points))?)),
        }
    }

    /// `function` and an expression up to the `;`.
    fn function(&mut self) -> Result<Set> {
        self.next();
        self.take(":");
        let start = self.peek().at;
        let rest = &self.plain[start..];
        let text = &rest[..rest.find(';').unwrap_or(rest.len())];
        self.at = start + text.len();
        let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Set::function(one_line.trim_end()).map_err(|cause| self.line().because(start, cause))
    }

    /// The name of a shape and its numbers.
    fn shape(&mut self) -> Result<Set> {
        let word = self.next();
        let mut p = Vec::new();
        while !self.peek().is(";") {
            p.push(self.number()?);
            self.take(","); // some write lists
        }
        let known = SHAPES.iter().find(|(name, ..)| word.is(name));
        let set = match known {
            Some((_, shape, places)) if p.len() == places.len() => {
                let ordered: Vec<f64> = places.iter().filter_map(|i| p.get(*i).copied()).collect();
                Set::from_parameters(shape, &ordered)
            }
            Some((_, shape, _)) => Set::from_parameters(shape, &p[..p.len().min(1)]), // says how many it takes
            None if word.is("cosine") && word.text != "Cosine" => match p[..] {
                [half, center] => Set::cosine(center, 2.0 * half),
                _ => Set::from_parameters("Cosine", &[]),
            },
            None => Set::from_parameters(word.text, &p),
        };
        self.because(word, set)
    }

    fn because(&self, word: Word<'_>, set: Result<Set>) -> Result<Set> {
        set.map_err(|cause| self.line().because(word.at, cause))
    }
}
