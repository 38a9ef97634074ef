//! From steps to lines of code.

use super::Language;
use super::expression::formula;
use super::fragments::{fragments, needed};
use super::layout::Layout;
use super::names::{Names, identifier};
use super::syntax::{Piece, Syntax, wrapped};
use crate::data::Precision;
use crate::inference::dialect::Dialect;
use crate::inference::plan::step::{Consequent, One, Slot, Step, Term, Two, WeightedEnd};
use crate::inference::plan::{Plan, Steps};
use crate::inference::system::System;
use crate::sets::device::{hedge_function, snake_case, snorm_function, tnorm_function};
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, whole_power};
use std::collections::HashMap;

/// The longest text that becomes part of another one.
const LONG: usize = 60;

pub(super) struct Writer<'a> {
    pub(super) system: &'a System,
    pub(super) steps: &'a Steps,
    pub(super) dialect: Dialect,
    pub(super) precision: Precision,
    pub(super) syntax: Syntax,
    pub(super) names: Names,
    /// What functions and types of the file begin with.
    pub(super) prefix: String,
    pub(super) layout: Layout,
    /// How a number is referred to, once its step is written.
    pieces: Vec<Piece>,
    /// A mask as a condition, where it has no line of its own.
    conditions: HashMap<Slot, String>,
    pub(super) body: String,
    pub(super) functions: Vec<String>,
    /// As they are announced, and themselves.
    pub(super) tables: Vec<(String, String)>,
    /// The arrays of blocks whose rules are ranked, by their strengths.
    ranked: HashMap<Vec<Slot>, (String, String)>,
    /// Whether inputs and their memberships are written.
    rules: bool,
    /// How many remarks of the layout are written.
    remarked: usize,
    /// How many numbers without a name of the system's are written.
    unnamed: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Plan, language: Language) -> Self {
        let (system, steps) = (plan.system(), plan.guarded());
        let (dialect, precision) = (plan.dialect(), plan.precision());
        let syntax = Syntax(language);
        let mut names = Names::new(fragments(language).iter().map(|fragment| fragment.name));
        let prefix = if system.name.is_empty() { "system".into() } else { identifier(&system.name) };
        ["infer", "state", "start", "rows", "start_rows"].iter().for_each(|word| {
            names.give(&format!("{prefix}_{word}"));
        });
        let layout = Layout::new(system, steps, &mut names);
        let missing = syntax.number(f64::NAN);
        Writer {
            system,
            steps,
            dialect,
            precision,
            syntax,
            names,
            prefix,
            layout,
            pieces: vec![missing; steps.steps.len()],
            conditions: HashMap::new(),
            body: String::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            ranked: HashMap::new(),
            rules: false,
            remarked: 0,
            unnamed: 0,
        }
    }

    /// The whole file.
    pub(super) fn file(mut self) -> String {
        for (i, slot) in self.layout.order.clone().into_iter().enumerate() {
            self.rules = i >= self.layout.first_rule;
            if i == self.layout.first_membership && i < self.layout.first_rule {
                self.body.push('\n');
            }
            self.step(slot);
        }
        self.rules = true;
        self.remarks(usize::MAX);
        self.finish();
        let code = format!("{}\n{}", self.body, self.functions.join("\n"));
        let helpers = needed(self.syntax.0, &code);
        self.assembled(helpers)
    }

    pub(super) fn rust(&self) -> bool {
        self.syntax.0 == Language::Rust
    }

    pub(super) fn line(&mut self, line: &str) {
        self.body.push_str(&wrapped(&format!("    {line}"), "        "));
        self.body.push('\n');
    }

    /// The remarks that stand before a step.
    fn remarks(&mut self, slot: Slot) {
        let next =
            |remarked: usize| self.layout.remarks.get(remarked).filter(|(at, _)| self.rules && *at <= slot);
        while let Some((_, text)) = next(self.remarked) {
            self.body.push_str(text);
            self.remarked += 1;
        }
    }

    pub(super) fn text(&self, slot: Slot) -> &str {
        &self.pieces[slot].text
    }

    pub(super) fn operand(&self, slot: Slot) -> String {
        self.pieces[slot].operand()
    }

    /// A mask as a condition.
    pub(super) fn condition(&self, mask: Slot) -> String {
        self.conditions.get(&mask).cloned().unwrap_or_else(|| format!("{} != 0.0", self.operand(mask)))
    }

    fn step(&mut self, slot: Slot) {
        let steps = self.steps;
        let (piece, condition) = match &steps.steps[slot] {
            Step::One { one, of } => self.one(*one, *of),
            step => (self.piece(slot, step), None),
        };
        let number = matches!(steps.steps[slot], Step::Number { .. });
        let label = self.layout.labels[slot].clone();
        let once = self.layout.uses[slot] <= 1 && piece.text.len() <= LONG;
        if number || (label.is_none() && (once || self.layout.raw[slot])) {
            self.pieces[slot] = piece;
            if let Some(condition) = condition {
                self.conditions.insert(slot, condition);
            }
            return;
        }
        self.remarks(slot);
        let name = label.unwrap_or_else(|| {
            self.unnamed += 1;
            self.names.give(&format!("v{}", self.unnamed))
        });
        self.line(&self.syntax.constant(&name, &piece.text));
        self.pieces[slot] = Piece::atom(name);
    }

    fn piece(&mut self, slot: Slot, step: &Step) -> Piece {
        let syntax = self.syntax;
        match step {
            Step::Input { input } => Piece::atom(format!("inputs[{input}]")),
            Step::Previous { output } => self.previous(*output),
            Step::Number { value } => syntax.number(*value),
            Step::Membership { set, x } => self.membership(slot, set, *x),
            Step::Tsukamoto { set, strength } => self.tsukamoto(set, *strength),
            Step::Linear { coefficients, constant, inputs } => self.linear(coefficients, *constant, inputs),
            Step::Function { expression, arguments } => {
                let arguments: Vec<Piece> = arguments.iter().map(|slot| self.pieces[*slot].clone()).collect();
                let mut lines = Vec::new();
                let names = &mut self.names;
                let piece =
                    formula(syntax, expression, &arguments, |part| named(syntax, names, &mut lines, part));
                if !lines.is_empty() {
                    self.remarks(slot);
                }
                lines.iter().for_each(|line| self.line(line));
                piece
            }
            Step::One { .. } => syntax.number(f64::NAN), // written by `one`
            Step::Two { two, a, b } => self.two(*two, *a, *b),
            Step::Choice { mask, then, otherwise } => {
                syntax.choice(&self.condition(*mask), self.text(*then), self.text(*otherwise))
            }
            Step::Rank { own, strengths, firing, strongest } => {
                self.remarks(slot);
                self.rank(*own, strengths, firing, *strongest)
            }
            Step::Weighted { terms, end, .. } => {
                self.remarks(slot);
                self.weighted(slot, terms, *end)
            }
            Step::Defuzzify { sampled, strengths, rows } => {
                self.remarks(slot);
                self.defuzzify(slot, sampled, strengths, rows)
            }
        }
    }

    /// What an output was in the row before.
    pub(super) fn previous(&self, output: usize) -> Piece {
        let to = if self.rust() { "." } else { "->" };
        Piece::atom(format!("state{to}previous[{output}]"))
    }

    fn numbers(&self, values: &[f64]) -> String {
        values.iter().map(|value| format!(", {}", self.syntax.number(*value).text)).collect()
    }

    fn membership(&mut self, slot: Slot, set: &Set, x: Slot) -> Piece {
        let x = self.text(x).to_owned();
        let call = match set.shape() {
            Shape::Discrete { points } => {
                let label = self.layout.labels[slot].clone().unwrap_or_else(|| "discrete".into());
                let table = self.new_table(&format!("{label}_points"), &set.shape().parameters(), Some(2));
                match self.rust() {
                    true => format!("discrete({x}, &{table})"),
                    false => format!("discrete({x}, {table}, {})", points.len()),
                }
            }
            Shape::Bell { center, width, slope } => match whole_power(*slope) {
                Some(power) => format!("bell_of_power({x}{}, {power})", self.numbers(&[*center, *width])),
                None => format!("bell({x}{})", self.numbers(&[*center, *width, *slope])),
            },
            shape => format!("{}({x}{})", snake_case(shape.name()), self.numbers(&shape.parameters())),
        };
        match set.height() {
            1.0 => Piece::atom(call),
            height => Piece::open(format!("{} * {call}", self.syntax.number(height).operand())),
        }
    }

    fn tsukamoto(&self, set: &Set, strength: Slot) -> Piece {
        let parameters = self.numbers(&set.shape().parameters());
        let function = snake_case(set.shape().name());
        let level = match set.height() {
            1.0 => self.text(strength).to_owned(),
            height => format!("{} / {}", self.operand(strength), self.syntax.number(height).operand()),
        };
        Piece::atom(format!("inverse_{function}({level}{parameters})"))
    }

    fn linear(&self, coefficients: &[f64], constant: f64, inputs: &[Slot]) -> Piece {
        let mut text = String::new();
        let mut add = |number: f64, factor: &str| {
            let sign = match (text.is_empty(), number.is_sign_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            text.push_str(&self.syntax.number(number.abs()).text);
            text.push_str(factor);
        };
        for (coefficient, input) in coefficients.iter().zip(inputs) {
            add(*coefficient, &format!(" * {}", self.operand(*input)));
        }
        add(constant, "");
        Piece::open(text)
    }

    /// A step of one number, and the condition it is, if it is a mask.
    fn one(&self, one: One, of: Slot) -> (Piece, Option<String>) {
        let (x, open) = (self.text(of), self.operand(of));
        let number = |value: f64| self.syntax.number(value);
        let mask = |condition: String| (self.syntax.choice(&condition, "1.0", "0.0"), Some(condition));
        let piece = match one {
            One::Hedge(Hedge::Any) => number(1.0),
            One::Hedge(Hedge::Not) => Piece::open(format!("1.0 - {open}")),
            One::Hedge(hedge) => Piece::atom(format!("{}({x})", own(hedge_function(hedge)))),
            One::Times(factor) => Piece::open(format!("{open} * {}", number(factor).operand())),
            One::DividedBy(divisor) => Piece::open(format!("{open} / {}", number(divisor).operand())),
            One::Flushed(least) => {
                let condition = format!("{open} < {}", number(least).operand());
                self.syntax.choice(&condition, "0.0", x)
            }
            One::Positive => Piece::atom(format!("positive({x})")),
            One::Whole => Piece::atom(format!("whole_strength({x})")),
            One::Above(threshold) => return mask(format!("{open} > {}", number(threshold).operand())),
            One::Compared(comparison, with) => {
                return mask(format!("{open} {} {}", comparison.sign(), number(with).operand()));
            }
            One::IsNan => return mask(format!("missing({x})")),
            One::Locked(minimum, maximum) => {
                Piece::atom(format!("locked({x}{})", self.numbers(&[minimum, maximum])))
            }
        };
        (piece, None)
    }

    fn two(&self, two: Two, a: Slot, b: Slot) -> Piece {
        let operator = |sign: &str| Piece::open(format!("{} {sign} {}", self.operand(a), self.operand(b)));
        let call = |function: &str| Piece::atom(format!("{function}({}, {})", self.text(a), self.text(b)));
        match two {
            Two::And(TNorm::AlgebraicProduct) | Two::Times => operator("*"),
            Two::Or(SNorm::UnboundedSum) | Two::Plus => operator("+"),
            Two::Minus => operator("-"),
            Two::Over => operator("/"),
            Two::And(norm) => call(&own(tnorm_function(norm))),
            Two::Or(norm) => call(&own(snorm_function(norm))),
            Two::Least => call("least"),
            Two::Most => call("most"),
        }
    }

    fn rank(&mut self, own: usize, strengths: &[Slot], firing: &[Slot], strongest: bool) -> Piece {
        let known = self.ranked.get(strengths).cloned();
        let (strength_array, firing_array) = known.unwrap_or_else(|| {
            let arrays = (self.new_array("strengths", strengths), self.new_array("firing", firing));
            self.ranked.insert(strengths.to_vec(), arrays.clone());
            arrays
        });
        let function = if strongest { "rank_strongest" } else { "rank_weakest" };
        let (strength_array, firing_array) =
            (self.syntax.lent(&strength_array), self.syntax.lent(&firing_array));
        Piece::atom(match self.rust() {
            true => format!("{function}({own}, {strength_array}, {firing_array})"),
            false => format!("{function}({own}, {strength_array}, {firing_array}, {})", strengths.len()),
        })
    }

    /// A local array of some numbers; its name.
    pub(super) fn new_array(&mut self, wanted: &str, slots: &[Slot]) -> String {
        let name = self.names.give(wanted);
        let values: Vec<String> = slots.iter().map(|slot| self.text(*slot).to_owned()).collect();
        self.line(&self.syntax.array(&name, &values));
        name
    }

    /// A table of the file; its name.
    pub(super) fn new_table(&mut self, wanted: &str, numbers: &[f64], columns: Option<usize>) -> String {
        let name = self.names.give(wanted);
        let name = if self.rust() { name.to_uppercase() } else { name };
        self.tables.push(self.syntax.table(&name, numbers, columns));
        name
    }

    fn weighted(&mut self, slot: Slot, terms: &[Term], end: WeightedEnd) -> Piece {
        if terms.is_empty() {
            return self.syntax.number(if end == WeightedEnd::PlainSum { 0.0 } else { f64::NAN });
        }
        let base = self.layout.labels[slot].clone().unwrap_or_else(|| "v".into());
        let sum = self.names.give(&format!("{base}_sum"));
        let weights = self.names.give(&format!("{base}_weights"));
        self.line(&self.syntax.variable(&sum, "0.0"));
        if end != WeightedEnd::PlainSum {
            self.line(&self.syntax.variable(&weights, "0.0"));
        }
        for term in terms {
            let of_weight = self.layout.weight(term);
            let weight = self.operand(of_weight);
            let z = match &term.z {
                Consequent::Number(z) => self.syntax.number(*z).operand(),
                Consequent::Value(slot) => self.operand(*slot),
                Consequent::Plane { coefficients, constant, inputs } => {
                    self.linear(coefficients, *constant, inputs).operand()
                }
            };
            let product = Piece::open(format!("{weight} * {z}"));
            let product = match term.present {
                None => product,
                Some(mask) => self.syntax.choice(&self.condition(mask), &product.text, "0.0"),
            };
            self.line(&format!("{sum} += {};", product.text));
            if end != WeightedEnd::PlainSum {
                self.line(&format!("{weights} += {};", self.text(of_weight)));
            }
        }
        match end {
            WeightedEnd::Average => Piece::open(format!("{sum} / {weights}")),
            WeightedEnd::Sum => Piece::open(format!("{sum} / {weights} * {weights}")),
            WeightedEnd::PlainSum => Piece::atom(sum),
        }
    }
}

/// A name for a part of a formula, on a line of its own unless it is one already.
pub(super) fn named(syntax: Syntax, names: &mut Names, lines: &mut Vec<String>, part: &Piece) -> Piece {
    if part.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        return part.clone();
    }
    let name = names.give("t");
    lines.push(syntax.constant(&name, &part.text));
    Piece::atom(name)
}

/// The name of a function without the namespace it has in kernels.
pub(super) fn own(function: String) -> String {
    function.trim_start_matches("sets::").to_owned()
}
