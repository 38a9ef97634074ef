//! What a GPU must do beyond computing: refuse with a sentence, give memory back, stop when asked.

use super::*;
use crate::device::Device;
use crate::device::testing::gpu_or_skip;
use crate::error::Error;
use crate::progress::Progress;
use std::ops::ControlFlow;

fn with_gpu(test: impl FnOnce(&Cuda)) {
    if let Some(Device::Cuda(cuda)) = gpu_or_skip() {
        test(&cuda);
    }
}

#[test]
fn more_memory_than_there_is_is_refused_with_what_was_asked_and_what_is_free() {
    with_gpu(|cuda| {
        for (len, bytes) in [(1usize << 45, 1u64 << 47), (usize::MAX, u64::MAX)] {
            let Err(error) = cuda.zeros::<f32>(len) else { panic!("{len} numbers were given") };
            let Error::OutOfDeviceMemory { asked, free } = error else { panic!("{error}") };
            assert!(asked == bytes && free > 0, "{asked} asked, {free} free");
        }
    });
}

#[test]
fn memory_that_was_given_back_is_free_again() {
    with_gpu(|cuda| {
        let before = cuda.memory().unwrap().0;
        for _ in 0..8 {
            let len = usize::try_from(before / 4 / 2).unwrap(); // half of what is free, eight times
            drop(cuda.zeros::<f32>(len).unwrap());
        }
        cuda.stream().synchronize().unwrap();
        let after = cuda.memory().unwrap().0;
        assert!(after > before / 10 * 9, "{before} bytes were free, now {after}");
    });
}

#[test]
fn streamed_work_stops_when_asked_and_the_device_goes_on() {
    with_gpu(|cuda| {
        let stop_halfway = |done, total| match done * 2 > total {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let shape = Chunked { rows: 1000, input_width: 2, output_width: 1, chunk_rows: 10 };
        let mut seen = 0;
        let done = cuda.stream_chunks(
            shape,
            Progress::new(&stop_halfway),
            |_, numbers: &mut [f32]| {
                numbers.fill(1.0);
                Ok(())
            },
            |_, _, _: &mut Buffer<f32>| Ok(()),
            |rows, _| {
                seen += rows.len();
                Ok(())
            },
        );
        assert!(matches!(done, Err(Error::Interrupted)));
        assert!(seen < 1000);
        assert_eq!(cuda.download(&cuda.upload(&[1.0f32, 2.0]).unwrap()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_broken_kernel_is_refused_with_the_compilers_words() {
    with_gpu(|cuda| {
        let Err(error) = cuda.kernel(&Program::new("broken", "not C++"), "nothing") else {
            panic!("it compiled")
        };
        assert!(error.to_string().contains("broken.cu"), "{error}");
    });
}
