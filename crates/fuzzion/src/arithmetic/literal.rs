//! Fuzzy numbers as they are written: `tri(1, 2, 3)`, `[1, 3]`, `0.1`.
//!
//! | written | is |
//! |---|---|
//! | `2`, `-1.5e3`, `0.1` | that number; one that the machine does not have is enclosed by its neighbours |
//! | `[1, 3]` | an interval, the same at all levels |
//! | `tri(1, 2, 3)`, `trap(1, 2, 3, 4)`, `gauss(5, 0.5)`, `bell(5, 1, 2)` | the shapes of [`FuzzyLu`](super::FuzzyLu) |
//! | `cuts([1, 3], [2, 2])` | the bounds of every cut, support first: double-precision numbers by their shortest digits, rounded outwards in single precision |
//! | `mid(2, 1, 0)` | a midpoint and the radii of every cut, likewise |
//!
//! Infinite bounds are `inf` and `-inf`.

use super::cut::Cut;
use super::decimal;
use super::lu::check_cuts;
use super::mr::check_radii;
use super::rounding::{Holds, Real};
use super::shapes;
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

/// The shapes by name, and the numbers they take; none where that depends on the cuts.
const NAMES: [(&str, Kind, &[&str]); 6] = [
    ("tri", Kind::Tri, &["left", "top", "right"]),
    ("trap", Kind::Trap, &["bottom_left", "top_left", "top_right", "bottom_right"]),
    ("gauss", Kind::Gauss, &["mean", "standard_deviation"]),
    ("bell", Kind::Bell, &["center", "width", "slope"]),
    ("cuts", Kind::Cuts, &[]),
    ("mid", Kind::Mid, &[]),
];

/// A number as it is written, and the byte where it stands; of a cut's bounds the byte where the cut does.
#[derive(Clone, Debug, PartialEq)]
struct Written {
    text: String,
    at: usize,
}

/// A fuzzy number as text: what kind it is, its numbers as they were written, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Literal {
    kind: Kind,
    numbers: Vec<Written>,
    /// The byte where it starts.
    pub(super) at: usize,
    /// A byte behind it, before the next word.
    end: usize,
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
    fn number(&mut self) -> Result<Written> {
        let at = self.ahead.1;
        let sign = match self.ahead.0 {
            Word::Operator(sign @ ("+" | "-")) => {
                self.take()?;
                sign
            }
            _ => "",
        };
        match self.take()? {
            (Word::Number { text, .. } | Word::Name(text @ "inf"), _) => {
                Ok(Written { text: format!("{sign}{text}"), at })
            }
            (Word::Name(name), at) if name.eq_ignore_ascii_case("nan") => {
                Err(self.error(at, format!("`{name}` is no number; write one such as `2` or `-1.5e3`")))
            }
            (_, at) => Err(self.error(at, "expected a number here")),
        }
    }

    /// Numbers between commas up to a closing word.
    fn numbers(&mut self, close: Word<'_>, shown: &str) -> Result<Vec<Written>> {
        let mut numbers = Vec::new();
        loop {
            numbers.push(self.number()?);
            if self.take_if(close)? {
                return Ok(numbers);
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
        Literal {
            kind: Kind::Number,
            numbers: vec![Written { text: text.into(), at }],
            at,
            end: at + text.len(),
        }
    }

    /// The interval behind a `[` that was taken.
    pub(super) fn interval(words: &mut Words<'_>, at: usize) -> Result<Self> {
        let numbers = words.numbers(Word::CloseBracket, "]")?;
        if numbers.len() != 2 {
            return Err(words.error(at, format!("an interval has two bounds, not {}", numbers.len())));
        }
        Literal { kind: Kind::Interval, numbers, at, end: words.ahead.1 }.checked(words)
    }

    /// The shape behind its name, which was taken.
    pub(super) fn shape(words: &mut Words<'_>, name: &str, at: usize) -> Result<Self> {
        let Some(&(_, kind, takes)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            let known: Vec<String> = NAMES.iter().map(|(known, ..)| format!("`{known}`")).collect();
            let problem =
                format!("no fuzzy number is called `{name}`; those there are: {}", known.join(", "));
            return Err(words.error(at, problem));
        };
        if !words.take_if(Word::Open)? {
            return Err(words.error(words.ahead.1, format!("expected `(` after `{name}`")));
        }
        let numbers = match kind {
            Kind::Cuts => Self::intervals(words)?,
            _ => words.numbers(Word::Close, ")")?,
        };
        match (takes.len(), numbers.len()) {
            (0, 1) => Err(words.error(at, "`mid` takes a midpoint and at least one radius")),
            (takes, given) if takes > 0 && takes != given => {
                Err(words.error(at, format!("`{name}` takes {takes} numbers, but {given} were given")))
            }
            _ => Literal { kind, numbers, at, end: words.ahead.1 }.checked(words),
        }
    }

    /// `[l, u], [l, u], …)`.
    fn intervals(words: &mut Words<'_>) -> Result<Vec<Written>> {
        let mut numbers = Vec::new();
        loop {
            let (open, at) = words.take()?;
            if open != Word::OpenBracket {
                return Err(words.error(at, "expected `[`: a cut is written as `[lower, upper]`"));
            }
            let bounds = words.numbers(Word::CloseBracket, "]")?;
            if bounds.len() != 2 {
                return Err(words.error(at, format!("a cut has two bounds, not {}", bounds.len())));
            }
            numbers.extend(bounds.into_iter().map(|bound| Written { at, ..bound }));
            if words.take_if(Word::Close)? {
                return Ok(numbers);
            }
            if !words.take_if(Word::Comma)? {
                return Err(words.error(words.ahead.1, "expected `,` or `)` here"));
            }
        }
    }

    /// Refuses parameters out of order where they stand, for as many cuts as are written.
    fn checked(self, words: &Words<'_>) -> Result<Self> {
        let count = match self.kind {
            Kind::Cuts => self.numbers.len() / 2,
            Kind::Mid => self.numbers.len() - 1,
            _ => 1,
        };
        match self.fill(&mut vec![Cut::<f64>::UNBOUNDED; count]) {
            Err(error) => Err(self.error(words.lexer.text, error)),
            Ok(()) => Ok(self),
        }
    }

    /// How it is written in `text`; none for a plain number.
    pub(super) fn written<'a>(&self, text: &'a str) -> Option<&'a str> {
        let written = text.get(self.at..self.end).map(str::trim_end);
        written.filter(|_| self.kind != Kind::Number)
    }

    /// What is wrong with it in `text`, with a caret under the number or the cut that is.
    pub(super) fn error(&self, text: &str, error: Error) -> Error {
        let parameters =
            NAMES.iter().find(|(_, kind, _)| *kind == self.kind).map_or(&[][..], |named| named.2);
        let number = match &error {
            Error::Parameter { name, .. } => parameters.iter().position(|known| known == name),
            Error::FuzzyCut { cut, .. } if self.kind == Kind::Cuts => Some(2 * cut),
            Error::FuzzyRadius { midpoint, cut, .. } => Some(if midpoint.is_finite() { 1 + cut } else { 0 }),
            _ => None,
        };
        let written = number.and_then(|number| self.numbers.get(number));
        error_at(text, written.map_or(self.at, |written| written.at), error.to_string())
    }

    /// Makes `cuts` those of the number, enclosing what is written; there is at least one.
    ///
    /// # Errors
    /// [`Error::Parameter`], [`Error::FuzzyCut`] or [`Error::FuzzyRadius`] where the numbers make none, and
    /// [`Error::CutCount`] where there are cuts for another number of them.
    pub(super) fn fill<T: Real>(&self, cuts: &mut [Cut<T>]) -> Result<()> {
        let at = |i: usize| {
            let text = self.numbers.get(i).map_or("", |written| &written.text);
            decimal::enclosing::<T>(text).unwrap_or(Cut::UNBOUNDED) // the lexer read it as a number before
        };
        match self.kind {
            Kind::Number => cuts.fill(at(0)),
            Kind::Interval => {
                let (lower, upper) = (at(0).lower, at(1).upper);
                check_cuts(&[lower], &[upper])?;
                cuts.fill(Cut::new(lower, upper));
            }
            Kind::Tri => nest(cuts, shapes::triangular([at(0), at(1), at(2)])?),
            Kind::Trap => nest(cuts, shapes::trapezoidal([at(0), at(1), at(2), at(3)])?),
            Kind::Gauss => nest(cuts, shapes::gaussian([at(0), at(1)])?),
            Kind::Bell => nest(cuts, shapes::bell([at(0), at(1), at(2)])?),
            Kind::Cuts => {
                let bounds: Vec<Cut<T>> = self.numbers.iter().map(machine).collect();
                let lower = spread(bounds.iter().step_by(2).map(|bound| bound.lower), cuts.len())?;
                let upper = spread(bounds.iter().skip(1).step_by(2).map(|bound| bound.upper), cuts.len())?;
                check_cuts(&lower, &upper)?;
                nest(cuts, |i, _| Cut::new(lower[i], upper[i]));
            }
            Kind::Mid => {
                let (midpoint, radii) = self.midpoint_radius::<T, T>(cuts.len())?;
                nest(cuts, |i, _| Cut::new(midpoint.sub_down(radii[i]), midpoint.add_up(radii[i])));
            }
        }
        Ok(())
    }

    /// The midpoint and radii that are written, if they are.
    ///
    /// # Errors
    /// As [`Literal::fill`].
    pub(super) fn ball<T: Holds<R>, R: Real>(&self, cuts: usize) -> Result<Option<(T, Vec<R>)>> {
        if self.kind == Kind::Mid { self.midpoint_radius(cuts).map(Some) } else { Ok(None) }
    }

    fn midpoint_radius<T: Holds<R>, R: Real>(&self, cuts: usize) -> Result<(T, Vec<R>)> {
        let (first, rest) = self.numbers.split_at(1); // `shape` saw to it that there are two at least
        let (midpoint, around) = (nearest::<T>(&first[0]).add_near(T::ZERO), machine::<T>(&first[0]));
        let missing: R = around.upper.sub_up(midpoint).greater(midpoint.sub_up(around.lower)).narrow_up();
        let radii = spread(rest.iter().map(|radius| machine::<R>(radius).upper), cuts)?;
        check_radii(midpoint, &radii)?;
        Ok((midpoint, radii.into_iter().map(|radius| radius.add_up(missing)).collect()))
    }
}

/// Cuts as `make(i, n)` makes them, from the support inwards; what sticks out of the cut before is left out.
fn nest<T: Real>(cuts: &mut [Cut<T>], make: impl Fn(usize, usize) -> Cut<T>) {
    let (n, mut outer) = (cuts.len(), Cut::UNBOUNDED);
    for (i, cut) in cuts.iter_mut().enumerate() {
        outer = outer.intersection(make(i, n));
        *cut = outer;
    }
}

fn nearest<T: Real>(written: &Written) -> T {
    written.text.parse().unwrap_or(T::ZERO) // the lexer read it as a number before
}

/// The number of double precision that is written by its shortest digits; more digits than a double ever takes, and what
/// a narrower type does not hold, are enclosed.
fn machine<T: Real>(written: &Written) -> Cut<T> {
    const MOST_DIGITS: usize = 17;
    let mantissa = written.text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.chars().filter(char::is_ascii_digit).skip_while(|digit| *digit == '0').count();
    if digits > MOST_DIGITS {
        return decimal::enclosing(&written.text).unwrap_or(Cut::UNBOUNDED);
    }
    let double: f64 = nearest(written);
    Cut { lower: T::from_f64_down(double), upper: T::from_f64_up(double) }
}

/// One number for each cut; a single one serves for all.
fn spread<T: Real>(numbers: impl ExactSizeIterator<Item = T> + Clone, cuts: usize) -> Result<Vec<T>> {
    match numbers.len() {
        1 => Ok(numbers.cycle().take(cuts).collect()),
        given if given == cuts => Ok(numbers.collect()),
        given => Err(Error::CutCount { given, wanted: cuts }),
    }
}
