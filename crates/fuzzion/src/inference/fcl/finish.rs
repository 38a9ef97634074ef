//! The blocks of FCL to a system.

use super::lexer::Word;
use super::read::{Block, Declared, Reader};
use super::terms::Term;
use crate::error::Result;
use crate::inference::rule_text::{Names, Style};
use crate::inference::text::{shown, words};
use crate::inference::{Conjunction, Defuzzifier, NamedSet, Output, RuleBlock, System, Variable, Weighted};
use crate::sets::{Cut, SNorm, Set, Shape, TNorm};

/// The most words of a rule; a text of one endless rule would fill the memory.
const MAX_WORDS: usize = 100_000;
/// Where a set that only fades ends, in parts of its height.
const FADED: f64 = 0.01;
/// Where a set that only nears its height is taken to have reached it.
const FULL: f64 = 0.99;
/// The operators that belong together by De Morgan's law.
const PARTNERS: [(TNorm, SNorm); 3] = [
    (TNorm::Minimum, SNorm::Maximum),
    (TNorm::AlgebraicProduct, SNorm::AlgebraicSum),
    (TNorm::BoundedDifference, SNorm::BoundedSum),
];

impl Reader<'_> {
    pub(super) fn finish(self) -> Result<System> {
        let mut system = System::new(self.name.as_str());
        // One ACCU in a rule block speaks for all outputs that do not say.
        let accumulation = self.blocks.iter().find_map(|block| block.accumulation);
        for declared in &self.inputs {
            system.inputs.push(self.variable(declared, false)?);
        }
        for declared in &self.outputs {
            let variable = self.variable(declared, true)?;
            system.outputs.push(self.output(declared, variable, accumulation)?);
        }
        let blocks: Vec<RuleBlock> = {
            let names = Names::new(&system);
            self.blocks.iter().map(|block| self.block(block, &names)).collect::<Result<_>>()?
        };
        system.blocks = blocks;
        system.check()?;
        Ok(system)
    }

    fn variable(&self, declared: &Declared<'_>, output: bool) -> Result<Variable> {
        let mut variable = Variable::new(declared.name, f64::NEG_INFINITY, f64::INFINITY);
        variable.enabled = declared.enabled;
        variable.lock_range = declared.lock_range;
        for (name, term) in &declared.terms {
            let set = match term {
                Term::Set(set) => Ok(set.clone()),
                Term::Singleton(x, y) if !output => {
                    Set::rectangle(*x, *x).and_then(|set| set.with_height(*y))
                }
                Term::Singleton(x, 1.0) => Set::constant(*x),
                Term::Singleton(..) => {
                    let problem = format!(
                        "the singleton {} of {} has a height; give it the membership 1",
                        shown(name),
                        shown(declared.name)
                    );
                    return Err(self.lexer.line().error(declared.at, problem));
                }
            };
            let set = set.map_err(|cause| self.lexer.line().because(declared.at, cause))?;
            variable.sets.push(NamedSet { name: (*name).to_owned(), set });
        }
        let range = declared.range.or_else(|| range(&variable.sets));
        (variable.minimum, variable.maximum) = range.unwrap_or((variable.minimum, variable.maximum));
        Ok(variable)
    }

    fn output(&self, declared: &Declared<'_>, variable: Variable, accu: Option<SNorm>) -> Result<Output> {
        let consequent = |named: &NamedSet| {
            matches!(
                named.set.shape(),
                Shape::Constant { .. } | Shape::Linear { .. } | Shape::Function { .. }
            )
        };
        let centroid = Defuzzifier::Centroid { samples: None };
        let mut defuzzifier = declared.method.unwrap_or(centroid);
        let singletons = variable.sets.iter().filter(|named| consequent(named)).count();
        if defuzzifier == centroid && singletons > 0 && singletons == variable.sets.len() {
            defuzzifier = Defuzzifier::WeightedAverage { kind: Weighted::Automatic };
        }
        let areas = |named: &&NamedSet| matches!(named.set.shape(), Shape::Constant { .. });
        if defuzzifier.is_sampled()
            && let Some(named) = variable.sets.iter().find(areas)
        {
            let problem = format!(
                "{} of {} is a singleton, which has no area; use `METHOD : COGS`",
                shown(&named.name),
                shown(&variable.name)
            );
            return Err(self.lexer.line().error(declared.at, problem));
        }
        let accumulation = declared.accumulation.or(accu).unwrap_or(SNorm::Maximum);
        Ok(Output {
            variable,
            aggregation: Some(accumulation),
            defuzzifier,
            scale: 1.0,
            default: declared.default,
            lock_previous: declared.keep,
        })
    }

    fn block(&self, block: &Block<'_>, names: &Names<'_>) -> Result<RuleBlock> {
        let partner_of = |or| PARTNERS.iter().find(|(_, partner)| *partner == or).map(|(and, _)| *and);
        let and = block.and.or_else(|| block.or.and_then(partner_of)).unwrap_or(TNorm::Minimum);
        let partner = PARTNERS.iter().find(|(one, _)| *one == and).map(|(_, or)| *or);
        let mut made = RuleBlock {
            enabled: !block.disabled,
            conjunction: Some(Conjunction::Norm(and)),
            disjunction: Some(block.or.or(partner).unwrap_or(SNorm::Maximum)),
            implication: Some(block.implication.unwrap_or(TNorm::Minimum)),
            ..RuleBlock::bare(block.name)
        };
        let style = Style { any_case: true, extended: true };
        for &(start, end) in &block.rules {
            let text = &self.lexer.plain[start..end];
            if text.split_whitespace().nth(MAX_WORDS).is_some() {
                let word = Word { text: "", at: end };
                return self.lexer.refuse(word, "a rule of at most 100000 words");
            }
            made.rules.push(names.read_words(self.lexer.line(), words(text, start), end, style)?);
        }
        Ok(made)
    }
}

/// From where the first set begins to where the last one ends.
fn range(sets: &[NamedSet]) -> Option<(f64, f64)> {
    let ends = sets.iter().flat_map(|named| ends(&named.set));
    ends.fold(None, |range: Option<(f64, f64)>, x| {
        Some(range.map_or((x, x), |(low, high)| (low.min(x), high.max(x))))
    })
}

/// The finite places where a set begins and ends.
fn ends(set: &Set) -> Vec<f64> {
    match set.shape() {
        Shape::Constant { value } => return vec![*value],
        Shape::Discrete { points } => return points.iter().map(|(x, _)| *x).collect(),
        _ => {}
    }
    let nearly = |part: f64| set.alpha_cut(part * set.height());
    let faded = [set.support(), nearly(FADED)];
    let full = set.core().or(nearly(FULL));
    let end = |outer: fn(&Cut) -> f64, inner: fn(&Cut) -> f64| {
        let outer = faded.iter().flatten().chain(&full).map(outer).find(|x| x.is_finite());
        outer.or(full.as_ref().map(inner).filter(|x| x.is_finite()))
    };
    let lower = end(|cut| cut.lower, |cut| cut.upper);
    let upper = end(|cut| cut.upper, |cut| cut.lower);
    lower.into_iter().chain(upper).collect()
}
