//! The programs of an operator: its window, border and rules as CUDA C++.

use crate::data::Precision;
use crate::device::Simd;
use crate::device::cuda::Program;
use crate::inference::image::derive::{Part, Pattern, Shape};
use crate::inference::image::model::Border;
use crate::inference::image::pixel::{Pixel, TIE, seen};
use crate::inference::image::window::{NEIGHBORS, Tap};
use crate::inference::plan::cuda::text::written;
use crate::inference::plan::stages::Stages;
use crate::inference::plan::step::Step;
use crate::sets::Set;
use std::fmt::Write as _;

const WINDOW: &str = include_str!("window.cuh");
const TABLES: &str = include_str!("tables.cu");
const COMPASS: &str = include_str!("compass.cu");
const STAGES: &str = include_str!("stages.cu");

/// Sums that the kernel `compass` holds in the low bits of a half.
const MOST_COMPASS_ENTRIES: usize = 1024;
/// The largest pixel whose memberships are listed.
const MOST_LISTED: u32 = 255;
/// Pixels of a row that a thread of it takes.
pub(super) const GROUP: usize = 8;

fn program<P: Pixel>(source: &str, border: Border) -> Program {
    let number = match border {
        Border::Replicate => 0,
        Border::Reflect => 1,
        Border::Constant(_) => 2,
    };
    Program::new("image", source)
        .constant("PIXEL", if P::MOST == 255 { "uint8" } else { "uint16" })
        .constant("STEPS", P::STEPS)
        .constant("MOST", P::MOST)
        .constant("BORDER", number)
        .constant("CONSTANT", border.constant::<P>().number())
        .with(WINDOW)
}

fn read(tap: Tap) -> String {
    format!("at({}, {})", tap.dx, tap.dy)
}

/// `look_up` where `text` finds the place in the table; `itself`: that is the pixel.
fn tables<P: Pixel>(border: Border, itself: bool, text: String) -> Program {
    let program = program::<P>(TABLES, border).constant("REAL", "double");
    program.constant("ITSELF", u8::from(itself)).with(text)
}

/// `look_up` in a table over one input.
pub(super) fn of_one<P: Pixel>(tap: Tap, border: Border) -> Program {
    let (read, less) = (read(tap), if tap.difference { "MOST - at(0, 0)" } else { "0" });
    let text =
        format!("__device__ inline int place_in_table(const Window& at) {{ return {read} + {less}; }}\n");
    program::<P>(TABLES, border).constant("REAL", "double").with(text)
}

/// `look_up` in a table over sums.
pub(super) fn of_sums<P: Pixel>(pattern: &Pattern<P>, border: Border) -> Program {
    let reach = pattern.reach.number() as usize;
    let (rules, base) = match &pattern.shape {
        Shape::Compass => (compass_rules(), 0), // the table begins at nT
        Shape::Any(rules) => (rules.clone(), reach * rules[0].len()),
    };
    let mut taps: Vec<Tap> = Vec::new();
    let mut sums = String::new();
    for rule in &rules {
        let mut sum = base.to_string();
        for part in rule {
            let place = taps.iter().position(|tap| *tap == part.tap).unwrap_or(taps.len());
            if place == taps.len() {
                taps.push(part.tap);
            }
            let _ = write!(sum, " {} q{place}", if part.sign > 0 { '+' } else { '-' });
        }
        let _ = writeln!(sums, "    best = larger(best, {sum});");
    }
    let mut text = format!(
        "__device__ inline int larger(const int a, const int b) {{ return a > b ? a : b; }}\n\
         __device__ inline int clamped(const int d) {{ return d < -{reach} ? -{reach} : d > {reach} ? {reach} : d; }}\n\
         __device__ inline int place_in_table(const Window& at) {{\n    const int c = at(0, 0);\n    int best = 0;\n"
    );
    for (i, tap) in taps.iter().enumerate() {
        let _ = writeln!(text, "    const int q{i} = clamped({} - c);", read(*tap));
    }
    let _ = writeln!(text, "{sums}    return best;\n}}");
    tables::<P>(border, false, text)
}

fn compass_rules() -> Vec<Vec<Part>> {
    let rule = |k: usize| {
        let part = |i: usize| {
            let (_, (dx, dy)) = NEIGHBORS[(k + i) % 8];
            Part { tap: Tap { dx, dy, difference: true }, sign: if i < 3 { 1 } else { -1 } }
        };
        [0, 1, 2, 4, 5, 6].map(part).to_vec()
    };
    (0..8).map(rule).collect()
}

/// `compass` for bytes, each thread going down `run` rows; `None` where it does not take the pattern.
pub(super) fn of_compass<P: Pixel>(
    pattern: &Pattern<P>,
    entries: usize,
    border: Border,
    width: usize,
    run: usize,
) -> Option<Program> {
    let takes = P::MOST == 255 && matches!(pattern.shape, Shape::Compass) && entries <= MOST_COMPASS_ENTRIES;
    takes.then(|| {
        program::<P>(COMPASS, border)
            .constant("REAL", "double")
            .constant("REACH", pattern.reach.number())
            .constant("ENTRIES", entries)
            .constant("RUN", run)
            .constant("ALIGNED", u8::from(width.is_multiple_of(GROUP)))
    })
}

/// `fire_rules` and `conclude`.
pub(super) fn of_stages<P: Pixel>(stages: &Stages, taps: &[Tap], border: Border) -> [Program; 2] {
    let (steps, tables) = with_tables::<P>(&stages.first, taps.len());
    let mut see = String::new();
    for (i, (set, _)) in tables.iter().enumerate() {
        if tables[..i].iter().all(|(earlier, _)| earlier != set) {
            let _ =
                writeln!(see, "static __device__ const double memberships{i}[] = {{{}}};", listed::<P>(set));
        }
    }
    see.push_str("__device__ inline void see(const Window& at, double* x) {\n    const int c = at(0, 0);\n");
    for (i, tap) in taps.iter().enumerate() {
        let less = if tap.difference { " - c" } else { "" };
        let _ = writeln!(see, "    const int n{i} = {}{less};", read(*tap));
        let _ = writeln!(see, "    x[{i}] = double(n{i}) / {}.0;", P::STEPS);
    }
    for (i, (set, input)) in tables.iter().enumerate() {
        let table = tables.iter().position(|(earlier, _)| earlier == set).unwrap_or(i);
        let place = taps.len() + i;
        let _ = writeln!(see, "    x[{place}] = memberships{table}[n{input} + MOST];");
    }
    see.push_str("    (void)c;\n}\n");
    let stage = |first: u8| {
        let tie = format!("{TIE:e}");
        program::<P>(STAGES, border).constant("FIRST_STAGE", first).constant("TIE", tie)
    };
    let inputs = taps.len() + tables.len();
    [
        written(stage(1).with(see), Precision::F64, inputs, &steps, &stages.crossing),
        written(stage(0), Precision::F64, stages.crossing.len(), &stages.second, &[stages.result]),
    ]
}

/// The steps with memberships of what is read as inputs of their own, behind the first ones: an input is a whole number
/// of few, so that its membership is looked up. Each with its set and the input it is of; none where there are too many.
fn with_tables<P: Pixel>(steps: &[Step], inputs: usize) -> (Vec<Step>, Vec<(Set, usize)>) {
    let mut tables: Vec<(Set, usize)> = Vec::new();
    let mut kept = Vec::with_capacity(steps.len());
    for step in steps {
        kept.push(match step {
            Step::Membership { set, x } if P::MOST <= MOST_LISTED => match steps[*x] {
                Step::Input { input } => {
                    tables.push((set.clone(), input));
                    Step::Input { input: inputs + tables.len() - 1 }
                }
                _ => step.clone(),
            },
            _ => step.clone(),
        });
    }
    (kept, tables)
}

/// A set's memberships of all numbers and differences, as the CPU computes them.
fn listed<P: Pixel>(set: &Set) -> String {
    let most = P::MOST as i32;
    let x: Vec<f64> = (-most..=most).map(seen::<P>).collect();
    let mut memberships = vec![0.0; x.len()];
    set.memberships_into(Simd::detect(), &x, &mut memberships);
    memberships.iter().map(|m| Precision::F64.literal(*m)).collect::<Vec<_>>().join(", ")
}
