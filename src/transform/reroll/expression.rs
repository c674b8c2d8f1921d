//! What a loop's body computes, over symbols.
//!
//! Each value is a node, and equal nodes are one. Integers and addresses are polynomials modulo 2^width over nodes;
//! where what is widened is exact, its constant may stand outside. Floats are trees of the operations that there are,
//! in their order: only the operands of a sum or product may change places, unless both are products, of which one may
//! be fused.

use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A node.
pub type Id = u32;

/// How deep values from before the loop are followed.
const DEEPEST: u32 = 24;

/// What a node is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Node {
    /// A value from before the loop.
    Leaf(Value),
    /// What a phi holds when the iteration begins.
    State(usize),
    /// `Σ coefficient * product of nodes`, modulo 2^width.
    Sum(u32, BTreeMap<Vec<Id>, i64>),
    /// An operation, its kind and what else tells it from others.
    Operation(u64, u64, Vec<Id>),
}

/// All nodes.
pub struct Nodes {
    all: Vec<Node>,
    known: HashMap<Node, Id>,
    /// Whether what is widened is exact.
    exact: bool,
    /// What was widened.
    pub widened: BTreeSet<Id>,
}

/// Values and their nodes.
pub type Values = HashMap<Value, Id>;

impl Nodes {
    /// None yet. `exact`: what is widened is.
    pub fn new(exact: bool) -> Nodes {
        Nodes {
            all: Vec::new(),
            known: HashMap::default(),
            exact,
            widened: BTreeSet::new(),
        }
    }

    fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.known.get(&node) {
            return *id;
        }
        let id = self.all.len() as Id;
        self.all.push(node.clone());
        self.known.insert(node, id);
        id
    }

    /// What the phi with number `n` holds when the iteration begins.
    pub fn state(&mut self, n: usize) -> Id {
        self.add(Node::State(n))
    }

    /// `id + c`, of this width.
    pub fn plus(&mut self, id: Id, c: i64, width: u32) -> Id {
        let mut sum = self.sum(id, width);
        add_term(&mut sum, Vec::new(), c, width);
        self.of_sum(sum, width)
    }

    /// A node as a sum.
    fn sum(&self, id: Id, width: u32) -> BTreeMap<Vec<Id>, i64> {
        match &self.all[id as usize] {
            Node::Sum(w, terms) if *w == width => terms.clone(),
            _ => BTreeMap::from([(vec![id], 1)]),
        }
    }

    fn of_sum(&mut self, terms: BTreeMap<Vec<Id>, i64>, width: u32) -> Id {
        let mut only = terms.iter();
        if let (Some((m, 1)), None) = (only.next(), only.next())
            && let [one] = m[..]
        {
            return one;
        }
        self.add(Node::Sum(width, terms))
    }

    /// The node of every instruction in `body`, in order, given those of its phis; `None`: it does something else than
    /// load and compute.
    pub fn body(&mut self, body: Block, mut values: Values) -> Option<Values> {
        for i in body.instructions() {
            if i.is(Op::LLVMPHI) || i == body.terminator() {
                continue;
            }
            let id = self.instruction(i, &mut values, 0)?;
            values.insert(i, id);
        }
        Some(values)
    }

    /// The node of an operand.
    pub fn value(&mut self, v: Value, values: &mut Values, depth: u32) -> Id {
        if let Some(id) = values.get(&v) {
            return *id;
        }
        let id = match (v.const_int(), width_of(v)) {
            (Some(c), Some(width)) => {
                let mut terms = BTreeMap::new();
                add_term(&mut terms, Vec::new(), c, width);
                self.of_sum(terms, width)
            }
            _ if depth < DEEPEST && is_arithmetic(v) => {
                match self.instruction(v, values, depth + 1) {
                    Some(id) => id,
                    None => self.add(Node::Leaf(v)),
                }
            }
            _ => self.add(Node::Leaf(v)),
        };
        values.insert(v, id);
        id
    }

    fn instruction(&mut self, i: Value, values: &mut Values, depth: u32) -> Option<Id> {
        use Op::*;
        let of = |nodes: &mut Nodes, values: &mut Values, k: usize| {
            nodes.value(i.operand(k as u32), values, depth)
        };
        let op = i.opcode()?;
        let width = width_of(i);
        Some(match op {
            LLVMAdd | LLVMSub | LLVMMul => {
                let (a, b) = (of(self, values, 0), of(self, values, 1));
                self.arithmetic(op, a, b, width?)
            }
            LLVMOr if i.has_disjoint() => {
                let (a, b) = (of(self, values, 0), of(self, values, 1));
                self.arithmetic(LLVMAdd, a, b, width?)
            }
            LLVMShl
                if i.operand(1)
                    .const_int()
                    .is_some_and(|k| (0..63).contains(&k)) =>
            {
                let a = of(self, values, 0);
                let by = i.operand(1).const_int()?;
                self.scaled(a, 1 << by, width?)
            }
            LLVMSExt | LLVMZExt if width_of(i.operand(0)).is_some_and(|w| w > 1) => {
                let a = of(self, values, 0);
                let op = if i.has_nneg() { LLVMSExt } else { op };
                self.widened(op, a, width_of(i.operand(0))?, width?)
            }
            LLVMGetElementPtr => self.element(i, values, depth)?,
            LLVMLoad if !i.is_volatile_or_atomic() => {
                let a = of(self, values, 0);
                self.operation(i, vec![a])
            }
            LLVMCall if i.is_pure_call() => {
                let arguments = i.arguments().into_iter();
                let arguments: Vec<Id> = arguments.map(|a| self.value(a, values, depth)).collect();
                let callee = self.add(Node::Leaf(i.callee()?.value()));
                self.operation(i, [vec![callee], arguments].concat())
            }
            _ if is_uniform(op) => {
                let mut all: Vec<Id> = Vec::new();
                for k in 0..i.operands().len() {
                    all.push(of(self, values, k));
                }
                let is_product = |id: Id, nodes: &Nodes| {
                    let node = &nodes.all[id as usize];
                    matches!(node, Node::Operation(o, ..) if *o == LLVMFMul as u64)
                };
                let fixed = all.iter().all(|id| is_product(*id, self));
                if matches!(op, LLVMFAdd | LLVMFMul) && !(op == LLVMFAdd && fixed) {
                    all.sort_unstable();
                }
                self.operation(i, all)
            }
            _ => return None,
        })
    }

    fn operation(&mut self, i: Value, operands: Vec<Id>) -> Id {
        let op = i.opcode().map_or(0, |o| o as u64);
        self.add(Node::Operation(op, i.operation_kind(), operands))
    }

    fn arithmetic(&mut self, op: Op, a: Id, b: Id, width: u32) -> Id {
        let (a, b) = (self.sum(a, width), self.sum(b, width));
        let mut all = BTreeMap::new();
        match op {
            Op::LLVMMul => {
                for (m, c) in &a {
                    for (n, d) in &b {
                        let mut product = [&m[..], n].concat();
                        product.sort_unstable();
                        add_term(&mut all, product, c.wrapping_mul(*d), width);
                    }
                }
            }
            _ => {
                let sign = if op == Op::LLVMSub { -1 } else { 1 };
                a.into_iter()
                    .for_each(|(m, c)| add_term(&mut all, m, c, width));
                b.into_iter()
                    .for_each(|(m, c)| add_term(&mut all, m, c.wrapping_mul(sign), width));
            }
        }
        self.of_sum(all, width)
    }

    fn scaled(&mut self, a: Id, by: i64, width: u32) -> Id {
        let mut all = BTreeMap::new();
        for (m, c) in self.sum(a, width) {
            add_term(&mut all, m, c.wrapping_mul(by), width);
        }
        self.of_sum(all, width)
    }

    /// What is widened, its constant outside if it is exact.
    fn widened(&mut self, op: Op, a: Id, from: u32, to: u32) -> Id {
        let mut terms = self.sum(a, from);
        if self.exact {
            self.widened.insert(a);
        }
        let keeps = !self.exact && terms.len() > 1;
        let constant = match keeps {
            true => 0,
            false => terms.remove(&Vec::new()).unwrap_or(0),
        };
        let mut all = BTreeMap::new();
        if !terms.is_empty() {
            let rest = self.of_sum(terms, from);
            let wide = self.add(Node::Operation(op as u64, u64::from(to), vec![rest]));
            all.insert(vec![wide], 1);
        }
        add_term(&mut all, Vec::new(), constant, to);
        self.of_sum(all, to)
    }

    fn element(&mut self, i: Value, values: &mut Values, depth: u32) -> Option<Id> {
        let module = i.block()?.function().module();
        let [pointer, index] = i.operands()[..] else {
            return None;
        };
        let size = i64::try_from(module.alloc_size(i.gep_source_type())).ok()?;
        let base = self.value(pointer, values, depth);
        let index_node = self.value(index, values, depth);
        let index_node = match width_of(index)? {
            64 => index_node,
            other => self.widened(Op::LLVMSExt, index_node, other, 64),
        };
        let offset = self.scaled(index_node, size, 64);
        Some(self.arithmetic(Op::LLVMAdd, base, offset, 64))
    }
}

/// Bits of an integer or an address.
fn width_of(v: Value) -> Option<u32> {
    let ty = v.ty();
    ty.int_width().or_else(|| ty.is_pointer().then_some(64))
}

fn add_term(terms: &mut BTreeMap<Vec<Id>, i64>, product: Vec<Id>, c: i64, width: u32) {
    let sum = terms.remove(&product).unwrap_or(0).wrapping_add(c);
    let unused = 64 - width.clamp(1, 64);
    let sum = (sum << unused) >> unused;
    if sum != 0 {
        terms.insert(product, sum);
    }
}

/// Whether a value from before the loop is followed: the two loops may each have their own.
fn is_arithmetic(v: Value) -> bool {
    use Op::*;
    let op = v.opcode().filter(|_| v.is_instruction());
    op.is_some_and(|op| {
        matches!(
            op,
            LLVMAdd
                | LLVMSub
                | LLVMMul
                | LLVMShl
                | LLVMSExt
                | LLVMZExt
                | LLVMGetElementPtr
                | LLVMOr
                | LLVMAnd
        )
    })
}

/// Operations that are the same if their kinds and operands are.
fn is_uniform(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        LLVMFAdd
            | LLVMFSub
            | LLVMFMul
            | LLVMFDiv
            | LLVMFNeg
            | LLVMFCmp
            | LLVMICmp
            | LLVMSelect
            | LLVMFPExt
            | LLVMFPTrunc
            | LLVMSIToFP
            | LLVMUIToFP
            | LLVMFPToSI
            | LLVMFPToUI
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMTrunc
            | LLVMSExt
            | LLVMZExt
            | LLVMBitCast
    )
}
