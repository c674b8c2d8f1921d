//! Windows and stencils in one to three dimensions, and pools.

use mesi_launch::ElemType::{self, *};

use super::types::{element, rate};
use crate::draft::{Draft, cpp, fill, indent};
use crate::random::Random;
use crate::style::Style;

/// A radius: a constant of the source, or a parameter.
fn radius(random: &mut Random, d: &mut Draft, all: &[i64]) -> (String, bool) {
    if random.chance(50) {
        let r = random.pick(all);
        d.constants.push(("R".into(), r));
        return ("R".into(), true);
    }
    d.choice("r", [2, 1, 0], all);
    ("r".into(), false)
}

fn header(d: &Draft, fixed: bool) -> String {
    match fixed {
        true => d.constants[0].1.to_string(),
        false => "r".into(),
    }
}

/// What a window does with its value `v`.
fn gathered(random: &mut Random, weight: Option<&str>) -> String {
    match weight {
        Some(w) => format!("s += v * {w};"),
        None => random
            .pick(&[
                "s += v;",
                "s = v > s ? v : s;",
                "if (v > 0)\n    s += v;",
                "s += v * v;",
            ])
            .into(),
    }
}

/// How an index beside the array is met.
fn edge(random: &mut Random, coordinates: &[(&str, &str, &str)]) -> (String, Vec<String>) {
    let kind = random.below(3);
    let all: Vec<String> = coordinates
        .iter()
        .map(|(at, _, n)| match kind {
            0 => format!("min(max({at}, 0), (int)({n}) - 1)"),
            1 => format!("({at} + (int)({n})) % (int)({n})"),
            _ => (*at).to_string(),
        })
        .collect();
    let inside = coordinates
        .iter()
        .map(|(at, _, n)| format!("{at} >= 0 && {at} < (int)({n})"));
    match kind {
        0 => (String::new(), all),
        1 => ("wrap".into(), all),
        _ => (inside.collect::<Vec<_>>().join(" && "), all),
    }
}

/// One statement of a window: the edge, the load, what is done.
fn taken(edges: &str, load: &str, step: &str) -> String {
    match edges {
        "" | "wrap" => format!("$S v = {load};\n{step}"),
        inside => format!(
            "if ({inside}) {{\n    $S v = {load};\n{}\n}}",
            indent(step, 4)
        ),
    }
}

/// A window on a line.
pub fn window1(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let (ty, sum) = element(random);
    d.title = "A window that slides along a line.".into();
    d.scaled("n", [1000, 37, 70], 1e6, 1.0);
    let (r, fixed) = radius(random, d, &[1, 2, 3, 5, 8, 16, 31, 64]);
    let weights = random.chance(50);
    d.input("x", ty, "n");
    if weights {
        d.input("w", sum, &format!("2*{}+1", header(d, fixed)));
    }
    d.output("y", sum, "n");
    style.values(d, if fixed { &["n"] } else { &["n", "r"] });
    // What wraps needs lines longer than the window.
    let (mut edges, mut at) = edge(random, &[("p", "i", "n")]);
    if edges == "wrap" {
        (edges, at) = ("p >= 0 && p < n".into(), vec!["p".into()]);
    }
    let step = gathered(random, weights.then_some("w[k + $r]"));
    let inner = taken(&edges, &format!("x[{}]", at[0]), &step);
    let text = format!(
        "$S s = 0;\nfor (int k = -$r; k <= $r; k++) {{\n    int p = (int)i + k;\n{}\n}}\ny[i] = s;",
        indent(&inner, 4)
    );
    let h = header(d, fixed);
    d.costs(
        &format!("n*(2*{h}+1)"),
        rate(ty, true),
        &format!("{}*n", ty.size() + sum.size()),
        &format!("2*{h}+1"),
    );
    style.one(
        random,
        d,
        "i",
        "n",
        &fill(&text, &[("S", cpp(sum)), ("r", &r)]),
    );
}

/// A window in an image, also of several interleaved channels.
pub fn window2(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let (ty, sum) = element(random);
    d.title = "A window that slides over an image.".into();
    d.scaled("w", [50, 33, 16], 1024.0, 1.0);
    d.scaled("h", [23, 16, 40], 1024.0, 1.0);
    let (r, fixed) = radius(random, d, &[1, 1, 2, 3, 4, 5, 7]);
    let weights = random.chance(45);
    let channels = random.weighted(&[(6, 1), (1, 3), (1, 4)]);
    d.input("in", ty, &format!("{channels}*w*h"));
    if weights {
        let h = header(d, fixed);
        d.input("mask", sum, &format!("(2*{h}+1)*(2*{h}+1)"));
    }
    d.output("out", sum, &format!("{channels}*w*h"));
    style.values(d, if fixed { &["w", "h"] } else { &["w", "h", "r"] });
    let (edges, at) = edge(random, &[("sx", "x", "w"), ("sy", "y", "h")]);
    let step = gathered(
        random,
        weights.then_some("mask[(dy + $r) * (2 * $r + 1) + dx + $r]"),
    );
    let load = match channels {
        1 => format!("in[{} * w + {}]", at[1], at[0]),
        _ => format!("in[({} * w + {}) * {channels} + c]", at[1], at[0]),
    };
    let inner = taken(&edges, &load, &step);
    let store = if channels == 1 {
        "out[y * w + x] = s;".to_string()
    } else {
        format!("out[(y * w + x) * {channels} + c] = s;")
    };
    let loops = format!(
        "$S s = 0;\nfor (int dy = -$r; dy <= $r; dy++)\n    for (int dx = -$r; dx <= $r; dx++) {{\n        int sx = (int)x + dx, sy = (int)y + dy;\n{}\n    }}\n{store}",
        indent(&inner, 8)
    );
    let text = match channels {
        1 => loops,
        _ => format!(
            "for (int c = 0; c < {channels}; c++) {{\n{}\n}}",
            indent(&loops, 4)
        ),
    };
    let h = header(d, fixed);
    d.costs(
        &format!("{channels}*w*h*(2*{h}+1)*(2*{h}+1)"),
        rate(ty, !style.is_swapped()),
        &format!("{}*{channels}*w*h", ty.size() + sum.size()),
        &format!("(2*{h}+1)*(2*{h}+1)"),
    );
    style.two(
        random,
        d,
        ("x", "w"),
        ("y", "h"),
        &fill(&text, &[("S", cpp(sum)), ("r", &r)]),
    );
}

/// A window in a volume.
pub fn window3(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let (ty, sum) = element(random);
    d.title = "A window that slides through a volume.".into();
    volume(d);
    let (r, fixed) = radius(random, d, &[1, 1, 2, 3]);
    d.input("in", ty, "nx*ny*nz");
    d.output("out", sum, "nx*ny*nz");
    style.values(
        d,
        if fixed {
            &["nx", "ny", "nz"]
        } else {
            &["nx", "ny", "nz", "r"]
        },
    );
    let (edges, at) = edge(
        random,
        &[("sx", "x", "nx"), ("sy", "y", "ny"), ("sz", "z", "nz")],
    );
    let step = gathered(random, None);
    let inner = taken(
        &edges,
        &format!("in[({} * ny + {}) * nx + {}]", at[2], at[1], at[0]),
        &step,
    );
    let text = format!(
        "$S s = 0;\nfor (int dz = -$r; dz <= $r; dz++)\n    for (int dy = -$r; dy <= $r; dy++)\n        for (int dx = -$r; dx <= $r; dx++) {{\n            int sx = (int)x + dx, sy = (int)y + dy, sz = (int)z + dz;\n{}\n        }}\nout[(z * ny + y) * nx + x] = s;",
        indent(&inner, 12)
    );
    let h = header(d, fixed);
    d.costs(
        &format!("nx*ny*nz*(2*{h}+1)*(2*{h}+1)*(2*{h}+1)"),
        rate(ty, true),
        &format!("{}*nx*ny*nz", ty.size() + sum.size()),
        "30",
    );
    style.three(
        random,
        d,
        ("x", "nx"),
        ("y", "ny"),
        ("z", "nz"),
        &fill(&text, &[("S", cpp(sum)), ("r", &r)]),
    );
}

fn volume(d: &mut Draft) {
    d.scaled("nx", [17, 9, 32], 128.0, 1.0);
    d.scaled("ny", [9, 8, 5], 128.0, 1.0);
    d.scaled("nz", [7, 5, 4], 128.0, 1.0);
}

fn real(random: &mut Random) -> ElemType {
    random.weighted(&[(5, F32), (4, F64), (1, I32), (1, F16)])
}

/// A step of a stencil in the plane.
pub fn stencil2(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let ty = real(random);
    d.title = "A step of a stencil in the plane.".into();
    d.scaled("w", [50, 33, 16], 2048.0, 1.0);
    d.scaled("h", [23, 16, 40], 2048.0, 1.0);
    d.input("u", ty, "w*h");
    let term = random.chance(40);
    if term {
        d.input("f", ty, "w*h");
    }
    d.output("v", ty, "w*h");
    style.values(d, &["w", "h"]);
    let sum = random.pick(&[
        "u[p - 1] + u[p + 1] + u[p - w] + u[p + w] - 4 * u[p]",
        "u[p - w - 1] + u[p - w] + u[p - w + 1] + u[p - 1] + u[p + 1] + u[p + w - 1] + u[p + w] + u[p + w + 1] - 8 * u[p]",
        "u[p - 1] * 2 + u[p + w] - u[p - w] - u[p + 1] * u[p]",
        "u[p - 2] + u[p + 2] + u[p - 2 * w] + u[p + 2 * w] + 3 * (u[p - 1] + u[p + 1] + u[p - w] + u[p + w])",
    ]);
    let far = if sum.contains("2 * w") { "2" } else { "1" };
    let more = if term { " + f[p]" } else { "" };
    let text = "if (x >= $f && x < w - $f && y >= $f && y < h - $f) {\n    $I p = y * w + x;\n    v[p] = u[p] + ($sum) / 8$more;\n}";
    let body = fill(
        text,
        &[
            ("f", far),
            ("I", cpp(style.id)),
            ("sum", sum),
            ("more", more),
        ],
    );
    d.costs(
        "5*w*h",
        rate(ty, !style.is_swapped()),
        &format!("{}*w*h", 2 * ty.size()),
        "1",
    );
    style.two(random, d, ("x", "w"), ("y", "h"), &body);
}

/// A step of a stencil in space.
pub fn stencil3(random: &mut Random, d: &mut Draft, style: Style) {
    let style = style.signed();
    let ty = real(random);
    d.title = "A step of a stencil in space.".into();
    volume(d);
    d.input("u", ty, "nx*ny*nz");
    d.both("v", ty, "nx*ny*nz");
    style.values(d, &["nx", "ny", "nz"]);
    let far = random.pick(&["1", "1", "2", "4"]);
    let star = "for (int k = 1; k <= $f; k++)\n        s += (u[p - k] + u[p + k] + u[p - k * nx] + u[p + k * nx] + u[p - k * s2] + u[p + k * s2]) / (k + 1);";
    let seven = "s += u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] + u[p - s2] + u[p + s2];";
    let inner = if far == "1" { seven } else { star };
    let end = random.pick(&[
        "v[p] = s / 8;",
        "v[p] = 2 * u[p] - v[p] + s / 8;",
        "v[p] += s / 4;",
    ]);
    let text = format!(
        "if (x >= $f && x < nx - $f && y >= $f && y < ny - $f && z >= $f && z < nz - $f) {{\n    $I s2 = nx * ny, p = z * s2 + y * nx + x;\n    $S s = -6 * u[p];\n    {inner}\n    {end}\n}}"
    );
    let body = fill(&text, &[("f", far), ("I", cpp(style.id)), ("S", cpp(ty))]);
    d.costs(
        &format!("8*{far}*nx*ny*nz"),
        rate(ty, true),
        &format!("{}*nx*ny*nz", 3 * ty.size()),
        "1",
    );
    style.three(random, d, ("x", "nx"), ("y", "ny"), ("z", "nz"), &body);
}

/// A pool of an image: windows that do not overlap, or half.
pub fn pool(random: &mut Random, d: &mut Draft, style: Style) {
    let (ty, sum) = element(random);
    d.title = "Squares of an image pooled.".into();
    d.scaled("w", [25, 16, 5], 1024.0, 1.0);
    d.scaled("h", [13, 8, 20], 1024.0, 1.0);
    let (side, step) = random.pick(&[(2, 2), (3, 2), (3, 3), (4, 4), (8, 8), (5, 1)]);
    d.input("in", ty, &format!("(w*{step}+{side})*(h*{step}+{side})"));
    d.output("out", sum, "w*h");
    style.values(d, &["w", "h"]);
    let op = gathered(random, None);
    let text = format!(
        "$S s = 0;\nfor (int dy = 0; dy < {side}; dy++)\n    for (int dx = 0; dx < {side}; dx++) {{\n        $S v = in[(y * {step} + dy) * (w * {step} + {side}) + x * {step} + dx];\n{}\n    }}\nout[y * w + x] = s;",
        indent(&op, 8)
    );
    d.costs(
        &format!("w*h*{}", side * side),
        rate(ty, true) / 2.0,
        &format!("{}*w*h*{}", ty.size(), step * step),
        "1",
    );
    style.two(
        random,
        d,
        ("x", "w"),
        ("y", "h"),
        &fill(&text, &[("S", cpp(sum))]),
    );
}
