//! `.fis`, the files of MATLAB's Fuzzy Logic Toolbox.
//!
//! Sections `[System]`, `[Input1]`, `[Output1]`, `[Rules]` of lines `Key=value`; a rule is a row of numbers, such as
//! `1 -2, 3 (1) : 2`: input 1 is set 1 or (`: 2`; `: 1` is and) input 2 is not set 2, then output 1 is set 3, weight 1. A
//! 0 leaves the variable out. After the point stands a hedge: .01 seldom, .05 somewhat, .2 very, .3 extremely, .4 very
//! very, .99 any.
//!
//! | MATLAB | here |
//! |---|---|
//! | trimf, trapmf, pimf, smf, zmf | Triangle, Trapezoid, PiShape, SShape, ZShape |
//! | gaussmf \[σ c\], gauss2mf \[σ₁ c₁ σ₂ c₂\] | Gaussian, GaussianProduct |
//! | gbellmf \[width slope center\] | Bell |
//! | sigmf \[slope c\], dsigmf, psigmf \[slope₁ c₁ slope₂ c₂\] | Sigmoid, SigmoidDifference, SigmoidProduct |
//! | linsmf \[a b\], linzmf \[a b\] | Ramp from a to b, from b to a |
//! | constant, linear | Constant, Linear |

mod read;
mod rules;
mod write;

use crate::sets::{SNorm, TNorm};

const T_NORMS: [(&str, TNorm); 2] = [("min", TNorm::Minimum), ("prod", TNorm::AlgebraicProduct)];
const S_NORMS: [(&str, SNorm); 3] =
    [("max", SNorm::Maximum), ("probor", SNorm::AlgebraicSum), ("sum", SNorm::UnboundedSum)];
