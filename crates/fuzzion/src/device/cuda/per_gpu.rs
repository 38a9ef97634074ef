//! Values that an object keeps for the GPUs that use it.

use super::context::Cuda;
use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of values; the oldest ones are dropped.
const MAX_VALUES: usize = 16;

/// Values created once per GPU and key, such as loaded kernels and their tables. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct PerGpu(Arc<Mutex<Vec<Entry>>>);

struct Entry {
    cuda: Cuda,
    key: [usize; 2],
    value: Arc<dyn Any + Send + Sync>,
}

impl PerGpu {
    /// The value of type `V` for a GPU and a key.
    pub(crate) fn get_or_create<V: Send + Sync + 'static, E>(
        &self,
        cuda: &Cuda,
        key: [usize; 2],
        create: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let value = |entry: &Entry| match entry.cuda.has_same_stream(cuda) && entry.key == key {
            true => entry.value.clone().downcast().ok(),
            false => None,
        };
        let existing = self.entries().iter().find_map(value);
        if let Some(value) = existing {
            return Ok(value);
        }
        let value = Arc::new(create()?); // without the lock, since GPUs compile kernels concurrently
        let mut entries = self.entries();
        if entries.len() == MAX_VALUES {
            entries.remove(0);
        }
        entries.push(Entry { cuda: cuda.clone(), key, value: value.clone() });
        Ok(value)
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for PerGpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PerGpu({} values)", self.entries().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::cuda::emulator::Order;

    #[test]
    fn a_value_is_created_once_per_gpu_key_and_type() {
        let (Some(a), Some(b)) = (Cuda::emulated(Order::Forward), Cuda::emulated(Order::Forward)) else {
            return;
        };
        let values = PerGpu::default();
        let number =
            |cuda, key, value: u8| *values.get_or_create(cuda, [key, 0], || Ok::<_, ()>(value)).unwrap();
        assert_eq!(
            [number(&a, 1, 10), number(&a, 1, 11), number(&a, 2, 12), number(&b, 1, 13)],
            [10, 10, 12, 13]
        );
        assert_eq!(values.get_or_create(&a, [1, 0], || Ok::<_, ()>("text")).map(|text| *text), Ok("text"));
        assert_eq!(values.get_or_create(&a, [3, 0], || Err::<u8, _>("failed")), Err("failed"));
        (0..2 * MAX_VALUES).for_each(|key| _ = number(&a, 100 + key, 0));
        assert_eq!(values.entries().len(), MAX_VALUES);
        assert_eq!(number(&a, 1, 20), 20);
    }
}
