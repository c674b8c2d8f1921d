//! Records, tables, atomically updated cells, gathers, streams, and kernels with shared arrays of their own.

use mesi_launch::ElemType::*;

use super::types::{element, rate};
use crate::draft::{Draft, cpp, fill};
use crate::random::Random;
use crate::style::Style;

/// Each thread against all records: an array of structs, or arrays of fields.
pub fn records(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(3, F32), (1, F64)]);
    d.title = "Each body feels all others.".into();
    d.scaled("n", [200, 65, 1], 8192.0, 1.0);
    let fields = random.weighted(&[(3, 4), (1, 3), (1, 5), (1, 7)]);
    let structs = random.chance(60);
    if structs {
        let names: Vec<String> = (0..fields)
            .map(|f| ["x", "y", "m", "z", "a", "b", "c"][f].to_string())
            .collect();
        d.before = format!("struct Body {{\n    {} {};\n}};", cpp(ty), names.join(", "));
        d.array(
            "p",
            ty,
            "Body",
            &format!("{fields}*n"),
            "uniform(-1,1)",
            false,
        );
    } else {
        for name in ["px", "py", "pm"] {
            d.input(name, ty, "n");
        }
    }
    d.output("out", ty, "n");
    style.values(d, &["n"]);
    let (x, y, m) = if structs {
        ("p[$].x", "p[$].y", "p[$].m")
    } else {
        ("px[$]", "py[$]", "pm[$]")
    };
    let step = random.pick(&[
        "s += $mj / (dx * dx + dy * dy + $half);",
        "if (dx * dx + dy * dy < $half)\n        s += $mj;",
        "if (i == j)\n        continue;\n    s += $mj * dx + dy;",
        "s += dx > dy ? $mj : dx * dy;",
    ]);
    let at = |text: &str, i: &str| text.replace('$', i);
    let text = format!(
        "$S s = 0;\nfor ($T j = 0; j < n; j++) {{\n    $S dx = $xj - $xi, dy = $yj - $yi;\n    {step}\n}}\nout[i] = s;"
    );
    let values = [
        ("S", cpp(ty)),
        ("T", cpp(style.id)),
        ("half", if ty == F32 { "0.5f" } else { "0.5" }),
        ("xj", &at(x, "j")),
        ("xi", &at(x, "i")),
        ("yj", &at(y, "j")),
        ("yi", &at(y, "i")),
        ("mj", &at(m, "j")),
    ];
    let body = fill(&text, &values);
    d.costs(
        "n*n*4",
        rate(ty, true),
        &format!("{}*n", ty.size() * fields as u64),
        "n",
    );
    style.one(random, d, "i", "n", &body);
}

/// Each thread goes through a table that all share.
pub fn table(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(4, F32), (2, F64), (1, I32)]);
    d.title = "Each element against a table.".into();
    d.scaled("n", [400, 65, 1], 1e5, 1.0);
    let space = random.below(3);
    let length = random.pick(&[16, 64, 100, 128, 255, 512]);
    d.input("x", ty, "n");
    let count = if space < 2 {
        d.global(space == 0, "table", ty, length);
        length.to_string()
    } else {
        d.choice("t", [17, 64, 5], &[32, 100, 256, 1000, 1024]);
        d.input("table", ty, "t");
        "t".into()
    };
    d.output("y", ty, "n");
    style.values(d, if space < 2 { &["n"] } else { &["n", "t"] });
    let step = match ty {
        I32 => random.pick(&["s += v < table[k];", "s += v * table[k];", "if (v > table[k])\n        s = k;"]),
        _ => random.pick(&["s = s * v + table[k];", "s += v * table[k];", "if (v > table[k])\n        s += table[k];", "s += (v - table[k]) * (v - table[k]);", "$S e = v > table[k] ? v - table[k] : table[k] - v;\n    if (k == 0 || e < s)\n        s = e;"]),
    };
    let text =
        format!("$S s = 0, v = x[i];\nfor (int k = 0; k < $n; k++) {{\n    {step}\n}}\ny[i] = s;");
    let body = fill(&text, &[("S", cpp(ty)), ("n", &count)]);
    d.costs(
        &format!("n*{count}"),
        rate(ty, true),
        &format!("{}*n", 2 * ty.size()),
        &count,
    );
    style.one(random, d, "i", "n", &body);
}

/// Cells that many threads update.
pub fn cells(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(3, U8), (2, U16), (2, I32)]);
    d.title = "Counts of what an array holds.".into();
    d.scaled("n", [1000, 65, 1], 1e6, 1.0);
    let bins = random.pick(&[16, 64, 100, 256, 1000, 4096]);
    let bins = if ty == U8 { bins.min(256) } else { bins };
    d.array("data", ty, cpp(ty), "n", &format!("index({bins})"), false);
    d.array("bins", U32, "unsigned", &bins.to_string(), "zero", true);
    let weights = random.chance(30);
    if weights {
        d.input("w", U32, "n");
    }
    style.values(d, &["n"]);
    let body = match (weights, random.below(3)) {
        (true, _) => "atomicAdd(&bins[data[i]], w[i]);",
        (_, 0) => "atomicMax(&bins[data[i]], (unsigned)i);",
        (_, 1) => "if (data[i] & 1)\n    atomicAdd(&bins[data[i]], 1u);",
        _ => "atomicAdd(&bins[data[i]], 1u);",
    };
    d.costs("n", 2e10, &format!("{}*n", ty.size()), "1");
    style.one(random, d, "i", "n", body);
}

/// Elements by indices out of another array; sparse rows of one length.
pub fn gather(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    d.title = "Elements fetched by indices.".into();
    d.scaled("n", [400, 65, 1], 1e6, 1.0);
    d.choice("m", [70, 1000, 3], &[1000, 65536, 1 << 20]);
    d.choice("k", [5, 1, 3], &[1, 3, 8, 17, 32]);
    d.array("at", I32, "int", "n*k", "index(m)", false);
    d.input("x", ty, "m");
    let weights = random.chance(50);
    if weights {
        d.input("w", ty, "n*k");
    }
    d.output("y", sum, "n");
    style.values(d, &["n", "k"]);
    let p = random.pick(&["i * k + j", "j * n + i"]);
    let step = if weights {
        "s += ($S)w[$p] * x[at[$p]];"
    } else {
        "s += x[at[$p]];"
    };
    let text = format!("$S s = 0;\nfor ($T j = 0; j < k; j++)\n    {step}\ny[i] = s;");
    let body = fill(&text, &[("S", cpp(sum)), ("T", cpp(style.id)), ("p", p)]);
    d.costs("n*k", 1.2e11, "8*n*k", "k");
    style.one(random, d, "i", "n", &body);
}

/// A few arrays element by element.
pub fn stream(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.weighted(&[(5, F32), (2, F64), (1, U8), (1, U16), (1, I32)]);
    d.title = "Arrays taken element by element.".into();
    d.scaled("n", [1000, 65, 1], 4e6, 1.0);
    d.input("x", ty, "n");
    d.both("y", ty, "n");
    let third = random.chance(40);
    if third {
        d.input("z", ty, "n");
    }
    d.value("a", ty, "3");
    style.values(d, &["n"]);
    let body = match (third, random.below(5)) {
        (true, 0) => "y[i] = x[i] + a * z[i];",
        (true, 1) => "if (x[i] > z[i])\n    y[i] = x[i] - z[i];\nelse\n    y[i] = z[i];",
        (true, _) => "y[i] = (x[i] + y[i] + z[i]) / a;",
        (_, 0) => "y[i] = a * x[i] + y[i];",
        (_, 1) => "y[n - 1 - i] = x[i];",
        (_, 2) => "for (int k = 0; k < 8; k++)\n    y[i] = y[i] / 2 + x[i] * a;",
        (_, 3) => "y[i] = x[i] > a ? a : x[i];",
        _ => "y[i] = x[i] * x[i] + a;",
    };
    d.costs("n", rate(ty, true), &format!("{}*n", 3 * ty.size()), "1");
    style.one(random, d, "i", "n", body);
}

/// Sums of blocks by the author's own shared array.
pub fn shared(random: &mut Random, d: &mut Draft, style: Style) {
    let ty = random.pick(&[F32, F64, I32]);
    d.title = "Sums of blocks, by a shared array of the kernel's own.".into();
    d.scaled("n", [1000, 65, 1], 4e6, 1.0);
    d.input("x", ty, "n");
    d.output("y", ty, "(n + 31) / 32");
    style.values(d, &["n"]);
    let op = random.pick(&[
        "part[t] += part[t + h];",
        "if (part[t + h] > part[t])\n            part[t] = part[t + h];",
    ]);
    d.blocks = vec![[256, 1, 1], [64, 1, 1], [128, 1, 1]];
    d.grid[0] = "(n + bx - 1) / bx".into();
    let text = "__shared__ $S part[256];\nint t = threadIdx.x;\n$T i = blockIdx.x * blockDim.x + t;\npart[t] = i < n ? x[i] : 0;\n__syncthreads();\nfor (int h = blockDim.x / 2; h > 0; h /= 2) {\n    if (t < h) {\n        $op\n    }\n    __syncthreads();\n}\nif (t == 0 && blockIdx.x < (n + 31) / 32)\n    y[blockIdx.x] = part[0];";
    d.body = fill(text, &[("S", cpp(ty)), ("T", cpp(style.id)), ("op", op)]);
    d.costs("n*4", rate(ty, true), &format!("{}*n", ty.size()), "20");
}
