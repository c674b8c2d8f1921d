//! Natural loops of a control-flow graph given as successor lists. No LLVM here.
//!
//! Used to tell the iterations of a warp's accesses apart and to stop endless runs, so an irreducible
//! cycle is good enough as a back edge without a loop.

/// One natural loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    pub header: usize,
    /// Blocks with a branch back to the header.
    pub latches: Vec<usize>,
    /// All blocks of the loop, sorted.
    pub body: Vec<usize>,
    /// Index of the loop right around this one.
    pub parent: Option<usize>,
}

/// Loops with outer ones before inner ones, and the sources of retreating edges that close no natural loop.
pub fn find(successors: &[Vec<usize>]) -> (Vec<Loop>, Vec<usize>) {
    let order = reverse_post_order(successors);
    let mut position = vec![usize::MAX; successors.len()];
    order.iter().enumerate().for_each(|(i, b)| position[*b] = i);
    let mut predecessors = vec![Vec::new(); successors.len()];
    for block in &order {
        successors[*block]
            .iter()
            .for_each(|s| predecessors[*s].push(*block));
    }
    let dominator = dominators(&order, &position, &predecessors);
    let dominates = |a: usize, mut b: usize| loop {
        if a == b {
            return true;
        }
        if dominator[b] == b {
            return false;
        }
        b = dominator[b];
    };
    let (mut loops, mut irreducible): (Vec<Loop>, Vec<usize>) = (Vec::new(), Vec::new());
    for &from in &order {
        for &to in successors[from]
            .iter()
            .filter(|to| position[**to] <= position[from])
        {
            if !dominates(to, from) {
                irreducible.push(from);
                continue;
            }
            match loops.iter_mut().find(|l| l.header == to) {
                Some(known) => known.latches.push(from),
                None => loops.push(Loop {
                    header: to,
                    latches: vec![from],
                    body: Vec::new(),
                    parent: None,
                }),
            }
        }
    }
    for l in &mut loops {
        let mut body = vec![l.header];
        let mut open = l.latches.clone();
        while let Some(block) = open.pop() {
            if !body.contains(&block) {
                body.push(block);
                open.extend(&predecessors[block]);
            }
        }
        body.sort_unstable();
        l.latches.dedup();
        l.body = body;
    }
    loops.sort_by_key(|l| (std::cmp::Reverse(l.body.len()), position[l.header]));
    for i in 0..loops.len() {
        // Of those before (larger ones), the last that holds this header is the smallest around it.
        loops[i].parent = (0..i)
            .rev()
            .find(|o| loops[*o].body.binary_search(&loops[i].header).is_ok());
    }
    (loops, irreducible)
}

fn reverse_post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::new(), vec![false; successors.len()]);
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        match successors[block].get(next) {
            Some(&to) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Immediate dominators by Cooper, Harvey and Kennedy's iteration; the entry's is itself.
fn dominators(order: &[usize], position: &[usize], predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut dominator = vec![usize::MAX; position.len()];
    dominator[order[0]] = order[0];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in &order[1..] {
            let known = predecessors[block]
                .iter()
                .copied()
                .filter(|p| dominator[*p] != usize::MAX);
            let new = known.reduce(|mut a, mut b| {
                while a != b {
                    while position[a] > position[b] {
                        a = dominator[a];
                    }
                    while position[b] > position[a] {
                        b = dominator[b];
                    }
                }
                a
            });
            let new = new.unwrap_or(order[0]);
            if dominator[block] != new {
                dominator[block] = new;
                changed = true;
            }
        }
    }
    dominator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_loops_have_parents() {
        // 0 -> 1 -> 2 -> 2, 2 -> 3 -> 1, 3 -> 4
        let (loops, irreducible) = find(&[vec![1], vec![2], vec![2, 3], vec![1, 4], vec![]]);
        assert!(irreducible.is_empty());
        assert_eq!(loops.len(), 2);
        assert_eq!(
            (loops[0].header, &loops[0].body[..], loops[0].parent),
            (1, &[1, 2, 3][..], None)
        );
        assert_eq!(
            (loops[1].header, &loops[1].latches[..], loops[1].parent),
            (2, &[2][..], Some(0))
        );
    }

    #[test]
    fn irreducible_cycles_are_back_edges_only() {
        // 0 -> 1, 0 -> 2, 1 <-> 2
        let (loops, irreducible) = find(&[vec![1, 2], vec![2, 3], vec![1], vec![]]);
        assert!(loops.is_empty());
        assert_eq!(irreducible.len(), 1);
    }
}
