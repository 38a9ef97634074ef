//! JSON to a system.

use super::saved::{Head, SavedBlock, SavedInput, SavedOutput, SavedSet, SavedSystem};
use super::{FORMAT, KIND, VERSION};
use crate::error::{Error, Result};
use crate::inference::files::Parts;
use crate::inference::rule_text::{Names, Style};
use crate::inference::text::{Line, check_length, shown};
use crate::inference::type2::Uppers;
use crate::inference::{Activation, NamedSet, Output, Place, RuleBlock, System, Variable};
use crate::sets::Set;
use serde::de::DeserializeOwned;

impl System {
    /// Reads Fuzzion's own JSON.
    ///
    /// # Errors
    /// [`Error::Syntax`] with a caret under what was not expected, or with the rule, [`Error::IntervalSystem`], and those
    /// of [`System::check`].
    pub fn from_json(text: &str) -> Result<Self> {
        read(text)?.ordinary(FORMAT).map(|(system, _)| system)
    }
}

/// All that the text says.
pub(in crate::inference) fn read(text: &str) -> Result<Parts> {
    check_length(FORMAT, text)?;
    let head: Head = parse(text)?;
    let first = Line { format: FORMAT, number: 1, text: text.lines().next().unwrap_or_default() };
    if head.fuzzion != KIND {
        let problem = format!("`fuzzion` is {}, but it must be `{KIND}`", shown(&head.fuzzion));
        return Err(first.error(0, problem));
    }
    if head.version != VERSION {
        let problem =
            format!("`version` is {}, but this program reads version {VERSION}; update it", head.version);
        return Err(first.error(0, problem));
    }
    parts(parse(text)?)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|cause| {
        let said = cause.to_string();
        let problem = said.rsplit_once(" at line ").map_or(said.as_str(), |(problem, _)| problem);
        let number = cause.line().max(1);
        let line = text.split('\n').nth(number - 1).unwrap_or_default();
        Line { format: FORMAT, number, text: line }.error(cause.column().saturating_sub(1), problem)
    })
}

/// A variable and the words that rules use for it and its sets.
struct Worded {
    variable: Variable,
    word: Option<String>,
    sets: Vec<Option<String>>,
    uppers: Vec<Option<Set>>,
}

impl Worded {
    fn new(variable: Variable, word: Option<String>, sets: Vec<SavedSet>) -> Self {
        let (words, sets): (_, Vec<(NamedSet, Option<Set>)>) =
            sets.into_iter().map(|set| (set.word, (set.named, set.upper))).unzip();
        let (named, uppers) = sets.into_iter().unzip();
        Worded { variable: Variable { sets: named, ..variable }, word, sets: words, uppers }
    }

    fn of_input(saved: SavedInput) -> Self {
        let [minimum, maximum] = saved.range.map(|end| end.0);
        let variable = Variable {
            description: saved.description,
            enabled: saved.enabled,
            lock_range: saved.lock_range,
            ..Variable::new(saved.name, minimum, maximum)
        };
        Worded::new(variable, saved.word, saved.sets)
    }

    /// The variable under the words that rules use.
    fn renamed(&self) -> Variable {
        let mut variable = self.variable.clone();
        if let Some(word) = &self.word {
            variable.name.clone_from(word);
        }
        for (named, word) in variable.sets.iter_mut().zip(&self.sets) {
            if let Some(word) = word {
                named.name.clone_from(word);
            }
        }
        variable
    }
}

fn output(saved: SavedOutput) -> (Worded, Output) {
    let output = Output::new("", 0.0, 0.0)
        .aggregation(saved.aggregation.map(|word| word.0))
        .defuzzifier(saved.defuzzifier.0)
        .scale(saved.scale.map_or(1.0, |n| n.0))
        .lock_previous(saved.lock_previous);
    let output = Output { default: saved.default.map(|n| n.0).filter(|n| !n.is_nan()), ..output };
    let variable = Worded::of_input(SavedInput {
        name: saved.name,
        word: saved.word,
        description: saved.description,
        enabled: saved.enabled,
        range: saved.range,
        lock_range: saved.lock_range,
        sets: saved.sets,
    });
    (variable, output)
}

fn parts(saved: SavedSystem) -> Result<Parts> {
    let inputs: Vec<Worded> = saved.inputs.into_iter().map(Worded::of_input).collect();
    let outputs: Vec<(Worded, Output)> = saved.outputs.into_iter().map(output).collect();
    let mut worded = System::new("");
    worded.inputs.extend(inputs.iter().map(Worded::renamed));
    let renamed = outputs.iter().map(|(w, output)| Output { variable: w.renamed(), ..output.clone() });
    worded.outputs.extend(renamed);
    let names = Names::new(&worded);
    let numbered = saved.blocks.into_iter().enumerate();
    let blocks = numbered.map(|(i, saved)| block(saved, i, &names)).collect::<Result<_>>()?;
    let places = inputs.iter().enumerate().map(|(i, w)| (Place::Input(i), w));
    let places = places.chain(outputs.iter().enumerate().map(|(i, (w, _))| (Place::Output(i), w)));
    let uppers = places.flat_map(|(place, w)| {
        let sets = w.uppers.iter().enumerate();
        sets.filter_map(move |(i, upper)| Some(((place, i), upper.clone()?)))
    });
    let uppers: Uppers = uppers.collect();
    let outputs = outputs.into_iter().map(|(w, output)| Output { variable: w.variable, ..output });
    let system = System {
        name: saved.name,
        description: saved.description,
        inputs: inputs.into_iter().map(|worded| worded.variable).collect(),
        outputs: outputs.collect(),
        blocks,
    };
    system.check()?;
    let type_reduction = saved.type_reduction.map(|word| word.0);
    Ok(Parts { system, dialect: saved.dialect.map(|word| word.0), uppers, type_reduction })
}

fn block(saved: SavedBlock, index: usize, names: &Names<'_>) -> Result<RuleBlock> {
    let mut block = RuleBlock {
        description: saved.description,
        enabled: saved.enabled,
        conjunction: saved.conjunction.map(|word| word.0),
        disjunction: saved.disjunction.map(|word| word.0),
        implication: saved.implication.map(|word| word.0),
        activation: saved.activation.map_or(Activation::General, |word| word.0),
        ..RuleBlock::bare(saved.name)
    };
    let style = Style { any_case: false, extended: true };
    for (i, text) in saved.rules.iter().enumerate() {
        let line = Line { format: FORMAT, number: 1, text };
        let rule = names.read(line, 0, text.len(), style).map_err(|cause| match cause {
            Error::Syntax { line, column, problem, text, caret, .. } => {
                let place = format!("{FORMAT}, blocks[{index}].rules[{i}]");
                Error::Syntax { place, line, column, problem, text, caret }
            }
            other => other,
        })?;
        block.rules.push(rule);
    }
    Ok(block)
}
