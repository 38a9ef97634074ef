//! Fuzzy sets, t-norms and s-norms, hedges, and α-cuts.
//!
//! A fuzzy set assigns every x a membership μ(x) between 0 and its height (1 by default). A [`Set`] has one of a
//! fixed list of [`Shape`]s, which can be compiled for a GPU. Names, parameter order and edges follow fuzzylite.
//!
//! | piecewise | bell-shaped | monotone | Takagi-Sugeno |
//! |---|---|---|---|
//! | Triangle, Trapezoid, Rectangle, PiShape, Discrete | Gaussian, GaussianProduct, Bell, Cosine, Spike, SemiEllipse, SigmoidDifference, SigmoidProduct | Ramp, Sigmoid, SShape, ZShape, Arc, Concave, Binary | Constant, Linear, Function |
//!
//! Edges: at a vertical edge, μ is the higher of the two memberships (the lower at a rising edge of SShape, PiShape and
//! Arc). μ(NaN) is NaN, and μ is 0 outside a bounded shape. Where fuzzylite's formula is undefined, the limit is used: a
//! shape of width 0 is a singleton, a Ramp of width 0 is a step that includes its edge, and a Sigmoid of slope 0 is ½
//! everywhere, including at ±∞. A Trapezoid with b > c is the minimum of its edges, as in MATLAB; in fuzzylite 8 the
//! left edge extends to b.
//!
//! μ_{A∩B} = T(μ_A, μ_B) with a [`TNorm`], μ_{A∪B} = S(μ_A, μ_B) with an [`SNorm`], and [`complement`] 1 − μ. (1)
//!
//! μ_α = {x : μ(x) ≥ α} is the [α-cut](Set::alpha_cut); the [support](Set::support) is the closure of {x : μ(x) > 0},
//! and the [core](Set::core) is {x : μ(x) ≥ height}. (2)
//!
//! The [Tsukamoto inverse](Set::tsukamoto) of a monotone shape is the x with μ(x) = w. (3)
//!
//! Sources: L. A. Zadeh, *Fuzzy sets*, Information and Control 8, 1965; E. P. Klement, R. Mesiar, E. Pap,
//! *Triangular Norms*, Kluwer, 2000; J. Rada-Vilela, *The fuzzylite libraries for fuzzy logic control*, 2018
//! (names and parameter order).
//!
//! ```
//! use fuzzion::sets::{Hedge, SNorm, Set, TNorm};
//!
//! let warm = Set::triangle(15.0, 22.0, 29.0)?;
//! let hot = Set::ramp(25.0, 35.0)?;
//! let (w, h) = (warm.membership(28.0), hot.membership(28.0)); // 1/7 and 3/10
//! assert_eq!(TNorm::Minimum.apply(w, h), w);
//! assert_eq!(SNorm::Maximum.apply(w, Hedge::Very.apply(h)), w); // max(1/7, 9/100)
//! # Ok::<(), fuzzion::Error>(())
//! ```

mod cpu;
#[cfg(feature = "cuda")]
pub(crate) mod cuda;
pub(crate) mod error;
pub mod expression;
mod hedges;
mod interval;
mod norms;
mod number;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod samples;
mod set;
mod shape;
pub(crate) mod source;
#[cfg(any(test, feature = "internals"))]
pub(crate) mod textbook;

pub(crate) use cpu::integer_exponent;
pub use error::SetError;
pub use hedges::{Hedge, complement};
pub use interval::Interval;
pub use norms::{SNorm, TNorm};
pub(crate) use number::SerializedNumber;
pub(crate) use set::segments::Segment;
pub(crate) use set::serialized::SerializedSet;
pub use set::{Set, SetNumber};
pub use shape::Shape;

#[cfg(test)]
mod tests;
