//! Which dimensions of a flattened id lie along x and y of the launch.
//!
//! ```text
//! out[((l * c + k) * b + j) * a + i] = in[id]      id: l innermost, then k, j, i
//! in's neighbours are neighbours along l, out's along i: x = l, y = i, z = j * c + k
//! ```
//! Threads of a warp lie along x, and a tile in shared memory has dimensions x and y: where one access has neighbouring
//! elements along one dimension and another along another one, the tile must have both, or one of the two has none.

use super::plan::{Fold, Part, in_order};
use crate::access::AccessKind;
use crate::kernel::ids;
use crate::llvm::ir::{Op, Value};
use crate::map::{HashMap, HashSet};
use crate::plan::Analyses;
use std::collections::VecDeque;

/// The dimensions that an access's address is made of.
struct Touched {
    /// Those of which neighbours touch neighbouring elements.
    near: Vec<usize>,
    /// Others, nearer ones first.
    far: Vec<usize>,
    /// All.
    all: HashSet<usize>,
    /// Whether it is a load.
    is_read: bool,
}

/// Which dimensions lie along x and y.
pub fn choose(f: &Analyses, fold: &Fold) -> [usize; 2] {
    let touched = touched(f, fold);
    let along_x = along_x(f, fold, &touched);
    let is_far = |t: &&Touched| t.all.contains(&along_x) && !t.near.contains(&along_x);
    let mut near = touched.iter().filter(is_far).flat_map(|t| &t.near);
    let along_y = near.next().copied();
    let along_y = along_y.filter(|_| is_near(along_x, &touched));
    let axes = match (along_x, along_y) {
        (x, Some(y)) => [x, y],
        (0, None) => in_order(),
        (x, None) => [x, nearest_but(x, &touched)],
    };
    // What lies along x and y must end somewhere.
    match fold.limit.is_some() || !axes.contains(&fold.last()) {
        true => axes,
        false => in_order(),
    }
}

/// The dimension that is nearest besides `x`: what is moved lies in rows along both.
fn nearest_but(x: usize, touched: &[Touched]) -> usize {
    let mut all = touched.iter().flat_map(|t| t.near.iter().chain(&t.far));
    all.find(|d| **d != x).copied().unwrap_or(0)
}

/// The innermost, if neighbours along it are near anywhere; else, of so many, the first of which that holds. What moves
/// elements, without loops, from neighbours to neighbours along another dimension reads along x: all writings of such a
/// kernel are one then, whose tile is written back.
fn along_x(f: &Analyses, fold: &Fold, touched: &[Touched]) -> usize {
    let has_loops = f.tree.loop_ids().next().is_some();
    let is_read_near = touched.iter().any(|t| t.is_read && t.near.contains(&0));
    if !has_loops
        && !is_read_near
        && let Some(read) = transposed(touched)
    {
        return read;
    }
    let mut near = touched.iter().flat_map(|t| &t.near);
    // Of three dimensions an exchange of axes brings any along x (`transform::permute`), of layers that are taken apart
    // none.
    match fold.layers().len() < 2 || is_near(0, touched) {
        true => 0,
        false => near.next().copied().unwrap_or(0),
    }
}

fn is_near(d: usize, touched: &[Touched]) -> bool {
    touched.iter().any(|t| t.near.contains(&d))
}

/// The dimension along which a load has neighbours, and no store that has them along another one: each goes far along
/// the other's.
fn transposed(touched: &[Touched]) -> Option<usize> {
    let reads = touched.iter().filter(|t| t.is_read);
    let goes_far = |t: &Touched, d: usize| t.all.contains(&d) && !t.near.contains(&d);
    let mut all = reads.flat_map(|r| r.near.iter().map(move |d| (r, *d)));
    let is_written_so = |r: &Touched, d: usize| {
        let mut writes = touched.iter().filter(|t| !t.is_read && goes_far(t, d));
        writes.any(|w| w.near.iter().any(|other| goes_far(r, *other)))
    };
    all.find(|(r, d)| is_written_so(r, *d)).map(|(_, d)| d)
}

/// What accesses touch, in the kernel's order.
fn touched(f: &Analyses, fold: &Fold) -> Vec<Touched> {
    let parts = fold.parts.iter();
    let parts: HashMap<Value, Part> = parts.map(|(v, p)| (f.kernel.value(*v), *p)).collect();
    let accesses = f.accesses.iter();
    accesses
        .filter_map(|a| {
            let pointer = f.kernel.value(a.pointer?);
            let (near, far) = by_pitch(f, &parts, (pointer, u64::from(a.size)));
            Some(Touched {
                near,
                far,
                all: dimensions(&parts, fold, pointer),
                is_read: a.kind == AccessKind::Load,
            })
        })
        .collect()
}

/// The dimensions that a value is made of.
fn dimensions(parts: &HashMap<Value, Part>, fold: &Fold, v: Value) -> HashSet<usize> {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    let mut all = HashSet::default();
    while let Some(v) = work.pop() {
        if !v.is_instruction() || !seen.insert(v) {
            continue;
        }
        match parts.get(&v) {
            Some(Part::Dimensions { from, to }) => all.extend(*from..*to),
            Some(Part::Begin) => all.extend(1..=fold.last()),
            None => work.extend(v.operands()),
        }
    }
    all
}

/// The dimensions that an address is a sum of, in elements of `size` bytes: as they are, and those that are multiplied,
/// by how often.
fn by_pitch(
    f: &Analyses,
    parts: &HashMap<Value, Part>,
    (pointer, size): (Value, u64),
) -> (Vec<usize>, Vec<usize>) {
    let (mut near, mut far) = (Vec::new(), Vec::new());
    let (mut seen, mut work) = (HashSet::default(), VecDeque::from([(pointer, 0)]));
    while let Some((v, level)) = work.pop_front() {
        let v = ids::unextended(v);
        if !seen.insert(v) {
            continue;
        }
        match parts.get(&v) {
            Some(Part::Dimensions { from, to }) if level == 0 => {
                near.push(*from);
                far.extend(*from + 1..*to);
            }
            Some(Part::Dimensions { from, to }) => far.extend(*from..*to),
            Some(Part::Begin) => {}
            None => {
                let (same, more) = terms(f, v, size);
                same.into_iter().for_each(|v| work.push_front((v, level)));
                more.into_iter()
                    .for_each(|v| work.push_back((v, level + 1)));
            }
        }
    }
    (near, far)
}

/// What a value is a sum of, as it is and multiplied.
fn terms(f: &Analyses, v: Value, size: u64) -> (Vec<Value>, Vec<Value>) {
    match v.opcode() {
        Some(Op::LLVMAdd) => (v.operands(), Vec::new()),
        Some(Op::LLVMMul) => (Vec::new(), v.operands()),
        Some(Op::LLVMShl) => (Vec::new(), vec![v.operand(0)]),
        Some(Op::LLVMSub | Op::LLVMAddrSpaceCast | Op::LLVMBitCast) => {
            (vec![v.operand(0)], Vec::new())
        }
        Some(Op::LLVMGetElementPtr) => {
            let each = f.kernel.function.module().alloc_size(v.gep_source_type());
            match v.operands()[..] {
                [base, index] if each == size => (vec![base, index], Vec::new()),
                [base, index] => (vec![base], vec![index]),
                _ => (vec![v.operand(0)], Vec::new()),
            }
        }
        _ => (Vec::new(), Vec::new()),
    }
}
