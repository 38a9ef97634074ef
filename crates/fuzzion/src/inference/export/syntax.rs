//! The few things that C and Rust spell differently.

use super::Language;

/// The longest line of code, where it can be broken.
const WIDTH: usize = 100;

/// A text that gives a number, and whether it holds together in front of and behind operators.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    atom: bool,
}

impl Piece {
    /// A name, a call, a number that is not negative.
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Piece { text: text.into(), atom: true }
    }

    /// What an operator makes.
    pub(super) fn open(text: impl Into<String>) -> Self {
        Piece { text: text.into(), atom: false }
    }

    /// As an operand.
    pub(super) fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// How a language spells what both have. CUDA is written as C and converted at the end.
#[derive(Clone, Copy)]
pub(super) struct Syntax(pub(super) Language);

impl Syntax {
    fn rust(self) -> bool {
        self.0 == Language::Rust
    }

    pub(super) fn number(self, value: f64) -> Piece {
        let infinite = if self.rust() { "f64::INFINITY" } else { "INFINITE" };
        match value {
            value if value.is_nan() => Piece::atom(if self.rust() { "f64::NAN" } else { "MISSING" }),
            f64::INFINITY => Piece::atom(infinite),
            f64::NEG_INFINITY => Piece::open(format!("-{infinite}")),
            value if value.is_sign_negative() => Piece::open(format!("{value:?}")),
            value => Piece::atom(format!("{value:?}")),
        }
    }

    pub(super) fn choice(self, condition: &str, then: &str, otherwise: &str) -> Piece {
        Piece::open(match self.rust() {
            true => format!("if {condition} {{ {then} }} else {{ {otherwise} }}"),
            false => format!("{condition} ? {then} : {otherwise}"),
        })
    }

    pub(super) fn constant(self, name: &str, value: &str) -> String {
        if self.rust() { format!("let {name} = {value};") } else { format!("const double {name} = {value};") }
    }

    pub(super) fn variable(self, name: &str, value: &str) -> String {
        if self.rust() { format!("let mut {name} = {value};") } else { format!("double {name} = {value};") }
    }

    /// A local array.
    pub(super) fn array(self, name: &str, values: &[String]) -> String {
        let (n, values) = (values.len(), values.join(", "));
        match self.rust() {
            true => format!("let {name} = [{values}];"),
            false => format!("const double {name}[{n}] = {{{values}}};"),
        }
    }

    /// How an array is handed to a function.
    pub(super) fn lent(self, name: &str) -> String {
        if self.rust() { format!("&{name}") } else { name.into() }
    }

    /// A parameter that is an array of `n` numbers.
    pub(super) fn array_parameter(self, name: &str, n: usize) -> String {
        if self.rust() { format!("{name}: &[f64; {n}]") } else { format!("const double {name}[{n}]") }
    }

    pub(super) fn index_parameter(self, name: &str) -> String {
        if self.rust() { format!("{name}: usize") } else { format!("int {name}") }
    }

    /// A function that gives a number.
    pub(super) fn function(self, name: &str, parameters: &[String], body: &str) -> String {
        let parameters = parameters.join(", ");
        match self.rust() {
            true => format!("fn {name}({parameters}) -> f64 {{\n{body}}}"),
            false => format!("static double {name}({parameters})\n{{\n{body}}}"),
        }
    }

    /// The last line of a function.
    pub(super) fn result(self, value: &str) -> String {
        if self.rust() { value.into() } else { format!("return {value};") }
    }

    /// A table of the whole file: how it is announced in C, and itself. `columns` numbers stand together.
    pub(super) fn table(self, name: &str, numbers: &[f64], columns: Option<usize>) -> (String, String) {
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
            // Kept together until the lines are broken.
            Some(_) => {
                format!("{left}{}{right}", numbers.iter().map(number).collect::<Vec<_>>().join(",\u{a0}"))
            }
        };
        let entries: Vec<String> = numbers.chunks(columns.unwrap_or(1)).map(entry).collect();
        let body = wrapped(&format!("    {}", entries.join(", ")), "    ").replace('\u{a0}', " ");
        (format!("{head};"), format!("{head} = {left}\n{body}\n{right};"))
    }
}

/// A line of code, broken at spaces where it is too long.
pub(super) fn wrapped(line: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.len() - 1;
        if lines[last].len() + word.trim_end().len() > WIDTH && !lines[last].trim().is_empty() {
            lines.push(indent.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n")
}
