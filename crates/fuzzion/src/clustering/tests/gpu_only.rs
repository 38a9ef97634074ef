//! Rows that are only in GPU memory.

use super::{clouds, cpu};
use crate::clustering::{Criterion, FuzzyCMeans, MissingValues, Partition};
use crate::data::{DataError, DeviceSamples, Samples, Values};
use crate::device::cuda::emulator::Order;
use crate::device::{Cuda, Device, Processor};

/// Rows in host memory and the same rows in the memory of an emulated GPU; `None` if there is no C++ compiler.
fn rows() -> Option<(Vec<f32>, Device, DeviceSamples<'static>)> {
    let clouds = clouds(&[[0.0, 0.0], [9.0, 1.0], [4.0, 8.0]], 60, 3);
    let values: Vec<f32> = clouds.iter().map(|x| *x as f32).collect();
    let (device, on_gpu) = on_gpu(&values)?;
    Some((values, device, on_gpu))
}

fn on_gpu(values: &[f32]) -> Option<(Device, DeviceSamples<'static>)> {
    let device = Device::with_emulated_gpus(vec![Cuda::emulated(Order::Forward)?]);
    let Processor::Cuda(cuda) = device.processor(false) else { panic!("the device has a GPU") };
    let names = vec!["c1".to_owned(), "c2".to_owned()];
    let on_gpu = DeviceSamples::on_gpu(names, cuda.upload(values).unwrap(), cuda);
    Some((device, on_gpu))
}

fn fit(samples: Samples<'_>, settings: &FuzzyCMeans, device: &Device) -> Partition {
    settings.fit(samples, device).unwrap()
}

#[test]
fn fits_memberships_and_labels_need_no_copy_in_host_memory() {
    let Some((values, device, on_gpu)) = rows() else { return };
    let host = Samples::new(2, &values).unwrap();
    let weights: Vec<f64> = (0..host.rows()).map(|row| 0.5 + (row % 3) as f64).collect();
    for criterion in Criterion::ALL {
        for plain in [false, true] {
            let settings = FuzzyCMeans::new(3).criterion(criterion).plain(plain).seed(5);
            let found = fit(Samples::from(&on_gpu), &settings, &device);
            assert_eq!(found, fit(host.clone(), &settings, &device));
            let weighted = |samples: Samples<'_>| {
                fit(samples.with_weights(&weights).unwrap(), &settings, &device).centers
            };
            assert_eq!(weighted(Samples::from(&on_gpu)), weighted(host.clone()));
        }
    }
    let partition = fit(host.clone(), &FuzzyCMeans::new(3), &device);
    let expected = partition.memberships(&host, &device).unwrap();
    assert_eq!(partition.memberships(&on_gpu, &device).unwrap(), expected);
    let memberships = partition.memberships_on_device(&on_gpu, &device).unwrap();
    assert_eq!(memberships.to_host().unwrap(), expected);
    assert_eq!(partition.labels(&on_gpu, &device).unwrap(), partition.labels(&host, &cpu()).unwrap());
    let part = Samples::from(&on_gpu).part(7..50);
    assert_eq!(partition.labels(&part, &device).unwrap(), partition.labels(&host, &cpu()).unwrap()[7..50]);
    // The memberships are rows of further operations.
    FuzzyCMeans::new(2).fit(&memberships, &device).unwrap();
    assert!(!on_gpu.has_host_copy() && !memberships.has_host_copy());
}

#[test]
fn operations_without_kernels_copy_the_rows_to_host_memory() {
    let Some((values, device, on_gpu)) = rows() else { return };
    let host = Samples::new(2, &values).unwrap();
    let settings = FuzzyCMeans::new(3).missing(MissingValues::Partial).seed(5);
    let found = fit(Samples::from(&on_gpu), &settings, &device);
    assert!(on_gpu.has_host_copy());
    assert_eq!(found, fit(host.clone(), &settings, &device));
    let samples = Samples::from(&on_gpu);
    assert_eq!((samples.values(), samples.precision()), (Values::F32(&values), host.precision()));
    assert_eq!((samples.part(3..5).values(), samples.get(3, 1)), (host.slice(3..5), host.get(3, 1)));
}

#[test]
fn values_that_are_not_finite_are_reported_without_a_copy() {
    let Some((device, on_gpu)) = on_gpu(&[1.0, 2.0, 3.0, f32::NAN, 5.0, 6.0]) else { return };
    let error = FuzzyCMeans::new(2).fit(&on_gpu, &device).unwrap_err();
    assert!(error.to_string().starts_with("row 2, column `c2` is missing (NaN)"), "{error}");
    assert!(!on_gpu.has_host_copy());
    let error = Samples::from(&on_gpu).require_finite().unwrap_err();
    assert!(matches!(error, DataError::NotFinite { row: 2, column: 2, .. }));
}
