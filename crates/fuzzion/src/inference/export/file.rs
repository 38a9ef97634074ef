//! The file around the lines: what it says first, the functions and tables, the end of a row.

use super::Language;
use super::fragments::Fragment;
use super::names::comment;
use super::syntax::{Piece, wrapped};
use super::write::Writer;
use crate::inference::dialect::Dialect;
use crate::inference::plan::step::Step;
use crate::inference::plan::{Carried, Finish};
use crate::inference::variable::Output;

impl Writer<'_> {
    /// Whether a row needs the outputs of the row before.
    fn keeps(&self) -> bool {
        let carried = self.steps.outputs.iter().any(|finish| matches!(finish, Finish::Carried(_)));
        let read = |slot: &usize| matches!(self.steps.steps[*slot], Step::Previous { .. });
        carried || self.layout.order.iter().any(read)
    }

    /// The lines that hand over the outputs.
    pub(super) fn finish(&mut self) {
        let mut values = Vec::new();
        for (i, finish) in self.steps.outputs.iter().enumerate() {
            values.push(match finish {
                Finish::Done(slot) => self.text(*slot).to_owned(),
                Finish::Carried(carried) => self.carried(i, carried),
            });
        }
        self.body.push('\n');
        match (self.rust(), self.keeps()) {
            (true, false) => self.line(&format!("[{}]", values.join(", "))),
            (true, true) => {
                self.line(&format!("state.previous = [{}];", values.join(", ")));
                self.line("state.previous");
            }
            (false, keeps) => {
                for (i, value) in values.iter().enumerate() {
                    self.line(&format!("outputs[{i}] = {value};"));
                }
                for i in (0..values.len()).filter(|_| keeps) {
                    self.line(&format!("state->previous[{i}] = outputs[{i}];"));
                }
            }
        }
    }

    fn carried(&mut self, output: usize, carried: &Carried) -> String {
        let previous = self.previous(output);
        let default = self.syntax.number(carried.default);
        let kept = match carried.default.is_nan() {
            true => previous,
            false => {
                let none = format!("missing({})", previous.text);
                let choice = self.syntax.choice(&none, &default.text, &previous.text);
                let name = self.names.give(&format!("{}_kept", self.system.outputs[output].variable.name));
                self.line(&self.syntax.constant(&name, &choice.text));
                Piece::atom(name)
            }
        };
        let missing = self.condition(carried.missing);
        let value = self.syntax.choice(&missing, &kept.text, self.text(carried.value)).text;
        match carried.range {
            None => value,
            Some((minimum, maximum)) => {
                let (minimum, maximum) = (self.syntax.number(minimum).text, self.syntax.number(maximum).text);
                format!("locked({value}, {minimum}, {maximum})")
            }
        }
    }

    /// The file in the order of its language.
    pub(super) fn assembled(self, helpers: Vec<Fragment>) -> String {
        let helpers: Vec<String> = helpers.iter().map(|helper| helper.text.to_owned()).collect();
        let announced: Vec<String> = self.tables.iter().map(|(announced, _)| announced.clone()).collect();
        let tables: Vec<String> = self.tables.iter().map(|(_, table)| table.clone()).collect();
        let head = self.head().join("\n");
        let parts = match self.syntax.0 {
            Language::Rust => vec![
                head,
                self.state(),
                self.infer(),
                self.functions.join("\n\n"),
                helpers.join("\n\n"),
                tables.join("\n\n"),
            ],
            Language::C => {
                let bits = helpers.iter().any(|helper| helper.contains("uint64_t"));
                let include = if bits { "#include <stdint.h>" } else { "" };
                let announced = announced.join("\n");
                vec![
                    head,
                    include.into(),
                    self.state(),
                    announced,
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
                    head,
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

    /// What the file says about itself.
    fn head(&self) -> Vec<String> {
        let system = self.system;
        let mut lines = vec![
            format!("The fuzzy system {}, as fuzzion {} wrote it.", system.name, env!("CARGO_PKG_VERSION")),
            format!("Dialect {}, precision {}.", self.dialect.name(), self.precision),
        ];
        lines.extend(system.description.lines().map(str::to_owned));
        lines.push(String::new());
        for (i, input) in system.inputs.iter().enumerate() {
            let locked = if input.lock_range { ", moved to the nearer end from outside" } else { "" };
            let (minimum, maximum) = (input.minimum, input.maximum);
            lines.push(format!("inputs[{i}]   {}, from {minimum} to {maximum}{locked}", input.name));
        }
        for (i, output) in system.outputs.iter().enumerate() {
            let variable = &output.variable;
            let (minimum, maximum) = (variable.minimum, variable.maximum);
            let without = self.without(output);
            lines.push(format!("outputs[{i}]  {}, from {minimum} to {maximum}; {without}", variable.name));
        }
        lines.push(String::new());
        lines.extend(self.manner());
        let mark = if self.rust() { "//!" } else { "//" };
        lines.iter().map(|line| format!("{mark} {}", comment(line)).trim_end().to_owned()).collect()
    }

    /// What an output is where there is no value.
    fn without(&self, output: &Output) -> String {
        let default = output.default.unwrap_or(f64::NAN);
        let default = if default.is_nan() { "NaN".into() } else { default.to_string() };
        match self.dialect {
            _ if !output.variable.enabled => "NaN, it takes no part".into(),
            Dialect::Matlab => "the middle where no rule fires".into(),
            _ if output.lock_previous => {
                format!("its value of the row before where no rule fires, at first {default}")
            }
            _ => format!("{default} where no rule fires"),
        }
    }

    /// How the file is used.
    fn manner(&self) -> Vec<String> {
        let prefix = &self.prefix;
        let mut lines: Vec<String> = Vec::new();
        match self.syntax.0 {
            Language::Rust => lines.push("Needs `core` alone and allocates nothing.".into()),
            Language::C => {
                lines.push(
                    "C99; needs no library and allocates nothing. Compile with -ffp-contract=off for".into(),
                );
                lines.push("fuzzion's own digits. To call it from another file:".into());
                if self.keeps() {
                    let n = self.system.outputs.len();
                    lines.push(format!("    typedef struct {{ double previous[{n}]; }} {prefix}_state;"));
                    lines.push(format!("    void {prefix}_start({prefix}_state *state);"));
                }
                lines.push(format!("    void {prefix}_infer({});", self.parameters()));
            }
            Language::Cuda => {
                lines.push(
                    "For nvcc and NVRTC, without headers. --fmad=false gives the CPU's own digits.".into(),
                );
            }
        }
        lines
    }

    fn parameters(&self) -> String {
        let state = if self.keeps() { format!("{}_state *state, ", self.prefix) } else { String::new() };
        format!("{state}const double *inputs, double *outputs")
    }

    /// What a row keeps for the next one.
    fn state(&self) -> String {
        let (prefix, n) = (&self.prefix, self.system.outputs.len());
        if !self.keeps() {
            return String::new();
        }
        if self.rust() {
            let start = "        State { previous: [f64::NAN; ".to_owned() + &n.to_string() + "] }\n";
            return format!(
                "/// The outputs of the row before.\n#[derive(Clone, Debug)]\npub struct State {{\n    previous: [f64; {n}],\n}}\n\n\
                 impl State {{\n    /// No row before.\n    #[allow(clippy::new_without_default)]\n    \
                 pub const fn new() -> Self {{\n{start}    }}\n}}"
            );
        }
        let device = if self.syntax.0 == Language::Cuda { "__device__ " } else { "" };
        let missing = if self.syntax.0 == Language::Cuda { "nan@(\"\")" } else { "0.0 / 0.0" };
        format!(
            "// The outputs of the row before.\ntypedef struct {{\n    double previous[{n}];\n}} {prefix}_state;\n\n\
             // Before the first row.\n{device}void {prefix}_start({prefix}_state *state)\n{{\n    \
             for (int i = 0; i < {n}; ++i) state->previous[i] = {missing};\n}}"
        )
    }

    /// The function that all is about.
    fn infer(&self) -> String {
        let (inputs, outputs) = (self.system.inputs.len(), self.system.outputs.len());
        let reads = self.body.contains("inputs[");
        let body = self.body.trim_start_matches('\n');
        if self.rust() {
            let state = if self.keeps() { ", state: &mut State" } else { "" };
            let unread = if reads { "" } else { "    let _ = inputs;\n" };
            return format!(
                "/// The outputs for one row of inputs.\npub fn infer(inputs: &[f64; {inputs}]{state}) -> [f64; {outputs}] \
                 {{\n{unread}{body}}}"
            );
        }
        let device = if self.syntax.0 == Language::Cuda { "__device__ " } else { "" };
        let unread = if reads { "" } else { "    (void)inputs;\n" };
        let head = wrapped(&format!("{device}void {}_infer({})", self.prefix, self.parameters()), "    ");
        format!("{head}\n{{\n{unread}{body}}}")
    }

    /// CUDA's kernel: a row for each thread.
    fn kernel(&self) -> String {
        let (prefix, inputs, outputs) = (&self.prefix, self.system.inputs.len(), self.system.outputs.len());
        let each = "    const long long stride = (long long)gridDim.x * blockDim.x;\n    \
             for (long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x; row < n; row += stride)";
        let (what, first, start, state) = match self.keeps() {
            false => ("n rows of inputs to n rows of outputs.", String::new(), String::new(), ""),
            true => {
                let first = format!("{prefix}_state *states, ");
                let start = format!(
                    "extern \"C\" __global__ void {prefix}_start_rows({prefix}_state *states, const long long n)\n{{\n\
                     {each} {prefix}_start(states + row);\n}}\n\n"
                );
                ("The next row of each of n systems that run side by side.", first, start, "states + row, ")
            }
        };
        format!(
            "{start}// {what}\nextern \"C\" __global__ void {prefix}_rows(\n    {first}const double *inputs, double *outputs, const \
             long long n)\n{{\n{each} {{\n        {prefix}_infer({state}inputs + row * {inputs}, outputs + row * {outputs});\n    \
             }}\n}}"
        )
    }
}
