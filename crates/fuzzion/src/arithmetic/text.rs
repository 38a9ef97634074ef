//! Fuzzy numbers to text and back.

use super::cut::Cut;
use super::decimal;
use super::literal::{Literal, Words};
use super::lu::FuzzyLu;
use super::mr::FuzzyMr;
use super::rounding::{Holds, Real};
use crate::error::{Error, Result};
use crate::sets::expression::error_at;
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
        literal.cuts().map_err(|error| error_at(text, literal.at, error.to_string()))
    }
}

/// As for [`FuzzyLu`]; `mid(2, 1, 0)` is taken as it is.
impl<T: Holds<R>, R: Real, const N: usize> FromStr for FuzzyMr<T, N, R> {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let literal = read(text)?;
        literal.ball().map_err(|error| error_at(text, literal.at, error.to_string()))
    }
}

/// The shortest digits that read back as the number.
struct Digits<T>(T);

impl<T: Real> fmt::Display for Digits<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs().to_f64();
        let plain = size == 0.0 || size == f64::INFINITY || (1e-5..1e16).contains(&size);
        if plain { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
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
        let (places, core) = (f.precision(), self.core());
        let shown = |cut: Cut<T>| match places {
            Some(places) => {
                let bound = |value: T, up: bool| decimal::outward(value.to_f64(), places, up);
                format!("[{}, {}]", bound(cut.lower, false), bound(cut.upper, true))
            }
            None => format!("[{}, {}]", Digits(cut.lower), Digits(cut.upper)),
        };
        let exact = reads_back(core.lower) && reads_back(core.upper);
        if self.support() == core && (exact || places.is_some()) {
            return match places {
                None if core.lower == core.upper => write!(f, "{}", Digits(core.lower)),
                _ => f.write_str(&shown(core)),
            };
        }
        let cuts: Vec<String> = (0..N).map(|i| shown(self.cut(i))).collect();
        write!(f, "cuts({})", cuts.join(", "))
    }
}

/// `mid(2, 1, 0)`: the midpoint and the radii.
impl<T: Holds<R>, R: Real, const N: usize> fmt::Display for FuzzyMr<T, N, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mid({}", Digits(self.midpoint()))?;
        self.radii().iter().try_for_each(|radius| write!(f, ", {}", Digits(*radius)))?;
        f.write_str(")")
    }
}
