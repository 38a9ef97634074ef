//! Image borders.

use super::pixel::Pixel;
use crate::base::{SettingError, unknown_name};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Pixels beyond the border of an image.
///
/// ```
/// use fuzzion::inference::image::Border;
/// assert_eq!("reflect".parse(), Ok(Border::Reflect));
/// assert_eq!("128".parse(), Ok(Border::Constant(128.0)));
/// assert!("256".parse::<Border>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Border {
    /// The nearest pixel: `a a | a b c | c c`.
    #[default]
    Replicate,
    /// The image mirrored at its outermost pixels: `c b | a b c | b a`.
    Reflect,
    /// A brightness from 0 to 255, rounded to the image's bit depth.
    Constant(f64),
}

impl Border {
    /// Index to read for position `at` in a row or column of length `n`; `None` for the constant.
    pub(super) fn index(self, at: isize, n: usize) -> Option<usize> {
        let last = n as isize - 1;
        if (0..=last).contains(&at) {
            return Some(at as usize);
        }
        match self {
            Border::Replicate => Some(at.clamp(0, last) as usize),
            Border::Reflect if last == 0 => Some(0),
            Border::Reflect => {
                let at = at.rem_euclid(2 * last);
                Some(at.min(2 * last - at) as usize)
            }
            Border::Constant(_) => None,
        }
    }

    /// The constant pixel beyond the border.
    pub(crate) fn constant<P: Pixel>(self) -> P {
        match self {
            Border::Constant(value) => P::from_value((f64::from(P::SCALE) * value + 0.5) as u32),
            _ => P::default(), // not used
        }
    }
}

impl fmt::Display for Border {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Border::Replicate => f.write_str("replicate"),
            Border::Reflect => f.write_str("reflect"),
            Border::Constant(value) => write!(f, "{value}"),
        }
    }
}

impl FromStr for Border {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "replicate" => Ok(Border::Replicate),
            "reflect" => Ok(Border::Reflect),
            number => match number.parse() {
                Ok(value) if (0.0..=255.0).contains(&value) => Ok(Border::Constant(value)),
                _ => {
                    let known = ["replicate", "reflect", "a brightness from 0 to 255"];
                    Err(unknown_name("border", text, &known))
                }
            },
        }
    }
}
