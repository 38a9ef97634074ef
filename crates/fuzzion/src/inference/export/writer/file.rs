//! Assembles the exported file: header, functions, tables and the outputs of a row.

use super::Writer;
use crate::inference::export::Language;
use crate::inference::export::source::{Fragment, SourceExpr, comment, wrapped};
use crate::inference::plan::step::Step;
use crate::inference::plan::{CompiledOutput, LockPrevious};
use crate::inference::{Dialect, Output};

/// Tested by `tests/export/compiled.rs`.
const ACCURACY: &str = "within 1e-12 of the largest magnitude of the output's range";

impl Writer<'_> {
    /// Whether a row depends on the outputs of the previous row.
    fn has_state(&self) -> bool {
        let locks = self.steps.outputs.iter().any(|output| matches!(output, CompiledOutput::LockPrevious(_)));
        let reads = |slot: &usize| matches!(self.steps.steps[*slot], Step::Previous { .. });
        locks || self.layout.order.iter().any(reads)
    }

    /// Writes the lines that store the outputs.
    pub(super) fn outputs(&mut self) {
        let mut values = Vec::new();
        for (i, output) in self.steps.outputs.iter().enumerate() {
            values.push(match output {
                CompiledOutput::Value(slot) => self.text(*slot).to_owned(),
                CompiledOutput::LockPrevious(lock) => self.lock_previous(i, lock),
            });
        }
        self.body.push('\n');
        match (self.rust(), self.has_state()) {
            (true, false) => self.line(&format!("[{}]", values.join(", "))),
            (true, true) => {
                self.line(&format!("state.previous = [{}];", values.join(", ")));
                self.line("state.previous");
            }
            (false, has_state) => {
                for (i, value) in values.iter().enumerate() {
                    self.line(&format!("outputs[{i}] = {value};"));
                }
                for i in (0..values.len()).filter(|_| has_state) {
                    self.line(&format!("state->previous[{i}] = outputs[{i}];"));
                }
            }
        }
    }

    /// Expression of an output that may keep its previous value.
    fn lock_previous(&mut self, output: usize, lock: &LockPrevious) -> String {
        let previous = self.previous(output);
        let default = self.syntax.number(lock.default);
        let replacement = match lock.default.is_nan() {
            true => previous,
            false => {
                let none = format!("is_nan_value({})", previous.text);
                let value = self.syntax.conditional(&none, &default.text, &previous.text);
                let name =
                    self.names.unique(&format!("{}_previous", self.system.outputs[output].variable.name));
                self.line(&self.syntax.constant(&name, &value.text));
                SourceExpr::atom(name)
            }
        };
        let missing = self.condition(lock.missing);
        let value = self.syntax.conditional(&missing, &replacement.text, self.text(lock.value)).text;
        match lock.range {
            None => value,
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (self.syntax.number(minimum).text, self.syntax.number(maximum).text);
                format!("clamp({value}, {minimum}, {maximum})")
            }
        }
    }

    /// The complete file, in the order that its language requires.
    pub(super) fn assembled(self, helpers: Vec<Fragment>) -> String {
        let helpers: Vec<String> = helpers.iter().map(|helper| helper.text.to_owned()).collect();
        let declarations: Vec<String> =
            self.tables.iter().map(|(declaration, _)| declaration.clone()).collect();
        let tables: Vec<String> = self.tables.iter().map(|(_, table)| table.clone()).collect();
        let header = self.header().join("\n");
        let parts = match self.syntax.0 {
            Language::Rust => vec![
                header,
                self.state(),
                self.infer(),
                self.functions.join("\n\n"),
                helpers.join("\n\n"),
                tables.join("\n\n"),
            ],
            Language::C => {
                let bits = helpers.iter().any(|helper| helper.contains("uint64_t"));
                let include = if bits { "#include <stdint.h>" } else { "" };
                let declarations = declarations.join("\n");
                vec![
                    header,
                    include.into(),
                    self.state(),
                    declarations,
                    helpers.join("\n\n"),
                    self.functions.join("\n\n"),
                    self.infer(),
                    tables.join("\n\n"),
                ]
            }
            Language::Cuda => {
                let functions = self.functions.join("\n\n");
                let kernel = self.kernel();
                vec![
                    header,
                    self.state(),
                    tables.join("\n\n"),
                    helpers.join("\n\n"),
                    functions,
                    self.infer(),
                    kernel,
                ]
            }
        };
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// Comment lines at the top of the file.
    fn header(&self) -> Vec<String> {
        let system = self.system;
        let mut lines = vec![
            format!("Fuzzy system {}, exported by fuzzion {}.", system.name, env!("CARGO_PKG_VERSION")),
            format!("Dialect {}, precision {}.", self.dialect.name(), self.precision),
        ];
        lines.extend(system.description.lines().map(str::to_owned));
        lines.push(String::new());
        for (i, input) in system.inputs.iter().enumerate() {
            let clamped = if input.lock_range { ", clamped to this range" } else { "" };
            let (minimum, maximum) = (input.minimum, input.maximum);
            lines.push(format!("inputs[{i}]   {}, from {minimum} to {maximum}{clamped}", input.name));
        }
        for (i, output) in system.outputs.iter().enumerate() {
            let variable = &output.variable;
            let (minimum, maximum) = (variable.minimum, variable.maximum);
            let fallback = self.fallback(output);
            lines.push(format!("outputs[{i}]  {}, from {minimum} to {maximum}; {fallback}", variable.name));
        }
        lines.push(String::new());
        lines.extend(self.usage());
        let mark = if self.rust() { "//!" } else { "//" };
        lines.iter().map(|line| format!("{mark} {}", comment(line)).trim_end().to_owned()).collect()
    }

    /// Description of an output's value if no rule fires.
    fn fallback(&self, output: &Output) -> String {
        let default = output.default.unwrap_or(f64::NAN);
        let default = if default.is_nan() { "NaN".into() } else { default.to_string() };
        match self.dialect {
            _ if !output.variable.enabled => "disabled, always NaN".into(),
            Dialect::Matlab => "the middle of the range if no rule fires".into(),
            _ if output.lock_previous => {
                format!("the previous value if no rule fires, initially {default}")
            }
            _ => format!("{default} if no rule fires"),
        }
    }

    /// Notes on compiling and calling the exported code.
    fn usage(&self) -> Vec<String> {
        let prefix = &self.prefix;
        let mut lines: Vec<String> = Vec::new();
        match self.syntax.0 {
            Language::Rust => {
                lines.push(
                    "Requires only `core` and does not allocate. Results agree with those of fuzzion".into(),
                );
                lines.push(format!("{ACCURACY}."));
            }
            Language::C => {
                lines.push("C99; requires no library and does not allocate. Compile with -ffp-contract=off. Results then agree".into());
                lines.push(format!("with those of fuzzion {ACCURACY}. Declarations for other files:"));
                if self.has_state() {
                    let n = self.system.outputs.len();
                    lines.push(format!("    typedef struct {{ double previous[{n}]; }} {prefix}_state;"));
                    lines.push(format!("    void {prefix}_start({prefix}_state *state);"));
                }
                lines.push(format!("    void {prefix}_infer({});", self.parameters()));
            }
            Language::Cuda => {
                lines.push(
                    "For nvcc and NVRTC; requires no headers. Compile with --fmad=false to reproduce CPU results."
                        .into(),
                );
            }
        }
        lines
    }

    fn parameters(&self) -> String {
        let state = if self.has_state() { format!("{}_state *state, ", self.prefix) } else { String::new() };
        format!("{state}const double *inputs, double *outputs")
    }

    /// The type that passes outputs to the next row.
    fn state(&self) -> String {
        let (prefix, n) = (&self.prefix, self.system.outputs.len());
        if !self.has_state() {
            return String::new();
        }
        if self.rust() {
            let start = "        State { previous: [f64::NAN; ".to_owned() + &n.to_string() + "] }\n";
            return format!(
                "/// Outputs of the previous row.\n#[derive(Clone, Debug)]\npub struct State {{\n    previous: [f64; {n}],\n}}\n\n\
                 impl State {{\n    /// Initial state, without a previous row.\n    #[allow(clippy::new_without_default)]\n    \
                 pub const fn new() -> Self {{\n{start}    }}\n}}"
            );
        }
        let device = if self.syntax.0 == Language::Cuda { "__device__ " } else { "" };
        let nan = if self.syntax.0 == Language::Cuda { "nan@(\"\")" } else { "0.0 / 0.0" };
        format!(
            "// Outputs of the previous row.\ntypedef struct {{\n    double previous[{n}];\n}} {prefix}_state;\n\n\
             // Initializes the state before the first row.\n{device}void {prefix}_start({prefix}_state *state)\n{{\n    \
             for (int i = 0; i < {n}; ++i) state->previous[i] = {nan};\n}}"
        )
    }

    /// The inference function.
    fn infer(&self) -> String {
        let (inputs, outputs) = (self.system.inputs.len(), self.system.outputs.len());
        let reads_inputs = self.body.contains("inputs[");
        let body = self.body.trim_start_matches('\n');
        if self.rust() {
            let state = if self.has_state() { ", state: &mut State" } else { "" };
            let unread = if reads_inputs { "" } else { "    let _ = inputs;\n" };
            return format!(
                "/// Computes the outputs for one row of inputs.\npub fn infer(inputs: &[f64; {inputs}]{state}) -> [f64; {outputs}] \
                 {{\n{unread}{body}}}"
            );
        }
        let device = if self.syntax.0 == Language::Cuda { "__device__ " } else { "" };
        let unread = if reads_inputs { "" } else { "    (void)inputs;\n" };
        let head = wrapped(&format!("{device}void {}_infer({})", self.prefix, self.parameters()), "    ");
        format!("{head}\n{{\n{unread}{body}}}")
    }

    /// The CUDA kernel: one row per thread.
    fn kernel(&self) -> String {
        let (prefix, inputs, outputs) = (&self.prefix, self.system.inputs.len(), self.system.outputs.len());
        let each = "    const long long stride = (long long)gridDim.x * blockDim.x;\n    \
             for (long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x; row < n; row += stride)";
        let (what, first, start, state) = match self.has_state() {
            false => ("Computes n rows of outputs from n rows of inputs.", String::new(), String::new(), ""),
            true => {
                let first = format!("{prefix}_state *states, ");
                let start = format!(
                    "extern \"C\" __global__ void {prefix}_start_rows({prefix}_state *states, const long long n)\n{{\n\
                     {each} {prefix}_start(states + row);\n}}\n\n"
                );
                (
                    "Computes the next row of n independent instances of the system.",
                    first,
                    start,
                    "states + row, ",
                )
            }
        };
        format!(
            "{start}// {what}\nextern \"C\" __global__ void {prefix}_rows(\n    {first}const double *inputs, double *outputs, const \
             long long n)\n{{\n{each} {{\n        {prefix}_infer({state}inputs + row * {inputs}, outputs + row * {outputs});\n    \
             }}\n}}"
        )
    }
}
