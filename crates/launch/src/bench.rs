//! The launches a GPU bench times: `[bench]`, and what follows from the other tables where it is silent.
//!
//! Four classes of size, because each shows another weakness of a kernel: *large* streams from
//! DRAM, *l2* fits the cache, *odd* divides nothing, *grid* leaves most of the chip idle.

use crate::case::{Case, ElemType};
use crate::enumerate;
use crate::error::Result;
use crate::expr::Scope;
use crate::header::{RawBench, RawBlas, RawHeader, RawRow, Source};
use toml::{Spanned, Value};

/// A row of class *l2* touches at most this many bytes: a third of the smallest L2 that the bench is
/// meant for, so that nothing is evicted between launches.
const L2_BYTES: u64 = 12 << 20;
/// A row of class *grid* has at most this many blocks; every supported chip has more multiprocessors.
const FEW_BLOCKS: u64 = 16;
/// Sizes below this are radii, taps and batch counts: an odd value of them shows nothing.
const SMALL_SIZE: i64 = 48;

/// What a row's size is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Does not fit any cache, or is as large as is useful.
    Large,
    /// Stays in the L2 cache from launch to launch.
    L2,
    /// Divides neither block shape nor vector width.
    Odd,
    /// Fewer blocks than the chip has multiprocessors.
    Grid,
    /// Drawn at random; no header lists it.
    Drawn,
}

impl Class {
    /// Those that headers list, in the order of rows.
    pub const ALL: [Class; 4] = [Class::Large, Class::L2, Class::Odd, Class::Grid];

    /// Name as written in a header.
    pub fn name(self) -> &'static str {
        match self {
            Class::Large => "large",
            Class::L2 => "l2",
            Class::Odd => "odd",
            Class::Grid => "grid",
            Class::Drawn => "drawn",
        }
    }

    /// Whether inputs come from DRAM: they are spread over copies that exceed the L2 cache.
    pub fn streams(self) -> bool {
        matches!(self, Class::Large | Class::Odd)
    }

    fn parse(name: &str) -> std::result::Result<Class, String> {
        Self::ALL
            .into_iter()
            .find(|c| c.name() == name)
            .ok_or_else(|| format!("unknown class `{name}`, allowed are large l2 odd grid"))
    }
}

/// One launch to time.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchRow {
    /// What its size is chosen for.
    pub class: Class,
    /// The launch.
    pub case: Case,
    /// Bytes that any program has to move between DRAM and chip, where the header says so.
    pub bytes: Option<u64>,
    /// Arithmetic operations, a multiply-add counting two, where the header says so.
    pub flops: Option<u64>,
    /// The type whose peak rate bounds `flops`.
    pub unit: ElemType,
    /// The library call that gives the same result, for products.
    pub blas: Option<Blas>,
}

impl BenchRow {
    /// The launch as the plug-in's option `launch` takes it.
    pub fn as_option(&self) -> String {
        let cold = if self.class.streams() { ":cold" } else { "" };
        self.case.as_option() + cold
    }
}

/// `C = alpha op(A) op(B) + beta C`, all row-major and dense: `op(A)` is m x k, `op(B)` k x n.
#[derive(Debug, Clone, PartialEq)]
pub struct Blas {
    /// `F32` or `F64`.
    pub ty: ElemType,
    /// Indices of A, B and C into `Case::buffers`.
    pub buffers: [usize; 3],
    /// m, n, k.
    pub shape: [u32; 3],
    /// Whether A and B lie transposed.
    pub transposed: [bool; 2],
    /// Factor of the product.
    pub alpha: f64,
    /// Factor of what C held.
    pub beta: f64,
}

type Sizes = Vec<(String, i64)>;

/// All rows of a header: what `[bench]` lists, and per class it does not list, what follows.
pub fn rows(source: &Source, raw: &RawHeader) -> Result<Vec<BenchRow>> {
    let none = RawBench::default();
    let maker = Maker::new(source, raw, &none);
    let mut rows: Vec<BenchRow> = Vec::new();
    for class in Class::ALL {
        let listed = maker.listed(class)?;
        let found = if listed.is_empty() {
            maker.derived(class)?
        } else {
            listed
        };
        for row in found {
            // Halving may end where another class already is; a launch is timed once.
            if !rows.iter().any(|r| r.case.label == row.case.label) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}

/// Makes rows of a header.
pub(crate) struct Maker<'a> {
    source: &'a Source,
    pub(crate) raw: &'a RawHeader,
    bench: &'a RawBench,
    pub(crate) large: Sizes,
}

impl<'a> Maker<'a> {
    /// `none`: what a header without `[bench]` says.
    pub(crate) fn new(source: &'a Source, raw: &'a RawHeader, none: &'a RawBench) -> Self {
        Maker {
            source,
            raw,
            bench: raw.bench.as_ref().map_or(none, Spanned::get_ref),
            large: enumerate::large_sizes(raw),
        }
    }

    fn listed(&self, class: Class) -> Result<Vec<BenchRow>> {
        let mut rows = Vec::new();
        for row in &self.bench.rows {
            let RawRow {
                class: name, at, ..
            } = row.get_ref();
            if self.source.at(name, Class::parse(name.get_ref()))? != class {
                continue;
            }
            let mut sizes = self.large.clone();
            for (size, value) in at {
                let Some(entry) = sizes.iter_mut().find(|(n, _)| n == size) else {
                    let known: Vec<&str> = sizes.iter().map(|(n, _)| n.as_str()).collect();
                    return Err(self.source.error(
                        row.span().start,
                        format!("`at` names `{size}`, the sizes are {}", known.join(", ")),
                    ));
                };
                entry.1 = *value;
            }
            for block in self.blocks(row.get_ref().blocks.as_ref(), class)? {
                rows.push(self.row(class, &sizes, block)?);
            }
        }
        Ok(rows)
    }

    /// Large rows take two shapes, because the first alone would hide what a shape costs.
    fn blocks(&self, own: Option<&Spanned<Vec<[u32; 3]>>>, class: Class) -> Result<Vec<[u32; 3]>> {
        if let Some(given) = own.or(self.bench.blocks.as_ref()) {
            enumerate::check_blocks(self.source, given)?;
            let all = given.get_ref().clone();
            let count = if own.is_some() || class == Class::Large {
                all.len()
            } else {
                1
            };
            return Ok(all.into_iter().take(count).collect());
        }
        let count = if class == Class::Large { 2 } else { 1 };
        let all = self.raw.launch.blocks.get_ref();
        Ok(all.iter().copied().take(count).collect())
    }

    fn derived(&self, class: Class) -> Result<Vec<BenchRow>> {
        let blocks = self.blocks(None, class)?;
        let first = blocks.first().copied().unwrap_or([1; 3]);
        let sizes = match class {
            Class::Large => Some(self.large.clone()),
            Class::L2 => self.shrunk(first, |case| bytes(case) <= L2_BYTES, bytes)?,
            Class::Odd => Some(self.odd()),
            Class::Grid => self.shrunk(first, |case| grid(case) <= FEW_BLOCKS, grid)?,
            Class::Drawn => None,
        };
        let Some(sizes) = sizes else {
            return Ok(Vec::new());
        };
        blocks
            .into_iter()
            .map(|b| self.row(class, &sizes, b))
            .collect()
    }

    /// The large sizes halved one at a time, each time the one that lowers `measure` most, until
    /// `enough`; `None` where no size lowers it, or where the large sizes are enough already.
    fn shrunk(
        &self,
        block: [u32; 3],
        enough: impl Fn(&Case) -> bool,
        measure: impl Fn(&Case) -> u64,
    ) -> Result<Option<Sizes>> {
        let case = |sizes: &Sizes| enumerate::case(self.source, self.raw, sizes, block);
        let mut sizes = self.large.clone();
        if enough(&case(&sizes)?) {
            return Ok(None);
        }
        loop {
            let now = measure(&case(&sizes)?);
            let mut best: Option<(u64, i64, Sizes)> = None;
            for i in 0..sizes.len() {
                let mut smaller = sizes.clone();
                smaller[i].1 /= 2;
                if smaller[i].1 < 1 {
                    continue;
                }
                let reached = measure(&case(&smaller)?);
                // Of equal gains the larger size gives way, which keeps square things square.
                let better =
                    |b: &(u64, i64, Sizes)| reached < b.0 || (reached == b.0 && sizes[i].1 > b.1);
                if reached < now && best.as_ref().is_none_or(better) {
                    best = Some((reached, sizes[i].1, smaller));
                }
            }
            let Some((_, _, smaller)) = best else {
                return Ok(None);
            };
            sizes = smaller;
            if enough(&case(&sizes)?) {
                return Ok(Some(sizes));
            }
        }
    }

    fn odd(&self) -> Sizes {
        let odd = |v: i64| if v < SMALL_SIZE { v } else { (v - v / 16) | 1 };
        self.large
            .iter()
            .map(|(n, v)| (n.clone(), odd(*v)))
            .collect()
    }

    pub(crate) fn row(&self, class: Class, sizes: &Sizes, block: [u32; 3]) -> Result<BenchRow> {
        let case = enumerate::case(self.source, self.raw, sizes, block)?;
        let scope = enumerate::scope(sizes, block);
        let amount = |value: &Option<Spanned<Value>>| -> Result<Option<u64>> {
            let Some(value) = value else { return Ok(None) };
            let amount = enumerate::eval(self.source, value, &scope)?;
            Ok(u64::try_from(amount).ok().filter(|a| *a > 0))
        };
        let blas = match &self.bench.blas {
            Some(blas) => Some(self.blas(blas, &case, &scope)?),
            None => None,
        };
        Ok(BenchRow {
            class,
            bytes: amount(&self.bench.bytes)?,
            flops: amount(&self.bench.flops)?,
            unit: self.unit(&case)?,
            case,
            blas,
        })
    }

    /// What `unit` says, else the widest floating-point type of any array, else 32-bit integers.
    fn unit(&self, case: &Case) -> Result<ElemType> {
        if let Some(unit) = &self.bench.unit {
            return self.source.at(unit, ElemType::parse(unit.get_ref()));
        }
        let has = |ty| case.buffers.iter().any(|b| b.ty == ty);
        Ok(match () {
            () if has(ElemType::F64) => ElemType::F64,
            () if has(ElemType::F32) || has(ElemType::F16) => ElemType::F32,
            () => ElemType::I32,
        })
    }

    fn blas(&self, blas: &Spanned<RawBlas>, case: &Case, scope: &Scope) -> Result<Blas> {
        let raw = blas.get_ref();
        let wrong = |message: String| self.source.error(blas.span().start, message);
        let mut buffers = [0; 3];
        for (slot, name) in buffers.iter_mut().zip([&raw.a, &raw.b, &raw.c]) {
            *slot = case
                .find_buffer(name)
                .ok_or_else(|| wrong(format!("`blas` names `{name}`, which is no array")))?;
        }
        let ty = case.buffers[buffers[2]].ty;
        if !matches!(ty, ElemType::F32 | ElemType::F64) {
            return Err(wrong(format!(
                "`blas` on {}, allowed are f32 and f64",
                ty.name()
            )));
        }
        let mut shape = [0; 3];
        for (slot, value) in shape.iter_mut().zip([&raw.m, &raw.n, &raw.k]) {
            let size = enumerate::eval(self.source, value, scope)?;
            *slot =
                u32::try_from(size).map_err(|_| wrong(format!("a size of `blas` is {size}")))?;
        }
        Ok(Blas {
            ty,
            buffers,
            shape,
            transposed: [raw.ta, raw.tb],
            alpha: raw.alpha,
            beta: raw.beta,
        })
    }
}

/// Bytes of all buffers.
pub(crate) fn bytes(case: &Case) -> u64 {
    case.buffers.iter().map(|b| b.bytes()).sum()
}

fn grid(case: &Case) -> u64 {
    case.grid.iter().map(|&g| u64::from(g)).product()
}
