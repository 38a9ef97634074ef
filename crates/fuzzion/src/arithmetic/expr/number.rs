//! One fuzzy number whose number of cuts is known only when the program runs, with the bits of [`FuzzyLu`] and
//! [`FuzzyMr`].
//!
//! [`FuzzyLu`]: crate::arithmetic::FuzzyLu

use super::evaluate::Algebra;
use super::{Binary, Unary};
use crate::arithmetic::cut::Cut;
use crate::arithmetic::mr::FuzzyMr;
use crate::arithmetic::rounding::{Holds, Real};

/// The cuts of a number, support first.
#[derive(Clone, Debug)]
pub struct LuNumber<T>(pub(super) Vec<Cut<T>>);

/// The midpoint and the radii of a number, that of the support first.
#[derive(Clone, Debug)]
pub struct MrNumber<T, R> {
    pub(super) midpoint: T,
    pub(super) radii: Vec<R>,
}

/// Cuts from the support inwards; what sticks out of the cut before is left out.
fn nested<T: Real>(cuts: impl Iterator<Item = Cut<T>>) -> Vec<Cut<T>> {
    cuts.scan(Cut::UNBOUNDED, |outer, cut| {
        *outer = outer.intersection(cut);
        Some(*outer)
    })
    .collect()
}

impl<T: Real> Algebra for LuNumber<T> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        LuNumber(nested(self.0.iter().map(|cut| cut.unary(operation))))
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        LuNumber(nested(self.0.iter().zip(&other.0).map(|(a, b)| a.binary(operation, b))))
    }

    fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        let cuts = self.0.iter().zip(&factor.0).zip(&addend.0);
        LuNumber(nested(cuts.map(|((a, b), c)| a.mul_add(b, c))))
    }
}

impl<T: Holds<R>, R: Real> MrNumber<T, R> {
    /// Cut `i` as a number of one cut.
    fn one(&self, i: usize) -> FuzzyMr<T, 1, R> {
        FuzzyMr::new(self.midpoint, [self.radii[i]]).unwrap_or_else(|_| FuzzyMr::unbounded()) // it is a number
    }

    /// Cut by cut, for what does not look at other cuts. The midpoint depends on midpoints alone.
    fn each(&self, f: impl Fn(usize) -> FuzzyMr<T, 1, R>) -> Self {
        let radii = (0..self.radii.len()).map(|i| f(i).radii()[0]).collect();
        MrNumber { midpoint: f(0).midpoint(), radii }
    }

    /// The least radii around `midpoint` that hold what `operation` makes of the bounds, equation (11).
    fn around(&self, midpoint: T, operation: Unary) -> Self {
        if !midpoint.is_finite() {
            return MrNumber { midpoint: T::ZERO, radii: vec![R::INFINITY; self.radii.len()] };
        }
        let cuts = nested((0..self.radii.len()).map(|i| self.one(i).support().unary(operation)));
        let radius = |cut: Cut<T>| cut.upper.sub_up(midpoint).greater(midpoint.sub_up(cut.lower)).narrow_up();
        MrNumber { midpoint: midpoint.add_near(T::ZERO), radii: cuts.into_iter().map(radius).collect() }
    }
}

impl<T: Holds<R>, R: Real> Algebra for MrNumber<T, R> {
    #[allow(private_interfaces)]
    fn unary(&self, operation: Unary) -> Self {
        match operation {
            Unary::Exp => self.around(self.midpoint.exp_bounds().0, operation),
            Unary::Log => self.around(self.midpoint.log_bounds().0, operation),
            Unary::Sqrt if self.midpoint < T::ZERO => self.around(T::ZERO, operation),
            Unary::Sqrt => {
                let mut root = self.each(|i| self.one(i).sqrt());
                for i in 1..root.radii.len() {
                    root.radii[i] = root.radii[i - 1].lesser(root.radii[i]);
                }
                root
            }
            _ => self.each(|i| self.one(i).unary(operation)),
        }
    }

    #[allow(private_interfaces)]
    fn binary(&self, operation: Binary, other: &Self) -> Self {
        self.each(|i| self.one(i).binary(operation, &other.one(i)))
    }

    fn mul_add(&self, factor: &Self, addend: &Self) -> Self {
        self.each(|i| self.one(i).mul_add(&factor.one(i), &addend.one(i)))
    }
}
