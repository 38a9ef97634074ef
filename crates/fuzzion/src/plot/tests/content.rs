use super::super::marks::MarkKind;
use super::super::marks::bars::log_floor;
use super::super::svg::base64;
use super::super::{Chart, ColorMap, Image};
use super::{assert_well_formed, labels};
use crate::data::DataError;
use crate::data::{Images, Pixels, encode_png};
use proptest::prelude::*;

/// The first image in an SVG, with an independent base64 decoder.
fn embedded(svg: &str) -> Images {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = svg.split("base64,").nth(1).and_then(|s| s.split('"').next()).expect("a image");
    let mut bits = 0u32;
    let mut bit_count = 0;
    let mut bytes = Vec::new();
    for character in text.trim_end_matches('=').chars() {
        bits = bits << 6 | alphabet.find(character).expect("a base64 character") as u32;
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            bytes.push((bits >> bit_count) as u8);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("embedded.png");
    std::fs::write(&path, bytes).unwrap();
    Images::read(path).expect("a PNG")
}

/// A pixel of an image with four channels.
fn rgba(image: &Images, x: usize, y: usize) -> [u8; 4] {
    let Pixels::U8(pixels) = image.pixels() else { panic!("8 bits") };
    assert_eq!(image.channels(), 4);
    pixels[4 * (y * image.width() + x)..][..4].try_into().unwrap()
}

#[test]
fn base64_agrees_with_the_test_vectors_of_rfc_4648() {
    for (bytes, text) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ] {
        assert_eq!(base64(bytes.as_bytes()), text);
    }
}

#[test]
fn an_image_contains_its_pixels() {
    let pixels = [0, 50, 100, 150, 200, 250];
    let svg = Chart::new("gray").image(Image::gray(3, 2, &pixels).unwrap()).to_svg();
    assert_well_formed(&svg);
    let shown = embedded(&svg);
    assert_eq!(shown, Images::new(3, 2, 1, Pixels::U8(pixels.to_vec())).unwrap());

    let rgb = Image::rgb(1, 2, &[1, 2, 3, 4, 5, 6]).unwrap();
    let shown = embedded(&Chart::new("").image(rgb).to_svg());
    assert_eq!(shown, Images::new(1, 2, 3, Pixels::U8(vec![1, 2, 3, 4, 5, 6])).unwrap());
}

#[test]
fn png_bytes_are_embedded_unchanged() {
    let (mut png, pixels) = (Vec::new(), [9, 8, 7, 6].repeat(20));
    encode_png(&mut png, (5, 4), 4, &pixels).unwrap();
    let image = Image::png(&png).unwrap();
    assert_eq!(image.size(), (5, 4));
    let source = Images::new(5, 4, 4, Pixels::U8(pixels)).unwrap();
    assert_eq!(embedded(&Chart::new("").image(image).to_svg()), source);
}

#[test]
fn errors_state_why_the_data_is_not_an_image() {
    let message = |result: Result<Image, DataError>| result.unwrap_err().to_string();
    assert_eq!(
        message(Image::rgb(4, 2, &[0; 8])),
        "cannot draw the image: 4 × 2 pixels need 24 bytes, but 8 were given"
    );
    assert_eq!(
        message(Image::gray(0, 2, &[])),
        "cannot draw the image: 0 × 2 pixels need 0 bytes, but 0 were given"
    );
    let no_png = "cannot draw the image: the data is not a PNG file";
    assert_eq!(message(Image::png(b"GIF89a")), no_png);
    assert_eq!(message(Image::png(b"\x89PNG\r\n\x1a\n")), no_png);
}

#[test]
fn the_first_row_of_a_heat_map_is_at_the_bottom() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN];
    let chart = Chart::new("").heat_map(&values, 3, (0.0, 3.0), (0.0, 2.0)).color_map(ColorMap::Gray);
    let svg = chart.value_range(0.0, 4.0).value_label("v").to_svg();
    assert_well_formed(&svg);
    let shown = embedded(&svg);
    assert_eq!((shown.width(), shown.height()), (3, 2));
    assert_eq!(rgba(&shown, 0, 1), [0, 0, 0, 255]);
    assert_eq!(rgba(&shown, 1, 0), [255, 255, 255, 255]);
    assert_eq!(rgba(&shown, 2, 0)[3], 0, "NaN is transparent");
}

#[test]
fn the_diverging_map_is_centered_on_zero() {
    let svg =
        Chart::new("").heat_map(&[-1.0, 0.0, 4.0], 3, (0.0, 3.0), (0.0, 1.0)).color_map(ColorMap::Diverging);
    let middle = rgba(&embedded(&svg.to_svg()), 1, 0);
    let expected = ColorMap::Diverging.at(0.5);
    assert_eq!(middle, [expected.r, expected.g, expected.b, 255]);
}

#[test]
fn bars_are_grouped_by_label_in_order_of_appearance() {
    let svg = Chart::new("")
        .bars("f32", &["gpu", "cpu"], &[20.0, 3.0])
        .bars("f64", &["cpu", "other"], &[1.5, f64::NAN])
        .to_svg();
    assert_well_formed(&svg);
    let texts = labels(&svg);
    let values: Vec<&str> =
        texts.iter().copied().filter(|t| ["20", "3", "1.5", "no value"].contains(t)).collect();
    assert_eq!(values[..4], ["20", "3", "1.5", "no value"]);
    let names: Vec<&str> = texts.iter().copied().filter(|t| ["gpu", "cpu", "other"].contains(t)).collect();
    assert_eq!(names, ["gpu", "cpu", "other"]);
    // Two legend symbols and three bars; the missing value has no bar.
    assert_eq!(svg.matches("<rect").count() - 1, 2 + 3);
}

#[test]
fn the_height_of_a_bar_chart_grows_with_the_number_of_bars() {
    let height = |n: usize| {
        let labels: Vec<String> = (0..n).map(|i| format!("label {i}")).collect();
        Chart::new("").bars("", &labels, &vec![1.0; n]).natural_size(None).1
    };
    assert!(height(20) - height(10) >= 10.0 * 20.0);
}

#[test]
fn the_smallest_bar_of_a_logarithmic_axis_is_longer_than_0() {
    assert_eq!([log_floor(0.31), log_floor(1.0), log_floor(20.0)], [0.1, 0.1, 10.0]);
}

#[test]
fn colors_of_samples_are_mixed_by_their_memberships() {
    let chart = Chart::new("").membership_points(
        &["a", "b"],
        &[0.0, 1.0, 2.0],
        &[0.0, 0.0, 1.0],
        &[1.0, 0.0, 0.0, 1.0, 0.5, 0.5],
    );
    let svg = chart.to_svg();
    assert_well_formed(&svg);
    let ((a, _), (b, _)) = (super::super::palette(0), super::super::palette(1));
    let both = super::super::Color::mix([(a, 1.0), (b, 1.0)]);
    for color in [a, b, both] {
        assert_eq!(svg.matches(&format!(" stroke=\"{color}\" style")).count(), 1, "{color}");
    }
}

#[test]
fn gray_is_mixed_in_if_memberships_sum_to_less_than_1() {
    let chart = Chart::new("").membership_points(&["a"], &[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.5]);
    let svg = chart.to_svg();
    let (a, gray) = (super::super::palette(0).0, super::super::Color::hex(0xa9adb3));
    let half = super::super::Color::mix([(a, 1.0), (gray, 1.0)]);
    for color in [gray, half] {
        assert_eq!(svg.matches(&format!(" stroke=\"{color}\" style")).count(), 1, "{color}");
    }
    assert!(svg.contains("stroke-opacity=\"0.35\""), "{svg}");
}

#[test]
fn a_covariance_that_is_not_positive_definite_draws_no_ellipse() {
    let chart = Chart::new("").ellipse("e", [0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], 1.0);
    assert!(labels(&chart.to_svg()).contains(&"nothing to draw"));
}

proptest! {
    #[test]
    fn points_of_an_ellipse_satisfy_its_equation(
        cx in -5.0..5.0f64, cy in -5.0..5.0f64, sx in 0.1..3.0f64, sy in 0.1..3.0f64,
        correlation in -0.9..0.9f64, radius in 0.1..4.0f64,
    ) {
        let (xx, yy, xy) = (sx * sx, sy * sy, correlation * sx * sy);
        let chart = Chart::new("").ellipse("e", [cx, cy], [[xx, xy], [xy, yy]], radius);
        let MarkKind::Outline(points) = &chart.marks[0].kind else { panic!("an outline") };
        let determinant = xx * yy - xy * xy;
        for [x, y] in points {
            let (x, y) = (x - cx, y - cy);
            let square = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant;
            // The inverse amplifies rounding errors by at most 1 / (1 − 0.9²), and the center loses two digits.
            prop_assert!((square / (radius * radius) - 1.0).abs() < 1e-9, "{square}");
        }
    }
}
