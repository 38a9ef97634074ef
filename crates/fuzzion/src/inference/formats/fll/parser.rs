//! Parser for FLL.

use super::DIALECT_LINE;
use super::field_value::FieldValue;
use super::fields::{activation, conjunction, defuzzifier, range};
use super::names::{self, OriginalName};
use crate::inference::error::Result;
use crate::inference::formats::{ParsedSystem, UpperSets};
use crate::inference::syntax::{
    Line, RuleSyntax, SymbolTable, check_length, quoted, quoted_list, to_identifier,
};
use crate::inference::type2::{IntervalSet, TypeReduction};
use crate::inference::{NamedSet, Output, RuleBlock, System, Variable, VariableIndex};
use crate::sets::SetError;
use crate::sets::{SNorm, Set, Shape, TNorm};

const FORMAT: &str = "FLL";
const OUTPUT_INVARIANT: &str = "invariant: an output section starts with an output";

impl System {
    /// Parses FLL. See [`fll`](crate::inference::fll) for an example.
    ///
    /// # Errors
    /// [`InferenceError::Syntax`](crate::inference::InferenceError::Syntax) with the location, [`InferenceError::IntervalSystem`](crate::inference::InferenceError::IntervalSystem), and the errors of [`System::check`].
    pub fn from_fll(text: &str) -> Result<Self> {
        read(text)?.into_type1(FORMAT).map(|(system, _)| system)
    }
}

/// Parses FLL, including interval type-2 systems.
pub(in crate::inference) fn read(text: &str) -> Result<ParsedSystem> {
    check_length(FORMAT, text)?;
    let mut parser = Parser {
        system: System::new(""),
        section: Section::None,
        blocks: Vec::new(),
        rules: Vec::new(),
        syntax: RuleSyntax { ignore_case: false, extended: false },
        names: Vec::new(),
        uppers: UpperSets::new(),
        type_reduction: None,
    };
    for (i, line) in text.lines().enumerate() {
        let line = Line { format: FORMAT, number: i + 1, text: line };
        if i == 0 && line.text.trim() == DIALECT_LINE {
            parser.syntax.extended = true;
        }
        parser.parse_line(line)?;
    }
    parser.finish()
}

/// Block of the file.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    Engine,
    Input,
    Output,
    Block,
}

impl Section {
    const ALL: [(&'static str, Section); 4] = [
        ("Engine", Section::Engine),
        ("InputVariable", Section::Input),
        ("OutputVariable", Section::Output),
        ("RuleBlock", Section::Block),
    ];

    /// Keys of the block for messages, followed by those of the extensions if `extended`.
    fn expected_keys(self, extended: bool) -> String {
        const BLOCKS: &str = "`Engine`, `InputVariable`, `OutputVariable` or `RuleBlock`";
        let (keys, extension_keys): (&[&str], &[&str]) = match self {
            Section::None => return BLOCKS.into(),
            Section::Engine => (&["description"], &["type-reduction"]),
            Section::Input => (&["description", "enabled", "range", "lock-range", "term"], &["upper"]),
            Section::Output => (&OUTPUT_KEYS, &["upper", "scale"]),
            Section::Block => (&BLOCK_KEYS, &[]),
        };
        let extension_keys = extension_keys.iter().filter(|_| extended);
        format!("{} or the next block", quoted_list(keys.iter().chain(extension_keys).copied()))
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

struct Parser<'a> {
    system: System,
    section: Section,
    /// Location of each rule block.
    blocks: Vec<(Line<'a>, usize)>,
    /// Block index and text of each rule; rules are parsed after all variables are known.
    rules: Vec<(usize, FieldValue<'a>)>,
    syntax: RuleSyntax,
    /// Names in comments.
    names: Vec<OriginalName>,
    uppers: UpperSets,
    type_reduction: Option<TypeReduction>,
}

impl<'a> Parser<'a> {
    fn parse_line(&mut self, line: Line<'a>) -> Result<()> {
        let (code, comment) = line.text.split_once('#').unwrap_or((line.text, ""));
        let start = code.len() - code.trim_start().len();
        if code.trim().is_empty() {
            return Ok(());
        }
        let Some((key, value)) = code.split_once(':') else {
            let problem = format!("found {}, expected `key: value`", quoted(code.trim()));
            return Err(line.error(start, problem));
        };
        let text = value.trim();
        let at = key.len() + 1 + (value.len() - value.trim_start().len());
        let value = FieldValue { line, text, at };
        let key = key.trim();
        if let Some((_, section)) = Section::ALL.iter().find(|(name, _)| *name == key) {
            self.section = *section;
            self.start_block(value.text);
            self.blocks.extend((*section == Section::Block).then_some((line, start)));
            self.name_in_comment(comment, false);
            return Ok(());
        }
        let is_known = match self.section {
            Section::Engine if key == "type-reduction" => self.type_reduction(start, value)?,
            Section::Input | Section::Output if key == "upper" => self.upper(start, value)?,
            Section::Output if key == "scale" => self.scale(start, value)?,
            Section::None => false,
            Section::Engine => self.engine(key, value),
            Section::Input => self.input(key, value)?,
            Section::Output => self.output(key, value)?,
            Section::Block => self.block(key, value)?,
        };
        if is_known {
            if key == "term" {
                self.name_in_comment(comment, true);
            }
            Ok(())
        } else {
            value.fail_expecting(key, start, &self.section.expected_keys(self.syntax.extended))
        }
    }

    fn start_block(&mut self, name: &str) {
        let infinite = (f64::NEG_INFINITY, f64::INFINITY);
        match self.section {
            Section::Engine => self.system.name = name.to_owned(),
            Section::Input => {
                self.system.inputs.push(Variable::new(to_identifier(name), infinite.0, infinite.1))
            }
            Section::Output => {
                self.system
                    .outputs
                    .push(Output::new(to_identifier(name), infinite.0, infinite.1).aggregation(None));
            }
            Section::Block => self.system.blocks.push(RuleBlock::without_operators(name)),
            Section::None => {}
        }
    }

    /// The name of the variable that starts in this line, or of the set in it, from the comment after it.
    fn name_in_comment(&mut self, comment: &str, is_term: bool) {
        let Some(variable) = self.current_variable() else { return };
        let sets = &self.system.variable(variable).sets;
        let identifier = match sets.last() {
            Some(set) if is_term => &set.name,
            None if !is_term => &self.system.variable(variable).name,
            _ => return,
        };
        let set = is_term.then(|| sets.len() - 1);
        let name = names::parse_comment(comment, identifier);
        self.names.extend(name.map(|name| OriginalName { variable, set, name }));
    }

    /// The variable whose section this is.
    fn current_variable(&self) -> Option<VariableIndex> {
        match self.section {
            Section::Input => Some(VariableIndex::Input(self.system.inputs.len() - 1)),
            Section::Output => Some(VariableIndex::Output(self.system.outputs.len() - 1)),
            _ => None,
        }
    }

    /// Fails unless Fuzzion's extensions are enabled.
    fn require_extensions(&self, key: &str, start: usize, value: FieldValue<'_>) -> Result<()> {
        if self.syntax.extended {
            return Ok(());
        }
        let problem =
            format!("`{key}` is a Fuzzion extension; add `{DIALECT_LINE}` as the first line to allow it");
        Err(value.line.error(start, problem))
    }

    fn type_reduction(&mut self, start: usize, value: FieldValue<'_>) -> Result<bool> {
        self.require_extensions("type-reduction", start, value)?;
        let Ok(found) = value.text.parse() else {
            let known = quoted_list(TypeReduction::ALL.map(TypeReduction::name));
            return value.fail_expecting(value.text, value.at, &format!("a type reduction: {known}"));
        };
        self.type_reduction = Some(found);
        Ok(true)
    }

    fn scale(&mut self, start: usize, value: FieldValue<'_>) -> Result<bool> {
        self.require_extensions("scale", start, value)?;
        let scale = value.number(value.tokens().first())?;
        value.expect_end(&value.tokens(), 1)?;
        self.system.outputs.last_mut().expect(OUTPUT_INVARIANT).scale = scale;
        Ok(true)
    }

    /// Upper set of the preceding term.
    fn upper(&mut self, start: usize, value: FieldValue<'_>) -> Result<bool> {
        self.require_extensions("upper", start, value)?;
        let variable = self.current_variable().expect("invariant: the section is that of a variable");
        let sets = &self.system.variable(variable).sets;
        let Some(lower) = sets.last().filter(|_| !self.uppers.contains_key(&(variable, sets.len() - 1)))
        else {
            return value.fail_expecting("upper", start, "`term` before the upper set");
        };
        let tokens = value.tokens();
        if let [(name, at), (shape, _), ..] = tokens[..]
            && !is_shape(name)
            && is_shape(shape)
        {
            let expected = "a shape, because an upper set has the name of the preceding term";
            return value.fail_expecting(name, at, expected);
        }
        let upper = set(value, &tokens)?;
        let pair = IntervalSet::new(lower.set.clone(), upper);
        let pair = pair.map_err(|cause| value.line.locate(value.at, cause))?;
        if pair.lower() != pair.upper() {
            self.uppers.insert((variable, sets.len() - 1), pair.upper().clone());
        }
        Ok(true)
    }

    fn engine(&mut self, key: &str, value: FieldValue<'_>) -> bool {
        if key == "description" {
            self.system.description = value.text.to_owned();
        }
        key == "description"
    }

    fn input(&mut self, key: &str, value: FieldValue<'_>) -> Result<bool> {
        let input = self.system.inputs.last_mut();
        variable(input.expect("invariant: an input section starts with an input"), key, value)
    }

    fn output(&mut self, key: &str, value: FieldValue<'_>) -> Result<bool> {
        let output = self.system.outputs.last_mut().expect(OUTPUT_INVARIANT);
        match key {
            "aggregation" => output.aggregation = value.choice(&SNorm::ALL, SNorm::name, "an s-norm")?,
            "defuzzifier" => output.defuzzifier = defuzzifier(value)?,
            "default" => {
                let default = value.number(value.tokens().first())?;
                value.expect_end(&value.tokens(), 1)?;
                output.default = Some(default).filter(|value| !value.is_nan());
            }
            "lock-previous" => output.lock_previous = value.boolean()?,
            _ => return variable(&mut output.variable, key, value),
        }
        Ok(true)
    }

    fn block(&mut self, key: &str, value: FieldValue<'a>) -> Result<bool> {
        if key == "conjunction" && value.text == "Mean" {
            self.require_extensions("Mean", value.at, value)?;
        }
        let index = self.system.blocks.len() - 1; // the section starts with a block
        let block = &mut self.system.blocks[index];
        match key {
            "description" => block.description = value.text.to_owned(),
            "enabled" => block.enabled = value.boolean()?,
            "conjunction" => block.conjunction = conjunction(value, self.syntax.extended)?,
            "disjunction" => block.disjunction = value.choice(&SNorm::ALL, SNorm::name, "an s-norm")?,
            "implication" => block.implication = value.choice(&TNorm::ALL, TNorm::name, "a t-norm")?,
            "activation" => block.activation = activation(value)?,
            "rule" => self.rules.push((index, value)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn finish(mut self) -> Result<ParsedSystem> {
        let inputs = self.system.inputs.len();
        let sets = self.system.outputs.iter_mut().flat_map(|output| &mut output.variable.sets);
        let uppers =
            self.uppers.iter_mut().filter(|((variable, _), _)| matches!(variable, VariableIndex::Output(_)));
        let mut all = sets.map(|named| &mut named.set).chain(uppers.map(|(_, upper)| upper));
        all.try_for_each(|set| add_constant(set, inputs))?;
        let mut rules = Vec::new();
        let symbols = SymbolTable::new(&self.system);
        for (block, value) in &self.rules {
            rules.push((*block, symbols.parse(value.line, value.at, value.end(), self.syntax)?));
        }
        rules.into_iter().for_each(|(block, rule)| self.system.blocks[block].rules.push(rule));
        let blocks = self.system.blocks.iter().zip(&self.blocks);
        if let Some((_, (line, at))) = blocks.into_iter().find(|(block, _)| block.rules.is_empty()) {
            return Err(line.error(*at, "the rule block has no rules; add a rule or remove the block"));
        }
        names::restore(&mut self.system, self.names);
        self.system.check()?;
        let Parser { system, uppers, type_reduction, .. } = self;
        Ok(ParsedSystem { uppers, type_reduction, ..ParsedSystem::from_system(system) })
    }
}

/// Adds the constant 0 to a Linear that has only as many numbers as the system has inputs.
fn add_constant(set: &mut Set, inputs: usize) -> Result<()> {
    if let Shape::Linear { coefficients, constant } = set.shape()
        && coefficients.len() + 1 == inputs
    {
        let all: Vec<f64> = coefficients.iter().copied().chain([*constant]).collect();
        *set = Set::linear(&all, 0.0)?;
    }
    Ok(())
}

/// Sets a field that inputs and outputs have in common.
fn variable(variable: &mut Variable, key: &str, value: FieldValue<'_>) -> Result<bool> {
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

fn term(value: FieldValue<'_>) -> Result<NamedSet> {
    let tokens = value.tokens();
    let Some((name, _)) = tokens.first() else {
        return value.fail_expecting("", value.end(), "`name Shape numbers`");
    };
    Ok(NamedSet { name: to_identifier(name), set: set(value, &tokens[1..])? })
}

fn is_shape(token: &str) -> bool {
    !matches!(Set::from_parameters(token, &[]), Err(SetError::UnknownShape { .. }))
}

/// Parses a shape and its parameters from the last tokens of `value`.
fn set(value: FieldValue<'_>, tokens: &[(&str, usize)]) -> Result<Set> {
    let Some((shape, at)) = tokens.first() else {
        return value.fail_expecting("", value.end(), "the name of a shape, such as `Triangle`");
    };
    if *shape == "Function" {
        let text = &value.line.text[at + shape.len()..value.end()];
        let start = at + shape.len() + (text.len() - text.trim_start().len());
        return Set::function(text.trim()).map_err(|cause| value.line.locate(start, cause));
    }
    // Report an unknown shape before invalid parameters.
    let tokens = if is_shape(shape) { tokens } else { &tokens[..1] };
    let numbers = tokens[1..].iter().map(|token| value.number(Some(token))).collect::<Result<Vec<f64>>>()?;
    Set::from_parameters(shape, &numbers).map_err(|cause| value.line.locate(*at, cause))
}
