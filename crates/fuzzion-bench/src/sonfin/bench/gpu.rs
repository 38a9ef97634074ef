//! GPU benchmarks: planned layouts, the tables of Tseng (2012) with every mapping, its ablation, stages, complete
//! training runs, concurrent networks, and outputs of many rows.

use super::setup::{BenchSetup, minimum_work};
use super::shapes::{BenchShape, DATA, LONG, PUBLISHED, SampleKind, TABLE_1, TABLE_2, TRAININGS};
use crate::device::{Measurement, median_host_seconds};
use fuzzion::Result;
use fuzzion::device::Cuda;
use fuzzion::internals::sonfin::{
    CudaLearner, KernelLayout, Learner, Network, NetworkShape, STAGES, TrainingRun, layouts, measure_layout,
    order, samples,
};
use fuzzion::sonfin::Mapping;

/// Maximum number of layouts tried per mapping and table cell.
const MAX_LAYOUTS: usize = 6;
/// Number of concurrent networks.
const NETWORKS: usize = 128;
/// Number of rows for the outputs benchmark.
const ROWS: usize = 65_536;

pub(super) fn bench(setup: &BenchSetup<'_>, cuda: &Cuda) -> Result<Vec<Measurement>> {
    let mut all = Vec::new();
    for shape in PUBLISHED.into_iter().chain(DATA) {
        for kind in [SampleKind::Clustered, SampleKind::Uniform] {
            all.push(planned(setup, cuda, shape, kind)?);
        }
    }
    let tables = TABLE_1.1.iter().flat_map(|dims| TABLE_1.0.map(|rules| (*dims, rules)));
    let mut cells: Vec<(usize, usize)> = tables.collect();
    for rules in TABLE_2.1 {
        cells.extend(
            TABLE_2
                .0
                .map(|dims| (dims, rules))
                .into_iter()
                .filter(|cell| !cells.contains(cell))
                .collect::<Vec<_>>(),
        );
    }
    for (dims, rules) in cells {
        setup.progress.report(0, 0)?;
        all.extend(mappings(setup, cuda, BenchShape { dims, rules, outputs: 1 })?);
    }
    for (dims, rules) in [(32, 512), (512, 1024), (1024, 1024)] {
        let shape = BenchShape { dims, rules, outputs: 10 };
        all.extend(ablation(setup, cuda, shape)?);
        all.extend(stages(setup, cuda, shape)?);
    }
    for training in TRAININGS.into_iter().chain([LONG]) {
        let samples = samples(&training.problem());
        let empty = [Network::empty(samples.dims, samples.outputs)];
        let mut learner = CudaLearner::new(&samples, &empty, cuda, Mapping::Auto)?;
        all.push(setup.time_training(training, &samples, &mut learner)?);
    }
    all.push(concurrent_networks(setup, cuda)?);
    all.push(outputs(setup, cuda)?);
    Ok(all)
}

fn network_shape(shape: BenchShape) -> NetworkShape {
    NetworkShape { dims: shape.dims, outputs: shape.outputs, missing: false }
}

/// Measurement with a time in microseconds per sample.
fn line(setup: &BenchSetup<'_>, shape: BenchShape, name: &str, us: f64, note: String) -> Measurement {
    let BenchShape { dims, rules, outputs } = shape;
    let name = format!("sonfin/{name}/{dims}x{rules}/{outputs}o");
    let floor = minimum_work(1.0, dims, rules);
    let mut line =
        Measurement::new(name, setup.device, us * 1e-6, (1.0, "samples/s"), floor, &setup.ceilings);
    line.note = Some(format!("{us:.2} µs per sample, {note}"));
    line
}

/// Layout chosen by the planner.
fn planned(setup: &BenchSetup<'_>, cuda: &Cuda, shape: BenchShape, kind: SampleKind) -> Result<Measurement> {
    let (samples, network) = shape.problem(kind);
    let mut learner = CudaLearner::new(&samples, &[network], cuda, Mapping::Auto)?;
    let order = order(samples.rows(), 1);
    let order: Vec<u32> = order.iter().copied().cycle().take(8192).collect();
    let run = || TrainingRun { order: &order, settings: shape.step_settings(), replay: None };
    let seconds = median_host_seconds(setup.progress, || Ok(learner.learn(&[run()]).map(drop)?))?;
    let us = seconds * 1e6 / order.len() as f64;
    let layout = learner.layout().expect("invariant: the learner has run").name();
    Ok(line(setup, shape, &format!("planned/{}", kind.name()), us, format!("host to host, {layout}")))
}

/// Fastest of several layouts of each mapping, and its speed relative to `rule-per-block`.
fn mappings(setup: &BenchSetup<'_>, cuda: &Cuda, shape: BenchShape) -> Result<Vec<Measurement>> {
    let (network_size, mut baseline_us) = (network_shape(shape), None);
    let mut lines = Vec::new();
    for mapping in [Mapping::RulePerBlock, Mapping::Atm, Mapping::Resident] {
        let all = layouts(cuda, &network_size, shape.rules, 1);
        let candidates = all.into_iter().filter(|layout| layout.mapping() == mapping).take(MAX_LAYOUTS);
        let mut fastest: Option<(f64, KernelLayout)> = None;
        for layout in candidates {
            let us = measure_layout(cuda, &network_size, shape.rules, layout, false)?;
            if fastest.is_none_or(|(best, _)| us < best) {
                fastest = Some((us, layout));
            }
        }
        let Some((us, layout)) = fastest else { continue }; // no layout of this mapping fits the GPU
        let speedup = *baseline_us.get_or_insert(us) / us;
        let note = format!(
            "{speedup:.2}× as fast as rule-per-block, {}, {} threads per block",
            layout.name(),
            layout.threads(&network_size)
        );
        lines.push(line(setup, shape, mapping.name(), us, note));
    }
    Ok(lines)
}

/// Ablation of Tseng (2012): from one block per rule to its own mapping.
fn ablation(setup: &BenchSetup<'_>, cuda: &Cuda, shape: BenchShape) -> Result<Vec<Measurement>> {
    let threads_per_rule = (shape.dims / 4).next_power_of_two().clamp(32, 256);
    let bound = |fast_exp| {
        let threads_per_rule = (shape.dims / 4).next_power_of_two().clamp(4, 128);
        KernelLayout::Atm { threads: 512, threads_per_rule, rules_per_thread: 1, fast_exp }
    };
    let steps = [
        ("plain", KernelLayout::RulePerBlock),
        (
            "coarsening",
            KernelLayout::Atm {
                threads: threads_per_rule,
                threads_per_rule,
                rules_per_thread: 2,
                fast_exp: false,
            },
        ),
        ("binding", bound(false)),
        ("special functions", bound(true)),
    ];
    let mut lines = Vec::new();
    for (name, layout) in steps {
        let us = measure_layout(cuda, &network_shape(shape), shape.rules, layout, true)?;
        lines.push(line(setup, shape, &format!("ablation/{name}"), us, layout.name()));
    }
    Ok(lines)
}

/// Time per stage.
fn stages(setup: &BenchSetup<'_>, cuda: &Cuda, shape: BenchShape) -> Result<Vec<Measurement>> {
    let (samples, network) = shape.problem(SampleKind::Clustered);
    let order = order(samples.rows(), 1);
    let run = || TrainingRun { order: &order, settings: shape.step_settings(), replay: None };
    let start = [network];
    let mut learner = CudaLearner::new(&samples, &start, cuda, Mapping::Resident)?.with_stages();
    learner.learn(&[run()])?;
    let seconds = cuda.time(|| learner.learn(&[run()]).map(drop))?;
    let us = seconds * 1e6 / order.len() as f64;
    let clocks = learner.stages().expect("invariant: `with_stages` enables the measurement");
    let sum: i64 = clocks.iter().sum();
    let fraction =
        |(name, clocks): (&&str, &i64)| format!("{name} {:.0} %", 100.0 * *clocks as f64 / sum as f64);
    let stage_times: Vec<String> = STAGES.iter().zip(&clocks).map(fraction).collect();
    let mut lines = vec![line(setup, shape, "stages/resident", us, stage_times.join(", "))];
    for mapping in [Mapping::RulePerBlock, Mapping::Atm] {
        let mut learner = CudaLearner::new(&samples, &start, cuda, mapping)?;
        learner.learn(&[run()])?;
        let seconds = cuda.time(|| learner.learn(&[run()]).map(drop))?;
        let us = seconds * 1e6 / order.len() as f64;
        let launches = learner.kernel_times()?;
        let launches: Vec<String> = launches.iter().map(|(name, us)| format!("{name} {us:.2} µs")).collect();
        let name = format!("stages/{}", mapping.name());
        lines.push(line(setup, shape, &name, us, format!("each kernel alone: {}", launches.join(", "))));
    }
    Ok(lines)
}

/// Many concurrent networks, as in a settings search.
fn concurrent_networks(setup: &BenchSetup<'_>, cuda: &Cuda) -> Result<Measurement> {
    let shape = BenchShape { dims: 16, rules: 256, outputs: 10 };
    let (samples, network) = shape.problem(SampleKind::Clustered);
    let networks = vec![network; NETWORKS];
    let mut learner = CudaLearner::new(&samples, &networks, cuda, Mapping::Auto)?;
    let order = order(samples.rows(), 1);
    let run = || TrainingRun { order: &order, settings: shape.step_settings(), replay: None };
    let seconds = median_host_seconds(setup.progress, || {
        Ok(learner.learn(&(0..NETWORKS).map(|_| run()).collect::<Vec<_>>()).map(drop)?)
    })?;
    let us = seconds * 1e6 / (NETWORKS * order.len()) as f64;
    Ok(line(
        setup,
        shape,
        &format!("{NETWORKS} concurrent networks"),
        us,
        "averaged over the networks, host to host".to_owned(),
    ))
}

/// Outputs of many rows.
fn outputs(setup: &BenchSetup<'_>, cuda: &Cuda) -> Result<Measurement> {
    let shape = BenchShape { dims: 256, rules: 608, outputs: 10 };
    let (samples, network) = shape.problem(SampleKind::Clustered);
    let mut learner = CudaLearner::new(&samples, &[network], cuda, Mapping::Auto)?;
    let rows: Vec<u32> = (0..ROWS).map(|i| (i % samples.rows()) as u32).collect();
    let seconds = median_host_seconds(setup.progress, || Ok(learner.outputs(0, &rows).map(drop)?))?;
    let name = format!("sonfin/outputs/{ROWS}x256/608r");
    let floor = minimum_work(ROWS as f64, shape.dims, shape.rules);
    let mut line =
        Measurement::new(name, setup.device, seconds, (ROWS as f64, "rows/s"), floor, &setup.ceilings);
    line.note = Some(format!("{:.2} ms, outputs copied to the host", seconds * 1e3));
    Ok(line)
}
