//! Invariants of all operators: rotation, reflection, uniform images, channels, stacks of frames.

use super::super::BUILT_IN;
use super::*;
use crate::inference::InferenceError;
use proptest::prelude::*;

/// The image transposed, then flipped.
fn transformed(images: &Images, transpose: bool, flip_x: bool, flip_y: bool) -> Images {
    let (w, h) = (images.width(), images.height());
    let (width, height) = if transpose { (h, w) } else { (w, h) };
    let pixel = |i: usize| {
        let (x, y) = (i % width, i / width);
        let (x, y) = (if flip_x { width - 1 - x } else { x }, if flip_y { height - 1 - y } else { y });
        let (x, y) = if transpose { (y, x) } else { (x, y) };
        bytes(images)[y * w + x]
    };
    Images::new(width, height, 1, Pixels::U8((0..w * h).map(pixel).collect())).unwrap()
}

#[test]
fn a_uniform_image_has_no_edges_and_is_not_changed_by_smoothing_or_denoising() {
    for level in [0, 1, 100, 254, 255] {
        let uniform = Images::new(7, 5, 1, Pixels::U8(vec![level; 35])).unwrap();
        let edges = run_everywhere(&Operator::named("fire-edges").unwrap(), &uniform);
        assert!(bytes(&edges).iter().all(|pixel| *pixel == 255), "{level}");
        for name in ["fire-denoise", "smooth"] {
            assert_eq!(run_everywhere(&Operator::named(name).unwrap(), &uniform), uniform, "{name} {level}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn transposing_and_flipping_an_image_transposes_and_flips_the_result(
        width in 1usize..24, height in 1usize..24, seed: u64, transpose: bool, flip_x: bool, flip_y: bool, reflect: bool,
    ) {
        let images = noise(width, height, 1, seed);
        for (name, _) in BUILT_IN {
            let border = if reflect { Border::Reflect } else { Border::Constant(90.0) };
            let operator = Operator::named(name).unwrap().border(border);
            let transformed_first = run(&operator, &transformed(&images, transpose, flip_x, flip_y));
            let transformed_last = transformed(&run(&operator, &images), transpose, flip_x, flip_y);
            prop_assert!(transformed_first == transformed_last, "{}", name);
        }
    }

    #[test]
    fn every_execution_mode_simd_level_and_thread_count_gives_the_same_pixels(
        width in 1usize..80, height in 1usize..70, seed: u64, threshold in 1u8..=255, spread in 1.0f64..255.0,
    ) {
        let operator = Operator::edges(f64::from(threshold), spread).unwrap();
        run_everywhere(&operator, &noise(width, height, 1, seed));
    }
}

#[test]
fn a_frame_of_a_stack_has_the_same_result_as_a_single_frame() {
    let stack = noise(21, 3 * 40, 1, 5);
    let stack = Images::new(21, 40, 1, stack.into_pixels()).unwrap();
    for name in ["fire-edges", "smooth"] {
        let operator = Operator::named(name).unwrap();
        let all = run_everywhere(&operator, &stack);
        for frame in 0..3 {
            assert_eq!(all.frame(frame), Some(run(&operator, &stack.frame(frame).unwrap())));
        }
    }
}

#[test]
fn colors_become_gray_or_are_processed_separately_and_opacity_is_unchanged() {
    for channels in [3, 4] {
        let images = noise(13, 35, channels, 9);
        let channel =
            |c: usize| -> Vec<u8> { bytes(&images).iter().skip(c).step_by(channels).copied().collect() };
        let image = |pixels| Images::new(13, 35, 1, Pixels::U8(pixels)).unwrap();
        let gray = (0..13 * 35).map(|i| {
            let [r, g, b] = [0, 1, 2].map(|c| u32::from(bytes(&images)[i * channels + c]));
            ((299 * r + 587 * g + 114 * b + 500) / 1000) as u8
        });
        for name in ["fire-edges", "smooth"] {
            let operator = Operator::named(name).unwrap();
            assert_eq!(run_everywhere(&operator, &images), run(&operator, &image(gray.clone().collect())));
            let separate = run_everywhere(&operator.clone().per_channel(true), &images);
            assert_eq!(separate.channels(), channels);
            for c in 0..3 {
                let found: Vec<u8> = bytes(&separate).iter().skip(c).step_by(channels).copied().collect();
                assert_eq!(found, bytes(&run(&operator, &image(channel(c)))), "{name} channel {c}");
            }
            if channels == 4 {
                let opacity: Vec<u8> = bytes(&separate).iter().skip(3).step_by(4).copied().collect();
                assert_eq!(opacity, channel(3));
            }
        }
    }
}

#[test]
fn an_operator_can_be_interrupted() {
    let stop = |_, _| std::ops::ControlFlow::Break(());
    let operator = Operator::named("fire-edges").unwrap();
    let stopped = operator.apply(&noise(9, 90, 1, 1), &Device::cpu().unwrap().with_progress(stop));
    assert!(matches!(stopped, Err(InferenceError::Interrupted)));
}
