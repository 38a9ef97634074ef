use super::*;
use proptest::prelude::*;

/// One kernel per operation and type, which writes the results of all four rounding modes.
pub(super) fn roundings() -> Program {
    let mut source = String::new();
    for (letter, real, fma) in [("f", "float", "__fmaf"), ("d", "double", "__fma")] {
        for operation in ["add", "sub", "mul", "div", "rcp", "sqrt", "fma"] {
            let call = |suffix: &str| match operation {
                "fma" => format!("{fma}_{suffix}(a[0], b[0], c[0])"),
                "rcp" | "sqrt" => format!("__{letter}{operation}_{suffix}(a[0])"),
                _ => format!("__{letter}{operation}_{suffix}(a[0], b[0])"),
            };
            source += &format!(
                "extern \"C\" __global__ void {operation}_{letter}(const {real}* a, const {real}* b, const {real}* c,
                                                                  {real}* out) {{
                    out[0] = {}; out[1] = {}; out[2] = {}; out[3] = {};
                }}\n",
                call("rn"),
                call("rd"),
                call("ru"),
                call("rz")
            );
        }
    }
    Program::new("roundings", source)
}

fn round<T: bytemuck::Pod>(emulator: &Emulator, kernel: &str, [a, b, c]: [T; 3]) -> [T; 4] {
    let mut out = [T::zeroed(); 4];
    let (a, b, c) = ([a], [b], [c]);
    let mut args = [Arg::slice(&a), Arg::slice(&b), Arg::slice(&c), Arg::slice_mut(&mut out)];
    emulator.launch(kernel, Grid::new(1, 1), Order::Forward, &mut args).unwrap();
    out
}

#[test]
fn known_values_are_rounded_according_to_the_suffix() {
    let Some(emulator) = emulator_or_skip(&roundings()) else { return };
    const E: f32 = f32::EPSILON;
    const T: f32 = 1.0e-10; // far below half a unit in the last place of 1
    // nearest, down, up, toward zero
    for (operation, [a, b, c], expected) in [
        ("add", [1.0, T, 0.0], [1.0, 1.0, 1.0 + E, 1.0]),
        ("add", [-1.0, -T, 0.0], [-1.0, -1.0 - E, -1.0, -1.0]),
        ("sub", [1.0, T, 0.0], [1.0, 1.0 - E / 2.0, 1.0, 1.0 - E / 2.0]),
        ("mul", [1.0 + E, 1.0 + E, 0.0], [1.0 + 2.0 * E, 1.0 + 2.0 * E, 1.0 + 3.0 * E, 1.0 + 2.0 * E]),
        ("mul", [f32::MAX, 2.0, 0.0], [f32::INFINITY, f32::MAX, f32::INFINITY, f32::MAX]),
        ("mul", [-1.0e-30, 1.0e-30, 0.0], [-0.0, -1.0e-45, -0.0, -0.0]),
        ("div", [1.0, 3.0, 0.0], [0.333_333_34, 0.333_333_3, 0.333_333_34, 0.333_333_3]),
        ("rcp", [3.0, 0.0, 0.0], [0.333_333_34, 0.333_333_3, 0.333_333_34, 0.333_333_3]),
        ("sqrt", [5.0, 0.0, 0.0], [2.236_068, 2.236_067_8, 2.236_068, 2.236_067_8]),
        // (1 + ε)² − 1 − 2ε = ε² exactly: only a fused operation gives it
        ("fma", [1.0 + E, 1.0 + E, -1.0 - 2.0 * E], [E * E; 4]),
        ("fma", [1.0, 1.0, T], [1.0, 1.0, 1.0 + E, 1.0]),
    ] {
        let got = round(&emulator, &format!("{operation}_f"), [a, b, c]);
        assert_eq!(
            got.map(f32::to_bits),
            expected.map(f32::to_bits),
            "{operation}({a:e}, {b:e}, {c:e}) = {got:?}"
        );
    }
}

#[test]
fn doubles_are_rounded_according_to_the_suffix() {
    let Some(emulator) = emulator_or_skip(&roundings()) else { return };
    const E: f64 = f64::EPSILON;
    let third = 1.0f64 / 3.0; // below one third: its last bits are …0101
    for (operation, [a, b, c], expected) in [
        ("add", [1.0, 1e-20, 0.0], [1.0, 1.0, 1.0 + E, 1.0]),
        ("sub", [-1.0, 1e-20, 0.0], [-1.0, -1.0 - E, -1.0, -1.0]),
        ("mul", [1.0 + E, 1.0 + E, 0.0], [1.0 + 2.0 * E, 1.0 + 2.0 * E, 1.0 + 3.0 * E, 1.0 + 2.0 * E]),
        ("div", [1.0, 3.0, 0.0], [third, third, third.next_up(), third]),
        ("rcp", [-3.0, 0.0, 0.0], [-third, -third.next_up(), -third, -third]),
        (
            "sqrt",
            [2.0, 0.0, 0.0],
            [2f64.sqrt(), 2f64.sqrt().next_down(), 2f64.sqrt(), 2f64.sqrt().next_down()],
        ),
        ("fma", [1.0 + E, 1.0 + E, -1.0 - 2.0 * E], [E * E; 4]),
    ] {
        let got = round(&emulator, &format!("{operation}_d"), [a, b, c]);
        assert_eq!(
            got.map(f64::to_bits),
            expected.map(f64::to_bits),
            "{operation}({a:e}, {b:e}, {c:e}) = {got:?}"
        );
    }
}

proptest! {
    #[test]
    fn a_rounded_product_of_floats_is_the_tightest_bound_of_the_exact_product(a in -1e9f32..1e9, b in -1e9f32..1e9) {
        let Some(emulator) = emulator_or_skip(&roundings()) else { return Ok(()) };
        let exact = f64::from(a) * f64::from(b); // 48 bits: exact in a double
        let [nearest, down, up, zero] = round(&emulator, "mul_f", [a, b, 0.0]);
        prop_assert!(f64::from(down) <= exact && exact <= f64::from(up));
        prop_assert!(down == up || down.next_up() == up);
        prop_assert_eq!(zero, if exact >= 0.0 { down } else { up });
        prop_assert_eq!(nearest, a * b);
    }
}

pub(super) const CONVERSIONS: &str = r#"
extern "C" __global__ void convert(const double* x, int64* out) {
    const double d = x[0];
    const float f = __double2float_rn(d);
    int i = 0;
    out[i++] = __float2int_rn(f); out[i++] = __float2int_rd(f); out[i++] = __float2int_ru(f);
    out[i++] = __float2int_rz(f); out[i++] = __float2uint_rn(f); out[i++] = __float2ll_rd(f);
    out[i++] = __double2int_rn(d); out[i++] = __double2uint_rz(d); out[i++] = __double2ll_ru(d);
    out[i++] = (int64)__double2ull_rn(d);
}
extern "C" __global__ void widths(float* out) {
    out[0] = __int2float_rd(16777217); out[1] = __int2float_ru(16777217); out[2] = __uint2float_rn(4294967295u);
    out[3] = __uint2float_rz(4294967295u); out[4] = __ll2float_rd(-16777217LL); out[5] = __ull2float_ru(1ull << 63);
    out[6] = __double2float_rd(1.0 + 1e-12); out[7] = __double2float_ru(1.0 + 1e-12);
    out[8] = (float)(__ll2double_rd((1LL << 53) + 1) - 9007199254740992.0);
    out[9] = (float)(__ull2double_ru((1ull << 53) + 1) - 9007199254740992.0);
    out[10] = (float)(__int2double_rn(-3) + __uint2double_rn(5u));
}
"#;

#[test]
fn conversions_round_saturate_and_map_nan_as_in_ptx() {
    const I32: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
    let Some(emulator) = emulator_or_skip(&Program::new("conversions", CONVERSIONS)) else { return };
    let u32_max = i64::from(u32::MAX);
    for (x, expected) in [
        (2.5f64, [2, 2, 3, 2, 2, 2, 2, 2, 3, 2]),
        (-2.5, [-2, -3, -2, -2, 0, -3, -2, 0, -2, 0]),
        (1e30, [I32.1, I32.1, I32.1, I32.1, u32_max, i64::MAX, I32.1, u32_max, i64::MAX, -1]),
        (-1e30, [I32.0, I32.0, I32.0, I32.0, 0, i64::MIN, I32.0, 0, i64::MIN, 0]),
        (f64::NAN, [0, 0, 0, 0, 0, i64::MIN, I32.0, 1 << 31, i64::MIN, i64::MIN]),
    ] {
        let (x, mut out) = ([x], [0i64; 10]);
        let mut args = [Arg::slice(&x), Arg::slice_mut(&mut out)];
        emulator.launch("convert", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
        assert_eq!(out, expected, "{x:?}");
    }
    let two24 = 16_777_216.0f32;
    assert_eq!(
        output_of_one_block(&emulator, "widths", 1, &[0f32; 11]),
        [
            two24,
            two24 + 2.0,
            4_294_967_296.0,
            4_294_967_040.0,
            -two24 - 2.0,
            9_223_372_036_854_775_808.0,
            1.0,
            1.0 + f32::EPSILON,
            0.0,
            2.0,
            2.0
        ]
    );
}

pub(super) const BITS: &str = r#"
extern "C" __global__ void bits(int* out) {
    int i = 0;
    out[i++] = __popc(0xF0F0u); out[i++] = __popcll(~0ull); out[i++] = __ffs(0); out[i++] = __ffs(8);
    out[i++] = __ffsll(1LL << 40); out[i++] = __clz(0); out[i++] = __clz(1); out[i++] = __clzll(1);
    out[i++] = __brev(1u) == 0x80000000u; out[i++] = __brevll(2ull) == 1ull << 62;
    out[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x7051u) == 0x77005511u;
    out[i++] = __funnelshift_l(0x80000000u, 1u, 1) == 3; out[i++] = __funnelshift_r(0u, 3u, 1) == (int)0x80000000u;
    out[i++] = __mulhi(-1, 1); out[i++] = __umulhi(~0u, 2u); out[i++] = (int)__umul64hi(~0ull, 4ull);
    out[i++] = (int)__mul64hi(-1, 1); out[i++] = __mul24(-3, 5); out[i++] = __umul24(0x1000003u, 5u);
    out[i++] = __usad(3u, 8u, 1u); out[i++] = __sad(-3, 8, 1u);
    out[i++] = __float_as_uint(1.0f) == 0x3f800000u; out[i++] = __float_as_int(-0.0f) == (int)0x80000000u;
    out[i++] = __int_as_float(0x40000000) == 2.0f; out[i++] = __uint_as_float(0x3f000000u) == 0.5f;
    out[i++] = __longlong_as_double(__double_as_longlong(-1.25)) == -1.25;
    out[i++] = __hiloint2double(__double2hiint(3.75), __double2loint(3.75)) == 3.75;
    out[i++] = min(-1, 2); out[i++] = (int)min(-1, 2u); out[i++] = (int)max(3LL, -4LL); out[i++] = min(2.5f, 1.5) == 1.5;
    out[i++] = max(nanf(""), 7.0f); out[i++] = fminf(nanf(""), 6.0f); out[i++] = fmax(2.0, 5.0);
    out[i++] = __saturatef(nanf("")) == 0.0f && __saturatef(2.0f) == 1.0f && __saturatef(0.25f) == 0.25f;
}
extern "C" __global__ void functions(double* out) {
    int i = 0;
    float s, c;
    out[i++] = rsqrtf(4.0f); out[i++] = rsqrt(16.0); out[i++] = rcbrtf(8.0f); out[i++] = rcbrt(27.0);
    out[i++] = __expf(1.0f); out[i++] = __logf(2.0f); out[i++] = __powf(2.0f, 0.5f); out[i++] = __fdividef(1.0f, 4.0f);
    out[i++] = exp2f(3.0f); out[i++] = exp10(2.0); out[i++] = exp10f(-1.0f); out[i++] = __exp10f(1.0f);
    out[i++] = __log2f(8.0f); out[i++] = __log10f(100.0f); out[i++] = __sinf(0.5f); out[i++] = __cosf(0.5f);
    out[i++] = __tanf(0.5f); sincosf(0.25f, &s, &c); out[i++] = s; out[i++] = c;
    out[i++] = sinpif(0.5f); out[i++] = cospi(1.0); out[i++] = __frsqrt_rn(4.0f);
    out[i++] = abs(-1.5f); out[i++] = sqrt(2.25f); out[i++] = copysignf(3.0f, -0.0f); out[i++] = isnan(nanf(""));
}
"#;

#[test]
fn bit_and_integer_intrinsics_agree_with_cuda() {
    let Some(emulator) = emulator_or_skip(&Program::new("bits", BITS)) else { return };
    #[rustfmt::skip]
    let expected = [
        8, 64, 0, 4, 41, 32, 31, 63, 1, 1, 1, 1, 1, -1, 1, 3, -1, -15, 15, 6, 12,
        1, 1, 1, 1, 1, 1, -1, 2, 3, 1, 7, 6, 5, 1,
    ];
    assert_eq!(output_of_one_block(&emulator, "bits", 1, &[0i32; 35]), expected);
}

#[test]
fn functions_agree_with_rust_in_single_precision() {
    let Some(emulator) = emulator_or_skip(&Program::new("bits", BITS)) else { return };
    let out = output_of_one_block(&emulator, "functions", 1, &[0f64; 26]);
    #[rustfmt::skip]
    let expected = [
        0.5, 0.25, 0.5, 1.0 / 3.0,
        1f64.exp(), 2f64.ln(), 2f64.sqrt(), 0.25,
        8.0, 100.0, 0.1, 10.0,
        3.0, 2.0, 0.5f64.sin(), 0.5f64.cos(),
        0.5f64.tan(), 0.25f64.sin(), 0.25f64.cos(),
        1.0, -1.0, 0.5,
        1.5, 1.5, -3.0, 1.0,
    ];
    for (i, (got, expected)) in out.iter().zip(expected).enumerate() {
        // the C library's single-precision functions have an error of about one ulp
        assert!((got - expected).abs() <= expected.abs() * f64::from(f32::EPSILON), "{i}: {got} {expected}");
    }
}

pub(super) const ATOMICS: &str = r#"
extern "C" __global__ void change(int* a, unsigned* b, uint64* c, float* d, double* e, int* old) {
    int i = 0;
    old[i++] = atomicAdd(a, 5); old[i++] = atomicSub(a, 1); old[i++] = atomicMax(a, -9); old[i++] = atomicMin(a, -9);
    old[i++] = atomicExch(a, 3); old[i++] = atomicCAS(a, 4, 8); old[i++] = atomicCAS(a, 3, 8);
    old[i++] = atomicMax(b, 7); old[i++] = atomicInc(b, 7); old[i++] = atomicDec(b, 5); old[i++] = atomicOr(b, 8);
    old[i++] = atomicAnd(b, 12); old[i++] = atomicXor(b, 1);
    old[i++] = atomicAdd(c, 1ull << 40); old[i++] = atomicCAS(c, (1ull << 40) + 2, 6); old[i++] = atomicMin(c, 5);
    old[i++] = atomicAdd(d, 0.5f); old[i++] = atomicExch(d, 9.0f); old[i++] = atomicAdd(e, 0.25);
}"#;

#[test]
fn atomics_return_the_old_value() {
    let Some(emulator) = emulator_or_skip(&Program::new("atomics", ATOMICS)) else { return };
    let (mut a, mut b, mut c, mut d, mut e) = ([1i32], [2u32], [2u64], [1.5f32], [4.0f64]);
    let mut old = [0i32; 19];
    let mut args = [
        Arg::slice_mut(&mut a),
        Arg::slice_mut(&mut b),
        Arg::slice_mut(&mut c),
        Arg::slice_mut(&mut d),
        Arg::slice_mut(&mut e),
        Arg::slice_mut(&mut old),
    ];
    emulator.launch("change", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
    assert_eq!(old, [1, 6, 5, 5, -9, 3, 3, 2, 7, 0, 5, 13, 12, 2, 2, 6, 1, 2, 4]);
    assert_eq!((a[0], b[0], c[0], d[0], e[0]), (8, 13, 5, 9.0, 4.25));
}

pub(super) const PACKED: &str = r#"
extern "C" __global__ void packed(const unsigned a, const unsigned b, unsigned* out) {
    int i = 0;
    out[i++] = __vadd4(a, b); out[i++] = __vaddus4(a, b); out[i++] = __vsub4(a, b); out[i++] = __vsubus4(a, b);
    out[i++] = __vabsdiffu4(a, b); out[i++] = __vavgu4(a, b); out[i++] = __vhaddu4(a, b); out[i++] = __vmaxu4(a, b);
    out[i++] = __vminu4(a, b); out[i++] = __vcmpgtu4(a, b); out[i++] = __vcmpeq4(a, b); out[i++] = __vsetleu4(a, b);
    out[i++] = __vmaxs4(a, b); out[i++] = __vaddss4(a, b); out[i++] = __vsubss4(a, b); out[i++] = __vcmplts4(a, b);
    out[i++] = __vsadu4(a, b); out[i++] = __dp4a(a, b, 7u); out[i++] = __dp4a((int)a, (int)b, -7);
    out[i++] = __vneg4(a);
    out[i++] = __vadd2(a, b); out[i++] = __vmaxu2(a, b); out[i++] = __vaddus2(a, b);
}
"#;

proptest! {
    #[test]
    fn packed_intrinsics_compute_each_lane_separately(a: u32, b: u32) {
        let Some(emulator) = emulator_or_skip(&Program::new("packed", PACKED)) else { return Ok(()) };
        let mut out = [0u32; 23];
        let mut args = [Arg::value(a), Arg::value(b), Arg::slice_mut(&mut out)];
        emulator.launch("packed", Grid::new(1, 1), Order::Forward, &mut args).unwrap();
        let (x, y) = (a.to_le_bytes(), b.to_le_bytes());
        let bytes = |f: fn(u8, u8) -> u8| u32::from_le_bytes(std::array::from_fn(|i| f(x[i], y[i])));
        let signed = |f: fn(i8, i8) -> i8| {
            u32::from_le_bytes(std::array::from_fn(|i| f(x[i] as i8, y[i] as i8) as u8))
        };
        let halves = |f: fn(u16, u16) -> u16| {
            u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
        };
        let pairs = || x.into_iter().zip(y);
        let expected = [
            bytes(u8::wrapping_add),
            bytes(u8::saturating_add),
            bytes(u8::wrapping_sub),
            bytes(u8::saturating_sub),
            bytes(u8::abs_diff),
            bytes(|x, y| (u16::from(x) + u16::from(y)).div_ceil(2) as u8),
            bytes(|x, y| ((u16::from(x) + u16::from(y)) / 2) as u8),
            bytes(u8::max),
            bytes(u8::min),
            bytes(|x, y| if x > y { 0xff } else { 0 }),
            bytes(|x, y| if x == y { 0xff } else { 0 }),
            bytes(|x, y| u8::from(x <= y)),
            signed(i8::max),
            signed(i8::saturating_add),
            signed(i8::saturating_sub),
            signed(|x, y| if x < y { -1 } else { 0 }),
            pairs().map(|(x, y)| u32::from(x.abs_diff(y))).sum(),
            pairs().map(|(x, y)| u32::from(x) * u32::from(y)).sum::<u32>() + 7,
            (pairs().map(|(x, y)| i32::from(x as i8) * i32::from(y as i8)).sum::<i32>() - 7) as u32,
            bytes(|x, _| x.wrapping_neg()),
            halves(u16::wrapping_add),
            halves(u16::max),
            halves(u16::saturating_add),
        ];
        prop_assert_eq!(out, expected);
    }
}
