//! FCL to its blocks.

use super::lexer::{Lexer, Word, without_comments};
use super::terms::Term;
use crate::error::Result;
use crate::inference::text::{check_length, listed};
use crate::inference::{Defuzzifier, System, Weighted};
use crate::sets::{SNorm, TNorm};
use std::collections::HashMap;

impl System {
    /// Reads FCL; [`Dialect::Iec`](crate::inference::Dialect::Iec) gives its numbers.
    ///
    /// # Errors
    /// [`Error::Syntax`](crate::Error::Syntax) with a caret under what was not expected, and those of
    /// [`System::check`].
    pub fn from_fcl(text: &str) -> Result<Self> {
        check_length(super::FORMAT, text)?;
        let plain = without_comments(text)?;
        let mut reader = Reader {
            lexer: Lexer { original: text, plain: &plain, at: 0 },
            name: String::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            places: HashMap::new(),
            blocks: Vec::new(),
        };
        reader.function_block()?;
        reader.finish()
    }
}

/// A variable and what was said about it.
pub(super) struct Declared<'a> {
    pub(super) name: &'a str,
    pub(super) enabled: bool,
    pub(super) range: Option<(f64, f64)>,
    pub(super) lock_range: bool,
    pub(super) terms: Vec<(&'a str, Term)>,
    pub(super) method: Option<Defuzzifier>,
    pub(super) accumulation: Option<SNorm>,
    pub(super) default: Option<f64>,
    pub(super) keep: bool,
    /// Where it was declared, for messages.
    pub(super) at: usize,
}

#[derive(Default)]
pub(super) struct Block<'a> {
    pub(super) name: &'a str,
    pub(super) disabled: bool,
    pub(super) and: Option<TNorm>,
    pub(super) or: Option<SNorm>,
    pub(super) implication: Option<TNorm>,
    pub(super) accumulation: Option<SNorm>,
    /// Where each rule's text begins and ends.
    pub(super) rules: Vec<(usize, usize)>,
}

pub(super) struct Reader<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) name: String,
    pub(super) inputs: Vec<Declared<'a>>,
    pub(super) outputs: Vec<Declared<'a>>,
    /// Of each name in lower case: whether it is an input, and its number among them.
    places: HashMap<String, (bool, usize)>,
    pub(super) blocks: Vec<Block<'a>>,
}

const T_NORMS: [(&str, TNorm); 10] = [
    ("MIN", TNorm::Minimum),
    ("PROD", TNorm::AlgebraicProduct),
    ("BDIF", TNorm::BoundedDifference),
    ("DPROD", TNorm::DrasticProduct),
    ("DMIN", TNorm::DrasticProduct),
    ("EPROD", TNorm::EinsteinProduct),
    ("HPROD", TNorm::HamacherProduct),
    ("HAMACHER", TNorm::HamacherProduct),
    ("NMIN", TNorm::NilpotentMinimum),
    ("NIPMIN", TNorm::NilpotentMinimum),
];
const S_NORMS: [(&str, SNorm); 14] = [
    ("MAX", SNorm::Maximum),
    ("ASUM", SNorm::AlgebraicSum),
    ("PROBOR", SNorm::AlgebraicSum),
    ("BSUM", SNorm::BoundedSum),
    ("NSUM", SNorm::NormalizedSum),
    ("SUM", SNorm::UnboundedSum),
    ("USUM", SNorm::UnboundedSum),
    ("DSUM", SNorm::DrasticSum),
    ("DMAX", SNorm::DrasticSum),
    ("ESUM", SNorm::EinsteinSum),
    ("EINSTEIN", SNorm::EinsteinSum),
    ("HSUM", SNorm::HamacherSum),
    ("NMAX", SNorm::NilpotentMaximum),
    ("NIPMAX", SNorm::NilpotentMaximum),
];
const METHODS: [(&str, Defuzzifier); 8] = [
    ("COG", Defuzzifier::Centroid { samples: None }),
    ("COGF", Defuzzifier::Centroid { samples: None }),
    ("COGS", Defuzzifier::WeightedAverage { kind: Weighted::Automatic }),
    ("COGSS", Defuzzifier::WeightedSum { kind: Weighted::Automatic }),
    ("COA", Defuzzifier::Bisector { samples: None }),
    ("LM", Defuzzifier::SmallestOfMaximum { samples: None }),
    ("RM", Defuzzifier::LargestOfMaximum { samples: None }),
    ("MM", Defuzzifier::MeanOfMaximum { samples: None }),
];

impl<'a> Lexer<'a> {
    /// One of `known` by its word, in front of a `;`; `NONE` is none.
    fn choice<T: Copy>(&mut self, known: &[(&str, T)]) -> Result<Option<T>> {
        self.expect(":")?;
        let word = self.peek();
        let found = known.iter().find(|(name, _)| word.is(name)).map(|(_, found)| *found);
        if found.is_none() && !word.is("NONE") {
            return self.refuse(word, &format!("one of {}", listed(known.iter().map(|(name, _)| *name))));
        }
        self.next();
        self.expect(";")?;
        Ok(found)
    }

    /// `( a .. b )`
    fn range(&mut self) -> Result<(f64, f64)> {
        self.expect("(")?;
        let from = self.number()?;
        self.expect("..")?;
        let to = self.number()?;
        self.expect(")")?;
        Ok((from, to))
    }

    /// Passes over what is not looked at, up to and with `end`.
    fn skip(&mut self, end: &str) -> Result<()> {
        loop {
            let word = self.next();
            if word.is(end) {
                return Ok(());
            }
            if word.text.is_empty() {
                return self.refuse(word, &format!("`{end}`"));
            }
        }
    }

    fn truth(&mut self) -> Result<bool> {
        self.expect(":")?;
        let truth = self.take("TRUE");
        if !truth && !self.take("FALSE") {
            return self.refuse(self.peek(), "`TRUE` or `FALSE`");
        }
        self.expect(";")?;
        Ok(truth)
    }
}

impl<'a> Reader<'a> {
    fn function_block(&mut self) -> Result<()> {
        self.lexer.expect("FUNCTION_BLOCK")?;
        if !["VAR_INPUT", "VAR_OUTPUT", "VAR"].iter().any(|word| self.lexer.peek().is(word)) {
            self.name = self.lexer.name("the name of the function block")?.to_owned();
        }
        while !self.lexer.take("END_FUNCTION_BLOCK") {
            let word = self.lexer.next();
            match word.text.to_ascii_uppercase().as_str() {
                "VAR_INPUT" => self.variables(true)?,
                "VAR_OUTPUT" => self.variables(false)?,
                "VAR" => self.lexer.skip("END_VAR")?,
                "OPTION" => self.lexer.skip("END_OPTION")?,
                "OPTIONS" => self.lexer.skip("END_OPTIONS")?,
                "FUZZIFY" => self.fuzzify(true)?,
                "DEFUZZIFY" => self.fuzzify(false)?,
                "RULEBLOCK" => self.rule_block()?,
                _ => {
                    let expected = "`VAR_INPUT`, `VAR_OUTPUT`, `FUZZIFY`, `DEFUZZIFY`, `RULEBLOCK` or \
                                    `END_FUNCTION_BLOCK`";
                    return self.lexer.refuse(word, expected);
                }
            }
        }
        let word = self.lexer.peek();
        if word.text.is_empty() {
            Ok(())
        } else {
            self.lexer.refuse(word, "the end: one function block is read")
        }
    }

    /// `a, b : REAL;` up to `END_VAR`.
    fn variables(&mut self, input: bool) -> Result<()> {
        while !self.lexer.take("END_VAR") {
            let start = if input { self.inputs.len() } else { self.outputs.len() };
            loop {
                let at = self.lexer.peek().at;
                let name = self.lexer.name("a variable or `END_VAR`")?;
                self.declare(input, name, at)?;
                if !self.lexer.take(",") {
                    break;
                }
            }
            self.lexer.expect(":")?;
            self.lexer.name("a type, such as `REAL`")?;
            let mut range = if self.lexer.peek().is("(") { Some(self.lexer.range()?) } else { None };
            if self.lexer.take(":=") {
                self.lexer.number()?; // what it is before the first row, which rows do not need
            }
            self.lexer.expect(";")?;
            if self.lexer.take("RANGE") {
                self.lexer.expect(":=")?;
                range = Some(self.lexer.range()?);
                self.lexer.expect(";")?;
            }
            let all = if input { &mut self.inputs } else { &mut self.outputs };
            all[start..].iter_mut().for_each(|declared| declared.range = range);
        }
        Ok(())
    }

    fn declare(&mut self, input: bool, name: &'a str, at: usize) -> Result<()> {
        let index = if input { self.inputs.len() } else { self.outputs.len() };
        if self.places.insert(name.to_ascii_lowercase(), (input, index)).is_some() {
            return self.lexer.refuse(Word { text: name, at }, "a name that no other variable has");
        }
        let declared = Declared {
            name,
            enabled: true,
            range: None,
            lock_range: false,
            terms: Vec::new(),
            method: None,
            accumulation: None,
            default: None,
            keep: false,
            at,
        };
        if input {
            self.inputs.push(declared)
        } else {
            self.outputs.push(declared)
        }
        Ok(())
    }

    /// A `FUZZIFY` of an input or a `DEFUZZIFY` of an output, after its first word.
    fn fuzzify(&mut self, input: bool) -> Result<()> {
        let (all, what, end) = if input {
            (&mut self.inputs, "input", "END_FUZZIFY")
        } else {
            (&mut self.outputs, "output", "END_DEFUZZIFY")
        };
        let lexer = &mut self.lexer;
        let word = lexer.peek();
        let place = self.places.get(&word.text.to_ascii_lowercase()).filter(|place| place.0 == input);
        let Some(&(_, index)) = place else {
            let names = listed(all.iter().map(|declared| declared.name));
            return lexer.refuse(word, &format!("an {what} ({names})"));
        };
        let declared = &mut all[index];
        lexer.next();
        while !lexer.take(end) {
            let word = lexer.next();
            match word.text.to_ascii_uppercase().as_str() {
                "TERM" => {
                    let name = lexer.name("the name of a set")?;
                    lexer.expect(":=")?;
                    declared.terms.push((name, lexer.term()?));
                }
                "RANGE" => {
                    lexer.expect(":=")?;
                    declared.range = Some(lexer.range()?);
                    lexer.expect(";")?;
                }
                "ENABLED" => declared.enabled = lexer.truth()?,
                "LOCK" => lock(lexer, declared)?,
                "METHOD" if !input => declared.method = lexer.choice(&METHODS)?,
                "ACCU" if !input => declared.accumulation = lexer.choice(&S_NORMS)?,
                "DEFAULT" if !input => default(lexer, declared)?,
                _ if input => return lexer.refuse(word, "`TERM`, `RANGE` or `END_FUZZIFY`"),
                _ => {
                    let expected = "`TERM`, `RANGE`, `METHOD`, `ACCU`, `DEFAULT` or `END_DEFUZZIFY`";
                    return lexer.refuse(word, expected);
                }
            }
        }
        Ok(())
    }

    fn rule_block(&mut self) -> Result<()> {
        let lexer = &mut self.lexer;
        let mut block = Block { name: lexer.name("the name of the rule block")?, ..Block::default() };
        while !lexer.take("END_RULEBLOCK") {
            let word = lexer.next();
            match word.text.to_ascii_uppercase().as_str() {
                "AND" => block.and = lexer.choice(&T_NORMS)?,
                "OR" => block.or = lexer.choice(&S_NORMS)?,
                "ACT" => block.implication = lexer.choice(&T_NORMS)?,
                "ACCU" => block.accumulation = lexer.choice(&S_NORMS)?,
                "ENABLED" => block.disabled = !lexer.truth()?,
                "OPTION" => lexer.skip("END_OPTION")?,
                "RULE" => {
                    if !lexer.peek().is(":") {
                        lexer.next(); // its number, or its name
                    }
                    lexer.expect(":")?;
                    let start = lexer.at; // not of its first word: it may have none
                    block.rules.push((start, rule_end(lexer)?));
                }
                _ => return lexer.refuse(word, "`AND`, `OR`, `ACT`, `ACCU`, `RULE` or `END_RULEBLOCK`"),
            }
        }
        self.blocks.push(block);
        Ok(())
    }
}

/// Where the rule ends: before its `;`, which is taken, or where fuzzylite writes none, before the next keyword.
fn rule_end(lexer: &mut Lexer<'_>) -> Result<usize> {
    let mut end = lexer.at;
    loop {
        let word = lexer.peek();
        if word.is(";") {
            lexer.next();
            return Ok(end);
        }
        if word.is("RULE") || word.is("END_RULEBLOCK") {
            return Ok(end);
        }
        if word.text.is_empty() {
            return lexer.refuse(word, "`;`");
        }
        lexer.next();
        end = lexer.at;
    }
}

/// `: RANGE;`, `: PREVIOUS;` or both with a `|`.
fn lock(lexer: &mut Lexer<'_>, declared: &mut Declared<'_>) -> Result<()> {
    lexer.expect(":")?;
    loop {
        if lexer.take("RANGE") {
            declared.lock_range = true;
        } else if lexer.take("PREVIOUS") {
            declared.keep = true;
        } else {
            return lexer.refuse(lexer.peek(), "`RANGE` or `PREVIOUS`");
        }
        if !lexer.take("|") {
            return lexer.expect(";");
        }
    }
}

/// `:= 5;`, `:= NC;` or `:= 5 | NC;`
fn default(lexer: &mut Lexer<'_>, declared: &mut Declared<'_>) -> Result<()> {
    lexer.expect(":=")?;
    if lexer.take("NC") {
        declared.keep = true;
        return lexer.expect(";");
    }
    if crate::inference::text::number(lexer.peek().text).is_none() {
        return lexer.refuse(lexer.peek(), "a number or `NC`");
    }
    declared.default = Some(lexer.number()?).filter(|value| !value.is_nan());
    if lexer.take("|") {
        lexer.expect("NC")?;
        declared.keep = true;
    }
    lexer.expect(";")
}
