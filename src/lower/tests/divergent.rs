//! Loops that threads leave at different times.

use super::*;

/// Threads leave the outer loop at different times; the inner one reads `a[0 .. n]`.
const DIVERGENT: &str = r#"
define ptx_kernel void @k(ptr noalias readonly %a, ptr noalias %c, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %outer
outer:
  %i = phi i32 [ %tid, %entry ], [ %inext, %olatch ]
  %in = icmp slt i32 %i, %m
  br i1 %in, label %loop, label %end
loop:
  %j = phi i32 [ 0, %outer ], [ %jnext, %loop ]
  %s = phi float [ 0.0, %outer ], [ %sum, %loop ]
  %j64 = zext nneg i32 %j to i64
  %pa = getelementptr inbounds float, ptr %a, i64 %j64
  %x = load float, ptr %pa, align 4
  %sum = fadd float %s, %x
  %jnext = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %jnext, %n
  br i1 %again, label %loop, label %olatch
olatch:
  %i64 = sext i32 %i to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %i64
  store float %s, ptr %pc, align 4
  %inext = add nsw i32 %i, %ntid
  br label %outer
end:
  ret void
}
"#;

/// `a` for the inner loop of [`DIVERGENT`], whole or by strips.
fn inner_plan(s: &Analyses, strip: Option<Strip>) -> Plan {
    let load = &s.accesses.list[0];
    let array = load.array.expect("a known array");
    let tile = Tile {
        id: TileId(0),
        footprint: Footprint {
            array,
            base: s.affine.base(array),
            size: 4,
            rest: Poly::default(),
            dims: vec![TileDim {
                stride: Poly::constant(4),
                terms: vec![(Atom::Iter(LoopId(1)), 1)],
                low: 0,
                high: 0,
                pitch: Pitch::Const(1),
                extent: Poly::atom(Atom::Trip(LoopId(1))),
            }],
            active: vec![ActiveSet::always(vec![vec![0]])],
        },
        members: vec![Member {
            access: load.id,
            offsets: vec![0],
            byte: 0,
            is_store: false,
            reuse: None,
        }],
        clip_linear: false,
        zero_fill: false,
        write_back: Default::default(),
        cells: 1024,
        place: TilePlace::At(0),
        widths: Vec::new(),
    };
    let node = node_of(s.tree, LoopId(1));
    Plan {
        regions: vec![Region {
            stretch: None,
            node,
            strip,
            tiles: vec![tile],
            barrier_before: false,
            barrier_after: false,
            whole_async: false,
        }],
        shared_bytes: 4096,
        ..Plan::default()
    }
}

#[test]
fn a_loop_left_at_different_times_runs_until_no_thread_is_left() {
    let t = lowered(DIVERGENT, |s| inner_plan(s, None));
    assert_eq!(
        count(
            &t,
            "call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %"
        ),
        1,
        "{t}"
    );
    // One before the use and one behind it, as the next iteration copies again.
    assert_eq!(
        count(
            &t,
            "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        ),
        2,
        "{t}"
    );
}

#[test]
fn code_behind_a_loop_reads_the_phi_of_the_last_iteration() {
    // `%s`, which lags one iteration behind `%sum`, is stored behind the loop.
    let strip = Strip::waited(LoopId(1), 4);
    let t = lowered(DIVERGENT, |s| inner_plan(s, Some(strip)));
    let stored = t
        .lines()
        .filter(|l| l.trim_start().starts_with("store float %"))
        .filter_map(|l| l.split_whitespace().nth(2))
        .find(|v| *v != "%s,")
        .expect("the staged body stores")
        .trim_end_matches(',');
    let is_sum = |l: &str| l.trim_start().starts_with(&format!("{stored} = fadd"));
    assert!(!t.lines().any(is_sum), "{t}");
}

#[test]
fn elements_a_set_surely_stores_are_copied_back() {
    let t = lowered(DIVERGENT, |s| {
        let mut p = inner_plan(s, None);
        let set = p.regions[0].tiles[0].footprint.active[0].clone();
        p.regions[0].tiles[0].write_back = [set].into_iter().collect();
        p
    });
    assert!(count(&t, "load i32, ptr addrspace(3)") > 0, "{t}");
    assert_eq!(
        count(
            &t,
            "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        ),
        3,
        "{t}"
    );
}
