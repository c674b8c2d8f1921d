//! What one version has copies of: the kernel, its static shared arrays, the functions that it calls.

use crate::kernel::callees;
use crate::llvm::ir::{Function, Module, Value};
use crate::lower;
use crate::map::HashMap;

use super::rounding::Roundings;

/// The copies that one version has of what its kernel names.
pub struct Copies {
    module: Module,
    /// What their names begin with.
    prefix: String,
    made: HashMap<Value, Value>,
    list: Vec<Value>,
    /// Names given so far.
    named: usize,
    /// What becomes of a kernel's sums, if it is known of more than how they stand.
    roundings: Option<(Function, Roundings)>,
}

impl Copies {
    pub fn of(module: Module, prefix: &str) -> Copies {
        Copies {
            module,
            prefix: prefix.into(),
            made: HashMap::default(),
            list: Vec::new(),
            named: 0,
            roundings: None,
        }
    }

    /// The same, where the copied kernel's sums are as is said.
    pub fn rounded(mut self, kernel: Function, roundings: &Roundings) -> Copies {
        self.roundings = Some((kernel, roundings.clone()));
        self
    }

    /// The name of the next copy, of this kind.
    fn name(&mut self, kind: &str) -> String {
        self.named += 1;
        format!("{}${kind}{}", self.prefix, self.named)
    }

    /// A copy of `function`, called `name`, that names copies of its shared arrays and callees.
    pub fn duplicate(&mut self, function: Function, name: &str) -> Function {
        let merged = function.value().is_mergeable();
        // Dynamic shared memory, of no size of its own, is the launch's.
        for array in callees::shared_globals(&[function]) {
            let bytes = self.module.alloc_size(array.global_value_type());
            if bytes == 0 || self.made.contains_key(&array) {
                continue;
            }
            // Files that differ in its size must not share it, see `lower::bodies`.
            let name = format!("{}${bytes}", self.name("shared"));
            let copy = self.module.copy_global(array, &name, merged);
            self.note(array, copy);
        }
        for callee in callees::direct(function) {
            if callee == function || self.made.contains_key(&callee.value()) {
                continue;
            }
            // A function that comes back to one that is being copied keeps that one's original.
            let name = self.name("function");
            self.made.insert(callee.value(), callee.value());
            let copy = self.duplicate(callee, &name);
            copy.set_internal();
            self.note(callee.value(), copy.value());
        }
        let pairs: Vec<_> = self.made.iter().map(|(f, t)| (*f, *t)).collect();
        let clone = function.duplicate(name, &pairs);
        let own = self.roundings.as_ref().filter(|(of, _)| *of == function);
        lower::mark_sums(clone, own.map(|(_, all)| &**all));
        clone
    }

    fn note(&mut self, original: Value, copy: Value) {
        self.made.insert(original, copy);
        self.list.push(copy);
    }

    /// Deletes a version whose body is gone, and all that was copied for it.
    pub fn delete(self, version: Function) {
        version.delete();
        self.list.into_iter().rev().for_each(Value::delete_global);
    }
}
