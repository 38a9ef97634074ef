//! Outputs that are defuzzified over samples: one function each and the tables it reads.

use super::Writer;
use crate::inference::export::source::{
    SourceExpr, defuzzifiers, formula, named, without_namespace, wrapped,
};
use crate::inference::plan::centroid::CentroidTables;
use crate::inference::plan::sampled::{Sampled, SampledSet};
use crate::inference::plan::step::Slot;
use crate::inference::{Defuzzifier, Dialect};
use crate::sets::source::{snorm_function, tnorm_function};

impl Writer<'_> {
    pub(super) fn defuzzify(
        &mut self,
        slot: Slot,
        sampled: &Sampled,
        strengths: &[Slot],
        row_values: &[Slot],
    ) -> SourceExpr {
        let base = self.layout.labels[slot].clone().unwrap_or_else(|| "output".into());
        if strengths.is_empty() {
            return self.syntax.number(f64::NAN); // no rule concludes this output
        }
        let mut parameters = vec![self.syntax.array_parameter("w", strengths.len())];
        let array = self.new_array(&format!("{base}_strengths"), strengths);
        let mut arguments = self.syntax.array_argument(&array);
        let function = match CentroidTables::new(sampled) {
            Some(tables) => self.table_centroid(&base, &tables, &parameters),
            None => {
                if !row_values.is_empty() {
                    let array = self.new_array(&format!("{base}_row_values"), row_values);
                    arguments = format!("{arguments}, {}", self.syntax.array_argument(&array));
                    parameters.push(self.syntax.array_parameter("x", row_values.len()));
                }
                self.sampled_defuzzifier(&base, sampled, &parameters)
            }
        };
        SourceExpr::atom(format!("{function}({arguments})"))
    }

    /// Writes a function that computes the centroid by table lookup; returns its name.
    fn table_centroid(&mut self, base: &str, tables: &CentroidTables, parameters: &[String]) -> String {
        let mut body = String::new();
        for variable in ["area", "moment"] {
            body += &format!("    {}\n", self.syntax.variable(variable, "0.0"));
        }
        for (i, table) in tables.tables.iter().enumerate() {
            let terms = table.terms.iter().map(|term| format!("w[{term}]"));
            let level = terms.reduce(|a, b| format!("smaller({a}, {b})"));
            let level = level.expect("invariant: a centroid table has at least one term");
            if let ([], [[_, area, _, moment]]) = (table.knots.as_slice(), table.lines.as_slice()) {
                for (sum, slope) in [("area", *area), ("moment", *moment)] {
                    body += &format!("    {sum} += {} * {level};\n", self.syntax.number(slope).operand());
                }
                continue;
            }
            let (function, suffix, columns) = if table.curves.is_empty() {
                ("add_linear_piece", "lines", 4)
            } else {
                ("add_polynomial_piece", "curves", 8)
            };
            let mut knots = table.knots.clone();
            let mut pieces = [table.lines.concat(), table.curves.concat()].concat();
            if knots.is_empty() {
                // A table with one piece has no knots, but C has no empty arrays.
                knots.push(f64::MAX);
                pieces = [pieces.clone(), pieces].concat();
            }
            let n = knots.len();
            let knots = self.new_table(&format!("{base}_knots{i}"), &knots, None);
            let pieces = self.new_table(&format!("{base}_{suffix}{i}"), &pieces, Some(columns));
            body += &match self.rust() {
                true => format!("    {function}({level}, &{knots}, &{pieces}, &mut area, &mut moment);\n"),
                false => format!("    {function}({level}, {knots}, {n}, {pieces}, &area, &moment);\n"),
            };
        }
        let center = self.syntax.number(tables.center).operand();
        body += &format!("    {}\n", self.syntax.result(&format!("moment / area + {center}")));
        let name = self.names.unique(&format!("{base}_centroid"));
        let comment = "// Centroid of the sets clipped at the strengths w: areas and moments, minus those of the overlaps.";
        self.functions.push(format!("{comment}\n{}", self.syntax.function(&name, parameters, &body)));
        name
    }

    /// Writes functions for the sample positions, the aggregated membership and the defuzzifier; returns the name of the last.
    fn sampled_defuzzifier(&mut self, base: &str, sampled: &Sampled, parameters: &[String]) -> String {
        let position = self.position(base, sampled);
        let aggregated = self.aggregated(base, sampled, &position, parameters);
        let arguments = if parameters.len() > 1 { "w, x" } else { "w" };
        let kind = match sampled.defuzzifier {
            Defuzzifier::Bisector { .. } if sampled.matlab => "matlab_bisector",
            Defuzzifier::Bisector { .. } => "bisector",
            Defuzzifier::SmallestOfMaximum { .. } if sampled.matlab => "smallest_magnitude_of_maximum",
            Defuzzifier::LargestOfMaximum { .. } if sampled.matlab => "largest_magnitude_of_maximum",
            Defuzzifier::SmallestOfMaximum { .. } => "smallest_of_maximum",
            Defuzzifier::LargestOfMaximum { .. } => "largest_of_maximum",
            Defuzzifier::MeanOfMaximum { .. } => "mean_of_maximum",
            _ => "centroid",
        };
        let name = self.names.unique(&format!("{base}_{kind}"));
        let templates = defuzzifiers(self.syntax.0);
        let template = templates.iter().find(|fragment| fragment.name == kind);
        let text = template
            .expect("invariant: every defuzzifier has a template")
            .text
            .replace(&format!("{kind}(PARAMETERS)"), &format!("{name}({})", parameters.join(", ")))
            .replace("AGGREGATED_FIRST", &format!("{aggregated}(0, {arguments})"))
            .replace("AGGREGATED", &format!("{aggregated}(s, {arguments})"))
            .replace("POSITION", &format!("{position}(s)"))
            .replace("SAMPLES", &sampled.y.len().to_string());
        self.functions.push(text);
        name
    }

    /// Writes the function that returns the position of a sample; returns its name.
    fn position(&mut self, base: &str, sampled: &Sampled) -> String {
        let (dialect, n) = (self.dialect, sampled.y.len());
        let range =
            self.system.outputs.iter().map(|output| (output.variable.minimum, output.variable.maximum));
        let range = range
            .into_iter()
            .find(|(minimum, maximum)| dialect.sample_points(*minimum, *maximum, Some(n)) == sampled.y);
        let number = |value: f64| self.syntax.number(value);
        let count = if self.rust() { "s as f64" } else { "s" };
        let value = match range {
            Some((minimum, maximum)) if dialect == Dialect::Matlab => {
                let step = (maximum - minimum) / n.saturating_sub(1).max(1) as f64;
                let count = if self.rust() { "s as f64" } else { "(double)s" };
                let inner = format!("{} + {count} * {}", number(minimum).text, number(step).operand());
                match n {
                    1 => inner,
                    _ => {
                        self.syntax
                            .conditional(&format!("s == {}", n - 1), &number(maximum).text, &inner)
                            .text
                    }
                }
            }
            Some((minimum, maximum)) => {
                let step = (maximum - minimum) / n as f64;
                format!("{} + ({count} + 0.5) * {}", number(minimum).text, number(step).operand())
            }
            None => format!("{}[s]", self.new_table(&format!("{base}_positions"), &sampled.y, None)),
        };
        let name = self.names.unique(&format!("{base}_position"));
        let parameters = [self.syntax.index_parameter("s")];
        let body = format!("    {}\n", self.syntax.result(&value));
        let function = self.syntax.function(&name, &parameters, &body);
        self.functions.push(format!("// Position of sample s.\n{function}"));
        name
    }

    /// Writes the function that returns the aggregated membership of a sample; returns its name.
    fn aggregated(&mut self, base: &str, sampled: &Sampled, position: &str, parameters: &[String]) -> String {
        let sets: Vec<(String, SourceExpr)> =
            (0..sampled.sets.len()).map(|set| self.sampled_set(base, sampled, position, set)).collect();
        let mut body = format!("    {}\n", self.syntax.variable("m", "0.0"));
        body += &sets.iter().map(|(lines, _)| lines.as_str()).collect::<String>();
        let aggregation = without_namespace(snorm_function(sampled.aggregation));
        for (k, (set, implication)) in sampled.terms.iter().enumerate() {
            let implication = without_namespace(tnorm_function(*implication));
            let membership = &sets[*set].1.text;
            let membership = match sampled.ignores_unfired(*set) {
                true => &self.syntax.conditional(&format!("w[{k}] == 0.0"), "0.0", membership).text,
                false => membership,
            };
            body += &wrapped(
                &format!("    m = {aggregation}(m, {implication}(w[{k}], {membership}));"),
                "        ",
            );
            body.push('\n');
        }
        body += &format!("    {}\n", self.syntax.result("m"));
        let name = self.names.unique(&format!("{base}_aggregated"));
        let mut all = vec![self.syntax.index_parameter("s")];
        all.extend_from_slice(parameters);
        let function = self.syntax.function(&name, &all, &body);
        self.functions
            .push(format!("// Aggregated membership of sample s for the firing strengths w.\n{function}"));
        name
    }

    /// The membership of a set at sample s, and the lines that must precede it.
    fn sampled_set(
        &mut self,
        base: &str,
        sampled: &Sampled,
        position: &str,
        set: usize,
    ) -> (String, SourceExpr) {
        let maybe_negated = |expr: SourceExpr, negated: bool| match negated {
            true => SourceExpr::open(format!("1.0 - {}", expr.operand())),
            false => expr,
        };
        match &sampled.sets[set] {
            SampledSet::Fixed(memberships) => {
                let table = self.new_table(&format!("{base}_set{set}"), memberships, None);
                (String::new(), SourceExpr::atom(format!("{table}[s]")))
            }
            SampledSet::RowConstant { index, negated } => {
                (String::new(), maybe_negated(SourceExpr::atom(format!("x[{index}]")), *negated))
            }
            SampledSet::Formula { expression, arguments, negated } => {
                let argument = |index: &Option<usize>| {
                    SourceExpr::atom(
                        index.map_or_else(|| format!("{position}(s)"), |index| format!("x[{index}]")),
                    )
                };
                let arguments: Vec<SourceExpr> = arguments.iter().map(argument).collect();
                let (syntax, names, mut lines) = (self.syntax, &mut self.names, Vec::new());
                let expr =
                    formula(syntax, expression, &arguments, |part| named(syntax, names, &mut lines, part));
                let lines =
                    lines.iter().map(|line| wrapped(&format!("    {line}"), "        ") + "\n").collect();
                (lines, maybe_negated(expr, *negated))
            }
        }
    }
}
