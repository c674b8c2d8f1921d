//! A staged kernel's entry tests as a function that the host can run.
//!
//! ```text
//! define zeroext i1 @"K$gate"(ptr %args, ptr %launch)  args: as cudaLaunchKernel takes them, pointers to parameters
//!   each block of tests again, with what its branch needs  launch: six u32, block x y z, grid x y z
//!   ret true      where the kernel runs a body of ours
//!   ret false     where it runs the original one
//! ```
//! The slice is taken from what `lower` emitted, so that there is one way to test a fact. What the host cannot tell
//! (where a block is, what lies in memory) counts as holding: the version tests it itself, with K's body behind the
//! test. A conjunction keeps the part that is known. Facts that the host can tell for the whole grid come first
//! (`plan::over_grid`); no version tests them again.
//!
//! The host must not fault where the kernel would not: a divisor that faults is replaced by 1 (what a fact that holds
//! rests on has none), nothing is loaded but from parameters, and no instruction keeps a flag that makes poison.
//!
//! Numbers of a whole grid are larger than a block's, and no fact keeps their products in 64 bits. So sums, differences
//! and products of 64 bits that may go beyond these are made with a look at whether they do, and a launch whose numbers
//! do is refused.

use super::magnitude::Magnitudes;
use super::numbers;
use crate::kernel::ids::{self, Register, is_portable, register};
use crate::llvm::ir::{Block, Builder, Function, Module, Op, Pred, Type, Value, is_pure_integer};
use crate::lower::DISPATCH;
use crate::map::{HashMap, HashSet};

/// Numbers up to 2 to this power are in 64 bits, and so are those next to them.
const SURE: u32 = 62;

/// How well the host knows a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// As the kernel does.
    Exactly,
    /// It is true at least where the kernel finds it true.
    Above,
    /// Not at all.
    Not,
}

/// The gate called `name` of a staged kernel, as bitcode; `None` where it never says no. `from`: the first of its
/// tests; `original`: the kernel's blocks before.
pub fn bitcode(from: Block, original: &HashSet<Block>, name: &str) -> Option<Vec<u8>> {
    let function = from.function();
    let tests = tests_of(from, original)?;
    let mut slice = Slice::of(function, from);
    for b in &tests {
        let t = b.terminator();
        if t.is_conditional() && slice.known(t.condition()) != Known::Not {
            slice.need(t.condition());
        }
    }
    if !slice.may_refuse(from, original) {
        return None;
    }
    let module = Module::sibling(function.module(), name);
    let gate = slice.emit(&tests, original, module, name);
    numbers::finish(module, gate)
}

/// Whether the host can tell what `v`, of tests in `function`, is for a launch.
pub fn is_known(function: Function, v: Value) -> bool {
    let mut slice = Slice::of(function, function.entry());
    slice.known(v) == Known::Exactly
}

/// A gate that always says the same.
pub fn constant(sibling: Module, name: &str, answer: bool) -> Vec<u8> {
    let module = Module::sibling(sibling, name);
    let (gate, b) = (module.add_gate(name), Builder::new(module));
    b.at_end(gate.append_block(""));
    b.ret(Type::int(module, 1).constant(answer.into()));
    let bytes = module.bitcode();
    module.dispose();
    bytes
}

/// Writes what `v`, of `function`, is for the launch that `gate` is asked about; `None`: the host cannot tell.
pub(super) fn emit_known(
    b: &Builder,
    gate: Function,
    function: Function,
    v: Value,
) -> Option<Value> {
    emit_in_bits(b, gate, function, v).map(|(known, _)| known)
}

/// The same of a test; it does not hold where numbers that it is made of go beyond 64 bits.
pub(super) fn emit_test(
    b: &Builder,
    gate: Function,
    function: Function,
    v: Value,
) -> Option<Value> {
    let (holds, beyond) = emit_in_bits(b, gate, function, v)?;
    let is_exact = beyond.into_iter().map(|x| b.not(x));
    Some(b.freeze(is_exact.fold(holds, |all, x| b.and(all, x))))
}

/// What `v` is, and whether sums and products that it is made of went beyond 64 bits.
pub(super) fn emit_in_bits(
    b: &Builder,
    gate: Function,
    function: Function,
    v: Value,
) -> Option<(Value, Vec<Value>)> {
    let from = function.entry();
    let mut slice = Slice::of(function, from);
    if slice.known(v) != Known::Exactly {
        return None;
    }
    slice.need(v);
    let mut made = HashMap::default();
    slice.emit_parameters(b, gate, &mut made);
    // Where it stands does not matter: it is of parameters and constants, and faults nowhere.
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    for i in all {
        if slice.needed.contains(&i) {
            let again = slice.emit_value(b, gate, i, &made);
            made.insert(i, again);
        }
    }
    Some((value_of(v, &made), slice.beyond))
}

/// The blocks of tests, each behind those that lead to it; `None` where some lead back.
fn tests_of(from: Block, original: &HashSet<Block>) -> Option<Vec<Block>> {
    let mut done: Vec<Block> = Vec::new();
    let (mut open, mut stack) = (HashSet::default(), vec![(from, false)]);
    while let Some((b, left)) = stack.pop() {
        if left {
            open.remove(&b);
            done.push(b);
            continue;
        }
        if original.contains(&b) || done.contains(&b) {
            continue;
        }
        if !open.insert(b) {
            return None;
        }
        stack.push((b, true));
        stack.extend(ways_on(b).into_iter().map(|s| (s, false)));
    }
    done.reverse();
    Some(done)
}

/// Where a block of tests leads, other than to a staged body.
fn ways_on(b: Block) -> Vec<Block> {
    let mut ways = b.successors();
    if is_dispatch(b.terminator()) {
        ways.remove(0);
    }
    ways
}

/// Whether a branch picks a body: the first of its ways leads there.
fn is_dispatch(branch: Value) -> bool {
    let function = branch.block().map(Block::function);
    let module = function.map(Function::module);
    branch.is_conditional() && module.is_some_and(|m| branch.metadata(m, DISPATCH).is_some())
}

/// What of a kernel's tests the host can run.
struct Slice {
    function: Function,
    /// Where they begin.
    from: Block,
    known: HashMap<Value, Known>,
    needed: HashSet<Value>,
    /// How large integers get.
    magnitudes: Magnitudes,
    /// Whether sums and products of the block that is being written went beyond 64 bits.
    beyond: Vec<Value>,
}

impl Slice {
    fn of(function: Function, from: Block) -> Slice {
        Slice {
            function,
            from,
            known: HashMap::default(),
            needed: HashSet::default(),
            magnitudes: Magnitudes::default(),
            beyond: Vec::new(),
        }
    }

    /// How well the host knows `v`.
    fn known(&mut self, v: Value) -> Known {
        if let Some(k) = self.known.get(&v) {
            return *k;
        }
        let k = self.find(v);
        self.known.insert(v, k);
        k
    }

    fn find(&mut self, v: Value) -> Known {
        let both = |yes: bool| if yes { Known::Exactly } else { Known::Not };
        let Some(op) = v.opcode() else {
            return both(v.is_argument() || v.const_int().is_some());
        };
        let truth = v.ty().int_width() == Some(1);
        match op {
            Op::LLVMAnd | Op::LLVMOr if truth => {
                match (self.known(v.operand(0)), self.known(v.operand(1))) {
                    (Known::Exactly, Known::Exactly) => Known::Exactly,
                    (Known::Not, Known::Not) => Known::Not,
                    (Known::Not, _) | (_, Known::Not) if op == Op::LLVMOr => Known::Not,
                    _ => Known::Above,
                }
            }
            Op::LLVMLoad => both(self.parameter(v).is_some()),
            Op::LLVMCall if opaque(v) => self.known(v.operand(0)),
            Op::LLVMCall => match register(v) {
                Some((r, _)) => both(matches!(r, Register::Ntid | Register::Nctaid)),
                None => both(is_portable(v) && self.all_known(&v.operands()[..arguments(v)])),
            },
            _ if ids::divides(v) => both(self.all_known(&v.operands())),
            // These pass on what is true at least there as it is.
            Op::LLVMZExt | Op::LLVMFreeze => self.known(v.operand(0)),
            Op::LLVMICmp if self.is_truth_of(v) => self.known(v.operand(0)),
            Op::LLVMPtrToInt | Op::LLVMIntToPtr => both(self.all_known(&v.operands())),
            _ if is_pure_integer(op) => both(self.all_known(&v.operands())),
            _ => Known::Not,
        }
    }

    fn all_known(&mut self, all: &[Value]) -> bool {
        all.iter().all(|o| self.known(*o) == Known::Exactly)
    }

    /// Whether `v` asks if a truth value passed on as a number is true: an opaque condition.
    fn is_truth_of(&self, v: Value) -> bool {
        v.predicate() == Pred::LLVMIntNE
            && v.operand(1).const_int() == Some(0)
            && opaque(v.operand(0))
    }

    /// The parameter that a load reads, and where.
    fn parameter(&self, load: Value) -> Option<(u32, i64)> {
        let (base, offset) = load.operand(0).parameter_offset(self.function.module())?;
        let index = base.argument_index()?;
        self.function
            .param_has(index, "byval")
            .then_some((index, offset))
    }

    /// Marks what `v` is made of.
    fn need(&mut self, v: Value) {
        if !v.is_instruction() || self.known(v) == Known::Not || !self.needed.insert(v) {
            return;
        }
        match v.opcode() {
            Some(Op::LLVMLoad) => {}
            Some(Op::LLVMCall) => v.operands()[..arguments(v)]
                .iter()
                .for_each(|o| self.need(*o)),
            _ => v.operands().into_iter().for_each(|o| self.need(o)),
        }
    }

    /// Whether the way out can be taken by what the host knows.
    fn may_refuse(&mut self, from: Block, original: &HashSet<Block>) -> bool {
        let (mut seen, mut work) = (HashSet::default(), vec![from]);
        while let Some(b) = work.pop() {
            if original.contains(&b) {
                return true;
            }
            if !seen.insert(b) {
                continue;
            }
            let t = b.terminator();
            let is_computable = t.is_conditional() && self.known(t.condition()) != Known::Not;
            let always = t.is_conditional() && t.condition().const_int().is_some_and(|c| c != 0);
            match b.successors().as_slice() {
                [next] => work.push(*next),
                [yes, no] if is_computable && !always => {
                    work.push(*no);
                    work.extend((!is_dispatch(t)).then_some(*yes));
                }
                [yes, _] if !is_dispatch(t) => work.push(*yes),
                _ => {}
            }
        }
        false
    }

    /// Writes the gate.
    fn emit(
        &mut self,
        tests: &[Block],
        original: &HashSet<Block>,
        module: Module,
        name: &str,
    ) -> Function {
        let (gate, b) = (module.add_gate(name), Builder::new(module));
        let blocks: HashMap<Block, Block> =
            tests.iter().map(|t| (*t, gate.append_block(""))).collect();
        let (runs, refuses) = (gate.append_block("runs"), gate.append_block("refuses"));
        for (leaf, says) in [(runs, 1), (refuses, 0)] {
            b.at_end(leaf);
            b.ret(Type::int(module, 1).constant(says));
        }
        let at = |t: Block| match blocks.get(&t) {
            Some(x) => *x,
            None if original.contains(&t) => refuses,
            None => runs,
        };
        let mut made: HashMap<Value, Value> = HashMap::default();
        for t in tests {
            b.at_end(at(*t));
            if *t == self.from {
                self.emit_parameters(&b, gate, &mut made);
            }
            for i in t.instructions() {
                if self.needed.contains(&i) {
                    let v = self.emit_value(&b, gate, i, &made);
                    made.insert(i, v);
                }
            }
            self.emit_way_out(&b, gate, refuses);
            let branch = t.terminator();
            let ways = t.successors();
            let yes = if is_dispatch(branch) {
                runs
            } else {
                at(ways[0])
            };
            match ways.get(1) {
                Some(no) if self.known(branch.condition()) != Known::Not => {
                    let condition = value_of(branch.condition(), &made);
                    b.cond_br(b.freeze(condition), yes, at(*no));
                }
                _ => {
                    b.br(yes);
                }
            }
        }
        gate
    }

    /// Refuses where something went beyond 64 bits in the block that ends here; goes on in another one.
    fn emit_way_out(&mut self, b: &Builder, gate: Function, refuses: Block) {
        let any = std::mem::take(&mut self.beyond);
        if let Some(any) = any.into_iter().reduce(|x, y| b.or(x, y)) {
            let on = gate.append_block("");
            b.cond_br(b.freeze(any), refuses, on);
            b.at_end(on);
        }
    }

    /// Writes a sum, difference, product or shift of 64 bits, of `x` and `y` here; `None`: `i` is none that can go
    /// beyond them.
    fn emit_exactly(&mut self, b: &Builder, i: Value, x: Value, y: Value) -> Option<Value> {
        use Op::{LLVMAdd, LLVMMul, LLVMShl, LLVMSub};
        if i.ty().int_width() != Some(64) || self.magnitudes.of(i) <= SURE {
            return None;
        }
        let (kind, y) = match i.opcode()? {
            LLVMAdd => ("sadd", y),
            LLVMSub => ("ssub", y),
            LLVMMul => ("smul", y),
            LLVMShl => {
                let by = y.const_int().filter(|k| (0..62).contains(k))?;
                ("smul", y.ty().constant(1 << by))
            }
            _ => return None,
        };
        let name = format!("llvm.{kind}.with.overflow");
        let both = b.intrinsic(&name, &[i.ty()], &[x, y]);
        self.beyond.push(b.field(both, 1));
        Some(b.field(both, 0))
    }

    /// Loads every parameter that is a number or a pointer; of structs passed by value it takes the address.
    fn emit_parameters(&self, b: &Builder, gate: Function, made: &mut HashMap<Value, Value>) {
        let (module, args) = (b.module(), gate.params()[0]);
        let (pointer, i64t) = (Type::pointer(module, 0), Type::int(module, 64));
        for (i, p) in self.function.params().into_iter().enumerate() {
            let place = b.load(
                pointer,
                b.element(pointer, args, i64t.constant(i as i64)),
                8,
            );
            let ty = p.ty();
            let v = match ty.int_width() {
                _ if self.function.param_has(i as u32, "byval") => place,
                Some(1) => b.trunc(b.load(Type::int(module, 8), place, 1), ty),
                _ => b.load(ty, place, 1),
            };
            made.insert(p, v);
        }
    }

    /// Writes one instruction again.
    fn emit_value(
        &mut self,
        b: &Builder,
        gate: Function,
        i: Value,
        made: &HashMap<Value, Value>,
    ) -> Value {
        let module = b.module();
        let i64t = Type::int(module, 64);
        if i.is(Op::LLVMCall) && opaque(i) {
            return value_of(i.operand(0), made);
        }
        if let Some((r, d)) = register(i) {
            let place = d.index() + if r == Register::Nctaid { 3 } else { 0 };
            let i32t = Type::int(module, 32);
            let place = b.element(i32t, gate.params()[1], i64t.constant(place as i64));
            return b.load(i32t, place, 4);
        }
        if i.is(Op::LLVMLoad)
            && let Some((index, offset)) = self.parameter(i)
        {
            let base = made[&self.function.params()[index as usize]];
            return b.load(i.ty(), b.byte_offset(base, i64t.constant(offset)), 1);
        }
        if i.is(Op::LLVMAnd) || i.is(Op::LLVMOr) {
            // Of a conjunction the part that is known.
            for (this, other) in [(0, 1), (1, 0)] {
                if self.known(i.operand(this)) == Known::Not {
                    return value_of(i.operand(other), made);
                }
            }
        }
        if i.is(Op::LLVMCall) {
            let arguments: Vec<Value> = i.operands()[..arguments(i)]
                .iter()
                .map(|o| value_of(*o, made))
                .collect();
            return b.call(module.same_intrinsic(i), &arguments);
        }
        if i.operands().len() == 2 {
            let [x, y] = [0, 1].map(|k| value_of(i.operand(k), made));
            if let Some(exact) = self.emit_exactly(b, i, x, y) {
                return exact;
            }
        }
        let again = i.clone_instruction();
        again.drop_poison_flags();
        again.drop_all_metadata();
        for (k, o) in i.operands().into_iter().enumerate() {
            again.set_operand(k as u32, value_of(o, made));
        }
        if ids::divides(i) {
            again.set_operand(1, harmless(b, again.operand(0), again.operand(1)));
        }
        b.insert(again);
        again
    }
}

/// What stands for `v` in the gate: constants stand for themselves.
fn value_of(v: Value, made: &HashMap<Value, Value>) -> Value {
    made.get(&v).copied().unwrap_or(v)
}

/// How many of a call's operands are arguments: the last is the callee.
fn arguments(call: Value) -> usize {
    call.operands().len() - 1
}

/// Whether a call hands its first operand on: `lower`'s opaque moves.
fn opaque(v: Value) -> bool {
    v.is_inline_asm_call()
        && ["mov.b32 $0, $1;", "mov.b64 $0, $1;"].contains(&v.asm_text().as_str())
}

/// The divisor, or 1 in place of one that the processor faults with: 0, and -1 under the least number.
fn harmless(b: &Builder, number: Value, divisor: Value) -> Value {
    if divisor.const_int().is_some_and(|c| c > 0) {
        return divisor;
    }
    let ty = divisor.ty();
    let width = ty.int_width().unwrap_or(64);
    let least = ty.constant(i64::MIN >> (64 - width.min(64)));
    let is = |v, c| b.icmp(Pred::LLVMIntEQ, v, c);
    let beyond = b.and(is(number, least), is(divisor, ty.constant(-1)));
    let faults = b.or(is(divisor, ty.constant(0)), beyond);
    b.select(faults, ty.constant(1), divisor)
}
