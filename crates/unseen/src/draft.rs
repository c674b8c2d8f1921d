//! A kernel while it is made: parameters, sizes, launch and body, each with its C++ and its header text.

use mesi_launch::ElemType;

/// What a parameter is.
#[derive(Debug, Clone)]
pub enum Param {
    /// A pointer to an array of its own.
    Array(Array),
    /// A value.
    Scalar {
        /// Its name.
        name: String,
        /// Its type.
        ty: ElemType,
        /// What the header gives: a number or an expression over sizes.
        value: String,
    },
    /// A struct passed by value.
    Struct {
        /// Its name.
        name: String,
        /// The struct's name.
        cpp: String,
        /// Its fields.
        fields: Vec<Param>,
    },
}

/// A global array.
#[derive(Debug, Clone)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Type of its elements as memory holds them.
    pub ty: ElemType,
    /// What the pointer points to in C++: the element's type, or a struct of such elements.
    pub cpp: String,
    /// Number of elements, an expression over sizes.
    pub count: String,
    /// What it holds at first.
    pub fill: String,
    /// The kernel writes it.
    pub written: bool,
}

/// A named size.
#[derive(Debug, Clone)]
pub struct Size {
    /// Its name.
    pub name: String,
    /// Its values in the oracle's cases.
    pub small: [i64; 3],
    /// How a timed launch gets it.
    pub range: Range,
}

/// How a size of a timed launch is found.
#[derive(Debug, Clone)]
pub enum Range {
    /// `base * s^power`, for the `s` that gives the wanted time, but at most `most`.
    Scaled {
        /// The value at `s` = 1.
        base: f64,
        /// How it grows.
        power: f64,
        /// The largest allowed.
        most: f64,
    },
    /// One of these.
    Choice(Vec<i64>),
}

/// What a launch costs, for choosing sizes: expressions over the sizes.
#[derive(Debug, Clone, Default)]
pub struct Cost {
    /// Iterations of the innermost code of all threads.
    pub work: String,
    /// How many of them a large chip does in a second.
    pub rate: f64,
    /// Bytes moved at least.
    pub bytes: String,
    /// Dependent steps of one thread.
    pub serial: String,
}

/// How constants known at compile time are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constants {
    /// `#define`.
    Macro,
    /// `constexpr int`.
    Constexpr,
    /// Parameters of a template.
    Template,
}

/// A kernel while it is made.
#[derive(Debug, Clone)]
pub struct Draft {
    /// The kernel's name.
    pub name: String,
    /// A sentence on it.
    pub title: String,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// `__constant__` (true) and `__device__` arrays.
    pub globals: Vec<(bool, Array)>,
    /// Sizes.
    pub sizes: Vec<Size>,
    /// Block shapes.
    pub blocks: Vec<[u32; 3]>,
    /// Blocks along x, y, z.
    pub grid: [String; 3],
    /// Dynamic shared memory in bytes.
    pub shared: Option<String>,
    /// Constants known at compile time.
    pub constants: Vec<(String, i64)>,
    /// How those are written.
    pub constants_as: Constants,
    /// Structs and functions above the kernel.
    pub before: String,
    /// The kernel's statements.
    pub body: String,
    /// Pointers are `__restrict__`.
    pub restrict: bool,
    /// Pointers to what is only read are `const`.
    pub constant: bool,
    /// Has launch bounds for the first block shape's threads.
    pub bounds: bool,
    /// What a launch costs.
    pub cost: Cost,
}

/// The C++ name of an element type.
pub fn cpp(ty: ElemType) -> &'static str {
    match ty {
        ElemType::F16 => "_Float16",
        ElemType::F32 => "float",
        ElemType::F64 => "double",
        ElemType::I8 => "signed char",
        ElemType::U8 => "unsigned char",
        ElemType::I16 => "short",
        ElemType::U16 => "unsigned short",
        ElemType::I32 => "int",
        ElemType::U32 => "unsigned",
        ElemType::I64 => "long long",
        ElemType::U64 => "size_t",
    }
}

/// What arrays of a type hold unless something else is needed: small enough that no sum of integers overflows.
pub fn usual(ty: ElemType) -> &'static str {
    match ty {
        ElemType::F16 | ElemType::F32 | ElemType::F64 => "uniform(-1,1)",
        ElemType::I8 => "uniform(-128,128)",
        ElemType::U8 => "uniform(0,256)",
        ElemType::U16 => "uniform(0,65536)",
        ElemType::I16 => "uniform(-100,100)",
        ElemType::I32 | ElemType::I64 => "uniform(-9,9)",
        ElemType::U32 | ElemType::U64 => "uniform(0,1000)",
    }
}

impl Draft {
    /// An empty kernel.
    pub fn new(name: String) -> Draft {
        Draft {
            name,
            title: String::new(),
            params: Vec::new(),
            globals: Vec::new(),
            sizes: Vec::new(),
            blocks: Vec::new(),
            grid: ["1".into(), "1".into(), "1".into()],
            shared: None,
            constants: Vec::new(),
            constants_as: Constants::Macro,
            before: String::new(),
            body: String::new(),
            restrict: false,
            constant: true,
            bounds: false,
            cost: Cost::default(),
        }
    }

    /// An array that is only read.
    pub fn input(&mut self, name: &str, ty: ElemType, count: &str) {
        self.array(name, ty, cpp(ty), count, usual(ty), false);
    }

    /// An array that is only written.
    pub fn output(&mut self, name: &str, ty: ElemType, count: &str) {
        self.array(name, ty, cpp(ty), count, "zero", true);
    }

    /// An array that is read and written.
    pub fn both(&mut self, name: &str, ty: ElemType, count: &str) {
        self.array(name, ty, cpp(ty), count, usual(ty), true);
    }

    /// Any array.
    pub fn array(
        &mut self,
        name: &str,
        ty: ElemType,
        cpp: &str,
        count: &str,
        fill: &str,
        written: bool,
    ) {
        self.params.push(Param::Array(Array {
            name: name.into(),
            ty,
            cpp: cpp.into(),
            count: count.into(),
            fill: fill.into(),
            written,
        }));
    }

    /// A `__constant__` or `__device__` array of fixed length.
    pub fn global(&mut self, constant: bool, name: &str, ty: ElemType, count: i64) {
        let array = Array {
            name: name.into(),
            ty,
            cpp: cpp(ty).into(),
            count: count.to_string(),
            fill: usual(ty).into(),
            written: false,
        };
        self.globals.push((constant, array));
    }

    /// A value: a number, or an expression over sizes.
    pub fn value(&mut self, name: &str, ty: ElemType, value: &str) {
        self.params.push(Param::Scalar {
            name: name.into(),
            ty,
            value: value.into(),
        });
    }

    /// A size that grows with the wanted time, and no parameter of its own.
    pub fn scaled(&mut self, name: &str, small: [i64; 3], base: f64, power: f64) {
        let range = Range::Scaled {
            base,
            power,
            most: 4e8,
        };
        self.sizes.push(Size {
            name: name.into(),
            small,
            range,
        });
    }

    /// A size that is one of a few.
    pub fn choice(&mut self, name: &str, small: [i64; 3], all: &[i64]) {
        self.sizes.push(Size {
            name: name.into(),
            small,
            range: Range::Choice(all.to_vec()),
        });
    }

    /// No more than `most` for a size, where it scales.
    pub fn limit(&mut self, name: &str, limit: f64) {
        for size in &mut self.sizes {
            if let Range::Scaled { most, .. } = &mut size.range
                && size.name == name
            {
                *most = most.min(limit);
            }
        }
    }

    /// What a launch costs.
    pub fn costs(&mut self, work: &str, rate: f64, bytes: &str, serial: &str) {
        self.cost = Cost {
            work: work.into(),
            rate,
            bytes: bytes.into(),
            serial: serial.into(),
        };
    }
}

/// `text` with each `$name` replaced. Longer names go first, so that one may begin another.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut values = values.to_vec();
    values.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut text = text.to_string();
    for (name, value) in values {
        text = text.replace(&format!("${name}"), value);
    }
    debug_assert!(!text.contains('$'), "{text}");
    text
}

/// `text` with each line moved to the right by `by` spaces.
pub fn indent(text: &str, by: usize) -> String {
    let lines = text
        .lines()
        .map(|l| match l.is_empty() || l.starts_with('#') {
            true => l.to_string(),
            false => format!("{}{l}", " ".repeat(by)),
        });
    lines.collect::<Vec<_>>().join("\n")
}
