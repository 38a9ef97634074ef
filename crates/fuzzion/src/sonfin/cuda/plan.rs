//! Lists and measures the layouts of a network on a GPU.

use super::CudaLearner;
use super::choose::{FITS, choose, layouts, predict_us, store_measurement, stored_measurement};
use super::layout::{KernelLayout, NetworkShape};
use crate::base::SettingError;
use crate::device::{Cuda, Device, Processor};
use crate::sonfin::error::Result;
use crate::sonfin::learner::{Learner, StepSettings, TrainingRun};
use crate::sonfin::reference::problem::{Problem, network, samples};
use crate::sonfin::types::options::{Loss, Mapping, WidthRule};
use serde::{Deserialize, Serialize};

/// Samples per measurement.
const MEASURED_SAMPLES: usize = 1024;
/// Maximum number of resident threads per multiprocessor.
const THREADS_PER_MULTIPROCESSOR: f64 = 2048.0;

/// One layout of a network on a GPU, listed by [`plan`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LayoutCandidate {
    /// The mapping.
    pub mapping: Mapping,
    /// Description of the layout.
    pub layout: String,
    /// Blocks per network.
    pub blocks: usize,
    /// Threads per block.
    pub threads: usize,
    /// Shared memory per block in bytes.
    pub shared: usize,
    /// Fraction of a multiprocessor's threads in use, given enough blocks.
    pub occupancy: f64,
    /// Fraction of the rules in shared memory.
    pub on_chip: f64,
    /// Predicted microseconds per sample.
    pub predicted_us: f64,
    /// Measured microseconds per sample.
    pub measured_us: Option<f64>,
    /// Whether `auto` selects it.
    pub chosen: bool,
}

/// Layouts of a network on a GPU (of several, on the first one), fastest first; empty for a CPU. Measured times are stored for the GPU, and `auto`
/// uses them from then on.
///
/// ```
/// use fuzzion::{Device, sonfin::plan};
/// assert!(plan(16, 500, 10, &Device::cpu()?, false)?.is_empty()); // a CPU has a single layout
/// # Ok::<(), fuzzion::Error>(())
/// ```
///
/// # Errors
/// [`SettingError::OutOfRange`] if a size is 0 or too large, and [`DeviceError::Cuda`](crate::device::DeviceError::Cuda).
pub fn plan(
    dims: usize,
    rules: usize,
    outputs: usize,
    device: &Device,
    measure: bool,
) -> Result<Vec<LayoutCandidate>> {
    let large = (65_536, "from 1 to 65,536");
    let limits =
        [("dims", dims, large), ("rules", rules, large), ("outputs", outputs, (1024, "from 1 to 1,024"))];
    let is_invalid = |(_, value, (max, _)): &(_, usize, (usize, _))| !(1..=*max).contains(value);
    if let Some((name, value, (_, must))) = limits.into_iter().find(is_invalid) {
        return Err(SettingError::OutOfRange { algorithm: "plan", name, value: value as f64, must }.into());
    }
    let Processor::Cuda(cuda) = device.processor(false) else { return Ok(Vec::new()) };
    let shape = NetworkShape { dims, outputs, missing: false };
    let mut layouts = layouts(cuda, &shape, rules, 1);
    let mut times: Vec<Option<f64>> = vec![None; layouts.len()];
    compile_all(cuda, &shape, rules, &layouts)?;
    if measure {
        // A measured network has space for one more rule. Its kernels are also compiled before the first measurement,
        // which the compiler would disturb.
        compile_all(cuda, &shape, rules + 1, &layouts)?;
        for (layout, time) in layouts.iter().zip(&mut times) {
            *time = Some(measure_layout(cuda, &shape, rules, *layout, false)?);
        }
        let mut fastest: Vec<(f64, KernelLayout)> =
            layouts.iter().zip(&times).filter_map(|(layout, time)| Some(((*time)?, *layout))).collect();
        fastest.sort_by(|a, b| a.0.total_cmp(&b.0));
        let fastest: Vec<KernelLayout> = fastest.into_iter().map(|(_, layout)| layout).collect();
        store_measurement(cuda, &shape, rules, &fastest);
    } else if let Some(stored) = stored_measurement(cuda, &shape, rules) {
        layouts = stored;
    }
    let chosen = choose(cuda, &shape, rules, 1, Mapping::Auto)?;
    let mut candidates: Vec<LayoutCandidate> = layouts
        .iter()
        .zip(&times)
        .map(|(layout, time)| candidate(cuda, &shape, rules, *layout, *time, *layout == chosen))
        .collect::<Result<_>>()?;
    let key = |c: &LayoutCandidate| (!c.chosen, c.measured_us.unwrap_or(c.predicted_us));
    candidates.sort_by(|a, b| key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    Ok(candidates)
}

/// Compiles the kernels of all layouts concurrently.
fn compile_all(cuda: &Cuda, shape: &NetworkShape, rules: usize, layouts: &[KernelLayout]) -> Result<()> {
    let limit = cuda.gpu().shared_per_block as usize;
    let program = |layout: &KernelLayout| {
        let shared_memory = layout.shared_memory(shape, rules, limit)?;
        Some((layout.program(shape, shared_memory, false), kernel_name(layout)))
    };
    let programs: Vec<_> = layouts.iter().filter_map(program).collect();
    cuda.prefetch(programs.iter().map(|(program, _)| program.clone()).collect());
    programs.iter().try_for_each(|(program, name)| Ok(cuda.kernel(program, name).map(drop)?))
}

/// Name of the first kernel of a layout.
fn kernel_name(layout: &KernelLayout) -> &'static str {
    match layout {
        KernelLayout::RulePerBlock => "fire_rules",
        KernelLayout::Atm { .. } => "fire_tasks",
        KernelLayout::Resident { .. } => "learn_resident",
    }
}

fn candidate(
    cuda: &Cuda,
    shape: &NetworkShape,
    rules: usize,
    layout: KernelLayout,
    measured_us: Option<f64>,
    chosen: bool,
) -> Result<LayoutCandidate> {
    let limit = cuda.gpu().shared_per_block as usize;
    let shared_memory = layout.shared_memory(shape, rules, limit).expect(FITS);
    let threads = layout.threads(shape);
    let kernel = cuda.kernel(&layout.program(shape, shared_memory, false), kernel_name(&layout))?;
    let resident_blocks = kernel.blocks_per_multiprocessor(threads as u32, shared_memory.bytes as u32)?;
    let blocks = layout.blocks(rules);
    Ok(LayoutCandidate {
        mapping: layout.mapping(),
        layout: layout.name(),
        blocks,
        threads,
        shared: shared_memory.bytes,
        occupancy: (f64::from(resident_blocks) * threads as f64 / THREADS_PER_MULTIPROCESSOR).min(1.0),
        on_chip: ((shared_memory.slots * blocks) as f64 / rules as f64).min(1.0),
        predicted_us: predict_us(shape, rules, &layout, limit),
        measured_us,
        chosen,
    })
}

/// Measured microseconds per sample for a network whose rules are all updated (`dense`) or mostly skipped.
pub fn measure_layout(
    cuda: &Cuda,
    shape: &NetworkShape,
    rules: usize,
    layout: KernelLayout,
    dense: bool,
) -> Result<f64> {
    let (problem, settings) = timing_problem(shape, rules, dense);
    let samples = samples(&problem);
    let mut learner = CudaLearner::with_layout(&samples, &[network(&problem, &samples)], cuda, layout)?;
    let order: Vec<u32> = (0..MEASURED_SAMPLES).map(|i| (i % problem.rows) as u32).collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let run = TrainingRun { order: &order, settings, replay: None };
        let seconds = cuda.time(|| learner.learn(&[run]).map(drop))?;
        best = best.min(seconds * 1e6 / MEASURED_SAMPLES as f64);
    }
    Ok(best)
}

/// Problem for timing: structure decisions are evaluated, but no rule is added.
pub(in crate::sonfin) fn timing_problem(
    shape: &NetworkShape,
    rules: usize,
    dense: bool,
) -> (Problem, StepSettings) {
    let problem = Problem {
        rows: 512,
        dims: shape.dims,
        outputs: shape.outputs,
        rules,
        clusters: if dense { 1 } else { 256 },
        spread: if dense { 1.0 } else { 0.1 },
        ..Problem::default()
    };
    let settings = StepSettings {
        ln_threshold: f32::MIN,
        max_rules: rules + 1,
        width_rule: WidthRule::Distance,
        beta: 0.5,
        first_width: 1.0,
        min_width: 1e-3,
        rate_w: 0.01,
        rate_m: 1e-3,
        rate_s: 1e-3,
        plain_gradient: false,
        loss: Loss::SquaredError,
    };
    (problem, settings)
}
