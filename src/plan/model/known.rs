//! What no launch changes of a kernel: found once for all launches that the model is asked about.

use super::super::analyses::Analyses;
use super::super::shape::{self, Cluster};
use super::launch::Launch;
use super::mix::Mixes;
use crate::access::{Access, AccessId};
use crate::affine::{Atom, Poly};
use crate::llvm::ir::{Op, Value};
use std::collections::BTreeMap;

/// An atom and what an address moves with it: a product, as a clamp's coefficients are multiplied by that of the clamp.
type Stride = (Atom, Vec<Poly>);

/// How an access is addressed.
enum Index {
    /// Strides, clamps seen through.
    Affine(Vec<Stride>),
    /// An address that depends on data.
    Indirect,
    /// Another that is not affine.
    Folded,
}

/// Instructions and addresses.
pub struct Known {
    /// Instructions, counted.
    pub mixes: Mixes,
    /// Accesses that go together.
    pub clusters: Vec<Cluster>,
    /// By access.
    indices: Vec<Index>,
    /// By access: what an affine address moves with each varying atom.
    varying: Vec<BTreeMap<Atom, Poly>>,
}

impl Known {
    /// That of the kernel in `f`.
    pub fn of<'a>(f: &Analyses<'a>) -> &'a Known {
        let found = f.once.get_or_init(|| Box::new(Known::collect(f)));
        found
            .downcast_ref()
            .expect("the model alone keeps something there")
    }

    fn collect(f: &Analyses) -> Known {
        let address = |a: &Access| f.affine.address(a.id).map(|x| &x.index);
        let index = |a: &Access| match address(a).and_then(|p| strides(f, p)) {
            Some(all) => Index::Affine(all),
            None if is_indirect(f, a) => Index::Indirect,
            None => Index::Folded,
        };
        let varying = |a: &Access| Some(address(a)?.split(Atom::varies)?.0);
        let all = &f.accesses.list;
        Known {
            mixes: Mixes::collect(f.kernel),
            clusters: shape::collect_clusters(f.accesses, f.affine),
            indices: all.iter().map(index).collect(),
            varying: all.iter().map(|a| varying(a).unwrap_or_default()).collect(),
        }
    }

    /// Bytes an address moves per step of each varying atom, clamps seen through.
    pub fn coefficients(&self, launch: &Launch, a: AccessId) -> Option<Vec<(Atom, f64)>> {
        let Index::Affine(all) = &self.indices[a.index()] else {
            return None;
        };
        let product = |p: &Vec<Poly>| p.iter().map(|k| launch.eval(k)).product();
        Some(all.iter().map(|(a, p)| (*a, product(p))).collect())
    }

    /// Whether an address depends on data; one that is affine does not.
    pub fn is_indirect(&self, a: AccessId) -> bool {
        matches!(self.indices[a.index()], Index::Indirect)
    }

    /// What an address moves with each varying atom; nothing where it is not affine.
    pub fn varying(&self, a: AccessId) -> &BTreeMap<Atom, Poly> {
        &self.varying[a.index()]
    }
}

fn strides(f: &Analyses, index: &Poly) -> Option<Vec<Stride>> {
    let (varying, rest) = index.split(Atom::varies)?;
    let mut out: Vec<Stride> = Vec::new();
    for (a, c) in varying {
        let Atom::Clamp(id) = a else {
            out.push((a, vec![c]));
            continue;
        };
        let inner = strides(f, &f.affine.clamps[id.index()].varying)?;
        let times = |(b, m): Stride| (b, m.into_iter().chain([c.clone()]).collect());
        out.extend(inner.into_iter().map(times));
    }
    if let Some((blocks, _)) = rest.split(|a| matches!(a, Atom::Ctaid(_))) {
        out.extend(blocks.into_iter().map(|(a, c)| (a, vec![c])));
    }
    Some(out)
}

fn is_indirect(f: &Analyses, a: &Access) -> bool {
    fn loads(v: Value, depth: u32) -> bool {
        let inner = || v.operands().into_iter().any(|o| loads(o, depth + 1));
        match v.opcode() {
            Some(Op::LLVMLoad) => true,
            Some(Op::LLVMPHI) | None => false,
            _ => depth < 16 && inner(),
        }
    }
    a.pointer.is_none_or(|p| {
        let p = f.kernel.value(p);
        p.is(Op::LLVMGetElementPtr) && p.operands()[1..].iter().any(|i| loads(*i, 0))
    })
}
