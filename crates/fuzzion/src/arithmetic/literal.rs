//! Fuzzy numbers as they are written: `tri(1, 2, 3)`, `[1, 3]`, `0.1`.
//!
//! | written | is |
//! |---|---|
//! | `2`, `-1.5e3`, `0.1` | that number; one that the machine does not have is enclosed by its neighbours |
//! | `[1, 3]` | an interval, the same at all levels |
//! | `tri(1, 2, 3)`, `trap(1, 2, 3, 4)`, `gauss(5, 0.5)`, `bell(5, 1, 2)` | the shapes of [`FuzzyLu`] |
//! | `cuts([1, 3], [2, 2])` | the bounds of every cut, support first: machine numbers by their shortest digits |
//! | `mid(2, 1, 0)` | a midpoint and the radii of every cut: machine numbers by their shortest digits |
//!
//! Infinite bounds are `inf` and `-inf`.

use super::cut::Cut;
use super::decimal;
use super::lu::FuzzyLu;
use super::mr::FuzzyMr;
use super::rounding::{Holds, Real};
use crate::error::{Error, Result};
use crate::sets::expression::error_at;
use crate::sets::expression::lexer::{Lexer, Token, Word};

/// What a literal's numbers mean.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Number,
    Interval,
    Tri,
    Trap,
    Gauss,
    Bell,
    Cuts,
    Mid,
}

/// The shapes by name, and how many numbers they take; none where that depends on the cuts.
const NAMES: [(&str, Kind, Option<usize>); 6] = [
    ("tri", Kind::Tri, Some(3)),
    ("trap", Kind::Trap, Some(4)),
    ("gauss", Kind::Gauss, Some(2)),
    ("bell", Kind::Bell, Some(3)),
    ("cuts", Kind::Cuts, None),
    ("mid", Kind::Mid, None),
];

/// A fuzzy number as text: what kind it is, its numbers as they were written, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    kind: Kind,
    numbers: Vec<String>,
    /// The byte where it starts.
    pub(super) at: usize,
}

/// Words with one ahead.
pub(super) struct Words<'a> {
    lexer: Lexer<'a>,
    pub(super) ahead: Token<'a>,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self> {
        let mut lexer = Lexer::new(text);
        let ahead = lexer.next()?;
        Ok(Words { lexer, ahead })
    }

    pub(super) fn take(&mut self) -> Result<Token<'a>> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.ahead, next))
    }

    pub(super) fn error(&self, at: usize, problem: impl Into<String>) -> Error {
        error_at(self.lexer.text, at, problem)
    }

    /// Takes `word` if it is ahead.
    pub(super) fn take_if(&mut self, word: Word<'_>) -> Result<bool> {
        let there = self.ahead.0 == word;
        if there {
            self.take()?;
        }
        Ok(there)
    }

    /// A number with an optional sign, as it is written.
    fn number(&mut self) -> Result<String> {
        let sign = match self.ahead.0 {
            Word::Operator(sign @ ("+" | "-")) => {
                self.take()?;
                sign
            }
            _ => "",
        };
        match self.take()? {
            (Word::Number { text, .. }, _) => Ok(format!("{sign}{text}")),
            (Word::Name(name @ "inf"), _) => Ok(format!("{sign}{name}")),
            (_, at) => Err(self.error(at, "expected a number here")),
        }
    }

    /// Numbers between commas up to a closing word.
    fn numbers(&mut self, close: Word<'_>, shown: &str, numbers: &mut Vec<String>) -> Result<()> {
        loop {
            numbers.push(self.number()?);
            if self.take_if(close)? {
                return Ok(());
            }
            if !self.take_if(Word::Comma)? {
                return Err(self.error(self.ahead.1, format!("expected `,` or `{shown}` here")));
            }
        }
    }
}

impl Literal {
    /// Whether a name starts a literal.
    pub(super) fn is_name(name: &str) -> bool {
        NAMES.iter().any(|(known, ..)| *known == name)
    }

    /// A number that needs no reading.
    pub(super) fn number(text: &str, at: usize) -> Self {
        Literal { kind: Kind::Number, numbers: vec![text.into()], at }
    }

    /// The interval behind a `[` that was taken.
    pub(super) fn interval(words: &mut Words<'_>, at: usize) -> Result<Self> {
        let mut numbers = Vec::new();
        words.numbers(Word::CloseBracket, "]", &mut numbers)?;
        if numbers.len() != 2 {
            return Err(words.error(at, format!("an interval has two bounds, not {}", numbers.len())));
        }
        Literal { kind: Kind::Interval, numbers, at }.checked(words)
    }

    /// The shape behind its name, which was taken.
    pub(super) fn shape(words: &mut Words<'_>, name: &str, at: usize) -> Result<Self> {
        let Some(&(_, kind, takes)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            return Err(words.error(at, format!("no fuzzy number is called `{name}`")));
        };
        if !words.take_if(Word::Open)? {
            return Err(words.error(words.ahead.1, format!("expected `(` after `{name}`")));
        }
        let mut numbers = Vec::new();
        if kind == Kind::Cuts {
            Self::intervals(words, &mut numbers)?;
        } else {
            words.numbers(Word::Close, ")", &mut numbers)?;
        }
        match takes {
            Some(takes) if takes != numbers.len() => {
                Err(words
                    .error(at, format!("`{name}` takes {takes} numbers, but {} were given", numbers.len())))
            }
            None if numbers.len() < 2 => {
                Err(words.error(at, "`mid` takes a midpoint and at least one radius"))
            }
            _ => Literal { kind, numbers, at }.checked(words),
        }
    }

    /// `[l, u], [l, u], …)`.
    fn intervals(words: &mut Words<'_>, numbers: &mut Vec<String>) -> Result<()> {
        loop {
            let (open, at) = words.take()?;
            if open != Word::OpenBracket {
                return Err(words.error(at, "expected `[`: a cut is written as `[lower, upper]`"));
            }
            let before = numbers.len();
            words.numbers(Word::CloseBracket, "]", numbers)?;
            if numbers.len() != before + 2 {
                return Err(words.error(at, format!("a cut has two bounds, not {}", numbers.len() - before)));
            }
            if words.take_if(Word::Close)? {
                return Ok(());
            }
            if !words.take_if(Word::Comma)? {
                return Err(words.error(words.ahead.1, "expected `,` or `)` here"));
            }
        }
    }

    /// Refuses parameters out of order where they stand. What depends on the number of cuts is checked when it is known.
    fn checked(self, words: &Words<'_>) -> Result<Self> {
        let refused = match self.kind {
            Kind::Cuts | Kind::Mid => None,
            _ => self.cuts::<f64, 1>().err(),
        };
        match refused {
            Some(error) => Err(words.error(self.at, error.to_string())),
            None => Ok(self),
        }
    }

    /// The number with N cuts that encloses what is written.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::FuzzyCut`] or [`Error::FuzzyRadius`] where the numbers make none, and
    /// [`Error::CutCount`] where there are cuts for another N.
    pub(super) fn cuts<T: Real, const N: usize>(&self) -> Result<FuzzyLu<T, N>> {
        let cut = |i: usize| {
            let text = self.numbers.get(i).map_or("", String::as_str);
            decimal::enclosing::<T>(text).unwrap_or(Cut::UNBOUNDED) // the lexer read it as a number before
        };
        match self.kind {
            Kind::Number => Ok(FuzzyLu::from_fn(|_| cut(0))),
            Kind::Interval => FuzzyLu::interval(cut(0).lower, cut(1).upper),
            Kind::Tri => FuzzyLu::triangular_within([cut(0), cut(1), cut(2)]),
            Kind::Trap => FuzzyLu::trapezoidal_within([cut(0), cut(1), cut(2), cut(3)]),
            Kind::Gauss => FuzzyLu::gaussian_within([cut(0), cut(1)]),
            Kind::Bell => FuzzyLu::bell_within([cut(0), cut(1), cut(2)]),
            Kind::Cuts => {
                let bounds: Vec<T> = self.nearest(0);
                let lower = spread(bounds.iter().step_by(2).copied().collect())?;
                let upper = spread(bounds.into_iter().skip(1).step_by(2).collect())?;
                FuzzyLu::from_cuts(lower, upper)
            }
            Kind::Mid => self.midpoint_radius::<T, T, N>().map(FuzzyLu::from),
        }
    }

    /// As [`Literal::cuts`]; a midpoint and radii are taken as they are written.
    pub(super) fn ball<T: Holds<R>, R: Real, const N: usize>(&self) -> Result<FuzzyMr<T, N, R>> {
        match self.kind {
            Kind::Mid => self.midpoint_radius(),
            _ => self.cuts().map(FuzzyMr::from),
        }
    }

    fn midpoint_radius<T: Holds<R>, R: Real, const N: usize>(&self) -> Result<FuzzyMr<T, N, R>> {
        let midpoint = self.nearest(0)[0]; // `shape` saw to it that there is one
        FuzzyMr::new(midpoint, spread(self.nearest(1))?)
    }

    /// The numbers from the one numbered `first` on, to nearest.
    fn nearest<T: Real>(&self, first: usize) -> Vec<T> {
        self.numbers.iter().skip(first).map(|text| text.parse().unwrap_or(T::ZERO)).collect()
    }
}

/// One number for each cut; a single one serves for all.
fn spread<T: Real, const N: usize>(numbers: Vec<T>) -> Result<[T; N]> {
    match numbers[..] {
        [single] => Ok([single; N]),
        _ => numbers.try_into().map_err(|given: Vec<T>| Error::CutCount { given: given.len(), wanted: N }),
    }
}
