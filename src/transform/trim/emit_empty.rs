//! Whether all blocks of a box of blocks are empty, as code that the host runs.

use super::emit_intervals::{Blocks, Look, Span};
use crate::llvm::ir::{Builder, Pred, Value};

impl Blocks<'_> {
    /// Whether no thread of any block of the box comes to an effect.
    pub fn empty(&self, b: &Builder, span: Span) -> Value {
        Look::new(self, b, span).empty()
    }
}

impl Look<'_> {
    fn empty(&mut self) -> Value {
        let (b, entry) = (self.b, self.blocks.kernel.function.entry());
        for t in &self.blocks.traceless {
            let may_come = match *t == entry {
                true => self.bit(true),
                false => self.any_edge(|e| e.1 == *t),
            };
            let next = t.successors();
            let away = self.away(t.terminator(), next.len());
            for (next, away) in next.into_iter().zip(away) {
                let may = away.map_or(may_come, |away| b.and(may_come, b.not(away)));
                self.edges.push((*t, next, may));
            }
        }
        let traceless = &self.blocks.traceless;
        let leaves = self.any_edge(|e| !traceless.contains(&e.1));
        b.not(leaves)
    }

    /// For each successor of a block that ends so: whether control surely does not go there; `None`: it may.
    fn away(&mut self, end: Value, successors: usize) -> Vec<Option<Value>> {
        if end.is_conditional() {
            let condition = self.truth(end.condition());
            return vec![Some(condition.no), Some(condition.yes)];
        }
        let cases = (1..successors as u32).map(|k| end.case(k));
        match end.switched() {
            Some(v) => self.switched(v, cases.collect()),
            None => vec![None; successors],
        }
    }

    /// The same of a switch: of the default first, which is none of the cases, then of each case.
    fn switched(&mut self, v: Value, cases: Vec<Value>) -> Vec<Option<Value>> {
        let b = self.b;
        let Some(of) = self.interval(v) else {
            return vec![None; cases.len() + 1];
        };
        let mut is_a_case = self.bit(false);
        let mut away = vec![None];
        for case in cases
            .iter()
            .filter_map(|c| c.const_int())
            .map(|c| b.long(c))
        {
            let below = b.icmp(Pred::LLVMIntSLT, of.high, case);
            let above = b.icmp(Pred::LLVMIntSGT, of.low, case);
            away.push(Some(b.and(of.holds, b.or(below, above))));
            let [least, most] = [of.low, of.high].map(|end| b.icmp(Pred::LLVMIntEQ, end, case));
            is_a_case = b.or(is_a_case, b.and(of.holds, b.and(least, most)));
        }
        away[0] = Some(is_a_case);
        away
    }
}
