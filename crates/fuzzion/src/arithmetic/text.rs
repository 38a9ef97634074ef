//! Fuzzy numbers to text and back.

use super::array::{Element, LuArray, Midpoint, MrArray};
use super::cut::Cut;
use super::decimal;
use super::expr::{Column, Fuzzy};
use super::literal::{Literal, Words};
use super::lu::FuzzyLu;
use super::mr::FuzzyMr;
use super::rounding::{Holds, Real};
use crate::error::{Error, Result};
use crate::sets::expression::lexer::Word;
use std::fmt;
use std::str::FromStr;

/// Reads `text` as one literal.
fn read(text: &str) -> Result<Literal> {
    let mut words = Words::new(text)?;
    let (word, at) = words.take()?;
    let literal = match word {
        Word::OpenBracket => Literal::interval(&mut words, at)?,
        Word::Name(name) if name != "inf" => Literal::shape(&mut words, name, at)?,
        Word::Number { text, .. } => Literal::number(text, at),
        Word::Operator(sign @ ("-" | "+")) => match words.take()? {
            (Word::Number { text, .. }, _) => Literal::number(&format!("{sign}{text}"), at),
            (_, at) => return Err(words.error(at, "expected a number here")),
        },
        _ => return Err(words.error(at, "expected a fuzzy number such as `tri(1, 2, 3)` or `[1, 3]` here")),
    };
    match words.ahead {
        (Word::End, _) => Ok(literal),
        (_, at) => Err(words.error(at, "expected the end")),
    }
}

/// Reads a number written as at the door: `tri(1, 2, 3)`, `[1, 3]`, `0.1`.
///
/// ```
/// use fuzzion::arithmetic::FuzzyLu;
/// let x: FuzzyLu<f64, 3> = "tri(1, 2, 3)".parse()?;
/// assert_eq!(x.to_string(), "cuts([1, 3], [1.5, 2.5], [2, 2])");
/// assert_eq!(x.to_string().parse::<FuzzyLu<f64, 3>>()?, x);
/// let tenth: FuzzyLu<f64, 1> = "0.1".parse()?; // which no machine has
/// assert_eq!((tenth.lower()[0], tenth.upper()[0]), (0.1f64.next_down(), 0.1));
/// # Ok::<(), fuzzion::Error>(())
/// ```
impl<T: Real, const N: usize> FromStr for FuzzyLu<T, N> {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let literal = read(text)?;
        Self::literal(&literal).map_err(|error| literal.error(text, error))
    }
}

/// As for [`FuzzyLu`]; `mid(2, 1, 0)` is taken as it is.
impl<T: Holds<R>, R: Real, const N: usize> FromStr for FuzzyMr<T, N, R> {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let literal = read(text)?;
        Self::literal(&literal).map_err(|error| literal.error(text, error))
    }
}

/// The shortest digits of double precision that read back as the number: the same in every precision.
struct Digits<T>(T);

impl<T: Real> fmt::Display for Digits<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.to_f64();
        let size = number.abs();
        if size == 0.0 {
            return f.write_str("0"); // whose sign says nothing
        }
        let plain = size == f64::INFINITY || (1e-5..1e16).contains(&size);
        if plain { write!(f, "{number}") } else { write!(f, "{number:e}") }
    }
}

/// Whether reading the digits of a bound as a decimal number gives it and no other.
fn reads_back<T: Real>(bound: T) -> bool {
    let digits = Digits(bound).to_string();
    decimal::enclosing::<T>(&digits) == Some(Cut { lower: bound, upper: bound })
}

/// `cuts([1, 3], [2, 2])`; `[1, 3]` or `2` where all cuts are the same and read back as they are.
///
/// With a precision the bounds have so many decimal places, rounded outwards: what is shown encloses what is meant.
///
/// ```
/// use fuzzion::arithmetic::FuzzyLu;
/// let third = FuzzyLu::<f64, 1>::crisp(1.0) / 3.0;
/// assert_eq!(format!("{third:.3}"), "[0.333, 0.334]");
/// assert_eq!(format!("{third}"), "cuts([0.3333333333333333, 0.33333333333333337])");
/// # Ok::<(), fuzzion::Error>(())
/// ```
impl<T: Real, const N: usize> fmt::Display for FuzzyLu<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = f.precision();
        write_cuts(f, N, |i| self.cut(i), places)
    }
}

/// `mid(2, 1, 0)`: the midpoint and the radii.
impl<T: Holds<R>, R: Real, const N: usize> fmt::Display for FuzzyMr<T, N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ball(f, self.midpoint(), self.radii().iter().copied())
    }
}

fn write_cuts<T: Real>(
    out: &mut impl fmt::Write,
    n: usize,
    cut: impl Fn(usize) -> Cut<T>,
    places: Option<usize>,
) -> fmt::Result {
    let write = |out: &mut dyn fmt::Write, cut: Cut<T>| match places {
        Some(places) => {
            let bound = |value: T, up: bool| decimal::outward(value.to_f64(), places, up);
            write!(out, "[{}, {}]", bound(cut.lower, false), bound(cut.upper, true))
        }
        None => write!(out, "[{}, {}]", Digits(cut.lower), Digits(cut.upper)),
    };
    let core = cut(n - 1);
    let exact = || reads_back(core.lower) && reads_back(core.upper);
    if cut(0) == core && (places.is_some() || exact()) {
        return match places {
            None if core.lower == core.upper => write!(out, "{}", Digits(core.lower)),
            _ => write(out, core),
        };
    }
    out.write_str("cuts(")?;
    for i in 0..n {
        out.write_str(if i == 0 { "" } else { ", " })?;
        write(out, cut(i))?;
    }
    out.write_str(")")
}

fn write_ball<T: Real, R: Real>(
    out: &mut impl fmt::Write,
    midpoint: T,
    mut radii: impl Iterator<Item = R>,
) -> fmt::Result {
    write!(out, "mid({}", Digits(midpoint))?;
    radii.try_for_each(|radius| write!(out, ", {}", Digits(radius)))?;
    out.write_str(")")
}

impl<T: Real> Cut<T> {
    /// Both bounds with so many digits and an exponent, rounded outwards: what is shown encloses what is meant.
    ///
    /// ```
    /// use fuzzion::arithmetic::Cut;
    /// assert_eq!(Cut { lower: 2e-9 / 3.0, upper: 1.0 / 3.0 }.digits(3), ["6.66e-10", "3.34e-1"]);
    /// assert_eq!(Cut { lower: -2.0, upper: f64::INFINITY }.places(2), ["-2.00", "inf"]);
    /// ```
    pub fn digits(self, digits: usize) -> [String; 2] {
        [(self.lower, false), (self.upper, true)]
            .map(|(bound, up)| decimal::outward_digits(bound.to_f64(), digits, up))
    }

    /// Both bounds with so many decimal places, rounded outwards.
    pub fn places(self, places: usize) -> [String; 2] {
        [(self.lower, false), (self.upper, true)]
            .map(|(bound, up)| decimal::outward(bound.to_f64(), places, up))
    }
}

/// The numbers that `texts` say, each with so many cuts.
fn parse<A: Column>(cuts: usize, texts: &[impl AsRef<str>]) -> Result<A> {
    let mut array = A::zeros(cuts, texts.len())?;
    for (number, text) in texts.iter().enumerate() {
        let text = text.as_ref();
        let put = |literal: Literal| {
            array.put_literal(number, &literal).map_err(|error| literal.error(text, error))
        };
        read(text).and_then(put).map_err(|error| match error {
            Error::Expression { problem, text, column } => {
                Error::FuzzyText { place: format!("number {}", number + 1), number, problem, text, column }
            }
            other => other,
        })?;
    }
    Ok(array)
}

impl<T: Element> LuArray<T> {
    /// Reads numbers written as at the door, each with so many cuts.
    ///
    /// ```
    /// use fuzzion::arithmetic::LuArray;
    /// let prices = LuArray::<f64>::parse(3, &["tri(1, 2, 3)", "[4, 5]", "6"])?;
    /// assert_eq!(prices.text(0), "cuts([1, 3], [1.5, 2.5], [2, 2])");
    /// assert_eq!((prices.text(1), prices.text(2)), ("[4, 5]".into(), "6".into()));
    /// let wrong = LuArray::<f64>::parse(3, &["6", "tri(1, 3, 2)"]).unwrap_err().to_string();
    /// assert!(wrong.starts_with("number 2: tri: `right` is 2, but it must be at least `top`\n"));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for no cuts, [`Error::FuzzyText`] at the first number that is none.
    pub fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
        parse(cuts, texts)
    }

    /// Number `number` as [`FuzzyLu`] displays it; it reads back as it is.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn text(&self, number: usize) -> String {
        let mut text = String::new();
        let _ = write_cuts(&mut text, self.cuts(), |i| self.cut(number, i), None); // a string takes all
        text
    }
}

impl<T: Midpoint<R>, R: Element> MrArray<T, R> {
    /// As [`LuArray::parse`]; `mid(2, 1, 0)` is taken as it is.
    ///
    /// # Errors
    /// As there.
    pub fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
        parse(cuts, texts)
    }

    /// Number `number` as [`FuzzyMr`] displays it; it reads back as it is.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn text(&self, number: usize) -> String {
        let mut text = String::new();
        let radii = (0..self.cuts()).map(|i| self.radius(number, i));
        let _ = write_ball(&mut text, self.midpoint(number), radii); // a string takes all
        text
    }
}
