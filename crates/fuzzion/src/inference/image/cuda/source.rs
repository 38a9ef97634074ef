//! CUDA programs of an operator, generated from its window, border and rules.

use crate::data::Precision;
use crate::device::Simd;
use crate::device::cuda::Program;
use crate::inference::image::fast_path::{SumPattern, SumRules, SumTerm};
use crate::inference::image::window::{Border, NEIGHBORS, Pixel, TIE_BIAS, Tap, to_brightness};
use crate::inference::plan::cuda::source::with_steps;
use crate::inference::plan::stages::Stages;
use crate::inference::plan::step::Step;
use crate::sets::Set;
use std::fmt::Write as _;

const WINDOW: &str = include_str!("window.cuh");
const TABLES: &str = include_str!("tables.cu");
const COMPASS: &str = include_str!("compass.cu");
const STAGES: &str = include_str!("stages.cu");
const CHANNELS: &str = include_str!("channels.cu");

/// Maximum table size of the kernel `compass`, whose sums must fit in the significand of a half-precision number.
const MAX_COMPASS_ENTRIES: usize = 1024;
/// Largest pixel value for which memberships are tabulated.
const MAX_TABULATED_PIXEL: u32 = 255;
/// Pixels of a row per thread of `compass`.
pub(super) const GROUP: usize = 8;

/// CUDA name of a pixel type.
pub(super) const fn pixel_type<P: Pixel>() -> &'static str {
    if P::MAX == 255 { "uint8" } else { "uint16" }
}

/// `read_channel`, `write_channel` and `to_gray`.
pub(super) fn channels<P: Pixel>() -> Program {
    Program::new("image channels", CHANNELS).constant("PIXEL", pixel_type::<P>())
}

fn program<P: Pixel>(source: &str, border: Border) -> Program {
    let number = match border {
        Border::Replicate => 0,
        Border::Reflect => 1,
        Border::Constant(_) => 2,
    };
    Program::new("image", source)
        .constant("PIXEL", pixel_type::<P>())
        .constant("SCALE", P::SCALE)
        .constant("MAX_PIXEL", P::MAX)
        .constant("BORDER", number)
        .constant("BORDER_PIXEL", border.constant::<P>().value())
        .with(WINDOW)
}

fn read_tap(tap: Tap) -> String {
    format!("at({}, {})", tap.dx, tap.dy)
}

/// `look_up` with `text` defining the table index. `center_only`: whether the index is the center pixel.
fn look_up<P: Pixel>(border: Border, center_only: bool, text: String) -> Program {
    let program = program::<P>(TABLES, border).constant("REAL", "double");
    program.constant("CENTER_ONLY", u8::from(center_only)).with(text)
}

/// `look_up` for a table over one input.
pub(super) fn one_input<P: Pixel>(tap: Tap, border: Border) -> Program {
    let (read, offset) = (read_tap(tap), if tap.difference { "MAX_PIXEL - at(0, 0)" } else { "0" });
    let text =
        format!("__device__ inline int table_index(const Window& at) {{ return {read} + {offset}; }}\n");
    program::<P>(TABLES, border).constant("REAL", "double").with(text)
}

/// `look_up` for a table over sums.
pub(super) fn sums<P: Pixel>(pattern: &SumPattern<P>, border: Border) -> Program {
    let threshold = pattern.threshold.value() as usize;
    let (rules, base) = match &pattern.rules {
        SumRules::Compass => (compass_rules(), 0), // the table starts at nT
        SumRules::General(rules) => (rules.clone(), threshold * rules[0].len()),
    };
    let mut taps: Vec<Tap> = Vec::new();
    let mut sums = String::new();
    for rule in &rules {
        let mut sum = base.to_string();
        for term in rule {
            let index = taps.iter().position(|tap| *tap == term.tap).unwrap_or(taps.len());
            if index == taps.len() {
                taps.push(term.tap);
            }
            let _ = write!(sum, " {} q{index}", if term.sign > 0 { '+' } else { '-' });
        }
        let _ = writeln!(sums, "    best = larger(best, {sum});");
    }
    let mut text = format!(
        "__device__ inline int larger(const int a, const int b) {{ return a > b ? a : b; }}\n\
         __device__ inline int clamped(const int d) {{ return d < -{threshold} ? -{threshold} : d > {threshold} ? {threshold} : d; }}\n\
         __device__ inline int table_index(const Window& at) {{\n    const int c = at(0, 0);\n    int best = 0;\n"
    );
    for (i, tap) in taps.iter().enumerate() {
        let _ = writeln!(text, "    const int q{i} = clamped({} - c);", read_tap(*tap));
    }
    let _ = writeln!(text, "{sums}    return best;\n}}");
    look_up::<P>(border, false, text)
}

fn compass_rules() -> Vec<Vec<SumTerm>> {
    let rule = |k: usize| {
        let term = |i: usize| {
            let (_, (dx, dy)) = NEIGHBORS[(k + i) % 8];
            SumTerm { tap: Tap { dx, dy, difference: true }, sign: if i < 3 { 1 } else { -1 } }
        };
        [0, 1, 2, 4, 5, 6].map(term).to_vec()
    };
    (0..8).map(rule).collect()
}

/// `compass` for 8-bit pixels, with `run` rows per thread; `None` if it does not support the pattern.
pub(super) fn compass<P: Pixel>(
    pattern: &SumPattern<P>,
    entries: usize,
    border: Border,
    width: usize,
    run: usize,
) -> Option<Program> {
    let supported =
        P::MAX == 255 && matches!(pattern.rules, SumRules::Compass) && entries <= MAX_COMPASS_ENTRIES;
    supported.then(|| {
        program::<P>(COMPASS, border)
            .constant("REAL", "double")
            .constant("THRESHOLD", pattern.threshold.value())
            .constant("ENTRIES", entries)
            .constant("RUN", run)
            .constant("ALIGNED", u8::from(width.is_multiple_of(GROUP)))
    })
}

/// The two stages `fire_rules` and `aggregate_and_defuzzify`.
pub(super) fn two_stages<P: Pixel>(stages: &Stages, taps: &[Tap], border: Border) -> [Program; 2] {
    let (steps, tables) = with_membership_tables::<P>(&stages.first, taps.len());
    let mut inputs_source = String::new();
    for (i, (set, _)) in tables.iter().enumerate() {
        if tables[..i].iter().all(|(earlier, _)| earlier != set) {
            let _ = writeln!(
                inputs_source,
                "static __device__ const double memberships{i}[] = {{{}}};",
                tabulated::<P>(set)
            );
        }
    }
    inputs_source.push_str(
        "__device__ inline void read_inputs(const Window& at, double* x) {\n    const int c = at(0, 0);\n",
    );
    for (i, tap) in taps.iter().enumerate() {
        let subtracted = if tap.difference { " - c" } else { "" };
        let _ = writeln!(inputs_source, "    const int n{i} = {}{subtracted};", read_tap(*tap));
        let _ = writeln!(inputs_source, "    x[{i}] = double(n{i}) / {}.0;", P::SCALE);
    }
    for (i, (set, input)) in tables.iter().enumerate() {
        let table = tables.iter().position(|(earlier, _)| earlier == set).unwrap_or(i);
        let index = taps.len() + i;
        let _ = writeln!(inputs_source, "    x[{index}] = memberships{table}[n{input} + MAX_PIXEL];");
    }
    inputs_source.push_str("    (void)c;\n}\n");
    let stage = |first: u8| {
        let tie = format!("{TIE_BIAS:e}");
        program::<P>(STAGES, border).constant("FIRST_STAGE", first).constant("TIE_BIAS", tie)
    };
    let inputs = taps.len() + tables.len();
    [
        with_steps(stage(1).with(inputs_source), Precision::F64, inputs, &steps, &stages.intermediates),
        with_steps(stage(0), Precision::F64, stages.intermediates.len(), &stages.second, &[stages.result]),
    ]
}

/// Replaces memberships of inputs by additional inputs that are looked up in tables, since an input has only few integer
/// values. Returns the steps and, for each additional input, its set and original input. Does nothing for 16-bit pixels.
fn with_membership_tables<P: Pixel>(steps: &[Step], inputs: usize) -> (Vec<Step>, Vec<(Set, usize)>) {
    let mut tables: Vec<(Set, usize)> = Vec::new();
    let mut replaced = Vec::with_capacity(steps.len());
    for step in steps {
        replaced.push(match step {
            Step::Membership { set, x } if P::MAX <= MAX_TABULATED_PIXEL => match steps[*x] {
                Step::Input { input } => {
                    tables.push((set.clone(), input));
                    Step::Input { input: inputs + tables.len() - 1 }
                }
                _ => step.clone(),
            },
            _ => step.clone(),
        });
    }
    (replaced, tables)
}

/// Memberships of a set for all pixel values and differences, as computed by the CPU.
fn tabulated<P: Pixel>(set: &Set) -> String {
    let max = P::MAX as i32;
    let x: Vec<f64> = (-max..=max).map(to_brightness::<P>).collect();
    let mut memberships = vec![0.0; x.len()];
    set.memberships_into(Simd::detect(), &x, &mut memberships);
    memberships.iter().map(|m| Precision::F64.literal(*m)).collect::<Vec<_>>().join(", ")
}
