//! CUDA C++ source of a plan's steps: one function, generated for the system, with all parameters as constants.

use super::super::centroid::{CentroidTables, TableLookup};
use super::super::sampled::{Sampled, SampledSet};
use super::super::step::{BinaryOp, Consequent, Slot, Step, Term, UnaryOp, WeightedResult};
use crate::data::Precision;
use crate::device::cuda::program::Program;
use crate::inference::Defuzzifier;
use crate::sets::cuda::source as set_source;
use crate::sets::{Hedge, Set, Shape};
use std::fmt::Write as _;

const FUNCTIONS: &str = include_str!("functions.cuh");
const KERNELS: &str = include_str!("kernels.cu");
/// Maximum size of centroid tables in shared memory; larger tables stay in global memory.
const SHARED_BYTES: usize = 44 << 10;
/// With more steps than this, a thread processes one row at a time, so that its values stay in registers.
const MANY_STEPS: usize = 200;

/// The program whose kernel `infer` computes `results` of `steps`.
pub(crate) fn program(precision: Precision, inputs: usize, steps: &[Step], results: &[Slot]) -> Program {
    with_steps(Program::new("inference", KERNELS), precision, inputs, steps, results)
}

/// A program whose kernels call `steps`, preceded by the source generated for them.
pub(crate) fn with_steps(
    program: Program,
    precision: Precision,
    inputs: usize,
    steps: &[Step],
    results: &[Slot],
) -> Program {
    let mut writer = SourceWriter {
        precision,
        sets: Vec::new(),
        declarations: String::new(),
        body: String::new(),
        reals: Vec::new(),
        counts: Vec::new(),
    };
    let live = live(steps, results);
    let rows = match precision {
        _ if live.iter().filter(|live| **live).count() > MANY_STEPS => 1,
        Precision::F32 => 4,
        Precision::F64 => 2,
    };
    writer.steps(steps, &live);
    for (i, slot) in results.iter().enumerate() {
        let _ = writeln!(writer.body, "    EACH results[r * RESULTS + {i}] = v{slot}[r];");
    }
    writer.prepend_to(program, rows, inputs, results.len())
}

/// Mask of the steps that the results need.
fn live(steps: &[Step], results: &[Slot]) -> Vec<bool> {
    let mut live = vec![false; steps.len()];
    results.iter().for_each(|slot| live[*slot] = true);
    for (i, step) in steps.iter().enumerate().rev() {
        if live[i] {
            step.operands().into_iter().for_each(|slot| live[slot] = true);
        }
    }
    live
}

struct SourceWriter {
    precision: Precision,
    /// Sets with a membership function; set i has the function `set<i>`.
    sets: Vec<Set>,
    declarations: String,
    body: String,
    /// Contents of the centroid tables.
    reals: Vec<f64>,
    counts: Vec<u32>,
}

/// Location of a centroid table in `reals` and `counts`, and parameters of its lookup.
struct PlacedTable {
    search_steps: u32,
    buckets: usize,
    scale: f64,
    lines: usize,
    knots: usize,
    knots_before: usize,
}

/// Terms of weighted sums whose operands are complete after a step.
type Completed<'a> = Vec<(Slot, &'a Term)>;

impl SourceWriter {
    fn steps(&mut self, steps: &[Step], live: &[bool]) {
        // A term is added as soon as its operands are computed, which shortens their lifetime in registers.
        let mut completed: Vec<Completed<'_>> = vec![Vec::new(); steps.len()];
        for (i, step) in steps.iter().enumerate().filter(|(i, _)| live[*i]) {
            if let Step::Weighted { terms, .. } = step {
                let _ = writeln!(self.body, "    REAL sum{i}[ROWS] = {{}}, weights{i}[ROWS] = {{}};");
                for term in terms {
                    let last = term.operands().into_iter().max();
                    let last = last.expect("invariant: a term reads at least its weight");
                    completed[last].push((i, term));
                }
            }
        }
        for (i, step) in steps.iter().enumerate().filter(|(i, _)| live[*i]) {
            self.step(i, step);
            for (sum, term) in std::mem::take(&mut completed[i]) {
                self.term(sum, term);
            }
        }
    }

    fn number(&self, value: f64) -> String {
        self.precision.literal(value)
    }

    fn numbers(&self, values: &[f64]) -> String {
        values.iter().map(|value| self.number(*value)).collect::<Vec<_>>().join(", ")
    }

    /// Declares the value of step `i` for each row.
    fn value(&mut self, i: usize, expression: &str) {
        let _ = writeln!(self.body, "    REAL v{i}[ROWS];\n    EACH v{i}[r] = {expression};");
    }

    fn step(&mut self, i: usize, step: &Step) {
        let expression = match step {
            Step::Input { input } => format!("x[r * INPUTS + {input}]"),
            Step::Previous { .. } => {
                unreachable!("invariant: plans that read the previous row run on the CPU")
            }
            Step::Constant { value } => self.number(*value),
            Step::Membership { set, x } => format!("{}(v{x}[r])", self.set(set)),
            Step::Tsukamoto { set, strength } => self.tsukamoto(set, *strength),
            Step::Linear { coefficients, constant, inputs } => self.linear(coefficients, *constant, inputs),
            Step::Function { expression, arguments } => {
                let name = format!("formula{i}");
                self.formula(&name, expression, arguments.len());
                let arguments: Vec<String> = arguments.iter().map(|slot| format!("v{slot}[r]")).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Step::Unary { op, x } => self.unary(*op, &format!("v{x}[r]")),
            Step::Binary { op, a, b } => binary_source(*op, &format!("v{a}[r]"), &format!("v{b}[r]")),
            Step::Select { mask, then, otherwise } => {
                format!("inference::select(v{mask}[r], v{then}[r], v{otherwise}[r])")
            }
            Step::Rank { own, strengths, firing, strongest } => {
                let others = strengths.iter().zip(firing).enumerate().map(|(other, (strength, fires))| {
                    let own_strength = strengths[*own];
                    let earlier = other < *own;
                    format!(
                        "inference::ranks_ahead(v{strength}[r], v{own_strength}[r], v{fires}[r], {strongest}, {earlier})"
                    )
                });
                others.collect::<Vec<_>>().join(" + ")
            }
            Step::Weighted { form, .. } => match form {
                WeightedResult::Average => format!("sum{i}[r] / weights{i}[r]"),
                WeightedResult::Sum => format!("sum{i}[r] / weights{i}[r] * weights{i}[r]"),
                WeightedResult::PlainSum => format!("sum{i}[r]"),
            },
            Step::Defuzzify { sampled, strengths, row_values } => match CentroidTables::new(sampled) {
                Some(tables) => self.table_centroid(i, &tables, strengths),
                None => self.sampled(i, sampled, strengths, row_values),
            },
        };
        self.value(i, &expression);
    }

    fn term(&mut self, sum: Slot, term: &Term) {
        let z = match &term.z {
            Consequent::Constant(z) => self.number(*z),
            Consequent::Step(slot) => format!("v{slot}[r]"),
            Consequent::Linear { coefficients, constant, inputs } => {
                format!("({})", self.linear(coefficients, *constant, inputs))
            }
        };
        let weight = match term.second_factor {
            None => format!("v{}[r]", term.weight),
            Some(second) => format!("v{}[r] * v{second}[r]", term.weight),
        };
        let product = match term.present {
            None => format!("{weight} * {z}"),
            Some(mask) => format!("inference::select(v{mask}[r], {weight} * {z}, REAL(0))"),
        };
        let _ = writeln!(self.body, "    EACH sum{sum}[r] += {product};");
        let _ = writeln!(self.body, "    EACH weights{sum}[r] += {weight};");
    }

    fn linear(&self, coefficients: &[f64], constant: f64, inputs: &[Slot]) -> String {
        let terms = coefficients.iter().zip(inputs);
        let terms = terms.map(|(c, slot)| format!("{} * v{slot}[r] + ", self.number(*c)));
        terms.collect::<String>() + &self.number(constant)
    }

    /// Name of a set's membership function, which is declared once.
    fn set(&mut self, set: &Set) -> String {
        let existing = self.sets.iter().position(|existing| existing == set);
        let index = existing.unwrap_or_else(|| {
            let name = format!("set{}", self.sets.len());
            self.declarations += &set_source::declare(set, &name, self.precision);
            self.sets.push(set.clone());
            self.sets.len() - 1
        });
        format!("set{index}")
    }

    fn tsukamoto(&self, set: &Set, strength: Slot) -> String {
        let parameters = self.numbers(&set.shape().parameters());
        let function = match set.shape() {
            Shape::Ramp { .. } => "ramp",
            Shape::Sigmoid { .. } => "sigmoid",
            Shape::Concave { .. } => "concave",
            Shape::SShape { .. } => "s_shape",
            Shape::ZShape { .. } => "z_shape",
            Shape::Arc { .. } => "arc",
            _ => unreachable!("invariant: the sets of Tsukamoto steps are monotone"),
        };
        let height = self.number(set.height());
        format!("inference::inverse_{function}(v{strength}[r] / {height}, {parameters})")
    }

    fn formula(&mut self, name: &str, expression: &crate::sets::expression::Expression, arguments: usize) {
        let real = self.precision.real();
        let parameters: Vec<String> = (0..arguments).map(|i| format!("const {real} a{i}")).collect();
        let body = expression.cuda_body(self.precision, |i| format!("a{i}"));
        let parameters = parameters.join(", ");
        let _ = writeln!(
            self.declarations,
            "static __device__ inline {real} {name}({parameters}) {{\n    typedef {real} real;\n{body}}}"
        );
    }

    fn unary(&self, op: UnaryOp, x: &str) -> String {
        match op {
            UnaryOp::Hedge(Hedge::Any) => self.number(1.0),
            UnaryOp::Hedge(hedge) => format!("{}({x})", set_source::hedge_function(hedge)),
            UnaryOp::Scale(factor) => format!("{x} * {}", self.number(factor)),
            UnaryOp::DivideBy(divisor) => format!("{x} / {}", self.number(divisor)),
            UnaryOp::NonNegative => format!("inference::non_negative({x})"),
            UnaryOp::ReplaceNonFinite => format!("inference::replace_non_finite({x})"),
            UnaryOp::FlushBelow(threshold) => {
                let threshold = self.number(threshold);
                format!("({x} < {threshold} ? REAL(0) : {x})")
            }
            UnaryOp::GreaterThan(threshold) => {
                format!("inference::mask<REAL>({x} > {})", self.number(threshold))
            }
            UnaryOp::Compare(comparison, threshold) => {
                format!("inference::mask<REAL>({x} {} {})", comparison.name(), self.number(threshold))
            }
            UnaryOp::IsNan => format!("inference::mask<REAL>({x} != {x})"),
            UnaryOp::Clamp(minimum, maximum) => {
                format!("inference::clamp({x}, {}, {})", self.number(minimum), self.number(maximum))
            }
        }
    }

    fn table_centroid(&mut self, i: usize, tables: &CentroidTables, strengths: &[Slot]) -> String {
        let _ = writeln!(self.body, "    REAL area{i}[ROWS] = {{}}, moment{i}[ROWS] = {{}};");
        for table in &tables.tables {
            // The search index depends on the kernel's precision.
            let placed = match self.precision {
                Precision::F32 => self.table(&TableLookup::<f32>::new(table), |x| f64::from(*x)),
                Precision::F64 => self.table(&TableLookup::<f64>::new(table), |x| *x),
            };
            let PlacedTable { search_steps, buckets, scale, lines, knots, knots_before } = placed;
            let level = table.terms.iter().map(|term| format!("v{}[r]", strengths[*term]));
            let level = level.reduce(|a, b| format!("inference::simd_min({a}, {b})"));
            let level = level.expect("invariant: a centroid table has at least one term");
            let (scale, curved) = (self.number(scale), !table.curves.is_empty());
            let _ = writeln!(
                self.body,
                "    EACH inference::add_level<{search_steps}, {buckets}, {curved}>({level}, {scale}, reals + {lines}, reals + {knots}, \
                 counts + {knots_before}, area{i}[r], moment{i}[r]);"
            );
        }
        format!("moment{i}[r] / area{i}[r] + {}", self.number(tables.center))
    }

    /// Appends a table to `reals` and `counts`.
    fn table<T>(&mut self, lookup: &TableLookup<T>, to: impl Fn(&T) -> f64) -> PlacedTable {
        let lines = self.reals.len();
        self.reals.extend(lookup.lines.iter().flatten().chain(lookup.curves.iter().flatten()).map(&to));
        let knots = self.reals.len();
        self.reals.extend(lookup.knots.iter().map(&to));
        self.reals.resize(self.reals.len().next_multiple_of(4), 0.0); // lines are read 16 bytes at a time
        let knots_before = self.counts.len();
        self.counts.extend(&lookup.knots_before);
        PlacedTable {
            search_steps: lookup.search_steps,
            buckets: lookup.knots_before.len(),
            scale: to(&lookup.scale),
            lines,
            knots,
            knots_before,
        }
    }

    fn sampled(&mut self, i: usize, sampled: &Sampled, strengths: &[Slot], row_values: &[Slot]) -> String {
        let real = self.precision.real();
        let y = self.numbers(&sampled.y);
        let _ = writeln!(self.declarations, "static __device__ const {real} y{i}[] = {{{y}}};");
        for (k, set) in sampled.sets.iter().enumerate() {
            match set {
                SampledSet::Fixed(memberships) => {
                    let all = self.numbers(memberships);
                    let _ = writeln!(
                        self.declarations,
                        "static __device__ const {real} set{i}_{k}[] = {{{all}}};"
                    );
                }
                SampledSet::RowConstant { .. } => {}
                SampledSet::Formula { expression, arguments, .. } => {
                    self.formula(&format!("formula{i}_{k}"), expression, arguments.len());
                }
            }
        }
        let numbered = |letter: char, n: usize| (0..n).map(move |k| format!("{letter}{k}"));
        let names: Vec<String> =
            numbered('w', strengths.len()).chain(numbered('x', row_values.len())).collect();
        let parameters: Vec<String> = names.iter().map(|name| format!("const {real} {name}")).collect();
        let mut body = format!("    {real} m = 0;\n");
        for (k, (set, implication)) in sampled.terms.iter().enumerate() {
            let (membership, negated) = match &sampled.sets[*set] {
                SampledSet::Fixed(_) => (format!("set{i}_{set}[s]"), false),
                SampledSet::RowConstant { index, negated } => (format!("x{index}"), *negated),
                SampledSet::Formula { arguments, negated, .. } => {
                    let argument =
                        |index: &Option<usize>| index.map_or(format!("y{i}[s]"), |index| format!("x{index}"));
                    let arguments: Vec<String> = arguments.iter().map(argument).collect();
                    (format!("formula{i}_{set}({})", arguments.join(", ")), *negated)
                }
            };
            let membership = if negated { format!("({real}(1) - {membership})") } else { membership };
            let membership = match sampled.ignores_unfired(*set) {
                true => format!("(w{k} == 0 ? {real}(0) : {membership})"),
                false => membership,
            };
            let implication = set_source::tnorm_function(*implication);
            let aggregation = set_source::snorm_function(sampled.aggregation);
            let _ = writeln!(body, "    m = {aggregation}(m, {implication}(w{k}, {membership}));");
        }
        let _ = writeln!(
            self.declarations,
            "static __device__ inline {real} aggregated{i}(const int s{}) {{\n{body}    return m;\n}}",
            parameters.iter().map(|parameter| format!(", {parameter}")).collect::<String>()
        );
        let values: String = strengths.iter().chain(row_values).map(|slot| format!(", v{slot}[r]")).collect();
        let by_magnitude = sampled.matlab;
        let function = match sampled.defuzzifier {
            Defuzzifier::Bisector { .. } if sampled.matlab => "matlab_bisector".into(),
            Defuzzifier::Bisector { .. } => "bisector".into(),
            Defuzzifier::SmallestOfMaximum { .. } => format!("extreme_of_maximum<false, {by_magnitude}>"),
            Defuzzifier::LargestOfMaximum { .. } => format!("extreme_of_maximum<true, {by_magnitude}>"),
            Defuzzifier::MeanOfMaximum { .. } => "mean_of_maximum".into(),
            _ => String::from("centroid"),
        };
        let n = sampled.y.len();
        format!("inference::{function}({n}, y{i}, [&](const int s) {{ return aggregated{i}(s{values}); }})")
    }

    /// Adds the generated source and its constants in front of a program's own source.
    fn prepend_to(self, program: Program, rows: usize, inputs: usize, results: usize) -> Program {
        let real = self.precision.real();
        let bytes =
            self.reals.len() * if self.precision == Precision::F32 { 4 } else { 8 } + self.counts.len() * 2;
        let shared = bytes <= SHARED_BYTES;
        let list = |numbers: String| if numbers.is_empty() { "0".into() } else { numbers };
        let reals = list(self.numbers(&self.reals));
        let counts = list(self.counts.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
        let text = format!(
            "#define EACH _Pragma(\"unroll\") for (int r = 0; r < ROWS; ++r)\n\
             static __device__ const __align__(16) {real} table_reals[] = {{{reals}}};\n\
             static __device__ const uint16 table_counts[] = {{{counts}}};\n{}\
             static __device__ inline void steps(\n    const REAL (&x)[ROWS * INPUTS], REAL (&results)[ROWS * RESULTS], \
             const REAL* reals, const uint16* counts)\n{{\n{}}}\n",
            self.declarations, self.body
        );
        program
            .constant("REAL", real)
            .constant("ROWS", rows)
            .constant("INPUTS", inputs)
            .constant("RESULTS", results)
            .constant("REALS", if shared { self.reals.len() } else { 0 })
            .constant("COUNTS", if shared { self.counts.len() } else { 0 })
            .with(set_source::FUNCTIONS)
            .with(FUNCTIONS)
            .with(text)
    }
}

fn binary_source(op: BinaryOp, a: &str, b: &str) -> String {
    match op {
        BinaryOp::TNorm(norm) => format!("{}({a}, {b})", set_source::tnorm_function(norm)),
        BinaryOp::SNorm(norm) => format!("{}({a}, {b})", set_source::snorm_function(norm)),
        BinaryOp::Min => format!("inference::simd_min({a}, {b})"),
        BinaryOp::Max => format!("inference::simd_max({a}, {b})"),
        BinaryOp::Add => format!("{a} + {b}"),
        BinaryOp::Subtract => format!("{a} - {b}"),
        BinaryOp::Multiply => format!("{a} * {b}"),
        BinaryOp::Divide => format!("{a} / {b}"),
    }
}
