//! Parametric forms of tunable sets: ln μ and its derivatives for Equation (4).

use crate::data::encoded;
use crate::macros::named;
use serde::{Deserialize, Serialize};

named! {
    /// Parametric form of the tuned sets.
    ///
    /// ```
    /// use fuzzion::tuning::{Form, Tuner};
    /// assert_eq!(Tuner::grid(&[3]).form("two-sided".parse()?).form, Form::TwoSided);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[non_exhaustive]
    pub enum Form("set shape") {
        /// exp(−½((x − c)/w)²), parameters c, w.
        #[default]
        Gaussian = "gaussian",
        /// Gaussian sides with a flat top: parameters c₁, w₁ (left) and c₂, w₂ (right) with c₁ ≤ c₂.
        TwoSided = "two-sided",
        /// 1/(1 + |(x − c)/w|^2b), parameters c, w, b.
        Bell = "bell",
        /// Triangle, parameters left, top, right; supports least squares only.
        Triangle = "triangle",
        /// Trapezoid, parameters left foot, left and right end of the core, right foot; a side of width 0 is a shoulder
        /// that extends to infinity. Supports least squares only.
        Trapezoid = "trapezoid",
    }
}

encoded! { enum Form { 0 => Gaussian {}, 1 => TwoSided {}, 2 => Bell {}, 3 => Triangle {}, 4 => Trapezoid {} } }

/// Parameters of one set; unused entries are 0.
pub(in crate::tuning) type Parameters = [f64; 4];

impl Form {
    /// Number of parameters.
    pub(in crate::tuning) fn parameter_count(self) -> usize {
        match self {
            Form::Gaussian => 2,
            Form::Bell | Form::Triangle => 3,
            Form::TwoSided | Form::Trapezoid => 4,
        }
    }

    /// Whether sets of this form can be tuned by gradients.
    pub(in crate::tuning) fn is_differentiable(self) -> bool {
        !matches!(self, Form::Triangle | Form::Trapezoid)
    }

    /// Center and half width of a set, used as the local frame of a rule.
    pub(in crate::tuning) fn frame(self, p: &Parameters) -> (f64, f64) {
        match self {
            Form::Gaussian | Form::Bell => (p[0], p[1]),
            Form::TwoSided => (0.5 * (p[0] + p[2]), 0.5 * (p[1] + p[3] + (p[2] - p[0]))),
            Form::Triangle => (p[1], 0.5 * (p[2] - p[0])),
            Form::Trapezoid => {
                let (from, to) = trapezoid_core(p);
                (0.5 * (from + to), 0.5 * (to - from + 0.5 * (p[1] - p[0] + p[3] - p[2])))
            }
        }
    }

    /// ln μ(x); −∞ where μ is 0.
    pub(in crate::tuning) fn ln_membership(self, p: &Parameters, x: f64) -> f64 {
        match self {
            Form::Gaussian => {
                let z = (x - p[0]) / p[1];
                -0.5 * z * z
            }
            Form::TwoSided => {
                let (left, right) = ((x - p[0]).min(0.0) / p[1], (x - p[2]).max(0.0) / p[3]);
                -0.5 * (left * left + right * right)
            }
            Form::Bell => -((x - p[0]) / p[1]).abs().powf(2.0 * p[2]).ln_1p(),
            Form::Triangle => {
                let side = |from: f64| if from == p[1] { 1.0 } else { (x - from) / (p[1] - from) };
                side(p[0]).min(side(p[2])).clamp(0.0, 1.0).ln()
            }
            Form::Trapezoid => {
                let side = |from: f64, to: f64| if from == to { 1.0 } else { (x - from) / (to - from) };
                side(p[0], p[1]).min(side(p[3], p[2])).clamp(0.0, 1.0).ln()
            }
        }
    }

    /// ∂ln μ(x)/∂p for Equation (4); 0 for unused parameters.
    pub(in crate::tuning) fn ln_membership_gradient(self, p: &Parameters, x: f64) -> Parameters {
        match self {
            Form::Gaussian => {
                let z = (x - p[0]) / p[1];
                [z / p[1], z * z / p[1], 0.0, 0.0]
            }
            Form::TwoSided => {
                let (left, right) = ((x - p[0]).min(0.0) / p[1], (x - p[2]).max(0.0) / p[3]);
                [left / p[1], left * left / p[1], right / p[3], right * right / p[3]]
            }
            Form::Bell => {
                let z = (x - p[0]) / p[1];
                if z == 0.0 {
                    return [0.0; 4]; // top of the bell: the derivatives are 0 for b > ½ and undefined otherwise
                }
                let t = z.abs().powf(2.0 * p[2]);
                let s = if t.is_finite() { t / (1.0 + t) } else { 1.0 };
                [2.0 * p[2] * s / (x - p[0]), 2.0 * p[2] * s / p[1], -2.0 * s * z.abs().ln(), 0.0]
            }
            Form::Triangle | Form::Trapezoid => [0.0; 4],
        }
    }
}

/// Core of a trapezoid in scaled coordinates; that of a shoulder ends at the end of the input's range.
fn trapezoid_core(p: &Parameters) -> (f64, f64) {
    let from = if p[0] == p[1] { p[1].min(0.0) } else { p[1] };
    let to = if p[2] == p[3] { p[2].max(1.0) } else { p[2] };
    (from, to)
}
