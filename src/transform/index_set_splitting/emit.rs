//! A copy of a kernel whose loops are cut, one after the other. Idea and soundness: [`super`].

use super::emit_bounds::{Bounds, Middle};
use super::emit_parts::Cut;
use super::legality;
use super::plan::{IndexSets, Split};
use crate::affine::Analyzed;
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Pred};
use crate::machine::tuning::index_set_splitting::MOST_LOOPS;
use crate::plan::Analyses;
use crate::tree;

/// Cuts loops of a copy; which, if any.
pub fn emit(collect: &dyn Fn() -> Kernel) -> Option<IndexSets> {
    let mut all = Vec::new();
    while all.len() < MOST_LOOPS {
        let kernel = collect();
        let analyzed = Analyzed::of(&kernel, tree::structure(&kernel)?);
        let f = Analyses::of(&kernel, &analyzed);
        // What is left of a loop that was cut is counted no more.
        let Some(split) = legality::find(&f).splits.into_iter().next() else {
            break;
        };
        emit_split(&f, &split);
        all.push(split.sides());
    }
    (!all.is_empty()).then_some(IndexSets(all))
}

fn emit_split(f: &Analyses, split: &Split) {
    let b = &Builder::new(f.kernel.function.module());
    let mut cut = Cut::begin(f, b, split);
    let middle = Bounds::new(f.kernel, f.affine, b).middle(split);
    cut.run_if(b.icmp(Pred::LLVMIntSLT, b.int(0), middle.count));
    emit_first(f.kernel, b, &mut cut, (split, &middle));
    emit_middle(f.kernel, b, &mut cut, (split, &middle));
    cut.end();
}

/// Each thread's own iterations in front of the middle.
fn emit_first(kernel: &Kernel, b: &Builder, cut: &mut Cut, (split, of): (&Split, &Middle)) {
    let Some((start, to)) = split.start.as_ref().zip(of.begin) else {
        return;
    };
    let before = match start.up {
        true => Pred::LLVMIntSLT,
        false => Pred::LLVMIntSGT,
    };
    let phi = kernel.value(start.phi);
    let some = b.icmp(before, cut.now(phi), to);
    let part = cut.enter(Some(some), "mesi.first");
    let more = b.icmp(before, cut.next(&part, phi), to);
    let more = b.and(cut.goes_on(&part), more);
    cut.leave(&part, more);
}

/// The iterations that all threads run.
fn emit_middle(kernel: &Kernel, b: &Builder, cut: &mut Cut, (split, of): (&Split, &Middle)) {
    let part = cut.enter(None, "mesi.middle");
    if let Some((start, begin)) = split.start.as_ref().zip(of.begin) {
        cut.begin_with(&part, kernel.value(start.phi), begin);
    }
    let counted = cut.count(&part);
    cut.leave(&part, b.icmp(Pred::LLVMIntSLT, counted, of.count));
}
