//! Conversion of single numbers and arrays to and from text.

use crate::arithmetic::array::{Element, LuArray, Midpoint, MrArray};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::expr::{FuzzyNumber, HostColumn};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::arithmetic::text::decimal;
use crate::arithmetic::text::literal::Literal;
use crate::base::SyntaxError;
use crate::sets::expression::{DECIMAL_POINT, Token, TokenStream};
use std::fmt;
use std::str::FromStr;

const STRING_INVARIANT: &str = "invariant: writing to a string does not fail";

/// Parses `text` as one literal.
pub(in crate::arithmetic) fn parse_literal(text: &str) -> Result<Literal, SyntaxError> {
    let mut tokens = TokenStream::new(text)?;
    let (token, at) = tokens.take()?;
    let literal = match token {
        Token::OpenBracket => Literal::interval(&mut tokens, at)?,
        Token::Name(name) if name != "inf" => Literal::shape(&mut tokens, name, at)?,
        Token::Number { text, .. } => Literal::number(text, at),
        Token::Operator(sign @ ("-" | "+")) => match tokens.take()? {
            (Token::Number { text, .. }, _) => Literal::number(&format!("{sign}{text}"), at),
            (_, at) => return Err(tokens.error(at, "expected a number")),
        },
        _ => return Err(tokens.error(at, "expected a fuzzy number such as `tri(1, 2, 3)` or `[1, 3]`")),
    };
    match tokens.lookahead.0 {
        Token::End => Ok(literal),
        Token::Comma => Err(tokens.error_here(format!("expected the end of the text{DECIMAL_POINT}"))),
        _ => Err(tokens.error_here("expected the end of the text")),
    }
}

/// Parses a fuzzy number: `tri(1, 2, 3)`, `[1, 3]`, `0.1`.
///
/// ```
/// use fuzzion::arithmetic::FuzzyLu;
/// let x: FuzzyLu<f64, 3> = "tri(1, 2, 3)".parse()?;
/// assert_eq!(x.to_string(), "cuts([1, 3], [1.5, 2.5], [2, 2])");
/// assert_eq!(x.to_string().parse::<FuzzyLu<f64, 3>>()?, x);
/// let tenth: FuzzyLu<f64, 1> = "0.1".parse()?; // not representable in binary
/// assert_eq!((tenth.lower()[0], tenth.upper()[0]), (0.1f64.next_down(), 0.1));
/// # Ok::<(), fuzzion::Error>(())
/// ```
impl<T: Real, const N: usize> FromStr for FuzzyLu<T, N> {
    type Err = ArithmeticError;
    fn from_str(text: &str) -> Result<Self> {
        let literal = parse_literal(text)?;
        Ok(Self::literal(&literal).map_err(|error| literal.error(text, error))?)
    }
}

/// Parses a fuzzy number as for [`FuzzyLu`]; `mid(2, 1, 0)` is read without conversion to bounds.
impl<T: WidensFrom<R>, R: Real, const N: usize> FromStr for FuzzyMr<T, N, R> {
    type Err = ArithmeticError;
    fn from_str(text: &str) -> Result<Self> {
        let literal = parse_literal(text)?;
        Ok(Self::literal(&literal).map_err(|error| literal.error(text, error))?)
    }
}

/// Shortest decimal that round-trips in double precision, for every element type.
struct ShortestDecimal<T>(T);

impl<T: Real> fmt::Display for ShortestDecimal<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.0.to_f64();
        let magnitude = number.abs();
        if magnitude == 0.0 {
            return f.write_str("0"); // without the sign of −0
        }
        let fixed = magnitude == f64::INFINITY || (1e-5..1e16).contains(&magnitude);
        if fixed { write!(f, "{number}") } else { write!(f, "{number:e}") }
    }
}

/// Whether the shortest decimal of a bound parses to exactly that bound.
fn round_trips<T: Real>(bound: T) -> bool {
    let digits = ShortestDecimal(bound).to_string();
    decimal::enclosing::<T>(&digits) == Some(AlphaCut { lower: bound, upper: bound })
}

/// `cuts([1, 3], [2, 2])`; `[1, 3]` or `2` if all cuts are equal and the text parses back to the same number.
///
/// A format precision is the number of decimal places of the bounds, rounded outward, so the text encloses the number.
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

/// `mid(2, 1, 0)`: midpoint, then radii.
impl<T: WidensFrom<R>, R: Real, const N: usize> fmt::Display for FuzzyMr<T, N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ball(f, self.midpoint(), self.radii().iter().copied())
    }
}

fn write_cuts<T: Real>(
    out: &mut impl fmt::Write,
    n: usize,
    cut: impl Fn(usize) -> AlphaCut<T>,
    places: Option<usize>,
) -> fmt::Result {
    let write = |out: &mut dyn fmt::Write, cut: AlphaCut<T>| match places {
        Some(places) => {
            let bound = |value: T, up: bool| decimal::to_fixed_outward(value.to_f64(), places, up);
            write!(out, "[{}, {}]", bound(cut.lower, false), bound(cut.upper, true))
        }
        None => write!(out, "[{}, {}]", ShortestDecimal(cut.lower), ShortestDecimal(cut.upper)),
    };
    let core = cut(n - 1);
    let exact = || round_trips(core.lower) && round_trips(core.upper);
    if cut(0) == core && (places.is_some() || exact()) {
        return match places {
            None if core.lower == core.upper => write!(out, "{}", ShortestDecimal(core.lower)),
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
    write!(out, "mid({}", ShortestDecimal(midpoint))?;
    radii.try_for_each(|radius| write!(out, ", {}", ShortestDecimal(radius)))?;
    out.write_str(")")
}

impl<T: Real> AlphaCut<T> {
    /// Both bounds in scientific notation with `digits` significant digits, rounded outward.
    ///
    /// ```
    /// use fuzzion::arithmetic::AlphaCut;
    /// assert_eq!(AlphaCut { lower: 2e-9 / 3.0, upper: 1.0 / 3.0 }.format_scientific(3), ["6.66e-10", "3.34e-1"]);
    /// assert_eq!(AlphaCut { lower: -2.0, upper: f64::INFINITY }.format_fixed(2), ["-2.00", "inf"]);
    /// ```
    pub fn format_scientific(self, digits: usize) -> [String; 2] {
        [(self.lower, false), (self.upper, true)]
            .map(|(bound, up)| decimal::to_scientific_outward(bound.to_f64(), digits, up))
    }

    /// Both bounds with `places` decimal places, rounded inward, for exact bounds that have at most this number of decimal
    /// places; see [`Expr::decimal_places`](crate::arithmetic::Expr::decimal_places).
    pub fn format_inward(self, places: usize) -> [String; 2] {
        [(self.lower, true), (self.upper, false)]
            .map(|(bound, up)| decimal::to_fixed_outward(bound.to_f64(), places, up))
    }

    /// Both bounds with `places` decimal places, rounded outward.
    pub fn format_fixed(self, places: usize) -> [String; 2] {
        [(self.lower, false), (self.upper, true)]
            .map(|(bound, up)| decimal::to_fixed_outward(bound.to_f64(), places, up))
    }
}

/// Parses an array of numbers with `cuts` cuts.
fn parse<A: HostColumn>(cuts: usize, texts: &[impl AsRef<str>]) -> Result<A> {
    let mut array = A::zeros(cuts, texts.len())?;
    for (index, text) in texts.iter().enumerate() {
        let text = text.as_ref();
        parse_literal(text)
            .and_then(|literal| {
                array.set_literal(index, &literal).map_err(|error| literal.error(text, error))
            })
            .map_err(|SyntaxError { problem, text, column }| ArithmeticError::InvalidNumber {
                location: format!("number {}", index + 1),
                number: index,
                problem,
                text,
                column,
            })?;
    }
    Ok(array)
}

impl<T: Element> LuArray<T> {
    /// Parses fuzzy numbers such as `tri(1, 2, 3)`, `[1, 3]` or `0.1`, each with `cuts` cuts.
    ///
    /// ```
    /// use fuzzion::arithmetic::LuArray;
    /// let prices = LuArray::<f64>::parse(3, &["tri(1, 2, 3)", "[4, 5]", "6"])?;
    /// assert_eq!(prices.text(0), "cuts([1, 3], [1.5, 2.5], [2, 2])");
    /// assert_eq!((prices.text(1), prices.text(2)), ("[4, 5]".into(), "6".into()));
    /// let wrong = LuArray::<f64>::parse(3, &["6", "tri(1, 3, 2)"]).unwrap_err().to_string();
    /// assert!(wrong.starts_with("number 2: tri: `right` is 2, but it must be at least `top`; "));
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if `cuts` is 0, [`ArithmeticError::InvalidNumber`] for the first text that is not a fuzzy number.
    pub fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
        parse(cuts, texts)
    }

    /// Text of the number at `index`, as [`FuzzyLu`] formats it; parses back to the same number.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn text(&self, index: usize) -> String {
        let mut text = String::new();
        write_cuts(&mut text, self.cuts(), |i| self.cut(index, i), None).expect(STRING_INVARIANT);
        text
    }
}

impl<T: Midpoint<R>, R: Element> MrArray<T, R> {
    /// Parses fuzzy numbers as [`LuArray::parse`]; `mid(2, 1, 0)` is read without conversion to bounds.
    ///
    /// # Errors
    /// Same as [`LuArray::parse`].
    pub fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
        parse(cuts, texts)
    }

    /// Text of the number at `index`, as [`FuzzyMr`] formats it; parses back to the same number.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn text(&self, index: usize) -> String {
        let mut text = String::new();
        let radii = (0..self.cuts()).map(|i| self.radius(index, i));
        write_ball(&mut text, self.midpoint(index), radii).expect(STRING_INVARIANT);
        text
    }
}
