//! Values that loops carry: induction variables, and what is left of them after the loop.

use super::value::{Exact, Reading, Values, pure};
use super::{Atom, NotAffine, Poly};
use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashSet;
use crate::tree::{Loop, LoopId};

impl Values<'_> {
    /// An induction variable, a value carried out of a loop, or a join of equal values.
    pub(super) fn compute_phi(&mut self, v: Value, depth: u32) -> Result<Exact, NotAffine> {
        if let Some((id, l)) = self.loop_of_phi(v) {
            return self.induction(v, id, l, depth);
        }
        let mut found: Option<Exact> = None;
        for (x, from) in v.incoming() {
            let Ok(mut e) = self.poly_at(x, depth + 1) else {
                return self.symbol_or(v, NotAffine::Index);
            };
            let left = self.loops_left(from, v);
            for l in left {
                e.poly = self.after_loop(&e.poly, l)?;
            }
            match &mut found {
                None => found = Some(e),
                Some(f) if f.poly == e.poly => f.facts.extend(e.facts),
                Some(_) => return Err(NotAffine::Index),
            }
        }
        found.ok_or(NotAffine::Index)
    }

    /// Loops that hold `from` but not the block of `phi`.
    fn loops_left(&self, from: Block, phi: Value) -> Vec<LoopId> {
        let from = self.kernel.block_id(from);
        let Some(at) = phi.block().map(|b| self.kernel.block_id(b)) else {
            return Vec::new();
        };
        (0..self.tree.loops.len())
            .filter(|i| {
                let blocks = &self.tree.loops[*i].blocks;
                blocks.contains(&from) && !blocks.contains(&at)
            })
            .map(|i| LoopId(i as u32))
            .collect()
    }

    /// The polynomial with the iteration number of a left loop set to that of its last iteration.
    fn after_loop(&self, p: &Poly, l: LoopId) -> Result<Poly, NotAffine> {
        if !self.follows(p, l) {
            return Ok(p.clone());
        }
        let last = match self.trips.get(l.index()) {
            // A trip count that changes with an outer loop is no fixed value.
            Some(Ok(t))
                if t.least == 1 && !t.span.any(Atom::varies) && !t.step.any(Atom::varies) =>
            {
                Poly::atom(Atom::Trip(l)).minus(&Poly::constant(1))
            }
            _ => return Err(NotAffine::Index),
        };
        let after = p.substitute(Atom::Iter(l), &last);
        // A clamp's operands stay those of an iteration.
        match self.follows(&after, l) {
            true => Err(NotAffine::Index),
            false => Ok(after),
        }
    }

    /// `phi = start, then phi + step`, with `step` unchanging in the loop.
    fn induction(
        &mut self,
        v: Value,
        id: LoopId,
        l: &Loop,
        depth: u32,
    ) -> Result<Exact, NotAffine> {
        let latch = self.kernel.block(l.latch);
        let next = v.incoming_from(latch).ok_or(NotAffine::Index)?;
        let starts: Vec<Value> = v
            .incoming()
            .into_iter()
            .filter(|(_, b)| *b != latch)
            .map(|(x, _)| x)
            .collect();
        let step = self.step(v, next, depth)?;
        let mut sum: Option<Exact> = None;
        for s in starts {
            let e = self.poly_at(s, depth + 1)?;
            match &mut sum {
                None => sum = Some(e),
                Some(f) if f.poly == e.poly => f.facts.extend(e.facts),
                Some(_) => return Err(NotAffine::Index),
            }
        }
        let start = sum.ok_or(NotAffine::Index)?;
        if start.poly.mentions(Atom::Iter(id)) || step.poly.any(|a| a.varies()) {
            return Err(NotAffine::Index);
        }
        let poly = start
            .poly
            .plus(&step.poly.times(&Poly::atom(Atom::Iter(id))));
        Ok(Exact {
            poly,
            facts: &start.facts | &step.facts,
        })
    }

    /// What `next` adds to `phi` each time round.
    fn step(&mut self, phi: Value, next: Value, depth: u32) -> Result<Exact, NotAffine> {
        if next == phi {
            return Ok(pure(Poly::default()));
        }
        let negated = next.is(Op::LLVMSub);
        if !(next.is(Op::LLVMAdd) || negated || (next.is(Op::LLVMOr) && next.has_disjoint())) {
            return Err(NotAffine::Index);
        }
        let (x, y) = (next.operand(0), next.operand(1));
        // Chains such as (phi + a) + b are followed on the side that leads back to the phi.
        let (chain, added) = match (self.leads_to(x, phi), !negated && self.leads_to(y, phi)) {
            (true, _) => (x, y),
            (false, true) => (y, x),
            _ => return Err(NotAffine::Index),
        };
        let rest = self.step(phi, chain, depth + 1)?;
        let e = self.poly_at(added, depth + 1)?;
        let poly = if negated {
            rest.poly.minus(&e.poly)
        } else {
            rest.poly.plus(&e.poly)
        };
        Ok(Exact {
            poly,
            facts: &rest.facts | &e.facts,
        })
    }

    fn leads_to(&self, v: Value, phi: Value) -> bool {
        let (mut seen, mut work) = (HashSet::default(), vec![v]);
        while let Some(v) = work.pop() {
            if v == phi {
                return true;
            }
            if matches!(v.opcode(), Some(Op::LLVMAdd | Op::LLVMSub)) && seen.insert(v) {
                work.extend(v.operands());
            }
        }
        false
    }

    /// The start values of a loop phi whose increment is flagged: exact if they are.
    pub(super) fn exact_induction(&self, v: Value, reading: Reading) -> Option<Vec<Value>> {
        let (_, l) = self.loop_of_phi(v)?;
        let latch = self.kernel.block(l.latch);
        let next = v.incoming_from(latch)?;
        let flagged = match reading {
            Reading::Signed => next.has_nsw(),
            Reading::Unsigned => next.has_nuw(),
        };
        // A flagged sum is exact only if its addend is: a constant, not itself wrapped around.
        let direct = next.is(Op::LLVMAdd)
            && next.operand(0) == v
            && next
                .operand(1)
                .const_int()
                .is_some_and(|c| reading == Reading::Signed || c >= 0);
        (flagged && direct).then(|| {
            v.incoming()
                .into_iter()
                .filter(|(_, b)| *b != latch)
                .map(|(x, _)| x)
                .collect()
        })
    }
}
