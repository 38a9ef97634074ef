//! Comparison of arrays, element by element; see [`Relation`] and [`Distance`].

use super::element::Element;
use super::fuzzy_array::FuzzyArray;
use super::lu_array::LuArray;
use super::operations::common_len;
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::compare::{self, CutOf, Distance, Relation};
use crate::arithmetic::number::defuzzify;
use crate::device::Device;

/// Numbers per task.
const CHUNK: usize = 4096;

impl<T: Element> LuArray<T> {
    /// Possibility of the relation for each pair of numbers, on the CPU; an array of length 1 is broadcast. See
    /// [`FuzzyLu::possibility`](crate::arithmetic::FuzzyLu::possibility).
    ///
    /// ```
    /// use fuzzion::{Device, arithmetic::{LuArray, Relation}};
    /// let demand = LuArray::<f64>::parse(5, &["tri(0, 2, 4)", "tri(5, 6, 7)"])?;
    /// let stock = LuArray::parse(5, &["tri(-1, 1, 3)"])?;
    /// assert_eq!(demand.possibility(Relation::LessOrEqual, &stock, &Device::cpu()?)?, [0.75, 0.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ArithmeticError::ArrayLengths`] or [`ArithmeticError::ArrayCuts`] if the arrays are not compatible.
    pub fn possibility(&self, relation: Relation, other: &Self, device: &Device) -> Result<Vec<f64>> {
        self.compare(other, device, |a, b| compare::possibility(self.cuts(), relation, a, b))
    }

    /// Necessity of the relation for each pair of numbers; see [`possibility`](Self::possibility) and
    /// [`FuzzyLu::necessity`](crate::arithmetic::FuzzyLu::necessity).
    ///
    /// # Errors
    /// Same as [`possibility`](Self::possibility).
    pub fn necessity(&self, relation: Relation, other: &Self, device: &Device) -> Result<Vec<f64>> {
        self.compare(other, device, |a, b| compare::necessity(self.cuts(), relation, a, b))
    }

    /// Distance of each pair of numbers; see [`possibility`](Self::possibility) and
    /// [`FuzzyLu::distance`](crate::arithmetic::FuzzyLu::distance).
    ///
    /// # Errors
    /// Same as [`possibility`](Self::possibility).
    pub fn distance(&self, other: &Self, distance: Distance, device: &Device) -> Result<Vec<f64>> {
        self.compare(other, device, |a, b| compare::distance_between(self.cuts(), distance, a, b))
    }

    /// Membership of each value in the number at the same index; a single number or value is broadcast. See
    /// [`FuzzyLu::membership`](crate::arithmetic::FuzzyLu::membership).
    ///
    /// ```
    /// let number = fuzzion::arithmetic::LuArray::<f64>::parse(3, &["tri(1, 2, 4)"])?;
    /// assert_eq!(number.membership(&[0.9, 1.25, 2.0])?, [0.0, 0.25, 1.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ArithmeticError::ArrayLengths`] if the lengths are not compatible.
    pub fn membership(&self, values: &[T]) -> Result<Vec<f64>> {
        let (first, second) = (self.len(), values.len());
        if first != second && first != 1 && second != 1 {
            return Err(ArithmeticError::ArrayLengths { first, second });
        }
        let len = if first == 1 { second } else { first };
        let membership = |i: usize| {
            let (number, value) = (if first == 1 { 0 } else { i }, values[if second == 1 { 0 } else { i }]);
            defuzzify::membership(self.cuts(), |cut| self.cut_at(number, cut), value)
        };
        Ok((0..len).map(membership).collect())
    }

    /// Compares each pair of numbers.
    fn compare(
        &self,
        other: &Self,
        device: &Device,
        compare: impl Fn(CutOf<'_, T>, CutOf<'_, T>) -> f64 + Sync,
    ) -> Result<Vec<f64>> {
        let mut results = vec![0.0; common_len(&[self, other])?];
        device.host_cpu().fill_chunks(&mut results, 1, CHUNK, |first, results| {
            for (i, result) in results.iter_mut().enumerate() {
                let [a, b] = [self, other].map(|array| (array, if array.len() == 1 { 0 } else { first + i }));
                *result = compare(&|cut| a.0.cut_at(a.1, cut), &|cut| b.0.cut_at(b.1, cut));
            }
        });
        Ok(results)
    }
}
