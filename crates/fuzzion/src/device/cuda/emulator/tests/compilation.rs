use super::*;
use crate::device::cuda::nvrtc::testing::compiled_everywhere;

#[test]
fn kernels_are_found_with_any_attributes_before_their_name() {
    let source = "
    // extern \"C\" __global__ void commented(int a)
    /* extern \"C\" __global__ void also(int a) */
    extern \"C\" __global__ void plain(const float* __restrict__ x /* n, d */, int64 n) {}
    extern \"C\" __global__ __launch_bounds__(256, 2)
    void before(float* y) {}
    extern \"C\" __global__ void
    __launch_bounds__(THREADS * (2 + 1))
    after() {}
    extern \"C\" void not_a_kernel(int a);
    ";
    let found = |name: &str, parameters: &[&str]| Signature {
        name: name.into(),
        parameters: parameters.iter().map(|&name| name.into()).collect(),
    };
    assert_eq!(
        source::kernels(source),
        [found("plain", &["x", "n"]), found("before", &["y"]), found("after", &[])]
    );
}

#[test]
fn kernels_excluded_by_the_preprocessor_are_excluded() {
    let source = r#"
    #if WITH_SECOND
    extern "C" __global__ void second(int* out) { out[0] = 2; }
    #endif
    template <int N> __device__ int twice() { __shared__ int s; s = N; __syncthreads(); return 2 * s; }
    extern "C" __global__ void first(int* out) { out[threadIdx.x] = twice<20>() + twice<1>(); }
    "#;
    for (with, kernels) in [(0, vec!["first"]), (1, vec!["second", "first"])] {
        let program = Program::new("variants", source).constant("WITH_SECOND", with);
        let Some(emulator) = emulator_or_skip(&program) else { return };
        assert_eq!(emulator.kernels(), kernels);
        assert_eq!(output_of_one_block(&emulator, "first", 3, &[0i32; 3]), [42, 42, 42]);
    }
}

#[test]
fn a_compiler_error_has_the_line_numbers_of_the_program() {
    let program = Program::new("broken", "extern \"C\" __global__ void k(float* y) { y[0] = nonsense; }");
    let line = program.text().lines().count();
    match Emulator::new(&program) {
        Err(EmulatorError::Compile { program: "broken", log }) => {
            assert!(log.contains(&format!("program.cu:{line}:")) && log.contains("nonsense"), "{log}");
        }
        Err(EmulatorError::NoCompiler { .. } | EmulatorError::Unsupported) => {}
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn without_a_compiler_the_error_explains_how_to_set_one() {
    let program = Program::new("uncompiled", "extern \"C\" __global__ void k() {}");
    let compilers = ["no-such-compiler-1".to_owned(), "no-such-compiler-2 -v".to_owned()];
    let failed = compile::library(&program, &[], &compilers).unwrap_err();
    if failed != EmulatorError::Unsupported {
        assert_eq!(
            failed.to_string(),
            "no C++ compiler: none of no-such-compiler-1, no-such-compiler-2 -v can be run; \
             install one, or set CXX"
        );
    }
    assert_eq!(compile::compilers(Some("clang++-19".into())), ["clang++-19"]);
    assert_eq!(compile::compilers(None), ["c++", "g++", "clang++"]);
}

#[test]
fn a_program_is_compiled_once_and_specializations_are_separate() {
    let program = |n: i32| {
        Program::new(
            "apart",
            "extern \"C\" __global__ void k(int* out) { static int calls = 0; out[0] = N + calls++; }",
        )
        .constant("N", n)
    };
    let Some(one) = emulator_or_skip(&program(100)) else { return };
    let Some(two) = emulator_or_skip(&program(200)) else { return };
    let Some(one_again) = emulator_or_skip(&program(100)) else { return };
    let call = |emulator: &Emulator| {
        let mut out = [0i32];
        emulator.launch("k", Grid::new(1, 1), Order::Forward, &mut [Arg::slice_mut(&mut out)]).unwrap();
        out[0]
    };
    // the counter shows which library ran
    assert_eq!([call(&one), call(&two), call(&one_again), call(&two)], [100, 200, 101, 201]);
}

#[test]
fn lines_mentioned_in_a_message_are_quoted() {
    assert_eq!(
        source::quote_lines("stops on line 2, not on line 9 or in line", "first\n  second;\n"),
        "stops on line 2 (`second;`), not on line 9 or in line"
    );
}

#[test]
fn the_emulated_functions_exist_in_cuda() {
    let sources = [
        ("bits", arithmetic::BITS),
        ("conversions", arithmetic::CONVERSIONS),
        ("packed", arithmetic::PACKED),
        ("atomics", arithmetic::ATOMICS),
        ("warps", warps::SHUFFLES),
        ("sum", barriers::SUM),
        ("indices", grids::INDICES),
    ];
    for (name, source) in sources {
        let program = Program::new(name, source).constant("MISSING", 0).constant("WITH_BARRIER", 1);
        let Some(all) = compiled_everywhere(&program) else { return };
        assert!(all.iter().all(|(_, kernels)| kernels.len() == source::kernels(source).len()), "{name}");
    }
    compiled_everywhere(&arithmetic::roundings());
}
