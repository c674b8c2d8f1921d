//! Concrete launches: buffers of exactly the records a kernel touches, and a text form that travels
//! with a minimal `.ll` so that it can be run again without the generator.

use mesi_launch::{Alias, Arg, Buffer, Case, ElemType, Fill, Global};
use serde_json::{Value, json};

use crate::ir::num_type;
use crate::kernel::{Kernel, Shape, Space, Use};
use crate::ranges::{Range, name};

/// Records of each buffer that lives in the module, enough for all launches; 0 for parameters.
pub fn module_lengths(kernel: &Kernel, ranges: &[Vec<Range>]) -> Vec<u64> {
    let length = |n: usize| ranges.iter().map(|r| r[n].hi).max().unwrap_or(0).max(0) as u64 + 1;
    kernel
        .buffers
        .iter()
        .enumerate()
        .map(|(n, b)| {
            if b.space == Space::Param {
                0
            } else {
                length(n)
            }
        })
        .collect()
}

/// The launch with everything concrete.
pub fn case(kernel: &Kernel, shape: &Shape, ranges: &[Range], lengths: &[u64]) -> Case {
    let mut buffers: Vec<Buffer> = Vec::new();
    // Which allocation each buffer's pointer goes into, and the record of it that it points at.
    let mut places = vec![(0, 0_i64); kernel.buffers.len()];
    let mut spans: Vec<Range> = ranges
        .iter()
        .map(|r| Range {
            lo: r.lo.min(0),
            hi: r.hi.max(0),
        })
        .collect();
    if let Some((arg, of, offset)) = shape.alias {
        let moved = Range {
            lo: spans[arg].lo + offset,
            hi: spans[arg].hi + offset,
        };
        spans[of] = Range {
            lo: spans[of].lo.min(moved.lo),
            hi: spans[of].hi.max(moved.hi),
        };
    }
    let shared = |n: usize| shape.alias.filter(|a| a.0 == n);
    let mut globals = Vec::new();
    for (n, b) in kernel
        .buffers
        .iter()
        .enumerate()
        .filter(|(n, _)| shared(*n).is_none())
    {
        let records = if b.space == Space::Param {
            (spans[n].hi - spans[n].lo + 1) as u64
        } else {
            lengths[n]
        };
        let (ty, fill) = contents(&b.fields, b.contents);
        buffers.push(Buffer {
            name: name(n),
            ty,
            count: records * b.layout().0 / ty.size(),
            fill,
            output: true,
        });
        places[n] = (buffers.len() - 1, -spans[n].lo);
        if b.space != Space::Param {
            globals.push(Global {
                name: name(n),
                buffer: buffers.len() - 1,
            });
        }
    }
    if let Some((arg, of, offset)) = shape.alias {
        places[arg] = (places[of].0, places[of].1 + offset);
    }
    let mut args: Vec<Arg> = Vec::new();
    for (n, b) in kernel
        .buffers
        .iter()
        .enumerate()
        .filter(|(_, b)| b.space == Space::Param)
    {
        let (buffer, record) = places[n];
        args.push(Arg::Pointer {
            name: name(n),
            buffer,
            offset: record as u64 * b.layout().0,
        });
    }
    for (n, (ty, value)) in kernel.sizes.iter().zip(&shape.sizes).enumerate() {
        let ty = if *ty == crate::kernel::Ty::I64 {
            ElemType::I64
        } else {
            ElemType::I32
        };
        args.push(Arg::Scalar {
            name: format!("n{n}"),
            ty,
            bytes: value.to_le_bytes()[..ty.size() as usize].to_vec(),
        });
    }
    args.push(alpha(num_type(kernel.num).1));
    if kernel.packed {
        args = vec![pack(args)];
    }
    let alias = shape.alias.map(|(arg, of, offset)| Alias {
        arg: name(arg),
        of: name(of),
        offset: offset.max(0) as u64,
    });
    Case {
        label: label(shape),
        sizes: Vec::new(),
        grid: shape.grid,
        block: shape.block,
        shared: if kernel.shared.iter().any(|s| s.len == 0) {
            1024 * 8
        } else {
            0
        },
        buffers,
        args,
        globals,
        alias,
    }
}

fn label(shape: &Shape) -> String {
    let alias = shape
        .alias
        .map_or(String::new(), |(a, b, o)| format!(" b{a}=b{b}+{o}"));
    format!(
        "grid={:?} block={:?} sizes={:?}{alias}",
        shape.grid, shape.block, shape.sizes
    )
}

/// Values stay small, so that sums and products of them stay far from infinity.
fn contents(fields: &[ElemType], contents: Use) -> (ElemType, Fill) {
    let first = fields[0];
    match contents {
        Use::Index(m) => (first, Fill::Index(m)),
        Use::Data if fields.iter().any(|f| *f != first) => (ElemType::U8, Fill::Uniform(0.0, 64.0)),
        Use::Data if first.is_float() => (first, Fill::Uniform(-2.0, 2.0)),
        Use::Data => (first, Fill::Uniform(0.0, 100.0)),
    }
}

fn alpha(ty: ElemType) -> Arg {
    let one = Buffer {
        name: "alpha".into(),
        ty,
        count: 1,
        fill: Fill::Const(if ty.is_float() { 0.75 } else { 3.0 }),
        output: false,
    };
    Arg::Scalar {
        name: "alpha".into(),
        ty,
        bytes: one.contents(),
    }
}

fn pack(args: Vec<Arg>) -> Arg {
    let (mut at, mut fields) = (0_u64, Vec::new());
    for a in args {
        let (size, align) = a.layout();
        at = at.next_multiple_of(align);
        fields.push((at, a));
        at += size;
    }
    Arg::Struct {
        name: "all".into(),
        size: at.next_multiple_of(8),
        align: 8,
        fields,
    }
}

/// A launch as one line of JSON.
pub fn to_text(case: &Case) -> String {
    let buffers: Vec<Value> = case
        .buffers
        .iter()
        .map(|b| json!({"name": b.name, "type": b.ty.name(), "count": b.count, "fill": fill_text(b.fill)}))
        .collect();
    let globals: Vec<usize> = case.globals.iter().map(|g| g.buffer).collect();
    let args: Vec<Value> = case.args.iter().map(arg_json).collect();
    json!({"label": case.label, "grid": case.grid, "block": case.block, "shared": case.shared,
        "buffers": buffers, "globals": globals, "args": args})
    .to_string()
}

fn fill_text(fill: Fill) -> String {
    match fill {
        Fill::Uniform(a, b) => format!("uniform({a},{b})"),
        Fill::Iota => "iota".into(),
        Fill::Zero => "zero".into(),
        Fill::Const(v) => format!("const({v})"),
        Fill::Index(m) => format!("index({m})"),
    }
}

fn arg_json(arg: &Arg) -> Value {
    match arg {
        Arg::Scalar { name, ty, bytes } => json!({"name": name, "type": ty.name(), "bytes": bytes}),
        Arg::Pointer {
            name,
            buffer,
            offset,
        } => json!({"name": name, "buffer": buffer, "offset": offset}),
        Arg::Struct {
            name,
            size,
            align,
            fields,
        } => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|(at, a)| json!([at, arg_json(a)]))
                .collect();
            json!({"name": name, "size": size, "align": align, "fields": fields})
        }
    }
}

/// Reads what `to_text` wrote.
pub fn from_text(text: &str) -> Result<Case, String> {
    let v: Value = serde_json::from_str(text).map_err(|e| format!("launch is not JSON: {e}"))?;
    let buffers = list(&v["buffers"])?
        .iter()
        .map(buffer_from)
        .collect::<Result<Vec<_>, _>>()?;
    let globals = list(&v["globals"])?
        .iter()
        .map(|g| number(g).map(|g| g as usize))
        .collect::<Result<Vec<_>, _>>()?;
    let globals = globals.into_iter().map(|n| {
        let name = buffers
            .get(n)
            .map(|b: &Buffer| b.name.clone())
            .ok_or("a global's buffer is missing")?;
        Ok(Global { name, buffer: n })
    });
    Ok(Case {
        label: v["label"].as_str().unwrap_or("launch").into(),
        sizes: Vec::new(),
        grid: triple(&v["grid"])?,
        block: triple(&v["block"])?,
        shared: number(&v["shared"])? as u32,
        globals: globals.collect::<Result<Vec<_>, String>>()?,
        args: list(&v["args"])?
            .iter()
            .map(arg_from)
            .collect::<Result<Vec<_>, _>>()?,
        buffers,
        alias: None,
    })
}

fn list(v: &Value) -> Result<&Vec<Value>, String> {
    v.as_array()
        .ok_or_else(|| format!("expected a list in the launch, found {v}"))
}

fn number(v: &Value) -> Result<u64, String> {
    v.as_u64()
        .ok_or_else(|| format!("expected a number in the launch, found {v}"))
}

fn word(v: &Value) -> Result<&str, String> {
    v.as_str()
        .ok_or_else(|| format!("expected a string in the launch, found {v}"))
}

fn triple(v: &Value) -> Result<[u32; 3], String> {
    let all = list(v)?
        .iter()
        .map(|n| number(n).map(|n| n as u32))
        .collect::<Result<Vec<_>, _>>()?;
    all.try_into().map_err(|_| "expected three numbers".into())
}

fn buffer_from(v: &Value) -> Result<Buffer, String> {
    Ok(Buffer {
        name: word(&v["name"])?.into(),
        ty: ElemType::parse(word(&v["type"])?)?,
        count: number(&v["count"])?,
        fill: mesi_launch::parse_fill(word(&v["fill"])?, &mesi_launch::Scope::new())?,
        output: true,
    })
}

fn arg_from(v: &Value) -> Result<Arg, String> {
    let name: String = word(&v["name"])?.into();
    if !v["fields"].is_null() {
        let field = |f: &Value| Ok::<_, String>((number(&f[0])?, arg_from(&f[1])?));
        let fields = list(&v["fields"])?
            .iter()
            .map(field)
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(Arg::Struct {
            name,
            size: number(&v["size"])?,
            align: number(&v["align"])?,
            fields,
        });
    }
    if !v["buffer"].is_null() {
        return Ok(Arg::Pointer {
            name,
            buffer: number(&v["buffer"])? as usize,
            offset: number(&v["offset"])?,
        });
    }
    let bytes = list(&v["bytes"])?
        .iter()
        .map(|b| number(b).map(|b| b as u8))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Arg::Scalar {
        name,
        ty: ElemType::parse(word(&v["type"])?)?,
        bytes,
    })
}
