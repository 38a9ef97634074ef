//! Inference with rows and results in the memory of a device.

#[cfg(feature = "cuda")]
use super::compiled::CompiledOutput;
#[cfg(feature = "cuda")]
use super::cpu::PlanScalar;
#[cfg(feature = "cuda")]
use super::cuda::select_columns;
use super::model::Plan;
#[cfg(feature = "cuda")]
use super::results::input_columns;
use crate::data::{DeviceSamples, Samples};
#[cfg(feature = "cuda")]
use crate::data::{GpuScalar, GpuView, Precision};
use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::cuda::Buffer;
#[cfg(feature = "cuda")]
use crate::device::{Cuda, Processor};
use crate::inference::error::Result;

impl Plan {
    /// Like [`Plan::infer`], with results that stay in the memory of the device, to be used by further operations. Rows
    /// from [`Samples::to_device`] are not transferred.
    ///
    /// On the CPU, with several GPUs, and for systems with outputs that keep their previous value, the results are in host
    /// memory.
    ///
    /// ```
    /// use fuzzion::inference::{Dialect, Output, System, Variable};
    /// use fuzzion::{Device, Samples, clustering::FuzzyCMeans, data::Precision, sets::Set};
    ///
    /// let heating = System::new("heating")
    ///     .input(Variable::new("room", 10.0, 30.0).set("cold", Set::ramp(20.0, 16.0)?))
    ///     .output(Output::new("valve", 0.0, 1.0).set("open", Set::ramp(0.0, 1.0)?))
    ///     .rule("if room is cold then valve is open")?;
    /// let plan = heating.compile(Dialect::Fuzzylite8, Precision::F64)?;
    /// let device = Device::best()?;
    /// let rows = Samples::new(1, &[16.0, 16.1, 18.9, 19.0])?.to_device(&device)?;
    /// let valve = plan.infer_on_device(&rows, &device)?;
    /// let partition = FuzzyCMeans::new(2).fit(&valve, &device)?; // clusters of the results
    /// assert_eq!(valve.to_host()?.names(), ["valve"]);
    /// # assert_eq!(partition.clusters(), 2);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Plan::infer`].
    pub fn infer_on_device<'a>(
        &self,
        samples: impl Into<Samples<'a>>,
        device: &Device,
    ) -> Result<DeviceSamples<'static>> {
        let samples = samples.into();
        samples.require_device(device)?;
        #[cfg(feature = "cuda")]
        if let Some(results) = self.infer_in_gpu_memory(&samples, device)? {
            return Ok(results);
        }
        Ok(self.infer(samples.to_host()?.in_host_memory(), device)?.into())
    }

    /// `None` if the results are to be computed in host memory.
    #[cfg(feature = "cuda")]
    fn infer_in_gpu_memory(
        &self,
        samples: &Samples<'_>,
        device: &Device,
    ) -> Result<Option<DeviceSamples<'static>>> {
        let complete = self.general.outputs.iter().all(|output| matches!(output, CompiledOutput::Value(_)));
        let one_gpu = samples.is_on_gpu() || device.multiple_gpus().is_none();
        if self.sequential || self.sequential_plan.is_some() || !complete || !one_gpu {
            return Ok(None);
        }
        let Processor::Cuda(cuda) = device.processor(!samples.is_on_gpu()) else { return Ok(None) };
        let uploaded;
        let samples = match samples.gpu_view() {
            Some(_) => samples.clone(),
            None => {
                uploaded = samples.to_device(device)?;
                Samples::from(&uploaded)
            }
        };
        let Some(view) = samples.gpu_view() else { return Ok(None) };
        Ok(Some(match self.precision() {
            Precision::F32 => self.launch::<f32>(&samples, view, cuda)?,
            Precision::F64 => self.launch::<f64>(&samples, view, cuda)?,
        }))
    }

    #[cfg(feature = "cuda")]
    fn launch<T: PlanScalar + GpuScalar>(
        &self,
        samples: &Samples<'_>,
        view: GpuView<'_>,
        cuda: &Cuda,
    ) -> Result<DeviceSamples<'static>> {
        let (rows, columns) = (samples.rows(), input_columns(&self.system, samples)?);
        let unchanged = view.first == 0 && columns.iter().copied().eq(0..samples.columns());
        let selected;
        let inputs: &Buffer<T> = match T::values_on_gpu(view.values).filter(|_| unchanged) {
            Some(values) => values,
            None => {
                selected = select_columns(cuda, (view, rows, samples.columns()), &columns, T::PRECISION)?;
                &selected
            }
        };
        let kernel = self.kernel::<T>(cuda)?;
        let mut out = cuda.alloc(rows * self.system.outputs.len())?;
        kernel.launch(cuda, inputs, &mut out, rows)?;
        // Other libraries and GPUs opened separately do not wait for this stream.
        cuda.stream().synchronize()?;
        let names = self.system.outputs.iter().map(|output| output.variable.name.clone()).collect();
        Ok(DeviceSamples::on_gpu(names, out, cuda))
    }
}
