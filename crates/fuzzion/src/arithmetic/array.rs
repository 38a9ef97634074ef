//! Many fuzzy numbers, laid out for vectors and GPUs alike.
//!
//! Numbers stand in blocks of [`LANES`], and a block holds *planes*: one bound of one cut of all its numbers, side by side.
//! Sixteen numbers are one or two vectors of a CPU and one or two memory transactions of half a warp, so that one layout
//! serves both; only what a block needs lies in it, cut after cut. The last block is filled up with zeros.

use super::cpu::{LuKernels, MrKernels};
use super::cut::Cut;
use super::lu::FuzzyLu;
use super::mr::FuzzyMr;
use super::rounding::{Holds, Real};
use crate::device::{Aligned, PLANE, cuda};
use crate::error::{Error, Result};
use std::fmt;

/// Numbers side by side in a block.
pub(super) const LANES: usize = PLANE;

/// A type of bounds that vectors and GPUs know: `f32` or `f64`.
///
/// The trait is sealed by living in a private module.
#[allow(private_bounds)] // it is out of reach
pub trait Element: Real + bytemuck::Pod + cuda::Element + LuKernels {}
impl Element for f32 {}
impl Element for f64 {}

/// A type of midpoints that goes with radii of type `R`: the same type, or `f64` with `f32`.
///
/// The trait is sealed by living in a private module.
#[allow(private_bounds)] // it is out of reach
pub trait Midpoint<R: Element>: Element + Holds<R> + MrKernels<R> {}
impl Midpoint<f32> for f32 {}
impl Midpoint<f64> for f64 {}
impl Midpoint<f32> for f64 {}

/// Fuzzy numbers by lower and upper bounds, each with the same number of cuts: many [`FuzzyLu`].
///
/// An operation between arrays works number by number; an array of one number goes with arrays of any length.
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
/// let sum = array.sqr(&device)?.add(&array, &device)?.sum(&device)?; // x² + x, all together
/// assert_eq!((sum.len(), sum.cut(0, 0).lower, sum.cut(0, 0).upper), (1, 2.75, 13.3125));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone)]
pub struct LuArray<T> {
    cuts: usize,
    len: usize,
    /// Of each block and cut the lower bounds, then the upper ones.
    bounds: Aligned<T>,
}

/// Fuzzy numbers by midpoint and radii, each with the same number of cuts: many [`FuzzyMr`].
///
/// As [`LuArray`], in little more than half of the memory.
#[derive(Clone)]
pub struct MrArray<T, R = T> {
    cuts: usize,
    len: usize,
    /// Of each block.
    midpoints: Aligned<T>,
    /// Of each block and cut.
    radii: Aligned<R>,
}

/// An array of fuzzy numbers: [`LuArray`] or [`MrArray`].
///
/// The trait is sealed by living in a private module.
pub(crate) trait Array: Clone + Send + Sync + fmt::Debug + Sized {
    /// The type of bounds.
    type Bound: Element;
    /// `len` times the number 0.
    ///
    /// # Errors
    /// [`Error::Parameter`] for no cuts.
    fn zeros(cuts: usize, len: usize) -> Result<Self>;
    /// How many numbers it holds.
    fn count(&self) -> usize;
    /// How many cuts each number has.
    fn depth(&self) -> usize;
    /// Cut `i` of number `number`, rounded outwards where it is not held as bounds.
    fn bounds_of(&self, number: usize, i: usize) -> Cut<Self::Bound>;
    /// Makes `number` the one with these cuts, from the support inwards; they are clipped to be nested.
    fn set_cuts(&mut self, number: usize, cut: impl FnMut(usize) -> Cut<Self::Bound>);
}

/// What both arrays tell of themselves.
macro_rules! array {
    (<$($parameter:ident: $bound:path $(, $and:path)?);*> $type:ty) => {
        impl<$($parameter: $bound $(+ $and)?),*> $type {
            /// How many numbers it holds.
            pub fn len(&self) -> usize {
                self.len
            }

            /// Whether it holds none.
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// How many cuts each number has.
            pub fn cuts(&self) -> usize {
                self.cuts
            }

            /// Cut `i` of number `number`, rounded outwards where it is not held as bounds; the core for an i beyond it.
            ///
            /// # Panics
            /// Where there is no such number, as a slice does.
            pub fn cut(&self, number: usize, i: usize) -> Cut<T> {
                self.bounds_of(number, i)
            }
        }
    };
}

array!(<T: Element> LuArray<T>);
array!(<T: Element, Holds<R>; R: Element> MrArray<T, R>);

fn check_cuts(cuts: usize) -> Result<()> {
    match cuts {
        0 => Err(Error::Parameter { algorithm: "array", name: "cuts", value: 0.0, must: "at least 1" }),
        _ => Ok(()),
    }
}

/// The numbers that `number` may be.
#[track_caller]
fn check_number(number: usize, len: usize) {
    assert!(number < len, "number {number} of an array of {len}");
}

impl<T: Element> LuArray<T> {
    /// The same numbers as an array.
    pub fn from_numbers<const N: usize>(numbers: &[FuzzyLu<T, N>]) -> Self {
        let mut array = Self::sized(N, numbers.len());
        for (at, number) in numbers.iter().enumerate() {
            for i in 0..N {
                array.put(at, i, number.cut(i));
            }
        }
        array
    }

    /// Plain numbers, each as [`FuzzyLu::crisp`].
    ///
    /// # Errors
    /// [`Error::Parameter`] for no cuts.
    pub fn crisp(cuts: usize, values: &[T]) -> Result<Self> {
        let mut array = Self::zeros(cuts, values.len())?;
        for (at, value) in values.iter().enumerate() {
            for i in 0..cuts {
                array.put(at, i, Cut::exactly(*value));
            }
        }
        Ok(array)
    }

    /// Number `number` by itself.
    ///
    /// # Errors
    /// [`Error::CutCount`] where it has not N cuts.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn number<const N: usize>(&self, number: usize) -> Result<FuzzyLu<T, N>> {
        match self.cuts == N {
            true => Ok(FuzzyLu::from_fn(|i| self.cut(number, i))),
            false => Err(Error::CutCount { given: self.cuts, wanted: N }),
        }
    }

    /// Sized for `len` numbers of at least one cut, all of them 0.
    pub(super) fn sized(cuts: usize, len: usize) -> Self {
        LuArray { cuts, len, bounds: Aligned::zeros(len.div_ceil(LANES) * LANES * 2 * cuts) }
    }

    fn at(&self, number: usize, i: usize) -> usize {
        (number / LANES * self.cuts + i) * 2 * LANES + number % LANES
    }

    fn put(&mut self, number: usize, i: usize, cut: Cut<T>) {
        let at = self.at(number, i);
        (self.bounds[at], self.bounds[at + LANES]) = (cut.lower, cut.upper);
    }

    /// All planes: for each block, for each cut, [`LANES`] lower and [`LANES`] upper bounds.
    pub(super) fn bounds(&self) -> &[T] {
        &self.bounds
    }

    /// As [`LuArray::bounds`].
    pub(super) fn bounds_mut(&mut self) -> &mut [T] {
        &mut self.bounds
    }
}

impl<T: Element> Array for LuArray<T> {
    type Bound = T;
    fn zeros(cuts: usize, len: usize) -> Result<Self> {
        check_cuts(cuts)?;
        Ok(Self::sized(cuts, len))
    }
    fn count(&self) -> usize {
        self.len
    }
    fn depth(&self) -> usize {
        self.cuts
    }
    fn bounds_of(&self, number: usize, i: usize) -> Cut<T> {
        check_number(number, self.len);
        let at = self.at(number, i.min(self.cuts - 1));
        Cut { lower: self.bounds[at], upper: self.bounds[at + LANES] }
    }
    fn set_cuts(&mut self, number: usize, mut cut: impl FnMut(usize) -> Cut<T>) {
        check_number(number, self.len);
        let mut outer = Cut::UNBOUNDED;
        for i in 0..self.cuts {
            outer = outer.intersection(cut(i));
            self.put(number, i, outer);
        }
    }
}

impl<T: Element + Holds<R>, R: Element> MrArray<T, R> {
    /// The same numbers as an array.
    pub fn from_numbers<const N: usize>(numbers: &[FuzzyMr<T, N, R>]) -> Self {
        let mut array = Self::sized(N, numbers.len());
        for (at, number) in numbers.iter().enumerate() {
            array.midpoints[at] = number.midpoint();
            for (i, radius) in number.radii().iter().enumerate() {
                let place = array.at(at, i);
                array.radii[place] = *radius;
            }
        }
        array
    }

    /// Number `number` by itself.
    ///
    /// # Errors
    /// [`Error::CutCount`] where it has not N cuts.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn number<const N: usize>(&self, number: usize) -> Result<FuzzyMr<T, N, R>> {
        check_number(number, self.len);
        match self.cuts == N {
            true => {
                FuzzyMr::new(self.midpoints[number], std::array::from_fn(|i| self.radii[self.at(number, i)]))
            }
            false => Err(Error::CutCount { given: self.cuts, wanted: N }),
        }
    }

    /// The midpoint of number `number`.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn midpoint(&self, number: usize) -> T {
        check_number(number, self.len);
        self.midpoints[number]
    }

    /// The radius of cut `i` of number `number`; that of the core for an i beyond it.
    ///
    /// # Panics
    /// Where there is no such number, as a slice does.
    pub fn radius(&self, number: usize, i: usize) -> R {
        check_number(number, self.len);
        self.radii[self.at(number, i.min(self.cuts - 1))]
    }

    /// Sized for `len` numbers of at least one cut, all of them 0.
    pub(super) fn sized(cuts: usize, len: usize) -> Self {
        let padded = len.div_ceil(LANES) * LANES;
        MrArray { cuts, len, midpoints: Aligned::zeros(padded), radii: Aligned::zeros(padded * cuts) }
    }

    /// Makes `number` the one with this midpoint and these radii, which are nested.
    pub(super) fn put_ball(&mut self, number: usize, midpoint: T, radii: &[R]) {
        self.midpoints[number] = midpoint;
        for (i, radius) in radii.iter().enumerate() {
            let at = self.at(number, i);
            self.radii[at] = *radius;
        }
    }

    fn at(&self, number: usize, i: usize) -> usize {
        (number / LANES * self.cuts + i) * LANES + number % LANES
    }

    /// For each block [`LANES`] midpoints; and for each block, for each cut, [`LANES`] radii.
    pub(super) fn planes(&self) -> (&[T], &[R]) {
        (&self.midpoints, &self.radii)
    }

    /// As [`MrArray::planes`].
    pub(super) fn planes_mut(&mut self) -> (&mut [T], &mut [R]) {
        (&mut self.midpoints, &mut self.radii)
    }
}

impl<T: Element + Holds<R>, R: Element> Array for MrArray<T, R> {
    type Bound = T;
    fn zeros(cuts: usize, len: usize) -> Result<Self> {
        check_cuts(cuts)?;
        Ok(Self::sized(cuts, len))
    }
    fn count(&self) -> usize {
        self.len
    }
    fn depth(&self) -> usize {
        self.cuts
    }
    fn bounds_of(&self, number: usize, i: usize) -> Cut<T> {
        let (midpoint, radius) = (self.midpoint(number), T::widen(self.radius(number, i)));
        Cut::new(midpoint.sub_down(radius), midpoint.add_up(radius))
    }
    /// The midpoint is that of the core, equation (11) of the room's door.
    fn set_cuts(&mut self, number: usize, mut cut: impl FnMut(usize) -> Cut<T>) {
        check_number(number, self.len);
        let mut outer = Cut::UNBOUNDED;
        let cuts: Vec<Cut<T>> = (0..self.cuts)
            .map(|i| {
                outer = outer.intersection(cut(i));
                outer
            })
            .collect();
        let midpoint = if outer.is_bounded() { outer.middle() } else { T::ZERO };
        self.midpoints[number] = midpoint;
        for (i, cut) in cuts.iter().enumerate() {
            let radius = cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)).narrow_up();
            let at = self.at(number, i);
            // What is known of a number without a core is nothing.
            self.radii[at] = if outer.is_bounded() { radius.add_near(R::ZERO) } else { R::INFINITY };
        }
    }
}

impl<T: Element> fmt::Debug for LuArray<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LuArray of {} numbers with {} cuts", self.len, self.cuts)
    }
}

impl<T: Element + Holds<R>, R: Element> fmt::Debug for MrArray<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MrArray of {} numbers with {} cuts", self.len, self.cuts)
    }
}
