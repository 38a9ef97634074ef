//! The CUDA back end in the emulator against the CPU implementation, which is tested against the references.

use super::super::cuda::PlaneKernels;
use super::super::cuda::testing::{compass, look_up};
use super::super::operator::FastPixel;
use super::super::{BUILT_IN, Border, CudaPixels, DeviceImages, Execution, Operator};
use super::device_images::{
    emulated, emulated_device_images_match_the_cpu, interleaved_frames_in_gpu_memory_match_the_cpu,
};
use super::{bytes, deep, drawing, noise, run};
use crate::data::{Images, Pixels};
use crate::device::cuda::Element;
use crate::device::cuda::emulator::Order;
use crate::device::{Cuda, CudaArrayView, Device};

/// Tests that together run every launch of this module.
pub(crate) const LAUNCHING_TESTS: &[fn()] = &[
    emulated_stages_match_the_cpu,
    emulated_table_lookup_matches_the_cpu,
    emulated_compass_kernel_matches_the_cpu,
    emulated_device_images_match_the_cpu,
    interleaved_frames_in_gpu_memory_match_the_cpu,
];

const BORDERS: [Border; 3] = [Border::Replicate, Border::Reflect, Border::Constant(77.0)];

/// Pixel types and their values in single-channel images.
trait BitDepth: FastPixel + Element {
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

fn output<P: BitDepth>(kernels: &PlaneKernels<P>, cuda: &Cuda, planes: &[P], count: usize) -> Vec<P> {
    let (x, mut out) = (cuda.upload(planes).unwrap(), cuda.alloc(planes.len()).unwrap());
    kernels.launch(cuda, &x, &mut out, count).unwrap();
    cuda.download(&out).unwrap()
}

fn stages_agree<P: BitDepth>(operator: &Operator, images: &Images) {
    let operator = operator.clone().execution(Execution::General);
    let expected = P::pixels_of(&run(&operator, images));
    let planes = P::pixels_of(images);
    for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
        let kernels = PlaneKernels::new(&cuda, &operator, images.width(), images.height()).unwrap();
        // Two parts, the second starting at an odd pixel.
        let out = output(&kernels.stage_pixels((planes.len() / 2) | 1), &cuda, &planes, images.frames());
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
    for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
        let kernels = PlaneKernels::by_table(&cuda, operator, images.width(), images.height()).unwrap();
        let out = output(&kernels, &cuda, &P::pixels_of(images), images.frames());
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
            for cuda in Order::ALL.into_iter().filter_map(Cuda::emulated) {
                let kernels = PlaneKernels::new(&cuda, &operator, width, height).unwrap();
                let out = output(&kernels.long_runs(long), &cuda, bytes(&images), 2);
                assert!(out == expected, "{threshold} {border:?} {width} × {height}");
            }
        }
    }
}

#[test]
fn emulated_operators_handle_channels_and_frames_on_one_and_two_gpus() {
    let frames = [bytes(&noise(13, 5, 4, 3)), bytes(&noise(13, 5, 4, 4))].concat();
    let frames = Images::new(13, 5, 4, Pixels::U8(frames)).unwrap();
    for images in [noise(13, 5, 1, 4), noise(13, 5, 3, 5), frames] {
        let contrast = Operator::named("contrast").unwrap();
        for operator in [contrast.clone().per_channel(true), contrast, Operator::edges(64.0, 16.0).unwrap()] {
            let expected = run(&operator, &images);
            for gpus in 1..=2 {
                let gpus = (0..gpus).map(|i| Cuda::emulated(Order::Shuffled(i)));
                let Some(gpus) = gpus.collect() else { return };
                let found = operator.apply(&images, &Device::with_emulated_gpus(gpus)).unwrap();
                assert!(found == expected, "{} {}", operator.system().name, images.describe_shape());
            }
        }
    }
}

#[test]
fn a_pattern_that_exceeds_half_precision_uses_another_kernel() {
    let wide = Operator::edges(200.0, 16.0).unwrap();
    assert!(compass(&wide, 8, true).is_none() && look_up::<u8>(&wide).is_some());
}

#[test]
#[allow(unsafe_code)] // a view that is not used
fn frames_of_another_library_have_a_gpu_and_complete_frames() {
    let cuda = emulated(Order::Forward, 0);
    // SAFETY: nothing reads the memory.
    let view = unsafe { CudaArrayView::<u8>::new(4096, 25) };
    let from = |channels, device: &Device| {
        DeviceImages::from_cuda(5, 4, channels, CudaPixels::U8(view), device).unwrap_err().to_string()
    };
    assert!(
        from(1, &Device::cpu().unwrap()).contains("in the memory of `cuda`, but the operation runs on `cpu`")
    );
    if let Some(cuda) = &cuda {
        assert!(
            from(1, cuda).contains("a multiple of 5 × 4 × 1") && from(2, cuda).contains("number of channels")
        );
    }
}
