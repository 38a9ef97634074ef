//! The window pixels that a system's inputs read.

use crate::inference::System;
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::quoted;

/// Neighbors in a 3 × 3 window in clockwise order, with their offsets in columns and rows.
pub(crate) const NEIGHBORS: [(&str, (isize, isize)); 8] = [
    ("nw", (-1, -1)),
    ("n", (0, -1)),
    ("ne", (1, -1)),
    ("e", (1, 0)),
    ("se", (1, 1)),
    ("s", (0, 1)),
    ("sw", (-1, 1)),
    ("w", (-1, 0)),
];

const VALID_NAMES: &str = "`c`, or `d_` or `p_` followed by nw, n, ne, e, se, s, sw or w (3 × 3 window) or by 00 to 44 \
                           (row and column in a 5 × 5 window)";

/// The pixel that an input reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tap {
    /// Offset in columns.
    pub dx: isize,
    /// Offset in rows.
    pub dy: isize,
    /// Whether the center is subtracted.
    pub difference: bool,
}

impl Tap {
    /// Whether the input reads the center pixel.
    pub(crate) fn is_center(self) -> bool {
        self == Tap { dx: 0, dy: 0, difference: false }
    }
}

/// The window of a system, with one tap per input.
#[derive(Clone, Debug)]
pub struct Window {
    pub taps: Vec<Tap>,
    /// Distance from the center to the edge of the window: 0, 1 or 2.
    pub(crate) radius: usize,
}

impl Window {
    pub fn new(system: &System) -> Result<Self> {
        let error = |name: &str, problem: String| {
            Err(InferenceError::InvalidSystem { location: format!("input {}", quoted(name)), problem })
        };
        let mut taps = Vec::new();
        let mut first: Option<(&str, usize)> = None;
        for input in &system.inputs {
            let name = input.name.as_str();
            let Some((tap, radius)) = parse_tap(name) else {
                return error(name, format!("is not a window pixel; use {VALID_NAMES}"));
            };
            match first {
                Some((other, first_radius)) if radius > 0 && first_radius != radius => {
                    let problem = format!(
                        "belongs to a different window than {}; use names of only one window, 3 × 3 or 5 × 5",
                        quoted(other)
                    );
                    return error(name, problem);
                }
                None if radius > 0 => first = Some((name, radius)),
                _ => {}
            }
            taps.push(tap);
        }
        Ok(Window { taps, radius: first.map_or(0, |(_, radius)| radius) })
    }
}

/// Parses an input's name; returns the tap and the radius of its window.
fn parse_tap(name: &str) -> Option<(Tap, usize)> {
    if name == "c" {
        return Some((Tap { dx: 0, dy: 0, difference: false }, 0));
    }
    let (difference, position) = match name.split_once('_')? {
        ("d", position) => (true, position),
        ("p", position) => (false, position),
        _ => return None,
    };
    if let Some((_, (dx, dy))) = NEIGHBORS.iter().find(|(known, _)| *known == position) {
        return Some((Tap { dx: *dx, dy: *dy, difference }, 1));
    }
    let offset = |digit: u8| (b'0'..=b'4').contains(&digit).then(|| isize::from(digit - b'0') - 2);
    match position.as_bytes() {
        [row, column] => Some((Tap { dx: offset(*column)?, dy: offset(*row)?, difference }, 2)),
        _ => None,
    }
}
