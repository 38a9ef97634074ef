//! Which mapping suits a network and a GPU: predicted, or measured once and remembered.

use super::super::learner::{Course, Learner, Lesson, Loss, WidthRule};
use super::super::problem::{Problem, network, samples};
use super::super::settings::Mapping;
use super::OnGpu;
use super::layout::{Layout, MOST_THREADS, Shape};
use crate::device::cuda::{Cache, Grid};
use crate::device::{Cuda, Device, Processor};
use crate::error::{Error, Result};
use serde::Serialize;

/// Threads of a resident block: more hide waits, fewer say the same less often; 512 was the quickest wherever it was measured.
const THREADS: usize = 512;
/// Samples that a measurement learns.
const MEASURED: usize = 1024;
/// Threads that a multiprocessor holds at once.
const MOST_RESIDENT: f64 = 2048.0;

/// One way to lay out a network on a GPU.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The mapping.
    pub mapping: Mapping,
    /// How its threads share the work.
    pub layout: String,
    /// Blocks for one network.
    pub blocks: usize,
    /// Threads of a block.
    pub threads: usize,
    /// Bytes of shared memory of a block.
    pub shared: usize,
    /// The share of a multiprocessor's threads that are at work where blocks suffice.
    pub occupancy: f64,
    /// The share of the rules that stays on chip.
    pub on_chip: f64,
    /// Microseconds for a sample by the planner's model.
    pub predicted_us: f64,
    /// Microseconds for a sample, measured.
    pub measured_us: Option<f64>,
    /// Whether `auto` takes it.
    pub chosen: bool,
}

/// The ways to lay out a network on a GPU, the quickest first by what is known of them; a CPU has none to choose from. Measured
/// times are remembered for this GPU, and `auto` goes by them from then on.
///
/// # Errors
/// [`Error::Parameter`] where a number is 0 or too large, and [`Error::Cuda`].
pub fn plan(
    dims: usize,
    rules: usize,
    outputs: usize,
    device: &Device,
    measure: bool,
) -> Result<Vec<Candidate>> {
    let limits = [("dims", dims, 65_536), ("rules", rules, 65_536), ("outputs", outputs, 1024)];
    if let Some((name, value, _)) = limits.into_iter().find(|(_, value, most)| *value == 0 || value > most) {
        let must = "at least 1, and at most 65,536 (outputs 1,024)";
        return Err(Error::Parameter { algorithm: "plan", name, value: value as f64, must });
    }
    let Processor::Cuda(cuda) = device.processor(false) else { return Ok(Vec::new()) };
    let shape = Shape { dims, outputs, missing: false };
    let mut layouts = layouts(cuda, &shape, rules, 1);
    let mut times: Vec<Option<f64>> = vec![None; layouts.len()];
    if measure {
        for (layout, time) in layouts.iter().zip(&mut times) {
            *time = Some(measured(cuda, &shape, rules, *layout, false)?);
        }
        let mut quickest: Vec<(f64, Layout)> =
            layouts.iter().zip(&times).filter_map(|(layout, time)| Some(((*time)?, *layout))).collect();
        quickest.sort_by(|a, b| a.0.total_cmp(&b.0));
        let quickest: Vec<Layout> = quickest.into_iter().map(|(_, layout)| layout).collect();
        remember(cuda, &shape, rules, &quickest);
    } else if let Some(known) = remembered(cuda, &shape, rules) {
        layouts = known;
    }
    let chosen = choose(cuda, &shape, rules, 1, Mapping::Auto)?;
    let mut candidates: Vec<Candidate> = layouts
        .iter()
        .zip(&times)
        .map(|(layout, time)| candidate(cuda, &shape, rules, *layout, *time, *layout == chosen))
        .collect::<Result<_>>()?;
    let key = |c: &Candidate| (!c.chosen, c.measured_us.unwrap_or(c.predicted_us));
    candidates.sort_by(|a, b| key(a).0.cmp(&key(b).0).then(key(a).1.total_cmp(&key(b).1)));
    Ok(candidates)
}

fn candidate(
    cuda: &Cuda,
    shape: &Shape,
    rules: usize,
    layout: Layout,
    measured_us: Option<f64>,
    chosen: bool,
) -> Result<Candidate> {
    let limit = cuda.gpu().shared_per_block as usize;
    let on_chip = layout.on_chip(shape, rules, limit).ok_or(Error::NotOnGpu { what: "this mapping" })?;
    let threads = layout.threads(shape);
    let name = match layout {
        Layout::Blocks => "fire_rules",
        Layout::Tasks { .. } => "fire_tasks",
        Layout::Resident { .. } => "learn_resident",
    };
    let kernel = cuda.kernel(&layout.program(shape, on_chip, false), name)?;
    let held = kernel.blocks_per_multiprocessor(threads as u32, on_chip.bytes as u32)?;
    let blocks = layout.blocks(rules);
    Ok(Candidate {
        mapping: layout.mapping(),
        layout: layout.name(),
        blocks,
        threads,
        shared: on_chip.bytes,
        occupancy: (f64::from(held) * threads as f64 / MOST_RESIDENT).min(1.0),
        on_chip: ((on_chip.slots * blocks) as f64 / rules as f64).min(1.0),
        predicted_us: predicted(shape, rules, &layout, limit),
        measured_us,
        chosen,
    })
}

/// The layouts worth trying for `networks` networks at once, each of up to `rules` rules, the one predicted to be the quickest
/// first.
pub(in super::super) fn layouts(cuda: &Cuda, shape: &Shape, rules: usize, networks: usize) -> Vec<Layout> {
    let gpu = cuda.gpu();
    let limit = gpu.shared_per_block as usize;
    let (processors, clusters) = (gpu.multiprocessors as usize, gpu.capability.0 >= 9);
    let mut all = resident(processors, clusters, networks);
    if networks == 1 {
        all.extend(tasks(shape));
        if shape.dims <= MOST_THREADS {
            all.push(Layout::Blocks);
        }
    }
    all.retain(|layout| layout.on_chip(shape, rules, limit).is_some());
    all.sort_by(|a, b| predicted(shape, rules, a, limit).total_cmp(&predicted(shape, rules, b, limit)));
    all
}

/// Teams that share a network: one block, clusters, or parts of the whole GPU where there is one network only.
fn resident(processors: usize, clusters: bool, networks: usize) -> Vec<Layout> {
    let layout = |team, clustered| Layout::Resident { team, clustered, threads: THREADS };
    let mut all = vec![layout(1, false)];
    if clusters {
        all.extend(
            [2, 4, 8, 16]
                .into_iter()
                .filter(|team| networks * team <= processors)
                .map(|team| layout(team, true)),
        );
    }
    if networks == 1 {
        let parts = if clusters { vec![4, 2, 1] } else { vec![16, 8, 4, 2, 1] };
        let teams = parts.into_iter().map(|part| processors / part).filter(|team| *team > 1);
        all.extend(teams.map(|team| layout(team, false)));
    }
    all
}

/// Coarsenings of tasks: as many threads for a rule as it has fours of inputs, or half of that; one or two rules each; bound to
/// blocks of 128 to 512 threads.
pub(in super::super) fn tasks(shape: &Shape) -> Vec<Layout> {
    let widest = (shape.stride() / 4).next_power_of_two().clamp(4, 256);
    let mut all = Vec::new();
    for threads in [512, 256, 128] {
        for wide in [widest, widest / 2] {
            for deep in [1, 2] {
                // Blocks of hundreds of rules were never the quickest.
                if (4..=threads).contains(&wide) && (1..=64).contains(&(threads / wide * deep)) {
                    all.push(Layout::Tasks { threads, wide, deep, quick: false });
                }
            }
        }
    }
    all
}

/// Microseconds for a sample: a model with the numbers of an H200, in which what a block holds passes through its multiprocessor
/// once, and telling the others grows with how many they are. What is off chip comes from the second-level cache.
fn predicted(shape: &Shape, rules: usize, layout: &Layout, limit: usize) -> f64 {
    let bytes = (rules * shape.rule_bytes()) as f64;
    match *layout {
        Layout::Blocks => 7.2 + 0.0018 * rules as f64 + 1e-6 * bytes,
        Layout::Tasks { wide, .. } => {
            // About 128 blocks were the quickest, one for each rule where these are fewer.
            let narrow = (shape.dims as f64 / (4 * wide) as f64).log2().max(0.0);
            let uneven = (layout.blocks(rules) as f64 / rules.min(128) as f64).log2().abs();
            5.4 + 0.45e-6 * bytes + 0.3 * narrow + 0.25 * uneven
        }
        Layout::Resident { team, clustered, .. } => {
            let Some(on_chip) = layout.on_chip(shape, rules, limit) else { return f64::INFINITY };
            let slots = rules.div_ceil(team);
            let held = (on_chip.slots * shape.rule_bytes()) as f64;
            let off = ((slots - on_chip.slots) * shape.rule_bytes()) as f64;
            let telling = match (team, clustered) {
                (1, _) => 1.5,
                (_, true) => 2.35,
                (team, false) => 1.9 + 0.0205 * team as f64,
            };
            let many = 0.009 * slots.saturating_sub(32) as f64;
            telling + 0.04 * shape.outputs as f64 + 1.4e-5 * held + 6e-5 * off + many
        }
    }
}

/// The layout for `networks` networks: what a measurement found where one was made, else what is predicted, of the mapping
/// asked for.
///
/// # Errors
/// [`Error::TooManyInputsForMapping`], [`Error::NotOnGpu`].
pub(in super::super) fn choose(
    cuda: &Cuda,
    shape: &Shape,
    rules: usize,
    networks: usize,
    mapping: Mapping,
) -> Result<Layout> {
    if mapping == Mapping::RulePerBlock && shape.dims > MOST_THREADS {
        return Err(Error::TooManyInputsForMapping { dims: shape.dims, most: MOST_THREADS });
    }
    let asked = |layout: &&Layout| mapping == Mapping::Auto || layout.mapping() == mapping;
    let known = if networks == 1 { remembered(cuda, shape, rules) } else { None };
    // Other mappings take networks one after another, as many as there are.
    let others = match mapping {
        Mapping::Atm | Mapping::RulePerBlock => layouts(cuda, shape, rules, 1),
        Mapping::Auto | Mapping::Resident => layouts(cuda, shape, rules, networks),
    };
    let all = known.unwrap_or_default().into_iter().chain(others).collect::<Vec<_>>();
    for layout in all.iter().filter(asked) {
        if runs(cuda, shape, rules, layout)? {
            return Ok(*layout);
        }
    }
    Err(Error::NotOnGpu { what: "a network of so many outputs" })
}

/// Whether this GPU can hold all blocks of a cluster at once.
fn runs(cuda: &Cuda, shape: &Shape, rules: usize, layout: &Layout) -> Result<bool> {
    let Layout::Resident { team, clustered: true, threads } = *layout else { return Ok(true) };
    if team <= 8 {
        return Ok(true); // every GPU with clusters
    }
    let limit = cuda.gpu().shared_per_block as usize;
    let Some(on_chip) = layout.on_chip(shape, rules, limit) else { return Ok(false) };
    let kernel = cuda.kernel(&layout.program(shape, on_chip, false), "learn_resident")?;
    kernel.allow_wide_clusters()?;
    let mut grid = Grid::new(team as u32, threads as u32).shared(on_chip.bytes as u32);
    grid.cluster = team as u32;
    Ok(kernel.clusters_at_once(grid)? > 0)
}

/// Microseconds of a sample on this GPU, of a network whose rules all move (`dense`) or of which few do.
pub(in super::super) fn measured(
    cuda: &Cuda,
    shape: &Shape,
    rules: usize,
    layout: Layout,
    dense: bool,
) -> Result<f64> {
    let (problem, course) = load(shape, rules, dense);
    let samples = samples(&problem);
    let mut on_gpu = OnGpu::laid_out(&samples, &[network(&problem, &samples)], cuda, layout)?;
    let order: Vec<u32> = (0..MEASURED).map(|i| (i % problem.rows) as u32).collect();
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let lesson = Lesson { order: &order, course, replay: None };
        let seconds = cuda.time(|| on_gpu.learn(&[lesson]).map(drop))?;
        best = best.min(seconds * 1e6 / MEASURED as f64);
    }
    Ok(best)
}

/// What is learned to time a sample: the rules stay as many, though every sample is asked about.
pub(in super::super) fn load(shape: &Shape, rules: usize, dense: bool) -> (Problem, Course) {
    let problem = Problem {
        rows: 512,
        dims: shape.dims,
        outputs: shape.outputs,
        rules,
        clumps: if dense { 1 } else { 256 },
        spread: if dense { 1.0 } else { 0.1 },
        ..Problem::default()
    };
    let course = Course {
        ln_threshold: f32::MIN,
        most_rules: rules + 1,
        width_rule: WidthRule::Distance,
        beta: 0.5,
        first_width: 1.0,
        least_width: 1e-3,
        rate_w: 0.01,
        rate_m: 1e-3,
        rate_s: 1e-3,
        plain: false,
        loss: Loss::Squares,
    };
    (problem, course)
}

/// Networks of about as many rules share what was measured.
fn key(cuda: &Cuda, shape: &Shape, rules: usize) -> String {
    let about = (8.0 * (rules as f64).log2()).round();
    let version = env!("CARGO_PKG_VERSION");
    format!("sonfin mapping {version} {} {} {} {about}", cuda.name(), shape.dims, shape.outputs)
}

fn remember(cuda: &Cuda, shape: &Shape, rules: usize, quickest: &[Layout]) {
    if let Ok(text) = serde_json::to_vec(quickest) {
        Cache::new().put(&key(cuda, shape, rules), &text);
    }
}

/// The layouts as measured, the quickest first.
fn remembered(cuda: &Cuda, shape: &Shape, rules: usize) -> Option<Vec<Layout>> {
    let text = Cache::new().get(&key(cuda, shape, rules))?;
    let limit = cuda.gpu().shared_per_block as usize;
    let mut layouts: Vec<Layout> = serde_json::from_slice(&text).ok()?;
    layouts.retain(|layout| layout.on_chip(shape, rules, limit).is_some());
    Some(layouts)
}
