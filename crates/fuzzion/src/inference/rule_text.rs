//! Rules as text, read and written.

use super::rule::{Antecedent, Conclusion, Place, Proposition, Rule};
use super::system::System;
use super::text::{Line, MAX_NESTING, listed, number, number_text, shown, words};
use super::variable::Variable;
use crate::error::Result;
use crate::sets::Hedge;
use std::collections::HashMap;

/// What a text may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Whether `IF` is `if`.
    pub(super) any_case: bool,
    /// Whether ELSE rules and `not ( … )` may be used.
    pub(super) extended: bool,
}

/// The names of a system, for many rules.
pub(super) struct Names<'a> {
    system: &'a System,
    variables: HashMap<&'a str, Place>,
    outputs: HashMap<&'a str, usize>,
    sets: HashMap<Place, HashMap<&'a str, usize>>,
}

impl<'a> Names<'a> {
    /// Of variables or sets of the same name the last is meant, an output before an input.
    pub(super) fn new(system: &'a System) -> Self {
        let inputs = system.inputs.iter().enumerate().map(|(i, v)| (v, Place::Input(i)));
        let outputs = system.outputs.iter().enumerate().map(|(i, o)| (&o.variable, Place::Output(i)));
        let all: Vec<(&Variable, Place)> = inputs.chain(outputs).collect();
        let sets = |variable: &'a Variable| {
            variable.sets.iter().enumerate().map(|(i, set)| (set.name.as_str(), i)).collect()
        };
        Names {
            system,
            variables: all.iter().map(|(v, place)| (v.name.as_str(), *place)).collect(),
            outputs: system.outputs.iter().enumerate().map(|(i, o)| (o.variable.name.as_str(), i)).collect(),
            sets: all.iter().map(|(v, place)| (*place, sets(v))).collect(),
        }
    }

    /// Reads the rule that stands in `line` from the byte `from` to the byte `to`.
    pub(super) fn read(&self, line: Line<'_>, from: usize, to: usize, style: Style) -> Result<Rule> {
        self.read_words(line, words(&line.text[from..to], from), to, style)
    }

    /// Reads the rule that `words` of `line` make, the last of which ends before the byte `end`.
    pub(super) fn read_words(
        &self,
        line: Line<'_>,
        words: Vec<(&str, usize)>,
        end: usize,
        style: Style,
    ) -> Result<Rule> {
        RuleReader { line, words, end, next: 0, depth: 0, names: self, style }.rule()
    }
}

/// What a name stands for; where case does not count, also what one of another case stands for.
fn named<T: Copy>(names: &HashMap<&str, T>, name: &str, any_case: bool) -> Option<T> {
    let other = || names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, found)| *found);
    names.get(name).copied().or_else(|| if any_case { other() } else { None })
}

struct RuleReader<'a, 'n> {
    line: Line<'n>,
    words: Vec<(&'a str, usize)>,
    /// Where the rule ends, for a caret after its last word.
    end: usize,
    next: usize,
    depth: usize,
    names: &'n Names<'n>,
    style: Style,
}

impl<'a> RuleReader<'a, '_> {
    /// The next word, empty at the end.
    fn peek(&self) -> &'a str {
        self.words.get(self.next).map_or("", |(word, _)| word)
    }

    fn is(&self, keyword: &str) -> bool {
        let word = self.peek();
        if self.style.any_case { word.eq_ignore_ascii_case(keyword) } else { word == keyword }
    }

    fn take(&mut self, keyword: &str) -> bool {
        let is = self.is(keyword);
        self.next += usize::from(is);
        is
    }

    fn refuse<T>(&self, expected: &str) -> Result<T> {
        let at = self.words.get(self.next).map_or(self.end, |(_, at)| *at);
        Err(self.line.error(at, format!("found {}, expected {expected}", shown(self.peek()))))
    }

    fn expect(&mut self, keyword: &str, expected: &str) -> Result<()> {
        if self.take(keyword) { Ok(()) } else { self.refuse(expected) }
    }

    fn extension<T>(&self) -> Result<T> {
        let at = self.words.get(self.next).map_or(self.end, |(_, at)| *at);
        Err(self.line.error(
            at,
            format!(
                "{} is no part of this format here; a first line `# dialect: fuzzion` allows it",
                shown(self.peek())
            ),
        ))
    }

    fn rule(mut self) -> Result<Rule> {
        let antecedent = if self.is("else") {
            if !self.style.extended {
                return self.extension();
            }
            self.next += 1;
            Antecedent::Else
        } else {
            self.expect("if", if self.style.extended { "`if` or `else`" } else { "`if`" })?;
            let antecedent = self.any_of()?;
            self.expect("then", "`and`, `or` or `then`")?;
            antecedent
        };
        let mut consequent = vec![self.conclusion()?];
        while self.take("and") || self.style.any_case && self.take(",") {
            consequent.push(self.conclusion()?);
        }
        let mut weight = 1.0;
        if self.take("with") {
            let Some(value) = number(self.peek()).filter(|w| w.is_finite()) else {
                return self.refuse("a weight, such as 0.5");
            };
            weight = value;
            self.next += 1;
        }
        if self.next < self.words.len() {
            return self.refuse("`and`, `with` or the end of the rule");
        }
        Ok(Rule { antecedent, consequent, weight })
    }

    fn any_of(&mut self) -> Result<Antecedent> {
        let first = self.all_of()?;
        let mut parts = vec![first];
        while self.take("or") {
            parts.push(self.all_of()?);
        }
        Ok(joined(parts, Antecedent::Or))
    }

    fn all_of(&mut self) -> Result<Antecedent> {
        let first = self.part()?;
        let mut parts = vec![first];
        while self.take("and") {
            parts.push(self.part()?);
        }
        Ok(joined(parts, Antecedent::And))
    }

    fn part(&mut self) -> Result<Antecedent> {
        let negated = self.is("not") && self.words.get(self.next + 1).is_some_and(|(word, _)| *word == "(");
        if negated && !self.style.extended {
            return self.extension();
        }
        self.next += usize::from(negated);
        if !self.is("(") {
            // IEC 61131-7 also writes it before a proposition.
            let negated = self.style.any_case && self.take("not");
            let proposition = Antecedent::Is(self.proposition()?);
            return Ok(if negated { Antecedent::Not(Box::new(proposition)) } else { proposition });
        }
        if self.depth == MAX_NESTING {
            return self.refuse(&format!("at most {MAX_NESTING} parentheses inside each other"));
        }
        self.next += 1;
        self.depth += 1;
        let inner = self.any_of()?;
        self.depth -= 1;
        self.expect(")", "`and`, `or` or `)`")?;
        Ok(if negated { Antecedent::Not(Box::new(inner)) } else { inner })
    }

    fn proposition(&mut self) -> Result<Proposition> {
        let variable = named(&self.names.variables, self.peek(), self.style.any_case);
        let Some(variable) = variable else {
            let system = self.names.system;
            let known = system.inputs.iter().chain(system.outputs.iter().map(|o| &o.variable));
            return self.refuse(&format!("a variable ({})", listed(known.map(|v| v.name.as_str()))));
        };
        self.next += 1;
        self.expect("is", "`is`")?;
        let hedges = self.hedges(true);
        let set = if hedges.last() == Some(&Hedge::Any) { None } else { Some(self.set(variable)?) };
        Ok(Proposition { variable, hedges, set })
    }

    fn conclusion(&mut self) -> Result<Conclusion> {
        let Some(output) = named(&self.names.outputs, self.peek(), self.style.any_case) else {
            let known = self.names.system.outputs.iter().map(|o| o.variable.name.as_str());
            return self.refuse(&format!("an output ({})", listed(known)));
        };
        self.next += 1;
        self.expect("is", "`is`")?;
        let hedges = self.hedges(false);
        Ok(Conclusion { output, hedges, set: self.set(Place::Output(output))? })
    }

    /// The hedges before a set; in an antecedent `any` ends them, for it needs no set.
    fn hedges(&mut self, any_ends: bool) -> Vec<Hedge> {
        let mut hedges = Vec::new();
        let lower =
            |word: &str| if self.style.any_case { word.to_ascii_lowercase() } else { word.to_owned() };
        while let Some(hedge) = Hedge::from_name(&lower(self.words.get(self.next).map_or("", |w| w.0))) {
            hedges.push(hedge);
            self.next += 1;
            if any_ends && hedge == Hedge::Any {
                break;
            }
        }
        hedges
    }

    fn set(&mut self, place: Place) -> Result<usize> {
        let sets = self.names.sets.get(&place);
        let Some(set) = sets.and_then(|sets| named(sets, self.peek(), self.style.any_case)) else {
            let variable = self.names.system.variable(place);
            let known = variable.sets.iter().map(|set| set.name.as_str());
            return self.refuse(&format!(
                "a hedge or a set of {} ({})",
                shown(&variable.name),
                listed(known)
            ));
        };
        self.next += 1;
        Ok(set)
    }
}

fn joined(mut parts: Vec<Antecedent>, join: fn(Vec<Antecedent>) -> Antecedent) -> Antecedent {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            join(parts)
        }
    }
}

/// The names that a written text uses for variables and sets.
pub(super) struct Labels {
    /// Of each input: its name and its sets' names; then of each output.
    pub(super) inputs: Vec<(String, Vec<String>)>,
    pub(super) outputs: Vec<(String, Vec<String>)>,
}

impl Labels {
    /// The system's own names.
    pub(super) fn of(system: &System) -> Self {
        let label = |v: &Variable| (v.name.clone(), v.sets.iter().map(|set| set.name.clone()).collect());
        Labels {
            inputs: system.inputs.iter().map(label).collect(),
            outputs: system.outputs.iter().map(|output| label(&output.variable)).collect(),
        }
    }

    fn variable(&self, place: Place) -> &(String, Vec<String>) {
        match place {
            Place::Input(i) => &self.inputs[i],
            Place::Output(i) => &self.outputs[i],
        }
    }

    fn is(&self, place: Place, hedges: &[Hedge], set: Option<usize>) -> String {
        let (name, sets) = self.variable(place);
        let hedges = hedges.iter().map(|hedge| hedge.name());
        let set = set.map(|set| sets[set].as_str());
        [name.as_str(), "is"].into_iter().chain(hedges).chain(set).collect::<Vec<_>>().join(" ")
    }

    /// The text of a proposition whose numbers were checked.
    pub(super) fn proposition(&self, p: &Proposition) -> String {
        let any = p.hedges.last() == Some(&Hedge::Any);
        self.is(p.variable, &p.hedges, if any { None } else { p.set })
    }

    /// The text of a rule whose numbers were checked.
    pub(super) fn rule(&self, rule: &Rule) -> String {
        let start = match &rule.antecedent {
            Antecedent::Else => "else".to_owned(),
            antecedent => {
                let plain = parentheses(antecedent, Inside::Nothing, true) <= MAX_NESTING;
                format!("if {} then", self.antecedent(antecedent, Inside::Nothing, plain))
            }
        };
        let conclusions = rule.consequent.iter();
        let conclusions = conclusions.map(|c| self.is(Place::Output(c.output), &c.hedges, Some(c.set)));
        let consequent = conclusions.collect::<Vec<_>>().join(" and ");
        let weight =
            if rule.weight == 1.0 { String::new() } else { format!(" with {}", number_text(rule.weight)) };
        format!("{start} {consequent}{weight}")
    }

    fn antecedent(&self, antecedent: &Antecedent, inside: Inside, plain: bool) -> String {
        let joined = |parts: &[Antecedent], word: &str, inside| {
            parts.iter().map(|part| self.antecedent(part, inside, plain)).collect::<Vec<_>>().join(word)
        };
        let text = match antecedent {
            Antecedent::Is(p) => self.proposition(p),
            Antecedent::And(parts) => joined(parts, " and ", Inside::And),
            Antecedent::Or(parts) => joined(parts, " or ", Inside::Or),
            Antecedent::Not(part) => {
                return format!("not ({})", self.antecedent(part, Inside::Nothing, plain));
            }
            Antecedent::Else => "else".into(),
        };
        if is_wrapped(antecedent, inside, plain) { format!("({text})") } else { text }
    }
}

/// What a part of an antecedent stands in.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Nothing,
    And,
    Or,
}

/// Whether a part stands in parentheses: an `or` of `and`s needs none, but has them where it is to be `plain`.
fn is_wrapped(part: &Antecedent, inside: Inside, plain: bool) -> bool {
    match part {
        Antecedent::And(_) => inside == Inside::And || inside == Inside::Or && plain,
        Antecedent::Or(_) => inside != Inside::Nothing,
        Antecedent::Is(_) | Antecedent::Not(_) | Antecedent::Else => false,
    }
}

/// How many parentheses stand inside each other in the text of an antecedent.
fn parentheses(antecedent: &Antecedent, inside: Inside, plain: bool) -> usize {
    let most = |parts: &[Antecedent], inside| {
        parts.iter().map(|part| parentheses(part, inside, plain)).max().unwrap_or(0)
    };
    let inner = match antecedent {
        Antecedent::Is(_) | Antecedent::Else => 0,
        Antecedent::And(parts) => most(parts, Inside::And),
        Antecedent::Or(parts) => most(parts, Inside::Or),
        Antecedent::Not(part) => 1 + parentheses(part, Inside::Nothing, plain),
    };
    inner + usize::from(is_wrapped(antecedent, inside, plain))
}

/// Whether the text of an antecedent has no more parentheses than are read; the antecedent itself may be of any depth.
pub(super) fn is_readable(antecedent: &Antecedent) -> bool {
    fn within(antecedent: &Antecedent, left: usize) -> bool {
        match antecedent {
            Antecedent::Is(_) | Antecedent::Else => true,
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                left > 0 && parts.iter().all(|part| within(part, left - 1))
            }
            Antecedent::Not(part) => left > 0 && within(part, left - 1),
        }
    }
    // Each pair of parentheses may hold an `or` of `and`s of a `not`.
    within(antecedent, 3 * MAX_NESTING + 3) && parentheses(antecedent, Inside::Nothing, false) <= MAX_NESTING
}
