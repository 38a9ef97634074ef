use super::super::color::{Color, ColorMap, palette};
use proptest::prelude::*;

const WHITE: Color = Color::hex(0xffffff);
const DARK_BACKGROUND: Color = Color::hex(0x16191e);

fn linear(color: Color) -> [f64; 3] {
    [color.r, color.g, color.b].map(|byte| {
        let v = f64::from(byte) / 255.0;
        if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    })
}

/// Contrast ratio of WCAG 2.
fn contrast(a: Color, b: Color) -> f64 {
    let luminance = |color| {
        let [r, g, b] = linear(color);
        0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
    };
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// Normal, protanopic and deuteranopic vision: the matrices of Machado et al. at full severity.
const VISIONS: [[[f64; 3]; 3]; 3] = [
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
];

fn seen(color: Color, vision: &[[f64; 3]; 3]) -> Color {
    let rgb = linear(color);
    let [r, g, b] = vision.map(|row| {
        let v = row.iter().zip(rgb).map(|(weight, v)| weight * v).sum::<f64>().clamp(0.0, 1.0);
        let v = if v <= 0.0031308 { 12.92 * v } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 };
        (v * 255.0).round() as u8
    });
    Color { r, g, b }
}

fn distance(a: Color, b: Color) -> f64 {
    a.oklab().iter().zip(b.oklab()).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn the_palette_has_enough_contrast_to_both_backgrounds() {
    for index in 0..8 {
        let (light, dark) = palette(index);
        // WCAG 2 requires 3 for graphics.
        assert!(contrast(light, WHITE) >= 3.0, "{light}");
        assert!(contrast(dark, DARK_BACKGROUND) >= 3.0, "{dark}");
    }
}

#[test]
fn the_palette_is_distinguishable_with_every_vision() {
    for vision in &VISIONS {
        for (a, b) in (0..8).flat_map(|a| (0..a).map(move |b| (a, b))) {
            for color in [|index| palette(index).0, |index| palette(index).1] {
                let difference = distance(seen(color(a), vision), seen(color(b), vision));
                // 0.02 is just noticeable side by side; five times that is distinguishable across a chart.
                assert!(difference >= 0.1, "{} and {}: {difference}", color(a), color(b));
            }
        }
    }
}

#[test]
fn the_palette_repeats_after_eight() {
    assert_eq!(palette(11), palette(3));
}

#[test]
fn the_lightness_of_sequential_maps_increases_uniformly() {
    // The stops of the first are rounded to 0.01; half a step of gray, which is rounded to black, has lightness 0.0533.
    for (map, tolerance) in [(ColorMap::Sequential, 0.02), (ColorMap::Gray, 0.0534)] {
        let lightness = |t: f64| map.at(t).oklab()[0];
        for step in 0..=50 {
            let t = f64::from(step) / 50.0;
            let uniform = lightness(0.0) + t * (lightness(1.0) - lightness(0.0));
            assert!((lightness(t) - uniform).abs() <= tolerance, "{map:?} at {t}");
            assert!(lightness(t + 0.1) > lightness(t) || t > 0.9, "{map:?} at {t}");
        }
    }
}

#[test]
fn the_diverging_map_is_lightest_in_the_middle() {
    let lightness = |t| ColorMap::Diverging.at(t).oklab()[0];
    assert!(lightness(0.5) > 0.95);
    for step in 0..25 {
        let away = f64::from(step) / 50.0;
        assert!(
            lightness(0.5 + away) > lightness(0.52 + away) && lightness(0.5 - away) > lightness(0.48 - away)
        );
    }
}

#[test]
fn positions_outside_a_color_map_are_clamped() {
    for map in [ColorMap::Sequential, ColorMap::Diverging, ColorMap::Gray] {
        assert_eq!(map.at(-3.0), map.at(0.0));
        assert_eq!(map.at(f64::INFINITY), map.at(1.0));
        assert_eq!(map.at(f64::NAN), map.at(0.0));
    }
}

#[test]
fn a_mixture_without_weights_is_gray() {
    let nothing =
        [(WHITE, f64::NAN), (DARK_BACKGROUND, -1.0), (DARK_BACKGROUND, 0.0), (WHITE, f64::INFINITY)];
    assert_eq!(Color::mix(nothing), Color::hex(0x888888));
    assert_eq!(Color::mix([]), Color::hex(0x888888));
}

proptest! {
    #[test]
    fn a_mixture_of_one_color_is_that_color(rgb in 0u32..0x100_0000, weight in 1e-6..1e6f64) {
        let color = Color::hex(rgb);
        prop_assert_eq!(Color::mix([(color, weight), (WHITE, 0.0)]), color);
        prop_assert_eq!(color.to_string(), format!("#{rgb:06x}"));
    }
}
