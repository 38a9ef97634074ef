//! Chooses the layout for a network and a GPU: by stored measurements, or by a cost model.

use super::encode::shape_of;
use super::layout::{KernelLayout, MAX_THREADS, NetworkShape, adam_program};
use crate::device::Cuda;
use crate::device::DeviceError;
use crate::device::cuda::{Grid, KernelCache};
use crate::sonfin::error::{Result, SonfinError};
use crate::sonfin::types::options::Mapping;
use crate::sonfin::types::scaled_samples::ScaledSamples;

/// Threads of a resident block: more hide latency, fewer reduce redundant work; 512 was the fastest in all
/// measurements.
const THREADS: usize = 512;
/// Invariant of [`layouts`] and [`stored_measurement`].
pub(super) const FITS: &str = "invariant: candidate layouts fit in shared memory";

/// Starts compiling the programs that train networks of up to these numbers of rules.
pub(in crate::sonfin) fn prefetch(
    samples: &ScaledSamples,
    rules: &[usize],
    adam: bool,
    mapping: Mapping,
    cuda: &Cuda,
) {
    let shape = shape_of(samples);
    let capacity = rules.iter().max().copied().unwrap_or(1);
    let limit = cuda.gpu().shared_per_block as usize;
    let layout = layouts(cuda, &shape, capacity, rules.len())
        .into_iter()
        .find(|layout| mapping == Mapping::Auto || layout.mapping() == mapping);
    let training = match adam {
        true => Some(adam_program()),
        false => layout.and_then(|layout| {
            Some(layout.program(&shape, layout.shared_memory(&shape, capacity, limit)?, false))
        }),
    };
    cuda.prefetch(training.into_iter().chain([shape.outputs_program()]).collect());
}

/// Candidate layouts for `networks` concurrent networks with up to `rules` rules each, by increasing predicted
/// time.
pub fn layouts(cuda: &Cuda, shape: &NetworkShape, rules: usize, networks: usize) -> Vec<KernelLayout> {
    let gpu = cuda.gpu();
    let limit = gpu.shared_per_block as usize;
    let (processors, clusters) = (gpu.multiprocessors as usize, gpu.capability.0 >= 9);
    let mut all = resident_layouts(processors, clusters, networks);
    if networks == 1 {
        all.extend(atm_layouts(shape));
        if shape.dims <= MAX_THREADS {
            all.push(KernelLayout::RulePerBlock);
        }
    }
    all.retain(|layout| layout.shared_memory(shape, rules, limit).is_some());
    all.sort_by(|a, b| predict_us(shape, rules, a, limit).total_cmp(&predict_us(shape, rules, b, limit)));
    all
}

/// Resident layouts: one block, clusters, or, for a single network, fractions of the whole GPU.
fn resident_layouts(processors: usize, clusters: bool, networks: usize) -> Vec<KernelLayout> {
    let layout = |blocks_per_network, clustered| KernelLayout::Resident {
        blocks_per_network,
        clustered,
        threads: THREADS,
    };
    let mut all = vec![layout(1, false)];
    if clusters {
        all.extend(
            [2, 4, 8, 16]
                .into_iter()
                .filter(|blocks_per_network| networks * blocks_per_network <= processors)
                .map(|blocks_per_network| layout(blocks_per_network, true)),
        );
    }
    if networks == 1 {
        let parts = if clusters { vec![4, 2, 1] } else { vec![16, 8, 4, 2, 1] };
        let block_counts = parts
            .into_iter()
            .map(|part| processors / part)
            .filter(|blocks_per_network| *blocks_per_network > 1);
        all.extend(block_counts.map(|blocks_per_network| layout(blocks_per_network, false)));
    }
    all
}

/// ATM layouts: one thread per four inputs of a rule, or half as many; one or two rules per thread; blocks of 128
/// to 512 threads.
pub(in crate::sonfin) fn atm_layouts(shape: &NetworkShape) -> Vec<KernelLayout> {
    let widest = (shape.stride() / 4).next_power_of_two().clamp(4, 256);
    let mut all = Vec::new();
    for threads in [512, 256, 128] {
        for threads_per_rule in [widest, widest / 2] {
            for rules_per_thread in [1, 2] {
                // Blocks with hundreds of rules were never the fastest.
                if (4..=threads).contains(&threads_per_rule)
                    && (1..=64).contains(&(threads / threads_per_rule * rules_per_thread))
                {
                    all.push(KernelLayout::Atm {
                        threads,
                        threads_per_rule,
                        rules_per_thread,
                        fast_exp: false,
                    });
                }
            }
        }
    }
    all
}

/// Predicted microseconds per sample: a cost model fitted to an H200. Each block streams its rules through its
/// multiprocessor once, the exchange grows with the number of blocks, and rules outside shared memory come from the
/// L2 cache.
pub(super) fn predict_us(shape: &NetworkShape, rules: usize, layout: &KernelLayout, limit: usize) -> f64 {
    let bytes = (rules * shape.rule_bytes()) as f64;
    match *layout {
        KernelLayout::RulePerBlock => 7.2 + 0.0018 * rules as f64 + 1e-6 * bytes,
        KernelLayout::Atm { threads_per_rule, .. } => {
            // About 128 blocks were the fastest, or one per rule if there are fewer rules.
            let narrowness = (shape.dims as f64 / (4 * threads_per_rule) as f64).log2().max(0.0);
            let imbalance = (layout.blocks(rules) as f64 / rules.min(128) as f64).log2().abs();
            5.4 + 0.45e-6 * bytes + 0.3 * narrowness + 0.25 * imbalance
        }
        KernelLayout::Resident { blocks_per_network, clustered, .. } => {
            let shared_memory = layout.shared_memory(shape, rules, limit).expect(FITS);
            let slots = rules.div_ceil(blocks_per_network);
            let on_chip_bytes = (shared_memory.slots * shape.rule_bytes()) as f64;
            let off_chip_bytes = ((slots - shared_memory.slots) * shape.rule_bytes()) as f64;
            let exchange = match (blocks_per_network, clustered) {
                (1, _) => 1.5,
                (_, true) => 2.35,
                (blocks_per_network, false) => 1.9 + 0.0205 * blocks_per_network as f64,
            };
            let many_slots = 0.009 * slots.saturating_sub(32) as f64;
            exchange
                + 0.04 * shape.outputs as f64
                + 1.4e-5 * on_chip_bytes
                + 6e-5 * off_chip_bytes
                + many_slots
        }
    }
}

/// Layout for `networks` networks with the requested mapping: by a stored measurement if available, otherwise by the
/// prediction.
///
/// # Errors
/// [`SonfinError::TooManyInputs`], [`DeviceError::NotOnGpu`].
pub(in crate::sonfin) fn choose(
    cuda: &Cuda,
    shape: &NetworkShape,
    rules: usize,
    networks: usize,
    mapping: Mapping,
) -> Result<KernelLayout> {
    if mapping == Mapping::RulePerBlock && shape.dims > MAX_THREADS {
        return Err(SonfinError::TooManyInputs { dims: shape.dims, most: MAX_THREADS });
    }
    let matches_mapping = |layout: &KernelLayout| mapping == Mapping::Auto || layout.mapping() == mapping;
    let stored = if networks == 1 { stored_measurement(cuda, shape, rules) } else { None };
    // The other mappings train networks one after another.
    let predicted_order = match mapping {
        Mapping::Atm | Mapping::RulePerBlock => layouts(cuda, shape, rules, 1),
        Mapping::Auto | Mapping::Resident => layouts(cuda, shape, rules, networks),
    };
    // Without a stored measurement, only the prediction counts.
    for layout in stored.into_iter().flatten().chain(predicted_order).filter(matches_mapping) {
        if can_run(cuda, shape, rules, &layout)? {
            return Ok(layout);
        }
    }
    Err(DeviceError::NotOnGpu { what: "a network with this many outputs" }.into())
}

/// Whether all blocks of a cluster can be resident at once on this GPU.
fn can_run(cuda: &Cuda, shape: &NetworkShape, rules: usize, layout: &KernelLayout) -> Result<bool> {
    let KernelLayout::Resident { blocks_per_network, clustered: true, threads } = *layout else {
        return Ok(true);
    };
    if blocks_per_network <= 8 {
        return Ok(true); // supported by every GPU with clusters
    }
    let limit = cuda.gpu().shared_per_block as usize;
    let shared_memory = layout.shared_memory(shape, rules, limit).expect(FITS);
    let kernel = cuda.kernel(&layout.program(shape, shared_memory, false), "learn_resident")?;
    kernel.allow_nonportable_clusters()?;
    let mut grid = Grid::new(blocks_per_network as u32, threads as u32).shared(shared_memory.bytes as u32);
    grid.cluster = blocks_per_network as u32;
    Ok(kernel.max_active_clusters(grid)? > 0)
}

/// Key of a measurement, shared by networks with a similar number of rules.
fn cache_key(cuda: &Cuda, shape: &NetworkShape, rules: usize) -> String {
    let rounded_rules = (8.0 * (rules as f64).log2()).round();
    let version = env!("CARGO_PKG_VERSION");
    format!("sonfin mapping {version} {} {} {} {rounded_rules}", cuda.name(), shape.dims, shape.outputs)
}

pub(super) fn store_measurement(cuda: &Cuda, shape: &NetworkShape, rules: usize, fastest: &[KernelLayout]) {
    let text = serde_json::to_vec(fastest).expect("invariant: layouts can be serialized");
    KernelCache::new().put(&cache_key(cuda, shape, rules), &text);
}

/// Layouts of a stored measurement, fastest first; `None` if there is none.
pub(super) fn stored_measurement(
    cuda: &Cuda,
    shape: &NetworkShape,
    rules: usize,
) -> Option<Vec<KernelLayout>> {
    let text = KernelCache::new().get(&cache_key(cuda, shape, rules))?;
    let limit = cuda.gpu().shared_per_block as usize;
    let mut layouts: Vec<KernelLayout> = serde_json::from_slice(&text).ok()?; // a damaged entry is ignored
    layouts.retain(|layout| layout.shared_memory(shape, rules, limit).is_some());
    Some(layouts)
}
