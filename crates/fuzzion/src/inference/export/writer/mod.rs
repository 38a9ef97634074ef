//! Writes the steps of a plan as lines of code.

mod file;
mod layout;
mod sampled;
mod steps;

use super::language::Language;
use super::source::{
    Identifiers, SourceExpr, Syntax, formula, fragments, identifier, named, needed, wrapped,
};
use crate::data::Precision;
use crate::inference::plan::step::{Slot, Step};
use crate::inference::plan::{Plan, Steps};
use crate::inference::{Dialect, System};
use layout::SourceLayout;
use std::collections::HashMap;

/// Maximum length of an inline expression; longer ones are assigned to a variable.
const MAX_INLINE_LENGTH: usize = 60;

pub(super) struct Writer<'a> {
    system: &'a System,
    steps: &'a Steps,
    dialect: Dialect,
    precision: Precision,
    syntax: Syntax,
    names: Identifiers,
    /// Prefix of the file's functions and types.
    prefix: String,
    layout: SourceLayout,
    /// Expression for the value of each step that is already written.
    expressions: Vec<Option<SourceExpr>>,
    /// Conditions of masks that are written inline.
    conditions: HashMap<Slot, String>,
    body: String,
    functions: Vec<String>,
    /// Forward declarations and definitions.
    tables: Vec<(String, String)>,
    /// Names of the arrays of ranked rule blocks (strengths, firing), by the slots of the strengths.
    ranked: HashMap<Vec<Slot>, (String, String)>,
    /// Whether all inputs and their memberships are written.
    in_rules: bool,
    /// Number of comments of the layout written so far.
    comments_written: usize,
    /// Number of variables written so far that have no name in the system.
    unnamed: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(plan: &'a Plan, language: Language) -> Self {
        let (system, steps) = (plan.system(), plan.general_steps());
        let (dialect, precision) = (plan.dialect(), plan.precision());
        let syntax = Syntax(language);
        let mut names = Identifiers::new(fragments(language).iter().map(|fragment| fragment.name));
        let prefix = if system.name.is_empty() { "system".into() } else { identifier(&system.name) };
        ["infer", "state", "start", "rows", "start_rows"].iter().for_each(|suffix| {
            names.unique(&format!("{prefix}_{suffix}"));
        });
        let layout = SourceLayout::new(system, steps, &mut names);
        Writer {
            system,
            steps,
            dialect,
            precision,
            syntax,
            names,
            prefix,
            layout,
            expressions: vec![None; steps.steps.len()],
            conditions: HashMap::new(),
            body: String::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            ranked: HashMap::new(),
            in_rules: false,
            comments_written: 0,
            unnamed: 0,
        }
    }

    /// The whole file.
    pub(super) fn file(mut self) -> String {
        for (i, slot) in self.layout.order.clone().into_iter().enumerate() {
            self.in_rules = i >= self.layout.first_rule;
            if i == self.layout.first_membership && i < self.layout.first_rule {
                self.body.push('\n');
            }
            self.step(slot);
        }
        self.in_rules = true;
        self.write_comments(usize::MAX);
        self.outputs();
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

    /// Writes the comments that precede a step.
    fn write_comments(&mut self, slot: Slot) {
        let next = |i: usize| self.layout.comments.get(i).filter(|(at, _)| self.in_rules && *at <= slot);
        while let Some((_, text)) = next(self.comments_written) {
            self.body.push_str(text);
            self.comments_written += 1;
        }
    }

    fn value(&self, slot: Slot) -> &SourceExpr {
        self.expressions[slot]
            .as_ref()
            .expect("invariant: operands are written before the steps that read them")
    }

    pub(super) fn text(&self, slot: Slot) -> &str {
        &self.value(slot).text
    }

    pub(super) fn operand(&self, slot: Slot) -> String {
        self.value(slot).operand()
    }

    /// The condition of a mask.
    pub(super) fn condition(&self, mask: Slot) -> String {
        self.conditions.get(&mask).cloned().unwrap_or_else(|| format!("{} != 0.0", self.operand(mask)))
    }

    fn step(&mut self, slot: Slot) {
        let steps = self.steps;
        let (expr, condition) = match &steps.steps[slot] {
            Step::Unary { op, x } => self.unary(*op, *x),
            step => (self.expression(slot, step), None),
        };
        let constant = matches!(steps.steps[slot], Step::Constant { .. });
        let label = self.layout.labels[slot].clone();
        let once = self.layout.uses[slot] <= 1 && expr.text.len() <= MAX_INLINE_LENGTH;
        if constant || (label.is_none() && (once || self.layout.raw[slot])) {
            self.expressions[slot] = Some(expr);
            if let Some(condition) = condition {
                self.conditions.insert(slot, condition);
            }
            return;
        }
        self.write_comments(slot);
        let name = label.unwrap_or_else(|| {
            self.unnamed += 1;
            self.names.unique(&format!("v{}", self.unnamed))
        });
        self.line(&self.syntax.constant(&name, &expr.text));
        self.expressions[slot] = Some(SourceExpr::atom(name));
    }

    fn expression(&mut self, slot: Slot, step: &Step) -> SourceExpr {
        let syntax = self.syntax;
        match step {
            Step::Input { input } => SourceExpr::atom(format!("inputs[{input}]")),
            Step::Previous { output } => self.previous(*output),
            Step::Constant { value } => syntax.number(*value),
            Step::Membership { set, x } => self.membership(slot, set, *x),
            Step::Tsukamoto { set, strength } => self.tsukamoto(set, *strength),
            Step::Linear { coefficients, constant, inputs } => self.linear(coefficients, *constant, inputs),
            Step::Function { expression, arguments } => {
                let arguments: Vec<SourceExpr> =
                    arguments.iter().map(|slot| self.value(*slot).clone()).collect();
                let mut lines = Vec::new();
                let names = &mut self.names;
                let expr =
                    formula(syntax, expression, &arguments, |part| named(syntax, names, &mut lines, part));
                if !lines.is_empty() {
                    self.write_comments(slot);
                }
                lines.iter().for_each(|line| self.line(line));
                expr
            }
            Step::Unary { .. } => unreachable!("invariant: unary steps are written by `unary`"),
            Step::Binary { op, a, b } => self.binary(*op, *a, *b),
            Step::Select { mask, then, otherwise } => {
                syntax.conditional(&self.condition(*mask), self.text(*then), self.text(*otherwise))
            }
            Step::Rank { own, strengths, firing, strongest } => {
                self.write_comments(slot);
                self.rank(*own, strengths, firing, *strongest)
            }
            Step::Weighted { terms, form, .. } => {
                self.write_comments(slot);
                self.weighted(slot, terms, *form)
            }
            Step::Defuzzify { sampled, strengths, row_values } => {
                self.write_comments(slot);
                self.defuzzify(slot, sampled, strengths, row_values)
            }
        }
    }

    /// Value of an output in the previous row.
    pub(super) fn previous(&self, output: usize) -> SourceExpr {
        let access = if self.rust() { "." } else { "->" };
        SourceExpr::atom(format!("state{access}previous[{output}]"))
    }

    /// Writes a local array of step values; returns its name.
    pub(super) fn new_array(&mut self, name: &str, slots: &[Slot]) -> String {
        let name = self.names.unique(name);
        let values: Vec<String> = slots.iter().map(|slot| self.text(*slot).to_owned()).collect();
        self.line(&self.syntax.array(&name, &values));
        name
    }

    /// Adds a table to the file; returns its name.
    pub(super) fn new_table(&mut self, name: &str, numbers: &[f64], columns: Option<usize>) -> String {
        let name = self.names.unique(name);
        let name = if self.rust() { name.to_uppercase() } else { name };
        self.tables.push(self.syntax.table(&name, numbers, columns));
        name
    }
}
