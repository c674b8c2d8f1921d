//! Stores of neighbouring replicas, several at once (`plan::wide`).
//!
//! ```text
//! if (all four replicas are here, and their elements lie side by side, aligned)   one store of 16 bytes
//! else                                                 each replica that is here stores its own
//! ```
//! Loads of replicas that all come to them likewise, where steps are taken.

use super::Lower;
use super::state::{Predicates, Site};
use crate::kernel::BlockId;
use crate::llvm::ir::{Module, Op, Pred, Type, Value};
use crate::plan::{LockstepPlan, WideStore};

/// How elements that are loaded at once come in words.
struct Transaction {
    /// A word: an element, or as many small integers as fit 32 bits.
    word: Type,
    /// Elements in each.
    each: u32,
    /// How many there are.
    words: u32,
}

impl Transaction {
    /// That of `count` elements of type `ty`.
    fn of(module: Module, ty: Type, size: u32, count: u32) -> Transaction {
        let each = match ty.int_width() {
            Some(8 | 16) => count.min(4 / size),
            _ => 1,
        };
        let word = match each {
            1 => ty,
            _ => Type::int(module, 8 * size * each),
        };
        Transaction {
            word,
            each,
            words: count / each,
        }
    }
}

impl Lower<'_> {
    /// How a store is done for several replicas at once, if it is.
    pub(crate) fn wide_store(&self, i: Value) -> Option<WideStore> {
        if !i.is(Op::LLVMStore) || self.is_served(i) {
            return None;
        }
        let mine = |w: &&WideStore| self.from.instruction(w.access) == i;
        let found = self.from.plan.wide_stores().find(mine).copied();
        found.filter(|_| !self.is_replaced(i))
    }

    /// Whether a block does nothing that may not run for every replica but such stores.
    pub(crate) fn stores_wide(&self, b: BlockId) -> bool {
        let all = self.from.kernel.block(b).instructions();
        let wide = |i: &Value| self.wide_store(*i).is_some();
        all.iter().any(wide) && self.is_harmless_but(b, wide)
    }

    /// The stores of a block whose other instructions have run for all replicas. They come last: no
    /// instruction beside them looks at global memory.
    pub(crate) fn emit_wide_stores(&mut self, id: BlockId, sites: &[Site], pred: &Predicates) {
        for i in self.from.kernel.block(id).instructions() {
            let Some(wide) = self.wide_store(i) else {
                continue;
            };
            self.b.locate_as(i);
            for first in 0..sites.len() {
                let place = self.replicas.places[first][wide.along.index()];
                if place.is_multiple_of(wide.replicas) {
                    let replicas = self.neighbours(first, &wide);
                    self.emit_wide_store(i, &replicas, sites, pred);
                }
            }
        }
        self.replica = 0;
        self.b.locate_nowhere();
    }

    /// The replicas that store at once with `first`.
    fn neighbours(&self, first: usize, wide: &WideStore) -> Vec<usize> {
        let d = wide.along.index();
        let place = |k: u32| {
            let mut p = self.replicas.places[first];
            p[d] += k;
            p
        };
        let replica = |p: [u32; 3]| self.replicas.places.iter().position(|x| *x == p);
        (0..wide.replicas)
            .map(|k| replica(place(k)).expect("factors are multiples of what stores at once"))
            .collect()
    }

    fn emit_wide_store(&mut self, i: Value, replicas: &[usize], sites: &[Site], pred: &Predicates) {
        let mut moves = Vec::new();
        for &replica in replicas {
            self.replica = replica;
            let v = self.operand(i.operand(0), &sites[replica]);
            let at = self.operand(i.operand(1), &sites[replica]);
            moves.push((v, self.made_here(at, 3)));
        }
        let size = i64::from(self.accesses_size(i));
        let all = size * replicas.len() as i64;
        let (first, last) = (moves[0].1, moves[moves.len() - 1].1);
        let is_one = self.is_one_transaction(first, last, size, all);
        let here: Vec<_> = replicas.iter().filter_map(|l| pred.0[*l]).collect();
        let here = here.into_iter().map(|p| self.get(p)).collect();
        let all_here = self.b.all(here);
        // Addresses of replicas that are not here mean nothing.
        let no = self.b.i1().constant(0);
        let at_once = match all_here {
            Some(h) => self.b.select(h, is_one, no),
            None => is_one,
        };
        let (one, each) = (self.new_block("mesi.wide"), self.new_block("mesi.each"));
        let done = self.new_block("mesi.done");
        self.b.cond_br(at_once, one, each);
        self.b.at_end(one);
        let ty = moves[0].0.ty().vector(replicas.len() as u32);
        let mut vector = ty.null();
        for (k, (v, _)) in moves.iter().enumerate() {
            vector = self.b.insert_element(vector, *v, k as u32);
        }
        self.b.store(vector, first, all as u32);
        self.b.br(done);
        self.b.at_end(each);
        for (&replica, (v, at)) in replicas.iter().zip(&moves) {
            let cond = pred.0[replica].map(|p| self.get(p));
            let (v, at, align) = (*v, *at, i.alignment());
            self.when(cond, |s| {
                s.b.store(v, at, align);
            });
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Whether elements of `size` bytes from `first` to `last` lie side by side and are an aligned transaction of `all`
    /// bytes.
    pub(crate) fn is_one_transaction(
        &self,
        first: Value,
        last: Value,
        size: i64,
        all: i64,
    ) -> Value {
        let wide = self.b.i64();
        let from = self.b.ptrtoint(first, wide);
        let to = self.b.ptrtoint(last, wide);
        let low = self.b.and(from, self.b.long(all - 1));
        let aligned = self.b.icmp(Pred::LLVMIntEQ, low, self.b.long(0));
        let end = self.b.plus(from, self.b.long(all - size));
        let adjacent = self.b.icmp(Pred::LLVMIntEQ, to, end);
        self.b.and(aligned, adjacent)
    }

    /// Whether all replicas do a load at once.
    pub(crate) fn loads_at_once(&self, i: Value, plan: &LockstepPlan) -> bool {
        let mut all = plan.at_once.iter();
        i.is(Op::LLVMLoad) && all.any(|a| self.from.instruction(*a) == i)
    }

    /// Emits a load that all replicas come to: at once, if their elements are an aligned transaction, else one by one.
    /// Either way the same bytes are loaded, in words, from which replicas take theirs, so what follows is there once.
    pub(crate) fn emit_load_at_once(&mut self, i: Value, sites: &mut [Site]) {
        self.b.locate_as(i);
        let mut at = Vec::new();
        for (replica, site) in sites.iter().enumerate() {
            self.replica = replica;
            at.push(self.operand(i.operand(0), site));
        }
        let size = self.accesses_size(i);
        let t = Transaction::of(self.module(), i.ty(), size, at.len() as u32);
        let words: Vec<_> = (0..t.words).map(|_| self.new_slot(t.word)).collect();
        let bytes = i64::from(size) * at.len() as i64;
        let is_one = self.is_one_transaction(at[0], at[at.len() - 1], size.into(), bytes);
        let (one, each) = (self.new_block("mesi.wide"), self.new_block("mesi.each"));
        let done = self.new_block("mesi.loaded");
        self.b.cond_br(is_one, one, each);
        self.b.at_end(one);
        let all = self.b.load(t.word.vector(t.words), at[0], bytes as u32);
        for (k, slot) in words.iter().enumerate() {
            self.set(*slot, self.b.extract(all, k as u32));
        }
        self.b.br(done);
        self.b.at_end(each);
        for (slot, replicas) in words.iter().zip(at.chunks(t.each as usize)) {
            let word = self.word_of(i, replicas, &t);
            self.set(*slot, word);
        }
        self.b.br(done);
        self.b.at_end(done);
        for (replica, site) in sites.iter_mut().enumerate() {
            self.replica = replica;
            let (word, place) = (replica as u32 / t.each, replica as u32 % t.each);
            let word = self.get(words[word as usize]);
            let new = self.element_of(word, i.ty(), place * size * 8);
            self.define(i, new, site);
        }
        self.replica = 0;
    }

    /// The word that elements like `i` at some addresses make.
    fn word_of(&self, i: Value, at: &[Value], t: &Transaction) -> Value {
        let bits = i.ty().int_width().unwrap_or(0);
        let load = |p: &Value| self.b.load(i.ty(), *p, i.alignment());
        if t.each == 1 {
            return load(&at[0]);
        }
        let mut word = t.word.constant(0);
        for (k, p) in at.iter().enumerate() {
            let element = self.b.zext(load(p), t.word);
            let by = t.word.constant(i64::from(bits) * k as i64);
            word = self.b.or(word, self.b.shl(element, by));
        }
        word
    }

    /// The element of type `ty` that begins at a bit of a word. Devices are little-endian.
    fn element_of(&self, word: Value, ty: Type, bit: u32) -> Value {
        if word.ty() == ty {
            return word;
        }
        let by = word.ty().constant(i64::from(bit));
        self.b.trunc(self.b.lshr(word, by), ty)
    }

    /// An address, and what it is made of in so many steps, made here: those that store before it need its registers.
    /// What was made for all replicas at once is left without uses, and goes.
    fn made_here(&self, v: Value, steps: u32) -> Value {
        let moves = v.is_instruction()
            && (v.is(Op::LLVMGetElementPtr) || v.is(Op::LLVMSExt) || v.is(Op::LLVMAdd));
        if steps == 0 || !moves {
            return v;
        }
        let here = v.clone_instruction();
        for (k, o) in v.operands().into_iter().enumerate() {
            here.set_operand(k as u32, self.made_here(o, steps - 1));
        }
        self.b.insert(here);
        here
    }

    pub(crate) fn accesses_size(&self, i: Value) -> u32 {
        let mut list = self.from.accesses.iter();
        let mine = list.find(|a| self.from.kernel.value(a.value) == i);
        mine.map_or(1, |a| a.size)
    }
}
