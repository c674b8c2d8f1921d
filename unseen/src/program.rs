//! A program that times drawn kernels: batches of kernels as CUDA files, tables of their launches.
//!
//! Each batch is compiled by clang alone and with the plug-in. The object of the first is linked twice, under
//! other names, so that a program holds each kernel three times.

use std::fmt::Write as _;

use mesi_launch::{Arg, BenchRow, Class, Fill, seed};

use crate::Kernel;
use crate::draft::{Constants, Param};
use crate::print;

/// Kernels of one file: so many that clang's start is shared, so few that memory is.
pub const PER_BATCH: usize = 20;
/// What a batch's table is called before its object is renamed for a build.
pub const TABLE: &str = "unseen_kernels";
/// Header that batches and the host program include.
pub const HEADER: &str = include_str!("../host/unseen.h");
/// The host program.
pub const MAIN: &str = include_str!("../host/main.cu");

/// The launches that are timed.
pub fn rows(kernel: &Kernel) -> Vec<BenchRow> {
    let rows = kernel.corpus.bench_rows().iter();
    rows.filter(|r| r.class == Class::Large).cloned().collect()
}

/// The CUDA file of some kernels, each in a namespace of its own, with functions that launch them.
pub fn batch(kernels: &[Kernel]) -> String {
    let mut out = String::from("#include \"unseen.h\"\n");
    let mut table = String::new();
    for (i, kernel) in kernels.iter().enumerate() {
        let draft = &kernel.draft;
        let _ = write!(out, "\nnamespace k{i} {{\n{}", print::source(draft));
        let mut next = 0;
        let told: Vec<String> = draft.params.iter().map(|p| told(p, &mut next)).collect();
        let _ = writeln!(
            out,
            "static void launch(const Value *v, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream)\n{{\n    {}<<<grid, block, shared, stream>>>({});\n}}",
            print::called(draft),
            told.join(", ")
        );
        out.push_str("static void globals(void *const *from)\n{\n    (void)from;\n");
        for (g, (_, array)) in draft.globals.iter().enumerate() {
            let _ = writeln!(
                out,
                "    cudaMemcpyToSymbol({0}, from[{g}], sizeof {0}, 0, cudaMemcpyDeviceToDevice);",
                array.name
            );
        }
        out.push_str("}\n}\n");
        if draft.constants_as == Constants::Macro {
            for (name, _) in &draft.constants {
                let _ = writeln!(out, "#undef {name}");
            }
        }
        let signature: Vec<String> = draft
            .params
            .iter()
            .map(|p| in_namespace(i, p, print::param_type(draft, p)))
            .collect();
        let _ = writeln!(
            table,
            "    {{(const void *)(void (*)({}))k{i}::{}, k{i}::launch, k{i}::globals}},",
            signature.join(", "),
            print::called(draft)
        );
    }
    let _ = writeln!(
        out,
        "\n#ifndef __CUDA_ARCH__\nextern \"C\" const Kernel {TABLE}[] = {{\n{table}}};\n#endif"
    );
    out
}

/// A parameter's type as named outside the kernel's namespace.
fn in_namespace(i: usize, param: &Param, ty: String) -> String {
    match param {
        Param::Struct { .. } => format!("k{i}::{ty}"),
        Param::Array(a) if a.cpp == "Body" => ty.replace("Body", &format!("k{i}::Body")),
        _ => ty,
    }
}

/// An argument of a launch, read from flat values.
fn told(param: &Param, next: &mut usize) -> String {
    if let Param::Struct { cpp, fields, .. } = param {
        let fields: Vec<String> = fields.iter().map(|f| told(f, next)).collect();
        return format!("{cpp}{{{}}}", fields.join(", "));
    }
    let at = *next;
    *next += 1;
    let (ty, ..) = print::values(std::slice::from_ref(param)).remove(0);
    format!("as<{ty}>(v[{at}])")
}

/// The tables of all launches.
pub fn tables(kernels: &[Kernel]) -> String {
    let (mut buffers, mut arguments, mut all) = (String::new(), String::new(), String::new());
    let (mut buffer_count, mut argument_count, mut count) = (0, 0, 0);
    for (k, kernel) in kernels.iter().enumerate() {
        for row in rows(kernel) {
            let case = &row.case;
            for b in &case.buffers {
                let _ = writeln!(buffers, "    {},", buffer(b));
            }
            let mut flat = Vec::new();
            case.args.iter().for_each(|a| flatten(a, &mut flat));
            for (buffer, bits) in &flat {
                let _ = writeln!(arguments, "    {{{buffer}, {bits}ull}},");
            }
            let [x, y, z] = case.grid;
            let [bx, by, bz] = case.block;
            let _ = writeln!(
                all,
                "    {{\"{}\", \"{}\", {k}, {{{x}u, {y}u, {z}u}}, {{{bx}, {by}, {bz}}}, {}, {}, {buffer_count}, {}, {argument_count}, {}}},",
                kernel.name,
                case.label,
                case.shared,
                case.buffers.len(),
                flat.len(),
                case.globals.len()
            );
            buffer_count += case.buffers.len();
            argument_count += flat.len();
            count += 1;
        }
    }
    let batches = kernels.len().div_ceil(PER_BATCH);
    let mut out = String::from("#include \"unseen.h\"\n");
    for side in ["a", "b", "c"] {
        for i in 0..batches {
            let _ = writeln!(out, "extern \"C\" const Kernel {side}{i}_{TABLE}[];");
        }
    }
    let _ = writeln!(out, "extern const Buffer buffers[] = {{\n{buffers}}};");
    let _ = writeln!(
        out,
        "extern const Argument arguments[] = {{\n{arguments}}};"
    );
    let _ = writeln!(out, "extern const Row rows[] = {{\n{all}}};");
    let _ = writeln!(
        out,
        "extern const int row_count = {count}, per_batch = {PER_BATCH};"
    );
    out.push_str("extern const Kernel *const builds[3][64] = {\n");
    for side in ["a", "b", "c"] {
        let names: Vec<String> = (0..batches).map(|i| format!("{side}{i}_{TABLE}")).collect();
        let _ = writeln!(out, "    {{{}}},", names.join(", "));
    }
    out + "};\n"
}

fn buffer(b: &mesi_launch::Buffer) -> String {
    let (kind, x, y) = match b.fill {
        Fill::Uniform(x, y) => (0, x, y),
        Fill::Iota => (1, 0.0, 0.0),
        Fill::Zero => (2, 0.0, 0.0),
        Fill::Const(v) => (3, v, 0.0),
        Fill::Index(m) => (4, m as f64, 0.0),
    };
    let seed = seed(&b.name);
    format!(
        "{{{}ull, {seed}ull, {}, {}, {kind}, {x:?}, {y:?}}}",
        b.count,
        b.ty.code(),
        b.ty.size()
    )
}

fn flatten(arg: &Arg, out: &mut Vec<(i64, u64)>) {
    match arg {
        Arg::Scalar { bytes, .. } => {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            out.push((-1, u64::from_le_bytes(wide)));
        }
        Arg::Pointer { buffer, .. } => out.push((*buffer as i64, 0)),
        Arg::Struct { fields, .. } => fields.iter().for_each(|(_, f)| flatten(f, out)),
    }
}
