//! Expressions: values, conditions, integers, addresses, and what goes between memory and registers.

use super::{Printer, elem_type, int_type, is_unsigned, num_type, record_type};
use crate::kernel::{Access, Cond, Int, IntOp, Space, Special, Test, Ty, Val, ValOp};
use crate::ranges::name;
use mesi_launch::ElemType;

impl Printer<'_> {
    pub(super) fn acc(&mut self, n: usize) -> String {
        self.def(format!("load {}, ptr %acc{n}", num_type(self.k.num).0))
    }

    pub(super) fn set(&mut self, n: usize, v: &str) {
        self.line(format!("store {} {v}, ptr %acc{n}", num_type(self.k.num).0));
    }

    pub(super) fn flags(&self, ty: Ty) -> &'static str {
        if ty == Ty::U32 || self.k.wraps {
            ""
        } else {
            "nsw "
        }
    }

    pub(super) fn op(&mut self, op: ValOp, a: &str, b: &str) -> String {
        let (ty, elem) = num_type(self.k.num);
        let float = elem.is_float();
        if op == ValOp::Max {
            let test = if float { "fcmp ogt" } else { "icmp sgt" };
            let c = self.def(format!("{test} {ty} {a}, {b}"));
            return self.def(format!("select i1 {c}, {ty} {a}, {ty} {b}"));
        }
        let name = match op {
            ValOp::Add => "add",
            ValOp::Sub => "sub",
            _ => "mul",
        };
        match (float, self.k.contract) {
            (true, true) => self.def(format!("f{name} contract {ty} {a}, {b}")),
            (true, false) => self.def(format!("f{name} {ty} {a}, {b}")),
            (false, _) => self.def(format!("{name} {ty} {a}, {b}")),
        }
    }

    pub(super) fn field_type(&self, a: &Access) -> ElemType {
        let fields = &self.k.buffers[a.buffer].fields;
        fields[a.field % fields.len()]
    }

    pub(super) fn index64(&mut self, a: &Access) -> String {
        let i = self.int(a.ty, &a.index);
        self.convert(a.ty, Ty::I64, i)
    }

    pub(super) fn address(&mut self, a: &Access) -> String {
        let i = self.index64(a);
        let b = &self.k.buffers[a.buffer];
        let base = match b.space {
            Space::Param => format!("%{}", name(a.buffer)),
            Space::Device => format!(
                "addrspacecast (ptr addrspace(1) @{} to ptr)",
                name(a.buffer)
            ),
            Space::Constant => format!(
                "addrspacecast (ptr addrspace(4) @{} to ptr)",
                name(a.buffer)
            ),
        };
        let (record, field) = (record_type(b), a.field % b.fields.len());
        let base = match a.other {
            Some(other) => {
                let tid = self.special(Special::Tid, 0);
                let odd = self.def(format!("and i32 {tid}, 1"));
                let c = self.def(format!("icmp ne i32 {odd}, 0"));
                self.def(format!("select i1 {c}, ptr %{}, ptr {base}", name(other)))
            }
            None => base,
        };
        match b.fields.len() {
            1 => self.def(format!(
                "getelementptr inbounds {record}, ptr {base}, i64 {i}"
            )),
            _ => self.def(format!(
                "getelementptr inbounds {record}, ptr {base}, i64 {i}, i32 {field}"
            )),
        }
    }

    pub(super) fn shared_address(&mut self, a: &Access) -> String {
        let i = self.index64(a);
        let ty = num_type(self.k.num).0;
        let kind = if self.k.shared.get(a.buffer).is_some_and(|s| s.len == 0) {
            "dyn"
        } else {
            "sh"
        };
        self.def(format!("getelementptr inbounds {ty}, ptr addrspacecast (ptr addrspace(3) @{kind}{} to ptr), i64 {i}", a.buffer))
    }

    pub(super) fn private_address(&mut self, n: usize, at: &Int) -> String {
        let (at, ty) = (self.int(Ty::I32, at), num_type(self.k.num).0);
        let at = self.def(format!("sext i32 {at} to i64"));
        self.def(format!(
            "getelementptr inbounds {ty}, ptr %own{n}, i64 {at}"
        ))
    }

    /// What the address of a field is known to be aligned to.
    pub(super) fn align(&self, a: &Access) -> u64 {
        let b = &self.k.buffers[a.buffer];
        let offset = b.layout().1[a.field % b.fields.len()];
        if offset == 0 {
            b.align()
        } else {
            b.align().min(1 << offset.trailing_zeros())
        }
    }

    /// A float of a pair that is loaded as one integer, as clang does with pairs that are handed over by value.
    fn cut_from_pair(&mut self, a: &Access, record: &str, offset: u64) -> String {
        let b = &self.k.buffers[a.buffer];
        let volatile = if b.volatile { "volatile " } else { "" };
        let align = b.align();
        let mut all = self.def(format!("load {volatile}i64, ptr {record}, align {align}"));
        if offset > 0 {
            all = self.def(format!("lshr i64 {all}, {}", 8 * offset));
        }
        let part = self.def(format!("trunc i64 {all} to i32"));
        self.def(format!("bitcast i32 {part} to float"))
    }

    /// A field of a record that is loaded as a vector.
    fn taken_from_vector(&mut self, a: &Access, record: &str) -> String {
        let b = &self.k.buffers[a.buffer];
        let volatile = if b.volatile { "volatile " } else { "" };
        let (field, align) = (a.field % b.fields.len(), b.align());
        let ty = format!("<{} x {}>", b.fields.len(), elem_type(b.fields[field]));
        let all = self.def(format!("load {volatile}{ty}, ptr {record}, align {align}"));
        self.def(format!("extractelement {ty} {all}, i32 {field}"))
    }

    pub(super) fn load(&mut self, a: &Access, at: &str) -> String {
        let from = self.field_type(a);
        let b = &self.k.buffers[a.buffer];
        let volatile = if b.volatile { "volatile " } else { "" };
        if b.vector && b.is_vector() {
            let offset = b.layout().1[a.field % b.fields.len()];
            let record = self.def(format!(
                "getelementptr inbounds i8, ptr {at}, i64 -{offset}"
            ));
            let v = match b.fields[..] {
                [ElemType::F32, ElemType::F32] => self.cut_from_pair(a, &record, offset),
                _ => self.taken_from_vector(a, &record),
            };
            return self.widen(from, v);
        }
        let v = self.def(format!(
            "load {volatile}{}, ptr {at}, align {}",
            elem_type(from),
            self.align(a)
        ));
        self.widen(from, v)
    }

    /// From memory to the computing type. Bits of floats are taken as integers, never rounded to them.
    pub(super) fn widen(&mut self, from: ElemType, v: String) -> String {
        let (ty, elem) = num_type(self.k.num);
        let source = elem_type(from);
        let (wide, narrow) = (elem.size(), from.size());
        if source == ty {
            return v;
        }
        if elem.is_float() {
            let cast = match (from.is_float(), wide > narrow) {
                (true, true) => "fpext",
                (true, false) => "fptrunc",
                _ if is_unsigned(from) => "uitofp",
                _ => "sitofp",
            };
            return self.def(format!("{cast} {source} {v} to {ty}"));
        }
        let (bits, v) = match from.is_float() {
            true => {
                let bits = format!("i{}", narrow * 8);
                let v = self.def(format!("bitcast {source} {v} to {bits}"));
                (bits, v)
            }
            false => (source.to_string(), v),
        };
        match narrow.cmp(&wide) {
            std::cmp::Ordering::Less if is_unsigned(from) => {
                self.def(format!("zext {bits} {v} to {ty}"))
            }
            std::cmp::Ordering::Less => self.def(format!("sext {bits} {v} to {ty}")),
            std::cmp::Ordering::Greater => self.def(format!("trunc {bits} {v} to {ty}")),
            std::cmp::Ordering::Equal => v,
        }
    }

    /// From the computing type to memory: the element's type and the value.
    pub(super) fn narrow(&mut self, a: &Access, v: &str) -> (&'static str, String) {
        let to = self.field_type(a);
        let target = elem_type(to);
        let (ty, elem) = num_type(self.k.num);
        let (wide, narrow) = (elem.size(), to.size());
        if target == ty {
            return (target, v.into());
        }
        if to.is_float() {
            let cast = match (elem.is_float(), wide < narrow) {
                (true, true) => "fpext",
                (true, false) => "fptrunc",
                _ => "sitofp",
            };
            return (target, self.def(format!("{cast} {ty} {v} to {target}")));
        }
        let bits = format!("i{}", wide * 8);
        let v = if elem.is_float() {
            self.def(format!("bitcast {ty} {v} to {bits}"))
        } else {
            v.into()
        };
        let v = match narrow.cmp(&wide) {
            std::cmp::Ordering::Less => self.def(format!("trunc {bits} {v} to {target}")),
            std::cmp::Ordering::Greater => self.def(format!("zext {bits} {v} to {target}")),
            std::cmp::Ordering::Equal => v,
        };
        (target, v)
    }

    pub(super) fn store(&mut self, a: &Access, at: &str, v: &str) {
        let (ty, v) = self.narrow(a, v);
        let volatile = if self.k.buffers[a.buffer].volatile {
            "volatile "
        } else {
            ""
        };
        self.line(format!(
            "store {volatile}{ty} {v}, ptr {at}, align {}",
            self.align(a)
        ));
    }

    /// An integer in the computing type.
    pub(super) fn computed(&mut self, ty: Ty, v: String) -> String {
        let from = match ty {
            Ty::I32 => ElemType::I32,
            Ty::U32 => ElemType::U32,
            Ty::I64 => ElemType::I64,
        };
        self.widen(from, v)
    }

    pub(super) fn val(&mut self, v: &Val) -> String {
        let (ty, elem) = num_type(self.k.num);
        match v {
            Val::Load(a) => {
                let at = self.address(a);
                self.load(a, &at)
            }
            Val::Shared(a) => {
                let at = self.shared_address(a);
                self.def(format!("load {ty}, ptr {at}, align {}", elem.size()))
            }
            Val::Private(n, at) => {
                let at = self.private_address(*n, at);
                self.def(format!("load {ty}, ptr {at}, align {}", elem.size()))
            }
            Val::Acc(n) => self.acc(*n),
            Val::Const(c) if elem.is_float() => format!("{:.1}", f64::from(*c)),
            Val::Const(c) => c.to_string(),
            Val::Alpha => "%alpha".into(),
            Val::FromInt(t, i) => {
                let v = self.int(*t, i);
                self.computed(*t, v)
            }
            Val::Bin(op, a, b) => {
                let (a, b) = (self.val(a), self.val(b));
                self.op(*op, &a, &b)
            }
            Val::Pick(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.val(a), self.val(b));
                self.def(format!("select i1 {c}, {ty} {a}, {ty} {b}"))
            }
        }
    }

    pub(super) fn cond(&mut self, c: &Cond) -> String {
        match c {
            Cond::Cmp(t, ty, a, b) => {
                let (a, b) = (self.int(*ty, a), self.int(*ty, b));
                self.compare(*t, *ty, &a, &b)
            }
            Cond::And(a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.def(format!("select i1 {a}, i1 {b}, i1 false"))
            }
            Cond::Or(a, b) => {
                let (a, b) = (self.cond(a), self.cond(b));
                self.def(format!("select i1 {a}, i1 true, i1 {b}"))
            }
            Cond::Not(a) => {
                let a = self.cond(a);
                self.def(format!("xor i1 {a}, true"))
            }
            Cond::Data(a, b) => {
                let (ty, elem) = num_type(self.k.num);
                let (a, b) = (self.val(a), self.val(b));
                let test = if elem.is_float() {
                    "fcmp olt"
                } else {
                    "icmp slt"
                };
                self.def(format!("{test} {ty} {a}, {b}"))
            }
        }
    }

    pub(super) fn compare(&mut self, t: Test, ty: Ty, a: &str, b: &str) -> String {
        let sign = if ty == Ty::U32 { 'u' } else { 's' };
        let test = match t {
            Test::Lt => format!("{sign}lt"),
            Test::Le => format!("{sign}le"),
            Test::Gt => format!("{sign}gt"),
            Test::Ge => format!("{sign}ge"),
            Test::Ne => "ne".into(),
            Test::Eq => "eq".into(),
        };
        self.def(format!("icmp {test} {} {a}, {b}", int_type(ty)))
    }

    pub(super) fn convert(&mut self, from: Ty, to: Ty, v: String) -> String {
        match (from, to) {
            (Ty::I32, Ty::I64) => self.def(format!("sext i32 {v} to i64")),
            (Ty::U32, Ty::I64) => self.def(format!("zext i32 {v} to i64")),
            (Ty::I64, Ty::I32 | Ty::U32) => self.def(format!("trunc i64 {v} to i32")),
            _ => v,
        }
    }

    pub(super) fn special(&mut self, s: Special, d: usize) -> String {
        let (name, dim) = (
            match s {
                Special::Tid => "tid",
                Special::Ctaid => "ctaid",
                Special::Ntid => "ntid",
                Special::Nctaid => "nctaid",
            },
            ["x", "y", "z"][d],
        );
        self.def(format!(
            "call noundef i32 @llvm.nvvm.read.ptx.sreg.{name}.{dim}()"
        ))
    }

    pub(super) fn int(&mut self, ty: Ty, i: &Int) -> String {
        match i {
            Int::Const(c) if ty == Ty::I64 => c.to_string(),
            Int::Const(c) => (*c as i32).to_string(),
            Int::Size(n) => self.convert(self.k.sizes[*n], ty, format!("%n{n}")),
            Int::Special(s, d) => {
                let v = self.special(*s, *d);
                self.convert(Ty::U32, ty, v)
            }
            Int::Gid(d) => {
                let (c, n, t) = (
                    self.special(Special::Ctaid, *d),
                    self.special(Special::Ntid, *d),
                    self.special(Special::Tid, *d),
                );
                let product = self.def(format!("mul i32 {c}, {n}"));
                let v = self.def(format!("add i32 {product}, {t}"));
                self.convert(Ty::U32, ty, v)
            }
            // The shrinker may cut a definition: what is left without one is 0, as in `ranges`.
            Int::Local(n) => match self.locals[*n].clone() {
                Some((from, v)) => self.convert(from, ty, v),
                None => "0".into(),
            },
            Int::Bin(op, a, b) => {
                let (a, b) = (self.int(ty, a), self.int(ty, b));
                self.int_op(ty, *op, &a, &b)
            }
            Int::Pick(c, a, b) => {
                let (c, a, b) = (self.cond(c), self.int(ty, a), self.int(ty, b));
                let t = int_type(ty);
                self.def(format!("select i1 {c}, {t} {a}, {t} {b}"))
            }
            Int::Elem(buffer, at) => {
                let a = Access {
                    buffer: *buffer,
                    ty,
                    index: (**at).clone(),
                    field: 0,
                    other: None,
                };
                let at = self.address(&a);
                let v = self.def(format!("load i32, ptr {at}, align 4"));
                self.convert(Ty::I32, ty, v)
            }
        }
    }

    pub(super) fn int_op(&mut self, ty: Ty, op: IntOp, a: &str, b: &str) -> String {
        let (t, flags) = (int_type(ty), self.flags(ty));
        let sign = if ty == Ty::U32 { 'u' } else { 's' };
        match op {
            IntOp::Add => self.def(format!("add {flags}{t} {a}, {b}")),
            IntOp::Sub => self.def(format!("sub {flags}{t} {a}, {b}")),
            IntOp::Mul => self.def(format!("mul {flags}{t} {a}, {b}")),
            IntOp::Div => self.def(format!("{sign}div {t} {a}, {b}")),
            IntOp::Rem => self.def(format!("{sign}rem {t} {a}, {b}")),
            IntOp::And => self.def(format!("and {t} {a}, {b}")),
            IntOp::Min | IntOp::Max => {
                let test = if op == IntOp::Min { "lt" } else { "gt" };
                let c = self.def(format!("icmp {sign}{test} {t} {a}, {b}"));
                self.def(format!("select i1 {c}, {t} {a}, {t} {b}"))
            }
        }
    }
}
