//! Prints a kernel as the IR clang gives to its optimizer: every variable in memory, loops tested at
//! the top. LLVM's own passes then bring it into the form the plug-in meets (`llvm::simplify`).

mod values;

use std::fmt::Write as _;

use crate::kernel::{Buffer, Cond, For, Kernel, Num, Space, Stmt, Ty, Val, ValOp, loop_types};
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
    let mut p = Printer {
        k: kernel,
        out: HEADER.into(),
        next: 0,
        exits: Vec::new(),
        locals: vec![None; kernel.locals],
    };
    p.globals(lengths);
    p.signature();
    p.entry();
    p.body(&kernel.body);
    p.out.push_str("  br label %exit\nexit:\n  ret void\n}\n");
    let bounds = if kernel.max_threads > 0 {
        format!(" \"nvvm.maxntid\"=\"{}\"", kernel.max_threads)
    } else {
        String::new()
    };
    let sm = kernel.sm;
    let _ = write!(
        p.out,
        "\nattributes #0 = {{ convergent mustprogress noinline norecurse nounwind \"frame-pointer\"=\"all\" \"no-trapping-math\"=\"true\" \
         \"stack-protector-buffer-size\"=\"8\" \"target-cpu\"=\"sm_{sm}\" \"target-features\"=\"+ptx88,+sm_{sm}\" \
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
    matches!(
        ty,
        ElemType::U8 | ElemType::U16 | ElemType::U32 | ElemType::U64
    )
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
                Space::Device => writeln!(
                    self.out,
                    "@{name} = dso_local addrspace(1) externally_initialized global [{len} x {ty}] zeroinitializer, align {align}"
                ),
                Space::Constant => writeln!(
                    self.out,
                    "@{name} = dso_local addrspace(4) externally_initialized global [{len} x {ty}] zeroinitializer, align {align}"
                ),
            };
        }
        let (ty, elem) = num_type(self.k.num);
        for (n, s) in self.k.shared.iter().enumerate() {
            let _ = match s.len {
                0 => writeln!(
                    self.out,
                    "@dyn{n} = external dso_local addrspace(3) global [0 x {ty}], align 16"
                ),
                len => writeln!(
                    self.out,
                    "@sh{n} = internal addrspace(3) global [{len} x {ty}] undef, align {}",
                    elem.size()
                ),
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
        for (n, b) in self
            .k
            .buffers
            .iter()
            .enumerate()
            .filter(|(_, b)| b.space == Space::Param)
        {
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
        let _ = writeln!(
            self.out,
            "\ndefine dso_local ptx_kernel void @{SYMBOL}({list}) #0 {{\nentry:"
        );
        if self.k.packed {
            let names = self
                .k
                .buffers
                .iter()
                .enumerate()
                .filter(|(_, b)| b.space == Space::Param)
                .map(|(n, _)| name(n));
            let names: Vec<String> = names
                .chain((0..self.k.sizes.len()).map(|n| format!("n{n}")))
                .chain(["alpha".into()])
                .collect();
            for (n, (field, name)) in fields.iter().zip(names).enumerate() {
                let at = self.def(format!(
                    "getelementptr inbounds nuw %struct.P, ptr %all, i32 0, i32 {n}"
                ));
                let align = match field.as_str() {
                    "i32" | "float" => 4,
                    _ => 8,
                };
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
            self.line(format!("store {} 0, ptr %slot{n}", int_type(ty)));
        }
        for (n, len) in self.k.private.clone().into_iter().enumerate() {
            let of = format!("[{len} x {ty}], align {}", elem.size());
            self.line(format!("%own{n} = alloca {of}"));
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
            Stmt::Atomic(a, op, v) => {
                let v = self.val(v);
                let at = self.address(a);
                let (elem, v) = self.narrow(a, &v);
                self.def(format!(
                    "atomicrmw {} ptr {at}, {elem} {v} seq_cst, align {}",
                    op.name(),
                    self.field_type(a).size()
                ));
            }
            Stmt::SharedStore(a, v) => {
                let v = self.val(v);
                let at = self.shared_address(a);
                let (ty, elem) = num_type(self.k.num);
                self.line(format!("store {ty} {v}, ptr {at}, align {}", elem.size()));
            }
            Stmt::PrivateStore(n, at, v) => {
                let v = self.val(v);
                let at = self.private_address(*n, at);
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
            Stmt::Last(acc, var) => self.last(*acc, *var),
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

    /// Adds the slot of a loop that is over.
    fn last(&mut self, acc: usize, var: usize) {
        let types = loop_types(&self.k.body);
        let Some((_, ty)) = types.into_iter().find(|(n, _)| *n == var) else {
            return;
        };
        let slot = self.def(format!("load {}, ptr %slot{var}", int_type(ty)));
        let (v, old) = (self.computed(ty, slot), self.acc(acc));
        let new = self.op(ValOp::Add, &old, &v);
        self.set(acc, &new);
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
}

fn has_tangle(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|s| match s {
        Stmt::Tangle(..) => true,
        Stmt::If(_, a, b) => has_tangle(a) || has_tangle(b),
        Stmt::For(l) => has_tangle(&l.body),
        _ => false,
    })
}
