//! Sources of the CUDA programs: device library, array layout, and kernels generated from formulas.

use crate::arithmetic::expr::{Binary, PostfixOp, Unary};
use crate::device::cuda::Program;
use std::fmt::Write as _;

const REAL: &str = include_str!("real.cuh");
const CUT: &str = include_str!("cut.cuh");
const BALL: &str = include_str!("ball.cuh");
const FUZZY: &str = include_str!("fuzzy.cuh");
const LAYOUT: &str = include_str!("layout.cuh");
const AXPY: &str = include_str!("axpy.cu");
const SUMS: &str = include_str!("sums.cu");

/// CUDA source of the fuzzy number types `fuzzy_lu<T, N>` and `fuzzy_mr<T, N, R>` with all operations, in the namespace
/// `fuzzion`, for use in custom kernels.
///
/// It needs no headers and compiles with nvcc and NVRTC; prepend it to a kernel, or include `fuzzy.cuh` from
/// `src/arithmetic/cuda` of this crate. Results are bit-identical to [`FuzzyLu`](crate::arithmetic::FuzzyLu) and
/// [`FuzzyMr`](crate::arithmetic::FuzzyMr). Compile without fast-math and without flushing subnormal numbers to zero.
///
/// ```
/// let kernel = "extern \"C\" __global__ void square(fuzzion::fuzzy_lu<double, 4>* x) {
///     x[threadIdx.x] = sqr(x[threadIdx.x]);
/// }";
/// let source = fuzzion::arithmetic::device_source() + kernel;
/// assert!(source.contains("struct fuzzy_mr"));
/// ```
pub fn device_source() -> String {
    [REAL, CUT, BALL, FUZZY].concat()
}

/// CUDA names of the element types of an encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Types {
    /// Type of the bounds or midpoints.
    pub(crate) real: &'static str,
    /// Type of the radii; `None` for the lower-upper encoding.
    pub(crate) radius: Option<&'static str>,
}

/// Pointer parameters of a `COLUMN(x)` or `RESULT(x)`.
fn pointers(kind: &str, x: &str, types: Types) -> String {
    let constant = if kind == "COLUMN" { "const " } else { "" };
    let pointer = |real: &str, planes: &str| format!("{constant}{real}* __restrict__ {x}_{planes}");
    match types.radius {
        None => pointer(types.real, "bounds"),
        Some(radius) => format!("{}, {}", pointer(types.real, "midpoints"), pointer(radius, "radii")),
    }
}

/// Expands `COLUMN(x)` and `RESULT(x)` to pointer parameters.
fn expand_parameters(text: &str, types: Types) -> String {
    ["COLUMN", "RESULT"].into_iter().fold(text.to_owned(), |text, kind| {
        let open = format!("{kind}(");
        let (mut expanded, mut rest) = (String::new(), text.as_str());
        while let Some((before, after)) = rest.split_once(&open) {
            let (x, after) = after.split_once(')').expect("invariant: the kernels close every parenthesis");
            expanded += before;
            expanded += &pointers(kind, x, types);
            rest = after;
        }
        expanded + rest
    })
}

/// Program over arrays of numbers with `cuts` cuts.
fn program(name: &'static str, source: &str, types: Types, cuts: usize) -> Program {
    let program = Program::new(name, expand_parameters(source, types))
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

/// Work per thread of `iterate_axpy`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThreadLoad {
    /// Numbers per thread.
    pub(crate) numbers: usize,
    /// Cuts per number and thread.
    pub(crate) cuts: usize,
}

/// Fastest configuration on an H200. Bounds are independent, so a thread processes one cut. Radii share the iteration of
/// the midpoint, so a thread processes as many cuts of a number as fit in its registers. Two or more numbers per thread
/// are faster if they share operands.
pub(crate) fn thread_load(types: Types, cuts: usize, broadcast: bool) -> ThreadLoad {
    // More f64 radii exceed the registers of some GPUs.
    let max_cuts = if broadcast { 24 } else { 20 };
    match types.radius {
        None => ThreadLoad { numbers: if broadcast { 4 } else { 1 }, cuts: 1 },
        Some(_) => {
            let groups = cuts.div_ceil(max_cuts);
            let numbers = if broadcast && cuts <= 16 { 2 } else { 1 };
            ThreadLoad { numbers, cuts: cuts.div_ceil(groups) }
        }
    }
}

/// Program with the kernel `iterate_axpy`; `broadcast` if a and b are both broadcast.
pub(crate) fn axpy(types: Types, cuts: usize, broadcast: bool) -> Program {
    let load = thread_load(types, cuts, broadcast);
    let unroll = if types.radius.is_some() { 8 } else { 16 };
    program("arithmetic axpy", AXPY, types, cuts)
        .constant("BROADCAST", usize::from(broadcast))
        .constant("NUMBERS_PER_THREAD", load.numbers)
        .constant("CUTS_PER_THREAD", load.cuts)
        .constant("UNROLL", unroll)
}

/// Program with the kernels `sum_chunks`, `dot_chunks` and `add_chunk_sums`.
pub(crate) fn sums(types: Types, cuts: usize, chunk: usize) -> Program {
    program("arithmetic sums", SUMS, types, cuts).constant("CHUNK", chunk)
}

/// Formula over columns: first the variables, then the literals; `broadcast` specifies which columns are broadcast.
pub(in crate::arithmetic) struct Formula<'a> {
    pub(in crate::arithmetic) program: &'a [PostfixOp],
    pub(in crate::arithmetic) variables: usize,
    pub(in crate::arithmetic) broadcast: &'a [bool],
}

/// Program with a kernel `evaluate_K` for each formula.
pub(in crate::arithmetic) fn evaluate(types: Types, cuts: usize, formulas: &[Formula<'_>]) -> Program {
    let kernels: String = formulas.iter().enumerate().map(|(k, formula)| formula.kernel(k)).collect();
    program("arithmetic formula", &kernels, types, cuts)
}

impl Formula<'_> {
    fn kernel(&self, k: usize) -> String {
        let Formula { program, variables, broadcast } = *self;
        let (mut states, mut body, mut stack) = (String::new(), String::new(), Vec::new());
        for (t, operation) in program.iter().enumerate() {
            let mut pop = || stack.pop().expect("invariant: a parsed program does not underflow the stack");
            let mut nested = false;
            let value = match *operation {
                PostfixOp::Variable(index) => column(index, broadcast),
                PostfixOp::Literal(index) => column(variables + index, broadcast),
                PostfixOp::Unary(operation) => {
                    let x = pop();
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
                PostfixOp::Binary(operation) => {
                    let (y, x) = (pop(), pop());
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
                PostfixOp::MulAdd => {
                    let (z, y, x) = (pop(), pop(), pop());
                    format!("fuzzion::mul_add(t{x}, t{y}, t{z})")
                }
            };
            if nested {
                let _ = writeln!(states, "        fuzzion::nesting<AlphaCut> w{t};");
            }
            let _ = writeln!(body, "            const AlphaCut t{t} = {value};");
            stack.push(t);
        }
        let result: usize = stack.pop().expect("invariant: a parsed program leaves its result on the stack");
        let columns: String = (0..broadcast.len()).map(|index| format!("COLUMN(v{index}), ")).collect();
        // The last block is padded with zeros.
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

/// Expression that loads a cut of a column.
fn column(index: usize, broadcast: &[bool]) -> String {
    match broadcast[index] {
        true => format!("LOAD(v{index}, 0, i, 0)"),
        false => format!("LOAD(v{index}, block, i, lane)"),
    }
}
