//! Outputs that are defuzzified over samples: a function for each, and the tables it reads.

use super::expression::formula;
use super::fragments::defuzzifiers;
use super::syntax::{Piece, wrapped};
use super::write::{Writer, named, own};
use crate::inference::defuzzifier::Defuzzifier;
use crate::inference::dialect::Dialect;
use crate::inference::plan::levels::Levels;
use crate::inference::plan::sampled::{Sampled, SampledSet};
use crate::inference::plan::step::Slot;
use crate::sets::device::{snorm_function, tnorm_function};

impl Writer<'_> {
    pub(super) fn defuzzify(
        &mut self,
        slot: Slot,
        sampled: &Sampled,
        strengths: &[Slot],
        rows: &[Slot],
    ) -> Piece {
        let base = self.layout.labels[slot].clone().unwrap_or_else(|| "output".into());
        if strengths.is_empty() {
            return self.syntax.number(f64::NAN); // nothing is ever concluded
        }
        let mut parameters = vec![self.syntax.array_parameter("w", strengths.len())];
        let array = self.new_array(&format!("{base}_strengths"), strengths);
        let mut lent = self.syntax.lent(&array);
        let function = match Levels::of(sampled) {
            Some(levels) => self.levels(&base, &levels, &parameters),
            None => {
                if !rows.is_empty() {
                    let array = self.new_array(&format!("{base}_rows"), rows);
                    lent = format!("{lent}, {}", self.syntax.lent(&array));
                    parameters.push(self.syntax.array_parameter("x", rows.len()));
                }
                self.direct(&base, sampled, &parameters)
            }
        };
        Piece::atom(format!("{function}({lent})"))
    }

    /// The centroid from tables that hold what samples would add up to.
    fn levels(&mut self, base: &str, levels: &Levels, parameters: &[String]) -> String {
        let mut body = String::new();
        for variable in ["area", "moment"] {
            body += &format!("    {}\n", self.syntax.variable(variable, "0.0"));
        }
        for (i, table) in levels.tables.iter().enumerate() {
            let terms = table.terms.iter().map(|term| format!("w[{term}]"));
            let level = terms.reduce(|a, b| format!("least({a}, {b})")).unwrap_or_default();
            if let ([], [[_, area, _, moment]]) = (table.knots.as_slice(), table.lines.as_slice()) {
                for (sum, slope) in [("area", *area), ("moment", *moment)] {
                    body += &format!("    {sum} += {} * {level};\n", self.syntax.number(slope).operand());
                }
                continue;
            }
            let (function, word, columns) =
                if table.curves.is_empty() { ("add_line", "lines", 4) } else { ("add_curve", "curves", 8) };
            let mut knots = table.knots.clone();
            let mut rows = [table.lines.concat(), table.curves.concat()].concat();
            if knots.is_empty() {
                // A table of one piece; C has no empty arrays.
                knots.push(f64::MAX);
                rows = [rows.clone(), rows].concat();
            }
            let n = knots.len();
            let knots = self.new_table(&format!("{base}_knots{i}"), &knots, None);
            let rows = self.new_table(&format!("{base}_{word}{i}"), &rows, Some(columns));
            body += &match self.rust() {
                true => format!("    {function}({level}, &{knots}, &{rows}, &mut area, &mut moment);\n"),
                false => format!("    {function}({level}, {knots}, {n}, {rows}, &area, &moment);\n"),
            };
        }
        let center = self.syntax.number(levels.center).operand();
        body += &format!("    {}\n", self.syntax.result(&format!("moment / area + {center}")));
        let name = self.names.give(&format!("{base}_centroid"));
        let comment = "// The centroid of sets cut off at the strengths w: their areas and moments, less those of overlaps.";
        self.functions.push(format!("{comment}\n{}", self.syntax.function(&name, parameters, &body)));
        name
    }

    /// Sample by sample: where they lie, what is concluded there, and the loop over them.
    fn direct(&mut self, base: &str, sampled: &Sampled, parameters: &[String]) -> String {
        let place = self.place(base, sampled);
        let concluded = self.concluded(base, sampled, &place, parameters);
        let arguments = if parameters.len() > 1 { "w, x" } else { "w" };
        let kind = match sampled.defuzzifier {
            Defuzzifier::Bisector { .. } if sampled.matlab => "first_half",
            Defuzzifier::Bisector { .. } => "bisector",
            Defuzzifier::SmallestOfMaximum { .. } if sampled.matlab => "nearest_of_maximum",
            Defuzzifier::LargestOfMaximum { .. } if sampled.matlab => "farthest_of_maximum",
            Defuzzifier::SmallestOfMaximum { .. } => "smallest_of_maximum",
            Defuzzifier::LargestOfMaximum { .. } => "largest_of_maximum",
            Defuzzifier::MeanOfMaximum { .. } => "mean_of_maximum",
            _ => "centroid",
        };
        let name = self.names.give(&format!("{base}_{kind}"));
        let loops = defuzzifiers(self.syntax.0);
        let text = loops.iter().find(|fragment| fragment.name == kind).map_or("", |fragment| fragment.text);
        let text = text
            .replace(&format!("{kind}(PARAMETERS)"), &format!("{name}({})", parameters.join(", ")))
            .replace("CONCLUDED_FIRST", &format!("{concluded}(0, {arguments})"))
            .replace("CONCLUDED", &format!("{concluded}(s, {arguments})"))
            .replace("PLACE", &format!("{place}(s)"))
            .replace("SAMPLES", &sampled.y.len().to_string());
        self.functions.push(text);
        name
    }

    /// The function that gives the place of a sample.
    fn place(&mut self, base: &str, sampled: &Sampled) -> String {
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
                    _ => self.syntax.choice(&format!("s == {}", n - 1), &number(maximum).text, &inner).text,
                }
            }
            Some((minimum, maximum)) => {
                let step = (maximum - minimum) / n as f64;
                format!("{} + ({count} + 0.5) * {}", number(minimum).text, number(step).operand())
            }
            None => format!("{}[s]", self.new_table(&format!("{base}_places"), &sampled.y, None)),
        };
        let name = self.names.give(&format!("{base}_place"));
        let parameters = [self.syntax.index_parameter("s")];
        let body = format!("    {}\n", self.syntax.result(&value));
        let function = self.syntax.function(&name, &parameters, &body);
        self.functions.push(format!("// Where sample s lies.\n{function}"));
        name
    }

    /// The function that gives the membership of a sample in what is concluded.
    fn concluded(&mut self, base: &str, sampled: &Sampled, place: &str, parameters: &[String]) -> String {
        let sets: Vec<(String, Piece)> =
            (0..sampled.sets.len()).map(|set| self.sampled_set(base, sampled, place, set)).collect();
        let mut body = format!("    {}\n", self.syntax.variable("m", "0.0"));
        body += &sets.iter().map(|(lines, _)| lines.as_str()).collect::<String>();
        let aggregation = own(snorm_function(sampled.aggregation));
        for (k, (set, implication)) in sampled.terms.iter().enumerate() {
            let implication = own(tnorm_function(*implication));
            let membership = &sets[*set].1.text;
            body += &wrapped(
                &format!("    m = {aggregation}(m, {implication}(w[{k}], {membership}));"),
                "        ",
            );
            body.push('\n');
        }
        body += &format!("    {}\n", self.syntax.result("m"));
        let name = self.names.give(&format!("{base}_concluded"));
        let mut all = vec![self.syntax.index_parameter("s")];
        all.extend_from_slice(parameters);
        let function = self.syntax.function(&name, &all, &body);
        self.functions.push(format!(
            "// The membership of sample s in what rules of the strengths w conclude.\n{function}"
        ));
        name
    }

    /// A set's membership at sample s, and lines that go before it.
    fn sampled_set(&mut self, base: &str, sampled: &Sampled, place: &str, set: usize) -> (String, Piece) {
        let turned = |piece: Piece, negated: bool| match negated {
            true => Piece::open(format!("1.0 - {}", piece.operand())),
            false => piece,
        };
        match &sampled.sets[set] {
            SampledSet::Fixed(memberships) => {
                let table = self.new_table(&format!("{base}_set{set}"), memberships, None);
                (String::new(), Piece::atom(format!("{table}[s]")))
            }
            SampledSet::OfRow { row, negated } => {
                (String::new(), turned(Piece::atom(format!("x[{row}]")), *negated))
            }
            SampledSet::Formula { expression, arguments, negated } => {
                let argument = |row: &Option<usize>| {
                    Piece::atom(row.map_or_else(|| format!("{place}(s)"), |row| format!("x[{row}]")))
                };
                let arguments: Vec<Piece> = arguments.iter().map(argument).collect();
                let (syntax, names, mut lines) = (self.syntax, &mut self.names, Vec::new());
                let piece =
                    formula(syntax, expression, &arguments, |part| named(syntax, names, &mut lines, part));
                let lines =
                    lines.iter().map(|line| wrapped(&format!("    {line}"), "        ") + "\n").collect();
                (lines, turned(piece, *negated))
            }
        }
    }
}
