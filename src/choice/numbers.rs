//! What the functions that the host runs have in common: the six numbers of a launch, and how such a function becomes
//! bitcode.

use crate::llvm::ir::{Builder, Function, Module, Type, Value};

/// How many numbers a launch has.
const NUMBERS: usize = 6;

/// Block x, y, z and grid x, y, z from where `launch` points to, in 64 bits.
pub fn load(b: &Builder, launch: Value) -> [Value; NUMBERS] {
    load_from(b, launch, 0)
}

/// The first words of the list that stands behind them and its length ([`store_behind`]), in 64 bits.
pub fn load_list<const N: usize>(b: &Builder, launch: Value) -> [Value; N] {
    load_from(b, launch, NUMBERS + 1)
}

fn load_from<const N: usize>(b: &Builder, launch: Value, first: usize) -> [Value; N] {
    let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
    std::array::from_fn(|k| {
        let place = b.element(i32t, launch, i64t.constant((first + k) as i64));
        b.zext(b.load(i32t, place, 4), i64t)
    })
}

/// Stores them there again.
pub fn store(b: &Builder, launch: Value, block: [Value; 3], grid: [Value; 3]) {
    let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
    for (k, v) in (0..).zip(block.into_iter().chain(grid)) {
        let place = b.element(i32t, launch, i64t.constant(k));
        b.store(b.trunc(v, i32t), place, 4);
    }
}

/// Stores more of them behind those, by their places.
pub fn store_behind(b: &Builder, launch: Value, more: impl Iterator<Item = (usize, Value)>) {
    let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
    for (k, v) in more {
        let place = b.element(i32t, launch, i64t.constant((NUMBERS + k) as i64));
        b.store(b.trunc(v, i32t), place, 4);
    }
}

/// Stores numbers of 64 bits behind the six.
pub fn store_ranges(b: &Builder, launch: Value, all: &[Value]) {
    let (i32t, i64t) = (Type::int(b.module(), 32), Type::int(b.module(), 64));
    let first = b.element(i32t, launch, i64t.constant(NUMBERS as i64));
    for (k, v) in (0..).zip(all) {
        b.store(*v, b.element(i64t, first, i64t.constant(k)), 8);
    }
}

/// The module of `function`, which is all that it holds, as bitcode; `None`: it is not well formed. Much of what is
/// worked out is the same.
pub fn finish(module: Module, function: Function) -> Option<Vec<u8>> {
    let ready = module
        .verify()
        .and_then(|()| function.run_passes("early-cse,dce"));
    let bytes = ready.ok().map(|()| module.bitcode());
    module.dispose();
    bytes
}
