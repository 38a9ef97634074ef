//! Parser for rules.

use super::text::{Line, MAX_NESTING, parse_number, quoted, quoted_list, quoted_or_end, tokenize};
use crate::base::most_similar;
use crate::inference::error::Result;
use crate::inference::{
    Antecedent, Conclusion, Proposition, Rule, RuleBlock, System, Variable, VariableIndex,
};
use crate::sets::Hedge;
use std::collections::HashMap;

impl System {
    /// Parses a rule and appends it to the last block, or to a new [`RuleBlock::new`] if there is none.
    ///
    /// The syntax is that of fuzzylite, extended by `else tip is average` and by `not (…)` in an antecedent.
    ///
    /// ```
    /// # use fuzzion::inference::{Dialect, Output, System, Variable};
    /// # use fuzzion::sets::Set;
    /// # let room = Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?).set("warm", Set::ramp(16.0, 20.0)?);
    /// # let valve = Output::new("valve", 0.0, 1.0).set("shut", Set::constant(0.0)?).set("open", Set::constant(1.0)?);
    /// # let heating = System::new("heating")
    /// #     .input(room)
    /// #     .output(valve)
    /// #     .rule("if room is cold then valve is open")?
    /// #     .rule("if room is warm then valve is shut")?;
    /// let heating = heating.rule("if room is not warm and room is very cold then valve is open with 0.5")?;
    /// assert_eq!(heating.blocks[0].rules[2].weight, 0.5);
    /// assert!(heating.rule("if room is hot then valve is shut").is_err());
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`InferenceError::Syntax`](crate::inference::InferenceError::Syntax) if the text is not a valid rule over the variables of this system.
    pub fn rule(mut self, text: &str) -> Result<Self> {
        let syntax = RuleSyntax { ignore_case: false, extended: true };
        let line = Line { format: "rule", number: 1, text };
        let rule = SymbolTable::new(&self).parse(line, 0, text.len(), syntax)?;
        if self.blocks.is_empty() {
            self.blocks.push(RuleBlock::new(""));
        }
        let block = self.blocks.last_mut().expect("invariant: a block exists or was just added");
        block.rules.push(rule);
        Ok(self)
    }
}

/// Variant of the rule syntax.
#[derive(Clone, Copy, Debug)]
pub(in crate::inference) struct RuleSyntax {
    /// Whether keywords and names are case-insensitive.
    pub(in crate::inference) ignore_case: bool,
    /// Whether ELSE rules and `not ( … )` are allowed.
    pub(in crate::inference) extended: bool,
}

/// Variables and sets of a system by name.
pub(in crate::inference) struct SymbolTable<'a> {
    system: &'a System,
    variables: HashMap<&'a str, VariableIndex>,
    outputs: HashMap<&'a str, usize>,
    sets: HashMap<VariableIndex, HashMap<&'a str, usize>>,
}

impl<'a> SymbolTable<'a> {
    /// Of several variables or sets with the same name, the last takes precedence; outputs take precedence over inputs.
    pub(in crate::inference) fn new(system: &'a System) -> Self {
        let inputs = system.inputs.iter().enumerate().map(|(i, v)| (v, VariableIndex::Input(i)));
        let outputs = system.outputs.iter().enumerate().map(|(i, o)| (&o.variable, VariableIndex::Output(i)));
        let all: Vec<(&Variable, VariableIndex)> = inputs.chain(outputs).collect();
        let sets = |variable: &'a Variable| {
            variable.sets.iter().enumerate().map(|(i, set)| (set.name.as_str(), i)).collect()
        };
        SymbolTable {
            system,
            variables: all.iter().map(|(v, index)| (v.name.as_str(), *index)).collect(),
            outputs: system.outputs.iter().enumerate().map(|(i, o)| (o.variable.name.as_str(), i)).collect(),
            sets: all.iter().map(|(v, index)| (*index, sets(v))).collect(),
        }
    }

    /// Parses the rule in bytes `from..to` of `line`.
    pub(in crate::inference) fn parse(
        &self,
        line: Line<'_>,
        from: usize,
        to: usize,
        syntax: RuleSyntax,
    ) -> Result<Rule> {
        self.parse_tokens(line, tokenize(&line.text[from..to], from), to, syntax)
    }

    /// Parses a rule from tokens of `line` that end before byte `end`.
    pub(in crate::inference) fn parse_tokens(
        &self,
        line: Line<'_>,
        tokens: Vec<(&str, usize)>,
        end: usize,
        syntax: RuleSyntax,
    ) -> Result<Rule> {
        RuleParser { line, tokens, end, next: 0, depth: 0, symbols: self, syntax }.rule()
    }
}

/// Value of a name; an exact match takes precedence over a case-insensitive one.
fn lookup<T: Copy>(names: &HashMap<&str, T>, name: &str, ignore_case: bool) -> Option<T> {
    let similar =
        || names.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, found)| *found);
    names.get(name).copied().or_else(|| if ignore_case { similar() } else { None })
}

struct RuleParser<'a, 'n> {
    line: Line<'n>,
    tokens: Vec<(&'a str, usize)>,
    /// Byte position of the end of the rule, for errors after the last token.
    end: usize,
    next: usize,
    depth: usize,
    symbols: &'n SymbolTable<'n>,
    syntax: RuleSyntax,
}

impl<'a> RuleParser<'a, '_> {
    /// The next token; empty at the end.
    fn peek(&self) -> &'a str {
        self.tokens.get(self.next).map_or("", |(token, _)| token)
    }

    fn is(&self, keyword: &str) -> bool {
        let token = self.peek();
        if self.syntax.ignore_case { token.eq_ignore_ascii_case(keyword) } else { token == keyword }
    }

    fn take(&mut self, keyword: &str) -> bool {
        let found = self.is(keyword);
        self.next += usize::from(found);
        found
    }

    fn fail_expecting<T>(&self, expected: &str) -> Result<T> {
        let at = self.tokens.get(self.next).map_or(self.end, |(_, at)| *at);
        Err(self.line.error(at, format!("found {}, expected {expected}", quoted_or_end(self.peek()))))
    }

    /// [`fail_expecting`](Self::fail_expecting) one of `known`, with the most similar of these names.
    fn fail_unknown<'n, T>(&self, expected: &str, known: impl Iterator<Item = &'n str> + Clone) -> Result<T> {
        let similar = most_similar(self.peek(), known.clone()).filter(|name| !name.is_empty());
        let similar = similar.map_or_else(String::new, |name| format!(" (did you mean {}?)", quoted(&name)));
        let at = self.tokens.get(self.next).map_or(self.end, |(_, at)| *at);
        let (found, known) = (quoted_or_end(self.peek()), quoted_list(known));
        Err(self.line.error(at, format!("found {found}{similar}, expected {expected} ({known})")))
    }

    fn expect(&mut self, keyword: &str, expected: &str) -> Result<()> {
        if self.take(keyword) { Ok(()) } else { self.fail_expecting(expected) }
    }

    fn fail_extension<T>(&self) -> Result<T> {
        let at = self.tokens.get(self.next).map_or(self.end, |(_, at)| *at);
        Err(self.line.error(
            at,
            format!(
                "{} is a Fuzzion extension; add `# dialect: fuzzion` as the first line to allow it",
                quoted(self.peek())
            ),
        ))
    }

    fn rule(mut self) -> Result<Rule> {
        let antecedent = if self.is("else") {
            if !self.syntax.extended {
                return self.fail_extension();
            }
            self.next += 1;
            Antecedent::Else
        } else {
            self.expect("if", if self.syntax.extended { "`if` or `else`" } else { "`if`" })?;
            let antecedent = self.disjunction()?;
            self.expect("then", "`and`, `or` or `then`")?;
            antecedent
        };
        let mut consequent = vec![self.conclusion()?];
        while self.take("and") || self.syntax.ignore_case && self.take(",") {
            consequent.push(self.conclusion()?);
        }
        let mut weight = 1.0;
        if self.take("with") {
            let Some(value) = parse_number(self.peek()).filter(|w| w.is_finite()) else {
                return self.fail_expecting("a weight, such as 0.5");
            };
            weight = value;
            self.next += 1;
        }
        if self.next < self.tokens.len() {
            return self.fail_expecting("`and`, `with` or the end of the rule");
        }
        Ok(Rule { antecedent, consequent, weight })
    }

    fn disjunction(&mut self) -> Result<Antecedent> {
        let first = self.conjunction()?;
        let mut parts = vec![first];
        while self.take("or") {
            parts.push(self.conjunction()?);
        }
        Ok(combined(parts, Antecedent::Or))
    }

    fn conjunction(&mut self) -> Result<Antecedent> {
        let first = self.operand()?;
        let mut parts = vec![first];
        while self.take("and") {
            parts.push(self.operand()?);
        }
        Ok(combined(parts, Antecedent::And))
    }

    fn operand(&mut self) -> Result<Antecedent> {
        let negated =
            self.is("not") && self.tokens.get(self.next + 1).is_some_and(|(token, _)| *token == "(");
        if negated && !self.syntax.extended {
            return self.fail_extension();
        }
        self.next += usize::from(negated);
        if !self.is("(") {
            // IEC 61131-7 allows `not` before a proposition.
            let negated = self.syntax.ignore_case && self.take("not");
            let proposition = Antecedent::Is(self.proposition()?);
            return Ok(if negated { Antecedent::Not(Box::new(proposition)) } else { proposition });
        }
        if self.depth == MAX_NESTING {
            return self.fail_expecting(&format!("at most {MAX_NESTING} nested parentheses"));
        }
        self.next += 1;
        self.depth += 1;
        let inner = self.disjunction()?;
        self.depth -= 1;
        self.expect(")", "`and`, `or` or `)`")?;
        Ok(if negated { Antecedent::Not(Box::new(inner)) } else { inner })
    }

    fn proposition(&mut self) -> Result<Proposition> {
        let variable = lookup(&self.symbols.variables, self.peek(), self.syntax.ignore_case);
        let Some(variable) = variable else {
            let system = self.symbols.system;
            let known = system.inputs.iter().chain(system.outputs.iter().map(|o| &o.variable));
            return self.fail_unknown("a variable", known.map(|v| v.name.as_str()));
        };
        self.next += 1;
        self.expect("is", "`is`")?;
        let hedges = self.hedges(true);
        let set = if hedges.last() == Some(&Hedge::Any) { None } else { Some(self.set(variable)?) };
        Ok(Proposition { variable, hedges, set })
    }

    fn conclusion(&mut self) -> Result<Conclusion> {
        let Some(output) = lookup(&self.symbols.outputs, self.peek(), self.syntax.ignore_case) else {
            let known = self.symbols.system.outputs.iter().map(|o| o.variable.name.as_str());
            return self.fail_unknown("an output", known);
        };
        self.next += 1;
        self.expect("is", "`is`")?;
        let hedges = self.hedges(false);
        Ok(Conclusion { output, hedges, set: self.set(VariableIndex::Output(output))? })
    }

    /// Hedges before a set; in an antecedent, `any` is the last hedge, because it needs no set.
    fn hedges(&mut self, any_ends: bool) -> Vec<Hedge> {
        let mut hedges = Vec::new();
        let lower =
            |token: &str| if self.syntax.ignore_case { token.to_ascii_lowercase() } else { token.to_owned() };
        while let Ok(hedge) = lower(self.tokens.get(self.next).map_or("", |w| w.0)).parse::<Hedge>() {
            hedges.push(hedge);
            self.next += 1;
            if any_ends && hedge == Hedge::Any {
                break;
            }
        }
        hedges
    }

    fn set(&mut self, variable: VariableIndex) -> Result<usize> {
        let sets = self.symbols.sets.get(&variable);
        let sets = sets.expect("invariant: the symbol table has the sets of every variable");
        let Some(set) = lookup(sets, self.peek(), self.syntax.ignore_case) else {
            let variable = self.symbols.system.variable(variable);
            let known = variable.sets.iter().map(|set| set.name.as_str());
            return self.fail_unknown(&format!("a hedge or a set of {}", quoted(&variable.name)), known);
        };
        self.next += 1;
        Ok(set)
    }
}

/// The only operand, or all operands combined by `operator`.
fn combined(mut parts: Vec<Antecedent>, operator: fn(Vec<Antecedent>) -> Antecedent) -> Antecedent {
    if parts.len() == 1 { parts.remove(0) } else { operator(parts) }
}
