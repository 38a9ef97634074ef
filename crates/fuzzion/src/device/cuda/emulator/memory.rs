//! Kernel arguments, copied between guard zones.

use bytemuck::{NoUninit, Pod};
use std::any::TypeId;
use std::ffi::c_void;

use super::compile::Parameter;

/// Size in bytes of the guard zones before and after each buffer.
const GUARD: usize = 16 * 1024;

/// Alignment of cudaMalloc, sufficient for the widest vector load.
const ALIGNMENT: usize = 256;

/// Same as POISON in fibers.h: a NaN as float and as double.
const POISON: [u8; 4] = 0xFFF5_A3C7_u32.to_le_bytes();

/// Kind of numbers of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberClass {
    Other = 0,
    Integer = 1,
    Float = 2,
}

/// Element type of an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementType {
    size: usize,
    class: NumberClass,
}

impl ElementType {
    fn of<T: 'static>() -> Self {
        let id = TypeId::of::<T>();
        let is = |ids: &[TypeId]| ids.contains(&id);
        let class = if is(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
            NumberClass::Float
        } else if is(&[TypeId::of::<i8>(), TypeId::of::<i16>(), TypeId::of::<i32>(), TypeId::of::<i64>()])
            || is(&[TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()])
            || is(&[TypeId::of::<bool>(), TypeId::of::<usize>(), TypeId::of::<isize>()])
        {
            NumberClass::Integer
        } else {
            NumberClass::Other
        };
        ElementType { size: size_of::<T>(), class }
    }

    /// Whether the class differs from the `class` of a kernel parameter.
    fn differs(self, class: u32) -> bool {
        self.class != NumberClass::Other && class != NumberClass::Other as u32 && self.class as u32 != class
    }
}

/// One argument of a launch.
#[derive(Debug)]
pub(crate) enum Arg<'a> {
    /// A pointer to values that the kernel reads.
    Read(&'a [u8], ElementType),
    /// A pointer to values that the kernel may change; they are copied back after a successful launch.
    Write(&'a mut [u8], ElementType),
    /// A number or a struct of numbers.
    Value(Vec<u8>, ElementType),
    /// A null pointer.
    Null,
}

impl<'a> Arg<'a> {
    /// Values that the kernel reads.
    pub(crate) fn slice<T: NoUninit>(values: &'a [T]) -> Self {
        Arg::Read(bytemuck::cast_slice(values), ElementType::of::<T>())
    }

    /// Values that the kernel may change.
    pub(crate) fn slice_mut<T: Pod>(values: &'a mut [T]) -> Self {
        Arg::Write(bytemuck::cast_slice_mut(values), ElementType::of::<T>())
    }

    /// A number or a struct of numbers.
    pub(crate) fn value<T: NoUninit>(value: T) -> Self {
        Arg::Value(bytemuck::bytes_of(&value).to_vec(), ElementType::of::<T>())
    }

    /// A null pointer.
    pub(crate) fn null() -> Self {
        Arg::Null
    }

    /// Why the argument does not match `parameter`, if it does not.
    pub(super) fn mismatch(&self, parameter: &Parameter) -> Option<String> {
        const READ: u32 = 1;
        const WRITE: u32 = 2;
        let size = parameter.size as usize;
        let pointer = matches!(parameter.kind, READ | WRITE);
        match self {
            Arg::Value(..) | Arg::Null if pointer != matches!(self, Arg::Null) => {
                Some("is a pointer on one side and a value on the other".into())
            }
            Arg::Read(..) | Arg::Write(..) if !pointer => {
                Some("is a pointer on one side and a value on the other".into())
            }
            Arg::Null => None,
            Arg::Value(bytes, _) if bytes.len() != size => {
                Some(format!("has {} bytes, but the kernel expects {size}", bytes.len()))
            }
            Arg::Read(..) if parameter.kind == WRITE => {
                Some("may be written by the kernel, but is read-only".into())
            }
            Arg::Read(_, element) | Arg::Write(_, element) if !size.is_multiple_of(element.size.max(1)) => {
                Some(format!("has elements of {} bytes, but the kernel expects {size}", element.size))
            }
            Arg::Read(_, element) | Arg::Write(_, element) | Arg::Value(_, element)
                if element.differs(parameter.class) =>
            {
                Some("is an integer on one side and a float on the other".into())
            }
            _ => None,
        }
    }
}

/// The kernel's copy of an argument.
#[derive(Debug)]
pub(super) struct GuardedArg {
    memory: Vec<u8>,
    start: usize,
    /// The value of a pointer parameter.
    pointer: *mut u8,
    is_value: bool,
}

impl GuardedArg {
    pub(super) fn new(arg: &Arg<'_>) -> Self {
        let (bytes, is_value): (&[u8], bool) = match arg {
            Arg::Read(bytes, _) => (bytes, false),
            Arg::Write(bytes, _) => (bytes, false),
            Arg::Value(bytes, _) => (bytes, true),
            Arg::Null => (&[], false),
        };
        let mut memory = vec![0; bytes.len() + 2 * GUARD + ALIGNMENT];
        let start = GUARD + memory[GUARD..].as_ptr().align_offset(ALIGNMENT);
        for (at, byte) in memory.iter_mut().enumerate() {
            *byte = poison(at, start);
        }
        memory[start..start + bytes.len()].copy_from_slice(bytes);
        let pointer =
            if matches!(arg, Arg::Null) { std::ptr::null_mut() } else { memory[start..].as_mut_ptr() };
        GuardedArg { memory, start, pointer, is_value }
    }

    /// Pointer to the value of the parameter.
    pub(super) fn argument(&mut self) -> *mut c_void {
        if self.is_value { self.pointer.cast() } else { (&raw mut self.pointer).cast() }
    }

    /// Copies the values back, or describes an invalid write.
    pub(super) fn copy_back(&self, arg: &mut Arg<'_>) -> Result<(), String> {
        let length = match arg {
            Arg::Read(bytes, _) => bytes.len(),
            Arg::Write(bytes, _) => bytes.len(),
            Arg::Value(bytes, _) => bytes.len(),
            Arg::Null => 0,
        };
        let end = self.start + length;
        let touched = |&at: &usize| self.memory[at] != poison(at, self.start);
        if let Some(at) = (0..self.start).rev().find(touched) {
            return Err(format!("was written {} bytes before its start", self.start - at));
        }
        if let Some(at) = (end..self.memory.len()).find(touched) {
            return Err(format!("was written {} bytes after its end", at - end + 1));
        }
        match arg {
            Arg::Read(bytes, _) if **bytes != self.memory[self.start..end] => {
                return Err("was written, but is read-only".into());
            }
            Arg::Write(bytes, _) => bytes.copy_from_slice(&self.memory[self.start..end]),
            _ => {}
        }
        Ok(())
    }
}

/// Fill byte of uninitialized memory, such that aligned numbers around `start` read as NaN.
fn poison(at: usize, start: usize) -> u8 {
    POISON[(at + ALIGNMENT * GUARD - start) % POISON.len()]
}
