//! The arguments of a launch, copied between guard zones.

use bytemuck::{NoUninit, Pod};
use std::any::TypeId;
use std::ffi::c_void;

use super::compile::Parameter;

/// Bytes before and after each buffer that a kernel must leave alone.
const GUARD: usize = 16 * 1024;

/// As cudaMalloc: the widest vector load is aligned.
const ALIGNMENT: usize = 256;

/// As POISON in fibres.h: a NaN as float and as double.
const POISON: [u8; 4] = 0xFFF5_A3C7_u32.to_le_bytes();

/// What the numbers of an argument are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Other = 0,
    Integer = 1,
    Float = 2,
}

/// The type of an argument's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    size: usize,
    class: Class,
}

impl Element {
    fn of<T: 'static>() -> Self {
        let id = TypeId::of::<T>();
        let is = |ids: &[TypeId]| ids.contains(&id);
        let class = if is(&[TypeId::of::<f32>(), TypeId::of::<f64>()]) {
            Class::Float
        } else if is(&[TypeId::of::<i8>(), TypeId::of::<i16>(), TypeId::of::<i32>(), TypeId::of::<i64>()])
            || is(&[TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>()])
            || is(&[TypeId::of::<bool>(), TypeId::of::<usize>(), TypeId::of::<isize>()])
        {
            Class::Integer
        } else {
            Class::Other
        };
        Element { size: size_of::<T>(), class }
    }

    /// Whether a kernel's numbers of class `class` are of another kind than these.
    fn differs(self, class: u32) -> bool {
        self.class != Class::Other && class != Class::Other as u32 && self.class as u32 != class
    }
}

/// One argument of a launch.
#[derive(Debug)]
pub(crate) enum Arg<'a> {
    /// A pointer to numbers that the kernel reads.
    Read(&'a [u8], Element),
    /// A pointer to numbers that the kernel may change; they are copied back when the launch has succeeded.
    Write(&'a mut [u8], Element),
    /// A number, or a struct of them.
    Value(Vec<u8>, Element),
    /// A pointer to nothing.
    Null,
}

impl<'a> Arg<'a> {
    /// Numbers that the kernel reads.
    pub(crate) fn slice<T: NoUninit>(numbers: &'a [T]) -> Self {
        Arg::Read(bytemuck::cast_slice(numbers), Element::of::<T>())
    }

    /// Numbers that the kernel may change.
    pub(crate) fn slice_mut<T: Pod>(numbers: &'a mut [T]) -> Self {
        Arg::Write(bytemuck::cast_slice_mut(numbers), Element::of::<T>())
    }

    /// A number, or a struct of them.
    pub(crate) fn value<T: NoUninit>(value: T) -> Self {
        Arg::Value(bytemuck::bytes_of(&value).to_vec(), Element::of::<T>())
    }

    /// A pointer to nothing.
    pub(crate) fn null() -> Self {
        Arg::Null
    }

    /// Why this cannot be given for `parameter`, if it cannot.
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
                Some(format!("is given {} bytes, but the kernel takes {size}", bytes.len()))
            }
            Arg::Read(..) if parameter.kind == WRITE => {
                Some("may be written by the kernel, but is given to be read only".into())
            }
            Arg::Read(_, element) | Arg::Write(_, element) if !size.is_multiple_of(element.size.max(1)) => {
                Some(format!("is given as numbers of {} bytes, but the kernel's have {size}", element.size))
            }
            Arg::Read(_, element) | Arg::Write(_, element) | Arg::Value(_, element)
                if element.differs(parameter.class) =>
            {
                Some("holds integers on one side and floats on the other".into())
            }
            _ => None,
        }
    }
}

/// An argument where the kernel sees it.
#[derive(Debug)]
pub(super) struct Placed {
    memory: Vec<u8>,
    start: usize,
    /// What the kernel's parameter is set to, when it is a pointer.
    pointer: *mut u8,
    is_value: bool,
}

impl Placed {
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
        Placed { memory, start, pointer, is_value }
    }

    /// What a launch is given: a pointer to the parameter's value.
    pub(super) fn argument(&mut self) -> *mut c_void {
        if self.is_value { self.pointer.cast() } else { (&raw mut self.pointer).cast() }
    }

    /// Takes the numbers back, or says what the kernel did outside them.
    pub(super) fn take_back(&self, arg: &mut Arg<'_>) -> Result<(), String> {
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
                return Err("was written, but is given to be read only".into());
            }
            Arg::Write(bytes, _) => bytes.copy_from_slice(&self.memory[self.start..end]),
            _ => {}
        }
        Ok(())
    }
}

/// What nobody has written, such that aligned numbers around `start` read as NaN.
fn poison(at: usize, start: usize) -> u8 {
    POISON[(at + ALIGNMENT * GUARD - start) % POISON.len()]
}
