//! Prints a kernel as CUDA C++ and has clang make IR of it, unoptimised: a share of the kernels goes
//! this way, because clang's IR carries more (type-based aliasing, inferred attributes) than ours.
//!
//! No CUDA toolkit is needed: the few things kernels use are built into clang.

mod values;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use crate::ir::{SYMBOL, num_type};
use crate::kernel::{Buffer, Cond, Kernel, Num, Space, Stmt, Test, Ty, Val, ValOp, kept};
use crate::ranges::name;
use mesi_launch::ElemType;

const PRELUDE: &str = r#"#define DEVICE __attribute__((device)) static inline
#define MINMAX(T) DEVICE T least(T a, T b) { return a < b ? a : b; } DEVICE T most(T a, T b) { return a > b ? a : b; }
MINMAX(int) MINMAX(unsigned) MINMAX(long long) MINMAX(float) MINMAX(double)
"#;

/// The clang beside the LLVM this is built against, if it is installed.
pub fn clang() -> Option<PathBuf> {
    let prefix = std::env::var_os("LLVM_SYS_221_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let path = PathBuf::from(prefix).join("bin/clang++");
    path.exists().then_some(path)
}

/// Unoptimised bitcode of the kernel.
pub fn compile(clang: &PathBuf, kernel: &Kernel, lengths: &[u64]) -> Result<Vec<u8>, String> {
    let text = print(kernel, lengths);
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (source, target) = (
        folder.path().join("fuzzed.cu"),
        folder.path().join("fuzzed.bc"),
    );
    std::fs::write(&source, &text).map_err(|e| e.to_string())?;
    let mut run = Command::new(clang);
    run.args([
        "-x",
        "cuda",
        "--cuda-device-only",
        "--cuda-gpu-arch=sm_80",
        "-nocudainc",
        "-nocudalib",
        "-O3",
        "-w",
    ]);
    // Without a toolkit clang does not know which PTX the target is good for.
    run.args(["-Xclang", "-target-feature", "-Xclang", "+ptx88"]);
    run.args(["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c", "-o"])
        .arg(&target)
        .arg(&source);
    run.args(options(kernel));
    let done = run.output().map_err(|e| e.to_string())?;
    if !done.status.success() {
        return Err(format!(
            "generated C++ is wrong: {}\n{text}",
            String::from_utf8_lossy(&done.stderr)
        ));
    }
    std::fs::read(&target).map_err(|e| e.to_string())
}

/// Options for clang without which the C++ means something else.
pub fn options(kernel: &Kernel) -> impl Iterator<Item = &'static str> {
    let wraps = kernel.wraps.then_some("-fwrapv");
    let apart = (!kernel.contract).then_some("-ffp-contract=off");
    wraps.into_iter().chain(apart)
}

/// The kernel as C++.
pub fn print(kernel: &Kernel, lengths: &[u64]) -> String {
    let mut p = Printer {
        k: kernel,
        out: PRELUDE.into(),
        tangles: 0,
        defined: vec![None; kernel.locals],
        kept: kept(&kernel.body),
    };
    p.declarations(lengths);
    p.signature();
    p.body(&kernel.body);
    p.out.push_str("}\n");
    p.out
}

fn elem_type(ty: ElemType) -> &'static str {
    match ty {
        ElemType::F16 => "_Float16",
        ElemType::F32 => "float",
        ElemType::F64 => "double",
        ElemType::I8 => "signed char",
        ElemType::U8 => "unsigned char",
        ElemType::I16 => "short",
        ElemType::U16 => "unsigned short",
        ElemType::I32 => "int",
        ElemType::U32 => "unsigned",
        ElemType::I64 => "long long",
        ElemType::U64 => "unsigned long long",
    }
}

fn int_type(ty: Ty) -> &'static str {
    match ty {
        Ty::I32 => "int",
        Ty::U32 => "unsigned",
        Ty::I64 => "long long",
    }
}

fn num(n: Num) -> &'static str {
    elem_type(num_type(n).1)
}

struct Printer<'k> {
    k: &'k Kernel,
    out: String,
    tangles: usize,
    /// Type of each local in scope.
    defined: Vec<Option<Ty>>,
    /// Loop variables that outlive their loops, with their types.
    kept: Vec<(usize, Ty)>,
}

impl Printer<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "  {}", text.as_ref());
    }

    fn record(&self, n: usize, b: &Buffer) -> String {
        if b.fields.len() == 1 {
            elem_type(b.fields[0]).into()
        } else {
            format!("R{n}")
        }
    }

    fn declarations(&mut self, lengths: &[u64]) {
        for (n, b) in self.k.buffers.iter().enumerate() {
            if b.fields.len() > 1 {
                let fields: String = b
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(f, t)| format!("{} f{f}; ", elem_type(*t)))
                    .collect();
                // Buffers of equal records share a type, or arguments that overlap would break C++'s aliasing rules.
                match self.k.buffers[..n]
                    .iter()
                    .position(|o| o.fields == b.fields)
                {
                    Some(same) => {
                        let _ = writeln!(self.out, "typedef R{same} R{n};");
                    }
                    None => {
                        let _ = writeln!(
                            self.out,
                            "struct __attribute__((aligned({}))) R{n} {{ {fields}}};",
                            b.align()
                        );
                    }
                }
            }
            let (record, volatile) = (self.record(n, b), if b.volatile { "volatile " } else { "" });
            let _ = match b.space {
                Space::Param => Ok(()),
                Space::Device => writeln!(
                    self.out,
                    "extern \"C\" {{ __attribute__((device)) {volatile}{record} {}[{}]; }}",
                    name(n),
                    lengths[n]
                ),
                Space::Constant => writeln!(
                    self.out,
                    "extern \"C\" {{ __attribute__((constant)) {volatile}{record} {}[{}]; }}",
                    name(n),
                    lengths[n]
                ),
            };
        }
        for (n, s) in self.k.shared.iter().enumerate().filter(|(_, s)| s.len == 0) {
            let _ = (
                s,
                writeln!(
                    self.out,
                    "extern __attribute__((shared)) {} dyn{n}[];",
                    num(self.k.num)
                ),
            );
        }
    }

    fn signature(&mut self) {
        let mut params: Vec<(String, String)> = Vec::new();
        for (n, b) in self
            .k
            .buffers
            .iter()
            .enumerate()
            .filter(|(_, b)| b.space == Space::Param)
        {
            let (volatile, restrict) = (
                if b.volatile { "volatile " } else { "" },
                if b.restrict { " __restrict__" } else { "" },
            );
            params.push((
                format!("{volatile}{} *{restrict}", self.record(n, b)),
                name(n),
            ));
        }
        params.extend(
            self.k
                .sizes
                .iter()
                .enumerate()
                .map(|(n, ty)| (int_type(*ty).to_string(), format!("n{n}"))),
        );
        params.push((num(self.k.num).into(), "alpha".into()));
        let mut list: Vec<String> = params.iter().map(|(t, n)| format!("{t} {n}")).collect();
        if self.k.packed {
            let _ = writeln!(self.out, "struct P {{ {}; }};", list.join("; "));
            list = vec!["P all".into()];
        }
        let off = if self.k.off {
            " __attribute__((annotate(\"mesi.off\")))"
        } else {
            ""
        };
        let bounds = if self.k.max_threads > 0 {
            format!(" __attribute__((launch_bounds({})))", self.k.max_threads)
        } else {
            String::new()
        };
        let _ = writeln!(
            self.out,
            "extern \"C\" __attribute__((global)){bounds}{off} void {SYMBOL}({}) {{",
            list.join(", ")
        );
        if self.k.packed {
            params
                .iter()
                .for_each(|(_, n)| self.line(format!("auto {n} = all.{n};")));
        }
        let ty = num(self.k.num);
        for n in 0..self.k.accs {
            self.line(format!("{ty} acc{n} = 0;"));
        }
        for (n, ty) in self.kept.clone() {
            self.line(format!("{} v{n} = 0;", int_type(ty)));
        }
        for (n, s) in self.k.shared.iter().enumerate().filter(|(_, s)| s.len > 0) {
            self.line(format!("__attribute__((shared)) {ty} sh{n}[{}];", s.len));
        }
        for (n, len) in self.k.private.clone().into_iter().enumerate() {
            self.line(format!("{ty} own{n}[{len}];"));
        }
        self.line(format!(
            "int turns = 0; {ty} once = 0; (void)turns; (void)once;"
        ));
    }

    fn body(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, ty, v) => {
                let v = self.int(*ty, v);
                self.defined[*var] = Some(*ty);
                self.line(format!("const {} v{var} = {v};", int_type(*ty)));
            }
            Stmt::Set(acc, v) => {
                let v = self.val(v);
                self.line(format!("acc{acc} = {v};"));
            }
            Stmt::Fold(acc, op, v) => {
                let v = self.val(v);
                let new = self.op(*op, format!("acc{acc}"), v);
                self.line(format!("acc{acc} = {new};"));
            }
            Stmt::Store(a, v) => {
                let v = self.val(v);
                let v = self.narrow(a, v);
                let at = self.place(a);
                self.line(format!("{at} = {v};"));
            }
            Stmt::Update(a, op, v) => {
                let at = self.place(a);
                let (old, v) = (self.widen(self.field_type(a), at.clone()), self.val(v));
                let new = self.op(*op, old, v);
                let new = self.narrow(a, new);
                self.line(format!("{at} = {new};"));
            }
            Stmt::Atomic(a, op, v) => {
                let v = self.val(v);
                let v = self.narrow(a, v);
                let (at, ty) = (self.place(a), self.field_type(a));
                let unsigned = op.name().strip_prefix('u');
                let name = unsigned.unwrap_or(op.name());
                let (suffix, cast) = match (ty.size(), unsigned.is_some()) {
                    (8, false) => ("ll", "long long"),
                    (8, true) => ("ull", "unsigned long long"),
                    (_, false) => ("i", "int"),
                    (_, true) => ("ui", "unsigned"),
                };
                self.line(format!(
                    "__nvvm_atom_{name}_gen_{suffix}((volatile {cast} *)&{at}, ({cast}){v});"
                ));
            }
            Stmt::SharedStore(a, v) => {
                let v = self.val(v);
                let at = self.shared(a);
                self.line(format!("{at} = {v};"));
            }
            Stmt::PrivateStore(n, at, v) => {
                let (at, v) = (self.int(Ty::I32, at), self.val(v));
                self.line(format!("own{n}[{at}] = {v};"));
            }
            Stmt::Barrier => self.line("__syncthreads();"),
            Stmt::Fence => self.line("__nvvm_membar_gl();"),
            Stmt::If(c, then, els) => {
                let c = self.cond(c);
                self.line(format!("if ({c}) {{"));
                self.body(then);
                self.line("} else {");
                self.body(els);
                self.line("}");
            }
            Stmt::For(l) => {
                let (ty, v) = (int_type(l.ty), l.var);
                let from = self.int(l.ty, &l.from);
                self.defined[v] = Some(l.ty);
                let (to, step) = (self.int(l.ty, &l.to), self.int(l.ty, &l.step));
                let ty = match self.kept.iter().any(|(n, _)| *n == v) {
                    true => String::new(),
                    false => format!("{ty} "),
                };
                self.line(format!(
                    "for ({ty}v{v} = {from}; v{v} {} {to}; v{v} += {step}) {{",
                    test(l.test)
                ));
                self.body(&l.body);
                self.line("}");
            }
            Stmt::Last(acc, var) => {
                if self.kept.iter().any(|(n, _)| n == var) {
                    let v = format!("({})(v{var})", num(self.k.num));
                    let new = self.op(ValOp::Add, format!("acc{acc}"), v);
                    self.line(format!("acc{acc} = {new};"));
                }
            }
            Stmt::Break(c) => {
                let c = self.cond(c);
                self.line(format!("if ({c}) break;"));
            }
            Stmt::Return(c) => {
                let c = self.cond(c);
                self.line(format!("if ({c}) return;"));
            }
            Stmt::Tangle(acc, c, v) => self.tangle(*acc, c, v),
        }
    }

    fn tangle(&mut self, acc: usize, c: &Cond, v: &Val) {
        self.tangles += 1;
        let n = self.tangles;
        let (c, v) = (self.cond(c), self.val(v));
        self.line(format!("turns = 0; once = {v};"));
        self.line(format!("if (!({c})) goto right{n};"));
        let new = self.op(ValOp::Add, format!("acc{acc}"), "once".into());
        self.line(format!("left{n}: acc{acc} = {new};"));
        self.line(format!("right{n}: if (turns++ < 3) goto left{n};"));
    }
}

fn test(t: Test) -> &'static str {
    match t {
        Test::Lt => "<",
        Test::Le => "<=",
        Test::Gt => ">",
        Test::Ge => ">=",
        Test::Ne => "!=",
        Test::Eq => "==",
    }
}
