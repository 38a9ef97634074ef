//! CPU benchmarks: training compared with a plain loop, and complete training runs.

use super::plain::PlainLoop;
use super::setup::BenchSetup;
use super::shapes::{DATA, GRID, LONG, SampleKind, TRAININGS};
use crate::device::{Ceilings, Measurement};
use fuzzion::device::Cpu;
use fuzzion::internals::sonfin::{CpuLearner, Network, samples};
use fuzzion::{Device, Progress, Result};

pub(super) fn bench(device: &Device, cpu: &Cpu, progress: &Progress) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    let one_thread = Cpu::with_threads(1)?.with_simd(cpu.simd());
    let single = Device::from(one_thread.clone());
    let single = BenchSetup {
        device: &single,
        progress,
        ceilings: Ceilings::measure(&single, progress)?,
        name: "1 thread",
    };
    let all =
        BenchSetup { device, progress, ceilings: Ceilings::measure(device, progress)?, name: "all threads" };
    let setups: &[(&BenchSetup<'_>, &Cpu)] =
        if cpu.threads() > 1 { &[(&single, &one_thread), (&all, cpu)] } else { &[(&single, &one_thread)] };
    for shape in DATA {
        for kind in [SampleKind::Clustered, SampleKind::Uniform] {
            let (samples, network) = shape.problem(kind);
            let mut plain = PlainLoop::new(&samples, &network, cpu.simd());
            let plain = single.time_learning(shape, kind, "plain loop", None, &mut plain)?;
            let seconds = plain.seconds;
            measurements.push(plain);
            for (setup, cpu) in setups {
                let mut learner = CpuLearner::new(&samples, std::slice::from_ref(&network), cpu);
                measurements.push(setup.time_learning(
                    shape,
                    kind,
                    setup.name,
                    Some(seconds),
                    &mut learner,
                )?);
            }
        }
    }
    for shape in GRID {
        let (samples, network) = shape.problem(SampleKind::Clustered);
        for (setup, cpu) in setups {
            let mut learner = CpuLearner::new(&samples, std::slice::from_ref(&network), cpu);
            measurements.push(setup.time_learning(
                shape,
                SampleKind::Clustered,
                setup.name,
                None,
                &mut learner,
            )?);
        }
    }
    for training in TRAININGS.into_iter().chain([LONG]) {
        let samples = samples(&training.problem());
        let empty = [Network::empty(samples.dims, samples.outputs)];
        measurements.push(all.time_training(
            training,
            &samples,
            &mut CpuLearner::new(&samples, &empty, cpu),
        )?);
    }
    Ok(measurements)
}
