//! Chains of branches in the places of switches.

use super::phis::take_from;
use crate::llvm::ir::{Block, Builder, Function, Pred, Value};

/// Replaces the switches at the ends of `blocks`.
pub fn emit(function: Function, blocks: &[Block]) {
    let b = Builder::new(function.module());
    for block in blocks {
        replace(&b, function, *block);
    }
}

fn replace(b: &Builder, function: Function, block: Block) {
    let switch = block.terminator();
    let next = block.successors();
    let value = switch.operand(0);
    let default = next[0];
    let mut cases: Vec<(Block, Vec<Value>)> = Vec::new();
    for (k, to) in next.iter().enumerate().skip(1).filter(|n| *n.1 != default) {
        let case = switch.case(k as u32);
        match cases.iter_mut().find(|c| c.0 == *to) {
            Some(known) => known.1.push(case),
            None => cases.push((*to, vec![case])),
        }
    }
    // Where control comes from now, by where it goes.
    let mut edges: Vec<(Block, Block)> = Vec::new();
    let chain = chain_of(function, block, cases.len());
    b.before(switch);
    for (k, (to, values)) in cases.iter().enumerate() {
        if k > 0 {
            b.at_end(chain[k]);
        }
        let equal = values.iter().map(|v| b.icmp(Pred::LLVMIntEQ, value, *v));
        let is_one = equal
            .reduce(|x, y| b.or(x, y))
            .expect("a target has a case");
        let other = chain.get(k + 1).copied().unwrap_or(default);
        b.cond_br(is_one, *to, other);
        edges.push((*to, chain[k]));
    }
    match chain.last() {
        Some(last) => edges.push((default, *last)),
        None => {
            b.br(default);
            edges.push((default, block));
        }
    }
    switch.erase();
    for (to, from) in edges {
        for phi in to.phis() {
            take_from(b, phi, block, Some(from));
        }
    }
}

/// The block of the switch and those behind it, one for each comparison.
fn chain_of(function: Function, block: Block, length: usize) -> Vec<Block> {
    let all = function.blocks();
    let behind = all.iter().skip_while(|b| **b != block).nth(1);
    let new = (1..length).map(|_| {
        let b = function.append_block("mesi.case");
        if let Some(behind) = behind {
            b.move_before(*behind);
        }
        b
    });
    let first = (length > 0).then_some(block);
    first.into_iter().chain(new).collect()
}
