//! The facts of one kernel: its blocks and values as printable ids, its launch limits.
//!
//! Later stages talk about LLVM only through the ids made here. The tables are filled once, in
//! program order, so dumps and plans are deterministic; the handles in them are used by `tree`,
//! `access`, `affine` to read and by `lower` to clone, and die with the pass.

pub mod annotations;
pub mod assembly;
pub mod callees;
pub mod cfg;
pub mod compare;
pub mod ids;
pub mod pressure;
pub mod range;
pub mod rejected;
mod repeat;
pub mod varying;
mod waits;

use crate::llvm::ir::{Block, Function, Kind, Op, Value};
use crate::machine::target::FLOATS_IN_PAIRS;
use crate::map::HashMap;
use std::cell::OnceCell;
use std::fmt;

pub use range::constant_range;
pub use repeat::repeat;

/// Declares a 32-bit index with a printable prefix.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            /// The id as a table index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use id;

id!(/// A basic block of the kernel, in layout order.
    BlockId, "bb");
id!(/// A value of the kernel: parameters first, then instructions in layout order, then the
    /// constants and globals they use in order of first use.
    ValueId, "v");

/// One of the three dimensions of a grid or block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Dim {
    /// `.x`, the fastest.
    X,
    /// `.y`.
    Y,
    /// `.z`.
    Z,
}

impl Dim {
    /// All three, fastest first.
    pub const ALL: [Dim; 3] = [Dim::X, Dim::Y, Dim::Z];
    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Dim::X => 'x',
            Dim::Y => 'y',
            Dim::Z => 'z',
        }
    }
    /// 0, 1 or 2.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// Numbers that LLVM packs two of into one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairs {
    /// Of 16 bits.
    Halves,
    /// Of 32 bits.
    Floats,
}

/// What is known of a kernel before looking at its control flow.
pub struct Kernel {
    /// The function.
    pub function: Function,
    /// Its mangled name.
    pub name: String,
    /// Blocks by [`BlockId`].
    pub blocks: Vec<Block>,
    /// Values by [`ValueId`].
    pub values: Vec<Value>,
    /// Largest block shape staged for, from `annotate("mesi.block")`, the option or the launch
    /// bounds; `None`: the default limits apply.
    pub block_cap: Option<[u32; 3]>,
    /// Threads of every block that it is launched in; `None`: of any.
    pub threads: Option<[u32; 3]>,
    /// Of a copy that is launched in another way: microseconds that an iteration of the user's kernel takes, if the
    /// model knows.
    pub user_us: Option<f64>,
    /// Of such a copy: its threads are iterations of the user's kernel's.
    pub is_spread: bool,
    /// Of a copy: its loops are cut where threads run them a different number of times.
    pub is_cut: bool,
    /// Threads per block at most: `__launch_bounds__`, else the architecture's 1024.
    pub max_threads: u32,
    /// Bytes of static shared memory the kernel's own code declares and reaches.
    pub own_shared: u32,
    /// Registers that its values need at once, once that was asked.
    pressure: OnceCell<u32>,
    /// Whether it uses dynamic shared memory (an external array in address space 3).
    pub dynamic_shared: bool,
    /// Whether LLVM may rearrange its arithmetic on real numbers (`-ffast-math`).
    pub rearranges: bool,
    /// Why it is left alone whatever could be gained.
    pub rejected: Option<rejected::Rejected>,
    /// Whether it adds up products of numbers that LLVM may pack into pairs behind the plug-in: what is packed is not
    /// fused.
    pub pairs: Option<Pairs>,
    /// The SM version, 80 for `sm_80`.
    pub sm: u32,
    block_ids: HashMap<Block, BlockId>,
    value_ids: HashMap<Value, ValueId>,
}

impl Kernel {
    /// Whether the user, through launch bounds, or the compiler already limits its registers.
    pub fn is_bounded(&self) -> bool {
        ["nvvm.maxntid", "nvvm.maxnreg", "nvvm.reqntid"]
            .iter()
            .any(|k| self.function.string_attribute(k).is_some())
    }
    /// Registers that its values need at once, see [`pressure`]: of its code as it is when that is first asked.
    pub fn pressure(&self) -> u32 {
        *self.pressure.get_or_init(|| pressure::needed(&self.blocks))
    }
    /// Whether its blocks are launched in clusters.
    pub fn is_clustered(&self) -> bool {
        let keys = [
            "nvvm.cluster_dim",
            "nvvm.maxclusterrank",
            "nvvm.blocksareclusters",
        ];
        keys.iter()
            .any(|k| self.function.string_attribute(k).is_some())
    }
    /// Whether threads have variables in memory. A copy that begins with a block of its own would not have them in its
    /// first.
    pub fn has_variables(&self) -> bool {
        let mut all = self.blocks.iter().flat_map(|b| b.instructions());
        all.any(|i| i.is(Op::LLVMAlloca))
    }
    /// The id of a block of this kernel.
    pub fn block_id(&self, b: Block) -> BlockId {
        self.block_ids[&b]
    }
    /// The id of a value the kernel defines or uses.
    pub fn value_id(&self, v: Value) -> ValueId {
        self.value_ids[&v]
    }
    /// The id of a value, if the kernel has it.
    pub fn known_id(&self, v: Value) -> Option<ValueId> {
        self.value_ids.get(&v).copied()
    }
    /// The block behind an id.
    pub fn block(&self, id: BlockId) -> Block {
        self.blocks[id.index()]
    }
    /// The value behind an id.
    pub fn value(&self, id: ValueId) -> Value {
        self.values[id.index()]
    }
    /// A readable name: the IR's where it has one, else the id.
    pub fn value_name(&self, id: ValueId) -> String {
        let n = self.value(id).name();
        if n.is_empty() { id.to_string() } else { n }
    }
}

/// Collects the facts of `function`. `block_option` and `annotated_block` narrow the block cap.
pub fn collect(function: Function, sm: u32, block_cap: Option<[u32; 3]>) -> Kernel {
    let blocks = function.blocks();
    let mut k = Kernel {
        function,
        name: function.name(),
        block_ids: blocks
            .iter()
            .enumerate()
            .map(|(i, b)| (*b, BlockId(i as u32)))
            .collect(),
        blocks,
        values: Vec::new(),
        value_ids: HashMap::default(),
        block_cap,
        threads: None,
        user_us: None,
        is_spread: false,
        is_cut: false,
        max_threads: max_threads(function),
        pressure: OnceCell::new(),
        own_shared: 0,
        dynamic_shared: false,
        rearranges: false,
        rejected: None,
        pairs: None,
        sm,
    };
    for p in function.params() {
        k.add_value(p);
    }
    let instructions: Vec<Value> = k.blocks.iter().flat_map(|b| b.instructions()).collect();
    k.rearranges = instructions.iter().any(|i| i.may_be_rearranged());
    k.pairs = pairs(&instructions, sm);
    for i in &instructions {
        k.add_value(*i);
    }
    for i in &instructions {
        for o in i.operands() {
            k.add_constant(o);
        }
    }
    let functions = callees::all(function);
    k.collect_shared(functions.as_deref().unwrap_or_default());
    k.rejected = rejected::find(function, functions);
    k
}

/// What is both multiplied and added up, if LLVM packs pairs of it for `sm`.
fn pairs(instructions: &[Value], sm: u32) -> Option<Pairs> {
    let some = |ops: &[Op], kinds: &[Kind]| {
        let mut all = instructions.iter();
        all.any(|i| {
            let op = i.opcode().is_some_and(|o| ops.contains(&o));
            op && kinds.contains(&i.ty().scalar().kind())
        })
    };
    let both =
        |kinds: &[Kind]| some(&[Op::LLVMFMul], kinds) && some(&[Op::LLVMFAdd, Op::LLVMFSub], kinds);
    if both(&[Kind::LLVMHalfTypeKind]) || both(&[Kind::LLVMBFloatTypeKind]) {
        return Some(Pairs::Halves);
    }
    (sm >= FLOATS_IN_PAIRS && both(&[Kind::LLVMFloatTypeKind])).then_some(Pairs::Floats)
}

/// `"nvvm.maxntid"` is `x[,y[,z]]`; the product bounds the threads of a block.
fn max_threads(f: Function) -> u32 {
    let Some(text) = f.string_attribute("nvvm.maxntid") else {
        return 1024;
    };
    let product = text
        .split(',')
        .filter_map(|p| p.trim().parse::<u32>().ok())
        .product::<u32>();
    product.clamp(1, 1024)
}

impl Kernel {
    fn add_value(&mut self, v: Value) {
        let next = ValueId(self.values.len() as u32);
        if let std::collections::hash_map::Entry::Vacant(e) = self.value_ids.entry(v) {
            e.insert(next);
            self.values.push(v);
        }
    }

    /// Adds constants and globals, and what constant expressions are made of.
    fn add_constant(&mut self, v: Value) {
        if v.is_instruction() || v.is_metadata() || self.value_ids.contains_key(&v) {
            return;
        }
        if !v.is_constant() {
            return;
        }
        self.add_value(v);
        if v.opcode().is_some() {
            for o in v.operands() {
                self.add_constant(o);
            }
        }
    }

    /// Shared memory that it and the functions it calls use, found through the globals that instructions name. (Where
    /// some of those functions are not known, the kernel is left alone.)
    fn collect_shared(&mut self, functions: &[Function]) {
        let module = self.function.module();
        for v in callees::shared_globals(functions) {
            let size = module.alloc_size(v.global_value_type()) as u32;
            if size == 0 {
                self.dynamic_shared = true;
            }
            // ptxas lays them out in an order of its own: in front of one there may be as much room as it is aligned
            // by.
            let before = match v.alignment() {
                0..=16 => 0,
                n => n,
            };
            self.own_shared += size.next_multiple_of(16) + before;
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel {}", self.name)?;
        writeln!(
            f,
            "  sm_{}, at most {} threads a block",
            self.sm, self.max_threads
        )?;
        match self.block_cap {
            Some([x, y, z]) => writeln!(f, "  block cap {x},{y},{z}")?,
            None => writeln!(f, "  block cap default")?,
        }
        writeln!(
            f,
            "  own shared memory {} bytes{}",
            self.own_shared,
            if self.dynamic_shared {
                ", and dynamic"
            } else {
                ""
            }
        )?;
        writeln!(f, "  {} registers alive at once", self.pressure())?;
        writeln!(
            f,
            "  {} blocks, {} values",
            self.blocks.len(),
            self.values.len()
        )
    }
}
