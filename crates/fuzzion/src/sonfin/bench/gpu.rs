//! What a GPU is timed at: known shapes as planned, the thesis' tables in every mapping, its ablation, stages, whole trainings,
//! networks at once, and outputs of many rows.

use super::super::cuda::OnGpu;
use super::super::cuda::layout::{self, Layout};
use super::super::cuda::plan::{layouts, measured};
use super::super::cuda::resident::STAGES;
use super::super::learner::{Learner, Lesson};
use super::super::network::Network;
use super::super::problem::{order, samples};
use super::super::settings::Mapping;
use super::shapes::{DATA, KNOWN, Kind, LONG, Shape, TABLE_1, TABLE_2, TRAININGS};
use super::{Setting, floor};
use crate::device::Cuda;
use crate::device::measure::{Measurement, median_host_seconds};
use crate::error::Result;

/// Layouts of a mapping that are tried for a place in a table.
const TRIED: usize = 6;
/// Networks that learn at once.
const NETWORKS: usize = 128;
/// Rows whose outputs are timed.
const ROWS: usize = 65_536;

pub(super) fn bench(setting: &Setting<'_>, cuda: &Cuda) -> Result<Vec<Measurement>> {
    let mut all = Vec::new();
    for shape in KNOWN.into_iter().chain(DATA) {
        for kind in [Kind::Clumps, Kind::Everywhere] {
            all.push(planned(setting, cuda, shape, kind)?);
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
        setting.progress.report(0, 0)?;
        all.extend(mappings(setting, cuda, Shape { dims, rules, outputs: 1 })?);
    }
    for (dims, rules) in [(32, 512), (512, 1024), (1024, 1024)] {
        let shape = Shape { dims, rules, outputs: 10 };
        all.extend(ablation(setting, cuda, shape)?);
        all.extend(stages(setting, cuda, shape)?);
    }
    for training in TRAININGS.into_iter().chain([LONG]) {
        let samples = samples(&training.problem());
        let empty = [Network::empty(samples.dims, samples.outputs)];
        let mut learner = OnGpu::new(&samples, &empty, cuda, Mapping::Auto)?;
        all.push(setting.training(training, &samples, &mut learner)?);
    }
    all.push(at_once(setting, cuda)?);
    all.push(outputs(setting, cuda)?);
    Ok(all)
}

fn shape_of(shape: Shape) -> layout::Shape {
    layout::Shape { dims: shape.dims, outputs: shape.outputs, missing: false }
}

/// A line for so many microseconds per sample.
fn line(setting: &Setting<'_>, shape: Shape, name: &str, us: f64, note: String) -> Measurement {
    let Shape { dims, rules, outputs } = shape;
    let name = format!("sonfin/{name}/{dims}x{rules}/{outputs}o");
    let floor = floor(1.0, dims, rules);
    let mut line =
        Measurement::new(name, setting.device, us * 1e-6, (1.0, "samples/s"), floor, &setting.ceilings);
    line.note = Some(format!("{us:.2} µs per sample, {note}"));
    line
}

/// As the planner lays it out.
fn planned(setting: &Setting<'_>, cuda: &Cuda, shape: Shape, kind: Kind) -> Result<Measurement> {
    let (samples, network) = shape.problem(kind);
    let mut learner = OnGpu::new(&samples, &[network], cuda, Mapping::Auto)?;
    let order = order(samples.rows(), 1);
    let order: Vec<u32> = order.iter().copied().cycle().take(8192).collect();
    let lesson = || Lesson { order: &order, course: shape.course(), replay: None };
    let seconds = median_host_seconds(setting.progress, || learner.learn(&[lesson()]).map(drop))?;
    let us = seconds * 1e6 / order.len() as f64;
    let layout = learner.layout().map_or(String::new(), |layout| layout.name());
    Ok(line(setting, shape, &format!("planned/{}", kind.name()), us, format!("host to host, {layout}")))
}

/// The quickest of some layouts of each mapping, and what it is beside `rule-per-block`.
fn mappings(setting: &Setting<'_>, cuda: &Cuda, shape: Shape) -> Result<Vec<Measurement>> {
    let (of, mut blocks) = (shape_of(shape), None);
    let mut lines = Vec::new();
    for mapping in [Mapping::RulePerBlock, Mapping::Atm, Mapping::Resident] {
        let all = layouts(cuda, &of, shape.rules, 1);
        let tried = all.into_iter().filter(|layout| layout.mapping() == mapping).take(TRIED);
        let mut quickest: Option<(f64, Layout)> = None;
        for layout in tried {
            let us = measured(cuda, &of, shape.rules, layout, false)?;
            if quickest.is_none_or(|(least, _)| us < least) {
                quickest = Some((us, layout));
            }
        }
        let Some((us, layout)) = quickest else { continue };
        let beside = *blocks.get_or_insert(us) / us;
        let note =
            format!("{beside:.2} × rule-per-block, {} of {} threads", layout.name(), layout.threads(&of));
        lines.push(line(setting, shape, mapping.name(), us, note));
    }
    Ok(lines)
}

/// The thesis' steps from a block per rule to its own mapping.
fn ablation(setting: &Setting<'_>, cuda: &Cuda, shape: Shape) -> Result<Vec<Measurement>> {
    let wide = (shape.dims / 4).next_power_of_two().clamp(32, 256);
    let bound = |quick| {
        let wide = (shape.dims / 4).next_power_of_two().clamp(4, 128);
        Layout::Tasks { threads: 512, wide, deep: 1, quick }
    };
    let steps = [
        ("plain", Layout::Blocks),
        ("coarsening", Layout::Tasks { threads: wide, wide, deep: 2, quick: false }),
        ("binding", bound(false)),
        ("special functions", bound(true)),
    ];
    let mut lines = Vec::new();
    for (name, layout) in steps {
        let us = measured(cuda, &shape_of(shape), shape.rules, layout, true)?;
        lines.push(line(setting, shape, &format!("ablation/{name}"), us, layout.name()));
    }
    Ok(lines)
}

/// Where the time of a sample goes.
fn stages(setting: &Setting<'_>, cuda: &Cuda, shape: Shape) -> Result<Vec<Measurement>> {
    let (samples, network) = shape.problem(Kind::Clumps);
    let order = order(samples.rows(), 1);
    let lesson = || Lesson { order: &order, course: shape.course(), replay: None };
    let start = [network];
    let mut learner = OnGpu::new(&samples, &start, cuda, Mapping::Resident)?.with_stages();
    learner.learn(&[lesson()])?;
    let seconds = cuda.time(|| learner.learn(&[lesson()]).map(drop))?;
    let us = seconds * 1e6 / order.len() as f64;
    let clocks = learner.stages().unwrap_or_default();
    let sum: i64 = clocks.iter().sum();
    let share =
        |(name, clocks): (&&str, &i64)| format!("{name} {:.0} %", 100.0 * *clocks as f64 / sum as f64);
    let shares: Vec<String> = STAGES.iter().zip(&clocks).map(share).collect();
    let mut lines = vec![line(setting, shape, "stages/resident", us, shares.join(", "))];
    for mapping in [Mapping::RulePerBlock, Mapping::Atm] {
        let mut learner = OnGpu::new(&samples, &start, cuda, mapping)?;
        learner.learn(&[lesson()])?;
        let seconds = cuda.time(|| learner.learn(&[lesson()]).map(drop))?;
        let us = seconds * 1e6 / order.len() as f64;
        let launches = learner.launch_times()?;
        let launches: Vec<String> = launches.iter().map(|(name, us)| format!("{name} {us:.2} µs")).collect();
        let name = format!("stages/{}", mapping.name());
        lines.push(line(setting, shape, &name, us, format!("alone: {}", launches.join(", "))));
    }
    Ok(lines)
}

/// Many networks, as a search has them.
fn at_once(setting: &Setting<'_>, cuda: &Cuda) -> Result<Measurement> {
    let shape = Shape { dims: 16, rules: 256, outputs: 10 };
    let (samples, network) = shape.problem(Kind::Clumps);
    let networks = vec![network; NETWORKS];
    let mut learner = OnGpu::new(&samples, &networks, cuda, Mapping::Auto)?;
    let order = order(samples.rows(), 1);
    let lesson = || Lesson { order: &order, course: shape.course(), replay: None };
    let seconds = median_host_seconds(setting.progress, || {
        learner.learn(&(0..NETWORKS).map(|_| lesson()).collect::<Vec<_>>()).map(drop)
    })?;
    let us = seconds * 1e6 / (NETWORKS * order.len()) as f64;
    Ok(line(
        setting,
        shape,
        &format!("{NETWORKS} networks at once"),
        us,
        "of any of them, host to host".to_owned(),
    ))
}

/// Outputs of many rows.
fn outputs(setting: &Setting<'_>, cuda: &Cuda) -> Result<Measurement> {
    let shape = Shape { dims: 256, rules: 608, outputs: 10 };
    let (samples, network) = shape.problem(Kind::Clumps);
    let mut learner = OnGpu::new(&samples, &[network], cuda, Mapping::Auto)?;
    let rows: Vec<u32> = (0..ROWS).map(|i| (i % samples.rows()) as u32).collect();
    let seconds = median_host_seconds(setting.progress, || learner.outputs(0, &rows).map(drop))?;
    let name = format!("sonfin/outputs/{ROWS}x256/608r");
    let floor = floor(ROWS as f64, shape.dims, shape.rules);
    let mut line =
        Measurement::new(name, setting.device, seconds, (ROWS as f64, "rows/s"), floor, &setting.ceilings);
    line.note = Some(format!("{:.2} ms, outputs copied to the host", seconds * 1e3));
    Ok(line)
}
