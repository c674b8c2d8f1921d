//! What a loop's body computes, over symbols.
//!
//! Each value is a node, and equal nodes are one. Integers and addresses are polynomials modulo 2^width over nodes;
//! where what is widened is exact, its constant may stand outside. Floats are trees of the operations that there are,
//! in their order: only the operands of a sum or product may change places, unless both are products, of which one may
//! be fused.

use super::body::{Loop, Runs};
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
    /// A condition that does not hold.
    Not(Id),
    /// One condition, and behind it another.
    Both(Id, Id),
    /// One of several conditions.
    Either(Vec<Id>),
    /// Which of several values there is, by the way that control came.
    Chosen(Vec<(Path, Id)>),
}

/// The condition under which a block runs in an iteration; `None`: it always does.
type Path = Option<Id>;

/// All nodes.
pub struct Nodes {
    all: Vec<Node>,
    known: HashMap<Node, Id>,
    /// Whether what is widened is exact.
    exact: bool,
    /// What was widened.
    pub widened: BTreeSet<Id>,
    /// A number with room above it for so many more, which is exact where it is widened.
    pub counted: Option<(Id, i64)>,
    /// Addresses that were loaded from, and when.
    pub loads: BTreeSet<(Id, Path)>,
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
            counted: None,
            loads: BTreeSet::new(),
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

    /// The node of every instruction in a loop's body, given those of its phis; `None`: it does something else than
    /// load and compute.
    pub fn body(&mut self, of: &Loop, mut values: Values) -> Option<Values> {
        let mut paths: HashMap<Block, Path> = HashMap::default();
        for (block, runs) in &of.body {
            let path = match runs {
                Runs::Always => None,
                Runs::With(parted) => *paths.get(parted)?,
                Runs::From(all) => self.one_of(all, *block, &paths, &mut values)?,
            };
            paths.insert(*block, path);
            for i in block.instructions() {
                if i == block.terminator() || i.is(Op::LLVMPHI) && *block == of.header {
                    continue;
                }
                let id = match i.is(Op::LLVMPHI) {
                    true => self.chosen(i, &paths, &mut values)?,
                    false => self.instruction(i, &mut values, 0)?,
                };
                if i.is(Op::LLVMLoad) {
                    let address = self.value(i.operand(0), &mut values, 0);
                    self.loads.insert((address, path));
                }
                values.insert(i, id);
            }
        }
        Some(values)
    }

    /// Whether control comes to a block from one of `all`.
    fn one_of(
        &mut self,
        all: &[Block],
        to: Block,
        paths: &HashMap<Block, Path>,
        values: &mut Values,
    ) -> Option<Path> {
        let edges = all.iter().map(|from| self.edge(*from, to, paths, values));
        let mut edges = edges.collect::<Option<Vec<Path>>>()?;
        edges.sort_unstable();
        match edges[..] {
            [only] => Some(only),
            _ => {
                let known: Option<Vec<Id>> = edges.into_iter().collect();
                Some(known.map(|all| self.add(Node::Either(all))))
            }
        }
    }

    /// When control goes from one block to another.
    fn edge(
        &mut self,
        from: Block,
        to: Block,
        paths: &HashMap<Block, Path>,
        values: &mut Values,
    ) -> Option<Path> {
        let path = *paths.get(&from)?;
        let branch = from.terminator();
        let successors = from.successors();
        let taken = match successors[..] {
            [_] => return Some(path),
            [first, second] if branch.is_conditional() && first != second => {
                let condition = self.value(branch.condition(), values, 0);
                match first == to {
                    true => condition,
                    false => self.add(Node::Not(condition)),
                }
            }
            _ => return None,
        };
        Some(Some(match path {
            None => taken,
            Some(before) => self.add(Node::Both(before, taken)),
        }))
    }

    /// What a phi is that is none of the loop's.
    fn chosen(
        &mut self,
        phi: Value,
        paths: &HashMap<Block, Path>,
        values: &mut Values,
    ) -> Option<Id> {
        let to = phi.block()?;
        let mut all = Vec::new();
        for (v, from) in phi.incoming() {
            let edge = self.edge(from, to, paths, values)?;
            all.push((edge, self.value(v, values, 0)));
        }
        all.sort_unstable();
        Some(self.add(Node::Chosen(all)))
    }

    /// Whether one of `all` loads from the same address whenever this load does.
    pub fn is_among(&self, load: (Id, Path), all: &BTreeSet<(Id, Path)>) -> bool {
        let shorter = |path: &Id| match self.all[*path as usize] {
            Node::Both(before, _) => Some(before),
            _ => None,
        };
        let mut paths = std::iter::successors(load.1, shorter);
        all.contains(&(load.0, None)) || paths.any(|p| all.contains(&(load.0, Some(p))))
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
            _ if depth < DEEPEST && (is_arithmetic(v) || is_by_value(v)) => {
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

    /// A counted number, wider.
    pub fn count_as(&mut self, id: Id, from: u32, to: u32) -> Id {
        self.widened(Op::LLVMSExt, id, from, to)
    }

    /// Whether a sum is the counted number and what there is room for.
    fn is_counted(&self, terms: &BTreeMap<Vec<Id>, i64>) -> bool {
        let Some((counted, room)) = self.counted else {
            return false;
        };
        let known = terms.iter().all(|(m, c)| match m[..] {
            [] => (0..=room).contains(c),
            [one] => one == counted && *c == 1,
            _ => false,
        });
        known && terms.contains_key(&vec![counted])
    }

    /// What is widened, its constant outside if it is exact.
    fn widened(&mut self, op: Op, a: Id, from: u32, to: u32) -> Id {
        let mut terms = self.sum(a, from);
        let counts = op == Op::LLVMSExt && self.is_counted(&terms);
        if self.exact && !counts {
            self.widened.insert(a);
        }
        let keeps = !self.exact && !counts && terms.len() > 1;
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

/// Whether a value is loaded from a parameter that lies in the launch's arguments, and stays what it is.
fn is_by_value(v: Value) -> bool {
    let Some(function) = v
        .block()
        .filter(|_| v.is(Op::LLVMLoad))
        .map(|b| b.function())
    else {
        return false;
    };
    let place = v.operand(0).parameter_offset(function.module());
    let index = place.and_then(|(base, _)| base.argument_index());
    !v.is_volatile_or_atomic() && index.is_some_and(|i| function.param_has(i, "byval"))
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
