//! Programs of certified arithmetic: the device source, the layout of arrays, and formulas printed as kernels.

use crate::arithmetic::expr::{Binary, Step, Unary};
use crate::device::cuda::Program;
use std::fmt::Write as _;

const REAL: &str = include_str!("real.cuh");
const CUT: &str = include_str!("cut.cuh");
const BALL: &str = include_str!("ball.cuh");
const FUZZY: &str = include_str!("fuzzy.cuh");
const LAYOUT: &str = include_str!("layout.cuh");
const AXPY: &str = include_str!("axpy.cu");
const SUMS: &str = include_str!("sums.cu");

/// Fuzzy numbers for your own CUDA kernels: the text of `fuzzy_lu<T, N>` and `fuzzy_mr<T, N, R>` with all their operations,
/// in the namespace `fuzzion`.
///
/// It needs no header and is the same under nvcc and NVRTC; put it in front of a kernel, or include `fuzzy.cuh` from this
/// crate's folder `src/arithmetic/cuda`. Results have the same bits as [`FuzzyLu`](crate::arithmetic::FuzzyLu)'s and
/// [`FuzzyMr`](crate::arithmetic::FuzzyMr)'s. Compile without fast-math and without flushing of subnormal numbers.
///
/// ```
/// let kernel = "extern \"C\" __global__ void square(fuzzion::fuzzy_lu<double, 4>* x) {
///     x[threadIdx.x] = sqr(x[threadIdx.x]);
/// }";
/// let source = fuzzion::arithmetic::device_source() + kernel; // ready for a compiler
/// assert!(source.contains("struct fuzzy_mr"));
/// ```
pub fn device_source() -> String {
    [REAL, CUT, BALL, FUZZY].concat()
}

/// The types of an encoding as CUDA calls them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Types {
    /// Of bounds or midpoints.
    pub(crate) real: &'static str,
    /// Of radii, where there are any.
    pub(crate) radius: Option<&'static str>,
}

/// The pointers of a `COLUMN(x)` or a `RESULT(x)`.
fn pointers(word: &str, x: &str, types: Types) -> String {
    let constant = if word == "COLUMN" { "const " } else { "" };
    let pointer = |real: &str, planes: &str| format!("{constant}{real}* __restrict__ {x}_{planes}");
    match types.radius {
        None => pointer(types.real, "bounds"),
        Some(radius) => format!("{}, {}", pointer(types.real, "midpoints"), pointer(radius, "radii")),
    }
}

/// A text with its columns spelled out.
fn spelled_out(text: &str, types: Types) -> String {
    ["COLUMN", "RESULT"].into_iter().fold(text.to_owned(), |text, word| {
        let open = format!("{word}(");
        let mut parts = text.split(&open);
        let mut spelled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (x, rest) = part.split_once(')').unwrap_or((part, ""));
            spelled += &pointers(word, x, types);
            spelled += rest;
        }
        spelled
    })
}

/// A program over arrays of numbers with so many cuts.
fn program(name: &'static str, source: &str, types: Types, cuts: usize) -> Program {
    let program = Program::new(name, spelled_out(source, types))
        .with(REAL)
        .with(CUT)
        .with(BALL)
        .with(LAYOUT)
        .constant("REAL", types.real)
        .constant("CUTS", cuts);
    match types.radius {
        Some(radius) => program.constant("RADIUS", radius),
        None => program,
    }
}

/// How a thread of `axpy_series` is loaded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Load {
    /// Numbers of a thread.
    pub(crate) together: usize,
    /// Cuts of a number that a thread takes.
    pub(crate) cuts: usize,
}

/// What is fastest on an H200. Bounds go through registers cut by cut. Radii share what becomes of the midpoint, so that a
/// thread takes all of a number that fits into its registers. Two numbers or more at once gain where they share operands.
pub(crate) fn load(types: Types, cuts: usize, one: bool) -> Load {
    // More of double precision do not fit into the registers of every GPU.
    let most_cuts = if one { 24 } else { 20 };
    match types.radius {
        None => Load { together: if one { 4 } else { 1 }, cuts: 1 },
        Some(_) => {
            let groups = cuts.div_ceil(most_cuts);
            let together = if one && cuts <= 16 { 2 } else { 1 };
            Load { together, cuts: cuts.div_ceil(groups) }
        }
    }
}

/// `axpy_series`; `one` says that a and b are each one number for all.
pub(crate) fn axpy(types: Types, cuts: usize, one: bool) -> Program {
    let load = load(types, cuts, one);
    let unroll = if types.radius.is_some() { 8 } else { 16 };
    program("arithmetic axpy", AXPY, types, cuts)
        .constant("ONE", usize::from(one))
        .constant("TOGETHER", load.together)
        .constant("GROUP", load.cuts)
        .constant("UNROLL", unroll)
}

/// `sum_chunks`, `dot_chunks` and `join_chunks`.
pub(crate) fn sums(types: Types, cuts: usize, chunk: usize) -> Program {
    program("arithmetic sums", SUMS, types, cuts).constant("CHUNK", chunk)
}

/// A formula over columns; `single` says of each whether it is one number for all rows. Literals are columns behind those
/// of the variables.
pub(in crate::arithmetic) struct Formula<'a> {
    pub(in crate::arithmetic) steps: &'a [Step],
    pub(in crate::arithmetic) variables: usize,
    pub(in crate::arithmetic) single: &'a [bool],
}

/// A kernel `evaluate_K` for each formula.
pub(in crate::arithmetic) fn evaluate(types: Types, cuts: usize, formulas: &[Formula<'_>]) -> Program {
    let kernels: String = formulas.iter().enumerate().map(|(k, formula)| formula.kernel(k)).collect();
    program("arithmetic formula", &kernels, types, cuts)
}

impl Formula<'_> {
    fn kernel(&self, k: usize) -> String {
        let Formula { steps, variables, single } = *self;
        let (mut states, mut body, mut stack) = (String::new(), String::new(), Vec::new());
        for (t, step) in steps.iter().enumerate() {
            let mut take = || stack.pop().unwrap_or(0); // no program is short of numbers
            let mut nested = false;
            let value = match *step {
                Step::Variable(index) => column(index, single),
                Step::Literal(index) => column(variables + index, single),
                Step::Unary(operation) => {
                    let x = take();
                    let call = |name: &str| format!("fuzzion::{name}(t{x}, w{t})");
                    nested = !matches!(operation, Unary::Neg | Unary::Sqr | Unary::Abs);
                    match operation {
                        Unary::Neg => format!("-t{x}"),
                        Unary::Sqr => format!("fuzzion::sqr(t{x})"),
                        Unary::Abs => format!("fuzzion::abs(t{x})"),
                        Unary::Recip => call("recip"),
                        Unary::Sqrt => call("sqrt"),
                        Unary::Exp => call("exp"),
                        Unary::Log => call("log"),
                        Unary::Powi(n) => format!("fuzzion::powi(t{x}, {n}, w{t})"),
                    }
                }
                Step::Binary(operation) => {
                    let (y, x) = (take(), take());
                    nested = operation == Binary::Div;
                    match operation {
                        Binary::Add => format!("t{x} + t{y}"),
                        Binary::Sub => format!("t{x} - t{y}"),
                        Binary::Mul => format!("t{x} * t{y}"),
                        Binary::Div => format!("fuzzion::div(t{x}, t{y}, w{t})"),
                        Binary::Min => format!("fuzzion::min(t{x}, t{y})"),
                        Binary::Max => format!("fuzzion::max(t{x}, t{y})"),
                    }
                }
                Step::MulAdd => {
                    let (z, y, x) = (take(), take(), take());
                    format!("fuzzion::mul_add(t{x}, t{y}, t{z})")
                }
            };
            if nested {
                let _ = writeln!(states, "        fuzzion::nesting<Part> w{t};");
            }
            let _ = writeln!(body, "            const Part t{t} = {value};");
            stack.push(t);
        }
        let result = stack.pop().unwrap_or(0);
        let columns: String = (0..single.len()).map(|index| format!("COLUMN(v{index}), ")).collect();
        // The last block is filled up with zeros.
        format!(
            "extern \"C\" __global__ void evaluate_{k}({columns}RESULT(out), const int64 numbers) {{\n\
         \x20   FOR_EACH(number, (numbers + LANES - 1) / LANES * LANES) {{\n\
         \x20       const int64 block = number / LANES;\n\
         \x20       const int lane = (int)(number % LANES);\n\
         {states}\
         \x20       for (int i = 0; i < CUTS; ++i) {{\n\
         {body}\
         \x20           STORE(out, block, i, lane, number < numbers ? t{result} : ZERO);\n\
         \x20       }}\n    }}\n}}\n"
        )
    }
}

/// A cut of a column.
fn column(index: usize, single: &[bool]) -> String {
    match single.get(index) {
        Some(true) => format!("LOAD(v{index}, 0, i, 0)"),
        _ => format!("LOAD(v{index}, block, i, lane)"),
    }
}
