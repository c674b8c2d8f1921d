//! Prints a kernel as the IR clang gives to its optimizer: every variable in memory, loops tested at
//! the top. LLVM's own passes then bring it into the form the plug-in meets (`llvm::simplify`).

use std::fmt::Write as _;

use crate::kernel::{Access, Buffer, Cond, For, Int, IntOp, Kernel, Num, Space, Special, Stmt, Test, Ty, Val, ValOp};
use crate::ranges::name;
use mesi_launch::ElemType;

/// The kernel's symbol.
pub const SYMBOL: &str = "fuzzed";

const HEADER: &str = r#"target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

"#;

const FOOTER: &str = r#"
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #1
declare noundef range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z() #1
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #1
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #1
declare noundef range(i32 1, 65) i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #1
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #1
declare noundef range(i32 1, 65536) i32 @llvm.nvvm.read.ptx.sreg.nctaid.z() #1
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #2
declare void @llvm.nvvm.membar.gl() #3

attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nounwind }
attributes #3 = { nocallback nounwind }

!llvm.module.flags = !{!0}
!0 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
"#;

/// The module as text; `lengths` are the records of each buffer that lives in the module.
pub fn print(kernel: &Kernel, lengths: &[u64]) -> String {
    let mut p = Printer { k: kernel, out: HEADER.into(), next: 0, exits: Vec::new(), locals: vec![None; kernel.locals] };
    p.globals(lengths);
    p.signature();
    p.entry();
    p.body(&kernel.body);
    p.out.push_str("  br label %exit\nexit:\n  ret void\n}\n");
    let bounds = if kernel.max_threads > 0 { format!(" \"nvvm.maxntid\"=\"{}\"", kernel.max_threads) } else { String::new() };
    let _ = write!(
        p.out,
        "\nattributes #0 = {{ convergent mustprogress noinline norecurse nounwind \"frame-pointer\"=\"all\" \"no-trapping-math\"=\"true\" \
         \"stack-protector-buffer-size\"=\"8\" \"target-cpu\"=\"sm_80\" \"target-features\"=\"+ptx88,+sm_80\" \
         \"uniform-work-group-size\"=\"true\"{bounds} }}\n"
    );
    p.out.push_str(FOOTER);
    p.out
}

/// Type of a value parameter: the scalar `alpha`, and what values are computed in.
pub fn num_type(num: Num) -> (&'static str, ElemType) {
    match num {
        Num::F32 => ("float", ElemType::F32),
        Num::F64 => ("double", ElemType::F64),
        Num::I32 => ("i32", ElemType::I32),
        Num::I64 => ("i64", ElemType::I64),
    }
}

fn elem_type(ty: ElemType) -> &'static str {
    match ty {
        ElemType::F16 => "half",
        ElemType::F32 => "float",
        ElemType::F64 => "double",
        ElemType::I8 | ElemType::U8 => "i8",
        ElemType::I16 | ElemType::U16 => "i16",
        ElemType::I32 | ElemType::U32 => "i32",
        ElemType::I64 | ElemType::U64 => "i64",
    }
}

fn int_type(ty: Ty) -> &'static str {
    if ty == Ty::I64 { "i64" } else { "i32" }
}

fn record_type(b: &Buffer) -> String {
    if let [one] = b.fields[..] {
        return elem_type(one).into();
    }
    let fields: Vec<_> = b.fields.iter().map(|f| elem_type(*f)).collect();
    format!("{{ {} }}", fields.join(", "))
}

fn is_unsigned(ty: ElemType) -> bool {
    matches!(ty, ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64)
}

struct Printer<'k> {
    k: &'k Kernel,
    out: String,
    next: usize,
    /// Where `break` goes, innermost last.
    exits: Vec<String>,
    /// Type and register, or slot of a loop variable.
    locals: Vec<Option<(Ty, String)>>,
}

impl Printer<'_> {
    fn fresh(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "  {}", text.as_ref());
    }

    /// A new register holding the result of `text`.
    fn def(&mut self, text: impl AsRef<str>) -> String {
        let r = format!("%v{}", self.fresh());
        let _ = writeln!(self.out, "  {r} = {}", text.as_ref());
        r
    }

    fn label(&mut self, name: &str) {
        let _ = writeln!(self.out, "{name}:");
    }

    fn globals(&mut self, lengths: &[u64]) {
        for (n, b) in self.k.buffers.iter().enumerate() {
            let (name, ty, len, align) = (name(n), record_type(b), lengths[n], b.align().max(4));
            let _ = match b.space {
                Space::Param => Ok(()),
                Space::Device => writeln!(self.out, "@{name} = dso_local addrspace(1) externally_initialized global [{len} x {ty}] zeroinitializer, align {align}"),
                Space::Constant => writeln!(self.out, "@{name} = dso_local addrspace(4) externally_initialized global [{len} x {ty}] zeroinitializer, align {align}"),
            };
        }
        let (ty, elem) = num_type(self.k.num);
        for (n, s) in self.k.shared.iter().enumerate() {
            let _ = match s.len {
                0 => writeln!(self.out, "@dyn{n} = external dso_local addrspace(3) global [0 x {ty}], align 16"),
                len => writeln!(self.out, "@sh{n} = internal addrspace(3) global [{len} x {ty}] undef, align {}", elem.size()),
            };
        }
        if self.k.off {
            let _ = writeln!(
                self.out,
                "@.note = private unnamed_addr constant [9 x i8] c\"mesi.off\\00\", section \"llvm.metadata\"\n\
                 @.file = private unnamed_addr constant [5 x i8] c\"f.cu\\00\", section \"llvm.metadata\"\n\
                 @llvm.global.annotations = appending global [1 x {{ ptr, ptr, ptr, i32, ptr }}] [{{ ptr, ptr, ptr, i32, ptr }} \
                 {{ ptr @{SYMBOL}, ptr @.note, ptr @.file, i32 1, ptr null }}], section \"llvm.metadata\""
            );
        }
    }

    fn signature(&mut self) {
        let mut fields: Vec<String> = Vec::new();
        let mut params: Vec<String> = Vec::new();
        for (n, b) in self.k.buffers.iter().enumerate().filter(|(_, b)| b.space == Space::Param) {
            let noalias = if b.restrict { "noalias " } else { "" };
            params.push(format!("ptr {noalias}noundef %{}", name(n)));
            fields.push("ptr".into());
        }
        for (n, ty) in self.k.sizes.iter().enumerate() {
            params.push(format!("{} noundef %n{n}", int_type(*ty)));
            fields.push(int_type(*ty).into());
        }
        let alpha = num_type(self.k.num).0;
        params.push(format!("{alpha} noundef %alpha"));
        fields.push(alpha.into());
        let list = if self.k.packed {
            let _ = writeln!(self.out, "%struct.P = type {{ {} }}\n", fields.join(", "));
            "ptr noundef byval(%struct.P) align 8 %all".into()
        } else {
            params.join(", ")
        };
        let _ = writeln!(self.out, "\ndefine dso_local ptx_kernel void @{SYMBOL}({list}) #0 {{\nentry:");
        if self.k.packed {
            let names = self.k.buffers.iter().enumerate().filter(|(_, b)| b.space == Space::Param).map(|(n, _)| name(n));
            let names: Vec<String> = names.chain((0..self.k.sizes.len()).map(|n| format!("n{n}"))).chain(["alpha".into()]).collect();
            for (n, (field, name)) in fields.iter().zip(names).enumerate() {
                let at = self.def(format!("getelementptr inbounds nuw %struct.P, ptr %all, i32 0, i32 {n}"));
                let align = match field.as_str() { "i32" | "float" => 4, _ => 8 };
                self.line(format!("%{name} = load {field}, ptr {at}, align {align}"));
            }
        }
    }

    fn entry(&mut self) {
        let (ty, elem) = num_type(self.k.num);
        for n in 0..self.k.accs {
            self.line(format!("%acc{n} = alloca {ty}, align {}", elem.size()));
            let zero = if elem.is_float() { "0.000000e+00" } else { "0" };
            self.line(format!("store {ty} {zero}, ptr %acc{n}"));
        }
        for (n, ty) in loop_types(&self.k.body) {
            self.line(format!("%slot{n} = alloca {}, align 8", int_type(ty)));
        }
        if has_tangle(&self.k.body) {
            self.line("%turns = alloca i32, align 4");
        }
    }

    fn body(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, ty, v) => {
                let v = self.int(*ty, v);
                self.locals[*var] = Some((*ty, v));
            }
            Stmt::Set(acc, v) => {
                let v = self.val(v);
                self.set(*acc, &v);
            }
            Stmt::Fold(acc, op, v) => {
                let old = self.acc(*acc);
                let v = self.val(v);
                let new = self.op(*op, &old, &v);
                self.set(*acc, &new);
            }
            Stmt::Store(a, v) => {
                let v = self.val(v);
                let at = self.address(a);
                self.store(a, &at, &v);
            }
            Stmt::Update(a, op, v) => {
                let v = self.val(v);
                let at = self.address(a);
                let old = self.load(a, &at);
                let new = self.op(*op, &old, &v);
                self.store(a, &at, &new);
            }
            Stmt::Atomic(a, v) => {
                let v = self.val(v);
                let at = self.address(a);
                let (elem, v) = self.narrow(a, &v);
                self.def(format!("atomicrmw add ptr {at}, {elem} {v} seq_cst, align {}", self.field_type(a).size()));
            }
            Stmt::SharedStore(a, v) => {
                let v = self.val(v);
                let at = self.shared_address(a);
                let (ty, elem) = num_type(self.k.num);
                self.line(format!("store {ty} {v}, ptr {at}, align {}", elem.size()));
            }
            Stmt::Barrier => self.line("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"),
            Stmt::Fence => self.line("call void @llvm.nvvm.membar.gl()"),
            Stmt::If(c, then, els) => {
                let c = self.cond(c);
                let n = self.fresh();
                self.line(format!("br i1 {c}, label %then{n}, label %else{n}"));
                self.label(&format!("then{n}"));
                self.body(then);
                self.line(format!("br label %end{n}"));
                self.label(&format!("else{n}"));
                self.body(els);
                self.line(format!("br label %end{n}"));
                self.label(&format!("end{n}"));
            }
            Stmt::For(l) => self.for_loop(l),
            Stmt::Break(c) => {
                let exit = self.exits.last().cloned().unwrap_or("exit".into());
                self.leave(c, &exit);
            }
            Stmt::Return(c) => self.leave(c, "exit"),
            Stmt::Tangle(acc, c, v) => self.tangle(*acc, c, v),
        }
    }

    fn leave(&mut self, c: &Cond, to: &str) {
        let c = self.cond(c);
        let n = self.fresh();
        self.line(format!("br i1 {c}, label %{to}, label %stay{n}"));
        self.label(&format!("stay{n}"));
    }

    fn for_loop(&mut self, l: &For) {
        let (n, ty, var) = (self.fresh(), int_type(l.ty), l.var);
        let from = self.int(l.ty, &l.from);
        self.line(format!("store {ty} {from}, ptr %slot{var}"));
        self.line(format!("br label %head{n}"));
        self.label(&format!("head{n}"));
        let v = self.def(format!("load {ty}, ptr %slot{var}"));
        self.locals[var] = Some((l.ty, v.clone()));
        let to = self.int(l.ty, &l.to);
        let c = self.compare(l.test, l.ty, &v, &to);
        self.line(format!("br i1 {c}, label %body{n}, label %done{n}"));
        self.label(&format!("body{n}"));
        self.exits.push(format!("done{n}"));
        self.body(&l.body);
        self.exits.pop();
        let step = self.int(l.ty, &l.step);
        let flags = self.flags(l.ty);
        let next = self.def(format!("add {flags}{ty} {v}, {step}"));
        self.line(format!("store {ty} {next}, ptr %slot{var}"));
        self.line(format!("br label %head{n}, !llvm.loop !1"));
        self.label(&format!("done{n}"));
    }

    /// Two blocks that jump to each other, either entered first.
    fn tangle(&mut self, acc: usize, c: &Cond, v: &Val) {
        self.line("store i32 0, ptr %turns");
        let (c, v, n) = (self.cond(c), self.val(v), self.fresh());
        self.line(format!("br i1 {c}, label %left{n}, label %right{n}"));
        self.label(&format!("left{n}"));
        let old = self.acc(acc);
        let new = self.op(ValOp::Add, &old, &v);
        self.set(acc, &new);
        self.line(format!("br label %right{n}"));
        self.label(&format!("right{n}"));
        let turns = self.def("load i32, ptr %turns");
        let next = self.def(format!("add i32 {turns}, 1"));
        self.line(format!("store i32 {next}, ptr %turns"));
        let more = self.def(format!("icmp slt i32 {turns}, 3"));
        self.line(format!("br i1 {more}, label %left{n}, label %over{n}"));
        self.label(&format!("over{n}"));
    }

    fn acc(&mut self, n: usize) -> String {
        self.def(format!("load {}, ptr %acc{n}", num_type(self.k.num).0))
    }

    fn set(&mut self, n: usize, v: &str) {
        self.line(format!("store {} {v}, ptr %acc{n}", num_type(self.k.num).0));
    }

    fn flags(&self, ty: Ty) -> &'static str {
        if ty == Ty::U32 || self.k.wraps { "" } else { "nsw " }
    }

    fn op(&mut self, op: ValOp, a: &str, b: &str) -> String {
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

    fn field_type(&self, a: &Access) -> ElemType {
        let fields = &self.k.buffers[a.buffer].fields;
        fields[a.field % fields.len()]
    }

    fn index64(&mut self, a: &Access) -> String {
        let i = self.int(a.ty, &a.index);
        self.convert(a.ty, Ty::I64, i)
    }

    fn address(&mut self, a: &Access) -> String {
        let i = self.index64(a);
        let b = &self.k.buffers[a.buffer];
        let base = match b.space {
            Space::Param => format!("%{}", name(a.buffer)),
            Space::Device => format!("addrspacecast (ptr addrspace(1) @{} to ptr)", name(a.buffer)),
            Space::Constant => format!("addrspacecast (ptr addrspace(4) @{} to ptr)", name(a.buffer)),
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
            1 => self.def(format!("getelementptr inbounds {record}, ptr {base}, i64 {i}")),
            _ => self.def(format!("getelementptr inbounds {record}, ptr {base}, i64 {i}, i32 {field}")),
        }
    }

    fn shared_address(&mut self, a: &Access) -> String {
        let i = self.index64(a);
        let ty = num_type(self.k.num).0;
        let kind = if self.k.shared.get(a.buffer).is_some_and(|s| s.len == 0) { "dyn" } else { "sh" };
        self.def(format!("getelementptr inbounds {ty}, ptr addrspacecast (ptr addrspace(3) @{kind}{} to ptr), i64 {i}", a.buffer))
    }

    /// What the address of a field is known to be aligned to.
    fn align(&self, a: &Access) -> u64 {
        let b = &self.k.buffers[a.buffer];
        let offset = b.layout().1[a.field % b.fields.len()];
        if offset == 0 { b.align() } else { b.align().min(1 << offset.trailing_zeros()) }
    }

    fn load(&mut self, a: &Access, at: &str) -> String {
        let from = self.field_type(a);
        let b = &self.k.buffers[a.buffer];
        let volatile = if b.volatile { "volatile " } else { "" };
        if b.vector && b.is_vector() {
            let ty = format!("<{} x {}>", b.fields.len(), elem_type(from));
            let back = b.layout().1[a.field % b.fields.len()];
            let record = self.def(format!("getelementptr inbounds i8, ptr {at}, i64 -{back}"));
            let all = self.def(format!("load {volatile}{ty}, ptr {record}, align {}", self.k.buffers[a.buffer].align()));
            let v = self.def(format!("extractelement {ty} {all}, i32 {}", a.field % self.k.buffers[a.buffer].fields.len()));
            return self.widen(from, v);
        }
        let v = self.def(format!("load {volatile}{}, ptr {at}, align {}", elem_type(from), self.align(a)));
        self.widen(from, v)
    }

    /// From memory to the computing type. Bits of floats are taken as integers, never rounded to them.
    fn widen(&mut self, from: ElemType, v: String) -> String {
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
            std::cmp::Ordering::Less if is_unsigned(from) => self.def(format!("zext {bits} {v} to {ty}")),
            std::cmp::Ordering::Less => self.def(format!("sext {bits} {v} to {ty}")),
            std::cmp::Ordering::Greater => self.def(format!("trunc {bits} {v} to {ty}")),
            std::cmp::Ordering::Equal => v,
        }
    }

    /// From the computing type to memory: the element's type and the value.
    fn narrow(&mut self, a: &Access, v: &str) -> (&'static str, String) {
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
        let v = if elem.is_float() { self.def(format!("bitcast {ty} {v} to {bits}")) } else { v.into() };
        let v = match narrow.cmp(&wide) {
            std::cmp::Ordering::Less => self.def(format!("trunc {bits} {v} to {target}")),
            std::cmp::Ordering::Greater => self.def(format!("zext {bits} {v} to {target}")),
            std::cmp::Ordering::Equal => v,
        };
        (target, v)
    }

    fn store(&mut self, a: &Access, at: &str, v: &str) {
        let (ty, v) = self.narrow(a, v);
        let volatile = if self.k.buffers[a.buffer].volatile { "volatile " } else { "" };
        self.line(format!("store {volatile}{ty} {v}, ptr {at}, align {}", self.align(a)));
    }

    fn val(&mut self, v: &Val) -> String {
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
            Val::Acc(n) => self.acc(*n),
            Val::Const(c) if elem.is_float() => format!("{:.1}", f64::from(*c)),
            Val::Const(c) => c.to_string(),
            Val::Alpha => "%alpha".into(),
            Val::FromInt(t, i) => {
                let v = self.int(*t, i);
                let from = match t {
                    Ty::I32 => ElemType::I32,
                    Ty::U32 => ElemType::U32,
                    Ty::I64 => ElemType::I64,
                };
                self.widen(from, v)
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

    fn cond(&mut self, c: &Cond) -> String {
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
                let test = if elem.is_float() { "fcmp olt" } else { "icmp slt" };
                self.def(format!("{test} {ty} {a}, {b}"))
            }
        }
    }

    fn compare(&mut self, t: Test, ty: Ty, a: &str, b: &str) -> String {
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

    fn convert(&mut self, from: Ty, to: Ty, v: String) -> String {
        match (from, to) {
            (Ty::I32, Ty::I64) => self.def(format!("sext i32 {v} to i64")),
            (Ty::U32, Ty::I64) => self.def(format!("zext i32 {v} to i64")),
            (Ty::I64, Ty::I32 | Ty::U32) => self.def(format!("trunc i64 {v} to i32")),
            _ => v,
        }
    }

    fn special(&mut self, s: Special, d: usize) -> String {
        let (name, dim) = (
            match s {
                Special::Tid => "tid",
                Special::Ctaid => "ctaid",
                Special::Ntid => "ntid",
                Special::Nctaid => "nctaid",
            },
            ["x", "y", "z"][d],
        );
        self.def(format!("call noundef i32 @llvm.nvvm.read.ptx.sreg.{name}.{dim}()"))
    }

    fn int(&mut self, ty: Ty, i: &Int) -> String {
        match i {
            Int::Const(c) if ty == Ty::I64 => c.to_string(),
            Int::Const(c) => (*c as i32).to_string(),
            Int::Size(n) => self.convert(self.k.sizes[*n], ty, format!("%n{n}")),
            Int::Special(s, d) => {
                let v = self.special(*s, *d);
                self.convert(Ty::U32, ty, v)
            }
            Int::Gid(d) => {
                let (c, n, t) = (self.special(Special::Ctaid, *d), self.special(Special::Ntid, *d), self.special(Special::Tid, *d));
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
                let a = Access { buffer: *buffer, ty, index: (**at).clone(), field: 0, other: None };
                let at = self.address(&a);
                let v = self.def(format!("load i32, ptr {at}, align 4"));
                self.convert(Ty::I32, ty, v)
            }
        }
    }

    fn int_op(&mut self, ty: Ty, op: IntOp, a: &str, b: &str) -> String {
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

/// Every loop variable with its type.
fn loop_types(stmts: &[Stmt]) -> Vec<(usize, Ty)> {
    let mut all = Vec::new();
    for s in stmts {
        match s {
            Stmt::For(l) => {
                all.push((l.var, l.ty));
                all.extend(loop_types(&l.body));
            }
            Stmt::If(_, a, b) => {
                all.extend(loop_types(a));
                all.extend(loop_types(b));
            }
            _ => (),
        }
    }
    all
}

fn has_tangle(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match s {
        Stmt::Tangle(..) => true,
        Stmt::If(_, a, b) => has_tangle(a) || has_tangle(b),
        Stmt::For(l) => has_tangle(&l.body),
        _ => false,
    })
}
