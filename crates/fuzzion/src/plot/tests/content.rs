use super::super::bars::log_floor;
use super::super::marks::Shape;
use super::super::svg::base64;
use super::super::{Chart, ColorMap, Picture};
use super::{assert_well_formed, labels};
use crate::data::{Images, Pixels, encode_png};
use crate::error::Error;
use proptest::prelude::*;

/// The bytes of the first picture in an SVG, by a decoder of its own.
fn embedded(svg: &str) -> Images {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = svg.split("base64,").nth(1).and_then(|s| s.split('"').next()).expect("a picture");
    let mut bits = 0u32;
    let mut held = 0;
    let mut bytes = Vec::new();
    for letter in text.trim_end_matches('=').chars() {
        bits = bits << 6 | letters.find(letter).expect("a letter of base64") as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
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
fn bytes_are_written_as_rfc_4648_writes_them() {
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
fn a_picture_shows_its_pixels() {
    let pixels = [0, 50, 100, 150, 200, 250];
    let svg = Chart::new("grey").picture(Picture::grey(3, 2, &pixels).unwrap()).to_svg();
    assert_well_formed(&svg);
    let shown = embedded(&svg);
    assert_eq!(shown, Images::new(3, 2, 1, Pixels::U8(pixels.to_vec())).unwrap());

    let rgb = Picture::rgb(1, 2, &[1, 2, 3, 4, 5, 6]).unwrap();
    let shown = embedded(&Chart::new("").picture(rgb).to_svg());
    assert_eq!(shown, Images::new(1, 2, 3, Pixels::U8(vec![1, 2, 3, 4, 5, 6])).unwrap());
}

#[test]
fn png_bytes_are_taken_as_they_are() {
    let (mut png, pixels) = (Vec::new(), [9, 8, 7, 6].repeat(20));
    encode_png(&mut png, (5, 4), 4, &pixels).unwrap();
    let picture = Picture::png(&png).unwrap();
    assert_eq!(picture.size(), (5, 4));
    let source = Images::new(5, 4, 4, Pixels::U8(pixels)).unwrap();
    assert_eq!(embedded(&Chart::new("").picture(picture).to_svg()), source);
}

#[test]
fn pixels_that_make_no_picture_are_refused_with_the_reason() {
    let message = |result: Result<Picture, Error>| result.unwrap_err().to_string();
    assert_eq!(
        message(Picture::rgb(4, 2, &[0; 8])),
        "cannot draw the picture: 4 × 2 pixels take 24 bytes, but 8 were given"
    );
    assert_eq!(
        message(Picture::grey(0, 2, &[])),
        "cannot draw the picture: 0 × 2 pixels take 0 bytes, but 0 were given"
    );
    let no_png = "cannot draw the picture: the bytes are not those of a PNG file";
    assert_eq!(message(Picture::png(b"GIF89a")), no_png);
    assert_eq!(message(Picture::png(b"\x89PNG\r\n\x1a\n")), no_png);
}

#[test]
fn the_first_row_of_a_heat_map_is_at_the_bottom() {
    let values = [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN];
    let chart = Chart::new("").heat_map(&values, 3, (0.0, 3.0), (0.0, 2.0)).color_map(ColorMap::Grey);
    let svg = chart.value_range(0.0, 4.0).value_label("v").to_svg();
    assert_well_formed(&svg);
    let shown = embedded(&svg);
    assert_eq!((shown.width(), shown.height()), (3, 2));
    assert_eq!(rgba(&shown, 0, 1), [0, 0, 0, 255]);
    assert_eq!(rgba(&shown, 1, 0), [255, 255, 255, 255]);
    assert_eq!(rgba(&shown, 2, 0)[3], 0, "no value, no colour");
}

#[test]
fn signed_values_are_centred_on_zero() {
    let svg =
        Chart::new("").heat_map(&[-1.0, 0.0, 4.0], 3, (0.0, 3.0), (0.0, 1.0)).color_map(ColorMap::Diverging);
    let middle = rgba(&embedded(&svg.to_svg()), 1, 0);
    let expected = ColorMap::Diverging.at(0.5);
    assert_eq!(middle, [expected.r, expected.g, expected.b, 255]);
}

#[test]
fn bars_of_one_label_stand_together_in_order_of_appearance() {
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
    // Two squares of the legend and three bars; the missing value has none.
    assert_eq!(svg.matches("<rect").count() - 1, 2 + 3);
}

#[test]
fn a_chart_of_bars_grows_with_their_number() {
    let height = |n: usize| {
        let labels: Vec<String> = (0..n).map(|i| format!("label {i}")).collect();
        Chart::new("").bars("", &labels, &vec![1.0; n]).natural_size(None).1
    };
    assert!(height(20) - height(10) >= 10.0 * 20.0);
}

#[test]
fn the_least_bar_of_a_logarithmic_axis_has_a_length() {
    assert_eq!([log_floor(0.31), log_floor(1.0), log_floor(20.0)], [0.1, 0.1, 10.0]);
}

#[test]
fn a_sample_of_one_cluster_has_its_color_and_others_a_mixture() {
    let chart = Chart::new("").mixture(
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
fn a_sample_that_belongs_nowhere_is_grey_and_half_of_it_makes_a_color_greyer() {
    let chart = Chart::new("").mixture(&["a"], &[0.0, 1.0], &[0.0, 1.0], &[0.0, 0.5]);
    let svg = chart.to_svg();
    let (a, grey) = (super::super::palette(0).0, super::super::Color::hex(0xa9adb3));
    let half = super::super::Color::mix([(a, 1.0), (grey, 1.0)]);
    for color in [grey, half] {
        assert_eq!(svg.matches(&format!(" stroke=\"{color}\" style")).count(), 1, "{color}");
    }
    assert!(svg.contains("stroke-opacity=\"0.35\""), "{svg}");
}

#[test]
fn a_covariance_that_is_not_positive_draws_no_ellipse() {
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
        let Shape::Outline(points) = &chart.marks[0].shape else { panic!("an outline") };
        let determinant = xx * yy - xy * xy;
        for [x, y] in points {
            let (x, y) = (x - cx, y - cy);
            let square = (yy * x * x - 2.0 * xy * x * y + xx * y * y) / determinant;
            // The inverse magnifies roundings by at most 1 / (1 − 0.9²), and the centre costs two digits.
            prop_assert!((square / (radius * radius) - 1.0).abs() < 1e-9, "{square}");
        }
    }
}
