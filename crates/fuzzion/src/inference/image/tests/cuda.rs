//! The kernels in the emulator against the CPU implementation, which is tested against the references.

use super::super::cuda::testing::{CompassProgram, StagePrograms, compass, look_up, stages};
use super::super::operator::FastPixel;
use super::super::{BUILT_IN, Border, Execution, Operator};
use super::{bytes, deep, drawing, noise, run};
use crate::data::{Images, Pixels};
use crate::device::cuda::Grid;
use crate::device::cuda::emulator::{Arg, Order, or_skip};

const BORDERS: [Border; 3] = [Border::Replicate, Border::Reflect, Border::Constant(77.0)];

/// Pixel types and their values in single-channel images.
trait BitDepth: FastPixel + bytemuck::Pod {
    fn pixels_of(images: &Images) -> Vec<Self>;
}

impl BitDepth for u8 {
    fn pixels_of(images: &Images) -> Vec<u8> {
        bytes(images).to_vec()
    }
}

impl BitDepth for u16 {
    fn pixels_of(images: &Images) -> Vec<u16> {
        match images.pixels() {
            Pixels::U16(pixels) => pixels.clone(),
            Pixels::U8(_) => panic!("8 bits"),
        }
    }
}

/// Two frames of the same size, one with noise and one with a drawing.
fn frames(width: usize, height: usize) -> Images {
    let pixels = [bytes(&noise(width, height, 1, 3)), bytes(&drawing(width, height))].concat();
    Images::new(width, height, 1, Pixels::U8(pixels)).unwrap()
}

fn stages_agree<P: BitDepth>(operator: &Operator, images: &Images) {
    let operator = operator.clone().execution(Execution::General);
    let expected = P::pixels_of(&run(&operator, images));
    let StagePrograms { first, second, intermediates } = stages::<P>(&operator);
    let (Some(first), Some(second)) = (or_skip(&first), or_skip(&second)) else { return };
    let planes = P::pixels_of(images);
    let (width, height) = (images.width() as i32, images.height() as i32);
    for order in Order::ALL {
        // Two parts, the second starting at an odd pixel.
        let cut = (planes.len() / 2) | 1;
        let mut out = vec![P::default(); planes.len()];
        for (start, n) in [(0, cut), (cut, planes.len().saturating_sub(cut))] {
            let mut strengths = vec![f64::NAN; n.max(1) * intermediates.max(1)];
            let mut args = [
                Arg::slice(&planes),
                Arg::slice_mut(&mut strengths),
                Arg::value(start as i64),
                Arg::value(n as i64),
                Arg::value(width),
                Arg::value(height),
            ];
            first.launch("fire_rules", Grid::new(2, 32), order, &mut args).unwrap();
            let mut args = [
                Arg::slice(&strengths),
                Arg::slice(&planes),
                Arg::slice_mut(&mut out),
                Arg::value(start as i64),
                Arg::value(n as i64),
            ];
            second.launch("conclude", Grid::new(2, 32), order, &mut args).unwrap();
        }
        assert!(out == expected, "{} {}", operator.system().name, images.describe_shape());
    }
}

#[test]
fn emulated_stages_match_the_cpu() {
    for (i, (name, _)) in BUILT_IN.iter().enumerate() {
        let images = frames(13, 5);
        let operator = Operator::named(name).unwrap().border(BORDERS[i % 3]);
        stages_agree::<u8>(&operator, &images);
        stages_agree::<u16>(&operator, &deep(&images, 2));
    }
}

fn look_up_agrees<P: BitDepth>(operator: &Operator, images: &Images) {
    let expected = P::pixels_of(&run(operator, images));
    let (program, table) = look_up::<P>(operator).unwrap();
    let Some(emulator) = or_skip(&program) else { return };
    let planes = P::pixels_of(images);
    for order in Order::ALL {
        let mut out = vec![P::default(); planes.len()];
        let mut args = [
            Arg::slice(&planes),
            Arg::slice(&table),
            Arg::slice_mut(&mut out),
            Arg::value(planes.len() as i64),
            Arg::value(images.width() as i32),
            Arg::value(images.height() as i32),
        ];
        emulator.launch("look_up", Grid::new(2, 32), order, &mut args).unwrap();
        assert!(out == expected, "{} {}", operator.system().name, images.describe_shape());
    }
}

#[test]
fn emulated_table_lookup_matches_the_cpu() {
    for border in BORDERS {
        for (width, height) in [(1, 1), (1, 4), (9, 1), (11, 7)] {
            let images = frames(width, height);
            look_up_agrees::<u8>(&Operator::named("contrast").unwrap().border(border), &images);
            look_up_agrees::<u8>(&Operator::edges(30.0, 16.0).unwrap().border(border), &images);
        }
    }
    look_up_agrees::<u16>(&Operator::named("contrast").unwrap(), &deep(&frames(11, 7), 2));
    look_up_agrees::<u16>(&Operator::edges(3.0, 16.0).unwrap(), &deep(&frames(11, 7), 2));
}

#[test]
fn emulated_compass_kernel_matches_the_cpu() {
    // Thresholds with and without saturation, complete and incomplete groups, runs that end early.
    let [replicate, reflect, constant] = BORDERS;
    let cases =
        [(64.0, replicate, true), (50.0, reflect, false), (128.0, constant, false), (1.0, reflect, true)];
    for (threshold, border, long) in cases {
        let operator = Operator::edges(threshold, 16.0).unwrap().border(border);
        for (width, height) in [(8, 3), (16, 19), (1, 1), (3, 5), (21, 18)] {
            let images = frames(width, height);
            let expected = bytes(&run(&operator, &images)).to_vec();
            let CompassProgram { program, table, threads } =
                compass(&operator, width, height, 2, long).unwrap();
            let Some(emulator) = or_skip(&program) else { return };
            let planes = bytes(&images).to_vec();
            for order in Order::ALL {
                let mut out = vec![0u8; planes.len()];
                let mut args = [
                    Arg::slice(&planes),
                    Arg::slice(&table),
                    Arg::slice_mut(&mut out),
                    Arg::value(2i64),
                    Arg::value(width as i32),
                    Arg::value(height as i32),
                ];
                let grid = Grid::new(threads.div_ceil(32) as u32, 32);
                emulator.launch("compass", grid, order, &mut args).unwrap();
                assert!(out == expected, "{threshold} {border:?} {width} × {height}");
            }
        }
    }
}

#[test]
fn a_pattern_that_exceeds_half_precision_uses_another_kernel() {
    let wide = Operator::edges(200.0, 16.0).unwrap();
    assert!(compass(&wide, 8, 8, 1, true).is_none() && look_up::<u8>(&wide).is_some());
}
