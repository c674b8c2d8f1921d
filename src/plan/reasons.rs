//! Why each array that is not staged is left alone: one reason for each.

use super::analyses::Analyses;
use super::data::{KernelPlan, Refusal};
use super::legality;
use crate::access::{Access, AccessKind, ArrayId, Base};
use crate::affine::NotAffine;
use crate::kernel::assembly;
use crate::missed::Missed;

/// Collects the reason of each array that is not staged.
pub struct Reasons<'a> {
    f: &'a Analyses<'a>,
    /// Reasons that hold for a whole array.
    array: Vec<(ArrayId, Missed)>,
    /// Reasons of clusters without any legal place.
    pub early: Vec<(ArrayId, Missed)>,
    /// Reasons of clusters that were not chosen.
    pub cluster_missed: Vec<(ArrayId, Missed)>,
}

impl<'a> Reasons<'a> {
    /// None yet.
    pub fn new(f: &'a Analyses<'a>) -> Self {
        Reasons {
            f,
            array: Vec::new(),
            early: Vec::new(),
            cluster_missed: Vec::new(),
        }
    }

    /// Whether a guard that needs no region refuses the array.
    pub fn is_refused(&self, a: ArrayId) -> bool {
        self.array.iter().any(|(x, _)| *x == a)
    }

    /// Guards that need no region: memory space, volatile, atomics.
    pub fn refuse_arrays(&mut self) {
        for a in &self.f.accesses.arrays {
            let mine: Vec<&Access> = self
                .f
                .accesses
                .iter()
                .filter(|x| x.array == Some(a.id))
                .collect();
            let first = |p: &dyn Fn(&Access) -> bool| mine.iter().find(|x| p(x)).map(|x| x.id);
            let reason = if a.origin == Base::Constant {
                Some(Missed::ConstantMemory)
            } else if let Some(access) = first(&|x| x.is_volatile) {
                Some(Missed::Volatile { access })
            } else {
                first(&|x| x.kind == AccessKind::Atomic).map(|access| Missed::Atomic { access })
            };
            self.array.extend(reason.map(|m| (a.id, m)));
        }
    }

    /// One reason for each array without a tile or register: the first of the guards in order.
    pub fn finish(self, plan: &mut KernelPlan) {
        let first = &plan.first;
        let tiles = first.tiles().map(|t| t.footprint.array);
        let registers = first
            .scalars()
            .filter_map(|p| self.f.accesses.get(p.accesses[0]).array);
        let held = first.steps().into_iter().flat_map(|s| s.held());
        let held = held.map(|h| h.array);
        let done: Vec<ArrayId> = tiles.chain(registers).chain(held).collect();
        for a in self
            .f
            .accesses
            .arrays
            .iter()
            .filter(|a| !done.contains(&a.id))
        {
            let reason = self.reason(a.id);
            plan.refusals.push(Refusal::Array(a.id, reason));
        }
        for x in self.f.accesses.iter().filter(|x| x.array.is_none()) {
            if matches!(
                x.kind,
                AccessKind::Load | AccessKind::Store | AccessKind::Atomic
            ) {
                let reason = Missed::UnknownBase { access: x.id };
                plan.refusals.push(Refusal::Access(x.id, reason));
            }
        }
        // A kernel that touches nothing by itself: what it calls does.
        if self.f.accesses.arrays.is_empty() && plan.refusals.is_empty() {
            let mut all = self.f.accesses.iter();
            let unknown = all.find(|x| x.kind == AccessKind::Unknown).map(|x| x.id);
            let refusal = |access| Refusal::Access(access, Missed::UnknownEffect { access });
            plan.refusals.extend(unknown.map(refusal));
        }
    }

    fn reason(&self, a: ArrayId) -> Missed {
        let of = |list: &[(ArrayId, Missed)]| list.iter().find(|(x, _)| *x == a).map(|(_, m)| *m);
        if let Some(m) = of(&self.array) {
            return m;
        }
        for x in self.f.accesses.iter().filter(|x| x.array == Some(a)) {
            if x.kind == AccessKind::Load
                && let Err(e) = &self.f.affine.addresses[x.id.index()]
            {
                if let Some(m) = legality::refuse_access(self.f, x) {
                    return m;
                }
                return match e {
                    NotAffine::Index => Missed::NotAffine { access: x.id },
                    NotAffine::NotAtEntry => Missed::NotAtEntry { access: x.id },
                };
            }
        }
        let otherwise = || match is_only_written(self.f, a) {
            true => Missed::OnlyStored,
            false => Missed::NotProfitable,
        };
        of(&self.early)
            .or(of(&self.cluster_missed))
            .or_else(|| self.in_assembly(a))
            .unwrap_or_else(otherwise)
    }

    /// The reason of an array that nothing but assembly touches. `atomicAdd` of a `__half` is assembly.
    fn in_assembly(&self, a: ArrayId) -> Option<Missed> {
        let accesses = self.f.accesses;
        if accesses.iter().any(|x| x.array == Some(a)) {
            return None;
        }
        let access = accesses.in_assembly.iter().find(|(x, _)| *x == a)?.1;
        let text = self.f.kernel.value(accesses.get(access).value).asm_text();
        Some(match assembly::has(&text, &["atom", "red"]) {
            true => Missed::Atomic { access },
            false => Missed::UnknownEffect { access },
        })
    }
}

/// Whether no access of an array reads it.
pub fn is_only_written(f: &Analyses, array: ArrayId) -> bool {
    let mut mine = f.accesses.iter().filter(|a| a.array == Some(array));
    mine.all(|a| a.kind == AccessKind::Store)
}
