//! The encodings and precisions in which a formula is evaluated.

use crate::api::ApiError;
use fuzzion::Device;
use fuzzion::arithmetic::{
    AlphaCut, ArithmeticError, Column, Evaluation, Expr, LuArray, MrArray, NumberDefuzzifier,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Encoding, precision and method, by their names on the command line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Setting {
    pub(super) encoding: String,
    pub(super) precision: String,
    pub(super) method: String,
}

impl Default for Setting {
    fn default() -> Self {
        Setting::new("lu", "f64", Evaluation::Direct)
    }
}

/// The cuts of a fuzzy number, support first, its text and its centroid.
pub(super) struct Number {
    pub(super) cuts: Vec<AlphaCut<f64>>,
    pub(super) text: String,
    pub(super) centroid: Option<f64>,
}

/// An array of fuzzy numbers in one encoding.
trait Encoding: Column + Sized {
    fn parse(cuts: usize, text: &str) -> Result<Self, ArithmeticError>;
    /// The first number.
    fn number(&self) -> Number;
}

macro_rules! encoding {
    ($($type:ty),+) => {
        $(impl Encoding for $type {
            fn parse(cuts: usize, text: &str) -> Result<Self, ArithmeticError> {
                <$type>::parse(cuts, &[text])
            }
            fn number(&self) -> Number {
                let cut = |i| {
                    let cut = self.cut(0, i);
                    AlphaCut { lower: cut.lower.into(), upper: cut.upper.into() }
                };
                Number {
                    cuts: (0..self.cuts()).map(cut).collect(),
                    text: self.text(0),
                    centroid: self.defuzzify(NumberDefuzzifier::Centroid)[0],
                }
            }
        })+
    };
}

encoding!(LuArray<f32>, LuArray<f64>, MrArray<f32>, MrArray<f64>, MrArray<f64, f32>);

/// Calls a generic function with the type of a setting.
macro_rules! with_type {
    ($setting:expr, $function:ident($($argument:expr),*)) => {
        match ($setting.encoding.as_str(), $setting.precision.as_str()) {
            ("lu", "f32") => $function::<LuArray<f32>>($($argument),*),
            ("lu", _) => $function::<LuArray<f64>>($($argument),*),
            (_, "f32") => $function::<MrArray<f32>>($($argument),*),
            (_, "mixed") => $function::<MrArray<f64, f32>>($($argument),*),
            _ => $function::<MrArray<f64>>($($argument),*),
        }
    };
}

fn parse<A: Encoding>(text: &str, cuts: usize) -> Result<Number, ArithmeticError> {
    Ok(<A as Encoding>::parse(cuts, text)?.number())
}

/// Evaluates a formula; values of other variables than its own are not read.
fn evaluate<A: Encoding>(
    expr: &Expr,
    values: &[(&str, &str)],
    cuts: usize,
    method: Evaluation,
    device: &Device,
) -> Result<Number, ArithmeticError> {
    let is_used = |name: &str| expr.variables().iter().any(|variable| variable == name);
    let mut columns: Vec<(&str, A)> = Vec::new();
    for (name, text) in values.iter().filter(|(name, _)| is_used(name)) {
        columns.push((name, <A as Encoding>::parse(cuts, text)?));
    }
    let columns: Vec<(&str, &A)> = columns.iter().map(|(name, column)| (*name, column)).collect();
    Ok(expr.apply(&columns, cuts, method, device)?.number())
}

impl Setting {
    pub(super) fn new(encoding: &str, precision: &str, method: Evaluation) -> Self {
        Setting { encoding: encoding.into(), precision: precision.into(), method: method.name().into() }
    }

    /// Checks the names.
    pub(super) fn check(&self) -> Result<(), ApiError> {
        let Setting { encoding, precision, method } = self;
        match (encoding.as_str(), precision.as_str()) {
            ("lu", "f32" | "f64") | ("mr", "f32" | "f64" | "mixed") => {}
            ("lu", "mixed") => {
                return Err(ApiError::new("the precision mixed requires the encoding mr; choose f64 or mr"));
            }
            _ => {
                return Err(ApiError::new(format!(
                    "unknown encoding `{encoding}` or precision `{precision}`; use lu or mr, and f32, f64 or mixed"
                )));
            }
        }
        let known: Result<Evaluation, _> = method.parse();
        known.map(drop).map_err(|error| ApiError::new(error.to_string()))
    }

    /// The method; the name was checked.
    pub(super) fn method(&self) -> Evaluation {
        self.method.parse().unwrap_or_default()
    }

    /// Parses a fuzzy number.
    pub(super) fn parse(&self, text: &str, cuts: usize) -> Result<Number, ArithmeticError> {
        with_type!(self, parse(text, cuts))
    }

    /// Evaluates a formula for named values.
    pub(super) fn evaluate(
        &self,
        expr: &Expr,
        values: &[(&str, &str)],
        cuts: usize,
        device: &Device,
    ) -> Result<Number, ArithmeticError> {
        with_type!(self, evaluate(expr, values, cuts, self.method(), device))
    }
}

impl Number {
    /// Mean of the widths of the cuts.
    pub(super) fn mean_width(&self) -> f64 {
        self.cuts.iter().map(|cut| cut.width()).sum::<f64>() / self.cuts.len() as f64
    }

    /// Width of each cut relative to that of `reference`, as the command line prints it.
    pub(super) fn relative_widths(&self, reference: &Number) -> impl Iterator<Item = Value> {
        self.cuts.iter().zip(&reference.cuts).map(|(cut, reference)| {
            let (width, reference) = (cut.upper - cut.lower, reference.upper - reference.lower);
            json_number(if width == reference { 1.0 } else { width / reference })
        })
    }
}

/// A number as JSON; infinite ones are texts.
pub(super) fn json_number(x: f64) -> Value {
    if x.is_infinite() { json!(x.to_string()) } else { json!(x) }
}
