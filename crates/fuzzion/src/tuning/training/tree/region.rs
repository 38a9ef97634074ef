//! Antecedents of a tree: trapezoidal conditions on some of the inputs.

/// Linear transition between two neighboring regions, Equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) threshold: f64,
    pub(super) half_width: f64,
}

impl Edge {
    /// Membership of the region above the edge; ½ for a missing value.
    pub(super) fn above(self, x: f64) -> f64 {
        let rise = 0.5 + (x - self.threshold) / (2.0 * self.half_width);
        if rise.is_nan() { 0.5 } else { rise.clamp(0.0, 1.0) }
    }
}

/// Condition of a rule: the input lies above the lower and below the upper edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) input: usize,
    pub(super) lower: Option<Edge>,
    pub(super) upper: Option<Edge>,
}

impl Condition {
    fn membership(&self, x: f64) -> f64 {
        let above = self.lower.map_or(1.0, |edge| edge.above(x));
        above * self.upper.map_or(1.0, |edge| 1.0 - edge.above(x))
    }
}

/// Antecedent of a rule: at most one condition per input, in the order of the inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Region {
    pub(super) conditions: Vec<Condition>,
}

impl Region {
    /// Inputs that occur in the conditions.
    pub(super) fn inputs(&self) -> impl Iterator<Item = usize> {
        self.conditions.iter().map(|condition| condition.input)
    }

    /// Condition on `input`.
    pub(super) fn condition(&self, input: usize) -> Option<&Condition> {
        self.conditions.iter().find(|condition| condition.input == input)
    }

    /// Edges of the condition on `input`.
    pub(super) fn edges(&self, input: usize) -> impl Iterator<Item = Edge> {
        let edges = self.condition(input).map(|condition| [condition.lower, condition.upper]);
        edges.into_iter().flatten().flatten()
    }

    /// Firing strength of the rule.
    pub(super) fn membership(&self, x: impl Fn(usize) -> f64) -> f64 {
        self.conditions.iter().map(|condition| condition.membership(x(condition.input))).product()
    }

    /// The parts of the region below and above an edge.
    pub(super) fn split(&self, input: usize, edge: Edge) -> [Region; 2] {
        let at = self.conditions.partition_point(|condition| condition.input < input);
        let mut whole = self.clone();
        if self.condition(input).is_none() {
            whole.conditions.insert(at, Condition { input, lower: None, upper: None });
        }
        let (mut below, mut above) = (whole.clone(), whole);
        below.conditions[at].upper = Some(edge);
        above.conditions[at].lower = Some(edge);
        [below, above]
    }

    /// The union of two regions, if it is a region: they differ in one input, at which they share an edge.
    pub(super) fn union(&self, other: &Region) -> Option<Region> {
        let same_inputs = self.inputs().eq(other.inputs());
        let pairs = self.conditions.iter().zip(&other.conditions);
        let mut differing = pairs.enumerate().filter(|(_, (a, b))| a != b);
        let (Some((at, (a, b))), None, true) = (differing.next(), differing.next(), same_inputs) else {
            return None;
        };
        let shared =
            |below: &Condition, above: &Condition| below.upper.is_some() && below.upper == above.lower;
        let (lower, upper) = match (shared(a, b), shared(b, a)) {
            (true, _) => (a.lower, b.upper),
            (_, true) => (b.lower, a.upper),
            _ => return None,
        };
        let mut union = self.clone();
        if lower.is_none() && upper.is_none() {
            union.conditions.remove(at);
        } else {
            union.conditions[at] = Condition { input: a.input, lower, upper };
        }
        Some(union)
    }
}
