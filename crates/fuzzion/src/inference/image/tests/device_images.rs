//! Images in the memory of a device against images in host memory.

use super::super::apply::StackShape;
use super::super::cuda::GpuImages;
use super::super::{BUILT_IN, Border, DeviceImages, Execution, Operator};
use super::{bytes, deep, noise, run};
use crate::data::{Images, Pixels, PixelsMut};
use crate::device::cuda::emulator::Order;
use crate::device::storage::Storage;
use crate::device::testing::gpu_or_skip;
use crate::device::{Cuda, Device};

pub(super) fn emulated(order: Order, index: usize) -> Option<Device> {
    Some(Device::with_emulated_gpus(vec![Cuda::emulated_with_index(order, index)?]))
}

/// Two frames of noise.
fn frames(channels: usize) -> Images {
    let pixels = [3, 4].map(|seed| bytes(&noise(11, 5, channels, seed)).to_vec());
    Images::new(11, 5, channels, Pixels::U8(pixels.concat())).unwrap()
}

fn assert_same_on_device(operator: &Operator, images: &Images, device: &Device) {
    let placed = images.to_device(device).unwrap();
    assert!(placed.is_on_gpu() && placed.to_host().unwrap() == *images, "{placed:?}");
    let found = operator.apply(&placed, device).unwrap();
    let shape = (found.frames(), found.width(), found.height(), found.channels(), found.bits());
    let (found, expected) = (found.to_host().unwrap(), run(operator, images));
    assert!(found == expected, "{} {}", operator.system().name, images.describe_shape());
    let of = |images: &Images| {
        (images.frames(), images.width(), images.height(), images.channels(), images.bits())
    };
    assert_eq!(shape, of(&expected));
}

/// All operators on images with 1, 3 and 4 channels.
fn operators_agree(device: &Device) {
    for channels in [1, 3, 4] {
        let images = frames(channels);
        for (i, (name, _)) in BUILT_IN.iter().enumerate() {
            let operator =
                Operator::named(name).unwrap().border([Border::Reflect, Border::Constant(9.0)][i % 2]);
            for per_channel in [false, true] {
                let operator = operator.clone().per_channel(per_channel);
                assert_same_on_device(&operator, &images, device);
                // The tables of other operators for 16 bits take long to compute.
                let fast = if *name == "contrast" { Execution::Fast } else { Execution::General };
                assert_same_on_device(&operator.execution(fast), &deep(&images, 2), device);
            }
        }
    }
}

#[test]
pub(super) fn emulated_device_images_match_the_cpu() {
    emulated(Order::Shuffled(7), 0).iter().for_each(operators_agree);
}

#[test]
fn device_images_match_the_cpu_on_a_gpu() {
    gpu_or_skip().iter().for_each(operators_agree);
}

/// Frames in GPU memory with interleaved channels, as in arrays of other libraries, before and after an operator.
#[test]
pub(super) fn interleaved_frames_in_gpu_memory_match_the_cpu() {
    let Some(gpu) = Cuda::emulated(Order::Shuffled(5)) else { return };
    let device = Device::with_emulated_gpus(vec![gpu.clone()]);
    for images in [1, 3, 4].map(frames).into_iter().flat_map(|images| [deep(&images, 2), images]) {
        let storage = Storage::on_gpu(GpuImages::from_interleaved(&images, &gpu).unwrap(), &gpu);
        let placed = DeviceImages { shape: StackShape::of(&images), storage };
        assert!(placed.to_host().unwrap() == images);
        for per_channel in [false, true] {
            let operator = Operator::named("contrast").unwrap().per_channel(per_channel);
            let expected = run(&operator, &images);
            let found = operator.apply(&placed, &device).unwrap().to_interleaved().unwrap().unwrap();
            assert!(found.address() != 0 && format!("{found:?}").contains(" at 0x"));
            let (width, height) = (expected.width() * expected.channels(), expected.height());
            let mut lines = Images::new(width, height, 1, expected.pixels().clone()).unwrap();
            match lines.pixels_mut() {
                PixelsMut::U8(pixels) => pixels.fill(0),
                PixelsMut::U16(pixels) => pixels.fill(0),
            }
            found.images.download(&mut lines, &gpu).unwrap();
            assert!(lines.pixels() == expected.pixels());
        }
    }
    assert!(frames(1).to_device(&Device::cpu().unwrap()).unwrap().to_interleaved().unwrap().is_none());
}

#[test]
fn a_chain_of_operators_gives_the_result_of_the_cpu() {
    let devices = [emulated(Order::Forward, 0), gpu_or_skip(), Some(Device::cpu().unwrap())];
    let [denoise, smooth, edges] =
        ["fire-denoise", "smooth", "fire-edges"].map(|name| Operator::named(name).unwrap());
    let (denoise, smooth) = (denoise.per_channel(true), smooth.per_channel(true));
    let images = frames(4);
    let colors = run(&smooth, &run(&denoise, &images));
    let gray = run(&edges, &colors);
    for device in devices.iter().flatten() {
        let placed = images.to_device(device).unwrap();
        let smoothed = smooth.apply(&denoise.apply(&placed, device).unwrap(), device).unwrap();
        let found = edges.apply(&smoothed, device).unwrap();
        assert!(found.to_host().unwrap() == gray && smoothed.to_host().unwrap() == colors, "{device}");
        assert!(placed.to_host().unwrap() == images && placed.clone().to_host().unwrap() == images);
    }
}

#[test]
fn settings_change_the_kernels_of_an_operator() {
    let Some(device) = emulated(Order::Forward, 0) else { return };
    let operator = Operator::named("fire-edges").unwrap();
    let images = frames(1);
    assert_same_on_device(&operator, &images, &device);
    assert_same_on_device(&operator, &images, &device); // with the same kernels
    let changed = operator.clone().border(Border::Constant(200.0));
    assert!(run(&changed, &images) != run(&operator, &images));
    assert_same_on_device(&changed, &images, &device);
    assert_same_on_device(&changed.execution(Execution::General), &images, &device);
    let placed = images.to_device(&device).unwrap();
    let error = operator.border(Border::Constant(300.0)).apply(&placed, &device).unwrap_err();
    assert!(error.to_string().contains("border"), "{error}");
}

#[test]
fn images_in_the_memory_of_another_gpu_are_rejected() {
    let (Some(first), Some(second)) = (emulated(Order::Forward, 0), emulated(Order::Forward, 1)) else {
        return;
    };
    let (operator, images) = (Operator::named("contrast").unwrap(), frames(3));
    let placed = images.to_device(&second).unwrap();
    for (device, name) in [(first, "cuda:0"), (Device::cpu().unwrap(), "cpu")] {
        assert_eq!(
            operator.apply(&placed, &device).unwrap_err().to_string(),
            format!(
                "the images are in the memory of `cuda:1`, but the operation runs on `{name}`; use the same device for both"
            )
        );
    }
    assert_eq!(
        format!("{placed:?}"),
        "DeviceImages: 2 frames of 11 × 5 with 3 channels of 8 bits in the memory of cuda:1"
    );
}

#[test]
fn devices_of_the_same_gpu_and_several_gpus_can_be_combined() {
    let gpu = |order| Cuda::emulated_with_index(order, 1);
    let (Some(a), Some(b), Some(c)) = (gpu(Order::Forward), gpu(Order::Shuffled(1)), gpu(Order::Forward))
    else {
        return;
    };
    let (one, two) = (Device::with_emulated_gpus(vec![a]), Device::with_emulated_gpus(vec![b, c]));
    let (operator, images) = (Operator::named("smooth").unwrap().per_channel(true), frames(4));
    let placed = images.to_device(&one).unwrap();
    let found = operator.apply(&placed, &two).unwrap();
    drop(placed);
    assert!(found.to_host().unwrap() == run(&operator, &images));
    assert!(operator.apply(&images.clone().into_device(&two).unwrap(), &one).unwrap().is_on_gpu());
}

#[test]
fn images_on_the_cpu_are_not_copied() {
    let images = frames(1);
    for device in [Device::cpu().unwrap(), Device::best().unwrap()] {
        let placed = images.to_device(&device).unwrap();
        assert!(!placed.is_on_gpu() && borrowed(&placed).is_some_and(|host| std::ptr::eq(host, &images)));
    }
    // Images in host memory are copied to the GPU of the operation.
    let Some(device) = emulated(Order::Forward, 0) else { return };
    let operator = Operator::named("contrast").unwrap();
    let found = operator.apply(&images.to_device(&Device::cpu().unwrap()).unwrap(), &device).unwrap();
    assert!(found.is_on_gpu() && found.to_host().unwrap() == run(&operator, &images));
}

fn borrowed<'a>(images: &'a DeviceImages<'_>) -> Option<&'a Images> {
    match &images.storage {
        Storage::Host(host) => Some(host),
        Storage::Gpu { .. } => None,
    }
}
