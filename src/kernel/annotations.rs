//! What a kernel's author says about it in the source: `annotate("mesi.off")` leaves the kernel
//! alone, `annotate("mesi.block=16,16,1")` gives the largest block shape it is launched with.
//!
//! ```cuda
//! __attribute__((annotate("mesi.block=16,16,1"))) __global__ void mm(float *a, float *b, float *c)
//! ```
//! Other annotations are not ours and pass unread. A malformed one of ours is a warning: the
//! program is right without it, so it must still compile. An option beats an annotation.

use crate::llvm::{self, Function, Module};
use crate::options;

/// The annotations of one kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// The kernel is to be left alone.
    pub off: bool,
    /// Largest block shape (threads in x, y, z) it is launched with.
    pub block: Option<[u32; 3]>,
}

/// The annotations of a module's kernels, and what was wrong with the malformed ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleAnnotations {
    /// Annotated functions in source order, each once.
    kernels: Vec<(Function, Annotations)>,
    /// One line for the user per malformed annotation.
    pub malformed: Vec<(Function, String)>,
}

impl ModuleAnnotations {
    /// What is said about `kernel`; the default where nothing is.
    pub fn of(&self, kernel: Function) -> Annotations {
        let found = self.kernels.iter().find(|(f, _)| *f == kernel);
        found.map_or_else(Annotations::default, |(_, a)| *a)
    }
}

/// Reads all annotations of `module`.
pub fn collect(module: Module) -> ModuleAnnotations {
    let mut all = ModuleAnnotations::default();
    for (function, text) in llvm::function_annotations(module) {
        let Some(ours) = text.strip_prefix("mesi.") else {
            continue;
        };
        let i = all
            .kernels
            .iter()
            .position(|(f, _)| *f == function)
            .unwrap_or_else(|| {
                all.kernels.push((function, Annotations::default()));
                all.kernels.len() - 1
            });
        if let Err(why) = apply(&mut all.kernels[i].1, ours) {
            all.malformed
                .push((function, format!("annotation \"{text}\" is ignored: {why}")));
        }
    }
    all
}

/// Applies one annotation, less its prefix.
fn apply(to: &mut Annotations, ours: &str) -> Result<(), String> {
    match ours.split_once('=') {
        None if ours == "off" => to.off = true,
        Some(("block", shape)) => to.block = Some(options::block_shape(shape)?),
        _ => return Err("valid are \"mesi.off\" and \"mesi.block=X,Y,Z\"".into()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_and_block_add_up() {
        let mut a = Annotations::default();
        assert_eq!(apply(&mut a, "off"), Ok(()));
        assert_eq!(apply(&mut a, "block=16,16,1"), Ok(()));
        assert_eq!(
            a,
            Annotations {
                off: true,
                block: Some([16, 16, 1])
            }
        );
    }

    #[test]
    fn malformed_ones_change_nothing() {
        let mut a = Annotations::default();
        for text in [
            "offf",
            "off=1",
            "block",
            "block=",
            "block=0,1,1",
            "block=1,1,1,1",
            "",
        ] {
            assert!(apply(&mut a, text).is_err(), "{text}");
        }
        assert_eq!(a, Annotations::default());
    }
}
