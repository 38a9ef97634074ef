//! Layout of a network on a GPU: compile-time constants of the kernels, and their memory requirements.

use crate::device::cuda::Program;
use crate::device::cuda::program::TENSOR;
use crate::tuning::network::Network;
use crate::tuning::network::basis::MonomialBasis;
use crate::tuning::network::form::Form;
use crate::tuning::settings::StepRule;
use crate::tuning::training::descent::EXACT_LOSS;
use crate::tuning::training::loss::Loss;
use crate::tuning::training::step;

/// Threads per block, unless stated otherwise.
pub(in crate::tuning) const THREADS: usize = 512;
/// Threads per block of the kernels for pairs of rules.
pub(in crate::tuning) const PAIR_THREADS: usize = 256;
/// Maximum number of columns (Φ and targets) for which a tile contains full rows of Φ and one block solves for the
/// consequents.
const MAX_FULL_COLUMNS: usize = 96;
/// Values per set.
pub(in crate::tuning) const SET_STRIDE: usize = 4;
/// Rows and columns of a tile of a large matrix.
pub(in crate::tuning) const MATRIX_TILE: usize = 64;
/// Maximum number of groups of eight monomials per warp.
const SLAB: usize = 6;
/// Smallest accepted pivot of a matrix with unit diagonal; the same bound as in [`solve`](crate::tuning::solver::solve::solve).
fn pivot(unknowns: usize) -> f64 {
    unknowns as f64 * f64::EPSILON
}

/// Sizes of a network on a GPU.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::tuning) struct KernelLayout {
    pub(in crate::tuning) basis: MonomialBasis,
    pub(in crate::tuning) rules: usize,
    pub(in crate::tuning) outputs: usize,
    pub(in crate::tuning) sets: usize,
    pub(in crate::tuning) form: Form,
    pub(in crate::tuning) weighted: bool,
    pub(in crate::tuning) cross_entropy: bool,
    /// Whether tiles contain all columns of Φ, or only φ.
    pub(in crate::tuning) full_phi: bool,
    /// Rows per tile.
    pub(in crate::tuning) rows: usize,
}

impl KernelLayout {
    /// Layout of `network` for `count` rows on a GPU with the given numbers of multiprocessors and bytes of shared
    /// memory per block; `None` if the network is too large.
    pub(in crate::tuning) fn new(
        network: &Network,
        weighted: bool,
        loss: Loss,
        count: usize,
        (multiprocessors, shared): (usize, usize),
    ) -> Option<Self> {
        let mut layout = KernelLayout {
            basis: network.basis.clone(),
            rules: network.antecedents.rules(),
            outputs: network.outputs,
            sets: network.antecedents.sets.len(),
            form: network.antecedents.form,
            weighted,
            cross_entropy: loss == Loss::CrossEntropy,
            full_phi: network.unknowns() + network.outputs <= MAX_FULL_COLUMNS,
            rows: 0,
        };
        // Kernels index sets and sums with 32 bits.
        i32::try_from(layout.gradient_len()).ok()?;
        let mut largest = |full_phi: bool| {
            layout.full_phi = full_phi;
            let sizes = [512, 256, 128, 64, 32, 16].into_iter();
            let mut fits = sizes.filter(|rows| {
                layout.rows = *rows;
                let bytes = if full_phi { layout.descent_bytes() } else { layout.sweep_bytes() };
                bytes <= shared
            });
            fits.next()
        };
        let prefers_full = network.unknowns() + network.outputs <= MAX_FULL_COLUMNS;
        let (full_phi, max_rows) = match prefers_full.then(|| largest(true)).flatten() {
            Some(rows) => (true, rows),
            None => (false, largest(false)?),
        };
        // Smaller tiles occupy more multiprocessors, as long as each multiprocessor has at most one tile.
        let mut rows = max_rows;
        while rows > 32 && count.div_ceil(rows / 2) <= multiprocessors {
            rows /= 2;
        }
        Some(KernelLayout { full_phi, rows, ..layout })
    }

    fn terms(&self) -> usize {
        self.basis.len()
    }

    /// Number of unknowns per output.
    pub(in crate::tuning) fn unknowns(&self) -> usize {
        self.rules * self.terms()
    }

    fn columns(&self) -> usize {
        self.rules * if self.full_phi { self.terms() } else { 1 } + self.outputs
    }

    /// Length of the lower triangle of products.
    pub(in crate::tuning) fn gram_len(&self) -> usize {
        self.columns() * (self.columns() + 1) / 2
    }

    /// Groups of eight columns per patch, chosen so that there is at least one warp per patch.
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

    fn set_gradient_len(&self) -> usize {
        self.rules * self.basis.inputs * SET_STRIDE
    }

    /// Number of sums computed by `sum_gradients`: set gradients per rule and input, four losses, the gradient of θ.
    pub(in crate::tuning) fn gradient_len(&self) -> usize {
        self.theta_offset() + self.outputs * self.unknowns()
    }

    pub(in crate::tuning) fn loss_offset(&self) -> usize {
        self.set_gradient_len()
    }

    pub(in crate::tuning) fn theta_offset(&self) -> usize {
        self.set_gradient_len() + 4
    }

    /// Number of values exchanged between blocks in an iteration of `gradient_descent`.
    pub(in crate::tuning) fn exchange_len(&self) -> usize {
        self.gram_len().max(self.sets * SET_STRIDE + 2)
    }

    fn tile_len(&self) -> usize {
        self.columns() * (self.rows + 4) + self.basis.inputs * self.rows + THREADS
    }

    /// Shared memory of the kernels that sweep over rows.
    pub(in crate::tuning) fn sweep_bytes(&self) -> usize {
        let slice_sums = if self.full_phi { self.slices() * self.gram_len() } else { 0 };
        8 * (self.tile_len() + slice_sums.max(self.rows))
    }

    /// Shared memory of `gradient_descent`.
    pub(in crate::tuning) fn descent_bytes(&self) -> usize {
        let (unknowns, set_indices) = (self.unknowns(), self.rules * self.basis.inputs);
        let matrix = self.columns() * (unknowns | 1);
        let state =
            5 * self.sets * SET_STRIDE + 2 * set_indices + self.outputs * unknowns + self.set_gradient_len();
        8 * (self.tile_len() + matrix + self.slices() * self.gram_len() + state) + 4 * set_indices
    }

    /// Monomials of the products of two monomials.
    pub(in crate::tuning) fn product_basis(&self) -> MonomialBasis {
        MonomialBasis::new(self.basis.inputs, 2 * self.basis.order)
    }

    /// Number of slabs of monomials, and groups of eight monomials per slab.
    pub(in crate::tuning) fn slabs(&self) -> (usize, usize) {
        let groups = self.product_basis().len().div_ceil(8);
        let slabs = groups.div_ceil(SLAB);
        (slabs, groups.div_ceil(slabs))
    }

    /// Number of 8 × 8 tiles of rule pairs in the lower triangle.
    pub(in crate::tuning) fn pair_tiles(&self) -> usize {
        let side = self.rules.div_ceil(8);
        side * (side + 1) / 2
    }

    /// Number of sums computed by `pair_products` for each split of the rows.
    pub(in crate::tuning) fn pair_sums_len(&self) -> usize {
        let (slabs, groups) = self.slabs();
        self.pair_tiles() * 64 * slabs * groups * 8
    }

    /// Shared memory of `pair_products`.
    pub(in crate::tuning) fn pair_bytes(&self) -> usize {
        8 * 2 * 36 * (self.slabs().1 * 8 + PAIR_THREADS / 32 * 16)
    }

    /// Shared memory of `assemble_matrix`.
    pub(in crate::tuning) fn assemble_bytes(&self) -> usize {
        8 * 2 * self.terms() * self.terms()
    }

    fn form_code(&self) -> (u32, usize) {
        let code = match self.form {
            Form::Gaussian => 0,
            Form::TwoSided => 1,
            Form::Bell => 2,
            Form::Triangle => 3,
            Form::Trapezoid => 4,
        };
        (code, self.form.parameter_count())
    }

    fn specialize(&self, program: Program) -> Program {
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
            .constant("CROSS_ENTROPY", u32::from(self.cross_entropy))
            .constant("FULL_PHI", u32::from(self.full_phi))
            .constant("TILE_ROWS", self.rows)
            .constant("THREADS", THREADS)
            .constant("PATCH_GROUPS", self.width())
            .constant("MONOMIAL_PARENTS", list(self.basis.parents.iter().map(|(parent, _)| *parent)))
            .constant("MONOMIAL_INPUTS", list(self.basis.parents.iter().map(|(_, input)| *input)))
    }

    /// `prepare_sets`, `sum_products`, `sum_gradients`, `predict_rows` and `sum_blocks`.
    pub(in crate::tuning) fn sweep_program(&self) -> Program {
        let mut program =
            Program::new("tuning/sweep", include_str!("kernels/sweep.cu")).with(FORM).with(TILE);
        if self.full_phi {
            program = program.with(TENSOR_F64).with(include_str!("kernels/gram.cuh"));
        }
        self.specialize(program.with(REDUCE).with(GRADIENT))
    }

    /// `gradient_descent`.
    pub(in crate::tuning) fn descent_program(&self, rule: StepRule) -> Program {
        let program = Program::new("tuning/descent", include_str!("kernels/descent.cu"))
            .with(FORM)
            .with(TILE)
            .with(TENSOR_F64)
            .with(include_str!("kernels/gram.cuh"))
            .with(REDUCE)
            .with(ELIMINATE)
            .with(include_str!("kernels/solve.cuh"))
            .with(GRADIENT);
        let rule = match rule {
            StepRule::Plain => 0,
            StepRule::Jang => 1,
            StepRule::Adam => 2,
        };
        let real = |value: f64| format!("{value:e}");
        self.specialize(program)
            .constant("MIN_PIVOT", real(pivot(self.unknowns())))
            .constant("STEP_RULE", rule)
            .constant("MIN_WIDTH", real(step::MIN_WIDTH))
            .constant("MIN_BELL_EXPONENT", real(step::BELL_EXPONENTS.0))
            .constant("MAX_BELL_EXPONENT", real(step::BELL_EXPONENTS.1))
            .constant("EXACT_LOSS", real(EXACT_LOSS))
            .constant("MAX_LOSS_RATIO", real(step::MAX_LOSS_RATIO))
            .constant("RATE_DECAY", real(step::RATE_DECAY))
            .constant("MIN_RATE_RATIO", real(step::MIN_RATE_RATIO))
            .constant("BETA_1", real(step::BETA.0))
            .constant("BETA_2", real(step::BETA.1))
            .constant("GRADIENT_NOISE", real(step::GRADIENT_NOISE))
            .constant("ADAM_EPSILON", real(step::EPSILON))
            .constant("JANG_UP", real(step::JANG_FACTORS.0))
            .constant("JANG_DOWN", real(step::JANG_FACTORS.1))
    }

    /// `firing_strengths`.
    pub(in crate::tuning) fn firing_program(&self) -> Program {
        let program = Program::new("tuning/firing", include_str!("kernels/firing.cu")).with(FORM).with(TILE);
        self.with_product_basis(self.specialize(program))
    }

    /// `pair_products` and `assemble_matrix`.
    pub(in crate::tuning) fn pair_program(&self) -> Program {
        let product_basis = self.product_basis();
        let product = |(a, b): (&Vec<u32>, &Vec<u32>)| {
            let sum: Vec<u32> = a.iter().zip(b).map(|(a, b)| a + b).collect();
            let index = product_basis.exponents.iter().position(|term| *term == sum);
            index.expect("invariant: the product basis contains the product of any two monomials")
        };
        let terms = &self.basis.exponents;
        let products = terms.iter().flat_map(|a| terms.iter().map(move |b| (a, b))).map(product);
        let program =
            Program::new("tuning/pairs", include_str!("kernels/pairs.cu")).with(TENSOR).with(TENSOR_F64);
        self.with_product_basis(program)
            .constant("RULES", self.rules)
            .constant("TERMS", self.terms())
            .constant("THREADS", PAIR_THREADS)
            .constant("MONOMIAL_PRODUCTS", list(products))
    }

    fn with_product_basis(&self, program: Program) -> Program {
        let (product_basis, (slabs, groups)) = (self.product_basis(), self.slabs());
        program
            .constant("PRODUCT_MONOMIALS", product_basis.len())
            .constant("SLABS", slabs)
            .constant("SLAB_GROUPS", groups)
            .constant("PRODUCT_PARENTS", list(product_basis.parents.iter().map(|(parent, _)| *parent)))
            .constant("PRODUCT_INPUTS", list(product_basis.parents.iter().map(|(_, input)| *input)))
    }

    /// `solve_tiles`.
    pub(in crate::tuning) fn cholesky_program(&self) -> Program {
        Program::new("tuning/cholesky", include_str!("kernels/cholesky.cu"))
            .with(TENSOR_F64)
            .with(ELIMINATE)
            .constant("THREADS", THREADS)
            .constant("MIN_PIVOT", format!("{:e}", pivot(self.unknowns())))
    }
}

impl KernelLayout {
    /// The programs for many unknowns, besides [`KernelLayout::sweep_program`].
    pub(in crate::tuning) fn large_programs(&self) -> [Program; 4] {
        [self.firing_program(), self.pair_program(), scale_program(), self.cholesky_program()]
    }
}

/// `diagonal_scales` and `scale_matrix`.
pub(in crate::tuning) fn scale_program() -> Program {
    Program::new("tuning/scale", include_str!("kernels/scale.cu")).constant("THREADS", THREADS)
}

/// Shared memory of `solve_tiles`: two operand tiles, or a panel of two tiles.
pub(in crate::tuning) fn cholesky_bytes() -> usize {
    8 * 2 * MATRIX_TILE * (MATRIX_TILE + 4)
}

const FORM: &str = include_str!("kernels/form.cuh");
const TILE: &str = include_str!("kernels/tile.cuh");
const REDUCE: &str = include_str!("kernels/reduce.cuh");
const GRADIENT: &str = include_str!("kernels/gradient.cuh");
const ELIMINATE: &str = include_str!("kernels/eliminate.cuh");
const TENSOR_F64: &str = crate::device::cuda::program::TENSOR_F64;

fn list(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}
