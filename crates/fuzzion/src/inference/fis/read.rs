//! `.fis` to a system.

use super::{S_NORMS, T_NORMS};
use crate::error::Result;
use crate::inference::text::{Line, check_length, number, shown, words};
use crate::inference::{
    Antecedent, Conclusion, Conjunction, Defuzzifier, NamedSet, Output, Place, Proposition, Rule, RuleBlock,
    System, Variable, Weighted,
};
use crate::sets::{Hedge, Set};

const FORMAT: &str = "FIS";
const AUTOMATIC: Weighted = Weighted::Automatic;
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
    /// Reads a `.fis` file; [`Dialect::Matlab`](crate::inference::Dialect::Matlab) gives its numbers.
    ///
    /// # Errors
    /// [`Error::Syntax`](crate::Error::Syntax) with a caret under what was not expected, and those of
    /// [`System::check`].
    pub fn from_fis(text: &str) -> Result<Self> {
        check_length(FORMAT, text)?;
        let mut reader = Reader {
            system: System::new(""),
            block: RuleBlock::new(""),
            aggregation: S_NORMS[0].1,
            defuzzifier: DEFUZZIFIERS[0].1,
            part: Part::None,
            rules: Vec::new(),
        };
        for (i, line) in text.lines().enumerate() {
            reader.line(Line { format: FORMAT, number: i + 1, text: line })?;
        }
        reader.finish()
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    None,
    System,
    Input,
    Output,
    Rules,
}

struct Reader<'a> {
    system: System,
    block: RuleBlock,
    aggregation: crate::sets::SNorm,
    defuzzifier: Defuzzifier,
    part: Part,
    /// Rules wait until all variables are known.
    rules: Vec<Line<'a>>,
}

/// Where `part`, a piece of `line`, starts in it.
fn start(line: &Line<'_>, part: &str) -> usize {
    (part.as_ptr() as usize).wrapping_sub(line.text.as_ptr() as usize).min(line.text.len())
}

fn refuse<T>(line: &Line<'_>, part: &str, expected: &str) -> Result<T> {
    Err(line.error(start(line, part), format!("found {}, expected {expected}", shown(part))))
}

/// One of `known` by its quoted name.
fn choice<T: Copy>(line: &Line<'_>, value: &str, known: &[(&str, T)]) -> Result<T> {
    let name = value.trim_matches('\'');
    match known.iter().find(|(one, _)| *one == name) {
        Some((_, found)) => Ok(*found),
        None => {
            let names: Vec<String> = known.iter().map(|(one, _)| format!("'{one}'")).collect();
            refuse(line, value, &names.join(", "))
        }
    }
}

/// The numbers between brackets.
fn numbers(line: &Line<'_>, value: &str) -> Result<Vec<f64>> {
    let Some(inner) = value.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else {
        return refuse(line, value, "numbers in brackets, such as [0 10]");
    };
    let parts =
        inner.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|part| !part.is_empty());
    parts.map(|part| number(part).map_or_else(|| refuse(line, part, "a number"), Ok)).collect()
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: Line<'a>) -> Result<()> {
        let text = line.text.trim();
        if text.is_empty() || text.starts_with(['%', '#']) {
            return Ok(());
        }
        if text.starts_with('[') && self.part != Part::Rules || matches!(text, "[System]" | "[Rules]") {
            return self.section(&line, text);
        }
        if self.part == Part::Rules {
            self.rules.push(line);
            return Ok(());
        }
        let Some((key, value)) = text.split_once('=') else { return refuse(&line, text, "`Key=value`") };
        self.key(&line, key.trim(), value.trim())
    }

    fn section(&mut self, line: &Line<'_>, text: &str) -> Result<()> {
        let (inputs, outputs) = (self.system.inputs.len() + 1, self.system.outputs.len() + 1);
        if text == "[System]" {
            self.part = Part::System;
        } else if text == "[Rules]" {
            self.part = Part::Rules;
        } else if text == format!("[Input{inputs}]") {
            self.part = Part::Input;
            self.system.inputs.push(Variable::new(format!("input{inputs}"), 0.0, 1.0));
        } else if text == format!("[Output{outputs}]") {
            self.part = Part::Output;
            self.system.outputs.push(Output::new(format!("output{outputs}"), 0.0, 1.0));
        } else {
            return refuse(line, text, &format!("[System], [Input{inputs}], [Output{outputs}] or [Rules]"));
        }
        Ok(())
    }

    fn key(&mut self, line: &Line<'_>, key: &str, value: &str) -> Result<()> {
        let text = || value.trim_matches('\'').to_owned();
        let variable = match self.part {
            Part::System => {
                match key {
                    "Name" => self.system.name = text(),
                    "Type" => {
                        choice(line, value, &[("mamdani", ()), ("sugeno", ())])?;
                    }
                    "AndMethod" => {
                        self.block.conjunction = Some(Conjunction::Norm(choice(line, value, &T_NORMS)?));
                    }
                    "OrMethod" => self.block.disjunction = Some(choice(line, value, &S_NORMS)?),
                    "ImpMethod" => self.block.implication = Some(choice(line, value, &T_NORMS)?),
                    "AggMethod" => self.aggregation = choice(line, value, &S_NORMS)?,
                    "DefuzzMethod" => self.defuzzifier = choice(line, value, &DEFUZZIFIERS)?,
                    "Version" | "NumInputs" | "NumOutputs" | "NumRules" | "NumMFs" => {}
                    _ => return refuse(line, key, "a key of [System]"),
                }
                return Ok(());
            }
            Part::Input => self.system.inputs.last_mut(),
            Part::Output => self.system.outputs.last_mut().map(|output| &mut output.variable),
            Part::None | Part::Rules => None,
        };
        let Some(variable) = variable else { return refuse(line, key, "[System]") };
        match key {
            "Name" => variable.name = text(),
            "Range" => match numbers(line, value)?[..] {
                [minimum, maximum] => (variable.minimum, variable.maximum) = (minimum, maximum),
                _ => return refuse(line, value, "two numbers"),
            },
            "NumMFs" => {}
            _ if key.starts_with("MF") => variable.sets.push(membership_function(line, value)?),
            _ => return refuse(line, key, "`Name`, `Range`, `NumMFs` or `MF1`, `MF2`, …"),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<System> {
        for output in &mut self.system.outputs {
            output.defuzzifier = self.defuzzifier;
            // MATLAB adds up the rules of a Sugeno system whatever the file says.
            output.aggregation = self.defuzzifier.is_sampled().then_some(self.aggregation);
        }
        let rules = self.rules.iter().map(|line| rule(&self.system, line)).collect::<Result<_>>()?;
        self.block.rules = rules;
        self.system.blocks.push(self.block);
        self.system.check()?;
        Ok(self.system)
    }
}

/// `'name':'type',[numbers]`.
fn membership_function(line: &Line<'_>, value: &str) -> Result<NamedSet> {
    let expected = "'name':'type',[numbers]";
    let Some((name, rest)) = value.strip_prefix('\'').and_then(|rest| rest.split_once("':'")) else {
        return refuse(line, value, expected);
    };
    let Some((kind, list)) = rest.split_once("',") else { return refuse(line, rest, expected) };
    let p = numbers(line, list)?;
    let order = |shape: &'static str, places: &[usize]| {
        // A wrong count reaches the shape as it is, and is refused there.
        let ordered = places.iter().filter_map(|i| p.get(*i).copied()).collect();
        (shape, if p.len() == places.len() { ordered } else { p.clone() })
    };
    let (shape, p) = match kind {
        "trimf" => order("Triangle", &[0, 1, 2]),
        "trapmf" => order("Trapezoid", &[0, 1, 2, 3]),
        "gaussmf" => order("Gaussian", &[1, 0]),
        "gauss2mf" => order("GaussianProduct", &[1, 0, 3, 2]),
        "gbellmf" => order("Bell", &[2, 0, 1]),
        "sigmf" => order("Sigmoid", &[1, 0]),
        "dsigmf" => order("SigmoidDifference", &[1, 0, 2, 3]),
        "psigmf" => order("SigmoidProduct", &[1, 0, 2, 3]),
        "pimf" => order("PiShape", &[0, 1, 2, 3]),
        "smf" => order("SShape", &[0, 1]),
        "zmf" => order("ZShape", &[0, 1]),
        "linsmf" => order("Ramp", &[0, 1]),
        "linzmf" => order("Ramp", &[1, 0]),
        "constant" => order("Constant", &[0]),
        "linear" => ("Linear", p),
        _ => return refuse(line, kind, "a membership function of MATLAB's, such as 'trimf' or 'gaussmf'"),
    };
    let set = Set::from_parameters(shape, &p).map_err(|cause| line.because(start(line, kind), cause))?;
    Ok(NamedSet { name: name.to_owned(), set })
}

/// A row of numbers to a rule.
fn rule(system: &System, line: &Line<'_>) -> Result<Rule> {
    let expected = "a rule, such as `1 2, 1 (1) : 1`";
    let parts = line.text.split_once(',').and_then(|(antecedent, rest)| {
        let (consequent, rest) = rest.split_once('(')?;
        let (weight, rest) = rest.split_once(')')?;
        Some((antecedent, consequent, weight.trim(), rest.split_once(':')?.1.trim()))
    });
    let Some((antecedent, consequent, weight, join)) = parts else {
        return refuse(line, line.text.trim(), expected);
    };
    let mut propositions = Vec::new();
    for (i, code, word) in codes(line, antecedent, system.inputs.len(), "input")? {
        let Some((hedges, set)) = hedged(code) else {
            return refuse(line, word, "an index with a hedge or none");
        };
        let proposition = Proposition { variable: Place::Input(i), hedges, set };
        if proposition.set.is_some_and(|set| set >= system.inputs[i].sets.len()) {
            return refuse(line, word, &format!("an index up to {}", system.inputs[i].sets.len()));
        }
        propositions.push(Antecedent::Is(proposition));
    }
    let mut conclusions = Vec::new();
    for (output, code, word) in codes(line, consequent, system.outputs.len(), "output")? {
        let sets = system.outputs[output].variable.sets.len();
        match hedged(code) {
            Some((hedges, Some(set))) if set < sets => conclusions.push(Conclusion { output, hedges, set }),
            _ => return refuse(line, word, &format!("an index up to {sets}")),
        }
    }
    let Some(weight) = number(weight).filter(|weight| weight.is_finite()) else {
        return refuse(line, weight, "a weight");
    };
    // No proposition at all holds always.
    if propositions.is_empty() {
        let always = Proposition { variable: Place::Input(0), hedges: vec![Hedge::Any], set: None };
        propositions.push(Antecedent::Is(always));
    }
    let antecedent = match (join, propositions.len()) {
        ("1" | "2", 1) => propositions.remove(0),
        ("1", _) => Antecedent::And(propositions),
        ("2", _) => Antecedent::Or(propositions),
        _ => return refuse(line, join, "1 for and, 2 for or"),
    };
    Ok(Rule { antecedent, consequent: conclusions, weight })
}

/// The numbers that are not 0, with the variables they stand for.
fn codes<'a>(line: &Line<'a>, text: &'a str, count: usize, what: &str) -> Result<Vec<(usize, f64, &'a str)>> {
    let words = words(text, 0);
    if words.len() != count {
        return refuse(line, text.trim(), &format!("{count} numbers, one for each {what}"));
    }
    let mut codes = Vec::new();
    for (i, (word, _)) in words.into_iter().enumerate() {
        match number(word).filter(|code| code.is_finite()) {
            Some(0.0) => {}
            Some(code) => codes.push((i, code, word)),
            None => return refuse(line, word, "a number"),
        }
    }
    Ok(codes)
}

/// Hedges and set of a code such as −1.2; no set for `any`.
fn hedged(code: f64) -> Option<(Vec<Hedge>, Option<usize>)> {
    let size = code.abs();
    // Codes have two places; what is nearer is meant.
    let hundredths = ((size - size.floor()) * 100.0).round() as u32;
    let mut hedges = if code < 0.0 { vec![Hedge::Not] } else { vec![] };
    match hundredths {
        0 => {}
        1 => hedges.push(Hedge::Seldom),
        5 => hedges.push(Hedge::Somewhat),
        20 => hedges.push(Hedge::Very),
        30 => hedges.push(Hedge::Extremely),
        40 => hedges.extend([Hedge::Very, Hedge::Very]),
        99 => {
            hedges.push(Hedge::Any);
            return Some((hedges, None));
        }
        _ => return None,
    }
    let index = size.floor() as usize;
    (index > 0).then_some((hedges, Some(index.wrapping_sub(1))))
}
