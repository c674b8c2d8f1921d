//! Expressions in C++; each cast is there, so that types are those of the IR.

use super::{Printer, elem_type, int_type, num, test};
use crate::ir::num_type;
use crate::kernel::{Access, Cond, Int, IntOp, Num, Special, Ty, Val, ValOp};
use crate::ranges::name;
use mesi_launch::ElemType;

impl Printer<'_> {
    /// Integers wrap: the values are anything.
    pub(super) fn op(&self, op: ValOp, a: String, b: String) -> String {
        let sign = match op {
            ValOp::Add => "+",
            ValOp::Sub => "-",
            ValOp::Mul => "*",
            ValOp::Max => return format!("most({a}, {b})"),
        };
        match self.k.num {
            Num::F32 | Num::F64 => format!("({a} {sign} {b})"),
            Num::I32 => format!("(int)((unsigned)({a}) {sign} (unsigned)({b}))"),
            Num::I64 => {
                format!("(long long)((unsigned long long)({a}) {sign} (unsigned long long)({b}))")
            }
        }
    }

    pub(super) fn field_type(&self, a: &Access) -> ElemType {
        let fields = &self.k.buffers[a.buffer].fields;
        fields[a.field % fields.len()]
    }

    pub(super) fn place(&mut self, a: &Access) -> String {
        let index = self.int(a.ty, &a.index);
        let fields = self.k.buffers[a.buffer].fields.len();
        let field = if fields > 1 {
            format!(".f{}", a.field % fields)
        } else {
            String::new()
        };
        let base = match a.other {
            Some(other) => format!(
                "(__nvvm_read_ptx_sreg_tid_x() & 1 ? {} : {})",
                name(other),
                name(a.buffer)
            ),
            None => name(a.buffer),
        };
        format!("{base}[(long long)({index})]{field}")
    }

    pub(super) fn shared(&mut self, a: &Access) -> String {
        let index = self.int(a.ty, &a.index);
        let kind = if self.k.shared.get(a.buffer).is_some_and(|s| s.len == 0) {
            "dyn"
        } else {
            "sh"
        };
        format!("{kind}{}[(long long)({index})]", a.buffer)
    }

    /// As `ir` does it: bits of floats are taken as integers.
    pub(super) fn widen(&self, from: ElemType, v: String) -> String {
        let (ty, elem) = (num(self.k.num), num_type(self.k.num).1);
        if from.is_float() && !elem.is_float() {
            let bits = [
                "",
                "signed char",
                "short",
                "",
                "int",
                "",
                "",
                "",
                "long long",
            ][from.size() as usize];
            return format!("({ty})__builtin_bit_cast({bits}, ({}){v})", elem_type(from));
        }
        format!("({ty})({v})")
    }

    pub(super) fn narrow(&self, a: &Access, v: String) -> String {
        let (to, elem) = (self.field_type(a), num_type(self.k.num).1);
        if elem.is_float() && !to.is_float() {
            let bits = if elem.size() == 8 {
                "unsigned long long"
            } else {
                "unsigned"
            };
            return format!("({})__builtin_bit_cast({bits}, {v})", elem_type(to));
        }
        // Widening an integer adds zeros, whatever its sign.
        if !elem.is_float() && !to.is_float() && elem.size() < to.size() {
            return format!("({})(unsigned)({v})", elem_type(to));
        }
        format!("({})({v})", elem_type(to))
    }

    pub(super) fn val(&mut self, v: &Val) -> String {
        match v {
            Val::Load(a) => {
                let at = self.place(a);
                self.widen(self.field_type(a), at)
            }
            Val::Shared(a) => self.shared(a),
            Val::Private(n, at) => format!("own{n}[{}]", self.int(Ty::I32, at)),
            Val::Acc(n) => format!("acc{n}"),
            Val::Const(c) => format!("({})({c})", num(self.k.num)),
            Val::Alpha => "alpha".into(),
            Val::FromInt(ty, i) => format!("({})({})", num(self.k.num), self.int(*ty, i)),
            Val::Bin(op, a, b) => {
                let (a, b) = (self.val(a), self.val(b));
                self.op(*op, a, b)
            }
            Val::Pick(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.val(a), self.val(b));
                format!("({c} ? {a} : {b})")
            }
        }
    }

    pub(super) fn cond(&mut self, c: &Cond) -> String {
        match c {
            Cond::Cmp(t, ty, a, b) => {
                format!("({} {} {})", self.int(*ty, a), test(*t), self.int(*ty, b))
            }
            Cond::And(a, b) => format!("({} && {})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("({} || {})", self.cond(a), self.cond(b)),
            Cond::Not(a) => format!("!{}", self.cond(a)),
            Cond::Data(a, b) => format!("({} < {})", self.val(a), self.val(b)),
        }
    }

    pub(super) fn int(&mut self, ty: Ty, i: &Int) -> String {
        let t = int_type(ty);
        let register = |s: &Special, d: usize| {
            let name = match s {
                Special::Tid => "tid",
                Special::Ctaid => "ctaid",
                Special::Ntid => "ntid",
                Special::Nctaid => "nctaid",
            };
            format!(
                "(unsigned)__nvvm_read_ptx_sreg_{name}_{}()",
                ["x", "y", "z"][d]
            )
        };
        match i {
            Int::Const(c) => format!("({t})({c}ll)"),
            Int::Size(n) => format!("({t})n{n}"),
            Int::Special(s, d) => format!("({t}){}", register(s, *d)),
            Int::Gid(d) => format!(
                "({t})({} * {} + {})",
                register(&Special::Ctaid, *d),
                register(&Special::Ntid, *d),
                register(&Special::Tid, *d)
            ),
            Int::Local(n) if self.defined[*n].is_some() => format!("({t})v{n}"),
            Int::Local(_) => format!("({t})0"),
            Int::Bin(op, a, b) => {
                let (a, b) = (self.int(ty, a), self.int(ty, b));
                match op {
                    IntOp::Add => format!("({a} + {b})"),
                    IntOp::Sub => format!("({a} - {b})"),
                    IntOp::Mul => format!("({a} * {b})"),
                    IntOp::Div => format!("({a} / {b})"),
                    IntOp::Rem => format!("({a} % {b})"),
                    IntOp::And => format!("({a} & {b})"),
                    IntOp::Min => format!("least({a}, {b})"),
                    IntOp::Max => format!("most({a}, {b})"),
                }
            }
            Int::Pick(c, a, b) => format!(
                "({} ? {} : {})",
                self.cond(c),
                self.int(ty, a),
                self.int(ty, b)
            ),
            Int::Elem(buffer, at) => {
                format!("({t}){}[(long long)({})]", name(*buffer), self.int(ty, at))
            }
        }
    }
}
