//! Arrays in the midpoint-radius encoding.

use super::element::{Element, LANES};
use super::fuzzy_array::{ArrayShape, FuzzyArray, array_accessors, check_cut_count, check_index};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::mr::FuzzyMr;
use crate::arithmetic::rounding::WidensFrom;
use crate::device::Aligned;
use std::fmt;

/// Array of fuzzy numbers in the midpoint-radius encoding, all with the same number of cuts; see [`FuzzyMr`].
///
/// Like [`LuArray`](super::LuArray), in little more than half the memory.
///
/// ```
/// use fuzzion::arithmetic::MrArray;
/// let device = fuzzion::Device::cpu()?;
/// let x = MrArray::<f64, f32>::parse(2, &["mid(2, 1, 0.5)", "3"])?;
/// let product = x.mul(&x, &device)?;
/// assert_eq!((product.midpoint(0), product.radius(0, 0)), (4.0, 5.0)); // 2·2·1 + 1²
/// assert_eq!(product.dot(&x, &device)?.midpoint(0), 35.0); // 4·2 + 9·3
/// # Ok::<(), fuzzion::Error>(())
/// ```
pub struct MrArray<T, R = T> {
    cuts: usize,
    len: usize,
    /// One midpoint per number.
    midpoints: Aligned<T>,
    /// Per block and cut: the radii.
    radii: Aligned<R>,
}

array_accessors!(<T: Element, WidensFrom<R>; R: Element> MrArray<T, R>);

impl<T: Element + WidensFrom<R>, R: Element> MrArray<T, R> {
    /// Creates an array from single numbers.
    pub fn from_numbers<const N: usize>(numbers: &[FuzzyMr<T, N, R>]) -> Self {
        let mut array = Self::zeroed(N, numbers.len());
        for (at, number) in numbers.iter().enumerate() {
            array.midpoints[at] = number.midpoint();
            for (i, radius) in number.radii().iter().enumerate() {
                let offset = array.offset(at, i);
                array.radii[offset] = *radius;
            }
        }
        array
    }

    /// The number at `index`.
    ///
    /// # Errors
    /// [`ArithmeticError::CutCount`] if the array does not have N cuts.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn number<const N: usize>(&self, index: usize) -> Result<FuzzyMr<T, N, R>> {
        check_index(index, self.len);
        match self.cuts == N {
            true => FuzzyMr::new(
                self.midpoints[index],
                std::array::from_fn(|i| self.radii[self.offset(index, i)]),
            ),
            false => Err(ArithmeticError::CutCount { given: self.cuts, wanted: N }),
        }
    }

    /// Midpoint of the number at `index`.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn midpoint(&self, index: usize) -> T {
        check_index(index, self.len);
        self.midpoints[index]
    }

    /// Radius of cut `i` of the number at `index`; the radius of the core if i ≥ `cuts()`.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn radius(&self, index: usize, i: usize) -> R {
        check_index(index, self.len);
        self.radii[self.offset(index, i.min(self.cuts - 1))]
    }

    /// Array of `len` zeros with `cuts` ≥ 1 cuts.
    pub(in crate::arithmetic) fn zeroed(cuts: usize, len: usize) -> Self {
        let padded = len.div_ceil(LANES) * LANES;
        MrArray { cuts, len, midpoints: Aligned::zeros(padded), radii: Aligned::zeros(padded * cuts) }
    }

    /// Sets the number at `index` to a midpoint and nested radii.
    pub(in crate::arithmetic) fn set_ball(&mut self, index: usize, midpoint: T, radii: &[R]) {
        self.midpoints[index] = midpoint;
        for (i, radius) in radii.iter().enumerate() {
            let offset = self.offset(index, i);
            self.radii[offset] = *radius;
        }
    }

    fn offset(&self, index: usize, i: usize) -> usize {
        (index / LANES * self.cuts + i) * LANES + index % LANES
    }

    /// The midpoints, [`LANES`] per block, and the radii, [`LANES`] per block and cut.
    pub(in crate::arithmetic) fn planes(&self) -> (&[T], &[R]) {
        (&self.midpoints, &self.radii)
    }

    /// Mutable version of [`MrArray::planes`].
    pub(in crate::arithmetic) fn planes_mut(&mut self) -> (&mut [T], &mut [R]) {
        (&mut self.midpoints, &mut self.radii)
    }
}

impl<T: Element + WidensFrom<R>, R: Element> FuzzyArray for MrArray<T, R> {
    type Bound = T;
    fn zeros(cuts: usize, len: usize) -> Result<Self> {
        check_cut_count(cuts)?;
        Ok(Self::zeroed(cuts, len))
    }
    fn cut_at(&self, index: usize, i: usize) -> AlphaCut<T> {
        let (midpoint, radius) = (self.midpoint(index), T::widen(self.radius(index, i)));
        AlphaCut::new(midpoint.sub_down(radius), midpoint.add_up(radius))
    }
    /// The midpoint is the midpoint of the core, Equation (11).
    fn set_cuts(&mut self, index: usize, mut cut: impl FnMut(usize) -> AlphaCut<T>) {
        check_index(index, self.len);
        let mut outer = AlphaCut::UNBOUNDED;
        let cuts: Vec<AlphaCut<T>> = (0..self.cuts)
            .map(|i| {
                outer = outer.intersection(cut(i));
                outer
            })
            .collect();
        let midpoint = if outer.is_bounded() { outer.midpoint() } else { T::ZERO };
        self.midpoints[index] = midpoint;
        for (i, cut) in cuts.iter().enumerate() {
            let radius = cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)).narrow_up();
            let offset = self.offset(index, i);
            // Without a bounded core, the whole number is unbounded.
            self.radii[offset] = if outer.is_bounded() { radius.add_near(R::ZERO) } else { R::INFINITY };
        }
    }
}

impl<T: Element, R: Element> Clone for MrArray<T, R> {
    fn clone(&self) -> Self {
        let (midpoints, radii) = (self.midpoints.clone(), self.radii.clone());
        MrArray { cuts: self.cuts, len: self.len, midpoints, radii }
    }
}

impl<T: Element + WidensFrom<R>, R: Element> fmt::Debug for MrArray<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MrArray of {} numbers with {} cuts", self.len, self.cuts)
    }
}
