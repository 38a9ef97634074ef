//! The room's part of `fuzzion bench`: samples learned per second, at the shapes of the thesis and of known data, beside a
//! plain loop; and whole trainings.

mod gpu;
pub(super) mod plain;
mod shapes;

use super::cpu::OnCpu;
use super::learner::{Learner, Lesson, Tally};
use super::network::Network;
use super::problem::{order, samples};
use super::samples::Samples;
use crate::device::measure::{Floor, Measurement, median_host_seconds};
use crate::device::{Ceilings, Cpu, Device, Processor};
use crate::error::Result;
use crate::progress::Progress;
use plain::Plain;
use shapes::{DATA, GRID, Kind, LONG, Shape, TRAININGS, Training};
use std::time::Instant;

/// Numbers of the network, rules times inputs, that a timed run goes through on one thread.
const WORK: usize = 20_000_000;

pub(crate) fn bench(device: &Device, progress: Progress<'_>) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    if let Processor::Cpu(cpu) = device.processor(false) {
        let one = Cpu::with_threads(1)?.with_simd(cpu.simd());
        let alone = Device::Cpu(one.clone());
        let alone = Setting {
            device: &alone,
            progress,
            ceilings: Ceilings::measure(&alone, progress)?,
            name: "1 thread",
        };
        let all =
            Setting { device, progress, ceilings: Ceilings::measure(device, progress)?, name: "all threads" };
        let settings: &[(&Setting<'_>, &Cpu)] =
            if cpu.threads() > 1 { &[(&alone, &one), (&all, cpu)] } else { &[(&alone, &one)] };
        for shape in DATA {
            for kind in [Kind::Clumps, Kind::Everywhere] {
                let (samples, network) = shape.problem(kind);
                let mut plain = Plain::new(&samples, &network, cpu.simd());
                let plain = alone.learning(shape, kind, "plain loop", None, &mut plain)?;
                let seconds = plain.seconds;
                measurements.push(plain);
                for (setting, cpu) in settings {
                    let mut learner = OnCpu::new(&samples, std::slice::from_ref(&network), cpu);
                    measurements.push(setting.learning(
                        shape,
                        kind,
                        setting.name,
                        Some(seconds),
                        &mut learner,
                    )?);
                }
            }
        }
        for shape in GRID {
            let (samples, network) = shape.problem(Kind::Clumps);
            for (setting, cpu) in settings {
                let mut learner = OnCpu::new(&samples, std::slice::from_ref(&network), cpu);
                measurements.push(setting.learning(shape, Kind::Clumps, setting.name, None, &mut learner)?);
            }
        }
        for training in TRAININGS.into_iter().chain([LONG]) {
            let samples = samples(&training.problem());
            let empty = [Network::empty(samples.dims, samples.outputs)];
            measurements.push(all.training(training, &samples, &mut OnCpu::new(&samples, &empty, cpu))?);
        }
    }
    if let Processor::Cuda(cuda) = device.processor(false) {
        let ceilings = Ceilings::measure(device, progress)?;
        let setting = Setting { device, progress, ceilings, name: "planned" };
        measurements.extend(gpu::bench(&setting, cuda)?);
    }
    Ok(measurements)
}

/// What is timed, and where.
struct Setting<'a> {
    device: &'a Device,
    progress: Progress<'a>,
    ceilings: Ceilings,
    name: &'static str,
}

impl Setting<'_> {
    /// Samples of one shape, learned by `learner`, which `name` names, and beside the seconds of the plain loop.
    fn learning(
        &self,
        shape: Shape,
        kind: Kind,
        name: &str,
        plain: Option<f64>,
        learner: &mut dyn Learner,
    ) -> Result<Measurement> {
        let Shape { dims, rules, outputs } = shape;
        let order = order(shape.rows(), 1);
        let order = &order[..(WORK / (dims * rules)).clamp(16, order.len())];
        let lesson = || Lesson { order, course: shape.course(), replay: None };
        let seconds = median_host_seconds(self.progress, || learner.learn(&[lesson()]).map(drop))?;
        let n = order.len() as f64;
        let name = format!("sonfin/learn/{dims}x{rules}/{outputs}o/{}/{name}", kind.name());
        let mut measurement = Measurement::new(
            name,
            self.device,
            seconds,
            (n, "samples/s"),
            floor(n, dims, rules),
            &self.ceilings,
        );
        let per_sample = format!("{:.2} µs per sample", seconds / n * 1e6);
        measurement.note = Some(match plain {
            Some(plain) => format!("{per_sample}, {:.1}× the plain loop", plain / seconds),
            None => per_sample,
        });
        Ok(measurement)
    }

    /// A network grown and taught in its epochs.
    fn training(
        &self,
        training: Training,
        samples: &Samples,
        learner: &mut dyn Learner,
    ) -> Result<Measurement> {
        let Training { name, dims, rules, epochs, .. } = training;
        let start = Instant::now();
        let mut last = Tally::default();
        for epoch in 0..epochs {
            self.progress.report(epoch as u64, epochs as u64)?;
            let order = order(samples.rows(), epoch as u64);
            let lesson = Lesson { order: &order, course: training.course(), replay: None };
            last = learner.learn(&[lesson])?.remove(0);
        }
        let seconds = start.elapsed().as_secs_f64();
        let n = (epochs * samples.rows()) as f64;
        let grown = learner.network(0)?.rules();
        let floor = floor(n, dims, grown);
        let name = format!("sonfin/train/{name}/{}x{dims}/{rules}r/{epochs} epochs", samples.rows());
        let mut measurement =
            Measurement::new(name, self.device, seconds, (n, "samples/s"), floor, &self.ceilings);
        measurement.runs = 1;
        measurement.note = Some(format!(
            "{:.1} µs per sample, {grown} rules, {:.1} % wrong in the last epoch",
            seconds / n * 1e6,
            100.0 * last.wrong as f64 / samples.rows() as f64,
        ));
        Ok(measurement)
    }
}

/// Two multiply-adds for every rule and input. Where rules are given up before their last input, it may take less.
fn floor(samples: f64, dims: usize, rules: usize) -> Floor {
    Floor { operations_f32: 4.0 * samples * (dims * rules) as f64, ..Floor::default() }
}
