//! FIRE's edge detector and noise filter, implemented directly from their formulas.

use super::*;

/// Neighbors of a pixel minus the pixel, clockwise from the northwest, with replicated borders.
fn differences(pixels: &[f64], width: usize, height: usize, x: usize, y: usize) -> [f64; 8] {
    let at = |dx: i64, dy: i64| {
        let x = (x as i64 + dx).clamp(0, width as i64 - 1) as usize;
        let y = (y as i64 + dy).clamp(0, height as i64 - 1) as usize;
        pixels[y * width + x]
    };
    [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
        .map(|(dx, dy)| at(dx, dy) - at(0, 0))
}

/// Maximum firing strength f of the eight edge rules.
fn edge_strength(d: &[f64; 8], t: f64) -> f64 {
    let positive = |x: f64| ((x + t) / (2.0 * t)).clamp(0.0, 1.0);
    let rule = |k: usize| {
        let m = |i: usize| positive(d[(k + i) % 8]);
        (m(0) + m(1) + m(2) + (1.0 - m(4)) + (1.0 - m(5)) + (1.0 - m(6))) / 6.0
    };
    (0..8).map(rule).fold(0.0, f64::max)
}

/// Twice the centroid of black at f and white at 1 − f, over the samples 0 … 255.
fn edge_pixel(f: f64, b: f64) -> f64 {
    let (mut moment, mut area) = (0.0, 0.0);
    for v in 0..256 {
        let v = f64::from(v);
        let black = (1.0 - v / b).max(0.0).min(f);
        let white = (1.0 - (255.0 - v) / b).max(0.0).min(1.0 - f);
        moment += v * black.max(white);
        area += black.max(white);
    }
    2.0 * moment / area
}

fn noise_filter(d: &[f64; 8], center: f64) -> f64 {
    // Clockwise indices of the neighbors 1 … 8, which are NW N NE W E SW S SE.
    let clockwise = [0, 1, 2, 7, 3, 6, 5, 4];
    let numbered = [vec![2, 5, 7], vec![5, 7, 4], vec![7, 4, 2], vec![4, 2, 5], vec![1, 3, 8, 6]];
    let mut masks: Vec<Vec<usize>> =
        numbered.iter().map(|mask| mask.iter().map(|n| clockwise[n - 1]).collect()).collect();
    masks.extend((0..8).map(|k| (0..4).map(|i| (k + i) % 8).collect())); // the rotations of (1, 2, 3, 5)
    let best_match = |m: &dyn Fn(f64) -> f64| {
        let of = |mask: &Vec<usize>| mask.iter().map(|i| m(d[*i])).fold(1.0, f64::min);
        masks.iter().map(of).fold(0.0, f64::max)
    };
    let l1 = best_match(&|x| (1.0 - (x - 255.0).abs() / 510.0).max(0.0));
    let l2 = best_match(&|x| (1.0 - (x + 255.0).abs() / 510.0).max(0.0));
    let l0 = (1.0 - l1 - l2).max(0.0);
    let delta = 255.0 * (l1 - l2) / (l0 + l1 + l2);
    let small = (1.0 - (delta.abs() - 40.0) / 32.0).clamp(0.0, 1.0);
    center + delta * (1.0 - small)
}

/// Fails if a pixel differs from `expected` of its differences and center; halves may round either way.
fn compare(found: &Images, images: &Images, expected: impl Fn(&[f64; 8], f64) -> f64) {
    let values = |images: &Images| -> (Vec<f64>, f64) {
        match images.pixels() {
            Pixels::U8(p) => (p.iter().map(|p| f64::from(*p)).collect(), 1.0),
            Pixels::U16(p) => (p.iter().map(|p| f64::from(*p) / 257.0).collect(), 257.0),
        }
    };
    let ((pixels, scale), (found, _)) = (values(images), values(found));
    let (width, height) = (images.width(), images.height());
    assert_eq!(found.len(), width * height);
    for (i, found) in found.iter().enumerate() {
        let d = differences(&pixels, width, height, i % width, i / width);
        let expected = (scale * expected(&d, pixels[i])).clamp(0.0, 255.0 * scale);
        // At most ½ + 2⁻²⁰ plus a few rounding errors in double precision.
        assert!((found * scale - expected).abs() <= 0.5 + 1e-6, "pixel {i}: {found}, not {expected}/{scale}");
    }
}

#[test]
fn edges_match_the_fire_formulas_for_several_thresholds_and_spreads() {
    for (t, b) in [(64.0, 16.0), (1.0, 255.0), (37.0, 100.5), (255.0, 3.0), (12.5, 16.0)] {
        let operator = Operator::edges(t, b).unwrap();
        let integer: bool = t == f64::trunc(t);
        assert_eq!(
            operator.execution_for(8),
            if integer { Execution::Fast } else { Execution::General },
            "{t}"
        );
        for (i, (width, height)) in SIZES.into_iter().enumerate() {
            let images = noise(width, height, 1, i as u64);
            compare(&run_everywhere(&operator, &images), &images, |d, _| edge_pixel(edge_strength(d, t), b));
        }
        let images = drawing(90, 60);
        compare(&run_everywhere(&operator, &images), &images, |d, _| edge_pixel(edge_strength(d, t), b));
    }
}

#[test]
fn edges_of_16_bit_images_match_the_fire_formulas() {
    let operator = Operator::edges(5.0, 16.0).unwrap();
    assert_eq!(operator.execution_for(16), Execution::Fast);
    for images in [drawing(40, 33), noise(7, 9, 1, 3)] {
        let images = deep(&images, 1);
        compare(&run_everywhere(&operator, &images), &images, |d, _| edge_pixel(edge_strength(d, 5.0), 16.0));
    }
}

#[test]
fn the_noise_filter_matches_russo_and_ramponi() {
    let operator = Operator::named("fire-denoise").unwrap();
    assert_eq!(operator.execution_for(8), Execution::General);
    for (i, (width, height)) in SIZES.into_iter().enumerate() {
        let images = noise(width, height, 1, i as u64);
        compare(&run_everywhere(&operator, &images), &images, noise_filter);
    }
    let images = deep(&salted(&drawing(40, 33)), 1);
    compare(&run_everywhere(&operator, &images), &images, noise_filter);
}

#[test]
fn smoothing_is_the_weighted_mean_of_similar_neighbors() {
    let operator = Operator::named("smooth").unwrap();
    let expected = |d: &[f64; 8], c: f64| {
        let weights = d.map(|d| (1.0 - d.abs() / 48.0).max(0.0));
        let sum: f64 = d.iter().zip(weights).map(|(d, w)| w * (c + d)).sum();
        (c + sum) / (1.0 + weights.iter().sum::<f64>())
    };
    for images in [noise(33, 9, 1, 2), drawing(40, 30)] {
        compare(&run_everywhere(&operator, &images), &images, expected);
    }
}

#[test]
fn contrast_matches_its_three_rules() {
    let operator = Operator::named("contrast").unwrap();
    assert_eq!((operator.execution_for(8), operator.execution_for(16)), (Execution::Fast, Execution::Fast));
    let expected = |_: &[f64; 8], c: f64| {
        let dark = 1.0 / (1.0 + (0.05 * (c - 85.0)).exp());
        let medium = (-(c - 127.5).powi(2) / (2.0 * 40.0 * 40.0)).exp();
        let bright = 1.0 / (1.0 + (-0.05 * (c - 170.0)).exp());
        (127.5 * medium + 255.0 * bright) / (dark + medium + bright)
    };
    let all = Images::new(16, 16, 1, Pixels::U8((0..=255).collect())).unwrap();
    let stretched = run_everywhere(&operator, &all);
    compare(&stretched, &all, expected);
    assert!(bytes(&stretched).is_sorted(), "the order of levels is preserved");
    assert!(bytes(&stretched)[0] == 1 && bytes(&stretched)[255] == 254 && bytes(&stretched)[64] < 48);
    compare(&run_everywhere(&operator, &deep(&all, 4)), &deep(&all, 4), expected);
}

#[test]
fn the_edge_strength_is_three_quarters_beside_a_step_and_one_on_a_steep_ramp() {
    let pixel = |f: f64| edge_pixel(f, 16.0).round() as u8;
    let step = Images::new(6, 3, 1, Pixels::U8([10, 10, 10, 240, 240, 240].repeat(3))).unwrap();
    let found = run_everywhere(&Operator::named("fire-edges").unwrap(), &step);
    let beside = pixel(0.75);
    assert_eq!(bytes(&found)[..6], [255, 255, beside, beside, 255, 255]);
    let ramp = Images::new(4, 3, 1, Pixels::U8([0, 65, 130, 195].repeat(3))).unwrap();
    let found = run_everywhere(&Operator::named("fire-edges").unwrap(), &ramp);
    assert_eq!(bytes(&found)[1..3], [pixel(1.0); 2]);
    assert!(pixel(1.0) < 16, "near black: {}", pixel(1.0));
}

/// The image with a tenth of its pixels black or white.
fn salted(images: &Images) -> Images {
    let mut random = Random::new(7);
    let mut salt = |pixel: &u8| match random.between(0.0, 1.0) {
        chance if chance < 0.05 => 0,
        chance if chance < 0.1 => 255,
        _ => *pixel,
    };
    Images::new(images.width(), images.height(), 1, Pixels::U8(bytes(images).iter().map(&mut salt).collect()))
        .unwrap()
}

/// In decibels.
fn peak_signal_to_noise(a: &Images, b: &Images) -> f64 {
    let squares = bytes(a).iter().zip(bytes(b)).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2));
    let mean = squares.sum::<f64>() / bytes(a).len() as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}

#[test]
fn the_noise_filter_gains_six_decibels_on_ten_percent_salt_and_pepper_noise() {
    let clean = drawing(160, 120);
    let noisy = salted(&clean);
    let filtered = run(&Operator::named("fire-denoise").unwrap(), &noisy);
    let gain = peak_signal_to_noise(&filtered, &clean) - peak_signal_to_noise(&noisy, &clean);
    assert!(gain >= 6.0, "{gain}");
}
