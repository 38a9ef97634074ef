//! Serialization of fuzzy numbers: bounds as pairs [lower, upper], support first. Numbers that are not representable in
//! `f32` are rounded outward.

use crate::arithmetic::array::{Element, FuzzyArray, LuArray, Midpoint, MrArray};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::expr::Expr;
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::{FuzzyLu, check_cuts};
use crate::arithmetic::number::mr::{FuzzyMr, check_radii};
use crate::arithmetic::rounding::{Real, WidensFrom};
use crate::sets::SerializedNumber;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Lower and upper bound.
type Bounds = [SerializedNumber; 2];

/// A fuzzy number in the midpoint-radius encoding.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ball {
    midpoint: SerializedNumber,
    radii: Vec<SerializedNumber>,
}

/// An array of numbers of type `N`. The number of cuts is stored separately, so that an empty array keeps it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbers<N> {
    cuts: usize,
    numbers: Vec<N>,
}

fn bounds<T: Real>(cut: AlphaCut<T>) -> Bounds {
    [cut.lower, cut.upper].map(|bound| SerializedNumber(bound.to_f64()))
}

fn ball<T: Real, R: Real>(midpoint: T, radii: impl Iterator<Item = R>) -> Ball {
    let radii = radii.map(|radius| SerializedNumber(radius.to_f64())).collect();
    Ball { midpoint: SerializedNumber(midpoint.to_f64()), radii }
}

fn check_count(given: usize, wanted: usize) -> Result<()> {
    if given == wanted { Ok(()) } else { Err(ArithmeticError::CutCount { given, wanted }) }
}

/// The cuts of a number with `count` cuts.
fn cuts_from<T: Real>(bounds: &[Bounds], count: usize) -> Result<Vec<AlphaCut<T>>> {
    check_count(bounds.len(), count)?;
    let [lower, upper] = [0, 1].map(|end| bounds.iter().map(|bounds| bounds[end].0).collect::<Vec<f64>>());
    check_cuts(&lower, &upper)?;
    let cuts = lower.iter().zip(&upper);
    Ok(cuts.map(|(l, u)| AlphaCut::new(T::from_f64_down(*l), T::from_f64_up(*u))).collect())
}

/// The midpoint and the radii of a number with `count` cuts.
fn ball_from<T: WidensFrom<R>, R: Real>(ball: &Ball, count: usize) -> Result<(T, Vec<R>)> {
    check_count(ball.radii.len(), count)?;
    let radii: Vec<f64> = ball.radii.iter().map(|radius| radius.0).collect();
    check_radii(ball.midpoint.0, &radii)?;
    let midpoint = T::from_f64_down(ball.midpoint.0);
    let rounding: R = T::from_f64_up(ball.midpoint.0).sub_up(midpoint).narrow_up();
    Ok((midpoint, radii.into_iter().map(|radius| R::from_f64_up(radius).add_up(rounding)).collect()))
}

/// Adds the index of an array element to an error.
fn located<E: serde::de::Error>(index: usize) -> impl Fn(ArithmeticError) -> E {
    move |error| E::custom(format!("number {}: {error}", index + 1))
}

impl<T: Real> Serialize for AlphaCut<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        bounds(*self).serialize(serializer)
    }
}

impl<'de, T: Real> Deserialize<'de> for AlphaCut<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bounds = Bounds::deserialize(deserializer)?;
        Ok(cuts_from(&[bounds], 1).map_err(D::Error::custom)?[0])
    }
}

impl<T: Real, const N: usize> Serialize for FuzzyLu<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((0..N).map(|i| bounds(self.cut(i))))
    }
}

impl<'de, T: Real, const N: usize> Deserialize<'de> for FuzzyLu<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bounds = Vec::<Bounds>::deserialize(deserializer)?;
        let cuts = cuts_from(&bounds, N).map_err(D::Error::custom)?;
        Ok(FuzzyLu::from_fn(|i| cuts[i]))
    }
}

impl<T: WidensFrom<R>, R: Real, const N: usize> Serialize for FuzzyMr<T, N, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ball(self.midpoint(), self.radii().iter().copied()).serialize(serializer)
    }
}

impl<'de, T: WidensFrom<R>, R: Real, const N: usize> Deserialize<'de> for FuzzyMr<T, N, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ball = Ball::deserialize(deserializer)?;
        let number = ball_from(&ball, N)
            .and_then(|(midpoint, radii)| FuzzyMr::new(midpoint, std::array::from_fn(|i| radii[i])));
        number.map_err(D::Error::custom)
    }
}

impl<T: Element> Serialize for LuArray<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |index: usize| (0..self.cuts()).map(|i| bounds(self.cut(index, i))).collect::<Vec<_>>();
        Numbers { cuts: self.cuts(), numbers: (0..self.len()).map(number).collect() }.serialize(serializer)
    }
}

impl<'de, T: Element> Deserialize<'de> for LuArray<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Numbers { cuts, numbers } = Numbers::<Vec<Bounds>>::deserialize(deserializer)?;
        let mut array = Self::zeros(cuts, numbers.len()).map_err(D::Error::custom)?;
        for (index, number) in numbers.iter().enumerate() {
            let number = cuts_from(number, cuts).map_err(located(index))?;
            array.set_cuts(index, |i| number[i]);
        }
        Ok(array)
    }
}

impl<T: Midpoint<R>, R: Element> Serialize for MrArray<T, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number =
            |index: usize| ball(self.midpoint(index), (0..self.cuts()).map(|i| self.radius(index, i)));
        Numbers { cuts: self.cuts(), numbers: (0..self.len()).map(number).collect() }.serialize(serializer)
    }
}

impl<'de, T: Midpoint<R>, R: Element> Deserialize<'de> for MrArray<T, R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Numbers { cuts, numbers } = Numbers::<Ball>::deserialize(deserializer)?;
        let mut array = Self::zeros(cuts, numbers.len()).map_err(D::Error::custom)?;
        for (index, number) in numbers.iter().enumerate() {
            let (midpoint, radii) = ball_from(number, cuts).map_err(located(index))?;
            array.set_ball(index, midpoint, &radii);
        }
        Ok(array)
    }
}

impl TryFrom<String> for Expr {
    type Error = ArithmeticError;
    fn try_from(text: String) -> Result<Self> {
        Expr::new(&text)
    }
}

impl From<Expr> for String {
    fn from(expr: Expr) -> Self {
        expr.to_string()
    }
}
