//! The sample image, the noise and the signal-to-noise ratio.

use super::{psnr, salt_and_pepper, still_life};
use crate::data::{Images, Pixels};
use crate::device::Device;
use crate::inference::image::Operator;

fn values(image: &Images) -> &[u8] {
    match image.pixels() {
        Pixels::U8(values) => values,
        Pixels::U16(_) => panic!("16 bits"),
    }
}

#[test]
fn the_still_life_is_reproducible_and_covers_all_brightness_levels() {
    let drawn = still_life(240, 160).unwrap();
    assert_eq!((drawn.width(), drawn.height(), drawn.channels(), drawn.bits()), (240, 160, 1, 8));
    assert_eq!(drawn, still_life(240, 160).unwrap());
    for level in 1..7 {
        let count = values(&drawn).iter().filter(|v| usize::from(**v) / 32 == level).count();
        assert!(count > 240 * 160 / 200, "brightness {}: {count} pixels", 32 * level);
    }
    assert_eq!(
        still_life(0, 160).unwrap_err().to_string(),
        "the size of a frame is 0 × 160, but it must be at least 1 × 1"
    );
}

#[test]
fn salt_and_pepper_changes_the_given_fraction_and_keeps_opacity() {
    let gray = || Images::new(200, 100, 4, Pixels::U8(vec![100; 200 * 100 * 4])).unwrap();
    let mut noisy = gray();
    salt_and_pepper(&mut noisy, 0.1, 3).unwrap();
    let count = |value: u8| values(&noisy).chunks(4).filter(|p| p[..3] == [value; 3]).count() as f64;
    // 20,000 pixels, each changed with probability 0.05: standard deviation √(20000·0.05·0.95) = 31.
    assert!((count(0) - 1000.0).abs() < 5.0 * 31.0 && (count(255) - 1000.0).abs() < 5.0 * 31.0);
    assert_eq!(count(0) + count(255) + count(100), 20_000.0);
    assert!(values(&noisy).chunks(4).all(|p| p[3] == 100));
    let mut again = gray();
    salt_and_pepper(&mut again, 0.1, 3).unwrap();
    assert_eq!(again, noisy);
    for fraction in [-0.1, 1.5, f64::NAN] {
        let error = salt_and_pepper(&mut again, fraction, 3).unwrap_err().to_string();
        assert_eq!(error, format!("salt and pepper: `fraction` is {fraction}, but it must be from 0 to 1"));
    }
}

#[test]
fn psnr_matches_its_formula() {
    let image = |a: u8, b: u8| Images::new(2, 1, 1, Pixels::U8(vec![a, b])).unwrap();
    // The mean square is (3² + 1²)/2 = 5.
    let found = psnr(&image(10, 20), &image(13, 19)).unwrap();
    assert!((found - 10.0 * (255.0f64 * 255.0 / 5.0).log10()).abs() < 1e-12, "{found}");
    let deep = |v: u16| Images::new(1, 1, 1, Pixels::U16(vec![v])).unwrap();
    let found = psnr(&deep(0), &deep(65_535)).unwrap();
    assert!(found.abs() < 1e-12, "{found}");
    assert_eq!(
        psnr(&image(1, 2), &deep(3)).unwrap_err().to_string(),
        "the second image is 1 frame of 1 × 1 with 1 channel of 16 bits, but it must be 1 frame of 2 × 1 with 1 channel of \
         8 bits"
    );
}

#[test]
fn denoising_salt_and_pepper_gains_six_decibels() {
    let clean = still_life(240, 160).unwrap();
    let mut noisy = clean.clone();
    salt_and_pepper(&mut noisy, 0.1, 7).unwrap();
    let operator = Operator::named("fire-denoise").unwrap();
    let denoised = operator.apply(&noisy, &Device::cpu().unwrap()).unwrap();
    let (before, after) = (psnr(&clean, &noisy).unwrap(), psnr(&clean, &denoised).unwrap());
    assert!(after >= before + 6.0, "{before:.1} dB became {after:.1} dB");
}
