//! Products, walks along rows and columns, scans, distances, transposes.

use mesi_launch::ElemType::*;

use super::types::{element, rate};
use crate::draft::Array;
use crate::draft::{Draft, Param, cpp, fill, indent, usual};
use crate::random::Random;
use crate::style::Style;

/// What is done with `$a` and `$b` for the sum `$s`: floating point.
const REAL: &[(u32, &str)] = &[
    (8, "$s += $a * $b;"),
    (2, "if ($a > $b)\n    $s += $a * $b;\nelse\n    $s -= $b;"),
    (1, "if ($a != 0)\n    $s += $a * $b;"),
    (1, "$s += ($a - $b) * ($a - $b);"),
    (1, "$s = $s > $a + $b ? $s : $a + $b;"),
    (1, "$s += $a > 0 ? $a * $b : $b / 8;"),
];
/// The same for integers.
const WHOLE: &[(u32, &str)] = &[
    (6, "$s += $a * $b;"),
    (1, "$s += ($a ^ $b) & 15;"),
    (1, "if ($a & 1)\n    $s += $b;"),
    (1, "$s += $a == $b;"),
    (1, "if ($a > $b)\n    $s += $a - $b;"),
    (1, "$s = $s > $a ? $s : $a + $b;"),
];

/// C = op(A, B) summed over k, in all layouts.
pub fn product(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    let batched = random.chance(15);
    let (ta, tb) = (random.chance(25), random.chance(30));
    d.title = "A product of two matrices, or what looks like one.".into();
    d.scaled("m", [37, 16, 1], 512.0, 1.0);
    d.scaled("n", [29, 16, 40], 512.0, 1.0);
    d.scaled("k", [53, 64, 3], 512.0, 1.0);
    let (batch, z) = if batched {
        ("b*", "z * m * n + ")
    } else {
        ("", "")
    };
    if batched {
        d.choice("b", [2, 1, 3], &[2, 3, 5, 8, 16]);
    }
    let by_value = !batched && random.chance(12);
    let counts = [
        format!("{batch}m*k"),
        format!("{batch}k*n"),
        format!("{batch}m*n"),
    ];
    let names = if by_value {
        ["A.data", "B.data", "C.data"]
    } else {
        ["A", "B", "C"]
    };
    matrices(d, by_value, [ty, ty, sum], &counts);
    if by_value {
        d.value("k", I32, "k");
    }
    style.values(
        d,
        if by_value {
            &["m", "n"]
        } else {
            &["m", "n", "k"]
        },
    );
    if batched {
        style.values(d, &["b"]);
    }
    let a = if ta {
        "$A[$za($i) * m + row]"
    } else {
        "$A[$zarow * k + $i]"
    };
    let b = if tb {
        "$B[$zbcol * k + $i]"
    } else {
        "$B[$zb($i) * n + col]"
    };
    let (za, zb) = if batched {
        ("z * m * k + ", "z * k * n + ")
    } else {
        ("", "")
    };
    let step = random.weighted(if ty.is_float() { REAL } else { WHOLE });
    let unroll = random.weighted(&[(6, 1), (2, 2), (2, 4), (1, 8)]);
    let one = |i: &str| {
        let mut text = format!("{{ $S a = {a}, b = {b};\n").replace("$i", i);
        text += &indent(&step.replace("$a", "a").replace("$b", "b"), 2);
        text + " }\n"
    };
    let (from, to) = random.weighted(&[
        (10, ("0", "k")),
        (1, ("0", "min((int)k, (int)row + 1)")),
        (1, ("(int)col < (int)k ? col : k", "k")),
    ]);
    let all: String = (0..unroll).map(|u| one(&format!("i + {u}"))).collect();
    let pragma = random.weighted(&[(6, ""), (1, "#pragma unroll 4\n"), (1, "#pragma unroll\n")]);
    let loops = match unroll {
        1 => format!(
            "{pragma}for ($T i = $from; i < $to; i++)\n{}",
            indent(&one("i"), 4)
        ),
        _ => format!(
            "$T i = $from;\nfor (; i + {unroll} <= $to; i += {unroll}) {{\n{}\n}}\nfor (; i < $to; i++)\n{}",
            indent(&all, 4),
            indent(&one("i"), 4)
        ),
    };
    let end = random.weighted(&[
        (6, "$C[$at] = s;"),
        (1, "$C[$at] += s;"),
        (1, "$C[$at] = s > 0 ? s : 0;"),
        (1, "$C[$at] = s * 2 + $C[$at] * 3;"),
    ]);
    let ids = if matches!(style.id, U32 | U64) {
        "int"
    } else {
        cpp(style.id)
    };
    let text = format!("$S s = 0;\n{loops}\n{end}");
    let at = format!("{z}row * n + col");
    let body = fill(
        &text,
        &[
            ("S", cpp(sum)),
            ("s", "s"),
            ("T", ids),
            ("A", names[0]),
            ("B", names[1]),
            ("C", names[2]),
            ("za", za),
            ("zb", zb),
            ("from", from),
            ("to", to),
            ("at", &at),
        ],
    );
    let work = format!("{batch}m*n*k");
    d.costs(
        &work,
        rate(ty, !style.is_swapped() && !tb),
        &format!("4*({} + {} + {})", counts[0], counts[1], counts[2]),
        "k",
    );
    match batched {
        true => style.three(random, d, ("col", "n"), ("row", "m"), ("z", "b"), &body),
        false => style.two(random, d, ("col", "n"), ("row", "m"), &body),
    }
}

/// Three arrays, as pointers or as structs with a width.
fn matrices(
    d: &mut Draft,
    by_value: bool,
    types: [mesi_launch::ElemType; 3],
    counts: &[String; 3],
) {
    for (i, name) in ["A", "B", "C"].into_iter().enumerate() {
        if !by_value {
            match i {
                2 => d.both(name, types[i], &counts[i]),
                _ => d.input(name, types[i], &counts[i]),
            }
            continue;
        }
        let array = Array {
            name: format!("{name}.data"),
            ty: types[i],
            cpp: cpp(types[i]).into(),
            count: counts[i].clone(),
            fill: usual(types[i]).into(),
            written: i == 2,
        };
        let width = Param::Scalar {
            name: format!("{name}.width"),
            ty: I32,
            value: if i == 0 { "k" } else { "n" }.into(),
        };
        d.before += &format!(
            "struct Matrix{name} {{\n    int width;\n    {} *data;\n}};\n",
            cpp(types[i])
        );
        d.params.push(Param::Struct {
            name: name.into(),
            cpp: format!("Matrix{name}"),
            fields: vec![width, Param::Array(array)],
        });
    }
}

/// One thread a row: sums, extremes, dot products, counts.
pub fn row(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    d.title = "Each thread walks along a row.".into();
    d.scaled("m", [70, 33, 1], 4096.0, 1.0);
    d.scaled("n", [37, 64, 5], 512.0, 0.5);
    d.input("A", ty, "m*n");
    let vector = random.chance(50);
    if vector {
        d.input("x", ty, "n");
    }
    d.output("y", sum, "m");
    style.values(d, &["m", "n"]);
    let real = ty.is_float();
    let step = match (vector, real) {
        (true, true) => random.weighted(REAL),
        (true, false) => random.weighted(WHOLE),
        (false, _) => random.pick(&[
            "$s += $a;",
            "$s += $a * $a;",
            "$s = $a > $s ? $a : $s;",
            "if ($a > 0)\n    $s += $a;",
            "$s += $a > $s;",
        ]),
    };
    let step = step
        .replace("$s", "s")
        .replace("$a", "a")
        .replace("$b", "b");
    let load = if vector {
        "$S a = A[i * n + $j], b = x[$j];"
    } else {
        "$S a = A[i * n + $j];"
    };
    let unroll = random.weighted(&[(4, 1), (1, 2), (1, 4)]);
    let one = |j: &str| format!("{{ {}\n{} }}\n", load.replace("$j", j), indent(&step, 2));
    let all: String = (0..unroll).map(|u| one(&format!("j + {u}"))).collect();
    let loops = match (unroll, random.chance(15)) {
        (1, true) => format!("for ($T j = n; j-- > 0;)\n{}", indent(&one("j"), 4)),
        (1, false) => format!("for ($T j = 0; j < n; j++)\n{}", indent(&one("j"), 4)),
        _ => format!(
            "$T j = 0;\nfor (; j + {unroll} <= n; j += {unroll}) {{\n{}\n}}\nfor (; j < n; j++)\n{}",
            indent(&all, 4),
            indent(&one("j"), 4)
        ),
    };
    let end = if real && random.chance(30) {
        "y[i] = s / (n + 1);"
    } else {
        "y[i] = s;"
    };
    let body = fill(
        &format!("$S s = 0;\n{loops}\n{end}"),
        &[("S", cpp(sum)), ("T", cpp(style.id))],
    );
    d.costs("m*n", rate(ty, false), &format!("{}*m*n", ty.size()), "n");
    style.one(random, d, "i", "m", &body);
}

/// One block a row, whose threads share loops over it: a map, of the row's mean or not.
pub fn block_row(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(5, F32), (2, F64), (3, F16), (2, U8), (1, I8), (1, I32)]);
    let sum = match ty {
        F16 => F32,
        _ if ty.is_float() => ty,
        _ => I32,
    };
    d.title = "Each block maps a row.".into();
    d.scaled("m", [9, 3, 1], 2048.0, 0.5);
    d.scaled("n", [203, 64, 5], 2048.0, 0.5);
    d.input("A", ty, "m*n");
    let weights = random.chance(40);
    if weights {
        d.input("w", ty, "n");
    }
    match random.chance(30) {
        true => d.both("y", ty, "m*n"),
        false => d.output("y", ty, "m*n"),
    }
    style.values(d, &["n"]);
    let uses_mean = random.chance(40);
    let value = random.pick(&[
        "$a * 2 + 1",
        "$a > 0 ? $a : $a / 8",
        "($a + y[at]) / 2",
        "$a / (1 + $a * $a)",
    ]);
    let value = value.replace("$a", if uses_mean { "(a - mean)" } else { "a" });
    let value = if weights {
        format!("({value}) * w[i]")
    } else {
        value
    };
    let mean = "__shared__ $S part[256];\nint t = threadIdx.x;\n$S s = 0;\nfor ($T i = t; i < n; i += blockDim.x)\n    s += A[row * n + i];\npart[t] = s;\n__syncthreads();\nfor (int h = blockDim.x / 2; h > 0; h /= 2) {\n    if (t < h)\n        part[t] += part[t + h];\n    __syncthreads();\n}\n$S mean = part[0] / (int)n;\n";
    let mean = if uses_mean { mean } else { "" };
    d.blocks = match uses_mean {
        true => vec![[256, 1, 1], [64, 1, 1]],
        false => vec![[256, 1, 1], [1024, 1, 1], [96, 1, 1]],
    };
    // The block's length, or the number that it always is.
    let step = match random.chance(30) {
        true => {
            d.blocks.truncate(1);
            "256"
        }
        false => "blockDim.x",
    };
    let mean = mean.replace("i += blockDim.x", &format!("i += {step}"));
    d.grid[0] = "m".into();
    let text = format!(
        "$T row = blockIdx.x;\n{mean}for ($T i = threadIdx.x; i < n; i += {step}) {{\n    $T at = row * n + i;\n    $S a = A[at];\n    y[at] = {value};\n}}"
    );
    d.body = fill(&text, &[("S", cpp(sum)), ("T", cpp(style.id))]);
    d.costs(
        "m*n",
        rate(ty, true),
        &format!("{}*m*n", 2 * ty.size()),
        "n/64",
    );
}

/// One thread a column.
pub fn column(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    d.title = "Each thread walks down a column.".into();
    d.scaled("m", [37, 64, 5], 512.0, 0.5);
    d.scaled("n", [70, 33, 1], 4096.0, 1.0);
    d.input("A", ty, "m*n");
    let vector = random.chance(50);
    if vector {
        d.input("x", ty, "m");
    }
    d.both("y", sum, "n");
    style.values(d, &["m", "n"]);
    let step = match (vector, ty.is_float()) {
        (true, true) => random.weighted(REAL),
        (true, false) => random.weighted(WHOLE),
        (false, _) => random.pick(&[
            "$s += $a;",
            "$s = $a > $s ? $a : $s;",
            "if ($a > 0)\n    $s += $a;",
        ]),
    };
    let step = step
        .replace("$s", "s")
        .replace("$a", "a")
        .replace("$b", "b");
    let load = if vector {
        "$S a = A[i * n + j], b = x[i];"
    } else {
        "$S a = A[i * n + j];"
    };
    let end = random.pick(&["y[j] = s;", "y[j] += s;", "y[j] = s * 2;"]);
    let text = format!(
        "$S s = 0;\nfor ($T i = 0; i < m; i++) {{\n    {load}\n{}\n}}\n{end}",
        indent(&step, 4)
    );
    d.costs("m*n", rate(ty, true), &format!("{}*m*n", ty.size()), "m");
    style.one(
        random,
        d,
        "j",
        "n",
        &fill(&text, &[("S", cpp(sum)), ("T", cpp(style.id))]),
    );
}

/// Recurrences along rows or columns, in place or not; also rows scaled by what they hold.
pub fn scan(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(4, F32), (2, F64), (1, I32), (1, U8), (1, U16)]);
    d.title = "A running value along each line.".into();
    d.scaled("m", [70, 33, 1], 4096.0, 1.0);
    d.scaled("n", [37, 64, 5], 256.0, 0.5);
    let down = random.chance(40);
    let at = if down { "j * m + i" } else { "i * n + j" };
    let place = random.chance(50);
    if place {
        d.both("A", ty, "m*n");
    } else {
        d.input("X", ty, "m*n");
        d.output("A", ty, "m*n");
    }
    style.values(d, &["m", "n"]);
    let from = if place { "A" } else { "X" };
    let text = match (ty.is_float(), random.below(3)) {
        (true, 0) => {
            "$S s = 0;\nfor ($T j = 0; j < n; j++) {\n    s = s / 2 + $X[$at];\n    A[$at] = s;\n}"
        }
        (true, 1) => {
            "$S s = 0;\nfor ($T j = 0; j < n; j++)\n    s += $X[$at] * $X[$at];\nfor ($T j = 0; j < n; j++)\n    A[$at] = $X[$at] / (s + 1);"
        }
        (false, 1) => {
            "$S s = 0;\nfor ($T j = 0; j < n; j++)\n    s = $X[$at] > s ? $X[$at] : s;\nfor ($T j = 0; j < n; j++)\n    A[$at] = s - $X[$at];"
        }
        _ => {
            "$S s = 1;\nfor ($T j = 0; j < n; j++) {\n    $S v = $X[$at];\n    s = v > s ? v : (s + v) / 2;\n    A[$at] = s;\n}"
        }
    };
    let body = fill(
        text,
        &[
            ("S", cpp(ty)),
            ("T", cpp(style.id)),
            ("X", from),
            ("at", at),
        ],
    );
    d.costs(
        "2*m*n",
        rate(ty, down),
        &format!("{}*2*m*n", ty.size()),
        "2*n",
    );
    style.one(random, d, "i", "m", &body);
}

/// Distances of all pairs of points.
pub fn pairs(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    d.title = "Distances between all pairs of points.".into();
    d.scaled("n", [41, 16, 1], 1024.0, 1.0);
    d.choice("dim", [3, 16, 1], &[2, 3, 7, 16, 31, 64, 100, 128]);
    let itself = random.chance(40);
    if !itself {
        d.scaled("m", [29, 16, 40], 1024.0, 1.0);
    }
    let (other, m) = if itself { ("X", "n") } else { ("Y", "m") };
    d.input("X", ty, "n*dim");
    if !itself {
        d.input("Y", ty, "m*dim");
    }
    d.output("D", sum, &format!("n*{m}"));
    style.values(
        d,
        if itself {
            &["n", "dim"]
        } else {
            &["n", "m", "dim"]
        },
    );
    let columns = random.chance(30);
    let (a, b) = if columns {
        ("X[k * n + i]", "$Y[k * $m + j]")
    } else {
        ("X[i * dim + k]", "$Y[j * dim + k]")
    };
    let step = random.pick(&[
        "s += (a - b) * (a - b);",
        "s += a > b ? a - b : b - a;",
        "$S t = a > b ? a - b : b - a;\n    s = t > s ? t : s;",
        "s += a != b;",
        "if (a > b)\n        s += a - b;",
    ]);
    let text = format!(
        "$S s = 0;\nfor ($T k = 0; k < dim; k++) {{\n    $S a = {a}, b = {b};\n    {step}\n}}\nD[i * $m + j] = s;"
    );
    let body = fill(
        &text,
        &[
            ("S", cpp(sum)),
            ("T", cpp(style.id)),
            ("Y", other),
            ("m", m),
        ],
    );
    d.costs(
        &format!("n*{m}*dim"),
        rate(ty, columns && !style.is_swapped()),
        &format!("{}*n*{m}", sum.size()),
        "dim",
    );
    style.two(random, d, ("j", m), ("i", "n"), &body);
}

/// Elements that move.
pub fn transpose(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.pick(&[F32, F32, F64, U8, U16, I32]);
    d.title = "Elements move to other places.".into();
    d.scaled("w", [50, 33, 1], 2048.0, 1.0);
    d.scaled("h", [23, 16, 3], 2048.0, 1.0);
    d.input("in", ty, "w*h");
    d.output("out", ty, "w*h");
    style.values(d, &["w", "h"]);
    let body = random.pick(&[
        "out[x * h + y] = in[y * w + x];",
        "out[y * w + x] = in[x * h + y];",
        "out[(h - 1 - y) * w + x] = in[y * w + x];",
        "out[x * h + (h - 1 - y)] = in[y * w + x] + 1;",
        "out[y * w + (w - 1 - x)] = in[y * w + x];",
    ]);
    d.costs(
        "w*h",
        rate(ty, false),
        &format!("{}*w*h", 2 * ty.size()),
        "1",
    );
    style.two(random, d, ("x", "w"), ("y", "h"), body);
}
