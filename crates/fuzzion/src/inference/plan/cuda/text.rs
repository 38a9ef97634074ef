//! A plan's steps as CUDA C++: one function, written for the system, its numbers constants.

use super::super::levels::{Levels, Ruler};
use super::super::sampled::{Sampled, SampledSet};
use super::super::step::{Consequent, One, Slot, Step, Term, Two, WeightedEnd};
use crate::data::Precision;
use crate::device::cuda::program::Program;
use crate::inference::defuzzifier::Defuzzifier;
use crate::sets::{Hedge, Set, Shape, device};
use std::fmt::Write as _;

const FUNCTIONS: &str = include_str!("functions.cuh");
const KERNELS: &str = include_str!("kernels.cu");
/// What the tables of levels may take of shared memory; larger ones stay in global memory and its cache.
const SHARED_BYTES: usize = 44 << 10;
/// Steps above which a thread takes one row at a time, so that its numbers stay in registers.
const MANY_STEPS: usize = 200;

/// The program whose kernel `infer` gives `results` of `steps`.
pub(crate) fn program(precision: Precision, inputs: usize, steps: &[Step], results: &[Slot]) -> Program {
    written(Program::new("inference", KERNELS), precision, inputs, steps, results)
}

/// A program whose kernels call `steps`, with what is written for these before its own text.
pub(crate) fn written(
    program: Program,
    precision: Precision,
    inputs: usize,
    steps: &[Step],
    results: &[Slot],
) -> Program {
    let mut text = Text {
        precision,
        sets: Vec::new(),
        declared: String::new(),
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
    text.steps(steps, &live);
    for (i, slot) in results.iter().enumerate() {
        let _ = writeln!(text.body, "    EACH results[r * RESULTS + {i}] = v{slot}[r];");
    }
    text.before(program, rows, inputs, results.len())
}

/// Which steps some result needs.
fn live(steps: &[Step], results: &[Slot]) -> Vec<bool> {
    let mut live = vec![false; steps.len()];
    results.iter().for_each(|slot| live[*slot] = true);
    for (i, step) in steps.iter().enumerate().rev() {
        if live[i] {
            step.needs().into_iter().for_each(|slot| live[slot] = true);
        }
    }
    live
}

struct Text {
    precision: Precision,
    /// The sets that have a function, which their place numbers.
    sets: Vec<Set>,
    declared: String,
    body: String,
    /// The tables of levels, one after the other.
    reals: Vec<f64>,
    counts: Vec<u32>,
}

/// The terms of weighted sums that a step completes.
type Completed<'a> = Vec<(Slot, &'a Term)>;

impl Text {
    fn steps(&mut self, steps: &[Step], live: &[bool]) {
        // A term is added as soon as its numbers are there, so that they need not be kept.
        let mut completed: Vec<Completed<'_>> = vec![Vec::new(); steps.len()];
        for (i, step) in steps.iter().enumerate().filter(|(i, _)| live[*i]) {
            if let Step::Weighted { terms, .. } = step {
                let _ = writeln!(self.body, "    REAL sum{i}[ROWS] = {{}}, weights{i}[ROWS] = {{}};");
                for term in terms {
                    let last = term.needs().into_iter().max().unwrap_or(i);
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

    /// A value for each row.
    fn value(&mut self, i: usize, expression: &str) {
        let _ = writeln!(self.body, "    REAL v{i}[ROWS];\n    EACH v{i}[r] = {expression};");
    }

    fn step(&mut self, i: usize, step: &Step) {
        let expression = match step {
            Step::Input { input } => format!("x[r * INPUTS + {input}]"),
            Step::Previous { .. } => self.number(f64::NAN), // such plans stay on the CPU
            Step::Number { value } => self.number(*value),
            Step::Membership { set, x } => format!("{}(v{x}[r])", self.set(set)),
            Step::Tsukamoto { set, strength } => self.tsukamoto(set, *strength),
            Step::Linear { coefficients, constant, inputs } => self.plane(coefficients, *constant, inputs),
            Step::Function { expression, arguments } => {
                let name = format!("formula{i}");
                self.formula(&name, expression, arguments.len());
                let arguments: Vec<String> = arguments.iter().map(|slot| format!("v{slot}[r]")).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Step::One { one, of } => self.one(*one, &format!("v{of}[r]")),
            Step::Two { two, a, b } => two_text(*two, &format!("v{a}[r]"), &format!("v{b}[r]")),
            Step::Choice { mask, then, otherwise } => {
                format!("inference::choice(v{mask}[r], v{then}[r], v{otherwise}[r])")
            }
            Step::Rank { own, strengths, firing, strongest } => {
                let others = strengths.iter().zip(firing).enumerate().map(|(other, (strength, fires))| {
                    let mine = strengths[*own];
                    let earlier = other < *own;
                    format!(
                        "inference::before(v{strength}[r], v{mine}[r], v{fires}[r], {strongest}, {earlier})"
                    )
                });
                others.collect::<Vec<_>>().join(" + ")
            }
            Step::Weighted { end, .. } => match end {
                WeightedEnd::Average => format!("sum{i}[r] / weights{i}[r]"),
                WeightedEnd::Sum => format!("sum{i}[r] / weights{i}[r] * weights{i}[r]"),
                WeightedEnd::PlainSum => format!("sum{i}[r]"),
            },
            Step::Defuzzify { sampled, strengths, rows } => match Levels::of(sampled) {
                Some(levels) => self.levels(i, &levels, strengths),
                None => self.direct(i, sampled, strengths, rows),
            },
        };
        self.value(i, &expression);
    }

    fn term(&mut self, sum: Slot, term: &Term) {
        let z = match &term.z {
            Consequent::Number(z) => self.number(*z),
            Consequent::Value(slot) => format!("v{slot}[r]"),
            Consequent::Plane { coefficients, constant, inputs } => {
                format!("({})", self.plane(coefficients, *constant, inputs))
            }
        };
        let weight = match term.times {
            None => format!("v{}[r]", term.weight),
            Some(times) => format!("v{}[r] * v{times}[r]", term.weight),
        };
        let product = match term.present {
            None => format!("{weight} * {z}"),
            Some(mask) => format!("inference::choice(v{mask}[r], {weight} * {z}, REAL(0))"),
        };
        let _ = writeln!(self.body, "    EACH sum{sum}[r] += {product};");
        let _ = writeln!(self.body, "    EACH weights{sum}[r] += {weight};");
    }

    fn plane(&self, coefficients: &[f64], constant: f64, inputs: &[Slot]) -> String {
        let terms = coefficients.iter().zip(inputs);
        let terms = terms.map(|(c, slot)| format!("{} * v{slot}[r] + ", self.number(*c)));
        terms.collect::<String>() + &self.number(constant)
    }

    /// The function of a set, declared once.
    fn set(&mut self, set: &Set) -> String {
        let known = self.sets.iter().position(|known| known == set);
        let at = known.unwrap_or_else(|| {
            let name = format!("set{}", self.sets.len());
            self.declared += &device::declare(set, &name, self.precision);
            self.sets.push(set.clone());
            self.sets.len() - 1
        });
        format!("set{at}")
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
            _ => return self.number(f64::NAN),
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
            self.declared,
            "static __device__ inline {real} {name}({parameters}) {{\n    typedef {real} real;\n{body}}}"
        );
    }

    fn one(&self, one: One, x: &str) -> String {
        match one {
            One::Hedge(Hedge::Any) => self.number(1.0),
            One::Hedge(hedge) => format!("{}({x})", device::hedge_function(hedge)),
            One::Times(factor) => format!("{x} * {}", self.number(factor)),
            One::DividedBy(divisor) => format!("{x} / {}", self.number(divisor)),
            One::Positive => format!("inference::positive({x})"),
            One::Whole => format!("inference::whole({x})"),
            One::Flushed(least) => {
                let least = self.number(least);
                format!("({x} < {least} ? REAL(0) : {x})")
            }
            One::Above(threshold) => format!("inference::mask<REAL>({x} > {})", self.number(threshold)),
            One::Compared(comparison, with) => {
                format!("inference::mask<REAL>({x} {} {})", comparison.sign(), self.number(with))
            }
            One::IsNan => format!("inference::mask<REAL>({x} != {x})"),
            One::Locked(minimum, maximum) => {
                format!("inference::locked({x}, {}, {})", self.number(minimum), self.number(maximum))
            }
        }
    }

    fn levels(&mut self, i: usize, levels: &Levels, strengths: &[Slot]) -> String {
        let _ = writeln!(self.body, "    REAL area{i}[ROWS] = {{}}, moment{i}[ROWS] = {{}};");
        for table in &levels.tables {
            // The ruler of the kernel's precision, as the buckets of knots depend on it.
            let (halvings, buckets, scale) = match self.precision {
                Precision::F32 => self.table(&Ruler::<f32>::new(table), |x| f64::from(*x)),
                Precision::F64 => self.table(&Ruler::<f64>::new(table), |x| *x),
            };
            let (lines, knots, before) = (scale.1, scale.2, scale.3);
            let level = table.terms.iter().map(|term| format!("v{}[r]", strengths[*term]));
            let level = level.reduce(|a, b| format!("inference::least({a}, {b})")).unwrap_or_default();
            let (scale, curved) = (self.number(scale.0), !table.curves.is_empty());
            let _ = writeln!(
                self.body,
                "    EACH inference::add_level<{halvings}, {buckets}, {curved}>({level}, {scale}, reals + {lines}, reals + {knots}, \
                 counts + {before}, area{i}[r], moment{i}[r]);"
            );
        }
        format!("moment{i}[r] / area{i}[r] + {}", self.number(levels.center))
    }

    /// Puts a table away; its halvings, buckets, and (scale, lines, knots, counts before).
    fn table<T>(
        &mut self,
        ruler: &Ruler<T>,
        to: impl Fn(&T) -> f64,
    ) -> (u32, usize, (f64, usize, usize, usize)) {
        let lines = self.reals.len();
        self.reals.extend(ruler.lines.iter().flatten().chain(ruler.curves.iter().flatten()).map(&to));
        let knots = self.reals.len();
        self.reals.extend(ruler.knots.iter().map(&to));
        self.reals.resize(self.reals.len().next_multiple_of(4), 0.0); // lines are read 16 bytes at a time
        let before = self.counts.len();
        self.counts.extend(&ruler.before);
        (ruler.halvings, ruler.before.len(), (to(&ruler.scale), lines, knots, before))
    }

    fn direct(&mut self, i: usize, sampled: &Sampled, strengths: &[Slot], rows: &[Slot]) -> String {
        let real = self.precision.real();
        let y = self.numbers(&sampled.y);
        let _ = writeln!(self.declared, "static __device__ const {real} y{i}[] = {{{y}}};");
        for (k, set) in sampled.sets.iter().enumerate() {
            match set {
                SampledSet::Fixed(memberships) => {
                    let all = self.numbers(memberships);
                    let _ =
                        writeln!(self.declared, "static __device__ const {real} set{i}_{k}[] = {{{all}}};");
                }
                SampledSet::OfRow { .. } => {}
                SampledSet::Formula { expression, arguments, .. } => {
                    self.formula(&format!("formula{i}_{k}"), expression, arguments.len());
                }
            }
        }
        let numbered = |letter: char, n: usize| (0..n).map(move |k| format!("{letter}{k}"));
        let names: Vec<String> = numbered('w', strengths.len()).chain(numbered('x', rows.len())).collect();
        let parameters: Vec<String> = names.iter().map(|name| format!("const {real} {name}")).collect();
        let mut body = format!("    {real} m = 0;\n");
        for (k, (set, implication)) in sampled.terms.iter().enumerate() {
            let (membership, negated) = match &sampled.sets[*set] {
                SampledSet::Fixed(_) => (format!("set{i}_{set}[s]"), false),
                SampledSet::OfRow { row, negated } => (format!("x{row}"), *negated),
                SampledSet::Formula { arguments, negated, .. } => {
                    let argument =
                        |row: &Option<usize>| row.map_or(format!("y{i}[s]"), |row| format!("x{row}"));
                    let arguments: Vec<String> = arguments.iter().map(argument).collect();
                    (format!("formula{i}_{set}({})", arguments.join(", ")), *negated)
                }
            };
            let membership = if negated { format!("({real}(1) - {membership})") } else { membership };
            let implication = device::tnorm_function(*implication);
            let aggregation = device::snorm_function(sampled.aggregation);
            let _ = writeln!(body, "    m = {aggregation}(m, {implication}(w{k}, {membership}));");
        }
        let _ = writeln!(
            self.declared,
            "static __device__ inline {real} concluded{i}(const int s{}) {{\n{body}    return m;\n}}",
            parameters.iter().map(|parameter| format!(", {parameter}")).collect::<String>()
        );
        let values: String = strengths.iter().chain(rows).map(|slot| format!(", v{slot}[r]")).collect();
        let by_size = sampled.matlab;
        let function = match sampled.defuzzifier {
            Defuzzifier::Bisector { .. } if sampled.matlab => "first_half".into(),
            Defuzzifier::Bisector { .. } => "bisector".into(),
            Defuzzifier::SmallestOfMaximum { .. } => format!("end_of_maximum<false, {by_size}>"),
            Defuzzifier::LargestOfMaximum { .. } => format!("end_of_maximum<true, {by_size}>"),
            Defuzzifier::MeanOfMaximum { .. } => "mean_of_maximum".into(),
            _ => String::from("centroid"),
        };
        let n = sampled.y.len();
        format!("inference::{function}({n}, y{i}, [&](const int s) {{ return concluded{i}(s{values}); }})")
    }

    fn before(self, program: Program, rows: usize, inputs: usize, results: usize) -> Program {
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
            self.declared, self.body
        );
        program
            .constant("REAL", real)
            .constant("ROWS", rows)
            .constant("INPUTS", inputs)
            .constant("RESULTS", results)
            .constant("REALS", if shared { self.reals.len() } else { 0 })
            .constant("COUNTS", if shared { self.counts.len() } else { 0 })
            .with(device::FUNCTIONS)
            .with(FUNCTIONS)
            .with(text)
    }
}

fn two_text(two: Two, a: &str, b: &str) -> String {
    match two {
        Two::And(norm) => format!("{}({a}, {b})", device::tnorm_function(norm)),
        Two::Or(norm) => format!("{}({a}, {b})", device::snorm_function(norm)),
        Two::Least => format!("inference::least({a}, {b})"),
        Two::Most => format!("inference::most({a}, {b})"),
        Two::Plus => format!("{a} + {b}"),
        Two::Minus => format!("{a} - {b}"),
        Two::Times => format!("{a} * {b}"),
        Two::Over => format!("{a} / {b}"),
    }
}
