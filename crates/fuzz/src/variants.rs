//! The ways in which each kernel goes through the plug-in.

use fastrand::Rng;
use mesi::options::Options;

/// One way to run the plug-in.
#[derive(Debug, Clone)]
pub struct Variant {
    /// As in `mesi<...>`.
    pub name: String,
    /// What that means.
    pub options: Options,
    /// Only this version of the plan, for launches of every size (`alone`).
    pub version: Option<u32>,
    /// The rest of -O3 runs after it.
    pub optimised: bool,
}

impl Variant {
    /// Whether versions are kernels of their own.
    pub(crate) fn is_own(&self) -> bool {
        self.options.host == Some(true)
    }
}

/// Versions of a plan, at most; see `alone`.
const VERSIONS: u32 = 3;
/// The same with each way to run short loops (`alone`).
const MOST_VERSIONS: u32 = 8;

/// The variants every regression is run under.
pub fn standing() -> Vec<Variant> {
    let force = force();
    let with = |change: fn(&mut Options)| {
        let mut options = force.clone();
        change(&mut options);
        options
    };
    let unmerged = |o: &mut Options| {
        o.shared = Some(0);
        o.merge = Some([1; 3]);
        o.unroll_jam = Some(1);
    };
    let bare = Options {
        merge: Some([2, 2, 1]),
        ..Options::default()
    };
    let all = [
        ("force", force.clone()),
        ("force;merge=2x2", with(|o| o.merge = Some([2, 2, 1]))),
        ("force;merge=4", with(|o| o.merge = Some([4, 1, 1]))),
        (
            "force;merge=2x2;shared=0",
            with(|o| (o.merge, o.shared) = (Some([2, 2, 1]), Some(0))),
        ),
        (
            "force;shared=0;unroll-jam=3",
            with(|o| (o.shared, o.unroll_jam) = (Some(0), Some(3))),
        ),
        (
            "force;merge=off;unroll-jam=3",
            with(|o| (o.merge, o.unroll_jam) = (Some([1; 3]), Some(3))),
        ),
        ("force;shared=0;merge=off;unroll-jam=1", with(unmerged)),
        (
            "shared=0;merge=off;unroll-jam=1;unroll=2",
            Options {
                unroll: Some(2),
                ..unroll_only()
            },
        ),
        ("force;strip=7", with(|o| o.strip = Some(7))),
        ("force;shared=2048", with(|o| o.shared = Some(2048))),
        ("force;shared=8192", with(|o| o.shared = Some(8192))),
        (
            "force;depth=2;strip=4",
            with(|o| (o.depth, o.strip) = (Some(2), Some(4))),
        ),
        (
            "force;depth=3;width=off",
            with(|o| (o.depth, o.width) = (Some(3), false)),
        ),
        ("force;code=8", with(|o| o.code = Some(8))),
        ("merge=2x2", bare),
        ("default", Options::default()),
    ];
    let mut out = Vec::new();
    for (name, options) in all {
        for optimised in [false, true] {
            add(&mut out, name, &options, optimised);
        }
    }
    for number in 0..VERSIONS {
        add_single(&mut out, ("default", &Options::default()), number, false);
    }
    add(&mut out, "form=own", &own(&Options::default()), false);
    add(&mut out, "form=own", &own(&Options::default()), true);
    add(&mut out, "force;form=own", &own(&force), false);
    out
}

/// The default, each of its versions, `force`, and some merged blocks with each of theirs, for kernels that are few.
pub fn by_version() -> Vec<Variant> {
    let default = Options::default();
    let mut out = Vec::new();
    add(&mut out, "default", &default, true);
    for number in 0..MOST_VERSIONS {
        add_single(&mut out, ("default", &default), number, false);
    }
    add(&mut out, "force", &force(), false);
    add(&mut out, "form=own", &own(&default), false);
    for merge in [[4, 1, 1], [2, 2, 1]] {
        let options = Options {
            merge: Some(merge),
            ..Options::default()
        };
        let name = format!("merge={}x{}x{}", merge[0], merge[1], merge[2]);
        for number in 0..VERSIONS {
            add_single(&mut out, (&name, &options), number, false);
        }
    }
    out
}

/// All of `force`, strips in flight, the default, its versions, and four more ways, before and after the
/// rest of -O3.
pub fn random(rng: &mut Rng) -> Vec<Variant> {
    let force = force();
    let mut all = Vec::new();
    add(&mut all, "force", &force, false);
    add(&mut all, "force", &force, true);
    let (name, options) = pipelined(rng, &force);
    add(&mut all, &name, &options, false);
    if rng.u32(0..4) == 0 {
        add(&mut all, &name, &options, true);
    }
    let (name, options) = registers_only(rng, &force);
    add(&mut all, &name, &options, rng.u32(0..3) == 0);
    let length = [None, Some(2), Some(8), Some(16)][rng.usize(0..4)];
    let unroll = Options {
        unroll: length,
        ..unroll_only()
    };
    let name = length.map_or(String::new(), |n| format!(";unroll={n}"));
    let name = format!("shared=0;merge=off;unroll-jam=1{name}");
    add(&mut all, &name, &unroll, rng.u32(0..3) == 0);
    let (name, options) = limited(rng, &force);
    add(&mut all, &name, &options, false);
    if rng.u32(0..4) == 0 {
        add(&mut all, &name, &options, true);
    }
    merged(rng, &force, &mut all);
    let default = Options::default();
    add(&mut all, "default", &default, false);
    if rng.u32(0..3) == 0 {
        add(&mut all, "default", &default, true);
    }
    let number = rng.u32(0..VERSIONS);
    add_single(&mut all, ("default", &default), number, rng.u32(0..3) == 0);
    let optimised = rng.u32(0..4) == 0;
    add(&mut all, "form=own", &own(&default), optimised);
    if rng.u32(0..3) == 0 {
        add(&mut all, "force;form=own", &own(&force), false);
    }
    if rng.u32(0..2) == 0 {
        let (name, options) = jammed_over_tiles(rng, &force);
        add(&mut all, &name, &options, rng.u32(0..3) == 0);
    }
    all
}

/// Iterations jammed over all tiles that are legal.
fn jammed_over_tiles(rng: &mut Rng, force: &Options) -> (String, Options) {
    let replicas = [2, 3, 4, 8][rng.usize(0..4)];
    let options = Options {
        merge: Some([1; 3]),
        unroll_jam: Some(replicas),
        ..force.clone()
    };
    (format!("force;merge=off;unroll-jam={replicas}"), options)
}

fn force() -> Options {
    Options {
        force: true,
        ..Options::default()
    }
}

/// Versions as kernels of their own, each of which is run, for launches of every size.
fn own(options: &Options) -> Options {
    Options {
        host: Some(true),
        ..options.clone()
    }
}

/// Nothing but unrolled loops.
fn unroll_only() -> Options {
    Options {
        shared: Some(0),
        merge: Some([1; 3]),
        unroll_jam: Some(1),
        ..Options::default()
    }
}

fn add(all: &mut Vec<Variant>, name: &str, options: &Options, optimised: bool) {
    all.push(Variant {
        name: name_of(name, optimised),
        options: options.clone(),
        version: None,
        optimised,
    });
}

/// One version of the plan, for launches of every size.
fn add_single(
    all: &mut Vec<Variant>,
    (name, options): (&str, &Options),
    number: u32,
    optimised: bool,
) {
    all.push(Variant {
        name: name_of(&format!("{name}, version {number} alone"), optimised),
        options: options.clone(),
        version: Some(number),
        optimised,
    });
}

fn name_of(name: &str, optimised: bool) -> String {
    match optimised {
        true => format!("{name} then -O3"),
        false => name.into(),
    }
}

/// Nothing fits: iterations jammed, or sums in registers. In half of them nothing is merged either.
fn registers_only(rng: &mut Rng, force: &Options) -> (String, Options) {
    let replicas = [2, 3, 4, 4, 8, 16, 1, 1][rng.usize(0..8)];
    let mut options = Options {
        shared: Some(0),
        unroll_jam: Some(replicas),
        ..force.clone()
    };
    if replicas > 1 && rng.bool() {
        return (format!("force;shared=0;unroll-jam={replicas}"), options);
    }
    options.merge = Some([1; 3]);
    let name = format!("force;shared=0;merge=off;unroll-jam={replicas}");
    (name, options)
}

/// One knob that limits what is done, or two.
fn limited(rng: &mut Rng, force: &Options) -> (String, Options) {
    let n = rng.u32(1..40);
    let bytes = [256, 1024, 2048, 4096, 8192, 16384][rng.usize(0..6)];
    let block = [
        [32, 1, 1],
        [64, 1, 1],
        [16, 16, 1],
        [8, 8, 4],
        [4, 4, 4],
        [1024, 1, 1],
        [5, 3, 2],
    ][rng.usize(0..7)];
    let mut options = force.clone();
    let name = match rng.u32(0..10) {
        0..4 => {
            options.strip = Some(n);
            format!("force;strip={n}")
        }
        4 | 5 => {
            options.shared = Some(bytes);
            format!("force;shared={bytes}")
        }
        6 => {
            options.block = Some(block);
            format!("force;block={}x{}x{}", block[0], block[1], block[2])
        }
        7 => {
            options.fuel = Some(1);
            "force;fuel=1".into()
        }
        8 => {
            (options.strip, options.shared) = (Some(n), Some(bytes));
            format!("force;strip={n};shared={bytes}")
        }
        _ if rng.bool() => {
            options.fuel = Some(0);
            "force;fuel=0".into()
        }
        _ if n.is_multiple_of(4) => {
            options.only = Some("another".into());
            "force;only=another".into()
        }
        _ => {
            options.code = Some(n.max(2));
            format!("force;code={}", n.max(2))
        }
    };
    (name, options)
}

/// Merged blocks: with tiles, with none, and as the default would have them.
fn merged(rng: &mut Rng, force: &Options, all: &mut Vec<Variant>) {
    let factors = [
        [2, 1, 1],
        [4, 1, 1],
        [8, 1, 1],
        [1, 2, 1],
        [2, 2, 1],
        [4, 2, 1],
        [1, 4, 2],
        [2, 1, 4],
        [1, 1, 2],
    ][rng.usize(0..9)];
    let mut merge = Options {
        merge: Some(factors),
        ..force.clone()
    };
    let [x, y, z] = factors;
    let mut name = format!("force;merge={x}x{y}x{z}");
    let untiled = Options {
        shared: Some(0),
        ..merge.clone()
    };
    let alone = format!("{name};shared=0");
    if rng.bool() {
        let (depth, strip) = (rng.u32(2..5), [4, 8, 16][rng.usize(0..3)]);
        (merge.depth, merge.strip) = (Some(depth), Some(strip));
        name += &format!(";depth={depth};strip={strip}");
    }
    add(all, &name, &merge, rng.u32(0..3) == 0);
    // Where nothing is sure to pay, blocks are merged without tiles.
    let bare = Options {
        merge: Some(factors),
        ..Options::default()
    };
    add(
        all,
        &format!("merge={x}x{y}x{z}"),
        &bare,
        rng.u32(0..4) == 0,
    );
    // Nothing fits: replicas that load what they need themselves.
    add(all, &alone, &untiled, rng.bool());
}

/// Several strips in flight. Lengths that are multiples of 4 make rows that can be copied by 16 bytes.
fn pipelined(rng: &mut Rng, force: &Options) -> (String, Options) {
    let depth = rng.u32(2..5);
    let mut name = format!("force;depth={depth}");
    let mut options = Options {
        depth: Some(depth),
        ..force.clone()
    };
    if rng.u32(0..4) > 0 {
        let length = [1, 2, 3, 4, 5, 7, 8, 12, 16][rng.usize(0..9)];
        name += &format!(";strip={length}");
        options.strip = Some(length);
    }
    if rng.u32(0..5) == 0 {
        name += ";width=off";
        options.width = false;
    }
    if rng.u32(0..8) == 0 {
        name += ";shared=4096";
        options.shared = Some(4096);
    }
    (name, options)
}
