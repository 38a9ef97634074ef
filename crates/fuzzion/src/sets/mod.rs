//! Fuzzy sets of numbers, and what is done with their memberships.
//!
//! A fuzzy set gives every x a membership μ(x) from 0 to its height (1 unless set). [`Set`] is one of a closed
//! list of [`Shape`]s, so that it can be packed for a GPU; names, parameter order and edges are fuzzylite's.
//!
//! | rise and fall | bumps | steps and slopes | Takagi-Sugeno |
//! |---|---|---|---|
//! | Triangle, Trapezoid, Rectangle, PiShape, Discrete | Gaussian, GaussianProduct, Bell, Cosine, Spike, SemiEllipse, SigmoidDifference, SigmoidProduct | Ramp, Sigmoid, SShape, ZShape, Arc, Concave, Binary | Constant, Linear, Function |
//!
//! Edges: a vertical edge is closed (the point on it has the higher membership; SShape, PiShape and Arc, whose
//! lower end comes first, are open there); a NaN x has membership NaN; beyond a bounded shape it is 0.
//! Where fuzzylite's formula has no value the limit is taken: a width of 0 is a single point, a Ramp without
//! width a closed step upwards, a Sigmoid without slope ½ at the infinities too. A Trapezoid whose plateau is turned
//! inside out (b > c) is the minimum of its edges, as in MATLAB; fuzzylite 8 lets the left edge run up to b.
//!
//! μ_{A∩B} = T(μ_A, μ_B) with a [`TNorm`], μ_{A∪B} = S(μ_A, μ_B) with an [`SNorm`], and [`complement`] 1 − μ. (1)
//!
//! μ_α = {x : μ(x) ≥ α}, the [α-cut](Set::alpha_cut); the [support](Set::support) is where μ > 0, closed, and the
//! [core](Set::core) where μ reaches the height, usually 1. (2)
//!
//! The [Tsukamoto inverse](Set::tsukamoto) of a monotone shape is the x with μ(x) = w. (3)
//!
//! Sources: L. A. Zadeh, *Fuzzy sets*, Information and Control 8, 1965; E. P. Klement, R. Mesiar, E. Pap,
//! *Triangular Norms*, Kluwer, 2000; J. Rada-Vilela, *The fuzzylite libraries for fuzzy logic control*, 2018
//! (the names and the order of parameters).
//!
//! ```
//! use fuzzion::sets::{Hedge, SNorm, Set, TNorm};
//!
//! let warm = Set::triangle(15.0, 22.0, 29.0)?;
//! let hot = Set::ramp(25.0, 35.0)?;
//! let (w, h) = (warm.membership(28.0), hot.membership(28.0)); // 1/7 and 3/10
//! assert_eq!(TNorm::Minimum.apply(w, h), w);
//! assert_eq!(SNorm::Maximum.apply(w, Hedge::Very.apply(h)), w); // 1/7 against 9/100
//! # Ok::<(), fuzzion::Error>(())
//! ```

pub(crate) mod bench;
mod check;
mod constructors;
mod cpu;
mod cuda;
mod cuts;
pub(crate) mod device;
pub mod expression;
mod formulas;
mod hedges;
mod hills;
pub(crate) mod lines;
mod norms;
pub(crate) mod samples;
pub(crate) mod selftest;
mod set;
mod shape;
mod textbook;

pub(crate) use cpu::whole_power;
pub use cuts::Cut;
pub use hedges::{Hedge, complement};
pub use norms::{SNorm, TNorm};
pub use set::Set;
pub use shape::Shape;

#[cfg(test)]
mod tests;
