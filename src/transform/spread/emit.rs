//! A kernel's copy in which the loop over elements ends after one iteration.

use super::Spread;
use crate::kernel::Kernel;
use crate::llvm::ir::Builder;

/// Spreads `copy`, whose values have the numbers of the kernel that `spread` is about; those of the copy are others
/// then.
pub fn emit(spread: &Spread, copy: &Kernel) -> Result<(), String> {
    let b = Builder::new(copy.function.module());
    let [header, latch, exit] = [spread.header, spread.latch, spread.exit].map(|x| copy.block(x));
    for phi in header.phis() {
        let mut incoming = phi.incoming().into_iter();
        let entering = incoming.find(|(_, from)| *from != latch);
        let (first, _) = entering.ok_or("a loop over elements is never entered")?;
        phi.replace_uses(first);
        phi.erase();
    }
    let branch = latch.terminator();
    b.before(branch);
    b.br(exit);
    branch.erase();
    if let Some(row) = &spread.row {
        let [id, first, end] = [row.id, row.first, row.end].map(|v| copy.value(v));
        end.replace_uses(end.operand(row.limit));
        first.replace_uses(id);
    }
    copy.function.run_passes("simplifycfg,dce")
}
