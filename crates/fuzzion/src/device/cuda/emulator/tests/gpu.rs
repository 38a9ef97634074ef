//! The emulated GPU: checks of launches, memory, graphs and limits.

use super::*;
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Kernel, Launch};
use std::panic::{AssertUnwindSafe, catch_unwind};

const KERNELS: &str = r#"
extern "C" __global__ void scale(const float* __restrict__ x, float* __restrict__ y, const int64 n, const float factor) {
    FOR_EACH(i, n) y[i] = factor * x[i];
}
extern "C" __global__ void write_input(const float* x) { const_cast<float*>(x)[0] = 5.0f; }
extern "C" __global__ void shared(int* out) { DYNAMIC_SHARED(int, values); values[0] = 1; out[0] = values[0]; }
"#;

fn gpu() -> Option<Cuda> {
    Cuda::emulated(Order::Forward)
}

fn kernel(cuda: &Cuda, name: &str) -> Kernel {
    cuda.kernel(&Program::new("gpu tests", KERNELS), name).unwrap()
}

fn run(cuda: &Cuda, launch: Launch<'_>, grid: Grid) {
    // SAFETY: an emulated launch checks its arguments.
    unsafe { launch.run(cuda.stream(), grid) }.unwrap();
}

/// The message of a launch that fails.
fn failure(cuda: &Cuda, launch: Launch<'_>, grid: Grid) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| run(cuda, launch, grid))).unwrap_err();
    panic.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn production_launches_run_in_the_emulator() {
    let Some(cuda) = gpu() else { return };
    let (x, mut y) = (cuda.upload(&[1.0f32, 2.0, 3.0]).unwrap(), cuda.alloc::<f32>(4).unwrap());
    let scale = kernel(&cuda, "scale");
    run(&cuda, scale.launch().input(&x).output(&mut y).value(3i64).value(2.0f32), cuda.grid_for(3));
    let y = cuda.download(&y).unwrap();
    assert!(y[..3] == [2.0, 4.0, 6.0] && y[3].is_nan(), "{y:?}");
    assert_eq!(cuda.download(&cuda.zeros::<i32>(3).unwrap()).unwrap(), [0; 3]);
}

#[test]
fn arguments_that_do_not_match_the_signature_are_reported_with_the_source_location_of_the_launch() {
    let Some(cuda) = gpu() else { return };
    let scale = kernel(&cuda, "scale");
    let x = cuda.upload(&[1.0f32]).unwrap();
    let mut y = cuda.alloc::<f32>(1).unwrap();
    let grid = Grid::new(1, 32);
    let line = line!() + 1;
    let missing = failure(&cuda, scale.launch().input(&x).output(&mut y).value(1i64), grid);
    let location = missing.split(": ").next().unwrap();
    assert!(location.starts_with(&format!("{}:{line}:", file!())), "{location}");
    assert!(missing.ends_with("scale: takes 4 arguments, but 3 were given"), "{missing}");
    let launch = |y: &mut Buffer<f32>| scale.launch().input(&x).output(y);
    let ints = cuda.upload(&[1i32]).unwrap();
    let doubles = cuda.upload(&[1.0f64]).unwrap();
    let (mut first, mut second) = (cuda.alloc::<f32>(1).unwrap(), cuda.alloc::<f32>(1).unwrap());
    for (launch, expected) in [
        (launch(&mut y).value(1i32).value(2.0f32), "argument 2, `n`, has 4 bytes, but the kernel expects 8"),
        (
            launch(&mut y).value(1i64).value(2i32),
            "argument 3, `factor`, has type integer, but the kernel expects float",
        ),
        (
            scale.launch().input(&x).value(0u64).value(1i64).value(2.0f32),
            "argument 1, `y`, is a value, but the kernel expects a pointer",
        ),
        (
            scale.launch().input(&x).input(&x).value(1i64).value(2.0f32),
            "argument 1, `y`, may be written by the kernel, but is passed as an input",
        ),
        (
            scale.launch().output(&mut first).output(&mut second).value(1i64).value(2.0f32),
            "argument 0, `x`, is only read by the kernel, but is passed as an output",
        ),
        (
            scale.launch().input(&ints).output(&mut y).value(1i64).value(2.0f32),
            "argument 0, `x`, has type integer, but the kernel expects float",
        ),
        (
            scale.launch().input(&doubles).output(&mut y).value(1i64).value(2.0f32),
            "argument 0, `x`, has elements of 8 bytes, but the kernel expects 4",
        ),
    ] {
        let message = failure(&cuda, launch, grid);
        assert!(message.ends_with(&format!("scale: {expected}")), "{message}");
    }
}

#[test]
fn writes_outside_an_array_or_to_an_input_are_reported() {
    let Some(cuda) = gpu() else { return };
    let (x, mut y) = (cuda.upload(&[1.0f32; 2]).unwrap(), cuda.alloc::<f32>(1).unwrap());
    let write_input = kernel(&cuda, "write_input");
    let message = failure(&cuda, write_input.launch().input(&x), Grid::new(1, 1));
    assert!(message.ends_with("argument 0, `x`, was written, but is read-only"), "{message}");
    let scale = kernel(&cuda, "scale");
    let launch = scale.launch().input(&x).output(&mut y).value(2i64).value(2.0f32);
    let message = failure(&cuda, launch, Grid::new(1, 1));
    assert!(message.ends_with("argument 1, `y`, was written 1 byte after its end"), "{message}");
    std::mem::forget(y); // dropping it would report the write again
}

#[test]
fn a_captured_graph_runs_when_it_is_replayed() {
    let Some(cuda) = gpu() else { return };
    let scale = kernel(&cuda, "scale");
    let (x, mut y) = (cuda.upload(&[1.0f32, 2.0]).unwrap(), cuda.zeros::<f32>(2).unwrap());
    let graph = cuda.capture(|stream| {
        cuda.clear(&mut y, stream)?;
        let launch = scale.launch().input(&x).output(&mut y).value(1i64).value(2.0f32);
        // SAFETY: an emulated launch checks its arguments.
        unsafe { launch.run(stream, cuda.grid_for(1)) }
    });
    let graph = graph.unwrap();
    cuda.write(&[7.0f32, 7.0], &mut y).unwrap();
    assert_eq!(cuda.download(&y).unwrap(), [7.0, 7.0], "the capture ran the work");
    for _ in 0..2 {
        // SAFETY: the buffers of the graph are alive.
        unsafe { graph.replay() }.unwrap();
        assert_eq!(cuda.download(&y).unwrap(), [2.0, 0.0]);
    }
    drop(x);
    // SAFETY: a replay on an emulated GPU checks that the buffers are alive.
    let panic = catch_unwind(AssertUnwindSafe(|| unsafe { graph.replay() })).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.ends_with("scale: argument 0, `x`, was freed before the launch"), "{message}");
    assert!(cuda.capture(|_| Ok(())).is_err(), "an empty graph was captured");
}

#[test]
fn the_limits_of_the_gpu_are_checked() {
    let Some(cuda) = gpu() else { return };
    let shared = kernel(&cuda, "shared");
    let mut out = cuda.alloc::<i32>(1).unwrap();
    let message = failure(&cuda, shared.launch().output(&mut out), Grid::new(1, 1).shared(100 << 10));
    assert!(message.ends_with("102400 bytes of shared memory exceed the limit of 101376"), "{message}");
    let grid = cuda.cooperative_grid(&shared, 512, 40 << 10).unwrap();
    assert_eq!(grid.blocks, [4, 1, 1]); // two blocks with 41 KiB on each of two multiprocessors
    run(&cuda, shared.launch().output(&mut out), grid);
    let message = failure(&cuda, shared.launch().output(&mut out), Grid { blocks: [5, 1, 1], ..grid });
    assert!(message.ends_with("5 blocks of a cooperative launch exceed the limit of 4"), "{message}");
}
