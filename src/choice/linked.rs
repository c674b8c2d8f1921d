//! Gates in a host module: as little work for LLVM as a host compile can do with.
//!
//! Each was tidied where it was made ([`numbers::finish`](super::numbers::finish)), in the device's compile, so that
//! IR passes over it gain little: they leave it alone, and of what is asked once of each class of launches machine code
//! is made by the shortest way, too. Gates that always say the same, which most are, are one function.
//!
//! A module whose machine code is made at the link goes there as it is, with gates like all its functions.

use super::record::Record;
use super::{ABOUT, GATE, LARGE, PAYS};
use crate::llvm::ir::{Builder, Function, Module, Type};
use crate::map::HashSet;
use std::cell::RefCell;

/// Attribute of gates that launches call, until the optimizer's end.
const CALLED_OFTEN: &str = "mesi.called-often";

/// Where gates are taken in.
pub struct Linked {
    pub module: Module,
    /// Its machine code is made when the program is linked.
    pub at_link: bool,
    /// Names of gates that are there already, and were not taken.
    waiting: RefCell<HashSet<String>>,
}

impl Linked {
    /// Where those of `records` are taken in, which are linked at once: each link looks through the whole module.
    pub fn with(module: Module, at_link: bool, records: &[&Record]) -> Result<Linked, String> {
        let mut waiting = HashSet::default();
        let mut gates = Vec::new();
        for r in records.iter().filter(|r| !r.kernel.ends_with(ABOUT)) {
            if waiting.insert(name_of(r)) {
                gates.push(r.bitcode);
            }
        }
        module.link(&gates)?;
        Ok(Linked {
            module,
            at_link,
            waiting: RefCell::new(waiting),
        })
    }

    /// Deletes those that nobody took.
    pub fn forget_others(self) {
        let mut names: Vec<String> = self.waiting.into_inner().into_iter().collect();
        names.sort();
        let gates = names.iter().filter_map(|n| self.module.function(n));
        gates.for_each(Function::delete);
    }

    /// Takes a gate into the module.
    pub fn take(&self, record: &Record) -> Result<Function, String> {
        if !self.waiting.borrow_mut().remove(&name_of(record)) {
            self.module.link(&[record.bitcode])?;
        }
        let gate = self.module.function(&name_of(record));
        let gate = gate.ok_or("a gate without its function")?;
        gate.set_internal();
        if let Some(answer) = gate.constant_answer() {
            return Ok(self.constant(gate, answer));
        }
        if !self.at_link {
            gate.leave_as_it_is();
            let is_called_once = record.kernel.ends_with(PAYS) || record.kernel.ends_with(LARGE);
            if !is_called_once {
                gate.add_string_attribute(CALLED_OFTEN, "");
            }
        }
        Ok(gate)
    }

    /// The module's gate that always gives this answer: `gate`, if it is the first.
    fn constant(&self, gate: Function, answer: u64) -> Function {
        let name = format!("mesi.always.{answer}");
        match self.module.function(&name) {
            Some(first) => {
                gate.delete();
                first
            }
            None => {
                gate.value().set_name(&name);
                gate
            }
        }
    }

    /// Takes the gates of a version into the module, one for each chip where they differ: all must let the launch pass,
    /// as the runtime decides which image runs.
    pub fn take_all(&self, record: &Record) -> Result<Function, String> {
        let first = self.take(record)?;
        if record.others.is_empty() {
            return Ok(first);
        }
        let name = name_of(record);
        let mut gates = vec![first];
        for (i, bitcode) in record.others.iter().enumerate() {
            self.rename(gates[i], &name, &format!("{name}.{i}"));
            let other = Record {
                bitcode,
                ..record.clone()
            };
            gates.push(self.take(&other)?);
        }
        let last = gates[record.others.len()];
        self.rename(last, &name, &format!("{name}.last"));
        let (all, b) = (self.module.add_gate(&name), Builder::new(self.module));
        all.set_internal();
        b.at_end(all.append_block(""));
        let mut answer = Type::int(self.module, 1).constant(1);
        for gate in gates {
            answer = b.and(answer, b.call(gate, &all.params()));
        }
        b.ret(answer);
        Ok(all)
    }

    /// Frees `name`, if it is the gate's.
    fn rename(&self, gate: Function, name: &str, other: &str) {
        if self.module.function(name) == Some(gate) {
            gate.value().set_name(other);
        }
    }
}

fn name_of(record: &Record) -> String {
    format!("{}{GATE}", record.kernel)
}

/// What is left for the end of the optimizer; whether there was any. IR passes are over by then, and gates that
/// launches ask are made good machine code of.
pub fn after_pipeline(module: Module) -> bool {
    let often = |f: &Function| f.string_attribute(CALLED_OFTEN).is_some();
    let gates: Vec<Function> = module.functions().into_iter().filter(often).collect();
    for gate in &gates {
        gate.remove_attribute("optnone");
        gate.remove_string_attribute(CALLED_OFTEN);
    }
    !gates.is_empty()
}
