//! Loads and stores of neighbours: at offsets from one pointer, in one block of code, that differ by numbers.

use crate::choice;
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::target::WIDEST_ACCESS;

/// Where an access is: bytes from a pointer on that the host knows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    pointer: Value,
    /// Values, each with the bytes that it counts.
    terms: Vec<(Value, i64)>,
    constant: i64,
}

/// An access of one element.
struct Access {
    place: Place,
    is_store: bool,
    bytes: i64,
    /// What is known of it, in bytes.
    alignment: i64,
}

/// Accesses that become part of another one where their pointer is aligned.
pub(super) struct Joined {
    /// The pointers, each once.
    pub pointers: Vec<Value>,
    /// How many.
    pub count: usize,
    /// Of how many loads and stores of memory that is not the thread's own.
    pub of: usize,
}

/// Those of a kernel.
pub(super) fn joined(kernel: &Kernel) -> Joined {
    let mut found = Joined {
        pointers: Vec::new(),
        count: 0,
        of: 0,
    };
    for block in kernel.blocks.iter() {
        let (all, others) = accesses(kernel, *block);
        found.of += all.len() + others;
        for pair in all.iter().filter(|a| begins_a_pair(a, &all)) {
            found.count += 1;
            if !found.pointers.contains(&pair.place.pointer) {
                found.pointers.push(pair.place.pointer);
            }
        }
    }
    found
}

/// A block's accesses through pointers that the host knows, and how many others it has.
fn accesses(kernel: &Kernel, block: Block) -> (Vec<Access>, usize) {
    let (mut all, mut others) = (Vec::new(), 0);
    for v in block.instructions() {
        let (at, moved) = match v.opcode() {
            // Of parameters.
            Some(Op::LLVMLoad) if choice::host_knows(kernel.function, v) => continue,
            Some(Op::LLVMLoad) => (v.operand(0), v.ty()),
            Some(Op::LLVMStore) => (v.operand(1), v.operand(0).ty()),
            _ => continue,
        };
        let is_one = !v.is_volatile_or_atomic() && at.address_space() == 0;
        match Place::of(kernel, at).filter(|_| is_one) {
            Some(place) => all.push(Access {
                place,
                is_store: v.is(Op::LLVMStore),
                bytes: kernel.function.module().alloc_size(moved) as i64,
                alignment: v.alignment().into(),
            }),
            None => others += 1,
        }
    }
    (all, others)
}

/// Whether an access can be one with the next, if its pointer is aligned, and only then.
fn begins_a_pair(first: &Access, all: &[Access]) -> bool {
    let pair = 2 * first.bytes;
    let may_join = pair <= i64::from(WIDEST_ACCESS)
        && first.alignment < pair
        && first.place.is_multiple_of(pair);
    let mut next = first.place.clone();
    next.constant += first.bytes;
    may_join
        && all
            .iter()
            .any(|a| a.is_store == first.is_store && a.bytes == first.bytes && a.place == next)
}

impl Place {
    /// Where a pointer points; `None`: the host does not know from where on.
    fn of(kernel: &Kernel, at: Value) -> Option<Place> {
        if at.is(Op::LLVMGetElementPtr) {
            let mut place = Place::of(kernel, at.operand(0))?;
            let (fields, steps) = at.gep_steps(kernel.function.module())?;
            place.constant = place.constant.checked_add(fields)?;
            for (operand, scale) in steps {
                place.add(at.operand(operand), scale)?;
            }
            return Some(place);
        }
        // What is passed by value has its place among the parameters, which its alignment is part of.
        let is_pointer = match at.argument_index() {
            Some(index) => !kernel.function.param_has(index, "byval"),
            None => at.is(Op::LLVMLoad) && choice::host_knows(kernel.function, at),
        };
        is_pointer.then_some(Place {
            pointer: at,
            terms: Vec::new(),
            constant: 0,
        })
    }

    /// Goes on by an index, each of so many bytes. Numbers that wrap are taken for such that do not: nothing rests on
    /// it.
    fn add(&mut self, index: Value, scale: i64) -> Option<()> {
        if let Some(n) = index.const_int() {
            self.constant = self.constant.checked_add(n.checked_mul(scale)?)?;
            return Some(());
        }
        let of = |k: u32| index.operand(k);
        let by = || of(1).const_int();
        match index.opcode() {
            Some(Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc) => self.add(of(0), scale),
            Some(Op::LLVMAdd) => self.add(of(0), scale).and_then(|()| self.add(of(1), scale)),
            Some(Op::LLVMOr) if index.has_disjoint() => {
                self.add(of(0), scale).and_then(|()| self.add(of(1), scale))
            }
            Some(Op::LLVMMul) if by().is_some() => self.add(of(0), scale.checked_mul(by()?)?),
            Some(Op::LLVMShl) if matches!(by(), Some(0..=32)) => {
                self.add(of(0), scale.checked_mul(1 << by()?)?)
            }
            _ => {
                match self.terms.iter_mut().find(|t| t.0 == index) {
                    Some((_, each)) => *each = each.checked_add(scale)?,
                    None => self.terms.push((index, scale)),
                }
                Some(())
            }
        }
    }

    /// Whether it is one from an aligned pointer on, whatever the values are.
    fn is_multiple_of(&self, bytes: i64) -> bool {
        let scales = self.terms.iter().map(|t| t.1);
        scales.chain([self.constant]).all(|n| n % bytes == 0)
    }
}
