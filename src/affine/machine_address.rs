//! Addresses as the machine adds them up, for asking whether two are equal without any fact.
//!
//! ```text
//! in + 4*sext(y*w + x) - 4     and     in + 4*sext((y+1)*w + x - w) - 4     are equal, whatever overflows
//! ```
//! A narrow value equals its polynomial modulo 2^width always, so equal polynomials under equal
//! extensions are equal numbers. The exact index ([`super::Address`]) looks through the extensions
//! and needs facts for that, which the kernel's entry pays for.

use super::types::{MachineAddress, Part};
use super::value::{Reading, Values};
use super::{FactId, Poly};
use crate::access::Access;
use crate::llvm::ir::{Op, Value};

impl MachineAddress {
    /// The same with every polynomial replaced.
    pub fn map(&self, f: impl Fn(&Poly) -> Poly) -> MachineAddress {
        let part = |p: &Part| Part {
            poly: reduced(&f(&p.poly), p.width),
            ..p.clone()
        };
        let mut parts: Vec<Part> = self.parts.iter().map(part).collect();
        crate::order::sort(&mut parts);
        MachineAddress {
            constant: self.constant,
            parts,
        }
    }
    /// Every polynomial in it.
    pub fn polys(&self) -> impl Iterator<Item = &Poly> {
        self.parts.iter().map(|p| &p.poly)
    }
}

/// The address of an access, with the facts that its narrow values rest on (arithmetic that was
/// widened and narrowed again). `None` where it is not made of such parts.
pub fn of_access(v: &mut Values, access: &Access) -> Option<(MachineAddress, Vec<FactId>)> {
    access.array?;
    let mut pointer = v.kernel.value(access.pointer?);
    let mut sum = MachineAddress {
        constant: 0,
        parts: Vec::new(),
    };
    let mut facts = Vec::new();
    loop {
        match pointer.opcode() {
            Some(Op::LLVMGetElementPtr) => add_gep(v, pointer, &mut sum, &mut facts)?,
            Some(Op::LLVMAddrSpaceCast | Op::LLVMBitCast) => {}
            // A pointer field of a by-value struct is a base itself.
            Some(Op::LLVMLoad) | None => break,
            Some(_) => return None,
        }
        pointer = pointer.operand(0);
    }
    crate::order::sort(&mut sum.parts);
    crate::order::sort(&mut facts);
    facts.dedup();
    let known = sum
        .polys()
        .all(|p| v.is_known_in(p, access.block) && !p.is_huge());
    for p in &mut sum.parts {
        p.poly = reduced(&p.poly, p.width);
    }
    known.then_some((sum, facts))
}

/// What a GEP adds.
fn add_gep(
    v: &mut Values,
    gep: Value,
    sum: &mut MachineAddress,
    facts: &mut Vec<FactId>,
) -> Option<()> {
    let module = v.kernel.function.module();
    let mut ty = gep.gep_source_type();
    for (n, index) in gep.operands()[1..].iter().enumerate() {
        let scale = if n == 0 {
            module.alloc_size(ty)
        } else if ty.is_struct() {
            let field = index.const_int()? as u32;
            sum.constant += module.field_offset(ty, field) as i64;
            ty = ty.field(field);
            continue;
        } else {
            ty = ty.element();
            module.alloc_size(ty)
        };
        add_index(v, *index, i64::try_from(scale).ok()?, sum, facts)?;
    }
    Some(())
}

/// `scale * index`, where a narrow index is extended first.
fn add_index(
    v: &mut Values,
    index: Value,
    scale: i64,
    sum: &mut MachineAddress,
    facts: &mut Vec<FactId>,
) -> Option<()> {
    if let Some(k) = index.const_int() {
        sum.constant = sum.constant.checked_add(k.checked_mul(scale)?)?;
        return Some(());
    }
    let (inner, reading) = match index.opcode() {
        Some(Op::LLVMSExt) => (index.operand(0), Reading::Signed),
        Some(Op::LLVMZExt) if index.has_nneg() => (index.operand(0), Reading::Signed),
        Some(Op::LLVMZExt) => (index.operand(0), Reading::Unsigned),
        _ => (index, Reading::Signed),
    };
    let e = v.poly(inner).ok()?;
    facts.extend(e.facts);
    sum.parts.push(Part {
        scale,
        width: inner.ty().int_width()?,
        unsigned: reading == Reading::Unsigned,
        poly: e.poly,
    });
    Some(())
}

/// Coefficients as signed numbers of `width` bits.
fn reduced(p: &Poly, width: u32) -> Poly {
    if width >= 64 {
        return p.clone();
    }
    let mut out = Poly::default();
    for (m, c) in p.terms() {
        let shift = 64 - width;
        out.add_term(m.clone(), c << shift >> shift);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Atom, SymbolId};

    #[test]
    fn coefficients_are_read_as_the_machine_does() {
        let n = Poly::atom(Atom::Symbol(SymbolId(0)));
        let p = n.times_constant(0xffff_ffff).plus(&Poly::constant(1 << 32));
        assert_eq!(reduced(&p, 32).to_string(), "-s0");
        assert_eq!(reduced(&p, 64), p);
    }
}
