//! Emission of hand-written plans over small kernels: what is emitted verifies, and looks as
//! `lower`'s files say. That it also computes the same bits is the oracle's business.

mod divergent;

use super::*;
use crate::affine::{Atom, Once, Poly, Sense};
use crate::kernel::{Dim, Kernel};
use crate::plan::{
    ActiveSet, Analyses, Bound, Dimension, Fact, Footprint, Member, Pitch, Plan, Region,
    ScalarReplacement, Storage, Strip, Test, Tile, TileDim, TileId, TilePlace, When,
};
use crate::tree::{Node, NodeId, Tree};
use crate::{access, affine, kernel, tree};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;

const PRELUDE: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
"#;

/// `c[tid.x] (+)= Σ_i a[i*n + tid.x] · a-independent`, one row of threads, guarded by `tid.x < m`.
const COLUMN: &str = r#"
define ptx_kernel void @k(ptr noalias readonly initializes((0, 4)) %a, ptr noalias %c, i32 %n, i32 %m)
    nosync memory(argmem: readwrite) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %tid, %m
  br i1 %in, label %pre, label %end
pre:
  %t64 = zext nneg i32 %tid to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %t64
  br label %loop
loop:
  %i = phi i32 [ 0, %pre ], [ %next, %loop ]
  %row = mul nsw i32 %i, %n
  %at = add nsw i32 %row, %tid
  %at64 = sext i32 %at to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %at64
  %x = load float, ptr %pa, align 4
  %old = load float, ptr %pc, align 4
  %sum = fadd float %old, %x
  store float %sum, ptr %pc, align 4
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
"#;

/// The text of the original's instructions, marks on loops left out.
fn body_of(kernel: &Kernel) -> Vec<String> {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let text = |v: Value| {
        let text = v.print();
        let stripped = text.split(", !llvm.loop").next();
        stripped.unwrap_or_default().to_string()
    };
    all.map(text).collect()
}

/// Lowers the plan that `plan` makes for the one kernel of `text`; returns the module's text.
fn lowered(text: &str, plan: impl FnOnce(&Analyses) -> Plan) -> String {
    let context = Context::create();
    let text = format!("{PRELUDE}{text}");
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
    let module = context
        .create_module_from_ir(buffer)
        .expect("the test's IR parses");
    let raw = Module::new(module.as_mut_ptr());
    let function = raw
        .functions()
        .into_iter()
        .find(|f| f.is_kernel())
        .expect("a kernel");
    let kernel = kernel::collect(function, 80, None);
    let tree = tree::structure(&kernel).expect("reducible");
    let accesses = access::collect(&kernel, &tree);
    let affine = affine::analyze(&kernel, &tree, &accesses);
    let once = Once::default();
    let analyses = Analyses {
        kernel: &kernel,
        tree: &tree,
        accesses: &accesses,
        affine: &affine,
        once: &once,
    };
    let plan = plan(&analyses);
    let before = body_of(&kernel);
    let done = emit(&analyses, &plan);
    raw.verify().expect("what was emitted verifies");
    let after = body_of(&kernel);
    assert_eq!(before, after, "the original body was edited");
    let text = module.print_to_string().to_string();
    let calls = text.matches("call void @llvm.nvvm.barrier").count()
        + text.matches("call i1 @llvm.nvvm.barrier").count();
    assert_eq!(calls as u32, done.barriers, "{text}");
    text
}

/// The node of the first loop.
fn first_loop(t: &Tree) -> NodeId {
    node_of(t, LoopId(0))
}

fn node_of(t: &Tree, l: LoopId) -> NodeId {
    let is_loop = |n: &Node| matches!(n, Node::Loop(x) if *x == l);
    NodeId(t.nodes.iter().position(is_loop).expect("a loop") as u32)
}

/// Columns of `a` by strips of 8 rows: cells 8 x 32.
fn column_tile(s: &Analyses) -> Tile {
    let load = &s.accesses.list[0];
    let array = load.array.expect("a known array");
    let row = Atom::Iter(LoopId(0));
    let m = s
        .affine
        .symbols
        .iter()
        .position(|y| s.kernel.value_name(y.value) == "m");
    let m = Poly::atom(Atom::Symbol(crate::affine::SymbolId(
        m.expect("m bounds tid.x") as u32,
    )));
    let (coefficients, rest) = s
        .affine
        .address(load.id)
        .expect("affine")
        .index
        .split(Atom::varies)
        .expect("affine");
    let bound = Bound {
        terms: vec![(Atom::Tid(Dim::X), 1)],
        sense: Sense::AtMost,
        limit: m.minus(&Poly::constant(1)),
    };
    let dim = |stride: Poly, atom, pitch, extent| TileDim {
        stride,
        terms: vec![(atom, 1)],
        low: 0,
        high: 0,
        pitch: Pitch::Const(pitch),
        extent,
    };
    Tile {
        id: TileId(0),
        footprint: Footprint {
            array,
            base: s.affine.base(array),
            size: 4,
            rest,
            dims: vec![
                dim(coefficients[&row].clone(), row, 32, Poly::constant(8)),
                dim(
                    Poly::constant(4),
                    Atom::Tid(Dim::X),
                    1,
                    Poly::atom(Atom::Ntid(Dim::X)),
                ),
            ],
            active: vec![ActiveSet {
                bounds: vec![bound],
                within: vec![],
                when: vec![],
                offsets: vec![vec![0, 0]],
            }],
        },
        members: vec![Member {
            access: load.id,
            offsets: vec![0, 0],
            byte: 0,
            is_store: false,
            reuse: None,
        }],
        clip_linear: false,
        zero_fill: false,
        write_back: Vec::new(),
        cells: 256,
        place: TilePlace::At(0),
        widths: Vec::new(),
    }
}

fn column_plan(s: &Analyses) -> Plan {
    let strip = Strip::waited(LoopId(0), 8);
    Plan {
        regions: vec![Region {
            stretch: None,
            node: first_loop(s.tree),
            strip: Some(strip),
            tiles: vec![column_tile(s)],
            barrier_before: false,
            barrier_after: false,
            whole_async: false,
        }],
        tests: vec![Test::Sound(Fact::InRange {
            poly: Poly::atom(Atom::Ntid(Dim::X)),
            lo: 1,
            hi: 32,
        })],
        shared_bytes: 1024,
        ..Plan::default()
    }
}

fn accumulator(s: &Analyses) -> ScalarReplacement {
    let ids = |k: usize| s.accesses.list[k].id;
    ScalarReplacement {
        loop_: LoopId(0),
        accesses: vec![ids(1), ids(2)],
        loads_first: true,
    }
}

/// How often `needle` occurs, the original body included.
fn count(text: &str, needle: &str) -> usize {
    text.matches(needle).count()
}

#[test]
fn strips_have_full_runs_and_a_rest() {
    let t = lowered(COLUMN, column_plan);
    assert_eq!(
        count(&t, "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"),
        3,
        "{t}"
    );
    assert_eq!(count(&t, "!\"llvm.loop.unroll.full\""), 1, "{t}");
    assert_eq!(count(&t, "load float, ptr addrspace(3)"), 2, "{t}");
    // Each run has a copy, a round of which moves up to four cells.
    assert_eq!(count(&t, "store i32 %"), 2 * 4, "{t}");
    assert!(t.contains("@mesi.tiles.k = internal unnamed_addr addrspace(3) global [1024 x i8]"));
    assert!(t.contains("!mesi.dispatch"), "{t}");
}

#[test]
fn promises_of_the_original_body_are_taken_back() {
    let t = lowered(COLUMN, column_plan);
    assert!(!t.contains("nosync memory"), "{t}");
    assert!(!t.contains("initializes"), "{t}");
    assert!(
        t.contains("convergent") && t.contains("\"mesi.staged\"=\"3\""),
        "{t}"
    );
}

#[test]
fn column_wise_copies_do_not_divide() {
    let t = lowered(COLUMN, column_plan);
    assert_eq!(count(&t, "udiv") + count(&t, "urem"), 0, "{t}");
}

#[test]
fn an_accumulator_lives_in_a_register() {
    let t = lowered(COLUMN, |s| Plan {
        storage: vec![Storage::Register(accumulator(s))],
        ..column_plan(s)
    });
    // Two loads and a store in the original body; one load before the staged loop, one store behind.
    assert_eq!(count(&t, "load float, ptr %"), 3, "{t}");
    assert_eq!(count(&t, "store float %"), 2, "{t}");
}

#[test]
fn a_whole_region_has_one_copy() {
    let t = lowered(COLUMN, |s| {
        let mut p = column_plan(s);
        p.regions[0].strip = None;
        p.regions[0].barrier_before = true;
        p.regions[0].tiles[0].footprint.dims[0].extent = Poly::atom(Atom::Trip(LoopId(0)));
        p
    });
    assert_eq!(count(&t, "load float, ptr addrspace(3)"), 1, "{t}");
    assert_eq!(count(&t, "store i32 %"), 4, "{t}");
    assert_eq!(
        count(&t, "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"),
        2,
        "{t}"
    );
}

#[test]
fn conditions_and_disjointness_are_tested_at_entry() {
    let t = lowered(COLUMN, |s| {
        let mut p = column_plan(s);
        let tile = &mut p.regions[0].tiles[0].footprint;
        let n = Poly::atom(Atom::Trip(LoopId(0)));
        tile.active[0]
            .when
            .push(When::NotNegative(n.minus(&Poly::constant(1))));
        let a = Footprint {
            array: tile.array,
            base: tile.base,
            rest: tile.rest.clone(),
            dims: tile
                .dims
                .iter()
                .map(|d| Dimension {
                    stride: d.stride.clone(),
                    terms: d.terms.clone(),
                })
                .collect(),
            active: tile.active.clone(),
            size: 4,
        };
        let store = s.accesses.list[2].array.expect("a known array");
        let b = Footprint {
            array: store,
            base: s.affine.base(store),
            rest: Poly::default(),
            dims: vec![Dimension::along(Atom::Tid(Dim::X), Poly::constant(4))],
            active: vec![ActiveSet::always(vec![vec![0]])],
            size: 4,
        };
        p.require([Fact::Disjoint { a, b }]);
        p
    });
    assert!(
        t.contains("ptrtoint ptr %a to i64") && t.contains("ptrtoint ptr %c to i64"),
        "{t}"
    );
}
