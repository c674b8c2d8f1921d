//! From a header to its launches: every size x every block x every alias variant.
//!
//! Struct arguments get C layout here: each field at the next multiple of its size, the whole a
//! multiple of its widest field.

use toml::{Spanned, Value};

use crate::case::{Alias, Arg, Buffer, Case, ElemType, Fill, Global, Size};
use crate::error::Result;
use crate::expr::{Expr, Scope};
use crate::fill;
use crate::header::{RawAlias, RawArg, RawHeader, Source};

/// Largest grid CUDA accepts, per dimension.
const MAX_GRID: [i64; 3] = [0x7fff_ffff, 65_535, 65_535];
/// Largest dynamic shared memory of any supported chip, in bytes.
const MAX_SHARED: i64 = 232_448;

/// All launches of one size column.
pub fn cases(source: &Source, raw: &RawHeader, size: Size) -> Result<Vec<Case>> {
    let blocks = checked_blocks(source, raw)?;
    let columns = columns(source, raw, size)?;
    let blocks = if size == Size::Large {
        &blocks[..1]
    } else {
        blocks
    };
    let mut cases = Vec::new();
    for sizes in &columns {
        for block in blocks {
            let case = case(source, raw, sizes, *block)?;
            let variants = if size == Size::Small {
                &raw.alias[..]
            } else {
                &[]
            };
            let aliased: Vec<Case> = variants
                .iter()
                .map(|alias| alias_variant(source, &case, alias, scope(sizes, *block)))
                .collect::<Result<_>>()?;
            cases.push(case);
            cases.extend(aliased);
        }
    }
    Ok(cases)
}

/// One launch at given sizes.
pub fn case(
    source: &Source,
    raw: &RawHeader,
    sizes: &[(String, i64)],
    block: [u32; 3],
) -> Result<Case> {
    Launch {
        source,
        raw,
        sizes,
        block,
    }
    .case()
}

/// The `large` column of `[sizes]`.
pub fn large_sizes(raw: &RawHeader) -> Vec<(String, i64)> {
    raw.sizes
        .iter()
        .map(|(name, entry)| (name.clone(), entry.get_ref().large))
        .collect()
}

fn checked_blocks<'r>(source: &Source, raw: &'r RawHeader) -> Result<&'r [[u32; 3]]> {
    check_blocks(source, &raw.launch.blocks)?;
    Ok(raw.launch.blocks.get_ref())
}

/// Whether CUDA can launch every shape of a list, and it has one.
pub fn check_blocks(source: &Source, list: &Spanned<Vec<[u32; 3]>>) -> Result<()> {
    let (blocks, at) = (list.get_ref(), list.span().start);
    if blocks.is_empty() {
        return Err(source.error(at, "`blocks` is empty, give at least one [x,y,z]"));
    }
    for b in blocks {
        let threads: u64 = b.iter().map(|&v| u64::from(v)).product();
        if threads == 0 || threads > 1024 || b[2] > 64 {
            return Err(source.error(
                at,
                format!(
                    "block {b:?} cannot be launched, allowed are 1 to 1024 threads and z up to 64"
                ),
            ));
        }
    }
    Ok(())
}

/// One `(name, value)` list per launch size.
fn columns(source: &Source, raw: &RawHeader, size: Size) -> Result<Vec<Vec<(String, i64)>>> {
    let mut count = None;
    for (name, entry) in &raw.sizes {
        let at = entry.span().start;
        if ["bx", "by", "bz", "min", "max"].contains(&name.as_str()) {
            return Err(source.error(at, format!("`{name}` is taken (bx, by, bz are the block's shape; min, max are functions), use another size name")));
        }
        let len = entry.get_ref().small.len();
        if len == 0 {
            return Err(source.error(
                at,
                format!("`small` of `{name}` is empty, give at least one value"),
            ));
        }
        if *count.get_or_insert(len) != len {
            return Err(source.error(at, format!("`small` of `{name}` has {len} values, others have {}, all lists need one length", count.unwrap_or(0))));
        }
    }
    let value = |entry: &Spanned<crate::header::RawSize>, i: usize| match size {
        Size::Small => entry.get_ref().small[i],
        Size::Large => entry.get_ref().large,
    };
    let columns = if size == Size::Large {
        1
    } else {
        count.unwrap_or(1)
    };
    Ok((0..columns)
        .map(|i| {
            raw.sizes
                .iter()
                .map(|(name, entry)| (name.clone(), value(entry, i)))
                .collect()
        })
        .collect())
}

/// The names an expression may use.
pub fn scope(sizes: &[(String, i64)], block: [u32; 3]) -> Scope {
    let shape = ["bx", "by", "bz"]
        .into_iter()
        .zip(block)
        .map(|(n, v)| (n.to_string(), i64::from(v)));
    sizes.iter().cloned().chain(shape).collect()
}

/// Value of an integer or an expression in quotes.
pub fn eval(source: &Source, value: &Spanned<Value>, scope: &Scope) -> Result<i64> {
    let result = match value.get_ref() {
        Value::Integer(v) => Ok(*v),
        Value::String(text) => Expr::parse(text).and_then(|e| e.eval(scope)),
        other => Err(format!(
            "{} found, allowed are an integer or an expression in quotes",
            other.type_str()
        )),
    };
    source.at(value, result)
}

/// What one launch is built from.
struct Launch<'a> {
    source: &'a Source,
    raw: &'a RawHeader,
    sizes: &'a [(String, i64)],
    block: [u32; 3],
}

impl Launch<'_> {
    fn case(&self) -> Result<Case> {
        let scope = scope(self.sizes, self.block);
        let mut grid = [1_u32; 3];
        for (d, expr) in self.raw.launch.grid.iter().enumerate() {
            let blocks = eval(self.source, expr, &scope)?.max(1);
            if blocks > MAX_GRID[d] {
                return Err(self.source.error(
                    expr.span().start,
                    format!(
                        "grid dimension {d} is {blocks}, the largest allowed is {}",
                        MAX_GRID[d]
                    ),
                ));
            }
            grid[d] = blocks as u32;
        }
        let shared = match &self.raw.launch.shared {
            None => 0,
            Some(expr) => match eval(self.source, expr, &scope)? {
                bytes @ 0..=MAX_SHARED => bytes as u32,
                bytes => {
                    return Err(self.source.error(
                        expr.span().start,
                        format!("`shared` is {bytes} bytes, allowed are 0 to {MAX_SHARED}"),
                    ));
                }
            },
        };
        let mut case = Case {
            label: self.label(),
            sizes: self.sizes.to_vec(),
            grid,
            block: self.block,
            shared,
            buffers: Vec::new(),
            args: Vec::new(),
            globals: Vec::new(),
            alias: None,
        };
        for arg in &self.raw.arg {
            let built = self.arg(arg, None, &scope, &mut case.buffers)?;
            case.args.push(built);
        }
        for global in &self.raw.global {
            match self.arg(global, None, &scope, &mut case.buffers)? {
                Arg::Pointer { name, buffer, .. } => case.globals.push(Global { name, buffer }),
                _ => {
                    return Err(self.source.error(
                        global.span().start,
                        "a [[global]] is an array, give `count` and `fill`",
                    ));
                }
            }
        }
        Ok(case)
    }

    fn label(&self) -> String {
        let sizes: Vec<_> = self.sizes.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let [x, y, z] = self.block;
        format!("{} block={x}x{y}x{z}", sizes.join(","))
            .trim()
            .to_string()
    }

    fn arg(
        &self,
        arg: &Spanned<RawArg>,
        field: Option<String>,
        scope: &Scope,
        buffers: &mut Vec<Buffer>,
    ) -> Result<Arg> {
        let raw = arg.get_ref();
        let wrong = |message: &str| Err(self.source.error(arg.span().start, message));
        let name = match (&raw.name, field) {
            (Some(name), _) => name.get_ref().clone(),
            (None, Some(default)) => default,
            (None, None) => return wrong("`name` is missing"),
        };
        if let Some(fields) = &raw.fields {
            if raw.ty.is_some() || raw.count.is_some() || raw.value.is_some() || raw.fill.is_some()
            {
                return wrong(
                    "an argument with `fields` is a struct, it has no type, count, value or fill of its own",
                );
            }
            return self.structure(name, fields, scope, buffers);
        }
        let Some(ty) = &raw.ty else {
            return wrong("`type` is missing, allowed are f16 f32 f64 i8 to u64");
        };
        let ty = self.source.at(ty, ElemType::parse(ty.get_ref()))?;
        match (&raw.count, &raw.value) {
            (Some(count), None) => {
                let elements = eval(self.source, count, scope)?;
                let Ok(count) = u64::try_from(elements) else {
                    return Err(self.source.error(
                        count.span().start,
                        format!("`count` is {elements}, it must not be negative"),
                    ));
                };
                let fill = match &raw.fill {
                    Some(text) => self
                        .source
                        .at(text, fill::parse_fill(text.get_ref(), scope))?,
                    None => Fill::Zero,
                };
                if buffers.iter().any(|b| b.name == name) {
                    return wrong(&format!(
                        "two arrays are called `{name}`, names must differ"
                    ));
                }
                buffers.push(Buffer {
                    name: name.clone(),
                    ty,
                    count,
                    fill,
                    output: raw.output,
                });
                Ok(Arg::Pointer {
                    name,
                    buffer: buffers.len() - 1,
                    offset: 0,
                })
            }
            (None, Some(_)) if raw.fill.is_some() || raw.output => {
                wrong("a scalar has neither `fill` nor `output`")
            }
            (None, Some(value)) => Ok(Arg::Scalar {
                name,
                ty,
                bytes: self.scalar(ty, value, scope)?,
            }),
            _ => wrong("an argument has either `count` (a buffer) or `value` (a scalar)"),
        }
    }

    fn scalar(&self, ty: ElemType, value: &Spanned<Value>, scope: &Scope) -> Result<Vec<u8>> {
        let bytes = match value.get_ref() {
            Value::Float(v) if ty.is_float() => Ok(fill::encode(ty, *v)),
            Value::Integer(v) if ty.is_float() => Ok(fill::encode(ty, *v as f64)),
            Value::String(text) if ty.is_float() => {
                fill::number(text, scope).map(|v| fill::encode(ty, v))
            }
            Value::Integer(_) | Value::String(_) => {
                Ok(fill::encode_int(ty, eval(self.source, value, scope)?))
            }
            other => Err(format!(
                "{} found for a value of type {}, allowed are numbers or an expression in quotes",
                other.type_str(),
                ty.name()
            )),
        };
        self.source.at(value, bytes)
    }

    fn structure(
        &self,
        name: String,
        fields: &[Spanned<RawArg>],
        scope: &Scope,
        buffers: &mut Vec<Buffer>,
    ) -> Result<Arg> {
        let (mut end, mut align, mut built) = (0_u64, 1_u64, Vec::new());
        for (i, field) in fields.iter().enumerate() {
            let value = self.arg(field, Some(format!("{name}.{i}")), scope, buffers)?;
            let (size, field_align) = value.layout();
            let at = end.next_multiple_of(field_align);
            (end, align) = (at + size, align.max(field_align));
            built.push((at, value));
        }
        Ok(Arg::Struct {
            name,
            size: end.next_multiple_of(align),
            align,
            fields: built,
        })
    }
}

/// `case` with one argument pointing into another one's buffer.
fn alias_variant(
    source: &Source,
    case: &Case,
    alias: &Spanned<RawAlias>,
    scope: Scope,
) -> Result<Case> {
    let raw = alias.get_ref();
    let mut variant = case.clone();
    let of = buffer_of(case, raw.of.get_ref()).map_err(|m| source.error(raw.of.span().start, m))?;
    let moved =
        buffer_of(case, raw.arg.get_ref()).map_err(|m| source.error(raw.arg.span().start, m))?;
    if of == moved {
        return Err(source.error(
            alias.span().start,
            "an [[alias]] needs two different arguments",
        ));
    }
    let offset = match &raw.offset {
        None => 0,
        Some(expr) => u64::try_from(eval(source, expr, &scope)?).map_err(|_| {
            source.error(
                expr.span().start,
                "`offset` is negative, swap `arg` and `of` instead",
            )
        })?,
    };
    let target = &mut variant.buffers[of];
    let bytes = offset * target.ty.size();
    // Grown, never shrunk: both arguments keep every element they had.
    let needed = (bytes + case.buffers[moved].bytes()).div_ceil(target.ty.size());
    target.count = target.count.max(needed);
    target.output |= case.buffers[moved].output;
    variant
        .args
        .iter_mut()
        .for_each(|arg| repoint(arg, moved, of, bytes));
    variant.label = format!(
        "{} alias={}->{}+{offset}",
        case.label,
        raw.arg.get_ref(),
        raw.of.get_ref()
    );
    variant.alias = Some(Alias {
        arg: raw.arg.get_ref().clone(),
        of: raw.of.get_ref().clone(),
        offset,
    });
    // The moved argument's own buffer goes; indices above it shift down.
    variant.buffers.remove(moved);
    variant.args.iter_mut().for_each(|arg| shift(arg, moved));
    variant
        .globals
        .iter_mut()
        .for_each(|g| g.buffer -= usize::from(g.buffer > moved));
    Ok(variant)
}

fn buffer_of(case: &Case, name: &str) -> std::result::Result<usize, String> {
    let globals: Vec<usize> = case.globals.iter().map(|g| g.buffer).collect();
    let arrays = || {
        case.buffers
            .iter()
            .enumerate()
            .filter(|(i, _)| !globals.contains(i))
    };
    arrays()
        .find(|(_, b)| b.name == name)
        .map(|(i, _)| i)
        .ok_or_else(|| {
            let known: Vec<_> = arrays().map(|(_, b)| b.name.as_str()).collect();
            format!(
                "[[alias]] names `{name}`, the array arguments are {}",
                known.join(", ")
            )
        })
}

fn repoint(arg: &mut Arg, from: usize, to: usize, bytes: u64) {
    match arg {
        Arg::Pointer { buffer, offset, .. } if *buffer == from => (*buffer, *offset) = (to, bytes),
        Arg::Struct { fields, .. } => fields
            .iter_mut()
            .for_each(|(_, f)| repoint(f, from, to, bytes)),
        _ => {}
    }
}

fn shift(arg: &mut Arg, removed: usize) {
    match arg {
        Arg::Pointer { buffer, .. } => *buffer -= usize::from(*buffer > removed),
        Arg::Struct { fields, .. } => fields.iter_mut().for_each(|(_, f)| shift(f, removed)),
        Arg::Scalar { .. } => {}
    }
}
