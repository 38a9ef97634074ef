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

#[test]
fn any_thread_may_compute_and_drop_what_another_made() {
    with_gpu(|cuda| {
        let buffer = cuda.upload(&[1.0f32; 100]).unwrap();
        let set = crate::device::ceilings::programs().remove(0);
        cuda.kernel(&set, "increment").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let kernel = cuda.kernel(&set, "increment").unwrap();
                    let mut own = cuda.zeros::<f32>(1000).unwrap();
                    let launch = kernel.launch().output(&mut own).value(1000i64);
                    // SAFETY: arguments as in increment(values, n).
                    unsafe { launch.run(cuda.stream(), cuda.grid_for(1000)) }.unwrap();
                    assert!(cuda.download(&own).unwrap().iter().all(|x| *x == 1.0));
                });
            }
            scope.spawn(move || drop(buffer));
        });
    });
}

#[test]
fn a_panic_in_streamed_work_leaves_the_device_usable() {
    with_gpu(|cuda| {
        let shape = Chunked { rows: 100, input_width: 1000, output_width: 1000, chunk_rows: 1 };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cuda.stream_chunks(
                shape,
                Progress::none(),
                |rows, _: &mut [f32]| if rows.start == 50 { panic!("on purpose") } else { Ok(()) },
                |_, _, _: &mut Buffer<f32>| Ok(()),
                |_, _| Ok(()),
            )
        }));
        assert!(result.is_err());
        assert_eq!(cuda.download(&cuda.upload(&[1.0f32, 2.0]).unwrap()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_panic_while_recording_leaves_the_device_usable() {
    with_gpu(|cuda| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cuda.record(|_| panic!("on purpose")).map(drop)
        }));
        assert!(result.is_err());
        assert!(cuda.record(|_| Err(Error::Interrupted)).is_err());
        assert_eq!(cuda.download(&cuda.upload(&[3.0f32]).unwrap()).unwrap(), [3.0]);
    });
}
