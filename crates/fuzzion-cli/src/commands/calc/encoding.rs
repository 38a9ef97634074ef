//! The encodings of fuzzy numbers as this command needs them.

use super::Task;
use fuzzion::arithmetic::{Cut, Defuzzifier, LuArray, MrArray};
use fuzzion::{Device, Progress, Result};

/// Many fuzzy numbers in one encoding.
pub(super) trait Encoding: Sized {
    /// `lu` or `mr`.
    const NAME: &'static str;
    /// `f32`, `f64` or `mixed`.
    const PRECISION: &'static str;
    fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self>;
    /// The values of the task's formula for these columns.
    fn apply(task: &Task, columns: &[(&str, &Self)], device: &Device, progress: Progress<'_>)
    -> Result<Self>;
    /// Cut `i` of a number.
    fn cut(&self, number: usize, i: usize) -> Cut<f64>;
    /// A number as text that reads back.
    fn text(&self, number: usize) -> String;
    fn centroids(&self) -> Vec<Option<f64>>;
}

macro_rules! encoding {
    ($type:ty, $name:literal, $precision:literal) => {
        impl Encoding for $type {
            const NAME: &'static str = $name;
            const PRECISION: &'static str = $precision;
            fn parse(cuts: usize, texts: &[impl AsRef<str>]) -> Result<Self> {
                <$type>::parse(cuts, texts)
            }
            fn apply(
                task: &Task,
                columns: &[(&str, &Self)],
                device: &Device,
                progress: Progress<'_>,
            ) -> Result<Self> {
                task.expr.apply(columns, task.cuts, task.method, device, progress)
            }
            fn cut(&self, number: usize, i: usize) -> Cut<f64> {
                let cut = <$type>::cut(self, number, i);
                Cut { lower: cut.lower.into(), upper: cut.upper.into() }
            }
            fn text(&self, number: usize) -> String {
                <$type>::text(self, number)
            }
            fn centroids(&self) -> Vec<Option<f64>> {
                self.defuzzify(Defuzzifier::Centroid)
            }
        }
    };
}

encoding!(LuArray<f32>, "lu", "f32");
encoding!(LuArray<f64>, "lu", "f64");
encoding!(MrArray<f32>, "mr", "f32");
encoding!(MrArray<f64>, "mr", "f64");
encoding!(MrArray<f64, f32>, "mr", "mixed");
