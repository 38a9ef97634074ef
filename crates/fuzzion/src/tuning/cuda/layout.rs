//! How a network is laid out for a GPU: the constants its kernels are compiled with, and the memory they need.

use super::super::basis::Basis;
use super::super::descent::EXACT;
use super::super::form::Form;
use super::super::network::Network;
use super::super::rows::Loss;
use super::super::settings::Step;
use super::super::step;
use crate::device::cuda::Program;
use crate::device::cuda::program::TENSOR;

/// Threads of a block, except where said otherwise.
pub(in super::super) const THREADS: usize = 512;
/// Threads of the blocks that multiply pairs of rules.
pub(in super::super) const PAIR_THREADS: usize = 256;
/// Columns of Φ and targets up to which a block holds whole rows of Φ, and solves for the consequents alone.
const WHOLE: usize = 96;
/// Numbers kept for a set.
pub(in super::super) const SET: usize = 4;
/// Rows and columns of the parts in which a large matrix is solved.
pub(in super::super) const PART: usize = 64;
/// Pieces of eight monomials that a warp has room for.
const SLAB: usize = 6;
/// The least pivot of a matrix with a diagonal of 1, as [`solve`](super::super::solve) counts rounding.
fn pivot(unknowns: usize) -> f64 {
    unknowns as f64 * f64::EPSILON
}

/// The sizes of a network on a GPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in super::super) struct Layout {
    pub(in super::super) basis: Basis,
    pub(in super::super) rules: usize,
    pub(in super::super) outputs: usize,
    pub(in super::super) sets: usize,
    pub(in super::super) form: Form,
    pub(in super::super) weighted: bool,
    pub(in super::super) cross_entropy: bool,
    /// Whether tiles hold all of Φ, or φ alone.
    pub(in super::super) whole: bool,
    /// Rows of a tile.
    pub(in super::super) rows: usize,
}

impl Layout {
    /// The layout of `network` for `count` rows on a GPU with so many multiprocessors and so many bytes of shared memory for a
    /// block; `None` where it is too large.
    pub(in super::super) fn new(
        network: &Network,
        weighted: bool,
        loss: Loss,
        count: usize,
        (multiprocessors, shared): (usize, usize),
    ) -> Option<Self> {
        let mut layout = Layout {
            basis: network.basis.clone(),
            rules: network.antecedents.rules(),
            outputs: network.outputs,
            sets: network.antecedents.sets.len(),
            form: network.antecedents.form,
            weighted,
            cross_entropy: loss == Loss::CrossEntropy,
            whole: network.unknowns() + network.outputs <= WHOLE,
            rows: 0,
        };
        let mut largest = |whole: bool| {
            layout.whole = whole;
            let sizes = [512, 256, 128, 64, 32, 16].into_iter();
            let mut fits = sizes.filter(|rows| {
                layout.rows = *rows;
                let bytes = if whole { layout.descend_bytes() } else { layout.sweep_bytes() };
                bytes <= shared
            });
            fits.next()
        };
        let wanted = network.unknowns() + network.outputs <= WHOLE;
        let (whole, most) = match wanted.then(|| largest(true)).flatten() {
            Some(rows) => (true, rows),
            None => (false, largest(false)?),
        };
        // Smaller tiles where so few rows would leave multiprocessors idle, as long as each has but one.
        let mut rows = most;
        while rows > 32 && count.div_ceil(rows / 2) <= multiprocessors {
            rows /= 2;
        }
        Some(Layout { whole, rows, ..layout })
    }

    fn terms(&self) -> usize {
        self.basis.len()
    }

    /// Unknowns of each output.
    pub(in super::super) fn unknowns(&self) -> usize {
        self.rules * self.terms()
    }

    fn columns(&self) -> usize {
        self.rules * if self.whole { self.terms() } else { 1 } + self.outputs
    }

    /// Numbers of the triangle of products.
    pub(in super::super) fn gram(&self) -> usize {
        self.columns() * (self.columns() + 1) / 2
    }

    /// Pieces of eight columns that a warp takes at a time, so that there is a warp for each patch.
    fn width(&self) -> usize {
        if self.patches(4) <= THREADS / 32 { 4 } else { 8 }
    }

    fn patches(&self, width: usize) -> usize {
        let pairs = self.columns().div_ceil(8).div_ceil(2);
        (1..=pairs).map(|pair| (2 * pair).div_ceil(width)).sum()
    }

    fn slices(&self) -> usize {
        THREADS / 32 / self.patches(self.width()).max(1)
    }

    fn uses(&self) -> usize {
        self.rules * self.basis.inputs * SET
    }

    /// Numbers that `sum_slopes` leaves: for rules and inputs, four losses, for θ.
    pub(in super::super) fn swept(&self) -> usize {
        self.theta_at() + self.outputs * self.unknowns()
    }

    pub(in super::super) fn losses_at(&self) -> usize {
        self.uses()
    }

    pub(in super::super) fn theta_at(&self) -> usize {
        self.uses() + 4
    }

    /// Numbers that an iteration of `descend_rows` sends between blocks.
    pub(in super::super) fn exchanged(&self) -> usize {
        self.gram().max(self.sets * SET + 2)
    }

    fn tile(&self) -> usize {
        self.columns() * (self.rows + 4) + self.basis.inputs * self.rows + THREADS
    }

    /// Shared memory of the passes over the rows.
    pub(in super::super) fn sweep_bytes(&self) -> usize {
        let areas = if self.whole { self.slices() * self.gram() } else { 0 };
        8 * (self.tile() + areas.max(self.rows))
    }

    /// Shared memory of `descend_rows`.
    pub(in super::super) fn descend_bytes(&self) -> usize {
        let (unknowns, uses) = (self.unknowns(), self.rules * self.basis.inputs);
        let matrix = self.columns() * (unknowns | 1);
        let state = 5 * self.sets * SET + 2 * uses + self.outputs * unknowns + self.uses();
        8 * (self.tile() + matrix + self.slices() * self.gram() + state) + 4 * uses
    }

    /// The monomials of products of two.
    pub(in super::super) fn wide(&self) -> Basis {
        Basis::new(self.basis.inputs, 2 * self.basis.order)
    }

    /// Slabs of monomials, and pieces of eight in each.
    pub(in super::super) fn slabs(&self) -> (usize, usize) {
        let pieces = self.wide().len().div_ceil(8);
        let slabs = pieces.div_ceil(SLAB);
        (slabs, pieces.div_ceil(slabs))
    }

    /// Squares of 8 × 8 pairs of rules.
    pub(in super::super) fn jobs(&self) -> usize {
        let side = self.rules.div_ceil(8);
        side * (side + 1) / 2
    }

    /// Numbers that `pair_products` leaves for each split of the rows.
    pub(in super::super) fn pair_sums(&self) -> usize {
        let (slabs, pieces) = self.slabs();
        self.jobs() * 64 * slabs * pieces * 8
    }

    /// Shared memory of `pair_products`.
    pub(in super::super) fn pair_bytes(&self) -> usize {
        8 * 2 * 36 * (self.slabs().1 * 8 + PAIR_THREADS / 32 * 16)
    }

    /// Shared memory of `place_pairs`.
    pub(in super::super) fn place_bytes(&self) -> usize {
        8 * 2 * self.terms() * self.terms()
    }

    fn form_code(&self) -> (u32, usize) {
        let code = match self.form {
            Form::Gaussian => 0,
            Form::TwoSided => 1,
            Form::Bell => 2,
            Form::Triangle => 3,
        };
        (code, self.form.count())
    }

    fn specialise(&self, program: Program) -> Program {
        let (form, parameters) = self.form_code();
        program
            .constant("INPUTS", self.basis.inputs)
            .constant("RULES", self.rules)
            .constant("TERMS", self.terms())
            .constant("OUTPUTS", self.outputs)
            .constant("SETS", self.sets)
            .constant("FORM", form)
            .constant("PARAMETERS", parameters)
            .constant("WEIGHTED", u32::from(self.weighted))
            .constant("LOSS", u32::from(self.cross_entropy))
            .constant("WHOLE", u32::from(self.whole))
            .constant("ROWS", self.rows)
            .constant("THREADS", THREADS)
            .constant("WIDTH", self.width())
            .constant("MONOMIAL_PARENTS", list(self.basis.from.iter().map(|(parent, _)| *parent)))
            .constant("MONOMIAL_INPUTS", list(self.basis.from.iter().map(|(_, input)| *input)))
    }

    /// `prepare_sets`, `sum_products`, `sum_slopes`, `predict_rows` and `unite`.
    pub(in super::super) fn sweep(&self) -> Program {
        let mut program = Program::new("tuning/sweep", include_str!("sweep.cu")).with(FORM).with(TILE);
        if self.whole {
            program = program.with(DOUBLES).with(include_str!("gram.cuh"));
        }
        self.specialise(program.with(UNITE).with(SLOPE))
    }

    /// `descend_rows`.
    pub(in super::super) fn descend(&self, rule: Step) -> Program {
        let program = Program::new("tuning/descend", include_str!("descend.cu"))
            .with(FORM)
            .with(TILE)
            .with(DOUBLES)
            .with(include_str!("gram.cuh"))
            .with(UNITE)
            .with(ELIMINATE)
            .with(include_str!("solve.cuh"))
            .with(SLOPE);
        let rule = match rule {
            Step::Plain => 0,
            Step::Jang => 1,
            Step::Adam => 2,
        };
        let real = |value: f64| format!("{value:e}");
        self.specialise(program)
            .constant("PIVOT", real(pivot(self.unknowns())))
            .constant("STEP", rule)
            .constant("LEAST_WIDTH", real(step::LEAST_WIDTH))
            .constant("BELL_LEAST", real(step::BELL_SLOPES.0))
            .constant("BELL_MOST", real(step::BELL_SLOPES.1))
            .constant("EXACT", real(EXACT))
            .constant("TOO_FAR", real(step::TOO_FAR))
            .constant("SHRINK", real(step::SHRINK))
            .constant("AT_REST", real(step::AT_REST))
            .constant("BETA_MEAN", real(step::BETA.0))
            .constant("BETA_SQUARE", real(step::BETA.1))
            .constant("NOISE", real(step::NOISE))
            .constant("EPSILON", real(step::EPSILON))
            .constant("JANG_UP", real(step::JANG.0))
            .constant("JANG_DOWN", real(step::JANG.1))
    }

    /// `fire_rows`.
    pub(in super::super) fn fire(&self) -> Program {
        let program = Program::new("tuning/fire", include_str!("fire.cu")).with(FORM).with(TILE);
        self.widen(self.specialise(program))
    }

    /// `pair_products` and `place_pairs`.
    pub(in super::super) fn pairs(&self) -> Program {
        let wide = self.wide();
        let product = |(a, b): (&Vec<u32>, &Vec<u32>)| {
            let sum: Vec<u32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
            wide.terms.iter().position(|term| *term == sum).unwrap_or(0)
        };
        let terms = &self.basis.terms;
        let products = terms.iter().flat_map(|a| terms.iter().map(move |b| (a, b))).map(product);
        let program = Program::new("tuning/pairs", include_str!("pairs.cu")).with(TENSOR).with(DOUBLES);
        self.widen(program)
            .constant("RULES", self.rules)
            .constant("TERMS", self.terms())
            .constant("THREADS", PAIR_THREADS)
            .constant("MONOMIAL_PRODUCTS", list(products))
    }

    fn widen(&self, program: Program) -> Program {
        let (wide, (slabs, pieces)) = (self.wide(), self.slabs());
        program
            .constant("MONOMIALS", wide.len())
            .constant("SLABS", slabs)
            .constant("SLAB_PIECES", pieces)
            .constant("WIDE_PARENTS", list(wide.from.iter().map(|(parent, _)| *parent)))
            .constant("WIDE_INPUTS", list(wide.from.iter().map(|(_, input)| *input)))
    }

    /// `solve_parts`.
    pub(in super::super) fn cholesky(&self) -> Program {
        Program::new("tuning/cholesky", include_str!("cholesky.cu"))
            .with(DOUBLES)
            .with(ELIMINATE)
            .constant("THREADS", THREADS)
            .constant("PIVOT", format!("{:e}", pivot(self.unknowns())))
    }
}

/// `diagonal_scales` and `scale_matrix`.
pub(in super::super) fn scale() -> Program {
    Program::new("tuning/scale", include_str!("scale.cu")).constant("THREADS", THREADS)
}

/// Shared memory of `solve_parts`: two parts as operands, or one above the other.
pub(in super::super) fn cholesky_bytes() -> usize {
    8 * 2 * PART * (PART + 4)
}

const FORM: &str = include_str!("form.cuh");
const TILE: &str = include_str!("tile.cuh");
const UNITE: &str = include_str!("unite.cuh");
const SLOPE: &str = include_str!("slope.cuh");
const ELIMINATE: &str = include_str!("eliminate.cuh");
const DOUBLES: &str = crate::device::cuda::program::DOUBLES;

fn list(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}
