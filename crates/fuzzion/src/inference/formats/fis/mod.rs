//! `.fis` files of the MATLAB Fuzzy Logic Toolbox.
//!
//! The sections `[System]`, `[Input1]`, `[Output1]` and so on contain lines `Key=value`. `[Rules]` contains one line of
//! set indices per rule: `1 -2, 3 (1) : 2` means if input 1 is set 1 or input 2 is not set 2, then output 1 is set 3, with
//! weight 1. The last number is 1 for `and` and 2 for `or`. Index 0 omits the variable, a negative index negates the set,
//! and a fractional part encodes a hedge: .01 seldom, .05 somewhat, .2 very, .3 extremely, .4 very very, .99 any.
//!
//! | MATLAB | Fuzzion |
//! |---|---|
//! | trimf, trapmf, pimf, smf, zmf | Triangle, Trapezoid, PiShape, SShape, ZShape |
//! | gaussmf \[σ c\], gauss2mf \[σ₁ c₁ σ₂ c₂\] | Gaussian, GaussianProduct |
//! | gbellmf \[width slope center\] | Bell |
//! | sigmf \[slope c\], dsigmf, psigmf \[slope₁ c₁ slope₂ c₂\] | Sigmoid, SigmoidDifference, SigmoidProduct |
//! | linsmf \[a b\], linzmf \[a b\] | Ramp from a to b, from b to a |
//! | constant, linear | Constant, Linear |

mod parser;
mod rule_parser;
mod token;
mod writer;

pub(in crate::inference) use parser::read;

use crate::sets::{SNorm, TNorm};

const T_NORMS: [(&str, TNorm); 2] = [("min", TNorm::Minimum), ("prod", TNorm::AlgebraicProduct)];
const S_NORMS: [(&str, SNorm); 3] =
    [("max", SNorm::Maximum), ("probor", SNorm::AlgebraicSum), ("sum", SNorm::UnboundedSum)];
