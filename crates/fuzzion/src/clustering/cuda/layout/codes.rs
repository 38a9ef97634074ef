//! Values of kernel constants.

use crate::clustering::prototypes::MembershipRule;

/// Exponent 1/(m−1) of r, for the fuzzifiers that need no logarithm and for all others; the values match the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::clustering) enum Power {
    Any = 0,
    One = 1,
    Half = 2,
    Two = 3,
    Four = 4,
}

impl Power {
    pub(in crate::clustering) fn of(fuzzifier: f64) -> Self {
        match fuzzifier {
            2.0 => Power::One,
            3.0 => Power::Half,
            1.5 => Power::Two,
            1.25 => Power::Four,
            _ => Power::Any,
        }
    }
}

/// Value of `RULE` in the kernels.
pub(in crate::clustering) fn rule_code(rule: &MembershipRule) -> u32 {
    match rule {
        MembershipRule::Fuzzy { .. } => 0,
        MembershipRule::Gaussian { .. } => 1,
        MembershipRule::Hard => 2,
        MembershipRule::Noise { .. } => 3,
        MembershipRule::Possibilistic { .. } => 4,
        MembershipRule::Mixed { .. } => 5,
    }
}
