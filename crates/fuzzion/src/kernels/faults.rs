//! Launches and allocations that fail: every operation returns the error, and works again afterwards.

use crate::arithmetic::{DeviceKeys, LuArray};
use crate::clustering::FuzzyCMeans;
use crate::data::{Images, Pixels, Precision, Table};
use crate::device::cuda::emulator::Order;
use crate::device::{Cuda, Device, Processor};
use crate::error::{Error, Result};
use crate::inference::Dialect;
use crate::inference::example_systems::mamdani;
use crate::inference::image::Operator;
use crate::sonfin::{Growth, Sonfin};
use crate::tuning::Tuner;

/// Failures injected into an operation that performs more launches or allocations, from its first ones on.
const MAX_FAULTS: usize = 40;

fn table() -> Table {
    let rows = (0..60).map(|i| (f64::from(i * 7 % 60) / 60.0, f64::from(i * 11 % 60) / 60.0));
    Table::new(["a", "b", "y"], rows.flat_map(|(a, b)| [a, b, a * b]).collect::<Vec<f64>>()).unwrap()
}

/// An operation, which returns its result as text.
type Operation = fn(&Device) -> Result<String>;

/// One operation of each module, with its name.
fn operations() -> Vec<(&'static str, Operation)> {
    vec![
        ("clustering", |device| {
            let table = table();
            let rows = table.samples().to_device(device)?;
            let partition = FuzzyCMeans::new(3).max_iterations(3).fit(&rows, device)?;
            let labels = partition.labels(&table, device)?;
            Ok(format!(
                "{partition:?} {labels:?} {:?}",
                partition.memberships_on_device(&rows, device)?.to_host()?
            ))
        }),
        ("inference", |device| {
            let plan = mamdani(20)?.compile(Dialect::Fuzzylite8, Precision::F64)?;
            let outputs = plan.infer(&table(), device)?;
            Ok(format!("{outputs:?} {:?}", plan.infer_on_device(&table(), device)?.to_host()?))
        }),
        ("images", |device| {
            let images = Images::new(8, 6, 1, Pixels::U8((0..96u32).map(|i| (i * 5 % 251) as u8).collect()))?;
            Ok(format!("{:?}", Operator::named("fire-edges")?.apply(&images, device)?))
        }),
        ("arithmetic", |device| {
            let numbers = LuArray::crisp(2, &[3.0, 1.0, 2.0])?;
            let on_device = numbers.to_device(device)?;
            let sum = on_device.mul(&on_device, device)?.add(&on_device, device)?;
            let sorted = sum.sort_by_key(&DeviceKeys::new(&[2u32, 0, 1], device)?, device)?;
            Ok(format!("{:?} {:?}", sorted.to_host()?, numbers.sort_by_key(&[2u32, 0, 1], device)?))
        }),
        ("tuning", |device| {
            let tuned = Tuner::grid(&[2, 2]).iterations(2).fit(&table(), &["y"], device)?;
            Ok(format!("{:?}", tuned.predict(&table(), device)?))
        }),
        ("sonfin", |device| {
            let model = Sonfin::new().growth(Growth::Budget(8)).epochs(1).fit(&table(), &["y"], device)?;
            Ok(format!("{:?}", model.predict(&table(), device)?))
        }),
    ]
}

fn require_error(name: &str, count: usize, result: Result<String>, expected: &str) {
    let error: Error = match result {
        Ok(_) => panic!("{name}: the result hides failure {count}"),
        Err(error) => error,
    };
    let message = error.message();
    assert!(message.starts_with(expected) && !message.contains('\n'), "{name}, failure {count}: {message}");
}

#[test]
fn every_operation_reports_failed_launches_and_allocations() {
    for (name, operation) in operations() {
        let Some(cuda) = Cuda::emulated(Order::Forward) else { return };
        let device = Device::with_emulated_gpus(vec![cuda]);
        let Processor::Cuda(cuda) = device.processor(false) else { panic!("the device has a GPU") };
        let faults = cuda.faults();
        let expected = operation(&device).unwrap();
        let messages =
            ["CUDA error while launching a kernel: CUDA_ERROR_LAUNCH_FAILED", "out of GPU memory: "];
        for (fault, message) in [&faults.launches, &faults.allocations].into_iter().zip(messages) {
            for count in 0..MAX_FAULTS {
                fault.inject_after(count);
                let result = operation(&device);
                if !fault.remove() {
                    break; // the operation needs fewer
                }
                require_error(name, count, result, message);
            }
        }
        assert_eq!(operation(&device).unwrap(), expected, "{name}");
    }
}
