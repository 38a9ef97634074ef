//! FLL to a system.

use super::MARK;
use super::settings::{activation, conjunction, defuzzifier, range};
use crate::error::{Error, Result};
use crate::inference::files::Parts;
use crate::inference::rule_text::{Names, Style};
use crate::inference::text::{Line, check_length, identifier, listed, number, shown, words};
use crate::inference::type2::{IntervalSet, TypeReduction, Uppers};
use crate::inference::{NamedSet, Output, Place, RuleBlock, System, Variable};
use crate::sets::{SNorm, Set, Shape, TNorm};

const FORMAT: &str = "FLL";

impl System {
    /// Reads FLL.
    ///
    /// # Errors
    /// [`Error::Syntax`] with a caret under what was not expected,
    /// [`Error::IntervalSystem`], and those of [`System::check`].
    pub fn from_fll(text: &str) -> Result<Self> {
        read(text)?.ordinary(FORMAT).map(|(system, _)| system)
    }
}

/// All that the text says.
pub(in crate::inference) fn read(text: &str) -> Result<Parts> {
    check_length(FORMAT, text)?;
    let mut reader = Reader {
        system: System::new(""),
        part: Part::None,
        blocks: Vec::new(),
        rules: Vec::new(),
        style: Style { any_case: false, extended: false },
        uppers: Uppers::new(),
        type_reduction: None,
    };
    for (i, line) in text.lines().enumerate() {
        let line = Line { format: FORMAT, number: i + 1, text: line };
        if i == 0 && line.text.trim() == MARK {
            reader.style.extended = true;
        }
        reader.line(line)?;
    }
    reader.finish()
}

/// Which block the lines belong to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    None,
    Engine,
    Input,
    Output,
    Block,
}

impl Part {
    const ALL: [(&'static str, Part); 4] = [
        ("Engine", Part::Engine),
        ("InputVariable", Part::Input),
        ("OutputVariable", Part::Output),
        ("RuleBlock", Part::Block),
    ];

    /// What a line of it may begin with, in the end with what the mark allows.
    fn keys(self, extended: bool) -> String {
        const BLOCKS: &str = "`Engine`, `InputVariable`, `OutputVariable` or `RuleBlock`";
        let (keys, more): (&[&str], &[&str]) = match self {
            Part::None => return BLOCKS.into(),
            Part::Engine => (&["description"], &["type-reduction"]),
            Part::Input => (&["description", "enabled", "range", "lock-range", "term"], &["upper"]),
            Part::Output => (&OUTPUT_KEYS, &["upper", "scale"]),
            Part::Block => (&BLOCK_KEYS, &[]),
        };
        let more = more.iter().filter(|_| extended);
        format!("{} or the next block", listed(keys.iter().chain(more).copied()))
    }
}

const OUTPUT_KEYS: [&str; 9] = [
    "description",
    "enabled",
    "range",
    "lock-range",
    "aggregation",
    "defuzzifier",
    "default",
    "lock-previous",
    "term",
];
const BLOCK_KEYS: [&str; 7] =
    ["description", "enabled", "conjunction", "disjunction", "implication", "activation", "rule"];

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(in crate::inference) struct Value<'a> {
    pub(in crate::inference) line: Line<'a>,
    pub(in crate::inference) text: &'a str,
    pub(in crate::inference) at: usize,
}

impl<'a> Value<'a> {
    pub(super) fn refuse<T>(&self, word: &str, at: usize, expected: &str) -> Result<T> {
        Err(self.line.error(at, format!("found {}, expected {expected}", shown(word))))
    }

    pub(super) fn words(&self) -> Vec<(&'a str, usize)> {
        words(self.text, self.at)
    }

    pub(super) fn end(&self) -> usize {
        self.at + self.text.len()
    }

    fn boolean(&self) -> Result<bool> {
        match self.text {
            "true" => Ok(true),
            "false" => Ok(false),
            other => self.refuse(other, self.at, "`true` or `false`"),
        }
    }

    pub(super) fn number(&self, word: Option<&(&str, usize)>) -> Result<f64> {
        let (word, at) = word.copied().unwrap_or(("", self.end()));
        match number(word) {
            Some(value) => Ok(value),
            None => self.refuse(word, at, "a number"),
        }
    }

    pub(super) fn nothing_after(&self, words: &[(&str, usize)], count: usize) -> Result<()> {
        match words.get(count) {
            Some((word, at)) => self.refuse(word, *at, "the end of the line"),
            None => Ok(()),
        }
    }

    /// One of `all` by its name; `none` and nothing are none.
    pub(super) fn choice<T: Copy>(
        &self,
        all: &[T],
        name: fn(T) -> &'static str,
        what: &str,
    ) -> Result<Option<T>> {
        if matches!(self.text, "" | "none") {
            return Ok(None);
        }
        match all.iter().find(|one| name(**one) == self.text) {
            Some(found) => Ok(Some(*found)),
            None => {
                let known = listed(all.iter().map(|one| name(*one)));
                self.refuse(self.text, self.at, &format!("{what}: `none`, {known}"))
            }
        }
    }
}

struct Reader<'a> {
    system: System,
    part: Part,
    /// Where each block of rules begins.
    blocks: Vec<(Line<'a>, usize)>,
    /// Rules wait until all variables are known: their block and where they stand.
    rules: Vec<(usize, Value<'a>)>,
    style: Style,
    uppers: Uppers,
    type_reduction: Option<TypeReduction>,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: Line<'a>) -> Result<()> {
        let code = line.text.split('#').next().unwrap_or_default();
        let start = code.len() - code.trim_start().len();
        if code.trim().is_empty() {
            return Ok(());
        }
        let Some((key, value)) = code.split_once(':') else {
            let problem = format!("found {}, expected `key: value`", shown(code.trim()));
            return Err(line.error(start, problem));
        };
        let text = value.trim();
        let at = key.len() + 1 + (value.len() - value.trim_start().len());
        let value = Value { line, text, at };
        let key = key.trim();
        if let Some((_, part)) = Part::ALL.iter().find(|(name, _)| *name == key) {
            self.part = *part;
            self.begin(value.text);
            self.blocks.extend((*part == Part::Block).then_some((line, start)));
            return Ok(());
        }
        let taken = match self.part {
            Part::Engine if key == "type-reduction" => self.type_reduction(start, value)?,
            Part::Input | Part::Output if key == "upper" => self.upper(start, value)?,
            Part::Output if key == "scale" => self.scale(start, value)?,
            Part::None => false,
            Part::Engine => self.engine(key, value),
            Part::Input => self.input(key, value)?,
            Part::Output => self.output(key, value)?,
            Part::Block => self.block(key, value)?,
        };
        if taken { Ok(()) } else { value.refuse(key, start, &self.part.keys(self.style.extended)) }
    }

    fn begin(&mut self, name: &str) {
        let open = (f64::NEG_INFINITY, f64::INFINITY);
        match self.part {
            Part::Engine => self.system.name = name.to_owned(),
            Part::Input => self.system.inputs.push(Variable::new(identifier(name), open.0, open.1)),
            Part::Output => {
                self.system.outputs.push(Output::new(identifier(name), open.0, open.1).aggregation(None));
            }
            Part::Block => self.system.blocks.push(RuleBlock::bare(name)),
            Part::None => {}
        }
    }

    /// Refuses what only Fuzzion has where the text does not begin with its mark.
    fn extension(&self, key: &str, start: usize, value: Value<'_>) -> Result<()> {
        if self.style.extended {
            return Ok(());
        }
        let problem = format!("`{key}` is no part of this format; a first line `{MARK}` allows it");
        Err(value.line.error(start, problem))
    }

    fn type_reduction(&mut self, start: usize, value: Value<'_>) -> Result<bool> {
        self.extension("type-reduction", start, value)?;
        let Some(found) = TypeReduction::from_name(value.text) else {
            let known = listed(TypeReduction::ALL.map(TypeReduction::name));
            return value.refuse(value.text, value.at, &format!("a type reduction: {known}"));
        };
        self.type_reduction = Some(found);
        Ok(true)
    }

    fn scale(&mut self, start: usize, value: Value<'_>) -> Result<bool> {
        self.extension("scale", start, value)?;
        let scale = value.number(value.words().first())?;
        value.nothing_after(&value.words(), 1)?;
        if let Some(output) = self.system.outputs.last_mut() {
            output.scale = scale;
        }
        Ok(true)
    }

    /// The upper set of the term before.
    fn upper(&mut self, start: usize, value: Value<'_>) -> Result<bool> {
        self.extension("upper", start, value)?;
        let place = match self.part {
            Part::Output => Place::Output(self.system.outputs.len() - 1),
            _ => Place::Input(self.system.inputs.len() - 1), // the part began with one
        };
        let sets = &self.system.variable(place).sets;
        let Some(lower) = sets.last().filter(|_| !self.uppers.contains_key(&(place, sets.len() - 1))) else {
            return value.refuse("upper", start, "`term`, to which an upper set can belong");
        };
        let words = value.words();
        if let [(name, at), (shape, _), ..] = words[..]
            && !is_shape(name)
            && is_shape(shape)
        {
            let expected = "a shape, for an upper set has the name of the term before it";
            return value.refuse(name, at, expected);
        }
        let upper = set(value, &words)?;
        let pair = IntervalSet::new(lower.set.clone(), upper);
        let pair = pair.map_err(|cause| value.line.because(value.at, cause))?;
        if pair.lower() != pair.upper() {
            self.uppers.insert((place, sets.len() - 1), pair.upper().clone());
        }
        Ok(true)
    }

    fn engine(&mut self, key: &str, value: Value<'_>) -> bool {
        if key == "description" {
            self.system.description = value.text.to_owned();
        }
        key == "description"
    }

    fn input(&mut self, key: &str, value: Value<'_>) -> Result<bool> {
        self.system.inputs.last_mut().map_or(Ok(false), |input| variable(input, key, value))
    }

    fn output(&mut self, key: &str, value: Value<'_>) -> Result<bool> {
        let Some(output) = self.system.outputs.last_mut() else { return Ok(false) };
        match key {
            "aggregation" => output.aggregation = value.choice(&SNorm::ALL, SNorm::name, "an s-norm")?,
            "defuzzifier" => output.defuzzifier = defuzzifier(value)?,
            "default" => {
                let default = value.number(value.words().first())?;
                value.nothing_after(&value.words(), 1)?;
                output.default = Some(default).filter(|value| !value.is_nan());
            }
            "lock-previous" => output.lock_previous = value.boolean()?,
            _ => return variable(&mut output.variable, key, value),
        }
        Ok(true)
    }

    fn block(&mut self, key: &str, value: Value<'a>) -> Result<bool> {
        if key == "conjunction" && value.text == "Mean" {
            self.extension("Mean", value.at, value)?;
        }
        let index = self.system.blocks.len() - 1; // the part began with a block
        let block = &mut self.system.blocks[index];
        match key {
            "description" => block.description = value.text.to_owned(),
            "enabled" => block.enabled = value.boolean()?,
            "conjunction" => block.conjunction = conjunction(value, self.style.extended)?,
            "disjunction" => block.disjunction = value.choice(&SNorm::ALL, SNorm::name, "an s-norm")?,
            "implication" => block.implication = value.choice(&TNorm::ALL, TNorm::name, "a t-norm")?,
            "activation" => block.activation = activation(value)?,
            "rule" => self.rules.push((index, value)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(mut self) -> Result<Parts> {
        let inputs = self.system.inputs.len();
        let sets = self.system.outputs.iter_mut().flat_map(|output| &mut output.variable.sets);
        let uppers = self.uppers.iter_mut().filter(|((place, _), _)| matches!(place, Place::Output(_)));
        let mut all = sets.map(|named| &mut named.set).chain(uppers.map(|(_, upper)| upper));
        all.try_for_each(|set| add_constant(set, inputs))?;
        let mut rules = Vec::new();
        let names = Names::new(&self.system);
        for (block, value) in &self.rules {
            rules.push((*block, names.read(value.line, value.at, value.end(), self.style)?));
        }
        rules.into_iter().for_each(|(block, rule)| self.system.blocks[block].rules.push(rule));
        let blocks = self.system.blocks.iter().zip(&self.blocks);
        if let Some((_, (line, at))) = blocks.into_iter().find(|(block, _)| block.rules.is_empty()) {
            return Err(line.error(*at, "the rule block has no rules; give it one or leave it out"));
        }
        self.system.check()?;
        let Reader { system, uppers, type_reduction, .. } = self;
        Ok(Parts { system, dialect: None, uppers, type_reduction })
    }
}

/// As many numbers as inputs leave no number for the constant, which then is 0.
fn add_constant(set: &mut Set, inputs: usize) -> Result<()> {
    if let Shape::Linear { coefficients, constant } = set.shape()
        && coefficients.len() + 1 == inputs
    {
        let all: Vec<f64> = coefficients.iter().copied().chain([*constant]).collect();
        *set = Set::linear(&all, 0.0)?;
    }
    Ok(())
}

/// What inputs and outputs have in common.
fn variable(variable: &mut Variable, key: &str, value: Value<'_>) -> Result<bool> {
    match key {
        "description" => variable.description = value.text.to_owned(),
        "enabled" => variable.enabled = value.boolean()?,
        "lock-range" => variable.lock_range = value.boolean()?,
        "range" => (variable.minimum, variable.maximum) = range(value)?,
        "term" => variable.sets.push(term(value)?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn term(value: Value<'_>) -> Result<NamedSet> {
    let words = value.words();
    let Some((name, _)) = words.first() else { return value.refuse("", value.end(), "`name Shape numbers`") };
    Ok(NamedSet { name: identifier(name), set: set(value, &words[1..])? })
}

fn is_shape(word: &str) -> bool {
    !matches!(Set::from_parameters(word, &[]), Err(Error::UnknownShape { .. }))
}

/// A shape's name and its numbers, the last words of `value`.
fn set(value: Value<'_>, words: &[(&str, usize)]) -> Result<Set> {
    let Some((shape, at)) = words.first() else {
        return value.refuse("", value.end(), "the name of a shape, such as `Triangle`");
    };
    if *shape == "Function" {
        let text = &value.line.text[at + shape.len()..value.end()];
        let start = at + shape.len() + (text.len() - text.trim_start().len());
        return Set::function(text.trim()).map_err(|cause| value.line.because(start, cause));
    }
    // What is no shape is the first mistake, whatever follows it.
    let words = if is_shape(shape) { words } else { &words[..1] };
    let numbers = words[1..].iter().map(|word| value.number(Some(word))).collect::<Result<Vec<f64>>>()?;
    Set::from_parameters(shape, &numbers).map_err(|cause| value.line.because(*at, cause))
}
