//! A common interface to the encodings of fuzzy numbers.

use fuzzion::arithmetic::{AlphaCut, Evaluation, Expr, LuArray, MrArray, NumberDefuzzifier};
use fuzzion::{Device, Result};

/// An array of fuzzy numbers.
pub(super) trait Encoding: Sized {
    /// `lu` or `mr`.
    const NAME: &'static str;
    /// `f32`, `f64` or `mixed`.
    const PRECISION: &'static str;
    fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self>;
    /// Evaluates a formula for the given columns.
    fn apply(
        expr: &Expr,
        columns: &[(&str, &Self)],
        cuts: usize,
        method: Evaluation,
        device: &Device,
    ) -> Result<Self>;
    /// Sum of all numbers.
    fn sum(&self, device: &Device) -> Result<Self>;
    /// Cut `i` of a number.
    fn cut(&self, number: usize, i: usize) -> AlphaCut<f64>;
    /// A number as text that can be parsed again.
    fn text(&self, number: usize) -> String;
    fn centroids(&self) -> Vec<Option<f64>>;
}

macro_rules! encoding {
    ($type:ty, $name:literal, $precision:literal) => {
        impl Encoding for $type {
            const NAME: &'static str = $name;
            const PRECISION: &'static str = $precision;
            fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
                Ok(<$type>::parse(cuts, texts)?)
            }
            fn apply(
                expr: &Expr,
                columns: &[(&str, &Self)],
                cuts: usize,
                method: Evaluation,
                device: &Device,
            ) -> Result<Self> {
                Ok(expr.apply(columns, cuts, method, device)?)
            }
            fn sum(&self, device: &Device) -> Result<Self> {
                Ok(<$type>::sum(self, device)?)
            }
            fn cut(&self, number: usize, i: usize) -> AlphaCut<f64> {
                let cut = <$type>::cut(self, number, i);
                AlphaCut { lower: cut.lower.into(), upper: cut.upper.into() }
            }
            fn text(&self, number: usize) -> String {
                <$type>::text(self, number)
            }
            fn centroids(&self) -> Vec<Option<f64>> {
                self.defuzzify(NumberDefuzzifier::Centroid)
            }
        }
    };
}

encoding!(LuArray<f32>, "lu", "f32");
encoding!(LuArray<f64>, "lu", "f64");
encoding!(MrArray<f32>, "mr", "f32");
encoding!(MrArray<f64>, "mr", "f64");
encoding!(MrArray<f64, f32>, "mr", "mixed");
