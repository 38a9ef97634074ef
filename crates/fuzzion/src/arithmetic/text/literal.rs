//! Literals of fuzzy numbers: `tri(1, 2, 3)`, `[1, 3]`, `0.1`.
//!
//! | Literal | Meaning |
//! |---|---|
//! | `2`, `-1.5e3`, `0.1` | crisp number; enclosed by its two neighbors if it is not representable |
//! | `[1, 3]` | interval, identical at all levels |
//! | `tri(1, 2, 3)`, `trap(1, 2, 3, 4)`, `gauss(5, 0.5)`, `bell(5, 1, 2)` | the shapes of [`FuzzyLu`](crate::arithmetic::FuzzyLu) |
//! | `cuts([1, 3], [2, 2])` | bounds of every cut, support first, as shortest decimals of f64 values; rounded outward in f32 |
//! | `mid(2, 1, 0)` | midpoint and the radii of all cuts, support first, in the same notation |
//!
//! Infinite bounds are `inf` and `-inf`.

use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::check_cuts;
use crate::arithmetic::number::mr::check_radii;
use crate::arithmetic::number::shapes;
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::arithmetic::text::decimal;
use crate::base::{SettingError, SyntaxError};
use crate::sets::expression::{Token, TokenStream, error_at};

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

/// Shapes by name with their parameters; empty if the number of parameters depends on the number of cuts.
const NAMES: [(&str, Kind, &[&str]); 6] = [
    ("tri", Kind::Tri, &["left", "top", "right"]),
    ("trap", Kind::Trap, &["bottom left", "top left", "top right", "bottom right"]),
    ("gauss", Kind::Gauss, &["mean", "standard deviation"]),
    ("bell", Kind::Bell, &["center", "width", "slope"]),
    ("cuts", Kind::Cuts, &[]),
    ("mid", Kind::Mid, &[]),
];

/// Source text of a number and its byte offset; for a bound of a cut, the byte offset of the cut.
#[derive(Clone, Debug, PartialEq)]
struct NumberText {
    text: String,
    at: usize,
}

/// Parsed literal: its kind, the source text of its numbers, and its position.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::arithmetic) struct Literal {
    kind: Kind,
    numbers: Vec<NumberText>,
    /// Byte offset of the first character.
    pub(in crate::arithmetic) at: usize,
    /// Byte offset of the next token.
    end: usize,
}

/// Number with an optional sign.
fn signed_number(tokens: &mut TokenStream<'_>) -> Result<NumberText, SyntaxError> {
    let at = tokens.lookahead.1;
    let sign = match tokens.lookahead.0 {
        Token::Operator(sign @ ("+" | "-")) => {
            tokens.take()?;
            sign
        }
        _ => "",
    };
    match tokens.take()? {
        (Token::Number { text, .. } | Token::Name(text @ "inf"), _) => {
            Ok(NumberText { text: format!("{sign}{text}"), at })
        }
        (Token::Name(name), at) if name.eq_ignore_ascii_case("nan") => {
            let problem = format!("`{name}` is not a number; write a number such as `2` or `-1.5e3`");
            Err(tokens.error(at, problem))
        }
        (_, at) => Err(tokens.error(at, "expected a number")),
    }
}

/// Comma-separated numbers up to the closing token.
fn number_list(
    tokens: &mut TokenStream<'_>,
    close: Token<'_>,
    close_text: &str,
) -> Result<Vec<NumberText>, SyntaxError> {
    let mut numbers = Vec::new();
    loop {
        numbers.push(signed_number(tokens)?);
        if tokens.take_if(close)? {
            return Ok(numbers);
        }
        if !tokens.take_if(Token::Comma)? {
            return Err(tokens.error_here(format!("expected `,` or `{close_text}`")));
        }
    }
}

impl Literal {
    /// Whether `name` starts a literal.
    pub(in crate::arithmetic) fn is_name(name: &str) -> bool {
        NAMES.iter().any(|(known, ..)| *known == name)
    }

    /// Crisp number from its source text.
    pub(in crate::arithmetic) fn number(text: &str, at: usize) -> Self {
        Literal {
            kind: Kind::Number,
            numbers: vec![NumberText { text: text.into(), at }],
            at,
            end: at + text.len(),
        }
    }

    /// Interval whose `[` has been consumed.
    pub(in crate::arithmetic) fn interval(
        tokens: &mut TokenStream<'_>,
        at: usize,
    ) -> Result<Self, SyntaxError> {
        let numbers = number_list(tokens, Token::CloseBracket, "]")?;
        if numbers.len() != 2 {
            return Err(tokens.error(at, format!("an interval takes two bounds, not {}", numbers.len())));
        }
        Literal { kind: Kind::Interval, numbers, at, end: tokens.lookahead.1 }.validated(tokens)
    }

    /// Shape whose name has been consumed.
    pub(in crate::arithmetic) fn shape(
        tokens: &mut TokenStream<'_>,
        name: &str,
        at: usize,
    ) -> Result<Self, SyntaxError> {
        let Some(&(_, kind, parameters)) = NAMES.iter().find(|(known, ..)| *known == name) else {
            let known: Vec<String> = NAMES.iter().map(|(known, ..)| format!("`{known}`")).collect();
            let problem = format!("`{name}` is not a fuzzy number; available shapes: {}", known.join(", "));
            return Err(tokens.error(at, problem));
        };
        if !tokens.take_if(Token::Open)? {
            return Err(tokens.error_here(format!("expected `(` after `{name}`")));
        }
        let numbers = match kind {
            Kind::Cuts => Self::intervals(tokens)?,
            _ => number_list(tokens, Token::Close, ")")?,
        };
        match (parameters.len(), numbers.len()) {
            (0, 1) => Err(tokens.error(at, "`mid` takes a midpoint and at least one radius")),
            (expected, given) if expected > 0 && expected != given => {
                Err(tokens.error(at, format!("`{name}` takes {expected} numbers, not {given}")))
            }
            _ => Literal { kind, numbers, at, end: tokens.lookahead.1 }.validated(tokens),
        }
    }

    /// `[l, u], [l, u], …)`.
    fn intervals(tokens: &mut TokenStream<'_>) -> Result<Vec<NumberText>, SyntaxError> {
        let mut numbers = Vec::new();
        loop {
            let (open, at) = tokens.take()?;
            if open != Token::OpenBracket {
                return Err(tokens.error(at, "expected `[`; write a cut as `[lower, upper]`"));
            }
            let bounds = number_list(tokens, Token::CloseBracket, "]")?;
            if bounds.len() != 2 {
                return Err(tokens.error(at, format!("a cut takes two bounds, not {}", bounds.len())));
            }
            numbers.extend(bounds.into_iter().map(|bound| NumberText { at, ..bound }));
            if tokens.take_if(Token::Close)? {
                return Ok(numbers);
            }
            if !tokens.take_if(Token::Comma)? {
                return Err(tokens.error_here("expected `,` or `)`"));
            }
        }
    }

    /// Validates the parameters, so that errors have a position; uses the literal's own number of cuts.
    fn validated(self, tokens: &TokenStream<'_>) -> Result<Self, SyntaxError> {
        let count = match self.kind {
            Kind::Cuts => self.numbers.len() / 2,
            Kind::Mid => self.numbers.len() - 1,
            _ => 1,
        };
        match self.fill(&mut vec![AlphaCut::<f64>::UNBOUNDED; count]) {
            Err(error) => Err(self.error(tokens.text(), error)),
            Ok(()) => Ok(self),
        }
    }

    /// Source text of the literal within `text`; `None` for a crisp number.
    pub(in crate::arithmetic) fn source<'a>(&self, text: &'a str) -> Option<&'a str> {
        let source = text.get(self.at..self.end).map(str::trim_end);
        source.filter(|_| self.kind != Kind::Number)
    }

    /// Adds the position of the offending number or cut in `text` to an error.
    pub(in crate::arithmetic) fn error(&self, text: &str, error: ArithmeticError) -> SyntaxError {
        let parameters =
            NAMES.iter().find(|(_, kind, _)| *kind == self.kind).map_or(&[][..], |named| named.2);
        let number = match &error {
            ArithmeticError::Setting(SettingError::OutOfRange { name, .. }) => {
                parameters.iter().position(|known| known == name)
            }
            ArithmeticError::InvalidCut { cut, .. } if self.kind == Kind::Cuts => Some(2 * cut),
            ArithmeticError::InvalidRadius { midpoint, cut, .. } => {
                Some(if midpoint.is_finite() { 1 + cut } else { 0 })
            }
            _ => None,
        };
        let source = number.and_then(|number| self.numbers.get(number));
        error_at(text, source.map_or(self.at, |source| source.at), error.to_string())
    }

    /// Fills `cuts` (at least one) with cuts that enclose the literal.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`], [`ArithmeticError::InvalidCut`] or [`ArithmeticError::InvalidRadius`] for invalid parameters, and
    /// [`ArithmeticError::CutCount`] if the literal has a different number of cuts.
    pub(in crate::arithmetic) fn fill<T: Real>(&self, cuts: &mut [AlphaCut<T>]) -> Result<()> {
        let at = |i: usize| parse_decimal::<T>(&self.numbers[i]);
        match self.kind {
            Kind::Number => cuts.fill(at(0)),
            Kind::Interval => {
                let (lower, upper) = (at(0).lower, at(1).upper);
                check_cuts(&[lower], &[upper])?;
                cuts.fill(AlphaCut::new(lower, upper));
            }
            Kind::Tri => fill_nested(cuts, shapes::triangular([at(0), at(1), at(2)])?),
            Kind::Trap => fill_nested(cuts, shapes::trapezoidal([at(0), at(1), at(2), at(3)])?),
            Kind::Gauss => fill_nested(cuts, shapes::gaussian([at(0), at(1)])?),
            Kind::Bell => fill_nested(cuts, shapes::bell([at(0), at(1), at(2)])?),
            Kind::Cuts => {
                let bounds: Vec<AlphaCut<T>> = self.numbers.iter().map(parse_bound).collect();
                let lower = one_per_cut(bounds.iter().step_by(2).map(|bound| bound.lower), cuts.len())?;
                let upper =
                    one_per_cut(bounds.iter().skip(1).step_by(2).map(|bound| bound.upper), cuts.len())?;
                check_cuts(&lower, &upper)?;
                fill_nested(cuts, |i, _| AlphaCut::new(lower[i], upper[i]));
            }
            Kind::Mid => {
                let (midpoint, radii) = self.midpoint_and_radii::<T, T>(cuts.len())?;
                fill_nested(cuts, |i, _| {
                    AlphaCut::new(midpoint.sub_down(radii[i]), midpoint.add_up(radii[i]))
                });
            }
        }
        Ok(())
    }

    /// Number of decimal places of the exact bounds of cut `cut` of `cuts`; `None` if they are not decimal numbers.
    pub(in crate::arithmetic) fn decimal_places(&self, cut: usize, cuts: usize) -> Option<usize> {
        let places = self.numbers.iter().map(|number| decimal::places(&number.text));
        let places = places.collect::<Option<Vec<usize>>>()?.into_iter().max()?;
        match self.kind {
            Kind::Number | Kind::Interval => Some(places),
            Kind::Tri | Kind::Trap => {
                // α = cut / (cuts − 1)
                let steps = cuts.checked_sub(1).filter(|steps| *steps > 0).unwrap_or(1) as u64;
                let alpha = (0..=6).find(|d| (cut as u64 * 10u64.pow(*d)).is_multiple_of(steps))?;
                Some(places + alpha as usize)
            }
            // The numbers of `cuts` and `mid` are the nearest floating-point numbers.
            Kind::Gauss | Kind::Bell | Kind::Cuts | Kind::Mid => None,
        }
    }

    /// Midpoint and radii of a `mid` literal; `None` for other kinds.
    ///
    /// # Errors
    /// Same as [`Literal::fill`].
    pub(in crate::arithmetic) fn as_ball<T: WidensFrom<R>, R: Real>(
        &self,
        cuts: usize,
    ) -> Result<Option<(T, Vec<R>)>> {
        if self.kind == Kind::Mid { self.midpoint_and_radii(cuts).map(Some) } else { Ok(None) }
    }

    fn midpoint_and_radii<T: WidensFrom<R>, R: Real>(&self, cuts: usize) -> Result<(T, Vec<R>)> {
        let (first, rest) = self.numbers.split_at(1); // `shape` has checked that there are at least two numbers
        let (midpoint, enclosure) =
            (parse_nearest::<T>(&first[0]).add_near(T::ZERO), parse_bound::<T>(&first[0]));
        let midpoint_error: R =
            enclosure.upper.sub_up(midpoint).greater(midpoint.sub_up(enclosure.lower)).narrow_up();
        let radii = one_per_cut(rest.iter().map(|radius| parse_bound::<R>(radius).upper), cuts)?;
        check_radii(midpoint, &radii)?;
        Ok((midpoint, radii.into_iter().map(|radius| radius.add_up(midpoint_error)).collect()))
    }
}

/// Sets each cut to `make(i, n)` intersected with the previous cut, from the support inward.
fn fill_nested<T: Real>(cuts: &mut [AlphaCut<T>], make: impl Fn(usize, usize) -> AlphaCut<T>) {
    let (n, mut outer) = (cuts.len(), AlphaCut::UNBOUNDED);
    for (i, cut) in cuts.iter_mut().enumerate() {
        outer = outer.intersection(make(i, n));
        *cut = outer;
    }
}

/// Floating-point number nearest to a decimal number.
fn parse_nearest<T: Real>(source: &NumberText) -> T {
    source.text.parse().ok().expect("invariant: the lexer accepts only strings that parse as numbers")
}

/// Smallest enclosure of a decimal number.
fn parse_decimal<T: Real>(source: &NumberText) -> AlphaCut<T> {
    decimal::enclosing(&source.text).expect("invariant: the lexer accepts only strings that parse as numbers")
}

/// Enclosure of the f64 whose shortest decimal is given; a number with more digits than any f64 needs is enclosed as a
/// decimal number.
fn parse_bound<T: Real>(source: &NumberText) -> AlphaCut<T> {
    const MAX_DIGITS: usize = 17;
    let text = source.text.as_str();
    let mantissa = text.split_once(['e', 'E']).map_or(text, |(mantissa, _)| mantissa);
    let digits = mantissa.chars().filter(char::is_ascii_digit).skip_while(|digit| *digit == '0').count();
    if digits > MAX_DIGITS {
        return parse_decimal(source);
    }
    let double: f64 = parse_nearest(source);
    AlphaCut { lower: T::from_f64_down(double), upper: T::from_f64_up(double) }
}

/// One number per cut; a single number is repeated.
fn one_per_cut<T: Real>(numbers: impl ExactSizeIterator<Item = T> + Clone, cuts: usize) -> Result<Vec<T>> {
    match numbers.len() {
        1 => Ok(numbers.cycle().take(cuts).collect()),
        given if given == cuts => Ok(numbers.collect()),
        given => Err(ArithmeticError::CutCount { given, wanted: cuts }),
    }
}
