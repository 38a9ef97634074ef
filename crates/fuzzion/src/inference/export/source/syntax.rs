//! Syntax differences between C and Rust.

use crate::inference::export::Language;

/// Maximum line length, as far as lines can be broken.
const WIDTH: usize = 100;

/// Source code of a numeric expression.
#[derive(Clone, Debug)]
pub(in crate::inference::export) struct SourceExpr {
    pub(in crate::inference::export) text: String,
    /// Whether the expression needs no parentheses as an operand.
    atom: bool,
}

impl SourceExpr {
    /// A name, a call or a nonnegative number.
    pub(in crate::inference::export) fn atom(text: impl Into<String>) -> Self {
        SourceExpr { text: text.into(), atom: true }
    }

    /// An expression with operators.
    pub(in crate::inference::export) fn open(text: impl Into<String>) -> Self {
        SourceExpr { text: text.into(), atom: false }
    }

    /// The expression as an operand, in parentheses if necessary.
    pub(in crate::inference::export) fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// Syntax of a language. CUDA is written as C and converted at the end.
#[derive(Clone, Copy)]
pub(in crate::inference::export) struct Syntax(pub(in crate::inference::export) Language);

impl Syntax {
    fn rust(self) -> bool {
        self.0 == Language::Rust
    }

    pub(in crate::inference::export) fn number(self, value: f64) -> SourceExpr {
        let infinite = if self.rust() { "f64::INFINITY" } else { "POSITIVE_INFINITY" };
        match value {
            value if value.is_nan() => {
                SourceExpr::atom(if self.rust() { "f64::NAN" } else { "NOT_A_NUMBER" })
            }
            f64::INFINITY => SourceExpr::atom(infinite),
            f64::NEG_INFINITY => SourceExpr::open(format!("-{infinite}")),
            value if value.is_sign_negative() => SourceExpr::open(format!("{value:?}")),
            value => SourceExpr::atom(format!("{value:?}")),
        }
    }

    pub(in crate::inference::export) fn conditional(
        self,
        condition: &str,
        then: &str,
        otherwise: &str,
    ) -> SourceExpr {
        SourceExpr::open(match self.rust() {
            true => format!("if {condition} {{ {then} }} else {{ {otherwise} }}"),
            false => format!("{condition} ? {then} : {otherwise}"),
        })
    }

    pub(in crate::inference::export) fn constant(self, name: &str, value: &str) -> String {
        if self.rust() { format!("let {name} = {value};") } else { format!("const double {name} = {value};") }
    }

    pub(in crate::inference::export) fn variable(self, name: &str, value: &str) -> String {
        if self.rust() { format!("let mut {name} = {value};") } else { format!("double {name} = {value};") }
    }

    /// A local array.
    pub(in crate::inference::export) fn array(self, name: &str, values: &[String]) -> String {
        let (n, values) = (values.len(), values.join(", "));
        match self.rust() {
            true => format!("let {name} = [{values}];"),
            false => format!("const double {name}[{n}] = {{{values}}};"),
        }
    }

    /// An array as a function argument.
    pub(in crate::inference::export) fn array_argument(self, name: &str) -> String {
        if self.rust() { format!("&{name}") } else { name.into() }
    }

    /// A parameter that is an array of `n` numbers.
    pub(in crate::inference::export) fn array_parameter(self, name: &str, n: usize) -> String {
        if self.rust() { format!("{name}: &[f64; {n}]") } else { format!("const double {name}[{n}]") }
    }

    pub(in crate::inference::export) fn index_parameter(self, name: &str) -> String {
        if self.rust() { format!("{name}: usize") } else { format!("int {name}") }
    }

    /// A function that returns a number.
    pub(in crate::inference::export) fn function(
        self,
        name: &str,
        parameters: &[String],
        body: &str,
    ) -> String {
        let parameters = parameters.join(", ");
        match self.rust() {
            true => format!("fn {name}({parameters}) -> f64 {{\n{body}}}"),
            false => format!("static double {name}({parameters})\n{{\n{body}}}"),
        }
    }

    /// The return value of a function.
    pub(in crate::inference::export) fn result(self, value: &str) -> String {
        if self.rust() { value.into() } else { format!("return {value};") }
    }

    /// A table at file level: its forward declaration in C and its definition. Entries are groups of `columns` numbers.
    pub(in crate::inference::export) fn table(
        self,
        name: &str,
        numbers: &[f64],
        columns: Option<usize>,
    ) -> (String, String) {
        let n = numbers.len() / columns.unwrap_or(1);
        let head = match (self.rust(), columns) {
            (true, None) => format!("static {name}: [f64; {n}]"),
            (true, Some(columns)) => format!("static {name}: [[f64; {columns}]; {n}]"),
            (false, None) => format!("static const double {name}[{n}]"),
            (false, Some(columns)) => format!("static const double {name}[{n}][{columns}]"),
        };
        let (left, right) = if self.rust() { ('[', ']') } else { ('{', '}') };
        let number = |value: &f64| self.number(*value).text;
        let entry = |numbers: &[f64]| match columns {
            None => numbers.iter().map(number).collect::<String>(),
            // No-break spaces keep an entry on one line.
            Some(_) => {
                format!("{left}{}{right}", numbers.iter().map(number).collect::<Vec<_>>().join(",\u{a0}"))
            }
        };
        let entries: Vec<String> = numbers.chunks(columns.unwrap_or(1)).map(entry).collect();
        let body = wrapped(&format!("    {}", entries.join(", ")), "    ").replace('\u{a0}', " ");
        (format!("{head};"), format!("{head} = {left}\n{body}\n{right};"))
    }
}

/// Breaks a long line of code at spaces.
pub(in crate::inference::export) fn wrapped(line: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.len() - 1;
        if lines[last].len() + word.trim_end().len() > WIDTH && !lines[last].trim().is_empty() {
            lines.push(indent.to_owned());
        }
        lines.last_mut().expect("invariant: there is at least one line").push_str(word);
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}

/// Name of a function without its CUDA namespace.
pub(in crate::inference::export) fn without_namespace(function: String) -> String {
    function.trim_start_matches("sets::").to_owned()
}
