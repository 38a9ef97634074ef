//! What every operator keeps: turns, flips, even pictures, channels, stacks.

use super::super::READY;
use super::*;
use proptest::prelude::*;

/// The picture transposed, then flipped.
fn moved(images: &Images, transpose: bool, flip_x: bool, flip_y: bool) -> Images {
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
fn an_even_picture_has_no_edge_and_nothing_to_smooth_or_filter() {
    for level in [0, 1, 100, 254, 255] {
        let even = Images::new(7, 5, 1, Pixels::U8(vec![level; 35])).unwrap();
        let edges = run_everywhere(&Operator::named("fire-edges").unwrap(), &even);
        assert!(bytes(&edges).iter().all(|pixel| *pixel == 255), "{level}");
        for name in ["fire-denoise", "smooth"] {
            assert_eq!(run_everywhere(&Operator::named(name).unwrap(), &even), even, "{name} {level}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn turning_and_flipping_a_picture_turns_and_flips_the_result(
        width in 1usize..24, height in 1usize..24, seed: u64, transpose: bool, flip_x: bool, flip_y: bool, reflect: bool,
    ) {
        let images = noise(width, height, 1, seed);
        for (name, _) in READY {
            let border = if reflect { Border::Reflect } else { Border::Constant(90.0) };
            let operator = Operator::named(name).unwrap().border(border);
            let first = run(&operator, &moved(&images, transpose, flip_x, flip_y));
            let then = moved(&run(&operator, &images), transpose, flip_x, flip_y);
            prop_assert!(first == then, "{}", name);
        }
    }

    #[test]
    fn every_path_level_and_number_of_threads_gives_the_same_bytes(
        width in 1usize..80, height in 1usize..70, seed: u64, threshold in 1u8..=255, spread in 1.0f64..255.0,
    ) {
        let operator = Operator::edges(f64::from(threshold), spread).unwrap();
        run_everywhere(&operator, &noise(width, height, 1, seed));
    }
}

#[test]
fn a_frame_of_a_stack_is_what_it_is_alone() {
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
fn colors_become_grey_or_stay_apart_and_opacity_passes() {
    for channels in [3, 4] {
        let images = noise(13, 35, channels, 9);
        let channel =
            |c: usize| -> Vec<u8> { bytes(&images).iter().skip(c).step_by(channels).copied().collect() };
        let picture = |pixels| Images::new(13, 35, 1, Pixels::U8(pixels)).unwrap();
        let grey = (0..13 * 35).map(|i| {
            let [r, g, b] = [0, 1, 2].map(|c| u32::from(bytes(&images)[i * channels + c]));
            ((299 * r + 587 * g + 114 * b + 500) / 1000) as u8
        });
        for name in ["fire-edges", "smooth"] {
            let operator = Operator::named(name).unwrap();
            assert_eq!(run_everywhere(&operator, &images), run(&operator, &picture(grey.clone().collect())));
            let apart = run_everywhere(&operator.clone().per_channel(true), &images);
            assert_eq!(apart.channels(), channels);
            for c in 0..3 {
                let found: Vec<u8> = bytes(&apart).iter().skip(c).step_by(channels).copied().collect();
                assert_eq!(found, bytes(&run(&operator, &picture(channel(c)))), "{name} channel {c}");
            }
            if channels == 4 {
                let opacity: Vec<u8> = bytes(&apart).iter().skip(3).step_by(4).copied().collect();
                assert_eq!(opacity, channel(3));
            }
        }
    }
}

#[test]
fn work_can_be_stopped() {
    let stop = |_, _| std::ops::ControlFlow::Break(());
    let operator = Operator::named("fire-edges").unwrap();
    let stopped = operator.apply(&noise(9, 90, 1, 1), &Device::cpu().unwrap(), Progress::new(&stop));
    assert!(matches!(stopped, Err(crate::Error::Interrupted)));
}
