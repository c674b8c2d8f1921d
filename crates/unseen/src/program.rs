//! A program that times drawn kernels: batches of kernels as CUDA files, tables of their launches.
//!
//! Each batch is compiled by clang alone and with the plug-in. The object of the first is linked twice, under
//! other names, so that a program holds each kernel three times.

use std::fmt::Write as _;

use mesi_launch::{Arg, BenchRow, Class, Corpus, Fill, seed};

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

/// A kernel of a program, and its launches with what they are called.
pub struct Timed {
    /// Its name.
    pub name: String,
    /// Its launches.
    pub rows: Vec<(String, BenchRow)>,
    /// How its file is told an argument.
    values: fn(&Arg, &mut Vec<(i64, u64)>),
}

impl Timed {
    /// Of a drawn kernel.
    pub fn drawn(kernel: &Kernel) -> Timed {
        let rows = rows(kernel).into_iter();
        Timed {
            name: kernel.name.clone(),
            rows: rows.map(|r| (r.case.label.clone(), r)).collect(),
            values: flatten,
        }
    }

    /// Of a corpus file: all launches that the bench times, called by class, sizes and block.
    pub fn of_corpus(corpus: &Corpus) -> Timed {
        let called = |r: &BenchRow| format!("{} {}", r.class.name(), r.case.label);
        let name = corpus.path.file_stem().unwrap_or_default();
        Timed {
            name: name.to_string_lossy().into_owned(),
            rows: corpus
                .bench_rows()
                .iter()
                .map(|r| (called(r), r.clone()))
                .collect(),
            values: words,
        }
    }
}

/// A corpus file as a batch of one kernel: its own text, and a function that launches it by pointers to its arguments.
pub fn corpus_batch(corpus: &Corpus, text: &str) -> String {
    let row = corpus.bench_rows().first();
    let mut at = 0;
    let mut arguments = Vec::new();
    for arg in row.iter().flat_map(|r| &r.case.args) {
        arguments.push(format!("(void *)&v[{at}]"));
        let mut flat = Vec::new();
        words(arg, &mut flat);
        at += flat.len();
    }
    let mut globals = String::new();
    for (g, global) in row.iter().flat_map(|r| &r.case.globals).enumerate() {
        let _ = writeln!(
            globals,
            "    cudaMemcpyToSymbol({0}, from[{g}], sizeof {0}, 0, cudaMemcpyDeviceToDevice);",
            global.name
        );
    }
    let kernel = &corpus.kernel;
    format!(
        "#include \"unseen.h\"\n\n{text}\n\
         static void launch_it(const Value *v, dim3 grid, dim3 block, unsigned shared, cudaStream_t stream)\n{{\n\
         \x20   void *arguments[] = {{{}}};\n\
         \x20   cudaLaunchKernel((const void *){kernel}, grid, block, arguments, shared, stream);\n}}\n\
         static void set_globals(void *const *from)\n{{\n    (void)from;\n{globals}}}\n\n\
         #ifndef __CUDA_ARCH__\nextern \"C\" const Kernel {TABLE}[] = {{{{(const void *){kernel}, launch_it, set_globals}}}};\n#endif\n",
        arguments.join(", ")
    )
}

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

/// The tables of all launches of kernels that lie `per_batch` in a file.
pub fn tables(kernels: &[Timed], per_batch: usize) -> String {
    let (mut buffers, mut arguments, mut all) = (String::new(), String::new(), String::new());
    let (mut buffer_count, mut argument_count, mut count) = (0, 0, 0);
    for (k, kernel) in kernels.iter().enumerate() {
        for (called, row) in &kernel.rows {
            let case = &row.case;
            for b in &case.buffers {
                let _ = writeln!(buffers, "    {},", buffer(b));
            }
            let mut flat = Vec::new();
            case.args.iter().for_each(|a| (kernel.values)(a, &mut flat));
            for (buffer, bits) in &flat {
                let _ = writeln!(arguments, "    {{{buffer}, {bits}ull}},");
            }
            let [x, y, z] = case.grid;
            let [bx, by, bz] = case.block;
            let _ = writeln!(
                all,
                "    {{\"{}\", \"{}\", {k}, {{{x}u, {y}u, {z}u}}, {{{bx}, {by}, {bz}}}, {}, {}, {buffer_count}, {}, {argument_count}, {}}},",
                kernel.name,
                called,
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
    let batches = kernels.len().div_ceil(per_batch);
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
        "extern const int row_count = {count}, per_batch = {per_batch};"
    );
    for side in ["a", "b", "c"] {
        let names: Vec<String> = (0..batches).map(|i| format!("{side}{i}_{TABLE}")).collect();
        let names = names.join(", ");
        let _ = writeln!(out, "static const Kernel *const {side}[] = {{{names}}};");
    }
    out + "extern const Kernel *const *const builds[3] = {a, b, c};\n"
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

/// A corpus file's argument as words, so that what lies at the first one is the argument as a launch takes it.
fn words(arg: &Arg, out: &mut Vec<(i64, u64)>) {
    let Arg::Struct { size, fields, .. } = arg else {
        return flatten(arg, out);
    };
    let start = out.len();
    out.resize(start + size.div_ceil(8) as usize, (-1, 0));
    for (at, field) in fields {
        let mut value = Vec::new();
        flatten(field, &mut value);
        for (buffer, bits) in value {
            let word = &mut out[start + (at / 8) as usize];
            // Fields are aligned to their sizes, so none lies in two words, and a pointer has one for itself.
            *word = (buffer.max(word.0), word.1 | bits << (at % 8 * 8));
        }
    }
}

fn flatten(arg: &Arg, out: &mut Vec<(i64, u64)>) {
    match arg {
        Arg::Scalar { bytes, .. } => {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            out.push((-1, u64::from_le_bytes(wide)));
        }
        Arg::Pointer { buffer, offset, .. } => out.push((*buffer as i64, *offset)),
        Arg::Struct { fields, .. } => fields.iter().for_each(|(_, f)| flatten(f, out)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_is_told_as_it_lies() {
        let scalar = |ty, bytes: &[u8]| Arg::Scalar {
            name: "s".into(),
            ty,
            bytes: bytes.to_vec(),
        };
        let (i32_, f64_) = (mesi_launch::ElemType::I32, mesi_launch::ElemType::F64);
        let pointer = Arg::Pointer {
            name: "p".into(),
            buffer: 3,
            offset: 16,
        };
        let arg = Arg::Struct {
            name: "a".into(),
            size: 32,
            align: 8,
            fields: vec![
                (0, scalar(i32_, &[1, 0, 0, 0])),
                (4, scalar(i32_, &[2, 0, 0, 0])),
                (8, pointer),
                (16, scalar(f64_, &[9; 8])),
                (24, scalar(i32_, &[255; 4])),
            ],
        };
        let mut found = Vec::new();
        words(&arg, &mut found);
        let nines = u64::from_le_bytes([9; 8]);
        let expected = [(-1, 1 | 2 << 32), (3, 16), (-1, nines), (-1, 0xffff_ffff)];
        assert_eq!(found, expected);
        // The bytes that any launch is given.
        let bytes = arg.bytes(&|b| b as u64 * 1000);
        let again: Vec<u8> = found
            .iter()
            .flat_map(|(b, bits)| {
                (if *b < 0 {
                    *bits
                } else {
                    *b as u64 * 1000 + bits
                })
                .to_le_bytes()
            })
            .collect();
        assert_eq!(bytes, again);
    }

    #[test]
    fn every_row_of_the_corpus_is_told_as_it_is() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");
        let mut rows = 0;
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_none_or(|e| e != "cu") {
                continue;
            }
            let corpus = Corpus::read(&path).unwrap();
            // The kernel is named as in its file.
            assert!(corpus.symbol.is_none(), "{}", path.display());
            let shape = |r: &BenchRow| -> Vec<usize> {
                let count = |a: &Arg| {
                    let mut found = Vec::new();
                    words(a, &mut found);
                    found.len()
                };
                r.case.args.iter().map(count).collect()
            };
            for row in corpus.bench_rows() {
                rows += 1;
                let case = &row.case;
                assert_eq!(shape(row), shape(&corpus.bench_rows()[0]));
                for arg in &case.args {
                    let mut found = Vec::new();
                    words(arg, &mut found);
                    let address = |b: usize| (b as u64 + 1) << 20;
                    let told = found.iter().flat_map(|(b, bits)| {
                        let base = usize::try_from(*b).map_or(0, address);
                        (base + bits).to_le_bytes()
                    });
                    let told: Vec<u8> = told.collect();
                    let bytes = arg.bytes(&address);
                    assert_eq!(told[..bytes.len()], bytes, "{}", path.display());
                }
                // The host program copies the last buffers into them, in order.
                let first = case.buffers.len() - case.globals.len();
                for (g, global) in case.globals.iter().enumerate() {
                    assert_eq!(global.buffer, first + g, "{}", path.display());
                }
            }
        }
        assert!(rows > 400, "{rows}");
    }

    #[test]
    fn a_corpus_file_launches_its_kernel_by_its_arguments() {
        let text = "// Doubles.\n// ```toml\n// kernel = \"twice\"\n// arg = [\n//   { name = \"a\", type = \"f32\", count = \"n\", fill = \"iota\", output = true },\n//   { name = \"n\", type = \"i32\", value = \"n\" },\n// ]\n// [sizes]\n// n = { small = [100], large = 1000000 }\n// [launch]\n// blocks = [[256, 1, 1]]\n// grid = [\"(n + bx - 1) / bx\", \"1\", \"1\"]\n// ```\n__global__ void twice(float *a, int n) {}\n";
        let corpus = Corpus::parse("twice.cu", text).unwrap();
        let source = corpus_batch(&corpus, text);
        for part in [
            "void *arguments[] = {(void *)&v[0], (void *)&v[1]};",
            "cudaLaunchKernel((const void *)twice, grid, block, arguments, shared, stream);",
            "const Kernel unseen_kernels[] = {{(const void *)twice, launch_it, set_globals}};",
        ] {
            assert!(source.contains(part), "{part}: {source}");
        }
        let timed = Timed::of_corpus(&corpus);
        assert!(timed.rows[0].0.starts_with("large n=1000000"));
        let tables = tables(&[timed], 1);
        assert!(tables.contains("{\"twice\", \"large n=1000000"), "{tables}");
        assert!(tables.contains("static const Kernel *const c[] = {c0_unseen_kernels};"));
    }
}
