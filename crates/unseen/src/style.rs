//! How people write the frame of a kernel: where ids come from, their types, guards, blocks and grid.

use mesi_launch::ElemType;

use crate::draft::{Constants, Draft, cpp, fill, indent};
use crate::random::Random;

/// Block shapes in one dimension, by weight.
const LINES: &[(u32, [u32; 3])] = &[
    (5, [256, 1, 1]),
    (3, [128, 1, 1]),
    (2, [64, 1, 1]),
    (1, [33, 1, 1]),
    (1, [96, 1, 1]),
    (1, [512, 1, 1]),
    (1, [1024, 1, 1]),
    (1, [32, 1, 1]),
    (1, [192, 1, 1]),
    (1, [100, 1, 1]),
];
/// Block shapes in two dimensions, by weight.
const SQUARES: &[(u32, [u32; 3])] = &[
    (5, [16, 16, 1]),
    (3, [32, 8, 1]),
    (2, [8, 8, 1]),
    (1, [32, 32, 1]),
    (1, [7, 5, 1]),
    (1, [64, 4, 1]),
    (1, [32, 4, 1]),
    (1, [16, 8, 1]),
    (1, [4, 64, 1]),
    (1, [96, 2, 1]),
    (1, [12, 12, 1]),
    (1, [33, 3, 1]),
    (1, [256, 1, 1]),
];
/// Block shapes in three dimensions, by weight.
const CUBES: &[(u32, [u32; 3])] = &[
    (3, [8, 8, 4]),
    (2, [8, 8, 8]),
    (2, [32, 4, 2]),
    (1, [16, 4, 4]),
    (1, [4, 4, 4]),
    (1, [7, 5, 3]),
    (1, [64, 2, 2]),
    (1, [16, 16, 1]),
];

/// How threads beyond the data are kept away.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Guard {
    Return,
    If,
    Nested,
}

/// The habits of one author.
#[derive(Debug, Clone)]
pub struct Style {
    /// Type of ids.
    pub id: ElemType,
    /// Type of sizes among the parameters.
    pub size: ElemType,
    guard: Guard,
    block_first: bool,
    /// 0 plain, 1 grid stride, 2 several neighbours a thread.
    line: u32,
    /// 0 plain, 1 swapped, 2 flattened.
    square: u32,
    /// 0 plain, 1 flattened, 2 a loop over z.
    cube: u32,
}

impl Style {
    /// Habits at random; they also settle how `draft` writes pointers and constants.
    pub fn draw(random: &mut Random, draft: &mut Draft) -> Style {
        draft.restrict = random.chance(45);
        draft.constant = random.chance(85);
        draft.bounds = random.chance(8);
        draft.constants_as = random.weighted(&[
            (3, Constants::Macro),
            (2, Constants::Constexpr),
            (2, Constants::Template),
        ]);
        let id = random.weighted(&[
            (10, ElemType::I32),
            (3, ElemType::U32),
            (2, ElemType::U64),
            (1, ElemType::I64),
        ]);
        let size = match id {
            ElemType::I32 => ElemType::I32,
            other if random.chance(50) => other,
            _ => ElemType::I32,
        };
        Style {
            id,
            size,
            guard: random.pick(&[Guard::Return, Guard::If, Guard::If, Guard::Nested]),
            block_first: random.chance(75),
            line: random.weighted(&[(7, 0), (2, 1), (1, 2)]),
            square: random.weighted(&[(7, 0), (1, 1), (2, 2)]),
            cube: random.weighted(&[(5, 0), (3, 1), (1, 2)]),
        }
    }

    /// Ids and sizes with a sign: for indices that may be left of the first.
    pub fn signed(mut self) -> Style {
        if !matches!(self.id, ElemType::I32 | ElemType::I64) {
            self.id = ElemType::I32;
            self.size = ElemType::I32;
        }
        if self.size == ElemType::U32 || self.size == ElemType::U64 {
            self.size = ElemType::I32;
        }
        self
    }

    /// Whether lanes of a warp have neighbours along the second id.
    pub fn is_swapped(&self) -> bool {
        self.square == 1
    }

    /// A parameter for each named size.
    pub fn values(&self, draft: &mut Draft, names: &[&str]) {
        for name in names {
            draft.value(name, self.size, name);
        }
    }

    fn global(&self, axis: &str) -> String {
        let text = match self.block_first {
            true => "blockIdx.$a * blockDim.$a + threadIdx.$a",
            false => "threadIdx.$a + blockDim.$a * blockIdx.$a",
        };
        match self.id {
            ElemType::U64 => fill(
                "(size_t)blockIdx.$a * blockDim.$a + threadIdx.$a",
                &[("a", axis)],
            ),
            _ => fill(text, &[("a", axis)]),
        }
    }

    fn guarded(&self, conditions: &[(&str, &str)], body: &str) -> String {
        let all = |op: &str, join: &str| {
            let each = conditions.iter().map(|(id, n)| format!("{id} {op} {n}"));
            each.collect::<Vec<_>>().join(join)
        };
        match self.guard {
            Guard::Return => format!("if ({})\n    return;\n{body}", all(">=", " || ")),
            Guard::If => format!("if ({}) {{\n{}\n}}", all("<", " && "), indent(body, 4)),
            Guard::Nested => conditions
                .iter()
                .rev()
                .fold(body.to_string(), |inner, (id, n)| {
                    format!("if ({id} < {n}) {{\n{}\n}}", indent(&inner, 4))
                }),
        }
    }

    fn blocks(&self, random: &mut Random, draft: &mut Draft, all: &[(u32, [u32; 3])]) {
        while draft.blocks.len() < 3 {
            let block = random.weighted(all);
            if !draft.blocks.contains(&block) {
                draft.blocks.push(block);
            }
        }
    }

    /// `body` for each `id` below `n`.
    pub fn one(&self, random: &mut Random, draft: &mut Draft, id: &str, n: &str, body: &str) {
        self.blocks(random, draft, LINES);
        let values = [
            ("T", cpp(self.id)),
            ("id", id),
            ("n", n),
            ("g", &self.global("x")),
        ];
        let body = body.trim_end();
        match self.line {
            1 => {
                let blocks = random.pick(&[264, 528, 1024, 1056, 4096]);
                draft.grid[0] = format!("min(({n} + bx - 1) / bx, {blocks})");
                let head = "for ($T $id = $g; $id < $n; $id += gridDim.x * blockDim.x) {";
                draft.body = format!("{}\n{}\n}}", fill(head, &values), indent(body, 4));
            }
            2 => {
                let each = random.pick(&["2", "4", "8"]);
                draft.grid[0] = format!("({n} + {each} * bx - 1) / ({each} * bx)");
                let head = "$T first = ($g) * $each;\nfor ($T $id = first; $id < first + $each && $id < $n; $id++) {";
                let values = [&values[..], &[("each", each)]].concat();
                draft.body = format!("{}\n{}\n}}", fill(head, &values), indent(body, 4));
            }
            _ => {
                draft.grid[0] = format!("({n} + bx - 1) / bx");
                let head = fill("$T $id = $g;", &values);
                draft.body = format!("{head}\n{}", self.guarded(&[(id, n)], body));
            }
        }
    }

    /// `body` for each pair of ids: `x` (along which memory runs) and `y`.
    pub fn two(
        &self,
        random: &mut Random,
        draft: &mut Draft,
        (x, nx): (&str, &str),
        (y, ny): (&str, &str),
        body: &str,
    ) {
        let ty = cpp(self.id);
        let body = body.trim_end();
        if self.square == 2 {
            self.blocks(random, draft, LINES);
            draft.grid[0] = format!("({nx} * {ny} + bx - 1) / bx");
            let decode = fill(
                "$T $y = id / $nx;\n$T $x = id % $nx;\n",
                &[("T", ty), ("x", x), ("y", y), ("nx", nx)],
            );
            let all = format!("{nx} * {ny}");
            let inner = self.guarded(&[("id", &all)], &(decode + body));
            draft.body = format!("{ty} id = {};\n{inner}", self.global("x"));
            return;
        }
        self.blocks(random, draft, SQUARES);
        let (across, down) = if self.square == 1 {
            ((y, ny), (x, nx))
        } else {
            ((x, nx), (y, ny))
        };
        draft.grid[0] = format!("({} + bx - 1) / bx", across.1);
        draft.grid[1] = format!("({} + by - 1) / by", down.1);
        draft.limit(down.1, 60_000.0);
        draft.body = format!(
            "{ty} {} = {};\n{ty} {} = {};\n{}",
            across.0,
            self.global("x"),
            down.0,
            self.global("y"),
            self.guarded(&[down, across], body)
        );
    }

    /// `body` for each triple of ids; memory runs along `x`.
    pub fn three(
        &self,
        random: &mut Random,
        draft: &mut Draft,
        (x, nx): (&str, &str),
        (y, ny): (&str, &str),
        (z, nz): (&str, &str),
        body: &str,
    ) {
        let ty = cpp(self.id);
        let body = body.trim_end();
        let values = [
            ("T", ty),
            ("x", x),
            ("y", y),
            ("z", z),
            ("nx", nx),
            ("ny", ny),
            ("gx", &self.global("x")),
            ("gy", &self.global("y")),
            ("gz", &self.global("z")),
        ];
        if self.cube == 1 {
            self.blocks(random, draft, LINES);
            draft.grid[0] = format!("({nx} * {ny} * {nz} + bx - 1) / bx");
            let decode = match random.chance(50) {
                true => "$T $z = id / ($nx * $ny);\n$T $y = id / $nx % $ny;\n$T $x = id % $nx;\n",
                false => {
                    "$T $x = id % $nx;\n$T $y = (id / $nx) % $ny;\n$T $z = (id / $nx) / $ny;\n"
                }
            };
            let all = format!("{nx} * {ny} * {nz}");
            let inner = self.guarded(&[("id", &all)], &(fill(decode, &values) + body));
            draft.body = format!("{ty} id = {};\n{inner}", self.global("x"));
            return;
        }
        draft.grid[0] = format!("({nx} + bx - 1) / bx");
        draft.grid[1] = format!("({ny} + by - 1) / by");
        draft.limit(ny, 60_000.0);
        let ids = fill("$T $x = $gx;\n$T $y = $gy;\n", &values);
        if self.cube == 2 {
            self.blocks(random, draft, SQUARES);
            let all = format!(
                "for ({ty} {z} = 0; {z} < {nz}; {z}++) {{\n{}\n}}",
                indent(body, 4)
            );
            draft.body = ids + &self.guarded(&[(x, nx), (y, ny)], &all);
            return;
        }
        self.blocks(random, draft, CUBES);
        draft.grid[2] = format!("({nz} + bz - 1) / bz");
        draft.limit(nz, 60_000.0);
        let ids = ids + &fill("$T $z = $gz;\n", &values);
        draft.body = ids + &self.guarded(&[(x, nx), (y, ny), (z, nz)], body);
    }
}
