//! Fields of records that a thread loads and stores one by one, weighted neighbours, and groups of few elements, a small
//! block for each.

use mesi_launch::ElemType::*;

use super::types::rate;
use crate::draft::{Draft, cpp, fill};
use crate::random::Random;
use crate::style::Style;

/// Each thread makes a record of another one, its own or one that a list names.
pub fn fields(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(5, F32), (3, F64), (2, I32), (1, U8), (1, F16)]);
    d.title = "Records field by field.".into();
    d.scaled("n", [1000, 65, 1], 1e6, 1.0);
    let fields = random.weighted(&[(4, 4), (2, 2), (2, 8), (1, 3), (1, 6), (1, 5)]);
    let listed = random.chance(40);
    if listed {
        d.array("at", I32, "int", "n", "index(n)", false);
    }
    d.input("x", ty, &format!("{fields}*n"));
    let in_place = random.chance(30);
    match in_place {
        true => d.both("y", ty, &format!("{fields}*n")),
        false => d.output("y", ty, &format!("{fields}*n")),
    }
    style.values(d, &["n"]);
    let sum = if ty == F16 { F32 } else { ty };
    let from = if listed { "at[i]" } else { "i" };
    let mut lines = vec![format!("$T b = {from};")];
    for k in 0..fields {
        lines.push(format!("$S v{k} = x[{fields} * b + {k}];"));
    }
    let value = random.pick(&["v$ * 2 + 1", "v$ - v0", "v$ > 0 ? v$ : v1", "v$ * v0 + v1"]);
    for k in 0..random.pick(&[fields, fields, 2]) {
        let value = value.replace('$', &k.to_string());
        let op = if in_place { "+=" } else { "=" };
        lines.push(format!("y[{fields} * i + {k}] {op} {value};"));
    }
    let body = fill(&lines.join("\n"), &[("S", cpp(sum)), ("T", cpp(style.id))]);
    let bytes = 2 * ty.size() * fields as u64;
    d.costs("n*4", rate(ty, true), &format!("{bytes}*n"), "1");
    style.one(random, d, "i", "n", &body);
}

/// Sums of products by values that the launch gives, whose parts stand under conditions, in loops, or in front of either.
pub fn weights(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let ty = random.weighted(&[(2, F32), (1, F64)]);
    d.title = "Weighted neighbours, some of them under conditions.".into();
    d.scaled("w", [50, 33, 16], 2048.0, 1.0);
    d.scaled("h", [23, 16, 40], 2048.0, 1.0);
    d.input("u", ty, "w*h");
    d.output("v", ty, "w*h");
    d.output("q", ty, "w*h");
    style.values(d, &["w", "h"]);
    d.value("a", ty, "0.6");
    d.value("b", ty, "0.15");
    let step = random.pick(&[
        "v[p] = a * u[p] + b * (x > 0 ? u[p - 1] : 0) + b * (x < w - 1 ? u[p + 1] : 0) + b * (y > 0 ? u[p - w] : 0) + b * (y < h - 1 ? u[p + w] : 0);",
        "$S s = a * u[p];\nif (x > 0)\n    s += b * u[p - 1];\nif (y > 0)\n    s -= b * u[p - w];\nif (x < w - 1)\n    s = b * u[p + 1] - s;\nv[p] = s;",
        "$S c = u[p] * a;\nif (c > 0) {\n    $S d = c * b;\n    v[p] = d + u[y * w];\n    q[p] = d;\n} else {\n    v[p] = c - u[x];\n}",
        "$S c = u[p], d = c * b, s = 0;\nfor (int k = 0; k < 48 && k < w; k++) {\n    $S e = u[y * w + k] - d;\n    s = e > s ? e : s;\n}\nv[p] = s * a + c;",
        "$S d = u[p] * a;\nif (x > y)\n    v[p] = d + u[y * w];\nelse\n    v[p] = d - u[x];",
        "$S d = u[p] * a, e = u[x] * b;\nif (x > 0)\n    v[p] = d + e;\nelse\n    v[p] = d - u[y * w];\nq[p] = e * a;",
        "$S c = u[p], d = c * a;\nif (x > 0)\n    v[p] = d - u[p - 1];\nelse\n    v[p] = d + b;\nq[p] = c * c + d * b;",
    ]);
    let body = fill(
        "$I p = y * w + x;\n$step",
        &[("step", step), ("S", cpp(ty)), ("I", cpp(style.id))],
    );
    let bytes = format!("{}*w*h", 2 * ty.size());
    d.costs("6*w*h", rate(ty, !style.is_swapped()), &bytes, "1");
    style.two(random, d, ("x", "w"), ("y", "h"), &body);
}

/// A block of up to a warp for each group of elements, whose threads meet.
pub fn groups(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.pick(&[F32, F64, I32]);
    let group = random.pick(&[32, 16, 8, 32, 12]);
    d.title = "Groups of few elements, a block for each.".into();
    d.scaled("n", [300, 65, 1], 1e5, 1.0);
    d.input("x", ty, &format!("{group}*n"));
    d.output("y", ty, &format!("{group}*n"));
    style.values(d, &["n"]);
    let step = random.pick(&[
        "y[i] = part[$g - 1 - t];",
        "if (t == 0) {\n    $S s = 0;\n    for (int k = 0; k < $g; k++)\n        s += part[k];\n    y[i] = s;\n}",
        "$S s = part[t];\nfor (int k = 0; k < t; k++)\n    s = part[k] > s ? part[k] : s;\ny[i] = s;",
        "$S s = 0;\nfor (int k = 0; k < $g; k++) {\n    s += part[t];\n    __syncthreads();\n    part[($g - 1 - t)] = s / 2;\n    __syncthreads();\n}\ny[i] = s;",
    ]);
    let number = group.to_string();
    d.blocks = vec![[group, 1, 1]];
    d.grid[0] = "n".into();
    let text = "__shared__ $S part[$g];\nint t = threadIdx.x;\n$T i = ($T)blockIdx.x * $g + t;\npart[t] = x[i] * 2;\n__syncthreads();\n$step";
    let text = text.replace("$step", step);
    d.body = fill(
        &text,
        &[("S", cpp(ty)), ("T", cpp(style.id)), ("g", &number)],
    );
    let cost = format!("{group}*n*8");
    d.costs(
        &cost,
        rate(ty, true),
        &format!("{}*n", 2 * ty.size() * u64::from(group)),
        "8",
    );
}
