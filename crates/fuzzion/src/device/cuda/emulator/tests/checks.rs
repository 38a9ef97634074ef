use super::*;

const ARGUMENTS: &str = r#"
extern "C" __global__ void write_at(float* __restrict__ out, const int at) { out[at] = 1.0f; }
extern "C" __global__ void read_only(const float* __restrict__ x) { const_cast<float*>(x)[1] = 5.0f; }
extern "C" __global__ void read_at(const double* x, double* out, const int at) { out[0] = x[at]; }
extern "C" __global__ void shared(const int at) { DYNAMIC_SHARED(char, bytes); bytes[at] = 3; }
extern "C" __global__ void null(const float* maybe, int* out) { out[0] = maybe == nullptr; }
extern "C" __global__ void mixed(const unsigned char a, const float4* b, const double c, Point d, double* out) {
    out[0] = a + b[1].z + c + d.y;
}
"#;

fn arguments() -> Option<Emulator> {
    emulator_or_skip(&Program::new("arguments", ARGUMENTS).with("struct Point { float x, y; };"))
}

#[test]
fn a_write_outside_an_argument_is_reported_with_its_name() {
    let Some(emulator) = arguments() else { return };
    let write_at = |at: i32| {
        let mut out = [0.0f32; 3];
        emulator
            .launch(
                "write_at",
                Grid::new(1, 1),
                Order::Forward,
                &mut [Arg::slice_mut(&mut out), Arg::value(at)],
            )
            .map(|()| out)
            .map_err(|failure| failure.to_string())
    };
    assert_eq!(write_at(2), Ok([0.0, 0.0, 1.0]));
    // 1.0f is 00 00 80 3f: all four bytes differ from the guard zone
    assert_eq!(write_at(3).unwrap_err(), "write_at: argument 0, `out`, was written 1 byte after its end");
    assert_eq!(
        write_at(-2).unwrap_err(),
        "write_at: argument 0, `out`, was written 5 bytes before its start"
    );
}

#[test]
fn a_read_outside_an_argument_gives_nan() {
    let Some(emulator) = arguments() else { return };
    for at in [-3i32, -1, 2, 7] {
        let (x, mut out) = ([1.0f64, 2.0], [0.0f64]);
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut out), Arg::value(at)];
        emulator.launch("read_at", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
        assert!(out[0].is_nan(), "{at}");
    }
}

#[test]
fn a_write_to_a_read_only_argument_is_an_error() {
    let Some(emulator) = arguments() else { return };
    let failed =
        emulator.launch("read_only", Grid::new(1, 1), Order::Forward, &mut [Arg::slice(&[1.0f32, 2.0])]);
    assert_eq!(failed.unwrap_err().to_string(), "read_only: argument 0, `x`, was written, but is read-only");
}

#[test]
fn a_write_outside_dynamic_shared_memory_is_an_error() {
    let Some(emulator) = arguments() else { return };
    let write = |at: i32| {
        let grid = Grid { shared: 10, ..Grid::new(1, 1) };
        emulator.launch("shared", grid, Order::Forward, &mut [Arg::value(at)])
    };
    assert_eq!(write(9), Ok(()));
    for at in [-1, 10, 500] {
        assert_eq!(
            write(at).unwrap_err().to_string(),
            "shared: block (0, 0, 0): wrote outside the 10 bytes of its dynamic shared memory"
        );
    }
}

#[test]
fn arguments_of_every_kind_are_passed() {
    let Some(emulator) = arguments() else { return };
    let vectors: Vec<f32> = (0..8).map(|i| i as f32).collect();
    let mut out = [0.0f64];
    let mut args = [
        Arg::value(200u8),
        Arg::slice(&vectors),
        Arg::value(0.5f64),
        Arg::value([9.0f32, 0.25]),
        Arg::slice_mut(&mut out),
    ];
    emulator.launch("mixed", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
    assert_eq!(out, [206.75]);
    let mut out = [0i32];
    let mut args = [Arg::null(), Arg::slice_mut(&mut out)];
    emulator.launch("null", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
    assert_eq!(out, [1]);
}

#[test]
fn arguments_of_wrong_type_or_number_are_rejected() {
    let Some(emulator) = arguments() else { return };
    let write_at = |args: &mut [Arg<'_>]| {
        emulator.launch("write_at", Grid::new(1, 1), Order::Forward, args).unwrap_err().to_string()
    };
    let (mut floats, mut doubles, mut integers) = ([0.0f32; 2], [0.0f64; 2], [0i32; 2]);
    assert_eq!(write_at(&mut []), "write_at: takes 2 arguments, but 0 were given");
    assert_eq!(
        write_at(&mut [Arg::slice_mut(&mut floats), Arg::value(0i64)]),
        "write_at: argument 1, `at`, has 8 bytes, but the kernel expects 4"
    );
    assert_eq!(
        write_at(&mut [Arg::slice_mut(&mut floats), Arg::value(0.0f32)]),
        "write_at: argument 1, `at`, has type float, but the kernel expects integer"
    );
    assert_eq!(
        write_at(&mut [Arg::slice_mut(&mut doubles), Arg::value(0i32)]),
        "write_at: argument 0, `out`, has elements of 8 bytes, but the kernel expects 4"
    );
    assert_eq!(
        write_at(&mut [Arg::slice_mut(&mut integers), Arg::value(0i32)]),
        "write_at: argument 0, `out`, has type integer, but the kernel expects float"
    );
    assert_eq!(
        write_at(&mut [Arg::slice(&floats), Arg::value(0i32)]),
        "write_at: argument 0, `out`, may be written by the kernel, but is passed as an input"
    );
    assert_eq!(
        write_at(&mut [Arg::value(0u64), Arg::value(0i32)]),
        "write_at: argument 0, `out`, is a value, but the kernel expects a pointer"
    );
    for not_a_value in [Arg::null(), Arg::slice(&integers)] {
        assert_eq!(
            write_at(&mut [Arg::slice_mut(&mut floats), not_a_value]),
            "write_at: argument 1, `at`, is a pointer, but the kernel expects a value"
        );
    }
    assert_eq!(
        emulator.launch("write_to", Grid::new(1, 1), Order::Forward, &mut []).unwrap_err().to_string(),
        "arguments: unknown kernel `write_to`; available kernels: write_at, read_only, read_at, shared, null, mixed"
    );
}

#[test]
fn an_invalid_launch_configuration_is_rejected() {
    let Some(emulator) = arguments() else { return };
    let rejected = |blocks, threads, shared| {
        let grid = Grid { blocks, threads, ..Grid::new(1, 1).shared(shared) };
        emulator.launch("shared", grid, Order::Forward, &mut [Arg::value(0i32)]).unwrap_err().to_string()
    };
    assert_eq!(
        rejected([1, 1, 1], [32, 33, 1], 1),
        "shared: [32, 33, 1] threads are outside 1 to 1024 (at most 64 in z)"
    );
    assert_eq!(
        rejected([1, 0, 1], [1, 1, 1], 1),
        "shared: [1, 0, 1] blocks are outside 1 to 2147483647, 65535 and 65535"
    );
    assert_eq!(
        rejected([1, 1, 1], [1, 1, 1], 240_000),
        "shared: 240000 bytes of shared memory exceed the limit of 232448"
    );
}

#[test]
fn undefined_behavior_is_reported_with_its_line() {
    let source = r#"
    extern "C" __global__ void index(int* out) {
        __shared__ int few[4];
        few[threadIdx.x] = 1;
        out[threadIdx.x] = few[threadIdx.x];
    }
    extern "C" __global__ void divide(int* out) { out[threadIdx.x] = 7 / ((int)threadIdx.x - 2); }
    extern "C" __global__ void shift(int* out) { out[threadIdx.x] = 1u << (threadIdx.x + 30); }
    extern "C" __global__ void misaligned(int* out) { out[threadIdx.x] = ((int2*)(out + threadIdx.x))->y; }
    extern "C" __global__ void trap(int* out) { if (threadIdx.x == 2) __trap(); out[threadIdx.x] = 1; }
    extern "C" __global__ void assume(int* out) { __builtin_assume(threadIdx.x < 2); out[threadIdx.x] = 1; }
    "#;
    let Some(emulator) = emulator_or_skip(&Program::new("undefined", source)) else { return };
    for (kernel, problem) in [
        ("index", "thread (4, 0, 0) uses index 4 outside an array on line"),
        ("index", "(`few[threadIdx.x] = 1;`)"),
        ("divide", "thread (2, 0, 0) divides an integer by zero on line"),
        ("shift", "thread (2, 0, 0) shifts by more bits than the operand has on line"),
        ("misaligned", "thread (1, 0, 0) reads or writes at a misaligned address on line"),
        ("trap", "thread (2, 0, 0) reaches __trap on line"),
        ("assume", "thread (2, 0, 0) violates the assumption threadIdx.x < 2 on line"),
    ] {
        let message = failure(&emulator, kernel, 8);
        assert!(message.contains(problem), "`{problem}` is missing in: {message}");
    }
}
