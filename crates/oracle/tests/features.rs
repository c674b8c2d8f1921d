//! What device IR may contain, run and compared with results computed here. The IR is clang's, made from the `.cu`
//! files beside it (`-O3`, sm_80), so that no toolkit is needed to run the tests.

mod common;

use common::{case, defects, floats, ints};
use mesi_launch::{Arg, Buffer, Case, ElemType, Fill};
use mesi_oracle::{Checks, Kernel, Outcome, Program, Schedule};

/// Runs one of the files under every schedule and both with and without checks; all must agree and be clean.
fn run_clean(file: &str, case: &Case) -> Outcome {
    let path = format!("{}/tests/ir/{file}.ll", env!("CARGO_MANIFEST_DIR"));
    let mut program = Program::load(path, Kernel::Only).expect("the file loads");
    let outcomes = program
        .run_all(case, &Schedule::ALL, Checks::Full)
        .expect("the kernel runs");
    for (outcome, schedule) in outcomes.iter().zip(Schedule::ALL) {
        assert_eq!(defects(outcome), [], "{schedule:?}: {}", outcome.reports[0]);
        assert!(outcome.notes.is_empty());
    }
    let fast = program
        .run(case, Schedule::Forward, Checks::None)
        .expect("the kernel runs");
    assert_eq!(fast.buffers, outcomes[0].buffers, "checks change results");
    outcomes.into_iter().next().expect("there are schedules")
}

#[test]
fn warp_primitives() {
    let out = ints(&run_clean("warp", &case("1", "64", 0, &["buf:i32:768"])), 0);
    for (thread, o) in out.chunks(12).enumerate() {
        let lane = thread as i32 % 32;
        assert_eq!(o[0], 31 * 32 / 2);
        assert_eq!(o[1], if lane < 3 { lane } else { lane - 3 });
        assert_eq!(o[2], if lane % 8 + 5 < 8 { lane + 5 } else { lane });
        assert_eq!(o[3], lane * 7 % 32);
        assert_eq!(
            o[4],
            (0..32).filter(|l| l % 3 == 0).fold(0, |m, l| m | 1 << l)
        );
        assert_eq!(o[5], 1);
        assert_eq!(o[6] as u32, 0xff << (lane / 8 * 8));
        assert_eq!(o[7], 0);
        assert_eq!(o[8], 31 * 32 / 2);
        assert_eq!(o[9], if lane < 10 { 0x3ff } else { -1 });
        assert_eq!(o[10], lane ^ 1);
        assert_eq!(o[11], if lane < 16 { 2 } else { 18 });
    }
}

#[test]
fn reducing_barriers_structs_constants_and_three_dimensions() {
    let buffer = |name: &str, ty, count, fill| Buffer {
        name: name.into(),
        ty,
        count,
        fill,
        output: true,
    };
    let scalar = |ty, bytes: &[u8]| Arg::Scalar {
        name: String::new(),
        ty,
        bytes: bytes.to_vec(),
    };
    let pointer = |name: &str, buffer| Arg::Pointer {
        name: name.into(),
        buffer,
        offset: 0,
    };
    let shape = Arg::Struct {
        name: "s".into(),
        size: 24,
        align: 8,
        fields: vec![
            (0, scalar(ElemType::I32, &5_i32.to_le_bytes())),
            (4, scalar(ElemType::I32, &7_i32.to_le_bytes())),
            (8, pointer("s.data", 0)),
            (16, scalar(ElemType::F64, &2.0_f64.to_le_bytes())),
        ],
    };
    let mut case = case("2,2,2", "4,4,4", 256, &[]);
    case.buffers = vec![
        buffer("s.data", ElemType::F32, 35, Fill::Iota),
        buffer("out", ElemType::I32, 512, Fill::Zero),
    ];
    case.args = vec![shape, pointer("out", 1)];
    let outcome = run_clean("barriers", &case);
    for (i, value) in ints(&outcome, 1).into_iter().enumerate() {
        let (b, mirror) = (i / 64, 63 - i % 64);
        let v = ((b * 64 + mirror) % 35) * (mirror % 4 + 1) * 2 + mirror * b;
        assert_eq!(value, v as i32 * 1000 + 32 * 10 + 2, "element {i}");
    }
    // __device__ counters come after the arguments.
    assert_eq!(ints(&outcome, 2), [512, 511]);
}

#[test]
fn libdevice() {
    let outcome = run_clean(
        "math",
        &case(
            "1",
            "32",
            0,
            &["buf:f64:20:uniform(0,3)", "buf:f64:320", "i32:20"],
        ),
    );
    let doubles = |n: usize| -> Vec<f64> {
        outcome.buffers[n]
            .bytes
            .chunks(8)
            .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
            .collect()
    };
    for (v, o) in doubles(0).into_iter().zip(doubles(1).chunks(16)) {
        let f = v as f32;
        let exact = [v.exp(), v.ln(), (v * 1e6).sin(), v.powf(1.7)];
        for (got, want) in o.iter().zip(exact) {
            assert!(
                (got - want).abs() <= 4e-15 * want.abs().max(1e-3),
                "{got} {want} of {v}"
            );
        }
        let f64_of = f64::from(f);
        let single = [
            f64_of.exp(),
            f64_of.ln(),
            f64::from(f * 1e6).sin(),
            f64_of.powf(1.7),
            f64_of.tanh(),
            1.0 / f64_of.sqrt(),
        ];
        for (got, want) in o[4..].iter().zip(single) {
            assert!(
                (got - want).abs() <= 4e-6 * want.abs().max(1e-1),
                "{got} {want} of {f}"
            );
        }
        assert!((o[11] - v.cbrt()).abs() < 1e-14);
        assert_eq!(
            o[12..16],
            [
                v.min(1.5),
                f64::from(f.max(1.5)),
                v.round_ties_even(),
                (-v).floor()
            ]
        );
    }
}

#[test]
fn widths_vectors_halves_and_atomics() {
    let args = [
        "buf:u8:256:uniform(0,255)",
        "buf:i16:64:uniform(-99,255)",
        "buf:i64:64:uniform(-99,255)",
        "buf:f16:64:uniform(-1,1)",
        "buf:f32:256",
        "buf:i32:68",
        "buf:f32:1",
        "buf:f64:1",
    ];
    let outcome = run_clean("types", &case("1", "64", 0, &args));
    let bytes = |n: usize, i: usize, size: usize| &outcome.buffers[n].bytes[i * size..][..size];
    for t in 0..64 {
        let q = bytes(0, t, 4);
        let (s, l) = (
            i16::from_le_bytes(bytes(1, t, 2).try_into().unwrap()),
            i64::from_le_bytes(bytes(2, t, 8).try_into().unwrap()),
        );
        let r = l * i64::from(q[0]) + i64::from(s) + i64::from(q[3] as i8);
        assert_eq!(
            floats(&outcome, 4)[4 * t + 2..4 * t + 4],
            [(r % 1000) as f32, r.count_ones() as f32]
        );
        let t32 = t as u32;
        let permuted = (t32 & 0xffff) | 0x0304 << 16;
        let expected = (r >> 3) as u32
            ^ permuted
            ^ t32.leading_zeros()
            ^ t32.reverse_bits()
            ^ (if t == 0 { 0 } else { t32.trailing_zeros() + 1 });
        let high = ((u64::from(t32) * (1 << 20)) >> 32) as u32;
        assert_eq!(ints(&outcome, 5)[t] as u32, expected ^ high, "thread {t}");
        let h = u16::from_le_bytes(bytes(3, t, 2).try_into().unwrap());
        let sum = floats(&outcome, 4)[4 * t + 1];
        assert_eq!(sum.to_bits() == 0, h & 0x7fff == 0);
    }
    assert_eq!(ints(&outcome, 5)[64..], [-63, 7, 4, 3]);
    assert_eq!(floats(&outcome, 6), [64.0]);
    assert_eq!(outcome.buffers[7].bytes, 16.0_f64.to_le_bytes());
}

#[test]
fn asynchronous_copies_as_the_cuda_header_writes_them() {
    let outcome = run_clean(
        "async",
        &case("1", "64", 0, &["buf:f32:150:iota", "buf:f32:64", "i32:150"]),
    );
    let expected: Vec<f32> = (1..=64).map(|t| (149 * 150 / 2 * t) as f32).collect();
    assert_eq!(floats(&outcome, 1), expected);
}

#[test]
fn counts_of_a_strided_read() {
    let text = common::module(
        r#"define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %s = mul i64 %x, 8
  %p = getelementptr i32, ptr %in, i64 %s
  %q = getelementptr i32, ptr %out, i64 %x
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %next ]
  %odd = and i32 %t, 1
  %turn = and i32 %k, 1
  %mine = icmp eq i32 %odd, %turn
  br i1 %mine, label %read, label %next
read:
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  br label %next
next:
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}"#,
    );
    let mut program = Program::parse("test.ll", text.as_bytes(), Kernel::Only).unwrap();
    let case = case("2", "64", 0, &["buf:i32:512:iota", "buf:i32:64"]);
    let counts = program
        .run(&case, Schedule::Forward, Checks::Counts)
        .unwrap()
        .counts
        .unwrap();
    let input = &counts.arrays[0];
    // 2 blocks x 2 warps x 4 iterations, each with the 16 lanes whose turn it is: not 2 iterations with 32.
    assert_eq!(
        (input.loads, input.load_sectors, input.read_bytes),
        (16, 16 * 16, 64 * 32)
    );
    let output = &counts.arrays[1];
    assert_eq!(
        (output.stores, output.store_sectors, output.written_bytes),
        (16, 16 * 4, 64 * 4)
    );
    let loads = counts.instructions.iter().find(|c| c.0 == "load").unwrap();
    assert_eq!(loads.1, 2 * 64 * 2);
}

#[test]
fn multiply_adds_fuse_only_if_asked() {
    let text = common::module(
        r#"define ptx_kernel void @k(ptr %p) {
  %a = load float, ptr %p, align 4
  %m = fmul contract float %a, %a
  %s = fadd contract float %m, 0xBFF0000040000000
  %q = getelementptr float, ptr %p, i64 1
  store float %s, ptr %q, align 4
  ret void
}"#,
    );
    let mut program = Program::parse("test.ll", text.as_bytes(), Kernel::Only).unwrap();
    let a = 1.0 + f32::EPSILON;
    let case = case("1", "1", 0, &["buf:f32:2:const(1.00000011920928955078125)"]);
    let mut run = |fuse: bool, checks| {
        program.set_fuse(fuse);
        floats(&program.run(&case, Schedule::Forward, checks).unwrap(), 0)
    };
    // a * a rounds to 1 + 2 EPSILON; only the fused form keeps the square of EPSILON.
    let c = -(1.0 + 2.0 * f32::EPSILON);
    assert_ne!(a * a + c, a.mul_add(a, c));
    for checks in [Checks::None, Checks::Full] {
        assert_eq!(run(false, checks), [a, a * a + c]);
        if is_x86_feature_detected!("fma") {
            assert_eq!(run(true, checks), [a, a.mul_add(a, c)]);
        }
    }
}

#[test]
fn masked_vectors_touch_only_enabled_lanes() {
    let text = common::module(
        r#"define ptx_kernel void @k(ptr %in, ptr %out) {
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %in, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> <i32 7, i32 8, i32 9, i32 10>)
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %out, <4 x i1> <i1 1, i1 1, i1 1, i1 0>)
  ret void
}
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)"#,
    );
    let mut program = Program::parse("test.ll", text.as_bytes(), Kernel::Only).unwrap();
    let case = case("1", "1", 0, &["buf:i32:3:iota", "buf:i32:3"]);
    for checks in [Checks::None, Checks::Full] {
        let outcome = program.run(&case, Schedule::Forward, checks).unwrap();
        assert_eq!(
            (defects(&outcome), ints(&outcome, 1)),
            (vec![], vec![0, 8, 2])
        );
    }
}

#[test]
fn a_product_of_128_is_fast_enough() {
    let text = common::module(
        r#"define ptx_kernel void @k(ptr %a, ptr %b, ptr %c) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %j = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = mul i32 %i, 128
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %next, %loop ]
  %ia = add i32 %row, %k
  %kb = mul i32 %k, 128
  %ib = add i32 %kb, %j
  %xa = zext i32 %ia to i64
  %xb = zext i32 %ib to i64
  %pa = getelementptr float, ptr %a, i64 %xa
  %pb = getelementptr float, ptr %b, i64 %xb
  %va = load float, ptr %pa, align 4
  %vb = load float, ptr %pb, align 4
  %m = fmul float %va, %vb
  %next = fadd float %sum, %m
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 128
  br i1 %more, label %loop, label %end
end:
  %ic = add i32 %row, %j
  %xc = zext i32 %ic to i64
  %pc = getelementptr float, ptr %c, i64 %xc
  store float %next, ptr %pc, align 4
  ret void
}"#,
    );
    let mut program = Program::parse("test.ll", text.as_bytes(), Kernel::Only).unwrap();
    let case = case(
        "128",
        "128",
        0,
        &[
            "buf:f32:16384:uniform(-1,1)",
            "buf:f32:16384:iota",
            "buf:f32:16384",
        ],
    );
    let mut seconds = |checks| {
        let start = std::time::Instant::now();
        let outcome = program.run(&case, Schedule::Forward, checks).unwrap();
        assert_eq!(defects(&outcome), []);
        start.elapsed().as_secs_f64()
    };
    // Measured 0.02 s and 0.1 s when optimised; the limits are the project's promise, also unoptimised.
    assert!(seconds(Checks::None) < 1.0);
    assert!(seconds(Checks::Full) < 10.0);
}
