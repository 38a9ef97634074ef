//! The sample picture, its noise, and the measure of both.

use super::{picture, psnr, salt_and_pepper};
use crate::data::{Images, Pixels};
use crate::device::Device;
use crate::inference::image::Operator;
use crate::progress::Progress;

fn values(image: &Images) -> &[u8] {
    match image.pixels() {
        Pixels::U8(values) => values,
        Pixels::U16(_) => panic!("16 bits"),
    }
}

#[test]
fn the_picture_repeats_and_holds_dark_light_and_all_between() {
    let drawn = picture(240, 160).unwrap();
    assert_eq!((drawn.width(), drawn.height(), drawn.channels(), drawn.bits()), (240, 160, 1, 8));
    assert_eq!(drawn, picture(240, 160).unwrap());
    for level in 1..7 {
        let here = values(&drawn).iter().filter(|v| usize::from(**v) / 32 == level).count();
        assert!(here > 240 * 160 / 200, "brightness {}: {here} pixels", 32 * level);
    }
    assert_eq!(
        picture(0, 160).unwrap_err().to_string(),
        "the size of a frame is 0 × 160, but it must be at least 1 × 1"
    );
}

#[test]
fn salt_and_pepper_spoil_the_share_they_should_and_leave_opacity_alone() {
    let grey = || Images::new(200, 100, 4, Pixels::U8(vec![100; 200 * 100 * 4])).unwrap();
    let mut noisy = grey();
    salt_and_pepper(&mut noisy, 0.1, 3).unwrap();
    let count = |value: u8| values(&noisy).chunks(4).filter(|p| p[..3] == [value; 3]).count() as f64;
    // 20,000 pixels, each spoiled with probability 0.05: standard deviation √(20000·0.05·0.95) = 31.
    assert!((count(0) - 1000.0).abs() < 5.0 * 31.0 && (count(255) - 1000.0).abs() < 5.0 * 31.0);
    assert_eq!(count(0) + count(255) + count(100), 20_000.0);
    assert!(values(&noisy).chunks(4).all(|p| p[3] == 100));
    let mut again = grey();
    salt_and_pepper(&mut again, 0.1, 3).unwrap();
    assert_eq!(again, noisy);
    for share in [-0.1, 1.5, f64::NAN] {
        let refused = salt_and_pepper(&mut again, share, 3).unwrap_err().to_string();
        assert_eq!(refused, format!("salt and pepper: `share` is {share}, but it must be from 0 to 1"));
    }
}

#[test]
fn the_signal_to_noise_ratio_is_that_of_its_formula() {
    let image = |a: u8, b: u8| Images::new(2, 1, 1, Pixels::U8(vec![a, b])).unwrap();
    // The mean square is (3² + 1²)/2 = 5.
    let found = psnr(&image(10, 20), &image(13, 19)).unwrap();
    assert!((found - 10.0 * (255.0f64 * 255.0 / 5.0).log10()).abs() < 1e-12, "{found}");
    let deep = |v: u16| Images::new(1, 1, 1, Pixels::U16(vec![v])).unwrap();
    let found = psnr(&deep(0), &deep(65_535)).unwrap();
    assert!(found.abs() < 1e-12, "{found}");
    assert_eq!(
        psnr(&image(1, 2), &deep(3)).unwrap_err().to_string(),
        "the second picture is 1 of 1 × 1 with 1 channel of 16 bits, but it must be 1 of 2 × 1 with 1 channel of 8 bits"
    );
}

#[test]
fn taking_out_salt_and_pepper_brings_the_picture_back_by_six_decibels() {
    let clean = picture(240, 160).unwrap();
    let mut noisy = clean.clone();
    salt_and_pepper(&mut noisy, 0.1, 7).unwrap();
    let operator = Operator::named("fire-denoise").unwrap();
    let denoised = operator.apply(&noisy, &Device::cpu().unwrap(), Progress::none()).unwrap();
    let (before, after) = (psnr(&clean, &noisy).unwrap(), psnr(&clean, &denoised).unwrap());
    assert!(after >= before + 6.0, "{before:.1} dB became {after:.1} dB");
}
