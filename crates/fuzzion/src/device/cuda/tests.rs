//! Tests of error messages, memory release and cancellation on a GPU and on an emulated one.

use super::emulator::Order;
use super::*;
use crate::device::Processor;
use crate::device::error::DeviceError;
use crate::device::testing::gpu_or_skip;
use crate::progress::Progress;
use std::ops::{ControlFlow, Range};

const INCREMENT: &str = r#"extern "C" __global__ void increment(float* values, const int64 n)
{
    FOR_EACH(i, n) values[i] += 1;
}"#;

/// Runs `test` on a GPU and on an emulated one.
fn with_each_gpu(test: impl Fn(&Cuda)) {
    with_gpu(&test);
    Cuda::emulated(Order::Forward).iter().for_each(test);
}

fn with_gpu(test: impl FnOnce(&Cuda)) {
    let Some(device) = gpu_or_skip() else { return };
    if let Processor::Cuda(cuda) = device.processor(false) {
        test(cuda);
    }
}

#[test]
fn an_oversized_allocation_reports_the_requested_and_the_free_memory() {
    with_each_gpu(|cuda| {
        for (len, bytes) in [(1usize << 45, 1u64 << 47), (usize::MAX, u64::MAX)] {
            let Err(error) = cuda.zeros::<f32>(len) else { panic!("{len} elements were allocated") };
            let DeviceError::OutOfMemory { asked, free } = error else { panic!("{error}") };
            assert!(asked == bytes && free > 0, "{asked} requested, {free} free");
        }
    });
}

#[test]
fn freed_memory_is_available_again() {
    with_gpu(|cuda| {
        let before = cuda.memory().unwrap().0;
        for _ in 0..8 {
            let len = usize::try_from(before / 4 / 2).unwrap(); // half of the free memory, eight times
            drop(cuda.zeros::<f32>(len).unwrap());
        }
        cuda.stream().synchronize().unwrap();
        let after = cuda.memory().unwrap().0;
        assert!(after > before / 10 * 9, "{before} bytes were free, now {after}");
    });
}

#[test]
fn streamed_work_can_be_canceled_and_the_device_stays_usable() {
    with_each_gpu(|cuda| {
        let stop_halfway = |done, total| match done * 2 > total {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let (input, mut out) = (vec![1.0f32; 2000], vec![0u8; 1000]);
        let work = Chunked::new(1000).chunk_rows(10).input(StreamInput::copied(&input, 2)).output(
            StreamOutput::new(1, &mut out, 1, |_, _: &[f32], part| {
                part.fill(1);
                Ok(())
            }),
        );
        let done = cuda.stream_chunks(work, &Progress::new(stop_halfway), |_, _, _| Ok(()));
        assert!(matches!(done, Err(DeviceError::Interrupted)));
        assert!(out.contains(&0), "all rows were processed");
        assert_eq!(cuda.download(&cuda.upload(&[1.0f32, 2.0]).unwrap()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_broken_kernel_is_rejected_with_the_compiler_log() {
    with_gpu(|cuda| {
        let Err(error) = cuda.kernel(&Program::new("broken", "not C++"), "nothing") else {
            panic!("it compiled")
        };
        assert!(error.to_string().contains("broken.cu"), "{error}");
    });
}

#[test]
fn buffers_can_be_used_and_dropped_on_other_threads() {
    with_each_gpu(|cuda| {
        let buffer = cuda.upload(&[1.0f32; 100]).unwrap();
        let program = Program::new("increment", INCREMENT);
        cuda.kernel(&program, "increment").unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let kernel = cuda.kernel(&program, "increment").unwrap();
                    let mut own = cuda.zeros::<f32>(1000).unwrap();
                    let launch = kernel.launch().output(&mut own).value(1000i64);
                    // SAFETY: the arguments match increment(values, n).
                    unsafe { launch.run(cuda.stream(), cuda.grid_for(1000)) }.unwrap();
                    assert!(cuda.download(&own).unwrap().iter().all(|x| *x == 1.0));
                });
            }
            scope.spawn(move || drop(buffer));
        });
    });
}

#[test]
fn large_arrays_are_transferred_in_chunks_in_both_directions() {
    with_each_gpu(|cuda| {
        // Less than a chunk of 8 MiB, and more than as many chunks as are in flight, the last one incomplete.
        for len in [0, 1000, (45 << 20) / 8 + 3] {
            let values: Vec<u64> = (0..len as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
            let buffer = cuda.upload_large(&values, &Progress::none()).unwrap();
            let mut copy = vec![0; len];
            cuda.read_large(&buffer, &mut copy, &Progress::none()).unwrap();
            assert!(copy == values, "{len} values");
        }
    });
}

#[test]
fn rows_are_uploaded_in_chunks_filled_by_several_threads() {
    const WIDTH: usize = 3; // does not divide a chunk
    with_each_gpu(|cuda| {
        let fill = |rows: Range<usize>, values: &mut [f64]| {
            assert_eq!(values.len(), rows.len() * WIDTH);
            values.iter_mut().enumerate().for_each(|(i, x)| *x = (rows.start * WIDTH + i) as f64);
        };
        for rows in [0, 1, 1_200_000] {
            let uploaded = cuda.upload_rows((rows, WIDTH), fill, &Progress::none()).unwrap();
            let found = cuda.download(&uploaded).unwrap();
            assert!(found.len() == rows * WIDTH && found.iter().enumerate().all(|(i, x)| *x == i as f64));
        }
    });
}

#[test]
fn a_panic_in_streamed_work_leaves_the_device_usable() {
    with_each_gpu(|cuda| {
        // In each of the three closures, with copies of other chunks in progress.
        for closure in 0..3 {
            let fail = |at, rows: &Range<usize>| {
                assert!(at != closure || rows.start != 50, "on purpose");
                Ok(())
            };
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut out = vec![0.0f32; 100_000];
                let work = Chunked::new(100)
                    .chunk_rows(1)
                    .input(StreamInput::new(1000, |rows, _: &mut [f32]| fail(0, &rows)))
                    .output(StreamOutput::new(1000, &mut out, 1000, |rows, _: &[f32], _| fail(2, &rows)));
                cuda.stream_chunks(work, &Progress::none(), |rows, _, _| fail(1, &rows))
            }));
            let Err(payload) = result else { panic!("closure {closure}: no panic") };
            assert_eq!(payload.downcast_ref(), Some(&"on purpose"));
        }
        assert_eq!(cuda.download(&cuda.upload(&[1.0f32, 2.0]).unwrap()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn an_error_in_streamed_work_is_returned_and_leaves_the_device_usable() {
    with_each_gpu(|cuda| {
        for closure in 0..3 {
            let fail = |at, rows: &Range<usize>| match at == closure && rows.start >= 50 {
                true => Err(DeviceError::ThreadCount { found: rows.start.to_string(), most: 0 }),
                false => Ok(()),
            };
            let mut out = vec![0.0f32; 100_000];
            let work = Chunked::new(100)
                .chunk_rows(1)
                .input(StreamInput::new(1000, |rows, _: &mut [f32]| fail(0, &rows)))
                .output(StreamOutput::new(1000, &mut out, 1000, |rows, _: &[f32], _| fail(2, &rows)));
            let done = cuda.stream_chunks(work, &Progress::none(), |rows, _, _| fail(1, &rows));
            assert!(matches!(done, Err(DeviceError::ThreadCount { found, .. }) if found == "50"));
        }
        assert_eq!(cuda.download(&cuda.upload(&[1.0f32, 2.0]).unwrap()).unwrap(), [1.0, 2.0]);
    });
}

#[test]
fn a_buffer_of_another_type_is_rejected() {
    with_each_gpu(|cuda| {
        let input = vec![1.0f32; 10];
        let work = Chunked::new(10).input(StreamInput::copied(&input, 1));
        let done =
            cuda.stream_chunks(work, &Progress::none(), |_, inputs, _| inputs.buffer::<f64>(0).map(drop));
        let sentence = "accessing a chunk buffer: no buffer 0 of type f64";
        assert!(done.unwrap_err().to_string().contains(sentence));
    });
}

#[test]
fn a_panic_during_a_capture_leaves_the_device_usable() {
    with_each_gpu(|cuda| {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cuda.capture(|_| panic!("on purpose")).map(drop)
        }));
        assert!(result.is_err());
        assert!(cuda.capture(|_| Err(DeviceError::Interrupted)).is_err());
        assert_eq!(cuda.download(&cuda.upload(&[3.0f32]).unwrap()).unwrap(), [3.0]);
    });
}
