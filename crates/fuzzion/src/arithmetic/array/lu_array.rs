//! Arrays in the lower-upper encoding.

use super::element::{Element, LANES};
use super::fuzzy_array::{ArrayShape, FuzzyArray, array_accessors, check_cut_count, check_index};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::FuzzyLu;
use crate::device::Aligned;
use std::fmt;

/// Array of fuzzy numbers in the lower-upper encoding, all with the same number of cuts; see [`FuzzyLu`].
///
/// Operations between arrays work element by element; an array of length 1 is broadcast.
///
/// ```
/// use fuzzion::arithmetic::{FuzzyLu, LuArray};
/// let numbers = [FuzzyLu::<f64, 2>::triangular(1.0, 2.0, 3.0)?, FuzzyLu::interval(0.5, 0.75)?];
/// let array = LuArray::from_numbers(&numbers);
/// assert_eq!((array.len(), array.cuts()), (2, 2));
/// assert_eq!(array.cut(0, 1).lower, 2.0);
/// assert_eq!(array.number::<2>(1)?, numbers[1]);
///
/// let device = fuzzion::Device::cpu()?;
/// let sum = array.sqr(&device)?.add(&array, &device)?.sum(&device)?; // Σ (x² + x)
/// assert_eq!((sum.len(), sum.cut(0, 0).lower, sum.cut(0, 0).upper), (1, 2.75, 13.3125));
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub struct LuArray<T> {
    cuts: usize,
    len: usize,
    /// Per block and cut: the lower bounds, then the upper bounds.
    bounds: Aligned<T>,
}

array_accessors!(<T: Element> LuArray<T>);

impl<T: Element> LuArray<T> {
    /// Creates an array from single numbers.
    pub fn from_numbers<const N: usize>(numbers: &[FuzzyLu<T, N>]) -> Self {
        let mut array = Self::zeroed(N, numbers.len());
        for (at, number) in numbers.iter().enumerate() {
            for i in 0..N {
                array.set_cut(at, i, number.cut(i));
            }
        }
        array
    }

    /// Creates an array of crisp numbers; see [`FuzzyLu::crisp`].
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if `cuts` is 0.
    pub fn crisp(cuts: usize, values: &[T]) -> Result<Self> {
        let mut array = Self::zeros(cuts, values.len())?;
        for (at, value) in values.iter().enumerate() {
            for i in 0..cuts {
                array.set_cut(at, i, AlphaCut::crisp(*value));
            }
        }
        Ok(array)
    }

    /// The number at `index`.
    ///
    /// # Errors
    /// [`ArithmeticError::CutCount`] if the array does not have N cuts.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn number<const N: usize>(&self, index: usize) -> Result<FuzzyLu<T, N>> {
        match self.cuts == N {
            true => Ok(FuzzyLu::from_fn(|i| self.cut(index, i))),
            false => Err(ArithmeticError::CutCount { given: self.cuts, wanted: N }),
        }
    }

    /// Array of `len` zeros with `cuts` ≥ 1 cuts.
    #[doc(hidden)]
    pub fn zeroed(cuts: usize, len: usize) -> Self {
        LuArray { cuts, len, bounds: Aligned::zeros(len.div_ceil(LANES) * LANES * 2 * cuts) }
    }

    fn offset(&self, index: usize, i: usize) -> usize {
        (index / LANES * self.cuts + i) * 2 * LANES + index % LANES
    }

    fn set_cut(&mut self, index: usize, i: usize, cut: AlphaCut<T>) {
        let offset = self.offset(index, i);
        (self.bounds[offset], self.bounds[offset + LANES]) = (cut.lower, cut.upper);
    }

    /// All planes: for each block and cut, [`LANES`] lower and [`LANES`] upper bounds.
    pub(in crate::arithmetic) fn bounds(&self) -> &[T] {
        &self.bounds
    }

    /// Mutable version of [`LuArray::bounds`].
    pub(in crate::arithmetic) fn bounds_mut(&mut self) -> &mut [T] {
        &mut self.bounds
    }
}

impl<T: Element> FuzzyArray for LuArray<T> {
    type Bound = T;
    fn zeros(cuts: usize, len: usize) -> Result<Self> {
        check_cut_count(cuts)?;
        Ok(Self::zeroed(cuts, len))
    }
    fn cut_at(&self, index: usize, i: usize) -> AlphaCut<T> {
        check_index(index, self.len);
        let offset = self.offset(index, i.min(self.cuts - 1));
        AlphaCut { lower: self.bounds[offset], upper: self.bounds[offset + LANES] }
    }
    fn set_cuts(&mut self, index: usize, mut cut: impl FnMut(usize) -> AlphaCut<T>) {
        check_index(index, self.len);
        let mut outer = AlphaCut::UNBOUNDED;
        for i in 0..self.cuts {
            outer = outer.intersection(cut(i));
            self.set_cut(index, i, outer);
        }
    }
}

impl<T: Element> Clone for LuArray<T> {
    fn clone(&self) -> Self {
        LuArray { cuts: self.cuts, len: self.len, bounds: self.bounds.clone() }
    }
}

impl<T: Element> fmt::Debug for LuArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LuArray of {} numbers with {} cuts", self.len, self.cuts)
    }
}
