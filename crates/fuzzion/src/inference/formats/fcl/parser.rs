//! Parser for the blocks of FCL.

use super::lexer::{Lexer, Token, without_comments};
use super::terms::{Term, VariableIndices};
use crate::inference::error::Result;
use crate::inference::syntax::{check_length, quoted_list};
use crate::inference::{Defuzzifier, System, WeightedKind};
use crate::sets::{SNorm, TNorm};
use std::collections::HashMap;

impl System {
    /// Parses FCL; use [`Dialect::Iec`](crate::inference::Dialect::Iec) for inference. See [`fcl`](crate::inference::fcl) for an example.
    ///
    /// # Errors
    /// [`InferenceError::Syntax`](crate::inference::InferenceError::Syntax) with the location, and the errors of [`System::check`].
    pub fn from_fcl(text: &str) -> Result<Self> {
        read(text, None)
    }

    /// Parses the function block with the given name, ignoring case, of an FCL text with one or more.
    ///
    /// # Errors
    /// Those of [`System::from_fcl`], and [`InferenceError::FunctionBlock`](crate::inference::InferenceError::FunctionBlock) if there is no
    /// function block of this name.
    pub fn from_fcl_block(text: &str, block: &str) -> Result<Self> {
        read(text, Some(block))
    }

    /// Names of the function blocks of an FCL text, for [`System::from_fcl_block`].
    ///
    /// # Errors
    /// [`InferenceError::Syntax`](crate::inference::InferenceError::Syntax) for a comment that does not end.
    pub fn fcl_blocks(text: &str) -> Result<Vec<String>> {
        let plain = without_comments(text)?;
        let blocks = Lexer { original: text, plain: &plain, at: 0 }.function_blocks();
        Ok(blocks.into_iter().map(|(name, _)| name.to_owned()).collect())
    }
}

/// Parses FCL, or one function block of it.
pub(in crate::inference) fn read(text: &str, block: Option<&str>) -> Result<System> {
    check_length(super::FORMAT, text)?;
    let plain = without_comments(text)?;
    let lexer = Lexer { original: text, plain: &plain, at: 0 };
    let mut parser = Parser {
        lexer: Lexer { at: lexer.function_block(block)?, ..lexer },
        name: String::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        variable_indices: HashMap::new(),
        blocks: Vec::new(),
    };
    parser.function_block()?;
    parser.build()
}

/// Declaration of a variable with the fields of its `FUZZIFY` or `DEFUZZIFY` block.
pub(super) struct VariableDeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) enabled: bool,
    pub(super) range: Option<(f64, f64)>,
    pub(super) lock_range: bool,
    pub(super) terms: Vec<(&'a str, Term)>,
    pub(super) method: Option<Defuzzifier>,
    pub(super) accumulation: Option<SNorm>,
    pub(super) default: Option<f64>,
    pub(super) lock_previous: bool,
    /// Byte position of the declaration, for messages.
    pub(super) at: usize,
}

#[derive(Default)]
pub(super) struct RuleBlockDeclaration<'a> {
    pub(super) name: &'a str,
    pub(super) disabled: bool,
    pub(super) and: Option<TNorm>,
    pub(super) or: Option<SNorm>,
    pub(super) implication: Option<TNorm>,
    pub(super) accumulation: Option<SNorm>,
    /// Start and end positions of the rules.
    pub(super) rules: Vec<(usize, usize)>,
}

pub(super) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) name: String,
    pub(super) inputs: Vec<VariableDeclaration<'a>>,
    pub(super) outputs: Vec<VariableDeclaration<'a>>,
    variable_indices: VariableIndices,
    pub(super) blocks: Vec<RuleBlockDeclaration<'a>>,
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
    ("COGS", Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic }),
    ("COGSS", Defuzzifier::WeightedSum { kind: WeightedKind::Automatic }),
    ("COA", Defuzzifier::Bisector { samples: None }),
    ("LM", Defuzzifier::SmallestOfMaximum { samples: None }),
    ("RM", Defuzzifier::LargestOfMaximum { samples: None }),
    ("MM", Defuzzifier::MeanOfMaximum { samples: None }),
];

impl<'a> Lexer<'a> {
    /// Value of an option name followed by `;`; `None` for `NONE`.
    fn choice<T: Copy>(&mut self, known: &[(&str, T)]) -> Result<Option<T>> {
        self.expect(":")?;
        let token = self.peek();
        let found = known.iter().find(|(name, _)| token.is(name)).map(|(_, found)| *found);
        if found.is_none() && !token.is("NONE") {
            return self.fail_expecting(
                token,
                &format!("one of {}", quoted_list(known.iter().map(|(name, _)| *name))),
            );
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

    /// Skips all tokens up to and including `end`.
    fn skip(&mut self, end: &str) -> Result<()> {
        loop {
            let token = self.next();
            if token.is(end) {
                return Ok(());
            }
            if token.text.is_empty() {
                return self.fail_expecting(token, &format!("`{end}`"));
            }
        }
    }

    fn boolean(&mut self) -> Result<bool> {
        self.expect(":")?;
        let value = self.take("TRUE");
        if !value && !self.take("FALSE") {
            return self.fail_expecting(self.peek(), "`TRUE` or `FALSE`");
        }
        self.expect(";")?;
        Ok(value)
    }
}

impl<'a> Parser<'a> {
    fn function_block(&mut self) -> Result<()> {
        self.lexer.expect("FUNCTION_BLOCK")?;
        if !["VAR_INPUT", "VAR_OUTPUT", "VAR"].iter().any(|token| self.lexer.peek().is(token)) {
            self.name = self.lexer.name("the name of the function block")?.to_owned();
        }
        while !self.lexer.take("END_FUNCTION_BLOCK") {
            let token = self.lexer.next();
            match token.text.to_ascii_uppercase().as_str() {
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
                    return self.lexer.fail_expecting(token, expected);
                }
            }
        }
        let token = self.lexer.peek();
        if token.text.is_empty() || token.is("FUNCTION_BLOCK") {
            Ok(())
        } else {
            self.lexer.fail_expecting(token, "`FUNCTION_BLOCK` or the end of the text")
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
                self.lexer.number()?; // initial value, not used
            }
            self.lexer.expect(";")?;
            if self.lexer.take("RANGE") {
                self.lexer.expect(":=")?;
                range = Some(self.lexer.range()?);
                self.lexer.expect(";")?;
            }
            let all = if input { &mut self.inputs } else { &mut self.outputs };
            all[start..].iter_mut().for_each(|declaration| declaration.range = range);
        }
        Ok(())
    }

    fn declare(&mut self, input: bool, name: &'a str, at: usize) -> Result<()> {
        let index = if input { self.inputs.len() } else { self.outputs.len() };
        if self.variable_indices.insert(name.to_ascii_lowercase(), (input, index)).is_some() {
            return self.lexer.fail_expecting(Token { text: name, at }, "a unique variable name");
        }
        let declaration = VariableDeclaration {
            name,
            enabled: true,
            range: None,
            lock_range: false,
            terms: Vec::new(),
            method: None,
            accumulation: None,
            default: None,
            lock_previous: false,
            at,
        };
        if input {
            self.inputs.push(declaration)
        } else {
            self.outputs.push(declaration)
        }
        Ok(())
    }

    /// `FUZZIFY` block of an input or `DEFUZZIFY` block of an output, after its keyword.
    fn fuzzify(&mut self, input: bool) -> Result<()> {
        let (all, what, end) = if input {
            (&mut self.inputs, "input", "END_FUZZIFY")
        } else {
            (&mut self.outputs, "output", "END_DEFUZZIFY")
        };
        let lexer = &mut self.lexer;
        let token = lexer.peek();
        let entry =
            self.variable_indices.get(&token.text.to_ascii_lowercase()).filter(|entry| entry.0 == input);
        let Some(&(_, index)) = entry else {
            let names = quoted_list(all.iter().map(|declaration| declaration.name));
            return lexer.fail_expecting(token, &format!("an {what} ({names})"));
        };
        let declaration = &mut all[index];
        lexer.next();
        while !lexer.take(end) {
            let token = lexer.next();
            match token.text.to_ascii_uppercase().as_str() {
                "TERM" => {
                    let name = lexer.name("the name of a set")?;
                    lexer.expect(":=")?;
                    declaration.terms.push((name, lexer.term(&self.variable_indices)?));
                }
                "RANGE" => {
                    lexer.expect(":=")?;
                    declaration.range = Some(lexer.range()?);
                    lexer.expect(";")?;
                }
                "ENABLED" => declaration.enabled = lexer.boolean()?,
                "LOCK" => lock(lexer, declaration)?,
                "METHOD" if !input => declaration.method = lexer.choice(&METHODS)?,
                "ACCU" if !input => declaration.accumulation = lexer.choice(&S_NORMS)?,
                "DEFAULT" if !input => default(lexer, declaration)?,
                _ if input => return lexer.fail_expecting(token, "`TERM`, `RANGE` or `END_FUZZIFY`"),
                _ => {
                    let expected = "`TERM`, `RANGE`, `METHOD`, `ACCU`, `DEFAULT` or `END_DEFUZZIFY`";
                    return lexer.fail_expecting(token, expected);
                }
            }
        }
        Ok(())
    }

    fn rule_block(&mut self) -> Result<()> {
        let lexer = &mut self.lexer;
        let mut block = RuleBlockDeclaration {
            name: lexer.name("the name of the rule block")?,
            ..RuleBlockDeclaration::default()
        };
        while !lexer.take("END_RULEBLOCK") {
            let token = lexer.next();
            match token.text.to_ascii_uppercase().as_str() {
                "AND" => block.and = lexer.choice(&T_NORMS)?,
                "OR" => block.or = lexer.choice(&S_NORMS)?,
                "ACT" => block.implication = lexer.choice(&T_NORMS)?,
                "ACCU" => block.accumulation = lexer.choice(&S_NORMS)?,
                "ENABLED" => block.disabled = !lexer.boolean()?,
                "OPTION" => lexer.skip("END_OPTION")?,
                "RULE" => {
                    if !lexer.peek().is(":") {
                        lexer.next(); // number or name of the rule
                    }
                    lexer.expect(":")?;
                    let start = lexer.at; // not the position of the first token, because the rule may be empty
                    block.rules.push((start, rule_end(lexer)?));
                }
                _ => {
                    return lexer
                        .fail_expecting(token, "`AND`, `OR`, `ACT`, `ACCU`, `RULE` or `END_RULEBLOCK`");
                }
            }
        }
        self.blocks.push(block);
        Ok(())
    }
}

/// End of a rule: before `;`, which is consumed, or before the next keyword, because fuzzylite omits the `;`.
fn rule_end(lexer: &mut Lexer<'_>) -> Result<usize> {
    let mut end = lexer.at;
    loop {
        let token = lexer.peek();
        if token.is(";") {
            lexer.next();
            return Ok(end);
        }
        if token.is("RULE") || token.is("END_RULEBLOCK") {
            return Ok(end);
        }
        if token.text.is_empty() {
            return lexer.fail_expecting(token, "`;`");
        }
        lexer.next();
        end = lexer.at;
    }
}

/// `: RANGE;`, `: PREVIOUS;` or both, separated by `|`.
fn lock(lexer: &mut Lexer<'_>, declaration: &mut VariableDeclaration<'_>) -> Result<()> {
    lexer.expect(":")?;
    loop {
        if lexer.take("RANGE") {
            declaration.lock_range = true;
        } else if lexer.take("PREVIOUS") {
            declaration.lock_previous = true;
        } else {
            return lexer.fail_expecting(lexer.peek(), "`RANGE` or `PREVIOUS`");
        }
        if !lexer.take("|") {
            return lexer.expect(";");
        }
    }
}

/// `:= 5;`, `:= NC;` or `:= 5 | NC;`
fn default(lexer: &mut Lexer<'_>, declaration: &mut VariableDeclaration<'_>) -> Result<()> {
    lexer.expect(":=")?;
    if lexer.take("NC") {
        declaration.lock_previous = true;
        return lexer.expect(";");
    }
    if crate::inference::syntax::parse_number(lexer.peek().text).is_none() {
        return lexer.fail_expecting(lexer.peek(), "a number or `NC`");
    }
    declaration.default = Some(lexer.number()?).filter(|value| !value.is_nan());
    if lexer.take("|") {
        lexer.expect("NC")?;
        declaration.lock_previous = true;
    }
    lexer.expect(";")
}
