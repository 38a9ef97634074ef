//! `.fis` to a system.

use super::rules::rule;
use super::{S_NORMS, T_NORMS};
use crate::error::Result;
use crate::inference::text::{Line, check_length, number, shown};
use crate::inference::{Conjunction, Defuzzifier, NamedSet, Output, RuleBlock, System, Variable, Weighted};
use crate::sets::Set;

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
            sugeno: None,
            defuzzifier: None,
            part: Part::None,
            counts: Vec::new(),
            functions: Vec::new(),
            consequents: Vec::new(),
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
    /// Whether the type is 'sugeno', where it is said.
    sugeno: Option<bool>,
    defuzzifier: Option<(Piece<'a>, Defuzzifier)>,
    part: Part,
    /// How many there are to be.
    counts: Vec<Count<'a>>,
    /// The numbered membership functions of the section.
    functions: Vec<(usize, Piece<'a>, NamedSet)>,
    /// The types of all membership functions of outputs.
    consequents: Vec<Piece<'a>>,
    /// Rules wait until all variables are known.
    rules: Vec<Line<'a>>,
}

/// A word and the line it stands in.
#[derive(Clone, Copy)]
struct Piece<'a> {
    line: Line<'a>,
    text: &'a str,
}

impl Piece<'_> {
    fn refuse<T>(&self, expected: &str) -> Result<T> {
        refuse(&self.line, self.text, expected)
    }
}

/// How many inputs, outputs, rules or membership functions the file says there are.
struct Count<'a> {
    key: &'a str,
    value: Piece<'a>,
    count: f64,
}

impl<'a> Count<'a> {
    fn read(line: Line<'a>, key: &'a str, text: &'a str) -> Result<Self> {
        let value = Piece { line, text };
        let whole = number(text).filter(|count| count.fract() == 0.0 && *count >= 0.0);
        whole.map_or_else(|| value.refuse("a whole number"), |count| Ok(Count { key, value, count }))
    }

    /// A file that was cut short has fewer.
    fn check(&self, found: usize, what: &str) -> Result<()> {
        if self.count == found as f64 {
            return Ok(());
        }
        let (verb, plural) = if found == 1 { ("is", "") } else { ("are", "s") };
        let (key, count) = (self.key, shown(self.value.text));
        let problem = format!(
            "`{key}` is {count}, but there {verb} {found} {what}{plural}; mend the number, or complete the file"
        );
        Err(self.value.line.error(start(&self.value.line, self.value.text), problem))
    }
}

/// Where `part`, a piece of `line`, starts in it.
fn start(line: &Line<'_>, part: &str) -> usize {
    (part.as_ptr() as usize).wrapping_sub(line.text.as_ptr() as usize).min(line.text.len())
}

pub(super) fn refuse<T>(line: &Line<'_>, part: &str, expected: &str) -> Result<T> {
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
        if text.starts_with('[') {
            self.end_section()?;
            return self.section(&line, text);
        }
        if self.part == Part::Rules {
            self.rules.push(line);
            return Ok(());
        }
        let Some((key, value)) = text.split_once('=') else { return refuse(&line, text, "`Key=value`") };
        self.key(line, key.trim(), value.trim())
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

    fn key(&mut self, at: Line<'a>, key: &'a str, value: &'a str) -> Result<()> {
        let line = &at;
        let text = || value.trim_matches('\'').to_owned();
        let variable = match self.part {
            Part::System => {
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
                        self.defuzzifier = Some((Piece { line: at, text: value }, found));
                    }
                    "NumInputs" | "NumOutputs" | "NumRules" => {
                        self.counts.push(Count::read(at, key, value)?);
                    }
                    "Version" | "NumMFs" => {}
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
            "NumMFs" => self.counts.push(Count::read(at, key, value)?),
            _ => {
                let Some(index) = key.strip_prefix("MF").and_then(|index| index.parse().ok()) else {
                    return refuse(line, key, "`Name`, `Range`, `NumMFs` or `MF1`, `MF2`, …");
                };
                let (kind, set) = membership_function(line, value)?;
                self.functions.push((index, Piece { line: at, text: key }, set));
                if self.part == Part::Output {
                    self.consequents.push(Piece { line: at, text: kind });
                }
            }
        }
        Ok(())
    }

    /// Gives a variable its sets, in the order of their numbers.
    fn end_section(&mut self) -> Result<()> {
        let variable = match self.part {
            Part::Input => self.system.inputs.last_mut(),
            Part::Output => self.system.outputs.last_mut().map(|output| &mut output.variable),
            Part::None | Part::System | Part::Rules => None,
        };
        let Some(variable) = variable else { return Ok(()) };
        let found = self.functions.len();
        let mut counts = self.counts.iter().filter(|count| count.key == "NumMFs");
        counts.try_for_each(|count| count.check(found, "membership function"))?;
        self.counts.retain(|count| count.key != "NumMFs");
        self.functions.sort_by_key(|(index, ..)| *index);
        for (i, (index, key, set)) in self.functions.drain(..).enumerate() {
            if index != i + 1 {
                return key.refuse(&format!("`MF{}`", i + 1));
            }
            variable.sets.push(set);
        }
        Ok(())
    }

    /// How the outputs become numbers, as the type of the system says.
    fn settled_defuzzifier(&self) -> Result<Defuzzifier> {
        let sugeno = self.sugeno == Some(true);
        let usual = DEFUZZIFIERS[if sugeno { 5 } else { 0 }].1;
        let (piece, defuzzifier) =
            self.defuzzifier.map_or((None, usual), |(piece, found)| (Some(piece), found));
        if self.sugeno.is_none() {
            return Ok(defuzzifier);
        }
        if let Some(piece) = piece.filter(|_| defuzzifier.is_sampled() == sugeno) {
            return piece.refuse(if sugeno {
                "'wtaver' or 'wtsum', for the type is 'sugeno'"
            } else {
                "'centroid', 'bisector', 'mom', 'som' or 'lom', for the type is 'mamdani'"
            });
        }
        let other = |kind: &&Piece<'_>| matches!(kind.text, "constant" | "linear") != sugeno;
        match self.consequents.iter().find(other) {
            Some(kind) if sugeno => kind.refuse("'constant' or 'linear', for the type is 'sugeno'"),
            Some(kind) => kind.refuse("a set such as 'trimf', for the type is 'mamdani'"),
            None => Ok(defuzzifier),
        }
    }

    fn finish(mut self) -> Result<System> {
        self.end_section()?;
        for count in &self.counts {
            let (found, what) = match count.key {
                "NumInputs" => (self.system.inputs.len(), "input"),
                "NumOutputs" => (self.system.outputs.len(), "output"),
                _ => (self.rules.len(), "rule"),
            };
            count.check(found, what)?;
        }
        let defuzzifier = self.settled_defuzzifier()?;
        for output in &mut self.system.outputs {
            output.defuzzifier = defuzzifier;
            // MATLAB adds up the rules of a Sugeno system whatever the file says.
            output.aggregation = defuzzifier.is_sampled().then_some(self.aggregation);
        }
        let rules = self.rules.iter().map(|line| rule(&self.system, line)).collect::<Result<_>>()?;
        self.block.rules = rules;
        self.system.blocks.push(self.block);
        self.system.check()?;
        Ok(self.system)
    }
}

/// `'name':'type',[numbers]`: the type, and the set of that name.
fn membership_function<'a>(line: &Line<'_>, value: &'a str) -> Result<(&'a str, NamedSet)> {
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
    Ok((kind, NamedSet { name: name.to_owned(), set }))
}
