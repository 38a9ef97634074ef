//! Networks and buffers in device memory.

use super::adam::DeviceAdam;
use super::encode::{PackedNetworks, encode_rows, shape_of};
use super::layout::{KernelLayout, NetworkShape};
use crate::device::Cuda;
use crate::device::cuda::{Buffer, Graph};
use crate::sonfin::error::Result;
use crate::sonfin::types::network::Network;
use crate::sonfin::types::options::Mapping;
use crate::sonfin::types::scaled_samples::ScaledSamples;
use std::marker::PhantomData;
use std::sync::Arc;

/// Names of the measured stages.
pub const STAGES: [&str; 6] = ["distances", "sums", "exchange", "outputs", "update", "consequents"];

/// Networks on a GPU.
pub struct CudaLearner<'a> {
    pub(super) cuda: Cuda,
    pub(super) shape: NetworkShape,
    pub(super) rows: Arc<Buffer<f32>>,
    pub(super) device_networks: DeviceNetworks,
    /// State of Adam; `None` during online training.
    pub(super) adam: Option<DeviceAdam>,
    /// Maximum number of blocks of Adam.
    pub(super) adam_blocks: usize,
    /// Rule capacity of each network.
    pub(super) capacity: usize,
    pub(super) mapping: Mapping,
    /// Layout that overrides the planner.
    pub(super) fixed_layout: Option<KernelLayout>,
    /// Layout of the last run.
    pub(super) last_layout: Option<KernelLayout>,
    pub(super) launch_graph: Option<LaunchGraph>,
    /// Clock cycles per stage of the last resident run, if requested.
    pub(super) stages: Option<[i64; STAGES.len()]>,
    pub(super) samples: PhantomData<&'a ScaledSamples>,
}

/// Rows in device memory, shared by learners.
#[derive(Clone)]
pub(in crate::sonfin) struct DeviceRows {
    shape: NetworkShape,
    values: Arc<Buffer<f32>>,
}

impl DeviceRows {
    pub(in crate::sonfin) fn new(samples: &ScaledSamples, cuda: &Cuda) -> Result<Self> {
        let shape = shape_of(samples);
        cuda.prefetch(vec![shape.outputs_program()]); // compiled during the upload and the training
        Ok(DeviceRows { shape, values: Arc::new(cuda.upload(&encode_rows(samples, &shape))?) })
    }
}

/// Networks in device memory.
pub(super) struct DeviceNetworks {
    pub(super) a: Buffer<f32>,
    pub(super) c: Buffer<f32>,
    pub(super) w: Buffer<f32>,
    pub(super) rules: Buffer<i32>,
}

impl DeviceNetworks {
    pub(super) fn new(packed: &PackedNetworks, cuda: &Cuda) -> Result<Self> {
        Ok(DeviceNetworks {
            a: cuda.upload(&packed.a)?,
            c: cuda.upload(&packed.c)?,
            w: cuda.upload(&packed.w)?,
            rules: cuda.upload(&packed.rules)?,
        })
    }

    pub(super) fn packed(&self, cuda: &Cuda) -> Result<PackedNetworks> {
        Ok(PackedNetworks {
            a: cuda.download(&self.a)?,
            c: cuda.download(&self.c)?,
            w: cuda.download(&self.w)?,
            rules: cuda.download(&self.rules)?,
        })
    }
}

/// Statistics returned by the kernels.
pub(super) struct KernelStats {
    pub(super) losses: Vec<f64>,
    pub(super) misclassified: Vec<u32>,
    /// Decisions of all runs, concatenated.
    pub(super) decisions: Vec<i32>,
}

impl<'a> CudaLearner<'a> {
    pub fn new(
        samples: &'a ScaledSamples,
        networks: &[Network],
        cuda: &Cuda,
        mapping: Mapping,
    ) -> Result<Self> {
        CudaLearner::with_rows(DeviceRows::new(samples, cuda)?, networks, cuda, mapping)
    }

    /// Like [`CudaLearner::new`], with rows that are already on the GPU.
    pub(in crate::sonfin) fn with_rows(
        rows: DeviceRows,
        networks: &[Network],
        cuda: &Cuda,
        mapping: Mapping,
    ) -> Result<Self> {
        let DeviceRows { shape, values } = rows;
        let rules = networks.iter().map(Network::rules).max();
        let capacity = rules.expect("invariant: a learner has at least one network").max(1);
        Ok(CudaLearner {
            cuda: cuda.clone(),
            shape,
            rows: values,
            device_networks: DeviceNetworks::new(&PackedNetworks::new(networks, &shape, capacity)?, cuda)?,
            adam: None,
            adam_blocks: cuda.gpu().multiprocessors as usize,
            capacity,
            mapping,
            fixed_layout: None,
            last_layout: None,
            launch_graph: None,
            stages: None,
            samples: PhantomData,
        })
    }

    /// Like [`CudaLearner::new`], with a fixed layout.
    pub fn with_layout(
        samples: &'a ScaledSamples,
        networks: &[Network],
        cuda: &Cuda,
        layout: KernelLayout,
    ) -> Result<Self> {
        let learner = CudaLearner::new(samples, networks, cuda, layout.mapping())?;
        Ok(CudaLearner { fixed_layout: Some(layout), ..learner })
    }

    /// Limits the number of blocks of Adam; at most the number of multiprocessors on a GPU.
    pub fn with_adam_blocks(self, adam_blocks: usize) -> Self {
        CudaLearner { adam_blocks, ..self }
    }

    /// Enables measuring the stages of resident runs.
    pub fn with_stages(mut self) -> Self {
        self.stages = Some(Default::default());
        self
    }

    /// Clock cycles per stage of the last run.
    pub fn stages(&self) -> Option<[i64; STAGES.len()]> {
        self.stages
    }

    /// Layout of the last run.
    pub fn layout(&self) -> Option<KernelLayout> {
        self.last_layout
    }

    /// Number of networks.
    pub(super) fn count(&self) -> usize {
        self.device_networks.rules.len()
    }

    /// Increases the rule capacity of every network to `capacity`.
    pub(super) fn reserve_rules(&mut self, capacity: usize) -> Result<()> {
        if capacity <= self.capacity {
            return Ok(());
        }
        self.edit_networks(capacity, |_| ())
    }

    /// Downloads the networks, edits them, and uploads them with this rule capacity.
    pub(super) fn edit_networks(&mut self, capacity: usize, edit: impl FnOnce(&mut [Network])) -> Result<()> {
        let packed = self.device_networks.packed(&self.cuda)?;
        let mut networks: Vec<Network> =
            (0..self.count()).map(|n| packed.network(n, &self.shape, self.capacity)).collect();
        edit(&mut networks);
        self.launch_graph = None; // refers to the buffers that are replaced
        self.adam = None; // belongs to the previous networks
        self.device_networks =
            DeviceNetworks::new(&PackedNetworks::new(&networks, &self.shape, capacity)?, &self.cuda)?;
        self.capacity = capacity;
        Ok(())
    }
}

/// CUDA graph of the launches for several samples, with the buffers that it uses.
pub(super) struct LaunchGraph {
    pub(super) graph: Graph,
    pub(super) key: (KernelLayout, usize, usize, bool),
    pub(super) order: Buffer<u32>,
    pub(super) step_settings: Buffer<f32>,
    pub(super) replay: Buffer<i32>,
    pub(super) state: Buffer<i32>,
    /// Used only by the recorded launches.
    pub(super) _distances: Buffer<f32>,
    pub(super) _results: Buffer<f32>,
    pub(super) decisions: Buffer<i32>,
    pub(super) losses: Buffer<f64>,
    pub(super) misclassified: Buffer<u32>,
}
