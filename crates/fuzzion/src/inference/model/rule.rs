//! Rules.

use crate::sets::Hedge;

/// Index of a variable of a system.
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
/// use fuzzion::inference::VariableIndex;
/// let rule = &heating.blocks[0].rules[0];
/// assert_eq!(rule.antecedent.propositions()[0].variable, VariableIndex::Input(0));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableIndex {
    /// Input variable.
    Input(usize),
    /// Output variable; the membership of a set is the strength with which earlier rules activated it.
    Output(usize),
}

/// `variable is [hedges] set`.
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
/// use fuzzion::inference::{Antecedent, Proposition, VariableIndex};
/// let warm = Proposition { variable: VariableIndex::Input(0), hedges: vec![], set: Some(1) };
/// assert_eq!(heating.blocks[0].rules[1].antecedent, Antecedent::Is(warm));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Proposition {
    /// Index of the variable.
    pub variable: VariableIndex,
    /// Hedges before the set; the last one is applied first.
    pub hedges: Vec<Hedge>,
    /// Index of the set; `None` if the last hedge is `any`, which needs no set.
    pub set: Option<usize>,
}

/// The if-part of a rule.
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
/// use fuzzion::inference::Antecedent;
/// let heating = heating.rule("if not ( room is cold or room is warm ) then valve is shut")?;
/// let antecedent = &heating.blocks[0].rules[2].antecedent;
/// assert!(matches!(antecedent, Antecedent::Not(_)));
/// assert_eq!(antecedent.propositions().len(), 2);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Antecedent {
    /// A single proposition.
    Is(Proposition),
    /// Conjunction, evaluated from left to right.
    And(Vec<Antecedent>),
    /// Disjunction, evaluated from left to right.
    Or(Vec<Antecedent>),
    /// Complement: 1 − membership.
    Not(Box<Antecedent>),
    /// 1 − the largest firing strength of the other rules of the block, excluding ELSE rules.
    Else,
}

impl Antecedent {
    /// Conjunction of `input is set` for pairs of input and set indices; without pairs, an antecedent of membership 1.
    pub(crate) fn all_of(pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let is = |(input, set)| {
            let (variable, set) = (VariableIndex::Input(input), Some(set));
            Antecedent::Is(Proposition { variable, hedges: Vec::new(), set })
        };
        let mut parts: Vec<Antecedent> = pairs.into_iter().map(is).collect();
        match parts.len() {
            0 => {
                let (variable, hedges) = (VariableIndex::Input(0), vec![Hedge::Any]);
                Antecedent::Is(Proposition { variable, hedges, set: None })
            }
            1 => parts.remove(0),
            _ => Antecedent::And(parts),
        }
    }

    /// Propositions from left to right.
    pub fn propositions(&self) -> Vec<&Proposition> {
        match self {
            Antecedent::Is(proposition) => vec![proposition],
            Antecedent::And(parts) | Antecedent::Or(parts) => {
                parts.iter().flat_map(Antecedent::propositions).collect()
            }
            Antecedent::Not(part) => part.propositions(),
            Antecedent::Else => Vec::new(),
        }
    }
}

/// `output is [hedges] set`.
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
/// use fuzzion::inference::Conclusion;
/// let open = Conclusion { output: 0, hedges: vec![], set: 1 };
/// assert_eq!(heating.blocks[0].rules[0].consequent, [open]);
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// Index of the output.
    pub output: usize,
    /// Hedges before the set.
    pub hedges: Vec<Hedge>,
    /// Index of the set.
    pub set: usize,
}

/// `if antecedent then consequent with weight`.
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
/// let rule = &heating.blocks[0].rules[0];
/// assert_eq!((rule.weight, heating.rule_text(rule)?), (1.0, "if room is cold then valve is open".into()));
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The if-part.
    pub antecedent: Antecedent,
    /// The then-part: one conclusion per output.
    pub consequent: Vec<Conclusion>,
    /// Factor applied to the membership of the antecedent.
    pub weight: f64,
}
