//! Parser for the membership functions of FCL and its dialects.

use super::lexer::{Lexer, Token};
use crate::inference::error::Result;
use crate::inference::syntax::{format_number, parse_number};
use crate::sets::{Set, SetError};
use std::collections::HashMap;

/// Whether each variable is an input, and its index, by lowercase name.
pub(super) type VariableIndices = HashMap<String, (bool, usize)>;

/// A set or a singleton.
pub(super) enum Term {
    Set(Set),
    /// x and membership.
    Singleton(f64, f64),
    /// A singleton or the points of a piecewise linear set, of which at least one is at the value of an input.
    Variable(Vec<Point>),
}

/// A point of a membership function.
#[derive(Clone, Copy)]
pub(super) struct Point {
    pub(super) position: Position,
    pub(super) membership: f64,
}

/// Position of a point.
#[derive(Clone, Copy)]
pub(super) enum Position {
    Number(f64),
    /// Value of the input with this index.
    Input(usize),
}

impl Position {
    fn number(self) -> Option<f64> {
        if let Position::Number(x) = self { Some(x) } else { None }
    }
}

/// The set with the given points, whose inputs have the given names.
pub(super) fn variable_set(points: &[Point], inputs: &[&str]) -> Result<Set, SetError> {
    let text = |point: &Point| match point.position {
        Position::Number(x) => format!("({})", format_number(x)),
        Position::Input(i) => inputs[i].to_owned(),
    };
    if let [point] = points {
        return Set::function(&format!("{} * eq(x, {})", format_number(point.membership), text(point)));
    }
    // Discrete checks the memberships, and the order of the positions that are known.
    let memberships: Vec<(f64, f64)> =
        points.iter().enumerate().map(|(i, point)| (i as f64, point.membership)).collect();
    Set::discrete(&memberships)?;
    let known: Vec<(f64, f64)> =
        points.iter().filter_map(|point| Some((point.position.number()?, point.membership))).collect();
    if !known.is_empty() {
        Set::discrete(&known)?;
    }
    let mut formula = format_number(points[0].membership);
    for (from, to) in points.iter().zip(&points[1..]) {
        let (a, b, rise) = (text(from), text(to), to.membership - from.membership);
        if rise != 0.0 {
            // The bound of the divisor is for two points at the same position.
            formula +=
                &format!(" + ({}) * max(0, min(1, (x - {a}) / max({b} - {a}, 1e-30)))", format_number(rise));
        }
    }
    Set::function(&formula)
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
    pub(super) fn term(&mut self, variables: &VariableIndices) -> Result<Term> {
        let token = self.peek();
        let is_singleton = |token: Token<'_>| {
            let mut rest = *self;
            rest.next();
            input(variables, token).is_some() && rest.peek().is(";")
        };
        let term = if token.is("(") || token.is("singletons") {
            self.points(variables)?
        } else if is_singleton(token) {
            Term::Variable(vec![Point { position: self.position(variables)?, membership: 1.0 }])
        } else if token.is("function") {
            Term::Set(self.function()?)
        } else if token.text.starts_with(|c: char| c.is_alphabetic()) {
            self.shape(variables)?
        } else {
            Term::Singleton(self.number()?, 1.0)
        };
        self.expect(";")?;
        Ok(term)
    }

    /// `(x, y) (x, y) …`
    fn points(&mut self, variables: &VariableIndices) -> Result<Term> {
        let start = self.peek();
        let is_singleton = self.take("singletons");
        let mut points = Vec::new();
        while self.take("(") {
            let position = self.position(variables)?;
            self.expect(",")?;
            let at = self.peek();
            let membership = self.number()?;
            if !(0.0..=1.0).contains(&membership) {
                return self.fail_expecting(at, "a membership from 0 to 1");
            }
            points.push(Point { position, membership });
            self.expect(")")?;
        }
        let known: Option<Vec<(f64, f64)>> =
            points.iter().map(|point| Some((point.position.number()?, point.membership))).collect();
        match known.as_deref() {
            Some([]) => self.fail_expecting(self.peek(), "a point, such as `(20, 1)`"),
            Some([(x, y)]) => Ok(Term::Singleton(*x, *y)),
            _ if is_singleton && points.len() > 1 => {
                self.fail_expecting(start, "one singleton; use a separate term for each point")
            }
            Some(points) => Ok(Term::Set(self.locate(start, Set::discrete(points))?)),
            None => Ok(Term::Variable(points)),
        }
    }

    /// A number or the name of an input.
    fn position(&mut self, variables: &VariableIndices) -> Result<Position> {
        let token = self.peek();
        let number = || parse_number(token.text).map(Position::Number);
        match input(variables, token).map(Position::Input).or_else(number) {
            Some(position) => {
                self.next();
                Ok(position)
            }
            None => self.fail_expecting(token, "a number or an input"),
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
    fn shape(&mut self, variables: &VariableIndices) -> Result<Term> {
        let token = self.next();
        let mut positions = Vec::new();
        while !self.peek().is(";") {
            positions.push(self.position(variables)?);
            self.take(","); // optional separator
        }
        let Some(p) = positions.iter().map(|p| p.number()).collect::<Option<Vec<f64>>>() else {
            let memberships: &[f64] = if token.is("trian") {
                &[0.0, 1.0, 0.0]
            } else if token.is("trape") {
                &[0.0, 1.0, 1.0, 0.0]
            } else {
                &[]
            };
            if memberships.len() != positions.len() {
                let expected = "`trian` with 3, `trape` with 4, or points, because a parameter is an input";
                return self.fail_expecting(token, expected);
            }
            let points = positions.iter().zip(memberships);
            let points = points.map(|(p, m)| Point { position: *p, membership: *m }).collect();
            return Ok(Term::Variable(points));
        };
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
        self.locate(token, set).map(Term::Set)
    }

    fn locate(&self, token: Token<'_>, set: Result<Set, SetError>) -> Result<Set> {
        set.map_err(|cause| self.line().locate(token.at, cause))
    }
}

/// Index of the input that a token names.
fn input(variables: &VariableIndices, token: Token<'_>) -> Option<usize> {
    variables.get(&token.text.to_ascii_lowercase()).filter(|(is_input, _)| *is_input).map(|(_, i)| *i)
}
