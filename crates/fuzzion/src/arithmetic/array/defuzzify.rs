//! Defuzzification of arrays.

use super::element::Element;
use super::lu_array::LuArray;
use super::mr_array::MrArray;
use crate::arithmetic::number::defuzzify::{NumberDefuzzifier, defuzzified};
use crate::arithmetic::rounding::WidensFrom;

impl<T: Element> LuArray<T> {
    /// Defuzzified value of each number; see [`FuzzyLu::defuzzify`](crate::arithmetic::FuzzyLu::defuzzify).
    ///
    /// ```
    /// use fuzzion::arithmetic::{LuArray, NumberDefuzzifier};
    /// let x = LuArray::<f64>::parse(2, &["tri(0, 1, 5)", "[-inf, inf]"])?;
    /// assert_eq!(x.defuzzify(NumberDefuzzifier::Centroid), [Some(2.0), None]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    pub fn defuzzify(&self, defuzzifier: NumberDefuzzifier) -> Vec<Option<f64>> {
        let value = |number| defuzzified(self.cuts(), |i| self.cut(number, i), defuzzifier);
        (0..self.len()).map(value).collect()
    }
}

impl<T: Element + WidensFrom<R>, R: Element> MrArray<T, R> {
    /// Defuzzified value of each number, computed from its bounds; see [`FuzzyLu::defuzzify`](crate::arithmetic::FuzzyLu::defuzzify).
    pub fn defuzzify(&self, defuzzifier: NumberDefuzzifier) -> Vec<Option<f64>> {
        let value = |number| defuzzified(self.cuts(), |i| self.cut(number, i), defuzzifier);
        (0..self.len()).map(value).collect()
    }
}
