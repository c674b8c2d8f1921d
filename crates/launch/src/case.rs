//! A concrete launch: plain data, nothing symbolic left.

/// Which column of `[sizes]` a launch takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// The oracle's sizes: every size x every block x every alias variant.
    Small,
    /// The GPU's size: one launch, first block, no alias.
    Large,
}

/// Element types a header may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ElemType {
    F16,
    F32,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl ElemType {
    const ALL: [(&'static str, ElemType); 11] = [
        ("f16", ElemType::F16),
        ("f32", ElemType::F32),
        ("f64", ElemType::F64),
        ("i8", ElemType::I8),
        ("u8", ElemType::U8),
        ("i16", ElemType::I16),
        ("u16", ElemType::U16),
        ("i32", ElemType::I32),
        ("u32", ElemType::U32),
        ("i64", ElemType::I64),
        ("u64", ElemType::U64),
    ];

    /// The type called `name`, or a message that lists the allowed ones.
    pub fn parse(name: &str) -> Result<ElemType, String> {
        Self::ALL
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, t)| *t)
            .ok_or_else(|| {
                let names: Vec<_> = Self::ALL.iter().map(|(n, _)| *n).collect();
                format!("unknown type `{name}`, allowed are {}", names.join(" "))
            })
    }

    /// Name as written in a header.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(_, t)| *t == self)
            .map_or("?", |(n, _)| n)
    }

    /// Size of one element in bytes.
    pub fn size(self) -> u64 {
        match self {
            ElemType::I8 | ElemType::U8 => 1,
            ElemType::F16 | ElemType::I16 | ElemType::U16 => 2,
            ElemType::F32 | ElemType::I32 | ElemType::U32 => 4,
            ElemType::F64 | ElemType::I64 | ElemType::U64 => 8,
        }
    }

    /// Place in the list of types, from 0: how kernels that take any type are told which.
    pub fn code(self) -> u32 {
        Self::ALL.iter().position(|(_, t)| *t == self).unwrap_or(0) as u32
    }

    /// Whether values are IEEE floating point.
    pub fn is_float(self) -> bool {
        matches!(self, ElemType::F16 | ElemType::F32 | ElemType::F64)
    }
}

/// What a buffer holds before the launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fill {
    /// Uniform in `[a, b)`; for integer types, integers of that range.
    Uniform(f64, f64),
    /// 0, 1, 2, ...
    Iota,
    /// All zero bytes.
    Zero,
    /// One value.
    Const(f64),
    /// Random integers in `[0, m)`: indices into an array of `m` elements.
    Index(i64),
}

/// One device allocation.
#[derive(Debug, Clone, PartialEq)]
pub struct Buffer {
    /// Name of the argument, field or global it belongs to; seeds the fill.
    pub name: String,
    /// Element type.
    pub ty: ElemType,
    /// Elements; may be 0. Bounds are checked against exactly this many.
    pub count: u64,
    /// Contents before the launch.
    pub fill: Fill,
    /// The header calls it an output.
    pub output: bool,
}

impl Buffer {
    /// Size in bytes, exactly `count` elements.
    pub fn bytes(&self) -> u64 {
        self.count * self.ty.size()
    }
}

/// One kernel parameter, or one field of a by-value struct.
#[derive(Debug, Clone, PartialEq)]
pub enum Arg {
    /// A value passed as it is.
    Scalar {
        /// Parameter name.
        name: String,
        /// Its type.
        ty: ElemType,
        /// Its bytes, little endian, `ty.size()` long.
        bytes: Vec<u8>,
    },
    /// A pointer into `Case::buffers`.
    Pointer {
        /// Parameter name; differs from the buffer's where the case is an alias variant.
        name: String,
        /// Index into `Case::buffers`.
        buffer: usize,
        /// Byte offset from the buffer's start.
        offset: u64,
    },
    /// A struct passed by value, C layout.
    Struct {
        /// Parameter name.
        name: String,
        /// Size in bytes, tail padding included.
        size: u64,
        /// Alignment in bytes.
        align: u64,
        /// Byte offset and content of each field; fields are scalars or pointers.
        fields: Vec<(u64, Arg)>,
    },
}

impl Arg {
    /// Parameter name.
    pub fn name(&self) -> &str {
        match self {
            Arg::Scalar { name, .. } | Arg::Pointer { name, .. } | Arg::Struct { name, .. } => name,
        }
    }

    /// Size and alignment as a C parameter, in bytes; pointers are 8 bytes.
    pub fn layout(&self) -> (u64, u64) {
        match self {
            Arg::Scalar { ty, .. } => (ty.size(), ty.size()),
            Arg::Pointer { .. } => (8, 8),
            Arg::Struct { size, align, .. } => (*size, *align),
        }
    }

    /// The parameter's bytes, with `address(buffer)` as each buffer's start.
    pub fn bytes(&self, address: &impl Fn(usize) -> u64) -> Vec<u8> {
        match self {
            Arg::Scalar { bytes, .. } => bytes.clone(),
            Arg::Pointer { buffer, offset, .. } => address(*buffer)
                .wrapping_add(*offset)
                .to_le_bytes()
                .to_vec(),
            Arg::Struct { size, fields, .. } => {
                let mut bytes = vec![0; *size as usize];
                for (at, field) in fields {
                    let value = field.bytes(address);
                    bytes[*at as usize..][..value.len()].copy_from_slice(&value);
                }
                bytes
            }
        }
    }
}

/// A `__device__` or `__constant__` array written before the launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Global {
    /// Name in the source.
    pub name: String,
    /// Index into `Case::buffers` of what is written.
    pub buffer: usize,
}

/// Which argument points into which other one's buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alias {
    /// The argument that has no buffer of its own.
    pub arg: String,
    /// The argument whose buffer it shares.
    pub of: String,
    /// Elements of `of`'s type from that buffer's start.
    pub offset: u64,
}

/// One launch with everything concrete.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Short text that tells cases of one file apart.
    pub label: String,
    /// Value of each size name.
    pub sizes: Vec<(String, i64)>,
    /// Blocks per grid, each at least 1.
    pub grid: [u32; 3],
    /// Threads per block.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub shared: u32,
    /// Allocations; the arguments and globals refer to them by index.
    pub buffers: Vec<Buffer>,
    /// Parameters in order.
    pub args: Vec<Arg>,
    /// Device globals to write before the launch.
    pub globals: Vec<Global>,
    /// The alias variant this is, if any.
    pub alias: Option<Alias>,
}

impl Case {
    /// The launch as the plug-in's option `launch` takes it: `257x257x1:16x16x1:_:_:_:4096:4096:4096`,
    /// with `_` for pointers and floating-point numbers, and `{BYTE=NUMBER/...}` for structs.
    pub fn as_option(&self) -> String {
        let extents = |n: [u32; 3]| n.map(|x| x.to_string()).join("x");
        let mut parts = vec![extents(self.grid), extents(self.block)];
        parts.extend(self.args.iter().map(Arg::as_option));
        parts.join(":")
    }

    /// Index of the buffer called `name`.
    pub(crate) fn find_buffer(&self, name: &str) -> Option<usize> {
        self.buffers.iter().position(|b| b.name == name)
    }
}

impl Arg {
    fn as_option(&self) -> String {
        if let Some(n) = self.integer() {
            return n.to_string();
        }
        let Arg::Struct { fields, .. } = self else {
            return "_".into();
        };
        let known = |(at, field): &(u64, Arg)| field.integer().map(|n| format!("{at}={n}"));
        let known: Vec<String> = fields.iter().filter_map(known).collect();
        if known.is_empty() {
            "_".into()
        } else {
            format!("{{{}}}", known.join("/"))
        }
    }

    /// The value of an integer.
    fn integer(&self) -> Option<i64> {
        let Arg::Scalar { ty, bytes, .. } = self else {
            return None;
        };
        let mut wide = [0u8; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let shift = 64 - 8 * bytes.len() as u32;
        (!ty.is_float()).then(|| i64::from_le_bytes(wide) << shift >> shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_is_told_as_the_plug_in_takes_it() {
        let scalar = |ty: ElemType, n: i64| Arg::Scalar {
            name: String::new(),
            ty,
            bytes: n.to_le_bytes()[..ty.size() as usize].to_vec(),
        };
        let pointer = || Arg::Pointer {
            name: String::new(),
            buffer: 0,
            offset: 0,
        };
        let matrix = Arg::Struct {
            name: String::new(),
            size: 16,
            align: 8,
            fields: vec![
                (0, scalar(ElemType::I32, 64)),
                (4, scalar(ElemType::I32, -1)),
                (8, pointer()),
            ],
        };
        let case = Case {
            label: String::new(),
            sizes: Vec::new(),
            grid: [5, 4, 1],
            block: [16, 16, 1],
            shared: 0,
            buffers: Vec::new(),
            args: vec![
                matrix,
                pointer(),
                scalar(ElemType::U8, 255),
                scalar(ElemType::F32, 1),
            ],
            globals: Vec::new(),
            alias: None,
        };
        assert_eq!(case.as_option(), "5x4x1:16x16x1:{0=64/4=-1}:_:-1:_");
    }
}
