//! Palette, color mixing and color maps.

/// An 8-bit sRGB color.
///
/// ```
/// use fuzzion::plot::Color;
/// let orange = Color { r: 255, g: 128, b: 0 };
/// assert_eq!(orange.to_string(), "#ff8000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

/// Colors of the series on white, found by maximizing the minimum distance for normal, protanopic and deuteranopic
/// vision at a contrast of at least 3.
const LIGHT: [Color; 8] = [
    Color::hex(0x0947a6),
    Color::hex(0xc52e0a),
    Color::hex(0x0e7767),
    Color::hex(0xcb55b7),
    Color::hex(0xcf8428),
    Color::hex(0x371576),
    Color::hex(0x344952),
    Color::hex(0x3187fa),
];

/// Their counterparts on a dark background.
const DARK: [Color; 8] = [
    Color::hex(0x69b3ff),
    Color::hex(0xdc6224),
    Color::hex(0x23e5b5),
    Color::hex(0xb854ac),
    Color::hex(0xfcb315),
    Color::hex(0x7b73ff),
    Color::hex(0xa49893),
    Color::hex(0xb3feff),
];

/// The color of series `index` on a light and on a dark background; the palette repeats after eight colors.
///
/// ```
/// use fuzzion::plot::palette;
/// let (on_light, on_dark) = palette(0);
/// assert_ne!(on_light, on_dark);
/// assert_eq!(palette(8), palette(0));
/// ```
pub fn palette(index: usize) -> (Color, Color) {
    (LIGHT[index % LIGHT.len()], DARK[index % DARK.len()])
}

/// Number of colors of the palette.
pub(super) const PALETTE_LEN: usize = LIGHT.len();

impl Color {
    /// A color from the number `0xrrggbb`.
    ///
    /// ```
    /// use fuzzion::plot::Color;
    /// assert_eq!(Color::hex(0xff8000), Color { r: 255, g: 128, b: 0 });
    /// ```
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Color { r, g, b }
    }

    /// The weighted mean of colors in Oklab; weights that are negative, infinite or NaN count as 0.
    ///
    /// The result is a medium gray if all weights are 0.
    ///
    /// ```
    /// use fuzzion::plot::Color;
    /// let (black, white) = (Color::hex(0), Color::hex(0xffffff));
    /// assert_eq!(Color::mix([(black, 0.0), (white, 2.0)]), white);
    /// // Lightness 0.5 in Oklab is a luminance of 0.125, which is 99 in sRGB.
    /// assert_eq!(Color::mix([(black, 1.0), (white, 1.0)]), Color { r: 99, g: 99, b: 99 });
    /// ```
    pub fn mix(parts: impl IntoIterator<Item = (Color, f64)>) -> Color {
        let mut sum = [0.0; 3];
        let mut weight = 0.0;
        for (color, w) in parts {
            if w > 0.0 && w.is_finite() {
                let lab = color.oklab();
                for axis in 0..3 {
                    sum[axis] += w * lab[axis];
                }
                weight += w;
            }
        }
        if weight > 0.0 { from_oklab(sum.map(|s| s / weight)) } else { Color::hex(0x888888) }
    }

    /// Oklab coordinates: lightness and two opponent axes.
    pub(super) fn oklab(self) -> [f64; 3] {
        let [r, g, b] = [self.r, self.g, self.b].map(|byte| {
            let v = f64::from(byte) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        });
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        [
            0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        ]
    }
}

impl std::fmt::Display for Color {
    /// CSS notation, `#rrggbb`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

fn from_oklab([lightness, a, b]: [f64; 3]) -> Color {
    let l = (lightness + 0.3963377774 * a + 0.2158037573 * b).powi(3);
    let m = (lightness - 0.1055613458 * a - 0.0638541728 * b).powi(3);
    let s = (lightness - 0.0894841775 * a - 1.2914855480 * b).powi(3);
    let [r, g, b] = [
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    .map(|v| {
        let v = if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (v * 255.0).round() as u8 // `as` saturates, which clips colors outside the sRGB gamut
    });
    Color { r, g, b }
}

/// Color map of a heat map.
///
/// ```
/// use fuzzion::plot::{Chart, ColorMap};
/// let chart = Chart::new("").heat_map(&[-1.0, 2.0], 2, (0.0, 2.0), (0.0, 1.0)).color_map(ColorMap::Diverging);
/// assert!(chart.to_svg().contains(">−2.0</text>")); // the color bar is centered on zero: −2 to 2
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorMap {
    /// Dark violet through teal to light yellow, with uniformly increasing lightness.
    #[default]
    Sequential,
    /// Blue through near white to red; centered on zero if values of both signs occur and no range is set.
    Diverging,
    /// Black to white.
    Gray,
}

impl ColorMap {
    /// The color at `t`, which is clamped to [0, 1].
    ///
    /// ```
    /// use fuzzion::plot::{Color, ColorMap};
    /// assert_eq!(ColorMap::Gray.at(0.0), Color::hex(0x000000));
    /// assert_eq!(ColorMap::Gray.at(7.0), Color::hex(0xffffff)); // as at 1
    /// ```
    pub fn at(self, t: f64) -> Color {
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        match self {
            ColorMap::Gray => Color::mix([(Color::hex(0), 1.0 - t), (Color::hex(0xffffff), t)]),
            ColorMap::Sequential => interpolate(&SEQUENTIAL, t),
            ColorMap::Diverging => interpolate(&DIVERGING, t),
        }
    }
}

/// Lightness, chroma and hue in degrees (Oklab) of equally spaced stops.
const SEQUENTIAL: [[f64; 3]; 5] =
    [[0.24, 0.09, 300.0], [0.42, 0.12, 265.0], [0.60, 0.10, 215.0], [0.77, 0.14, 160.0], [0.95, 0.14, 105.0]];
const DIVERGING: [[f64; 3]; 5] =
    [[0.36, 0.13, 258.0], [0.66, 0.11, 245.0], [0.96, 0.005, 90.0], [0.68, 0.14, 40.0], [0.40, 0.15, 28.0]];

/// Linear interpolation in Oklab between the two stops around `t`.
fn interpolate(stops: &[[f64; 3]], t: f64) -> Color {
    let position = t * (stops.len() - 1) as f64;
    let below = (position as usize).min(stops.len() - 2);
    let fraction = position - below as f64;
    let lab = |[lightness, chroma, hue]: [f64; 3]| {
        let (sin, cos) = hue.to_radians().sin_cos();
        [lightness, chroma * cos, chroma * sin]
    };
    let (from, to) = (lab(stops[below]), lab(stops[below + 1]));
    from_oklab([0, 1, 2].map(|axis| from[axis] + fraction * (to[axis] - from[axis])))
}
