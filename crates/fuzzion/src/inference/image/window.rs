//! What a system's inputs read of the window round a pixel.

use crate::error::{Error, Result};
use crate::inference::System;
use crate::inference::text::shown;

/// The neighbors of a window of 3 × 3 clockwise, with what is added to column and row to get there.
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

const KNOWN: &str = "`c`, `d_` or `p_` with nw, n, ne, e, se, s, sw or w for a window of 3 × 3, or with 00 to 44 (row and \
                     column) for one of 5 × 5";

/// What an input reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tap {
    /// The pixel, by what is added to column and row.
    pub(crate) dx: isize,
    pub(crate) dy: isize,
    /// Whether the center is taken off.
    pub(crate) difference: bool,
}

impl Tap {
    /// Whether it reads the pixel itself.
    pub(crate) fn is_center(self) -> bool {
        self == Tap { dx: 0, dy: 0, difference: false }
    }
}

/// The window of a system: a tap for each input.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) taps: Vec<Tap>,
    /// How far it reaches from its center: 0, 1 or 2.
    pub(crate) radius: usize,
}

impl Window {
    pub(crate) fn of(system: &System) -> Result<Self> {
        let refuse = |name: &str, problem: String| {
            Err(Error::System { place: format!("input {}", shown(name)), problem })
        };
        let mut taps = Vec::new();
        let mut first: Option<(&str, usize)> = None;
        for input in &system.inputs {
            let name = input.name.as_str();
            let Some((tap, radius)) = read(name) else {
                return refuse(name, format!("is no part of a window; use {KNOWN}"));
            };
            match first {
                Some((other, reach)) if radius > 0 && reach != radius => {
                    let problem = format!(
                        "is of another window than {}; name all of one of 3 × 3 or all of one of 5 × 5",
                        shown(other)
                    );
                    return refuse(name, problem);
                }
                None if radius > 0 => first = Some((name, radius)),
                _ => {}
            }
            taps.push(tap);
        }
        Ok(Window { taps, radius: first.map_or(0, |(_, radius)| radius) })
    }
}

/// The tap of an input's name and how far the window reaches in which it is.
fn read(name: &str) -> Option<(Tap, usize)> {
    if name == "c" {
        return Some((Tap { dx: 0, dy: 0, difference: false }, 0));
    }
    let (difference, place) = match name.split_once('_')? {
        ("d", place) => (true, place),
        ("p", place) => (false, place),
        _ => return None,
    };
    if let Some((_, (dx, dy))) = NEIGHBORS.iter().find(|(known, _)| *known == place) {
        return Some((Tap { dx: *dx, dy: *dy, difference }, 1));
    }
    let at = |digit: u8| (b'0'..=b'4').contains(&digit).then(|| isize::from(digit - b'0') - 2);
    match place.as_bytes() {
        [row, column] => Some((Tap { dx: at(*column)?, dy: at(*row)?, difference }, 2)),
        _ => None,
    }
}
