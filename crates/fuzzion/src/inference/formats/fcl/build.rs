//! Builds a system from the blocks of FCL.

use super::lexer::Token;
use super::parser::{Parser, RuleBlockDeclaration, VariableDeclaration};
use super::terms::{Point, Position, Term, variable_set};
use crate::inference::error::{InferenceError, Result};
use crate::inference::syntax::{RuleSyntax, SymbolTable, quoted, tokenize};
use crate::inference::{
    Conjunction, Defuzzifier, NamedSet, Output, RuleBlock, System, Variable, WeightedKind,
};
use crate::sets::{Interval, SNorm, Set, Shape, TNorm};

/// Maximum number of tokens of a rule, which limits memory use.
const MAX_RULE_TOKENS: usize = 100_000;
/// Fraction of the height at which infinite tails are cut.
const TAIL: f64 = 0.01;
/// Fraction of the height at which a set that only approaches its height is considered to reach it.
const CORE: f64 = 0.99;
/// Dual operators by De Morgan's laws.
const DUAL_NORMS: [(TNorm, SNorm); 3] = [
    (TNorm::Minimum, SNorm::Maximum),
    (TNorm::AlgebraicProduct, SNorm::AlgebraicSum),
    (TNorm::BoundedDifference, SNorm::BoundedSum),
];

impl Parser<'_> {
    pub(super) fn build(self) -> Result<System> {
        let mut system = System::new(self.name.as_str());
        // The ACCU of a rule block applies to all outputs that do not have one.
        let accumulation = self.blocks.iter().find_map(|block| block.accumulation);
        for declaration in &self.inputs {
            system.inputs.push(self.variable(declaration, false)?);
        }
        for declaration in &self.outputs {
            let variable = self.variable(declaration, true)?;
            system.outputs.push(self.output(declaration, variable, accumulation)?);
        }
        let blocks: Vec<RuleBlock> = {
            let symbols = SymbolTable::new(&system);
            self.blocks.iter().map(|block| self.block(block, &symbols)).collect::<Result<_>>()?
        };
        system.blocks = blocks;
        system.check()?;
        Ok(system)
    }

    fn variable(&self, declaration: &VariableDeclaration<'_>, output: bool) -> Result<Variable> {
        let mut variable = Variable::new(declaration.name, f64::NEG_INFINITY, f64::INFINITY);
        variable.enabled = declaration.enabled;
        variable.lock_range = declaration.lock_range;
        for (name, term) in &declaration.terms {
            let set = match term {
                Term::Set(set) => Ok(set.clone()),
                Term::Singleton(x, y) if !output => {
                    Set::rectangle(*x, *x).and_then(|set| set.with_height(*y))
                }
                Term::Singleton(x, 1.0) => Set::constant(*x),
                Term::Variable(points) => match points[..] {
                    [Point { position: Position::Input(input), membership: 1.0 }] if output => {
                        let mut coefficients = vec![0.0; self.inputs.len()];
                        coefficients[input] = 1.0;
                        Set::linear(&coefficients, 0.0)
                    }
                    [_] if output => return Err(self.singleton_membership(declaration, name)),
                    _ => {
                        let names: Vec<&str> = self.inputs.iter().map(|input| input.name).collect();
                        variable_set(points, &names)
                    }
                },
                Term::Singleton(..) => return Err(self.singleton_membership(declaration, name)),
            };
            let set = set.map_err(|cause| self.lexer.line().locate(declaration.at, cause))?;
            variable.sets.push(NamedSet { name: (*name).to_owned(), set });
        }
        let is_variable = declaration.terms.iter().any(|(_, term)| matches!(term, Term::Variable(_)));
        let range = declaration.range.or_else(|| range(&variable.sets).filter(|_| !is_variable));
        (variable.minimum, variable.maximum) = range.unwrap_or((variable.minimum, variable.maximum));
        Ok(variable)
    }

    /// Error for a singleton of an output whose membership is not 1.
    fn singleton_membership(&self, declaration: &VariableDeclaration<'_>, name: &str) -> InferenceError {
        let problem = format!(
            "the singleton {} of {} has a membership other than 1; use 1",
            quoted(name),
            quoted(declaration.name)
        );
        self.lexer.line().error(declaration.at, problem)
    }

    fn output(
        &self,
        declaration: &VariableDeclaration<'_>,
        variable: Variable,
        block_accumulation: Option<SNorm>,
    ) -> Result<Output> {
        let is_consequent = |(named, (_, term)): &(&NamedSet, &(&str, Term))| match named.set.shape() {
            Shape::Constant { .. } | Shape::Linear { .. } => true,
            Shape::Function { .. } => !matches!(term, Term::Variable(_)),
            _ => false,
        };
        let centroid = Defuzzifier::Centroid { samples: None };
        let mut defuzzifier = declaration.method.unwrap_or(centroid);
        let singletons = variable.sets.iter().zip(&declaration.terms).filter(is_consequent).count();
        if defuzzifier == centroid && singletons > 0 && singletons == variable.sets.len() {
            defuzzifier = Defuzzifier::WeightedAverage { kind: WeightedKind::Automatic };
        }
        let is_singleton = |(named, (_, term)): &(&NamedSet, &(&str, Term))| {
            matches!(named.set.shape(), Shape::Constant { .. })
                || matches!(term, Term::Variable(points) if points.len() == 1)
        };
        if defuzzifier.is_sampled()
            && let Some((named, _)) = variable.sets.iter().zip(&declaration.terms).find(is_singleton)
        {
            let problem = format!(
                "{} of {} is a singleton, which has no area; use `METHOD : COGS`",
                quoted(&named.name),
                quoted(&variable.name)
            );
            return Err(self.lexer.line().error(declaration.at, problem));
        }
        let accumulation = declaration.accumulation.or(block_accumulation).unwrap_or(SNorm::Maximum);
        Ok(Output {
            variable,
            aggregation: Some(accumulation),
            defuzzifier,
            scale: 1.0,
            default: declaration.default,
            lock_previous: declaration.lock_previous,
        })
    }

    fn block(&self, block: &RuleBlockDeclaration<'_>, symbols: &SymbolTable<'_>) -> Result<RuleBlock> {
        let dual_and = |or| DUAL_NORMS.iter().find(|(_, dual)| *dual == or).map(|(and, _)| *and);
        let and = block.and.or_else(|| block.or.and_then(dual_and)).unwrap_or(TNorm::Minimum);
        let dual_or = DUAL_NORMS.iter().find(|(dual, _)| *dual == and).map(|(_, or)| *or);
        let mut rule_block = RuleBlock {
            enabled: !block.disabled,
            conjunction: Some(Conjunction::Norm(and)),
            disjunction: Some(block.or.or(dual_or).unwrap_or(SNorm::Maximum)),
            implication: Some(block.implication.unwrap_or(TNorm::Minimum)),
            ..RuleBlock::without_operators(block.name)
        };
        let syntax = RuleSyntax { ignore_case: true, extended: true };
        for &(start, end) in &block.rules {
            let text = &self.lexer.plain[start..end];
            if text.split_whitespace().nth(MAX_RULE_TOKENS).is_some() {
                let token = Token { text: "", at: end };
                return self.lexer.fail_expecting(token, "a rule of at most 100000 tokens");
            }
            rule_block.rules.push(symbols.parse_tokens(
                self.lexer.line(),
                tokenize(text, start),
                end,
                syntax,
            )?);
        }
        Ok(rule_block)
    }
}

/// Smallest range that contains the supports of all sets.
fn range(sets: &[NamedSet]) -> Option<(f64, f64)> {
    let bounds = sets.iter().flat_map(|named| bounds(&named.set));
    bounds.fold(None, |range: Option<(f64, f64)>, x| {
        Some(range.map_or((x, x), |(low, high)| (low.min(x), high.max(x))))
    })
}

/// Finite bounds of a set.
fn bounds(set: &Set) -> Vec<f64> {
    match set.shape() {
        Shape::Constant { value } => return vec![*value],
        Shape::Discrete { points } => return points.iter().map(|(x, _)| *x).collect(),
        _ => {}
    }
    let cut_at = |fraction: f64| set.alpha_cut(fraction * set.height());
    let outer_cuts = [set.support(), cut_at(TAIL)];
    let core = set.core().or(cut_at(CORE));
    let bound = |outer: fn(&Interval) -> f64, inner: fn(&Interval) -> f64| {
        let outer = outer_cuts.iter().flatten().chain(&core).map(outer).find(|x| x.is_finite());
        outer.or(core.as_ref().map(inner).filter(|x| x.is_finite()))
    };
    let lower = bound(|cut| cut.lower, |cut| cut.upper);
    let upper = bound(|cut| cut.upper, |cut| cut.lower);
    lower.into_iter().chain(upper).collect()
}
