//! Whole headers: the launches they give, and the one line each malformed one gives.

use mesi_launch::{Arg, Class, Corpus, ElemType, Size};

const GOOD: &str = r#"// Moving average over 2r+1 elements.
// Second sentence.
//
// ```toml
// kernel = "mavg"
// [sizes]
// n = { small = [1000, 0], large = 16777216 }
// r = { small = [5, 3], large = 64 }
// [launch]
// blocks = [[256,1,1],[33,1,1]]
// grid = ["(n + bx - 1) / bx", "1", 1]
// shared = "4 * bx"
// [[arg]]
// name = "x"
// type = "f32"
// count = "n"
// fill = "uniform(-1,1)"
// [[arg]]
// name = "y"
// type = "f32"
// count = "n"
// output = true
// [[arg]]
// name = "n"
// type = "i32"
// value = "n"
// [[arg]]
// name = "A"
// fields = [{type="i8",value="r"}, {type="f64",count="2*n",fill="iota",name="A.data"}, {type="f16",value=0.5}]
// [[global]]
// name = "table"
// type = "u8"
// count = 16
// fill = "index(16)"
// [[alias]]
// arg = "y"
// of = "x"
// offset = "1"
// [expect]
// x = "staged"
// ```
__global__ void mavg() {}
"#;

#[test]
fn lists_every_launch() {
    let corpus = Corpus::parse("mavg.cu", GOOD).unwrap();
    assert_eq!(
        corpus.title,
        "Moving average over 2r+1 elements. Second sentence."
    );
    let small = corpus.cases(Size::Small);
    assert_eq!(small.len(), 2 * 2 * 2);
    assert_eq!(small[0].label, "n=1000,r=5 block=256x1x1");
    assert_eq!((small[0].grid, small[0].shared), ([4, 1, 1], 1024));
    let empty = &small[4];
    assert_eq!(
        (empty.grid, empty.buffers[0].count),
        ([1, 1, 1], 0),
        "a grid of 0 is raised to 1"
    );
    assert_eq!(corpus.cases(Size::Large).len(), 1);
    assert_eq!(corpus.expect["x"], "staged");
}

#[test]
fn alias_variant_shares_one_grown_buffer() {
    let case = &Corpus::parse("mavg.cu", GOOD).unwrap().cases(Size::Small)[1];
    assert!(case.label.ends_with("alias=y->x+1"), "{}", case.label);
    assert_eq!(case.buffers[0].count, 1001);
    assert!(case.buffers[0].output && case.buffers.iter().all(|b| b.name != "y"));
    assert!(matches!(&case.args[1], Arg::Pointer { buffer: 0, offset: 4, name } if name == "y"));
    assert_eq!(case.buffers[case.globals[0].buffer].name, "table");
}

#[test]
fn structs_have_c_layout() {
    let case = &Corpus::parse("mavg.cu", GOOD).unwrap().cases(Size::Small)[0];
    let Arg::Struct {
        size,
        align,
        fields,
        ..
    } = &case.args[3]
    else {
        panic!("a struct")
    };
    assert_eq!((*size, *align), (24, 8));
    assert_eq!(
        fields.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
        [0, 8, 16]
    );
    let bytes = case.args[3].bytes(&|buffer| 0x1000 * buffer as u64);
    assert_eq!(
        (bytes[0], bytes[9], bytes[16..18].to_vec()),
        (5, 0x20, vec![0x00, 0x38])
    );
}

#[test]
fn names_plain_mangled_and_template() {
    let corpus = Corpus::parse("mavg.cu", GOOD).unwrap();
    assert!(
        corpus.names("mavg") && corpus.names("_Z4mavgPKfPfi") && corpus.names("_Z4mavgILi3EEvPf")
    );
    assert!(!corpus.names("_Z5mavg2Pf") && !corpus.names("mavg2"));
    assert!(!corpus.names("_Z4mavgPKfPfi$mesi$0") && !corpus.names("mavg$mesi$1"));
}

/// Replaces `from` in the good header, and expects exactly this message.
fn rejects(from: &str, to: &str, message: &str) {
    assert!(GOOD.contains(from), "{from}");
    let error = Corpus::parse("mavg.cu", &GOOD.replacen(from, to, 1))
        .expect_err(message)
        .to_string();
    assert!(error.starts_with("mavg.cu:"), "{error}");
    assert!(error.contains(message), "`{error}` lacks `{message}`");
    assert!(!error.contains('\n'), "one line: {error}");
}

#[test]
fn malformed_headers_give_file_line_and_what_is_allowed() {
    rejects("// ```toml", "//", ":1: no launch header");
    rejects(
        "// ```\n__",
        "// \n__",
        ":4: the ```toml block is not closed",
    );
    rejects(
        "kernel = \"mavg\"",
        "kernl = \"mavg\"",
        ":5: unknown field `kernl`, expected one of `kernel`",
    );
    rejects(
        "small = [1000, 0]",
        "small = [1000]",
        ":8: `small` of `r` has 2 values, others have 1",
    );
    rejects("r = {", "bx = {", ":8: `bx` is taken");
    rejects(
        "[33,1,1]",
        "[2048,1,1]",
        ":10: block [2048, 1, 1] cannot be launched",
    );
    rejects(
        "(n + bx - 1) / bx",
        "(m + bx - 1) / bx",
        ":11: unknown name `m`",
    );
    rejects("(n + bx - 1) / bx", "n + * bx", ":11: `*` at column 5");
    rejects("4 * bx", "4000 * bx", ":12: `shared` is 1024000 bytes");
    rejects(
        "type = \"f32\"",
        "type = \"float\"",
        ":15: unknown type `float`, allowed are f16 f32",
    );
    rejects("count = \"n\"", "count = \"n - 5\"", ":16: `count` is -5");
    rejects(
        "uniform(-1,1)",
        "normal(0,1)",
        ":17: unknown fill `normal(0,1)`, allowed are uniform(a,b)",
    );
    rejects("value = \"n\"", "value = true", ":26: boolean found");
    rejects("value = \"n\"", "valu = \"n\"", "unknown field `valu`");
    rejects(
        "value = \"n\"",
        "count = 1\n// value = 2",
        "either `count` (a buffer) or `value` (a scalar)",
    );
    rejects(
        "of = \"x\"",
        "of = \"z\"",
        ":37: [[alias]] names `z`, the array arguments are x, y, A.data",
    );
    rejects(
        "x = \"staged\"",
        "q = \"staged\"",
        ":40: [expect] names `q`, the arrays are x, y, A.data, table",
    );
    rejects("name = \"y\"", "name = \"x\"", "two arrays are called `x`");
}

const PRODUCT: &str = r#"// Product.
// ```toml
// kernel = "mm"
// arg = [
//   { name = "A", type = "f32", count = "m*k" },
//   { name = "B", type = "f32", count = "k*n" },
//   { name = "C", type = "f32", count = "m*n", output = true },
// ]
// [sizes]
// m = { small = [3], large = 2048 }
// n = { small = [3], large = 2048 }
// k = { small = [3], large = 2048 }
// [launch]
// blocks = [[16,16,1],[32,8,1],[7,5,1]]
// grid = ["(n + bx - 1) / bx", "(m + by - 1) / by", "1"]
// ```
__global__ void mm() {}
"#;

const BENCH: &str = r#"// [bench]
// bytes = "4*(m*k + k*n + m*n)"
// flops = "2*m*n*k"
// blas = { a = "A", b = "B", c = "C", m = "m", n = "n", k = "k", tb = true }
// rows = [
//   { class = "large", at = { m = 4096 }, blocks = [[8, 8, 1], [32, 32, 1]] },
//   { class = "odd", at = { m = 1023, n = 1000 } },
// ]
// ```
__"#;

fn labels(corpus: &Corpus, class: Class) -> Vec<String> {
    let rows = corpus.bench_rows().iter().filter(|r| r.class == class);
    rows.map(|r| r.case.label.clone()).collect()
}

#[test]
fn bench_rows_follow_from_the_sizes() {
    let corpus = Corpus::parse("mm.cu", PRODUCT).unwrap();
    assert_eq!(
        labels(&corpus, Class::Large),
        [
            "k=2048,m=2048,n=2048 block=16x16x1",
            "k=2048,m=2048,n=2048 block=32x8x1"
        ]
    );
    assert_eq!(
        labels(&corpus, Class::L2),
        ["k=1024,m=1024,n=1024 block=16x16x1"]
    );
    assert_eq!(
        labels(&corpus, Class::Odd),
        ["k=1921,m=1921,n=1921 block=16x16x1"]
    );
    // k does not make the grid smaller, so it stays.
    assert_eq!(
        labels(&corpus, Class::Grid),
        ["k=2048,m=64,n=64 block=16x16x1"]
    );
    let row = &corpus.bench_rows()[0];
    assert_eq!(
        (row.bytes, row.flops, row.unit),
        (None, None, ElemType::F32)
    );
    assert!(row.blas.is_none());
}

#[test]
fn drawn_rows_are_the_same_for_a_seed() {
    let corpus = Corpus::parse("mm.cu", PRODUCT).unwrap();
    let rows = corpus.drawn_rows(7, 20).unwrap();
    assert_eq!(rows, corpus.drawn_rows(7, 20).unwrap());
    assert_ne!(rows, corpus.drawn_rows(8, 20).unwrap());
    assert!(rows.len() > 10 && rows.iter().all(|r| r.class == Class::Drawn));
    let sizes = rows.iter().flat_map(|r| &r.case.sizes);
    assert!(sizes.into_iter().all(|(_, v)| (16..=2048).contains(v)));
}

#[test]
fn listed_rows_replace_those_of_their_class() {
    let text = PRODUCT.replacen("// ```\n__", BENCH, 1);
    let corpus = Corpus::parse("mm.cu", &text).unwrap();
    assert_eq!(
        labels(&corpus, Class::Large),
        [
            "k=2048,m=4096,n=2048 block=8x8x1",
            "k=2048,m=4096,n=2048 block=32x32x1"
        ]
    );
    assert_eq!(
        labels(&corpus, Class::Odd),
        ["k=2048,m=1023,n=1000 block=16x16x1"]
    );
    assert_eq!(labels(&corpus, Class::Grid).len(), 1);
    let row = &corpus.bench_rows()[0];
    assert_eq!(row.flops, Some(2 * 4096 * 2048 * 2048));
    assert_eq!(
        row.bytes,
        Some(4 * (4096 * 2048 + 2048 * 2048 + 4096 * 2048))
    );
    let blas = row.blas.as_ref().unwrap();
    assert_eq!(
        (blas.shape, blas.transposed),
        ([4096, 2048, 2048], [false, true])
    );
    assert_eq!((blas.buffers, blas.alpha, blas.beta), ([0, 1, 2], 1.0, 0.0));
}

#[test]
fn malformed_bench_tables_say_what_is_allowed() {
    let text = PRODUCT.replacen("// ```\n__", BENCH, 1);
    for (from, to, message) in [
        (
            "class = \"odd\"",
            "class = \"huge\"",
            ":22: unknown class `huge`, allowed are large l2 odd grid",
        ),
        (
            "at = { m = 4096 }",
            "at = { q = 4096 }",
            ":21: `at` names `q`, the sizes are k, m, n",
        ),
        (
            "[[8, 8, 1],",
            "[[64, 64, 1],",
            ":21: block [64, 64, 1] cannot be launched",
        ),
        ("2*m*n*k", "2*m*n*z", ":18: unknown name `z`"),
        (
            "a = \"A\"",
            "a = \"Z\"",
            ":19: `blas` names `Z`, which is no array",
        ),
        ("bytes =", "byte =", "unknown field `byte`"),
    ] {
        assert!(text.contains(from), "{from}");
        let error = Corpus::parse("mm.cu", &text.replacen(from, to, 1)).expect_err(message);
        assert!(
            error.to_string().contains(message),
            "`{error}` lacks `{message}`"
        );
    }
}
