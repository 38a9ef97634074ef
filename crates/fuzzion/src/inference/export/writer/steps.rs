//! Source code of the individual steps.

use super::Writer;
use crate::inference::export::source::{SourceExpr, without_namespace};
use crate::inference::plan::step::{BinaryOp, Consequent, Slot, Term, UnaryOp, WeightedResult};
use crate::sets::source::{hedge_function, snake_case, snorm_function, tnorm_function};
use crate::sets::{Hedge, SNorm, Set, Shape, TNorm, integer_exponent};

impl Writer<'_> {
    fn numbers(&self, values: &[f64]) -> String {
        values.iter().map(|value| format!(", {}", self.syntax.number(*value).text)).collect()
    }

    pub(super) fn membership(&mut self, slot: Slot, set: &Set, x: Slot) -> SourceExpr {
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
            Shape::Bell { center, width, slope } => match integer_exponent(*slope) {
                Some(power) => {
                    format!("bell_integer_power({x}{}, {power})", self.numbers(&[*center, *width]))
                }
                None => format!("bell({x}{})", self.numbers(&[*center, *width, *slope])),
            },
            shape => format!("{}({x}{})", snake_case(shape.name()), self.numbers(&shape.parameters())),
        };
        match set.height() {
            1.0 => SourceExpr::atom(call),
            height => SourceExpr::open(format!("{} * {call}", self.syntax.number(height).operand())),
        }
    }

    pub(super) fn tsukamoto(&self, set: &Set, strength: Slot) -> SourceExpr {
        let parameters = self.numbers(&set.shape().parameters());
        let function = snake_case(set.shape().name());
        let level = match set.height() {
            1.0 => self.text(strength).to_owned(),
            height => format!("{} / {}", self.operand(strength), self.syntax.number(height).operand()),
        };
        SourceExpr::atom(format!("inverse_{function}({level}{parameters})"))
    }

    pub(super) fn linear(&self, coefficients: &[f64], constant: f64, inputs: &[Slot]) -> SourceExpr {
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
        SourceExpr::open(text)
    }

    /// The expression of a unary step, and its condition if it is a mask.
    pub(super) fn unary(&self, op: UnaryOp, x: Slot) -> (SourceExpr, Option<String>) {
        let (x, open) = (self.text(x), self.operand(x));
        let number = |value: f64| self.syntax.number(value);
        let mask = |condition: String| (self.syntax.conditional(&condition, "1.0", "0.0"), Some(condition));
        let expr = match op {
            UnaryOp::Hedge(Hedge::Any) => number(1.0),
            UnaryOp::Hedge(Hedge::Not) => SourceExpr::open(format!("1.0 - {open}")),
            UnaryOp::Hedge(hedge) => {
                SourceExpr::atom(format!("{}({x})", without_namespace(hedge_function(hedge))))
            }
            UnaryOp::Scale(factor) => SourceExpr::open(format!("{open} * {}", number(factor).operand())),
            UnaryOp::DivideBy(divisor) => SourceExpr::open(format!("{open} / {}", number(divisor).operand())),
            UnaryOp::FlushBelow(threshold) => {
                let condition = format!("{open} < {}", number(threshold).operand());
                self.syntax.conditional(&condition, "0.0", x)
            }
            UnaryOp::NonNegative => SourceExpr::atom(format!("non_negative({x})")),
            UnaryOp::ReplaceNonFinite => SourceExpr::atom(format!("finite_strength({x})")),
            UnaryOp::GreaterThan(threshold) => {
                return mask(format!("{open} > {}", number(threshold).operand()));
            }
            UnaryOp::Compare(comparison, threshold) => {
                return mask(format!("{open} {} {}", comparison.name(), number(threshold).operand()));
            }
            UnaryOp::IsNan => return mask(format!("is_nan_value({x})")),
            UnaryOp::Clamp(minimum, maximum) => {
                SourceExpr::atom(format!("clamp({x}{})", self.numbers(&[minimum, maximum])))
            }
        };
        (expr, None)
    }

    pub(super) fn binary(&self, op: BinaryOp, a: Slot, b: Slot) -> SourceExpr {
        let operator =
            |sign: &str| SourceExpr::open(format!("{} {sign} {}", self.operand(a), self.operand(b)));
        let call =
            |function: &str| SourceExpr::atom(format!("{function}({}, {})", self.text(a), self.text(b)));
        match op {
            BinaryOp::TNorm(TNorm::AlgebraicProduct) | BinaryOp::Multiply => operator("*"),
            BinaryOp::SNorm(SNorm::UnboundedSum) | BinaryOp::Add => operator("+"),
            BinaryOp::Subtract => operator("-"),
            BinaryOp::Divide => operator("/"),
            BinaryOp::TNorm(norm) => call(&without_namespace(tnorm_function(norm))),
            BinaryOp::SNorm(norm) => call(&without_namespace(snorm_function(norm))),
            BinaryOp::Min => call("smaller"),
            BinaryOp::Max => call("larger"),
        }
    }

    pub(super) fn rank(
        &mut self,
        own: usize,
        strengths: &[Slot],
        firing: &[Slot],
        strongest: bool,
    ) -> SourceExpr {
        let existing = self.ranked.get(strengths).cloned();
        let (strength_array, firing_array) = existing.unwrap_or_else(|| {
            let arrays = (self.new_array("strengths", strengths), self.new_array("firing", firing));
            self.ranked.insert(strengths.to_vec(), arrays.clone());
            arrays
        });
        let function = if strongest { "rank_strongest" } else { "rank_weakest" };
        let (strength_array, firing_array) =
            (self.syntax.array_argument(&strength_array), self.syntax.array_argument(&firing_array));
        SourceExpr::atom(match self.rust() {
            true => format!("{function}({own}, {strength_array}, {firing_array})"),
            false => format!("{function}({own}, {strength_array}, {firing_array}, {})", strengths.len()),
        })
    }

    pub(super) fn weighted(&mut self, slot: Slot, terms: &[Term], form: WeightedResult) -> SourceExpr {
        if terms.is_empty() {
            return self.syntax.number(if form == WeightedResult::PlainSum { 0.0 } else { f64::NAN });
        }
        let base = self.layout.labels[slot].clone().unwrap_or_else(|| "v".into());
        let sum = self.names.unique(&format!("{base}_sum"));
        let weights = self.names.unique(&format!("{base}_weights"));
        self.line(&self.syntax.variable(&sum, "0.0"));
        if form != WeightedResult::PlainSum {
            self.line(&self.syntax.variable(&weights, "0.0"));
        }
        for term in terms {
            let weight_slot = self.layout.weight(term);
            let weight = self.operand(weight_slot);
            let z = match &term.z {
                Consequent::Constant(z) => self.syntax.number(*z).operand(),
                Consequent::Step(slot) => self.operand(*slot),
                Consequent::Linear { coefficients, constant, inputs } => {
                    self.linear(coefficients, *constant, inputs).operand()
                }
            };
            let product = SourceExpr::open(format!("{weight} * {z}"));
            let product = match term.present {
                None => product,
                Some(mask) => self.syntax.conditional(&self.condition(mask), &product.text, "0.0"),
            };
            self.line(&format!("{sum} += {};", product.text));
            if form != WeightedResult::PlainSum {
                self.line(&format!("{weights} += {};", self.text(weight_slot)));
            }
        }
        match form {
            WeightedResult::Average => SourceExpr::open(format!("{sum} / {weights}")),
            WeightedResult::Sum => SourceExpr::open(format!("{sum} / {weights} * {weights}")),
            WeightedResult::PlainSum => SourceExpr::atom(sum),
        }
    }
}
