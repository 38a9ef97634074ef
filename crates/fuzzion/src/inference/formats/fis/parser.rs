//! Parser for `.fis`.

use super::rule_parser::parse_rule;
use super::token::{Token, fail_expecting, position};
use super::{S_NORMS, T_NORMS};
use crate::base::{count, count_were};
use crate::inference::error::Result;
use crate::inference::formats::parsed::ParsedSystem;
use crate::inference::syntax::{Line, check_length, parse_number, quoted};
use crate::inference::{
    Conjunction, Defuzzifier, NamedSet, Output, RuleBlock, System, Variable, WeightedKind,
};
use crate::sets::Set;

const FORMAT: &str = "FIS";
const KEY: &str =
    "a key of [System], such as `AndMethod`, `OrMethod`, `ImpMethod`, `AggMethod` or `DefuzzMethod`";
const AUTOMATIC: WeightedKind = WeightedKind::Automatic;
const DEFUZZIFIERS: [(&str, Defuzzifier); 7] = [
    ("centroid", Defuzzifier::Centroid { samples: None }),
    ("bisector", Defuzzifier::Bisector { samples: None }),
    ("mom", Defuzzifier::MeanOfMaximum { samples: None }),
    ("som", Defuzzifier::SmallestOfMaximum { samples: None }),
    ("lom", Defuzzifier::LargestOfMaximum { samples: None }),
    ("wtaver", Defuzzifier::WeightedAverage { kind: AUTOMATIC }),
    ("wtsum", Defuzzifier::WeightedSum { kind: AUTOMATIC }),
];

impl System {
    /// Parses a `.fis` file; use [`Dialect::Matlab`](crate::inference::Dialect::Matlab) to reproduce MATLAB's results.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, System};
    /// let heating = System::from_fis(
    ///     "[System]
    ///      Type='sugeno'
    ///      [Input1]
    ///      Name='room'
    ///      Range=[10 30]
    ///      MF1='cold':'trapmf',[10 10 16 20]
    ///      [Output1]
    ///      Name='valve'
    ///      Range=[0 1]
    ///      MF1='slope':'linear',[-0.5 10]
    ///      [Rules]
    ///      1, 1 (1) : 1",
    /// )?;
    /// assert_eq!(heating.infer_row(&[17.0], Dialect::Matlab)?.outputs, [1.5]); // 10 − ½·17
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// Additional parameters of membership functions are ignored, as in MATLAB; [`System::load`] returns warnings about them.
    ///
    /// # Errors
    /// [`InferenceError::Syntax`](crate::inference::InferenceError::Syntax) with the location, and the errors of [`System::check`].
    pub fn from_fis(text: &str) -> Result<Self> {
        Ok(read(text)?.system)
    }
}

/// Parses a `.fis` file.
pub(in crate::inference) fn read(text: &str) -> Result<ParsedSystem> {
    check_length(FORMAT, text)?;
    let mut parser = Parser {
        system: System::new(""),
        block: RuleBlock::new(""),
        aggregation: S_NORMS[0].1,
        sugeno: None,
        defuzzifier: None,
        section: Section::None,
        counts: Vec::new(),
        functions: Vec::new(),
        consequents: Vec::new(),
        rules: Vec::new(),
        warnings: Vec::new(),
    };
    for (i, line) in text.lines().enumerate() {
        parser.parse_line(Line { format: FORMAT, number: i + 1, text: line })?;
    }
    parser.finish()
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    System,
    Input,
    Output,
    Rules,
}

struct Parser<'a> {
    system: System,
    block: RuleBlock,
    aggregation: crate::sets::SNorm,
    /// Whether the type is 'sugeno', if specified.
    sugeno: Option<bool>,
    defuzzifier: Option<(Token<'a>, Defuzzifier)>,
    section: Section,
    /// Declared numbers of inputs, outputs, rules and membership functions.
    counts: Vec<DeclaredCount<'a>>,
    /// Index, key and set of each membership function of the current section.
    functions: Vec<(usize, Token<'a>, NamedSet)>,
    /// Types of the membership functions of all outputs.
    consequents: Vec<Token<'a>>,
    /// Rules are parsed after all variables are known.
    rules: Vec<Line<'a>>,
    warnings: Vec<String>,
}

/// Declared number of inputs, outputs, rules or membership functions.
struct DeclaredCount<'a> {
    key: &'a str,
    value: Token<'a>,
    count: f64,
}

impl<'a> DeclaredCount<'a> {
    fn parse(line: Line<'a>, key: &'a str, text: &'a str) -> Result<Self> {
        let value = Token { line, text };
        let integer = parse_number(text).filter(|count| count.fract() == 0.0 && *count >= 0.0);
        integer.map_or_else(
            || value.fail_expecting("a whole number"),
            |count| Ok(DeclaredCount { key, value, count }),
        )
    }

    /// Detects truncated files.
    fn check(&self, found: usize, what: &str) -> Result<()> {
        if self.count == found as f64 {
            return Ok(());
        }
        let plural = if found == 1 { "" } else { "s" };
        let (key, count) = (self.key, quoted(self.value.text));
        let problem = format!(
            "`{key}` is {count}, but the file has {found} {what}{plural}; correct the count or complete the file"
        );
        Err(self.value.line.error(position(&self.value.line, self.value.text), problem))
    }
}

/// Value of a quoted option name.
fn choice<T: Copy>(line: &Line<'_>, value: &str, known: &[(&str, T)]) -> Result<T> {
    let name = value.trim_matches('\'');
    match known.iter().find(|(known, _)| *known == name) {
        Some((_, found)) => Ok(*found),
        None => {
            let names: Vec<String> = known.iter().map(|(known, _)| format!("'{known}'")).collect();
            fail_expecting(line, value, &names.join(", "))
        }
    }
}

/// Parses numbers in brackets.
fn numbers(line: &Line<'_>, value: &str) -> Result<Vec<f64>> {
    let Some(inner) = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return fail_expecting(line, value, "numbers in brackets, such as [0 10]");
    };
    let parts =
        inner.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|part| !part.is_empty());
    parts.map(|part| parse_number(part).map_or_else(|| fail_expecting(line, part, "a number"), Ok)).collect()
}

/// Whether a list of numbers that are separated by blanks contains `1,5`.
fn has_decimal_commas(list: &str) -> bool {
    let mut numbers = list.split_whitespace();
    let is_decimal = |number: &str| {
        let digit = |c: char| c.is_ascii_digit();
        number.split_once(',').is_some_and(|(a, b)| a.ends_with(digit) && b.starts_with(digit))
    };
    numbers.clone().nth(1).is_some() && numbers.any(is_decimal)
}

impl<'a> Parser<'a> {
    fn parse_line(&mut self, line: Line<'a>) -> Result<()> {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with(['%', '#']) {
            return Ok(());
        }
        if text.starts_with('[') {
            self.end_section()?;
            return self.start_section(&line, text);
        }
        if self.section == Section::Rules {
            self.rules.push(line);
            return Ok(());
        }
        let Some((key, value)) = text.split_once('=') else {
            return fail_expecting(&line, text, "`Key=value`");
        };
        self.parse_field(line, key.trim(), value.trim())
    }

    fn start_section(&mut self, line: &Line<'_>, text: &str) -> Result<()> {
        let (inputs, outputs) = (self.system.inputs.len() + 1, self.system.outputs.len() + 1);
        if text == "[System]" {
            self.section = Section::System;
        } else if text == "[Rules]" {
            self.section = Section::Rules;
        } else if text == format!("[Input{inputs}]") {
            self.section = Section::Input;
            self.system.inputs.push(Variable::new(format!("input{inputs}"), 0.0, 1.0));
        } else if text == format!("[Output{outputs}]") {
            self.section = Section::Output;
            self.system.outputs.push(Output::new(format!("output{outputs}"), 0.0, 1.0));
        } else {
            return fail_expecting(
                line,
                text,
                &format!("[System], [Input{inputs}], [Output{outputs}] or [Rules]"),
            );
        }
        Ok(())
    }

    fn parse_field(&mut self, at: Line<'a>, key: &'a str, value: &'a str) -> Result<()> {
        let line = &at;
        let text = || value.trim_matches('\'').to_owned();
        let variable = match self.section {
            Section::System => {
                match key {
                    "Name" => self.system.name = text(),
                    "Type" => {
                        self.sugeno = Some(choice(line, value, &[("mamdani", false), ("sugeno", true)])?);
                    }
                    "AndMethod" => {
                        self.block.conjunction = Some(Conjunction::Norm(choice(line, value, &T_NORMS)?));
                    }
                    "OrMethod" => self.block.disjunction = Some(choice(line, value, &S_NORMS)?),
                    "ImpMethod" => self.block.implication = Some(choice(line, value, &T_NORMS)?),
                    "AggMethod" => self.aggregation = choice(line, value, &S_NORMS)?,
                    "DefuzzMethod" => {
                        let found = choice(line, value, &DEFUZZIFIERS)?;
                        self.defuzzifier = Some((Token { line: at, text: value }, found));
                    }
                    "NumInputs" | "NumOutputs" | "NumRules" => {
                        self.counts.push(DeclaredCount::parse(at, key, value)?);
                    }
                    "Version" | "NumMFs" => {}
                    _ => return fail_expecting(line, key, KEY),
                }
                return Ok(());
            }
            Section::Input => self.system.inputs.last_mut(),
            Section::Output => self.system.outputs.last_mut().map(|output| &mut output.variable),
            Section::None | Section::Rules => None,
        };
        let Some(variable) = variable else { return fail_expecting(line, key, "[System]") };
        match key {
            "Name" => variable.name = text(),
            "Range" => match numbers(line, value)?[..] {
                [minimum, maximum] => (variable.minimum, variable.maximum) = (minimum, maximum),
                _ => return fail_expecting(line, value, "two numbers"),
            },
            "NumMFs" => self.counts.push(DeclaredCount::parse(at, key, value)?),
            _ => {
                let Some(index) = key.strip_prefix("MF").and_then(|index| index.parse().ok()) else {
                    return fail_expecting(line, key, "`Name`, `Range`, `NumMFs` or `MF1`, `MF2`, …");
                };
                let function = MembershipFunction::parse(line, value)?;
                self.functions.push((index, Token { line: at, text: key }, function.named));
                self.warnings.extend(function.warning);
                if self.section == Section::Output {
                    self.consequents.push(Token { line: at, text: function.kind });
                }
            }
        }
        Ok(())
    }

    /// Adds the membership functions of the section to its variable, ordered by index.
    fn end_section(&mut self) -> Result<()> {
        let variable = match self.section {
            Section::Input => self.system.inputs.last_mut(),
            Section::Output => self.system.outputs.last_mut().map(|output| &mut output.variable),
            Section::None | Section::System | Section::Rules => None,
        };
        let Some(variable) = variable else { return Ok(()) };
        let found = self.functions.len();
        let mut counts = self.counts.iter().filter(|count| count.key == "NumMFs");
        counts.try_for_each(|count| count.check(found, "membership function"))?;
        self.counts.retain(|count| count.key != "NumMFs");
        self.functions.sort_by_key(|(index, ..)| *index);
        for (i, (index, key, set)) in self.functions.drain(..).enumerate() {
            if index != i + 1 {
                return key.fail_expecting(&format!("`MF{}`", i + 1));
            }
            variable.sets.push(set);
        }
        Ok(())
    }

    /// Defuzzifier of all outputs, checked against the type of the system.
    fn resolve_defuzzifier(&self) -> Result<Defuzzifier> {
        let sugeno = self.sugeno == Some(true);
        let default = DEFUZZIFIERS[if sugeno { 5 } else { 0 }].1;
        let (token, defuzzifier) =
            self.defuzzifier.map_or((None, default), |(token, found)| (Some(token), found));
        if self.sugeno.is_none() {
            return Ok(defuzzifier);
        }
        if let Some(token) = token.filter(|_| defuzzifier.is_sampled() == sugeno) {
            return token.fail_expecting(if sugeno {
                "'wtaver' or 'wtsum', because the type is 'sugeno'"
            } else {
                "'centroid', 'bisector', 'mom', 'som' or 'lom', because the type is 'mamdani'"
            });
        }
        let mismatch = |kind: &&Token<'_>| matches!(kind.text, "constant" | "linear") != sugeno;
        match self.consequents.iter().find(mismatch) {
            Some(kind) if sugeno => {
                kind.fail_expecting("'constant' or 'linear', because the type is 'sugeno'")
            }
            Some(kind) => kind.fail_expecting("a set such as 'trimf', because the type is 'mamdani'"),
            None => Ok(defuzzifier),
        }
    }

    fn finish(mut self) -> Result<ParsedSystem> {
        self.end_section()?;
        for count in &self.counts {
            let (found, what) = match count.key {
                "NumInputs" => (self.system.inputs.len(), "input"),
                "NumOutputs" => (self.system.outputs.len(), "output"),
                _ => (self.rules.len(), "rule"),
            };
            count.check(found, what)?;
        }
        let defuzzifier = self.resolve_defuzzifier()?;
        for output in &mut self.system.outputs {
            output.defuzzifier = defuzzifier;
            // MATLAB sums the rules of a Sugeno system regardless of `AggMethod`.
            output.aggregation = defuzzifier.is_sampled().then_some(self.aggregation);
        }
        let rules = self.rules.iter().map(|line| parse_rule(&self.system, line)).collect::<Result<_>>()?;
        self.block.rules = rules;
        self.system.blocks.push(self.block);
        self.system.check()?;
        Ok(ParsedSystem { warnings: self.warnings, ..ParsedSystem::from_system(self.system) })
    }
}

/// Types of membership functions: shapes and the order of their parameters.
const FUNCTIONS: [(&str, &str, &[usize]); 14] = [
    ("trimf", "Triangle", &[0, 1, 2]),
    ("trapmf", "Trapezoid", &[0, 1, 2, 3]),
    ("gaussmf", "Gaussian", &[1, 0]),
    ("gauss2mf", "GaussianProduct", &[1, 0, 3, 2]),
    ("gbellmf", "Bell", &[2, 0, 1]),
    ("sigmf", "Sigmoid", &[1, 0]),
    ("dsigmf", "SigmoidDifference", &[1, 0, 2, 3]),
    ("psigmf", "SigmoidProduct", &[1, 0, 2, 3]),
    ("pimf", "PiShape", &[0, 1, 2, 3]),
    ("smf", "SShape", &[0, 1]),
    ("zmf", "ZShape", &[0, 1]),
    ("linsmf", "Ramp", &[0, 1]),
    ("linzmf", "Ramp", &[1, 0]),
    ("constant", "Constant", &[0]),
];

struct MembershipFunction<'a> {
    /// Type, such as `trimf`.
    kind: &'a str,
    named: NamedSet,
    /// Warning about additional parameters, which MATLAB ignores.
    warning: Option<String>,
}

impl<'a> MembershipFunction<'a> {
    /// Parses `'name':'type',[numbers]`.
    fn parse(line: &Line<'_>, value: &'a str) -> Result<Self> {
        let unquoted = |text: &'a str| text.trim().strip_prefix('\'')?.strip_suffix('\'');
        // Names may contain `:` and `'`.
        let parts = value.rsplit_once(':').and_then(|(name, rest)| {
            let (kind, list) = rest.split_once(',')?;
            Some((unquoted(name)?, unquoted(kind)?, list))
        });
        let Some((name, kind, list)) = parts else {
            return fail_expecting(line, value, "'name':'type',[numbers]");
        };
        let given = numbers(line, list)?;
        let known = FUNCTIONS.iter().find(|(name, ..)| *name == kind);
        let set = match known {
            Some((_, shape, order)) if given.len() >= order.len() => {
                Set::from_parameters(shape, &order.iter().map(|i| given[*i]).collect::<Vec<f64>>())
            }
            Some((.., order)) => {
                let (found, list) = (count_were(&given.len(), "numbers"), list.trim());
                let problem = format!("'{kind}' takes {}, but {found} given", count(&order.len(), "numbers"));
                return Err(line.error(position(line, list), problem));
            }
            None if kind == "linear" => Set::from_parameters("Linear", &given),
            None => {
                let expected = "a MATLAB membership function, such as 'trimf' or 'gaussmf'";
                return fail_expecting(line, kind, expected);
            }
        };
        let set = set.map_err(|cause| line.locate(position(line, kind), cause))?;
        let surplus = known.filter(|(.., order)| given.len() > order.len());
        if let Some((.., order)) = surplus.filter(|_| has_decimal_commas(list)) {
            let (found, list) = (given.len(), list.trim());
            let problem = format!(
                "{} has {found} numbers, but '{kind}' takes {}; write decimal numbers with a point, such as 1.5",
                quoted(list),
                order.len()
            );
            return Err(line.error(position(line, list), problem));
        }
        let warning = surplus.map(|(.., order)| {
            let (count, list) = (order.len(), quoted(list.trim()));
            format!(
                "line {}: {list} has more than the {count} parameters of '{kind}'; the others are ignored",
                line.number
            )
        });
        Ok(MembershipFunction { kind, named: NamedSet { name: name.to_owned(), set }, warning })
    }
}
