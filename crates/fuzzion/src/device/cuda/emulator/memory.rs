//! Kernel arguments, copied between guard zones.

use super::compile::Parameter;
use super::guarded::GuardedMemory;
use bytemuck::{NoUninit, Pod};
use std::any::TypeId;
use std::ffi::c_void;

/// Kind of numbers of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberClass {
    Other = 0,
    Integer = 1,
    Float = 2,
}

/// Type of a value, or of the elements of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementType {
    size: usize,
    class: NumberClass,
}

impl ElementType {
    pub(crate) fn of<T: 'static>() -> Self {
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

    /// Whether an array of such elements can be accessed as the parameter's elements, which may be vectors of them.
    fn fits(self, parameter: &Parameter) -> bool {
        let size = parameter.size as usize;
        match parameter.class == NumberClass::Other as u32 {
            true => size.is_multiple_of(self.size.max(1)),
            false => size == self.size,
        }
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

    /// What the argument passes to the kernel.
    pub(super) fn passed(&self) -> Passed {
        match self {
            Arg::Read(_, element) => Passed::Read(*element),
            Arg::Write(_, element) => Passed::Write(*element),
            Arg::Value(_, element) => Passed::Value(*element),
            Arg::Null => Passed::Null,
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Arg::Read(bytes, _) => bytes,
            Arg::Write(bytes, _) => bytes,
            Arg::Value(bytes, _) => bytes,
            Arg::Null => &[],
        }
    }
}

/// Kind and type of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Passed {
    /// A pointer to elements that the kernel reads.
    Read(ElementType),
    /// A pointer to elements that the kernel may change.
    Write(ElementType),
    Value(ElementType),
    Null,
}

impl Passed {
    /// Why the argument does not match `parameter`, if it does not.
    pub(super) fn mismatch(self, parameter: &Parameter) -> Option<String> {
        const READ: u32 = 1;
        const WRITE: u32 = 2;
        let size = parameter.size as usize;
        let is_pointer = matches!(parameter.kind, READ | WRITE);
        if is_pointer == matches!(self, Passed::Value(_)) {
            let (passed, expected) = if is_pointer { ("value", "pointer") } else { ("pointer", "value") };
            return Some(format!("is a {passed}, but the kernel expects a {expected}"));
        }
        match self {
            Passed::Null => None,
            Passed::Value(value) if value.size != size => {
                Some(format!("has {} bytes, but the kernel expects {size}", value.size))
            }
            Passed::Read(_) if parameter.kind == WRITE => {
                Some("may be written by the kernel, but is passed as an input".into())
            }
            Passed::Write(_) if parameter.kind == READ => {
                Some("is only read by the kernel, but is passed as an output".into())
            }
            Passed::Read(element) | Passed::Write(element) if !element.fits(parameter) => {
                Some(format!("has elements of {} bytes, but the kernel expects {size}", element.size))
            }
            Passed::Read(element) | Passed::Write(element) | Passed::Value(element)
                if element.differs(parameter.class) =>
            {
                let (passed, expected) = match element.class {
                    NumberClass::Float => ("float", "integer"),
                    NumberClass::Integer | NumberClass::Other => ("integer", "float"),
                };
                Some(format!("has type {passed}, but the kernel expects {expected}"))
            }
            _ => None,
        }
    }
}

/// The kernel's copy of an argument.
pub(super) struct GuardedArg {
    memory: GuardedMemory,
    /// The value of a pointer parameter.
    pointer: *mut u8,
    is_value: bool,
}

impl GuardedArg {
    pub(super) fn new(arg: &Arg<'_>) -> Self {
        let memory = GuardedMemory::new(arg.bytes().len());
        memory.write(0, arg.bytes());
        let pointer = if matches!(arg, Arg::Null) { std::ptr::null_mut() } else { memory.start() };
        GuardedArg { memory, pointer, is_value: matches!(arg, Arg::Value(..)) }
    }

    /// Pointer to the value of the parameter.
    pub(super) fn argument(&mut self) -> *mut c_void {
        if self.is_value { self.pointer.cast() } else { (&raw mut self.pointer).cast() }
    }

    /// Copies the values back, or describes an invalid write.
    pub(super) fn copy_back(&self, arg: &mut Arg<'_>) -> Result<(), String> {
        if let Some(violation) = self.memory.violation() {
            return Err(violation);
        }
        match arg {
            Arg::Read(bytes, _) if **bytes != *self.memory.values() => {
                return Err("was written, but is read-only".into());
            }
            Arg::Write(bytes, _) => bytes.copy_from_slice(self.memory.values()),
            _ => {}
        }
        Ok(())
    }
}
